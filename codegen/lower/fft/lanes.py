"""Rows and columns on other devices, by passes over as many points as fit a workgroup's shared memory.

A pass of `stages` may have any radix: the points of its butterfly are transformed in shared memory, by passes
of few points, and one launch does a pass for all rows. Rows that fit need one pass; long ones need two or
more (N. Govindaraju et al., High performance discrete Fourier transforms on graphics processors, 2008). A
workgroup takes several butterflies with adjacent points, so that its reads are contiguous. A device that is a
processor, whose workgroups have one lane, uses private memory instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....ir.expr import ONE, Expr, ceil_div, const, mul
from ...kernel.nodes import Buffer, Space, Value, constant_number
from ..writing.writer import Memory as Placed
from .butterflies import Complex
from .butterflies import transform as transform_few
from .factors import Pass, passes_of, prime_factors
from .points import Place, PointsKernel, complex_rows, roots_of_unity, rows_of_scratch
from .rows import cost_of

if TYPE_CHECKING:
    from . import Transform

LARGEST_POWER = 3
"""The largest radix that is a power of two, of a pass of few points: a lane has fewer registers than a
processor's thread."""
LARGEST_FACTOR = 23
SIDE_BY_SIDE = 8
"""Butterflies of a workgroup with adjacent points: these fill cache lines."""
POINTS_OF_A_LANE = 8
PRIVATE_BYTES = 1 << 15


def has_few_factors(points: int) -> bool:
    return max(prime_factors(points), default=1) <= LARGEST_FACTOR


