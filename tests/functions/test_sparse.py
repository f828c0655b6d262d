"""Sparse matrices against SciPy's: lazily, in jitted functions, and on devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as scipys
from scipy.sparse.linalg import spsolve_triangular

import jitframe as jf
from jitframe import sparse
from jitframe.errors import ArgumentError, BoundsError, DTypeError, ShapeError
from tests.conformance.devices import require

RNG = np.random.default_rng(4)
FORMATS = ("coo", "csr", "csc", "bsr")


def drawn(rows: int, columns: int, density: float = 0.3, dtype: str = "f8") -> np.ndarray:
    """A matrix with empty rows and columns."""
    found = np.where(RNG.random((rows, columns)) < density, RNG.normal(size=(rows, columns)) * 4, 0).astype(
        dtype
    )
    found[rows // 2] = 0
    found[:, columns // 3] = 0
    return found


DENSE = drawn(12, 8)
VECTOR, MANY = RNG.normal(size=8), RNG.normal(size=(8, 5))


def given(kind: str, dense: np.ndarray = DENSE) -> Any:
    if kind == "bsr":
        return scipys.bsr_array(dense, blocksize=(4, 2))
    return scipys.coo_array(dense).asformat(kind)


def close(found: Any, expected: Any) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("kind", FORMATS)
def test_products_and_reductions(kind: str) -> None:
    theirs = given(kind)
    ours = sparse.from_scipy(theirs)
    assert type(ours).__name__ == kind.upper() and ours.shape == (12, 8) and ours.dtype == np.float64
    close(ours.todense(), DENSE)
    jitted = jf.jit(lambda matrix, x: matrix @ np.exp(x))
    for x in (VECTOR, MANY, MANY[:, :0], MANY[::-1, ::2]):
        close(ours @ x, DENSE @ x)
        close(jitted(ours, x), DENSE @ np.exp(x))
    y = RNG.normal(size=(3, 12))
    close(ours.__rmatmul__(y), y @ DENSE)
    close(ours.T @ y.T, DENSE.T @ y.T)
    close(ours.T.todense(), DENSE.T)
    close(ours.sum(), DENSE.sum())
    for axis in (0, 1, -1):
        close(ours.sum(axis), DENSE.sum(axis))
    factor = RNG.normal(size=8)
    close((ours * 2 / 3).todense(), DENSE * 2 / 3)
    close((-ours).todense(), -DENSE)
    close(abs(ours).map(jf.sqrt).todense(), np.sqrt(abs(DENSE)))
    close((ours * factor[:1]).todense(), DENSE * factor[:1])
    close((ours * factor).todense(), DENSE * factor)
    close((ours + np.ones((12, 8))), DENSE + 1)


@pytest.mark.parametrize("kind", FORMATS)
def test_conversions_and_products_of_two(kind: str) -> None:
    ours, other = sparse.from_scipy(given(kind)), drawn(8, 6)
    for made, format_ in ((ours.tocsr(), "csr"), (ours.tocsc(), "csc"), (ours.tocoo(), "coo")):
        close(made.todense(), DENSE)
        assert made.toscipy().format == format_
    close(ours.toscipy().toarray(), DENSE)
    for second in FORMATS:
        close((ours @ sparse.from_scipy(given(second, other))).todense(), DENSE @ other)
        close((ours + sparse.from_scipy(given(second, DENSE * 2))).todense(), DENSE * 3)
    close((ours - ours).todense(), DENSE * 0)
    x, y = RNG.normal(size=(12, 4)), RNG.normal(size=(4, 8))
    sampled = jf.jit(lambda pattern, x, y: sparse.sampled_product(pattern, x, y).todense())
    close(sampled(ours, x, y), np.asarray(DENSE * (x @ y)))


def test_memory_is_shared_with_scipy() -> None:
    theirs = given("csr")
    ours = sparse.from_scipy(theirs)
    assert np.shares_memory(np.asarray(ours.data), theirs.data)
    assert np.shares_memory(ours.toscipy().data, theirs.data)


def test_rows_twice_stored_elements_and_none() -> None:
    ours = sparse.from_scipy(given("csr"))
    for part in (slice(2, 9), slice(0, 0), slice(None), slice(-3, None), slice(9, 2)):
        close(ours[part].todense(), DENSE[part])
    twice = sparse.COO(np.array([1.0, 2, 4]), np.array([0, 0, 1]), np.array([1, 1, 0]), (2, 2))
    for made in (twice, twice.tocsr(), twice.tocsc()):
        close(made.todense(), np.array([[0.0, 3], [4, 0]]))
        close(made @ np.ones(2), np.array([3.0, 4]))
    nothing = sparse.from_scipy(scipys.csr_array((3, 4)))
    close(nothing @ np.ones(4), np.zeros(3))
    close(nothing.todense(), np.zeros((3, 4)))


def test_places_that_are_no_number_of_64_bits_together() -> None:
    made = sparse.COO(np.array([1.0, 2.0]), np.array([0, 4]), np.array([1, 1]), (10, 2**62)).tocsr()
    np.testing.assert_array_equal(made.indptr, [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
    np.testing.assert_array_equal(made.indices, [1, 1])
    np.testing.assert_array_equal(made.data, [1.0, 2.0])


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [(0, 5, "column 5 is"), (0, -1, "column -1 is"), (3, 0, "row 3 is"), (2**63 - 1, 0, "row 9223"),
     (-1, 0, "row -1 is")],
)  # fmt: skip
def test_places_beyond_the_shape_are_refused(row: int, column: int, words: str) -> None:
    for other in (0, 1):
        made = sparse.COO(np.ones(2), np.array([other, row]), np.array([0, column]), (3, 1 + other))
        with pytest.raises(BoundsError, match=f"{words}.* out of bounds for a sparse matrix"):
            made.tocsr()


def test_dtypes() -> None:
    for dtype in ("f4", "i4", "i8", "c16"):
        dense = (drawn(9, 7).round() + (1j if dtype == "c16" else 0)).astype(dtype)
        ours = sparse.from_scipy(scipys.csr_array(dense))
        for x in (np.arange(7).astype(dtype), np.ones((7, 2), dtype)):
            close(ours @ x, dense @ x)
        assert (ours @ np.ones(7)).dtype == (dense @ np.ones(7)).dtype
    holes = sparse.CSR(np.array([np.nan, 2.0]), np.array([0, 1]), np.array([0, 1, 2]), (2, 2))
    close(holes @ np.ones(2), np.array([np.nan, 2.0]))


@pytest.mark.parametrize("lower", [True, False])
def test_triangular_solve(lower: bool) -> None:
    dense = drawn(9, 9) + 5 * np.eye(9)
    ours, b = sparse.from_scipy(scipys.csr_array(dense)), RNG.normal(size=9)
    triangle = scipys.csr_array(np.tril(dense) if lower else np.triu(dense))
    close(ours.solve_triangular(b, lower=lower), spsolve_triangular(triangle, b, lower=lower))
    jitted = jf.jit(lambda matrix, b: matrix.solve_triangular(b, lower=lower, unit_diagonal=True))
    unit = triangle.toarray() - np.diag(np.diag(dense)) + np.eye(9)
    close(jitted(ours, b), np.linalg.solve(unit, b))


MASK = np.arange(12) % 3 == 0
PARTS: tuple[Any, ...] = (
    slice(2, 9), slice(9, 2), slice(None, None, -2), [5, 0, 0, -1], [], MASK, 3, -1,
    (slice(None), slice(1, 6)), (slice(None), [7, 2, 2]), (MASK, slice(None, None, 3)), (2, [1, 5]), (4, 6),
    np.ix_([3, 1], [0, 7]),
)  # fmt: skip


@pytest.mark.parametrize("kind", FORMATS)
def test_parts(kind: str) -> None:
    ours = sparse.from_scipy(given(kind))
    for index in PARTS:
        found = ours[index]
        if isinstance(found, sparse.formats.Matrix):
            assert type(found) is (sparse.CSC if kind == "csc" else sparse.CSR)
            found = found.todense()
        close(found, DENSE[index])
    close(jf.jit(lambda matrix, x: matrix[2:9] @ x)(ours, VECTOR), DENSE[2:9] @ VECTOR)


@pytest.mark.parametrize("kind", FORMATS)
def test_matrices_that_a_jitted_function_reads_from_outside(kind: str) -> None:
    """Their arrays are inputs: what is changed in them, or put in their place, is seen."""
    held = {"matrix": sparse.from_scipy(given(kind).copy())}

    @jf.jit
    def products(x: Any, y: Any) -> tuple[Any, ...]:
        matrix = held["matrix"]
        return matrix @ x, y @ matrix, matrix.T @ y, matrix.sum(axis=1)

    def check(dense: np.ndarray) -> None:
        y = np.arange(float(len(dense)))
        wanted = dense @ VECTOR, y @ dense, dense.T @ y, dense.sum(axis=1)
        for found, expected in zip(products(VECTOR, y), wanted, strict=True):
            close(found, expected)

    check(DENSE)
    held["matrix"].data[:] *= 2
    check(2 * DENSE)
    held["matrix"].data = held["matrix"].data * 2
    check(4 * DENSE)
    held["matrix"] = sparse.from_scipy(given(kind, DENSE[:8]))
    check(DENSE[:8])


def test_a_jitted_function_that_changes_a_matrix_outside() -> None:
    matrix = sparse.from_scipy(given("csr").copy())

    @jf.jit
    def doubled(x: Any) -> Any:
        matrix.data = matrix.data * 2
        return matrix @ x

    for factor in (2, 4):
        close(doubled(VECTOR), factor * DENSE @ VECTOR)
        close(matrix.todense(), factor * DENSE)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """Slow: devices compile a dozen kernels."""
    name = require(device).device.name
    x = MANY.astype("f4")
    for kind in FORMATS:
        ours = sparse.from_scipy(given(kind, DENSE.astype("f4")))
        program = jf.jit(lambda matrix, x: (matrix @ x, matrix @ x[:, 0], matrix.sum(1)), device=name)
        for found, expected in zip(program(ours, x), (DENSE @ x, DENSE @ x[:, 0], DENSE.sum(1)), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_parts_on_devices(device: str) -> None:
    """Slow: devices compile some kernels for each kind of part."""
    name = require(device).device.name
    x, dense = VECTOR.astype("f4"), DENSE.astype("f4")
    for kind in FORMATS:
        ours = sparse.from_scipy(given(kind, dense))
        for rows in (slice(2, 9), [5, 0, 0, -1], MASK):
            program = jf.jit(
                lambda matrix, x, rows=rows: (matrix[rows] @ x, matrix.T[:, rows].sum(1)), device=name
            )
            for found, expected in zip(
                program(ours, x), (dense[rows] @ x, dense.T[:, rows].sum(1)), strict=True
            ):
                np.testing.assert_allclose(found, expected, atol=1e-4)


def test_what_does_not_fit_is_said() -> None:
    ours = sparse.from_scipy(given("csr"))
    for call, kind, message in (
        (
            lambda: ours @ np.ones(7),
            ShapeError,
            "(12, 8) is multiplied by a vector or matrix of 8 rows, not (7,)",
        ),
        (lambda: ours @ ours, ShapeError, "the inner extents of a sparse product differ"),
        (lambda: ours + ours.T, ShapeError, "the sum of sparse matrices of one shape"),
        (lambda: ours[[1, 2], [3, 4]], ArgumentError, "the elements of a sparse matrix at pairs of places"),
        (lambda: ours[None], ArgumentError, "a sparse matrix has rows and columns: A[rows, columns]"),
        (lambda: ours[1.5], ArgumentError, "are slices, integers, lists of them or masks, not 1.5"),
        (lambda: ours[:, 8], BoundsError, "8 is out of bounds for an axis of 8"),
        (lambda: ours[np.ones(8, bool)], BoundsError, "a mask of 8 bools for an axis of 12"),
        (lambda: ours.sum(2), ArgumentError, "axis is 0, 1 or None"),
        (lambda: ours / np.ones((2, 1)), ShapeError, "stored elements of shape"),
        (lambda: ours * ours, ArgumentError, "write A * B.todense()"),
        (lambda: ours.solve_triangular(np.ones(8)), ShapeError, "a square matrix and a vector"),
        (lambda: sparse.from_scipy(DENSE), DTypeError, "a matrix of scipy.sparse is needed"),
        (lambda: sparse.from_torch(DENSE), DTypeError, "a sparse matrix of PyTorch is needed"),
        (lambda: sparse.sampled_product(ours, MANY, MANY), ShapeError, "sampled_product: x @ y is (12, 8)"),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert message in str(caught.value)


def test_starts_of_lines_that_are_none() -> None:
    values, columns = np.array([1.0, 2.0, 3.0]), np.array([0, 1, 2])
    for starts in ([0, 1, 2, 99], [0, 10**9, 2, 3], [-5, 1, 2, 3], [0, 3, 1, 3], [1, 1, 2, 3], [0, 1, 2]):
        for kind in (jf.sparse.CSR, jf.sparse.CSC):
            with pytest.raises(ArgumentError, match="indptr"):
                kind(values, columns, np.array(starts), (3, 3))
        with pytest.raises(ArgumentError, match="indptr"):
            jf.sparse.CSR(values, columns, jf.asarray(starts), (3, 3))[0]
    for number in (1.0, np.float32):
        with pytest.raises((ShapeError, DTypeError)):
            jf.sparse.CSR(number, columns, np.array([0, 1, 2, 3]), (3, 3))
    assert jf.sparse.CSR([1.0, 2.0, 3.0], columns, np.array([0, 1, 2, 3]), (3, 3)).dtype == float
    with pytest.raises(ArgumentError, match="indices of shape"):
        jf.sparse.CSR(values, columns[:2], np.array([0, 1, 2, 3]), (3, 3))
    jf.sparse.BSR(np.ones((1, 2, 2)), np.array([1]), np.array([0, 1]), (2, 4))


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8"])
def test_no_place_counts_from_the_end(dtype: str) -> None:
    columns = np.array([-1, 1], dtype)
    matrices = (
        jf.sparse.CSR(np.array([1.0, 2.0]), columns, np.array([0, 1, 2]), (2, 2)),
        jf.sparse.COO(np.array([1.0, 2.0]), np.array([0, 1]), columns, (2, 2)),
    )
    for matrix in matrices:
        for product in (lambda m: m @ np.ones(2), lambda m: m.todense(), lambda m: (m * np.eye(2)).data):
            with pytest.raises(BoundsError):
                product(matrix).numpy()  # type: ignore[no-untyped-call]
