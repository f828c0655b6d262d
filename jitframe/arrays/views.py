"""Views as data: the mapping of one array to another by slices, permutations, reshapes and broadcasts.

A `View` is a path of steps from a source shape to a shape. `apply` reads through it; `update` writes through
it by the inverse path. `strides` follows NumPy's strides along, which decide what is a view and what a copy.

>>> view = View.of((4, 3)).then(Permute((1, 0))).then(Slice((0, 1), (1, 2), (3, 2)))
>>> view.shape
(3, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy

from ..errors import BoundsError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops.movement import slices
from ..ir.record import record
from ..ir.types import DType
from .layout import Strides, contiguous_strides


class Step(Protocol):
    """One step of a view."""

    def result(self, shape: Shape) -> Shape:
        """Returns the shape of the view."""

    def apply(self, graph: Graph, node: Node) -> Node:
        """Returns the elements of the view."""

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        """Returns `whole` with the elements of the view replaced by `part`."""

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        """NumPy's strides after the step; None where NumPy has to copy."""

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        """Returns NumPy's view of an array; a `Pick` also takes its positions."""

    @property
    def writable(self) -> bool:
        """Whether every element of the view is a different one."""


class Slice(metaclass=record):
    """`extents` elements of each axis, from `starts` on by `steps`."""

    starts: Shape
    steps: Shape
    extents: Shape

    writable = True

    def result(self, shape: Shape) -> Shape:
        return self.extents

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.slice_, node, attributes=(self.starts, self.steps, self.extents))

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return graph.make(ops.update, whole, part, attributes=(self.starts, self.steps))

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return tuple(stride * step for stride, step in zip(strides, self.steps, strict=True))

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        shown: numpy.ndarray = array[slices(self.starts, self.steps, self.extents)]
        return shown

    def then(self, other: Slice) -> Slice:
        """Composes this slice with one of its result."""
        starts = [a + b * step for a, b, step in zip(self.starts, other.starts, self.steps, strict=True)]
        steps = [a * b for a, b in zip(self.steps, other.steps, strict=True)]
        return Slice(tuple(starts), tuple(steps), other.extents)

    def before(self, reordering: Permute) -> Slice:
        """Moves the slice before a permutation: the permutation of the result equals that of this slice."""
        places = inverse(reordering.axes)
        return Slice(
            *(tuple(each[axis] for axis in places) for each in (self.starts, self.steps, self.extents))
        )


class Permute(metaclass=record):
    """Axis k of the result is axis `axes[k]` of the source."""

    axes: Shape

    writable = True

    def result(self, shape: Shape) -> Shape:
        return tuple(shape[axis] for axis in self.axes)

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.permute, node, attributes=(self.axes,))

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return graph.make(ops.permute, part, attributes=(inverse(self.axes),))

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return tuple(strides[axis] for axis in self.axes)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        return array.transpose(self.axes)


class Reshape(metaclass=record):
    """The same elements in C order in another shape."""

    shape: Shape

    writable = True

    def result(self, shape: Shape) -> Shape:
        return self.shape

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.reshape, node, attributes=(self.shape,))

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return graph.make(ops.reshape, part, attributes=(whole.shape,))

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return reshaped_strides(shape, strides, self.shape)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        return array.reshape(self.shape)


class Broadcast(metaclass=record):
    """Axis k of the source is axis `axes[k]` of the result; the others repeat, and nothing is written."""

    shape: Shape
    axes: Shape

    writable = False

    def result(self, shape: Shape) -> Shape:
        return self.shape

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.broadcast, node, attributes=(self.shape, self.axes))

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        raise AssertionError("nothing is written through a broadcast")

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        result = [0] * len(self.shape)
        for axis, stride in zip(self.axes, strides, strict=True):
            result[axis] = stride
        return tuple(result)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        spread = [1] * len(self.shape)
        for axis, extent in zip(self.axes, array.shape, strict=True):
            spread[axis] = extent
        return numpy.broadcast_to(array.reshape(spread), self.shape)


