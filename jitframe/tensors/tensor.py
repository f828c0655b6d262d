"""`Tensor`: a lazy array. A request for its value evaluates it, fused with its operands."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Any

import numpy

from ..api.frame import Frame, LazyValue, set_tensors
from ..arrays.layout import element_strides, result_strides
from ..arrays.promotion import Weak, from_numpy
from ..arrays.views import View
from ..base.boundary import guarded
from ..errors import (
    AliasError,
    ArgumentError,
    BackendError,
    DTypeError,
    FallbackWarning,
    user_line,
    warn_user,
)
from ..ir.node import Graph, Node, Shape
from ..ir.types import DType
from ..runtime.device import CPU, Device, DeviceArray, named
from ..settings import chosen_device, settings
from .computing import flush, run
from .exported import ExportedArray
from .lazy import NODE_LIMIT, TENSOR_LIMIT, THREAD, LazyGraph, start_graph
from .scalars import DTYPES, computed
from .transfers import Value, device_of, is_frozen, moved, moved_unasked, owned
from .writing import check_outside

_SHOWN_ELEMENTS = 64
_new, _reference = object.__new__, weakref.ref


class Tensor(ExportedArray):
    """An array on some device, computed when its value is asked for.

    Slices and transposes are views, as NumPy's are: what is written to one shows in the array that it was
    taken from.

    >>> x = jf.asarray([1.0, 2.0, 3.0])
    >>> y = x * 2 + 1          # nothing ran yet
    >>> y.numpy()
    array([3., 5., 7.])
    >>> y[1:][y[1:] > 5] = 0
    >>> y.numpy()
    array([3., 5., 0.])
    """

    __slots__ = ("__weakref__", "_dtype", "_known_shape")
    _dtype: DType

    def __init__(self, *_: Any, **__: Any) -> None:
        raise DTypeError("a Tensor is not made by its class; use jf.asarray, jf.zeros or their like")

    @staticmethod
    def _lazy(frame: TensorFrame, graph: LazyGraph, node: Node) -> Tensor:
        tensor: Tensor = _new(Tensor)
        tensor._frame = frame
        tensor._base = tensor._late = tensor._order = tensor._views = tensor._value = None
        tensor._is_scalar = False
        tensor._pending = graph, node
        tensor._known_shape, tensor._dtype = node.shape, node.dtype
        graph.tensors.append(_reference(tensor))
        if frame.device.is_monitored:
            tensor._line = user_line()
        return tensor

    @staticmethod
    def _of(value: Value) -> Tensor:
        """The tensor of a value, on the value's device."""
        tensor = object.__new__(Tensor)
        tensor._frame = tensor_frame(device_of(value))
        tensor._own_memory(element_strides(value) if isinstance(value, numpy.ndarray) else None)
        tensor._pending = None
        tensor._settle(value)
        if tensor._frame.device.is_monitored:
            tensor._line = user_line()
        return tensor

    @staticmethod
    def _small(frame: TensorFrame, value: Value, shape: Shape, dtype: DType, is_scalar: bool) -> Tensor:
        """The tensor of a value of such a shape and dtype, of memory of its own in C order."""
        tensor: Tensor = _new(Tensor)
        tensor._frame = frame
        tensor._base = tensor._late = tensor._order = tensor._views = tensor._pending = None
        tensor._is_scalar = is_scalar
        tensor._value, tensor._known_shape, tensor._dtype = value, shape, dtype
        if frame.device.is_monitored:
            tensor._line = user_line()
        return tensor

    def _set(self, graph: LazyGraph, node: Node) -> None:
        """Makes the tensor a node of `graph`, with that shape and dtype."""
        before = self._pending
        self._pending = graph, node
        self._value = None  # last: while there is a value, it is what the tensor is
        if before is None or before[0] is not graph:
            graph.tensors.append(weakref.ref(self))

    def _settle(self, value: Value) -> None:
        """Makes the tensor an evaluated one. The value is on its device."""
        self._value = value
        self._pending = None
        self._known_shape, self._dtype = value.shape, from_numpy(value.dtype)

    def _settle_as(self, value: Value) -> None:
        """Makes the tensor an evaluated one, of the shape and dtype that it had as a node."""
        self._value = value
        self._pending = None

    def _holding(self, device: Device) -> tuple[int, Any, bool] | None:
        """Returns the memory that it holds on a device (see `runtime.holders`)."""
        value = getattr(self, "_value", None)
        if value is None or device_of(value) is not device:
            return None
        from ..runtime.memory.holders import Holder  # 3 ms of a first tensor with the other two below

        what = f"{value.dtype.name}{list(value.shape)}"
        key = id(value.block.memory) if isinstance(value, DeviceArray) else id(value)
        return key, Holder(value.nbytes, what, getattr(self, "_line", None)), True

    # Hooks of LazyValue

    @property
    def shape(self) -> Shape:
        """The extents of the axes."""
        return self._known_shape

    def _operand(self, graph: Graph) -> Node:
        assert isinstance(graph, LazyGraph), "a trace adopts a Tensor by its value"
        node = self._node(graph)
        strides = self._order if self._base is None else self._strides
        graph.operands.append((self._known_shape, strides, node))
        return node

    def _node(self, graph: LazyGraph) -> Node:
        value, pending = self._value, self._pending
        if value is None and pending is not None and pending[0] is graph:
            return pending[1]
        if graph.device is not self._frame.device:
            return graph.foreign(self._evaluated())
        if value is not None:
            return graph.input(value)
        if pending is None:
            self._look(graph)
        elif pending[0].is_long(pending[1]):
            run(pending[0], (pending[1],))
        else:
            self._set(graph, graph.take(pending[0], [pending[1]])[pending[1]])
            graph.carries = True
        return self._node(graph)

    def _assign(self, graph: Graph, node: Node) -> None:
        check_outside(self)
        assert isinstance(graph, LazyGraph)
        self._settle_path()
        if self._is_gone:
            raise self._gone()
        home = self._frame
        if graph.device is not home.device:
            # The result of an operation on another device, written into this tensor.
            result = Tensor._lazy(tensor_frame(graph.device), graph, node)
            graph.building = False
            compute(result)
            instead = f"y.to_device({home.device.name!r})"
            self._replace(moved_unasked(result._evaluated(), home.device, instead))
        elif self._base is None:
            self._become(graph, node)
            graph.building = False
        else:
            self._base._write(graph, self._path, node, "output array is read-only")

    def _assign_view(self, graph: Graph, view: View, node: Node) -> None:
        check_outside(self)
        self._settle_path()
        if not view.steps:
            self._assign(graph, node)
            return
        assert isinstance(graph, LazyGraph)
        if graph.device is not self._frame.device:
            if not view.writable:
                raise AliasError("assignment destination is read-only")
            self._assign(graph, view.update(graph, self._operand(graph), node))
            return
        base = self._base
        refusal = "assignment destination is read-only"
        if base is None:
            self._write(graph, view, node, refusal)
        else:
            base._write(graph, self._path.join(view), node, refusal)

    def _replace(self, value: Value) -> None:
        """Writes a whole value, which is on the tensor's device."""
        if self._base is None:
            self._changed()
            self._settle(value)
            self._changed()
        else:
            graph = self._frame.begin()
            self._base._write(graph, self._path, graph.input(value), "output array is read-only")

    def _concrete(self, purpose: str, lasting: bool = False) -> numpy.ndarray:
        return self.numpy()

    # Values

    def _evaluated(self) -> Value:
        """The value on the tensor's device, computed now if it was not yet."""
        value = self._value
        while value is None:  # again, where a signal handler has written to it meanwhile
            graph, node = self._pending or (None, None)
            is_whole = graph is not None and (graph.is_left or THREAD.graphs.get(self._frame._key) is graph)
            if graph is None or node is None or not is_whole or graph.building:
                compute(self)
            else:
                run(graph, (node,))
            value = self._value
        return value

    def __await__(self) -> Generator[Any, None, Tensor]:
        """`await x`: the same, while the event loop goes on."""
        from .waiting import ready

        return ready(self).__await__()

    @guarded
    def numpy(self) -> numpy.ndarray:
        """The value as a read-only ndarray, computed now if it was not yet; of other devices a copy.

        Raises what computing it did wrong.

        >>> (jf.asarray([1.0, 2.0]) + 1).numpy()
        array([2., 3.])
        """
        value = self._value
        if value is None:
            value = self._evaluated()
        shown = value.view() if value.__class__ is numpy.ndarray else _at_host(value)
        shown.setflags(False)  # type: ignore[call-arg] # named, it takes twice as long
        return shown

    @guarded
    def to_device(self, device: Any, /, *, stream: Any = None, copy: bool | None = None) -> Tensor:
        """The tensor itself where it is on that device already and `copy` is not set; else a copy there.

        Writes to either never show in the other. Raises BackendError where the device is not there,
        ArgumentError where `copy=False` and one is needed.

        >>> jf.asarray([1.0]).to_device("cpu").device
        'cpu'
        """
        wanted = self._destination(device, stream, copy)
        if wanted is self._frame.device:
            return self.copy() if copy else self
        return Tensor._of(moved(self._evaluated(), wanted))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_pickle, (numpy.array(self.numpy()),)

    def __str__(self) -> str:
        """The values as NumPy prints them, computed now if they were not yet."""
        return repr(self) if self._is_gone else str(self.numpy())

    def __repr__(self) -> str:
        if self._is_gone:
            return f"Tensor(given away as the argument {self._recipient})"
        known = self._value is not None and self.size <= _SHOWN_ELEMENTS
        value = f", {numpy.array2string(self.numpy(), separator=', ', prefix='Tensor(')}" if known else ""
        state = "" if self._value is not None else ", not computed yet"
        return (
            f"Tensor(shape={self.shape}, dtype={self._dtype.numpy_name}, device={self.device}{state}{value})"
        )


