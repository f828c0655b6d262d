"""`einsum`: subscripts parsed to labels of axes, the order of products chosen by NumPy, each product done by
`contract`.

A label is a letter, an int (as NumPy's other form of arguments has them) or, for the axes of an ellipsis,
their position counted from the end: (-1,), (-2,).
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy

from ..arrays.promotion import Operand, result_dtype
from ..arrays.views import Permute, View, Window
from ..base.arguments import integer
from ..errors import ArgumentError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import DType
from .contraction import Labels, arrange, contract, sum_out
from .operands import as_node, cast, reshaped, shape_text

Terms = tuple[Labels, ...]
ELLIPSIS = "..."


def parse(subscripts: str) -> tuple[Terms, Labels | None]:
    """The labels of each operand, and those of the result if given."""
    if not isinstance(subscripts, str):
        raise ArgumentError(
            f"einsum: the subscripts must be a string such as 'ij,jk->ik' or lists, not {subscripts!r}"
        )
    text = subscripts.replace(" ", "")
    given, arrow, result = text.partition("->")
    if ("-" in given) or (">" in given) or any(sign in result for sign in "->,"):
        raise ArgumentError(f"einsum: {subscripts!r} may have one '->', between the operands and the result")
    terms = tuple(_term(each, subscripts) for each in given.split(","))
    return terms, _term(result, subscripts) if arrow else None


def _term(text: str, subscripts: str) -> Labels:
    before, dots, after = text.partition(ELLIPSIS)
    for sign in before + after:
        if sign not in string.ascii_letters:
            raise ArgumentError(
                f"einsum: {sign!r} in {subscripts!r} is no axis; axes are letters, '...' is any number"
            )
    return (*before, *((ELLIPSIS,) if dots else ()), *after)


def from_lists(lists: Sequence[Any], result: Any) -> tuple[Terms, Labels | None]:
    """The same from lists of ints, in which Ellipsis stands for any number of axes."""

    def term(axes: Any) -> Labels:
        made: list[Hashable] = []
        for axis in axes:
            if axis is Ellipsis:
                made.append(ELLIPSIS)
            elif 0 <= integer(axis, "einsum: an axis other than Ellipsis") < 52:
                # In NumPy's order of results: 0 is 'A', 26 is 'a'.
                made.append((string.ascii_uppercase + string.ascii_lowercase)[int(axis)])
            else:
                raise ArgumentError(f"einsum: {axis} is no axis; axes are ints from 0 to 51 and Ellipsis")
        return tuple(made)

    return tuple(term(axes) for axes in lists), None if result is None else term(result)


def _expanded(labels: Labels, rank: int, number: int) -> Labels:
    """The labels of an operand, one for each axis."""
    count = labels.count(ELLIPSIS)
    missing = rank - len(labels) + count
    if count > 1:
        raise ArgumentError(f"einsum: operand {number} has more than one '...'")
    if missing < 0 or (missing and not count):
        raise ShapeError(
            f"einsum: operand {number} has {rank} axes and {len(labels) - count} letters; write one "
            f"letter for each axis, or '...' for the rest"
        )
    if not count:
        return labels
    at = labels.index(ELLIPSIS)
    return (*labels[:at], *((-axis,) for axis in range(missing, 0, -1)), *labels[at + 1 :])


def _result(terms: Terms, given: Labels | None) -> Labels:
    """The labels of the result: those given, or in order the ones that occur once."""
    counted = Counter(label for term in terms for label in term)
    spread = sorted(label for label in counted if isinstance(label, tuple))
    if given is None:
        once = sorted(str(label) for label, count in counted.items() if count == 1 and label not in spread)
        return (*spread, *once)
    if given.count(ELLIPSIS) > 1:
        raise ArgumentError("einsum: the result has more than one '...'")
    if spread and ELLIPSIS not in given:
        raise ArgumentError(
            "einsum: the operands have axes under '...' that the result lacks; write '...' there too"
        )
    result: list[Hashable] = []
    for label in given:
        result.extend(spread if label == ELLIPSIS else (label,))
    for label in result:
        if label not in counted:
            raise ArgumentError(f"einsum: the axis {label!r} of the result is in no operand")
        if result.count(label) > 1:
            raise ArgumentError(f"einsum: the result has the axis {label!r} more than once")
    return tuple(result)


def _extents(shapes: Sequence[Shape], terms: Terms) -> dict[Hashable, int]:
    """The extent of each label; axes of extent 1 are repeated."""
    found: dict[Hashable, int] = {}
    for number, (shape, term) in enumerate(zip(shapes, terms, strict=True)):
        own: dict[Hashable, int] = {}
        for label, extent in zip(term, shape, strict=True):
            if own.setdefault(label, extent) != extent:
                raise ShapeError(
                    f"einsum: operand {number} of shape {shape_text(shape)} has no diagonal along "
                    f"{label!r}: the extents {own[label]} and {extent} differ"
                )
            if found.setdefault(label, extent) == 1:
                found[label] = extent
            elif extent not in (1, found[label]):
                name = "'...'" if isinstance(label, tuple) else repr(label)
                raise ShapeError(
                    f"einsum: the axis {name} has the extent {found[label]} and, in operand {number} of "
                    f"shape {shape_text(shape)}, {extent}"
                )
    return found


def _plain(graph: Graph, node: Node, labels: Labels, extents: dict[Hashable, int]) -> tuple[Node, Labels]:
    """An operand with every label once: takes the diagonal of axes that share one, and drops broadcast
    axes."""
    kept = [axis for axis, label in enumerate(labels) if node.shape[axis] == extents[label]]
    if len(kept) < len(labels):
        node = reshaped(graph, node, tuple(node.shape[axis] for axis in kept))
        labels = tuple(labels[axis] for axis in kept)
    unique = tuple(dict.fromkeys(labels))
    if len(unique) < len(labels):
        shape = tuple(extents[label] for label in unique)
        axes = tuple((unique.index(label),) for label in labels)
        node = graph.make(ops.window, node, attributes=(shape, axes))
    return node, unique


def einsum(
    graph: Graph,
    *operands: Operand,
    terms: Terms,
    result: Labels | None,
    dtype: DType | None = None,
    optimize: Any = False,
) -> Node:
    """The sum of the operands' products over every label that the result lacks."""
    if len(operands) != len(terms):
        raise ArgumentError(f"einsum: {len(terms)} operands in the subscripts, {len(operands)} given")
    dtype = result_dtype(operands) if dtype is None else dtype
    nodes = [as_node(graph, operand, dtype) for operand in operands]
    terms = tuple(
        _expanded(term, len(node.shape), k) for k, (term, node) in enumerate(zip(terms, nodes, strict=True))
    )
    final = _result(terms, result)
    extents = _extents([node.shape for node in nodes], terms)
    wide = ops.accumulator(dtype) if len(nodes) > 2 else dtype
    parts = [
        _plain(graph, cast(graph, node, wide), term, extents) for node, term in zip(nodes, terms, strict=True)
    ]
    for chosen in order_of(parts, final, optimize):
        taken = [parts[position] for position in chosen]
        parts = [part for position, part in enumerate(parts) if position not in chosen]
        node, labels = taken.pop(0)
        while taken:
            other, others = taken.pop(0)
            needed = {*final, *(label for _, each in (*parts, *taken) for label in each)}
            kept = tuple(label for label in dict.fromkeys((*labels, *others)) if label in needed)
            if not parts and not taken:
                kept = tuple(label for label in final if label in kept)
            node = contract(graph, node, labels, other, others, kept)
            labels = kept
        parts.append((node, labels))
    ((node, labels),) = parts
    node, labels = sum_out(graph, node, labels, {*final})
    return cast(graph, arrange(graph, node, labels, final), dtype)


