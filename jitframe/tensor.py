"""`Tensor`: a lazy array with value semantics. Asking for a value evaluates it, fused with all it needs."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .array import LazyArray
from .errors import (
    ArgumentError,
    BackendError,
    DTypeError,
    FallbackWarning,
    SourceLine,
    TraceError,
    user_line,
)
from .evaluate import compute as compute_graph
from .evaluate import compute_on
from .frame import Frame, set_tensor_frames
from .ir.node import Graph, Node, Shape
from .ir.types import DType
from .lazy import NODE_LIMIT, LazyGraph, current_graph, start_graph
from .promotion import Weak, from_numpy
from .runtime.device import CPU, Device, DeviceArray, named
from .settings import chosen_device, settings
from .transfers import Value, device_of, moved, moved_unasked
from .views import View

if TYPE_CHECKING:
    from .repeats import Repeat


_SHOWN_ELEMENTS = 64


class Tensor(LazyArray):
    """An array on some device, computed when its value is asked for.

    Slices and transposes are values of their own: writing to one never changes another tensor.

    >>> x = jf.asarray([1.0, 2.0, 3.0])
    >>> y = x * 2 + 1          # nothing ran yet
    >>> y.numpy()
    array([3., 5., 7.])
    """

    __slots__ = (
        "__weakref__", "_handed_over", "_home", "_known_dtype", "_known_shape", "_line", "_pending",
        "_recipient", "_value",
    )  # fmt: skip
    _home: TensorFrame
    _line: SourceLine | None
    """Where it was made; set only on devices that are monitored."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise DTypeError("a Tensor is not made by its class; use jf.asarray, jf.zeros or their like")

    @staticmethod
    def _lazy(graph: LazyGraph, node: Node) -> Tensor:
        tensor = object.__new__(Tensor)
        tensor._home = _frames[graph.device]
        tensor._value = None
        tensor._pending = None
        tensor._set(graph, node)
        if graph.device.is_monitored:
            tensor._line = user_line()
        return tensor

    @staticmethod
    def _of(value: Value) -> Tensor:
        """The tensor of a value, on the value's device."""
        tensor = object.__new__(Tensor)
        tensor._home = tensor_frame(device_of(value))
        tensor._pending = None
        tensor._settle(value)
        if tensor._home.device.is_monitored:
            tensor._line = user_line()
        return tensor

    def _set(self, graph: LazyGraph, node: Node) -> None:
        """Makes the tensor a node of `graph`."""
        before = self._pending
        self._pending: tuple[LazyGraph, Node] | None = (graph, node)
        self._value: Value | None = None
        self._known_shape, self._known_dtype = node.shape, node.dtype
        if before is None or before[0] is not graph:
            graph.tensors.append(weakref.ref(self))

    def _settle(self, value: Value) -> None:
        """Makes the tensor an evaluated one. The value is on its device."""
        self._value = value
        self._pending = None
        self._known_shape, self._known_dtype = value.shape, from_numpy(value.dtype)

    def _give_away(self, argument: str) -> None:
        """Takes the value away; using the tensor is an error from now on, which names the argument."""
        self._recipient = argument
        self._value = None
        self._pending = None

    def _held(self, device: Device) -> tuple[int, Any, bool] | None:
        """What it holds of a device's memory (see `runtime.holders`)."""
        value = getattr(self, "_value", None)
        if value is None or device_of(value) is not device:
            return None
        from .runtime.holders import Holder

        what = f"{value.dtype.name}{list(value.shape)}"
        key = id(value.block) if isinstance(value, DeviceArray) else id(value)
        return key, Holder(value.nbytes, what, getattr(self, "_line", None)), True

    def _gone(self) -> ArgumentError:
        return ArgumentError(
            f"a Tensor is used that was given away as the argument {self._recipient}, which lists it in "
            "donate; use what that call returned, or pass a copy"
        )

    def _pending_in(self, graph: LazyGraph) -> bool:
        pending = self._pending
        return pending is not None and pending[0] is graph

    # Hooks of LazyValue

    @property
    def _frame(self) -> Frame:
        return self._home

    @property
    def shape(self) -> Shape:
        return self._known_shape

    @property
    def _dtype(self) -> DType:
        return self._known_dtype

    def _operand(self, graph: Graph) -> Node:
        pending = self._pending
        if pending is not None and pending[0] is graph:
            return pending[1]
        assert isinstance(graph, LazyGraph), "a trace adopts a Tensor by its value"
        if graph.device is not self._home.device:
            return graph.foreign(self._evaluated())
        value = self._value
        if value is not None:
            return graph.input(value)
        if pending is None:
            raise self._gone()
        source, node = pending
        self._set(graph, graph.take(source, [node])[node])
        return self._pending[1]  # type: ignore[index]

    def _view(self, view: View) -> Tensor:
        graph = self._home.begin()
        return Tensor._lazy(graph, view.apply(graph, self._operand(graph)))

    def _assign(self, graph: Graph, node: Node) -> None:
        if not isinstance(graph, LazyGraph):
            raise TraceError(
                "a value of a jitted function's trace was stored in a jf.Tensor; return it from the "
                "function instead"
            )
        home = self._home
        if self._value is None and self._pending is None:
            raise self._gone()
        if graph.device is home.device:
            self._set(graph, node)
            return
        # The result of an operation on another device, written into this tensor.
        (result,) = compute(Tensor._lazy(graph, node))
        self._settle(moved_unasked(result._evaluated(), home.device, f"y.to_device({home.device.name!r})"))

    def _assign_view(self, graph: Graph, view: View, node: Node) -> None:
        base = self._operand(graph) if isinstance(graph, LazyGraph) and view.steps else node
        self._assign(graph, view.update(graph, base, node))

    def _concrete(self, purpose: str) -> numpy.ndarray:
        return self.numpy()

    # Values

    def _evaluated(self) -> Value:
        """The value on the tensor's device, computed now if it was not yet."""
        if self._value is None:
            compute(self)
        value = self._value
        assert value is not None
        return value

    def block_until_ready(self) -> Tensor:
        """Computes the value and waits until the device is done with it; gives the tensor itself.

        Raises what computing it did wrong.
        """
        self._evaluated()
        self._home.device.synchronize()
        return self

    def __await__(self) -> Generator[Any, None, Tensor]:
        """`await x`: the same, while the event loop goes on."""
        from .waiting import ready

        return ready(self).__await__()

    def numpy(self) -> numpy.ndarray:
        """The value as a read-only ndarray, computed now if it was not yet; of other devices a copy."""
        value = self._evaluated()
        shown = value.view() if isinstance(value, numpy.ndarray) else value.download()
        shown.flags.writeable = False
        return shown

    def to_device(self, device: Any, /, *, stream: Any = None, copy: bool | None = None) -> Tensor:
        """The tensor itself where it is on that device already and `copy` is not set; else a copy there.

        Writes to either never show in the other.
        """
        if stream is not None:
            raise ArgumentError(f"to_device: stream={stream!r}; each device works in one order, pass None")
        wanted = named(device)
        if wanted is self._home.device:
            return self.copy() if copy else self
        if copy is False:
            raise ArgumentError(
                f"to_device: from {self.device} to {wanted.name} needs a copy; copy=False was given"
            )
        return Tensor._of(moved(self._evaluated(), wanted))

    def __dlpack__(self, **options: Any) -> Any:
        value = self._evaluated()
        if not isinstance(value, numpy.ndarray):
            from .interchange import dlpack_capsule

            return dlpack_capsule(value, **options)
        try:
            return self.numpy().__dlpack__(**options)
        except BufferError:  # the reader knows no read-only arrays
            return self.numpy().copy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._home.device.dlpack_device()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The memory itself for CuPy, Numba or PyTorch, who must not write to it; of some GPUs only."""
        from .interchange import array_interface, has_addresses

        if not has_addresses(self._home.device):
            raise AttributeError(f"a Tensor on {self.device} is not in memory that other libraries read")
        value = self._evaluated()
        assert isinstance(value, DeviceArray)
        # Who reads it keeps the tensor alive, whose value may become another one meanwhile.
        before: tuple[Value, ...] = getattr(self, "_handed_over", ())
        self._handed_over = before if value in before else (*before, value)
        return array_interface(value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_pickle, (numpy.array(self.numpy()),)

    def __repr__(self) -> str:
        if self._value is None and self._pending is None:
            return f"Tensor(given away as the argument {self._recipient})"
        known = self._value is not None and self.size <= _SHOWN_ELEMENTS
        value = f", {numpy.array2string(self.numpy(), separator=', ', prefix='Tensor(')}" if known else ""
        state = "" if self._value is not None else ", not computed yet"
        return (
            f"Tensor(shape={self.shape}, dtype={self._dtype.numpy_name}, device={self.device}{state}{value})"
        )


def _from_pickle(value: numpy.ndarray) -> Tensor:
    return Tensor._of(value)


class TensorFrame(Frame):
    """The lazy tensors of a device."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def begin(self) -> LazyGraph:
        graph = current_graph(self.device)
        if len(graph) < NODE_LIMIT:
            return graph
        flush(graph)
        return current_graph(self.device)

    def wrap(self, graph: Graph, result: Node | Weak) -> Tensor:
        assert isinstance(graph, LazyGraph)
        return Tensor._lazy(graph, result.node if isinstance(result, Weak) else result)

    def lift(self, graph: Graph, array: numpy.ndarray) -> Node:
        assert isinstance(graph, LazyGraph)
        if not array.ndim:
            dtype = from_numpy(array.dtype)
            self.check(dtype)
            return graph.number(array.item(), dtype)
        if not self.device.is_host:
            return graph.lifted(array)
        return graph.input(array if is_frozen(array) else _own(array))

    def array(self, array: numpy.ndarray, copy: bool | None) -> Tensor:
        from_numpy(array.dtype)
        if not self.device.is_host:
            return Tensor._of(self.device.upload(array))
        if copy is False and not array.flags.aligned:
            raise ArgumentError("asarray: an array that is not aligned needs a copy")
        keeps = copy is False or (copy is None and is_frozen(array) and array.flags.aligned)
        return Tensor._of(array if keeps else _own(array))

    def adopted(self, array: Any, copy: bool | None) -> Tensor:
        """A tensor of another library's array in device memory; that memory itself with `copy=False`."""
        from .interchange import adopted, adopted_capsule

        value = adopted(array) if hasattr(array, "__cuda_array_interface__") else adopted_capsule(array)
        if copy is not False:
            value = value.device.copy(value)
        return Tensor._of(value)


