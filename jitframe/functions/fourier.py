"""Discrete Fourier transforms on nodes, along one axis."""

from __future__ import annotations

import math

from ..arrays.promotion import Operand, result_dtype
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops import fourier
from ..ir.types import F16, F32
from .complex_numbers import as_reals, of_reals
from .joining import part
from .linear_algebra import library_call
from .operands import cast, constant, reshaped, strong
from .padding import pad

NORMS = fourier.NORMS


def in_floats(graph: Graph, x: Operand) -> Node:
    """The array in a dtype that has transforms: float32, float64 or their complex dtypes."""
    node = strong(graph, x)
    if node.dtype.is_complex:
        return node
    dtype = node.dtype if node.dtype.is_float else result_dtype((node, 1.0))
    return cast(graph, node, F32 if dtype.bits == 16 else dtype)


def transform(graph: Graph, x: Operand, n: int, axis: int, norm: str, forward: bool) -> Node:
    """Complex to complex, along an axis cropped or padded to `n` elements."""
    node = _as_complex(graph, resized(graph, in_floats(graph, x), n, axis))
    kinds = fourier.fft if forward else fourier.ifft
    return _along(graph, kinds, norm, node, axis, n, ())


def of_real_rows(graph: Graph, x: Operand, n: int, axis: int, norm: str) -> Node:
    """Reals, cropped or padded to `n` elements along an axis, to the frequencies from 0 to n // 2."""
    node = resized(graph, in_floats(graph, x), n, axis)
    extent = n // 2 + 1
    return _along(graph, fourier.rfft, norm, node, axis, extent, (extent, 2))


def to_real_rows(graph: Graph, x: Operand, n: int, axis: int, norm: str) -> Node:
    """The frequencies from 0 to n // 2 to `n` reals; float16 gives float16, as in NumPy."""
    given = strong(graph, x)
    node = _as_complex(graph, resized(graph, in_floats(graph, given), n // 2 + 1, axis))
    kinds = fourier.irfft_odd if n % 2 else fourier.irfft_even
    made = _along(graph, kinds, norm, node, axis, n, (n,))
    return cast(graph, made, F16) if given.dtype is F16 else made


def resized(graph: Graph, node: Node, n: int, axis: int) -> Node:
    """The array cropped or padded with zeros to `n` elements along an axis."""
    extent = node.shape[axis]
    if extent == n:
        return node
    if extent < n:
        return pad(graph, node, {axis: (0, n - extent)}, "constant", {})
    return part(graph, node, axis, 0, n)


def _as_complex(graph: Graph, node: Node) -> Node:
    if node.dtype.is_complex:
        return node
    return graph.make(ops.pair, node, constant(graph, 0, node))


def _along(
    graph: Graph, kinds: fourier.Kinds, norm: str, node: Node, axis: int, n: int, fresh: Shape
) -> Node:
    """The transform along an axis, which then has `n` elements."""
    before, after = node.shape[:axis], node.shape[axis + 1 :]
    columns = math.prod(after) != 1
    pair = (2,) if node.dtype.is_complex else ()
    given = as_reals(graph, node) if pair else node
    # The parts are reshaped, not complex values: these may then be the memory itself, without a copy.
    shape = (*node.shape[: axis + 1], *((math.prod(after),) if columns else ()), *pair)
    operand = reshaped(graph, given, shape)
    (made,) = library_call(graph, kinds[norm, columns].op, (operand,), fresh)
    parts = made.shape[len(shape) - len(pair) :]
    result = reshaped(graph, made, (*before, n, *after, *parts))
    return of_reals(graph, result) if parts else result
