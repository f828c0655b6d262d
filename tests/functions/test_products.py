"""Products of every kind against NumPy's: shapes, dtypes, strides, errors, and what they become in a plan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch, LibraryCall
from jitframe.errors import FallbackWarning, JitframeError
from tests.foundations.programs import plan_of
from tests.functions.compare import interpreted

DTYPES = ("bool", "int8", "uint8", "int32", "uint64", "float16", "float32", "float64")


def filled(shape: tuple[int, ...], dtype: str = "float64", seed: int = 0) -> np.ndarray:
    """Small whole numbers, so that sums are exact in every dtype."""
    return np.random.default_rng(seed + len(shape)).integers(0, 3, shape).astype(dtype)


def same(found: Any, wanted: Any) -> None:
    found = found.numpy() if isinstance(found, jf.Tensor) else found
    assert (np.asarray(found).dtype, np.shape(found)) == (np.asarray(wanted).dtype, np.shape(wanted))
    np.testing.assert_array_equal(found, wanted)


def compared(function: Any, *arrays: np.ndarray, lazy: bool = True) -> None:
    """Jitted, and of lazy tensors by NumPy's protocol."""
    wanted = function(*arrays)
    same(jf.jit(function)(*arrays), wanted)
    if lazy:
        with interpreted():
            same(function(*map(jf.asarray, arrays)), wanted)


EINSUMS = [
    ("ij,jk->ik", (3, 4), (4, 5)), ("ij,jk->ki", (3, 4), (4, 5)), ("ij,jk", (3, 4), (4, 5)),
    ("ji,jk", (4, 3), (4, 5)), ("ij,kj->ik", (3, 4), (5, 4)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 5, 4), (2, 3, 6, 4)), ("bqhd,bkhd->bhqk", (2, 5, 3, 4), (2, 6, 3, 4)),
    ("bhqk,bkhd->bqhd", (2, 3, 5, 6), (2, 6, 3, 4)), ("i,i->", (7,), (7,)), ("i,i", (7,), (7,)),
    ("i,j->ij", (3,), (4,)), ("i,j->ji", (3,), (4,)), ("i,j->", (3,), (4,)), ("ij,ij->i", (3, 4), (3, 4)),
    ("ij,ij->", (3, 4), (3, 4)), ("ij,ji->", (3, 4), (4, 3)), ("ij,j->i", (3, 4), (4,)),
    ("ij,j->", (3, 4), (4,)), ("ij,k->", (3, 4), (5,)), ("ij,i->j", (3, 4), (3,)), ("ii", (4, 4)),
    ("ii->i", (4, 4)), ("iji->j", (4, 3, 4)), ("iii->i", (3, 3, 3)), ("ijij->ij", (3, 4, 3, 4)),
    ("ij->ji", (3, 4)), ("ij->", (3, 4)), ("ij->j", (3, 4)), ("ba", (3, 4)), ("...ij->...ji", (2, 3, 4)),
    ("...", (2, 3)), ("i...->...i", (2, 3, 4)), ("...i,...i->...", (2, 3, 4), (3, 4)),
    ("...ij,...jk->...ik", (2, 1, 3, 4), (5, 4, 6)), ("i...,i...", (3, 4), (3, 5, 4)),
    ("ij...,jk...->ik...", (3, 4, 2), (4, 5, 2)), ("ijk,kl->ijl", (2, 3, 4), (4, 5)),
    ("ijk,jkl->il", (2, 3, 4), (3, 4, 5)), ("ijk,kjl->il", (2, 3, 4), (4, 3, 5)),
    ("abcd,cdef->abef", (2, 3, 4, 2), (4, 2, 3, 2)), ("abcd,dcef->bafe", (2, 3, 4, 2), (2, 4, 3, 2)),
    ("ij,jk,kl->il", (3, 4), (4, 5), (5, 2)), ("i,i,i->", (5,), (5,), (5,)),
    ("i,j,k->kji", (2,), (3,), (4,)), ("ij,jk,ki->", (3, 4), (4, 5), (5, 3)),
    ("ii,ij->j", (3, 3), (3, 4)), ("ij,jk->ik", (3, 1), (4, 5)), ("ij,ij->ij", (3, 1), (1, 4)),
    ("ij,jk->ik", (0, 4), (4, 5)), ("ij,jk->ik", (3, 0), (0, 5)), ("ij,jk->ik", (1, 1), (1, 1)),
    (" i j , j k -> i k ", (3, 4), (4, 5)), (",ij->ij", (), (3, 4)), ("ij,->ij", (3, 4), ()), ("->", ()),
    ("bij,bj->bi", (2, 3, 4), (2, 4)), ("bj,bjk->bk", (2, 4), (2, 4, 5)), ("jb,jbk->kb", (4, 2), (4, 2, 5)),
]  # fmt: skip


