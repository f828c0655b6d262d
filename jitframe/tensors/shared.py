"""Views of Tensors: arrays outside of traces that share memory, as NumPy's views do.

An array has memory of its own, or is a view of another one, its base, along a path: a write to either is
visible in the other. A write replaces the base's node and resets its views, which look up the base again when
needed.
"""

from __future__ import annotations

import math
import weakref
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy

from ..api.array.lazy_array import LazyArray
from ..api.calls import call
from ..api.indexing.selection import is_basic
from ..arrays.indexing import key_of, view_by
from ..arrays.layout import Strides, contiguous_strides, element_strides, shown_strides
from ..arrays.promotion import NUMBERS
from ..arrays.views import View
from ..errors import AliasError, ArgumentError
from ..ir.node import Graph, Node, Shape
from ..ir.types import DType
from ..runtime.device import DeviceArray
from .writing import check_outside, is_written

if TYPE_CHECKING:
    from .lazy import LazyGraph
    from .tensor import Tensor, TensorFrame
    from .transfers import Value

FEW_BYTES = 1 << 11
"""Slices up to this size of a known value are known as well."""
FEW_SLICES = 6
"""After so many different slices of an array with a known value, larger ones are known as well."""
TAKEN = 1 << 14
"""The most elements of a known value, at known positions, that are known as well."""
PICKS_LAZY = 4
"""So many single elements of a lazy array are picked before its value is computed."""
_INTEGERS = frozenset((int,))
_SLICING = frozenset((int, slice))
_VIEWS = 64
"""With so many views of an array, dead ones are removed from its list."""


