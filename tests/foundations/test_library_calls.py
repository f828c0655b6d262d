"""F9: products are steps of the plan, by the BLAS that NumPy uses, followed by one fused kernel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Launch, LibraryCall
from jitframe.runtime.cpu.execution import runtime as runtime_module
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.cpu.libraries.blas import Blas
from tests.foundations.programs import plan_of

FLOATS = ["float32", "float64"]


def layer(x, w, b):
    """Product, bias and gelu, by its tanh formula."""
    h = x @ w + b
    return h * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))


def given(m: int, k: int, n: int, dtype: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(m + k + n)
    return tuple(random.standard_normal(shape).astype(dtype) for shape in ((m, k), (k, n), (n,)))  # type: ignore[return-value]


def close(ours: Any, theirs: Any) -> None:
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    # A sum of k products differs by the order of adding.
    limit = 64 * np.finfo(theirs.dtype).eps * max(1.0, float(np.abs(theirs).max(initial=0)))
    np.testing.assert_allclose(ours, theirs, rtol=64 * np.finfo(theirs.dtype).eps, atol=limit)


def transposed(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x.T).T


def in_columns(x: np.ndarray) -> np.ndarray:
    """The same values in a wider array: rows lie further apart than they are long."""
    wide = np.full((x.shape[0], x.shape[1] + 5), np.nan, x.dtype)
    wide[:, 2:-3] = x
    return wide[:, 2:-3]


def every_other(x: np.ndarray) -> np.ndarray:
    wide = np.full((2 * x.shape[0], 3 * x.shape[1]), np.nan, x.dtype)
    wide[::2, ::3] = x
    return wide[::2, ::3]


def backwards(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1]


def repeated(x: np.ndarray) -> np.ndarray:
    return np.broadcast_to(x[:1], x.shape)


LAYOUTS: list[Callable[[np.ndarray], np.ndarray]] = [
    np.ascontiguousarray, transposed, in_columns, every_other, backwards, repeated,
]  # fmt: skip


@pytest.fixture(params=["library", "python"])
def product_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Products by NumPy's BLAS, and by numpy.matmul called back from the plan."""
    if request.param == "python":
        native = runtime()
        monkeypatch.setattr(native, "_blas", Blas(native._failure_flag, use_library=False))
    elif runtime().blas.library is None:
        pytest.skip("no BLAS with a C interface was found beside NumPy")
    return request.param


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("second", LAYOUTS, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("first", LAYOUTS, ids=lambda layout: layout.__name__)
def test_a_layer_with_operands_of_any_layout(first, second, dtype, product_by):
    x, w, b = given(13, 17, 11, dtype)
    x, w = first(x), second(w)
    jitted = jf.jit(layer)
    for _ in range(3):
        close(jitted(x, w, b), layer(x, w, b))


@pytest.mark.parametrize(
    "shape", [(0, 5, 3), (5, 0, 3), (5, 3, 0), (0, 0, 0), (1, 1, 1), (1, 7, 1), (7, 1, 7)], ids=str
)
@pytest.mark.parametrize("dtype", FLOATS)
def test_zero_and_one(dtype, shape, product_by):
    x, w, b = given(*shape, dtype)
    jitted = jf.jit(layer)
    for _ in range(3):
        close(jitted(x, w, b), layer(x, w, b))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_layer_is_one_product_and_one_kernel(dtype):
    x, w, b = given(64, 48, 80, dtype)
    jitted = jf.jit(layer)
    close(jitted(x, w, b), layer(x, w, b))
    plan = plan_of(jitted, x, w, b)
    assert [type(step) for step in plan.steps if isinstance(step, (LibraryCall, Launch))] == [
        LibraryCall,
        Launch,
    ]
    (product,) = (step for step in plan.steps if isinstance(step, LibraryCall))
    assert product.options == (0, 0)


@pytest.mark.parametrize(
    "layout", [np.ascontiguousarray, transposed, in_columns], ids=lambda layout: layout.__name__
)
def test_strides_that_blas_takes_cost_no_copy(layout):
    """A transposed operand is a flag of the product, rows further apart a leading dimension."""
    x, w, _ = given(40, 30, 20, "float32")
    jitted = jf.jit(lambda x, w: x @ w)
    close(jitted(layout(x), layout(w)), x @ w)
    steps = plan_of(jitted, layout(x), layout(w)).steps
    assert [type(step) for step in steps if isinstance(step, (LibraryCall, Launch))] == [LibraryCall]


def test_transposes_in_the_program():
    x, w, _ = given(40, 30, 20, "float64")
    jitted = jf.jit(lambda x, w: (w.T @ x.T, x @ w, x.T @ x, (x @ w).T @ x))
    for ours, theirs in zip(jitted(x, w), (w.T @ x.T, x @ w, x.T @ x, (x @ w).T @ x), strict=True):
        close(ours, theirs)


def test_two_layers_and_a_new_size_compile_nothing_more():
    def network(x, w, b):
        return layer(layer(x, w, b), w.T, b[: x.shape[1]]).sum()

    jitted = jf.jit(network)
    for m, k, n in ((31, 8, 12), (1, 8, 12), (100, 3, 7)):
        x, w, b = given(m, k, n, "float64")
        np.testing.assert_allclose(jitted(x, w, b), network(x, w, b), rtol=1e-10)
    before = dict(jf.cache.stats())
    x, w, b = given(77, 11, 13, "float64")
    np.testing.assert_allclose(jitted(x, w, b), network(x, w, b), rtol=1e-10)
    assert jf.cache.stats()["compiled"] == before["compiled"]


@pytest.mark.parametrize(
    "pair", ["int32", "int64", "uint8", ("int32", "float32"), ("float32", "float64")], ids=str
)
def test_products_of_other_dtypes(pair):
    first, second = (pair, pair) if isinstance(pair, str) else pair
    random = np.random.default_rng(5)
    x = random.integers(0, 100, (13, 17)).astype(first)
    w = random.integers(0, 100, (17, 11)).astype(second)
    jitted = jf.jit(lambda x, w: x @ w)
    for _ in range(3):
        found, wanted = jitted(x, w), x @ w
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_integer_products_wrap_as_numpys_do():
    x = np.full((3, 5), 2**31 - 1, np.int32)
    np.testing.assert_array_equal(jf.jit(lambda x: x @ x.T)(x), x @ x.T)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "float64"])
