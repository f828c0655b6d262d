"""Indexing with arrays of positions and masks, by NumPy's rules: an index becomes a `Selection`.

Slices become a view first; a gather or scatter does the rest. Integers beside arrays are arrays of one
position. Known positions of small arrays are checked now; those of larger arrays, and computed ones, when the
program runs.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy

from ...arrays.indexing import NO_INDEX, expanded, position_in, slice_of
from ...arrays.promotion import Operand
from ...arrays.views import Pick, Reshape, Slice, View
from ...errors import ArgumentError, BoundsError, NumberError, ShapeError
from ...functions import late
from ...functions.complex_numbers import warn_of_lost_parts
from ...functions.operands import as_node, cast, fitted, reshaped, shape_text, spread, strong
from ...ir import ops
from ...ir.node import Graph, Node, Shape
from ...ir.record import record
from ...ir.types import BOOL, I64, U64, DType
from ..calls import operand
from ..frame import Frame, LazyValue, frame_of, holds_lazy, is_tensor

_reshape = late("movement", "reshape")
LOOKED_AT = 1024
"""Known arrays of at most so many positions are checked at once, larger ones when they are read."""


class Along(metaclass=record):
    """An axis' own positions, in an array of several axes."""

    extent: int
    axis: int
    rank: int


class Selection(metaclass=record):
    """The elements at an index with arrays."""

    view: View
    """The view of the slices, with all axes in place."""
    axes: Shape
    """The indexed axes of the view, ascending."""
    indices: tuple[Any, ...]
    """An array of positions for each axis: a lazy one, an ndarray, an int or an `Along`."""
    shape: Shape
    """The broadcast shape of the arrays."""
    position: int
    """Its place among the remaining axes."""
    labels: Shape
    """The indexed axes for messages."""
    known: tuple[bool, ...]
    unique: bool
    """Whether all positions are certainly different."""
    result: Shape
    """The shape of the selected elements, new axes included."""
    scalar: bool = False
    """Whether all of its indices are integers: NumPy makes a view then."""

    @property
    def attributes(self) -> tuple[Any, ...]:
        return self.axes, self.position, self.known, self.labels

    @property
    def chosen(self) -> Shape:
        """The shape of the selected elements, without new axes."""
        rest = [extent for axis, extent in enumerate(self.view.shape) if axis not in self.axes]
        return (*rest[: self.position], *self.shape, *rest[self.position :])

    def nodes(self, frame: Frame, graph: Graph) -> list[Node]:
        """Returns the arrays of positions in a graph, in one shape."""
        return [spread(graph, _index_node(frame, graph, index), self.shape) for index in self.indices]

    def as_view(self, nodes: list[Node]) -> View:
        """Returns the equivalent view, where all indices are integers."""
        view = self.view.then(Pick(self.attributes, tuple(nodes)))
        return view if view.shape == self.result else view.then(Reshape(self.result))

    def read(self, graph: Graph, source: Node, nodes: list[Node]) -> Node:
        """Returns the selected elements of the view."""
        if self.axes:
            node = graph.make(ops.gather, source, *nodes, attributes=(*self.attributes, 0))
            return reshaped(graph, node, self.result)
        # Bools alone, which choose all or nothing.
        whole = tuple(1 if extent == 0 else extent for extent in self.shape)
        rest = self.view.shape
        node = reshaped(graph, source, (*rest[: self.position], *whole, *rest[self.position :]))
        if 0 in self.shape:
            starts, steps = (0,) * len(node.shape), (1,) * len(node.shape)
            node = graph.make(ops.slice_, node, attributes=(starts, steps, self.chosen))
        return reshaped(graph, node, self.result)

    def write(self, graph: Graph, base: Node, value: Node, nodes: list[Node], kind: str = "set") -> Node:
        """Returns the view's elements, of which the selected ones are replaced by (or combined with) those of
        `value`."""
        if not self.axes:
            return base if 0 in self.shape else reshaped(graph, value, base.shape)
        axes, position, known, labels = self.attributes
        part = reshaped(graph, value, self.chosen)
        attributes = (axes, position, kind, known, labels, self.unique, 0)
        return graph.make(ops.scatter, base, part, *nodes, attributes=attributes)


