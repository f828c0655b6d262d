"""Dependence analysis of a loop's iterations: none, or on the element that the iteration before has written.

Positions are compared as sums: integers times loop-invariant values, and a constant.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ....ir.index import index_nodes
from ....ir.node import Node, Region, topological
from ....ir.record import record
from ....ir.types import Bits
from .control_flow import control_flow_of, origin
from .ranges import holds

Sum = tuple[frozenset[tuple[Node, int]], int]
"""The terms of a sum with their factors, and a constant."""
_DEPTH = 40
"""The depth to which sums are expanded."""


def sum_of(node: Node, outside: Mapping[Node, Node], depth: int = 0) -> Sum:
    """Expands an integer as a sum; `outside`: the operands of nested regions' parameters."""
    while node in outside:
        node = outside[node]
    if node.op.source == "constant":
        bits = node.attributes[0]
        assert isinstance(bits, Bits)
        return frozenset(), int(bits.value)
    if node.op.family == "elementwise" and depth < _DEPTH:
        if node.op.converts and holds(node.dtype, node.inputs[0].dtype):
            return sum_of(node.inputs[0], outside, depth + 1)
        factors = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}.get(node.op.instruction or "")
        if factors is not None:
            terms: dict[Node, int] = {}
            constant = 0
            for source, factor in zip(node.inputs, factors, strict=True):
                own, more = sum_of(source, outside, depth + 1)
                constant += factor * more
                for each, times in own:
                    terms[each] = terms.get(each, 0) + factor * times
            return frozenset((each, times) for each, times in terms.items() if times), constant
    return frozenset(((node, 1),)), 0


class Own(metaclass=record):
    """A position that is different in each iteration, on an axis of so many elements."""

    position: Sum
    extent: int


def own_positions(
    region: Region, counter: Node, arrays: Sequence[Node], fixed: Container[Node]
) -> list[Own] | None:
    """Returns for each of the arrays that a region updates, its parameters, a position that differs between
    iterations and is the same in all accesses; None where there is none for one of them.

    `fixed`: loop-invariant parameters.
    """
    found: list[Own] = []
    for array in arrays:
        accesses = list(_accesses(region, array, {}))
        own = [
            {axis: each for axis, each in access.places.items() if _tells_apart(each, counter, fixed)}
            for access in accesses
            if access is not None
        ]
        if not own or len(own) < len(accesses):
            return None
        first, *others = own
        same = [axis for axis, each in first.items() if all(other.get(axis) == each for other in others)]
        if same:
            axis = max(same)
            found.append(Own(first[axis], array.shape[axis]))
            continue
        least = next((each for each in first.values() if _are_from(each, accesses)), None)
        if least is None:
            return None
        found += [Own(least, extent) for extent in array.shape]
    return found


def _are_from(least: Sum, accesses: Iterable[Access | None]) -> bool:
    """Whether a position is the least of those of every access, as where a symmetric matrix is filled: c[i,
    j] = c[j, i] = x for j from i on."""
    return all(
        access is not None
        and len(access.places) == len(access.node.inputs[0].shape)
        and least in access.places.values()
        and all(_is_at_least(each, least, access.starts) for each in access.places.values())
        for access in accesses
    )


def _is_at_least(position: Sum, least: Sum, starts: Mapping[Node, Sum]) -> bool:
    """Whether a position is certainly not less than another one; `starts`: the first values of counters."""
    (terms, constant), (taken, other) = position, least
    left = dict(terms)
    constant -= other
    for node, times in taken:
        left[node] = left.get(node, 0) - times
    for _ in range(_DEPTH):
        inner = next((each for each, times in left.items() if times > 0 and each in starts), None)
        if inner is None:
            break
        times = left.pop(inner)
        more, start = starts[inner]
        constant += times * start
        for each, factor in more:
            left[each] = left.get(each, 0) + times * factor
    return constant >= 0 and not any(left.values())


def _tells_apart(position: Sum, counter: Node, fixed: Container[Node]) -> bool:
    """Whether a position differs between iterations: it depends on the counter alone."""
    terms, _ = position
    others = [node for node, _ in terms if node is not counter]
    return len(others) < len(terms) and all(each in fixed or each.op.source == "scalar" for each in others)


class Access(metaclass=record):
    """A read or write of an array's element: its positions by axis."""

    node: Node
    places: dict[int, Sum]
    starts: Mapping[Node, Sum]
    """The first values of the enclosing loops' counters."""

    @property
    def writes(self) -> bool:
        return self.node.op.family == "update"

    @property
    def is_within(self) -> bool:
        """Whether no position is out of range or counts from the end."""
        return all(self.node.attribute("known"))


def _accesses(
    region: Region, array: Node, outside: Mapping[Node, Node], starts: Mapping[Node, Sum] | None = None
) -> Iterator[Access | None]:
    """Returns the accesses of a region to an array; None: anywhere."""
    starts = starts or {}
    for node in topological(region.results):
        if node.op.copies or node.op.family == "item":
            continue
        for place, source in enumerate(node.inputs):
            if not source.shape or origin(source) is not array:
                continue
            indices = index_nodes(node)
            if node.op.family == "control":
                yield from _accesses_inside(node, source, outside, starts)
            elif place == 0 and indices and not indices[0].shape:
                places = {
                    axis: sum_of(index, outside)
                    for axis, index in zip(node.attribute("axes"), indices, strict=True)
                }
                yield Access(node, places, starts)
            else:
                yield None


