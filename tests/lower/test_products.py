"""Products as kernels: random graphs around them are exact in integers, floats are within their error."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import instructions_of
from jitframe.codegen.llvm import generate, vector_target
from jitframe.codegen.lower.machine import PROCESSOR, Machine, machine_for
from jitframe.codegen.lower.products import lanes_products, packed_products
from jitframe.codegen.lower.products.lanes_products import tilings
from jitframe.codegen.lower.reductions import blocked_reductions
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.codegen.plan.nodes import Launch, LibraryCall
from jitframe.functions import elementwise, products, reductions
from jitframe.ir import ops
from jitframe.ir.expr import evaluate as value_of
from jitframe.ir.node import Node
from jitframe.ir.record import replace

from .machines import COMPILED, WEBGPU, Interpreter, Problem, lower, run

FEW_LANES = machine_for(32, 8192, 8, library_products=False)
SOFTWARE = replace(FEW_LANES, fast_shared=False)
ONE_LANE = Machine(tile=64, library_products=False, streams=False)
EXTENTS = (3, 3, 17)


def tangle(seed: int) -> tuple[Problem, list[Node]]:
    """Integer matrices multiplied, turned, added up and shifted at random."""
    rng, choose = np.random.default_rng(seed), random.Random(seed)
    problem = Problem()
    graph = problem.graph
    pool = [
        problem.parameter(rng.integers(-3, 4, [choose.choice(EXTENTS) for _ in range(2)]).astype(np.int32))
        for _ in range(5)
    ]
    for _ in range(choose.randint(3, 9)):
        x = choose.choice(pool)
        fitting = [y for y in pool if y.shape[0] == x.shape[1]]
        alike = [y for y in pool if y.shape == x.shape]
        kind = choose.choice(("product", "product", "product", "add", "add", "shift", "turn", "row", "part"))
        if kind == "product" and fitting:
            pool.append(products.matmul(graph, x, choose.choice(fitting)))
        elif kind == "add":
            pool.append(elementwise.subtract(graph, x, choose.choice(alike)))
        elif kind == "shift":
            row = reductions.max_(graph, choose.choice(alike), axis=0)
            pool.append(elementwise.add(graph, elementwise.multiply(graph, x, 3), row))
        elif kind == "turn":
            pool.append(graph.make(ops.permute, x, attributes=((1, 0),)))
        elif kind == "row":
            pool.append(elementwise.subtract(graph, x, reductions.max_(graph, x, axis=1, keepdims=True)))
        elif kind == "part":
            value = elementwise.negative(graph, choose.choice(alike))
            pool.append(graph.make(ops.update, x, value, attributes=((0, 0), (1, 1))))
    return problem, choose.sample(pool[-5:], choose.randint(1, 3))


@pytest.mark.parametrize(
    "machine",
    [FEW_LANES, SOFTWARE, ONE_LANE, COMPILED, replace(FEW_LANES, most_buffers=4)],
    ids=["32", "software", "1", "processor", "4 buffers"],
)
def test_random_graphs_of_products(machine: Machine) -> None:
    launched = 0
    for seed in range(8):
        problem, outputs = tangle(seed)
        plan, *_ = lower(outputs, problem.strides(), machine)
        assert not any(isinstance(step, LibraryCall) for step in plan.steps)
        assert all(len(kernel.buffers) <= (machine.most_buffers or 99) for kernel in plan.kernels)
        launched += sum(
            isinstance(step, Launch) and "dot" in plan.kernels[step.kernel].name for step in plan.steps
        )
        for ours, due in zip(
            run(Interpreter(), problem, outputs, machine), problem.meant(outputs), strict=True
        ):
            np.testing.assert_array_equal(ours, due, err_msg=f"seed {seed}")
    assert launched > 4, launched


@pytest.mark.parametrize("machine", [FEW_LANES, SOFTWARE, COMPILED], ids=["lanes", "software", "processor"])
def test_the_order_of_a_product_is_that_of_its_inner_axis(machine: Machine) -> None:
    """Each element is the sum of its products one after another, whatever the tiles."""
    problem = Problem()
    x, y = (np.random.default_rng(0).normal(size=s).astype(np.float32) for s in ((9, 71), (71, 5)))
    outputs = [products.matmul(problem.graph, problem.parameter(x), problem.parameter(y))]
    (ours,) = run(Interpreter(), problem, outputs, machine)
    due = np.zeros((9, 5), np.float32)
    for k in range(71):
        due += x[:, k, None] * y[None, k]
    np.testing.assert_array_equal(ours, due)


@pytest.mark.parametrize(
    "machine",
    [FEW_LANES, SOFTWARE, replace(FEW_LANES, most_buffers=4)],
    ids=["32", "software", "4 buffers"],
)
def test_long_inner_axes_are_cut_into_parts(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 8 elements here; what follows a product is done where they are combined."""
    monkeypatch.setattr(blocked_reductions, "PART", 8)
    combined = 0
    for seed in range(8):
        problem, outputs = tangle(seed)
        plan, *_ = lower(outputs, problem.strides(), machine)
        combined += sum(kernel.name.startswith("sum") for kernel in plan.kernels)
        for ours, due in zip(
            run(Interpreter(), problem, outputs, machine), problem.meant(outputs), strict=True
        ):
            np.testing.assert_array_equal(ours, due, err_msg=f"seed {seed}")
    assert combined > 0, combined


