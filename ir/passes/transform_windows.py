"""Windows of zeros in what is transformed, and zeros after it, are chosen element by element.

`s[:, k:] = 0` writes a spectrum once more, and `fft(x, 2 * n)` a copy of x with zeros after it. As selects
they are elementwise, and computed where a transform loads its points (see `chains`). Exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..expr import equal, less, lift
from ..node import Graph, Node, Shape, Walk
from ..structure import Size
from ..types import I32
from .movement_rules import takes_all
from .stages import Decide

MOST_POSITIONS = 1 << 31
PARTS = 2
"""Of a complex number, along the last axis."""


def select_windows(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs, with selects for updates that only transforms read."""
    chosen = {
        node
        for node in _read_by_transforms(walk)
        if _part_of(node) is None
        and _windows_are_parts(node, decide)
        and (_repeated_in(node.inputs[1]) is not None or _is_in_front(node, decide))
    }
    if not chosen:
        return walk.outputs
    made: dict[Node, Node] = {}
    for node in walk.order:
        inputs = tuple([made[source] for source in node.inputs])
        made[node] = (
            _selected(graph, node, *inputs) if node in chosen else graph.like(node, inputs, node.attributes)
        )
    return tuple([made[node] for node in walk.outputs])


def _read_by_transforms(walk: Walk) -> set[Node]:
    """Updates of contiguous windows that transforms read, or that are the base of such alone."""
    nodes: set[Node] = set()
    for node in reversed(walk.order):
        if node.op is not ops.update or node in walk.outputs or set(node.attribute("steps")) != {1}:
            continue
        users = walk.users[node]
        if all(
            user.inputs[0] is node and (user.op.lower_chain is not None or user in nodes) for user in users
        ):
            nodes.add(node)
    return nodes


def _repeated_in(node: Node) -> Node | None:
    """The value that all elements are, of rank 0; None where they differ."""
    while node.op.family == "movement" and node.inputs:
        (node,) = node.inputs
    return None if node.shape else node


def _windows_are_parts(node: Node, decide: Decide) -> bool:
    """Whether the window has elements and leaves some on each axis that it does not take; the axes are such
    that their positions fit into 32 bits."""
    windows = zip(node.attribute("starts"), node.inputs[1].shape, node.shape, strict=True)
    return all(
        decide(less(lift(whole), MOST_POSITIONS))
        and decide(less(0, lift(extent)))
        and (takes_all(start, 1, extent, whole) or decide(less(lift(extent), lift(whole))))
        for start, extent, whole in windows
    )


def _is_in_front(node: Node, decide: Decide) -> bool:
    """Whether the window begins where the array does, which is twice as long at most."""
    windows = zip(node.attribute("starts"), node.inputs[1].shape, node.shape, strict=True)
    return all(
        decide(equal(lift(start), 0)) and decide(less(lift(whole), lift(extent) * 2 + 1))
        for axis, (start, extent, whole) in enumerate(windows)
        if axis != _axis_of_parts(node)
    )


def _axis_of_parts(node: Node) -> int | None:
    """The last axis, where a window takes one of two elements."""
    start, value = node.attribute("starts")[-1], node.inputs[1]
    plain = not any(isinstance(size, Size) for size in (start, value.shape[-1], node.shape[-1]))
    one_of_two = plain and value.shape[-1] == 1 and node.shape[-1] == PARTS
    return len(node.shape) - 1 if one_of_two else None


def _part_of(node: Node) -> int | None:
    """The part that an update writes, all of it."""
    axis = _axis_of_parts(node)
    windows = zip(node.attribute("starts"), node.inputs[1].shape, node.shape, strict=True)
    if axis is None or not all([takes_all(start, 1, *extents) for start, *extents in windows][:axis]):
        return None
    return int(node.attribute("starts")[axis])


def _selected(graph: Graph, node: Node, base: Node, value: Node) -> Node:
    """base with [window] = value -> select(inside the window, value, base), of one part if the window is."""
    axis = _axis_of_parts(node)
    starts = node.attribute("starts")[:axis]
    if axis is None:
        return _select(graph, starts, base, value)
    parts = _parts(graph, base)
    part = int(node.attribute("starts")[axis])
    parts[part] = _select(graph, starts, parts[part], value)
    made = graph.make(ops.undefined, attributes=(node.shape, node.dtype))
    for number, each in enumerate(parts):
        attributes = ((0,) * axis + (number,), (1,) * (axis + 1))
        made = graph.make(ops.update, made, each, attributes=attributes)
    return made


def _parts(graph: Graph, node: Node) -> list[Node]:
    """Each part of an array, as it was written or as a slice."""
    found: dict[int, Node] = {}
    each = node
    while each.op is ops.update and set(each.attribute("steps")) == {1} and _part_of(each) is not None:
        found.setdefault(int(each.attribute("starts")[-1]), each.inputs[1])
        each = each.inputs[0]
    outer = len(node.shape) - 1
    for part in set(range(PARTS)).difference(found):
        window = ((0,) * outer + (part,), (1,) * (outer + 1), (*node.shape[:-1], 1))
        found[part] = graph.make(ops.slice_, node, attributes=window)
    return [found[part] for part in range(PARTS)]


def _select(graph: Graph, starts: Sequence[int], base: Node, value: Node) -> Node:
    shape, inside = base.shape, None
    for axis, (start, extent) in enumerate(zip(starts, value.shape, strict=False)):
        if takes_all(start, 1, extent, shape[axis]):
            continue
        along = graph.make(ops.iota, attributes=(shape, axis, I32))
        end = _number(graph, extent, shape[axis])
        if isinstance(start, Size) or start:
            first = _number(graph, start, shape[axis])
            end = graph.make(ops.add, first, end)
            inside = _both(graph, inside, graph.make(ops.ge, along, _repeated(graph, first, shape)))
        inside = _both(graph, inside, graph.make(ops.lt, along, _repeated(graph, end, shape)))
    source = _repeated_in(value)
    if source is None:
        whole = graph.make(ops.wrap, value, attributes=((0,) * len(shape), shape))
    else:
        whole = _repeated(graph, source, shape)
    return whole if inside is None else graph.make(ops.select, inside, whole, base)


def _both(graph: Graph, x: Node | None, y: Node) -> Node:
    return y if x is None else graph.make(ops.bitwise_and, x, y)


def _number(graph: Graph, size: int, whole: int) -> Node:
    """A size, which is less than that of an axis, as a value: where an index is that."""
    along = graph.make(ops.iota, attributes=((whole,), 0, I32))
    there = graph.make(ops.slice_, along, attributes=((size,), (1,), (1,)))
    return graph.make(ops.reshape, there, attributes=((),))


def _repeated(graph: Graph, scalar: Node, shape: Shape) -> Node:
    return graph.make(ops.broadcast, scalar, attributes=(shape, ()))
