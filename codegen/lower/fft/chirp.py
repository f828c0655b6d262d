"""Rows of any number of points on a processor: a transform is a convolution with a chirp, and that is done by
transforms of more points, whose number has small factors (L. Bluestein, A linear filtering approach to the
computation of the discrete Fourier transform, 1970).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy

from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .butterflies import Complex, number
from .factors import radices_of, root
from .stages import Memory, Planes, Stages

SMALL_FACTORS = frozenset((2, 3, 4, 5, 8, 9, 16))


def convolved_points(points: int) -> int:
    """The least number of points with small factors in which the convolution fits."""
    made = -(-(2 * points - 1) // 16) * 16
    while not SMALL_FACTORS.issuperset(radices_of(made) or [0]):
        made += 16
    return made


class Chirp:
    """The passes of such a transform, with the interface of `Stages`: it has memory of its own between
    them."""

    def __init__(self, build: KernelBuilder, dtype: DType, points: int, stacked: int = 1) -> None:
        self.build, self.dtype, self.points, self.stacked = build, dtype, points, stacked
        self._size = convolved_points(points)
        self._inner = Stages(build, dtype, self._size, stacked)
        self.passes = 2 * self._inner.passes
        self.stored = points, 1
        chirp = [root(k * k % (2 * points), 2 * points) for k in range(points)]
        self._chirp = self._table(chirp)
        self._spectrum = self._table(self._response(chirp))
        self._scratch = [build.allocate(dtype, 2 * self._size * stacked) for _ in range(2)]

    def _response(self, chirp: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """The transform of the convolution's kernel, which is the conjugate chirp on both sides of 0."""
        circular = numpy.zeros(self._size, numpy.complex128)
        circular[: self.points] = [complex(re, -im) for re, im in chirp]
        circular[self._size - self.points + 1 :] = circular[self.points - 1 : 0 : -1]
        return [(each.real, each.imag) for each in numpy.fft.fft(circular, norm="forward").tolist()]

    def _table(self, values: Sequence[tuple[float, float]]) -> tuple[Buffer, Buffer]:
        re, im = zip(*values, strict=True)
        return self.build.table(self.dtype, re), self.build.table(self.dtype, im)

    def write(self, source: Memory, target: Memory, _between: Callable[[int], Memory]) -> None:
        inner, odd = self._inner, len(self._inner.passes) % 2
        given, nothing = self._planes(odd), number(self.build, self.dtype)
        with self._each(0, self.points) as (k, lane):
            given.store(k, 0, lane, self._times(source.load(k, 0, lane), self._chirp, k))
        with self._each(self.points, self._size) as (k, lane):
            given.store(k, 0, lane, nothing)
        # The inverse transform is the forward one of swapped parts.
        inner.write(given, _Product(self, self._planes(0, swapped=True)), self._planes)
        made = self._planes(odd, swapped=True)
        inner.write(self._planes(0), self._planes(odd), lambda left: self._planes(left + odd))
        with self._each(0, self.points) as (k, lane):
            target.store(k, 0, lane, self._times(made.load(k, 0, lane), self._chirp, k))

    @contextmanager
    def _each(self, first: int, last: int) -> Iterator[tuple[Value, Value]]:
        """The points of all transforms that share the lanes."""
        build, zero = self.build, self.build.constant(0)
        kind = "lanes" if self.stacked == 1 else "serial"
        with build.loop(first, last, kind=kind) as (k,):
            if self.stacked == 1:
                yield k, zero
                return
            with build.loop(0, self.stacked, kind="lanes") as (lane,):
                yield k, lane

    def _planes(self, number: int, swapped: bool = False) -> Planes:
        scratch, zero = self._scratch[number % 2], self.build.constant(0)
        if self.stacked == 1:
            return Planes(self.build, scratch, zero, self._size, swapped=swapped)
        return Planes(self.build, scratch, zero, self.stacked, 2 * self.stacked, swapped)

    def _times(self, value: Complex, table: tuple[Buffer, Buffer], at: Value) -> Complex:
        return value * Complex(*(self.build.load(buffer, at) for buffer in table))

    def times_spectrum(self, value: Complex, at: Value) -> Complex:
        return self._times(value, self._spectrum, at)


class _Product:
    """A destination that stores frequencies times those of the chirp."""

    def __init__(self, chirp: Chirp, target: Planes) -> None:
        self.chirp, self.target = chirp, target

    def load(self, point: Value, offset: int, lane: Value) -> Complex:
        return self.target.load(point, offset, lane)

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None:
        self.target.store(point, offset, lane, self.chirp.times_spectrum(value, point + offset))


def stages_for(build: KernelBuilder, dtype: DType, points: int, stacked: int = 1) -> Stages | Chirp:
    """Chooses passes by the factors of the number of points."""
    return (Stages if radices_of(points) else Chirp)(build, dtype, points, stacked)
