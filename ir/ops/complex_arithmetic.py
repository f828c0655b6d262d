"""Rules of ops for complex numbers, by their parts: arithmetic, comparisons, selection, movement, sums,
writes.

Products are NumPy's, each part rounded product by product. Division is R. L. Smith's ("Algorithm 116:
Complex division", Communications of the ACM 5, 1962), which does not overflow where the quotient does not.
The order is NumPy's: by the real parts, then by the imaginary ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..node import Attributes, Graph, Node, Op
from ..types import BOOL, PART_OF, DType
from . import elementwise, indexing, linear_algebra, movement, reduction
from .complex_numbers import (
    as_complex,
    as_real,
    conj,
    imag,
    in_memory,
    memory_of,
    pair,
    parts_of,
    real,
    write_parts,
)
from .reals import Real, atan2, hypot, where

Inputs = Sequence[Node]
Parts = tuple[Real, Real]


def split(graph: Graph, value: Node) -> Parts:
    """Returns the parts of a pair."""
    x, y = value.inputs
    return Real(graph, x), Real(graph, y)


def joined(x: Real, y: Real) -> Node:
    return x.graph.make(pair, x.node, y.node)


def of_parts(function: Callable[..., Parts]) -> Callable[..., Node]:
    """Makes the rule of an op whose result's parts are a function of its operands' parts."""

    def rule(graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
        return joined(*function(*(part for node in inputs for part in split(graph, node))))

    return rule


def _each(op: Op) -> Callable[..., Node]:
    """Makes the rule of an op that applies to each part alone."""

    def rule(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
        nodes = []
        for number in range(2):
            parts = [node.inputs[number] if node.dtype.is_complex else node for node in inputs]
            nodes.append(graph.make(op, *parts, attributes=attributes))
        return graph.make(pair, *nodes)

    return rule


for _op in (
    elementwise.neg, elementwise.add, elementwise.sub, elementwise.select, movement.window,
    linear_algebra.checked,
):  # fmt: skip
    _op.defines("of_complex")(_each(_op))


def _moved(op: Op, with_parts: Callable[..., Attributes | None]) -> None:
    """Makes the rule of an op that moves elements: of an array in memory it moves both parts together, so
    that what is only moved is copied as reals are. `with_parts`: the attributes for one more, last axis; None
    where single elements are repeated along the last one."""
    by_part = _each(op)

    @op.defines("of_complex")
    def rule(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
        memory = memory_of(graph, inputs[0])
        moved = with_parts(*attributes)
        if memory is None or moved is None:
            return by_part(graph, inputs, attributes)
        return parts_of(graph, graph.make(op, memory, *inputs[1:], attributes=moved))


_moved(movement.reshape, lambda shape: ((*shape, 2),))
_moved(movement.permute, lambda axes: ((*axes, len(axes)),))
_moved(
    movement.broadcast,
    lambda shape, axes: ((*shape, 2), (*axes, len(shape))) if len(shape) - 1 in axes else None,
)
_moved(movement.slice_, lambda starts, steps, shape: ((*starts, 0), (*steps, 1), (*shape, 2)))
_moved(movement.wrap, lambda starts, shape: ((*starts, 0), (*shape, 2)))
_moved(indexing.gather, lambda *attributes: attributes)
_moved(elementwise.copy, lambda: ())


@pair.defines("of_complex")
def _pair(graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
    return graph.make(pair, *inputs)


@real.defines("of_complex")
def _real(_graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
    return inputs[0].inputs[0]


@imag.defines("of_complex")
def _imag(_graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
    return inputs[0].inputs[1]


@conj.defines("of_complex")
@of_parts
def _conj(x: Real, y: Real) -> Parts:
    return x, -y


@as_real.defines("of_complex")
def _as_real(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    return graph.make(movement.reshape, in_memory(graph, inputs[0]), attributes=attributes)


@as_complex.defines("of_complex")
def _as_complex(graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
    return parts_of(graph, inputs[0])


@elementwise.abs.defines("of_complex")
def _abs(graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
    return hypot(*split(graph, inputs[0])).node


def product(a: Real, b: Real, c: Real, d: Real) -> Parts:
    """(a + bi)(c + di)."""
    return a * c - b * d, a * d + b * c


def quotient(a: Real, b: Real, c: Real, d: Real) -> Parts:
    """(a + bi) / (c + di), by the larger part of the divisor."""
    first = abs(c) >= abs(d)
    large, small = where(first, c, d), where(first, d, c)
    x, y = where(first, a, b), where(first, b, a)
    ratio = small / large
    scale = 1.0 / (large + small * ratio)
    moved = x * ratio
    real_part = (x + y * ratio) * scale
    imag_part = where(first, y - moved, moved - y) * scale
    zero = first & abs(c).equals(0.0)
    size = abs(c)
    return where(zero, a / size, real_part), where(zero, b / size, imag_part)


elementwise.mul.defines("of_complex")(of_parts(product))
elementwise.div.defines("of_complex")(of_parts(quotient))


@elementwise.cast.defines("of_complex")
def _cast(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    (source,), (dtype,) = inputs, attributes
    assert isinstance(dtype, DType)

    def to(node: Node, target: DType) -> Node:
        return node if node.dtype is target else graph.make(elementwise.cast, node, attributes=(target,))

    if not source.dtype.is_complex:
        made = Real(graph, to(source, PART_OF[dtype]))
        return joined(made, made.same(0.0))
    if dtype.is_complex:
        return graph.make(pair, *(to(each, PART_OF[dtype]) for each in source.inputs))
    if dtype is BOOL:
        x, y = split(graph, source)
        return (x.differs(0.0) | y.differs(0.0)).node
    return to(source.inputs[0], dtype)


# Comparisons

Compared = Callable[[Real, Real, Real, Real], Real]


def _comparison(op: Op, function: Compared) -> None:
    @op.defines("of_complex")
    def rule(graph: Graph, inputs: Inputs, _attributes: Attributes) -> Node:
        return function(*split(graph, inputs[0]), *split(graph, inputs[1])).node


def less(a: Real, b: Real, c: Real, d: Real) -> Real:
    return ((a < c) & ~(b.is_nan | d.is_nan)) | (a.equals(c) & (b < d))


def at_most(a: Real, b: Real, c: Real, d: Real) -> Real:
    return ((a < c) & ~(b.is_nan | d.is_nan)) | (a.equals(c) & (b <= d))


_comparison(elementwise.eq, lambda a, b, c, d: a.equals(c) & b.equals(d))
_comparison(elementwise.ne, lambda a, b, c, d: a.differs(c) | b.differs(d))
_comparison(elementwise.lt, less)
_comparison(elementwise.le, at_most)
_comparison(elementwise.gt, lambda a, b, c, d: less(c, d, a, b))
_comparison(elementwise.ge, lambda a, b, c, d: at_most(c, d, a, b))


def _extreme(op: Op, comes_first: Compared) -> None:
    """Selects the first operand where it has a NaN, or comes first; else the second one."""

    @op.defines("of_complex")
    @of_parts
    def rule(a: Real, b: Real, c: Real, d: Real) -> Parts:
        first = a.is_nan | b.is_nan | comes_first(a, b, c, d)
        return where(first, a, c), where(first, b, d)


_extreme(elementwise.minimum, at_most)
_extreme(elementwise.maximum, lambda a, b, c, d: at_most(c, d, a, b))


# Sums and extremes


@reduction.reduce.defines("of_complex")
def _reduce(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    """Reduces extremes: the extreme of the real parts, then that of the imaginary parts beside it. An element
    with a NaN comes before all others, and gives a NaN for each part that has one anywhere."""
    kind, axes = attributes
    if kind == "sum":
        return _each(reduction.reduce)(graph, inputs, attributes)
    assert kind in ("max", "min") and isinstance(axes, tuple), attributes
    x, y = split(graph, inputs[0])

    def reduced(value: Real) -> Real:
        return Real(graph, graph.make(reduction.reduce, value.node, attributes=attributes))

    def spread(value: Real) -> Real:
        kept = tuple(axis for axis in range(len(x.node.shape)) if axis not in axes)
        node = graph.make(movement.broadcast, value.node, attributes=(x.node.shape, kept))
        return Real(graph, node)

    last = -math.inf if kind == "max" else math.inf
    real_part = reduced(where(y.is_nan, y, x))
    tied = x.equals(spread(real_part)) | y.is_nan
    imag_part = reduced(where(tied, y, last))
    return joined(where(real_part.is_nan, reduced(x), real_part), imag_part)


@reduction.scan.defines("of_complex")
def _scan(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    assert attributes[0] == "sum", attributes
    return _each(reduction.scan)(graph, inputs, attributes)


# Writes


@reduction.update.defines("of_complex")
def _update(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    base, value = inputs
    starts, steps = attributes
    assert isinstance(starts, tuple) and isinstance(steps, tuple)
    written, memory = memory_of(graph, value), in_memory(graph, base)
    if written is None:
        return parts_of(graph, write_parts(graph, memory, value, starts, steps))
    window = ((*starts, 0), (*steps, 1))
    return parts_of(graph, graph.make(reduction.update, memory, written, attributes=window))


@indexing.scatter.defines("of_complex")
def _scatter(graph: Graph, inputs: Inputs, attributes: Attributes) -> Node:
    base, value, *indices = inputs
    memory, written = in_memory(graph, base), in_memory(graph, value)
    return parts_of(graph, graph.make(indexing.scatter, memory, written, *indices, attributes=attributes))


def angle(x: Real, y: Real) -> Real:
    return atan2(y, x)
