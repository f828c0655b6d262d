"""Rows of reals on a processor, to frequencies that are not negative and back.

An even number of reals are half as many complex numbers as they lie in memory: what their transform is
follows from the frequencies k and -k of these (J. Cooley, P. Lewis, P. Welch, The fast Fourier transform
algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms, 1970). An odd
number of them are transformed as complex numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import ceil_div
from ...kernel.nodes import Buffer, Value
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .chirp import stages_for
from .factors import root
from .rows import AT_ONCE, Pairs, cost_of
from .stages import Memory, Planes

if TYPE_CHECKING:
    from . import Transform

PADDING = 16
"""Elements between the real and the imaginary parts, which leave room for one point more."""


class _Kernel(WrittenKernel):
    """A kernel of rows that are `reals` long, transformed as rows of `points` complex numbers."""

    def __init__(self, transform: Transform, name: str, points: int, reals: int, second: bool) -> None:
        super().__init__(transform.lowering, transform.scope, f"{name}_{reals}")
        self.transform, self.points, self.reals = transform, points, reals
        self.frequencies = reals // 2 + 1
        build = self.build
        self.source, self.result = self.buffer(transform.source, "in"), self.buffer(transform.result, "inout")
        self.stages = stages_for(build, transform.dtype, points)
        self.passes = len(self.stages.passes)
        self.zero, self.apart = build.constant(0), points + PADDING
        self.scratch = [build.allocate(transform.dtype, 2 * self.apart) for _ in range(2 if second else 1)]

    def planes(self, number: int, swapped: bool = False) -> Planes:
        return Planes(self.build, self.scratch[number], self.zero, self.apart, swapped=swapped)

    def between(self, left: int) -> Memory:
        return self.planes(left % 2)

    @contextmanager
    def rows(self) -> Iterator[tuple[Value, Value]]:
        """Where the reals of a row begin, and where its frequencies do."""
        build, rows = self.build, self.transform.rows
        height = build.constant(max(1, AT_ONCE // self.points))
        first = build.mul(build.group_id(), height)
        last = build.emit("minimum", (build.add(first, height), self.index(rows)))
        with build.loop(first, last) as (row,):
            reals, frequencies = build.constant(self.reals), build.constant(2 * self.frequencies)
            yield build.mul(row, reals), build.mul(row, frequencies)
        groups = ceil_div(rows, max(1, AT_ONCE // self.points))
        self.launch(groups, cost_of(rows, self.points, self.passes + 1))

    @contextmanager
    def each(self, first: int, last: int) -> Iterator[Value]:
        """Points side by side."""
        build = self.build
        with build.loop(build.constant(first), build.constant(last), kind="lanes") as (k,):
            yield k

    def number(self, value: float) -> Value:
        return self.build.constant(value, self.transform.dtype)

    def table(self, roots: list[tuple[float, float]]) -> tuple[Buffer, Buffer]:
        re, im = zip(*roots, strict=True)
        return self.build.table(self.transform.dtype, re), self.build.table(self.transform.dtype, im)

    def mirrored(self, k: Value) -> Value:
        return self.build.sub(self.build.constant(self.points), k)


def transform_reals(transform: Transform) -> None:
    (_odd if transform.reals % 2 else _even)(transform)


def transform_to_reals(transform: Transform) -> None:
    (_to_odd if transform.reals % 2 else _to_even)(transform)


def _even(transform: Transform) -> None:
    half = transform.reals // 2
    kernel = _Kernel(transform, "rfft", half, transform.reals, second=False)
    build, zero = kernel.build, kernel.zero
    share = transform.scale / 2
    factors = kernel.table([(share * re, share * im) for re, im in (root(k, 2 * half) for k in range(half))])
    with kernel.rows() as (start, to):
        made = kernel.planes(0)

        def between(left: int) -> Memory:
            return Planes(build, kernel.result, to, half) if left % 2 else made

        kernel.stages.write(Pairs(build, kernel.source, start, False), made, between)
        first = made.load(zero, 0, zero)
        made.store(zero, half, zero, first)
        target = Pairs(build, kernel.result, to, False)
        with kernel.each(0, half) as k:
            x, y = made.load(k, 0, zero), made.load(kernel.mirrored(k), 0, zero)
            y = y.conjugate
            even, odd = x + y, x - y
            factor = Complex(*(build.load(each, k) for each in factors))
            rotated = Complex(odd.im, -odd.re) * factor
            target.store(k, 0, zero, even.scaled(share) + rotated)
        last = build.mul(build.sub(first.re, first.im), kernel.number(transform.scale))
        target.store(zero, half, zero, Complex(last, kernel.number(0.0)))


def _to_even(transform: Transform) -> None:
    half = transform.reals // 2
    kernel = _Kernel(transform, "irfft", half, transform.reals, second=True)
    build, zero = kernel.build, kernel.zero
    roots = [root(k, 2 * half) for k in range(half)]
    factors = kernel.table([(im, re) for re, im in roots])  # i times the conjugate
    with kernel.rows() as (start, given):
        spectrum, joined = (
            kernel.planes((kernel.passes + 1) % 2),
            kernel.planes(kernel.passes % 2, swapped=True),
        )
        _take_frequencies(kernel, given, spectrum)
        with kernel.each(0, half) as k:
            x, y = spectrum.load(k, 0, zero), spectrum.load(kernel.mirrored(k), 0, zero)
            y = y.conjugate
            factor = Complex(*(build.load(each, k) for each in factors))
            rotated = (x - y) * factor
            joined.store(k, 0, zero, x + y + rotated)
        target = Pairs(build, kernel.result, start, True, transform.scale)
        kernel.stages.write(kernel.between(kernel.passes), target, kernel.between)


def _take_frequencies(kernel: _Kernel, given: Value, spectrum: Planes) -> None:
    """All of them; the imaginary part of the first one, and of an even row's last one, is nothing."""
    zero, last, nothing = kernel.zero, kernel.frequencies - 1, kernel.number(0.0)
    source = Pairs(kernel.build, kernel.source, given, False)
    with kernel.each(0, last) as k:
        spectrum.store(k, 0, zero, source.load(k, 0, zero))
    end = source.load(zero, last, zero)
    spectrum.store(zero, last, zero, Complex(end.re, nothing if kernel.reals % 2 == 0 else end.im))
    spectrum.store(zero, 0, zero, Complex(source.load(zero, 0, zero).re, nothing))


