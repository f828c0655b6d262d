"""Products with quantized matrices, whose elements become floats as they are read.

`dequantized_dot(x, q, scale)` is x @ (q * scale).T for x[count, n]. A unit of int8[rows, n] is one integer;
one of uint8[rows, n / 2] is a word of eight integers of four bits, from -8 to 7, the first one in the lowest
bits. Each scale of scale[rows, groups] belongs to `units` adjacent units. Result: [count, rows], read through
`item`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..index import view_of
from ..node import Attributes, Given, Inferred, Node, Op
from ..structure import Axes, Ranks, Structural
from ..types import BOOL, F32, I8, U8

Array = Any

WORD_BYTES = 4
"""Of a unit of integers of four bits."""


def integers_of_unit(q: Node) -> int:
    return 2 * WORD_BYTES if q.dtype is U8 else 1


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    x, q, scale = inputs
    count, units = attributes
    assert isinstance(count, int) and isinstance(units, int) and units > 0, attributes
    assert x.dtype is scale.dtype is F32 and q.dtype in (I8, U8), inputs
    assert len(x.shape) == len(q.shape) == len(scale.shape) == 2, inputs
    return (), BOOL


def _results(node: Node) -> list[Inferred]:
    x, q, _ = node.inputs
    return [((x.shape[0], q.shape[0]), F32)]


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    vectors, rows = sources[0][0], sources[1][0]
    axes.unify((rows, sources[2][1]), sources[2])
    axes.results[node] = [(vectors, rows)]
    return node.attributes, ()


def _value(inputs: list[Array], attributes: Given, _node: Node) -> list[Array]:
    x, q, scale = inputs
    if q.dtype == numpy.uint8:
        halves = numpy.stack((q & 15, q >> 4), -1).reshape(len(q), -1)
        q = (halves ^ 8).astype(numpy.int8) - 8
    each = q.shape[1] // scale.shape[1]
    matrix = q.astype(numpy.float32) * numpy.repeat(scale, each, 1)
    with numpy.errstate(all="ignore"):
        return [x @ matrix.T]


def _memory_operands(node: Node) -> tuple[Node, ...]:
    return tuple(view_of(each)[0] for each in node.inputs)


def _formula(_node: Node, inputs: list[str]) -> str:
    return f"dequantized_dot({', '.join(inputs)})"


dequantized_dot = Op(
    "dequantized_dot",
    "control",
    _infer,
    _value,
    ("count", "units"),
    _structure,
    results=_results,
    formula=_formula,
    memory_operands=_memory_operands,
    kinds=frozenset(("int", "uint", "float")),
    title="product with a quantized matrix",
    launches=True,
    views=True,
)

OPS = (dequantized_dot,)
