"""Graphs lowered for workgroups of many lanes give the graph's values: interpreted, on OpenCL, on WebGPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.nodes import walk
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.lower.machine import Machine, machine_for, processor_for
from jitframe.codegen.lower.reductions.lanes_rows import AHEAD
from jitframe.codegen.lower.scans.serial_scans import AHEAD as SCANNED_AHEAD
from jitframe.compilation.evaluate import compute
from jitframe.functions import elementwise as e
from jitframe.functions import joining, products, reductions
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Region
from jitframe.ir.types import F32, I64
from tests.sets import second_set

from .machines import COMPILED, SMALL, WEBGPU, Interpreter, Problem, driver_of, driver_of_lanes, lower, run

Make = Callable[[Problem], list[Node]]
BACKENDS = ("interpreter", "interpreted processor", "opencl", "webgpu", *second_set("processor"))


def floats(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


def on(backend: str) -> tuple[Any, Machine]:
    if backend == "interpreter":
        return Interpreter(), SMALL
    if backend == "interpreted processor":
        return Interpreter(), COMPILED
    driver = driver_of("opencl") if backend == "processor" else driver_of_lanes(backend)
    if isinstance(driver, str):
        pytest.skip(driver)
    if backend == "processor" and driver.facts.execution != "simd":
        pytest.skip("the first device is no processor")
    return driver, COMPILED if backend == "processor" else WEBGPU


# Programs --------------------------------------------------------------------------------------------
def several(p: Problem, *shape: int) -> list[Node]:
    g, x, y = p.graph, p.parameter(floats(*shape)), p.parameter(floats(*shape) + 1)
    return [e.multiply(g, x, y), e.less(g, x, y), e.sqrt(g, e.add(g, e.multiply(g, x, x), 2.5))]


def spread(p: Problem, *shapes: tuple[int, ...]) -> list[Node]:
    total: Any = 1.5
    for number, shape in enumerate(shapes):
        total = e.add(p.graph, total, p.parameter(floats(*shape) + number))
    return [total]


def total(p: Problem, shape: tuple[int, ...], axis: Any) -> list[Node]:
    x = p.parameter(floats(*shape))
    return [reductions.sum(p.graph, e.multiply(p.graph, x, x), axis=axis)]


def extremes(p: Problem, shape: tuple[int, ...], axis: Any) -> list[Node]:
    g, x = p.graph, p.parameter(floats(*shape))
    large = e.greater(g, x, 0.0)
    return [
        reductions.max_(g, x, axis),
        reductions.min_(g, x, axis),
        reductions.any_(g, large, axis),
        reductions.all_(g, large, axis),
    ]


def softmax(p: Problem, shape: tuple[int, ...], axis: int) -> list[Node]:
    g, x = p.graph, p.parameter(floats(*shape))
    powers = e.exp(g, e.subtract(g, x, reductions.max_(g, x, axis=axis, keepdims=True)))
    return [e.divide(g, powers, reductions.sum(g, powers, axis=axis, keepdims=True))]


def layer_norm(p: Problem, rows: int, columns: int) -> list[Node]:
    g, x = p.graph, p.parameter(floats(rows, columns))
    weight, bias = p.parameter(floats(columns)), p.parameter(floats(columns) + 1)
    centred = e.subtract(g, x, reductions.mean(g, x, axis=-1, keepdims=True))
    variance = reductions.mean(g, e.multiply(g, centred, centred), axis=-1, keepdims=True)
    scaled = e.divide(g, centred, e.sqrt(g, e.add(g, variance, 1e-5)))
    return [e.add(g, e.multiply(g, scaled, weight), bias)]


def layer(p: Problem, m: int, k: int, n: int, left: bool = False, right: bool = False) -> list[Node]:
    """gelu(x @ y + bias); `left`, `right`: the operand is a transpose."""
    g = p.graph
    x, y = (
        p.parameter(floats(*shape)) for shape in ((k, m) if left else (m, k), (n, k) if right else (k, n))
    )
    bias = p.parameter(floats(n))
    x, y = (turn(p, node) if turned else node for node, turned in ((x, left), (y, right)))
    z = e.add(g, products.matmul(g, x, y), bias)
    return [e.multiply(g, e.multiply(g, z, 0.5), e.add(g, e.erf(g, e.multiply(g, z, 0.70710678)), 1.0))]


def product(p: Problem, x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> list[Node]:
    return [products.matmul(p.graph, p.parameter(x), p.parameter(y))]


def turn(p: Problem, x: Node, *axes: int) -> Node:
    return p.graph.make(ops.permute, x, attributes=(axes or (1, 0),))


def turned(p: Problem, rows: int, columns: int) -> list[Node]:
    g, x, y = p.graph, p.parameter(floats(rows, columns)), p.parameter(floats(columns, rows))
    return [e.add(g, turn(p, x), y), e.multiply(g, turn(p, x), 2.5)]


def turned_around(p: Problem, shape: tuple[int, ...], axes: tuple[int, ...]) -> list[Node]:
    x = p.parameter(floats(*shape))
    return [e.add(p.graph, turn(p, x, *axes), 1.5)]


def heat(p: Problem, rows: int, columns: int) -> list[Node]:
    g, u = p.graph, p.parameter(floats(rows, columns))

    def part(row: int, column: int) -> Node:
        return g.make(ops.slice_, u, attributes=((row, column), (1, 1), (rows - 2, columns - 2)))

    around = e.add(g, e.add(g, part(0, 1), part(2, 1)), e.add(g, part(1, 0), part(1, 2)))
    moved = e.add(g, part(1, 1), e.multiply(g, e.subtract(g, around, e.multiply(g, part(1, 1), 4.0)), 0.1))
    return [g.make(ops.update, u, moved, attributes=((1, 1), (1, 1)))]


def every_other(p: Problem, extent: int) -> list[Node]:
    g, x = p.graph, p.parameter(floats(extent))
    part = g.make(ops.slice_, x, attributes=((extent - 1,), (-2,), (extent // 2,)))
    return [g.make(ops.update, x, e.exp(g, part), attributes=((0,), (2,)))]


def reconstruct(p: Problem, count: int) -> list[Node]:
    parts = [p.parameter(floats(3, 4 + number)) for number in range(count)]
    return [joining.concatenate(p.graph, parts, 1)]


def looped(p: Problem, rows: int, columns: int) -> list[Node]:
    g, start = p.graph, p.parameter(floats(rows, columns))
    body = Graph(g)
    index, held = body.parameter(0, (), I64), body.parameter(1, (rows, columns), F32)
    scaled = e.divide(body, held, reductions.max_(body, e.absolute(body, held), axis=1, keepdims=True))
    following = e.add(body, scaled, 1.25)
    region = Region(body, (index, held), (following,))
    loop = g.make(ops.loop, g.number(0, I64), g.number(4, I64), start, attributes=(region,))
    return [g.make(ops.item, loop, attributes=(0,))]


def power_iteration(p: Problem, extent: int) -> list[Node]:
    g, matrix, start = p.graph, p.parameter(floats(extent, extent)), p.parameter(floats(extent, 1))
    body = Graph(g)
    parameters = (
        body.parameter(0, (), I64),
        body.parameter(1, (extent, 1), F32),
        body.parameter(2, (extent, extent), F32),
    )
    _index, vector, held = parameters
    grown = e.add(body, products.matmul(body, held, vector), vector)
    following = e.divide(body, grown, reductions.max_(body, e.absolute(body, grown)))
    region = Region(body, parameters, (following,))
    loop = g.make(ops.loop, g.number(0, I64), g.number(5, I64), start, matrix, attributes=(region,))
    return [g.make(ops.item, loop, attributes=(0,))]


def chosen(p: Problem, extent: int) -> list[Node]:
    g, x = p.graph, p.parameter(floats(extent))
    arms = []
    for factor in (2.0, 3.0):
        body = Graph(g)
        held = body.parameter(0, (extent,), F32)
        arms.append(Region(body, (held,), (e.multiply(body, held, factor),)))
    taken = e.greater(g, reductions.sum(g, x), 0.0)
    return [g.make(ops.item, g.make(ops.cond, taken, x, attributes=tuple(arms)), attributes=(0,))]


PROGRAMS: dict[str, Make] = {
    "several outputs": lambda p: several(p, 50, 3),
    "several outputs of 1 axis": lambda p: several(p, 5000),
    "rank 0": lambda p: several(p),
    "empty": lambda p: several(p, 0, 4),
    "row spread": lambda p: spread(p, (5, 300), (300,)),
    "column spread": lambda p: spread(p, (40, 20), (40, 1), (20,)),
    "narrow": lambda p: spread(p, (300, 3), (3,)),
    "three axes": lambda p: spread(p, (3, 5, 40), (3, 1, 40), (5, 1)),
    **{
        f"sum of {shape} over {axis}": (lambda p, shape=shape, axis=axis: total(p, shape, axis))  # type: ignore[misc]
        for shape, axes in {
            (700,): (None,),
            (40, 70): (0, 1, None),
            (3, 700): (1,),
            (70, 5): (0,),
            (4, 20, 33): (0, 1, 2, (0, 1), (0, 2), (1, 2), None),
        }.items()
        for axis in axes
    },
    "long sum": lambda p: total(p, (70_000,), None),
    "long rows": lambda p: total(p, (2, 66_000), 1),
    "long columns": lambda p: total(p, (66_000, 20), 0),
    "extremes of rows": lambda p: extremes(p, (9, 40), 1),
    "extremes of long rows": lambda p: extremes(p, (2, 700), 1),
    "extremes of columns": lambda p: extremes(p, (40, 20), 0),
    "softmax": lambda p: softmax(p, (5, 37), 1),
    "softmax of long rows": lambda p: softmax(p, (2, 1100), 1),
    "softmax of columns": lambda p: softmax(p, (40, 37), 0),
    "softmax of rows without room": lambda p: softmax(p, (3, 500), 1),
    "layer norm": lambda p: layer_norm(p, 7, 64),
    "layer norm of long rows": lambda p: layer_norm(p, 2, 777),
    "layer": lambda p: layer(p, 35, 20, 40),
    "layer of transposes": lambda p: layer(p, 20, 33, 17, True, True),
    "vectors": lambda p: product(p, floats(50), floats(50, 3)),
    "product without inner elements": lambda p: product(p, floats(3, 0), floats(0, 4)),
    "product of integers": lambda p: product(
        p, np.arange(60, dtype=np.int32).reshape(5, 12), np.arange(36, dtype=np.int32).reshape(12, 3)
    ),
    "turned": lambda p: turned(p, 37, 50),
    "turned to the front": lambda p: turned_around(p, (3, 20, 35), (2, 0, 1)),
    "turned to the back": lambda p: turned_around(p, (20, 3, 35), (1, 2, 0)),
    "heat": lambda p: heat(p, 9, 40),
    "every other": lambda p: every_other(p, 30),
    "put together": lambda p: reconstruct(p, 10),
    "looped": lambda p: looped(p, 5, 40),
    "power iteration": lambda p: power_iteration(p, 20),
    "chosen": lambda p: chosen(p, 40),
}


@pytest.mark.parametrize("name", list(PROGRAMS))
@pytest.mark.parametrize("backend", BACKENDS)
def test_programs_on_lanes(backend: str, name: str) -> None:
    driver, machine = on(backend)
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    if backend.startswith("interpret") and sum(array.size for array in problem.arrays) > 50_000:
        pytest.skip("long for the interpreter")
    found = run(driver, problem, outputs, machine)
    for ours, meant in zip(found, problem.meant(outputs), strict=True):
        close(ours, meant)


def close(ours: np.ndarray[Any, Any], meant: np.ndarray[Any, Any]) -> None:
    if meant.dtype.kind == "f":
        np.testing.assert_allclose(ours, meant, rtol=2e-5, atol=1e-5 * max(1, np.sqrt(meant.size)))
    else:
        np.testing.assert_array_equal(ours, meant)


SUMS = [
    ((1, 513), 1),
    ((3, 512), 1),
    ((2, 20_000), 1),
    ((4, 20, 33), (0, 2)),
    ((33, 20), 0),
    ((70, 5), 0),
    ((70_000,), None),
    ((66_000, 20), 0),
    ((70, 10), 1),
    ((9, 13, 5), 1),
    ((5, 2, 7, 3), (1, 3)),
    ((16,), None),
]


@pytest.mark.parametrize(("shape", "axis"), SUMS, ids=str)
@pytest.mark.parametrize("backend", BACKENDS)
def test_sums_keep_their_bits(backend: str, shape: tuple[int, ...], axis: Any) -> None:
    """A sum, and a variance, is the same number on the processor and on every machine of lanes."""
    driver, machine = on(backend)
    if backend.startswith("interpret") and np.prod(shape) > 50_000:
        pytest.skip("long for the interpreter")
    problem = Problem()
    x = problem.parameter((floats(*shape) * 1e3).astype(np.float32))
    outputs = [make(problem.graph, x, axis=axis) for make in (reductions.sum, reductions.var)]
    found = run(driver, problem, outputs, machine)
    for ours, processors in zip(found, compute(problem.graph, outputs, problem.arrays), strict=True):
        np.testing.assert_array_equal(ours, processors)


# Structure -------------------------------------------------------------------------------------------
def kernels(make: Make, machine: Machine = WEBGPU) -> list[Any]:
    problem = Problem()
    return list(lower(make(problem), problem.strides(), machine)[0].kernels)


def test_a_product_is_one_kernel_with_what_follows() -> None:
    (kernel,) = kernels(lambda p: layer(p, 35, 20, 40))
    assert kernel.workgroup == 256
    assert len(kernel.buffers) == 4


def test_softmax_and_norm_are_one_kernel() -> None:
    for make in (PROGRAMS["softmax"], PROGRAMS["softmax of columns"], PROGRAMS["layer norm"]):
        assert len(kernels(make)) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda p: softmax(p, (300, 10), 1),
        lambda p: [reductions.sum(p.graph, p.parameter(floats(300, 8, 8)), axis=1)],
        lambda p: [products.matmul(p.graph, *(p.parameter(floats(300, 4, 4)) for _ in range(2)))],
        lambda p: [products.matmul(p.graph, p.parameter(floats(300, 3)), p.parameter(floats(3, 5)))],
    ],
    ids=["softmax", "columns of a stack", "products of a stack", "points"],
)  # fmt: skip
def test_lanes_have_short_rows_and_small_matrices_to_themselves(make: Make) -> None:
    """Nobody waits for others, and each workgroup has results for all of its lanes."""
    (kernel,) = kernels(make)
    inside = {each.op.name for each in walk(kernel.body)}
    assert not inside & {"barrier", "shuffle_down"}, inside


def held_kernels(make: Make, machine: Machine = WEBGPU) -> tuple[int, int]:
    """How often a program's kernel computes exp and loads from its first array, as it is written."""
    (kernel,) = kernels(make, machine)
    inside = list(walk(kernel.body))
    loads = [each for each in inside if each.op.name == "load" and each.operands[0] is kernel.buffers[0]]
    return sum(each.op.name == "exp" for each in inside), len(loads)


