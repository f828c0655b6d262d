"""Writes at run-time positions by many lanes, where several elements may go to one place.

What gives the same in any order (integers added, minima, bits) is combined in one step of the memory, all
elements at once. Where the last element wins, a kernel finds it for each place first (`claims.py`), and then
those elements are written all at once. The rest is combined in order, as NumPy does, to the last bit: places
are dealt out to lanes, and each lane goes through the positions of all elements and takes those of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.expr import Expr, ceil_div, floor_div, less, maximum, minimum, mul, product
from ...ir.index import Position, looked_up
from ...ir.passes.stages import Stage
from ...ir.types import I32, U32
from ..kernel.nodes import Value
from .context import GroupWriter
from .lanes_maps import over_tiles
from .nest import Axis
from .ordered import split_axes, write_in_order_by_lane
from .writer import Memory

_ATOMICS = {"add": "add", "minimum": "min", "maximum": "max", "and": "and", "or": "or", "xor": "xor"}
"""Of integers, the order of these does not show."""


def write_in_order_on_lanes(writing: GroupWriter) -> Expr:
    """Gives the number of workgroups."""
    machine, nest = writing.around.machine, writing.nest
    (stage,) = writing.group.stages
    assert stage.scatter is not None
    if stage.numbers or stage.last is not None:
        return over_tiles(writing, lambda: _Numbered(writing, stage).element())
    if machine.writers == 1:
        return write_in_order_by_lane(writing)
    dtype, kind = stage.node.dtype, stage.scatter.attribute("kind")
    if dtype.is_integer and dtype.name in machine.atomics and kind in _ATOMICS:
        return over_tiles(writing, lambda: _combine(writing, stage, _ATOMICS[kind]))
    loose = split_axes(writing, stage)[1]
    if writing.around.decide(less(nest.count(loose), machine.writers)):
        return _deal_out_places(writing, stage)
    return write_in_order_by_lane(writing)


def places_of(stage: Stage) -> tuple[Position, ...]:
    """The positions that say where a stage writes, by the axes that they stand for."""
    assert stage.scatter is not None
    _, dims = looked_up(stage.scatter, stage.dims)
    return tuple(dim.axis for dim in dims if isinstance(dim.axis, Position))


def _combine(writing: GroupWriter, stage: Stage, kind: str) -> None:
    """The current element, in one step of the memory."""
    with writing.where_inside(stage):
        value = writing.writer.value(stage.value, stage.dims)
        buffer, position = writing.place(stage)
        writing.build.atomic(kind, buffer, position, value)


class _Numbered:
    """Elements that are told apart by their number: those of one number go to different places."""

    def __init__(self, writing: GroupWriter, stage: Stage) -> None:
        self.writing = writing
        self.stage = stage
        self.in_order, _ = split_axes(writing, stage)

    def element(self) -> None:
        """Claim the place for the current element, or write it if nothing after it did."""
        writing, build, stage = self.writing, self.writing.build, self.stage
        with writing.where_inside(stage):
            number = build.cast(build.add(self._number(), build.constant(1)), U32)
            if stage.numbers:
                buffer, position = writing.place(stage)
                build.atomic("max", buffer, position, number)
                return
            assert stage.last is not None
            memory: Memory = writing.around.memories[stage.last]
            _, dims = looked_up(stage.scatter, stage.dims)  # type: ignore[arg-type]
            at = tuple(dim for dim in dims if isinstance(dim.axis, Position))
            with build.when(build.emit("eq", (writing.writer.load(memory, at), number))):
                writing.put(stage)

    def _number(self) -> Value:
        return _linear(
            self.writing,
            [(self.writing.writer.at(axis), self.writing.nest.extents[axis]) for axis in self.in_order],
        )


def _linear(writing: GroupWriter, positions: Sequence[tuple[Value, Expr]]) -> Value:
    """Positions on several axes of some extents as one running number."""
    build = writing.build
    number = build.constant(0)
    for position, extent in positions:
        number = build.add(build.mul(number, writing.writer.index(extent)), position)
    return number


def _deal_out_places(writing: GroupWriter, stage: Stage) -> Expr:
    """As many lanes as the machine has writers. A workgroup computes the positions of so many elements as it
    has lanes at a time, then each of its lanes looks which of them are its own."""
    machine, nest, build, writer = writing.around.machine, writing.nest, writing.build, writing.writer
    writing.workgroup = machine.lanes
    in_order, loose = split_axes(writing, stage)
    places = places_of(stage)
    rest, elements = nest.count(loose), nest.count(in_order)
    most = maximum(product(place.extent for place in places), 1)
    parts = maximum(minimum(floor_div(machine.writers, maximum(rest, 1)), most), 1)
    lane, lanes = build.lane_id(), build.constant(machine.lanes)
    part = build.add(build.mul(build.group_id(), lanes), lane)
    if loose:
        count = writer.index(rest)
        writing.set_axes(loose, build.emit("remainder", (part, count)))
        part = build.emit("quotient", (part, count))
    part = build.cast(part, I32)
    owners = build.allocate(I32, machine.lanes, "shared")
    end = writer.index(elements)
    with build.loop(build.constant(0), end, lanes) as (first,):
        own = build.add(first, lane)
        with build.when(build.emit("lt", (own, end))):
            build.store(owners, lane, _owner(writing, stage, in_order, places, own, parts))
        build.memos[-1].clear()  # of this lane's element
        build.barrier(0)
        last = build.emit("minimum", (build.add(first, lanes), end))
        with build.loop(first, last) as (i,):
            owner = build.load(owners, build.sub(i, first))
            with build.when(build.emit("eq", (owner, part))):
                writing.set_axes(in_order, i)
                writing.resolve(stage)
                writing.put(stage)
        build.barrier(1)
    return ceil_div(mul(parts, rest), machine.lanes)


def _owner(
    writing: GroupWriter,
    stage: Stage,
    in_order: Sequence[Axis],
    places: Sequence[Position],
    element: Value,
    parts: Expr,
) -> Value:
    """Which part of the lanes an element's place belongs to; -1 where it is out of bounds."""
    build = writing.build
    writing.set_axes(in_order, element)
    inside = writing.resolve(stage)
    place = _linear(writing, [(writing.writer.at(each), each.extent) for each in places])
    owner = build.cast(build.emit("remainder", (place, writing.writer.index(parts))), I32)
    if inside is None:
        return owner
    return build.emit("select", (inside, owner, build.constant(-1, I32)))
