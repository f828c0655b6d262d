"""Linear algebra is NumPy's: lazily, inside jitted functions, by LAPACK, unrolled, and through Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import jitframe as jf
from jitframe.compilation.evaluate import forget
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.cpu.libraries.blas import Blas
from tests.functions.compare import interpreted, tensors

SQUARE: dict[str, Callable[[Any], Any]] = {
    "solve": lambda a: np.linalg.solve(a, a[..., :2] + 1),
    "solve for vectors": lambda a: np.linalg.solve(a, np.arange(a.shape[-1]) * 0.5),
    "inv": lambda a: np.linalg.inv(a),
    "det": lambda a: np.linalg.det(a),
    "slogdet": lambda a: np.linalg.slogdet(a),
}
SYMMETRIC: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda a: np.linalg.cholesky(a @ np.swapaxes(a, -1, -2)),
    "upper": lambda a: np.linalg.cholesky(a @ np.swapaxes(a, -1, -2), upper=True),
    "eigh": lambda a: np.linalg.eigh(a + np.swapaxes(a, -1, -2)),
    "of a triangle": lambda a: np.linalg.eigh(a, "u"),
    "eigvalsh": lambda a: (np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, UPLO="U")),
    "eig": lambda a: np.linalg.eig(np.tril(a)),
    "eigvals": lambda a: np.linalg.eigvals(np.triu(a)),
    "svd": lambda a: np.linalg.svd(a + np.swapaxes(a, -1, -2), compute_uv=False, hermitian=True),
    "inverse power": lambda a: np.linalg.matrix_power(a, -2),
    "condition": lambda a: [np.linalg.cond(a, p) for p in (1, -1, np.inf, "fro")],
}
RECTANGULAR: dict[str, Callable[[Any], Any]] = {
    "qr": lambda a: [np.linalg.qr(a, mode) for mode in ("reduced", "complete", "r", "raw")],
    "svd": lambda a: np.linalg.svd(a),
    "reduced": lambda a: np.linalg.svd(a, full_matrices=False),
    "values": lambda a: (np.linalg.svdvals(a), np.linalg.svd(a, compute_uv=False)),
    "pinv": lambda a: (np.linalg.pinv(a), np.linalg.pinv(a, 0.3), np.linalg.pinv(a, rtol=None)),
    "rank": lambda a: (
        np.linalg.matrix_rank(a),
        np.linalg.matrix_rank(a, 1.5),
        np.linalg.matrix_rank(a, rtol=0.3),
    ),
    "norms": lambda a: [np.linalg.norm(a, ord, (-2, -1), keepdims=ord == 2) for ord in (2, "nuc")],
    "turned": lambda a: np.linalg.norm(a, 2, (0, -1)),
}
ONE_MATRIX: dict[str, Callable[[Any], Any]] = {
    "lstsq": lambda a: np.linalg.lstsq(a, a[:, 0] + 1),
    "several": lambda a: np.linalg.lstsq(a, a * 2 + 1, rcond=0.2),
}
SHAPES = [
    (0, 0),
    (1, 1),
    (2, 2),
    (3, 3),
    (4, 4),
    (5, 5),
    (12, 12),
    (3, 2, 4, 4),
    (7, 6, 6),
    (0, 3, 3),
    (0, 6, 6),
]


def matrices(*shape: int, dtype: str = "float64", seed: int = 0) -> np.ndarray:
    """Random matrices, the square ones well-conditioned."""
    made = np.random.default_rng(seed).standard_normal(shape)
    if shape[-1] == shape[-2]:
        made += 2 * np.eye(shape[-1]) * np.sqrt(shape[-1])
    return made.astype(dtype)


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, (list, tuple)) else [value]


def assert_close(found: Any, wanted: Any, tolerance: float = 1e-9) -> None:
    assert len(leaves(found)) == len(leaves(wanted))
    for ours, theirs in zip(map(np.asarray, leaves(found)), map(np.asarray, leaves(wanted)), strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        limit = tolerance if theirs.dtype == np.float64 else max(tolerance, 2e-4)
        np.testing.assert_allclose(ours, theirs, rtol=limit, atol=limit)


def check(function: Callable[..., Any], *arrays: Any, tolerance: float = 1e-9) -> Any:
    """A function lazily and jitted, cold and warm, against NumPy; returns the jitted one."""
    wanted = function(*arrays)
    with interpreted():
        assert_close(function(*map(tensors, arrays)), wanted, tolerance)
    jitted = jf.jit(function)
    for _ in range(3):
        assert_close(jitted(*arrays), wanted, tolerance)
    return jitted


def every(functions: dict[str, Callable[..., Any]]) -> Callable[..., list[Any]]:
    """All functions at once: one compilation."""

    def program(*arrays: Any) -> list[Any]:
        return [function(*arrays) for function in functions.values()]

    return program


@pytest.fixture(params=["LAPACK", "NumPy"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """By NumPy's LAPACK, and by NumPy's functions called back from the plan."""
    if request.param == "NumPy":
        native = runtime()
        monkeypatch.setattr(native, "_blas", Blas(native._failure_flag, use_library=False))
    elif runtime().blas.routine("dgesv") is None:
        pytest.skip("no LAPACK was found beside NumPy")
    forget()  # what was bound calls the other one
    yield request.param
    forget()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_square_matrices(shape: tuple[int, ...], dtype: str) -> None:
    check(every(SQUARE), matrices(*shape, dtype=dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (7, 7), (3, 4, 4), (2, 3, 9, 9)], ids=str)
def test_decompositions_of_square_matrices(shape: tuple[int, ...], dtype: str) -> None:
    check(every(SYMMETRIC), matrices(*shape, dtype=dtype))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "shape", [(3, 3), (9, 4), (2, 5), (3, 8, 7), (2, 1, 3, 6), (1, 1), (0, 5, 2)], ids=str
)
def test_decompositions_of_any_matrices(shape: tuple[int, ...], dtype: str) -> None:
    functions = RECTANGULAR | (ONE_MATRIX if len(shape) == 2 else {})
    check(every(functions), matrices(*shape, dtype=dtype))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 0, 4)], ids=str)
def test_matrices_without_elements(shape: tuple[int, ...]) -> None:
    functions = {name: RECTANGULAR[name] for name in ("qr", "svd", "reduced", "values", "pinv", "norms")}
    check(every(functions), np.zeros(shape))
    if shape[-1] and len(shape) == 2:
        check(lambda a: np.linalg.lstsq(a, np.ones(a.shape[0])), np.zeros(shape))


def test_least_squares_of_any_rank_and_right_hand_sides() -> None:
    a = matrices(9, 4)
    check(lambda a, b: np.linalg.lstsq(a, b), a, matrices(9, 5, seed=1))
    check(lambda a, b: np.linalg.lstsq(a, b), a, matrices(9, 0, seed=1))
    check(lambda a, b: np.linalg.lstsq(a, b), a.T.copy(), matrices(4, 2, seed=1))
    a[:, 3] = a[:, 0] + a[:, 1]
    for function in (lambda a: np.linalg.lstsq(a, a[:, 0] + 1), lambda a: np.linalg.lstsq(a, a + 1)):
        (x, residuals, rank, s), wanted = jf.jit(function)(a), function(a)
        assert_close((x, s), (wanted[0], wanted[3]))
        assert rank == wanted[2] == 3
        assert np.isnan(residuals).all()  # whose number NumPy makes 0


@pytest.mark.parametrize("shape", [(3, 3), (9, 9), (2, 3, 3)], ids=str)
def test_a_matrix_that_is_not_positive_definite_is_an_error(shape: tuple[int, ...], library: str) -> None:
    good, bad = (
        np.broadcast_to(np.eye(shape[-1]), shape).copy(),
        np.broadcast_to(np.eye(shape[-1]), shape).copy(),
    )
    bad[..., 2, 2] = -1
    jitted = jf.jit(lambda a: np.linalg.cholesky(a)[..., 1, 0])
    for _ in range(2):
        assert (jitted(good) == 0).all()
        with pytest.raises(np.linalg.LinAlgError, match="Matrix is not positive definite"):
            jitted(bad)
    assert np.isnan(np.asarray(np.linalg.cholesky(jf.asarray(good * np.nan)))[..., 2, 0]).all()


def test_singular_values_that_do_not_converge_are_an_error() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.svd(np.full((9, 9), np.nan))
    with pytest.raises(np.linalg.LinAlgError, match="SVD did not converge"):
        np.asarray(np.linalg.svdvals(jf.asarray(np.full((9, 9), np.nan))))


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (12, 12), (4, 3, 3)], ids=str)
def test_exponentials_of_matrices(shape: tuple[int, ...]) -> None:
    """Of any length: halved never, and often."""
    jitted = jf.jit(lambda a: jf.linalg.expm(a))
    for factor in (0.0, 1e-3, 1.0, 40.0):
        a = np.random.default_rng(1).standard_normal(shape) * factor
        a -= np.swapaxes(a, -1, -2)  # whose exponentials are rotations
        wanted = scipy.linalg.expm(a)
        np.testing.assert_allclose(jitted(a), wanted, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(jf.linalg.expm(a).numpy(), wanted, rtol=1e-10, atol=1e-10)
    mixed = np.stack([np.eye(3) * power for power in (0.1, 8.0, -30.0)])
    np.testing.assert_allclose(jf.linalg.expm(mixed).numpy(), scipy.linalg.expm(mixed), rtol=1e-11)
    assert jf.linalg.expm(np.zeros((2, 0, 0))).shape == (2, 0, 0)
    assert np.isnan(jf.linalg.expm(np.full((2, 2), np.nan)).numpy()).all()


def test_tensors_as_matrices() -> None:
    a = matrices(12, 12).reshape(3, 4, 2, 6)
    check(lambda a, b: np.linalg.tensorsolve(a, b), a, matrices(3, 4))
    check(lambda a: np.linalg.tensorinv(a), a)
    check(lambda a: np.linalg.tensorinv(a, ind=1), a.reshape(12, 3, 4))
    check(lambda a, b: np.linalg.tensorsolve(a, b, axes=(0, 2)), a.transpose(2, 0, 3, 1), matrices(3, 4))


def test_matrices_that_lapack_works_on_block_by_block() -> None:
    for shape in ((200, 200), (300, 40), (40, 300)):
        check(lambda a: [np.linalg.svd(a), np.linalg.qr(a)], matrices(*shape))


def test_integers_are_promoted(library: str) -> None:
    integers = np.array([[2, 1, 0], [0, 3, 1], [1, 0, 1]])
    for dtype in ("int64", "int32", "uint8", "bool"):
        check(every(SQUARE), integers.astype(dtype) if dtype != "bool" else np.eye(3, dtype=bool))
    check(lambda a, b: np.linalg.solve(a, b), integers, matrices(3, 3, dtype="float32"))
    check(every(SQUARE), np.kron(np.eye(3, dtype=int), integers))


def test_each_function_by_the_library_and_through_python(library: str) -> None:
    for shape in ((6, 6), (3, 6, 6)):
        check(every(SQUARE | SYMMETRIC | RECTANGULAR), matrices(*shape))
    check(every(SQUARE), matrices(0, 0))
    check(every(ONE_MATRIX), matrices(7, 4))


def test_results_of_lapack_are_numpys_to_the_last_bit() -> None:
    a, b = matrices(30, 30), matrices(30, 4, seed=1)
    for function in (np.linalg.solve, lambda a, b: np.linalg.inv(a)):
        jitted = jf.jit(lambda a, b, function=function: function(a, b))
        np.testing.assert_array_equal(jitted(a, b), function(a, b))


LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Fortran": lambda x: np.asfortranarray(x),
    "steps": lambda x: np.repeat(np.repeat(x, 2, -1), 3, -2)[..., ::3, ::2],
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1, ::-1])[..., ::-1, ::-1],
    "axes moved": lambda x: np.moveaxis(np.ascontiguousarray(np.moveaxis(x, -1, 0)), 0, -1),
    "repeated": lambda x: np.broadcast_to(x, (2, *x.shape)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_operands_of_any_layout(layout: str) -> None:
    for shape in ((4, 4), (2, 9, 9)):
        check(every(SQUARE), LAYOUTS[layout](matrices(*shape)))


def test_stacks_are_broadcast() -> None:
    for size in (3, 7):
        a, b = matrices(4, 1, size, size), matrices(5, size, 2, seed=1)
        check(lambda a, b: np.linalg.solve(a, b), a, b)
        check(lambda a, b: np.linalg.solve(a, b), a[0, 0], b)
        check(lambda a, b: np.linalg.solve(a, b), a, b[0, :, 0])
        check(lambda a, b: np.linalg.solve(a, b), a, b[:0])


def test_many_small_matrices_are_unrolled() -> None:
    """Ties, zeros on the diagonal and exchanges of rows in any order."""
    random = np.random.default_rng(3)
    for size in (2, 4, 6):
        a = random.integers(-2, 3, (3000, size, size)).astype(float)
        a = a[np.abs(np.linalg.det(a)) > 0.5][:1100]
        assert len(a) == 1100
        check(every(SQUARE), a, tolerance=1e-7)
        jitted = jf.jit(lambda a: np.linalg.solve(a, a[..., :1]))
        jitted(a)
        assert "LAPACK" not in jitted.explain(a).plan


@pytest.mark.parametrize("size", [1, 3, 4, 9])
def test_determinants_of_singular_and_of_huge_matrices(size: int) -> None:
    functions = {name: SQUARE[name] for name in ("det", "slogdet")}
    ones, some = np.ones((size, size)), matrices(size, size)
    check(every(functions), np.zeros((size, size)))
    if size > 1:
        check(every(functions), ones)
    with np.errstate(invalid="ignore"):
        check(SQUARE["det"], np.full((size, size), np.nan))
    for factor in (1e200, 1e-200):
        scaled = some.copy()
        scaled[0] *= factor
        scaled[-1] /= factor
        check(every(functions), scaled)


@pytest.mark.parametrize("size", [1, 4, 9])
@pytest.mark.parametrize("stack", [(), (3,), (1100,)], ids=str)
@pytest.mark.usefixtures("strict")  # Python's own error has no line of ours
def test_a_singular_matrix_is_an_error_where_values_are_needed(
    size: int, stack: tuple[int, ...], library: str
) -> None:
    if size == 9 and stack == (1100,):
        pytest.skip("as a stack of three")
    good, bad = matrices(*stack, size, size), matrices(*stack, size, size)
    bad[(1,) * len(stack)] = 0
    for function in (np.linalg.inv, lambda a: np.linalg.solve(a, np.ones(a.shape[-1]))):
        made = function(jf.asarray(bad))
        with pytest.raises(jf.errors.LinAlgError, match="Singular matrix\n  at .*test_linear_algebra.py:"):
            np.asarray(made)
        jitted = jf.jit(lambda a, function=function: np.sum(function(a)) + 1)
        for _ in range(3):
            jitted(good)
            with pytest.raises(
                np.linalg.LinAlgError, match="Singular matrix\n  at .*test_linear_algebra.py:"
            ):
                jitted(bad)


def test_nothing_is_run_on_what_a_failed_call_left() -> None:
    """A loop whose end the result decides."""

    program = jf.jit(
        lambda a: jf.while_loop(lambda x: np.abs(x).sum() != 0.5, lambda x: x * 0, np.linalg.inv(a))
    )
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        program(np.zeros((9, 9)))


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: jf.linalg.inv(np.ones(3)),
        jf.errors.LinAlgError,
        "1-dimensional array given. Array must be at least two",
    ),
    (
        lambda: jf.linalg.det(np.ones((3, 2))),
        jf.errors.LinAlgError,
        "Last 2 dimensions of the array must be square",
    ),
    (lambda: jf.linalg.solve(np.eye(3), np.ones(2)), jf.errors.ShapeError, "the matrices have 3 rows"),
    (
        lambda: jf.linalg.solve(np.eye(3), np.ones((3, 3, 2, 3))),
        jf.errors.ShapeError,
        "the matrices have 3 rows",
    ),
    (
        lambda: jf.linalg.solve(np.ones((2, 3, 3)), np.ones((4, 3, 1))),
        jf.errors.ShapeError,
        "could not be broadcast",
    ),
    (lambda: jf.linalg.solve(np.eye(3), 1.0), jf.errors.ShapeError, "the matrices have 3 rows"),
    (
        lambda: jf.linalg.inv(np.eye(3, dtype="float16")),
        jf.errors.DTypeError,
        "float16 is unsupported in linalg",
    ),
    (lambda: jf.linalg.lstsq(np.eye(3), np.ones(4)), jf.errors.LinAlgError, "Incompatible dimensions"),
    (lambda: jf.linalg.lstsq(np.ones((2, 3, 3)), np.ones(3)), jf.errors.LinAlgError, "3-dimensional array"),
    (lambda: jf.linalg.qr(np.ones((2, 2)), "all"), jf.errors.ArgumentError, "mode='all' is none of"),
    (lambda: jf.linalg.eigh(np.eye(2), "x"), jf.errors.ArgumentError, "UPLO argument must be 'L' or 'U'"),
    (lambda: jf.linalg.pinv(np.eye(2), 1e-3, rtol=1e-3), jf.errors.ArgumentError, "can't be both set"),
    (lambda: jf.linalg.matrix_rank(np.eye(2), 1, rtol=1), jf.errors.ArgumentError, "can't be both set"),
    (lambda: jf.linalg.cond(np.ones((0, 0))), jf.errors.LinAlgError, "cond is not defined on empty arrays"),
    (lambda: jf.linalg.tensorinv(np.eye(2), 0), jf.errors.ArgumentError, "Invalid ind argument"),
    (lambda: jf.linalg.tensorinv(np.ones((2, 3)), 1), jf.errors.LinAlgError, "must be square"),
    (lambda: jf.linalg.tensorsolve(np.eye(3), np.ones(2)), jf.errors.LinAlgError, "must satisfy the requ"),
    (lambda: jf.linalg.matrix_power(np.ones((2, 3)), 2), jf.errors.LinAlgError, "must be square"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_what_does_not_fit_is_an_error_at_the_call(
    call: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_results_have_numpys_names() -> None:
    for name in ("slogdet", "qr", "eig", "eigh", "svd"):
        ours, theirs = (getattr(module, name)(np.eye(2)) for module in (jf.linalg, np.linalg))
        assert ours._fields == theirs._fields and type(ours).__name__ == type(theirs).__name__
    assert jf.jit(lambda a: np.linalg.slogdet(a).logabsdet)(np.eye(7) * 2) == pytest.approx(7 * np.log(2))


def test_a_call_fuses_with_what_stands_around_it() -> None:
    @jf.jit
    def program(a: Any, b: Any) -> Any:
        return np.exp(-np.linalg.solve(a * 2 + 1, b - 1)) + 1

    a, b = matrices(20, 20), matrices(20, 3, seed=1)
    np.testing.assert_allclose(program(a, b), np.exp(-np.linalg.solve(a * 2 + 1, b - 1)) + 1)
    assert len(program.explain(a, b).kernels) == 3


def test_inside_loops_and_conditions() -> None:
    a = matrices(9, 9)

    def program(a: Any, steps: Any) -> Any:
        return jf.fori_loop(0, steps, lambda i, x: np.linalg.solve(a, x) + 0.5, np.ones((9, 2)))

    wanted = np.ones((9, 2))
    for _ in range(4):
        wanted = np.linalg.solve(a, wanted) + 0.5
    jitted = jf.jit(program)
    for _ in range(3):
        np.testing.assert_allclose(jitted(a, 4), wanted)
    with pytest.raises(np.linalg.LinAlgError):
        jitted(a * 0, 4)
