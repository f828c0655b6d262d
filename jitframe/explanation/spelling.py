"""Formats values for explanations: types, formulas as a person would write them, sizes, times, lines."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping

from ..errors import SourceLine
from ..ir.index import is_number
from ..ir.node import Node, contiguous_layout
from ..ir.types import Bits


def type_of(node: Node) -> str:
    """`f32[4096, 1024]`."""
    return f"{node.dtype.name}{[int(extent) for extent in node.shape]}"


def is_inline(node: Node) -> bool:
    """Whether a node is written where it is used: a number, or a value repeated along further axes."""
    return node.op.repeats or is_number(node)


class Spelling:
    """Formats the nodes of a graph: `names` of nodes, the user's `inputs` by index and `scalars` by index."""

    def __init__(
        self, names: Mapping[Node, str], inputs: Mapping[int, str], scalars: Mapping[int, str]
    ) -> None:
        self.names = names
        self.arguments: dict[Node, str] = {}
        """The arguments that the parameters of regions stand for."""
        self.inputs = inputs
        self.scalars = scalars

    def operand(self, node: Node) -> str:
        """A node as an operand."""
        name = self.names.get(node)
        return name if name is not None else self.expression(node)

    def number(self, node: Node) -> str:
        value = node.attributes[0]
        if isinstance(value, Bits):
            return repr(value.value)
        assert isinstance(value, int)
        return self.scalars.get(value, f"scalar {value}")

    def expression(self, node: Node) -> str:
        """A node as an expression over its inputs."""
        if node.op.source == "array":
            return self.parameter(node)
        if node.op.source in ("constant", "scalar"):
            return self.number(node)
        inputs = [self.operand(source) for source in node.inputs]
        if node.op.formula is not None:
            return node.op.formula(node, inputs)
        return f"{node.op.name}({', '.join(inputs)})"

    def parameter(self, node: Node) -> str:
        if node in self.arguments:
            return self.arguments[node]
        index, layout = node.attribute("index"), node.attribute("layout")
        name = self.inputs.get(index, f"input {index}")
        return name + ("" if layout == contiguous_layout(len(node.shape)) else ", not contiguous")


def bytes_text(count: int) -> str:
    """`16.0 MiB`."""
    if count < 1024:
        return f"{count} B"
    value, units = count / 1024, ["KiB", "MiB", "GiB", "TiB"]
    while value >= 999.95 and len(units) > 1:
        value /= 1024
        del units[0]
    return f"{value:.1f} {units[0]}"


def time_text(nanoseconds: float) -> str:
    """`1.2 ms`."""
    for limit, scale, unit in ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if nanoseconds < limit:
            return f"{nanoseconds / scale:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def counted(count: int, thing: str) -> str:
    """`1 kernel`, `2 kernels`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def line_text(line: SourceLine) -> str:
    """`demo.py:12  y = np.exp(x)`."""
    code = linecache.getline(line.file, line.line).strip()
    place = f"{os.path.basename(line.file)}:{line.line}"
    return f"{place}  {code}" if code else place


def clipped(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…"