@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((2, 3, 4), (1, 4, 5)), ((7, 1, 3, 4), (2, 4, 5)),
        ((3, 4), (2, 4, 5)), ((4,), (2, 4, 5)), ((2, 3, 4), (4,)), ((6, 1, 4), (4, 5)),
        ((2, 1, 4), (2, 4, 5)),
        ((2, 3, 4), (2, 4, 1)), ((0, 3, 4), (4, 5)), ((2, 0, 4), (2, 4, 5)), ((2, 3, 0), (2, 0, 5)),
        ((2, 1, 17, 13), (1, 3, 13, 19)),
    ],
    ids=str,
)  # fmt: skip
def test_products_of_stacks_of_matrices(shapes, dtype):
    random = np.random.default_rng(3)
    x, y = (random.integers(0, 3, shape).astype(dtype) for shape in shapes)
    turned = [
        (x, y),
        (np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2) if x.ndim > 1 else x[::-1], y),
        (x[..., ::-1], np.ascontiguousarray(y[..., ::-1])[..., ::-1]),
    ]
    jitted = jf.jit(lambda x, y: x @ y)
    for first, second in turned:
        found, wanted = jitted(first, second), first @ second
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(found, wanted)


def test_stacks_are_one_step_without_copies():
    """Strides of batch axes, repetitions too, are the step's; rows with one right side are one product."""
    random = np.random.default_rng(7)
    heads = random.standard_normal((2, 29, 3, 18))  # batch, position, head, feature

    def scores(q, k):
        return np.swapaxes(q, 1, 2) @ np.swapaxes(np.swapaxes(k, 1, 2), -1, -2)

    def layers(x, w):
        return x @ w

    cases = [
        (scores, heads, heads + 1, 2),
        (layers, random.standard_normal((5, 6, 7)), random.standard_normal((7, 4)), 0),
        (layers, random.standard_normal((5, 6, 10))[:, :, :7], random.standard_normal((7, 4)), 0),
        (layers, random.standard_normal((5, 8, 10))[::2, 1:-1, :7], random.standard_normal((7, 4)), 1),
        (layers, random.standard_normal((5, 6, 17)), random.standard_normal((5, 17, 4)), 1),
        (layers, random.standard_normal((4, 5, 26, 7)), random.standard_normal((4, 5, 7, 4)), 1),
        (layers, random.standard_normal((4, 1, 6, 7)), random.standard_normal((1, 5, 7, 24)), 2),
    ]
    for function, x, y, axes in cases:
        jitted = jf.jit(function)
        close(jitted(x, y), function(x, y))
        steps = [step for step in plan_of(jitted, x, y).steps if isinstance(step, (LibraryCall, Launch))]
        assert [type(step) for step in steps] == [LibraryCall], function
        assert len(steps[0].batch) == axes


