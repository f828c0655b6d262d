"""Frames and lazy values: the hooks by which array functions reach a trace or a thread's lazy tensors.

A `Frame` owns graphs and makes arrays. A thread has a current frame, and arguments have one (`frame_of`);
`calls.call` computes a function there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeGuard

import numpy

from ..arrays.layout import in_c_order, kept_order, ordered_strides
from ..arrays.promotion import KNOWN, Operand, Weak, check_fits, from_numpy
from ..base.arguments import order_of
from ..base.importing import load
from ..base.locks import Local
from ..errors import DTypeError, ShapeError, UnsupportedError
from ..ir.node import Graph, Node, Shape
from ..ir.types import DType
from ..runtime.device import CPU, Device, named
from ..runtime.memory.foreign import host_array, is_foreign

if TYPE_CHECKING:
    from ..arrays.layout import Strides
    from ..arrays.views import View


class Frame(ABC):
    """The owner of new arrays: the trace of a function, a region of it, or the lazy tensors of this
    thread."""

    priority = 0
    """Where arguments come from several frames, the first one of the highest priority computes."""
    device: Device = CPU
    """The device of its arrays."""
    enclosing: tuple[Frame, ...] = ()
    """Frames of the traces that this one is a region of."""

    def is_asked(self) -> bool:
        """Whether jitframe's code that requests the current frame belongs to this frame's call: not to a
        signal handler, a destructor or a debugger that interrupts it."""
        return True

    @property
    def regions(self) -> tuple[Frame, ...]:
        """The frames of the enclosing loops and conditions of a trace, itself included."""
        return ()

    def stream(self, generator: Any) -> Any:
        """Of a region: returns the present iteration's generator for one of the enclosing frame."""
        raise AssertionError("only regions have iterations")

    def note_draw(self, generator: Any, count: int) -> None:
        """Records that so many draws of a generator were counted, which a trace may take back."""
        return

    @abstractmethod
    def begin(self) -> Graph:
        """Returns the graph for the next operation. Called once for an operation, before its operands."""

    @abstractmethod
    def wrap(self, graph: Graph, result: Node | Weak) -> LazyValue:
        """Wraps a node of a graph that `begin` returned, the operation's result, in a new array (or
        number)."""

    def wrap_all(self, graph: Graph, results: Iterable[Node | Weak]) -> tuple[LazyValue, ...]:
        """Wraps the results of an operation with several of them."""
        return tuple([self.wrap(graph, result) for result in results])

    def end(self, graph: Graph) -> None:
        """Ends an operation that neither wraps a result nor writes one to an array."""
        return

    def evaluate(self, arrays: Sequence[LazyValue]) -> None:
        """Computes arrays of which one is needed now and the others later; a trace has no values."""
        return

    @abstractmethod
    def lift(self, graph: Graph, array: numpy.ndarray) -> Node:
        """Makes a node for an ndarray of the user's, of a dtype that `from_numpy` knows."""

    def adopt(self, graph: Graph, value: LazyValue) -> Operand:
        """Returns the operand for an array of this frame or of one of lower priority."""
        return value._operand(graph)

    @abstractmethod
    def unary(self, function: Callable[..., Node], x: LazyValue, key: Hashable) -> Any:
        """Applies `function` to an array of this frame; `key` as in `calls.call`."""

    @abstractmethod
    def binary(self, function: Callable[..., Node], x: Any, y: Any) -> Any:
        """Applies the operator `function` to an array of this frame and one like it or a Python number."""

    def array(self, array: numpy.ndarray, copy: bool | None) -> LazyValue:
        """Makes an array from an ndarray; `copy` as in `asarray`."""
        graph = self.begin()
        return self.wrap(graph, self.lift(graph, array))

    def adopted(self, array: Any, copy: bool | None) -> LazyValue:
        """Makes an array from one of another library in device memory."""
        raise AssertionError("only tensors are made of such arrays")

    def check(self, dtype: DType | None) -> None:
        """Raises DTypeError for a requested dtype that the device lacks."""
        if dtype is not None and not self.device.is_host:
            self.device.check(dtype)

    def plain(self, value: Any) -> numpy.ndarray:
        """Converts to an ndarray as NumPy does; values without a dtype take the device's."""
        array = plain_array(value)
        if not self.device.narrows or isinstance(value, (numpy.ndarray, numpy.generic)):
            return array
        dtype = from_numpy(array.dtype)
        narrow = self.device.fitting(dtype)
        if narrow.is_integer and narrow is not dtype and array.size:
            check_fits(array.min().item(), narrow)
            check_fits(array.max().item(), narrow)
        with numpy.errstate(over="ignore"):
            return array.astype(narrow.numpy_name, copy=False)


LAZY_CLASSES: set[type] = set()
"""The classes of lazy values: a look-up takes a tenth of the time of asking an abstract class."""