def _index_node(frame: Frame, graph: Graph, index: Any) -> Node:
    if isinstance(index, int):
        return graph.number(index, frame.device.fitting(I64))
    if isinstance(index, Along):
        place = tuple(index.extent if axis == index.axis else 1 for axis in range(index.rank))
        dtype = frame.device.fitting(I64)
        return graph.make(ops.iota, attributes=(place, index.axis, dtype))
    if isinstance(index, numpy.ndarray) and index.dtype == numpy.int64:
        index = index.astype(frame.device.fitting(I64).numpy_name, copy=False)
    node = strong(graph, operand(frame, graph, index))
    return cast(graph, node, I64) if node.dtype is U64 else node


def is_basic(index: Any) -> bool:
    """Whether an index is made of known integers and slices, new axes and an ellipsis."""
    if index.__class__ is tuple:
        return all(item.__class__ in _PLAIN or _is_plain(item) for item in index)
    return index.__class__ in _PLAIN or _is_plain(index)


_PLAIN = frozenset((int, slice, type(None), type(...)))


def _is_plain(item: Any) -> bool:
    if isinstance(item, (bool, numpy.bool_, list, tuple, range, LazyValue)):
        return False
    if isinstance(item, numpy.ndarray):
        return False
    return not (hasattr(item, "__array__") and bool(getattr(item, "ndim", 0)))


def names_element(index: Any, shape: Shape) -> bool:
    """Whether an index, whose result has `shape`, consists of integers: NumPy reads a scalar there, and
    stores one."""
    return not shape and not any(each is ... for each in (index if index.__class__ is tuple else (index,)))


def check_single(value: Any, dtype: DType) -> None:
    """Raises ShapeError where an array with axes is stored to an element, as NumPy 2.4 does: of one
    element, too. A bool is the truth of such an array."""
    is_sequence = isinstance(value, (list, tuple, range))
    if dtype is not BOOL and (is_sequence or (hasattr(value, "shape") and value.shape)):
        given = type(value).__name__ if is_sequence else f"array of shape {shape_text(value.shape)}"
        raise ShapeError(
            f"setting an array element with a sequence ({given}); write one number, or store to a slice"
        )


class _Item(metaclass=record):
    """One item of an index: an array of positions for each of some axes."""

    place: int
    """The number of preceding items."""
    before: int
    """The number of preceding axes of the result, without those of arrays."""
    axes: Shape
    arrays: tuple[Any, ...]
    shape: Shape
    mask: bool = False
    scalar: bool = False


def select(index: Any, shape: Shape) -> Selection:
    """Returns the selection of `array[index]`, for an array of `shape`. Raises BoundsError as NumPy does."""
    given = index if index.__class__ is tuple else (index,)
    items = expanded([as_item(item) for item in given], len(shape), axes_taken)
    # An ellipsis is between what stands beside it, also where it is no axis.
    dots = next((number for number, item in enumerate(given) if item is Ellipsis), len(items))
    starts, steps, extents = [0] * len(shape), [1] * len(shape), list(shape)
    kept: list[int | None] = []
    """Remaining axes of the result; None for new ones."""
    found: list[_Item] = []
    axis, cuts = 0, False
    for place, item in enumerate(items):
        if item is None:
            kept.append(None)
        elif item.__class__ is slice:
            starts[axis], steps[axis], extents[axis] = slice_of(item, shape[axis])
            cuts = cuts or not (item.start in (None, 0) and item.stop is None and item.step in (None, 1))
            kept.append(axis)
            axis += 1
        else:
            found.append(_item(item, place + (place >= dots), len(kept), axis, shape))
            axis += len(found[-1].axes)
    view = View.of(shape)
    if cuts:
        view = view.then(Slice(tuple(starts), tuple(steps), tuple(extents)))
    return _selection(view, found, kept)


