"""Attention in stacks, and its derivative: what each operand adds to a cotangent of the result.

The derivative computes the weights again from the operands, as nothing of them was stored (T. Dao and others,
"FlashAttention", NeurIPS 2022, appendix B).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..node import Graph, Node
from ..types import BOOL, I64, DType
from . import elementwise as e
from . import movement, reduction
from .attention import attention, mask_of
from .control import item
from .derivatives import Cotangents, filled, total


@item.defines("batch")
def _item(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    """Reads a result of an op that has merged the axis of the stack into its first one, and splits that."""
    made = graph.make(item, *inputs, attributes=node.attributes)
    return graph.make(movement.reshape, made, attributes=((size, *node.shape),))


def _same(node: Node) -> Node | None:
    """Returns the number that a stack repeats; None: the numbers differ."""
    repeated = node.op is movement.broadcast and not node.inputs[0].shape
    return node.inputs[0] if repeated else None


@attention.defines("batch")
def _stacked(graph: Graph, node: Node, inputs: Sequence[Node], size: int) -> Node:
    """Makes one batch of a stack; where the numbers of a stack differ, the scale multiplies the queries, and
    positions become a mask."""
    causal, masked = node.attributes
    q, keys, values, scale = inputs[:4]
    arrays = [q, keys, values]
    number = _same(scale)
    if number is None:
        wide = _cast(graph, q, scale.dtype)
        shape = wide.shape
        factor = graph.make(movement.broadcast, scale, attributes=(shape, (0,)))
        product = graph.make(e.mul, wide, factor)
        arrays[0] = (
            graph.make(e.cast, product, attributes=(q.dtype,)) if q.dtype is not scale.dtype else product
        )
        number = filled(graph, (), 1.0, scale.dtype)
    numbers = [number]
    mask = inputs[-1] if masked else None
    if causal:
        first, width = (_same(each) for each in inputs[4:6])
        if first is None or width is None:
            scores = (*q.shape[:-1], keys.shape[3])
            seen = _seen(graph, scores, *(_along(graph, each, scores) for each in inputs[4:6]))
            mask = seen if mask is None else _hidden(graph, mask, seen)
            causal = False
        else:
            numbers += [first, width]
    arrays += [] if mask is None else [mask]
    joined = [
        graph.make(movement.reshape, array, attributes=((size * array.shape[1], *array.shape[2:]),))
        for array in arrays
    ]
    return graph.make(attention, *joined[:3], *numbers, *joined[3:], attributes=(causal, mask is not None))


def _along(graph: Graph, number: Node, shape: tuple[int, ...]) -> Node:
    """Broadcasts numbers of a stack, or one number, to all positions of the scores, as int64."""
    wide = _cast(graph, number, I64)
    return graph.make(movement.broadcast, wide, attributes=(shape, (0,) if number.shape else ()))


def _seen(graph: Graph, shape: tuple[int, ...], first: Node, width: Node) -> Node:
    """Returns the mask of scores by positions: the last `width` keys up to the query's position."""
    rank = len(shape)
    query, key = (graph.make(movement.iota, attributes=(shape, axis, I64)) for axis in (rank - 2, rank - 1))
    behind = graph.make(e.sub, graph.make(e.add, first, query), key)
    zero = filled(graph, shape, 0, I64)
    return graph.make(e.bitwise_and, graph.make(e.ge, behind, zero), graph.make(e.lt, behind, width))


def _hidden(graph: Graph, mask: Node, seen: Node) -> Node:
    """Returns a mask that is true, or adds, at the seen scores alone."""
    if mask.dtype is BOOL:
        return graph.make(e.bitwise_and, mask, seen)
    return graph.make(e.select, seen, mask, filled(graph, mask.shape, -math.inf, mask.dtype))


def _cast(graph: Graph, node: Node, dtype: DType) -> Node:
    return node if node.dtype is dtype else graph.make(e.cast, node, attributes=(dtype,))


