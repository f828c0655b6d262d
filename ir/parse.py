"""Reads graphs from the text that `text` prints.

>>> parse_graph(graph_text(outputs), graph) == outputs   # in the same graph they are the same nodes
True
"""

from __future__ import annotations

from typing import Any

from .node import Graph, Node, Region, Shape
from .ops import OPS
from .structure import Size
from .text import SHOWN_BY_TYPE
from .text_form import Reader
from .types import BY_NAME, Bits


class GraphSyntaxError(ValueError):
    """Text that is no valid graph: line and column, the expectation, the line."""


def parse_graph(text: str, graph: Graph | None = None) -> tuple[Node, ...]:
    """Returns the outputs of the graph that `text` prints, made in `graph` or in a new one.

    Raises GraphSyntaxError with the line, also where a line's type is not that of its op's result.
    """
    return _Parser(text.splitlines(), GraphSyntaxError).graph(Graph() if graph is None else graph)


class _Open:
    """A graph or region being read."""

    def __init__(self, graph: Graph, indent: int, parameters: int = 0) -> None:
        self.graph = graph
        self.indent = indent
        self.parameters = parameters
        self.values: list[Node] = []
        self.pending: tuple[Any, ...] = ()
        """The control line whose regions are being read: op name, inputs, attributes so far, shape, dtype."""
        self.regions: list[Region] = []


class _Parser(Reader):
    def graph(self, graph: Graph) -> tuple[Node, ...]:
        self.take_line("the line 'graph'")
        self.expect("graph")
        self.end_line()
        stack = [_Open(graph, 2)]
        while True:
            indent, _ = self.following()
            self.take_line("a return")
            results = self._line(stack, indent)
            if results is None:
                continue
            inner = stack.pop()
            if not stack:
                self.end("the graph goes on after its return")
                return results
            stack[-1].regions.append(Region(inner.graph, tuple(inner.values[: inner.parameters]), results))

    def _line(self, stack: list[_Open], indent: int) -> tuple[Node, ...] | None:
        """Reads one line into the innermost open graph; returns its outputs, where the line ends it."""
        here = stack[-1]
        if self.accept("region"):
            if not here.pending or indent != here.indent + 2:
                self.fail("a region belongs to the loop or cond above it")
            self.expect("of")
            stack.append(_Open(Graph(here.graph), indent + 2, self.integer()))
            self.expect(":")
            self.end_line()
            return None
        if indent != here.indent:
            self.fail(f"expected an indent of {here.indent}")
        self._close(here)
        if self.accept("return" if len(stack) == 1 else "yield"):
            if len(here.values) < here.parameters:
                self.fail(f"a region of {here.parameters} has so many parameters first")
            results = self._inputs(here)
            self.end_line()
            return results
        self._definition(here)
        return None

    def _definition(self, here: _Open) -> None:
        if self.index("value") != len(here.values):
            self.fail(f"values are numbered in order: expected %{len(here.values)}")
        self.expect(":")
        dtype, shape = self.dtype(), self._shape()
        self.expect("=")
        name = self.token("name")
        if name not in OPS:
            self.fail(f"no op is called {name}")
        known = OPS[name].attribute_names
        inputs = self._inputs(here)
        given: dict[str, Any] = {"shape": shape, "dtype": dtype}
        while self.kind != "end":
            if inputs or len(given) > 2:
                self.expect(",")
            attribute = self.token("name")
            if attribute not in known and attribute not in SHOWN_BY_TYPE:
                self.fail(f"{name} has no attribute {attribute}")
            self.expect("=")
            given[attribute] = self.value()
        here.pending = (name, inputs, given, shape, dtype)
        if OPS[name].family != "control" or set(known) <= set(given):
            self._close(here)

    def _close(self, here: _Open) -> None:
        """Makes the node of the control line, now that its regions are known."""
        if not here.pending:
            return
        name, inputs, given, shape, dtype = here.pending
        op, regions = OPS[name], iter(here.regions)
        here.pending, here.regions = (), []
        attributes: list[Any] = []
        for attribute in op.attribute_names:
            value = given[attribute] if attribute in given else next(regions, None)
            if value is None:
                self.fail(f"{name} needs {attribute}")
            attributes.append(value)
        if next(regions, None) is not None:
            self.fail(f"{name} has too many regions")
        node = self._made(here.graph, name, inputs, tuple(attributes))
        if node.shape != shape or node.dtype is not dtype:
            self.fail(f"{name} gives {node.dtype.name}{list(node.shape)}, not {dtype.name}{list(shape)}")
        here.values.append(node)

    def _made(self, graph: Graph, name: str, inputs: tuple[Node, ...], attributes: tuple[Any, ...]) -> Node:
        if name == "constant":
            value, dtype = attributes
            attributes = (Bits(float(value) if dtype.is_float else value), dtype)
        try:
            return graph.make(OPS[name], *inputs, attributes=attributes)
        except (AssertionError, ValueError, IndexError, TypeError) as error:
            self.fail(f"{name} does not take these: {error}")

    def _inputs(self, here: _Open) -> tuple[Node, ...]:
        """Reads values up to the first attribute, but not its comma."""
        nodes: list[Node] = []
        while self.kind == "value":
            number = self.index("value")
            if number >= len(here.values):
                self.fail(f"%{number} is not defined above")
            nodes.append(here.values[number])
            if not (self.peek(",") and self.kind_after(1) == "value"):
                break
            self.expect(",")
        return tuple(nodes)

    def _shape(self) -> Shape:
        extents = self.value()
        if not isinstance(extents, tuple) or not all(isinstance(extent, int) for extent in extents):
            self.fail("expected a shape")
        return extents

    def value(self) -> Any:
        """Reads an attribute; dtypes and sizes, too."""
        if self.kind == "name" and self.peek(*BY_NAME):
            return self.dtype()
        found = super().value()
        return Size(found, self.index("buffer")) if type(found) is int and self.kind == "buffer" else found
