"""Lazy programs that were built before: the same steps with other values, other numbers, other threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import jitframe as jf
from jitframe.tensors import lazy, steps
from jitframe.tensors import segments as parts
from jitframe.tensors.tensor import Tensor
from tests.threads import at_once

X = np.arange(1.0, 8.0)


def twice(build: Callable[[float], object], wanted: Callable[[float], object], *numbers: float) -> None:
    """The same program with several numbers, each three times: recorded, given an entry, run natively."""
    for number in (*numbers, *numbers, *numbers):
        np.testing.assert_allclose(np.asarray(build(number)), wanted(number), rtol=1e-12)


def test_numbers_beside_others_that_a_function_brings() -> None:
    # The mean's count is a run-time scalar as well, and in the first program the same one as the factor.
    x, y = jf.asarray(X), jf.asarray(X + 3)
    twice(lambda c: x * c + y.mean(), lambda c: X * c + 7, 7.0, 9.0, 11.0)
    twice(lambda c: y.mean() * c + y.mean(), lambda c: 7 * c + 7, 9.0, 7.0)


def test_numbers_are_told_apart_by_what_they_are() -> None:
    x = jf.asarray(X)
    n = jf.asarray(np.arange(7))
    twice(lambda c: x * c, lambda c: X * c, 0.3, 0, 1, 2, True, 3, 0.5, -1, np.inf)
    twice(lambda c: c - x, lambda c: c - X, 0.3, 0, 1, 2, True, 3, 0.5)
    twice(lambda c: n + c, lambda c: np.arange(7) + c, 1, 1.0, True, 5, 7, 0.5, 2.5)
    twice(lambda c: n**c, lambda c: np.arange(7) ** c, 1, 2, 3, 2.0)
    zeros = [float(jf.asarray(np.array(2.0)) * zero) for zero in (0.0, -0.0, 0, 0.0, -0.0)]
    assert [np.signbit(zero) for zero in zeros] == [False, True, False, False, True]
    with pytest.raises(OverflowError):
        jf.asarray(np.arange(3, dtype=np.uint8)) + 300


def test_arrays_of_other_layouts_take_other_steps() -> None:
    base = np.arange(24.0).reshape(4, 6)
    for array in (base, base.T, base[::2], base[:, ::-1], base[:, :1], base[1:3, 1:5]) * 3:
        array = array.copy(order="K") if array.flags.owndata else array
        kept = jf.asarray(array)
        np.testing.assert_array_equal((kept * 2 + 1).numpy(), array * 2 + 1)


def test_a_program_is_recorded_once_and_then_runs_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    jf.clear()
    lazy.start_graph()
    made: list[object] = []
    make = parts.Program._compute

    def counted(part: parts.Program, arguments: object) -> object:
        made.append(part)
        return make(part, arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(parts.Program, "_compute", counted)
    for number in range(10):
        x = jf.asarray(X + number)
        np.testing.assert_allclose((x * 0.3 - x).numpy(), (X + number) * 0.3 - (X + number))
    assert len(made) == 2, "recorded, and computed once more for the entry's variant"


def test_what_was_written_between_is_seen() -> None:
    x = jf.asarray(X)
    array = X.copy()
    for number in range(5):
        row, old = x[2:5], float(x[3])
        x[3] = x[3] + number
        array[3] += number
        np.testing.assert_array_equal(row.numpy(), array[2:5])
        assert old == array[3] - number
        row[0] = 5.5 + number
        array[2] = 5.5 + number
        np.testing.assert_array_equal(x.numpy(), array)
        x.numpy()


def test_steps_are_bounded_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_STEPS", 50)
    x = jf.asarray(X)
    for number in range(1, 60):
        view = x
        for _ in range(number % 7):
            view = view + x * number
        np.testing.assert_allclose(view.numpy(), X * (1 + number * (number % 7)))
    assert steps._roots.kept <= 50
    jf.clear()
    assert steps._roots.kept == 0 and not steps._roots.by_device


def test_a_graph_that_goes_on_after_all_was_forgotten() -> None:
    y = jf.asarray(X) + 1
    jf.clear()
    z = (y * 2).numpy()
    np.testing.assert_array_equal(z, (X + 1) * 2)
    assert isinstance(y, Tensor) and len(lazy.current_graph()) == 0


def test_threads_take_the_same_steps() -> None:
    base = np.arange(400.0).reshape(20, 20)

    def work(number: int) -> None:
        # One program with strides of their own for each thread.
        strided = base[number : 20 - number : 2, :: number + 1][:4, :5]
        for _ in range(40):
            found = (jf.asarray(strided, copy=False) * 3 + 1).numpy()
            np.testing.assert_array_equal(found, strided * 3 + 1)
        x = jf.asarray(X * number)
        for turn in range(60):
            total = x
            for step in range(turn % 5):
                total = total * 0.5 + (x - step) / (number + 2.5)
            wanted = X * number
            for step in range(turn % 5):
                wanted = wanted * 0.5 + (X * number - step) / (number + 2.5)
            np.testing.assert_allclose(total.numpy(), wanted, rtol=1e-12)

    at_once(work, 4)


def test_a_loop_that_makes_one_node_again_and_again_keeps_no_memory() -> None:
    lazy.start_graph()
    x = jf.asarray(X)
    for _ in range(40_000):
        last = x + 1
    assert len(lazy.current_graph().tensors) <= lazy.TENSOR_LIMIT
    np.testing.assert_array_equal(last.numpy(), X + 1)