def test_rows_that_overlap_or_lie_backwards_are_copied():
    values = np.arange(100.0)
    windows = np.lib.stride_tricks.sliding_window_view(values, 20)[::3]
    backwards = values.reshape(5, 20)[::-1]
    y = np.random.default_rng(1).standard_normal((20, 6))
    jitted = jf.jit(lambda x, y: x @ y)
    for x, kernels in ((values.reshape(5, 20), 0), (windows, 1), (backwards, 1)):
        close(jitted(x, y), x @ y)
        steps = plan_of(jitted, x, y).steps
        assert sum(isinstance(step, Launch) for step in steps) == kernels


@pytest.mark.parametrize("shapes", [((5,), (5,)), ((5,), (5, 3)), ((4, 5), (5,)), ((0,), (0,))], ids=str)
def test_products_with_vectors(shapes):
    random = np.random.default_rng(2)
    x, y = (random.standard_normal(shape) for shape in shapes)
    np.testing.assert_allclose(jf.jit(lambda x, y: x @ y)(x, y), x @ y, rtol=1e-13, atol=1e-13)


def test_a_product_never_changes_blas_threads(in_process):
    """OpenBLAS has one number of threads for the whole process, NumPy's own products included."""
    before, after = in_process(
        """
        import ctypes, json
        import numpy as np, jitframe as jf
        from jitframe.runtime.cpu.execution.runtime import runtime
        library = runtime().blas.library
        count = None
        if library:
            names = ("scipy_openblas_get_num_threads64_", "openblas_get_num_threads64_")
            names += ("openblas_get_num_threads",)
            loaded = ctypes.CDLL(library)
            count = next((getattr(loaded, name) for name in names if hasattr(loaded, name)), None)
        x = np.ones((300, 300), np.float32)
        numbers = [count() if count else 0]
        jf.jit(lambda x: np.tanh(x @ x))(x)
        numbers.append(count() if count else 0)
        print(json.dumps(numbers))
        """
    )
    assert before == after


def test_a_failed_callback_is_an_error(monkeypatch):
    native = runtime()
    monkeypatch.setattr(native, "_blas", Blas(native._failure_flag, use_library=False))
    jitted = jf.jit(lambda x: x @ x + 1)
    x = np.ones((20, 20))

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("on purpose")

    reported: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", reported.append)
    with monkeypatch.context() as patched:
        patched.setattr(runtime_module.Blas.__module__ + ".np.matmul", broken)
        with pytest.raises(RuntimeError):
            jitted(x)
    np.testing.assert_array_equal(jitted(x), x @ x + 1)
    assert len(reported) == 1


def test_a_stack_is_explained_with_its_axes_and_what_it_reads():
    x, y = np.ones((6, 20, 30, 40), np.float32), np.ones((1, 20, 40, 50), np.float32)
    explained = jf.jit(lambda x, y: x @ y).explain(x, y)
    assert "f32 6 x 20 x (30 x 40 x 50), BLAS" in explained.plan
    assert explained.bytes_moved == 4 * (x.size + y.size + 6 * 20 * 30 * 50)
