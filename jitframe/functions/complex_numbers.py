"""Complex numbers by their parts: real and imaginary part, conjugate, angle, and complex of two reals."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy

from ..arrays.promotion import Operand, floating, result_dtype
from ..errors import DTypeError, warn_user
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, DType
from .formula import Term, where
from .operands import cast, filled, spread, strong


def real(graph: Graph, x: Operand) -> Node:
    """The real part; of real numbers these."""
    x = strong(graph, x)
    return graph.make(ops.real, x) if x.dtype.is_complex else x


def imag(graph: Graph, x: Operand) -> Node:
    """The imaginary part; of real numbers zeros."""
    x = strong(graph, x)
    if x.dtype.is_complex:
        return graph.make(ops.imag, x)
    return spread(graph, graph.constant(0, x.dtype), x.shape)


def parts(graph: Graph, x: Node) -> tuple[Node, Node]:
    """Both parts of complex numbers."""
    return graph.make(ops.real, x), graph.make(ops.imag, x)


def by_parts(graph: Graph, x: Node, function: Callable[[Graph, Node], Node]) -> Node:
    """The complex numbers whose parts are a function of the parts of `x`."""
    return graph.make(ops.pair, *(function(graph, part) for part in parts(graph, x)))


def size_squared(graph: Graph, x: Node) -> Node:
    """|x|**2."""
    if not x.dtype.is_complex:
        return graph.make(ops.mul, x, x)
    first, second = parts(graph, x)
    return graph.make(ops.add, graph.make(ops.mul, first, first), graph.make(ops.mul, second, second))


def as_reals(graph: Graph, x: Node) -> Node:
    """The parts of each element along a new last axis."""
    return graph.make(ops.as_real, x, attributes=((*x.shape, 2),))


def of_reals(graph: Graph, x: Node) -> Node:
    """The complex numbers whose parts are the two elements along the last axis."""
    return graph.make(ops.as_complex, x)


def conjugate(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    return graph.make(ops.conj, x) if x.dtype.is_complex else x


def angle(graph: Graph, x: Operand) -> Node:
    """The angle to the positive real axis, in radians."""
    x = strong(graph, x)
    if not x.dtype.is_complex:
        x = cast(graph, x, floating(result_dtype((0, x))))
        return graph.make(ops.atan2, filled(graph, 0.0, x), x)
    first, second = parts(graph, x)
    return graph.make(ops.atan2, second, first)


def inverse(graph: Graph, x: Node) -> Node:
    """1 / x, as NumPy computes it: divided by the larger part."""
    first, second = (Term(graph, part) for part in parts(graph, x))
    wide = abs(second) <= abs(first)
    large, small = where(wide, first, second), where(wide, second, first)
    ratio = small / large
    below = large + small * ratio
    real_part, imag_part = where(wide, 1.0, ratio) / below, -where(wide, ratio, 1.0) / below
    return graph.make(ops.pair, real_part.node, imag_part.node)


def direction(graph: Graph, x: Node) -> Node:
    """x / |x|, 0 at 0; of an infinite part its sign, NaN where both are infinite, or one is NaN."""
    size = Term(graph, graph.make(ops.abs, x))
    each = [Term(graph, part) for part in parts(graph, x)]
    limits = [abs(part) == math.inf for part in each]
    lost = limits[0] & limits[1] | (size != size)
    nodes = []
    for part, limit in zip(each, limits, strict=True):
        far = where(limit, part.like(1.0).make(ops.copysign, part), 0.0)
        near = where(size == 0.0, 0.0, part / size)
        nodes.append(where(lost, math.nan, where(size == math.inf, far, near)).node)
    return graph.make(ops.pair, *nodes)


def of_real_numbers(name: str, dtype: DType) -> DTypeError:
    """The error of a function that is undefined for complex numbers."""
    return DTypeError(
        f"{name}: not defined for {dtype.numpy_name}, only for real numbers; write x.real, x.imag or abs(x)"
    )


def real_numbers(graph: Graph, x: Operand, name: str) -> Node:
    """`x`, which must not be complex. Raises DTypeError."""
    x = strong(graph, x)
    if x.dtype.is_complex:
        raise of_real_numbers(name, x.dtype)
    return x


def converted_to(graph: Graph, x: Node, dtype: DType) -> Node:
    """`x` in a dtype that the user asked for."""
    warn_of_lost_parts(x.dtype, dtype)
    return cast(graph, x, dtype)


def warn_of_lost_parts(source: DType, target: DType) -> None:
    """Gives NumPy's warning, at the user's line, where complex numbers become real ones."""
    if source.is_complex and not target.is_complex and target is not BOOL:
        warn_user(
            "Casting complex values to real discards the imaginary part", numpy.exceptions.ComplexWarning
        )
