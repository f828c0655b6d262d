"""`x.flags`: NumPy's, as far as they follow from shape, strides and what may be written to."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import UnsupportedError

NAMES = (
    "c_contiguous",
    "f_contiguous",
    "contiguous",
    "fortran",
    "fnc",
    "forc",
    "behaved",
    "carray",
    "farray",
)
ITEMS = ("C_CONTIGUOUS", "F_CONTIGUOUS", "C", "F", "WRITEABLE", "W", "A", "CA", "FA", "FNC", "FORC", "B")


def told(x):
    shown = (x, x.T, x[1:], x[:, ::2], x.reshape(-1), np.broadcast_to(x, (2, *x.shape)), x * 2, x.T.copy())
    return [
        [*(getattr(each.flags, name) for name in NAMES), *(each.flags[name] for name in ITEMS)]
        for each in shown
    ]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    "x",
    [np.ones((4, 3)), np.ones((4, 3), order="F"), np.ones((4, 6))[:, ::2], np.ones((1, 5)), np.ones((0, 3))],
)
def test_in_a_trace(x):
    assert jf.jit(told)(x) == told(x)
    x.flags.writeable = False
    assert jf.jit(told)(x) == told(x)


def prepared(x):
    """As functions that hand arrays to C code begin."""
    if not x.flags["C_CONTIGUOUS"] or x.dtype != np.float64:
        x = np.ascontiguousarray(x, np.float64)
    x = x.copy() if not x.flags.writeable else x
    x.flags.writeable = True
    return x * 2


@pytest.mark.usefixtures("strict")
def test_what_it_decides_is_known_while_tracing():
    jitted = jf.jit(prepared)
    for x in (np.ones((3, 2), np.float32), np.ones((2, 3)).T, np.broadcast_to(1.0, (3, 2))):
        assert jitted(x).tolist() == (x * 2.0).tolist()
    assert not jitted.explain(np.ones((3, 2))).before


@pytest.mark.usefixtures("strict")
def test_what_is_refused():
    def locked(x):
        x.flags.writeable = False
        return x

    with pytest.raises(UnsupportedError, match="'writeable' of an array is not changed here"):
        jf.jit(locked)(np.ones(2))
    with pytest.raises(UnsupportedError, match="whether an array owns its memory"):
        jf.jit(lambda x: x.flags.owndata)(np.ones(2))
    with pytest.raises(KeyError, match="Unknown flag"):
        jf.jit(lambda x: x.flags["c"])(np.ones(2))


def test_of_tensors():
    x = jf.ones((2, 3))
    assert x.flags.c_contiguous and x.flags.writeable and x.T.flags["F"] and not x.T.flags.c_contiguous
    assert "C_CONTIGUOUS : True" in repr(x.flags)