def passes_on_lanes(points: int, most: int) -> list[Pass]:
    """Returns as few passes as possible, of at most so many points each, of similar size."""
    factors = sorted(prime_factors(points), reverse=True)
    count = 1
    while True:
        radices = [1] * count
        for factor in factors:
            least = radices.index(min(radices))
            radices[least] *= factor
        if max(radices) <= most:
            break
        count += 1
    made, alike = [], 1
    for radix in radices:
        made.append(Pass(radix, alike, points // (alike * radix)))
        alike *= radix
    return made


def transform_on_lanes(transforms: Sequence[Transform]) -> None:
    (transform,) = transforms
    points, held = transform.points, _held_points(transform)
    apart = transform.columns is not ONE or points > held
    passes = passes_on_lanes(points, max(held // SIDE_BY_SIDE if apart else held, LARGEST_FACTOR))
    between = [rows_of_scratch(transform, transform.rows, points) for _ in passes[1:3]]
    source: Placed | None = None
    for number, each in enumerate(passes):
        ends = {"prologue": transform.prologue, "epilogue": transform.epilogue, "scale": transform.scale}
        memories = {}
        if source is not None:
            memories["source"], ends["prologue"] = source, None
        if number < len(passes) - 1:
            source = memories["result"] = between[number % 2]
            ends["epilogue"], ends["scale"] = None, 1.0
        part = complex_rows(transform, points, **ends, **memories)
        _Pass(part, each, held, f"_{number}" if between else "").write()


def _held_points(transform: Transform) -> int:
    """Returns the points of which shared memory holds two copies: before and after a pass of few points."""
    machine = transform.lowering.machine
    held = machine.shared_bytes if machine.lanes > 1 else PRIVATE_BYTES
    return held // (4 * transform.dtype.itemsize)


class _Pass:
    """The launch of one pass for all rows and the columns of each."""

    def __init__(self, transform: Transform, each: Pass, held: int, ending: str) -> None:
        self.transform, self.each, self.inner = transform, each, passes_of(each.radix, LARGEST_POWER)
        self.lanes = transform.lowering.machine.lanes
        has_roots = each.groups > 1 or len(self.inner) > 1
        roots, self.step = roots_of_unity(transform, transform.points) if has_roots else (None, 0)
        self.kernel = PointsKernel(transform, f"fft_{transform.points}{ending}", prologue=True, epilogue=True)
        self.build = self.kernel.build
        self.roots = None if roots is None else self.kernel.buffer(roots, "in")
        most = min(held, max(each.radix, self.lanes * POINTS_OF_A_LANE)) // each.radix
        self.stacked = 1 << (most.bit_length() - 1)
        """Butterflies of a workgroup."""
        self.butterflies: Expr = mul(transform.rows, mul(const(each.alike * each.groups), transform.columns))
        one = transform.columns is ONE
        self.along = one and each.alike * each.groups == 1, one and each.alike == 1
        """Whether the points of a butterfly are adjacent: at the source, and at the destination."""

    def write(self) -> None:
        build, inner, radix = self.build, self.inner, self.each.radix
        given, give = self._given(), self._give()
        space: Space = "shared" if self.lanes > 1 else "private"
        size = 2 * radix * self.stacked
        memory = [build.allocate(self.transform.dtype, size, space) for _ in inner[1:3]]
        start = build.group_id() * self.stacked
        end = self.kernel.index(self.butterflies)
        lane = build.lane_id() if self.lanes > 1 else build.constant(0)
        for number, few in enumerate(inner):
            first, last = number == 0, number == len(inner) - 1
            count = radix // few.radix
            with build.loop(lane, count * self.stacked, self.lanes) as (item,):
                if self.along[not first]:
                    place, t = divmod(item, count)
                else:
                    t, place = divmod(item, self.stacked)
                own = start + place
                if first:
                    points = given(build.minimum(own, end - 1))
                else:
                    points = partial(self._load, memory[(number - 1) % 2], place)
                made = transform_few([points(t + j * count) for j in range(few.radix)])
                if last:
                    with build.when(own < end):
                        store = give(own)
                        for k, value in enumerate(made):
                            store(t + k * few.alike, value)
                else:
                    p = t // few.alike
                    to = t + p * (few.alike * (few.radix - 1))
                    for k, value in enumerate(made):
                        value = self._times_root(value, p * (k * few.alike), radix)
                        self._store(memory[number % 2], place, to + k * few.alike, value)
            if not last and self.lanes > 1:
                build.barrier()
        groups: Expr = ceil_div(self.butterflies, self.stacked)
        self.kernel.launch(groups, cost_of(self.butterflies, radix, len(inner)))

    def _given(self) -> Callable[[Value], Callable[[Value], Complex]]:
        """Returns the loads of butterflies' points."""
        load, each = self.kernel.operand(), self.each

        def given(butterfly: Value) -> Callable[[Value], Complex]:
            place, first = self._place(butterfly)
            return lambda k: self._swapped(load(place, first + k * (each.alike * each.groups)))

        return given

    def _give(self) -> Callable[[Value], Callable[[Value, Complex], None]]:
        """Returns the stores of their transforms, times the twiddle factors of the next pass."""
        store, each = self.kernel.result(self.transform.scale), self.each

        def give(butterfly: Value) -> Callable[[Value, Complex], None]:
            place, first = self._place(butterfly)
            p, q = divmod(first, each.alike)

            def stored(k: Value, value: Complex) -> None:
                if each.groups > 1:
                    value = self._times_root(value, p * k, each.groups * each.radix)
                store(place, (p * each.radix + k) * each.alike + q, self._swapped(value))

            return stored

        return give

    def _place(self, butterfly: Value) -> tuple[Place, Value]:
        """Returns the row and the column of a butterfly, and its first point."""
        point, column = divmod(butterfly, self.kernel.columns)
        row, first = divmod(point, self.each.alike * self.each.groups)
        return Place(row, column), first

    def _swapped(self, value: Complex) -> Complex:
        """Swaps the parts: the inverse transform is the forward transform of swapped values, with its results
        swapped."""
        return value.swapped if self.transform.backward else value

    def _times_root(self, value: Complex, k: Value, n: int) -> Complex:
        """Multiplies by exp(-2 pi i k / n)."""
        if constant_number(k) == 0:
            return value
        assert self.roots is not None
        return value * self.kernel.load(self.roots, k * (self.step * (self.transform.points // n)))

    def _places(self, place: Value, k: Value) -> list[Value]:
        """Returns the places of the parts of point k of a butterfly in shared memory."""
        radix, stacked = self.each.radix, self.stacked
        at = place * radix + k if self.along[True] else k * stacked + place
        return [at, at + radix * stacked]

    def _load(self, memory: Buffer, place: Value, k: Value) -> Complex:
        return Complex(*(self.build.load(memory, value) for value in self._places(place, k)))

    def _store(self, memory: Buffer, place: Value, k: Value, value: Complex) -> None:
        for each, part in zip(self._places(place, k), value, strict=True):
            self.build.store(memory, each, part)
