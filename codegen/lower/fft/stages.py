"""The passes of a transform, in the vectors of a processor.

Each pass transforms groups of a few distant points, and stores their results so that the last pass leaves all
of them in order: no pass reverses digits (T. Stockham, High-speed convolution and correlation, 1966; C. Van
Loan, Computational Frameworks for the Fast Fourier Transform, section 1.7). Vectors go along the positions
with equal factors. Transforms in lanes share factors from the first pass on; the first pass of a single one
has no such positions, and vectors go along its groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Protocol

from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from .butterflies import Complex, transform
from .factors import Pass, passes_of, root
from .looped import roots_of_blocks, write_looped, write_sums


class Memory(Protocol):
    """The memory of points: point number `point + offset` of transform number `lane` of those in the
    lanes."""

    def load(self, point: Value, offset: int, lane: Value) -> Complex: ...

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None: ...


class Parts:
    """Memory with interleaved complex numbers. `swapped`: the parts are exchanged; `scale`: the factor of
    stored values."""

    def __init__(self, build: KernelBuilder, buffer: Buffer, swapped: bool, scale: float) -> None:
        self.build, self.buffer, self.swapped, self.scale = build, buffer, swapped, scale

    def _places(self, point: Value, offset: int, lane: Value) -> list[Value]:
        """Returns the positions of both parts."""
        raise AssertionError("each layout has its places")

    def load(self, point: Value, offset: int, lane: Value) -> Complex:
        re, im = (self.build.load(self.buffer, value) for value in self._places(point, offset, lane))
        return Complex(im, re) if self.swapped else Complex(re, im)

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None:
        value = value.scaled(self.scale)
        value = value.swapped if self.swapped else value
        for each, part in zip(self._places(point, offset, lane), value, strict=True):
            self.build.store(self.buffer, each, part)


class Planes(Parts):
    """Scratch memory with separate real and imaginary parts, `apart` elements from each other; the transforms
    in the lanes are adjacent, with `pitch` elements from one point of a transform to the next."""

    def __init__(
        self,
        build: KernelBuilder,
        buffer: Buffer,
        base: Value,
        apart: int,
        pitch: int = 1,
        swapped: bool = False,
        scale: float = 1.0,
    ) -> None:
        super().__init__(build, buffer, swapped, scale)
        self.base, self.apart, self.pitch = base, apart, pitch

    def _places(self, point: Value, offset: int, lane: Value) -> list[Value]:
        start = self.base + point * self.pitch + lane
        return [start + (offset * self.pitch + part * self.apart) for part in (0, 1)]


Place = tuple[Memory, Value]
"""Memory, and a point of it."""


class Stages:
    """The passes of transforms of `points` points, `stacked` of which share the lanes."""

    def __init__(self, build: KernelBuilder, dtype: DType, points: int, stacked: int = 1) -> None:
        self.build, self.dtype, self.points, self.stacked = build, dtype, points, stacked
        self.passes = passes_of(points)
        self._tables = [self._table(each) for each in self.passes]
        last = self.passes[-1]
        self.stored = (points, 1) if last.loops else (last.alike, last.radix)
        """The order in which the last pass stores points: their number, and offsets from each with their
        distance."""

    def _table(self, each: Pass) -> Buffer | None:
        """Returns the factors of a pass: for vectors along its groups, or those of each group."""
        if each.loops:
            return None if each.sums else self.build.table(self.dtype, roots_of_blocks(each.radix))
        if each.groups == 1:
            return None
        length, radix, groups = each.radix * each.groups, each.radix, range(each.groups)
        if self._along_groups(each):
            roots = [root(p * k, length) for k in range(1, radix) for p in groups]
            values = [re for re, _ in roots] + [im for _, im in roots]
        else:
            values = [part for p in groups for k in range(1, radix) for part in root(p * k, length)]
        return self.build.table(self.dtype, values)

    def _along_groups(self, each: Pass) -> bool:
        return each.alike * self.stacked == 1

    def write(self, source: Memory, target: Memory, between: Callable[[int], Memory]) -> None:
        """Writes all passes, from `source` to `target`; `between(k)` is the memory with k more passes to
        come."""
        last = len(self.passes) - 1
        for number, each in enumerate(self.passes):
            read = source if number == 0 else between(last - number + 1)
            self._write(
                each, self._tables[number], read, target if number == last else between(last - number)
            )

    def _write(self, each: Pass, table: Buffer | None, source: Memory, target: Memory) -> None:
        build, zero = self.build, self.build.constant(0)
        if self._along_groups(each) and each.groups > 1:
            with build.loop(0, each.groups, kind="lanes") as (p,):
                factors = self._of_vectors(each, table, p)
                self._butterfly(each, (source, p), (target, p * each.radix), zero, factors)
        elif each.groups == 1:
            self._alike(each, (source, zero), (target, zero), [], table)
        else:
            with build.loop(0, each.groups) as (p,):
                factors = self._of_one(each, table, p)
                places = p * each.alike, p * (each.alike * each.radix)
                self._alike(each, (source, places[0]), (target, places[1]), factors)

    def _alike(
        self,
        each: Pass,
        source: Place,
        target: Place,
        factors: Sequence[Complex],
        table: Buffer | None = None,
    ) -> None:
        """Writes the butterflies of one group's positions."""
        build, zero = self.build, self.build.constant(0)

        def at(q: Value, lane: Value) -> None:
            read, written = ((memory, point + q) for memory, point in (source, target))
            if each.sums:
                write_sums(each, read, written, lane)
            elif table is not None:
                write_looped(each, table, read, written, lane)
            else:
                self._butterfly(each, read, written, lane, factors)

        if self.stacked > 1:
            with ExitStack() as stack:
                q = zero if each.alike == 1 else stack.enter_context(build.loop(0, each.alike))[0]
                (lane,) = stack.enter_context(build.loop(0, self.stacked, kind="lanes"))
                at(q, lane)
        elif each.alike > 1:
            with build.loop(0, each.alike, kind="lanes") as (q,):
                at(q, zero)
        else:
            at(zero, zero)

    def _butterfly(
        self, each: Pass, source: Place, target: Place, lane: Value, factors: Sequence[Complex]
    ) -> None:
        (read, point), (written, to) = source, target
        distance = each.alike * each.groups
        made = transform([read.load(point, j * distance, lane) for j in range(each.radix)])
        for k, factor in enumerate(factors, 1):
            made[k] = made[k] * factor
        for k, value in enumerate(made):
            written.store(to, k * each.alike, lane, value)

    def _of_vectors(self, each: Pass, table: Buffer | None, p: Value) -> list[Complex]:
        """Returns the factors of groups p, p + 1, ..."""
        assert table is not None
        load, half = self.build.load, (each.radix - 1) * each.groups
        places = [p + (k - 1) * each.groups for k in range(1, each.radix)]
        return [Complex(load(table, at), load(table, at + half)) for at in places]

    def _of_one(self, each: Pass, table: Buffer | None, p: Value) -> list[Complex]:
        """Returns the factors of group p."""
        assert table is not None
        count = 2 * each.radix - 2
        base = p * count
        parts = [self.build.load(table, base + part) for part in range(count)]
        return [Complex(*parts[at : at + 2]) for at in range(0, count, 2)]
