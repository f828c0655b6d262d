"""Values that follow from what the trace itself made are known in it; all others are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

LIMIT = 2


def mask_of_numbers(x: Any) -> Any:
    return x[:, np.arange(x.shape[1]) % 2 == 0]


def mask_of_two_axes(x: Any) -> Any:
    return x[np.tri(*x.shape, dtype=bool)] * 2


def written_through_a_mask(x: Any) -> Any:
    lower = np.tri(*x.shape, k=-1, dtype=bool)
    x[lower] = x.T[lower]
    x[np.eye(len(x), dtype=bool)] = 0
    return x


def positions(x: Any) -> Any:
    return x[np.nonzero(np.array([0, 3, 0, 1]))] + np.flatnonzero(np.array([1, 0, 1, 1, 0, 0]) == 1)[:2, None]


def counts(x: Any) -> Any:
    return np.repeat(x, np.arange(x.shape[0]), axis=0), np.delete(x, np.array([0, 2]), axis=1)


def chosen(x: Any) -> Any:
    return np.compress(np.array([True, False, True]), x, axis=0), np.extract([1, 0, 1], x[0, :3])


def branch(x: Any) -> Any:
    weights = np.array([0.25, 0.5, 0.25])
    if abs(weights.sum() - 1) < 1e-12 and np.prod(np.array(x.shape)) > LIMIT:
        return x * weights[1]
    return x


def size(x: Any) -> Any:
    n = int(np.prod(np.array(x.shape))) // 2
    return x.reshape(-1)[:n].reshape(2, -1) + float(np.sqrt(np.float64(n)))


def loop(x: Any) -> Any:
    step = np.int64(1)
    while step < 20:
        x = x + step
        step = step * 2
    return x


def after_writes(x: Any) -> Any:
    odd = np.zeros(x.shape[1], dtype=bool)
    odd[1::2] = True
    return x[:, odd]


@pytest.mark.parametrize(
    "function",
    [
        mask_of_numbers,
        mask_of_two_axes,
        written_through_a_mask,
        positions,
        counts,
        chosen,
        branch,
        size,
        loop,
        after_writes,
    ],
)
def test_it_is_numpys(function: Callable[[Any], Any]) -> None:
    jitted = jf.jit(function)
    shapes = {chosen: ((3, 4), (3, 7)), positions: ((4, 4), (5, 4))}.get(function, ((4, 4), (6, 6)))
    for shape in (*shapes, shapes[0]):
        x = np.random.default_rng(1).normal(size=shape)
        expected, actual = function(x.copy()), jitted(x.copy())
        for one, other in zip(
            expected if isinstance(expected, tuple) else (expected,),
            actual if isinstance(actual, tuple) else (actual,),
            strict=True,
        ):
            np.testing.assert_array_equal(other, one)
            assert other.dtype == one.dtype


def test_in_a_region() -> None:
    @jf.jit
    def f(x: Any) -> Any:
        even = np.arange(x.shape[0]) % 2 == 0

        def body(i: Any, y: Any) -> Any:
            return y + y[even].sum() + y[np.arange(x.shape[0]) > 1].sum()

        return jf.fori_loop(0, 3, body, x)

    x = np.arange(5.0)
    expected = x
    for _ in range(3):
        expected = expected + expected[::2].sum() + expected[2:].sum()
    np.testing.assert_allclose(f(x), expected, rtol=1e-15)


@pytest.mark.parametrize("what", ["argument", "number", "global", "loop"])
def test_what_is_not_known_cuts_the_function_or_specializes_it(what: str) -> None:
    table = np.array([1, 0, 1])

    def f(x: Any, n: Any) -> Any:
        flags = {
            "argument": lambda: x > 0,
            "number": lambda: np.arange(3) < n,
            "global": lambda: table > 0,
            "loop": lambda: jf.fori_loop(0, 3, lambda i, y: y + n, np.zeros(3)) > 1,
        }[what]()
        return np.repeat(x, np.nonzero(flags)[0].shape[0])

    jitted, x = jf.jit(f), np.ones(3)
    assert jitted(x, 2).shape == ({"number": 2, "global": 2}.get(what, 3) * 3,)
    assert bool(jitted.program(x, 2).segments) is (what != "number")


def test_what_changes_with_the_turn_of_a_loop_has_no_value() -> None:
    f = jf.jit(lambda x: jf.fori_loop(0, 3, lambda i, y: y + np.repeat(y, i)[0], x))
    with pytest.raises(jf.errors.TraceError, match=r"inside the body of jf\.fori_loop it has no value yet"):
        f(np.ones(3))
