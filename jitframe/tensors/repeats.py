"""Lazy graphs that repeat a subgraph, as a Python loop outside of `jit` makes them.

Such a graph is evaluated in parts of 1, 2, 4, ... iterations, cut at the same place of the piece each time.
So every number of iterations runs the same few kernels, wherever the graph was flushed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice

from ..base.locks import new_reentrant_lock
from ..ir.node import LEAVES, Node
from ..ir.record import record

FEWEST_NODES = 32
"""Shorter repetitions are one program like any other, unless their piece is known from a longer one."""
FEWEST_ITERATIONS = 4
LONG_GRAPH, LONG_PIECE = 400, 64
"""In a graph so long, two iterations of a piece so long are a loop: more may not fit between two flushes."""
ITERATIONS_REMEMBERED = 64
MOST_NODES_OF_A_PART = 64
_NO_CUT = 1 << 30
_CANDIDATES = 24
_NEIGHBOURS = 6

_remembered: OrderedDict[Hashable, None] = OrderedDict()
"""The pieces that were found so far, the least recently seen first: what remains of a loop may be short."""
_lock = new_reentrant_lock()
_PARAMETER, _SCALAR = LEAVES["parameter"], LEAVES["scalar"]


class Repeat(metaclass=record):
    """Positions `start`, `start + period`, ..., `stop` of the order are between two iterations."""

    start: int
    period: int
    stop: int

    def cuts(self) -> list[int]:
        """Where the parts end, the first at `start`: parts of as many iterations as fit, then of fewer."""
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


def find_repeat(order: Sequence[Node]) -> Repeat | None:
    """The repetition that takes up most of an order (operations, inputs before users), where there is one."""
    if len(order) < (4 if _remembered else FEWEST_NODES):
        return None
    place = {node: position for position, node in enumerate(order)}
    kinds = [(node.op, node.attributes, node.shape, node.dtype) for node in order]
    middle = len(order) // 2
    for position in _candidates(kinds, middle):
        period = position - middle
        start, stop = _run_containing(order, place, kinds, middle, period)
        if stop - start < 2 * period:
            continue
        repeat = _aligned(order, place, kinds, start, stop, period)
        if repeat is None:
            continue
        body = tuple(kinds[repeat.start : repeat.start + period])
        iterations = 2 if len(order) >= LONG_GRAPH and period >= LONG_PIECE else FEWEST_ITERATIONS
        if stop - start >= max(FEWEST_NODES, iterations * period) or body in _remembered:
            _remember(body)
            return repeat
    return None


def _candidates(kinds: Sequence[Hashable], middle: int) -> Iterator[int]:
    """Positions that may be a period or more behind the middle: in a long graph first those with the same
    neighbours, since a long piece has many nodes of one kind."""
    if len(kinds) >= LONG_GRAPH:
        hashes = list(map(hash, kinds))
        neighbours = hashes[middle - _NEIGHBOURS : middle + _NEIGHBOURS]
        alike = (
            each
            for each in range(middle + 1, len(kinds))
            if hashes[each] == hashes[middle]
            and hashes[each - _NEIGHBOURS : each + _NEIGHBOURS] == neighbours
        )
        yield from islice(alike, _CANDIDATES)
    alike = (each for each in range(middle + 1, len(kinds)) if kinds[each] == kinds[middle])
    yield from islice(alike, _CANDIDATES)


def _remember(body: Hashable) -> None:
    with _lock:
        _remembered[body] = None
        _remembered.move_to_end(body)
        if len(_remembered) > ITERATIONS_REMEMBERED:
            _remembered.popitem(last=False)


def _run_containing(
    order: Sequence[Node], place: dict[Node, int], kinds: Sequence[Hashable], middle: int, period: int
) -> tuple[int, int]:
    """The longest stretch around the middle in which each node is as the one a period before."""

    def alike(first: int) -> bool:
        second = first + period
        if kinds[first] != kinds[second]:
            return False
        pairs = zip(order[first].inputs, order[second].inputs, strict=True)
        return all(x is y or _same_place(x, y, place, period) for x, y in pairs)

    start = middle
    while start > 0 and alike(start - 1):
        start -= 1
    stop = middle
    while stop + period < len(order) and alike(stop):
        stop += 1
    return (start, stop + period) if stop > middle else (start, start)


def _same_place(x: Node, y: Node, place: dict[Node, int], period: int) -> bool:
    """Whether two inputs are the same of two iterations: made in them, or given to them. The first iterations
    read what was there before in place of what later ones read of each other."""
    if y in place:
        if x in place:
            return place[y] - place[x] == period
        return x.op.source == "array" and x.shape == y.shape and x.dtype is y.dtype
    if x.op.source == "scalar" or x.op.source == "array":
        return x.op is y.op and x.attributes[1:] == y.attributes[1:]
    return False


def _aligned(
    order: Sequence[Node],
    place: dict[Node, int],
    kinds: Sequence[Hashable],
    start: int,
    stop: int,
    period: int,
) -> Repeat | None:
    """The repetition from the place on where the fewest values go from iteration to iteration; of several
    such places always the same one, wherever the order began. None where no place is between two
    iterations."""
    crossing = _crossing(order, place)
    # The first iteration may read other things than those after it.
    offsets = range(start + period, start + 2 * period)
    fewest = min(crossing[offset] for offset in offsets)
    if fewest >= _NO_CUT:
        return None
    hashes = [hash(kind) for kind in kinds[start : start + 3 * period]]
    first = min(
        (offset for offset in offsets if crossing[offset] == fewest),
        key=lambda offset: hashes[offset - start : offset - start + period],
    )
    if first - period >= start:
        first -= period
    return Repeat(first, period, first + (stop - first) // period * period)


def _crossing(order: Sequence[Node], place: dict[Node, int]) -> list[int]:
    """How many values are made before each position and used at it or after it; very many where an operation
    of several results is parted from them, which has no value itself."""
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
    """The position of the last node that reads each one; its own where there is none."""
    last = list(range(len(order)))
    for position, node in enumerate(order):
        for source in node.inputs:
            where = place.get(source)
            if where is not None:
                last[where] = position
    return last
