"""What integers of a program may be: bounds of nodes that follow from positions, numbers and known arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.node import Graph, Node
from ..ir.types import DType
from ..promotion import limits_of

Range = tuple[int, int]
"""The least and the greatest."""


def known_number(graph: Graph, node: Node) -> Any:
    """The value of a number that stands in the program; None for a node that varies."""
    if node.op.name == "constant":
        return node.attributes[0].value  # type: ignore[attr-defined]
    return graph.number_value(node) if node.op.name == "scalar" else None


def is_never_negative(graph: Graph, node: Node) -> bool:
    """Whether an integer is certainly 0 or more."""
    return range_of(graph, node)[0] >= 0


def range_of(graph: Graph, node: Node) -> Range:
    """Bounds of the elements of an integer or bool. What may wrap around may be anything of its dtype."""
    found: dict[Node, Range] = {}
    pending = [node]
    while pending:
        each = pending[-1]
        known = found.get(each) or _leaf(graph, each)
        missing = [source for source in _read(each) if source not in found] if known is None else []
        if missing:
            pending.extend(missing)
            continue
        pending.pop()
        if known is None:
            low, high = _COMPUTED[each.op.name](*[found[source] for source in _read(each)])
            least, greatest = _limits(each.dtype)
            known = (low, high) if least <= low and high <= greatest else (least, greatest)
        found[each] = known
    return found[node]


def _leaf(graph: Graph, node: Node) -> Range | None:
    """The bounds of what is not computed from others, or by an op that tells nothing; None for the rest."""
    number = known_number(graph, node)
    if number is not None:
        return int(number), int(number)
    values = graph.known_value(node)
    if values is not None and values.size:
        return int(values.min()), int(values.max())
    name = node.op.name
    if name == "undefined" or 0 in node.shape:
        return 0, 0  # nobody reads what is undefined: it is overwritten before
    if name == "iota":
        return 0, max(int(node.shape[node.attribute("axis")]) - 1, 0)
    if name not in _COMPUTED or any(source.dtype.is_float for source in node.inputs):
        return _limits(node.dtype)
    return None


def _read(node: Node) -> tuple[Node, ...]:
    """The inputs whose elements a node's are made of: not the condition of a choice."""
    return node.inputs[1:] if node.op.name == "select" else node.inputs


def _limits(dtype: DType) -> Range:
    return limits_of(dtype) if dtype.is_integer else (0, 1)


def _same(x: Range) -> Range:
    return x


def _either(x: Range, y: Range) -> Range:
    return min(x[0], y[0]), max(x[1], y[1])


def _product(x: Range, y: Range) -> Range:
    corners = [a * b for a in x for b in y]
    return min(corners), max(corners)


def _quotient(x: Range, y: Range) -> Range:
    """Rounded down; 0 where the divisor is."""
    if y[0] >= 0:
        return min(x[0], 0), max(x[1], 0)
    widest = max(abs(x[0]), abs(x[1]))
    return -widest, widest


def _modulus(x: Range, y: Range) -> Range:
    """With the sign of the divisor; 0 where that is."""
    if x[0] >= 0 and y[0] >= 0:
        return 0, max(min(x[1], y[1] - 1), 0)
    return min(y[0] + 1, 0), max(y[1] - 1, 0)


def _and(x: Range, y: Range) -> Range:
    known = [high for low, high in (x, y) if low >= 0]  # one operand is enough
    return (0, min(known)) if known else (-_beyond(x, y), _beyond(x, y) - 1)


def _bits(x: Range, y: Range) -> Range:
    """Of `or` and `xor`."""
    beyond = _beyond(x, y)
    return (0 if min(x[0], y[0]) >= 0 else -beyond), beyond - 1


def _beyond(*ranges: Range) -> int:
    """The least power of two above all of them."""
    return 1 << max(value.bit_length() for each in ranges for value in each)


def _shifted_right(x: Range, _count: Range) -> Range:
    return min(x[0], -1 if x[0] < 0 else 0), max(x[1], 0)


_COMPUTED: dict[str, Callable[..., Range]] = {
    **dict.fromkeys(("reshape", "permute", "broadcast", "slice", "wrap", "window", "copy", "cast"), _same),
    **dict.fromkeys(("select", "update"), _either),
    "add": lambda x, y: (x[0] + y[0], x[1] + y[1]),
    "sub": lambda x, y: (x[0] - y[1], x[1] - y[0]),
    "mul": _product,
    "minimum": lambda x, y: (min(x[0], y[0]), min(x[1], y[1])),
    "maximum": lambda x, y: (max(x[0], y[0]), max(x[1], y[1])),
    "floordiv": _quotient,
    "floormod": _modulus,
    "and": _and,
    "or": _bits,
    "xor": _bits,
    "shift_right": _shifted_right,
    "abs": lambda x: (0, max(-x[0], x[1])),
}
"""The bounds of what some ops make of theirs, as if integers had no end."""
