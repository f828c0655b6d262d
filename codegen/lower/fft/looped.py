"""Passes over a large prime number of points: loops, where an unrolled butterfly would be long code.

There are two passes, each over consecutive positions with equal factors. The first computes sums and
differences of opposite points, and the second sums these times cosines and sines, for several results at a
time: the formula of an odd number of points in `butterflies`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernel.nodes import Buffer, Value
from .butterflies import Complex, fused, number
from .factors import Pass, root

if TYPE_CHECKING:
    from .stages import Place

BLOCK = 4
"""Results whose sums are in registers at a time: a loaded sum and difference serve all of them."""


def _blocks(radix: int) -> list[range]:
    """Yields the blocks of results in the lower half, without the first result."""
    half = radix // 2
    return [range(first, min(first + BLOCK, half + 1)) for first in range(1, half + 1, BLOCK)]


def roots_of_blocks(radix: int) -> list[float]:
    """Returns cosines and sines in the order of a block: for each point those of its results."""
    return [
        part
        for block in _blocks(radix)
        for j in range(1, radix // 2 + 1)
        for k in block
        for part in root(j * (radix - k), radix)
    ]


def write_sums(each: Pass, source: Place, target: Place, lane: Value) -> None:
    """Writes the first point, the sums x[j] + x[n - j], and then the differences x[j] - x[n - j]."""
    (read, point), (written, to) = source, target
    build, radix, apart = point.build, each.radix, each.alike
    written.store(to, 0, lane, read.load(point, 0, lane))
    with build.loop(1, radix // 2 + 1) as (j,):
        places = j * apart, (radix - j) * apart
        x, y = (read.load(point + place, 0, lane) for place in places)
        for place, value in zip(places, (x + y, x - y), strict=True):
            written.store(to + place, 0, lane, value)


def write_looped(each: Pass, table: Buffer, source: Place, target: Place, lane: Value) -> None:
    """Writes the transform of the results of `write_sums`."""
    (read, point), (written, to) = source, target
    build, radix, apart = point.build, each.radix, each.alike
    half = radix // 2
    first = read.load(point, 0, lane)
    total = build.carry(
        1,
        half + 1,
        tuple(first),
        lambda j, *sums: tuple(Complex(*sums) + read.load(point + j * apart, 0, lane)),
    )
    written.store(to, 0, lane, Complex(*total))
    nothing = number(build, table.dtype)

    def block(start: Value, count: int) -> None:
        """Writes results start + 1, start + 2, ... and their opposites."""

        def add(j: Value, *sums: Value) -> list[Value]:
            plus = read.load(point + j * apart, 0, lane)
            minus = read.load(point + (radix - j) * apart, 0, lane)
            place = start * (2 * half) + (j - 1) * (2 * count)
            values = []
            for k in range(count):
                cosine, sine = (build.load(table, place + (2 * k + part)) for part in (0, 1))
                even_re, even_im, odd_re, odd_im = sums[4 * k : 4 * k + 4]
                values += [fused(plus.re, cosine, even_re), fused(plus.im, cosine, even_im)]
                values += [fused(minus.re, sine, odd_re), fused(minus.im, sine, odd_im)]
            return values

        sums = build.carry(1, half + 1, (*first, *nothing) * count, add)
        for k in range(count):
            even, odd = Complex(*sums[4 * k : 4 * k + 2]), Complex(*sums[4 * k + 2 : 4 * k + 4])
            result = start + (k + 1)
            written.store(to + result * apart, 0, lane, even.less_rotated(odd))
            written.store(to + (radix - result) * apart, 0, lane, even.plus_rotated(odd))

    whole = half // BLOCK * BLOCK
    with build.loop(0, whole, BLOCK) as (start,):
        block(start, BLOCK)
    if whole < half:
        block(build.constant(whole), half - whole)