def test_stacks_of_products_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocked_reductions, "PART", 16)
    problem = Problem()
    x, y = (np.random.default_rng(0).normal(size=s).astype(np.float32) for s in ((3, 9, 71), (3, 71, 5)))
    product = products.matmul(problem.graph, problem.parameter(x), problem.parameter(y))
    outputs = [elementwise.maximum(problem.graph, product, 0.0)]
    plan, *_ = lower(outputs, problem.strides(), FEW_LANES)
    assert len(plan.kernels) == 2
    (ours,) = run(Interpreter(), problem, outputs, FEW_LANES)
    due = np.zeros((3, 9, 5), np.float32)
    for start in range(0, 71, 16):
        part = np.zeros_like(due)
        for k in range(start, min(start + 16, 71)):
            part += x[:, :, k, None] * y[:, None, k]
        due += part
    np.testing.assert_array_equal(ours, np.maximum(due, 0))


def test_tiles_fit_into_shared_memory() -> None:
    for machine in (WEBGPU, FEW_LANES, machine_for(1024, 49152, 31, False)):
        for itemsize in (4, 8):
            for tiling in tilings(machine, itemsize):
                assert tiling.elements() * itemsize <= machine.shared_bytes
                assert tiling.across * tiling.down == machine.lanes
    assert len(tilings(WEBGPU, 4)) == 2