FRAME = TensorFrame(CPU)
"""The frame of the host."""
_frames: dict[Device, TensorFrame] = {CPU: FRAME}
_fallen_back: set[str] = set()
"""Devices chosen in settings that are not there, for which the warning was given."""


def tensor_frame(device: Device) -> TensorFrame:
    """The frame of a device's tensors; always the same one."""
    frame = _frames.get(device)
    return _frames.setdefault(device, TensorFrame(device)) if frame is None else frame


def _frame_for(device: Device | None) -> TensorFrame:
    """The frame of a device, or of the one that settings choose."""
    if device is not None:
        return tensor_frame(device)
    name = chosen_device()
    return FRAME if name is None else _chosen_frame(name)


def _chosen_frame(name: str) -> TensorFrame:
    """The frame of a device that settings name; the host's, with a warning, where that is not there."""
    try:
        return tensor_frame(named(name))
    except BackendError as absent:
        if settings().strict:
            raise
        if name not in _fallen_back:
            _fallen_back.add(name)
            warnings.warn(f"{absent.message}; arrays are made on cpu", FallbackWarning, stacklevel=2)
        return FRAME


set_tensor_frames(_frame_for)


def _own(array: numpy.ndarray) -> numpy.ndarray:
    """A copy of an ndarray; within the limits of the host's memory where there are any."""
    if CPU.limits is None:
        return array.copy()
    from .runtime.cpu.bounds import limited_copy

    return limited_copy(array)


