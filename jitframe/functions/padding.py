"""Arrays made larger at their borders: NumPy's `pad`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from ..arrays.promotion import Operand
from ..arrays.views import Reshape
from ..base.arguments import check_size, shown
from ..errors import ArgumentError, KindError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import F64
from . import movement, reductions
from .creation import iota
from .elementwise import add, divide, floor, multiply, round_, subtract
from .joining import concatenate, part
from .operands import as_node, cast, spread, strong

Pairs = list[tuple[Any, Any]]


def pad(graph: Graph, x: Operand, widths: Any, mode: str, options: dict[str, Any]) -> Node:
    """`x` with new elements before and after each axis, in one of NumPy's modes.

    `widths`: {axis: pair or int}, or anything that broadcasts to (rank, 2).
    """
    node = strong(graph, x)
    rank = len(node.shape)
    counts = _widths(widths, rank)
    padded = (before + extent + after for extent, (before, after) in zip(node.shape, counts, strict=True))
    check_size(tuple(padded), node.dtype.itemsize, "pad: the result's shape")
    if mode not in _MODES and mode not in ("constant", "empty"):
        modes = ", ".join(sorted(("constant", "empty", *_MODES)))
        raise ArgumentError(f"mode '{mode}' is not supported; the modes are {modes}")
    allowed = _OPTIONS.get(mode, ())
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise ArgumentError(f"unsupported keyword arguments for mode '{mode}': {set(unknown)}")
    if mode in ("constant", "empty"):
        return _filled(graph, node, counts, options.get("constant_values", 0) if mode == "constant" else None)
    for axis, (before, after) in enumerate(counts):
        if not node.shape[axis] and (before or after):
            raise ArgumentError(
                f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            )
    for axis, (before, after) in enumerate(counts):
        if before or after:
            node = _MODES[mode](graph, node, axis, before, after, options)
    return node


def _widths(widths: Any, rank: int) -> list[tuple[int, int]]:
    if isinstance(widths, dict):
        pairs: list[Any] = [0] * rank
        for axis, width in widths.items():
            pairs[axis] = width
        found = [tuple(width) if isinstance(width, (tuple, list)) else (width, width) for width in pairs]
    else:
        found = _pairs(widths, rank)
    try:
        kinds = {type(each) for pair in found for each in pair}
        dtype = None if isinstance(widths, type) else getattr(widths, "dtype", None)
        if not rank:  # there are no pairs to tell the width from
            dtype = numpy.asarray(widths).dtype
        if (
            kinds == {bool}
            or (dtype is not None and dtype.kind not in ("iO" if rank else "i"))
            or not all(hasattr(kind, "dtype") or issubclass(kind, int) for kind in kinds)
        ):
            raise TypeError
        result = [(operator.index(before), operator.index(after)) for before, after in found]
        if any(abs(each) >= 2**63 for pair in result for each in pair):  # objects, to NumPy
            raise TypeError
    except ValueError as error:
        raise ArgumentError(f"pad_width: {error}") from None
    except TypeError:
        raise KindError(f"`pad_width` must be of integral type, not {shown(widths)}") from None
    if any(each < 0 for pair in result for each in pair) or (isinstance(widths, int) and widths < 0):
        raise ArgumentError("index can't contain negative values")
    return result


def _pairs(value: Any, rank: int) -> Pairs:
    """A number, a pair, or a pair for each axis as a pair for each axis."""
    try:
        pairs = numpy.broadcast_to(numpy.asarray(value, dtype=object), (rank, 2))
    except ValueError:
        raise KindError(f"pad: {shown(value)} does not broadcast to a pair for each of {rank} axes") from None
    return [tuple(pair) for pair in pairs.tolist()]


def _filled(graph: Graph, node: Node, counts: list[tuple[int, int]], values: Any) -> Node:
    """New elements of one value, or with values for each side of each axis; None leaves them undefined."""
    shape = tuple(before + extent + after for extent, (before, after) in zip(node.shape, counts, strict=True))
    starts, steps = tuple(before for before, _after in counts), (1,) * len(shape)
    if shape == node.shape:
        return node
    sides = [] if values is None else _pairs(values, len(shape))
    same = {value for pair in sides for value in pair}
    if len(same) > 1:
        for axis, (before, after) in enumerate(counts):
            parts = [
                spread(graph, as_node(graph, value, node.dtype), with_extent(node.shape, axis, count))
                for value, count in zip(sides[axis], (before, after), strict=True)
            ]
            node = concatenate(graph, [parts[0], node, parts[1]], axis, node.dtype)
        return node
    if values is None:
        base = graph.make(ops.undefined, attributes=(shape, node.dtype))
    else:
        base = spread(graph, as_node(graph, same.pop(), node.dtype), shape)
    return graph.make(ops.update, base, node, attributes=(starts, steps)) if node.size else base


def with_extent(shape: tuple[int, ...], axis: int, extent: int) -> tuple[int, ...]:
    return (*shape[:axis], extent, *shape[axis + 1 :])


def _edge(graph: Graph, node: Node, axis: int, before: int, after: int, _options: dict[str, Any]) -> Node:
    """Repeats the outermost elements."""
    extent = node.shape[axis]
    first, last = part(graph, node, axis, 0, 1), part(graph, node, axis, extent - 1, extent)
    return _between(graph, node, axis, before, after, first, last)


def _between(graph: Graph, node: Node, axis: int, before: int, after: int, first: Node, last: Node) -> Node:
    """`first` and `last`, of extent 1 along the axis, repeated at both sides."""
    sides = []
    for side, count in ((first, before), (last, after)):
        shape = with_extent(node.shape, axis, count)
        flat = movement.squeeze(side.shape, axis).apply(graph, side)
        axes = tuple(each for each in range(len(shape)) if each != axis)
        sides.append(graph.make(ops.broadcast, cast(graph, flat, node.dtype), attributes=(shape, axes)))
    return concatenate(graph, [sides[0], node, sides[1]], axis)


MOST_PIECES = 8
"""The maximum number of periods that are joined one by one; more are gathered from one."""


def _periodic(
    graph: Graph, node: Node, axis: int, before: int, after: int, period: Callable[[Node], Node]
) -> Node:
    """Continues the axis by whole periods in both directions."""
    cycle = period(node)
    length = cycle.shape[axis]
    segments = []
    skipped = -before % length
    extent = before + node.shape[axis] + after
    count = -(-(skipped + extent) // length)
    if count > MOST_PIECES:
        shape = cycle.shape
        apart = with_extent(shape, axis, 1)[: axis + 1] + shape[axis:]
        cycle = Reshape(apart).apply(graph, cycle)
        cycle = spread(graph, cycle, (*shape[:axis], count, *shape[axis:]))
        cycle = Reshape(with_extent(shape, axis, count * length)).apply(graph, cycle)
        return part(graph, cycle, axis, skipped, skipped + extent)
    if before:
        copies = (before + skipped) // length
        segments = [part(graph, cycle, axis, skipped, length)] + [cycle] * (copies - 1)
    reach = node.shape[axis] + after
    whole, rest = divmod(reach, length)
    segments += [cycle] * whole
    if rest:
        segments.append(part(graph, cycle, axis, 0, rest))
    return concatenate(graph, segments, axis)


def _wrap(graph: Graph, node: Node, axis: int, before: int, after: int, _options: dict[str, Any]) -> Node:
    """Repeats the whole axis."""
    return _periodic(graph, node, axis, before, after, lambda whole: whole)


def _mirror(repeats_edge: bool) -> Callable[..., Node]:
    def mode(graph: Graph, node: Node, axis: int, before: int, after: int, options: dict[str, Any]) -> Node:
        if options.get("reflect_type", "even") != "even":
            raise UnsupportedError(
                "pad: reflect_type='odd'; write 2 * edge - the reflection with np.concatenate"
            )
        extent = node.shape[axis]
        if extent == 1:
            return _edge(graph, node, axis, before, after, {})

        def there_and_back(whole: Node) -> Node:
            back = movement.flip(whole.shape, axis).apply(graph, whole)
            if not repeats_edge:
                back = part(graph, back, axis, 1, extent - 1)
            return concatenate(graph, [whole, back], axis) if back.shape[axis] else whole

        if max(before, after) <= extent - (not repeats_edge):
            return _mirrored_once(graph, node, axis, before, after, int(not repeats_edge))
        return _periodic(graph, node, axis, before, after, there_and_back)

    return mode


def _mirrored_once(graph: Graph, node: Node, axis: int, before: int, after: int, skip: int) -> Node:
    extent = node.shape[axis]
    segments = []
    for start, count in ((skip, before), (extent - skip - after, after)):
        side = part(graph, node, axis, start, start + count)
        segments.append(movement.flip(side.shape, axis).apply(graph, side))
    return concatenate(graph, [segments[0], node, segments[1]], axis)


def _statistic(function: Callable[..., Node]) -> Callable[..., Node]:
    def mode(graph: Graph, node: Node, axis: int, before: int, after: int, options: dict[str, Any]) -> Node:
        lengths = options.get("stat_length")
        extent = node.shape[axis]
        spans = (extent, extent)
        if lengths is not None:
            spans = tuple(  # type: ignore[assignment]
                extent if length is None else min(length, extent)
                for length in _pairs(lengths, len(node.shape))[axis]
            )
            if min(spans) < 1:
                raise ArgumentError("stat_length of 0 yields no value for padding")
        sides = []
        for start, stop in ((0, spans[0]), (extent - spans[1], extent)):
            made = function(graph, part(graph, node, axis, start, stop), axis=axis, keepdims=True)
            sides.append(round_(graph, made) if node.dtype.is_integer else made)
        return _between(graph, node, axis, before, after, *sides)

    return mode


def _ramp(graph: Graph, node: Node, axis: int, before: int, after: int, options: dict[str, Any]) -> Node:
    """Steps linearly from the edge to an end value."""
    ends = _pairs(options.get("end_values", 0), len(node.shape))[axis]
    extent = node.shape[axis]
    sides = []
    for end, count, edge, backwards in (
        (ends[0], before, part(graph, node, axis, 0, 1), False),
        (ends[1], after, part(graph, node, axis, extent - 1, extent), True),
    ):
        shape = with_extent(node.shape, axis, count)
        steps = iota(graph, shape, axis, F64)
        if backwards:
            steps = movement.flip(shape, axis).apply(graph, steps)
        slope = divide(graph, subtract(graph, cast(graph, edge, F64), end), float(max(count, 1)))
        values = add(graph, multiply(graph, steps, slope), end)
        sides.append(cast(graph, floor(graph, values) if node.dtype.is_integer else values, node.dtype))
    return concatenate(graph, [sides[0], node, sides[1]], axis)


_MODES: dict[str, Callable[..., Node]] = {
    "edge": _edge,
    "wrap": _wrap,
    "reflect": _mirror(repeats_edge=False),
    "symmetric": _mirror(repeats_edge=True),
    "maximum": _statistic(reductions.max_),
    "minimum": _statistic(reductions.min_),
    "mean": _statistic(reductions.mean),
    "linear_ramp": _ramp,
}
_OPTIONS: dict[str, tuple[str, ...]] = {
    "constant": ("constant_values",),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "minimum": ("stat_length",),
    "mean": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
}