@pytest.mark.parametrize("case", EINSUMS, ids=lambda case: f"{case[0]} {len(case[1:])}")
def test_einsum(case: tuple[Any, ...]) -> None:
    subscripts, *shapes = case
    arrays = [filled(shape, "float64", seed) for seed, shape in enumerate(shapes)]
    compared(lambda *given: np.einsum(subscripts, *given), *arrays)
    turned = [np.asfortranarray(each)[::-1] if each.ndim else each for each in arrays]
    if 0 not in np.shape(arrays[0]) and arrays[1:]:
        same(jf.jit(lambda *given: np.einsum(subscripts, *given))(*turned), np.einsum(subscripts, *turned))


def test_products_in_a_given_dtype() -> None:
    x, y = filled((3, 4), "float32"), filled((4, 3), "int32", 1)
    compared(lambda x, y: np.matmul(x, y, dtype=np.float64), x, y)
    compared(lambda x, y: np.matmul(x, y, dtype=np.int64, casting="unsafe"), x, y)
    compared(lambda x, y: np.vecdot(x, y.T, dtype=np.float64), x, y)
    compared(lambda x, y: np.matvec(x, y[:, 0], dtype="float64"), x, y)
    compared(lambda x, y: np.vecmat(x[0], y, dtype="float64"), x, y)
    with pytest.raises(
        TypeError, match="Cannot cast ufunc 'matmul' input 0 from dtype..float32.. to dtype..int32"
    ):
        np.matmul(jf.asarray(x), y, dtype=np.int32)


@pytest.mark.parametrize("dtype", DTYPES)
def test_einsum_keeps_the_dtype(dtype: str) -> None:
    x, y = filled((3, 4), dtype), filled((4, 5), dtype, 1)
    for subscripts, given in (
        ("ij,jk->ik", (x, y)),
        ("ij->i", (x,)),
        ("ij,jk->", (x, y)),
        ("ij,ij->i", (x, x)),
    ):
        compared(lambda *each, s=subscripts: np.einsum(s, *each), *given)


def test_other_forms_of_einsum() -> None:
    x, y, z = filled((3, 4)), filled((4, 5), seed=1), filled((5, 2), seed=2)
    compared(lambda x, y: np.einsum(x, [0, 1], y, [1, 2], [2, 0]), x, y)
    compared(lambda x, y: np.einsum(x, [30, 1], y, [1, 2]), x, y)
    compared(lambda x, y: np.einsum(x, [..., 1], y, [1, ...]), x, y[:, :3])
    compared(lambda x, y: np.einsum("ij,jk->ik", x, y, dtype="float32", casting="same_kind"), x, y)
    for optimize in (True, "greedy", "optimal", ["einsum_path", (1, 2), (0, 1)], ["einsum_path", (0, 1, 2)]):
        compared(lambda x, y, z, how=optimize: np.einsum("ij,jk,kl->il", x, y, z, optimize=how), x, y, z)
    out = np.zeros((3, 5))

    def into(x: Any, y: Any, out: Any) -> Any:
        np.einsum("ij,jk->ik", x, y, out=out)

    jf.jit(into)(x, y, out)
    np.testing.assert_array_equal(out, x @ y)


