"""Kernels written by hand as array functions: lazy, inside jitted functions, in loops, on every device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.compilation import evaluate
from jitframe.errors import ArgumentError, DTypeError, JitframeError, ShapeError
from jitframe.ir import interpret, ops
from jitframe.ir.node import Graph
from jitframe.ir.text import graph_text
from jitframe.ir.types import F32
from jitframe.ir.verify import verify_graph

from .written import NAMES, Array, axpy, group_sums, transpose

axpy_of = jf.custom_kernel(axpy())
sums_of = jf.custom_kernel(
    group_sums(), shapes=lambda x: (-(-x[0] // 32),), sizes=lambda x: x[0], grid=lambda x: -(-x[0] // 32)
)
turned = jf.custom_kernel(
    transpose(), shapes=lambda x: x[::-1], sizes=lambda x: x, grid=lambda x: (-(-x[1] // 8), -(-x[0] // 4))
)


@pytest.fixture(autouse=True)
def verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "VERIFY", verify_graph)


@pytest.fixture(params=NAMES)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def floats(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def test_of_lazy_tensors(device: str) -> None:
    xs, ys = floats(100), floats(100)
    x, y = jf.asarray(xs, device=device), jf.asarray(ys, device=device)
    wanted = np.float32(2) * (xs + 1) + ys
    np.testing.assert_allclose(axpy_of(2.0, x + 1, y).numpy(), wanted, rtol=1e-6)
    np.testing.assert_array_equal(y.numpy(), ys)  # what is changed in place is a copy
    np.testing.assert_allclose((axpy_of(2.0, x + 1, y) * 2).numpy(), 2 * wanted, rtol=1e-6)


def test_a_number_may_be_computed(device: str) -> None:
    xs, ys = floats(50), floats(50)
    x, y = jf.asarray(xs, device=device), jf.asarray(ys, device=device)
    found = axpy_of(jf.max(x), x, y).numpy()
    np.testing.assert_allclose(found, xs.max() * xs + ys, rtol=1e-6)


def test_views_are_read_as_they_look(device: str) -> None:
    matrix = floats(6, 8)
    x = jf.asarray(matrix, device=device)
    np.testing.assert_array_equal(turned(x[1:, ::2]).numpy(), matrix[1:, ::2].T)
    np.testing.assert_array_equal(turned(x.T).numpy(), matrix)
    np.testing.assert_array_equal(turned(turned(x)).numpy(), matrix)


def test_in_a_jitted_function(device: str) -> None:
    @jf.jit
    def step(x: Any, y: Any, a: Any) -> Any:
        return turned(np.reshape(axpy_of(a, x * 2, y) - 1, (5, -1))), sums_of(x.astype(np.int32))

    for size in (40, 45):
        xs, ys = floats(size) * 9, floats(size)
        out, sums = step(jf.asarray(xs, device=device), jf.asarray(ys, device=device), 0.5)
        np.testing.assert_allclose(out.numpy(), (xs + ys - 1).reshape(5, -1).T, rtol=1e-5, atol=1e-6)
        wanted = [xs.astype(np.int32)[k : k + 32].sum() for k in range(0, size, 32)]
        np.testing.assert_array_equal(sums.numpy(), wanted)


def scaled_parts() -> Any:
    """A kernel with a function of a buffer and a number, and lanes that leave before a barrier."""
    build = jf.backends.KernelBuilder("scaled_parts", workgroup=8)
    x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "out", "y")
    factor, n = build.uniform("float32", "factor"), build.uniform("index", "n")
    shared = build.shared("float32", 8)

    @build.function("in float32", "index", "float32")
    def scaled(source: Any, at: Any, by: Any) -> Any:
        return source[at] * by

    i, lane = build.position(), build.lane()
    shared[lane] = 0.0
    with build.when(i >= n):
        build.exit()
    shared[lane] = scaled(x, i, factor)
    build.barrier()
    y[i] = shared[7 - lane] + scaled(x, i, build.constant(1, "float32"))
    return build.finish()


def test_functions_and_exits_in_a_jitted_function(device: str) -> None:
    """The factor is computed, so that the kernel loads it: its function is inlined there."""
    parts = jf.custom_kernel(
        scaled_parts(), shapes=lambda x: x, sizes=lambda x: x[0], grid=lambda x: -(-x[0] // 8)
    )

    @jf.jit(device=device)
    def run(x: Any) -> Any:
        return parts(x, np.max(x)) + 1

    xs = floats(21)
    held = np.zeros(24, np.float32)
    held[:21] = xs * xs.max()
    wanted = held.reshape(3, 8)[:, ::-1].ravel()[:21] + xs + 1
    for _ in range(3):
        np.testing.assert_allclose(run(xs), wanted, rtol=1e-6)


def test_a_new_size_compiles_nothing() -> None:
    @jf.jit
    def scaled(x: Any) -> Any:
        return axpy_of(3.0, x, x + 1)

    xs = floats(64)
    np.testing.assert_allclose(scaled(xs), 4 * xs + 1, rtol=1e-5)
    before = evaluate.kernels_compiled()
    for size in (1, 65, 1000, 0):
        xs = floats(size)
        np.testing.assert_allclose(scaled(xs), 4 * xs + 1, rtol=1e-5)
    assert evaluate.kernels_compiled() == before


def test_in_loops_and_conditions(device: str) -> None:
    @jf.jit
    def many(x: Any, y: Any, n: Any) -> Any:
        def body(i: Any, carried: Any) -> Any:
            return axpy_of(0.5, x, carried)

        grown = jf.fori_loop(0, n, body, y)
        return jf.cond(grown[0] > 0, lambda: axpy_of(1.0, grown, grown), lambda: grown)

    xs, ys = np.ones(40, np.float32), np.zeros(40, np.float32)
    for n, wanted in ((0, 0.0), (4, 4.0)):
        found = many(jf.asarray(xs, device=device), jf.asarray(ys, device=device), n)
        np.testing.assert_array_equal(found.numpy(), np.full(40, wanted, np.float32))


def test_written_back_to_an_argument() -> None:
    @jf.jit
    def grow(x: Any, y: Any) -> None:
        y[:] = axpy_of(2.0, x, y)

    xs, ys = np.ones(20, np.float32), np.ones(20, np.float32)
    grow(xs, ys)
    np.testing.assert_array_equal(ys, np.full(20, 3, np.float32))


def test_several_results_and_none_read(device: str) -> None:
    build = jf.backends.KernelBuilder("grid_of", workgroup=16)
    start, n = build.uniform("int32", "start"), build.uniform("index", "n")
    up, down = build.buffer("int32", "out", "up"), build.buffer("int32", "out", "down")
    i = build.position()
    with build.when(i < n):
        up[i] = start + i.cast("int32")
        down[i] = start - i.cast("int32")
    both = jf.custom_kernel(build.finish(), shapes=lambda: ((20,), (20,)))
    with jf.device(device):
        ups, downs = both(7)
        assert ups.device.startswith(device) if isinstance(ups.device, str) else True
        np.testing.assert_array_equal(ups.numpy(), 7 + np.arange(20))
        np.testing.assert_array_equal(downs.numpy(), 7 - np.arange(20))


def test_a_kernel_for_each_dtype() -> None:
    made: list[str] = []

    def negated(dtype: str) -> Any:
        made.append(dtype)
        build = jf.backends.KernelBuilder("negated", workgroup=8)
        x, y = build.buffer(dtype, "in"), build.buffer(dtype, "out")
        n = build.uniform("index")
        i = build.position()
        with build.when(i < n):
            y[i] = -x[i]
        return build.finish()

    negative = jf.custom_kernel(negated)
    for dtype in ("float32", "int16", "float32"):
        xs = np.arange(10).astype(dtype).reshape(2, 5)
        found = negative(jf.asarray(xs)).numpy()
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, -xs)
    assert made == ["float32", "int16"]


def test_the_graph_means_what_devices_compute() -> None:
    graph = Graph()
    x, y = (graph.parameter(number, (70,), F32) for number in range(2))
    from jitframe.backends.kernels.custom import GraphKernel

    made = GraphKernel(axpy())
    node = graph.make(ops.custom, x, y, graph.constant(2.0, F32), attributes=(made, ((70,),), (2, 70)))
    item = graph.make(ops.item, node, attributes=(0,))
    assert "custom %0, %1, %2, kernel=axpy, shapes=[[70]], numbers=[2, 70]" in graph_text([item])
    xs, ys = floats(70), floats(70)
    (found,) = interpret.evaluate([item], {x: xs, y: ys})
    np.testing.assert_array_equal(
        found, jf.custom_kernel(axpy())(2.0, jf.asarray(xs), jf.asarray(ys)).numpy()
    )


def test_explained() -> None:
    x = jf.asarray(floats(30))
    explained = jf.explain(axpy_of(2.0, x, x) + 1)
    text = str(explained)
    assert "kernel 0 axpy, as written" in text and "a kernel written by hand is a step of its own" in text
    assert "if %" in explained.kernels[0].source("kernel")


# What does not fit --------------------------------------------------------------------------------------
X = np.ones(8, np.float32)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ((1.0, X), ArgumentError, "takes 3 arguments .a: float32, x: in float32, y: inout float32., not 2"),
        ((1.0, X, X.astype(np.float64)), DTypeError, r"is given float64; .*astype\('float32'\)"),
        ((1.0, X, 2.0), DTypeError, "y: inout float32 takes an array, not a number"),
        ((X, X, X), ShapeError, r"a: float32 takes one number, not shape \(8,\)"),
    ],
)  # fmt: skip
def test_arguments_that_do_not_fit(arguments: Any, kind: type[JitframeError], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        axpy_of(*arguments)
    assert caught.value.line is not None and caught.value.line.file == __file__


def _sized(**rules: Any) -> Any:
    return jf.custom_kernel(group_sums(), **rules)(np.ones(64, np.int32))


def test_rules_that_do_not_fit() -> None:
    for rules, message in (
        ({"shapes": lambda x: ((1,), (2,))}, "writes 1 buffers, and shapes= gives 2 shapes"),
        ({"shapes": lambda x: (2.5,)}, r"gives \(2.5,\), which is no shape"),
        ({"sizes": lambda x: (1, 2)}, r"has the sizes \['n'\], and sizes= gives \(1, 2\)"),
        ({"grid": lambda x: (2, 2)}, r"has a grid of 1 axes, and grid= gives \(2, 2\)"),
        ({"grid": lambda x: -1}, "grid= has one to three whole numbers"),
    ):
        with pytest.raises(JitframeError, match=message):
            _sized(**rules)
    build = jf.backends.KernelBuilder("silent")
    build.buffer("int32", "in")
    for kernel, message in (
        (build.finish(), "writes no buffer: it has no result"),
        (transpose(), "has a grid of 2 axes: grid= must say how large it is"),
        (5, "custom_kernel takes a kernel that KernelBuilder finished"),
    ):
        with pytest.raises(ArgumentError, match=message):
            jf.custom_kernel(kernel)
    with pytest.raises(ArgumentError, match="the function gave a int for int32, and no finished kernel"):
        jf.custom_kernel(lambda dtype: 5)(np.ones(4, np.int32))  # type: ignore[arg-type,return-value]
