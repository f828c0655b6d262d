"""Long rows of any number of points on a processor: the convolution of `chirp`, by transforms that are long
themselves.

The chirp and its transform are computed in each call, once for all rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....ir.expr import ONE
from ....ir.types import F64, I64
from ...kernel.nodes import Value
from ..writing.writer import Memory as Placed
from .butterflies import Complex, number, select
from .chirp import SMALL_FACTORS
from .factors import radices_of
from .four_step import MOST_SIDE
from .points import PointsKernel, complex_rows, rows_of_scratch

if TYPE_CHECKING:
    from . import Transform

Write = Callable[[Sequence["Transform"]], None]
MOST_POINTS = 1 << 22
"""Of a row: their squares, and the transforms of twice as many points, are far from any limit."""
SIDE = 16
"""What the sides of the transforms are multiples of, so that all tiles are whole."""


def convolved_points(points: int) -> int:
    """The least number that the convolution fits in, of those with small factors and sides alike."""
    sides = [
        side for side in range(SIDE, MOST_SIDE + 1, SIDE) if SMALL_FACTORS.issuperset(radices_of(side) or [0])
    ]
    least = 2 * points - 1
    return min(x * y for x in sides for y in sides if x <= y <= 4 * x and x * y >= least)


def transform_long_chirp(transforms: Sequence[Transform], write: Write) -> None:
    """`write` transforms long rows whose number of points has small factors."""
    (transform,) = transforms
    points, rows = transform.points, transform.rows
    size = convolved_points(points)
    chirp, response, spectrum = (rows_of_scratch(transform, ONE, each) for each in (points, size, size))
    _write_chirp(transform, chirp)
    _write_response(transform, chirp, response, size)
    inner = complex_rows(transform, size, backward=False)
    write([inner.part(rows=ONE, source=response, result=spectrum)])
    given, made = (rows_of_scratch(transform, rows, size) for _ in range(2))
    _take(transform, chirp, given, size)
    inner = inner.part(source=given, result=made)
    write([inner])
    _multiply(transform, made, spectrum, given, size)
    write([inner.part(backward=True, scale=1 / size)])
    _give(transform, made, chirp, size)


def _write_chirp(transform: Transform, chirp: Placed) -> None:
    """exp(-pi i k**2 / points), of the square less the nearest multiple of twice the points: the angle is
    rounded once."""
    points = transform.points
    kernel = PointsKernel(transform, f"chirp_{points}")
    build, target = kernel.build, kernel.buffer(chirp, "out")
    with kernel.points(ONE, points) as point:
        k = build.cast(point.k, I64)
        square = k * k
        turns = build.cast(square, F64) * (0.5 / points)
        whole = build.cast(build.emit("floor", (turns + 0.5,)), I64)
        rest = square - whole * (2 * points)
        angle = build.cast(rest, F64) * (-math.pi / points)
        value = Complex(*(build.cast(build.emit(name, (angle,)), transform.dtype) for name in ("cos", "sin")))
        kernel.store(target, point.k, value)


def _write_response(transform: Transform, chirp: Placed, response: Placed, size: int) -> None:
    """The conjugate chirp to both sides of 0, and nothing between."""
    points = transform.points
    kernel = PointsKernel(transform, f"chirp_{points}_response")
    build, nothing = kernel.build, number(kernel.build, transform.dtype)
    given, target = kernel.buffer(chirp, "in"), kernel.buffer(response, "out")

    def first(_row: Value) -> None:
        kernel.store(target, build.constant(0), number(build, transform.dtype, 1.0))

    with kernel.points(ONE, size // 2, first) as point:
        k = point.k + 1
        value = select(k < points, kernel.load(given, build.minimum(k, points - 1)).conjugate, nothing)
        for place in (k, size - k):  # both are one in the middle, where nothing is
            kernel.store(target, place, value)


def _take(transform: Transform, chirp: Placed, target: Placed, size: int) -> None:
    """The rows times the chirp, and nothing after them."""
    points = transform.points
    kernel = PointsKernel(transform, f"fft_{points}_times_chirp", prologue=True)
    nothing = number(kernel.build, transform.dtype)
    load, factors, made = kernel.operand(), kernel.buffer(chirp, "in"), kernel.buffer(target, "out")
    with kernel.points(transform.rows, size) as point:
        there = kernel.build.minimum(point.k, points - 1)
        value = load(point.row, there)
        value = (value.swapped if transform.backward else value) * kernel.load(factors, there)
        kernel.store(made, point.row * size + point.k, select(point.k < points, value, nothing))


def _multiply(transform: Transform, made: Placed, spectrum: Placed, target: Placed, size: int) -> None:
    kernel = PointsKernel(transform, f"fft_{transform.points}_times_spectrum")
    given, factors = (kernel.buffer(each, "in") for each in (made, spectrum))
    result = kernel.buffer(target, "out")
    with kernel.points(transform.rows, size) as point:
        place = point.row * size + point.k
        kernel.store(result, place, kernel.load(given, place) * kernel.load(factors, point.k))


def _give(transform: Transform, made: Placed, chirp: Placed, size: int) -> None:
    """What was convolved, times the chirp."""
    points = transform.points
    kernel = PointsKernel(transform, f"fft_{points}_from_chirp", epilogue=True)
    given, factors = (kernel.buffer(each, "in") for each in (made, chirp))
    store = kernel.result(transform.scale)
    with kernel.points(transform.rows, points) as point:
        value = kernel.load(given, point.row * size + point.k) * kernel.load(factors, point.k)
        store(point.row, point.k, value.swapped if transform.backward else value)