class LazyValue:
    """The base of lazy arrays: the hooks for public functions and operators. (It is no abstract class of
    Python's, of which `isinstance` takes eight times as long.)"""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        LAZY_CLASSES.add(cls)

    if TYPE_CHECKING:  # methods, operators and attributes of arrays, which the registry gives to the classes

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, key: Any) -> Any: ...
        def __add__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...

    @classmethod
    def _gathered(cls, values: Sequence[Any]) -> LazyValue | None:
        """Returns the array of a sequence whose last item is such a value; None where it forms none."""
        return None

    @property
    @abstractmethod
    def _frame(self) -> Frame:
        """Returns the frame of the array."""

    @property
    @abstractmethod
    def _is_one_number(self) -> bool:
        """Whether it represents a NumPy scalar or a Python number, of which there are no views."""

    @property
    @abstractmethod
    def shape(self) -> Shape: ...

    @property
    @abstractmethod
    def _dtype(self) -> DType: ...

    @property
    @abstractmethod
    def _strides(self) -> Strides | None:
        """Returns NumPy's strides, in elements; None for C order. They distinguish views from copies."""

    @abstractmethod
    def _lay(self, strides: Strides | None, is_known: bool = True) -> None:
        """Decides the strides of a new array of its own memory; `is_known`: they are certainly NumPy's."""

    @property
    def _is_laid(self) -> bool:
        """Whether `_strides` are certainly NumPy's."""
        return True

    def _is_fortran(self, order: str) -> bool:
        """Whether "C", "F" or "A", the order in which it lies, has the first axis varying fastest."""
        if order != "A":
            return order == "F"
        self._check_order()
        strides = self._strides
        return strides is not None and in_c_order(self.shape[::-1], strides[::-1])

    def _lay_as(self, original: LazyValue, order: str) -> None:
        """Decides the memory order of a new copy; "K": as its original lies, as it does already."""
        if order != "K":
            self._lay(ordered_strides(self.shape, "F" if original._is_fortran(order) else "C"))

    def _keep_order(self, original: LazyValue) -> Self:
        """Lays out a new array as NumPy's order="K" of its original says; returns it."""
        known = original._strides
        if known is not None and len(known) == len(self.shape):
            # Axes along which elements repeat are placed by other rules than those of ufuncs.
            strides = kept_order(self.shape, [(original.shape, known)])
            self._lay(strides, original._is_laid and 0 not in known)
        elif not original._is_laid:
            self._lay(None, False)
        return self

    def _in_order(self, order: str | None) -> Any:
        """The array in memory order "C" or "F": itself where it lies so, else a copy. "A" is "F" of what lies
        so, else "C"; "K" and None are any order."""
        wanted = order_of(order, ("C", "F", "A", "K"))
        if wanted == "K" or len(self.shape) < 2:
            return self
        wanted = "F" if self._is_fortran(wanted) else "C"
        lies_so = self._is_laid and self._strides == ordered_strides(self.shape, wanted)
        return self if lies_so else self.copy(wanted)

    def _check_order(self) -> None:
        """Raises UnsupportedError where NumPy might lay out this array otherwise than `_strides` say."""
        if not self._is_laid:
            raise UnsupportedError(
                "the memory order of this array is that of NumPy's function, which is not known here; a copy "
                "of it, x.copy(), is in C order"
            )

    @abstractmethod
    def _operand(self, graph: Graph) -> Operand:
        """Returns the array's present value in `graph`, which is a frame's present one; `Weak` for
        numbers."""

    @abstractmethod
    def _view(self, view: View) -> LazyValue:
        """Returns the array through a view: an alias, or a copy where NumPy makes one."""

    @abstractmethod
    def _assign(self, graph: Graph, node: Node) -> None:
        """Replaces the whole value by a node of the same shape and dtype."""

    @abstractmethod
    def _assign_view(self, graph: Graph, view: View, node: Node) -> None:
        """Replaces the elements of a view by a node of the view's shape and this dtype."""

    def _at_hand(self, purpose: str) -> numpy.ndarray | None:
        """Returns the value where that costs no more than computing it: in a trace, where it follows from
        values known while tracing. Values that determine only a size are requested so."""
        return self._concrete(purpose)

    def _open_positions(self) -> tuple[Any, ...] | None:
        """Returns the positions of nonzero elements with an open length: in a trace alone."""
        return None

    @abstractmethod
    def _concrete(self, purpose: str, lasting: bool = False) -> numpy.ndarray:
        """Returns the value as an ndarray, needed now for `purpose` (such as `if` or `float()`). A trace
        raises where it follows from the call's arguments, and for a `lasting` purpose, with effects
        outside."""


class SymbolicExtents:
    """An array whose length only the running program knows; computes functions of arrays with it."""

    _stands_for = numpy.ndarray

    def length(self) -> Any:
        """Returns the result of `len`, as a traced integer."""
        raise NotImplementedError

    def called(self, function: Any, arguments: Any, options: Any) -> Any:
        """Returns the result of a function of NumPy's on arrays that include it."""
        raise NotImplementedError

    def stored_in(self, target: Any, function: Callable[..., Node]) -> Any:
        """Computes `target = function(target, self)` in the same array."""
        raise NotImplementedError

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError


