"""Weights of convolutions of 3 x 3, transformed once for all squares of an image (`winograd.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import ONE, Expr, ceil_div, lift
from ....ir.node import Node
from ....ir.passes.winograd import PLACES, SUMS
from ...kernel.nodes import Value
from ...plan.nodes import BufferRef
from ..machine import Machine
from ..writing.writer import Memory, memory_of_view
from ..written_kernel import WrittenKernel
from .packed_products import FEWEST_SUMS, MOST_SUMS

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

SIDE = 4
"""Elements along either side of a square of the image, and of its sums."""
VECTOR = 16
"""Lanes of the widest registers."""
APART = 8
"""Elements from channel to channel: a power of two of rows are interleaved in registers."""


def rows_together(machine: Machine) -> int:
    """Returns the number of rows that are summed together."""
    return MOST_SUMS if machine.vector_registers >= 32 else FEWEST_SUMS


def pitch_of_weights(channels: Expr) -> Expr:
    """Returns the distance of transformed weights of one element of a square from those of the next one:
    these are in other sets of a cache."""
    return ceil_div(channels, VECTOR) * (VECTOR * APART) + VECTOR


@ops.winograd_weights.defines("lower")
def lower_winograd_weights(lowering: Lowering, node: Node, scope: Scope) -> None:
    """One launch, with a workgroup for the rows that are summed together, whose elements are adjacent:
    [rows / together, sums, channels, rows]. The last row is repeated as padding."""
    (matrix,) = node.inputs
    memory = memory_of_view(matrix, scope.memories)
    together = rows_together(lowering.machine)
    rows, channels = lift(matrix.shape[0]), lift(matrix.shape[1]) // PLACES
    groups = ceil_div(rows, together)
    shape = (groups, lift(SUMS), pitch_of_weights(channels))
    result = lowering.allocate(shape, matrix.dtype, scope)
    kernel = WrittenKernel(lowering, scope, "transform_weights")
    build = kernel.build
    source = kernel.buffer_of(BufferRef(memory.buffer), memory.dtype, "in")
    transformed = kernel.buffer(result, "out")
    windows = build.allocate(matrix.dtype, VECTOR * VECTOR)
    made = build.allocate(matrix.dtype, SUMS * together * VECTOR)
    down, along = map(kernel.index, memory.strides)
    group, count, last = build.group_id(), kernel.index(channels), kernel.index(rows) - 1
    pitch = kernel.index(pitch_of_weights(channels))
    with build.loop(0, count, VECTOR) as (first,):
        with build.loop(0, together) as (number,):
            row = build.minimum(group * together + number, last)
            start = kernel.index(memory.offset) + row * down
            followed = first + VECTOR < count
            with build.when(followed), build.loop(0, VECTOR, kind="lanes") as (lane,):
                # A square is transposed in registers: along the places of a window, and beyond.
                places = [start + ((first + each) * PLACES + lane) * along for each in range(VECTOR)]
                for each, value in enumerate([build.load(source, place) for place in places]):
                    build.store(windows, lane * VECTOR + each, value)
            with (
                build.when(~followed),
                build.loop(0, PLACES) as (place,),
                build.loop(0, count - first, kind="lanes") as (lane,),
            ):
                value = build.load(source, start + ((first + lane) * PLACES + place) * along)
                build.store(windows, place * VECTOR + lane, value)
            with build.loop(0, VECTOR, kind="lanes") as (lane,):
                window = [
                    [build.load(windows, lane + (r * 3 + c) * VECTOR) for c in range(3)] for r in range(3)
                ]
                across = [_transformed(line) for line in window]
                for column, elements in enumerate(map(_transformed, zip(*across, strict=True))):
                    for line, value in enumerate(elements):
                        at = ((line * SIDE + column) * together + number) * VECTOR
                        build.store(made, at + lane, value)
        with build.loop(0, SUMS) as (element,), build.loop(0, VECTOR, kind="lanes") as (lane,):
            to = (group * SUMS + element) * pitch + (first + lane) * APART
            rows_of = [min(each, together - 1) for each in range(APART)]
            values = [build.load(made, (element * together + each) * VECTOR + lane) for each in rows_of]
            for each, value in enumerate(values):
                build.store(transformed, to + each, value)
    kernel.launch(groups, channels * SUMS * together)
    scope.tuples[node] = [Memory(result.buffer, matrix.dtype, (channels, ONE))]


def _transformed(g: Sequence[Value]) -> list[Value]:
    """G g."""
    half = (g[0] + g[2]) * 0.5
    middle = g[1] * 0.5
    return [g[0], half + middle, half - middle, g[2]]
