"""Rows on a processor: a workgroup takes some, each through all of its passes while it is in the cache.

The transform of reals has the nonnegative frequencies. An even number of reals is treated as half as many
complex numbers in the same memory: their transform follows from the frequencies k and -k of these (J. Cooley,
P. Lewis, P. Welch, The fast Fourier transform algorithm: programming considerations in the calculation of
sine, cosine and Laplace transforms, 1970). An odd number of them is transformed as complex numbers.
Consecutive transforms of the same rows are one kernel: a row stays in scratch memory between them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, const, mul
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Buffer, Value
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .chirp import Chirp, stages_for
from .ends import Ends, writer_of
from .row_passes import passes_of_rows
from .stages import Memory, Parts, Planes, Stages

if TYPE_CHECKING:
    from . import Transform

AT_ONCE = 4096
"""The approximate number of points of a workgroup."""
FEW = 8
"""Rows of so few points are processed in the lanes of vectors, whatever their stride."""
PADDING = 16
"""Elements between the real and the imaginary parts, with room for one more point."""


class Pairs(Parts):
    """A row of complex numbers with interleaved parts."""

    def __init__(
        self, build: KernelBuilder, buffer: Buffer, start: Value, swapped: bool, scale: float = 1.0
    ) -> None:
        super().__init__(build, buffer, swapped, scale)
        self.start = start

    def _places(self, point: Value, offset: int, _lane: Value) -> list[Value]:
        place = self.start + point * 2
        return [place + (2 * offset + part) for part in (0, 1)]


class Reals(Parts):
    """A row of reals with imaginary parts of 0; `pitch`: the stride of its elements."""

    def __init__(
        self, build: KernelBuilder, buffer: Buffer, start: Value, swapped: bool, scale: float, pitch: int = 1
    ) -> None:
        super().__init__(build, buffer, swapped, scale)
        self.start, self.pitch = start, pitch

    def _place(self, point: Value, offset: int, lane: Value) -> Value:
        return self.start + point * self.pitch + lane + offset * self.pitch

    def load(self, point: Value, offset: int, lane: Value) -> Complex:
        real = self.build.load(self.buffer, self._place(point, offset, lane))
        return Complex(real, self.build.constant(0.0, real.dtype))

    def store(self, point: Value, offset: int, lane: Value, value: Complex) -> None:
        part = value.im if self.swapped else value.re
        self.build.store(
            self.buffer, self._place(point, offset, lane), part if self.scale == 1 else part * self.scale
        )


class RowsKernel(WrittenKernel, ABC):
    """Transforms of the same rows, one after the other.

    Between passes points lie in scratch memories, of which there are two: number `k` is that of `k` passes to
    come. What one transform leaves in either is taken from there by the next one.
    """

    def __init__(self, transforms: Sequence[Transform], ending: str, stacked: int) -> None:
        first, last = transforms[0], transforms[-1]
        name = "_".join(f"{transform.name}" for transform in transforms) + ending
        super().__init__(first.lowering, first.scope, name, writer=writer_of(transforms, name))
        self.transforms, self.transform, self.dtype = transforms, first, first.dtype
        self.source = None if first.source is None else self.buffer(first.source, "in")
        self.result = None if last.result is None else self.buffer(last.result, "inout")
        made: dict[int, Stages | Chirp] = {}
        for transform in transforms:
            if transform.row_points not in made:
                made[transform.row_points] = stages_for(self.build, self.dtype, transform.row_points, stacked)
        self._stages = made
        self.points, self.zero = max(made), self.build.constant(0)
        self.nothing = self.build.constant(0.0, self.dtype)
        self.writes = [passes_of_rows(self, transform) for transform in transforms]
        self._shift = self._left = 0

    @property
    def stages(self) -> Stages | Chirp:
        """The passes of the present transform."""
        return self._stages[self.transform.row_points]

    @property
    def passes(self) -> int:
        return len(self.stages.passes)

    @property
    def is_first(self) -> bool:
        return self.transform is self.transforms[0]

    @property
    def is_last(self) -> bool:
        return self.transform is self.transforms[-1]

    def write(self) -> None:
        passes = 0
        with self.rows():
            for transform, write in zip(self.transforms, self.writes, strict=True):
                self.transform, self._shift = transform, 0
                write()
                self.finish()
                passes += self.passes + bool(self.transform.reals)
        rows = self.transform.rows
        self.launch(ceil_div(*self.shares(rows)), cost_of(rows, self.points, passes))

    def scratch(self, number: int) -> int:
        return (number + self._shift) % 2

    def table(self, roots: Sequence[tuple[float, float]]) -> Callable[[Value], Complex]:
        """Returns a constant for each point."""
        re, im = (self.build.table(self.dtype, part) for part in zip(*roots, strict=True))
        return lambda k: Complex(self.build.load(re, k), self.build.load(im, k))

    def given(self, number: int, swapped: bool = False) -> Memory:
        """Returns the source of the operand, which may be copied to the scratch memory of that number."""
        if self.is_first:
            return self.taken_in(number, swapped)
        self._shift = (self._left - number) % 2
        return self.planes(number, swapped)

    def made(self, number: int, swapped: bool = False, scale: float = 1.0) -> Memory:
        """Returns the destination of the result, which may be the scratch memory of that number."""
        self._left = self.scratch(number)
        return self.given_out(number, swapped, scale)

    @abstractmethod
    def rows(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def shares(self, rows: Expr) -> tuple[Expr, int]:
        """Returns the number of work items, and of those of a workgroup."""

    @abstractmethod
    def each(self, first: int, last: int) -> AbstractContextManager[tuple[Value, Value]]:
        """Loops over points, with their lanes."""

    @abstractmethod
    def planes(self, number: int, swapped: bool = False, scale: float = 1.0) -> Planes: ...

    @abstractmethod
    def taken_in(self, number: int, swapped: bool) -> Memory:
        """Returns the source of the first transform's operand."""

    @abstractmethod
    def taken(self, number: int) -> Memory:
        """Returns the scratch memory of that number, with the operand in it."""

    @abstractmethod
    def given_out(self, number: int, swapped: bool, scale: float) -> Memory: ...

    @abstractmethod
    def finish(self) -> None:
        """Copies the result of a transform from scratch memory to its destination."""


