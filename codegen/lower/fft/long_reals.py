"""Long rows of reals on a processor, by complex rows that are transformed as others are: half as many points,
or for an odd number of reals as many (see `rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...kernel.nodes import Value
from ..writing.writer import Memory as Placed
from .butterflies import Complex, select
from .points import PointsKernel, complex_rows, rows_of_scratch

if TYPE_CHECKING:
    from . import Transform

Write = Callable[[Sequence["Transform"]], None]


def transform_long_reals(transforms: Sequence[Transform], write: Write) -> None:
    """`write` transforms complex rows."""
    (transform,) = transforms
    points, rows = transform.row_points, transform.rows
    odd = transform.reals % 2
    made = rows_of_scratch(transform, rows, points)
    if transform.backward:
        (_mirror if odd else _join)(transform, made)
        if odd:
            result = rows_of_scratch(transform, rows, points)
            write([complex_rows(transform, points, source=made, result=result)])
            _take_reals(transform, result)
        else:
            ends = {"epilogue": transform.epilogue, "scale": transform.scale}
            write([complex_rows(transform, points, source=made, **ends)])
    elif odd:
        source = rows_of_scratch(transform, rows, points)
        _widen(transform, source)
        write([complex_rows(transform, points, source=source, result=made)])
        _take_half(transform, made)
    else:
        write([complex_rows(transform, points, prologue=transform.prologue, result=made)])
        _split(transform, made)


def _split(transform: Transform, made: Placed) -> None:
    """What the reals' transform is, from that of half as many complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_split", epilogue=True)
    half = transform.reals // 2
    given, store = kernel.buffer(made, "in"), kernel.result(transform.scale / 2)
    roots = kernel.roots(transform.reals, half)

    def last(row: Value) -> None:
        x = kernel.load(given, row * half)
        store(row, kernel.build.constant(half), Complex(x.re - x.im, kernel.number(0.0)).scaled(2.0))

    with kernel.points(transform.rows, half, last) as point:
        x, y = (kernel.load(given, point.row * half + each) for each in (point.k, half - point.k))
        y = select(point.k.equals(0), x, y).conjugate
        even, odd = x + y, x - y
        store(point.row, point.k, even + Complex(odd.im, -odd.re) * roots(point))


def _join(transform: Transform, target: Placed) -> None:
    """The complex numbers whose inverse transform is that to reals, in pairs; twice them."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_join", prologue=True)
    half = transform.reals // 2
    load, result = kernel.operand(), kernel.buffer(target, "out")
    roots = kernel.roots(transform.reals, half)
    with kernel.points(transform.rows, half) as point:
        x, y = (load(point.row, each) for each in (point.k, half - point.k))
        first, nothing = point.k.equals(0), kernel.number(0.0)
        x, y = (select(first, Complex(each.re, nothing), each) for each in (x, y))
        y = y.conjugate
        rotated = (x - y) * roots(point).swapped  # i times the conjugate
        kernel.store(result, point.row * half + point.k, x + y + rotated)


def _widen(transform: Transform, target: Placed) -> None:
    """The reals as complex numbers."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_widen", prologue=True)
    load, result = kernel.operand(), kernel.buffer(target, "out")
    with kernel.points(transform.rows, transform.reals) as point:
        kernel.store(result, point.row * transform.reals + point.k, load(point.row, point.k))


def _take_half(transform: Transform, made: Placed) -> None:
    """The frequencies that are not negative; that of 0 is real."""
    kernel = PointsKernel(transform, f"rfft_{transform.reals}_half", epilogue=True)
    given, store = kernel.buffer(made, "in"), kernel.result(transform.scale)
    with kernel.points(transform.rows, transform.reals // 2 + 1) as point:
        value = kernel.load(given, point.row * transform.reals + point.k)
        store(point.row, point.k, select(point.k.equals(0), Complex(value.re, kernel.number(0.0)), value))


def _mirror(transform: Transform, target: Placed) -> None:
    """All frequencies of an odd number of reals; that of 0 is real."""
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_mirror", prologue=True)
    reals, half = transform.reals, transform.reals // 2
    load, result = kernel.operand(), kernel.buffer(target, "out")

    def first(row: Value) -> None:
        value = load(row, kernel.build.constant(0))
        kernel.store(result, row * reals, Complex(value.re, kernel.number(0.0)))

    with kernel.points(transform.rows, half, first) as point:
        k = point.k + 1
        value = load(point.row, k)
        kernel.store(result, point.row * reals + k, value)
        kernel.store(result, point.row * reals + (reals - k), value.conjugate)


def _take_reals(transform: Transform, made: Placed) -> None:
    kernel = PointsKernel(transform, f"irfft_{transform.reals}_reals", epilogue=True)
    given, store = kernel.buffer(made, "in"), kernel.result(transform.scale)
    with kernel.points(transform.rows, transform.reals) as point:
        store(point.row, point.k, kernel.load(given, point.row * transform.reals + point.k))
