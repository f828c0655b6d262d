"""The `batch` rules of ops (as in vmap): each op on stacks of inputs, element by element of the stack.

A rule takes (graph, node, inputs, size): the inputs have a new first axis of that size, each of them (see
`stacked`), and so has the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..node import Graph, Node, Op
from ..types import I64
from . import OPS, complex_numbers, indexing, movement, reduction, winograd

Batch = Callable[[Graph, Node, Sequence[Node], int], Node]


def stacked(graph: Graph, node: Node, size: int) -> Node:
    """Repeats a value for every element of the stack, along a new first axis."""
    shape = (size, *node.shape)
    return graph.make(movement.broadcast, node, attributes=(shape, tuple(range(1, len(shape)))))


def _elementwise(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    return graph.make(node.op, *inputs, attributes=node.attributes)


for _op in OPS.values():
    if _op.family == "elementwise":
        _op.defines("batch")(_elementwise)


def _up(axes: Sequence[int]) -> tuple[int, ...]:
    """Shifts axes by one, for the new leading axis."""
    return tuple(axis + 1 for axis in axes)


@movement.reshape.defines("batch")
def _reshape(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    return graph.make(movement.reshape, *inputs, attributes=((size, *node.shape),))


@complex_numbers.as_real.defines("batch")
def _as_real(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    return graph.make(node.op, *inputs, attributes=((size, *node.shape),))


@complex_numbers.as_complex.defines("batch")
def _as_complex(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    return graph.make(node.op, *inputs)


@movement.permute.defines("batch")
def _permute(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    return graph.make(movement.permute, *inputs, attributes=((0, *_up(node.attribute("axes"))),))


@movement.broadcast.defines("batch")
def _broadcast(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    attributes = ((size, *node.shape), (0, *_up(node.attribute("axes"))))
    return graph.make(movement.broadcast, *inputs, attributes=attributes)


@movement.slice_.defines("batch")
def _slice(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    starts, steps = node.attribute("starts"), node.attribute("steps")
    attributes = ((0, *starts), (1, *steps), (size, *node.shape))
    return graph.make(movement.slice_, *inputs, attributes=attributes)


@movement.wrap.defines("batch")
def _wrap(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    attributes = ((0, *node.attribute("starts")), (size, *node.shape))
    return graph.make(movement.wrap, *inputs, attributes=attributes)


@movement.window.defines("batch")
def _window(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    axes = tuple(_up(terms) for terms in node.attribute("axes"))
    return graph.make(movement.window, *inputs, attributes=((size, *node.shape), ((0,), *axes)))


@reduction.reduce.defines("batch")
def _reduce(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    kind, axes = node.attributes
    return graph.make(reduction.reduce, *inputs, attributes=(kind, _up(axes)))


@reduction.find.defines("batch")
def _find(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    kind, axes, dtype = node.attributes
    return graph.make(reduction.find, *inputs, attributes=(kind, _up(axes), dtype))


@reduction.scan.defines("batch")
def _scan(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    kind, axis = node.attributes
    return graph.make(reduction.scan, *inputs, attributes=(kind, axis + 1))


def _same_attributes(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    return graph.make(node.op, *inputs, attributes=node.attributes)


for _contraction in (reduction.dot, reduction.small_dot, winograd.image_dot):
    _contraction.defines("batch")(_same_attributes)


@reduction.window_dot.defines("batch")
@reduction.packed_dot.defines("batch")
def _packed_dot(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    rows, columns, shape = node.attributes
    return graph.make(node.op, *inputs, attributes=(rows, columns, (size, *shape)))


@reduction.update.defines("batch")
def _update(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    starts, steps = node.attributes
    return graph.make(reduction.update, *inputs, attributes=((0, *starts), (1, *steps)))


def _number_in_stack(graph: Graph, shape: tuple[int, ...]) -> Node:
    return graph.make(movement.iota, attributes=(shape, 0, I64))


def _indices(graph: Graph, indices: Sequence[Node]) -> list[Node]:
    """Returns index arrays of a stack: the first selects the element of the stack."""
    return [_number_in_stack(graph, indices[0].shape), *indices]


@indexing.gather.defines("batch")
def _gather(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    axes, position, known, labels, site = node.attributes
    source, *indices = inputs
    rank = len(indices[0].shape) - 1
    attributes = ((0, *_up(axes)), 0, (True, *known), (0, *labels), site)
    made = graph.make(indexing.gather, source, *_indices(graph, indices), attributes=attributes)
    order = _with_indices_at(rank, position, len(made.shape))
    return graph.make(movement.permute, made, attributes=(order,))


@indexing.scatter.defines("batch")
def _scatter(graph: Graph, node: Node, inputs: Sequence[Node], _size: int) -> Node:
    axes, position, kind, known, labels, unique, site = node.attributes
    base, value, *indices = inputs
    order = _with_indices_at(len(indices[0].shape) - 1, position, len(value.shape))
    inverse = tuple(order.index(axis) for axis in range(len(order)))
    value = graph.make(movement.permute, value, attributes=(inverse,))
    attributes = (
        (0, *_up(axes)), 0, kind, (True, *known), (0, *labels), unique, site,
    )  # fmt: skip
    return graph.make(indexing.scatter, base, value, *_indices(graph, indices), attributes=attributes)


@indexing.window_scatter.defines("batch")
def _window_scatter(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    """Takes the window out, and puts it back after the write."""
    base, *operands = inputs
    starts, steps = (0, *node.attribute("starts")), (1, *node.attribute("steps"))
    shape = (size, *indexing.window_of(node))
    window = graph.make(movement.slice_, base, attributes=(starts, steps, shape))
    inner = Node(indexing.scatter, node.inputs, node.attributes[:-2], node.shape, node.dtype)
    made = _scatter(graph, inner, [window, *operands], size)
    return graph.make(reduction.update, base, made, attributes=(starts, steps))


def _with_indices_at(rank: int, position: int, axes: int) -> tuple[int, ...]:
    """The order that brings the axes of the index arrays, which come first, to their place."""
    rest = range(rank + 1, axes)
    return (0, *rest[:position], *range(1, rank + 1), *rest[position:])


def batched(op: Op) -> Batch:
    """The rule of an op. Raises NotImplementedError where it has none."""
    if op.batch is None:
        raise NotImplementedError(f"{op.name} has no rule for stacks")
    rule: Batch = op.batch
    return rule