class _Reals:
    """A row of reals, whose imaginary parts are nothing."""

    def __init__(self, kernel: _Kernel, buffer: Buffer, start: Value, swapped: bool, scale: float) -> None:
        self.kernel, self.buffer, self.start = kernel, buffer, start
        self.swapped, self.scale = swapped, scale

    def _place(self, point: Value, offset: int) -> Value:
        build = self.kernel.build
        return build.add(build.add(self.start, point), build.constant(offset))

    def load(self, point: Value, offset: int, _lane: Value) -> Complex:
        return Complex(
            self.kernel.build.load(self.buffer, self._place(point, offset)), self.kernel.number(0.0)
        )

    def store(self, point: Value, offset: int, _lane: Value, value: Complex) -> None:
        build = self.kernel.build
        part = value.im if self.swapped else value.re
        if self.scale != 1:
            part = build.mul(part, self.kernel.number(self.scale))
        build.store(self.buffer, self._place(point, offset), part)


def _odd(transform: Transform) -> None:
    kernel = _Kernel(transform, "rfft", transform.reals, transform.reals, second=True)
    zero = kernel.zero
    with kernel.rows() as (start, to):
        made = kernel.planes(0)
        kernel.stages.write(_Reals(kernel, kernel.source, start, False, 1.0), made, kernel.between)
        target = Pairs(kernel.build, kernel.result, to, False, transform.scale)
        first = made.load(zero, 0, zero)
        with kernel.each(1, kernel.frequencies) as k:
            target.store(k, 0, zero, made.load(k, 0, zero))
        target.store(zero, 0, zero, Complex(first.re, kernel.number(0.0)))


def _to_odd(transform: Transform) -> None:
    kernel = _Kernel(transform, "irfft", transform.reals, transform.reals, second=True)
    zero = kernel.zero
    with kernel.rows() as (start, given):
        spectrum = kernel.planes(kernel.passes % 2, swapped=True)
        _take_frequencies(kernel, given, spectrum)
        source = Pairs(kernel.build, kernel.source, given, False)
        with kernel.each(1, kernel.frequencies) as k:
            value = source.load(k, 0, zero)
            mirrored = value.conjugate
            spectrum.store(kernel.mirrored(k), 0, zero, mirrored)
        target = _Reals(kernel, kernel.result, start, True, transform.scale)
        kernel.stages.write(kernel.between(kernel.passes), target, kernel.between)
