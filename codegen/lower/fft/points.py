"""Kernels on a processor that make the points of long rows one by one, before or after a transform."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ....ir.expr import Expr, add, const, mul
from ....ir.types import F64
from ...kernel.nodes import Buffer, Value
from ..writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .butterflies import Arithmetic, Complex
from .columns import scratch_of
from .factors import root

if TYPE_CHECKING:
    from . import Transform

CHUNK = 1024
"""Points of a workgroup."""


class Point(NamedTuple):
    """Point `k` of a row: number `within` of a chunk."""

    row: Value
    k: Value
    chunk: Value
    within: Value


class PointsKernel(WrittenKernel):
    """A kernel that makes points of complex or of real rows."""

    def __init__(self, transform: Transform, name: str) -> None:
        super().__init__(transform.lowering, transform.scope, name)
        self.transform = transform
        self.arithmetic = Arithmetic(self.build, transform.dtype)

    @contextmanager
    def points(self, rows: Expr, count: int, once: Callable[[Value], None] | None = None) -> Iterator[Point]:
        """The first `count` points of each row, and then the launch; `once` is done for each row besides."""
        build = self.build
        chunks, chunk_size = build.constant(-(-count // CHUNK)), build.constant(CHUNK)
        row, chunk = (build.emit(name, (build.group_id(), chunks)) for name in ("quotient", "remainder"))
        start = build.mul(chunk, chunk_size)
        end = build.emit("minimum", (chunk_size, build.sub(build.constant(count), start)))
        if once is not None:
            with build.when(build.emit("eq", (chunk, build.constant(0)))):
                once(row)
        with build.loop(build.constant(0), end, kind="lanes") as (within,):
            yield Point(row, build.add(start, within), chunk, within)
        self.launch(mul(rows, const(-(-count // CHUNK))), mul(rows, const(count)))

    def at(self, row: Value, length: int, k: Value) -> Value:
        """Where point `k` is, of rows of so many."""
        return self.build.add(self.build.mul(row, self.build.constant(length)), k)

    def load(self, buffer: Buffer, place: Value) -> Complex:
        first = self.build.mul(place, self.build.constant(2))
        return Complex(
            *(self.build.load(buffer, self.build.add(first, self.build.constant(k))) for k in (0, 1))
        )

    def store(self, buffer: Buffer, place: Value, value: Complex) -> None:
        first = self.build.mul(place, self.build.constant(2))
        for k, part in enumerate(value):
            self.build.store(buffer, self.build.add(first, self.build.constant(k)), part)

    def number(self, value: float) -> Value:
        return self.arithmetic.number(value)

    def only_if(self, condition: Value, value: Complex, other: Complex) -> Complex:
        """`value` where the condition holds."""
        pairs = zip(value, other, strict=True)
        return Complex(*(self.build.emit("select", (condition, x, y)) for x, y in pairs))

    def scaled(self, value: Complex, factor: float) -> Complex:
        return value if factor == 1 else self.arithmetic.scale(value, self.number(factor))

    def roots(self, n: int, count: int) -> Callable[[Point], Complex]:
        """exp(-2 pi i k / n) of point k, of `count`: that of its chunk times that of its place in it."""
        build = self.build
        tables = [
            [build.table(F64, part) for part in zip(*(root(k * step, n) for k in range(most)), strict=True)]
            for step, most in ((CHUNK, -(-count // CHUNK)), (1, min(CHUNK, count)))
        ]

        def of(point: Point) -> Complex:
            of_chunk, of_place = (
                Complex(*(build.load(each, place) for each in parts))
                for parts, place in zip(tables, (point.chunk, point.within), strict=True)
            )
            made = Arithmetic(build, F64).times(of_place, of_chunk)
            return Complex(*(build.cast(part, self.transform.dtype) for part in made))

        return of


def complex_rows(transform: Transform, points: int, source: Placed, result: Placed) -> Transform:
    """The transform of complex rows, not scaled, from memory to memory."""
    made = copy.copy(transform)
    made.points, made.reals, made.scale = points, 0, 1.0
    made.source, made.result = source, result
    return made


def rows_of_scratch(transform: Transform, rows: Expr, points: int) -> Placed:
    """Memory of complex rows, and room for a point more, which is read in vain."""
    return scratch_of(transform, transform.dtype, add(mul(rows, const(2 * points)), const(2)))
