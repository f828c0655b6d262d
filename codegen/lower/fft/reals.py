"""Rows of reals by complex rows: half as many points, or for an odd number of reals as many (see `rows`).

Used for long rows on a processor, and for all rows on other devices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..writing.writer import Memory as Placed
from .butterflies import Complex, select
from .points import PointsKernel, complex_rows, rows_of_scratch

if TYPE_CHECKING:
    from . import Transform

Write = Callable[[Sequence["Transform"]], None]


def transform_reals(transforms: Sequence[Transform], write: Write) -> None:
    """`write` transforms complex rows."""
    (transform,) = transforms
    points, rows = transform.row_points, transform.rows
    odd = transform.reals % 2
    memory = rows_of_scratch(transform, rows, points)
    if transform.backward:
        (_mirror if odd else _join)(transform, memory)
        if odd:
            result = rows_of_scratch(transform, rows, points)
            write([complex_rows(transform, points, source=memory, result=result)])
            _take_reals(transform, result)
        else:
            ends = {"epilogue": transform.epilogue, "scale": transform.scale}
            write([complex_rows(transform, points, source=memory, **ends)])
    elif odd:
        source = rows_of_scratch(transform, rows, points)
        _widen(transform, source)
        write([complex_rows(transform, points, source=source, result=memory)])
        _take_half(transform, memory)
    else:
        write([complex_rows(transform, points, prologue=transform.prologue, result=memory)])
        _split(transform, memory)


def _split(transform: Transform, made: Placed) -> None:
    """Computes the reals' transform from that of half as many complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_split", epilogue=True)
    half = transform.reals // 2
    (load, _), store = kernel.row(kernel.buffer(made, "in"), half), kernel.result(transform.scale / 2)
    roots = kernel.roots(transform.reals, half + 1)
    with kernel.points(transform.rows, half + 1) as point:
        first, last = point.k.equals(0), point.k.equals(half)
        x = load(point.place, kernel.build.select(last, 0, point.k))
        y = load(point.place, kernel.build.select(first, 0, half - point.k)).conjugate
        even, odd = x + y, x - y
        store(point.place, point.k, even + Complex(odd.im, -odd.re) * roots(point))


def _join(transform: Transform, target: Placed) -> None:
    """Computes twice the complex numbers whose inverse transform is that to reals, in pairs."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_join", prologue=True)
    half = transform.reals // 2
    load, (_, store) = kernel.operand(), kernel.row(kernel.buffer(target, "out"), half)
    roots = kernel.roots(transform.reals, half)
    with kernel.points(transform.rows, half) as point:
        x, y = (load(point.place, value) for value in (point.k, half - point.k))
        first, nothing = point.k.equals(0), kernel.number(0.0)
        x, y = (select(first, Complex(each.re, nothing), each) for each in (x, y))
        y = y.conjugate
        rotated = (x - y) * roots(point).swapped  # i times the conjugate
        store(point.place, point.k, x + y + rotated)


def _widen(transform: Transform, target: Placed) -> None:
    """Converts the reals to complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_widen", prologue=True)
    load, (_, store) = kernel.operand(), kernel.row(kernel.buffer(target, "out"), transform.reals)
    with kernel.points(transform.rows, transform.reals) as point:
        store(point.place, point.k, load(point.place, point.k))


def _take_half(transform: Transform, made: Placed) -> None:
    """Stores the nonnegative frequencies; that of 0 is real."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_half", epilogue=True)
    (load, _), store = kernel.row(kernel.buffer(made, "in"), transform.reals), kernel.result(transform.scale)
    with kernel.points(transform.rows, transform.reals // 2 + 1) as point:
        value = load(point.place, point.k)
        real = Complex(value.re, kernel.number(0.0))
        store(point.place, point.k, select(point.k.equals(0), real, value))


def _mirror(transform: Transform, target: Placed) -> None:
    """Computes all frequencies of an odd number of reals; that of 0 is real."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_mirror", prologue=True)
    build, reals = kernel.build, transform.reals
    load, (_, store) = kernel.operand(), kernel.row(kernel.buffer(target, "out"), reals)
    with kernel.points(transform.rows, reals) as point:
        above = point.k > reals // 2
        value = load(point.place, build.select(above, reals - point.k, point.k))
        im = build.select(above, -value.im, value.im)
        im = build.select(point.k.equals(0), kernel.number(0.0), im)
        store(point.place, point.k, Complex(value.re, im))


def _take_reals(transform: Transform, made: Placed) -> None:
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_reals", epilogue=True)
    (load, _), store = kernel.row(kernel.buffer(made, "in"), transform.reals), kernel.result(transform.scale)
    with kernel.points(transform.rows, transform.reals) as point:
        store(point.place, point.k, load(point.place, point.k))