def test_a_diagonal_that_is_written_to_is_pythons() -> None:
    def write(x: Any) -> Any:
        np.einsum("ii->i", x)[:] = 1
        return x

    with pytest.warns(FallbackWarning, match="read-only"):
        np.testing.assert_array_equal(jf.jit(write)(np.zeros((3, 3))), np.eye(3))


WRONG = [
    ("ij,jk->ik", (3, 4), (5, 6)), ("ij->ik", (3, 4)), ("ij->ii", (3, 4)), ("ijk->i", (3, 4)),
    ("i->i", (3, 4)), ("ij,jk", (3, 4)), ("i1->i", (3, 4)), ("ii->i", (3, 4)), ("i...->i", (3, 4)),
    ("ij-ji", (3, 4)), ("...i...->i", (3, 4)), ("ij->j->i", (3, 4)),
]  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[0])
def test_wrong_subscripts(case: tuple[Any, ...]) -> None:
    subscripts, *shapes = case
    arrays = [filled(shape) for shape in shapes]
    with pytest.raises(ValueError):
        np.einsum(subscripts, *arrays)
    with pytest.raises(ValueError) as caught:
        jf.einsum(subscripts, *map(jf.asarray, arrays))
    assert isinstance(caught.value, JitframeError)
    assert "einsum" in str(caught.value)