class Window(metaclass=record):
    """Axis k of the source is indexed by the sum of the positions on the result's axes `axes[k]`."""

    shape: Shape
    axes: tuple[Shape, ...]

    writable = False

    def result(self, shape: Shape) -> Shape:
        return self.shape

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.window, node, attributes=(self.shape, self.axes))

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        raise AssertionError("nothing is written through a window")

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        result = [0] * len(self.shape)
        for stride, axes in zip(strides, self.axes, strict=True):
            for axis in axes:
                result[axis] += stride
        return tuple(result)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        strides = self.strides(array.shape, array.strides)
        return numpy.lib.stride_tricks.as_strided(array, self.shape, strides, writeable=False)


class Pick(metaclass=record):
    """One position on some axes, which are gone then: rank-0 nodes of a graph, one for each axis. With
    `extents`, so many elements from these positions on: the axes stay."""

    attributes: tuple[Any, ...]
    """As those of `ops.gather`, without the site."""
    indices: tuple[Node, ...]
    extents: Shape = ()

    writable = True

    def result(self, shape: Shape) -> Shape:
        axes = self.attributes[0]
        if self.extents:
            kept = dict(zip(axes, self.extents, strict=True))
            return tuple(kept.get(axis, extent) for axis, extent in enumerate(shape))
        return tuple(extent for axis, extent in enumerate(shape) if axis not in axes)

    def apply(self, graph: Graph, node: Node) -> Node:
        axes, position, known, labels = self.attributes
        if self.extents:
            node, axes = self._windows(graph, node)
        attributes = (axes, position, known, labels, 0)
        return graph.make(ops.gather, node, *self.indices, attributes=attributes)

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        axes, position, known, labels = self.attributes
        attributes = (axes, position, "set", known, labels, True, 0)
        if not self.extents:
            return graph.make(ops.scatter, whole, part, *self.indices, attributes=attributes)
        order = (*axes, *(axis for axis in range(len(part.shape)) if axis not in axes))
        if order != tuple(range(len(order))):
            part = graph.make(ops.permute, part, attributes=(order,))
        return graph.make(ops.scatter, whole, part, *self._positions(graph), attributes=attributes)

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        if self.extents:
            return strides
        return tuple(stride for axis, stride in enumerate(strides) if axis not in self.attributes[0])

    def index(self, positions: Iterator[int]) -> tuple[Any, ...]:
        """Returns the index for the next ones of some positions."""
        axes = self.attributes[0]
        index: list[int | slice] = [slice(None)] * (max(axes) + 1)
        for axis, extent in zip(axes, self.extents or repeat(0)):
            first = next(positions)
            index[axis] = slice(first, first + extent) if self.extents else first
        return (*index, ...)

    def show(self, array: numpy.ndarray, positions: Iterator[int] | None = None) -> numpy.ndarray:
        assert positions is not None
        try:
            shown: numpy.ndarray = array[self.index(positions)]
        except IndexError as error:
            raise BoundsError(str(error)) from None
        return shown

    def _windows(self, graph: Graph, node: Node) -> tuple[Node, Shape]:
        """Returns every window of the extents, and the axes within windows."""
        kept = dict(zip(self.attributes[0], self.extents, strict=True))
        shape: list[int] = []
        parts: list[Shape] = []
        places: list[int] = []
        for axis, extent in enumerate(node.shape):
            place = len(shape)
            if axis in kept:
                places.append(place)
                shape += [extent - kept[axis] + 1, kept[axis]]
                parts.append((place, place + 1))
            else:
                shape.append(extent)
                parts.append((place,))
        return graph.make(ops.window, node, attributes=(tuple(shape), tuple(parts))), tuple(places)

    def _positions(self, graph: Graph) -> list[Node]:
        """Those of the elements on each of the axes, in one shape."""
        nodes = []
        for place, index in enumerate(self.indices):
            here = graph.make(ops.iota, attributes=(self.extents, place, index.dtype))
            first = graph.make(ops.broadcast, index, attributes=(self.extents, ()))
            nodes.append(graph.make(ops.add, first, here))
        return nodes