class SingleRows(RowsKernel):
    """One row at a time: vectors go along its points."""

    def __init__(self, transforms: Sequence[Transform]) -> None:
        super().__init__(transforms, "", 1)
        (only, *more), build = transforms, self.build
        self.apart = self.points + PADDING
        self._in_result = None
        if (
            self.result is not None
            and not more
            and not (only.backward and only.reals)
            and only.reals % 2 == 0
        ):
            self._in_result = 1 if only.reals else 0
        one_pass = not more and not only.reals and self.passes == 1
        self._scratch = [
            None if one_pass or number == self._in_result
            else build.allocate(self.dtype, 2 * self.apart)
            for number in range(2)
        ]  # fmt: skip
        self.across = one_pass and self.points < FEW and self.writer is None

    def shares(self, rows: Expr) -> tuple[Expr, int]:
        return rows, max(1, AT_ONCE // self.points)

    @contextmanager
    def rows(self) -> Iterator[None]:
        build, (rows, height) = self.build, self.shares(self.transform.rows)
        first = build.group_id() * height
        last = build.minimum(first + height, self.index(rows))
        with build.loop(first, last, kind="lanes" if self.across else "serial") as (self.row,):
            yield

    @contextmanager
    def each(self, first: int, last: int) -> Iterator[tuple[Value, Value]]:
        if last == first + 1:
            yield self.build.constant(first), self.zero
            return
        with self.build.loop(first, last, kind="lanes") as (k,):
            yield k, self.zero

    def planes(self, number: int, swapped: bool = False, scale: float = 1.0) -> Planes:
        build, buffer = self.build, self._scratch[self.scratch(number)]
        if buffer is not None:
            return Planes(build, buffer, self.zero, self.apart, swapped=swapped, scale=scale)
        assert self.result is not None
        return Planes(build, self.result, self._start(True), self.transform.row_points, swapped=swapped)

    def _start(self, made: bool) -> Value:
        points, parts = self.transform.extents[made]
        return self.row * (points * parts)

    def _in_memory(self, buffer: Buffer, made: bool, swapped: bool, scale: float) -> Memory:
        kind = Reals if self.transform.modes[made] == "reals" else Pairs
        return kind(self.build, buffer, self._start(made), swapped, scale)

    def taken_in(self, number: int, swapped: bool) -> Memory:
        if self.source is not None:
            return self._in_memory(self.source, False, swapped, 1.0)
        return Ends.before(self, self.transform, lambda k, _: self.transform.at(self, self.row, k), swapped)

    def taken(self, number: int) -> Memory:
        source = self.given(number)
        target = self.planes(number)
        if self.is_first:
            points, _ = self.transform.extents[0]
            with self.each(0, points) as (k, lane):
                target.store(k, 0, lane, source.load(k, 0, lane))
        return target

    def given_out(self, number: int, swapped: bool, scale: float) -> Memory:
        if self.is_last and self.result is not None:
            return self._in_memory(self.result, True, swapped, scale)
        onward = None if self.is_last else self.planes(number)
        transform = self.transform
        return Ends.behind(
            self, transform, lambda k, _: transform.at(self, self.row, k), swapped, scale, onward
        )

    def finish(self) -> None:
        pass


def transform_rows(transforms: Sequence[Transform]) -> None:
    SingleRows(transforms).write()


def cost_of(rows: Expr, points: int, passes: int) -> Expr:
    """Estimates nanoseconds."""
    return mul(rows, const(points * (4 + passes) // 8 + 1))
