"""Linear algebra is NumPy's: lazily, inside jitted functions, by LAPACK, unrolled, and through Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.compilation.evaluate import forget
from jitframe.runtime.cpu.blas import Blas
from jitframe.runtime.cpu.runtime import runtime
from tests.functions.compare import tensors

SQUARE: dict[str, Callable[[Any], Any]] = {
    "solve": lambda a: np.linalg.solve(a, a[..., :2] + 1),
    "solve for vectors": lambda a: np.linalg.solve(a, np.arange(a.shape[-1]) * 0.5),
    "inv": lambda a: np.linalg.inv(a),
    "det": lambda a: np.linalg.det(a),
    "slogdet": lambda a: np.linalg.slogdet(a),
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


def check(function: Callable[..., Any], *arrays: Any, tolerance: float = 1e-9) -> None:
    """A function lazily and jitted, cold and warm, against NumPy."""
    wanted = function(*arrays)
    assert_close(function(*map(tensors, arrays)), wanted, tolerance)
    jitted = jf.jit(function)
    for _ in range(3):
        assert_close(jitted(*arrays), wanted, tolerance)


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


def test_integers_are_promoted(library: str) -> None:
    integers = np.array([[2, 1, 0], [0, 3, 1], [1, 0, 1]])
    for dtype in ("int64", "int32", "uint8", "bool"):
        check(every(SQUARE), integers.astype(dtype) if dtype != "bool" else np.eye(3, dtype=bool))
    check(lambda a, b: np.linalg.solve(a, b), integers, matrices(3, 3, dtype="float32"))
    check(every(SQUARE), np.kron(np.eye(3, dtype=int), integers))


def test_each_function_by_the_library_and_through_python(library: str) -> None:
    for shape in ((6, 6), (3, 6, 6), (0, 0)):
        check(every(SQUARE), matrices(*shape))


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
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_what_does_not_fit_is_an_error_at_the_call(
    call: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_results_have_numpys_names() -> None:
    found = jf.linalg.slogdet(np.eye(2))
    assert found._fields == np.linalg.slogdet(np.eye(2))._fields
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
