"""Sums of products over labelled axes, as products of matrices or as multiply-and-sum: the basis of
`tensordot` and `einsum`."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import product

from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL
from .complex_numbers import as_reals, of_reals, parts
from .operands import cast, reshaped

Labels = tuple[Hashable, ...]
FEW = 24
"""The most elements of the left matrix of a complex product that is sums."""


def multiply_and_sum(graph: Graph, x: Node, y: Node, axes: Shape) -> Node:
    """The sum of x * y over `axes`, for operands of one shape and dtype; bools by `and` and `or`."""
    if x.dtype is BOOL:
        return summed(graph, graph.make(ops.bitwise_and, x, y), axes)
    dtype, wide = x.dtype, ops.accumulator(x.dtype) if axes else x.dtype
    return cast(
        graph, summed(graph, graph.make(ops.mul, cast(graph, x, wide), cast(graph, y, wide)), axes), dtype
    )


def matrix_product(graph: Graph, x: Node, y: Node) -> Node:
    """x[..., m, k] @ y[..., k, n]. Of complex numbers it is one product of reals: each element of x a row of
    its parts, each element of y the matrix [[a, b], [-b, a]] of its multiplication. Few rows with few inner
    positions, a rotation of many vectors, are sums: a matrix for each element of y would be most of the
    work."""
    if not x.dtype.is_complex:
        return graph.make(ops.dot, x, y)
    *batch, rows, inner = x.shape
    columns = y.shape[-1]
    if 1 in (rows, columns) or rows * inner <= FEW:
        return ops.dot_as_sum(graph, (x, y))
    first, second = parts(graph, y)
    rotated = graph.make(ops.pair, graph.make(ops.neg, second), first)
    pairs = as_reals(graph, y)
    shape = (*batch, inner, 2, columns, 2)
    both = graph.make(ops.undefined, attributes=(shape, pairs.dtype))
    zeros, ones = (0,) * len(batch), (1,) * len(shape)
    for place, node in enumerate((pairs, as_reals(graph, rotated))):
        part = reshaped(graph, node, (*batch, inner, 1, columns, 2))
        both = graph.make(ops.update, both, part, attributes=((*zeros, 0, place, 0, 0), ones))
    left = reshaped(graph, as_reals(graph, x), (*batch, rows, 2 * inner))
    made = graph.make(ops.dot, left, reshaped(graph, both, (*batch, 2 * inner, 2 * columns)))
    return of_reals(graph, reshaped(graph, made, (*batch, rows, columns, 2)))


def image_product(graph: Graph, x: Node, y: Node) -> Node:
    """x[..., m, k] @ y[..., k, n] of reals, where y has the windows of images as its columns."""
    return graph.make(ops.image_dot, x, y)


def summed(graph: Graph, x: Node, axes: Shape) -> Node:
    """The sum over `axes`, rounded once to the dtype of x; of bools, whether any is true."""
    if not axes:
        return x
    if x.dtype is BOOL:
        return graph.make(ops.reduce, x, attributes=("any", axes))
    wide = cast(graph, x, ops.accumulator(x.dtype))
    return cast(graph, graph.make(ops.reduce, wide, attributes=("sum", axes)), x.dtype)


def sum_out(graph: Graph, x: Node, labels: Labels, kept: set[Hashable]) -> tuple[Node, Labels]:
    """Sums over the axes whose labels are not among `kept`; returns the labels left."""
    axes = tuple(axis for axis, label in enumerate(labels) if label not in kept)
    return summed(graph, x, axes), tuple(label for label in labels if label in kept)


def arrange(graph: Graph, x: Node, labels: Labels, order: Labels) -> Node:
    """The axes of x in another order."""
    axes = tuple(labels.index(label) for label in order)
    return x if axes == tuple(range(len(axes))) else graph.make(ops.permute, x, attributes=(axes,))


def contract(graph: Graph, x: Node, x_labels: Labels, y: Node, y_labels: Labels, result: Labels) -> Node:
    """The sum of x * y over all labels that `result` lacks, in the order of `result`.

    No operand has a label twice; equal labels have equal extents; `result` has labels of the operands.
    """
    if not {*y_labels} <= {*x_labels}:
        x, x_labels = sum_out(graph, x, x_labels, {*y_labels, *result})
    if not {*x_labels} <= {*y_labels}:
        y, y_labels = sum_out(graph, y, y_labels, {*x_labels, *result})
    left = tuple(label for label in result if label not in y_labels)
    right = tuple(label for label in result if label not in x_labels)
    both = {*x_labels} & {*y_labels}
    inner = both - {*result}
    if not inner or not left or not right:
        # Every element of an operand is used once: a product of matrices gains nothing.
        gone = dict.fromkeys(label for label in (*x_labels, *y_labels) if label not in result)
        order = (*result, *gone)
        extents = {**dict(zip(x_labels, x.shape, strict=True)), **dict(zip(y_labels, y.shape, strict=True))}
        shape = tuple(extents[label] for label in order)
        first = _spread(graph, x, x_labels, order, shape)
        second = _spread(graph, y, y_labels, order, shape)
        return multiply_and_sum(graph, first, second, tuple(range(len(result), len(order))))
    if result.index(right[0]) < result.index(left[0]):
        # (x @ y).T is y.T @ x.T: the result has the wanted order.
        x, x_labels, left, y, y_labels, right = y, y_labels, right, x, x_labels, left
    extents = {**dict(zip(x_labels, x.shape, strict=True)), **dict(zip(y_labels, y.shape, strict=True))}
    batch = tuple(label for label in result if label in both)
    left, inner_order, right = _cheapest(x_labels, y_labels, result, batch, (left, right), inner, extents)
    alone = [(label,) for label in batch]
    first = _joined(graph, x, x_labels, [*alone, left, inner_order])
    second = _joined(graph, y, y_labels, [*alone, inner_order, right])
    node = matrix_product(graph, first, second)
    order = (*batch, *left, *right)
    node = reshaped(graph, node, tuple(extents[label] for label in order))
    return arrange(graph, node, order, result)


def _cheapest(
    x: Labels,
    y: Labels,
    result: Labels,
    batch: Labels,
    outer: tuple[Labels, Labels],
    inner: set[Hashable],
    extents: Mapping[Hashable, int],
) -> tuple[Labels, Labels, Labels]:
    """The orders of the labels of rows, sums and columns that copy the fewest elements: an operand is copied
    if its labels are not adjacent, or a result if its order differs."""

    def size(labels: Labels) -> int:
        return math.prod(extents[label] for label in labels)

    def within(labels: Labels, some: Collection[Hashable]) -> Labels:
        return tuple(label for label in labels if label in some)

    lefts, rights = ((each, within(own, each)) for each, own in zip(outer, (x, y), strict=True))
    inners = (within(x, inner), within(y, inner))
    choices = dict.fromkeys(product(lefts, inners if size(x) >= size(y) else inners[::-1], rights))

    def copied(choice: tuple[Labels, Labels, Labels]) -> int:
        left, between, right = choice
        rotated = (*batch, *left, *right) != result
        return (
            size(x) * (not (_lie_together(x, left) and _lie_together(x, between)))
            + size(y) * (not (_lie_together(y, between) and _lie_together(y, right)))
            + size(result) * rotated
        )

    return min(choices, key=copied)


def _lie_together(labels: Labels, group: Labels) -> bool:
    """Whether labels are adjacent in this order: such axes merge without a copy."""
    return any(labels[at : at + len(group)] == group for at in range(len(labels) - len(group) + 1))


def _spread(graph: Graph, x: Node, labels: Labels, order: Labels, shape: Shape) -> Node:
    own = tuple(label for label in order if label in labels)
    x = arrange(graph, x, labels, own)
    if own == order:
        return x
    axes = tuple(axis for axis, label in enumerate(order) if label in labels)
    return graph.make(ops.broadcast, x, attributes=(shape, axes))


def _joined(graph: Graph, x: Node, labels: Labels, groups: Sequence[Labels]) -> Node:
    """The array with one axis for each group of labels.

    Labels of a group that are neighbours in the right order join where they lie, which is no copy of an array
    without gaps; else the axes are put in order first.
    """
    units: list[Labels] = []
    at = 0
    while at < len(labels):
        found = [group for group in groups if len(group) > 1 and labels[at : at + len(group)] == group]
        units.append(found[0] if found else (labels[at],))
        at += len(units[-1])
    extents = dict(zip(labels, x.shape, strict=True))
    x = reshaped(graph, x, tuple(math.prod(extents[label] for label in unit) for unit in units))
    if all(group in units for group in groups):
        return arrange(graph, x, tuple(units), tuple(groups))
    unit_of = {label: unit for unit in units for label in unit}
    x = arrange(
        graph, x, tuple(units), tuple(dict.fromkeys(unit_of[label] for group in groups for label in group))
    )
    return reshaped(graph, x, tuple(math.prod(extents[label] for label in group) for group in groups))
