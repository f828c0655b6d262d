"""Programs of many ops: softmax, norms, variance, products with what comes after them, several kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np
import pytest

from jitframe.functions import elementwise, movement, products, reductions
from jitframe.functions.operands import spread
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import F64
from tests.conformance.check import Case, Outcome, outcomes, settle
from tests.conformance.devices import ARRAY_DTYPES, THOROUGHLY, Target, meant, parameters
from tests.conformance.tables import COMPOSED_WITHIN

FLOATS = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES if dtype.is_float)
COMPOSED = ("float32", "float64")
"""16-bit floats are rounded after each step of a composition: tests/functions compares those with NumPy."""
Build = Callable[..., Node]
SHAPES = ((1, 1), (3, 5), (33, 257), (5, 4097), (2, 70_000), (4097, 3), (0, 4))
FEW = ((33, 257), (4097, 3))


def softmax(graph: Graph, x: Node) -> Node:
    shifted = elementwise.subtract(graph, x, reductions.max_(graph, x, -1, keepdims=True))
    exponential = elementwise.exp(graph, shifted)
    total = reductions.sum(graph, exponential, -1, keepdims=True)
    return elementwise.divide(graph, exponential, total)


def layer_norm(graph: Graph, x: Node) -> Node:
    centred = elementwise.subtract(graph, x, reductions.mean(graph, x, -1, keepdims=True))
    spread = elementwise.add(graph, reductions.var(graph, x, -1, keepdims=True), 1e-5)
    return elementwise.divide(graph, centred, elementwise.sqrt(graph, spread))


def log_sum_exp(graph: Graph, x: Node) -> Node:
    largest = reductions.max_(graph, x, -1, keepdims=True)
    exponential = elementwise.exp(graph, elementwise.subtract(graph, x, largest))
    total = elementwise.log(graph, reductions.sum(graph, exponential, -1, keepdims=True))
    return elementwise.add(graph, total, largest)


def root_mean_square(graph: Graph, x: Node) -> Node:
    square = reductions.mean(graph, elementwise.square(graph, x), -1, keepdims=True)
    return elementwise.divide(graph, x, elementwise.sqrt(graph, elementwise.add(graph, square, 1e-6)))


def variance(graph: Graph, x: Node) -> Node:
    return reductions.var(graph, x, axis=None)


def by_columns(graph: Graph, x: Node) -> Node:
    """A reduction down the columns, used along the rows."""
    scale = elementwise.add(graph, reductions.sum(graph, elementwise.absolute(graph, x), 0), 1)
    return reductions.sum(graph, elementwise.divide(graph, elementwise.absolute(graph, x), scale), 1)


def distances(graph: Graph, x: Node) -> Node:
    """Rows against the first row, reduced to numbers and used again."""
    first = movement.broadcast_to((1, x.shape[1]), x.shape).apply(
        graph, graph.make(ops.slice_, x, attributes=((0, 0), (1, 1), (1, x.shape[1])))
    )
    difference = elementwise.subtract(graph, x, first)
    square = reductions.sum(graph, elementwise.multiply(graph, difference, difference), 1)
    return elementwise.subtract(graph, elementwise.sqrt(graph, square), reductions.max_(graph, square))


def moments(graph: Graph, x: Node) -> Node:
    """Weighted means of a row's distances from 0, 1 and 2: three results of one loop, and their weights."""
    shape = (*x.shape, 3)
    weights = elementwise.exp(graph, elementwise.negative(graph, elementwise.multiply(graph, x, x)))
    steps = graph.make(ops.iota, attributes=(shape, 2, x.dtype))
    wide, weighed = (graph.make(ops.broadcast, each, attributes=(shape, (0, 1))) for each in (x, weights))
    distance = elementwise.multiply(graph, elementwise.subtract(graph, wide, steps), weighed)
    total = elementwise.add(graph, reductions.sum(graph, weights, 1, keepdims=True), 0.5)
    return elementwise.divide(graph, reductions.sum(graph, distance, 1), total)


PROGRAMS: tuple[Build, ...] = (
    softmax, layer_norm, log_sum_exp, root_mean_square, variance, by_columns, distances, moments,
)  # fmt: skip


def precise(build: Build, arrays: Sequence[np.ndarray]) -> np.ndarray:
    """What a program means in float64."""
    graph = Graph()
    wide = [array.astype(np.float64) for array in arrays]
    given = [graph.parameter(each.attribute("index"), each.shape, F64) for each in parameters(Graph(), wide)]
    return meant(graph, [build(graph, *given)], wide)[0]