def test_operands_are_read_in_place_where_shared_memory_is_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result for each lane, or several where there are enough; beyond the last line it is read again."""
    x, y = (np.random.default_rng(0).normal(size=s).astype(np.float32) for s in ((13, 17), (17, 35)))
    due = np.zeros((13, 35), np.float32)
    for k in range(17):
        due += x[:, k, None] * y[None, k]
    groups = []
    for few in (lanes_products.FEW, 1):
        monkeypatch.setattr(lanes_products, "FEW", few)
        problem = Problem()
        # The second one is read along its columns.
        second = problem.graph.make(ops.permute, problem.parameter(y.T.copy()), attributes=((1, 0),))
        outputs = [products.matmul(problem.graph, problem.parameter(x), second)]
        plan, numbers, _ = lower(outputs, problem.strides(), SOFTWARE)
        (kernel,) = plan.kernels
        names = [each.op.name for each in instructions_of(kernel)]
        assert {"barrier", "allocate"}.isdisjoint(names)
        (launch,) = (step for step in plan.steps if isinstance(step, Launch))
        groups.append(value_of(launch.groups, numbers))
        (ours,) = run(Interpreter(), problem, outputs, SOFTWARE)
        np.testing.assert_array_equal(ours, due)
    assert groups == [4 * 5, 1 * 2], "tiles of 4 x 8, and of 16 x 32"


def test_a_large_tile_is_right() -> None:
    """The kernel of large matrices, on small ones: what chooses it is a guard, not part of it."""
    problem = Problem()
    x, y = (np.arange(n * m, dtype=np.int32).reshape(n, m) % 7 for n, m in ((1100, 3), (3, 1000)))
    outputs = [products.matmul(problem.graph, problem.parameter(x), problem.parameter(y))]
    plan, *_ = lower(outputs, problem.strides(), WEBGPU)
    (kernel,) = plan.kernels
    m, k, n = 19, 3, 21
    order = {1100: m, 3: k, 1000: n}
    (launch,) = (step for step in plan.steps if isinstance(step, Launch))
    numbers = [order[number] for number in lower(outputs, problem.strides(), WEBGPU)[1]]
    indices = [value_of(expr, numbers) for expr in launch.indices]
    small = [x[:m].ravel().copy(), y[:, :n].ravel().copy(), np.zeros(m * n, np.int32)]
    held = {0: small[0], 1: small[1], 2: small[2]}
    arrays = [held[ref.buffer] for ref in launch.buffers]
    interpret(kernel, arrays, indices, [], range(value_of(launch.groups, numbers)))
    np.testing.assert_array_equal(small[2].reshape(m, n), x[:m] @ y[:, :n])


@pytest.mark.parametrize("turned", [False, True])
def test_a_product_written_over_its_operand(turned: bool) -> None:
    problem = Problem()
    graph = problem.graph
    x, y = (problem.parameter(np.arange(400, dtype=np.int32).reshape(20, 20) % n) for n in (7, 5))
    first, second = (y, x) if turned else (x, y)
    z = elementwise.add(graph, products.matmul(graph, first, second), 1)
    outputs = [graph.make(ops.update, x, z, attributes=((0, 0), (1, 1)))]
    for machine in (FEW_LANES, SOFTWARE, ONE_LANE, COMPILED):
        (ours,) = run(Interpreter(), problem, outputs, machine, [x])
        np.testing.assert_array_equal(ours, problem.meant(outputs)[0])


def test_beside_a_library_integers_have_a_kernel() -> None:
    machine = replace(FEW_LANES, library_products=True)
    for dtype, library in ((np.float32, 1), (np.int32, 0)):
        problem = Problem()
        x, y = (problem.parameter(np.ones(shape, dtype)) for shape in ((5, 20), (20, 7)))
        outputs = [products.matmul(problem.graph, x, y)]
        plan, *_ = lower(outputs, problem.strides(), machine)
        assert sum(isinstance(step, LibraryCall) for step in plan.steps) == library
        (ours,) = run(Interpreter(), problem, outputs, machine)
        np.testing.assert_array_equal(ours, np.full((5, 7), 20))


def steps_of_a_loop(x, w, steps):
    for _ in range(steps):
        x = np.tanh(x @ w) + 1
    return x


def steps_while(x, w, steps):
    i = 0
    while i < steps:
        x = np.tanh(x @ w.T) + 1
        i = i + 1
    return x


def steps_in_steps(x, w, steps):
    for _ in range(2):
        for _ in range(steps):
            x = np.tanh(x @ w.T) + 1
    return x


@pytest.mark.parametrize("function", [steps_of_a_loop, steps_while, steps_in_steps])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_a_loop_multiplies_with_is_packed_once(function: Any, dtype: str) -> None:
    """Before the outermost loop; the results are those of products that are packed each time."""
    rng = np.random.default_rng(0)
    for extent in (65, 96):
        x = rng.normal(size=(70, extent)).astype(dtype)
        w = (rng.normal(size=(extent, extent)) / 20).astype(dtype)
        jitted = jf.jit(function)
        for steps in (0, 5):
            made = np.asarray(jitted(x, w, np.array(steps)))
            wanted = function(x, w, steps)
            np.testing.assert_allclose(made, wanted, rtol=1e-4 if dtype == "float32" else 1e-12)
        lines = str(jitted.explain(x, w, np.array(40))).splitlines()
        packings = [line for line in lines if "packed(" in line and "." not in line.split()[0]]
        assert len(packings) == 2, lines  # in the graph, and in its groups


def test_what_a_loop_changes_is_packed_each_time() -> None:
    def function(x, w, steps):
        for _ in range(steps):
            x = x @ w
            w = w * 0.9
        return x

    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(70, 96)), rng.normal(size=(96, 96))
    jitted = jf.jit(function)
    np.testing.assert_allclose(np.asarray(jitted(x, w, np.array(5))), function(x, w, 5), rtol=1e-10)
    text = str(jitted.explain(x, w, np.array(5)))
    assert "packed_dot" in text and "panel" not in text


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [33, 40, 64, 79])
def test_a_right_operand_that_lies_transposed(dtype: Any, columns: int) -> None:
    """Squares of it are transposed when it is packed; depths and columns need not fill them."""
    rng = np.random.default_rng(columns)
    product = jf.jit(lambda x, y: x @ y.T)
    for rows, inner in ((16, 512), (19, 531), (64, 130)):
        x = rng.integers(-4, 5, (rows, inner)).astype(dtype)
        y = rng.integers(-4, 5, (columns, inner + 3)).astype(dtype)[:, 1:-2]
        due = x.astype(np.float64) @ y.astype(np.float64).T
        np.testing.assert_array_equal(product(x, y), due.astype(dtype))
    assert any("dot" in kernel.name for kernel in product.explain(x, y).kernels)


@pytest.mark.parametrize("filters", [1, 3, 8, 32])
def test_sums_over_several_axes_are_products(filters: int) -> None:
    """The windows of images times filters, multiplied and summed; a single filter's axis is none."""
    rng = np.random.default_rng(filters)
    images = rng.integers(-4, 5, (2, 19, 21, 3)).astype("f4")
    weights = rng.integers(-4, 5, (3, 3, 3, filters)).astype("f4")

    def program(images: Any, weights: Any) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), axis=(1, 2))
        return np.maximum((windows[..., None] * weights).sum(axis=(3, 4, 5)) + 1, 0)

    jitted = jf.jit(program)
    np.testing.assert_array_equal(jitted(images, weights), program(images, weights))
    assert ("packed_dot" in str(jitted.explain(images, weights))) == (filters > 1)


