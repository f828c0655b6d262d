"""Long rows on a processor: the columns of a matrix, twiddle factors, and then its rows, each in the cache.

The points of a row are a matrix of `down` rows and `across` columns. Its columns are transformed, column j is
multiplied by powers of the j-th root, and the results become the rows of another matrix, whose columns are
transformed again: these are the frequencies, in order (W. Gentleman, G. Sande, Fast Fourier transforms for
fun and profit, 1966; D. Bailey, FFTs in external or hierarchical memory, 1990).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.expr import const, equal, mul
from ....ir.types import F64
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory as Placed
from .butterflies import Complex
from .columns import ColumnsKernel, fit, scratch_of, write_columns
from .factors import root
from .stages import Memory, Planes
from .tiles import lanes_of

if TYPE_CHECKING:
    from . import Transform

MOST_SIDE = 4096
"""The most points of a column whose tile stays in the cache."""


def sides_of(points: int) -> tuple[int, int] | None:
    """Returns the numbers of rows and columns of the matrix, nearly equal; None where one of them is too
    large."""
    for down in range(math.isqrt(points), lanes_of(F64) * 2 - 1, -1):
        if points // down > MOST_SIDE:
            break
        if points % down == 0 and fit(down) and fit(points // down):
            return down, points // down
    return None


def columns_together(transform: Transform) -> int:
    """Returns the number of columns after the axis where each tile has all of them; 0 where they are
    transformed otherwise."""
    if not transform.points or not sides_of(transform.points):
        return 0
    counts = [count for count in (2, 4, 8) if count < lanes_of(transform.dtype)]
    return next((each for each in counts if transform.lowering.decide(equal(transform.columns, each))), 0)


def transform_long_rows(transforms: Sequence[Transform], together: int = 1) -> None:
    """Transforms long rows; `together`: the number of columns after the axis in a tile, or 0."""
    (transform,) = transforms
    sides = sides_of(transform.points)
    assert sides is not None
    down, across = sides
    elements = const(2 * transform.points * together)
    middle = scratch_of(transform, transform.dtype, mul(transform.rows, elements))
    name, rows = f"fft_{transform.points}", transform.rows
    first, second = transform.part(epilogue=None), transform.part(prologue=None, source=middle)
    kernel = ColumnsKernel([first], f"{name}_columns", down, const(across * together), rows, of_rows=True)
    _write_first(kernel, first, middle, together)
    kernel = ColumnsKernel([second], f"{name}_rows", across, const(down * together), rows, of_rows=True)
    write_columns(kernel, [second], False)


def _write_first(kernel: ColumnsKernel, transform: Transform, middle: Placed, together: int) -> None:
    """Stores the transforms of columns, times their twiddle factors, as rows of `middle`."""
    source, target = kernel.source_of(transform, transform.backward), kernel.buffer(middle, "out")
    factors = _Factors(kernel, together)
    scratch, own = kernel.allocate_scratch(factors.size)
    with kernel.tiles() as tile:
        factors.write(scratch, own + 2 * kernel.tile.size, tile.first // together)
        kernel.stages.write(
            source(tile),
            factors.applied(kernel.planes(scratch, own, 0)),
            lambda left: kernel.planes(scratch, own, left % 2),
        )
        lanes = range(0, kernel.lanes, together)
        starts = [tile.start + (tile.first + lane) * (2 * kernel.points) for lane in lanes]
        kernel.tile.give(target, starts, scratch, own, 2 * kernel.points, together)
    kernel.launch_groups()


class _Factors:
    """The twiddle factors of a tile: point k of column j is multiplied by the root of all points to the power
    of j k.

    For k = q + r * alike, as in the last pass, one table has the powers for q, and one those for r.
    """

    def __init__(self, kernel: ColumnsKernel, together: int) -> None:
        self.kernel, self.build = kernel, kernel.build
        self.alike, self.radix = kernel.stages.stored
        self.row = 2 * kernel.lanes
        self.size = self.row * (self.alike + self.radix)
        points = kernel.transform.points
        self.coarse = 1 << (points.bit_length() // 2)
        powers = [root(k, points) for k in range(self.coarse)]
        self._fine = self._table(powers)
        self._coarse = self._table([root(k * self.coarse, points) for k in range(-(-points // self.coarse))])
        self._steps = {
            step: self._table(
                [
                    root(k * step * (lane // together), points)
                    for k in range(count)
                    for lane in range(kernel.lanes)
                ]
            )
            for step, count in ((1, self.alike), (self.alike, self.radix))
        }

    def _table(self, roots: Sequence[tuple[float, float]]) -> tuple[Buffer, Buffer]:
        re, im = zip(*roots, strict=True)
        return self.build.table(F64, re), self.build.table(F64, im)

    def write(self, buffer: Buffer, base: Value, column: Value) -> None:
        """Computes the tables of the tile that begins with a column."""
        build, lanes = self.build, self.kernel.lanes
        tables = []
        for step, count in ((1, self.alike), (self.alike, self.radix)):
            planes = Planes(build, buffer, base, lanes, self.row)
            with build.loop(0, count) as (k,):
                power = self._power(k * column * step)
                with build.loop(0, lanes, kind="lanes") as (lane,):
                    of_lane = Complex(*(build.load(each, k * lanes + lane) for each in self._steps[step]))
                    made = of_lane * power
                    planes.store(k, 0, lane, Complex(*(build.cast(part, buffer.dtype) for part in made)))
            tables.append(planes)
            base = base + self.row * count
        self.of_alike, self.of_radix = tables

    def _power(self, power: Value) -> Complex:
        coarse, fine = (
            Complex(*(self.build.load(buffer, place) for buffer in table))
            for table, place in zip((self._coarse, self._fine), divmod(power, self.coarse), strict=True)
        )
        return coarse * fine

    def applied(self, target: Planes) -> Memory:
        return _Multiplied(self, target)


class _Multiplied:
    """A destination that stores values times their twiddle factors."""

    def __init__(self, factors: _Factors, target: Planes) -> None:
        self.factors, self.target = factors, target

    def load(self, point: Value, offset: int, lane: Value) -> Complex:
        return self.target.load(point, offset, lane)

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None:
        factors = self.factors
        factor = factors.of_alike.load(point, 0, lane)
        if offset:
            zero = factors.build.constant(0)
            factor = factor * factors.of_radix.load(zero, offset // factors.alike, lane)
        self.target.store(point, offset, lane, value * factor)
