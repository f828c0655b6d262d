"""Products of small matrices for workgroups of many lanes: each lane computes a result of its own.

A tile in shared memory (`lanes_products`) would be mostly empty. Neighbouring lanes have neighbouring
results, of the next matrices too. The bits are those of tiles: products are added in the order of the inner
axis, from zero.
"""

from __future__ import annotations

from ....ir import ops
from ....ir.expr import Expr
from ...kernel.nodes import Value
from ..writing.accumulators import add_product
from ..writing.context import GroupWriter
from .panels import operands_of, store_product


def write_small_product_on_lanes(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    build, machine = writing.build, writing.context.machine
    stage = writing.group.stages[0]
    *_, row, column = stage.axes
    dtype = ops.accumulator(stage.node.dtype)
    with writing.lane_each(stage.axes, machine.lanes, build.group_id()) as workgroups:
        x, y, inner = operands_of(writing)
        axes = writing.writer.axes
        line, down = x.start + axes[row] * x.row, y.start + axes[column] * y.column

        def step(k: Value, total: Value) -> list[Value]:
            left, right = build.load(x.buffer, line + k * x.column), build.load(y.buffer, down + k * y.row)
            return [add_product(build, total, build.cast(left, dtype), build.cast(right, dtype), machine.fma)]

        (total,) = build.carry(0, inner, [build.constant(0, dtype)], step)
        store_product(writing, total)
    return workgroups