def _at_host(value: Value) -> numpy.ndarray:
    return value.view() if isinstance(value, numpy.ndarray) else value.download()


def _from_pickle(value: numpy.ndarray) -> Tensor:
    return Tensor._of(value)


class TensorFrame(Frame):
    """The lazy tensors of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._key = id(device)

    def begin(self) -> LazyGraph:
        graph = THREAD.graphs.get(self._key)
        if (
            graph is None
            or graph.building
            or graph.step.count >= NODE_LIMIT
            or len(graph.tensors) >= TENSOR_LIMIT
        ):
            graph = self._next(graph)
        graph.building = True
        if graph.operands:
            graph.operands.clear()
        return graph

    def _next(self, graph: LazyGraph | None) -> LazyGraph:
        """Returns a new graph after a full one, or during another operation."""
        if graph is not None and not graph.building:
            flush(graph)
        return start_graph(self.device)

    def end(self, graph: Graph) -> None:
        assert isinstance(graph, LazyGraph)
        graph.building = False

    def wrap(self, graph: Graph, result: Node | Weak) -> Tensor:
        tensor = self._wrapped(graph, result)
        self.end(graph)
        return tensor

    def wrap_all(self, graph: Graph, results: Iterable[Node | Weak]) -> tuple[Tensor, ...]:
        tensors = tuple([self._wrapped(graph, result) for result in results])
        self.end(graph)
        return tensors

    def _wrapped(self, graph: Graph, result: Node | Weak) -> Tensor:
        assert isinstance(graph, LazyGraph)
        node = result.node if isinstance(result, Weak) else result
        tensor = Tensor._lazy(self, graph, node)
        if not node.shape:
            tensor._is_scalar = True
        elif len(node.shape) > 1:
            tensor._order = result_strides(node, graph.operands)
        return tensor

    def unary(self, function: Callable[..., Node], x: LazyValue, key: Hashable) -> Any:
        assert isinstance(x, Tensor)
        graph = self.begin()
        node = graph.unary(function, x._node(graph), key)
        tensor = Tensor._lazy(self, graph, node)
        if not node.shape:
            tensor._is_scalar = True
        elif len(node.shape) > 1 and (x._order is not None or x._base is not None):
            x._operand(graph)
            tensor._order = result_strides(node, graph.operands)
        graph.building = False
        return tensor

    def binary(self, function: Callable[..., Node], x: Any, y: Any) -> Any:
        if (x if x.__class__ is Tensor else y)._is_scalar:
            number = computed(function, x, y)
            if number is not None:
                return Tensor._small(self, numpy.array(number), (), DTYPES[number.__class__], True)
        graph = self.begin()
        plain = True
        if x.__class__ is Tensor:
            value, pending = x._value, x._pending
            if value is not None:
                first = graph.input(value) if x._frame is self else x._node(graph)
            else:
                first = pending[1] if pending and pending[0] is graph else x._node(graph)
            plain = x._order is None and x._base is None
        else:
            first = x
        if y.__class__ is Tensor:
            value, pending = y._value, y._pending
            if value is not None:
                second = graph.input(value) if y._frame is self else y._node(graph)
            else:
                second = pending[1] if pending and pending[0] is graph else y._node(graph)
            plain = plain and y._order is None and y._base is None
        else:
            second = y
        node = graph.binary(function, first, second)
        tensor = Tensor._lazy(self, graph, node)
        if not node.shape:
            tensor._is_scalar = True
        elif not plain and len(node.shape) > 1:
            for each in (x, y):
                if each.__class__ is Tensor:
                    each._operand(graph)
            tensor._order = result_strides(node, graph.operands)
        graph.building = False
        return tensor

    def evaluate(self, arrays: Sequence[LazyValue]) -> None:
        compute(*[array for array in arrays if isinstance(array, Tensor)])

    def lift(self, graph: Graph, array: numpy.ndarray) -> Node:
        assert isinstance(graph, LazyGraph)
        if not array.ndim:
            dtype = from_numpy(array.dtype)
            self.check(dtype)
            return graph.number(array.item(), dtype)
        if not self.device.is_host:
            return graph.lifted(array)
        return graph.input(array if is_frozen(array) else owned(array))

    def array(self, array: numpy.ndarray, copy: bool | None) -> Tensor:
        from_numpy(array.dtype)
        if not self.device.is_host:
            return Tensor._of(self.device.upload(array))
        if copy is False and not array.flags.aligned:
            raise ArgumentError("asarray: an array that is not aligned needs a copy")
        keeps = copy is False or (copy is None and is_frozen(array) and array.flags.aligned)
        return Tensor._of(array if keeps else owned(array))

    def adopted(self, array: Any, copy: bool | None) -> Tensor:
        """A tensor of another library's array in device memory; that memory itself with `copy=False`."""
        from ..runtime.memory.interchange import adopted, adopted_capsule

        value = adopted(array) if hasattr(array, "__cuda_array_interface__") else adopted_capsule(array)
        if copy is not False:
            value = value.device.copy(value)
        return Tensor._of(value)


