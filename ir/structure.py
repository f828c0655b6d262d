"""The structure of a graph: the graph without its sizes, which is the key of plans.

Graphs of equal structure share their kernels and their plan; the sizes taken out, in canonical order, are
the `sizes` that a plan is bound with. Axes are the same axis when an op says so (the two inputs of an
addition), never because their extents happen to be equal.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from .node import Node, Op, Region, topological
from .record import record
from .types import Bits, DType


class Size(int):
    """An extent, start or step with its number in the structure.

    Two sizes are equal when they are the same number; a size never equals a plain int (`int(size)` is its
    value). Arithmetic gives plain ints: passes move sizes and never compute with them.
    """

    symbol: int

    def __new__(cls, value: int, symbol: int) -> Size:
        size = super().__new__(cls, value)
        size.symbol = symbol
        return size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.symbol == other.symbol

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"{int(self)}@{self.symbol}"


class Structure(metaclass=record):
    """`key` is equal for graphs that differ in sizes only; `names` are the sizes' symbols."""

    key: Hashable
    sizes: tuple[int, ...]
    scalars: tuple[int, ...]
    """The indices in the graph of run-time scalars, in order of first use."""
    parameters: tuple[int, ...]
    """The indices of the used parameters, ascending."""
    axes: dict[Node, tuple[int, ...]]
    """The number of each axis' extent, for every node, inputs first."""
    found: Axes
    """The axes from which they were found."""


Ranks = list[tuple[int, ...]]
Structural = tuple[Hashable, tuple[int, ...]]
"""The structural part of the attributes, and the axes of the result."""


class Axes:
    """Numbers and axes during `find_structure`, for the `structure` rules of ops."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.parents: list[int] = []
        self.scalars: dict[int, int] = {}
        self.parameters: set[int] = set()
        self.depth = 0
        self.regions: dict[int, dict[Node, tuple[int, ...]]] = {}
        self.results: dict[Node, Ranks] = {}
        """The axes of results that no region determines."""

    def number(self, value: int) -> int:
        """Adds a number that is its own axis or no axis at all."""
        self.sizes.append(value)
        self.parents.append(len(self.parents))
        return len(self.sizes) - 1

    def find(self, axis: int) -> int:
        parents = self.parents
        while parents[axis] != axis:
            parents[axis] = parents[parents[axis]]
            axis = parents[axis]
        return axis

    def unify(self, first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
        """Identifies axes, pair by pair."""
        if first == second:
            return first
        for x, y in zip(first, second, strict=True):
            x, y = self.find(x), self.find(y)
            if x != y:
                self.parents[max(x, y)] = min(x, y)
        return first

    def parameter(self, index: int) -> None:
        """Records the use of a parameter of the program, or of a region."""
        if self.depth == 0:
            self.parameters.add(index)

    def scalar(self, index: int) -> int:
        """Returns the index of a run-time scalar, in order of first use."""
        return self.scalars.setdefault(index, len(self.scalars))

    def region(self, region: Region, operands: Ranks, parameters: tuple[Node, ...]) -> Hashable:
        """Finds the structure of a region, whose `parameters` are these operands."""
        # Parameters come first, used or not, so that each has its sizes.
        self.depth += 1
        key, by_node = _visit((*region.parameters, *region.results), self)
        self.depth -= 1
        self.regions[id(region)] = by_node
        for operand, parameter in zip(operands, parameters, strict=True):
            self.unify(operand, by_node[parameter])
        return key

    def inside(self, region: Region, node: Node) -> tuple[int, ...]:
        """Returns the axes of a node of a visited region."""
        return self.regions[id(region)][node]


def find_structure(outputs: Iterable[Node]) -> Structure:
    """Finds the structure of the graph that computes `outputs`, without its sizes."""
    axes = Axes()
    key, by_node = _visit(tuple(outputs), axes)
    parameters = tuple(sorted(axes.parameters))
    return Structure(key, tuple(axes.sizes), tuple(axes.scalars), parameters, by_node, axes)


def _visit(outputs: tuple[Node, ...], axes: Axes) -> tuple[Hashable, dict[Node, tuple[int, ...]]]:
    entries: list[Hashable] = []
    positions: dict[Node, int] = {}
    by_node: dict[Node, tuple[int, ...]] = {}
    for node in topological(outputs):
        op, inputs = node.op, node.inputs
        sources = [by_node[source] for source in inputs]
        if op.structure is None:  # an elementwise op without structure of its own
            result = sources[0]
            for other in sources[1:]:
                if other != result:
                    axes.unify(result, other)
            detail: Hashable = node.attributes
        else:
            detail, result = op.structure(axes, node, sources)
        by_node[node] = result
        positions[node] = len(entries)
        entries.append((op, detail, *[positions[source] for source in inputs]))
    return (tuple(entries), tuple(positions[node] for node in outputs)), by_node


def is_whole(start: int, step: int, extent: int, whole: int) -> bool:
    """Whether a slice takes the whole axis."""
    return int(step) == 1 and int(start) == 0 and int(extent) == int(whole)


STEPS = (1, 2, -1)
"""Steps of windows that belong to the structure: kernels take every second element out of whole vectors."""


def window_structure(
    axes: Axes, starts: Any, steps: Any, shape: Any, whole: Any, source: tuple[int, ...]
) -> tuple[tuple[Hashable, ...], tuple[int, ...]]:
    """Returns the structure of a slice of every axis; an axis taken whole stays the same axis."""
    detail: list[Hashable] = []
    result: list[int] = []
    for axis, (start, step, extent) in enumerate(zip(starts, steps, shape, strict=True)):
        if is_whole(start, step, extent, whole[axis]):
            detail.append("whole")
            result.append(source[axis])
            continue
        detail.append(step if step in STEPS else "step")
        axes.number(start)
        if step not in STEPS:
            axes.number(step)
        result.append(axes.number(extent))
    return tuple(detail), tuple(result)


def sized_window(
    starts: Any, steps: Any, shape: Any, whole: Any, sizes: Iterator[Size]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the starts and steps of such slices, with the sizes that `window_structure` took."""
    begins: list[int] = []
    strides: list[int] = []
    for axis, (start, step, extent) in enumerate(zip(starts, steps, shape, strict=True)):
        if is_whole(start, step, extent, whole[axis]):
            begins.append(0)
            strides.append(1)
            continue
        begins.append(next(sizes))
        strides.append(step if step in STEPS else next(sizes))
        next(sizes)
    return tuple(begins), tuple(strides)


