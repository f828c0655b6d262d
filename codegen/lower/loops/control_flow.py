"""The common interface of the control ops: operands, the regions' parameters, and the new results."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from ....ir.index import folds
from ....ir.node import Node, Region, topological
from ....ir.record import record

NOTHING: frozenset[Node] = frozenset()


class ControlFlow(metaclass=record):
    """A control node. Every region has a parameter for each operand, after a counter if there is one."""

    operands: tuple[Node, ...]
    regions: tuple[Region, ...]
    making: int
    """The number of regions, from the first, that compute the results; the others are conditions."""
    unchanged: tuple[int | None, ...]
    """For each result, the operand that it is, unchanged."""
    taken: tuple[int | None, ...]
    """For each result that is an updated array, the operand whose memory it may have."""
    independent: bool
    """Whether the program declares the iterations independent."""

    def parameters(self, region: Region) -> tuple[Node, ...]:
        """Returns the parameters of the operands."""
        return region.parameters[len(region.parameters) - len(self.operands) :]

    def writable(self, region: Region) -> frozenset[Node]:
        """Returns the parameters whose memory the region may write to."""
        parameters = self.parameters(region)
        return frozenset(parameters[each] for each in self.taken if each is not None)


@lru_cache(256)
def control_flow_of(node: Node) -> ControlFlow:
    """Returns the interface of a control node."""
    regions = tuple(value for value in node.attributes if isinstance(value, Region))
    first = regions[0]
    given = len(first.parameters) - (1 if node.op.bounds else 0)
    operands = node.inputs[len(node.inputs) - given :]
    # The first region of a loop computes its results; all regions of a cond do.
    making = regions[:1] if node.op.carries else regions
    unchanged: list[int | None] = []
    taken: list[int | None] = []
    parameters = [dict(zip(region.parameters[-given:] if given else (), range(given))) for region in making]
    for position, result in enumerate(first.results):
        kept = {places.get(plain(region.results[position])) for region, places in zip(making, parameters)}
        same = kept.pop() if len(kept) == 1 else None
        if node.op.carries and same != position:
            same = None
        unchanged.append(same)
        if not result.shape or same is not None:
            taken.append(None)
            continue
        if node.op.carries:
            taken.append(position)
            continue
        origins = {
            _place(places, origin(region.results[position])) for region, places in zip(making, parameters)
        }
        found = origins.pop() if len(origins) == 1 else None
        taken.append(None if found in taken else found)
    return ControlFlow(operands, regions, len(making), tuple(unchanged), tuple(taken), node.op.independent)


def _place(places: dict[Node, int], node: Node | None) -> int | None:
    return None if node is None else places.get(node)


def has_loop(region: Region) -> bool:
    """Whether a region or a nested one has a loop."""
    return any(
        node.op.carries
        or any(isinstance(attribute, Region) and has_loop(attribute) for attribute in node.attributes)
        for node in topological(region.results)
        if node.op.family == "control"
    )


def plain(node: Node) -> Node:
    """Returns the source of a node that is a copy."""
    while node.op.copies:
        (node,) = node.inputs
    return node


def version_of(node: Node, stored: Container[Node] = NOTHING) -> Node | None:
    """Returns the node in whose memory an array lies: a parameter, an update, a stored value or a result of a
    control node. None: it is computed where it is used."""
    while node not in stored:
        family = node.op.family
        if node.op.source == "array" or family == "update":
            return node
        if family == "item":
            flow = control_flow_of(node.inputs[0])
            same = flow.unchanged[node.attribute("position")]
            if same is None:
                return node
            node = flow.operands[same]
        elif node.op.copies or (family == "movement" and node.inputs and not folds(node)):
            (node,) = node.inputs
        else:
            return None
    return node


def origin(node: Node) -> Node | None:
    """Returns the array whose memory a node would have if every update of it were in place."""
    while True:
        found = version_of(node)
        if found is None or found.op.source == "array":
            return found
        if found.op.family == "update":
            node = found.inputs[0]
            continue
        flow = control_flow_of(found.inputs[0])
        taken = flow.taken[found.attribute("position")]
        if taken is None:
            return None
        node = flow.operands[taken]
