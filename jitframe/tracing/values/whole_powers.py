"""Powers of Python's integers by exponents that vary: `2**i`, `(-1) ** i`, `base**k % p`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...api.calls import operand
from ...functions.operands import as_node
from ...ir import ops
from ...ir.node import Graph, Node
from ...ir.types import BOOL, F32, F64, I64, DType
from .cells import Cell
from .number_ranges import full_range
from .python_numbers import BEYOND, Fault, checked, either
from .traced import NUMBER, TracedArray

if TYPE_CHECKING:
    from .traced_frame import TraceFrame

_MESSAGE = (
    "an integer to the power of a negative one is a float in Python, and one that grows beyond {bits} bits "
    "is more than compiled code has; compute with floats, or leave this function to Python"
)


def whole_power(frame: TraceFrame, x: Any, y: Any) -> Any:
    """Returns `x ** y` of Python numbers with a variable exponent; None where they are no integers, or where
    they may be NumPy's. Python answers where the power is no integer of the dtype."""
    if not isinstance(y, TracedArray) or not all(map(_is_whole, (x, y))):
        return None
    dtype = frame.device.narrows.get(I64, I64)
    graph, ranges = frame.begin(), frame.root.ranges
    base, exponent = (as_node(graph, operand(frame, graph, each), dtype) for each in (x, y))
    (least, most), (low, high) = (ranges.of(frame, node) for node in (base, exponent))
    if low < 0 and not frame.has_python_numbers:
        return None  # integers of NumPy's, which have no such powers
    node = _power(graph, base, exponent, 2 if least == most == 2 else None, high)
    largest = max(abs(least), abs(most), 1)
    is_safe = low >= 0 and high < dtype.bits and largest**high < 1 << (dtype.bits - 1)
    bottom, top = (-(largest**high), largest**high) if is_safe else full_range(dtype)
    ranges.known[node] = (0 if least >= 0 else bottom), top
    frame.note(node)
    result = TracedArray(Cell(frame, node), None, NUMBER)
    if is_safe:
        return result
    bad = either(
        graph, *([_is_negative(graph, exponent)] if low < 0 else []), _overflows(graph, base, exponent)
    )
    fault: Fault = (bad, BEYOND, _MESSAGE.format(bits=dtype.bits))
    return checked(lambda _operands, _result: iter([fault]), (x, y), result)


def _is_whole(value: Any) -> bool:
    if isinstance(value, TracedArray):
        return value._kind == NUMBER and value._dtype.is_integer and value._dtype is not BOOL
    return value.__class__ is int


def _power(graph: Graph, base: Node, exponent: Node, known: int | None, high: int) -> Node:
    """Repeated squaring, with a step for each bit of the exponents below the dtype's width: powers by greater
    ones overflow, except those of 0, 1 and -1, which depend on the parity alone."""
    dtype, bits = base.dtype, base.dtype.bits

    def number(value: int) -> Node:
        return (
            graph.number(value, dtype, common=False)
            if value not in (0, 1, 2)
            else graph.constant(value, dtype)
        )

    if high >= bits:
        odd = graph.make(ops.bitwise_and, exponent, number(1))
        even = graph.make(ops.bitwise_or, number(bits - 2), odd)
        small = graph.make(ops.le, exponent, number(bits - 1))
        exponent, high = graph.make(ops.select, small, exponent, even), bits - 1
    if known == 2:
        return graph.make(ops.shift_left, number(1), graph.make(ops.bitwise_and, exponent, number(bits - 1)))
    result = number(1)
    for bit in range(max(high, 1).bit_length()):
        chosen = graph.make(ops.ne, graph.make(ops.bitwise_and, exponent, number(1 << bit)), number(0))
        result = graph.make(ops.select, chosen, graph.make(ops.mul, result, base), result)
        base = graph.make(ops.mul, base, base)
    return result


def _is_negative(graph: Graph, exponent: Node) -> Node:
    return graph.make(ops.lt, exponent, graph.constant(0, exponent.dtype))


def _overflows(graph: Graph, base: Node, exponent: Node) -> Node:
    """Whether the power of floats, which is off by a few ulp, comes near the limit."""
    wide: DType = F64 if base.dtype.bits == 64 else F32
    x, y = (graph.make(ops.cast, node, attributes=(wide,)) for node in (base, exponent))
    size = graph.make(ops.abs, graph.make(ops.pow, x, y))
    end = float(1 << (base.dtype.bits - 1)) * (1 - 2.0 ** -(40 if wide is F64 else 18))
    return graph.make(ops.ge, size, graph.constant(end, wide))