FIRST_PASS = AHEAD + 1
"""Loads are written for several elements at a time, and for one."""


@pytest.mark.parametrize("columns", [37, 480, 700, 2048, 3000])
def test_what_passes_over_a_row_share_is_held(columns: int) -> None:
    assert held_kernels(lambda p: softmax(p, (2, columns), 1)) == (1, FIRST_PASS)
    assert held_kernels(lambda p: layer_norm(p, 2, columns)) == (0, FIRST_PASS)


def test_rows_that_find_no_room_are_computed_again() -> None:
    assert held_kernels(lambda p: softmax(p, (2, 500), 1)) == (2, FIRST_PASS + 2), "8 rows take 16 KB"
    assert held_kernels(lambda p: softmax(p, (2, 4000), 1)) == (2, FIRST_PASS + 2)
    roomy = machine_for(1024, 49152, 31, library_products=False)
    for columns in (500, 4000, 8192):
        assert held_kernels(lambda p: softmax(p, (2, columns), 1), roomy) == (1, FIRST_PASS)  # noqa: B023
    assert held_kernels(lambda p: softmax(p, (2, 9000), 1), roomy) == (2, FIRST_PASS + 2)


def test_shared_memory_holds_values_one_after_the_other() -> None:
    """What softmax loads makes room for the powers; a row of a team, a row of a workgroup."""
    for columns, elements in ((37, 8 * 480), (700, 2048)):
        (kernel,) = kernels(lambda p: softmax(p, (2, columns), 1))  # noqa: B023
        sizes = [i.attributes["size"] for i in walk(kernel.body) if i.op.name == "allocate"]
        assert sorted(sizes) == sorted((256, elements))


