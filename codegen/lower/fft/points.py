"""Kernels on a processor that make the points of long rows one by one, before or after a transform."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ....ir.expr import Expr, add, const, mul
from ....ir.types import F64
from ...kernel.nodes import Buffer, Value
from ..writing.writer import Memory as Placed
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .columns import scratch_of
from .ends import Ends, writer_of
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

    def __init__(
        self, transform: Transform, name: str, prologue: bool = False, epilogue: bool = False
    ) -> None:
        """Whether it makes points of the transform's operand, or makes its result."""
        transform = transform.part(
            prologue=transform.prologue if prologue else None,
            epilogue=transform.epilogue if epilogue else None,
        )
        super().__init__(transform.lowering, transform.scope, name, writer=writer_of([transform], name))
        self.transform = transform

    def operand(self) -> Callable[[Value, Value], Complex]:
        """What loads point `k` of a row of the transform's operand."""
        transform = self.transform
        if transform.source is None:
            at = Ends.before(self, transform, lambda k, row: transform.at(self, row, k))
            return lambda row, k: at.load(k, 0, row)
        buffer, (points, parts) = self.buffer(transform.source, "in"), transform.extents[0]
        if parts == 1:
            return lambda row, k: Complex(self.build.load(buffer, row * points + k), self.number(0.0))
        return lambda row, k: self.load(buffer, row * points + k)

    def result(self, scale: float) -> Callable[[Value, Value, Complex], None]:
        """What stores point `k` of a row of the transform's result, times a factor."""
        transform = self.transform
        if transform.result is None:
            at = Ends.behind(self, transform, lambda k, row: transform.at(self, row, k), scale=scale)
            return lambda row, k, value: at.store(k, 0, row, value)
        buffer, (points, parts) = self.buffer(transform.result, "out"), transform.extents[1]

        def store(row: Value, k: Value, value: Complex) -> None:
            value, place = value.scaled(scale), row * points + k
            self.store(buffer, place, value) if parts == 2 else self.build.store(buffer, place, value.re)

        return store

    @contextmanager
    def points(self, rows: Expr, count: int, once: Callable[[Value], None] | None = None) -> Iterator[Point]:
        """The first `count` points of each row, and then the launch; `once` is done for each row besides."""
        build = self.build
        row, chunk = divmod(build.group_id(), -(-count // CHUNK))
        start = chunk * CHUNK
        end = build.minimum(build.constant(CHUNK), count - start)
        if once is not None:
            with build.when(chunk.equals(0)):
                once(row)
        with build.loop(0, end, kind="lanes") as (within,):
            yield Point(row, start + within, chunk, within)
        self.launch(mul(rows, const(-(-count // CHUNK))), mul(rows, const(count)))

    def load(self, buffer: Buffer, place: Value) -> Complex:
        return Complex(*(self.build.load(buffer, place * 2 + k) for k in (0, 1)))

    def store(self, buffer: Buffer, place: Value, value: Complex) -> None:
        for k, part in enumerate(value):
            self.build.store(buffer, place * 2 + k, part)

    def number(self, value: float) -> Value:
        return self.build.constant(value, self.transform.dtype)

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
            made = of_place * of_chunk
            return Complex(*(build.cast(part, self.transform.dtype) for part in made))

        return of


def complex_rows(transform: Transform, points: int, **fields: object) -> Transform:
    """The transform of complex rows, not scaled, from memory to memory; `fields`: what else is of its own."""
    plain = {"reals": 0, "scale": 1.0, "prologue": None, "epilogue": None, "extents": ((points, 2),) * 2}
    return transform.part(points=points, **plain | fields)


def rows_of_scratch(transform: Transform, rows: Expr, points: int) -> Placed:
    """Memory of complex rows, and room for a point more, which is read in vain."""
    return scratch_of(transform, transform.dtype, add(mul(rows, const(2 * points)), const(2)))
