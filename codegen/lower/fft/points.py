"""Kernels that process the points of rows one by one, before or after a transform, and the memory of rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy

from ....ir.expr import ONE, Expr, add, ceil_div, const, mul
from ....ir.types import F64
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .butterflies import Complex, fused
from .columns import scratch_of
from .ends import Ends, writer_of
from .factors import root

if TYPE_CHECKING:
    from . import Transform

CHUNK = 1024
"""Points of a workgroup."""


class Place(NamedTuple):
    """A row of points, and its column after the axis."""

    row: Value
    column: Value


class Point(NamedTuple):
    """Point `k` of a row; on a processor it is number `within` of a chunk."""

    place: Place
    k: Value
    chunk: Value
    within: Value


Load = Callable[[Place, Value], Complex]
Store = Callable[[Place, Value, Complex], None]


class PointsKernel(WrittenKernel):
    """A kernel that processes points of complex or of real rows.

    Lanes of other devices take points one after another, whatever rows these are of; a processor takes them
    in vectors, each of one row.
    """

    def __init__(
        self, transform: Transform, name: str, prologue: bool = False, epilogue: bool = False
    ) -> None:
        """`prologue`, `epilogue`: whether it computes points of the transform's operand, or of its result."""
        transform = transform.part(
            prologue=transform.prologue if prologue else None,
            epilogue=transform.epilogue if epilogue else None,
        )
        super().__init__(
            transform.lowering,
            transform.scope,
            name,
            transform.lowering.machine.lanes,
            writer_of([transform], name),
        )
        self.transform = transform
        self.columns = self.index(transform.columns)

    def operand(self) -> Load:
        """Returns the load of point `k` of a row of the transform's operand."""
        transform = self.transform
        if transform.source is None:
            at = Ends.before(self, transform, self._positions)
            return lambda place, k: at.load(k, 0, place)
        buffer, elements = self.buffer(transform.source, "in"), self._elements(False)

        def load(place: Place, k: Value) -> Complex:
            re, *more = (self.build.load(buffer, value) for value in elements(place, k))
            return Complex(re, more[0] if more else self.number(0.0))

        return load

    def result(self, scale: float) -> Store:
        """Returns the store of point `k` of a row of the transform's result, times a factor."""
        transform = self.transform
        if transform.result is None:
            at = Ends.behind(self, transform, self._positions, scale=scale)
            return lambda place, k, value: at.store(k, 0, place, value)
        buffer, elements = self.buffer(transform.result, "out"), self._elements(True)

        def store(place: Place, k: Value, value: Complex) -> None:
            for each, part in zip(elements(place, k), value.scaled(scale), strict=False):
                self.build.store(buffer, each, part)

        return store

    def _positions(self, k: Value, place: Place) -> list[Value]:
        return self.transform.at(self, place.row, k, place.column)

    def _elements(self, made: bool) -> Callable[[Place, Value], list[Value]]:
        """Returns the places of the parts of a point, in the operand or in the result."""
        transform = self.transform
        pairs, (points, parts) = transform.modes[made] == "pairs", transform.extents[made]

        def elements(place: Place, k: Value) -> list[Value]:
            if pairs:  # a column of reals
                first = (place.row * points + k) * 2 * self.columns + place.column
                return [first, first + self.columns]
            first = ((place.row * points + k) * self.columns + place.column) * parts
            return [first + part for part in range(parts)]

        return elements

    @contextmanager
    def points(self, rows: Expr, count: int) -> Iterator[Point]:
        """Loops over the first `count` points of each row, and launches the kernel."""
        build, machine = self.build, self.lowering.machine
        if machine.is_host:
            row, chunk = divmod(build.group_id(), -(-count // CHUNK))
            start = chunk * CHUNK
            end = build.minimum(build.constant(CHUNK), count - start)
            with build.loop(0, end, kind="lanes") as (within,):
                yield Point(Place(row, build.constant(0)), start + within, chunk, within)
            self.launch(mul(rows, const(-(-count // CHUNK))), mul(rows, const(count)))
            return
        total: Expr = mul(rows, mul(const(count), self.transform.columns))
        start = build.group_id() * CHUNK
        end = build.minimum(start + CHUNK, self.index(total))
        first = start + build.lane_id() if machine.lanes > 1 else start
        with build.loop(first, end, machine.lanes) as (value,):
            point, column = divmod(value, self.columns)
            row, k = divmod(point, count)
            yield Point(Place(row, column), k, row, k)
        self.launch(ceil_div(total, CHUNK), total)

    def load(self, buffer: Buffer, place: Value) -> Complex:
        return Complex(*(self.build.load(buffer, place * 2 + k) for k in (0, 1)))

    def store(self, buffer: Buffer, place: Value, value: Complex) -> None:
        for k, part in enumerate(value):
            self.build.store(buffer, place * 2 + k, part)

    def row(self, buffer: Buffer, points: int) -> tuple[Load, Store]:
        """Returns the loads and stores of points of complex rows of so many points, before the columns."""

        def element(place: Place, k: Value) -> Value:
            return (place.row * points + k) * self.columns + place.column

        return (
            lambda place, k: self.load(buffer, element(place, k)),
            lambda place, k, value: self.store(buffer, element(place, k), value),
        )

    def number(self, value: float) -> Value:
        return self.build.constant(value, self.transform.dtype)

    def roots(self, n: int, count: int) -> Callable[[Point], Complex]:
        """Returns exp(-2 pi i k / n) of point k below `count`: on a processor that of its chunk times that of
        its offset."""
        build = self.build
        if not self.lowering.machine.is_host:
            table, step = roots_of_unity(self.transform, n)
            buffer = self.buffer(table, "in")
            return lambda point: self.load(buffer, point.k * step)
        tables = [
            [build.table(F64, part) for part in zip(*(root(k * step, n) for k in range(most)), strict=True)]
            for step, most in ((CHUNK, -(-count // CHUNK)), (1, min(CHUNK, count)))
        ]

        def of(point: Point) -> Complex:
            of_chunk, of_place = (
                Complex(*(build.load(each, place) for each in parts))
                for parts, place in zip(tables, (point.chunk, point.within), strict=True)
            )
            made = of_place * of_chunk
            return Complex(*(build.cast(part, self.transform.dtype) for part in made))

        return of

    def root(self, k: Value, n: int) -> Complex:
        """Returns exp(-2 pi i k / n) for k from 0 to n - 1, of an angle of at most an eighth of a turn."""
        build, dtype = self.build, self.transform.dtype

        def mirrored(place: Value, most: int, beyond: int) -> tuple[Value, Value]:
            """Returns a place, reflected at `beyond` if it is above `most`, and whether it is."""
            above = place > most
            return build.select(above, beyond - place, place), above

        place, conjugate = mirrored(k * 8, 4 * n, 8 * n)
        place, left = mirrored(place, 2 * n, 4 * n)
        place, steep = mirrored(place, n, 2 * n)
        unit = math.pi / (4 * n)
        high = float(numpy.dtype(dtype.numpy_name).type(unit))
        number = build.cast(place, dtype)
        # A first-order correction for the rounding of the unit and of the angle.
        angle = number * high
        low = fused(number, self.number(high), -angle) + number * (unit - high)
        cosine, sine = (build.emit(name, (angle,)) for name in ("cos", "sin"))
        cosine, sine = fused(-sine, low, cosine), fused(cosine, low, sine)
        re, im = build.select(steep, sine, cosine), build.select(steep, cosine, sine)
        return Complex(build.select(left, -re, re), build.select(conjugate, im, -im))


def roots_of_unity(transform: Transform, n: int) -> tuple[Placed, int]:
    """Returns a table with exp(-2 pi i k / n) of each k, and the distance of its elements. It is computed
    once: devices read and compile large constant tables slowly."""
    most = transform.roots if transform.roots % n == 0 else n

    def write(whole: Transform, table: Placed) -> None:
        kernel = PointsKernel(whole, "roots_of_unity")
        target = kernel.buffer(table, "out")
        with kernel.points(ONE, most) as point:
            kernel.store(target, point.k, kernel.root(point.k, most))

    return table_of(transform, "roots of unity", most, write), most // n


def table_of(
    transform: Transform, name: str, points: int, write: Callable[[Transform, Placed], None]
) -> Placed:
    """Allocates memory of complex numbers that several transforms share. `write` is given a transform without
    rows and columns."""
    tables, key = transform.scope.tables, (name, transform.dtype, points)
    if key not in tables:
        whole = transform.part(rows=ONE, columns=ONE)
        tables[key] = rows_of_scratch(whole, ONE, points)
        write(whole, tables[key])
    return tables[key]


def complex_rows(transform: Transform, points: int, **fields: object) -> Transform:
    """Returns the unscaled transform of complex rows in memory; `fields`: its other fields."""
    before, behind = transform.modes
    modes = "complex" if "source" in fields else before, "complex" if "result" in fields else behind
    plain = {"reals": 0, "scale": 1.0, "prologue": None, "epilogue": None, "extents": ((points, 2),) * 2}
    return transform.part(points=points, modes=modes, **plain | fields)


def rows_of_scratch(transform: Transform, rows: Expr, points: int) -> Placed:
    """Allocates complex rows with the columns of each, and room for one more point, which is read but
    unused."""
    elements: Expr = mul(mul(rows, transform.columns), const(2 * points))
    return scratch_of(transform, transform.dtype, add(elements, const(2)))