class ReshapeGroup(metaclass=record):
    """Axes `sources` of the input become axes `targets`; `same`: one axis that is unchanged."""

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    same: bool


def groups_of(reshape: Node) -> tuple[ReshapeGroup, ...]:
    """Returns the groups of axes of a reshape, cached with the node because index maps need them often."""
    try:
        known: tuple[ReshapeGroup, ...] = reshape.groups
    except AttributeError:
        known = reshape.groups = reshape_groups(reshape.inputs[0].shape, reshape.shape)
    return known


def reshape_groups(source: tuple[int, ...], target: tuple[int, ...]) -> tuple[ReshapeGroup, ...]:
    """Splits a reshape into the smallest independent groups of axes, from the left.

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


def structure_text(key: Hashable) -> str | None:
    """Returns the text of `Structure.key`, equal for equal keys only; None for a key that contains anything
    but ops whose plans are stored, dtypes, names and numbers."""
    parts: list[str] = []
    return "".join(parts) if _spell((key,), parts) else None


def _spell(values: Iterable[Hashable], parts: list[str]) -> bool:
    """Appends the text of each value; returns False where one has none."""
    add = parts.append
    for value in values:
        kind = type(value)
        if kind is int or kind is str or kind is bool or value is None:
            add(f"{value!r} ")
        elif kind is tuple:
            add("(")
            if not _spell(value, parts):  # type: ignore[arg-type]
                return False
            add(")")
        elif kind is Op:
            if not value.kept:  # type: ignore[attr-defined]
                return False
            add(f"{value.name} ")  # type: ignore[attr-defined]
        elif kind is DType:
            add(f":{value.name} ")  # type: ignore[attr-defined]
        elif kind is Bits:
            add("=")
            if not _spell((value.value,), parts):  # type: ignore[attr-defined]
                return False
        elif kind is float:
            # Its bits: NaNs differ, and so do the zeros.
            add(f"f{struct.pack('<d', value).hex()} ")
        else:
            return False
    return True
