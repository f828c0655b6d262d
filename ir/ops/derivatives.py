"""The `vjp` of ops: the contribution of each input to a cotangent of the result.

A rule takes (graph, node, cotangent) and returns one node for each input, None where the derivative is zero:
on integers, bools, conditions, and where the result is locally constant. At points where a function has no
derivative (|0|, equal operands of a maximum) a rule gives one of its one-sided derivatives, or their mean;
each says which.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..node import Graph, Node, Op
from ..types import I64, DType
from . import elementwise as e
from . import indexing, linear_algebra, movement, randomness, reduction, winograd
from .reals import Real, where

Cotangents = tuple[Node | None, ...]
Number = bool | int | float


class _Term(Real):
    """A node in a derivative's formula. Uncommon numbers in it are run-time scalars, as in a program."""

    __slots__ = ()

    def number(self, value: float) -> Node:
        return self.graph.number(value, self.node.dtype)


def filled(graph: Graph, shape: tuple[int, ...], value: Number, dtype: DType) -> Node:
    """Makes one number at every position."""
    node = graph.number(value, dtype)
    return node if not shape else graph.make(movement.broadcast, node, attributes=(shape, ()))


# Elementwise ops -----------------------------------------------------------------------------------------
def _of_one(op: Op, derivative: Callable[[_Term, _Term], _Term]) -> None:
    """Makes the rule of a function of one operand, from its derivative as a formula of operand and result."""

    @op.defines("vjp")
    def rule(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
        if not node.dtype.is_float:
            return (None,)
        x, y = _Term(graph, node.inputs[0]), _Term(graph, node)
        return ((_Term(graph, cotangent) * derivative(x, y)).node,)


def _of_two(
    op: Op, left: Callable[[_Term, _Term, _Term], _Term], right: Callable[[_Term, _Term, _Term], _Term]
) -> None:
    """Makes the rule of a function of two operands, from its partial derivatives as formulas of both and the
    result."""

    @op.defines("vjp")
    def rule(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
        if not node.dtype.is_float:
            return None, None
        x, y, z = (_Term(graph, each) for each in (*node.inputs, node))
        upstream = _Term(graph, cotangent)
        return (upstream * left(x, y, z)).node, (upstream * right(x, y, z)).node


def _sign(x: _Term) -> _Term:
    """Returns 1 with the sign of x."""
    return x.same(1.0).make(e.copysign, x)


def _share(wins: Op) -> Callable[[_Term, _Term, _Term], _Term]:
    """Returns 1 for the selected operand, 0 for the other, halves where they are equal."""

    def share(x: _Term, y: _Term, _z: _Term) -> _Term:
        half = where(x.equals(y), x.same(0.5), 0.0)
        return where(x.make(wins, y), 1.0, half)

    return share


LN2, LN10, ROOT_PI = math.log(2.0), math.log(10.0), math.sqrt(math.pi)

_of_one(e.neg, lambda x, y: x.same(-1.0))
_of_one(e.abs, lambda x, y: _sign(x))  # at 0 the derivative on the side of the zero's sign
_of_one(e.sqrt, lambda x, y: 0.5 / y)
_of_one(e.exp, lambda x, y: y)
_of_one(e.exp2, lambda x, y: y * LN2)
_of_one(e.expm1, lambda x, y: y + 1.0)
_of_one(e.log, lambda x, y: 1.0 / x)
_of_one(e.log2, lambda x, y: (1.0 / LN2) / x)
_of_one(e.log10, lambda x, y: (1.0 / LN10) / x)
_of_one(e.log1p, lambda x, y: 1.0 / (x + 1.0))
_of_one(e.sin, lambda x, y: x.make(e.cos))
_of_one(e.cos, lambda x, y: -x.make(e.sin))
_of_one(e.tan, lambda x, y: y * y + 1.0)
_of_one(e.sinh, lambda x, y: x.make(e.cosh))
_of_one(e.cosh, lambda x, y: x.make(e.sinh))
_of_one(e.tanh, lambda x, y: 1.0 - y * y)
_of_one(e.asin, lambda x, y: 1.0 / (1.0 - x * x).make(e.sqrt))
_of_one(e.acos, lambda x, y: -1.0 / (1.0 - x * x).make(e.sqrt))
_of_one(e.atan, lambda x, y: 1.0 / (x * x + 1.0))
_of_one(e.asinh, lambda x, y: 1.0 / (x * x + 1.0).make(e.sqrt))
_of_one(e.acosh, lambda x, y: 1.0 / ((x - 1.0).make(e.sqrt) * (x + 1.0).make(e.sqrt)))
_of_one(e.atanh, lambda x, y: 1.0 / (1.0 - x * x))
_of_one(e.cbrt, lambda x, y: 1.0 / (y * y * 3.0))
_of_one(e.erf, lambda x, y: (-(x * x)).make(e.exp) * (2.0 / ROOT_PI))
_of_one(e.erfc, lambda x, y: (-(x * x)).make(e.exp) * (-2.0 / ROOT_PI))
# (cos(pi x) - sinc(x)) / x, and 0 at 0.
_of_one(e.sinc, lambda x, y: where(x.differs(0.0), ((x * math.pi).make(e.cos) - y) / x, 0.0))
_of_one(e.copy, lambda x, y: x.same(1.0))


@linear_algebra.checked.defines("vjp")
def _checked(_graph: Graph, _node: Node, cotangent: Node) -> Cotangents:
    return cotangent, None


_of_two(e.add, lambda x, y, z: x.same(1.0), lambda x, y, z: x.same(1.0))
_of_two(e.sub, lambda x, y, z: x.same(1.0), lambda x, y, z: x.same(-1.0))
_of_two(e.mul, lambda x, y, z: y, lambda x, y, z: x)
_of_two(e.div, lambda x, y, z: 1.0 / y, lambda x, y, z: -z / y)
# x - trunc(x / y) * y: between its jumps.
_of_two(e.fmod, lambda x, y, z: x.same(1.0), lambda x, y, z: -(x / y).make(e.trunc))
# Where x is 0 the derivative by y is 0, as x ** y is 0 beside it, too (1 for y = 0: its right side).
_of_two(
    e.pow,
    lambda x, y, z: where(y.differs(0.0), y * x.make(e.pow, y - 1.0), 0.0),
    lambda x, y, z: where(x.differs(0.0), z * x.make(e.log), 0.0),
)
_of_two(e.atan2, lambda x, y, z: y / (x * x + y * y), lambda x, y, z: -x / (x * x + y * y))
# x / hypot: at (0, 0) the derivative along neither operand.
_of_two(
    e.hypot,
    lambda x, y, z: where(z.differs(0.0), x / z, 0.0),
    lambda x, y, z: where(z.differs(0.0), y / z, 0.0),
)
_of_two(e.maximum, _share(e.gt), _share(e.lt))
_of_two(e.minimum, _share(e.lt), _share(e.gt))
_of_two(e.copysign, lambda x, y, z: _sign(x) * _sign(y), lambda x, y, z: x.same(0.0))


def _none(_graph: Graph, node: Node, _cotangent: Node) -> Cotangents:
    """The derivative of a locally constant result is zero."""
    return (None,) * len(node.inputs)


for _constant in (
    e.floor, e.ceil, e.trunc, e.rint, e.bitwise_not, e.floordiv, e.floormod, e.gcd,
    e.bitwise_and, e.bitwise_or, e.bitwise_xor, e.shift_left, e.shift_right,
    e.eq, e.ne, e.lt, e.le, e.gt, e.ge, e.bitcast, movement.iota, movement.undefined, reduction.find,
    randomness.mul_high, *randomness.PHILOX,
):  # fmt: skip
    _constant.defines("vjp")(_none)


@e.select.defines("vjp")
def _select(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    if not node.dtype.is_float:
        return None, None, None
    condition, upstream = _Term(graph, node.inputs[0]), _Term(graph, cotangent)
    return None, where(condition, upstream, 0.0).node, where(condition, 0.0, upstream).node


@e.cast.defines("vjp")
def _cast(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    (source,) = node.inputs
    if not (node.dtype.is_float and source.dtype.is_float):
        return (None,)
    return (graph.make(e.cast, cotangent, attributes=(source.dtype,)),)


# Movement ------------------------------------------------------------------------------------------------
def zeros_like(graph: Graph, node: Node) -> Node:
    return filled(graph, node.shape, 0.0, node.dtype)


def total(graph: Graph, node: Node, axes: tuple[int, ...]) -> Node:
    """Sums over some axes."""
    return graph.make(reduction.reduce, node, attributes=("sum", axes)) if axes else node


@movement.reshape.defines("vjp")
def _reshape(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    return (graph.make(movement.reshape, cotangent, attributes=(node.inputs[0].shape,)),)


@movement.permute.defines("vjp")
def _permute(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    axes = node.attribute("axes")
    inverse = tuple(axes.index(axis) for axis in range(len(axes)))
    return (graph.make(movement.permute, cotangent, attributes=(inverse,)),)


@movement.broadcast.defines("vjp")
def _broadcast(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    kept = node.attribute("axes")
    return (total(graph, cotangent, tuple(axis for axis in range(len(node.shape)) if axis not in kept)),)


@movement.slice_.defines("vjp")
def _slice(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    starts, steps, _shape = node.attributes
    base = zeros_like(graph, node.inputs[0])
    return (graph.make(reduction.update, base, cotangent, attributes=(starts, steps)),)


@movement.wrap.defines("vjp")
def _wrap(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """Adds, axis by axis, the elements before the end to their positions, and those after it from position 0
    on."""
    starts, _shape = node.attributes
    whole = node.inputs[0].shape
    made = cotangent
    for axis, (start, extent) in enumerate(zip(starts, whole, strict=True)):
        before = min(made.shape[axis], extent - start)
        parts = [_padded(graph, made, axis, 0, before, start, extent)]
        if made.shape[axis] > before:
            parts.append(_padded(graph, made, axis, before, made.shape[axis] - before, 0, extent))
        made = parts[0] if len(parts) == 1 else graph.make(e.add, *parts)
    return (made,)


def _padded(graph: Graph, node: Node, axis: int, start: int, count: int, to: int, extent: int) -> Node:
    """Places `count` elements of an axis, from `start` on, at `to` among zeros of another extent."""
    rank = len(node.shape)
    at = tuple(start if each == axis else 0 for each in range(rank))
    shape = tuple(count if each == axis else size for each, size in enumerate(node.shape))
    part = graph.make(movement.slice_, node, attributes=(at, (1,) * rank, shape))
    wide = tuple(extent if each == axis else size for each, size in enumerate(node.shape))
    begin = tuple(to if each == axis else 0 for each in range(rank))
    base = filled(graph, wide, 0.0, node.dtype)
    return graph.make(reduction.update, base, part, attributes=(begin, (1,) * rank))


@movement.window.defines("vjp")
def _window(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """Adds every element at the position that it was read from: the sum of those on several axes."""
    (source,) = node.inputs
    position = filled(graph, node.shape, 0, I64)
    stride = 1
    for axes, extent in zip(reversed(node.attribute("axes")), reversed(source.shape)):
        for axis in axes:
            along = graph.make(movement.iota, attributes=(node.shape, axis, I64))
            step = filled(graph, node.shape, stride, I64)
            position = graph.make(e.add, position, graph.make(e.mul, along, step))
        stride *= extent
    return (scattered_total(graph, source, cotangent, position),)


def scattered_total(graph: Graph, like: Node, values: Node, position: Node) -> Node:
    """Adds values up at positions in C order, in an array like another one."""
    flat = filled(graph, (like.size,), 0.0, like.dtype)
    shape = (values.size,)
    values, position = (
        graph.make(movement.reshape, node, attributes=(shape,)) for node in (values, position)
    )
    attributes = ((0,), 0, "add", (True,), (0,), False, 0)
    added = graph.make(indexing.scatter, flat, values, position, attributes=attributes)
    return graph.make(movement.reshape, added, attributes=(like.shape,))


@reduction.update.defines("vjp")
def _update(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    starts, steps = node.attributes
    value = node.inputs[1]
    zeros = zeros_like(graph, value)
    base = graph.make(reduction.update, cotangent, zeros, attributes=(starts, steps))
    return base, graph.make(movement.slice_, cotangent, attributes=(starts, steps, value.shape))


# Reductions ----------------------------------------------------------------------------------------------
@reduction.reduce.defines("vjp")
def _reduce(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """Of `max` and `min`, divides the cotangent among equal elements; of `prod`, every element gets the
    product of all others."""
    kind, axes = node.attributes
    (source,) = node.inputs
    if not node.dtype.is_float:
        return (None,)
    kept = tuple(axis for axis in range(len(source.shape)) if axis not in axes)

    def spread(each: Node) -> _Term:
        made = graph.make(movement.broadcast, each, attributes=(source.shape, kept))
        return _Term(graph, made)

    upstream, x = spread(cotangent), _Term(graph, source)
    if kind == "sum":
        return (upstream.node,)
    if kind == "prod":
        return ((upstream * _others(graph, source, axes)).node,)
    assert kind in ("max", "min"), node
    chosen = where(x.equals(spread(node)), x.same(1.0), 0.0)
    count = spread(total(graph, chosen.node, axes))
    return ((upstream * (chosen / count)).node,)


def _others(graph: Graph, source: Node, axes: tuple[int, ...]) -> _Term:
    """Returns at every element the product of all others along the axes, without a division, which fails for
    0."""
    kept = [axis for axis in range(len(source.shape)) if axis not in axes]
    order = (*kept, *axes)
    row = math.prod(source.shape[axis] for axis in axes)
    rows = (*(source.shape[axis] for axis in kept), row)
    flat = graph.make(movement.permute, source, attributes=(order,))
    flat = graph.make(movement.reshape, flat, attributes=(rows,))
    rank = len(rows)
    wide = (*rows, row)
    along, other = (graph.make(movement.iota, attributes=(wide, axis, I64)) for axis in (rank - 1, rank))
    every = graph.make(movement.broadcast, flat, attributes=(wide, (*range(rank - 1), rank)))
    itself = _Term(graph, graph.make(e.eq, along, other))
    left = where(itself, 1.0, _Term(graph, every))
    node = graph.make(reduction.reduce, left.node, attributes=("prod", (rank,)))
    node = graph.make(movement.reshape, node, attributes=(tuple(source.shape[axis] for axis in order),))
    inverse = tuple(order.index(axis) for axis in range(len(order)))
    return _Term(graph, graph.make(movement.permute, node, attributes=(inverse,)))


@reduction.scan.defines("vjp")
def _scan(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """The derivative of a cumulative sum is the cumulative sum from the end."""
    kind, axis = node.attributes
    if not node.dtype.is_float:
        return (None,)
    if kind != "sum":
        raise NotImplementedError(f"a cumulative {kind} has no derivative yet")
    starts = tuple(max(size - 1, 0) if each == axis else 0 for each, size in enumerate(node.shape))
    steps = tuple(-1 if each == axis else 1 for each in range(len(node.shape)))

    def flipped(each: Node) -> Node:
        return graph.make(movement.slice_, each, attributes=(starts, steps, node.shape))

    summed = graph.make(reduction.scan, flipped(cotangent), attributes=("sum", axis))
    return (flipped(summed),)


def _dot(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    if not node.dtype.is_float:
        return None, None

    def transposed(each: Node) -> Node:
        rank = len(each.shape)
        return graph.make(movement.permute, each, attributes=((*range(rank - 2), rank - 1, rank - 2),))

    x, y = node.inputs
    left = graph.make(reduction.dot, cotangent, transposed(y))
    return left, graph.make(reduction.dot, transposed(x), cotangent)


reduction.dot.defines("vjp")(_dot)
reduction.small_dot.defines("vjp")(_dot)
winograd.image_dot.defines("vjp")(_dot)


@reduction.window_dot.defines("vjp")
@reduction.packed_dot.defines("vjp")
def _packed_dot(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    """Derives as a product of two matrices, and splits the axes again."""
    rows, _columns, shape = node.attributes
    x, y = node.inputs
    inner = math.prod(x.shape[len(shape) - 2 + rows :])
    sides = ((*shape[:-1], inner), (*shape[:-2], inner, shape[-1]))
    matrices = [
        graph.make(movement.reshape, each, attributes=(side,))
        for each, side in zip(node.inputs, sides, strict=True)
    ]
    nodes = _dot(graph, graph.make(reduction.dot, *matrices), cotangent)
    return tuple(
        None if each is None else graph.make(movement.reshape, each, attributes=(source.shape,))
        for each, source in zip(nodes, (x, y), strict=True)
    )


@indexing.gather.defines("vjp")
def _gather(graph: Graph, node: Node, cotangent: Node) -> Cotangents:
    axes, position, known, labels, _site = node.attributes
    base = zeros_like(graph, node.inputs[0])
    attributes = (axes, position, "add", known, labels, False, 0)
    made = graph.make(indexing.scatter, base, cotangent, *node.inputs[1:], attributes=attributes)
    return (made, *(None for _ in node.inputs[1:]))
