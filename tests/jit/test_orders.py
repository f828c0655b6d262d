"""Where the elements of results lie: as NumPy lays them, and made there, without a copy."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf

FORTRAN = np.asfortranarray(np.arange(20.0).reshape(4, 5))
C = np.arange(20.0).reshape(4, 5) + 0.5
TURNED = np.arange(120.0).reshape(4, 5, 6).transpose(1, 2, 0)
JOINS = {
    "roll": lambda a, c: np.roll(a, 1, 1),
    "roll of two axes": lambda a, c: np.roll(a, (1, 2), (0, 1)),
    "roll of all": lambda a, c: np.roll(a, 3),
    "joined rows": lambda a, c: np.concatenate([a, a], 0),
    "joined columns": lambda a, c: np.concatenate([a, a * 2], 1),
    "joined with C order": lambda a, c: np.concatenate([a, c], 0),
    "joined behind C order": lambda a, c: np.concatenate([c, a], 0),
    "joined and used": lambda a, c: (np.concatenate([a, a]) + 1, np.concatenate([a, a]).sum(0)),
    "appended": lambda a, c: np.append(a, a, 0),
    "in blocks": lambda a, c: np.block([[a, a]]),
    "sums so far": lambda a, c: np.cumsum(a, 0),
    "products so far": lambda a, c: np.cumprod(a, 1),
    "differences": lambda a, c: np.diff(a, axis=0),
    "tiled": lambda a, c: np.tile(a, 2),
    "repeated": lambda a, c: np.repeat(a, 2, 0),
}
IN_F = {
    "padded": lambda a, c: np.pad(a, 1),
    "padded by the edge": lambda a, c: np.pad(a, 2, mode="edge"),
    "padded around": lambda a, c: np.pad(a, 1, mode="wrap"),
    "deleted": lambda a, c: np.delete(a, 1, 0),
    "inserted": lambda a, c: np.insert(a, 1, 0, 0),
}


def assert_laid_alike(found, wanted) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
        assert one.strides == other.strides or not one.size


@pytest.mark.parametrize("name", [*JOINS, *IN_F])
def test_results_are_laid_as_numpy_lays_them(name: str) -> None:
    function = (JOINS | IN_F)[name]
    jitted = jf.jit(function)
    given = [(FORTRAN, C), (C, FORTRAN), (FORTRAN.astype("f4"), C), (FORTRAN[:0], C[:0])]
    if name in JOINS:  # the others have it in C order, where it is neither
        given += [(FORTRAN[::-1], C), (TURNED, TURNED.copy())]
    for a, c in given:
        try:
            wanted = function(a, c)
        except (IndexError, ValueError):  # there is nothing to delete or repeat
            continue
        found = jitted(a, c)
        several = isinstance(wanted, tuple)
        assert_laid_alike(found if several else (found,), wanted if several else (wanted,))
        lazy = function(jf.asarray(a), jf.asarray(c))
        for one, other in zip(lazy if several else (lazy,), wanted if several else (wanted,), strict=True):
            np.testing.assert_array_equal(np.asarray(one), other)


@pytest.mark.parametrize("name", ["roll", "roll of two axes", "joined rows", "joined columns", "padded"])
def test_parts_are_written_where_they_lie(name: str) -> None:
    """One kernel, and no buffer beside the result."""
    plan = jf.jit((JOINS | IN_F)[name]).explain(FORTRAN, C).plan
    assert str(plan).count("alloc ") == 1, plan
