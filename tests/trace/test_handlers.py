"""The faults of a graph that handlers of the user catch."""

from __future__ import annotations

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import I64
from jitframe.tracing.environment.handlers import catches


class Noted(set):
    """A set that counts what it is asked."""

    asked = 0

    def __contains__(self, node: object) -> bool:
        self.asked += 1
        return super().__contains__(node)


def chain(length: int) -> list[Node]:
    """Elements of an array, each at the position that the one before holds, doubled."""
    graph = Graph()
    array, node = graph.parameter(0, (9,), I64), graph.scalar(0, I64)
    found = [array]
    for _ in range(length):
        node = graph.make(ops.gather, array, node, attributes=((0,), 0, (False,), (0,), 0))
        node = graph.make(ops.add, node, node)
        found.append(node)
    return found


def test_a_fault_is_caught_where_the_line_of_what_is_made_of_it_is():
    nodes = chain(3)
    assert catches(nodes[-1:], {nodes[2]: {IndexError}}, {nodes[2], nodes[3]}) == {"index"}
    assert catches(nodes[-1:], {nodes[3]: {IndexError}}, {nodes[3]}) == {"index"}
    assert catches(nodes[-1:], {nodes[3]: {ZeroDivisionError}}, {nodes[3]}) == set()
    first = [node.inputs[0] for node in nodes[1:]]
    assert catches(nodes[-1:], {nodes[3]: {IndexError}}, {*first, nodes[3]}) == set()


def test_long_programs_are_looked_through_once():
    nodes = chain(400)
    noted = Noted(nodes[-1:])
    assert catches(nodes[-1:], {nodes[-1]: {IndexError}}, noted) == {"index"}
    assert noted.asked < 2000