FRAME = TensorFrame(CPU)
"""The frame of the host."""
_frames: dict[int, TensorFrame] = {id(CPU): FRAME}
"""By the identity of their devices, which they keep alive."""
_fallen_back: set[str] = set()
"""Chosen devices that are absent, for which the warning was given."""


def tensor_frame(device: Device) -> TensorFrame:
    """The frame of a device's tensors; always the same one."""
    frame = _frames.get(id(device))
    return _frames.setdefault(id(device), TensorFrame(device)) if frame is None else frame


def _frame_for(device: Device | None) -> TensorFrame:
    """The frame of a device, or of the one that settings choose."""
    if device is not None:
        return tensor_frame(device)
    name = chosen_device()
    return FRAME if name is None else _chosen_frame(name)


def _chosen_frame(name: str) -> TensorFrame:
    """Returns the frame of a device that settings name; the host's, with a warning, where the device is
    absent."""
    try:
        return tensor_frame(named(name))
    except BackendError as absent:
        if settings().strict:
            raise
        if name not in _fallen_back:
            _fallen_back.add(name)
            warn_user(f"{absent.message}; arrays are made on cpu", FallbackWarning)
        return FRAME


set_tensors(Tensor, _frame_for)


@guarded
def compute(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Evaluates several tensors at once, sharing what they have in common, and returns them.

    Raises DTypeError for what is no Tensor.

    >>> x = jf.asarray([1.0, 2.0])
    >>> squares, cubes = jf.compute(x**2, x**3)
    >>> squares
    Tensor(shape=(2,), dtype=float64, device=cpu, [1., 4.])
    """
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise DTypeError(f"compute takes tensors, not {type(tensor).__name__}")
    wanted = [tensor for tensor in tensors if tensor._value is None]
    for frame in {tensor._frame: None for tensor in wanted}:
        _compute(frame, [tensor for tensor in wanted if tensor._frame is frame])
    return tensors


def _compute(frame: TensorFrame, wanted: list[Tensor]) -> None:
    graph = frame.begin()
    wanted = [tensor for tensor in wanted if tensor._value is None]
    run(graph, tuple([tensor._operand(graph) for tensor in wanted]))