def _selection(view: View, found: list[_Item], kept: list[int | None]) -> Selection:
    shape = _broadcast([item.shape for item in found for _ in item.arrays or (None,)])
    empty = 0 in shape
    unread = empty or any(axis is not None and view.shape[axis] == 0 for axis in kept)
    checked = [
        (array, True) if item.mask else _checked(array, view.shape[axis], axis, empty, unread)
        for item in found
        for axis, array in zip(item.axes, item.arrays, strict=True)
    ]
    # Arrays side by side put their axes there, others in front.
    together = found[-1].place - found[0].place == len(found) - 1
    before = found[0].before if together else 0
    extents = [1 if axis is None else view.shape[axis] for axis in kept]
    axes = tuple(axis for item in found for axis in item.axes)
    several = [item for item in found if item.shape]
    return Selection(
        view,
        axes,
        tuple(array for array, _ in checked),
        shape,
        sum(axis is not None for axis in kept[:before]),
        axes,
        tuple(known for _, known in checked),
        not shape or (len(several) == 1 and several[0].mask and several[0].shape == shape),
        (*extents[:before], *shape, *extents[before:]),
        not shape and all(item.scalar for item in found),
    )


def _broadcast(shapes: list[Shape]) -> Shape:
    try:
        return tuple(numpy.broadcast_shapes(*shapes))
    except ValueError:
        texts = " ".join(shape_text(shape) for shape in shapes if shape)
        raise BoundsError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {texts} "
        ) from None


def as_item(item: Any) -> Any:
    """Converts lists and scalars to arrays; raises for an invalid index."""
    if item is None or item is Ellipsis or item.__class__ in (slice, int):
        return item
    if isinstance(item, LazyValue):
        if item._dtype is BOOL or item._dtype.is_integer:
            return item
        raise BoundsError(_NO_ARRAY)
    if isinstance(item, range):
        return numpy.arange(item.start, item.stop, item.step)
    if isinstance(item, (list, tuple)) and holds_lazy(item):
        from ..creation.constructors import asarray  # it needs the arrays that this module indexes

        return as_item(asarray(item))
    if hasattr(item, "__array__") and not isinstance(item, (numpy.ndarray, numpy.generic, type)):
        given = item.__array__()
        return given if isinstance(given, LazyValue) else as_item(given)
    if isinstance(item, (list, tuple, bool)) or hasattr(item, "__array__"):
        array = _known_positions(item)
        if not array.size and isinstance(item, (list, tuple)):
            array = array.astype(numpy.intp)
        if array.dtype.kind not in "biu":
            raise BoundsError(_NO_ARRAY if array.ndim else NO_INDEX)
        if not array.ndim and array.dtype.kind != "b" and not isinstance(item, numpy.ndarray):
            return operator.index(item)
        return array
    if not hasattr(item, "__index__"):
        raise BoundsError(NO_INDEX)
    return operator.index(item)


def _known_positions(item: Any) -> numpy.ndarray:
    try:
        return numpy.asarray(item)
    except ValueError as error:
        raise ShapeError(f"an index that is no array: {error}") from None


_NO_ARRAY = "arrays used as indices must be of integer (or boolean) type"


def axes_taken(item: Any) -> int:
    """Returns the number of axes that an item indexes."""
    if item is None or item is Ellipsis:
        return 0
    return len(item.shape) if _is_mask(item) else 1


def _is_mask(item: Any) -> bool:
    if isinstance(item, LazyValue):
        return item._dtype is BOOL
    return isinstance(item, numpy.ndarray) and item.dtype == bool


