"""The structure of a graph: what is left of it when every size is taken out.

Graphs of equal structure share their kernels and their plan; the sizes taken out, in canonical order, are
the `numbers` that a plan is bound with. Axes are the same axis when an op says so (the two inputs of an
addition), never because their extents happen to be equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from .node import Node, Region, topological
from .record import record


class Size(int):
    """An extent, start or step that knows which number of the structure it is.

    Two sizes are equal when they are the same number; a size never equals a plain int (say `int(size)` for
    its value). Arithmetic gives plain ints: passes move sizes about and never compute with them.
    """

    symbol: int

    def __new__(cls, value: int, symbol: int) -> Size:
        made = super().__new__(cls, value)
        made.symbol = symbol
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.symbol == other.symbol

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"{int(self)}@{self.symbol}"


class Structure(metaclass=record):
    """`key` is equal for graphs that differ in numbers only; `names` are the numbers' symbols."""

    key: Hashable
    numbers: tuple[int, ...]
    scalars: tuple[int, ...]
    """Run-time scalars in order of first use: their indices in the graph."""
    parameters: tuple[int, ...]
    """Indices of the parameters that are used, ascending."""
    axes: dict[Node, tuple[int, ...]]
    """The number that holds each axis' extent, for every node, inputs first."""
    found: Axes
    """How they were found."""


class Axes:
    """Numbers and axes while a structure is being found. Ops' rules call `new`, `unify`, `number`."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.parents: list[int] = []
        self.scalars: dict[int, int] = {}
        self.parameters: set[int] = set()
        self.depth = 0
        self.regions: dict[int, dict[Node, tuple[int, ...]]] = {}
        self.results: dict[Node, list[tuple[int, ...]]] = {}
        """The axes of what kernels that somebody else wrote make."""

    def number(self, value: int) -> int:
        """A number that is its own axis or no axis at all."""
        self.numbers.append(value)
        self.parents.append(len(self.parents))
        return len(self.numbers) - 1

    def find(self, axis: int) -> int:
        parents = self.parents
        while parents[axis] != axis:
            parents[axis] = parents[parents[axis]]
            axis = parents[axis]
        return axis

    def unify(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        if first == second:
            return first
        for x, y in zip(first, second, strict=True):
            x, y = self.find(x), self.find(y)
            if x != y:
                self.parents[max(x, y)] = min(x, y)
        return first


Ranks = list[tuple[int, ...]]
Rule = tuple[Hashable, tuple[int, ...]]
"""The structural attributes and the axes of the result."""


def find_structure(outputs: Iterable[Node]) -> Structure:
    """Take the numbers out of the graph that computes `outputs`."""
    axes = Axes()
    key, by_node = _visit(tuple(outputs), axes)
    parameters = tuple(sorted(axes.parameters))
    return Structure(key, tuple(axes.numbers), tuple(axes.scalars), parameters, by_node, axes)


def _visit(outputs: tuple[Node, ...], axes: Axes) -> tuple[Hashable, dict[Node, tuple[int, ...]]]:
    entries: list[Hashable] = []
    positions: dict[Node, int] = {}
    by_node: dict[Node, tuple[int, ...]] = {}
    for node in topological(outputs):
        op, inputs = node.op, node.inputs
        sources = [by_node[source] for source in inputs]
        if op.family == "elementwise":
            result = sources[0]
            for other in sources[1:]:
                if other != result:
                    axes.unify(result, other)
            detail: Hashable = node.attributes
        else:
            detail, result = RULES[op.name](axes, node, sources)
        by_node[node] = result
        positions[node] = len(entries)
        entries.append((op, detail, *[positions[source] for source in inputs]))
    return (tuple(entries), tuple(positions[node] for node in outputs)), by_node


def _parameter(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    index, shape, dtype, layout = node.attributes
    assert isinstance(shape, tuple) and isinstance(index, int)
    if axes.depth == 0:
        axes.parameters.add(index)
    return (index, dtype, layout), tuple(axes.number(extent) for extent in shape)


def _scalar(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    index, dtype = node.attributes
    assert isinstance(index, int)
    return (axes.scalars.setdefault(index, len(axes.scalars)), dtype), ()


def _constant(_axes: Axes, node: Node, _sources: Ranks) -> Rule:
    return node.attributes, ()


def _reshape(axes: Axes, node: Node, sources: Ranks) -> Rule:
    groups = groups_of(node)
    result: list[int] = []
    for group in groups:
        if group.same:
            result.append(sources[0][group.sources[0]])
        else:
            result.extend(axes.number(node.shape[axis]) for axis in group.targets)
    return tuple((len(group.sources), len(group.targets), group.same) for group in groups), tuple(result)


def _permute(_axes: Axes, node: Node, sources: Ranks) -> Rule:
    (order,) = node.attributes
    assert isinstance(order, tuple)
    return order, tuple(sources[0][axis] for axis in order)


def _broadcast(axes: Axes, node: Node, sources: Ranks) -> Rule:
    kept = node.attributes[1]
    assert isinstance(kept, tuple)
    at = dict(zip(kept, sources[0], strict=True))
    result = tuple(at[axis] if axis in at else axes.number(extent) for axis, extent in enumerate(node.shape))
    return (kept, len(result)), result


def _slice(axes: Axes, node: Node, sources: Ranks) -> Rule:
    starts, steps, shape = node.attributes
    return _window(axes, starts, steps, shape, node.inputs[0].shape, sources[0])


def _wrap(axes: Axes, node: Node, sources: Ranks) -> Rule:
    detail: list[Hashable] = []
    result: list[int] = []
    for axis, kind in enumerate(kinds_of_wrap(node)):
        detail.append(kind)
        if kind != "whole":
            axes.number(node.attribute("starts")[axis])
        result.append(axes.number(node.shape[axis]) if kind == "longer" else sources[0][axis])
    return tuple(detail), tuple(result)


def kinds_of_wrap(node: Node) -> list[str]:
    """How each axis of a wrap comes about: it stays as it is, it is turned, or it has another extent."""
    return [
        "longer" if int(extent) != int(whole) else "turned" if start else "whole"
        for start, extent, whole in zip(*node.attributes, node.inputs[0].shape, strict=True)  # type: ignore[call-overload]
    ]


def _windows(axes: Axes, node: Node, sources: Ranks) -> Rule:
    same = same_axes(node)
    result = tuple(
        sources[0][same[axis]] if axis in same else axes.number(extent)
        for axis, extent in enumerate(node.shape)
    )
    return (node.attribute("axes"), tuple(same.items())), result


def same_axes(node: Node) -> dict[int, int]:
    """The axes of a window's result that are whole axes of its input."""
    source, terms = node.inputs[0], node.attribute("axes")
    used = [axis for axes in terms for axis in axes]
    return {
        axes[0]: position
        for position, axes in enumerate(terms)
        if len(axes) == 1
        and used.count(axes[0]) == 1
        and int(source.shape[position]) == int(node.shape[axes[0]])
    }


