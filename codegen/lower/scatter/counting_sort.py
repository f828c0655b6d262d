"""Ordered writes of many elements at run-time positions: the elements are sorted by position first, by a
counting sort.

Places are divided into as many bins as a workgroup has lanes. In the first of three kernels, a workgroup
takes a chunk of the elements, and each of its lanes counts those of one bin. In the second, it writes their
numbers behind those of the bins before, and of earlier chunks in its own bin: they stay in order, without any
atomic. In the third, a workgroup takes a bin and divides its places among its lanes, each of which visits the
bin's elements and combines those of its own places. No lane visits more than a chunk or a bin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....ir.expr import Expr, ceil_div, less, lift, maximum, minimum, product
from ....ir.passes.groups import Group
from ....ir.passes.stages import Stage
from ....ir.record import record
from ....ir.types import I32, I64, INDEX, DType
from ...kernel.nodes import Buffer, Value
from ...plan.nodes import Alloc, PlanBuffer
from ..schedule import LoweringContext, lower_group
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from .chunked_scatter import places_of
from .lanes_scatter import atomic_of, look_through, part_of_element, part_of_lane, place_number
from .serial_scatter import split_axes

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

LEAST_ELEMENTS = 4096
"""For fewer elements two more launches take longer."""
CHUNK = 2048
"""The least elements of a chunk."""
MOST_CHUNKS = 512
"""The second kernel reads all counts in each chunk."""


def lower_counting_sort(lowering: Lowering, group: Group, context: LoweringContext, scope: Scope) -> bool:
    """Lowers the group by a counting sort, if it is such a write and that pays; returns whether it did."""
    (stage,) = group.stages
    if atomic_of(stage, context.machine) is not None:
        return False
    elements = product(context.extents[axis] for axis in stage.in_order)
    if context.decide(less(elements, LEAST_ELEMENTS)) or not context.decide(less(elements, 1 << 31)):
        return False
    chunks = minimum(ceil_div(elements, CHUNK), MOST_CHUNKS)
    first = len(lowering.buffers)
    bins = _CountingSort(stage, elements, chunks, first, first + 1, first + 2)
    kernels = [lower_group(group, context, write) for write in (bins.count, bins.fill, bins.combine)]
    most = context.machine.most_buffers
    if most is not None and max(len(lowered.buffers) for lowered in kernels) > most:
        return False
    for size in (chunks * context.machine.lanes, lift(context.machine.lanes), elements):
        scope.steps.append(Alloc(len(lowering.buffers)))
        lowering.buffers.append(PlanBuffer(I32, size))
    for lowered in kernels:
        lowering.launch(lowered, scope)
    return True


class _CountingSort(metaclass=record):
    """The three kernels, and the plan's buffers of 32-bit numbers between them."""

    stage: Stage
    elements: Expr
    chunks: Expr
    counts: int
    """The number of elements of each bin, by chunk."""
    ends: int
    """The end of each bin in `numbers`."""
    ordinals: int
    """The numbers of the elements, bin after bin."""

    def count(self, writing: GroupWriter) -> Expr:
        """Writes the first kernel: a workgroup for each chunk."""
        (counts,) = self._begin(writing, "count_bins", self.counts)
        build = writing.build
        counted = self._through_chunk(writing, build.constant(0), None)
        build.store(counts, _of_chunk(writing, build.group_id()), build.cast(counted, I32))
        return self.chunks

    def fill(self, writing: GroupWriter) -> Expr:
        """Writes the second kernel: a workgroup for each chunk."""
        ends, ordinals = self._begin(writing, "fill_bins", self.ends, self.ordinals)
        counts = writing.writer.buffer(self.counts, I32)
        build, lane, chunk = writing.build, writing.build.lane_id(), writing.build.group_id()
        zero, chunks = build.constant(0), writing.writer.index(self.chunks)

        def add_chunk(other: Value, before: Value, total: Value) -> Sequence[Value]:
            counted = build.cast(build.load(counts, _of_chunk(writing, other)), INDEX)
            earlier = build.select(other < chunk, counted, zero)
            return before + earlier, total + counted

        before, total = build.carry(zero, chunks, (zero, zero), add_chunk)
        totals = build.allocate(I32, writing.workgroup, "shared")
        build.store(totals, lane, build.cast(total, I32))
        build.barrier()

        def add_bin(other: Value, first: Value) -> Sequence[Value]:
            return (first + build.cast(build.load(totals, other), INDEX),)

        (first,) = build.carry(zero, lane, (zero,), add_bin)
        with build.when(chunk.equals(zero)):
            build.store(ends, lane, build.cast(first + total, I32))

        def put(number: Value, place: Value) -> None:
            build.store(ordinals, place, build.cast(number, I32))

        self._through_chunk(writing, first + before, put)
        return self.chunks

    def _begin(self, writing: GroupWriter, name: str, *written: int) -> list[Buffer]:
        """Names the kernel, and replaces the group's own buffers by those that it writes."""
        writing.workgroup, writing.build.name = writing.context.machine.lanes, name
        writing.writer.written = set(written)
        return [writing.writer.buffer(number, I32) for number in written]

    def _through_chunk(
        self, writing: GroupWriter, first: Value, use: Callable[[Value, Value], None] | None
    ) -> Value:
        """Uses each element of the lane's bin, with its place from `first` on; returns the place after
        them."""
        build, writer = writing.build, writing.writer
        length = writer.index(ceil_div(self.elements, self.chunks))
        lower = build.group_id() * length
        upper = build.minimum(lower + length, writer.index(self.elements))
        lane, bins = build.cast(build.lane_id(), I32), build.constant(writing.workgroup)

        def take(number: Value, at: Value, told: Value, place: Value) -> Sequence[Value]:
            own = told.equals(lane)
            if use is not None:
                with build.when(own):
                    use(number, place)
            return (build.select(own, place + 1, place),)

        def tell(number: Value) -> Value:
            return part_of_element(writing, self.stage, number, bins)

        (last,) = look_through(writing, (lower, upper), tell, (first,), take)
        return last

    def combine(self, writing: GroupWriter) -> Expr:
        """Writes the third kernel: a workgroup for each bin, or several where its places have many
        elements."""
        stage, build, nest = self.stage, writing.build, writing.nest
        lanes = writing.workgroup = writing.context.machine.lanes
        writing.build.name = "combine_bins"
        in_order, loose = split_axes(writing, stage)
        rest = nest.count(loose)
        parts = maximum(lanes // maximum(rest, 1), 1)
        several = ceil_div(parts * rest, lanes)
        split = writing.writer.index(maximum(several, 1))
        bin_, group = divmod(build.group_id(), split)
        part = part_of_lane(writing, loose, group)
        shared_elements = _SharedElements(writing, stage, in_order, whole=not loose)

        def tell(at: Value) -> Value:
            number = build.load(writing.writer.buffer(self.ordinals, I32), at)
            place = shared_elements.keep(number)
            place = place // lanes
            return build.cast(place % writing.writer.index(parts), I32)

        def take(_: Value, at: Value, told: Value, place: Value, value: Value) -> Sequence[Value]:
            def own() -> Sequence[Value]:
                added = shared_elements.take(at)
                return self._combined(writing, place, value, added)

            return build.branch(told.equals(part), own, lambda: (place, value))

        ends = writing.writer.buffer(self.ends, I32)
        before = build.maximum(bin_ - 1, 0)
        first = build.cast(build.load(ends, before), INDEX)
        first = build.select(bin_.equals(0), 0, first)
        bounds = first, build.cast(build.load(ends, bin_), INDEX)
        nothing = build.constant(-1), build.constant(0, stage.node.dtype)
        self._put(writing, *look_through(writing, bounds, tell, nothing, take))
        return several * lanes

    def _combined(self, writing: GroupWriter, place: Value, value: Value, added: Value) -> Sequence[Value]:
        """Returns the place of the current element and the new value there; that of the element before stays
        in registers until the place changes."""
        assert self.stage.scatter is not None
        build, kind = writing.build, self.stage.scatter.attribute("kind")
        target, here = writing.place(self.stage)

        def change() -> Sequence[Value]:
            self._put(writing, place, value)
            return (build.load(target, here),)

        (known,) = build.branch(here.differs(place), change, lambda: (value,))
        return here, added if kind == "set" else build.emit(kind, (known, added))

    def _put(self, writing: GroupWriter, place: Value, value: Value) -> None:
        """Writes the value of a place, if there is one."""
        memory, build = writing.context.memories[self.stage.node], writing.build
        with build.when(build.constant(0) <= place):
            build.store(writing.writer.buffer(memory.buffer, memory.dtype), place, value)


class _SharedElements:
    """The lanes' elements in shared memory: each lane examines one, for all of them."""

    def __init__(self, writing: GroupWriter, stage: Stage, in_order: Sequence[Axis], whole: bool) -> None:
        """`whole`: the value of an element is one for all lanes."""
        self.writing, self.stage, self.in_order, self.whole = writing, stage, in_order, whole
        self.values = self._shared(stage.value.dtype if whole else I32)
        short = [writing.context.decide(less(place.extent, 1 << 31)) for place in places_of(stage)]
        self.places = {
            place: self._shared(I32 if fits else I64)
            for place, fits in zip(places_of(stage), short, strict=True)
        }

    def _shared(self, dtype: DType) -> Buffer:
        return self.writing.build.allocate(dtype, self.writing.workgroup, "shared")

    def keep(self, number: Value) -> Value:
        """Stores the properties of an element; returns its place."""
        build, writer, lane = self.writing.build, self.writing.writer, self.writing.build.lane_id()
        self.writing.set_axes(self.in_order, build.cast(number, INDEX))
        _, number_of_place = place_number(self.writing, self.stage)
        for place, buffer in self.places.items():
            build.store(buffer, lane, build.cast(writer.at(place), buffer.dtype))
        build.store(
            self.values, lane, writer.value(self.stage.value, self.stage.dims) if self.whole else number
        )
        return number_of_place

    def take(self, at: Value) -> Value:
        """Sets the element of the lane `at`; returns its value."""
        build = self.writing.build
        for place, buffer in self.places.items():
            build.remember(place, build.cast(build.load(buffer, at), INDEX))
        kept = build.load(self.values, at)
        if self.whole:
            return kept
        self.writing.set_axes(self.in_order, build.cast(kept, INDEX))
        return self.writing.writer.value(self.stage.value, self.stage.dims)


def _of_chunk(writing: GroupWriter, chunk: Value) -> Value:
    """Returns the position of a chunk's count of the lane's bin."""
    build = writing.build
    return chunk * writing.workgroup + build.lane_id()