def as_view(shape: Shape, terms: Terms, result: Labels | None) -> View | None:
    """A single operand as a transpose or a diagonal if nothing is summed; else None."""
    if len(terms) != 1:
        return None
    labels = _expanded(terms[0], len(shape), 0)
    final = _result((labels,), result)
    if {*final} != {*labels}:
        return None
    extents = _extents([shape], (labels,))
    view = View.of(shape)
    if len(final) < len(labels):
        axes = tuple((final.index(label),) for label in labels)
        return view.then(Window(tuple(extents[label] for label in final), axes))
    return view.then(Permute(tuple(labels.index(label) for label in final)))


def order_of(parts: Sequence[tuple[Node, Labels]], final: Labels, optimize: Any) -> list[tuple[int, ...]]:
    """The positions of the operands to multiply in each step; the product is appended to those left.

    NumPy's `optimize=False` is one pass over all axes at once: here that is a greedy order too.
    """
    if len(parts) < 2:
        return []
    if len(parts) == 2:
        return [(0, 1)]
    labels = dict.fromkeys(label for _, own in parts for label in own)
    names = dict(zip(labels, string.ascii_letters, strict=False))
    subscripts = ",".join("".join(names[label] for label in own) for _, own in parts)
    shown = [numpy.broadcast_to(numpy.float64(0), node.shape) for node, _ in parts]
    wanted = "".join(names[label] for label in final)
    if isinstance(optimize, bool):
        optimize = "greedy"
    try:
        path, _ = numpy.einsum_path(f"{subscripts}->{wanted}", *shown, optimize=optimize)
    except (TypeError, KeyError, ValueError) as error:
        raise ArgumentError(f"einsum: optimize={optimize!r} is not understood: {error}") from None
    return [tuple(each) for each in path[1:]]
