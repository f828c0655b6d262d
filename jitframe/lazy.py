"""The graphs of lazy tensors: one for each thread, from one evaluation to the next.

A graph's nodes live as long as the graph, and the graph as long as it is current or a tensor that was not
evaluated holds it. Each evaluation starts a new graph; a tensor left over from an older one is copied into
the current graph when it is used again. So neither nodes nor the arrays they read outlive their use.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy

from .ir.node import LEAVES, Graph, Node
from .layout import layout_of
from .promotion import from_numpy

if TYPE_CHECKING:
    from .tensor import Tensor

NODE_LIMIT = 1000
"""A graph with this many nodes is evaluated before the next operation."""

_PARAMETER, _SCALAR = LEAVES["parameter"], LEAVES["scalar"]


class LazyGraph(Graph):
    """A graph with the arrays that its parameters are, and the tensors that it holds nodes of."""

    __slots__ = ("arrays", "inputs", "known", "tensors")

    def __init__(self) -> None:
        super().__init__()
        self.arrays: list[numpy.ndarray] = []
        """The arrays of the parameters, by index."""
        self.inputs: dict[int, Node] = {}
        """The parameters, by the identity of their arrays (which `arrays` keeps alive)."""
        self.known: dict[Node, numpy.ndarray] = {}
        """Values of nodes that were evaluated."""
        self.tensors: list[weakref.ref[Tensor]] = []

    def input(self, array: numpy.ndarray) -> Node:
        """The parameter that is `array`."""
        node = self.inputs.get(id(array))
        if node is None:
            index = len(self.arrays)
            self.arrays.append(array)
            node = self.parameter(index, array.shape, from_numpy(array.dtype), layout_of(array))
            self.inputs[id(array)] = node
        return node

    def take(self, source: LazyGraph, outputs: Iterable[Node]) -> dict[Node, Node]:
        """Copies what `outputs` of another graph need, known values as parameters; old to new nodes."""
        copied: dict[Node, Node] = {}
        known = source.known
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
            elif node.op is _PARAMETER:
                copied[node] = self.input(source.arrays[node.attribute("index")])
            elif node.op is _SCALAR:
                copied[node] = self.number(source.scalar_values[node.attribute("index")], node.dtype)
            else:
                inputs = (copied[each] for each in node.inputs)
                copied[node] = self.make(node.op, *inputs, attributes=node.attributes)
        return copied

    def live(self) -> list[Tensor]:
        """The tensors that are nodes of this graph."""
        found = (reference() for reference in self.tensors)
        return [tensor for tensor in found if tensor is not None and tensor._pending_in(self)]

    def is_trivial(self, node: Node) -> bool:
        """Whether a node is a view of what is known or costs nothing: its value is not worth keeping."""
        while node.op.family == "movement" and node.inputs and node not in self.known:
            node = node.inputs[0]
        return not node.inputs or node in self.known


class _Thread(threading.local):
    def __init__(self) -> None:
        self.graph = LazyGraph()


_thread = _Thread()


def current_graph() -> LazyGraph:
    """The graph that this thread's operations are added to."""
    return _thread.graph


def start_graph() -> LazyGraph:
    """Leaves the current graph to the tensors that still need it, and starts a new one."""
    _thread.graph = LazyGraph()
    return _thread.graph
