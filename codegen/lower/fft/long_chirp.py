"""Rows of any number of points by the convolution of `chirp`, with the transforms of other rows: long rows on
a processor, and all of them on other devices.

The chirp and its transform are computed in each call, once for all rows and all transforms.
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
from .points import PointsKernel, complex_rows, rows_of_scratch, table_of

if TYPE_CHECKING:
    from . import Transform

Write = Callable[[Sequence["Transform"]], None]
MOST_POINTS = 1 << 22
"""The most points of a row: their squares, and the transforms of twice as many points, are far from any
limit."""
SIDE = 16
"""The sides of the transforms are multiples of this, so that all tiles are whole."""
DIGIT = 7
"""Bits of a digit: its product with a number below twice the most points has 30."""


def convolved_points(points: int) -> int:
    """Returns the least number of points for the convolution, with small factors and nearly equal sides."""
    sides = [
        side for side in range(SIDE, MOST_SIDE + 1, SIDE) if SMALL_FACTORS.issuperset(radices_of(side) or [0])
    ]
    least = 2 * points - 1
    return min(x * y for x in sides for y in sides if x <= y <= 4 * x and x * y >= least)


def convolved_points_on_lanes(points: int) -> int:
    """Returns the least number of points for the convolution, a power of two times few other factors."""
    least = 2 * points - 1
    return min(odd << max(0, -(-least // odd) - 1).bit_length() for odd in (1, 3, 5, 9, 15))


def transform_long_chirp(transforms: Sequence[Transform], write: Write) -> None:
    """Transforms rows by convolution; `write` transforms rows whose number of points has small factors."""
    (transform,) = transforms
    points, rows, is_host = transform.points, transform.rows, transform.lowering.machine.is_host
    size = (convolved_points if is_host else convolved_points_on_lanes)(points)

    def write_spectrum(alone: Transform, spectrum: Placed) -> None:
        response = rows_of_scratch(alone, ONE, size)
        _write_response(alone, chirp, response, size)
        write([complex_rows(alone, size, backward=False, source=response, result=spectrum)])

    chirp = table_of(transform, "chirp", points, _write_chirp)
    spectrum = table_of(transform, f"spectrum of chirp {points}", size, write_spectrum)
    source, result = (rows_of_scratch(transform, rows, size) for _ in range(2))
    inner = complex_rows(transform, size, backward=False, source=source, result=result)
    _take(transform, chirp, source, size)
    write([inner])
    _multiply(transform, result, spectrum, source, size)
    write([inner.part(backward=True, scale=1 / size)])
    _give(transform, result, chirp, size)


def _write_chirp(alone: Transform, chirp: Placed) -> None:
    """Writes exp(-pi i k**2 / points), with the square reduced modulo twice the points."""
    points = alone.points
    kernel = PointsKernel(alone, f"chirp_{points}")
    target = kernel.buffer(chirp, "out")
    with kernel.points(ONE, points) as point:
        value = (_chirp if alone.lowering.machine.is_host else _chirp_of_digits)(kernel, point.k)
        kernel.store(target, point.k, value)


def _chirp(kernel: PointsKernel, k: Value) -> Complex:
    """Computes the chirp in 64 bits, which a processor has."""
    build, points = kernel.build, kernel.transform.points
    k = build.cast(k, I64)
    square = k * k
    turns = build.cast(square, F64) * (0.5 / points)
    whole = build.cast(build.emit("floor", (turns + 0.5,)), I64)
    rest = square - whole * (2 * points)
    angle = build.cast(rest, F64) * (-math.pi / points)
    parts = (build.emit(name, (angle,)) for name in ("cos", "sin"))
    return Complex(*(build.cast(part, kernel.transform.dtype) for part in parts))


def _chirp_of_digits(kernel: PointsKernel, k: Value) -> Complex:
    """Computes the chirp in 32 bits: the square's remainder digit by digit."""
    twice = 2 * kernel.transform.points
    rest = kernel.build.constant(0)
    for place in reversed(range(0, MOST_POINTS.bit_length(), DIGIT)):
        rest = (rest * (1 << DIGIT) + k // (1 << place) % (1 << DIGIT) * k) % twice
    return kernel.root(rest, twice)


def _write_response(alone: Transform, chirp: Placed, response: Placed, size: int) -> None:
    """Writes the conjugate chirp on both sides of 0, and zeros between."""
    points = alone.points
    kernel = PointsKernel(alone, f"chirp_{points}_response")
    build, nothing = kernel.build, number(kernel.build, alone.dtype)
    source, target = kernel.buffer(chirp, "in"), kernel.buffer(response, "out")
    with kernel.points(ONE, size) as point:
        k = build.minimum(point.k, size - point.k)
        value = kernel.load(source, build.minimum(k, points - 1)).conjugate
        kernel.store(target, point.k, select(k < points, value, nothing))


def _take(transform: Transform, chirp: Placed, target: Placed, size: int) -> None:
    """Writes the rows times the chirp, padded with zeros."""
    points = transform.points
    kernel = PointsKernel(transform, f"fft_{points}_times_chirp", prologue=True)
    nothing = number(kernel.build, transform.dtype)
    load, factors = kernel.operand(), kernel.buffer(chirp, "in")
    _, store = kernel.row(kernel.buffer(target, "out"), size)
    with kernel.points(transform.rows, size) as point:
        there = kernel.build.minimum(point.k, points - 1)
        value = load(point.place, there)
        value = (value.swapped if transform.backward else value) * kernel.load(factors, there)
        store(point.place, point.k, select(point.k < points, value, nothing))


def _multiply(transform: Transform, source: Placed, spectrum: Placed, target: Placed, size: int) -> None:
    kernel = PointsKernel(transform, f"fft_{transform.points}_times_spectrum")
    (load, _), factors = kernel.row(kernel.buffer(source, "in"), size), kernel.buffer(spectrum, "in")
    _, store = kernel.row(kernel.buffer(target, "out"), size)
    with kernel.points(transform.rows, size) as point:
        store(point.place, point.k, load(point.place, point.k) * kernel.load(factors, point.k))


def _give(transform: Transform, source: Placed, chirp: Placed, size: int) -> None:
    """Writes the convolution times the chirp."""
    points = transform.points
    kernel = PointsKernel(transform, f"fft_{points}_from_chirp", epilogue=True)
    (load, _), factors = kernel.row(kernel.buffer(source, "in"), size), kernel.buffer(chirp, "in")
    store = kernel.result(transform.scale)
    with kernel.points(transform.rows, points) as point:
        value = load(point.place, point.k) * kernel.load(factors, point.k)
        store(point.place, point.k, value.swapped if transform.backward else value)