class View(metaclass=record):
    """A path of steps from `source` to `shape`."""

    source: Shape
    steps: tuple[Step, ...]
    shape: Shape

    @staticmethod
    def of(shape: Shape) -> View:
        """The view of a whole array."""
        return View(shape, (), shape)

    def then(self, step: Step) -> View:
        return View(self.source, (*self.steps, step), step.result(self.shape))

    def join(self, other: View) -> View:
        """Composes this view with `other`, of its result."""
        assert self.shape == other.source, (self, other)
        return View(self.source, self.steps + other.steps, other.shape) if other.steps else self

    @property
    def cuts(self) -> bool:
        """Whether it is a part of the source, or reverses it."""
        return Slice in map(type, self.steps)

    @property
    def writable(self) -> bool:
        return all(step.writable for step in self.steps)

    def apply(self, graph: Graph, node: Node) -> Node:
        """Returns the view of `node`."""
        for step in _picked_at_once(self, graph):
            node = step.apply(graph, node)
        return node

    def dtype(self, source: DType) -> DType:
        """Returns the dtype of the view of `source`."""
        for step in self.steps:
            source = getattr(step, "target", source)
        return source

    def update(self, graph: Graph, base: Node, value: Node) -> Node:
        """Returns `base` with the elements of the view replaced by `value` (of the view's shape)."""
        assert value.shape == self.shape and value.dtype is self.dtype(base.dtype), (self, value)
        steps = _cut_first(_picked_at_once(self, graph))
        wholes = [base]
        for step in steps[:-1]:
            wholes.append(step.apply(graph, wholes[-1]))
        for step, whole in zip(reversed(steps), reversed(wholes), strict=False):
            value = step.insert(graph, whole, value)
        return value

    def strides(self, strides: Strides) -> Strides | None:
        """NumPy's strides of the view of an array with `strides`; None where NumPy copies on the way."""
        shape = self.source
        for step in self.steps:
            found = step.strides(shape, strides)
            if found is None:
                return None
            shape, strides = step.result(shape), found
        return strides

    @property
    def picks(self) -> bool:
        """Whether it gathers elements at positions that a program computes."""
        return Pick in map(type, self.steps)

    def show(self, array: numpy.ndarray, positions: Iterable[int] = ()) -> numpy.ndarray:
        """Returns NumPy's view of an array along the path, which gathers these positions."""
        given = iter(positions)
        for step in self.steps:
            array = step.show(array, given) if isinstance(step, Pick) else step.show(array)
        return array

    def offset(self, strides: Strides) -> int:
        """Returns the offset of the view's first element from that of an array with `strides`, in their
        unit."""
        shape, offset = self.source, 0
        for step in self.steps:
            if isinstance(step, Slice):
                offset += sum(start * stride for start, stride in zip(step.starts, strides, strict=True))
            found = step.strides(shape, strides)
            assert found is not None, self
            shape, strides = step.result(shape), found
        return offset


def _picked_at_once(view: View, graph: Graph) -> tuple[Step, ...]:
    """Combines the last steps of a path where they are single positions on some axes: `x[i][j]` and `x[:,
    2][j]` are elements of x, `x[1:-1][i][j]` are elements of a slice, `x[i].ravel()[j]` of a reshaped x. A
    write there then replaces no row and no column."""
    steps = view.steps
    if len(steps) < 2 or not view.picks:
        return steps
    shape = view.source
    for place, step in enumerate(steps[:-1]):
        picked = _one_pick(shape, steps[place:], graph)
        if picked is not None:
            return (*steps[:place], *picked)
        shape = step.result(shape)
    return steps


