"""Bounds-check hoisting: for positions that are affine in the loop counter, one check before the loop
replaces one in each iteration.

A position that is the counter, plus, minus or times loop-invariant values, is monotonic: where its first and
last value are in range, none is checked inside. So is one that is masked to the bits of a loop-invariant
value, or is a remainder of a division by one. Factors have to be small, so that no product wraps around.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from ....ir.index import index_nodes
from ....ir.node import Attributes, Graph, Node, Region, topological
from ....ir.record import record, replace
from ....ir.types import Bits, DType
from .control_flow import control_flow_of
from .effects import Effects
from .selections import Most, Selection, selection

Known = Container[tuple[Node, int]]
"""Gathers and scatters, each with the number of one of its index arrays."""


SMALL = 1 << 28
"""Factors are smaller: sums of their products stay within 64 bits."""


class Even(metaclass=record):
    """A position that changes by a constant step between iterations."""

    node: Node
    """The gather or scatter."""
    number: int
    """The number of the index array."""
    moves: bool
    """Whether it changes at all."""
    index: Node
    """The position, or a value that represents it: the largest that it can be."""
    below: bool = False
    """Whether it is less than that value."""
    factors: tuple[Node, ...] = ()
    """Values that have to be small."""
    step: int | None = None
    """The step, where that is known."""

    @property
    def extent(self) -> int:
        """The extent of its axis."""
        extent: int = self.node.inputs[0].shape[self.node.attribute("axes")[self.number]]
        return extent


def even_positions(region: Region, counter: Node, fixed: Container[Node]) -> list[Even]:
    """Returns the positions of a region that are affine in its counter; `fixed`: loop-invariant
    parameters."""
    moving: dict[Node, bool | None] = {}
    found: list[Even] = []
    for node in topological(region.results):
        moving[node] = node is counter or _moves(node, moving, fixed)
        if not index_nodes(node):
            continue
        for number, index in enumerate(index_nodes(node)):
            if not node.attribute("known")[number]:
                found += _even(node, number, index, moving)
    return found


def _even(node: Node, number: int, index: Node, moving: Mapping[Node, bool | None]) -> Iterator[Even]:
    moves = moving.get(index)
    if moves is not None:
        products = [each for each in topological([index]) if each.op.instruction == "mul" and moving[each]]
        factors = [each for product in products for each in product.inputs if not _is_small(each)]
        yield Even(node, number, moves, index, factors=tuple(factors), step=_step(index, moving))
    elif (limit := _limit(index, moving)) is not None:
        yield Even(node, number, False, *limit)


def even_in_branches(region: Region, counter: Node, fixed: Container[Node]) -> list[Even]:
    """Returns those in branches of a region, nested ones included, in terms of the region's nodes."""
    found: list[Even] = []
    moving: dict[Node, bool | None] = {}
    pending = [(region, {node: node for node in topological(region.results)})]
    while pending:
        inside, outside = pending.pop()
        for node in topological(inside.results):
            if node not in outside:
                _copy_outside(region.graph, node, outside)
            if inside is not region and index_nodes(node):
                for number, index in enumerate(index_nodes(node)):
                    if index in outside and not node.attribute("known")[number]:
                        for each in topological([outside[index]]):
                            moving[each] = each is counter or _moves(each, moving, fixed)
                        found += _even(node, number, outside[index], moving)
            if node.op.family == "control" and not node.op.carries:
                flow = control_flow_of(node)
                for arm in flow.regions:
                    pairs = zip(flow.parameters(arm), flow.operands, strict=True)
                    known = {
                        own: outside[given] for own, given in pairs if given in outside and not own.shape
                    }
                    pending.append((arm, known))
    return found


def _copy_outside(graph: Graph, node: Node, outside: dict[Node, Node]) -> None:
    """Copies an integer of a branch into the enclosing graph, where its inputs are there."""
    if node.op.source in ("constant", "scalar"):
        outside[node] = node
    elif (
        node.op.family == "elementwise"
        and not node.op.fault
        and not node.shape
        and all(each in outside for each in node.inputs)
    ):
        inputs = [outside[each] for each in node.inputs]
        outside[node] = graph.make(node.op, *inputs, attributes=node.attributes)


def _limit(node: Node, moving: Mapping[Node, bool | None]) -> tuple[Node, bool] | None:
    """Returns the loop-invariant bound of a nonnegative integer: m of x & m, or of x % m, where it is
    less."""
    while node.op.converts and holds(node.dtype, node.inputs[0].dtype):
        (node,) = node.inputs
    if node.shape or node.op.family != "elementwise" or not node.dtype.is_integer:
        return None
    if node.op.instruction == "and":
        fixed = [each for each in node.inputs if moving.get(each) is False]
        return (fixed[0], False) if fixed else None
    if node.op.instruction == "floormod" and moving.get(node.inputs[1]) is False:
        return node.inputs[1], True
    return None


