"""Many short rows on a processor, a tile of them in the lanes of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import ceil_div
from ...kernel.nodes import Buffer, Value
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .chirp import stages_for
from .factors import root
from .rows import AT_ONCE, cost_of
from .stages import Planes
from .tiles import Tile, lanes_of

if TYPE_CHECKING:
    from . import Transform


class _Kernel(WrittenKernel):
    """A kernel of rows that are transformed as rows of `points` complex numbers, a tile at a time."""

    def __init__(self, transform: Transform, name: str, points: int) -> None:
        super().__init__(transform.lowering, transform.scope, f"{name}_side_by_side")
        self.transform, self.points = transform, points
        build = self.build
        self.source, self.result = self.buffer(transform.source, "in"), self.buffer(transform.result, "out")
        self.lanes, self.tile = lanes_of(transform.dtype), Tile(build, transform.dtype, points + 1)
        self.stages = stages_for(build, transform.dtype, points, self.lanes)
        self.passes, self.zero = len(self.stages.passes), build.constant(0)
        self._scratch = [build.allocate(transform.dtype, self.tile.size) for _ in range(2)]
        (given, parts), (made, made_parts) = transform.extents
        self._elements = given * parts, made * made_parts

    @contextmanager
    def tiles(self) -> Iterator[Value]:
        """The first row of each tile. The last tile begins so that it is whole: the rows are at least as many
        as its lanes."""
        build, rows = self.build, self.transform.rows
        together = max(1, AT_ONCE // (self.points * self.lanes))
        tiles = ceil_div(rows, self.lanes)
        first = build.mul(build.group_id(), build.constant(together))
        last = build.emit("minimum", (build.add(first, build.constant(together)), self.index(tiles)))
        with build.loop(first, last) as (number,):
            width = build.constant(self.lanes)
            whole = build.sub(self.index(rows), width)
            yield build.emit("minimum", (build.mul(number, width), whole))
        self.launch(ceil_div(tiles, together), cost_of(rows, self.points, self.passes))

    def take(self, row: Value, number: int) -> None:
        """Bring rows to a scratch memory."""
        elements = self._elements[0]
        starts = self.tile.starts(self.build.mul(row, self.build.constant(elements)), elements)
        self.tile.take(self.source, starts, self._scratch[number % 2], self.zero, elements)

    def give(self, row: Value, number: int) -> None:
        elements = self._elements[1]
        starts = self.tile.starts(self.build.mul(row, self.build.constant(elements)), elements)
        self.tile.give(self.result, starts, self._scratch[number % 2], self.zero, elements)

    def planes(self, number: int, swapped: bool = False, scale: float = 1.0) -> Planes:
        return self.tile.planes(self._scratch[number % 2], self.zero, swapped, scale)

    def reals(self, number: int, swapped: bool = False, scale: float = 1.0) -> _Reals:
        return _Reals(self.build, self._scratch[number % 2], self.zero, 0, self.lanes, swapped, scale)

    @contextmanager
    def each(self, first: int, last: int) -> Iterator[tuple[Value, Value]]:
        """Points of all rows of a tile."""
        build = self.build
        with (
            build.loop(build.constant(first), build.constant(last)) as (k,),
            build.loop(self.zero, build.constant(self.lanes), kind="lanes") as (lane,),
        ):
            yield k, lane

    def mirrored(self, count: int, k: Value) -> Value:
        return self.build.sub(self.build.constant(count), k)

    def roots(self, n: int, count: int, share: float = 1.0) -> tuple[Buffer, Buffer]:
        re, im = zip(*(root(k, n) for k in range(count)), strict=True)
        tables = ([share * each for each in part] for part in (re, im))
        first, second = (self.build.table(self.transform.dtype, table) for table in tables)
        return first, second

    def without_imaginary(self, number: int, point: int) -> None:
        """What is real is so whatever is given."""
        memory, nothing = self.planes(number), self.build.constant(0.0, self.transform.dtype)
        with self.each(point, point + 1) as (k, lane):
            memory.store(k, 0, lane, Complex(memory.load(k, 0, lane).re, nothing))


class _Reals(Planes):
    """Scratch memory of reals alone."""

    def load(self, point: Value, offset: int, lane: Value) -> Complex:
        real = self.build.load(self.buffer, self._places(point, offset, lane)[0])
        return Complex(real, self.build.constant(0.0, self.buffer.dtype))

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None:
        part = value.im if self.swapped else value.re
        if self.scale != 1:
            part = part * self.scale
        self.build.store(self.buffer, self._places(point, offset, lane)[0], part)


def transform_short_rows(transform: Transform) -> None:
    """Complex rows to complex rows."""
    kernel = _Kernel(transform, f"fft_{transform.points}", transform.points)
    backward, passes = transform.backward, kernel.passes
    with kernel.tiles() as row:
        kernel.take(row, passes)
        target = kernel.planes(0, backward, transform.scale)
        kernel.stages.write(kernel.planes(passes, backward), target, kernel.planes)
        kernel.give(row, 0)


def transform_reals(transform: Transform) -> None:
    """Rows of reals to frequencies that are not negative, as `real_rows` has it."""
    reals, half = transform.reals, transform.reals // 2
    odd = reals % 2 == 1
    kernel = _Kernel(transform, f"rfft_{reals}", reals if odd else half)
    passes = kernel.passes
    share = transform.scale / 2
    roots = None if odd else kernel.roots(reals, half + 1, share)
    with kernel.tiles() as row:
        kernel.take(row, passes)
        made, target = kernel.planes(0, scale=transform.scale if roots is None else 1.0), kernel.planes(1)
        source = kernel.planes(passes) if roots else kernel.reals(passes)
        kernel.stages.write(source, made, kernel.planes)
        if roots is None:
            kernel.without_imaginary(0, 0)
            kernel.give(row, 0)
        else:
            with kernel.each(half, half + 1) as (k, lane):
                made.store(k, 0, lane, made.load(kernel.zero, 0, lane))
            with kernel.each(0, half + 1) as (k, lane):
                x, y = made.load(k, 0, lane), made.load(kernel.mirrored(half, k), 0, lane).conjugate
                even, difference = x + y, x - y
                factor = Complex(*(kernel.build.load(each, k) for each in roots))
                turned = Complex(difference.im, -difference.re)
                value = even.scaled(share)
                target.store(k, 0, lane, value + turned * factor)
            kernel.give(row, 1)


def transform_to_reals(transform: Transform) -> None:
    """Frequencies that are not negative to rows of reals."""
    reals, half = transform.reals, transform.reals // 2
    odd = reals % 2 == 1
    kernel = _Kernel(transform, f"irfft_{reals}", reals if odd else half)
    passes = kernel.passes
    roots = None if odd else kernel.roots(reals, half)
    with kernel.tiles() as row:
        kernel.take(row, passes + 1)
        kernel.without_imaginary(passes + 1, 0)
        given, joined = kernel.planes(passes + 1), kernel.planes(passes, swapped=True)
        if roots is None:
            with kernel.each(0, half + 1) as (k, lane):
                joined.store(k, 0, lane, given.load(k, 0, lane))
            with kernel.each(1, half + 1) as (k, lane):
                joined.store(kernel.mirrored(reals, k), 0, lane, given.load(k, 0, lane).conjugate)
            target: Planes = kernel.reals(0, True, transform.scale)
        else:
            kernel.without_imaginary(passes + 1, half)
            with kernel.each(0, half) as (k, lane):
                x, y = given.load(k, 0, lane), given.load(kernel.mirrored(half, k), 0, lane).conjugate
                re, im = (kernel.build.load(each, k) for each in roots)
                rotated = (x - y) * Complex(im, re)  # i times the conjugate
                joined.store(k, 0, lane, x + y + rotated)
            target = kernel.planes(0, True, transform.scale)
        kernel.stages.write(kernel.planes(passes), target, kernel.planes)
        kernel.give(row, 0)
