"""The parts of a model as plain records: values, nodes and graphs, without protocol buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..ir.record import identity_record, record


class Value(metaclass=record):
    """An input or output of a model."""

    name: str
    dtype: numpy.dtype | None
    """None where the model does not say, or where it is no array."""
    shape: tuple[int | str | None, ...] | None
    """An extent is an integer, a name that stands for the same integer wherever it is used, or None; the
    whole is None where the model does not say how many axes there are."""

    def __str__(self) -> str:
        extents = "..." if self.shape is None else ", ".join("?" if n is None else str(n) for n in self.shape)
        return f"{self.name}: {'array' if self.dtype is None else self.dtype}[{extents}]"


class Node(metaclass=identity_record):
    """An operation of a graph."""

    op: str
    domain: str
    """"" for the operators of ONNX itself."""
    opset: int
    """The version of the operator set of its domain."""
    name: str
    inputs: tuple[str, ...]
    """"" where an optional one is not given."""
    outputs: tuple[str, ...]
    attributes: dict[str, Any]
    """Numbers, strings, tuples of them, ndarrays, and graphs."""
    body: Graph | None = None
    """What it does, where it is a function of the model, or the standard writes it in other operators."""
    expand: Callable[[Sequence[Any]], Graph] | None = None
    """Gives that for the dtypes and shapes of inputs, where the standard writes it by them."""

    def __str__(self) -> str:
        called = f" {self.name!r}" if self.name else ""
        return f"the node{called} {self.domain + '.' if self.domain else ''}{self.op}"


class Graph(metaclass=identity_record):
    """Nodes in an order in which each comes after those that it reads."""

    name: str
    inputs: tuple[Value, ...]
    """Those that are given at each call."""
    outputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    constants: dict[str, numpy.ndarray]
    dead: tuple[tuple[str, ...], ...]
    """After each node, the values that nothing needs any more: at a cut, what lives is computed."""


def make_graph(
    name: str,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    nodes: Sequence[Node],
    constants: dict[str, numpy.ndarray],
) -> Graph:
    """A graph that knows how long its values are needed."""
    last: dict[str, int] = {}
    for number, node in enumerate(nodes):
        last.update((each, number) for each in (*node.outputs, *names_read(node)))
    for value in outputs:
        last.pop(value.name, None)
    dead: list[list[str]] = [[] for _ in nodes]
    for each, number in last.items():
        dead[number].append(each)
    return Graph(name, tuple(inputs), tuple(outputs), tuple(nodes), constants, tuple(map(tuple, dead)))


def graphs_of(node: Node) -> list[Graph]:
    """The graphs that a node evaluates and that see the values around it."""
    return [attribute for attribute in node.attributes.values() if isinstance(attribute, Graph)]


def names_read(node: Node) -> set[str]:
    """All values that a node reads, those that its graphs read from around it included."""
    names = {each for each in node.inputs if each}
    for graph in graphs_of(node):
        names |= free_names(graph)
    return names


def free_names(graph: Graph) -> set[str]:
    """What a graph reads from around it."""
    made = {value.name for value in graph.inputs} | graph.constants.keys()
    free: set[str] = set()
    for node in graph.nodes:
        free |= names_read(node) - made
        made |= set(node.outputs)
    return free | ({output.name for output in graph.outputs} - made)


def constants_of(graph: Graph) -> list[tuple[str, numpy.ndarray]]:
    """The constants of a graph, of those in it and of functions that it calls, with their names."""
    found = list(graph.constants.items())
    for node in graph.nodes:
        for each in (*graphs_of(node), *([] if node.body is None else [node.body])):
            found += constants_of(each)
    return found
