"""Writes at run-time positions by many lanes, where several elements may have one place.

Operations with one result in any order (integers added, minima, bits) are done by atomics, all elements at
once. Where the last element wins, a kernel finds it for each place first (`last_writer_scatter`); then those
elements are written all at once. Other operations are done in order, as in NumPy, to the last bit: places are
divided among lanes, and each lane visits the positions of all elements and takes those of its own. Many
elements are sorted by place first (`counting_sort`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.expr import Expr, ceil_div, less, maximum, minimum, product
from ....ir.index import Position, looked_up
from ....ir.passes.stages import Stage
from ....ir.types import I32, U32
from ...kernel.nodes import Value
from ..machine import Machine
from ..maps.lanes_maps import over_tiles
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from ..writing.writer import Memory
from .chunked_scatter import places_of
from .serial_scatter import split_axes, write_in_order_by_lane

_ATOMICS = {"add": "add", "minimum": "min", "maximum": "max", "and": "and", "or": "or", "xor": "xor"}
"""The result for integers does not depend on the order of these."""


def write_in_order_on_lanes(writing: GroupWriter) -> Expr:
    """Returns the number of workgroups."""
    machine, nest = writing.context.machine, writing.nest
    (stage,) = writing.group.stages
    assert stage.scatter is not None
    if stage.last_writer.ordinals or stage.last_writer.last is not None:
        return over_tiles(writing, lambda: _Numbered(writing, stage).element())
    atomic = atomic_of(stage, machine)
    if atomic is not None:
        return over_tiles(writing, lambda: _combine(writing, stage, atomic))
    if machine.writers == 1:
        return write_in_order_by_lane(writing)
    loose = split_axes(writing, stage)[1]
    if writing.context.decide(less(nest.count(loose), machine.writers)):
        return _deal_out_places(writing, stage)
    return write_in_order_by_lane(writing)


def atomic_of(stage: Stage, machine: Machine) -> str | None:
    """Returns the atomic that combines elements in any order, if the result is the same and the machine has
    it."""
    assert stage.scatter is not None
    dtype, kind = stage.node.dtype, stage.scatter.attribute("kind")
    return _ATOMICS.get(kind) if dtype.is_integer and dtype.name in machine.atomics else None


def _combine(writing: GroupWriter, stage: Stage, kind: str) -> None:
    """Combines the current element by an atomic."""
    with writing.where_inside(stage):
        value = writing.writer.value(stage.value, stage.dims)
        buffer, position = writing.place(stage)
        writing.build.atomic(kind, buffer, position, value)


class _Numbered:
    """Elements identified by their number: those of one number have different places."""

    def __init__(self, writing: GroupWriter, stage: Stage) -> None:
        self.writing = writing
        self.stage = stage
        self.in_order, _ = split_axes(writing, stage)

    def element(self) -> None:
        """Claims the place for the current element, or writes it if no later element claimed it."""
        writing, build, stage = self.writing, self.writing.build, self.stage
        with writing.where_inside(stage):
            number = build.cast(self._number() + 1, U32)
            if stage.last_writer.ordinals:
                buffer, position = writing.place(stage)
                build.atomic("max", buffer, position, number)
                return
            assert stage.last_writer.last is not None
            memory: Memory = writing.context.memories[stage.last_writer.last]
            _, dims = looked_up(stage.scatter, stage.dims)  # type: ignore[arg-type]
            at = tuple(dim for dim in dims if isinstance(dim.axis, Position))
            with build.when(writing.writer.load(memory, at).equals(number)):
                writing.put(stage)

    def _number(self) -> Value:
        return _linear(
            self.writing,
            [(self.writing.writer.at(axis), self.writing.nest.extents[axis]) for axis in self.in_order],
        )


def _linear(writing: GroupWriter, positions: Sequence[tuple[Value, Expr]]) -> Value:
    """Returns the linear index of positions on several axes."""
    number = writing.build.constant(0)
    for position, extent in positions:
        number = number * writing.writer.index(extent) + position
    return number


def look_through(
    writing: GroupWriter,
    bounds: tuple[Value, Value],
    tell: Callable[[Value], Value],
    initial: Sequence[Value],
    take: Callable[..., Sequence[Value]],
) -> tuple[Value, ...]:
    """Loops over the same numbers in order in every lane of a workgroup, as many at a time as there are
    lanes: each lane examines one by `tell(number)`, and all lanes read the results.

    `take(number, at, told, *carried)` returns the next carried values; `at` is the lane that examined it.
    """
    build, lanes, (lower, upper) = writing.build, writing.build.constant(writing.workgroup), bounds
    lane, buffer = build.lane_id(), build.allocate(I32, writing.workgroup, "shared")

    def together(first: Value, *carried: Value) -> Sequence[Value]:
        own = first + lane
        with build.when(own < upper):
            build.store(buffer, lane, tell(own))
        build.memos.clear()  # of this lane's element
        build.barrier()
        last = build.minimum(first + lanes, upper)

        def look(number: Value, *carried: Value) -> Sequence[Value]:
            at = number - first
            return take(number, at, build.load(buffer, at), *carried)

        carried = build.carry(first, last, carried, look)
        build.barrier()
        return carried

    return build.carry(lower, upper, initial, together, lanes)


def _deal_out_places(writing: GroupWriter, stage: Stage) -> Expr:
    """Divides the places among as many lanes as the machine has writers, each of which visits all
    elements."""
    machine, nest, build, writer = writing.context.machine, writing.nest, writing.build, writing.writer
    writing.workgroup = machine.lanes
    in_order, loose = split_axes(writing, stage)
    rest, elements = nest.count(loose), nest.count(in_order)
    most = maximum(product(place.extent for place in places_of(stage)), 1)
    parts = maximum(minimum(machine.writers // maximum(rest, 1), most), 1)
    part = part_of_lane(writing, loose, build.group_id())

    def tell(element: Value) -> Value:
        return part_of_element(writing, stage, element, writer.index(parts))

    def take(element: Value, at: Value, told: Value) -> Sequence[Value]:
        with build.when(told.equals(part)):
            writing.set_axes(in_order, element)
            writing.resolve(stage)
            writing.put(stage)
        return ()

    look_through(writing, (build.constant(0), writer.index(elements)), tell, (), take)
    return ceil_div(parts * rest, machine.lanes)


def part_of_lane(writing: GroupWriter, loose: Sequence[Axis], group: Value) -> Value:
    """Divides the lanes of some workgroups among positions on the other axes first: sets those, and returns
    the lane's share of the places."""
    build, nest = writing.build, writing.nest
    part = group * writing.workgroup + build.lane_id()
    if loose:
        count = writing.writer.index(nest.count(loose))
        writing.set_axes(loose, part % count)
        part = part // count
    return build.cast(part, I32)


def part_of_element(writing: GroupWriter, stage: Stage, element: Value, parts: Value) -> Value:
    """Returns the share that an element's place belongs to; -1 where it is out of bounds."""
    build = writing.build
    writing.set_axes(split_axes(writing, stage)[0], element)
    inside, place = place_number(writing, stage)
    part = build.cast(place % parts, I32)
    return part if inside is None else build.select(inside, part, -1)


def place_number(writing: GroupWriter, stage: Stage) -> tuple[Value | None, Value]:
    """Returns whether the current element's place is in bounds (None: certainly), and its number."""
    inside = writing.resolve(stage)
    places = places_of(stage)
    return inside, _linear(writing, [(writing.writer.at(position), position.extent) for position in places])
