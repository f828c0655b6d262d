"""Complex arrays viewed as reals, and reals as complex: steps of views, as in `z.real` and `z.view(dtype)`.

Strides are in elements of the view, as everywhere: a complex element is two reals.
"""

from __future__ import annotations

from typing import Literal

import numpy

from ..errors import ArgumentError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops.complex_numbers import parts_of
from ..ir.record import record
from ..ir.types import PART_OF, WITH_PARTS, DType
from .layout import Strides


class Part(metaclass=record):
    """One of the parts of each element."""

    name: Literal["real", "imag"]
    source: DType

    writable = True

    @property
    def target(self) -> DType:
        return PART_OF[self.source]

    def result(self, shape: Shape) -> Shape:
        return shape

    def apply(self, graph: Graph, node: Node) -> Node:
        return graph.make(ops.real if self.name == "real" else ops.imag, node)

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        if self.name == "real":
            return graph.make(ops.pair, part, graph.make(ops.imag, whole))
        return graph.make(ops.pair, graph.make(ops.real, whole), part)

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return tuple(2 * stride for stride in strides)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        shown: numpy.ndarray = getattr(array, self.name)
        return shown


class Reals(metaclass=record):
    """Both parts of each element, interleaved along the last axis."""

    source: DType

    writable = True

    @property
    def target(self) -> DType:
        return PART_OF[self.source]

    def result(self, shape: Shape) -> Shape:
        return (*shape[:-1], 2 * shape[-1])

    def apply(self, graph: Graph, node: Node) -> Node:
        return _reals(graph, node)

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return _complexes(graph, part)

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return (*(2 * stride for stride in strides[:-1]), 1)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        return array.view(self.target.numpy_name)


class Complexes(metaclass=record):
    """Pairs of neighbors along the last axis as the parts of one element."""

    source: DType

    writable = True

    @property
    def target(self) -> DType:
        return WITH_PARTS[self.source]

    def result(self, shape: Shape) -> Shape:
        return (*shape[:-1], shape[-1] // 2)

    def apply(self, graph: Graph, node: Node) -> Node:
        return _complexes(graph, node)

    def insert(self, graph: Graph, whole: Node, part: Node) -> Node:
        return _reals(graph, part)

    def strides(self, shape: Shape, strides: Strides) -> Strides | None:
        return (*(stride // 2 for stride in strides[:-1]), 1)

    def show(self, array: numpy.ndarray) -> numpy.ndarray:
        return array.view(self.target.numpy_name)


def _reals(graph: Graph, node: Node) -> Node:
    *outer, extent = node.shape
    made = graph.make(ops.as_real, node, attributes=((*node.shape, 2),))
    return graph.make(ops.reshape, made, attributes=((*outer, 2 * extent),))


def _complexes(graph: Graph, node: Node) -> Node:
    *outer, extent = node.shape
    return parts_of(graph, graph.make(ops.reshape, node, attributes=((*outer, extent // 2, 2),)))


def as_reals(shape: Shape, strides: Strides | None, source: DType) -> Reals:
    """Returns the step that views a complex array as reals. Raises ArgumentError where NumPy does."""
    if not shape:
        raise ArgumentError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    if strides is not None and strides[-1] != 1 and shape[-1] != 1:
        raise ArgumentError("To change to a dtype of a different size, the last axis must be contiguous")
    return Reals(source)


def as_complexes(shape: Shape, strides: Strides | None, source: DType) -> Complexes:
    """Returns the step that views an array of reals as complex. Raises ArgumentError where NumPy does."""
    if not shape:
        raise ArgumentError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    if strides is not None and strides[-1] != 1 and shape[-1] != 1:
        raise ArgumentError("To change to a dtype of a different size, the last axis must be contiguous")
    if shape[-1] % 2:
        raise ArgumentError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
            "last axis of the array."
        )
    if strides is not None and any(stride % 2 for stride in strides[:-1]):
        raise UnsupportedError(
            f"view({WITH_PARTS[source].numpy_name}): rows start between two elements; take a copy first, "
            "x.copy().view(dtype)"
        )
    return Complexes(source)