def is_frozen(array: Any) -> bool:
    """Whether nobody can write to an ndarray, through it or an array it is a view of."""
    while isinstance(array, numpy.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes)


def compute(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Evaluates several tensors at once, sharing what they have in common, and returns them."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise DTypeError(f"compute takes tensors, not {type(tensor).__name__}")
    wanted = [tensor for tensor in tensors if tensor._value is None]
    for frame in {tensor._home: None for tensor in wanted}:
        _compute(frame, [tensor for tensor in wanted if tensor._home is frame])
    return tensors


def _compute(frame: TensorFrame, wanted: list[Tensor]) -> None:
    graph = frame.begin()
    wanted = [tensor for tensor in wanted if tensor._value is None]
    nodes = [tensor._operand(graph) for tensor in wanted]
    _run(graph, nodes)
    for tensor, node in zip(wanted, nodes, strict=True):
        tensor._settle(graph.known[node])


def flush(graph: LazyGraph) -> None:
    """Evaluates every tensor of a graph whose value is worth keeping, and starts a new graph. In a loop, what
    the present turn has made so far may stay for the new graph."""
    nodes = [tensor._pending[1] for tensor in graph.live() if tensor._pending is not None]
    _run(graph, [node for node in nodes if not graph.is_trivial(node)], flushing=True)


def _run(graph: LazyGraph, outputs: Sequence[Node], flushing: bool = False) -> None:
    """Evaluates outputs of a graph, and the tensors they need: not to compute those again later."""
    start_graph(graph.device)
    if not outputs:
        return
    needed = graph.needed(outputs)
    live = graph.live()
    shared = [tensor._pending[1] for tensor in live if tensor._pending is not None]
    kept = [
        node for node in shared if node in needed and node not in graph.known and not graph.is_trivial(node)
    ]
    nodes = list(dict.fromkeys((*outputs, *kept)))
    operations = list(
        dict.fromkeys(
            node for node in graph._interned.values() if node in needed and node.op.family != "leaf"
        )
    )
    from .repeats import find_repeat  # jitted functions need none

    repeat = find_repeat(operations)
    if repeat is None:
        _evaluate(graph, nodes)
    else:
        _evaluate_parts(graph, operations, repeat, nodes, flushing)
    for tensor in live:
        pending = tensor._pending
        if pending is not None and pending[0] is graph and pending[1] in graph.known:
            tensor._settle(graph.known[pending[1]])


def _evaluate_parts(
    graph: LazyGraph, operations: list[Node], repeat: Repeat, wanted: Sequence[Node], flushing: bool
) -> None:
    """Makes the nodes that are wanted known, part after part. A flush in the middle of a turn stops before
    that turn, and makes known what it needs."""
    from .repeats import last_uses

    place = {node: position for position, node in enumerate(operations)}
    last = last_uses(operations, place)
    ends = repeat.cuts()
    if not flushing or len(operations) - repeat.stop >= repeat.period:
        ends.append(len(operations))
    final = {node for node in wanted if place.get(node, 0) < ends[-1]}
    passing: list[Node] = []
    begin = 0
    for end in ends:
        # A part's results: what is wanted of it, and what later parts need.
        made = [
            node
            for position, node in enumerate(operations[begin:end], begin)
            if node in final or (last[position] >= end and not _is_free(node))
        ]
        passing += [node for node in made if node not in final]
        if end == ends[-1]:
            made += [node for node in final if node not in place]
        if made:
            _evaluate(graph, made)
        begin = end
        for node in [node for node in passing if last[place[node]] < end]:
            passing.remove(node)
            del graph.known[node]


def _is_free(node: Node) -> bool:
    """Whether every part that reads a node may make it itself: a view of an input, a number everywhere."""
    while node.op.family == "movement" and node.inputs:
        node = node.inputs[0]
    return not node.inputs


def _evaluate(graph: LazyGraph, nodes: Sequence[Node]) -> None:
    """Makes nodes of a graph known."""
    program = LazyGraph(graph.device)
    copies = program.take(graph, nodes)
    outputs = [copies[node] for node in nodes]
    if graph.device.is_host:
        values: Sequence[Value] = compute_graph(program, outputs, program.arrays)
    else:
        values = compute_on(graph.device, program, outputs, program.arrays)
    graph.known.update(zip(nodes, values, strict=True))
