"""Rows on devices of many lanes: a workgroup takes one through all of its passes, in shared memory.

Each lane takes a group of points at a time; the passes are those of `stages`. The roots of unity are computed
before them: devices read large constant tables slowly, and compile them more slowly still.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, const, mul
from ...kernel.nodes import Value
from ..writing.writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .butterflies import transform as transform_few
from .columns import scratch_of
from .factors import passes_of
from .rows import Pairs, cost_of
from .stages import Memory, Planes
from .tiles import Columns

if TYPE_CHECKING:
    from . import Transform

LARGEST_POWER = 3
"""Of two, of a pass: a lane has fewer registers than a processor's thread."""


LARGEST_FACTOR = 23


def shared_bytes_of(transform: Transform) -> int:
    """What a row needs: the points before a pass and those after it."""
    return 4 * transform.points * transform.dtype.itemsize


def transform_on_lanes(transforms: Sequence[Transform]) -> None:
    (transform,) = transforms
    assert transform.source is not None and transform.result is not None
    points, dtype, lanes = transform.points, transform.dtype, transform.lowering.machine.lanes
    passes = passes_of(points, LARGEST_POWER)
    made_roots = _roots(transform) if len(passes) > 1 else None
    kernel = WrittenKernel(transform.lowering, transform.scope, f"fft_{points}", lanes)
    build = kernel.build
    source, result = kernel.buffer(transform.source, "in"), kernel.buffer(transform.result, "out")
    roots = (
        None
        if made_roots is None
        else Pairs(build, kernel.buffer(made_roots, "in"), build.constant(0), False)
    )
    zero = build.constant(0)
    shared = [build.allocate(dtype, 2 * points, "shared") for _ in passes[1:3]]
    columns = kernel.index(transform.columns)
    matrix, column = divmod(build.group_id(), columns)
    step = columns * 2
    start = matrix * (step * points) + column * 2
    read: Memory = Columns(build, source, start, step, transform.backward)
    for number, each in enumerate(passes):
        last = number == len(passes) - 1
        written: Memory = (
            Columns(build, result, start, step, transform.backward, transform.scale)
            if last
            else Planes(build, shared[number % 2], zero, points)
        )
        count = points // each.radix
        with build.loop(build.lane_id(), count, lanes) as (t,):
            made = transform_few([read.load(t, j * count, zero) for j in range(each.radix)])
            to = t
            if roots is not None and not last:
                p = t // each.alike if number else t
                for k in range(1, each.radix):
                    made[k] = made[k] * roots.load(p * (k * each.alike), 0, zero)
                to = t + p * (each.alike * (each.radix - 1))
            for k, value in enumerate(made):
                written.store(to, k * each.alike, zero, value)
        if not last:
            build.barrier(number)
        read = written
    groups: Expr = mul(transform.rows, transform.columns)
    kernel.launch(groups, cost_of(groups, points, len(passes)))


def _roots(transform: Transform) -> Placed:
    """exp(-2 pi i k / points) of each k, from angles of at most an eighth of a turn."""
    points, dtype, lanes = transform.points, transform.dtype, transform.lowering.machine.lanes
    memory = scratch_of(transform, dtype, const(2 * points))
    kernel = WrittenKernel(transform.lowering, transform.scope, "roots_of_unity", lanes)
    build = kernel.build
    target = Pairs(build, kernel.buffer(memory, "out"), build.constant(0), False)
    k = build.group_id() * lanes + build.lane_id()

    def mirrored(place: Value, most: int, beyond: int) -> tuple[Value, Value]:
        """The place, or what it is from `beyond` if it is above `most`, and whether it is."""
        above = place > most
        return build.select(above, beyond - place, place), above

    with build.when(k < points):
        place, conjugate = mirrored(k * 8, 4 * points, 8 * points)
        place, left = mirrored(place, 2 * points, 4 * points)
        place, steep = mirrored(place, points, 2 * points)
        angle = build.cast(place, dtype) * (math.pi / (4 * points))
        cosine, sine = (build.emit(name, (angle,)) for name in ("cos", "sin"))
        re, im = build.select(steep, sine, cosine), build.select(steep, cosine, sine)
        re, im = build.select(left, -re, re), build.select(conjugate, im, -im)
        target.store(k, 0, build.constant(0), Complex(re, im))
    kernel.launch(ceil_div(const(points), lanes), const(points))
    return memory