def _window(axes: Axes, starts: Any, steps: Any, shape: Any, whole: Any, source: tuple[int, ...]) -> Rule:
    """The rule of a strided window; an axis taken whole stays the same axis."""
    detail: list[Hashable] = []
    result: list[int] = []
    for axis, (start, step, extent) in enumerate(zip(starts, steps, shape, strict=True)):
        if is_whole(start, step, extent, whole[axis]):
            detail.append("whole")
            result.append(source[axis])
            continue
        detail.append(step if step in (1, -1) else "step")
        axes.number(start)
        if step not in (1, -1):
            axes.number(step)
        result.append(axes.number(extent))
    return tuple(detail), tuple(result)


def is_whole(start: int, step: int, extent: int, whole: int) -> bool:
    return int(step) == 1 and int(start) == 0 and int(extent) == int(whole)


def _iota(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    _shape, axis, dtype = node.attributes
    return (len(node.shape), axis, dtype), tuple(axes.number(extent) for extent in node.shape)


def _undefined(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    return (len(node.shape), node.dtype), tuple(axes.number(extent) for extent in node.shape)


def _reduce(_axes: Axes, node: Node, sources: Ranks) -> Rule:
    gone = node.attributes[1]
    assert isinstance(gone, tuple)
    return node.attributes, tuple(number for axis, number in enumerate(sources[0]) if axis not in gone)


def _scan(_axes: Axes, node: Node, sources: Ranks) -> Rule:
    return node.attributes, sources[0]


def _dot(axes: Axes, _node: Node, sources: Ranks) -> Rule:
    (*batch, m, k), (*other, k2, n) = sources
    axes.unify((*batch, k), (*other, k2))
    return None, (*batch, m, n)


def _update(axes: Axes, node: Node, sources: Ranks) -> Rule:
    starts, steps = node.attributes
    base, value = node.inputs
    detail, window = _window(axes, starts, steps, value.shape, base.shape, sources[0])
    for axis, (kind, number) in enumerate(zip(detail, window, strict=True)):  # type: ignore[call-overload]
        axes.unify((number,), (sources[1][axis],))
        assert kind
    return detail, sources[0]


def _gather(axes: Axes, node: Node, sources: Ranks) -> Rule:
    return node.attributes, _looked_up(axes, node, sources[0], sources[1:])


def _scatter(axes: Axes, node: Node, sources: Ranks) -> Rule:
    axes.unify(_looked_up(axes, node, sources[0], sources[2:]), sources[1])
    return node.attributes, sources[0]


def _looked_up(axes: Axes, node: Node, source: tuple[int, ...], indices: Ranks) -> tuple[int, ...]:
    """The axes that positions known at run time are read from or written to."""
    for other in indices[1:]:
        axes.unify(indices[0], other)
    gone, position = node.attribute("axes"), node.attribute("position")
    rest = tuple(number for axis, number in enumerate(source) if axis not in gone)
    return rest[:position] + indices[0] + rest[position:]


def _loop(axes: Axes, node: Node, sources: Ranks) -> Rule:
    (region,) = node.attributes
    assert isinstance(region, Region)
    key = _region(axes, region, sources[2:], region.parameters[1:])
    by_node = axes.regions[id(region)]
    for parameter, result in zip(region.parameters[1:], region.results, strict=False):
        axes.unify(by_node[parameter], by_node[result])
    return key, ()


def _while(axes: Axes, node: Node, sources: Ranks) -> Rule:
    body, condition = node.attributes
    assert isinstance(body, Region) and isinstance(condition, Region)
    keys = tuple(_region(axes, region, sources, region.parameters) for region in (body, condition))
    by_node = axes.regions[id(body)]
    for parameter, result in zip(body.parameters, body.results, strict=False):
        axes.unify(by_node[parameter], by_node[result])
    return keys, ()


def _cond(axes: Axes, node: Node, sources: Ranks) -> Rule:
    then, orelse = node.attributes
    assert isinstance(then, Region) and isinstance(orelse, Region)
    keys = tuple(_region(axes, region, sources[1:], region.parameters) for region in (then, orelse))
    for x, y in zip(then.results, orelse.results, strict=True):
        axes.unify(axes.regions[id(then)][x], axes.regions[id(orelse)][y])
    return keys, ()


def _custom(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    made, shapes, numbers = node.attributes
    results = [tuple(axes.number(extent) for extent in shape) for shape in shapes]  # type: ignore[attr-defined]
    axes.results[node] = results
    count = len([axes.number(each) for each in numbers])  # type: ignore[attr-defined]
    return (made, tuple(map(len, results)), count), ()


def _region(axes: Axes, region: Region, operands: Ranks, parameters: tuple[Node, ...]) -> Hashable:
    # Parameters come first, used or not, so that each has its numbers.
    axes.depth += 1
    key, by_node = _visit((*region.parameters, *region.results), axes)
    axes.depth -= 1
    axes.regions[id(region)] = by_node
    for operand, parameter in zip(operands, parameters, strict=True):
        axes.unify(operand, by_node[parameter])
    return key


def _item(axes: Axes, node: Node, _sources: Ranks) -> Rule:
    known = axes.results.get(node.inputs[0])
    if known is not None:
        return node.attributes, known[node.attribute("position")]
    region = node.inputs[0].attributes[0]
    assert isinstance(region, Region)
    result = region.results[node.attribute("position")]
    return node.attributes, axes.regions[id(region)][result]


RULES: dict[str, Any] = {
    "parameter": _parameter, "scalar": _scalar, "constant": _constant, "reshape": _reshape,
    "permute": _permute, "broadcast": _broadcast, "slice": _slice, "wrap": _wrap,
    "window": _windows, "iota": _iota, "undefined": _undefined, "reduce": _reduce, "find": _reduce,
    "scan": _scan, "dot": _dot, "small_dot": _dot, "update": _update,
    "gather": _gather, "scatter": _scatter, "loop": _loop, "while": _while, "cond": _cond, "custom": _custom,
    "item": _item,
}  # fmt: skip


class ReshapeGroup(metaclass=record):
    """Axes `sources` of the input become axes `targets`; `same`: one axis that stays as it is."""

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    same: bool


def groups_of(reshape: Node) -> tuple[ReshapeGroup, ...]:
    """The groups of axes of a reshape: kept with the node, as index maps ask for them again and again."""
    try:
        known: tuple[ReshapeGroup, ...] = reshape.groups
    except AttributeError:
        known = reshape.groups = reshape_groups(reshape.inputs[0].shape, reshape.shape)
    return known


def reshape_groups(source: tuple[int, ...], target: tuple[int, ...]) -> tuple[ReshapeGroup, ...]:
    """Split a reshape into the smallest independent groups of axes, from the left.

    Extent-1 axes that appear or vanish are groups of their own (nothing to one, one to nothing).
    """
    source, target = tuple(map(int, source)), tuple(map(int, target))
    if 0 in source:
        return (ReshapeGroup(tuple(range(len(source))), tuple(range(len(target))), False),)
    groups: list[ReshapeGroup] = []
    i = j = 0
    while i < len(source) or j < len(target):
        x = source[i] if i < len(source) else None
        y = target[j] if j < len(target) else None
        if x == y:
            groups.append(ReshapeGroup((i,), (j,), True))
            i, j = i + 1, j + 1
        elif x == 1:
            groups.append(ReshapeGroup((i,), (), False))
            i += 1
        elif y == 1:
            groups.append(ReshapeGroup((), (j,), False))
            j += 1
        else:
            assert x is not None and y is not None, (source, target)
            first, second, left, right = i, j, x, y
            i, j = i + 1, j + 1
            while left != right:
                if left < right:
                    left, i = left * source[i], i + 1
                else:
                    right, j = right * target[j], j + 1
            groups.append(ReshapeGroup(tuple(range(first, i)), tuple(range(second, j)), False))
    return tuple(groups)
