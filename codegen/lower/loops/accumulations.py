"""Scalars that a loop accumulates: sums, products, extremes, bits.

Threads that share the iterations have partial results, which start from the identity and are combined in the
order of the threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.node import Graph, Node, Region, topological
from ....ir.ops import REDUCERS
from ....ir.record import record
from ....ir.types import Bits, DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Value
from .control_flow import control_flow_of

_REDUCERS = {
    "add": "sum", "mul": "prod", "maximum": "max", "minimum": "min", "and": "bit_and", "or": "bit_or",
    "xor": "bit_xor",
}  # fmt: skip
"""By the instruction that adds a term."""
_COMPARISONS = {"lt": ("minimum", "maximum"), "le": ("minimum", "maximum"), "gt": ("maximum", "minimum"),
                "ge": ("maximum", "minimum")}  # fmt: skip
"""The operations `x < y ? x : y` and `x < y ? y : x`, by comparison."""


class Accumulation(metaclass=record):
    """How terms are added."""

    instruction: str
    compares: bool
    """Whether it is written as a comparison and choice, which ignores NaN where `maximum` and `minimum`
    return it."""

    def identity(self, dtype: DType) -> bool | int | float:
        return REDUCERS[_REDUCERS[self.instruction]].identity(dtype)

    def combined(self, build: KernelBuilder, known: Value, added: Value) -> Value:
        if not self.compares:
            return build.emit(self.instruction, (known, added))
        test = "gt" if self.instruction == "maximum" else "lt"
        return build.select(build.emit(test, (added, known)), added, known)


def accumulation(region: Region, parameter: Node, position: int) -> Accumulation | None:
    """Returns how a region accumulates a parameter into the result of a position; None where it uses it
    otherwise."""
    reached = _reached(region, [parameter])
    if any(result in reached for k, result in enumerate(region.results) if k != position):
        return None
    accumulations = _chain(region, region.results[position], parameter, reached)
    return next(iter(accumulations)) if accumulations is not None and len(accumulations) == 1 else None


def _reached(region: Region, parameters: Sequence[Node]) -> set[Node]:
    """Returns the nodes that depend on parameters."""
    nodes = set(parameters)
    for node in topological(region.results):
        if node.op.family == "item":
            if node.attribute("position") in _passed_on(node.inputs[0], nodes):
                nodes.add(node)
        elif any(each in nodes for each in node.inputs):
            nodes.add(node)
    return nodes


def _passed_on(control: Node, reached: set[Node]) -> set[int]:
    """Returns the results of a control node that depend on nodes in `reached`."""
    flow = control_flow_of(control)
    given = {k for k, operand in enumerate(flow.operands) if operand in reached}
    count = len(control.inputs) - len(flow.operands)
    if any(node in reached for node in control.inputs[:count]):  # a bound or predicate
        return set(range(len(flow.unchanged)))
    positions: set[int] = set()
    while True:
        before = set(positions)
        for region in flow.regions:
            parameters = flow.parameters(region)
            inside = _reached(region, [parameters[k] for k in given])
            making = region in flow.regions[: flow.making]
            if not making and inside.intersection(region.results):
                return set(range(len(flow.unchanged)))
            if making:
                positions |= {k for k, result in enumerate(region.results) if result in inside}
        if control.op.carries:
            given |= positions
        if positions == before:
            return positions


def _chain(region: Region, node: Node, start: Node, reached: set[Node]) -> set[Accumulation] | None:
    """Returns how a node is accumulated from `start`; None where it is not."""
    accumulations: set[Accumulation] = set()
    while node is not start:
        inputs = node.inputs
        on_way = [each for each in inputs if each in reached]
        instruction = node.op.instruction
        if node.op.family == "item" and _is_decided(node.inputs[0], reached):
            decided = _of_arms(region.graph, node, start, reached)
            return None if decided is None else accumulations | decided
        if node.op.family == "item":
            inner = _inside(node, reached)
            if inner is None:
                return None
            more, node = inner
            accumulations |= more
        elif node.op.copies:
            (node,) = inputs
        elif instruction == "select":
            more_found = _choice(region, node, start, reached)
            return None if more_found is None else accumulations | more_found
        elif len(on_way) != 1 or (instruction == "sub" and on_way[0] is not inputs[0]):
            return None
        elif instruction in _REDUCERS or instruction == "sub":
            accumulations.add(Accumulation("add" if instruction == "sub" else instruction, False))
            (node,) = on_way
        else:
            return None
    return accumulations


def _choice(region: Region, node: Node, start: Node, reached: set[Node]) -> set[Accumulation] | None:
    """Returns the accumulation of `c ? x : y`, both of which are accumulated, or one of which is the larger
    or the smaller."""
    test, *arms = node.inputs
    if test not in reached:
        accumulations: set[Accumulation] = set()
        for arm in arms:
            more = _chain(region, arm, start, reached) if arm in reached else None
            if more is None:
                return None
            accumulations |= more
        return accumulations
    return _of_decided(test, arms, [arm in reached for arm in arms], start)


def _is_decided(control: Node, reached: set[Node]) -> bool:
    """Whether a branch depends on `reached`."""
    return not control.op.carries and control.inputs[0] in reached


def _of_arms(graph: Graph, item: Node, start: Node, reached: set[Node]) -> set[Accumulation] | None:
    """Returns the accumulation of a branch that depends on the scalar itself."""
    control, position = item.inputs[0], item.attribute("position")
    flow = control_flow_of(control)
    arms: list[Node | None] = []
    are_reached: list[bool] = []
    for region in flow.regions:
        outside = dict(zip(flow.parameters(region), flow.operands, strict=True))
        result = region.results[position]
        arms.append(_outside(graph, result, outside))
        nodes = [own for own, operand in outside.items() if operand in reached]
        are_reached.append(result in _reached(region, nodes))
    return _of_decided(control.inputs[0], arms, are_reached, start)


def _outside(graph: Graph, node: Node, outside: dict[Node, Node]) -> Node | None:
    """Returns the enclosing graph's node for a node of an arm; None of a node with regions."""
    made = dict(outside)
    for each in topological([node]):
        if each in made:
            continue
        if each.op.family in ("control", "item"):
            return None
        made[each] = graph.make(
            each.op, *(made[source] for source in each.inputs), attributes=each.attributes
        )
    return made[node]


