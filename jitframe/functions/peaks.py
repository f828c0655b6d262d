"""Widths and surroundings of a signal's peaks, on nodes: a loop over the independent peaks, each with an
inner loop that walks away from the peak."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, I64
from .formula import Term, where
from .loop_nodes import at, put, repeated, repeated_while
from .operands import cast
from .sparse_rows import at as checked_at

Values = Sequence[Node]


def _walked(
    graph: Graph, x: Node, peaks: Node, ends: Node, levels: Node, step: int,
    goes_on: Callable[[Term, Term, Term, Term], Term],
    seen: Callable[[Term, Term, Term, Term], tuple[Term, Term]],
) -> Node:  # fmt: skip
    """For each peak the place that was noted on a walk from it by `step`, as long as
    `goes_on(position, end, value there, level)`; `seen(position, value there, noted, noted value)` says what
    is noted next. A position that is asked about may lie beyond the signal by one, and has the last value
    then."""
    dtype, peaks, ends = peaks.dtype, cast(graph, peaks, I64), cast(graph, ends, I64)
    last = graph.number(x.shape[0] - 1, I64, common=False)
    nodes = [x, peaks, ends, levels, last]
    empty = graph.make(ops.undefined, attributes=(peaks.shape, dtype))

    def walk(body: Graph, number: Node, made: list[Node], known: list[Node]) -> list[Node]:
        source, places, limits, heights, final = known
        start, end, level = (at(body, node, number) for node in (places, limits, heights))
        top = checked_at(body, source, start)

        def condition(inner: Graph, own: Values) -> Values:
            return (goes_on(*(Term(inner, own[each]) for each in (0, 5, 1, 6))).node,)

        def advance(inner: Graph, own: Values) -> Values:
            place, value, noted, lowest = (Term(inner, node) for node in own[:4])
            following = place + step
            inside = following.make(ops.maximum, 0).make(ops.minimum, Term(inner, own[7]))
            found = (
                following,
                Term(inner, at(inner, own[4], inside.node)),
                *seen(place, value, noted, lowest),
            )
            return [term.node for term in found]

        carried = [start, top, start, top]
        ended = repeated_while(body, condition, advance, carried, [source, end, level, final])
        return [put(body, made[0], cast(body, ended[2], dtype), number)]

    count = graph.number(peaks.shape[0], I64, common=False)
    return repeated(graph, graph.constant(0, I64), count, [empty], nodes, walk)[0]


def bases(graph: Graph, x: Node, peaks: Node, ends: Node, heights: Node, step: int) -> Node:
    """The position of the minimum between each peak and its end, or the next value higher than the peak: the
    first such position."""

    def goes_on(place: Term, end: Term, value: Term, height: Term) -> Term:
        return (place <= end if step > 0 else end <= place) & (value <= height)

    def seen(place: Term, value: Term, noted: Term, lowest: Term) -> tuple[Term, Term]:
        lower = value < lowest
        return where(lower, place, noted), where(lower, value, lowest)

    return _walked(graph, x, peaks, ends, heights, step, goes_on, seen)


def crossings(graph: Graph, x: Node, peaks: Node, ends: Node, heights: Node, step: int) -> Node:
    """The first position, between each peak and its end, where the signal is not above a height; else the
    end."""

    def goes_on(place: Term, end: Term, value: Term, height: Term) -> Term:
        return (place < end if step > 0 else end < place) & (height < value)

    def seen(place: Term, value: Term, _noted: Term, _lowest: Term) -> tuple[Term, Term]:
        return place + step, value

    return _walked(graph, x, peaks, ends, heights, step, goes_on, seen)


def kept_apart(graph: Graph, order: Node, lower: Node, upper: Node) -> Node:
    """The peaks left when each, in an order, removes its neighbours from lower to upper - 1, unless it was
    removed itself."""
    order, lower, upper = (cast(graph, node, I64) for node in (order, lower, upper))
    all_ = graph.make(ops.broadcast, graph.constant(True, BOOL), attributes=(order.shape, ()))

    def take_away(body: Graph, index: Node, kept: list[Node], known: list[Node]) -> list[Node]:
        peak = at(body, known[0], index)
        stays = at(body, kept[0], peak)
        first, end = (at(body, node, peak) for node in known[1:])

        def clear(inner: Graph, other: Node, inside: list[Node], own: list[Node]) -> list[Node]:
            return [put(inner, inside[0], inner.make(ops.eq, other, own[0]), other)]

        return repeated(body, first, body.make(ops.select, stays, end, first), kept, [peak], clear)

    count = graph.number(order.shape[0], I64, common=False)
    return repeated(graph, graph.constant(0, I64), count, [all_], [order, lower, upper], take_away)[0]
