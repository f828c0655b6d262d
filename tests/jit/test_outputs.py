"""`out=` and `where=` of ufuncs and reductions: in a trace, of Tensors, and of plain ndarrays."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import AliasError, DTypeError, ShapeError, TraceError
from tests.jit.same import assert_same, check

X = np.arange(6.0).reshape(2, 3)


def test_in_a_trace():
    def function(x, full, row, mask):
        assert np.add(x, 1, out=full) is full
        np.multiply(full, 2, out=full, where=mask)
        np.sum(x, axis=0, out=row)
        np.clip(x, 1, 3, out=x)
        return full, row

    check(function, X, np.zeros((2, 3)), np.zeros(3), X > 2)


def test_two_outputs():
    def function(x, whole, rest):
        np.divmod(x, 2.5, out=(whole, rest))
        return np.divmod(x, 2.0, whole)[1]

    check(function, X, np.zeros((2, 3)), np.zeros((2, 3)))


def test_views_and_casts_as_in_numpy():
    def function(x, out):
        np.add(x, 0.5, out=out[:, ::2])
        np.sum(x, axis=1, keepdims=True, out=out[:, 1:2])
        return out

    check(function, X[:, :2], np.zeros((2, 4), np.float32))


@pytest.mark.parametrize("make", [np.asarray, jf.asarray], ids=["ndarray", "Tensor"])
def test_outside_of_a_trace_an_ndarray_is_written_at_once(make):
    x, out, row = make(X), np.full((2, 3), -1.0), np.zeros(3)
    assert jf.add(x, 1, out=out) is out
    assert_same(out, X + 1)
    assert jf.sum(x, axis=0, out=row) is row
    assert_same(row, X.sum(axis=0))
    jf.multiply(x, 10, out=out, where=X > 2)
    assert_same(out, np.where(X > 2, X * 10, X + 1))
    wide = np.zeros((4, 2, 3))
    jf.negative(x, out=wide)
    assert_same(wide, np.broadcast_to(-X, (4, 2, 3)).copy())


def test_tensors_are_written():
    x, out = jf.asarray(X), jf.zeros((2, 3))
    assert np.add(x, 1, out=out, where=x > 2) is out
    assert_same(np.array(out), np.where(X > 2, X + 1, 0))
    expected = np.where(X > 2, X + 1, 0)
    assert jf.mean(x, axis=1, out=out[:, 0]) is not None
    expected[:, 0] = X.mean(axis=1)
    assert_same(np.array(out), expected)


def test_what_does_not_fit():
    x = jf.asarray(X)
    with pytest.raises(DTypeError, match="cannot cast the result from float64 to the int32 of the array"):
        jf.add(x, 1, out=np.zeros((2, 3), np.int32))
    with pytest.raises(DTypeError, match="cannot cast the result from float64 to the int32 of the array"):
        jf.add(x, 1, out=np.zeros((2, 3), np.int32), where=X > 1)
    with pytest.raises(ShapeError, match=r"non-broadcastable output operand with shape \(3,\)"):
        jf.add(x, 1, out=np.zeros(3))
    locked = np.zeros((2, 3))
    locked.flags.writeable = False
    with pytest.raises(AliasError, match="^output array is read-only"):
        jf.add(x, 1, out=locked)
    with pytest.raises(DTypeError, match="^out= is a list; it takes an array of the result's shape"):
        jf.add(x, 1, out=[1])
    with pytest.raises(DTypeError, match="^divmod: out= takes a tuple of two arrays"):
        jf.divmod(x, 2, out=np.zeros((2, 3)))


def test_a_trace_does_not_write_to_an_array_it_cannot_see():
    hidden = {"out": np.zeros((2, 3))}

    class Holder:
        __slots__ = ("out",)

    def leak(x):
        return jf.add(x, 1, out=object.__getattribute__(holder, "out"))

    holder = Holder()
    holder.out = hidden["out"]
    with pytest.raises((TraceError, AttributeError)):
        jf.jit(leak)(X)
    assert_same(hidden["out"], np.zeros((2, 3)))