PAIRS = [
    (np.dot, (3, 4), (4, 5)), (np.dot, (2, 3, 4), (4, 5)), (np.dot, (2, 3, 4), (5, 4, 6)),
    (np.dot, (4,), (5, 4, 6)),
    (np.dot, (2, 3, 4), (4,)), (np.dot, (4,), (4,)), (np.dot, (), (3,)), (np.dot, (2, 0), (0, 3)),
    (np.inner, (3, 4), (5, 4)), (np.inner, (2, 3, 4), (5, 4)), (np.inner, (4,), (4,)), (np.inner, (3,), ()),
    (np.vdot, (3, 4), (4, 3)), (np.vdot, (3, 4), (3, 4)), (np.vdot, (), ()), (np.vecdot, (3, 4), (4,)),
    (np.vecdot, (2, 1, 4), (3, 4)), (np.kron, (2, 3), (4, 5)), (np.kron, (2,), (3, 2)),
    (np.kron, (2, 2, 2), (3,)),
    (np.kron, (), (3,)), (np.outer, (2, 3), (4,)), (np.tensordot, (3, 4, 5), (4, 5, 2)),
    (lambda x, y: np.tensordot(x, y, axes=0), (2, 3), (4,)),
    (lambda x, y: np.tensordot(x, y, axes=1), (2, 3), (3, 4)),
    (lambda x, y: np.tensordot(x, y, axes=([0, 2], [1, 0])), (3, 4, 5), (5, 3, 2)),
    (lambda x, y: np.tensordot(x, y, axes=(-1, 0)), (2, 3), (3, 4)),
    (lambda x, y: np.tensordot(x, y, axes=([1, 0], [0, 1])), (3, 4), (4, 3)),
    (lambda x, y: np.linalg.matmul(x, y), (2, 3, 4), (2, 4, 3)),
    (lambda x, y: np.linalg.tensordot(x, y, axes=1), (2, 3), (3, 4)),
    (lambda x, y: np.linalg.outer(x, y), (3,), (4,)),
    (lambda x, y: np.linalg.vecdot(x, y, axis=0), (3, 2), (3, 2)),
    (lambda x, y: np.linalg.matrix_transpose(x) @ y, (2, 3, 4), (2, 3, 5)),
    (lambda x, y: np.linalg.multi_dot([x, y, x]), (3, 4), (4, 3)),
    (lambda x, y: np.linalg.multi_dot([x, y, y.T, x.T, x[:, 0]]), (3, 4), (4, 6)),
    (lambda x, y: np.linalg.multi_dot([x[0], y]), (3, 4), (4, 6)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_products(number: int) -> None:
    function, first, second = PAIRS[number]
    compared(function, filled(first, "float64"), filled(second, "float64", 1))
    compared(function, filled(first, "int32"), filled(second, "float32", 1), lazy=False)


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="NumPy has them from 2.2 on")
def test_matrices_with_vectors() -> None:
    compared(lambda x, y: np.matvec(x, y), filled((2, 3, 4)), filled((4,)))
    compared(lambda x, y: np.matvec(x, y), filled((3, 4)), filled((5, 4)))
    compared(lambda x, y: np.vecmat(x, y), filled((2, 3)), filled((5, 1, 3, 4)))


def by_columns(jitted: Any, *arguments: Any) -> list[bool]:
    """Of the kernels that sum, whether each has a strip of sums for neighbouring results."""
    sums = [kernel for kernel in jitted.explain(*arguments).kernels if kernel.name.startswith("sum")]
    return ["allocate private" in kernel.source("kernel") for kernel in sums]


def test_one_row_is_multiplied_as_a_vector_is() -> None:
    """Along the matrix in memory, whichever way it lies."""
    product = jf.jit(lambda x, y: x @ y)
    matrix, row = filled((40, 300), "float32"), filled((1, 40), "float32", 1)
    transposed = np.ascontiguousarray(matrix.T)
    for x, y, wanted in (
        (row, matrix, True), (row[0], matrix, True), (row, transposed.T, False),
        (row[0], transposed.T, False),
        (matrix.T, row[0], True), (transposed, row.T, False),
    ):  # fmt: skip
        assert by_columns(product, x, y) == [wanted], (x.shape, y.shape, x.strides, y.strides)
        np.testing.assert_allclose(product(x, y), x @ y, rtol=1e-5)


VIEWS: dict[str, Any] = {
    "as it is": lambda x: x,
    "rows backwards": lambda x: x[..., ::-1, :],
    "columns backwards": lambda x: x[..., ::-1],
    "every second row backwards": lambda x: x[..., ::-2, :],
    "every second column": lambda x: x[..., ::2],
    "transposed, rows backwards": lambda x: x.swapaxes(-1, -2)[..., ::-1, :],
    "transposed, columns backwards": lambda x: x.swapaxes(-1, -2)[..., ::-1],
    "turned": lambda x: np.rot90(x, 1, (-2, -1)),
    "stack backwards": lambda x: x[::-1],
    "without the first": lambda x: x[..., 3:, 2:],
}


@pytest.mark.parametrize("second", VIEWS)
@pytest.mark.parametrize("first", VIEWS)
def test_views_made_before_a_product_are_read_where_they_lie(first: str, second: str) -> None:
    """A library has no strides below zero, or below the length of a line: what has them is copied."""

    def product(x: np.ndarray, y: np.ndarray) -> Any:
        left, right = VIEWS[first](x), VIEWS[second](y).swapaxes(-1, -2)
        inner = min(left.shape[-1], right.shape[-2])
        return left[..., :inner] @ right[..., :inner, :]

    for shape in ((4, 33), (3, 20, 20)):
        compared(product, filled(shape), filled(shape, seed=1), lazy=False)


def test_what_is_read_once_for_a_row_does_not_say_which_loop_is_the_inner_one() -> None:
    """As in a step of a recurrent layer for one sequence, to whose products those of the input are added."""
    rows = filled((1, 300), "float32", 2), filled((1, 300), "float32", 3)
    added = jf.jit(lambda x, y, a, b: x @ y.T + a * b)
    x, y = filled((1, 40), "float32"), filled((300, 40), "float32", 1)
    assert by_columns(added, x, y, *rows) == [False]
    np.testing.assert_allclose(added(x, y, *rows), x @ y.T + rows[0] * rows[1], rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "function", [np.matmul, np.dot, np.inner, np.vdot, np.outer, np.kron], ids=lambda f: f.__name__
)
def test_products_of_dtypes(function: Any, dtype: str) -> None:
    x = filled((4, 4), dtype)
    compared(lambda x, y: function(x, y), x, x.T, lazy=False)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_matrix_times_its_transpose_has_numpys_bits(dtype: str) -> None:
    """Half of it is computed, and mirrored."""
    rng = np.random.default_rng(5)
    whole = rng.standard_normal((120, 90)).astype(dtype)

    def products(x):
        return x @ x.T, x.T @ x

    jitted = jf.jit(products)
    for x in (whole, whole[10:70, 5:55], np.asfortranarray(whole), whole[:, :1], whole[:17], whole[:0]):
        for found, wanted in zip(jitted(x), products(x), strict=True):
            np.testing.assert_array_equal(found, found.T)
            np.testing.assert_allclose(found, wanted, rtol=1e-4 if dtype == "f4" else 1e-12, atol=1e-4)
    found, wanted = jf.jit(lambda x: x @ x.T)(whole), whole @ whole.T
    np.testing.assert_array_equal(found, wanted)
    different = jf.jit(lambda x: x[:80] @ x[40:].T)(whole)  # of the same array, and no square of it
    np.testing.assert_allclose(different, whole[:80] @ whole[40:].T, rtol=1e-4, atol=1e-4)


def test_integers_wrap_in_their_own_width() -> None:
    x = np.full((3, 70), 100, np.int8)
    compared(lambda x: x @ x.T, x, lazy=False)
    compared(lambda x: np.inner(x, x), x, lazy=False)
    compared(lambda x: np.einsum("ij,kj->ik", x, x), x, lazy=False)


def test_sixteen_bits_round_once() -> None:
    """Sums of products in float32, one rounding at the end: 4096 additions of 1 to 2048 get past it."""
    x = np.ones((2, 4096), np.float16)
    for function in (lambda x: x @ x.T, lambda x: x @ x[0], lambda x: np.einsum("ij,ij->i", x, x)):
        assert (jf.jit(function)(x) == 4096).all()


MISFITS = [
    (lambda x: x @ x, (2, 3)), (lambda x: np.dot(x, x), (2, 3)), (lambda x: np.inner(x, x[:, :2]), (2, 3)),
    (lambda x: np.vdot(x, x[0]), (2, 3)), (lambda x: np.tensordot(x, x, 1), (2, 3)),
    (lambda x: np.tensordot(x, x, ([0], [1])), (2, 3)), (lambda x: np.linalg.outer(x, x), (2, 3)),
    (lambda x: np.linalg.multi_dot([x]), (2, 3)), (lambda x: np.linalg.multi_dot([x, x[None], x]), (2, 3)),
    (lambda x: np.tensordot(x, x, ([0, 1], [0])), (2, 3)), (lambda x: x[0, 0] @ x, (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MISFITS)))
def test_shapes_that_do_not_fit(number: int) -> None:
    function, shape = MISFITS[number]
    x = filled(shape)
    with pytest.raises((ValueError, np.linalg.LinAlgError)):
        function(x)
    with pytest.raises(ValueError) as caught:
        jf.jit(function)(x)
    assert isinstance(caught.value, JitframeError)


def kinds(function: Any, *arrays: np.ndarray) -> list[str]:
    """The steps that work: "gemm", or the name of a kernel."""
    jitted = jf.jit(function)
    np.testing.assert_allclose(jitted(*arrays), function(*arrays), rtol=1e-12)
    plan = plan_of(jitted, *arrays)
    return [
        "gemm" if isinstance(step, LibraryCall) else "kernel"
        for step in plan.steps
        if isinstance(step, (LibraryCall, Launch))
    ]


STEPS = [
    ("ij,jk->ik", "gemm", (9, 20), (20, 7)), ("ij,jk->ki", "gemm", (9, 20), (20, 7)),
    ("ji,kj->ki", "gemm", (20, 9), (7, 20)), ("ij,jk->ki", "kernel", (9, 8), (8, 7)),
    ("bij,bjk->bik", "gemm", (3, 50, 40), (3, 40, 60)),
    ("bqhd,bkhd->bhqk", "gemm", (2, 50, 3, 40), (2, 60, 3, 40)),
    ("ijk,kl->ijl", "gemm", (5, 6, 7), (7, 8)), ("ijk,jkl->il", "gemm", (5, 6, 7), (6, 7, 8)),
    ("abcd,cdef->abef", "gemm", (2, 3, 4, 5), (4, 5, 6, 7)), ("i,i->", "kernel", (90,), (90,)),
    ("ij,ij->i", "kernel", (9, 8), (9, 8)), ("ij,j->i", "kernel", (9, 8), (8,)),
    ("iij->j", "kernel", (9, 9, 5)), ("i,j->ij", "kernel", (9,), (8,)),
    ("i,i,i->", "kernel", (9,), (9,), (9,)),
]  # fmt: skip


@pytest.mark.parametrize("case", STEPS, ids=lambda case: case[0])
def test_einsum_is_one_step(case: tuple[Any, ...]) -> None:
    """No copy of an operand, no pass over the result."""
    subscripts, step, *shapes = case
    arrays = [np.random.default_rng(len(shape)).random(shape) for shape in shapes]
    assert kinds(lambda *given: np.einsum(subscripts, *given), *arrays) == [step]


def test_what_surrounds_a_product_with_a_vector_fuses() -> None:
    x, v, b = filled((40, 30)), filled((30,)), filled((40,))
    assert kinds(lambda x, v, b: np.maximum((x * 2) @ (v + 1) + b, 0), x, v, b) == ["kernel"]


@pytest.mark.parametrize(
    ("labels", "shapes", "copied"),
    [
        ("jib,jk->bik", ((40, 50, 6), (40, 30)), 6 * 50 * 30),  # the result, and not the larger operand
        # The operand, and not the larger result; that is read where it lies.
        ("bij,jk->ibk", ((6, 40, 5), (5, 30)), 0),
        ("ijk,kjl->il", ((4, 5, 6), (6, 5, 7)), 0),
    ],
)
def test_the_fewest_elements_are_copied_for_a_product(
    labels: str, shapes: tuple[tuple[int, ...], ...], copied: int
) -> None:
    arrays = [filled(shape) for shape in shapes]
    function = jf.jit(lambda *operands: np.einsum(labels, *operands))
    same(function(*arrays), np.einsum(labels, *arrays))
    moved = function.explain(*arrays).bytes_moved
    needed = 8 * sum(math.prod(shape) for shape in (*shapes, np.einsum(labels, *arrays).shape))
    assert moved - needed == 16 * copied, "each element that is copied is read and written"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_matrix_times_its_transpose_is_symmetric(dtype: str) -> None:
    """Its lower triangle mirrors the upper one in tiles of 16."""
    product = jf.jit(lambda x: x @ x.T)
    for rows in (1, 15, 16, 17, 33, 70):
        x = np.random.default_rng(rows).random((rows, 20)).astype(dtype)
        for each in (x, np.asfortranarray(x)):
            found = product(each)
            np.testing.assert_array_equal(found, found.T)
            np.testing.assert_allclose(found, each @ each.T, rtol=1e-5)


def test_a_number_that_goes_to_an_output_is_given_back_by_itself() -> None:
    product = jf.jit(lambda x, y, out: np.dot(x, y, out))
    for pair in ((np.array(2.0), np.array(3.0)), (np.ones(2), np.ones(2))):
        given, expected = np.array(0.0), np.array(0.0)
        found, theirs = product(*pair, given), np.dot(*pair, expected)
        assert type(found) is type(theirs) and found == theirs and given == expected
