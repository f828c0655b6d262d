"""Arguments that are given away: `jit(donate=)`."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError

X = np.arange(6.0)


def halved(x, y):
    return x * 0.5 + y


def test_an_ndarray_holds_the_result_at_first_and_native_calls():
    step = jf.jit(halved, donate="x")
    for _ in range(4):
        x = X.copy()
        found = step(x, X)
        assert found is x
        np.testing.assert_array_equal(found, halved(X, X))
    assert step.stats()["native_calls"] == 2


def test_by_position_in_trees_and_with_keywords():
    both = jf.jit(lambda p: {"a": p["a"] * 2, "b": p["b"] + p["a"]}, donate=0)
    given = {"a": X.copy(), "b": X + 1}
    found = both(given)
    assert found["a"] is given["a"] and found["b"] is given["b"]
    np.testing.assert_array_equal(found["b"], X * 2 + 1)
    keyword = jf.jit(lambda x, *, y: x + y, donate="y")
    y = X.copy()
    assert keyword(X, y=y) is y


def test_what_a_result_still_reads_is_not_overwritten_early():
    def step(u):
        v = u.copy()
        v[1:-1] = 0.5 * (u[2:] + u[:-2])
        return v

    plate = X**2
    expected = step(plate)
    jitted = jf.jit(step, donate="u")
    assert jitted(plate) is plate
    np.testing.assert_array_equal(plate, expected)


@pytest.mark.parametrize(
    "make",
    [
        lambda: (X.astype(np.float32), X),  # the result is float64
        lambda: (np.broadcast_to(X[2], (6,)), X),
        lambda: (X[:1], X),  # another shape
    ],
    ids=["dtype", "no places of its own", "shape"],
)
def test_memory_that_does_not_fit_is_left_alone(make):
    x, y = make()
    before = x.copy()
    found = jf.jit(halved, donate="x")(x, y)
    assert found is not x
    np.testing.assert_array_equal(found, halved(before, y))
    np.testing.assert_array_equal(x, before)


def test_read_only_and_overlapping_arrays_are_left_alone():
    step = jf.jit(halved, donate="x")
    locked = X.copy()
    locked.flags.writeable = False
    assert step(locked, X) is not locked
    memory = np.arange(8.0)
    np.testing.assert_array_equal(step(memory[:6], memory[1:7]), halved(X, X + 1))
    np.testing.assert_array_equal(step(memory[:6], memory[:6]), halved(X, X))
    np.testing.assert_array_equal(memory, np.arange(8.0))


def test_overlaps_without_a_common_grid_are_no_error():
    memory = np.arange(16.0)
    step = jf.jit(halved, donate="x")
    x, y = memory[:6], memory.view(np.float32)[1:13]
    expected = x[:6] * 0.5 + y[:6]
    found = jf.jit(lambda x, y: x * 0.5 + y[:6], donate="x")(x, y)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(memory, np.arange(16.0))
    free = X.copy()
    assert step(free, X) is free


def test_an_argument_that_is_returned_keeps_its_values():
    function = jf.jit(lambda x: (x, x + 1), donate="x")
    x = X.copy()
    same, more = function(x)
    assert same is x
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(more, X + 1)


def test_tensors_pass_their_memory_on():
    step = jf.jit(halved, donate="x")
    x, y = jf.asarray(X), jf.asarray(X)
    x = step(x, y)
    places = set()
    expected = halved(X, X)
    for _ in range(4):
        x = step(x, y)
        expected = halved(expected, X)
        places.add(x._value.ctypes.data)
    assert len(places) == 1
    np.testing.assert_array_equal(x.numpy(), expected)


def test_a_tensor_whose_values_are_seen_elsewhere_is_copied():
    x = jf.asarray(X)
    shown, pending = x.numpy(), x + 1
    jf.jit(halved, donate="x")(x, jf.asarray(X))
    np.testing.assert_array_equal(shown, X)
    np.testing.assert_array_equal(pending.numpy(), X + 1)


@pytest.mark.parametrize(
    "use",
    [
        lambda x: x + 1,
        lambda x: x.numpy(),
        lambda x: float(x[0]),
        lambda x: x.__setitem__(0, 1.0),
        jf.compute,
    ],
    ids=["operator", "numpy", "float", "assignment", "compute"],
)
def test_using_a_tensor_that_was_given_away(use):
    x = jf.asarray(X)
    jf.jit(halved, donate="x")(x, X)
    with pytest.raises(
        ArgumentError, match=r"^a Tensor is used that was given away as the argument 'x' of halved"
    ):
        use(x)
    assert repr(x) == "Tensor(given away as the argument 'x' of halved)"


def test_arguments_that_cannot_be_given_away():
    x = jf.asarray(X)
    step = jf.jit(halved, donate="x")
    with pytest.raises(
        ArgumentError, match=r"^the Tensor 'x' is given away, and is passed as 'y' too; pass a copy"
    ):
        step(x, x)
    with pytest.raises(ArgumentError, match=r"^donate: halved has no argument 'z'; it has 'x', 'y'"):
        jf.jit(halved, donate="z")
    with pytest.raises(
        ArgumentError, match=r"^donate: halved has 2 positional arguments, so none has number 2"
    ):
        jf.jit(halved, donate=2)
    with pytest.raises(
        ArgumentError, match=r"^donate: the argument 'y' of halved is static, so it has no memory"
    ):
        jf.jit(halved, donate="y", static_argnames="y")