class _State(Local):
    def __init__(self) -> None:
        self.frames: tuple[Frame, ...] = ()


STATE = _State()


def _loaded(device: Device | None) -> Frame:
    """The function for programs without Tensors: their module replaces it."""
    load("jitframe.tensors.tensor")
    return _tensor_frames[0](device)


_tensor_frames: list[Callable[[Device | None], Frame]] = [_loaded]
_tensor_classes: list[type] = []


def set_tensors(cls: type, find: Callable[[Device | None], Frame]) -> None:
    """Registers the class of Tensors, and the function that finds a device's frame; None: the default
    device."""
    _tensor_classes[:] = [cls]
    _tensor_frames[:] = [find]


def is_tensor(value: object) -> TypeGuard[Any]:
    """Whether a value is a Tensor; never in a program that has not loaded their module."""
    return type(value) in _tensor_classes


def current_frame() -> Frame:
    """Returns the frame in which functions without array arguments (`zeros`) make arrays."""
    frame = entered_frame()
    return _tensor_frames[0](None) if frame is None else frame


def entered_frame() -> Frame | None:
    """Returns the current frame, unless it is that of lazy tensors which no `with jf.device(...)` chose."""
    frames = STATE.frames
    if not frames:
        return None
    if frames[-1].is_asked():
        return frames[-1]
    return next((frame for frame in reversed(frames) if not frame.priority), None)


def innermost_frame() -> Frame | None:
    """Returns the frame entered last by this thread, whoever asks."""
    return STATE.frames[-1] if STATE.frames else None


def in_region() -> bool:
    """Whether this thread traces a loop or a condition."""
    return bool(STATE.frames and STATE.frames[-1].enclosing)


def frame_on(device: Any, function: str, values: Iterable[Any] = ()) -> Frame:
    """Returns the frame in which a function makes its array: that of the requested device, else that of its
    arguments."""
    if device is None:
        return frame_of(values)
    wanted = named(device)
    frame = entered_frame()
    if frame is None or not frame.priority:
        return _tensor_frames[0](wanted)
    if frame.device is not wanted:
        raise UnsupportedError(
            f"{function}: device={wanted.name!r} inside a jitted function, which runs on "
            f"{frame.device.name}; make the array outside and pass it as an argument"
        )
    return frame


class entered:
    """Makes `frame` the current one of this thread. Where its exit is interrupted, the exit of the enclosing
    one completes it, and until then `is_asked` is false."""

    __slots__ = ("_before", "_frame")

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def __enter__(self) -> Frame:
        self._before = STATE.frames
        STATE.frames = (*self._before, self._frame)
        return self._frame

    def __exit__(self, *_: object) -> None:
        STATE.frames = self._before


def frame_of(values: Iterable[Any]) -> Frame:
    """Returns the frame of highest priority among the arrays in `values`; without any, the current one."""
    found: Frame | None = None
    for value in values:
        if type(value) in LAZY_CLASSES:
            frame = value._frame
            if found is None or frame.priority > found.priority:
                found = frame
        elif value.__class__ in (list, tuple) and holds_lazy(value):
            inner = frame_of(value)
            if found is None or inner.priority > found.priority:
                found = inner
    return current_frame() if found is None else found


def dtype_there(like: LazyValue, dtype: Any) -> numpy.dtype[Any]:
    """Returns the default dtype on the device of an array: 32 bits where it lacks 64."""
    wanted = from_numpy(numpy.dtype(dtype))
    return numpy.dtype(like._frame.device.fitting(wanted).numpy_name)


def holds_lazy(value: Any) -> bool:
    """Whether a value, or its nested lists and tuples, contains a lazy array."""
    if type(value) in LAZY_CLASSES:
        return True
    return value.__class__ in (list, tuple) and any(map(holds_lazy, value))


def gathered(values: Sequence[Any]) -> LazyValue | None:
    """Returns the array with the lazy arrays of a list as rows, in order; None where they are no rows."""
    if values.__class__ not in (list, tuple):
        return None
    first: Any = values
    while type(first) not in LAZY_CLASSES and first.__class__ in (list, tuple) and first:
        first = first[-1]
    lazy_value: LazyValue | None = type(first)._gathered(values) if type(first) in LAZY_CLASSES else None
    return lazy_value


def plain_array(value: Any) -> numpy.ndarray:
    """Returns an ndarray of a supported dtype from an ndarray, list or anything that NumPy converts."""
    if value.__class__ is numpy.ndarray and value.dtype in KNOWN:
        return value
    if is_foreign(value):
        value = host_array(value)
    try:
        array = numpy.asarray(value)
    except ValueError as error:
        raise ShapeError(str(error)) from None
    if hasattr(value, "mask") and isinstance(value, numpy.ndarray):
        raise UnsupportedError("masked arrays are not supported; write x.filled(value)")
    if array.dtype == object:
        raise DTypeError(f"a {type(value).__name__} is no array: NumPy makes an object array of it")
    from_numpy(array.dtype)
    return array
