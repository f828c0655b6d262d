"""Rows on a processor: a workgroup takes some, each through all of its passes while it is in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, const, mul
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from ..written_kernel import WrittenKernel
from .chirp import stages_for
from .stages import Memory, Parts, Planes

if TYPE_CHECKING:
    from . import Transform

AT_ONCE = 4096
"""Points of a workgroup, about."""
FEW = 8
"""Points of rows that vectors go across, whatever lies between them."""


class Pairs(Parts):
    """A row of complex numbers, the parts of each side by side."""

    def __init__(
        self, build: KernelBuilder, buffer: Buffer, start: Value, swapped: bool, scale: float = 1.0
    ) -> None:
        super().__init__(build, buffer, swapped, scale)
        self.start = start

    def _places(self, point: Value, offset: int, _lane: Value) -> list[Value]:
        place = self.start + point * 2
        return [place + (2 * offset + part) for part in (0, 1)]


def transform_rows(transform: Transform) -> None:
    """Complex rows to complex rows."""
    points, rows = transform.points, transform.rows
    kernel = WrittenKernel(transform.lowering, transform.scope, f"fft_{points}")
    build = kernel.build
    source, result = kernel.buffer(transform.source, "in"), kernel.buffer(transform.result, "inout")
    stages = stages_for(build, transform.dtype, points)
    passes = len(stages.passes)
    scratch = build.allocate(transform.dtype, 2 * points) if passes > 1 else result

    def of_row(row: Value) -> None:
        start = build.mul(row, build.constant(2 * points))

        def between(left: int) -> Memory:
            if left % 2:
                return Planes(build, scratch, build.constant(0), points)
            return Planes(build, result, start, points)

        stages.write(
            Pairs(build, source, start, transform.backward),
            Pairs(build, result, start, transform.backward, transform.scale),
            between,
        )

    height = max(1, AT_ONCE // points)
    across = passes == 1 and points < FEW
    first = build.mul(build.group_id(), build.constant(height))
    last = build.emit("minimum", (build.add(first, build.constant(height)), kernel.index(rows)))
    with build.loop(first, last, kind="lanes" if across else "serial") as (row,):
        of_row(row)
    kernel.launch(ceil_div(rows, height), cost_of(rows, points, passes))


def cost_of(rows: Expr, points: int, passes: int) -> Expr:
    """Nanoseconds, about."""
    return mul(rows, const(points * (4 + passes) // 8 + 1))
