"""Loop interchange: a loop whose iterations compute arrays element by element becomes a nest, with loops over
the elements outside and the original loop, on scalars, inside.

A column recurrence, `for k in range(1, n): a[:, :, k] = f(a[:, :, k - 1], b[:, :, k])`, accesses elements a
row apart. Where each element depends only on its own row, rows are independent: loop-carried values stay in
registers, and memory is read contiguously. Exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir import ops
from ....ir.expr import Expr, lift
from ....ir.index import folds, index_nodes
from ....ir.node import Graph, Node, Region, topological
from ....ir.types import I64
from .control_flow import control_flow_of, plain


class _NotByElement(Exception):
    """An element depends on other rows."""


def interchanged(node: Node) -> tuple[Node, dict[Node, Expr]] | None:
    """Returns the results of a loop after interchange, and the parameters of the new one that are extents;
    None where rows depend on each other, or arrays do not extend along the loop."""
    if not node.op.bounds or node.op.independent:
        return None
    try:
        return _Interchange(node).run()
    except _NotByElement:
        return None


class _Interchange:
    def __init__(self, node: Node) -> None:
        self.node = node
        flow = control_flow_of(node)
        (self.region,) = flow.regions
        self.counter, *self.parameters = self.region.parameters
        self.operands = flow.operands
        self.changed = [k for k, same in enumerate(flow.unchanged) if same is None]
        updates = [each for each in topological(self.region.results) if each.op.family == "update"]
        shapes = {update.inputs[1].shape for update in updates}
        if len(shapes) != 1:
            raise _NotByElement
        (self.shape,) = shapes
        rank = len(self.shape)
        if not rank or any(not self._is_line(update, rank) for update in updates):
            raise _NotByElement
        self.rows = [k for k in self.changed if len(self.parameters[k].shape) == rank + 1]
        """The updated arrays that the loop iterates over; the others are updated as a whole."""
        self.dependent: set[Node] = {self.parameters[k] for k in self.changed}
        for each in topological((*self.region.parameters, *self.region.results)):
            if not self.dependent.isdisjoint(each.inputs):
                self.dependent.add(each)

    def _is_line(self, update: Node, rank: int) -> bool:
        """Whether an update sets one element of each row, and of no window of them."""
        indices = index_nodes(update)
        return (
            len(indices) == 1
            and update.op.index_map is None
            and not indices[0].shape
            and update.attribute("axes") == (rank,)
            and update.attribute("kind") == "set"
        )

    def run(self) -> tuple[Node, dict[Node, Expr]]:
        graph, count = Graph(self.region.graph), len(self.operands)
        sizes = [graph.parameter(count + axis, (), I64, "") for axis in range(len(self.shape))]
        bounds = self.node.inputs[: self.node.op.bounds]
        node = self._level(graph, 0, (*self.operands, *bounds, *sizes))
        return node, dict(zip(sizes, map(lift, self.shape), strict=True))

    def _level(self, graph: Graph, axis: int, values: Sequence[Node]) -> Node:
        """Makes the loop over an axis. `values`: the operands, the loop's bounds, extents, positions on the
        axes before."""
        size = values[len(self.operands) + 2 + axis]
        inner, counter, parameters = _region(graph, I64, values)
        nodes = (*parameters, counter)
        if axis + 1 < len(self.shape):
            loop = self._level(inner, axis + 1, nodes)
            results = [self._item(inner, loop, k, parameters) for k in range(len(self.region.results))]
        else:
            results = self._along(inner, nodes)
        region = Region(inner, (counter, *parameters), tuple(results))
        zero = graph.constant(0, I64)
        return graph.make(ops.parallel_loop, zero, size, *values, attributes=(region,))

    def _item(self, graph: Graph, loop: Node, position: int, parameters: Sequence[Node]) -> Node:
        if position not in self.changed:
            return parameters[position]
        return graph.make(ops.item, loop, attributes=(position,))

    def _along(self, graph: Graph, values: Sequence[Node]) -> list[Node]:
        """Makes the original loop, at one position of the arrays."""
        own = values[len(values) - len(self.shape) :]
        start = len(self.operands)
        carried = list(values)
        whole = [k for k in self.changed if k not in self.rows]
        for k in whole:
            if self.parameters[k].shape != self.shape:
                raise _NotByElement
            carried[k] = _element(graph, values[k], own)
        inner, counter, parameters = _region(graph, self.counter.dtype, carried)
        body = _Body(self, inner, counter, parameters)
        results = [
            parameters[k]
            if k not in self.changed
            else body.version(result, self.parameters[k])
            if k in self.rows
            else body.element(result)
            for k, result in enumerate(self.region.results)
        ]
        region = Region(inner, (counter, *parameters), tuple(results))
        loop = graph.make(ops.loop, *values[start : start + 2], *carried, attributes=(region,))
        nodes = [self._item(graph, loop, k, values) for k in range(len(results))]
        for k in whole:
            nodes[k] = _with_element(graph, values[k], nodes[k], own)
        return nodes


class _Body:
    """The loop's body, for one position of the arrays."""

    def __init__(self, loop: _Interchange, graph: Graph, counter: Node, parameters: Sequence[Node]) -> None:
        self.loop, self.graph = loop, graph
        self.own = tuple(parameters[len(parameters) - len(loop.shape) :])
        self.made: dict[Node, Node] = dict(zip(loop.parameters, parameters))
        self.made[loop.counter] = counter
        self.elements: dict[Node, Node] = {}

    def element(self, node: Node) -> Node:
        """Returns the element of an array of the loop's shape at the current position; a scalar unchanged."""
        for each in topological([node]):
            if each not in self.elements and self._is_by_element(each):
                self.elements[each] = self._element(each)
        return self.elements[node] if node in self.elements else self._same(node)

    def _is_by_element(self, node: Node) -> bool:
        return node.shape == self.loop.shape

    def _element(self, node: Node) -> Node:
        node = plain(node)
        if node in self.elements:
            return self.elements[node]
        if node in self.loop.parameters and node in self.loop.dependent:
            return self.made[node]  # carried as a scalar
        if node.op.family == "elementwise" and not any(
            isinstance(attribute, Region) for attribute in node.attributes
        ):
            inputs = [self.elements.get(each) or self._same(each) for each in node.inputs]
            return self.graph.make(node.op, *inputs, attributes=node.attributes)
        if node.op.repeats and not node.inputs[0].shape:
            return self.element(node.inputs[0])
        indices = index_nodes(node)
        if node.op.family == "gather" and not any(index.shape for index in indices):
            return self._read(node, indices)
        if node in self.loop.dependent:
            raise _NotByElement
        return _element(self.graph, self._same(node), self.own)

    def _read(self, node: Node, indices: Sequence[Node]) -> Node:
        source = node.inputs[0]
        array = self.version(source, None) if source in self.loop.dependent else self._same(source)
        return _element(self.graph, array, self.own, node, [self.element(index) for index in indices])

    def version(self, node: Node, wanted: Node | None) -> Node:
        """Returns an array that the loop iterates over, after its updates; `wanted`: the parameter that it
        must derive from."""
        chain = []
        node = plain(node)
        while node not in self.made and node.op.family == "update":
            chain.append(node)
            node = plain(node.inputs[0])
        if node not in self.made or len(node.shape) != len(self.loop.shape) + 1:
            raise _NotByElement
        if wanted is not None and self.made[node] is not self.made[wanted] and not chain:
            raise _NotByElement
        for each in reversed(chain):
            base, value = self.made[plain(each.inputs[0])], self.element(each.inputs[1])
            position = self.element(index_nodes(each)[0])
            self.made[each] = _with_element(self.graph, base, value, self.own, each, [position])
        return self.made[chain[0] if chain else node]

    def _same(self, node: Node) -> Node:
        """Returns a node that depends on no updated array, or a scalar."""
        for each in topological([node]):
            if each in self.made:
                continue
            allowed = each.op.family in ("leaf", "elementwise", "gather") or each.op.family == "movement"
            if each in self.loop.dependent or not allowed or not folds(each):
                raise _NotByElement
            if each.shape and each.op.family not in ("leaf", "movement"):
                raise _NotByElement  # would be computed again for every element
            inputs = [self.made[source] for source in each.inputs]
            self.made[each] = self.graph.make(each.op, *inputs, attributes=each.attributes)
        return self.made[node]