class SharedArray(LazyArray):
    """A lazy array that has memory of its own or is a view of another."""

    __slots__ = (
        "_base",
        "_frame",
        "_is_scalar",
        "_late",
        "_order",
        "_path",
        "_pending",
        "_picks",
        "_recipient",
        "_slices",
        "_value",
        "_views",
    )
    _frame: TensorFrame
    _value: Value | None
    """The value on its device; None where it was not computed yet. It takes precedence."""
    _pending: tuple[LazyGraph, Node] | None
    """The graph and node of a lazy array; None where its value is known, and of a view after a write."""
    _recipient: str
    """The argument to which it was donated."""
    _base: Tensor | None
    """The array of which it is a view; None where it has its own memory."""
    _path: View
    """How it shows its base."""
    _order: Strides | None
    """The strides that NumPy would give its own memory (in elements; None for C order)."""
    _late: tuple[Tensor, Callable[[], Tensor]] | None
    """For a view at computed positions with an unknown path: its base, and the function that makes the
    view."""
    _is_scalar: bool
    """Whether it represents a NumPy scalar, which operators in place do not change."""
    _picks: int
    """The number of picks before it was computed; unset where there was none."""
    _slices: list[View]
    """The first large slices taken of it, each once; unset where there was none."""
    _views: list[weakref.ref[SharedArray]] | None
    """Views of its memory with a current value."""

    @abstractmethod
    def _operand(self, graph: Graph) -> Node:
        """Returns the array's present value in `graph`."""

    @abstractmethod
    def _evaluated(self) -> Value:
        """Returns the value on the tensor's device, computed now if necessary."""

    @abstractmethod
    def _set(self, graph: LazyGraph, node: Node) -> None:
        """Makes it a node of `graph`, with that shape and dtype."""

    @staticmethod
    @abstractmethod
    def _lazy(frame: TensorFrame, graph: LazyGraph, node: Node) -> Tensor:
        """The tensor that is a node of a graph, of memory of its own in C order."""

    @staticmethod
    @abstractmethod
    def _small(frame: TensorFrame, value: Value, shape: Shape, dtype: DType, is_scalar: bool) -> Tensor:
        """The tensor of a value of such a shape and dtype, of memory of its own in C order."""

    @staticmethod
    @abstractmethod
    def _of(value: Value) -> Any:
        """The tensor of a value, on the value's device."""

    def _forget(self) -> None:
        """Resets it after a write to its base."""
        self._pending = None
        self._value = None

    def _refresh(self) -> None:
        """Looks up the base again after a write. Raises where the value was donated."""
        if self._value is None and self._pending is None:
            graph = self._frame.begin()
            self._look(graph)
            graph.building = False

    def _look(self, graph: LazyGraph) -> None:
        """Makes a view a node of `graph` after a write."""
        self._settle_path()
        base = self._base
        if base is None:
            raise self._gone()
        base._remember(self)
        self._set(graph, self._path.apply(graph, base._operand(graph)))

    def _become(self, graph: LazyGraph, node: Node) -> None:
        """Replaces the content. Views are reset before and after: so none keeps the old content, wherever an
        exception strikes and whatever reads them in between."""
        self._changed()
        self._set(graph, node)
        self._changed()

    def _write(self, graph: LazyGraph, path: View, node: Node, refusal: str) -> None:
        """Replaces the elements of a path in this array's own memory, and ends the operation."""
        if not path.writable:
            raise AliasError(refusal)
        before = self._operand(graph)
        if node is not path.apply(graph, before):  # else, as `x[i] += y` ends, it is there already
            self._become(graph, path.update(graph, before, node))
        graph.building = False

    def _give_away(self, argument: str) -> None:
        """Donates the value; using the array is an error from now on, which names the argument."""
        self._recipient = argument
        self._changed()
        self._forget()
        self._base = self._late = None

    @property
    def _is_gone(self) -> bool:
        return self._value is None and self._pending is None and self._base is None and self._late is None

    @property
    def _is_one_number(self) -> bool:
        return self._is_scalar

    def _gone(self) -> ArgumentError:
        return ArgumentError(
            f"a Tensor is used that was given away as the argument {self._recipient}, which lists it in "
            "donate; use what that call returned, or pass a copy"
        )

    def _own_memory(self, order: Strides | None) -> None:
        """Converts it to an array with its own memory."""
        self._base = self._late = None
        self._order = order
        self._is_scalar = False
        self._views = None

    def _shows(self, base: Tensor, path: View) -> None:
        """Converts it to a view of the present content."""
        self._path = path
        self._base = base
        base._remember(self)

    def _settle_path(self) -> None:
        """Computes the positions of a view before a write or another look-up."""
        late = self._late
        if late is not None:
            view = late[1]()  # computes the positions
            self._path = view._path
            self._base = view._base
            self._late = None

    def _known(self) -> Self:
        self._settle_path()
        return self

    def _remember(self, view: SharedArray) -> None:
        """Registers a view with a current value."""
        views = self._views
        if views is None:
            views = self._views = []
        if len(views) >= _VIEWS and len(views).bit_count() == 1:
            views[:] = [each for each in views if each() is not None]
        views.append(weakref.ref(view))

    def _changed(self) -> None:
        """Resets the views of this memory."""
        views = self._views
        if views is None:
            return
        for reference in views:
            view = reference()
            if view is not None:
                view._forget()
        self._views = None

    @property
    def _strides(self) -> Strides | None:
        base = self._base
        if base is None:
            return self._order
        return shown_strides(self._path, base.shape, base._order)

    def _lay(self, strides: Strides | None, is_known: bool = True) -> None:
        self._order = strides

    @property
    def base(self) -> Tensor | None:
        """The tensor whose memory it shows; None where it has its own."""
        self._settle_path()
        return self._base

    @property
    def _is_writable(self) -> bool:
        return self._base is None or self._path.writable

    def _shown(self, view: View, most: int, is_scalar: bool = False, index: Any = None) -> Tensor | None:
        """Returns the elements of a view of a value that is known on the host, if they are few: it is the
        same input of programs then, wherever it is used. `index`: the index of the view."""
        value: Any = self._value
        if value is None or value.__class__ is DeviceArray or math.prod(view.shape) > most:
            return None
        shown = view.show(value) if index is None else value[index]
        tensor = self._small(
            self._frame, shown.copy() if is_scalar else shown, view.shape, view.dtype(self._dtype), is_scalar
        )
        if shown.ndim > 1 or shown.base is not None:
            tensor._order = element_strides(shown)
        return tensor

    def _element_at(self, position: Any) -> Tensor | None:
        """Returns the element at a position of Python integers, where it is known on the host."""
        value: Any = self._value
        if value.__class__ is not numpy.ndarray:
            return None
        if position.__class__ is int:
            index, rank = (position, ...), 1
        elif position.__class__ is tuple and _INTEGERS.issuperset(map(type, position)):
            index, rank = (*position, ...), len(position)
        else:
            return None
        try:
            element = value[index]
        except IndexError:
            return None  # which says what is wrong
        return self._small(self._frame, element.copy(), (), self._dtype, True) if rank == value.ndim else None

    def _element(self, view: View) -> Tensor:
        tensor = self._shown(view, 1, is_scalar=True)
        if tensor is not None:
            return tensor
        frame = self._frame
        graph = frame.begin()
        return frame.wrap(graph, view.apply(graph, self._operand(graph)))

    def _view(self, view: View) -> Tensor:
        strides = self._strides
        start = contiguous_strides(self._known_shape) if strides is None else strides
        return self._indexed(view, self._late is not None or view.strides(start) is not None)

    def _indexed(self, view: View, is_view: bool = True, index: Any = None, key: Hashable = None) -> Tensor:
        made = None
        if self._value is not None and self._late is None and view.cuts:
            most = FEW_BYTES // self._dtype.itemsize
            if math.prod(view.shape) > most and self._has_many(view):
                most = math.prod(view.shape)
            made = self._shown(view, most, index=index)
        if made is None:
            graph = self._frame.begin()
            made = self._lazy(self._frame, graph, graph.viewed(view, key, self._operand(graph)))
            graph.building = False
        if self._late is not None:
            root = self._late[0]
            made._late = root, lambda: self._known()._view(view)
            root._remember(made)
            return made
        if is_view:
            base = self._base
            own: Any = self
            made._shows(*((own, view) if base is None else (base, self._path.join(view))))
        return made

    def __getitem__(self, index: Any) -> Any:
        if self._is_sliced(index):
            key = key_of(index)
            return self._indexed(view_by(key, index, self._known_shape), index=index, key=key)
        tensor = self._element_at(index)
        if tensor is not None:
            return tensor
        if self._value is None and self._is_picked(index):
            self._evaluated()
            return self[index]
        tensor = self._taken_now(index)
        if tensor is not None:
            return tensor
        tensor = super().__getitem__(index)
        if (
            not is_basic(index)
            and tensor.shape
            and tensor._frame is self._frame
            and _stands_for_scalars(index)
        ):
            # NumPy's view of a row at a computed number. Its elements are lazy; its position is computed only
            # when needed.
            items = tuple([each.copy() if isinstance(each, SharedArray) else each for each in _items(index)])
            base = self if self._base is None else self._base
            tensor._late = base, lambda: self[tuple([_number(each) for each in items])]
            base._remember(tensor)
        return tensor

    def _is_sliced(self, index: Any) -> bool:
        """Whether an index is one of the common ones whose result is a view: slices with integers, or one
        row."""
        kind = index.__class__
        if kind is tuple:
            kinds = set(map(type, index))
            return slice in kinds and kinds <= _SLICING
        return kind is slice or (kind is int and len(self._known_shape) > 1)

    def _has_many(self, view: View) -> bool:
        """Whether so many slices were taken, this one included, that a loop moves over the array: each slice
        in the graph would make another program. The few slices of a stencil stay in the graph, fused."""
        slices = getattr(self, "_slices", None)
        if slices is None:
            slices = self._slices = []
        if len(slices) >= FEW_SLICES:
            return True
        if not any(each is view for each in slices):
            slices.append(view)
        return False

    def _taken_now(self, index: Any) -> Tensor | None:
        """Returns a few elements of a known value, at positions or under a mask, that are known as well:
        NumPy is faster here than the look-up of a program."""
        value: Any = self._value
        if value.__class__ is not numpy.ndarray:
            return None
        positions = index._value if isinstance(index, SharedArray) else index
        if (
            positions.__class__ is not numpy.ndarray
            or positions.dtype.kind not in "iub"
            or not positions.ndim
        ):
            return None
        if positions.size * math.prod(value.shape[1:]) > TAKEN:
            return None
        try:
            tensor: Tensor = self._of(value[positions])
        except IndexError:
            return None  # which says what is wrong
        return tensor

    def _is_picked(self, index: Any) -> bool:
        """Whether single elements are picked or written again and again before it is computed: the value is
        computed then, as each element would be a segment of a program."""
        items = _items(index)
        if len(items) != len(self._known_shape) or not _INTEGERS.issuperset(map(type, items)):
            return False
        if not self._frame.device.is_host:
            return False
        self._picks = getattr(self, "_picks", 0) + 1
        return self._picks > PICKS_LAZY

    def __iter__(self) -> Iterator[Any]:
        if not self._known_shape or not self._frame.device.is_host:
            return super().__iter__()
        return (self[position] for position in range(self._known_shape[0]))

    def __setitem__(self, index: Any, value: Any) -> None:
        if is_written(self, index, value):
            return
        is_plain = value.__class__ is self.__class__ and value._frame is self._frame
        key = key_of(index) if is_plain and value._dtype is self._dtype else None
        if key is None or self._base is not None or self._late is not None:
            super().__setitem__(index, value)
            return
        check_outside(self)
        graph = self._frame.begin()
        given, before = value._operand(graph), self._operand(graph)
        step, asked = graph.step, (View.update, key, before, given)
        known = step.next.get(asked)
        if known is not None:
            graph.step, node = known
            if node is not before:
                self._become(graph, node)
            graph.building = False
            return
        graph.building = False
        super().__setitem__(index, value)
        pending = self._pending
        if pending is not None and pending[0] is graph:
            step.next.setdefault(asked, (graph.step, pending[1]))

    def _in_place(self, function: Callable[..., Node], other: Any) -> LazyArray:
        if self._is_scalar:  # as a NumPy scalar: others may go by the same name
            plain = other.__class__ in NUMBERS or other.__class__ is self.__class__
            array: LazyArray = (
                self._frame.binary(function, self, other) if plain else call(function, (self, other))
            )
            return array
        return super()._in_place(function, other)


def _items(index: Any) -> tuple[Any, ...]:
    return index if index.__class__ is tuple else (index,)


def _stands_for_scalars(index: Any) -> bool:
    """Whether computed scalars in place of numbers make an index advanced."""
    return all(
        each._is_scalar and each._dtype.is_integer if isinstance(each, SharedArray) else is_basic(each)
        for each in _items(index)
    )


def _number(item: Any) -> Any:
    return int(item) if isinstance(item, SharedArray) else item
