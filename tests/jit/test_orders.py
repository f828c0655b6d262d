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


ASKED = {
    "zeros": lambda a, c: (
        np.zeros(a.shape, order="F"),
        np.ones((2, 3), order="F"),
        np.full((2, 3), a[0, 0], order="F"),
    ),
    "diagonal": lambda a, c: np.eye(3, order="F") + a[0, 0],
    "zeros like": lambda a, c: (
        np.zeros_like(a),
        np.ones_like(c),
        np.full_like(a, 2),
        np.empty_like(a).strides,
    ),
    "zeros like, asked": lambda a, c: (
        np.zeros_like(c, order="F"),
        np.ones_like(a, order="C"),
        np.zeros_like(a, order="A"),
    ),
    "array": lambda a, c: (
        np.array(a, order="C"),
        np.array(c, order="F"),
        np.array(a, order="A"),
        np.array(a * 2),
    ),
    "asarray": lambda a, c: (
        np.asarray(a, order="C") + 1,
        np.asarray(c * 2, order="F"),
        np.asarray(a, order="A") + 1,
    ),
    "copy": lambda a, c: (a.copy(), a.copy("K"), c.copy("F"), a.copy("A"), np.copy(a), np.copy(c, order="F")),
    "cast": lambda a, c: (
        a.astype("f4"),
        a.astype("f4", order="C"),
        c.astype("i8", order="F"),
        a.astype(int, "A"),
    ),
    "ufunc": lambda a, c: (np.add(a, 1, order="C"), np.add(c, 1, order="F"), np.sqrt(a, order="A")),
    "sorted": lambda a, c: (
        np.sort(a, 0),
        np.sort(a, 0).ravel("A"),
        np.partition(a, 1, 0).flags.f_contiguous,
    ),
    "sorted and seen flat": lambda a, c: writes_flat(np.sort(a, 0)),
    "flat as it lies": lambda a, c: (
        (a + 1).ravel("A"),
        (a * c).reshape(-1, order="A"),
        np.sqrt(a).flatten("A"),
    ),
    "filled": lambda a, c: filled(np.zeros(a.shape, order="F"), a),
    "added in a loop": lambda a, c: added(np.zeros(a.shape, order="F"), a),
}


def writes_flat(x):
    """Through a copy, where the elements do not lie in C order."""
    flat = x.reshape(-1)
    flat[0] = 99
    return x, flat


def filled(y, x):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] = x[i, j] * 2 + i
    return y, y.ravel("A")


def added(y, x):
    for _ in range(3):
        y = y + x
    return y, y.flags.f_contiguous


@pytest.mark.parametrize("name", ASKED)
def test_an_order_that_is_asked_for_is_given(name: str, strict) -> None:
    function = ASKED[name]
    jitted = jf.jit(function)
    for a, c in [(FORTRAN, C), (C, FORTRAN), (FORTRAN.astype("f4"), C)]:
        for _ in range(2):
            found, wanted = jitted(a, c), function(a, c)
            assert_all_alike(found, wanted)


def assert_all_alike(found, wanted) -> None:
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_all_alike(one, other)
    elif isinstance(wanted, np.ndarray):
        assert_laid_alike((found,), (wanted,))
    else:
        assert found == wanted


def kept_in_a_branch(a, c):
    y = a + 1 if a[0, 0] > -1 else a * 2
    return y.ravel("A")


UNKNOWN = {
    "chosen": lambda a, c: a[:, [0, -1]].ravel("K"),
    "chosen of C order": lambda a, c: c[:, [0, -1]].flags.c_contiguous,
    "stacked": lambda a, c: np.stack([a, a], -1).ravel("K"),
    "transformed": lambda a, c: np.fft.fft(a, axis=0).strides,
    "largest, kept": lambda a, c: a.reshape(2, 2, 5).max(-1, keepdims=True).T.flatten("A"),
    "made like what is chosen": lambda a, c: np.zeros_like(a[:, [0, -1]]).strides,
    "of repeated elements": lambda a, c: np.broadcast_to(a[0], (3, 5)).copy("K").tobytes("A"),
    "branch": kept_in_a_branch,
}


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
@pytest.mark.parametrize("name", UNKNOWN)
def test_an_order_that_is_not_known_is_not_guessed(name: str) -> None:
    """Python answers; these gave elements in another order, or told one that NumPy's result has not."""
    function = UNKNOWN[name]
    jitted = jf.jit(function)
    for _ in range(2):
        assert_all_alike(jitted(FORTRAN, C), function(FORTRAN, C))


def test_tensors_lie_as_asked() -> None:
    x = jf.zeros((2, 3), order="F")
    assert x.flags.f_contiguous and x.strides == (8, 16) and (x + 1).strides == (8, 16)
    y = jf.asarray(C)
    for tensor in (y.copy("F"), jf.asarray(y, order="F"), y.astype("f8", order="F"), jf.add(y, 0, order="F")):
        assert jf.isfortran(tensor) and tensor.ravel("A").tolist() == C.T.ravel().tolist()
        assert np.asarray(tensor).tolist() == C.tolist()
        assert jf.array(tensor, order="C").flags.c_contiguous


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_what_is_a_view_or_a_copy_as_an_unknown_order_decides_is_not_guessed() -> None:
    """NumPy copies to flatten what positions along a later axis have read, whose first axis lies inside."""

    def written(x):
        taken = x[:, [0, 2]]
        flat = taken.reshape(-1)
        flat[0] = 99.0
        return taken, flat

    def read(x):
        taken = x[:, [0, 2]]
        return taken.reshape(-1) * 2, taken

    for function in (written, read):
        x = np.arange(12.0).reshape(3, 4)
        for found, wanted in zip(jf.jit(function)(x), function(x), strict=True):
            np.testing.assert_array_equal(found, wanted)
    assert not jf.jit(read).program(x).segments
