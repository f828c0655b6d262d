"""The passes over a row for each kind of transform (see `rows`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .butterflies import Complex
from .factors import root

if TYPE_CHECKING:
    from . import Transform
    from .rows import RowsKernel


def passes_of_rows(rows: RowsKernel, transform: Transform) -> Callable[[], None]:
    """Returns the writer of the transform of the present row, or rows, after writing its constants."""
    if not transform.reals:
        return lambda: _complex(rows, transform)
    if transform.reals % 2:
        return lambda: (_to_odd if transform.backward else _odd)(rows, transform)
    return (_to_even if transform.backward else _even)(rows, transform)


def _complex(rows: RowsKernel, transform: Transform) -> None:
    source = rows.given(rows.passes, transform.backward)
    rows.stages.write(source, rows.made(0, transform.backward, transform.scale), rows.planes)


def _even(rows: RowsKernel, transform: Transform) -> Callable[[], None]:
    half, share = transform.reals // 2, transform.scale / 2
    roots = [root(k, 2 * half) for k in range(half)]
    factors = rows.table([(share * re, share * im) for re, im in roots])

    def write() -> None:
        source, made = rows.given(rows.passes), rows.planes(0)
        rows.stages.write(source, made, rows.planes)
        target = rows.made(1)
        with rows.each(half, half + 1) as (k, lane):
            first = made.load(rows.zero, 0, lane)
            made.store(k, 0, lane, first)
            last = (first.re - first.im) * transform.scale
            target.store(k, 0, lane, Complex(last, rows.nothing))
        with rows.each(0, half) as (k, lane):
            x, y = made.load(k, 0, lane), made.load(half - k, 0, lane).conjugate
            even, odd = x + y, x - y
            rotated = Complex(odd.im, -odd.re) * factors(k)
            target.store(k, 0, lane, even.scaled(share) + rotated)

    return write


def _to_even(rows: RowsKernel, transform: Transform) -> Callable[[], None]:
    """Ignores the imaginary parts of the first and the last frequency."""
    half = transform.reals // 2
    roots = [root(k, 2 * half) for k in range(half)]
    factors = rows.table([(im, re) for re, im in roots])  # i times the conjugate

    def write() -> None:
        spectrum = rows.taken(rows.passes + 1)
        joined = rows.planes(rows.passes, swapped=True)
        with rows.each(0, 1) as (k, lane):
            first, last = spectrum.load(k, 0, lane).re, spectrum.load(rows.zero, half, lane).re
            joined.store(k, 0, lane, Complex(first + last, first - last))
        with rows.each(1, half) as (k, lane):
            x, y = spectrum.load(k, 0, lane), spectrum.load(half - k, 0, lane).conjugate
            rotated = (x - y) * factors(k)
            joined.store(k, 0, lane, x + y + rotated)
        rows.stages.write(rows.planes(rows.passes), rows.made(0, True, transform.scale), rows.planes)

    return write


def _odd(rows: RowsKernel, transform: Transform) -> None:
    source, made = rows.given(rows.passes), rows.planes(0)
    rows.stages.write(source, made, rows.planes)
    target = rows.made(1, scale=transform.scale)
    with rows.each(0, 1) as (k, lane):
        target.store(k, 0, lane, Complex(made.load(k, 0, lane).re, rows.nothing))
    with rows.each(1, transform.reals // 2 + 1) as (k, lane):
        target.store(k, 0, lane, made.load(k, 0, lane))


def _to_odd(rows: RowsKernel, transform: Transform) -> None:
    source = rows.given(rows.passes + 1)
    spectrum = rows.planes(rows.passes, swapped=True)
    with rows.each(0, 1) as (k, lane):
        spectrum.store(k, 0, lane, Complex(source.load(k, 0, lane).re, rows.nothing))
    with rows.each(1, transform.reals // 2 + 1) as (k, lane):
        value = source.load(k, 0, lane)
        spectrum.store(k, 0, lane, value)
        spectrum.store(transform.reals - k, 0, lane, value.conjugate)
    rows.stages.write(rows.planes(rows.passes), rows.made(0, True, transform.scale), rows.planes)