def _one_pick(shape: Shape, steps: Sequence[Step], graph: Graph) -> tuple[Step, ...] | None:
    """Steps of single positions alone as one step, after reshapes of what rows consist of; None of others."""
    first = next((step for step in steps if step.__class__ is Pick), None)
    if first is None:
        return None
    dtype = first.indices[0].dtype
    whole = shape
    reshapes: tuple[Step, ...] = ()
    places = list(range(len(shape)))
    picked: dict[int, tuple[Node, bool, int]] = {}
    """By the axis of the source: the position, whether it is certainly in range, its label."""
    cut: dict[int, int] = {}
    """Axes with one position, which a reshape drops."""
    for step in steps:
        gone: dict[int, tuple[Node, bool, int]] = {}
        if isinstance(step, Slice):
            for place, window in enumerate(zip(step.starts, step.steps, step.extents, strict=True)):
                if window != (0, 1, shape[place]):
                    if window[2] != 1:
                        return None
                    cut[place] = window[0]
        elif isinstance(step, Reshape):
            if step.shape == tuple([extent for place, extent in enumerate(shape) if place not in cut]):
                gone = {place: (graph.number(start, dtype), True, place) for place, start in cut.items()}
                cut = {}
            elif not cut and picked and places == list(range(len(picked), len(whole))):
                whole = (*whole[: len(picked)], *step.shape)
                reshapes = (Reshape(whole),)
                places = list(range(len(picked), len(whole)))
            else:
                return None
        elif isinstance(step, Pick) and not (step.extents or cut):
            axes, _, known, labels = step.attributes
            gone = dict(zip(axes, zip(step.indices, known, labels, strict=True), strict=True))
        elif isinstance(step, Permute):
            places = [places[axis] for axis in step.axes]
            cut = {place: cut[axis] for place, axis in enumerate(step.axes) if axis in cut}
        else:
            return None
        picked.update((places[place], found) for place, found in gone.items())
        places = [axis for place, axis in enumerate(places) if place not in gone]
        shape = step.result(shape)
    if cut or places != sorted(places):
        return None
    axes = tuple(sorted(picked))
    indices, known, labels = zip(*(picked[axis] for axis in axes), strict=True)
    return (*reshapes, Pick((axes, 0, known, labels), indices))


def _cut_first(steps: tuple[Step, ...]) -> list[Step]:
    """Merges slices of slices and moves them before permutations: a write through the path replaces only the
    viewed elements."""
    if not any(step.__class__ is Slice for step in steps[1:]):
        return list(steps)
    made: list[Step] = []
    for step in steps:
        place = len(made)
        if isinstance(step, Slice):
            while place and isinstance(reordering := made[place - 1], Permute):
                place -= 1
                step = step.before(reordering)
            if place and isinstance(whole := made[place - 1], Slice):
                place -= 1
                step = whole.then(step)
                del made[place]
        made.insert(place, step)
    return made


def inverse(axes: Shape) -> Shape:
    """Returns the inverse permutation of `axes`."""
    result = [0] * len(axes)
    for position, axis in enumerate(axes):
        result[axis] = position
    return tuple(result)


def reshaped_strides(shape: Shape, strides: Strides, target: Shape) -> Strides | None:
    """Returns strides of the same elements in C order in the shape `target`; None where only a copy can have
    it.

    Axes are taken in groups of equal size from both shapes; a group of the source must merge into one axis
    (stride = next extent * next stride) to be split anew, as NumPy's `_attempt_nocopy_reshape` decides.
    """
    if 0 in target:
        return contiguous_strides(target, strides[-1] if strides else 1)
    source = [(extent, stride) for extent, stride in zip(shape, strides, strict=True) if extent != 1]
    result: list[int] = []
    taken, made = 0, 0
    while made < len(target) and taken < len(source):
        group_end, fresh_end = taken + 1, made + 1
        old, new = source[taken][0], target[made]
        while old != new:
            if new < old:
                new *= target[fresh_end]
                fresh_end += 1
            else:
                old *= source[group_end][0]
                group_end += 1
        for (_, outer), (extent, inner) in zip(
            source[taken:group_end], source[taken + 1 : group_end], strict=False
        ):
            if outer != extent * inner:
                return None
        stride = source[group_end - 1][1]
        fresh: list[int] = []
        for extent in reversed(target[made:fresh_end]):
            fresh.append(stride)
            stride *= extent
        result.extend(reversed(fresh))
        taken, made = group_end, fresh_end
    # Axes of extent 1 are left.
    last = result[-1] if result else 1
    return tuple(result + [last] * (len(target) - made))
