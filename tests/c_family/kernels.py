"""Kernels that are spelled, run and reviewed: one from the graph, two of workgroups, one elementwise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.lower.machine import PROCESSOR
from jitframe.codegen.lower.program import lower_program
from jitframe.codegen.plan.bind import PlanTemplate
from jitframe.codegen.plan.nodes import Launch
from jitframe.functions import elementwise, reductions
from jitframe.ir.expr import Expr
from jitframe.ir.expr import evaluate as evaluate_expr
from jitframe.ir.node import Graph, Walk
from jitframe.ir.passes.legalize import legalize
from jitframe.ir.record import replace
from jitframe.ir.structure import find_structure
from jitframe.ir.symbolize import symbolize
from jitframe.ir.types import BOOL, F32, I32, U8

TILE = 16
DEVICE = replace(PROCESSOR, streams=False)
"""A processor that another language is for: its results cannot go past the caches."""


def softmax(rows: int, columns: int) -> tuple[Kernel, list[int], int]:
    """The one kernel of softmax over the last axis, with the indices and workgroups of a launch."""
    graph = Graph()
    x = graph.parameter(0, (rows, columns), F32)
    shifted = elementwise.subtract(graph, x, reductions.max_(graph, x, axis=-1, keepdims=True))
    powers = elementwise.exp(graph, shifted)
    y = elementwise.divide(graph, powers, reductions.sum(graph, powers, axis=-1, keepdims=True))
    structure = find_structure([y])

    def decide(condition: Expr) -> bool:
        return bool(evaluate_expr(condition, structure.sizes))

    _, symbolic = symbolize((y,))
    lowered = lower_program(
        legalize(Graph(), Walk(symbolic)), len(structure.sizes), 1, (), decide, machine=DEVICE
    )
    facts = {"device.stream_bytes": 8 << 20, "device.threads": 2}
    bound = PlanTemplate(lowered.plan).bind(structure.sizes, facts)
    (step,) = [step for step in bound.steps if isinstance(step, Launch)]
    assert not step.scalars
    return bound.kernels[step.kernel], list(step.indices), step.groups


def transpose() -> Kernel:
    """y[column, row] = x[row, column] by tiles of TILE x TILE in shared memory, TILE x 4 lanes each."""
    build = KernelBuilder("transpose")
    x, y = build.buffer(F32, "in"), build.buffer(F32, "out")
    rows, columns, tiles = build.index(), build.index(), build.index()
    side = build.constant(TILE)
    tile = build.allocate(F32, TILE * (TILE + 1), "shared")  # a padded row keeps banks apart
    pitch = build.constant(TILE + 1)
    group, lane = build.group_id(), build.lane_id()
    top = build.mul(build.emit("quotient", (group, tiles)), side)
    left = build.mul(build.emit("remainder", (group, tiles)), side)
    across, down = build.emit("remainder", (lane, side)), build.emit("quotient", (lane, side))

    def inside(row: Value, column: Value) -> Value:
        return build.emit("and", (build.emit("lt", (row, rows)), build.emit("lt", (column, columns))))

    step = build.constant(4)
    with build.loop(down, side, step) as (line,):
        row, column = build.add(top, line), build.add(left, across)
        value = build.load(x, build.add(build.mul(row, columns), column), inside(row, column))
        build.store(tile, build.add(build.mul(line, pitch), across), value)
    build.barrier(0)
    with build.loop(down, side, step) as (line,):
        row, column = build.add(top, across), build.add(left, line)
        value = build.load(tile, build.add(build.mul(across, pitch), line))
        build.store(y, build.add(build.mul(column, rows), row), value, inside(row, column))
    return build.finish(TILE * 4)


def workgroup_sum() -> Kernel:
    """Sums of stretches of 64 elements, one a workgroup, by halves through shared memory."""
    build = KernelBuilder("sum")
    x, y, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    shared = build.allocate(F32, 64, "shared")
    group, lane = build.group_id(), build.lane_id()
    position = build.add(build.mul(group, build.constant(64)), lane)
    build.store(shared, lane, build.load(x, position, build.emit("lt", (position, extent))))
    build.barrier(0)
    for number, half in enumerate((32, 16, 8, 4, 2, 1), 1):
        with build.when(build.emit("lt", (lane, build.constant(half)))):
            other = build.load(shared, build.add(lane, build.constant(half)))
            build.store(shared, lane, build.add(build.load(shared, lane), other))
        build.barrier(number)
    with build.when(build.emit("eq", (lane, build.constant(0)))):
        build.store(y, group, build.load(shared, build.constant(0)))
    return build.finish(64)


def several_outputs() -> Kernel:
    """From x and a run-time scalar: scaled floats, whether they are large, steps of four, bytes."""
    build = KernelBuilder("several_outputs")
    x = build.buffer(F32, "in")
    scaled, large = build.buffer(F32, "out"), build.buffer(BOOL, "out")
    steps, levels = build.buffer(I32, "out"), build.buffer(U8, "out")
    tile, extent, factor, limit = build.index(), build.index(), build.scalar(F32), build.scalar(I32)
    begin = build.mul(build.group_id(), tile)
    end = build.emit("minimum", (build.add(begin, tile), extent))
    with build.loop(begin, end, kind="lanes") as (i,):
        value = build.mul(build.load(x, i), factor)
        build.store(scaled, i, build.emit("maximum", (value, build.constant(-0.0, F32))))
        build.store(large, i, build.emit("gt", (value, build.constant(1.0, F32))))
        whole = build.cast(build.emit("rint", (value,)), I32)
        build.store(steps, i, build.emit("floordiv", (whole, limit)))
        build.store(levels, i, build.cast(whole, U8))
    return build.finish()


def scaled_sum() -> Kernel:
    """z = factor x + y in tiles of 2048 elements, as lowering writes it for a GPU."""
    build = KernelBuilder("scaled_sum")
    x, y, z = build.buffer(F32, "in"), build.buffer(F32, "in"), build.buffer(F32, "out")
    extent, factor, tile = build.index(), build.scalar(F32), build.constant(2048)
    begin = build.mul(build.group_id(), tile)
    end = build.emit("minimum", (build.add(begin, tile), extent))
    with build.loop(begin, end, kind="lanes") as (i,):
        build.store(z, i, build.add(build.mul(factor, build.load(x, i)), build.load(y, i)))
    return build.finish()


KERNELS: dict[str, Callable[[], Kernel]] = {
    "softmax": lambda: softmax(5, 37)[0],
    "transpose": transpose,
    "sum": workgroup_sum,
    "several_outputs": several_outputs,
    "scaled_sum": scaled_sum,
}


def awkward(generator: np.random.Generator, size: int) -> np.ndarray:
    """Floats with the awkward ones among them."""
    values = generator.normal(0, 3, size).astype(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 3e38, 1e30, -2.5, 2.5, 1e-30], np.float32)
    places = generator.integers(0, size, min(size, len(special)))
    values[places] = special[: len(places)]
    return values