@item.defines("vjp")
def _of_item(_graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """Returns the cotangent of the op whose only differentiable result this is."""
    if node.inputs[0].op.vjp is None:
        raise NotImplementedError(f"{node.inputs[0].op.name} has no derivative")
    return (cotangent,)


@attention.defines("vjp")
def _vjp(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """With P the weights and G the cotangent: of the values P' G, of the scores S = P (D - rows' sums of D P)
    with D = G values'; those of queries and keys follow from S as a product. Queries that see nothing have
    zero derivatives."""
    causal, _masked = node.attributes
    nodes = node.inputs
    scale, mask = nodes[3], mask_of(node)
    dtype = scale.dtype
    q, keys, values, cotangent = (_cast(graph, each, dtype) for each in (*nodes[:3], cotangent))
    b, k, g, t, d = q.shape
    length, width = keys.shape[2], values.shape[3]
    shape = (b, k, g, t, length)

    def shaped(each: Node, *extents: int) -> Node:
        return graph.make(movement.reshape, each, attributes=(extents,))

    def turned(each: Node) -> Node:
        rank = len(each.shape)
        return graph.make(movement.permute, each, attributes=((*range(rank - 2), rank - 1, rank - 2),))

    def times(x: Node, y: Node) -> Node:
        return graph.make(reduction.dot, x, y)

    def rows(each: Node, kind: str) -> Node:
        """Reduces each row of the scores, and broadcasts the result to the row."""
        made = graph.make(reduction.reduce, each, attributes=(kind, (4,)))
        return graph.make(movement.broadcast, made, attributes=(shape, (0, 1, 2, 3)))

    q, cotangent = shaped(q, b * k, g * t, d), shaped(cotangent, b * k, g * t, width)
    keys, values = shaped(keys, b * k, length, d), shaped(values, b * k, length, width)
    plain = shaped(times(q, turned(keys)), *shape)
    factor = graph.make(movement.broadcast, scale, attributes=(shape, ()))
    scores = graph.make(e.mul, plain, factor)
    none = filled(graph, shape, -math.inf, dtype)
    if mask is not None and mask.dtype is BOOL:
        scores = graph.make(e.select, mask, scores, none)
    elif mask is not None:
        scores = graph.make(e.add, scores, mask)
    if causal:
        seen = _seen(graph, shape, *(_along(graph, each, shape) for each in nodes[4:6]))
        scores = graph.make(e.select, seen, scores, none)
    zero, one = filled(graph, shape, 0.0, dtype), filled(graph, shape, 1.0, dtype)
    top = rows(scores, "max")
    top = graph.make(e.select, graph.make(e.eq, top, none), zero, top)
    powers = graph.make(e.exp, graph.make(e.sub, scores, top))
    sums = rows(powers, "sum")
    sums = graph.make(e.select, graph.make(e.eq, sums, zero), one, sums)
    weights = graph.make(e.div, powers, sums)
    flat = shaped(weights, b * k, g * t, length)
    of_weights = shaped(times(cotangent, turned(values)), *shape)
    mean = rows(graph.make(e.mul, of_weights, weights), "sum")
    of_scores = graph.make(e.mul, weights, graph.make(e.sub, of_weights, mean))
    scaled = shaped(graph.make(e.mul, of_scores, factor), b * k, g * t, length)
    found = (
        shaped(times(scaled, keys), b, k, g, t, d),
        shaped(times(turned(scaled), q), b, k, length, d),
        shaped(times(turned(flat), cotangent), b, k, length, width),
    )
    arrays = [_cast(graph, each, source.dtype) for each, source in zip(found, nodes, strict=False)]
    of_scale = total(graph, graph.make(e.mul, of_scores, plain), (0, 1, 2, 3, 4))
    of_mask = () if mask is None else (None if mask.dtype is BOOL else of_scores,)
    return (*arrays, of_scale, *((None, None) if causal else ()), *of_mask)