def test_what_a_row_has_in_common_is_no_reason_to_hold_values() -> None:
    """x * exp(mean) is needed by two passes, and is a product of what is held and what the row knows."""

    def make(p: Problem) -> list[Node]:
        g, x = p.graph, p.parameter(floats(2, 600))
        grown = e.multiply(g, x, e.exp(g, reductions.mean(g, x, axis=-1, keepdims=True)))
        total = reductions.sum(g, e.multiply(g, grown, grown), axis=-1, keepdims=True)
        return [e.multiply(g, grown, total)]

    (kernel,) = kernels(make)
    inside = list(walk(kernel.body))
    (held,) = [i.result for i in inside if i.op.name == "allocate" and i.attributes["size"] > 256]
    stores = [i for i in inside if i.op.name == "store" and i.operands[0] is held]
    assert len(stores) == FIRST_PASS
    problem = Problem()
    outputs = make(problem)
    for ours, meant in zip(run(Interpreter(), problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        close(ours, meant)


@pytest.mark.parametrize("after", [False, True])
def test_scans_down_columns_load_several_elements_at_a_time(after: bool) -> None:
    def make(p: Problem) -> list[Node]:
        g = p.graph
        scanned = g.make(ops.scan, p.parameter(floats(70, 40)), attributes=("sum", 0))
        return [scanned, e.multiply(g, scanned, e.add(g, scanned, 1.5))] if after else [scanned]

    (kernel,) = kernels(make)
    loops = [each for each in walk(kernel.body) if each.op.name == "for"]
    loads = [[i.op.name for i in loop.blocks[0].instructions].index("store") for loop in loops]
    names = [i.op.name for i in loops[0].blocks[0].instructions[: loads[0]]]
    assert names.count("load") == SCANNED_AHEAD
    problem = Problem()
    outputs = make(problem)
    for ours, meant in zip(run(Interpreter(), problem, outputs, SMALL), problem.meant(outputs), strict=True):
        close(ours, meant)


def test_no_size_in_kernels_of_lanes() -> None:
    for make in (
        lambda p, n: layer(p, n, n + 12, n + 44),
        lambda p, n: turned(p, n, n + 25),
        lambda p, n: softmax(p, (n, n + 3), 1),
        lambda p, n: softmax(p, (n, n + 3), 0),
        lambda p, n: heat(p, n, n + 40),
        lambda p, n: several(p, n, n + 2),
    ):
        texts = [[kernel_text(kernel) for kernel in kernels(lambda p: make(p, n))] for n in (33, 77)]  # noqa: B023
        assert texts[0] == texts[1]


def test_processors_run_loops_that_their_compiler_makes_vectors_of() -> None:
    """No workgroups, no shared memory, no scan loops; and no loop inside of one along the lanes."""
    for name, make in PROGRAMS.items():
        for kernel in kernels(make, COMPILED):
            assert kernel.workgroup == 1, name
            for each in walk(kernel.body):
                assert each.attributes.get("space", "private") == "private", name
                assert each.attributes.get("kind") != "scan", name
                if each.attributes.get("kind") == "lanes":
                    assert not [inner for inner in walk(each.blocks[0]) if inner.op.name == "for"], name


def test_machines_of_few_limits() -> None:
    assert machine_for(1024, 49152, 31, True).lanes == 256
    assert machine_for(100, 16384, 8, False).lanes == 64
    assert machine_for(16, 16384, 8, False).lanes == 1
    assert machine_for(256, 1024, 8, False).lanes == 1
    with pytest.raises(ValueError, match="kernels of 2 buffers"):
        machine_for(256, 16384, 2, False)
    with pytest.raises(ValueError, match="kernels of 3 buffers"):
        processor_for(3, False)