def _region(graph: Graph, dtype: object, values: Sequence[Node]) -> tuple[Graph, Node, list[Node]]:
    """Makes the graph of a loop's region, its counter, and a parameter for each operand."""
    inner = Graph(graph)
    counter = inner.parameter(0, (), dtype)  # type: ignore[arg-type]
    parameters = [
        inner.parameter(1 + number, value.shape, value.dtype) for number, value in enumerate(values)
    ]
    return inner, counter, parameters


def _element(
    graph: Graph, array: Node, own: Sequence[Node], of: Node | None = None, indices: Sequence[Node] = ()
) -> Node:
    """Returns an element of an array: at the current position on each axis, except where the gather `of` has
    indices."""
    at, known, labels, site = _places(own, of, indices)
    axes = tuple(range(len(at)))
    return graph.make(ops.gather, array, *at, attributes=(axes, 0, known, labels, site))


def _with_element(
    graph: Graph, array: Node, value: Node, own: Sequence[Node], of: Node | None = None,
    indices: Sequence[Node] = (),
) -> Node:  # fmt: skip
    """Returns an array with an element set, at such a position; `of`: a scatter."""
    at, known, labels, site = _places(own, of, indices)
    axes = tuple(range(len(at)))
    return graph.make(ops.scatter, array, value, *at, attributes=(axes, 0, "set", known, labels, True, site))


def _places(
    own: Sequence[Node], of: Node | None, indices: Sequence[Node]
) -> tuple[list[Node], tuple[bool, ...], tuple[int, ...], int]:
    """Returns positions on all axes, which are certainly in range, the axes' names in messages, and the
    site."""
    rank, rest = len(own) + len(indices), iter(own)
    if of is None:
        return list(own), (True,) * rank, tuple(range(rank)), 0
    given = {
        axis: (index, known, label)
        for axis, index, known, label in zip(
            of.attribute("axes"), indices, of.attribute("known"), of.attribute("labels"), strict=True
        )
    }
    places = [given[axis] if axis in given else (next(rest), True, axis) for axis in range(rank)]
    at, known, labels = zip(*places, strict=True)
    return list(at), known, labels, of.attribute("site")
