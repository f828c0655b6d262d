"""Views that calls return: of arguments, of arrays from outside, of other results; answered natively."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

KEPT = np.arange(12.0).reshape(3, 4)


def shown_outside():
    KEPT[0] += 1
    return KEPT.T[1:], KEPT.reshape(2, 6)[:, ::-2]


def both(x):
    y = x * 2
    return y[1:], y, y[::-1, 1], y.T[2]


def parts(x):
    y, z = x + 1, x.sum(axis=0)
    return z[1], y[::2], z[1:3], y[1:].T


FUNCTIONS = {
    "a part of an argument": lambda x: x[1:, ::2],
    "turned and reversed": lambda x: x.T[::-1],
    "another shape": lambda x: x.reshape(-1)[2:7],
    "itself": lambda x: x,
    "a part and itself": lambda x: {"a": x[0], "b": x},
    "a result and parts of it": both,
    "parts of results alone": parts,
    "parts of what is outside": lambda x: shown_outside(),
    "a part of what is written": lambda x: (x.__iadd__(1), x[1])[1],
}


def arrays_in(value):
    if isinstance(value, np.ndarray):
        return [value]
    members = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return [array for each in members for array in arrays_in(each)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_views_are_as_in_python(name):
    function, jitted = FUNCTIONS[name], jf.jit(FUNCTIONS[name])
    for turn in range(4):
        x, kept = np.arange(12.0).reshape(3, 4) + turn, KEPT.copy()
        found = jitted(x)
        left, after = x.copy(), KEPT.copy()
        KEPT[:] = kept
        y = np.arange(12.0).reshape(3, 4) + turn
        expected = function(y)
        assert_same(found, expected)
        assert_same(left, y)
        assert_same(after, KEPT)
        mine, its = arrays_in(found), arrays_in(expected)
        assert [each.strides for each in mine] == [each.strides for each in its]
        assert [each.flags.writeable for each in mine] == [each.flags.writeable for each in its]
        known, given = [x, KEPT, *mine], [y, KEPT, *its]
        shared = [[np.shares_memory(a, b) for b in known] for a in mine]
        assert shared == [[np.shares_memory(a, b) for b in given] for a in its]
        for a, b in zip(mine, its, strict=True):
            a[...] = b[...] = turn
        assert_same(found, expected)
    assert jitted.stats()["native_calls"] >= 2


def test_what_is_read_only_stays_so():
    jitted = jf.jit(lambda x: x[1:])
    x = np.arange(4.0)
    x.flags.writeable = False
    for _ in range(4):
        assert not jitted(x).flags.writeable
    x.flags.writeable = True
    assert [jitted(x).flags.writeable for _ in range(4)] == [True] * 4


def test_nothing_but_the_view_holds_its_array():
    for function in (lambda x: x[1:], lambda x: (x * 2)[1:], both):
        jitted, x = jf.jit(function), np.ones((3, 4))
        for _ in range(3):
            jitted(x)
        counts = []
        for _ in range(3):
            found = arrays_in(jitted(x))
            counts.append((sys.getrefcount(x), *(sys.getrefcount(each.base) for each in found)))
            del found
        gc.collect()
        assert counts == [counts[0]] * 3 and sys.getrefcount(x) == 2


@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_empty_views(shape):
    jitted = jf.jit(lambda x: x[:, 1:])
    for _ in range(4):
        assert jitted(np.ones(shape)).shape == (shape[0], max(shape[1] - 1, 0))
