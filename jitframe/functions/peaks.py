"""How far the surroundings of peaks of a signal reach, on nodes: a loop over the peaks, which do not depend
on each other, and for each a loop that walks away from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import ops
from ..ir.node import Graph, Node, Region
from ..ir.types import BOOL, I64
from .loop_nodes import loop, while_loop
from .operands import cast
from .recursive_filters import at, put
from .sparse_rows import at as checked_at

Values = Sequence[Node]


def _walked(
    graph: Graph, x: Node, peaks: Node, ends: Node, levels: Node, step: int,
    goes_on: Callable[[Graph, Node, Node, Node, Node], Node],
    seen: Callable[[Graph, Node, Node, Node, Node], tuple[Node, Node]],
) -> Node:  # fmt: skip
    """For each peak the place that was noted on a walk from it by `step`, as long as
    `goes_on(position, end, value there, level)`; `seen(position, value there, noted, noted value)` says what
    is noted next. A position that is asked about may lie beyond the signal by one, and has the last value
    then."""
    dtype, peaks, ends = peaks.dtype, cast(graph, peaks, I64), cast(graph, ends, I64)
    last = graph.number(x.shape[0] - 1, I64, common=False)
    given = [x, peaks, ends, levels, last]
    empty = graph.make(ops.undefined, attributes=(peaks.shape, dtype))
    body = Graph(graph)
    number = body.parameter(0, (), I64)
    made, *names = [body.parameter(k, each.shape, each.dtype) for k, each in enumerate((empty, *given), 1)]
    source, places, limits, heights, final = names
    start, end, level = (at(body, each, number) for each in (places, limits, heights))
    top = checked_at(body, source, start)

    def region(write: Callable[[Graph, Values], Values]) -> Region:
        inner = Graph(body)
        kinds = (start, top, start, top, source, end, level, final)
        own = [inner.parameter(k, each.shape, each.dtype) for k, each in enumerate(kinds)]
        return Region(inner, tuple(own), tuple(write(inner, own)))

    def condition(inner: Graph, own: Values) -> Values:
        return (goes_on(inner, own[0], own[5], own[1], own[6]),)

    def advance(inner: Graph, own: Values) -> Values:
        place = inner.make(ops.add, own[0], inner.constant(step, I64))
        inside = inner.make(ops.maximum, place, inner.constant(0, I64))
        value = at(inner, own[4], inner.make(ops.minimum, inside, own[7]))
        return place, value, *seen(inner, own[0], own[1], own[2], own[3])

    carried = [start, top, start, top]
    found = while_loop(body, region(condition), region(advance), carried, [source, end, level, final])[2]
    whole = Region(body, (number, made, *names), (put(body, made, cast(body, found, dtype), number),))
    count = graph.number(peaks.shape[0], I64, common=False)
    return loop(graph, graph.constant(0, I64), count, whole, [empty], given)[0]


def bases(graph: Graph, x: Node, peaks: Node, ends: Node, heights: Node, step: int) -> Node:
    """Where the signal is lowest on the way from each peak to its end, or to what is higher than the peak:
    the first such place."""

    def goes_on(inner: Graph, place: Node, end: Node, value: Node, height: Node) -> Node:
        within = inner.make(ops.le, *((place, end) if step > 0 else (end, place)))
        return inner.make(ops.bitwise_and, within, inner.make(ops.le, value, height))

    def seen(inner: Graph, place: Node, value: Node, noted: Node, lowest: Node) -> tuple[Node, Node]:
        lower = inner.make(ops.lt, value, lowest)
        return (
            inner.make(ops.select, lower, place, noted),
            inner.make(ops.select, lower, value, lowest),
        )

    return _walked(graph, x, peaks, ends, heights, step, goes_on, seen)


def crossings(graph: Graph, x: Node, peaks: Node, ends: Node, heights: Node, step: int) -> Node:
    """The first place, on the way from each peak to its end, where the signal is not above a height; else
    the end."""

    def goes_on(inner: Graph, place: Node, end: Node, value: Node, height: Node) -> Node:
        within = inner.make(ops.lt, *((place, end) if step > 0 else (end, place)))
        return inner.make(ops.bitwise_and, within, inner.make(ops.lt, height, value))

    def seen(inner: Graph, place: Node, value: Node, _noted: Node, _lowest: Node) -> tuple[Node, Node]:
        return inner.make(ops.add, place, inner.constant(step, I64)), value

    return _walked(graph, x, peaks, ends, heights, step, goes_on, seen)


def kept_apart(graph: Graph, order: Node, lower: Node, upper: Node) -> Node:
    """Which peaks stay where each, in an order, takes away its neighbours from lower to upper - 1, unless it
    was taken away itself."""
    order, lower, upper = (cast(graph, each, I64) for each in (order, lower, upper))
    all_ = graph.make(ops.broadcast, graph.constant(True, BOOL), attributes=(order.shape, ()))
    given = [order, lower, upper]
    body = Graph(graph)
    index = body.parameter(0, (), I64)
    kept, *names = [body.parameter(k, each.shape, each.dtype) for k, each in enumerate((all_, *given), 1)]
    peak = at(body, names[0], index)
    stays = at(body, kept, peak)
    first, end = (at(body, each, peak) for each in names[1:])
    end = body.make(ops.select, stays, end, first)
    inner = Graph(body)
    other, inside, own = (
        inner.parameter(k, each.shape, each.dtype) for k, each in enumerate((index, kept, peak))
    )
    is_own = inner.make(ops.eq, other, own)
    region = Region(inner, (other, inside, own), (put(inner, inside, is_own, other),))
    (made,) = loop(body, first, end, region, [kept], [peak])
    whole = Region(body, (index, kept, *names), (made,))
    count = graph.number(order.shape[0], I64, common=False)
    return loop(graph, graph.constant(0, I64), count, whole, [all_], given)[0]
