"""Ops of complex numbers alone: their parts, pairs of reals, and memory as reals.

The rules of other ops for complex numbers are in `complex_arithmetic` and `complex_functions`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..node import PAIR, Attributes, Given, Graph, Inferred, Node, Op, Shape
from ..structure import Axes, Ranks, Structural
from ..symbolize import Symbols
from ..types import PART_OF, WITH_PARTS, Kind
from .movement import broadcast, reshape, slice_, undefined
from .reduction import update

Array = Any
COMPLEX: frozenset[Kind] = frozenset(("complex",))


def complex_of(pairs: Array) -> Array:
    """Returns complex numbers from the parts along a last axis."""
    return numpy.asarray(pairs, order="C").view(numpy.result_type(pairs.dtype, numpy.complex64))[..., 0]


def pairs_of(values: Array) -> Array:
    """Returns the parts of complex numbers along a new last axis."""
    return numpy.asarray(values, order="C")[..., None].view(values.real.dtype)


def _infer_part(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    (source,) = inputs
    return source.shape, PART_OF[source.dtype]


def _infer_same(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    (source,) = inputs
    assert source.dtype.is_complex, inputs
    return source.shape, source.dtype


def _infer_as_real(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (source,), (shape,) = inputs, attributes
    assert isinstance(shape, tuple) and shape[:-1] == source.shape and int(shape[-1]) == 2, (inputs, shape)
    return shape, PART_OF[source.dtype]


def _real_value(inputs: list[Array], _attributes: Given, _node: Node) -> Array:
    return inputs[0].real


def _imag_value(inputs: list[Array], _attributes: Given, _node: Node) -> Array:
    return inputs[0].imag


def _conj_value(inputs: list[Array], _attributes: Given, _node: Node) -> Array:
    return numpy.asarray(numpy.conjugate(inputs[0]))


def _as_real_value(inputs: list[Array], _attributes: Given, _node: Node) -> Array:
    return pairs_of(inputs[0])


def _as_real_structure(axes: Axes, _node: Node, sources: Ranks) -> Structural:
    return None, (*sources[0], axes.number(2))


def _as_real_sized(_node: Node, shape: Shape, _symbols: Symbols) -> Attributes:
    return ((*shape[:-1], 2),)  # whatever the structure, there are two parts


def _infer_as_complex(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    (source,) = inputs
    assert int(source.shape[-1]) == 2, source
    return source.shape[:-1], WITH_PARTS[source.dtype]


def _as_complex_value(inputs: list[Array], _attributes: Given, _node: Node) -> Array:
    return complex_of(inputs[0])


def _as_complex_structure(_axes: Axes, _node: Node, sources: Ranks) -> Structural:
    return None, sources[0][:-1]


pair = PAIR
real = Op("real", "elementwise", _infer_part, _real_value, kinds=COMPLEX)
imag = Op("imag", "elementwise", _infer_part, _imag_value, kinds=COMPLEX)
conj = Op("conj", "elementwise", _infer_same, _conj_value, kinds=COMPLEX)
# The parts of each element along a new last axis, as they lie in memory.
as_real = Op(
    "as_real",
    "movement",
    _infer_as_real,
    _as_real_value,
    ("shape",),
    _as_real_structure,
    _as_real_sized,
    kinds=COMPLEX,
)
# The numbers whose parts lie side by side along the last axis.
as_complex = Op("as_complex", "movement", _infer_as_complex, _as_complex_value, (), _as_complex_structure)

OPS = (pair, real, imag, conj, as_real, as_complex)


def parts_of(graph: Graph, memory: Node) -> Node:
    """Returns the pair of the parts that are adjacent along the last axis of an array of reals."""
    shape = memory.shape[:-1]
    parts = []
    for number in range(2):
        starts = (*(0 for _ in shape), number)
        part = graph.make(slice_, memory, attributes=(starts, (1,) * len(starts), (*shape, 1)))
        parts.append(graph.make(reshape, part, attributes=(shape,)))
    return graph.make(pair, *parts)


def memory_of(graph: Graph, value: Node) -> Node | None:
    """Returns the array of reals with adjacent parts that the parts of a pair are read from; None where there
    is none."""
    real_part, shape = value.inputs[0], value.shape
    if real_part.op is reshape and real_part.inputs[0].op is slice_:
        memory = real_part.inputs[0].inputs[0]
        if memory.shape[:-1] == shape and int(memory.shape[-1]) == 2 and parts_of(graph, memory) is value:
            return memory
    return None


def in_memory(graph: Graph, value: Node) -> Node:
    """Returns the array of reals with adjacent parts of a pair: the one that they are read from, or a new
    one."""
    memory, shape = memory_of(graph, value), value.shape
    if memory is not None:
        return memory
    real_part, imag_part = value.inputs
    if real_part is imag_part:  # of zeros
        return graph.make(broadcast, real_part, attributes=((*shape, 2), tuple(range(len(shape)))))
    node = graph.make(undefined, attributes=((*shape, 2), real_part.dtype))
    return write_parts(graph, node, value, (0,) * len(shape), (1,) * len(shape))


def write_parts(
    graph: Graph, memory: Node, value: Node, starts: tuple[int, ...], steps: tuple[int, ...]
) -> Node:
    """Writes the parts of a pair to a window of such an array; returns the array."""
    for number, part in enumerate(value.inputs):
        column = graph.make(reshape, part, attributes=((*part.shape, 1),))
        memory = graph.make(update, memory, column, attributes=((*starts, number), (*steps, 1)))
    return memory