def within(scale: np.ndarray) -> Callable[[Target, Outcome, Sequence[np.ndarray]], str]:
    """Compares with the outcome's true values, in units of eps times the scale."""

    def compare(target: Target, outcome: Outcome, _arrays: Sequence[np.ndarray]) -> str:
        ours, theirs = outcome.ours, outcome.theirs
        assert ours is not None
        if ours.shape != theirs.shape:
            return f"{ours.shape} instead of {theirs.shape}"
        allowed = COMPOSED_WITHIN[target.backend] * float(ml_dtypes.finfo(ours.dtype).eps) * scale
        error = np.abs(ours.astype(np.float64) - theirs)
        wrong = ~((error <= allowed) | (np.isnan(ours) & np.isnan(theirs)))
        if not wrong.any():
            return ""
        at = np.unravel_index(np.argmax(wrong), wrong.shape)
        return f"{wrong.sum()} of {wrong.size} are off, the first at {at}: {ours[at]!r} for {theirs[at]!r}"

    return compare


@THOROUGHLY
@pytest.mark.parametrize("dtype", COMPOSED)
@pytest.mark.parametrize("build", PROGRAMS, ids=lambda build: build.__name__)
def test_compositions(target: Target, build: Build, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    few = (*FEW, (2, 70_000)) if (build, dtype) == (softmax, "float32") else FEW[: 1 + (dtype == "float32")]
    for shape in SHAPES if target.tries_all(thorough) else few:
        if build in (variance, distances) and 0 in shape:
            continue  # of nothing: no number, and no first row
        noise = np.random.default_rng(6).standard_normal(shape)
        arrays = ((noise + 3 * np.cos(np.arange(shape[1]))).astype(dtype),)  # no row has values all alike
        case = Case(build.__name__, lambda graph, given: build(graph, *given))
        true = precise(build, arrays)
        (found,) = outcomes(target, [case], arrays)
        scale = np.maximum(np.abs(true), np.abs(true).max(initial=0) * 0.25)
        expected = Outcome(case, found.ours, true, found.refusal)
        settle(target, dtype, [expected], arrays, within(scale))


EXTENTS = (
    (1, 1, 1), (3, 5, 7), (33, 17, 65), (64, 64, 64), (128, 257, 31), (1, 300, 5), (0, 4, 3), (4, 0, 3),
)  # fmt: skip
"""Rows, inner extent, columns."""


def operands(dtype: str, m: int, k: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(m + k + n)
    if dtype.startswith("float"):
        return random.standard_normal((m, k)).astype(dtype), random.standard_normal((k, n)).astype(dtype)
    return random.integers(0, 100, (m, k)).astype(dtype), random.integers(0, 100, (k, n)).astype(dtype)


def product(graph: Graph, x: Node, y: Node) -> Node:
    return products.matmul(graph, x, y)


def transposed_product(graph: Graph, x: Node, y: Node) -> Node:
    """(y.T @ x.T), which reads both operands by columns."""
    first, second = (movement.transpose(each.shape).apply(graph, each) for each in (y, x))
    return products.matmul(graph, first, second)


def with_epilogue(graph: Graph, x: Node, y: Node) -> Node:
    """max(x @ y + x[:, :1], 0): what comes after a product in a network."""
    column = graph.make(ops.slice_, x, attributes=((0, 0), (1, 1), (x.shape[0], min(x.shape[1], 1))))
    if not x.shape[1]:
        return elementwise.maximum(graph, products.matmul(graph, x, y), 0)
    return elementwise.maximum(graph, elementwise.add(graph, products.matmul(graph, x, y), column), 0)


@THOROUGHLY
@pytest.mark.parametrize("dtype", ["int32", *FLOATS])
@pytest.mark.parametrize(
    "build", [product, transposed_product, with_epilogue], ids=lambda build: build.__name__
)
def test_products(target: Target, build: Build, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    if build is not product and dtype != "float32" and not target.tries_all(thorough):
        pytest.skip("left to the slow set where compilers are slow")
    for m, k, n in EXTENTS:
        arrays = operands(dtype, m, k, n)
        case = Case(build.__name__, lambda graph, given: build(graph, *given))
        true = precise(build, arrays)
        (found,) = outcomes(target, [case], arrays)
        if dtype == "int32":
            assert found.refusal or found.ours is not None
            settle(target, dtype, [Outcome(case, found.ours, true, found.refusal)], arrays, exactly)
            continue
        # Of the size of the sums of absolute products, by rows and columns.
        sizes = np.abs(arrays[0]).astype(np.float64) @ np.abs(arrays[1]).astype(np.float64) + 1
        scale = sizes.T if build is transposed_product else sizes
        settle(target, dtype, [Outcome(case, found.ours, true, found.refusal)], arrays, within(scale))


def stacked_products(graph: Graph, x: Node, y: Node) -> Node:
    """max(x @ y + 1, 0) of stacks of matrices, one of them repeated."""
    return elementwise.maximum(graph, elementwise.add(graph, products.matmul(graph, x, y), 1), 0)


def small_products(graph: Graph, x: Node, y: Node) -> Node:
    """The same by the op for small matrices."""
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    given = (spread(graph, each, (*batch, *each.shape[-2:])) for each in (x, y))
    made = graph.make(ops.small_dot, *given)
    return elementwise.maximum(graph, elementwise.add(graph, made, 1), 0)


@pytest.mark.parametrize("build", [stacked_products, small_products], ids=lambda build: build.__name__)
@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize(
    "shapes",
    [((3, 5, 7), (3, 7, 4)), ((2, 1, 33, 17), (1, 3, 17, 70)), ((3, 4, 5), (5, 2)), ((2, 3, 0), (2, 0, 2))],
    ids=str,
)  # fmt: skip
def test_stacks_of_products(
    target: Target, shapes: tuple[tuple[int, ...], ...], dtype: str, build: Build
) -> None:
    target.require(dtype)
    random = np.random.default_rng(4)
    arrays = tuple(random.integers(-9, 9, shape).astype(dtype) for shape in shapes)
    case = Case(build.__name__, lambda graph, given: build(graph, *given))
    (found,) = outcomes(target, [case], arrays)
    true = np.maximum(arrays[0] @ arrays[1] + 1, 0)
    settle(target, dtype, [Outcome(case, found.ours, true, found.refusal)], arrays, exactly)


def packed_products(graph: Graph, x: Node, y: Node) -> Node:
    """x[b, i, k, l] times y[b, k, l, j], and something added."""
    shape = (*x.shape[:2], y.shape[-1])
    made = graph.make(ops.packed_dot, x, y, attributes=(1, 1, shape))
    return elementwise.add(graph, made, 1)


@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize(
    "shapes", [((2, 5, 3, 7), (2, 3, 7, 40)), ((1, 70, 1, 300), (1, 1, 300, 1))], ids=str
)
def test_products_of_several_axes(target: Target, shapes: tuple[tuple[int, ...], ...], dtype: str) -> None:
    target.require(dtype)
    if not target.device.machine.limits.packed_products:
        pytest.skip("legalisation makes it where kernels pack operands")
    random = np.random.default_rng(5)
    arrays = tuple(random.integers(-9, 9, shape).astype(dtype) for shape in shapes)
    case = Case("packed_products", lambda graph, given: packed_products(graph, *given))
    (found,) = outcomes(target, [case], arrays)
    true = np.einsum("bikl,bklj->bij", *arrays) + 1
    settle(target, dtype, [Outcome(case, found.ours, true, found.refusal)], arrays, exactly)


def window_products(graph: Graph, x: Node, image: Node) -> Node:
    """x[i, k, l] times the windows of an image with zeros around it, and something added."""
    rows, columns = (extent + 2 for extent in image.shape)
    zeros = graph.make(ops.broadcast, graph.constant(0, image.dtype), attributes=((rows, columns), ()))
    whole = graph.make(ops.update, zeros, image, attributes=((1, 1), (1, 1)))
    size = x.shape[1:]
    shape = (*size, rows - size[0] + 1, columns - size[1] + 1)
    windows = graph.make(ops.window, whole, attributes=(shape, ((0, 2), (1, 3))))
    results = (x.shape[0], shape[2] * shape[3])
    return elementwise.add(graph, graph.make(ops.window_dot, x, windows, attributes=(1, 2, results)), 1)


@pytest.mark.parametrize("dtype", ["int16", "int32", "float16", "float32", "float64"])
@pytest.mark.parametrize("shapes", [((2, 3, 3), (9, 40)), ((1, 1, 4), (1, 3)), ((3, 2, 1), (70, 5))], ids=str)
def test_products_with_windows(target: Target, shapes: tuple[tuple[int, ...], ...], dtype: str) -> None:
    target.require(dtype)
    if not target.device.machine.limits.packed_products:
        pytest.skip("legalisation makes it where kernels keep parts of images")
    random = np.random.default_rng(6)
    x, image = (random.integers(-3, 4, shape).astype(dtype) for shape in shapes)
    case = Case("window_products", lambda graph, given: window_products(graph, *given))
    (found,) = outcomes(target, [case], (x, image))
    seen = np.lib.stride_tricks.sliding_window_view(np.pad(image, 1), x.shape[1:])
    true = np.einsum("ikl,hwkl->ihw", x, seen).reshape(len(x), -1) + 1
    settle(target, dtype, [Outcome(case, found.ours, true.astype(dtype), found.refusal)], (x, image), exactly)


def transformed_products(graph: Graph, x: Node, image: Node) -> Node:
    """x[i, channel, k, l] times the windows of 3 x 3 of an image, by transforms, and something added."""
    rows, channels = x.shape[:2]
    size = [extent - 2 for extent in image.shape[1:]]
    windows = graph.make(ops.window, image, attributes=((channels, 3, 3, *size), ((0,), (1, 3), (2, 4))))
    matrix = graph.make(ops.reshape, x, attributes=((rows, channels * 9),))
    weights = graph.make(ops.item, graph.make(ops.winograd_weights, matrix), attributes=(0,))
    attributes = (1, 2, (rows, size[0] * size[1]))
    return elementwise.add(graph, graph.make(ops.winograd_dot, x, windows, weights, attributes=attributes), 1)


@pytest.mark.parametrize(
    "shapes", [((9, 2, 3, 3), (2, 9, 40)), ((33, 70, 3, 3), (70, 5, 6)), ((1, 1, 3, 3), (1, 3, 3))], ids=str
)
def test_transformed_products(target: Target, shapes: tuple[tuple[int, ...], ...]) -> None:
    target.require("float32")
    if not target.device.machine.limits.packed_products:
        pytest.skip("legalisation makes it where kernels keep parts of images")
    random = np.random.default_rng(6)
    x, image = (random.integers(-3, 4, shape).astype("f4") for shape in shapes)
    case = Case("transformed_products", lambda graph, given: transformed_products(graph, *given))
    (found,) = outcomes(target, [case], (x, image))
    seen = np.lib.stride_tricks.sliding_window_view(image, (3, 3), axis=(1, 2))
    true = np.einsum("ickl,chwkl->ihw", x, seen).reshape(len(x), -1) + 1
    outcome = Outcome(case, found.ours, true.astype("f4"), found.refusal)
    settle(target, "float32", [outcome], (x, image), exactly)


def panel_products(graph: Graph, x: Node, y: Node) -> Node:
    """x[i, k] times y[k, j], which is packed before."""
    packed = graph.make(ops.item, graph.make(ops.panels, y), attributes=(0,))
    made = graph.make(ops.panel_dot, x, packed, attributes=(1, 1, (x.shape[0], y.shape[1])))
    return elementwise.add(graph, made, 1)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("dtype", ["int16", "int32", "float16", "float32", "float64"])
@pytest.mark.parametrize(
    "shapes", [((9, 300), (300, 40)), ((17, 300), (300, 34)), ((1, 7), (7, 1)), ((2, 0), (0, 33))], ids=str
)
def test_products_with_a_packed_matrix(
    target: Target, shapes: tuple[tuple[int, ...], ...], dtype: str, turned: bool
) -> None:
    target.require(dtype)
    if not target.device.machine.limits.packed_products:
        pytest.skip("legalisation makes it where kernels pack operands")
    random = np.random.default_rng(6)
    x, y = (random.integers(-3, 4, shape).astype(dtype) for shape in shapes)

    def build(graph: Graph, given: list[Node]) -> Node:
        second = graph.make(ops.permute, given[1], attributes=((1, 0),)) if turned else given[1]
        return panel_products(graph, given[0], second)

    case = Case("panel_products", build)
    arrays = (x, np.ascontiguousarray(y.T) if turned else y)
    (found,) = outcomes(target, [case], arrays)
    true = (x.astype(np.float64) @ y.astype(np.float64)).astype(dtype) + np.ones((), dtype)
    settle(target, dtype, [Outcome(case, found.ours, true, found.refusal)], arrays, exactly)


def exactly(_target: Target, outcome: Outcome, _arrays: Sequence[np.ndarray]) -> str:
    return "" if np.array_equal(outcome.ours, outcome.theirs) else "another value"


def test_more_arrays_than_a_kernel_may_have(target: Target) -> None:
    """Twelve arguments and twelve results: where kernels take fewer buffers, the program is split."""
    random = np.random.default_rng(8)
    arrays = [random.integers(-9, 9, 1003).astype(np.float32) for _ in range(12)]
    graph = target.graph()
    given = parameters(graph, arrays)
    total = given[0]
    for each in given[1:]:
        total = graph.make(ops.add, total, each)
    outputs = [graph.make(ops.mul, total, each) for each in given]
    for ours, theirs in zip(target.run(graph, outputs, arrays), meant(graph, outputs, arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_outputs_that_are_arguments_or_each_other(target: Target) -> None:
    """Every output has memory of its own, whatever it is."""
    arrays = [np.arange(10, dtype=np.float32)]
    graph = target.graph()
    (x,) = parameters(graph, arrays)
    double = graph.make(ops.add, x, x)
    outputs = [x, double, double, movement.reshape(x.shape, (2, 5)).apply(graph, x)]
    for ours, theirs in zip(target.run(graph, outputs, arrays), meant(graph, outputs, arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)
