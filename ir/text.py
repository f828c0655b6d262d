"""Graphs as text: canonical, no ids, read back by `parse`.

>>> print(graph_text(outputs))
graph
  %0: f32[3] = parameter index=0, layout='1'
  %1: f32[] = constant value=2.0
  %2: f32[3] = broadcast %1, axes=[]
  %3: f32[3] = mul %0, %2
  return %3

Values are numbered in order of need, so equal graphs print equal texts. Attributes that the type of a line
shows (shape, dtype) are not repeated. A region's values are numbered anew: equal bodies print equal texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .node import Node, Region, topological
from .text_form import marked_lines, number_text
from .types import Bits, DType

SHOWN_BY_TYPE = frozenset(("shape", "dtype"))
"""Attributes that the type of the result shows."""


def graph_text(outputs: Iterable[Node]) -> str:
    """Returns the canonical text of the graph that computes `outputs`."""
    return "\n".join(GraphPrinter(outputs).lines) + "\n"


def marked_graph(outputs: Iterable[Node], node: Node | None) -> str:
    """Returns the numbered lines of a graph, that of `node` marked with an arrow."""
    printer = GraphPrinter(outputs)
    marked = printer.line_of.get(node, 0) if node is not None else 0
    return marked_lines(printer.lines, marked)


def type_text(node: Node) -> str:
    """`f32[4096, 1024]`; a size of a symbolized graph reads `4096@0`, 0 being its number."""
    return f"{node.dtype.name}[{', '.join(map(repr, node.shape))}]"


class GraphPrinter:
    """One printing of a graph: its `lines`, the name of each node outside regions, and its line (from 0)."""

    def __init__(self, outputs: Iterable[Node]) -> None:
        self.lines = ["graph"]
        self.names: dict[Node, str] = {}
        self.line_of: dict[Node, int] = {}
        outputs = tuple(outputs)
        self._body(topological(outputs), outputs, "return", "  ", self.names)

    def _body(
        self, order: Iterable[Node], results: Iterable[Node], last: str, indent: str, names: dict[Node, str]
    ) -> None:
        for node in order:
            self.line_of.setdefault(node, len(self.lines))
            names[node] = f"%{len(names)}"
            parts = [names[source] for source in node.inputs]
            regions: list[Region] = []
            for name, value in zip(node.op.attribute_names, node.attributes, strict=False):
                if isinstance(value, Region):
                    regions.append(value)
                elif name not in SHOWN_BY_TYPE:
                    parts.append(f"{name}={attribute_text(value)}")
            line = f"{indent}{names[node]}: {type_text(node)} = {node.op.name}"
            self.lines.append(f"{line} {', '.join(parts)}" if parts else line)
            for region in regions:
                self._region(region, indent + "  ")
        named = ", ".join(names[node] for node in results)
        self.lines.append(f"{indent}{last} {named}" if named else indent + last)

    def _region(self, region: Region, indent: str) -> None:
        self.lines.append(f"{indent}region of {len(region.parameters)}:")
        order = topological((*region.parameters, *region.results))
        self._body(order, region.results, "yield", indent + "  ", {})


def attribute_text(value: Any) -> str:
    """Returns an attribute in the form that `parse` reads; tuples are in brackets."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(attribute_text, value))}]"
    if isinstance(value, DType):
        return value.name
    if isinstance(value, Bits):
        return number_text(value.value)
    return repr(value)
