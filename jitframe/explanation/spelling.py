"""How explanations spell values: types, formulas as a person would write them, sizes, times, lines."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping, Sequence

from ..errors import SourceLine
from ..ir.node import Bits, Node, Region
from ..ir.structure import kinds_of_wrap

INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "floormod": "%", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "shift_left": "<<", "shift_right": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "dot": "@",
}  # fmt: skip
PREFIX = {"neg": "-", "not": "~"}


def type_of(node: Node) -> str:
    """`f32[4096, 1024]`."""
    return f"{node.dtype.name}{[int(extent) for extent in node.shape]}"


def is_inline(node: Node) -> bool:
    """Whether a node is written out where it is used: a number, or a value repeated along further axes."""
    return node.op.name in ("constant", "scalar", "broadcast")


class Spelling:
    """Spells the nodes of a graph: `names` of nodes, the user's `inputs` by index and `scalars` by index."""

    def __init__(
        self, names: Mapping[Node, str], inputs: Mapping[int, str], scalars: Mapping[int, str]
    ) -> None:
        self.names = names
        self.arguments: dict[Node, str] = {}
        """What the parameters of regions are."""
        self.inputs = inputs
        self.scalars = scalars

    def operand(self, node: Node) -> str:
        """A node where another one uses it."""
        name = self.names.get(node)
        return name if name is not None else self.expression(node)

    def number(self, node: Node) -> str:
        value = node.attributes[0]
        if isinstance(value, Bits):
            return repr(value.value)
        assert isinstance(value, int)
        return self.scalars.get(value, f"scalar {value}")

    def expression(self, node: Node) -> str:
        """What a node is, in terms of its inputs."""
        name = node.op.name
        if name in ("constant", "scalar"):
            return self.number(node)
        if name in _SPECIAL:
            special: str = _SPECIAL[name](self, node)
            return special
        inputs = [self.operand(source) for source in node.inputs]
        if name in INFIX:
            return f" {INFIX[name]} ".join(inputs)
        if name in PREFIX:
            return PREFIX[name] + inputs[0]
        return f"{name}({', '.join(inputs)})"

    def parameter(self, node: Node) -> str:
        if node in self.arguments:
            return self.arguments[node]
        index, layout = node.attribute("index"), node.attribute("layout")
        name = self.inputs.get(index, f"input {index}")
        return name + ("" if layout == _contiguous(len(node.shape)) else ", not contiguous")

    def reduce(self, node: Node) -> str:
        kind, axes = node.attributes[:2]
        return f"{kind}({self.operand(node.inputs[0])}, axis={_axes(axes)})"

    find = reduce

    def scan(self, node: Node) -> str:
        kind, axis = node.attributes
        return f"cumulative_{kind}({self.operand(node.inputs[0])}, axis={axis})"

    def broadcast(self, node: Node) -> str:
        kept = node.attribute("axes")
        if not kept:
            return self.operand(node.inputs[0])
        places = ", ".join(":" if axis in kept else "None" for axis in range(len(node.shape)))
        return f"{self.operand(node.inputs[0])}[{places}]"

    def permute(self, node: Node) -> str:
        axes, source = node.attribute("axes"), self.operand(node.inputs[0])
        if axes == tuple(reversed(range(len(axes)))):
            return f"{source}.T"
        return f"transpose({source}, {_axes(axes)})"

    def slice(self, node: Node) -> str:
        (source,), (starts, steps, _shape) = node.inputs, node.attributes
        return f"{self.operand(source)}[{_window(starts, steps, node.shape, source.shape)}]"

    def update(self, node: Node) -> str:
        base, value = node.inputs
        starts, steps = node.attributes
        window = _window(starts, steps, value.shape, base.shape)
        return f"{self.operand(base)} with [{window}] = {self.operand(value)}"

    def iota(self, node: Node) -> str:
        return f"position along axis {node.attribute('axis')}"

    def cast(self, node: Node) -> str:
        return f"{node.dtype.name}({self.operand(node.inputs[0])})"

    def select(self, node: Node) -> str:
        test, yes, no = map(self.operand, node.inputs)
        return f"where({test}, {yes}, {no})"

    def loop(self, node: Node) -> str:
        lower, upper, *operands = map(self.operand, node.inputs)
        (region,) = node.attributes
        assert isinstance(region, Region)
        carried = ", ".join(operands[: len(region.results)])
        return f"for index in range({lower}, {upper}), starting from {carried}"

    def while_(self, node: Node) -> str:
        body = node.attributes[0]
        assert isinstance(body, Region)
        carried = ", ".join(map(self.operand, node.inputs[: len(body.results)]))
        return f"while a condition holds, starting from {carried}"

    def cond(self, node: Node) -> str:
        return f"if {self.operand(node.inputs[0])}, on {', '.join(map(self.operand, node.inputs[1:]))}"

    def custom(self, node: Node) -> str:
        return f"{node.attribute('kernel')}({', '.join(self.operand(source) for source in node.inputs)})"

    def item(self, node: Node) -> str:
        return f"result {node.attribute('position')} of {self.operand(node.inputs[0])}"

    def window(self, node: Node) -> str:
        at = ", ".join(" + ".join("ijklmnpqrs"[axis] for axis in axes) for axes in node.attribute("axes"))
        return f"windows {self.operand(node.inputs[0])}[{at}]"

    def wrap(self, node: Node) -> str:
        source = node.inputs[0]
        places = [
            ":" if kind == "whole" else f"({int(start)} + {name}) % {int(whole)}"
            for kind, start, whole, name in zip(
                kinds_of_wrap(node), node.attribute("starts"), source.shape, "ijklmnpqrs"
            )
        ]
        return f"{self.operand(source)}[{', '.join(places)}]"

    def undefined(self, _node: Node) -> str:
        return "empty"


_SPECIAL = {
    name: getattr(Spelling, name)
    for name in (
        "parameter", "reduce", "find", "scan", "broadcast", "permute", "slice", "update", "iota", "cast",
        "select", "loop", "cond", "custom", "item", "undefined", "window", "wrap",
    )
} | {"while": Spelling.while_}  # fmt: skip


def _contiguous(rank: int) -> str:
    return "m" * (rank - 1) + "1" if rank else ""


def _axes(axes: object) -> str:
    assert isinstance(axes, tuple)
    return str(axes[0]) if len(axes) == 1 else f"({', '.join(map(str, axes))})"


def _window(starts: object, steps: object, shape: Sequence[int], whole: Sequence[int]) -> str:
    """`1:9, ::-1` for the window of an array of shape `whole`."""
    assert isinstance(starts, tuple) and isinstance(steps, tuple)
    parts = []
    for start, step, extent, size in zip(starts, steps, shape, whole, strict=True):
        start, step, stop = int(start), int(step), int(start) + int(extent) * int(step)
        low = "" if start == (0 if step > 0 else size - 1) else str(start)
        high = "" if stop in ((-1,) if step < 0 else (size,)) else str(stop)
        parts.append(f"{low}:{high}" + (f":{step}" if step != 1 else ""))
    return ", ".join(parts)


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
