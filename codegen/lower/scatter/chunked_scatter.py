"""Ordered writes of scalars at run-time positions on a processor, by chunks of elements.

The positions and values of a chunk are computed first, in vectors, into scratch memory; then a serial loop
writes them. Values that are only loaded are not copied. Integers that are added to few places give the same
sum in any order: each workgroup adds its share of them in tables of its own. Adjacent elements use different
tables, so that none waits for the store before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from ....ir.expr import ONE, Expr, less
from ....ir.index import Position, looked_up
from ....ir.passes.stages import Stage
from ....ir.types import I32, I64, INDEX
from ...kernel.nodes import Buffer, Value
from ..maps.tiled_maps import tile_rows
from ..writing.context import NARROW, GroupWriter
from ..writing.nest import Axis

CHUNK = 1024
"""Elements whose positions and values stay in the L1 cache."""
PART = 32768
"""The approximate number of elements of a workgroup with tables."""
PLACES = 512
"""The most places of a table: all tables fill half of the L1 cache at most."""
SIDE = 4
"""Tables of a workgroup; the elements of one place are adjacent."""


def write_numbers(writing: GroupWriter, stage: Stage) -> Expr:
    """Writes with all axes serial; returns the number of workgroups."""
    nest, decide = writing.nest, writing.context.decide
    *outer, inner = nest.parallel
    if not decide(less(nest.extents[inner], NARROW)):
        if _fits_tables(writing, stage):
            return _Chunks(writing, stage).add_in_tables()
        if not _is_loaded(writing, stage):
            with loops_over(writing, outer):
                _Chunks(writing, stage).write_in_order(*writing.range_of(inner))
            return ONE
    with loops_over(writing, nest.parallel):
        writing.put(stage, writing.resolve(stage))
    return ONE


def places_of(stage: Stage) -> tuple[Position, ...]:
    """Returns a stage's index arrays, by the axes that they index."""
    assert stage.scatter is not None
    _, dims = looked_up(stage.scatter, stage.dims)
    return tuple(dim.axis for dim in dims if isinstance(dim.axis, Position))


@contextmanager
def loops_over(writing: GroupWriter, axes: Sequence[Axis]) -> Iterator[None]:
    """Loops over axes, outermost first."""
    with ExitStack() as stack:
        for axis in axes:
            (i,) = stack.enter_context(writing.build.loop(*writing.range_of(axis)))
            writing.writer.axes[axis] = i
        yield


def _fits_tables(writing: GroupWriter, stage: Stage) -> bool:
    """Whether integers are added to places of one axis that are few, and fewer than the elements."""
    assert stage.scatter is not None
    nest, context, places = writing.nest, writing.context, places_of(stage)
    if stage.scatter.attribute("kind") != "add" or stage.node.dtype.name not in context.machine.table_atomics:
        return False
    (first, *more) = places
    return (
        not more
        and context.decide(less(first.extent, PLACES + 1))
        and context.decide(less(first.extent * SIDE, nest.count(nest.parallel)))
    )


def _is_loaded(writing: GroupWriter, stage: Stage) -> bool:
    """Whether a value takes almost no computation."""
    for node in (stage.value, *(place.array for place in places_of(stage))):
        while node.op.family == "movement" and node.inputs and not writing.writer.in_memory(node):
            node = node.inputs[0]
        if node.shape and not writing.writer.in_memory(node):
            return False
    return True


class _Chunks:
    """The elements of one stage along the inner axis, chunk by chunk."""

    def __init__(self, writing: GroupWriter, stage: Stage) -> None:
        self.writing = writing
        self.build = writing.build
        self.stage = stage
        self.dtype = stage.node.dtype
        self.inner = writing.nest.parallel[-1]
        value = stage.value
        if value.op.repeats and not writing.writer.in_memory(value):
            (value,) = value.inputs
        self.values = self.build.allocate(self.dtype, CHUNK) if value.shape else None
        """Scratch memory for the values, unless these are one scalar."""

    def add_in_tables(self) -> Expr:
        """Returns the number of workgroups."""
        writing, build, stage = self.writing, self.build, self.stage
        (place,) = places_of(stage)
        side, zero = build.constant(SIDE), build.constant(0)
        beyond = writing.writer.index(place.extent) * side
        places = build.allocate(I32, CHUNK)
        tables = build.allocate(self.dtype, SIDE * (PLACES + 1))
        with build.loop(zero, beyond + side, kind="lanes") as (i,):
            build.store(tables, i, build.constant(0, self.dtype))

        def keep(i: Value) -> None:
            inside = writing.resolve(stage)
            at = writing.writer.at(place) * side
            if inside is not None:
                at = build.select(inside, at, beyond)
            build.store(places, i, build.cast(at, I32))

        def add(i: Value, table: int) -> None:
            at = build.cast(build.load(places, i), INDEX) + table
            build.store(tables, at, build.load(tables, at) + self._value(i))

        def run(lower: Value, upper: Value) -> None:
            with self._chunk(lower, upper, keep) as count:
                whole = count // side * side
                with build.loop(zero, whole, side) as (i,):
                    for table in range(SIDE):
                        add(i + table, table)
                with build.loop(whole, count) as (i,):
                    add(i, 0)

        groups = tile_rows(writing, False, run, PART)
        with build.loop(zero, beyond, side) as (i,):
            parts = [build.load(tables, i + table) for table in range(SIDE)]
            total = parts[0] + parts[1] + (parts[2] + parts[3])
            build.remember(place, i // side)
            with build.when(total.differs(0)):
                build.atomic("add", *writing.place(stage), total)
        return groups

    def write_in_order(self, lower: Value, upper: Value) -> None:
        """Writes the elements from `lower` to `upper`, one after another."""
        writing, build, stage = self.writing, self.build, self.stage
        places = build.allocate(I64, CHUNK)
        nowhere = build.constant(-(2**63), I64)  # an element of a reversed axis lies at a negative position
        checked = False
        buffer: Buffer

        def keep(i: Value) -> None:
            nonlocal checked, buffer
            inside = writing.resolve(stage)
            buffer, at = writing.place(stage)
            checked = inside is not None
            at = build.cast(at, I64)
            if inside is not None:
                at = build.select(inside, at, nowhere)
            build.store(places, i, at)

        with self._chunk(lower, upper, keep) as count, build.loop(0, count) as (i,):
            at = build.load(places, i)
            inside = at.differs(nowhere) if checked else None
            writing.combine(stage, buffer, build.cast(at, INDEX), self._value(i), inside)

    @contextmanager
    def _chunk(self, lower: Value, upper: Value, keep: Callable[[Value], None]) -> Iterator[Value]:
        """Loops over chunks, with the number of elements; `keep(i)` stores the position of one."""
        build, writer = self.build, self.writing.writer
        size = build.constant(CHUNK)
        with build.loop(lower, upper, size) as (start,):
            count = build.minimum(size, upper - start)
            with build.loop(0, count, kind="lanes") as (i,):
                writer.axes[self.inner] = start + i
                keep(i)
                if self.values is not None:
                    build.store(self.values, i, writer.value(self.stage.value, self.stage.dims))
            yield count

    def _value(self, i: Value) -> Value:
        """Returns the value of element `i` of the chunk."""
        if self.values is not None:
            return self.build.load(self.values, i)
        return self.writing.writer.value(self.stage.value, self.stage.dims)
