"""Repetition detection: lazy graphs that repeat a subgraph, as an untraced Python loop builds them.

Such a graph is evaluated in segments of 1, 2, 4, ... iterations, cut at the same node of the subgraph each
time. So every number of iterations runs the same few kernels, wherever the graph was flushed. Sizes do not
matter: iterations that read other slices, or arrays that grow, use the same kernels. In nested loops the
inner ones repeat, and the code between them forms segments of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, islice

from ..base.locks import new_reentrant_lock
from ..ir.node import Node
from ..ir.record import record
from ..ir.structure import Axes, structure_text

FEWEST_NODES = 32
"""Shorter repetitions are one program like any other, unless their subgraph is known from a longer one."""
FEWEST_ITERATIONS = 4
LONG_GRAPH, LONG_PIECE = 400, 64
"""In so long a graph, two iterations of so long a subgraph are a loop: more may not fit between two
flushes."""
ITERATIONS_REMEMBERED = 64
MOST_NODES_OF_A_PART = 64
FEWEST_NODES_ALONE = 3
"""A single iteration of so long a subgraph is cut out where the same graph repeats it elsewhere."""
_PROBES = FEWEST_NODES // 2
"""The distance of probes: each sufficiently long repetition covers one of them."""
_NO_CUT = 1 << 30
_CANDIDATES = 24
_NEIGHBOURS = 6

_remembered: OrderedDict[Hashable, None] = OrderedDict()
"""The subgraphs found so far, the least recently seen first: the rest of a loop may be short."""
_lock = new_reentrant_lock()


class Repeat(metaclass=record):
    """Positions `start`, `start + period`, ..., `stop` of the order are between two iterations."""

    start: int
    period: int
    stop: int

    def cuts(self) -> list[int]:
        """Returns the ends of the segments, the first at `start`: powers of two of iterations, largest
        first."""
        iterations = 1
        while 2 * iterations * self.period <= MOST_NODES_OF_A_PART:
            iterations *= 2
        found = [self.start]
        while found[-1] < self.stop:
            left = (self.stop - found[-1]) // self.period
            while iterations > left:
                iterations //= 2
            found.append(found[-1] + iterations * self.period)
        return found


def find_repeats(order: Sequence[Node]) -> list[Repeat]:
    """Returns the repetitions in an order (operations, inputs before users), the first ones first."""
    if len(order) < (4 if _remembered else FEWEST_NODES):
        return []
    search = _Search(order)
    repeats: list[Repeat] = []
    ranges = [(0, len(order))]
    while ranges:
        low, high = ranges.pop()
        repeat = search.longest(low, high)
        if repeat is not None:
            repeats.append(repeat)
            ranges += [(low, repeat.start), (repeat.stop, high)]
    repeats.sort(key=lambda repeat: repeat.start)
    return search.with_single_ones(repeats)


class _Search:
    """The search for repetitions in an order."""

    def __init__(self, order: Sequence[Node]) -> None:
        self.order = order
        self.place = {node: position for position, node in enumerate(order)}
        self.kinds = list(map(_kind, order))
        self.crossing = _crossing(order, self.place)
        self.positions: dict[str, list[int]] = {}
        """The positions of each kind, ascending."""
        for position, kind in enumerate(self.kinds):
            self.positions.setdefault(kind, []).append(position)

    def longest(self, low: int, high: int) -> Repeat | None:
        """Returns the repetition between two positions that covers the middle; where there is none,
        another."""
        fewest = 2 if _remembered else FEWEST_NODES
        if high - low < fewest:
            return None
        for middle in chain(((low + high) // 2,), range(low + _PROBES // 2, high, _PROBES)):
            repeat = self._around(middle, low, high)
            if repeat is not None:
                return repeat
        return None

    def _around(self, middle: int, low: int, high: int) -> Repeat | None:
        is_long = high - low >= LONG_GRAPH
        for position in self._candidates(middle, low, high):
            period = position - middle
            start, stop = self._run_containing(middle, period, low, high)
            if stop - start < 2 * period:
                continue
            repeat = self._aligned(start, stop, period)
            if repeat is None:
                continue
            body = tuple(self.kinds[repeat.start : repeat.start + period])
            iterations = 2 if is_long and period >= LONG_PIECE else FEWEST_ITERATIONS
            if stop - start >= max(FEWEST_NODES, iterations * period) or body in _remembered:
                _remember(body)
                return self._extended(repeat, low, high)
        return None

    def _candidates(self, middle: int, low: int, high: int) -> Iterator[int]:
        """Returns candidate positions a period or more after the middle: in a long graph first those with the
        same neighbors, since a long subgraph has many nodes of one kind."""
        kinds = self.kinds
        alike = self.positions[kinds[middle]]
        behind = alike[bisect_right(alike, middle) : bisect_right(alike, high - 1)]
        if high - low >= LONG_GRAPH:
            neighbours = kinds[middle - _NEIGHBOURS : middle + _NEIGHBOURS]
            same = (each for each in behind if kinds[each - _NEIGHBOURS : each + _NEIGHBOURS] == neighbours)
            yield from islice(same, _CANDIDATES)
        yield from behind[:_CANDIDATES]

    def _run_containing(self, middle: int, period: int, low: int, high: int) -> tuple[int, int]:
        """Returns the longest range around the middle in which each node equals the one a period before."""
        order, kinds = self.order, self.kinds

        def alike(first: int) -> bool:
            second = first + period
            if kinds[first] != kinds[second]:
                return False
            pairs = zip(order[first].inputs, order[second].inputs, strict=True)
            return all(x is y or _same_place(x, y, self.place, period) for x, y in pairs)

        start = middle
        while start > low and alike(start - 1):
            start -= 1
        stop = middle
        while stop + period < high and alike(stop):
            stop += 1
        return (start, stop + period) if stop > middle else (start, start)

    def _aligned(self, start: int, stop: int, period: int) -> Repeat | None:
        """Returns the repetition aligned to the cut with the fewest loop-carried values; of several such cuts
        always the same one, wherever the order began. None where no cut is between two iterations."""
        # The first iteration may read other values than those after it.
        offsets = range(start + period, start + 2 * period)
        fewest = min(self.crossing[offset] for offset in offsets)
        if fewest >= _NO_CUT:
            return None
        kinds = self.kinds[start : start + 3 * period]
        first = min(
            (offset for offset in offsets if self.crossing[offset] == fewest),
            key=lambda offset: kinds[offset - start : offset - start + period],
        )
        if first - period >= start:
            first -= period
        return Repeat(first, period, first + (stop - first) // period * period)

    def _extended(self, repeat: Repeat, low: int, high: int) -> Repeat:
        """Extends the repetition by equal iterations before and after it with other operands, as at the ends
        of an inner loop."""
        period, start, stop = repeat.period, repeat.start, repeat.stop
        body = self.kinds[start : start + period]
        while start - period >= low and self._is_piece(start - period, body):
            start -= period
        while stop + period <= high and self._is_piece(stop, body):
            stop += period
        return Repeat(start, period, stop)

    def _is_piece(self, start: int, body: Sequence[str]) -> bool:
        stop = start + len(body)
        return self.kinds[start:stop] == body and max(self.crossing[start], self.crossing[stop]) < _NO_CUT

    def with_single_ones(self, found: Sequence[Repeat]) -> list[Repeat]:
        """Adds single iterations of known subgraphs between repetitions: an inner loop may run once."""
        bodies = {
            tuple(self.kinds[repeat.start : repeat.start + repeat.period]): None
            for repeat in found
            if repeat.period >= FEWEST_NODES_ALONE
        }
        repeats: list[Repeat] = []
        begin = 0
        for repeat in [*found, None]:
            high = len(self.order) if repeat is None else repeat.start
            for body in map(list, bodies):
                period, position = len(body), begin
                while position + period <= high:
                    if self._is_piece(position, body):
                        alone = self._extended(Repeat(position, period, position + period), position, high)
                        repeats.append(alone)
                        position = begin = alone.stop
                    else:
                        position += 1
            if repeat is not None:
                repeats.append(repeat)
                begin = repeat.stop
        return repeats


def _kind(node: Node) -> str:
    """Returns the text of a node without its sizes: nodes of one kind use one kernel. It is the same in every
    process, and so are the cuts, so that stored plans are found."""
    op = node.op
    detail: Hashable = node.attributes
    if op.structure is not None and all(source.op.results is None for source in node.inputs):
        axes = Axes()
        ranks = [tuple(map(axes.number, source.shape)) for source in node.inputs]
        detail, _ = op.structure(axes, node, ranks)
    kind = op, detail, len(node.shape), node.dtype
    return structure_text(kind) or str(hash(kind))


def _remember(body: Hashable) -> None:
    with _lock:
        _remembered[body] = None
        _remembered.move_to_end(body)
        if len(_remembered) > ITERATIONS_REMEMBERED:
            _remembered.popitem(last=False)


def _same_place(x: Node, y: Node, place: dict[Node, int], period: int) -> bool:
    """Whether two inputs correspond in two iterations: made in them, or loop inputs. The first iterations
    read initial values where later ones read the previous iteration's."""
    if y in place:
        if x in place:
            return place[y] - place[x] == period
        return x.op.source == "array" and len(x.shape) == len(y.shape) and x.dtype is y.dtype
    if x.op.source == "array":
        return y.op is x.op and len(x.shape) == len(y.shape) and x.attributes[2:] == y.attributes[2:]
    if x.op.source == "scalar":
        return x.op is y.op and x.attributes[1:] == y.attributes[1:]
    return False


def _crossing(order: Sequence[Node], place: dict[Node, int]) -> list[int]:
    """Returns the number of values made before each position and used at or after it; very large inside an
    operation with several results, which has no value itself."""
    last = last_uses(order, place)
    change = [0] * (len(order) + 2)
    for position, node in enumerate(order):
        if last[position] > position:
            weight = 1 if node.op.results is None else _NO_CUT
            change[position + 1] += weight
            change[last[position] + 1] -= weight
    found, total = [], 0
    for position in range(len(order) + 1):
        total += change[position]
        found.append(total)
    return found


def last_uses(order: Sequence[Node], place: dict[Node, int]) -> list[int]:
    """Returns the position of each node's last user; its own where there is none."""
    last = list(range(len(order)))
    for position, node in enumerate(order):
        for source in node.inputs:
            where = place.get(source)
            if where is not None:
                last[where] = position
    return last
