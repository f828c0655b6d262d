"""`Tensor`: a lazy array with value semantics. Asking for a value evaluates it, fused with all it needs."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy

from .array import LazyArray
from .errors import ArgumentError, DTypeError, TraceError
from .evaluate import compute as compute_graph
from .frame import Frame, set_default_frame
from .ir.node import Graph, Node, Shape
from .ir.types import DType
from .lazy import NODE_LIMIT, LazyGraph, current_graph, start_graph
from .promotion import Weak, from_numpy
from .views import View

_SHOWN_ELEMENTS = 64


class Tensor(LazyArray):
    """An array that is computed when its value is asked for.

    Slices and transposes are values of their own: writing to one never changes another tensor.

    >>> x = asarray([1.0, 2.0, 3.0])
    >>> y = x * 2 + 1          # nothing ran yet
    >>> y.numpy()
    array([3., 5., 7.])
    """

    __slots__ = ("__weakref__", "_known_dtype", "_known_shape", "_pending", "_value")

    def __init__(self, *_: Any, **__: Any) -> None:
        raise DTypeError("a Tensor is not made by its class; use jf.asarray, jf.zeros or their like")

    @staticmethod
    def _lazy(graph: LazyGraph, node: Node) -> Tensor:
        tensor = object.__new__(Tensor)
        tensor._value = None
        tensor._pending = None
        tensor._set(graph, node)
        return tensor

    @staticmethod
    def _of(value: numpy.ndarray) -> Tensor:
        tensor = object.__new__(Tensor)
        tensor._pending = None
        tensor._settle(value)
        return tensor

    def _set(self, graph: LazyGraph, node: Node) -> None:
        """Makes the tensor a node of `graph`."""
        before = self._pending
        self._pending: tuple[LazyGraph, Node] | None = (graph, node)
        self._value: numpy.ndarray | None = None
        self._known_shape, self._known_dtype = node.shape, node.dtype
        if before is None or before[0] is not graph:
            graph.tensors.append(weakref.ref(self))

    def _settle(self, value: numpy.ndarray) -> None:
        """Makes the tensor an evaluated one."""
        self._value = value
        self._pending = None
        self._known_shape, self._known_dtype = value.shape, from_numpy(value.dtype)

    def _pending_in(self, graph: LazyGraph) -> bool:
        pending = self._pending
        return pending is not None and pending[0] is graph

    # Hooks of LazyValue

    @property
    def _frame(self) -> Frame:
        return FRAME

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
        value = self._value
        if value is not None:
            return graph.input(value)
        assert pending is not None
        source, node = pending
        self._set(graph, graph.take(source, [node])[node])
        return self._pending[1]  # type: ignore[index]

    def _view(self, view: View) -> Tensor:
        graph = FRAME.begin()
        return Tensor._lazy(graph, view.apply(graph, self._operand(graph)))

    def _assign(self, graph: Graph, node: Node) -> None:
        if not isinstance(graph, LazyGraph):
            raise TraceError(
                "a value of a jitted function's trace was stored in a jf.Tensor; return it from the "
                "function instead"
            )
        self._set(graph, node)

    def _assign_view(self, graph: Graph, view: View, node: Node) -> None:
        base = self._operand(graph) if isinstance(graph, LazyGraph) and view.steps else node
        self._assign(graph, view.update(graph, base, node))

    def _concrete(self, purpose: str) -> numpy.ndarray:
        return self.numpy()

    # Values

    def numpy(self) -> numpy.ndarray:
        """The value as a read-only ndarray, computed now if it was not yet."""
        if self._value is None:
            compute(self)
        value = self._value
        assert value is not None
        shown = value.view()
        shown.flags.writeable = False
        return shown

    def __dlpack__(self, **options: Any) -> Any:
        try:
            return self.numpy().__dlpack__(**options)
        except BufferError:  # the reader knows no read-only arrays
            return self.numpy().copy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def to_device(self, device: str, /, *, stream: Any = None) -> Tensor:
        from .public.creation import check_device

        check_device(device)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_pickle, (numpy.array(self.numpy()),)

    def __repr__(self) -> str:
        known = self._value is not None and self.size <= _SHOWN_ELEMENTS
        value = f", {numpy.array2string(self.numpy(), separator=', ', prefix='Tensor(')}" if known else ""
        state = "" if self._value is not None else ", not computed yet"
        return (
            f"Tensor(shape={self.shape}, dtype={self._dtype.numpy_name}, device={self.device}{state}{value})"
        )


def _from_pickle(value: numpy.ndarray) -> Tensor:
    return Tensor._of(value)


class TensorFrame(Frame):
    """The lazy tensors of a thread."""

    def begin(self) -> LazyGraph:
        graph = current_graph()
        if len(graph) < NODE_LIMIT:
            return graph
        flush(graph)
        return current_graph()

    def wrap(self, graph: Graph, result: Node | Weak) -> Tensor:
        assert isinstance(graph, LazyGraph)
        return Tensor._lazy(graph, result.node if isinstance(result, Weak) else result)

    def lift(self, graph: Graph, array: numpy.ndarray) -> Node:
        assert isinstance(graph, LazyGraph)
        if not array.ndim:
            return graph.number(array.item(), from_numpy(array.dtype))
        return graph.input(array if is_frozen(array) else array.copy())

    def array(self, array: numpy.ndarray, copy: bool | None) -> Tensor:
        from_numpy(array.dtype)
        if copy is False and not array.flags.aligned:
            raise ArgumentError("asarray: an array that is not aligned needs a copy")
        keeps = copy is False or (copy is None and is_frozen(array) and array.flags.aligned)
        return Tensor._of(array if keeps else array.copy())


FRAME = TensorFrame()
set_default_frame(FRAME)


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
    if wanted:
        graph = FRAME.begin()
        wanted = [tensor for tensor in wanted if tensor._value is None]
        nodes = [tensor._operand(graph) for tensor in wanted]
        _run(graph, nodes)
        for tensor, node in zip(wanted, nodes, strict=True):
            tensor._settle(graph.known[node])
    return tensors


def flush(graph: LazyGraph) -> None:
    """Evaluates every tensor of a graph whose value is worth keeping, and starts a new graph."""
    nodes = [tensor._pending[1] for tensor in graph.live() if tensor._pending is not None]
    _run(graph, [node for node in nodes if not graph.is_trivial(node)])


def _run(graph: LazyGraph, outputs: Sequence[Node]) -> None:
    """Evaluates outputs of a graph, and the tensors they need: not to compute those again later."""
    start_graph()
    if not outputs:
        return
    program = LazyGraph()
    copies = program.take(graph, outputs)
    live = graph.live()
    shared = [tensor._pending[1] for tensor in live if tensor._pending is not None]
    kept = [
        node for node in shared if node in copies and node not in graph.known and not graph.is_trivial(node)
    ]
    nodes = list(dict.fromkeys((*outputs, *kept)))
    values = _evaluate(program, [copies[node] for node in nodes])
    graph.known.update(zip(nodes, values, strict=True))
    for tensor in live:
        pending = tensor._pending
        if pending is not None and pending[0] is graph and pending[1] in graph.known:
            tensor._settle(graph.known[pending[1]])


def _evaluate(program: LazyGraph, outputs: list[Node]) -> list[numpy.ndarray]:
    """Fresh ndarrays of the outputs' values."""
    return compute_graph(program, outputs, program.arrays)
