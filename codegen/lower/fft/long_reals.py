"""Long rows of reals on a processor, by complex rows that are transformed as others are: half as many points,
or for an odd number of reals as many (see `rows`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...kernel.nodes import Value
from ..writer import Memory as Placed
from .butterflies import Complex, select
from .points import PointsKernel, complex_rows, rows_of_scratch

if TYPE_CHECKING:
    from . import Transform

Write = Callable[["Transform"], None]


def points_of(reals: int) -> int:
    """Of the complex rows."""
    return reals if reals % 2 else reals // 2


def transform_long_reals(transform: Transform, write: Write) -> None:
    """`write` transforms complex rows."""
    points, rows = points_of(transform.reals), transform.rows
    made = rows_of_scratch(transform, rows, points)
    if transform.backward:
        (_mirror if transform.reals % 2 else _join)(transform, made)
        if transform.reals % 2:
            result = rows_of_scratch(transform, rows, points)
            write(complex_rows(transform, points, made, result))
            _take_reals(transform, result)
        else:
            inner = complex_rows(transform, points, made, transform.result)
            inner.scale = transform.scale
            write(inner)
        return
    source = transform.source
    if transform.reals % 2:
        source = rows_of_scratch(transform, rows, points)
        _widen(transform, source)
    write(complex_rows(transform, points, source, made))
    (_take_half if transform.reals % 2 else _split)(transform, made)


def _split(transform: Transform, made: Placed) -> None:
    """What the reals' transform is, from that of half as many complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_split")
    half = transform.reals // 2
    given, result = kernel.buffer(made, "in"), kernel.buffer(transform.result, "out")
    roots = kernel.roots(transform.reals, half)

    def last(row: Value) -> None:
        x = kernel.load(given, row * half)
        value = Complex(x.re - x.im, kernel.number(0.0))
        kernel.store(result, row * (half + 1) + half, value.scaled(transform.scale))

    with kernel.points(transform.rows, half, last) as point:
        x, y = (kernel.load(given, point.row * half + each) for each in (point.k, half - point.k))
        y = select(point.k.equals(0), x, y).conjugate
        even, odd = x + y, x - y
        rotated = Complex(odd.im, -odd.re) * roots(point)
        value = (even + rotated).scaled(transform.scale / 2)
        kernel.store(result, point.row * (half + 1) + point.k, value)


def _join(transform: Transform, target: Placed) -> None:
    """The complex numbers whose inverse transform is that to reals, in pairs; twice them."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_join")
    half = transform.reals // 2
    given, result = kernel.buffer(transform.source, "in"), kernel.buffer(target, "out")
    roots = kernel.roots(transform.reals, half)
    with kernel.points(transform.rows, half) as point:
        x, y = (kernel.load(given, point.row * (half + 1) + each) for each in (point.k, half - point.k))
        first, nothing = point.k.equals(0), kernel.number(0.0)
        x, y = (select(first, Complex(each.re, nothing), each) for each in (x, y))
        y = y.conjugate
        rotated = (x - y) * roots(point).swapped  # i times the conjugate
        kernel.store(result, point.row * half + point.k, x + y + rotated)


def _widen(transform: Transform, target: Placed) -> None:
    """The reals as complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_widen")
    given, result = kernel.buffer(transform.source, "in"), kernel.buffer(target, "out")
    with kernel.points(transform.rows, transform.reals) as point:
        place = point.row * transform.reals + point.k
        kernel.store(result, place, Complex(kernel.build.load(given, place), kernel.number(0.0)))


def _take_half(transform: Transform, made: Placed) -> None:
    """The frequencies that are not negative; that of 0 is real."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_half")
    given, result = kernel.buffer(made, "in"), kernel.buffer(transform.result, "out")
    count = transform.reals // 2 + 1
    with kernel.points(transform.rows, count) as point:
        value = kernel.load(given, point.row * transform.reals + point.k)
        value = select(point.k.equals(0), Complex(value.re, kernel.number(0.0)), value)
        kernel.store(result, point.row * count + point.k, value.scaled(transform.scale))


def _mirror(transform: Transform, target: Placed) -> None:
    """All frequencies of an odd number of reals; that of 0 is real."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_mirror")
    reals, half = transform.reals, transform.reals // 2
    given, result = kernel.buffer(transform.source, "in"), kernel.buffer(target, "out")

    def first(row: Value) -> None:
        value = kernel.load(given, row * (half + 1))
        kernel.store(result, row * reals, Complex(value.re, kernel.number(0.0)))

    with kernel.points(transform.rows, half, first) as point:
        k = point.k + 1
        value = kernel.load(given, point.row * (half + 1) + k)
        kernel.store(result, point.row * reals + k, value)
        kernel.store(result, point.row * reals + (reals - k), value.conjugate)


def _take_reals(transform: Transform, made: Placed) -> None:
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_reals")
    given, result = kernel.buffer(made, "in"), kernel.buffer(transform.result, "out")
    with kernel.points(transform.rows, transform.reals) as point:
        place = point.row * transform.reals + point.k
        kernel.build.store(result, place, kernel.load(given, place).scaled(transform.scale).re)