def _item(item: Any, place: int, before: int, axis: int, shape: Shape) -> _Item:
    if not _is_mask(item):
        if item.__class__ is int:
            return _Item(place, before, (axis,), (item,), (), scalar=True)
        scalar = getattr(item, "_kind", 0) != 0  # of a trace: in the place of a NumPy scalar or a number
        return _Item(place, before, (axis,), (item,), tuple(item.shape), scalar=scalar)
    for offset, extent in enumerate(item.shape):
        if shape[axis + offset] != extent and extent:  # NumPy lets a mask of no elements choose none
            raise BoundsError(
                f"boolean index did not match indexed array along axis {axis + offset}; size of axis is "
                f"{shape[axis + offset]} but size of corresponding boolean axis is {extent}"
            )
    rank = len(item.shape)
    if not rank:
        return _Item(place, before, (), (), (int(bool(item)),), True)
    mask = item._at_hand(MASK) if isinstance(item, LazyValue) else item
    if mask is None:
        from .reading import nonzero_positions  # as above

        found: tuple[Any, ...] = nonzero_positions(item)
    else:
        found = numpy.nonzero(mask)
    return _Item(place, before, tuple(range(axis, axis + rank)), found, found[0].shape, True)


MASK = "an index: how many elements a mask chooses is a shape"


def _checked(index: Any, extent: int, axis: int, empty: bool, unread: bool) -> tuple[Any, bool]:
    """Checks positions; returns them, and whether they are certainly in range and not negative. `empty`:
    there are no elements; `unread`: nothing is read at them, so that the program does not check them."""
    if index.__class__ is int:
        return position_in(index, axis, extent), True
    empty = empty and bool(index.shape)
    if unread and is_tensor(index):
        index = index.numpy()
    if isinstance(index, numpy.ndarray) and (unread or index.size <= LOOKED_AT):
        signed = index.dtype.kind == "i"
        wrong = index[(index < -extent) | (index >= extent)] if signed else index[index >= extent]
        if wrong.size and not empty:
            raise BoundsError(f"index {wrong[0]} is out of bounds for axis {axis} with size {extent}")
        return (numpy.where(index < 0, index + extent, index) if signed else index), True
    if empty:
        return index, True
    if not extent:
        raise BoundsError(f"an index is out of bounds for axis {axis} with size 0")
    return index, False


def read_selection(array: Any, selection: Selection) -> Any:
    """Returns a new array of the elements selected from `array`, which is the selection's view."""
    frame = frame_of((array, *selection.indices))
    graph = frame.begin()
    source = strong(graph, operand(frame, graph, array))
    return frame.wrap(graph, selection.read(graph, source, selection.nodes(frame, graph)))


def write_selection(array: LazyValue, selection: Selection, value: Any, kind: str = "set") -> None:
    """Writes to the selected elements of `array`, or combines them with `value` one by one."""
    frame = frame_of((array, value, *selection.indices))
    if selection.scalar and kind == "set":
        graph = frame.begin()
        node = assigned(graph, operand(frame, graph, value), array._dtype, selection.result)
        array._assign_view(graph, selection.as_view(selection.nodes(frame, graph)), node)
        return
    shown = array._view(selection.view)
    graph = frame.begin()
    node = assigned(graph, operand(frame, graph, value), array._dtype, selection.result)
    base = strong(graph, operand(frame, graph, shown))
    made = selection.write(graph, base, node, selection.nodes(frame, graph), kind)
    array._assign_view(graph, selection.view, made)


def assigned(graph: Graph, value: Operand, dtype: DType, shape: Shape) -> Node:
    """Converts a value for assignment: casts it to `dtype` (numbers as by `int()`), and broadcasts it to
    `shape`."""
    if value.__class__ is float and dtype.is_integer:
        try:
            value = int(value)
        except ValueError as error:
            raise ArgumentError(str(error)) from None
        except OverflowError as error:
            raise NumberError(str(error)) from None
    if isinstance(value, Node):
        warn_of_lost_parts(value.dtype, dtype)
    return fitted(graph, cast(graph, as_node(graph, value, dtype), dtype), shape)
