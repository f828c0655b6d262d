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
    """The complex numbers whose parts a function makes of those of `x`."""
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
    first, second = parts(graph, x)
    wide = graph.make(ops.le, *(graph.make(ops.abs, part) for part in (second, first)))
    large, small = (
        graph.make(ops.select, wide, one, other) for one, other in ((first, second), (second, first))
    )
    ratio = graph.make(ops.div, small, large)
    below = graph.make(ops.add, large, graph.make(ops.mul, small, ratio))
    one = filled(graph, 1.0, ratio)
    above = graph.make(ops.select, wide, one, ratio), graph.make(ops.select, wide, ratio, one)
    real_part, imag_part = above[0], graph.make(ops.neg, above[1])
    return graph.make(ops.pair, *(graph.make(ops.div, part, below) for part in (real_part, imag_part)))


def direction(graph: Graph, x: Node) -> Node:
    """x / |x|, 0 at 0; of an infinite part its sign, NaN where both are infinite, or one is NaN."""
    size = graph.make(ops.abs, x)
    endless = graph.make(ops.eq, size, filled(graph, math.inf, size))
    zero = filled(graph, 0.0, size)
    is_zero = graph.make(ops.eq, size, zero)
    first, second = parts(graph, x)
    limits = [
        graph.make(ops.eq, graph.make(ops.abs, part), filled(graph, math.inf, size))
        for part in (first, second)
    ]
    both = graph.make(ops.bitwise_and, *limits)
    lost = graph.make(ops.bitwise_or, both, graph.make(ops.ne, size, size))
    made = []
    for part, limit in zip((first, second), limits, strict=True):
        sign = graph.make(ops.copysign, filled(graph, 1.0, size), part)
        far = graph.make(ops.select, limit, sign, zero)
        near = graph.make(ops.select, is_zero, zero, graph.make(ops.div, part, size))
        made.append(graph.make(ops.select, endless, far, near))
    nan = filled(graph, math.nan, size)
    return graph.make(ops.pair, *(graph.make(ops.select, lost, nan, part) for part in made))


def of_real_numbers(name: str, dtype: DType) -> DTypeError:
    """The error for a function that complex numbers have none of."""
    return DTypeError(
        f"{name}: not defined for {dtype.numpy_name}, only for real numbers; write x.real, x.imag or abs(x)"
    )


def real_numbers(graph: Graph, x: Operand, name: str) -> Node:
    """`x`, which is not complex. Raises DTypeError."""
    x = strong(graph, x)
    if x.dtype.is_complex:
        raise of_real_numbers(name, x.dtype)
    return x


def converted_to(graph: Graph, x: Node, dtype: DType) -> Node:
    """`x` in a dtype that the user asked for."""
    warn_of_lost_parts(x.dtype, dtype)
    return cast(graph, x, dtype)


def warn_of_lost_parts(source: DType, target: DType) -> None:
    """NumPy's warning, at the user's line, where complex numbers become real ones."""
    if source.is_complex and not target.is_complex and target is not BOOL:
        warn_user(
            "Casting complex values to real discards the imaginary part", numpy.exceptions.ComplexWarning
        )
