"""Reading graphs from the text that `text` prints.

>>> parse_graph(graph_text(outputs), graph) == outputs   # in the same graph they are the same nodes
True
"""

from __future__ import annotations

import ast
import math
import re
import struct
from typing import Any, NoReturn

from .node import Bits, Graph, Node, Region, Shape
from .ops import OPS
from .structure import Size
from .text import SHOWN_BY_TYPE
from .types import BY_NAME, DType


class GraphSyntaxError(ValueError):
    """A text that is no graph: line number, what was expected, the line."""


def parse_graph(text: str, graph: Graph | None = None) -> tuple[Node, ...]:
    """The outputs of the graph that `text` prints, made in `graph` or in a new one.

    Raises GraphSyntaxError with the line, also where a line's type is not what its op gives.
    """
    return _Parser(text).graph(Graph() if graph is None else graph)


_TOKEN = re.compile(
    r"""\s*(?:
        (?P<value>%\d+)
      | (?P<number>-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf\b|nan\b)(?::[0-9a-f]{16})?)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>[=\[\],:@])
    )""",
    re.VERBOSE,
)


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


class _Parser:
    def __init__(self, text: str) -> None:
        self.lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        self.number = 1
        self.line = ""
        self.tokens: list[tuple[str, str]] = []
        self.position = 0

    def fail(self, message: str) -> NoReturn:
        raise GraphSyntaxError(f"line {self.number}: {message}: {self.line.strip()!r}")

    def graph(self, graph: Graph) -> tuple[Node, ...]:
        if not self.lines or self.lines[0][1].strip() != "graph":
            raise GraphSyntaxError("line 1: a graph starts with the line 'graph'")
        stack = [_Open(graph, 2)]
        for number, line in self.lines[1:]:
            self.number, self.line = number, line
            self._scan()
            results = self._line(stack)
            if results is None:
                continue
            inner = stack.pop()
            if not stack:
                if self.number != self.lines[-1][0]:
                    self.fail("the graph goes on after its return")
                return results
            stack[-1].regions.append(Region(inner.graph, tuple(inner.values[: inner.parameters]), results))
        self.fail("expected a return")

    def _line(self, stack: list[_Open]) -> tuple[Node, ...] | None:
        """Read one line into the innermost open graph; what it returns, where it ends one."""
        here = stack[-1]
        indent = len(self.line) - len(self.line.lstrip(" "))
        if self.tokens[0] == ("name", "region"):
            if not here.pending or indent != here.indent + 2:
                self.fail("a region belongs to the loop or cond above it")
            self.position = 1
            self.expect("of")
            stack.append(_Open(Graph(here.graph), indent + 2, self.integer()))
            self.expect(":")
            self.ended()
            return None
        if indent != here.indent:
            self.fail(f"expected an indent of {here.indent}")
        self._close(here)
        last = "return" if len(stack) == 1 else "yield"
        if self.tokens[0] == ("name", last):
            self.position = 1
            if len(here.values) < here.parameters:
                self.fail(f"a region of {here.parameters} has so many parameters first")
            results = self.values(here)
            self.ended()
            return results
        self._definition(here)
        return None

    def _definition(self, here: _Open) -> None:
        if self.token("value") != f"%{len(here.values)}":
            self.fail(f"values are numbered in order: expected %{len(here.values)}")
        self.expect(":")
        dtype, shape = self.dtype(), self.shape()
        self.expect("=")
        name = self.token("name")
        if name not in OPS:
            self.fail(f"no op is called {name}")
        inputs = self.values(here)
        given: dict[str, Any] = {"shape": shape, "dtype": dtype}
        while self.position < len(self.tokens):
            if inputs or len(given) > 2:
                self.expect(",")
            attribute = self.token("name")
            self.expect("=")
            given[attribute] = self.attribute()
        here.pending = (name, inputs, given, shape, dtype)
        names = OPS[name].attribute_names
        unknown = set(given) - set(names) - SHOWN_BY_TYPE
        if unknown:
            self.fail(f"{name} has no attribute {unknown.pop()}")
        if OPS[name].family != "control" or set(names) <= set(given):
            self._close(here)

    def _close(self, here: _Open) -> None:
        """Make the node of the line before, now that its regions are known."""
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

    # Parts --------------------------------------------------------------------------------------------
    def values(self, here: _Open) -> tuple[Node, ...]:
        found = []
        while self.position < len(self.tokens) and self.tokens[self.position][0] == "value":
            number = int(self.token("value")[1:])
            if number >= len(here.values):
                self.fail(f"%{number} is not defined above")
            found.append(here.values[number])
            if self.position + 1 >= len(self.tokens) or self.tokens[self.position + 1][0] != "value":
                break
            self.expect(",")
        return tuple(found)

    def dtype(self) -> DType:
        name = self.token("name")
        if name not in BY_NAME:
            self.fail(f"no dtype is called {name}")
        return BY_NAME[name]

    def shape(self) -> Shape:
        extents = self.attribute()
        if not isinstance(extents, tuple) or not all(isinstance(extent, int) for extent in extents):
            self.fail("expected a shape")
        return extents

    def attribute(self) -> Any:
        if self.accept("["):
            items: list[Any] = []
            while not self.accept("]"):
                if items:
                    self.expect(",")
                items.append(self.attribute())
            return tuple(items)
        kind, text = self.tokens[self.position] if self.position < len(self.tokens) else ("end", "")
        self.position += 1
        if kind == "text":
            return ast.literal_eval(text)
        if kind == "number":
            value = _number(text)
            return Size(int(value), self.integer()) if self.accept("@") else value
        if kind == "name" and text in ("True", "False"):
            return text == "True"
        if kind == "name" and text in BY_NAME:
            return BY_NAME[text]
        self.fail("expected the value of an attribute")

    def integer(self) -> int:
        return int(self.token("number"))

    # Tokens -------------------------------------------------------------------------------------------
    def _scan(self) -> None:
        self.tokens, self.position, at = [], 0, 0
        text = self.line.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self.fail(f"unexpected {text[at:].strip()[:1]!r}")
            kind = str(found.lastgroup)
            self.tokens.append((kind, found.group(kind)))
            at = found.end()

    def accept(self, text: str) -> bool:
        found = self.position < len(self.tokens) and self.tokens[self.position][1] == text
        self.position += found
        return found

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.fail(f"expected {text}")

    def token(self, kind: str) -> str:
        if self.position >= len(self.tokens) or self.tokens[self.position][0] != kind:
            self.fail(f"expected a {kind}")
        self.position += 1
        return self.tokens[self.position - 1][1]

    def ended(self) -> None:
        if self.position < len(self.tokens):
            self.fail(f"unexpected {self.tokens[self.position][1]}")


def _number(text: str) -> int | float:
    spelled, _, bits = text.partition(":")
    if bits:
        value: float = struct.unpack("<d", struct.pack("<Q", int(bits, 16)))[0]
        return value
    if re.fullmatch(r"-?\d+", spelled):
        return int(spelled)
    if spelled.endswith("nan"):
        return math.copysign(math.nan, -1.0 if spelled.startswith("-") else 1.0)
    return float(spelled)