def _accesses_inside(
    node: Node, array: Node, outside: Mapping[Node, Node], starts: Mapping[Node, Sum]
) -> Iterator[Access | None]:
    """Returns the accesses in the regions of a control node with the array as operand."""
    flow = control_flow_of(node)
    if node.op.bounds:
        starts = {**starts, flow.regions[0].parameters[0]: sum_of(node.inputs[0], outside)}
    for number, inner in enumerate(flow.regions):
        pairs = list(zip(flow.parameters(inner), flow.operands, strict=True))
        stays = [
            not node.op.carries or k >= len(flow.unchanged) or flow.unchanged[k] is not None
            for k in range(len(pairs))
        ]
        known = {own: operand for (own, operand), same in zip(pairs, stays) if same and not own.shape}
        for position, taken in enumerate(flow.taken):
            # Arrays in other memory at the end are moved as a whole.
            if (
                taken is not None
                and number < flow.making
                and origin(inner.results[position]) is not pairs[taken][0]
            ):
                yield None
        for own, operand in pairs:
            if operand is array:
                yield from _accesses(inner, own, {**outside, **known}, starts)


class Apart(metaclass=record):
    """A position that is read in one iteration and may be written in another: the dependence test must
    separate the two."""

    read: Sum
    written: Sum
    rising: bool


def vector_conditions(region: Region, counter: Node, changed: Mapping[int, Node]) -> list[Apart] | None:
    """Returns the conditions under which the iterations of a body without loops run in vectors; None: they
    cannot.

    All writes to an array are at one position on its last axis, which moves by one; reads of it are there
    too, or at a loop-invariant position.
    """
    conditions: dict[Apart, None] = {}
    own = set(topological((*region.parameters, *region.results)))
    if _reduces(region):
        return None
    for position, array in changed.items():
        last = len(array.shape) - 1
        accesses = list(_accesses(region, array, {}))
        if origin(region.results[position]) is not array:
            return None
        places: list[tuple[Sum, bool]] = []
        for access in accesses:
            if access is None or len(access.places) <= last or not access.is_within:
                return None
            places.append((access.places[last], access.writes))
        written = {place for place, writes in places if writes}
        if len(written) != 1:
            return None
        (place_of,) = written
        step = sum(times for node, times in place_of[0] if node is counter)
        if step not in (1, -1) or not _moves_with(place_of, counter, (counter,)):
            return None
        if not all(_is_outside(node, own) for node, _ in place_of[0]):
            return None
        for place, _ in places:
            if place == place_of:
                continue
            if not all(_is_fixed(node, (counter,)) and _is_outside(node, own) for node, _ in place[0]):
                return None
            conditions[Apart(place, place_of, step > 0)] = None
    return list(conditions)


def all_within(region: Region, changed: Iterable[Node]) -> bool:
    """Whether a body without reductions accesses only single elements of the arrays that it updates, all of
    them certainly in range: independent iterations then run in vectors."""
    accesses = [access for array in changed for access in _accesses(region, array, {})]
    return not _reduces(region) and all(access is not None and access.is_within for access in accesses)


def _reduces(region: Region) -> bool:
    """Whether a region or a nested one has a reduction."""
    return any(
        node.op.family == "reduce"
        or any(isinstance(attribute, Region) and _reduces(attribute) for attribute in node.attributes)
        for node in topological(region.results)
    )


def _is_fixed(node: Node, changing: Sequence[Node]) -> bool:
    """Whether a scalar is loop-invariant and not read from arrays."""
    return not any(each in changing or each.shape for each in topological([node]))


def _is_outside(node: Node, own: Container[Node]) -> bool:
    """Whether a scalar is known outside of branches; `own`: the nodes of the loop's body."""
    return node in own or node.op.source == "scalar"


def _moves_with(position: Sum, counter: Node, changing: Sequence[Node]) -> bool:
    """Whether a position depends on the counter alone, times a factor."""
    return all(node is counter or _is_fixed(node, changing) for node, _ in position[0])


def last_written(
    region: Region, counter: Node, changed: Mapping[int, Node], scalars: Sequence[Node]
) -> dict[Node, Node]:
    """Returns the reads of the element that the iteration before wrote, each with the written value;
    `changed`: the arrays, parameters, by the position of their update; `scalars`: loop-carried parameters."""
    found: dict[Node, Node] = {}
    nodes = topological(region.results)
    if any(node.op.family == "control" for node in nodes):
        return found
    for position, array in changed.items():
        write = region.results[position]
        if write.op.family != "update" or write.inputs[0] is not array or not index_nodes(write):
            continue
        if write.inputs[1].shape or write.attribute("kind") != "set" or not all(write.attribute("known")):
            continue
        places = [sum_of(index, {}) for index in index_nodes(write)]
        if not all(_moves_with(each, counter, (counter, *scalars)) for each in places):
            continue
        before = [_moved_back(each, counter) for each in places]
        for node in nodes:
            if node.op.family != "gather" or node.shape or node.inputs[0] is not array:
                continue
            if not all(node.attribute("known")):
                continue
            same = node.attribute("axes") == write.attribute("axes")
            if same and [sum_of(index, {}) for index in index_nodes(node)] == before:
                found[node] = write.inputs[1]
    return found


def _moved_back(position: Sum, counter: Node) -> Sum:
    """Returns a position as it was in the iteration before."""
    terms, constant = position
    return terms, constant - sum(times for node, times in terms if node is counter)
