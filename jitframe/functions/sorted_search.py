"""Positions in a sorted array by binary search, and interpolation between its elements."""

from __future__ import annotations

from ..arrays.promotion import Operand, promote, result_dtype
from ..errors import ArgumentError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, F64, I32, I64
from .complex_numbers import imag, real, real_numbers
from .elementwise import isnan
from .formula import Term, where
from .loop_nodes import at
from .operands import cast, filled, shape_text, strong


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
    place = Term(graph, graph.constant(0, I64)).spread(v.shape)
    last = Term(graph, graph.number(length - 1, I64, common=False)).spread(v.shape)
    for bit in reversed(range(length.bit_length())):
        # Is the last of the next `step` elements still before the wanted position?
        wanted = place + Term(graph, filled(graph, (1 << bit) - 1, place.node))
        element = at(graph, a, wanted.make(ops.minimum, last).node)
        before = (wanted <= last) & _is_before(Term(graph, element), Term(graph, v), right)
        place = where(before, wanted + 1, place)
    return place.node


def _is_before(element: Term, v: Term, right: bool) -> Term:
    """Whether an element precedes the insertion position of `v`; NaN is the largest."""
    before = element <= v if right else element < v
    if not v.node.dtype.is_inexact:
        return before
    number_before_nan = Term(v.graph, isnan(v.graph, v.node))
    if not right:
        number_before_nan = number_before_nan & (element == element)
    return before | number_before_nan


def near_place(graph: Graph, edges: Operand, v: Operand, about: Operand) -> Node:
    """The interval of `edges` that contains each of `v`, given a guess that is off by one at most.

    Counted as NumPy does it for intervals of equal size: the last one has both its edges.
    """
    edges, about = strong(graph, edges), strong(graph, about)
    v = cast(graph, strong(graph, v), edges.dtype)
    last = Term(graph, graph.number(edges.shape[0] - 2, I64, common=False)).spread(v.shape)
    place = Term(graph, cast(graph, about, I64)).make(ops.minimum, last).make(ops.maximum, 0)
    low, high = (Term(graph, at(graph, edges, term.node)) for term in (place, place + 1))
    value = Term(graph, v)
    moved = where((value >= high) & (place != last), place + 1, place)
    return where(value < low, place - 1, moved).node


def interp(
    graph: Graph, x: Operand, xp: Operand, fp: Operand, left: Operand | None, right: Operand | None
) -> Node:
    """The values at `x` of the straight lines through the points (xp, fp), in float64; NumPy's rules."""
    values = [strong(graph, each) for each in (fp, left, right) if each is not None]
    if result_dtype(values).is_complex:
        nodes = []
        for part in (real, imag):
            bounds = [None if each is None else part(graph, each) for each in (left, right)]
            nodes.append(interp(graph, x, xp, part(graph, fp), *bounds))
        return graph.make(ops.pair, *nodes)
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
    value, place = Term(graph, x), Term(graph, _places(graph, xp, x, right=True))
    last = Term(graph, graph.number(length - 1, I64, common=False)).spread(x.shape)
    below = (place - 1).make(ops.maximum, 0).make(ops.minimum, last)
    above = (below + 1).make(ops.minimum, last)

    def of(points: Node, position: Term) -> Term:
        return Term(graph, at(graph, points, position.node))

    x0, x1, y0, y1 = of(xp, below), of(xp, above), of(fp, below), of(fp, above)
    slope = (y1 - y0) / (x1 - x0)
    # If an infinite value spoils the line from one end, the other end and a constant line are tried.
    term = slope * (value - x0) + y0
    term = where(term != term, slope * (value - x1) + y1, term)
    level = (term != term) & (y0 == y1)
    term = where(level | ((value == x0) | (below == last)), y0, term)
    for given, end, beyond in ((left, below.like(0), ops.lt), (right, last, ops.gt)):
        outer = of(fp, end) if given is None else Term(graph, cast(graph, strong(graph, given), F64))
        term = where(value.make(beyond, of(xp, end)), outer.spread(x.shape), term)
    # One point is a constant line for NumPy, at NaN too.
    return term.node if length == 1 else where(value != value, value, term).node
