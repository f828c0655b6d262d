"""`jf.while_loop`, `jf.scan`, loops with computed bounds: in a trace, outside, on devices, in each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, ShapeError, TraceError
from tests.jit.same import assert_same, check

X = np.array([0.5, 1.5, 2.25])
ROWS = np.arange(12.0).reshape(4, 3) + 1


@dataclass
class State:
    x: np.ndarray
    turns: int

    def energy(self):
        return np.sum(self.x * self.x)


def test_while_of_one_array():
    check(lambda x: jf.while_loop(lambda c: c.sum() < 100, lambda c: c * 2, x), X)
    check(lambda x: jf.while_loop(lambda c: c.sum() < 0, lambda c: c * 2, x), X)  # no turn


def test_while_of_a_tree_with_numbers():
    def function(x, n):
        return jf.while_loop(
            lambda c: (c["k"] < n) & (c["x"].max() < 50),
            lambda c: {"k": c["k"] + 1, "x": c["x"] * 1.5 + c["k"], "both": (c["both"][1], c["both"][0])},
            {"k": 0, "x": x, "both": (x, x + 1)},
        )

    jitted = jf.jit(function)
    for n in (0, 1, 5, 100):
        assert_same(jitted(X, n), function(X, n))
    assert jitted.stats()["traces"] == 1


def test_newton_until_it_settles():
    def roots(x):
        return jf.while_loop(
            lambda c: np.abs(c[0] * c[0] - x).max() > 1e-12,
            lambda c: (0.5 * (c[0] + x / c[0]), c[1] + 1),
            (x, 0),
        )

    check(roots, X)
    assert_same(jf.jit(roots)(X)[0], np.sqrt(X))


def test_loops_in_each_other():
    def function(x):
        def turn(i, c):
            c = jf.while_loop(lambda d: d.sum() < 10.0 * (i + 1), lambda d: d * 2 + i, c)
            c = jf.fori_loop(0, i, lambda j, d: d + i * j, c)
            return jf.cond(c[0] > 20, lambda d: d - 20, lambda d: d, c)

        return jf.fori_loop(0, 4, turn, x)

    check(function, X)
    check(
        lambda x: jf.while_loop(
            lambda c: c.sum() < 1000, lambda c: jf.scan(lambda a, r: (a + r, a), c, ROWS)[0], x
        ),
        X,
    )


def test_a_dataclass_is_carried_and_its_methods_are_traced():
    def function(s):
        return jf.while_loop(lambda s: s.energy() < 500, lambda s: State(s.x * 1.5, s.turns + 1), s)

    found, expected = jf.jit(function)(State(X, 0)), function(State(X, 0))
    assert type(found) is State and found.turns == expected.turns
    assert_same(found.x, expected.x)


@pytest.mark.parametrize("value", [0.0, 2.0, 3.9])
def test_bounds_may_be_computed(value):
    check(lambda x, n: jf.fori_loop(0, n + 1, lambda i, c: c * 0.5 + i, x), X, 3)
    check(lambda x, v: jf.fori_loop(int(v) - 2, int(x[2] + v), lambda i, c: c + i, x), X, value)
    check(lambda x, n: jf.fori_loop(n, x.astype(np.int32).sum(), lambda i, c: c + i, x), X, np.int16(1))


def test_positions_are_read_and_written_in_place():
    def recurrence(x, n):
        def turn(i, c):
            c[i] = c[i - 1] * 0.5 + c[i]
            return c

        return jf.fori_loop(1, n, turn, x)

    check(recurrence, ROWS[:, 0].copy(), 4)
    ready = jf.jit(recurrence).program(np.ones(50), 50).ready
    assert "swap" not in str(jf.jit(recurrence).explain(np.ones(50), 50))
    assert ready is not None


SCANS = {
    "running sum": lambda x: jf.scan(lambda c, r: (c + r, c), np.zeros(3), x),
    "numbers": lambda x: jf.scan(lambda c, r: (c + r.sum(), (c, 1)), 0.0, x),
    "reverse": lambda x: jf.scan(lambda c, r: (c * 0.5 + r, {"c": c, "n": None}), x[0], x, reverse=True),
    "two arrays": lambda x: jf.scan(lambda c, r: (c + r[0] * r[1]["y"], c), x[0], (x, {"y": x[::-1]})),
    "nothing collected": lambda x: jf.scan(lambda c, r: (c + r, None), x[0], x),
    "nothing along": lambda x: jf.scan(lambda c, r: (c * 0.5, c.sum()), x, None, length=5),
    "some along": lambda x: jf.scan(lambda c, r: (c + r[1], c[0]), x[0], (None, x)),
    "what is carried changes dtype": lambda x: jf.scan(lambda c, r: (c + r[0], r[1] > 3), 0, x),
    "a row of two": lambda x: jf.scan(lambda c, r: (c, r[:2] * c), 2.0, x),
    "a loop inside": lambda x: jf.scan(
        lambda c, r: (jf.fori_loop(0, 3, lambda i, d: d * 0.5 + r, c), c[1]), x[0], x
    ),
}


@pytest.mark.parametrize("name", SCANS)
def test_scan(name):
    check(SCANS[name], ROWS)


def test_scan_is_what_a_python_loop_does():
    total, sums = jf.jit(lambda x: jf.scan(lambda c, r: (c + r, c + r), np.zeros(3), x))(ROWS)
    assert_same(total, ROWS.sum(axis=0))
    assert_same(sums, np.cumsum(ROWS, axis=0))


def test_outside_of_a_trace_on_tensors():
    big = np.linspace(0, 1, 600).reshape(200, 3)
    expected = jf.scan(lambda c, r: (c * 0.5 + r, c), np.zeros(3), big)
    total, stacked = jf.scan(lambda c, r: (c * 0.5 + r, c), jf.zeros(3), jf.asarray(big))
    assert isinstance(total, jf.Tensor) and isinstance(stacked, jf.Tensor)
    assert_same((total.numpy(), stacked.numpy()), expected)
    reverse = jf.scan(lambda c, r: (c + r, c), jf.zeros(3), jf.asarray(big), reverse=True)[1]
    assert_same(reverse.numpy(), jf.scan(lambda c, r: (c + r, c), np.zeros(3), big, reverse=True)[1])
    found = jf.while_loop(lambda c: c.sum() < 100, lambda c: c * 2, jf.asarray(X))
    assert_same(found.numpy(), X * 32)
    given = X.copy()

    def in_place(i, c):
        c += i
        return c

    assert_same(jf.fori_loop(0, jf.asarray(4), in_place, given), X + 6)
    assert_same(given, X)


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device):
    if any(found.name == device and found.problem for found in jf.devices()):
        pytest.skip(f"no {device} here")
    x = jf.asarray(ROWS.astype(np.float32), device=device)

    def function(x):
        grown = jf.while_loop(lambda c: c.sum() < 1000, lambda c: c * 2, x)
        bound = jf.fori_loop(0, (x[0, 0] + 2).astype(np.int32), lambda i, c: c + i, grown)
        return bound, jf.scan(lambda c, r: (c + r, c * 2), x[0], x)

    found = jf.jit(function)(x)
    expected = function(ROWS.astype(np.float32))
    for mine, its in ((found[0], expected[0]), (found[1][0], expected[1][0]), (found[1][1], expected[1][1])):
        assert mine.device == x.device
        assert_same(mine.numpy(), its)


def test_a_thousand_steps_are_one_native_call():
    def step(_, u):
        following = u.copy()
        following[1:-1] += 0.25 * (u[2:] + u[:-2] - 2 * u[1:-1])
        return following

    jitted = jf.jit(lambda u: jf.fori_loop(0, 1000, step, u))
    u = np.sin(np.arange(64.0))
    expected = u
    for _ in range(1000):
        expected = step(0, expected)
    for _ in range(2):
        assert_same(jitted(u), expected)
    before = jitted.stats()
    assert before["traces"] == 1 and before["kernels"] <= 3
    for _ in range(3):
        jitted(u)
    after = jitted.stats()
    assert (
        after["native_calls"] == before["native_calls"] + 3
        and after["python_calls"] == before["python_calls"]
    )


def test_messages():
    for kind, message, function in (
        (ShapeError, "jf.while_loop: the condition must be one value, not an array of shape",
         lambda x: jf.while_loop(lambda c: c < 3, lambda c: c, x)),
        (TraceError, "jf.while_loop: the condition must return one value, true or false; it returns",
         lambda x: jf.while_loop(lambda c: (c[0] < 3, c), lambda c: c, x)),
        (TraceError, "jf.while_loop: the body must return what it is given to carry",
         lambda x: jf.while_loop(lambda c: c[0] < 3, lambda c: (c, c), x)),
        (DTypeError, "jf.fori_loop: a bound is float64",
         lambda x: jf.fori_loop(0, x[0], lambda i, c: c, x)),
        (TraceError, "jf.scan: the function must return two values",
         lambda x: jf.scan(lambda c, r: (c, r, r), 0.0, x)),
        (ShapeError, "scan: xs holds a float, which has no first axis",
         lambda x: jf.scan(lambda c, r: (c, r), 0.0, 1.5)),
        (ArgumentError, "scan: without xs it needs length", lambda x: jf.scan(lambda c, r: (c, r), 0.0)),
        (ShapeError, "scan: the first axes of xs, and length, must agree; there are 2 and 3",
         lambda x: jf.scan(lambda c, r: (c, r), 0.0, x, length=2)),
    ):  # fmt: skip
        with pytest.raises(kind) as raised:
            jf.jit(function)(X)
        assert raised.value.message.startswith(message), raised.value.message
    with pytest.raises(
        ShapeError, match="^while_loop: the condition must be one value, not an array of shape"
    ):
        jf.while_loop(lambda c: c < 3, lambda c: c, X)
    with pytest.raises(TraceError, match="^jf.scan: the function must return two values"):
        jf.scan(lambda c, r: c, 0.0, X)


def written_and_looped(x):
    x += 1
    return jf.fori_loop(0, 3, lambda i, v: v * 2 + i, x)


def set_and_repeated(x):
    x[1:] = 7
    return jf.while_loop(lambda v: v.sum() < 900, lambda v: v * 2, x), x.sum(axis=0)


def counted_and_scanned(x):
    np.add.at(x, np.arange(x.shape[0])[::-1], 2)
    return jf.scan(lambda total, row: (total + row, total * row), np.zeros(3), x)


def doubled_and_chosen(x):
    x *= 2
    return jf.cond(x[0, 0] >= 0, lambda v: v + 1, lambda v: v - 1, x)


@pytest.mark.parametrize(
    "function", [written_and_looped, set_and_repeated, counted_and_scanned, doubled_and_chosen]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_loop_starts_from_an_argument_that_was_written_to(function, order):
    """Of any strides: the loop copies what it starts from as contiguous memory."""
    for spread in (False, True):
        memory = np.arange(12.0).reshape(2, 6)[:, ::2] if spread else np.arange(6.0).reshape(2, 3)
        x, same = (memory if order == "C" else np.asfortranarray(memory) for _ in range(2))
        same = same.copy(order="K")
        x = x if spread and order == "C" else x.copy(order="K")
        expected, found = function(same), jf.jit(function)(x)
        for mine, its in zip(*(each if isinstance(each, tuple) else (each,) for each in (found, expected))):
            np.testing.assert_array_equal(mine, its)
        np.testing.assert_array_equal(x, same)
