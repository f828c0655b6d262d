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
from .butterflies import Complex
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


def complex_rows(transform: Transform, points: int, source: Placed, result: Placed) -> Transform:
    """The transform of complex rows, not scaled, from memory to memory."""
    made = copy.copy(transform)
    made.points, made.reals, made.scale = points, 0, 1.0
    made.source, made.result = source, result
    return made


def rows_of_scratch(transform: Transform, rows: Expr, points: int) -> Placed:
    """Memory of complex rows, and room for a point more, which is read in vain."""
    return scratch_of(transform, transform.dtype, add(mul(rows, const(2 * points)), const(2)))