def _of_decided(
    test: Node, arms: Sequence[Node | None], are_reached: Sequence[bool], start: Node
) -> set[Accumulation] | None:
    """Returns the accumulation of a choice that depends on the scalar itself: any, all, the larger or the
    smaller of two."""
    if test is start:
        for place, instruction in ((0, "or"), (1, "and")):
            kept = arms[place]
            if (
                kept is not None
                and not are_reached[1 - place]
                and (kept is start or _is_constant(kept, not place))
            ):
                return {Accumulation(instruction, False)}
        return None
    names = _COMPARISONS.get(test.op.instruction or "")
    if names is None or start not in arms or start not in test.inputs:
        return None
    place, mine = (1, 0) if arms[0] is start else (0, 1)
    side = 1 if test.inputs[0] is start else 0
    if are_reached[place] or not _is_same(arms[place], test.inputs[side]):
        return None
    return {Accumulation(names[0 if (mine == 0) is (side == 1) else 1], True)}


def _is_same(x: Node | None, y: Node) -> bool:
    """Whether two nodes have one value, sites in the program aside."""
    if x is None or x is y:
        return x is y
    if x.op is not y.op or len(x.inputs) != len(y.inputs):
        return False
    named = zip(x.op.attribute_names, x.attributes, y.attributes, strict=True)
    if any(first != second for name, first, second in named if name not in ("known", "labels", "site")):
        return False
    return all(_is_same(first, second) for first, second in zip(x.inputs, y.inputs, strict=True))


def _is_constant(node: Node, value: bool) -> bool:
    bits = node.attributes[0] if node.op.source == "constant" else None
    return isinstance(bits, Bits) and bits.value is value


def _inside(item: Node, reached: set[Node]) -> tuple[set[Accumulation], Node] | None:
    """Returns how a result of a branch or counted loop is accumulated, and from which operand."""
    control, position = item.inputs[0], item.attribute("position")
    flow = control_flow_of(control)
    given = [k for k, operand in enumerate(flow.operands) if operand in reached]
    before = control.inputs[: len(control.inputs) - len(flow.operands)]
    if len(given) != 1 or any(node in reached for node in before):
        return None
    (place,) = given
    if control.op.carries and (place != position or not control.op.bounds):
        return None
    accumulations: set[Accumulation] = set()
    for region in flow.regions:
        parameter = flow.parameters(region)[place]
        inside = _reached(region, [parameter])
        if any(result in inside for k, result in enumerate(region.results) if k != position):
            return None
        more = _chain(region, region.results[position], parameter, inside)
        if more is None:
            return None
        accumulations |= more
    return accumulations, flow.operands[place]