def test_sums_that_numpy_adds_in_pairs_are_none() -> None:
    x, y = np.ones((6, 8, 20), "f4"), np.ones((6, 8, 20), "f4")
    jitted = jf.jit(lambda x, y: (x[:, None] * y[None]).sum(axis=(2, 3)))
    assert "packed_dot" not in str(jitted.explain(x, y))


def multiplied(problem: Problem, rows: int, inner: int, columns: int) -> list[Node]:
    """A product by a kernel that packs."""
    numbers = np.random.default_rng(6)
    shapes = (rows, inner), (inner, columns)
    x, y = (problem.parameter(numbers.normal(size=shape).astype("f4")) for shape in shapes)
    return [problem.graph.make(ops.packed_dot, x, y, attributes=(1, 1, (rows, columns)))]


@pytest.mark.parametrize("registers", [16, 32])
def test_rows_that_are_summed_together(registers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several panels, and more rows and columns than are summed at once."""
    monkeypatch.setattr(packed_products, "LINES", 64)
    monkeypatch.setattr(packed_products, "DEPTH", 16)
    monkeypatch.setattr(packed_products, "GREATEST_DEPTH", 32)
    problem = Problem()
    outputs = multiplied(problem, 15, 40, 68)
    machine = replace(PROCESSOR, vector_registers=registers)
    (ours,), (meant,) = run(Interpreter(), problem, outputs, machine), problem.meant(outputs)
    np.testing.assert_allclose(ours, meant, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("rows", "inner", "columns", "in_place"),
    [(15, 40, 64, True), (15, 40, 68, False), (15, 40, 96, False), (24, 40, 64, False), (16, 60, 64, False)],
)
def test_few_rows_read_whole_strips_of_a_small_matrix_in_place(
    rows: int, inner: int, columns: int, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several blocks of inner positions. Else the columns fill no strip, lines are longer, rows are many, or
    the matrix is large."""
    monkeypatch.setattr(packed_products, "LINES", 64)
    monkeypatch.setattr(packed_products, "DEPTH", 16)
    monkeypatch.setattr(packed_products, "NARROW", 20)
    monkeypatch.setattr(packed_products, "LONGEST_LINE", 80)
    monkeypatch.setattr(packed_products, "MOST_READ_IN_PLACE", 50 * 64)
    problem = Problem()
    outputs = multiplied(problem, rows, inner, columns)
    machine = replace(PROCESSOR, vectors_fill_lines=True)
    (kernel,) = lower(outputs, problem.strides(), machine)[0].kernels
    sizes = [each.attributes["size"] for each in instructions_of(kernel) if each.op.name == "allocate"]
    panel = (packed_products.LINES + packed_products.SQUARE) * packed_products.LINE_BYTES // 4
    assert (panel not in sizes) == in_place
    (ours,), (meant,) = run(Interpreter(), problem, outputs, machine), problem.meant(outputs)
    np.testing.assert_allclose(ours, meant, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("level", "rows", "lanes"), [("avx2", 6, 16), ("avx512", 8, 32)])
def test_sums_fill_the_registers(level: str, rows: int, lanes: int) -> None:
    """Two vectors for each row that is summed."""
    problem, target = Problem(), vector_target(level)
    machine = replace(PROCESSOR, vector_registers=target.vector_registers)
    outputs = multiplied(problem, 40, 40, 40)
    (kernel,) = lower(outputs, problem.strides(), machine)[0].kernels
    kernel = expand_math(kernel, MathFeatures(fma=True))
    assert generate(kernel, target).count(f"call <{lanes} x float> @llvm.fma") >= rows


def test_columns_of_small_matrices_fill_no_pair_of_vectors() -> None:
    problem = Problem()
    x, y = (problem.parameter(np.ones((8, 8), "f4")) for _ in range(2))
    outputs = [problem.graph.make(ops.small_dot, x, y)]
    (kernel,) = lower(outputs, problem.strides(), PROCESSOR)[0].kernels
    text = generate(kernel, vector_target("avx2"))
    assert "fmul <8 x float>" in text and "<16 x float>" not in text
