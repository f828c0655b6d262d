"""If-conversion: branches with cheap arms that write to one place, or to none, become selections, which need
no prediction and run in vectors."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ....ir import ops
from ....ir.index import index_nodes
from ....ir.node import Graph, Node, Region, topological
from ....ir.record import record
from .control_flow import ControlFlow, control_flow_of, plain


class Most(metaclass=record):
    """The limits on the arms of a branch that becomes a selection."""

    cost: int
    """In units of additions."""
    reads: int
    """Reads of elements."""


IN_TURN = Most(12, 4)
"""In a serial loop: about the cost of a mispredicted branch."""
IN_VECTORS = Most(48, 16)
"""Where iterations then run in vectors."""


class Selection(metaclass=record):
    """The selection that replaces a branch."""

    results: tuple[Node, ...]
    statements: tuple[Node, ...]
    """Reads and writes, in order."""


def selection(graph: Graph, branch: Node, in_place: Container[int], most: Most) -> Selection | None:
    """Returns the selections that replace a branch, in the enclosing graph; `in_place`: the results that are
    updated in place. None: the arms exceed `most`, may fail, or write to several places."""
    flow, predicate = control_flow_of(branch), branch.inputs[0]
    arms: list[dict[Node, Node]] = []
    statements: dict[Node, None] = {}
    left = most.cost
    for region in flow.regions:
        made = dict(zip(flow.parameters(region), flow.operands, strict=True))
        for node in _computed(flow, region):
            if node in made:
                continue
            left -= 0 if index_nodes(node) else node.op.cost
            if left < 0 or not _is_safe(node, flow.parameters(region)):
                return None
            made[node] = graph.make(
                node.op, *(made[each] for each in node.inputs), attributes=node.attributes
            )
            if index_nodes(node):
                statements[made[node]] = None
        arms.append(made)
    if len(statements) > most.reads:
        return None
    results: list[Node] = []
    for position, (x, y) in enumerate(zip(*(region.results for region in flow.regions), strict=True)):
        if not x.shape:
            results.append(_chosen(graph, predicate, arms[0][x], arms[1][y]))
            continue
        same = flow.unchanged[position]
        if same is not None:
            results.append(flow.operands[same])
            continue
        written = _written(flow, arms, (x, y)) if position in in_place else None
        if written is None:
            return None
        base, value, *indices = written
        kept = _chosen(graph, predicate, value, arms[1][y.inputs[1]])
        results.append(graph.make(x.op, base, kept, *indices, attributes=x.attributes))
        statements[results[-1]] = None
    return Selection(tuple(results), tuple(statements))


def _computed(flow: ControlFlow, region: Region) -> Iterator[Node]:
    """Returns the nodes that an arm computes, without writes."""
    wanted: list[Node] = []
    for result in region.results:
        if not result.shape:
            wanted.append(result)
        elif plain(result) not in flow.parameters(region):
            wanted += [node for node in result.inputs if not node.shape]
    yield from topological(wanted)


def _is_safe(node: Node, parameters: Sequence[Node]) -> bool:
    """Whether a scalar may be computed unconditionally."""
    if index_nodes(node):
        return node.op.family == "gather" and node.inputs[0] in parameters and all(node.attribute("known"))
    return not node.shape and node.op.family in ("leaf", "elementwise") and node.op.fault is None


def _written(
    flow: ControlFlow, arms: Sequence[dict[Node, Node]], writes: Sequence[Node]
) -> list[Node] | None:
    """Returns array, value and position of the write that both arms have; None where they write otherwise."""
    found: list[list[Node]] = []
    for region, arm, write in zip(flow.regions, arms, writes, strict=True):
        is_one = write.op.family == "update" and write.inputs[0] in flow.parameters(region)
        if not is_one or not index_nodes(write) or write.inputs[1].shape or write.attribute("kind") != "set":
            return None
        if not all(write.attribute("known")) or write.attribute("axes") != writes[0].attribute("axes"):
            return None
        found.append([arm[node] for node in write.inputs])
    (base, _, *places), (other, _, *others) = found
    return found[0] if base is other and places == others else None


def _chosen(graph: Graph, predicate: Node, x: Node, y: Node) -> Node:
    """c ? x : y. c ? s + a : s - b -> s + (c ? a : -b), exact: the loop-carried chain is a single addition
    then. Where an arm leaves s unchanged, it adds a zero that changes nothing."""
    if x is y:
        return x
    if x.dtype.is_float or x.dtype.is_integer:
        others = dict(_sums(y))
        for base, term in _sums(x):
            if base in others and (term is not None or others[base] is not None):
                terms = [_added(graph, base, each) for each in (term, others[base])]
                return graph.make(ops.add, base, graph.make(ops.select, predicate, *terms))
    return graph.make(ops.select, predicate, x, y)


_Term = tuple[Node, bool]
"""A term, and whether it is subtracted."""


def _sums(node: Node) -> Iterator[tuple[Node, _Term | None]]:
    """Returns the decompositions of a scalar into a base and a term: itself and nothing, and those of a
    sum."""
    yield node, None
    if node.op.instruction in ("add", "sub"):
        first, second = node.inputs
        yield first, (second, node.op.instruction == "sub")
        if node.op.instruction == "add":
            yield second, (first, False)


def _added(graph: Graph, base: Node, term: _Term | None) -> Node:
    """Returns the contribution of a term."""
    if term is None:
        return graph.constant(-0.0 if base.dtype.is_float else 0, base.dtype)
    node, is_subtracted = term
    return graph.make(ops.neg, node) if is_subtracted else node


def replacement(result: Node, own: Node, carried: Sequence[Node]) -> tuple[Node, Node, bool] | None:
    """Returns the predicate and value of a selection that occasionally replaces the loop-carried value `own`,
    such as the position of the least element so far, and whether it replaces where the predicate is false.

    The predicate reads an element at `own`, and the value does not depend on loop-carried values: without
    prediction every iteration would wait for the read of the last one. None of other results.
    """
    if result.op.instruction != "select" or own not in result.inputs[1:]:
        return None
    predicate, *arms = result.inputs
    negated = arms[0] is own
    value = arms[negated]
    if any(node in carried for node in topological((value,))) or not _reads_at((predicate,), {own}):
        return None
    return predicate, value, negated


def _reads_at(roots: Sequence[Node], known: Container[Node]) -> bool:
    """Whether the roots read an element at a position that depends on `known`."""
    following = set[Node]()
    for node in topological(roots):
        if node not in known and not any(each in following for each in node.inputs):
            continue
        following.add(node)
        if any(index in following for index in index_nodes(node)):
            return True
        if node.op.family == "control":
            flow = control_flow_of(node)
            for region in flow.regions:
                pairs = zip(flow.parameters(region), flow.operands, strict=True)
                inner = {parameter for parameter, operand in pairs if operand in following}
                if _reads_at(region.results, inner):
                    return True
    return False
