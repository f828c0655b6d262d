"""The graphs of lazy tensors: one for each thread and device, from one evaluation to the next.

A graph's nodes live as long as the graph, and the graph as long as it is current or a tensor that was not
evaluated holds it. Each evaluation starts a new graph; a tensor left over from an older one is copied into
the current graph when it is used again. So neither nodes nor the arrays they read outlive their use.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..arrays.layout import Strides, layout_of
from ..arrays.narrow import fit_to
from ..arrays.promotion import NUMBERS, from_numpy
from ..arrays.views import View
from ..base.locks import Local
from ..functions import elementwise
from ..ir.node import LEAVES, Attributes, Graph, Node, Op, Shape
from ..ir.types import COMMON, F32, F64, DType
from ..runtime.device import CPU, Device
from .steps import Step, first_step, note_steps
from .transfers import Value, announce, moved, moved_unasked

if TYPE_CHECKING:
    from .tensor import Tensor

NODE_LIMIT = 1000
"""A graph with this many nodes is evaluated before the next operation."""
CARRIED_LIMIT = 64
"""Nodes that take more operations are evaluated when a later graph uses them, not copied into it."""
TENSOR_LIMIT = 16 * NODE_LIMIT
"""The limit of tensors made in a graph, alive or not: a loop may make one node again and again."""

_A_VALUE = -1
"""A placeholder for a scalar whose value decides which nodes a function makes."""
FOR_ANY_NUMBER = frozenset((
    elementwise.add, elementwise.subtract, elementwise.multiply, elementwise.divide,
    elementwise.less, elementwise.less_equal, elementwise.greater, elementwise.greater_equal,
    elementwise.equal, elementwise.not_equal, elementwise.minimum, elementwise.maximum,
))  # fmt: skip
"""Operators of a floating array that make the same nodes for any scalar operand."""

_PARAMETER, _SCALAR = LEAVES["parameter"], LEAVES["scalar"]


def number_token(value: bool | int | float) -> Hashable:
    """A token for a number that kernels have baked in, which distinguishes programs."""
    return value.__class__, value if value else str(value)  # a zero has a sign


class LazyGraph(Graph):
    """A graph with the arrays of its parameters, and the tensors that refer to its nodes.

    An exception may strike between any two instructions (Ctrl-C, a timer). What has been built is what `step`
    says, which each operation changes by one assignment, after all that the new step needs is there; what was
    left beside it by an operation that did not come so far is overwritten or found nowhere.
    """

    __slots__ = (
        "_arrays",
        "_at",
        "_used",
        "building",
        "carries",
        "device",
        "ended_full",
        "inputs",
        "is_left",
        "known",
        "moved",
        "operands",
        "step",
        "tensors",
    )

    def __init__(self, device: Device = CPU, step: Step | None = None) -> None:
        # What `Graph.__init__` does, here as each evaluation starts a graph.
        self._interned = {}
        self.fit = fit_to(device.narrows) if device.narrows else None
        self._numbers = {}
        self.scalar_values = []
        self.device = device
        self.step = first_step(device) if step is None else step
        """The step that the program has reached."""
        self._at = self.step
        """The step up to which `_interned` has the nodes: only new nodes need it."""
        self._used: dict[int, tuple[Any, DType]] | None = None
        """The run-time scalars of the present function, whose node programs may share."""
        self.ended_full = False
        """Whether it ended at its size limit: part of a loop's iteration may then continue in the next
        graph."""
        self.carries = False
        """Whether it continues nodes of an earlier graph."""
        self.is_left = False
        """Whether its thread has moved on to another graph: no node is added any more."""
        self.building = False
        """Whether an operation is in progress. Another one that begins meanwhile (a signal handler's, a
        destructor's, a debugger's) takes a new graph; so does one after an error."""
        self._arrays: list[Any] = []
        """The arrays of the parameters, by index; one more where adding it was interrupted."""
        self.inputs: dict[int, Node] = {}
        """The parameters, by the identity of their arrays (which the graph keeps alive)."""
        self.moved: dict[int, tuple[Value, Node]] = {}
        """Values of other devices with their parameters here, by identity."""
        self.known: dict[Node, Any] = {}
        """Values of nodes that were evaluated."""
        self.tensors: list[weakref.ref[Tensor]] = []
        self.operands: list[tuple[Shape, Strides | None, Node]] = []
        """Shapes, strides and nodes of the present operation's operands."""

    def __len__(self) -> int:
        return self.step.count

    @property
    def is_recorded_once(self) -> bool:  # type: ignore[override]
        """Whether a loop of Python is recorded once; False where the device has library calls, as it is
        recorded at every iteration."""
        return not self.device.is_host

    @property
    def nodes(self) -> list[Node]:
        """All nodes, inputs before users."""
        return self.step.nodes()

    @property
    def arrays(self) -> list[Any]:
        """The arrays of the parameters, by index, all of them on the device."""
        return self._arrays[: self.step.inputs]

    def make(self, op: Op, *inputs: Node, attributes: Attributes = ()) -> Node:
        key = (op, inputs, attributes)
        known = self.step.next.get(key)
        if known is None:
            known = self._make_first(key)
        self.step, node = known
        return node

    def result(
        self, key: Hashable, function: Callable[..., Node], operands: Sequence[Any], arguments: Sequence[Any]
    ) -> Node:
        asked: list[Hashable] = [key]
        dtype = next((operand.dtype for operand in operands if operand.__class__ is Node), None)
        for operand in operands:
            token = operand if operand.__class__ is Node else self._token(key, dtype, operand)
            if token is None:
                return function(self, *operands, *arguments)
            asked.append(token)
        return self._result(tuple(asked), function, operands, arguments)

    def unary(self, function: Callable[..., Node], node: Node, name: Hashable) -> Node:
        """Applies `function` to a node; `name` identifies it."""
        key = name, node
        known = self.step.next.get(key)
        if known is None:
            return self._result(key, function, (node,), ())
        self.step, made = known
        return made

    def binary(self, function: Callable[..., Node], x: Any, y: Any) -> Node:
        """The operator `function` of two nodes, or of a node and a Python number."""
        first = x if x.__class__ is Node else self._token(function, y.dtype, x)
        second = y if y.__class__ is Node else self._token(function, x.dtype, y)
        if first is None or second is None:
            return function(self, x, y)
        key = function, first, second
        known = self.step.next.get(key)
        if known is None:
            return self._result(key, function, (x, y), ())
        self.step, node = known
        return node

    def _result(
        self,
        key: tuple[Hashable, ...],
        function: Callable[..., Node],
        operands: Sequence[Any],
        arguments: Sequence[Any],
    ) -> Node:
        """Returns the result of such a key at this step, or else applies the function."""
        before = self.step
        known = before.next.get(key)
        if known is None:
            brings = None if before.brings is None else before.brings.get(key)
            if brings is not None:
                known = before.next.get((key, *[self.number_index(*number) for number in brings]))
        if known is None:
            self._used = used = dict[int, tuple[Any, DType]]()
            node = function(self, *operands, *arguments)
            self._used = None
            if node.__class__ is not Node or _A_VALUE in used:
                return node  # another value would make another node
            own = [index for index in used if index not in key]
            if own:
                before.brings = before.brings or {}
                before.brings[key] = tuple([used[index] for index in own])
                key = (key, *own)
            known = before.next.setdefault(key, (self.step, node))
        self.step, node = known
        return node

    def number_index(self, value: bool | int | float, dtype: DType) -> int:
        index = super().number_index(value, dtype)
        if self._used is not None:
            self._used[index] = value, dtype
        return index

    def _note_value(self) -> None:
        if self._used is not None:
            self._used[_A_VALUE] = None, F64

    def _token(self, function: Any, dtype: DType | None, value: Any) -> Hashable:
        """Returns the token of a number among nodes, the first of that dtype: itself where kernels contain
        it, the index of the run-time scalar where the function takes any; None where that is not known."""
        kind = value.__class__
        if kind not in NUMBERS or kind is complex:
            return None
        if value in COMMON:
            return number_token(value)
        if (dtype is not F64 and dtype is not F32) or function not in FOR_ANY_NUMBER or self.fit is not None:
            return None
        value = float(value)
        return Graph.number_index(self, value, dtype) if value == value else None

    def _make_first(self, key: tuple[Op, tuple[Node, ...], Attributes]) -> tuple[Step, Node]:
        """Returns a node for a key that is new at this step: one made earlier in the program, or a new
        one."""
        (op, inputs, attributes), before, interned = key, self.step, self._interned
        for node in before.nodes(self._at):
            interned[node.op, node.inputs, node.attributes] = node
        self._at = before
        earlier = interned.get(key)
        if earlier is not None:
            made = before, earlier
        else:
            fitting = attributes if self.fit is None else self.fit(attributes)
            if fitting is attributes:
                node = Node(op, inputs, attributes, *op.infer(inputs, attributes))
                made = Step(before, node), node
                note_steps(1)
            else:
                node = self.make(op, *inputs, attributes=fitting)
                made = self.step, node
        # Another thread may have been first.
        return before.next.setdefault(key, made)

    def viewed(self, view: View, key: Hashable, node: Node) -> Node:
        """Returns the view of a node; `key` identifies it among views of the node's shape."""
        if key is None:
            return view.apply(self, node)
        before, asked = self.step, (View, key, node)
        known = before.next.get(asked)
        if known is None:
            made = view.apply(self, node)
            known = before.next.setdefault(asked, (self.step, made))
        self.step, made = known
        return made

    def input(self, array: Any) -> Node:
        """The parameter that is `array`, which is on the device."""
        node = self.inputs.get(id(array))
        if node is None:
            before = self.step
            index = before.inputs
            self._arrays[index:] = (array,)
            if self.device.is_host:
                key = array.dtype, array.shape, array.strides
                known = before.next.get(key)
                if known is None:
                    node = self.parameter(index, array.shape, from_numpy(array.dtype), layout_of(array))
                    before.next[key] = self.step, node
                else:
                    self.step, node = known
            else:
                node = self.parameter(index, array.shape, from_numpy(array.dtype))
            self.inputs[id(array)] = node
        return node

    def number_value(self, node: Node) -> Any:
        self._note_value()
        return super().number_value(node)

    def known_value(self, node: Node) -> numpy.ndarray | None:
        if node.op.source != "array":
            return None
        self._note_value()
        value = self._arrays[node.attribute("index")]
        return value if isinstance(value, numpy.ndarray) else None

    def foreign(self, value: Value) -> Node:
        """The parameter that is a value of another device: moved once for this graph."""
        known = self.moved.get(id(value))
        if known is None:
            node = self.input(moved_unasked(value, self.device, f"y.to_device({self.device.name!r})"))
            known = self.moved[id(value)] = value, node
        return known[1]

    def lifted(self, array: numpy.ndarray) -> Node:
        """The parameter that has the present values of an ndarray, on a device that is not the host."""
        instead = f"jf.asarray(y, device={self.device.name!r})"
        announce(array.dtype, array.shape, CPU, self.device, instead)
        return self.input(moved(array, self.device))

    def take(
        self, source: LazyGraph, outputs: Iterable[Node], known: Mapping[Node, Any] | None = None
    ) -> dict[Node, Node]:
        """Copies the operands of `outputs` from another graph, known values as parameters; returns old to new
        nodes. `known`: values in place of the graph's own."""
        copied: dict[Node, Node] = {}
        known = source.known if known is None else known
        stack = list(outputs)
        while stack:
            node = stack[-1]
            if node in copied:
                stack.pop()
                continue
            missing = [] if node in known else [each for each in node.inputs if each not in copied]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if node in known:
                copied[node] = self.input(known[node])
            elif node.op.source == "array":
                copied[node] = self.input(source._arrays[node.attribute("index")])
            elif node.op.source == "scalar":
                value = source.scalar_values[node.attribute("index")]
                copied[node] = self.number(value, node.dtype, common=False)
            else:
                inputs = (copied[each] for each in node.inputs)
                copied[node] = self.make(node.op, *inputs, attributes=node.attributes)
        return copied

    def needed(self, outputs: Iterable[Node]) -> set[Node]:
        """Returns the nodes to compute for these: they and their operands without a known value."""
        nodes: set[Node] = set()
        stack = [node for node in outputs if node not in self.known]
        while stack:
            node = stack.pop()
            if node not in nodes:
                nodes.add(node)
                stack.extend(each for each in node.inputs if each not in self.known)
        return nodes

    def is_long(self, node: Node) -> bool:
        """Whether a node needs so much computation that it is not deferred again: a loop that reads values
        would copy all deferred nodes at every iteration."""
        if self.ended_full or self.building:
            return False
        nodes: set[Node] = set()
        stack = [node]
        while stack and len(nodes) <= CARRIED_LIMIT:
            node = stack.pop()
            if node not in nodes and node not in self.known and node.op.family != "leaf":
                nodes.add(node)
                stack.extend(node.inputs)
        return len(nodes) > CARRIED_LIMIT

    def live(self) -> list[Tensor]:
        """Returns the tensors of nodes of this graph."""
        tensors: list[Tensor] = []
        for reference in self.tensors:
            tensor = reference()
            if tensor is not None and tensor._value is None:
                pending = tensor._pending
                if pending is not None and pending[0] is self:
                    tensors.append(tensor)
        return tensors

    def is_trivial(self, node: Node) -> bool:
        """Whether a node is a view of known values or free: its value is not worth keeping."""
        while node.op.family == "movement" and node.inputs and node not in self.known:
            node = node.inputs[0]
        return not node.inputs or node in self.known


class _Thread(Local):
    def __init__(self) -> None:
        self.graphs: dict[int, LazyGraph] = {}
        """By the identity of the device, which its graph keeps alive."""


THREAD = _Thread()
"""The graphs of the present thread."""


def current_graph(device: Device = CPU) -> LazyGraph:
    """The graph that this thread's operations on a device are added to."""
    graph = THREAD.graphs.get(id(device))
    return start_graph(device) if graph is None else graph


def start_graph(device: Device = CPU) -> LazyGraph:
    """Leaves the current graph to the tensors that still need it, and starts a new one."""
    graphs = THREAD.graphs
    before = graphs.get(id(device))
    graph = graphs[id(device)] = LazyGraph(device)
    if before is not None:
        before.is_left = not before.building
    return graph


def leave_graph(graph: LazyGraph) -> None:
    """Starts a new graph after this one, where it is the current one."""
    graphs, device = THREAD.graphs, graph.device
    key = id(device)
    if graphs.get(key) is graph:
        graphs[key] = LazyGraph(device)
        graph.is_left = not graph.building