def _moves(node: Node, moving: Mapping[Node, bool | None], fixed: Container[Node]) -> bool | None:
    """Whether an integer changes by a constant step between iterations; None: perhaps otherwise."""
    if node.shape or not node.dtype.is_integer:
        return None
    if node.op.source in ("constant", "scalar") or node in fixed:
        return False
    inputs = [moving.get(source) for source in node.inputs]
    if node.op.family != "elementwise" or not inputs or None in inputs:
        return None
    if not any(inputs):
        return False
    if node.op.converts:
        return True if holds(node.dtype, node.inputs[0].dtype) else None
    if node.op.instruction == "mul":
        return None if all(inputs) or node.dtype.bits < 64 else True
    return True if node.op.instruction in ("add", "sub", "neg") else None


def _step(node: Node, moving: Mapping[Node, bool | None]) -> int | None:
    """Returns the step of an affine integer."""
    if not moving[node]:
        return 0
    if not node.inputs:
        return 1  # the counter
    steps = [_step(source, moving) for source in node.inputs]
    if None in steps or node.op.instruction == "mul":
        return None
    first, *rest = [step or 0 for step in steps]
    if node.op.instruction == "neg":
        return -first
    return first + sum(rest) if node.op.instruction == "add" else first - sum(rest)


def _is_small(node: Node) -> bool:
    bits = node.attributes[0] if node.op.source == "constant" else None
    return isinstance(bits, Bits) and abs(bits.value) < SMALL


def holds(wide: DType, narrow: DType) -> bool:
    """Whether an integer dtype has all values of another one."""
    if wide.is_signed == narrow.is_signed:
        return wide.bits >= narrow.bits
    return wide.is_signed and wide.bits > narrow.bits


def at(node: Node, counter: Node, value: Node, region: Region) -> Node:
    """Returns an affine integer at another value of the counter."""
    made: dict[Node, Node] = {counter: value}
    for each in topological([node]):
        if each not in made:
            inputs = tuple([made[source] for source in each.inputs])
            made[each] = region.graph.make(each.op, *inputs, attributes=each.attributes) if inputs else each
    return made[node]


def copied(
    region: Region, effects: dict[int, Effects], items: dict[tuple[Node, int], Node], known: Known, most: Most
) -> Region:
    """Returns a copy of a region, with its effects, in which some positions are known to be in range.
    Branches within the limit become selections."""
    graph = Graph(region.graph)
    made: dict[Node, Node] = {}
    own = effects[id(region)]
    chosen: dict[Node, Selection] = {}
    for node in topological((*region.parameters, *region.results)):
        if node.op.family == "item" and node.inputs[0] in chosen:
            made[node] = chosen[node.inputs[0]].results[node.attribute("position")]
            continue
        inputs = tuple([made[source] for source in node.inputs])
        attributes = tuple(
            copied(attribute, effects, items, known, most) if isinstance(attribute, Region) else attribute
            for attribute in node.attributes
        )
        if index_nodes(node):
            attributes = _with_known(node, known)
        made[node] = graph.make(node.op, *inputs, attributes=attributes)
        if node.op.family == "item":
            items[inputs[0], node.attribute("position")] = made[node]
        elif node.op.family == "control" and not node.op.carries:
            found = selection(graph, made[node], {k for each, k in own.in_place if each is node}, most)
            if found is not None:
                chosen[node] = found
    parameters, results = ([made[each] for each in nodes] for nodes in (region.parameters, region.results))
    copy = Region(graph, tuple(parameters), tuple(results))
    order = [each for node in own.order for each in _statements(node, made, chosen)]
    in_place = {(made[node], position) for node, position in own.in_place if node not in chosen}
    in_place |= {
        (statement, 0) for found in chosen.values() for statement in found.statements if statement.shape
    }
    effects[id(copy)] = replace(
        own,
        order=tuple(dict.fromkeys(order)),
        stored=frozenset(made[node] for node in own.stored),
        in_place=frozenset(in_place),
    )
    return copy


def _statements(node: Node, made: Mapping[Node, Node], chosen: Mapping[Node, Selection]) -> Sequence[Node]:
    """Returns the statements of a copy."""
    return chosen[node].statements if node in chosen else (made[node],)


def _with_known(node: Node, known: Known) -> Attributes:
    sure = tuple([each or (node, number) in known for number, each in enumerate(node.attribute("known"))])
    named = zip(node.op.attribute_names, node.attributes, strict=True)
    return tuple([sure if name == "known" else value for name, value in named])
