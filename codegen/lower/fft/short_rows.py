"""Many short rows on a processor, a tile of them in the lanes of vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.expr import ceil_div
from ..written_kernel import WrittenKernel
from .chirp import stages_for
from .rows import AT_ONCE, cost_of
from .stages import Memory
from .tiles import Tile, lanes_of

if TYPE_CHECKING:
    from . import Transform


def transform_short_rows(transform: Transform) -> None:
    """The rows are at least as many as the lanes of a tile: the last tile begins so that it is whole."""
    points, dtype, rows = transform.points, transform.dtype, transform.rows
    kernel = WrittenKernel(transform.lowering, transform.scope, f"fft_{points}_side_by_side")
    build = kernel.build
    source, result = kernel.buffer(transform.source, "in"), kernel.buffer(transform.result, "out")
    lanes, tile = lanes_of(dtype), Tile(build, dtype, points)
    stages = stages_for(build, dtype, points, lanes)
    scratch = [build.allocate(dtype, tile.size) for _ in range(2)]
    zero, width = build.constant(0), build.constant(lanes)
    passes = len(stages.passes)

    def between(left: int) -> Memory:
        return tile.planes(scratch[left % 2], zero)

    together = max(1, AT_ONCE // (points * lanes))
    tiles = ceil_div(rows, lanes)
    first = build.mul(build.group_id(), build.constant(together))
    last = build.emit("minimum", (build.add(first, build.constant(together)), kernel.index(tiles)))
    with build.loop(first, last) as (number,):
        whole = build.sub(kernel.index(rows), width)
        row = build.emit("minimum", (build.mul(number, width), whole))
        starts = tile.starts(build.mul(row, build.constant(2 * points)))
        tile.take(source, starts, scratch[passes % 2], zero)
        stages.write(
            tile.planes(scratch[passes % 2], zero, transform.backward),
            tile.planes(scratch[0], zero, transform.backward, transform.scale),
            between,
        )
        tile.give(result, starts, scratch[0], zero)
    kernel.launch(ceil_div(tiles, together), cost_of(rows, points, passes))
