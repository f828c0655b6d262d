"""Places in a sorted array, by binary search, and what lies between its elements."""

from __future__ import annotations

from ..arrays.promotion import Operand, promote, result_dtype
from ..errors import ArgumentError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, F64, I32, I64
from .complex_numbers import imag, real, real_numbers
from .elementwise import isnan
from .operands import cast, filled, shape_text, spread, strong


def searchsorted(graph: Graph, a: Operand, v: Operand, right: bool) -> Node:
    """Before which element of the sorted `a` each of `v` would go: the first, or behind those equal to it.

    NaN comes after every number. The search takes as many steps as the length has bits, all in one loop.
    """
    a, v = strong(graph, a), strong(graph, v)
    if len(a.shape) != 1:
        raise ShapeError(f"searchsorted: the sorted array has one axis, not the shape {shape_text(a.shape)}")
    dtype = promote(a.dtype, v.dtype)
    common = I32 if dtype is BOOL else dtype
    return _places(graph, cast(graph, a, common), cast(graph, v, common), right)


def _places(graph: Graph, a: Node, v: Node, right: bool) -> Node:
    (length,) = a.shape
    place = spread(graph, graph.constant(0, I64), v.shape)
    last = spread(graph, graph.number(length - 1, I64, common=False), v.shape)
    for bit in reversed(range(length.bit_length())):
        # Is the element that `step` elements end with still before the wanted place?
        step = filled(graph, (1 << bit) - 1, place)
        wanted = graph.make(ops.add, place, step)
        inside = graph.make(ops.le, wanted, last)
        element = element_at(graph, a, graph.make(ops.minimum, wanted, last))
        before = graph.make(ops.bitwise_and, inside, _is_before(graph, element, v, right))
        following = graph.make(ops.add, wanted, filled(graph, 1, wanted))
        place = graph.make(ops.select, before, following, place)
    return place


def _is_before(graph: Graph, element: Node, v: Node, right: bool) -> Node:
    """Whether an element comes before the place of `v`; NaN is the largest."""
    before = graph.make(ops.le if right else ops.lt, element, v)
    if not v.dtype.is_inexact:
        return before
    number_before_nan = isnan(graph, v)
    if not right:
        a_number = graph.make(ops.eq, element, element)
        number_before_nan = graph.make(ops.bitwise_and, number_before_nan, a_number)
    return graph.make(ops.bitwise_or, before, number_before_nan)


def element_at(graph: Graph, a: Node, position: Node) -> Node:
    """The elements of a vector at positions that are certainly in it."""
    return graph.make(ops.gather, a, position, attributes=((0,), 0, (True,), (0,), 0))


def near_place(graph: Graph, edges: Operand, v: Operand, about: Operand) -> Node:
    """In which interval of `edges` each of `v` lies, which is `about` this one or a neighbour of it.

    Counted as NumPy does it for intervals of equal size: the last one has both its edges.
    """
    edges, about = strong(graph, edges), strong(graph, about)
    v = cast(graph, strong(graph, v), edges.dtype)
    last = spread(graph, graph.number(edges.shape[0] - 2, I64, common=False), v.shape)
    place = graph.make(ops.minimum, cast(graph, about, I64), last)
    one, zero = filled(graph, 1, place), filled(graph, 0, place)
    place = graph.make(ops.maximum, place, zero)
    next_place = graph.make(ops.add, place, one)
    before = graph.make(ops.lt, v, element_at(graph, edges, place))
    behind = graph.make(ops.ge, v, element_at(graph, edges, next_place))
    behind = graph.make(ops.bitwise_and, behind, graph.make(ops.ne, place, last))
    moved = graph.make(ops.select, behind, next_place, place)
    return graph.make(ops.select, before, graph.make(ops.sub, place, one), moved)


def interp(
    graph: Graph, x: Operand, xp: Operand, fp: Operand, left: Operand | None, right: Operand | None
) -> Node:
    """The values at `x` of the straight lines through the points (xp, fp), in float64; NumPy's rules."""
    values = [strong(graph, each) for each in (fp, left, right) if each is not None]
    if result_dtype(values).is_complex:
        made = []
        for part in (real, imag):
            bounds = [None if each is None else part(graph, each) for each in (left, right)]
            made.append(interp(graph, x, xp, part(graph, fp), *bounds))
        return graph.make(ops.pair, *made)
    x, xp = real_numbers(graph, x, "interp"), real_numbers(graph, xp, "interp")
    x, xp, fp = (cast(graph, strong(graph, each), F64) for each in (x, xp, fp))
    if len(xp.shape) != 1 or len(fp.shape) != 1:
        texts = " and ".join(map(shape_text, (xp.shape, fp.shape)))
        raise ShapeError(f"interp: Data points must be 1-D sequences; xp and fp have the shapes {texts}")
    if xp.shape != fp.shape:
        raise ShapeError("fp and xp are not of the same length.")
    (length,) = xp.shape
    if not length:
        raise ArgumentError("array of sample points is empty")
    place = _places(graph, xp, x, right=True)
    one, zero = filled(graph, 1, place), filled(graph, 0, place)
    last = spread(graph, graph.number(length - 1, I64, common=False), x.shape)
    below = graph.make(ops.maximum, graph.make(ops.sub, place, one), zero)
    below = graph.make(ops.minimum, below, last)
    above = graph.make(ops.minimum, graph.make(ops.add, below, one), last)
    x0, x1 = element_at(graph, xp, below), element_at(graph, xp, above)
    y0, y1 = element_at(graph, fp, below), element_at(graph, fp, above)
    rise, run = graph.make(ops.sub, y1, y0), graph.make(ops.sub, x1, x0)
    slope = graph.make(ops.div, rise, run)

    def from_point(px: Node, py: Node) -> Node:
        return graph.make(ops.add, graph.make(ops.mul, slope, graph.make(ops.sub, x, px)), py)

    # Where an infinite value spoils the line from one end, the other end and a level line are tried.
    found = from_point(x0, y0)
    found = graph.make(ops.select, isnan(graph, found), from_point(x1, y1), found)
    level = graph.make(ops.bitwise_and, isnan(graph, found), graph.make(ops.eq, y0, y1))
    at_point = graph.make(ops.bitwise_or, graph.make(ops.eq, x, x0), graph.make(ops.eq, below, last))
    found = graph.make(ops.select, graph.make(ops.bitwise_or, level, at_point), y0, found)
    ends = ((left, zero, ops.lt), (right, last, ops.gt))
    for value, end, beyond in ends:
        given = element_at(graph, fp, end) if value is None else cast(graph, strong(graph, value), F64)
        outside = graph.make(beyond, x, element_at(graph, xp, end))
        found = graph.make(ops.select, outside, spread(graph, given, x.shape), found)
    # One point is a level line for NumPy, at NaN too.
    return found if length == 1 else graph.make(ops.select, isnan(graph, x), x, found)
