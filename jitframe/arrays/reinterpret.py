"""Bytes of an array seen as elements of another dtype: a step of views, as NumPy's `ndarray.view(dtype)`."""

from __future__ import annotations

import numpy

from ..errors import ArgumentError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.record import record
from ..ir.types import BOOL, U8, U16, U32, U64, DType
from .layout import Strides

_UNSIGNED = {1: U8, 2: U16, 4: U32, 8: U64}


class Bitcast(metaclass=record):
    """The same bytes as elements of `target`. Of another size, the last axis shrinks or grows."""

    source: DType
    target: DType

    writable = True

    @property
    def parts(self) -> int:
        """Elements of the smaller dtype in one of the larger."""
        sizes = self.source.itemsize, self.target.itemsize
        return max(sizes) // min(sizes)

    @property
    def splits(self) -> bool:
        return self.source.itemsize > self.target.itemsize

    def result(self, shape: Shape) -> Shape:
        if self.parts == 1:
            return shape
        return (*shape[:-1], shape[-1] * self.parts if self.splits else shape[-1] // self.parts)

    def apply(self, graph: Graph, node: Node) -> Node:
        bits = _as_unsigned(graph, node)
        if self.parts > 1:
            split = _split if self.splits else _joined
            bits = split(graph, bits, _UNSIGNED[self.target.itemsize], self.parts)
        return _from_unsigned(graph, bits, self.target)

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return Bitcast(self.target, self.source).apply(graph, part)

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        if self.parts == 1:
            return strides
        if self.splits:
            return (*(stride * self.parts for stride in strides[:-1]), 1)
        return (*(stride // self.parts for stride in strides[:-1]), 1)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        return array.view(self.target.numpy_name)


def _as_unsigned(graph: Graph, node: Node) -> Node:
    if node.dtype is BOOL:
        return graph.make(ops.cast, node, attributes=(U8,))
    wanted = _UNSIGNED[node.dtype.itemsize]
    return node if node.dtype is wanted else graph.make(ops.bitcast, node, attributes=(wanted,))


def _from_unsigned(graph: Graph, bits: Node, target: DType) -> Node:
    """A byte that is neither 0 nor 1 is True as a bool."""
    if target is BOOL:
        return graph.make(ops.cast, bits, attributes=(BOOL,))
    return bits if bits.dtype is target else graph.make(ops.bitcast, bits, attributes=(target,))


def _split(graph: Graph, bits: Node, target: DType, parts: int) -> Node:
    """Each element as `parts` smaller ones, the low bits first: what little-endian memory holds."""
    shape = (*bits.shape, parts)
    spread = graph.make(ops.broadcast, bits, attributes=(shape, tuple(range(len(bits.shape)))))
    place = graph.make(ops.iota, attributes=(shape, len(shape) - 1, bits.dtype))
    width = graph.make(ops.broadcast, graph.constant(target.bits, bits.dtype), attributes=(shape, ()))
    shifted = graph.make(ops.shift_right, spread, graph.make(ops.mul, place, width))
    narrow = graph.make(ops.cast, shifted, attributes=(target,))
    return graph.make(ops.reshape, narrow, attributes=((*bits.shape[:-1], bits.shape[-1] * parts),))


def _joined(graph: Graph, bits: Node, target: DType, parts: int) -> Node:
    """Each `parts` elements as a larger one."""
    count = bits.shape[-1] // parts
    shape = (*bits.shape[:-1], count)
    result: Node | None = None
    for part in range(parts):
        starts = (*(0 for _ in shape[:-1]), part if count else 0)
        steps = (*(1 for _ in shape[:-1]), parts)
        node = graph.make(ops.slice_, bits, attributes=(starts, steps, shape))
        wide = graph.make(ops.cast, node, attributes=(target,))
        if part:
            distance = graph.make(
                ops.broadcast, graph.constant(part * bits.dtype.bits, target), attributes=(shape, ())
            )
            wide = graph.make(ops.shift_left, wide, distance)
        result = wide if result is None else graph.make(ops.bitwise_or, result, wide)
    assert result is not None
    return result


def reinterpreted(shape: Shape, strides: Strides | None, source: DType, target: DType) -> Bitcast:
    """The step that shows an array as `target`. Strides are in elements, None for C order.

    Raises ArgumentError where NumPy does.
    """
    step = Bitcast(source, target)
    if step.parts == 1:
        return step
    if not shape:
        raise ArgumentError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    if strides is not None and strides[-1] != 1 and shape[-1] != 1:
        raise ArgumentError("To change to a dtype of a different size, the last axis must be contiguous")
    if not step.splits and shape[-1] % step.parts:
        raise ArgumentError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
            "last axis of the array."
        )
    if not step.splits and strides is not None and any(stride % step.parts for stride in strides[:-1]):
        raise UnsupportedError(
            f"view({target.numpy_name}): rows start between two elements of {target.numpy_name}; take a copy "
            "first, x.copy().view(dtype)"
        )
    return step
