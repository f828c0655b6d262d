"""Loops on traced values, or of more iterations than are written out: a body is traced once, into a `loop` or
`while` of the graph.

What the body changes is its state. It is traced until each part of the state has one dtype and shape at the
body's beginning and end: a part that stays the same object stays outside the graph, a number that becomes a
float is one from the first iteration on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from ..arrays.promotion import Operand
from ..errors import TraceError
from ..functions import loop_nodes
from ..functions.integer_ranges import Range, known_number
from ..functions.operands import truth
from ..ir.node import Node, Region, topological
from ..ir.record import mutable, replace
from ..tracing.capturing import LoopOpened
from ..tracing.lists.list_arrays import ListNeeded
from ..tracing.values.cells import Cell
from ..tracing.values.draws import Repeated
from ..tracing.values.number_ranges import hull, widened
from ..tracing.values.regions import IterationsNeededError, RegionFrame, outside_value, value_of
from ..tracing.values.traced import NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .aliases import lists_elsewhere, lists_in, shared_memory, tie
from .checks import keep_exceptions
from .growth import Growths, TableNeeded
from .kept_arrays import check_kept
from .region import CaptureRegion, Touched, commit
from .state import Heap, Place, Temporary, is_in_array, key_of, may_lack_value
from .values import (
    UNSET,
    Carry,
    Fixed,
    Pattern,
    Unsettled,
    Unsure,
    build,
    carries,
    carry_of,
    doubt,
    guess,
    is_unset,
    joined,
    leaves,
    nodes_of,
    pattern_of,
    relaxed,
    unchanged,
)

ROUNDS = 12
"""Most traces of a body until its state is settled."""


class Slot(metaclass=mutable):
    """One part of a loop's state."""

    place: Place
    entry: Any
    """What it holds before the loop."""
    pattern: Pattern
    ties: list[list[Cell]]
    """For each value carried, the arrays that it may be memory of."""
    late: bool = False
    """Whether it has no value before the loop."""


class Iteration(metaclass=mutable):
    """One iteration of a loop, traced."""

    region: CaptureRegion
    results: list[Node]
    go_on: Node | None
    """Whether there is another iteration, of a loop that may end early."""

    def branches(self, counters: Container[Node]) -> bool:
        """Whether its course depends on values: written out, it would be as many branches as iterations. What
        depends on the counters of loops that may be written out is known then."""
        outside = {
            inner: outer
            for frame in (self.region, *self.region.enclosing)
            if isinstance(frame, RegionFrame)
            for outer, inner in frame.invariants.items()
        }

        def is_known(node: Node) -> bool:
            while node in outside:
                node = outside[node]
            if node.inputs:
                return True  # of what its leaves are
            return node in counters or known_number(self.region.graph, node) is not None

        ends = (*self.results, *_finals(self.region.written))
        return any(
            (node.op.carries and not node.op.bounds)
            or not all(map(is_known, topological(node.inputs[: node.op.bounds or 1])))
            for node in topological(ends)
            if node.op.family == "control"
        )


class Loop:
    """A loop that is traced as a region; nothing is changed where that fails."""

    def __init__(
        self, frame: TraceFrame, what: str, places: Sequence[Place], temporaries: Sequence[Place], heap: Heap,
        sole: frozenset[int], raises: Callable[[Any, Exception], None],
    ) -> None:  # fmt: skip
        """`sole`: cells of arrays that nothing but one of the places holds; `raises(inside, error)` notes an
        exception that is raised unless a value is true."""
        self.frame = frame
        self.what = what
        self.temporaries = list(temporaries)
        self.kept = [place.get() for place in temporaries]
        self.heap = heap
        self.sole = sole
        self.raises = raises
        self.growths: Growths | None = None
        self.doubted: frozenset[int] = frozenset()
        self.iterations: Temporary | None = None
        """How many iterations there were, of a loop that counts them for a generator of random numbers
        alone."""
        self.slots = [self._slot(place, place.get()) for place in places]
        self.cost = 0
        self.wraps = False
        """Whether Python's integers wrap around in it."""
        self._narrowed = False
        """Whether bounds of integers were taken for what they turned out to be."""

    def _slot(self, place: Place, entry: Any) -> Slot:
        if is_unset(entry):
            return Slot(place, entry, Fixed(UNSET), [], True)
        pattern = Fixed(entry) if _is_flag(place, entry) else relaxed(guess(self.frame, entry), _first_span)
        return Slot(place, entry, pattern, [[] for _ in carries(pattern)])

    # Tracing

    def restore(self) -> None:
        """The state as it was before the loop."""
        for place, value in zip(self.temporaries, self.kept, strict=True):
            place.set(value)
        for slot in self.slots:
            slot.place.set(slot.entry)
        self.heap.restore()

    def settle(
        self,
        iteration: Callable[[CaptureRegion], Any],
        counted: Node | None,
        iterations: tuple[int, int] | None = None,
        span: Range | None = None,
    ) -> Iteration:
        """Traces iterations until the state is settled. `iteration(region)` runs the body and gives whether
        there is another iteration, or None where the counter says; `counted`: what the counter is like;
        `iterations`: where it begins and how many there are, if that is known; `span`: what it may be."""
        frame = self.frame
        drawn = len(frame.root.taken)
        growths = self.growths = Growths(frame, self.heap.growing, iterations or (0, 0), self.raises)
        rounds = 0
        while rounds < ROUNDS:
            growths.prepare()
            frame.root.take_back(drawn)
            regions = frame.root.regions_made
            region = CaptureRegion(self.what, frame, iterations is not None and iterations[1] > 0)
            region.wraps = self.wraps
            region.doubted = self.doubted
            region.doubts = []
            marks, notes = len(frame.root.graphs), frame.root.ranges.notes
            wanted: ListNeeded | None = None
            if counted is not None:
                counter = TracedArray(Cell(region, region.input(counted)), None, NUMBER)
                if span is not None:
                    frame.root.ranges.known[counter._cell.node] = span
                region.iteration = lambda n=counter: n
                if iterations is not None:
                    growths.enter(counter)
                    first, count = iterations
                    region.iterations = count, lambda n=counter, f=first: n - f
            inside = [self._inside(region, slot) for slot in self.slots]
            for place in self.temporaries:
                place.set(UNSET)
            for slot, value in zip(self.slots, inside, strict=True):
                slot.place.set(value)
            try:
                going = region.traced(lambda r=region: self._iteration(r, iteration))  # type: ignore[misc]
                region.traced(
                    lambda r=region, g=going: keep_exceptions(r, [s.place.get() for s in self.slots], g)  # type: ignore[misc]
                )
                ends = [slot.place.get() for slot in self.slots]
                known = {key_of(slot.place) for slot in self.slots}
                appended = self.heap.changed({id(each) for each in self.heap.growing} if iterations else ())
                changed = [place for place in appended if key_of(place) not in known]
                grown = [self._slot(place, self.heap.before(place)) for place in changed]
                taken = iterations is None or region.traced(lambda r=region, g=growths: g.take(r))  # type: ignore[misc]
                settled = not grown and self._join(region, ends) and taken
                made = self._results(region, ends, going) if settled else None
                tied = settled and self._tied(region, ends)
                if settled and frame.root.ranges.notes > notes and not self._narrowed:
                    self._narrowed = True
                    settled = not self._narrow(region, ends)
                if settled:
                    growths.keep()
            except TableNeeded as needed:
                if needed.growth not in growths.each:
                    raise
                needed.growth.read()
                grown, settled, tied = [], False, False
            except ListNeeded as needed:
                if needed.values.frame is not frame:
                    raise
                wanted = needed
                grown, settled, tied = [], False, False
            except LoopOpened:
                rounds -= 1
                frame.root.regions_made = regions
                grown, settled, tied = [], False, False
            except IterationsNeededError:
                if counted is not None or self.iterations is not None:
                    raise  # of a loop around this one
                self.iterations = Temporary(0)
                grown, settled, tied = [self._slot(self.iterations, 0)], False, False
            finally:
                growths.leave()
                self.restore()
                region.leave()
            if wanted is not None:
                self._change(wanted, iterations)
                growths = self.growths = Growths(frame, self.heap.growing, iterations or (0, 0), self.raises)
                continue
            rounds += 1
            self.slots += grown
            written = frozenset(id(each.cell) for each in region.written)
            if region.relied & written:
                self.doubted |= region.relied & written
                settled = False
            if settled and tied:
                assert made is not None
                ended = [(slot.pattern, end) for slot, end in zip(self.slots, ends, strict=True)]
                if lists_elsewhere(ended, self.heap.lists):
                    raise TraceError(
                        f"a list is bound to a variable in {self.what} and used elsewhere; bind a copy"
                    )
                elsewhere = {id(each) for each in lists_in(ends)} | self.heap.lists
                check_kept(growths, region, self._leaves(inside), self._leaves(ends), elsewhere)
                if region.doubts:
                    doubt(frame, region.doubts[0])
                self.cost = sum(len(graph) for graph in frame.root.graphs[marks - 1 :])
                return made
        raise TraceError(f"the state of {self.what} does not settle: it is another one after each iteration")

    def _change(self, needed: ListNeeded, iterations: tuple[int, int] | None) -> None:
        """Makes a list an array before the loop, or none."""
        if iterations is not None:
            needed.values.most = max(needed.values.most, 4 * iterations[1])
        needed.change()
        self.heap.renew()
        self.slots = [
            self._slot(slot.place, slot.entry) for slot in self.slots if not is_in_array(slot.place)
        ]

    def _leaves(self, values: Sequence[Any]) -> list[Any]:
        """What is carried of what the places hold."""
        return [
            leaf
            for slot, value in zip(self.slots, values, strict=True)
            for leaf in leaves(slot.pattern, value)
        ]

    def _iteration(self, region: CaptureRegion, iteration: Callable[[CaptureRegion], Any]) -> Any:
        """Runs the body, and counts its iterations where that is asked for."""
        iterations = self.iterations
        if iterations is None:
            return iteration(region)
        number = iterations.get()
        region.iteration = lambda: number
        going = iteration(region)
        iterations.set(number + 1)
        return going

    def _inside(self, region: CaptureRegion, slot: Slot) -> Any:
        """What a place holds where an iteration begins."""
        if slot.late and not getattr(slot.place, "flagged", False):
            for node in nodes_of(self.frame, slot.pattern, UNSET, slot.place.name):
                region.input(node)  # nobody reads it
            return UNSET if slot.place.hidden else Unsure(_late(slot.place, self.what))
        made = []
        nodes = nodes_of(self.frame, slot.pattern, slot.entry, slot.place.name)
        for each, tied, node in zip(carries(slot.pattern), slot.ties, nodes, strict=True):
            value = TracedArray(Cell(region, region.input(node)), None, each.kind)
            if each.span is not None:
                region.root.ranges.known[value._cell.node] = _span(slot, each.span)
            made.append(value)
            tie(value, tied, self.sole, slot.place.hidden)
        return build(slot.pattern, iter(made))

    def _join(self, region: CaptureRegion, ends: Sequence[Any]) -> bool:
        """Takes what an iteration left into the patterns; whether they held it already."""
        settled = True
        for slot, end in zip(self.slots, ends, strict=True):
            if is_unset(end):
                if not slot.late:
                    raise TraceError(
                        f"{slot.place.name} cannot be settled in {self.what}: an iteration unsets it"
                    )
                continue
            try:
                if slot.late and isinstance(slot.pattern, Fixed) and slot.pattern.value is UNSET:
                    found = region.traced(lambda e=end: pattern_of(region, e))  # type: ignore[misc]
                else:
                    found = region.traced(lambda s=slot, e=end: joined(region, s.pattern, e))  # type: ignore[misc]
            except Unsettled as error:
                raise TraceError(f"{slot.place.name} cannot be settled in {self.what}: {error}") from None
            if not unchanged(slot.pattern, found):
                found = relaxed(found, _later_span)
                slot.pattern, settled = found, False
                slot.ties = [[] for _ in carries(found)]
                if not slot.late:
                    for tied, leaf in zip(slot.ties, leaves(found, slot.entry), strict=True):
                        tied += shared_memory(region, leaf)
        return settled

    def _narrow(self, region: CaptureRegion, ends: Sequence[Any]) -> bool:
        """Takes integers for what they are before the loop and after an iteration, where that is less than
        was thought; whether it is, so that fewer may grow beyond their dtype."""
        narrower = False
        for slot, end in zip(self.slots, ends, strict=True):
            if not isinstance(slot.pattern, Carry) or slot.pattern.span is None or is_unset(slot.entry):
                continue
            entry = carry_of(self.frame, slot.entry)
            after = region.traced(lambda e=end: carry_of(region, e))  # type: ignore[misc]
            if entry.span is None or after.span is None:
                continue
            span = hull(entry.span, after.span)
            if span != slot.pattern.span:
                slot.pattern, narrower = replace(slot.pattern, span=span), True
        if narrower:
            for slot in self.slots:
                if _is_flag(slot.place, slot.entry):  # perhaps nothing is raised then
                    slot.pattern, slot.ties = Fixed(slot.entry), []
        return narrower

    def _tied(self, region: CaptureRegion, ends: Sequence[Any]) -> bool:
        """Whether the ties that an iteration begins with hold for what it ends with; adds those that are
        new."""
        holds = True
        for slot, end in zip(self.slots, ends, strict=True):
            if is_unset(end):
                continue
            for tied, leaf in zip(slot.ties, leaves(slot.pattern, end), strict=True):
                new = [cell for cell in shared_memory(region, leaf) if all(cell is not each for each in tied)]
                if new:
                    tied += new
                    holds = False
        return holds

    def _results(self, region: CaptureRegion, ends: Sequence[Any], going: Any) -> Iteration:
        def nodes() -> tuple[list[Node], Node | None]:
            found = [
                node
                for slot, end in zip(self.slots, ends, strict=True)
                for node in nodes_of(region, slot.pattern, end, slot.place.name)
            ]
            if going is None:
                return found, None
            return found, truth(region.graph, value_of(region, going, self.what).node)

        return Iteration(region, *region.traced(nodes))

    # The graph

    def _entries(self) -> list[Node]:
        return [
            node
            for slot in self.slots
            for node in nodes_of(self.frame, slot.pattern, slot.entry, slot.place.name)
        ]

    def counted(
        self, made: Iteration, lower: Operand, upper: Operand, runs: bool, independent: bool = False
    ) -> None:
        """Makes the loop over a counter from `lower` to `upper` - 1 and takes its results; `runs`: it
        certainly has an iteration; `independent`: the program says that iterations do not depend on each
        other."""
        region, frame = made.region, self.frame
        count = len(made.results)
        counter, *carried = region.inputs[: 1 + count]
        written = region.written
        body = Region(
            region.graph,
            (counter, *carried, *(each.parameter for each in written), *(inner for inner, _ in region.given)),
            (*made.results, *_finals(written)),
        )
        initial = [*self._entries(), *(each.node for each in written)]
        graph = frame.begin()
        given = [outer for _, outer in region.given]
        found = loop_nodes.loop(graph, lower, upper, body, initial, given, independent)
        if region.draws:
            assert region.iterations is not None
            frame.draws.append(Repeated(region.iterations[0], tuple(region.draws)))
        self._commit(region, written, found, runs)

    def conditional(self, made: Iteration, first: Any, runs: bool) -> None:
        """Makes the loop that begins where `first` holds, and takes its results."""
        region, frame = made.region, self.frame
        assert made.go_on is not None
        count = len(made.results)
        carried = region.inputs[:count]
        written = region.written
        graph = frame.begin()
        begin = truth(graph, value_of(frame, first, self.what).node)
        flag = region.input(begin)
        body = Region(
            region.graph,
            (*carried, *(each.parameter for each in written), flag, *(inner for inner, _ in region.given)),
            (*made.results, *_finals(written), made.go_on),
        )
        test = CaptureRegion(self.what, frame)
        initial = [*self._entries(), *(each.node for each in written), begin]
        given = [outer for _, outer in region.given]
        inputs = [test.input(node) for node in (*initial, *given)]
        condition = Region(test.graph, tuple(inputs), (inputs[len(initial) - 1],))
        found = loop_nodes.while_loop(graph, condition, body, initial, given)
        self._commit(region, written, found[:-1], runs)

    def _commit(
        self, region: CaptureRegion, written: Sequence[Touched], found: Sequence[Node], runs: bool
    ) -> None:
        count = len(found) - len(written)
        commit(self.frame, written, found[count:])
        values = iter(found[:count])
        carried = []
        for slot in self.slots:
            parts = []
            for each, tied in zip(carries(slot.pattern), slot.ties, strict=True):
                part = outside_value(self.frame, next(values), each.kind)
                if each.span is not None:
                    self.frame.root.ranges.known[part._cell.node] = _span(slot, each.span)
                tie(part, tied, self.sole, slot.place.hidden)
                parts.append(part)
            carried += parts
            unsure = slot.late and not may_lack_value(slot.place) and not runs
            if slot.late and isinstance(slot.pattern, Fixed) and slot.pattern.value is UNSET:
                slot.place.set(UNSET)
            elif unsure:
                slot.place.set(Unsure(_late(slot.place, self.what)))
            else:
                slot.place.set(build(slot.pattern, iter(parts)))
        for place in self.temporaries:
            place.set(UNSET)
        if self.growths is not None:
            self.growths.finish(carried)


def _span(slot: Slot, span: Range) -> Range:
    """The bounds of an integer that is 0 where it has no value."""
    return hull(span, (0, 0)) if slot.late else span


def _is_flag(place: Place, entry: Any) -> bool:
    """Flags, and which exception was raised, seldom change."""
    return place.hidden and isinstance(entry, int)


def _first_span(carry: Carry) -> Range:
    assert carry.span is not None
    return _later_span(carry) if carry.dtype.bits == 64 else carry.span


def _later_span(carry: Carry) -> Range:
    assert carry.span is not None
    return widened(carry.span, carry.dtype)


def _finals(written: Sequence[Touched]) -> list[Node]:
    return [each.final for each in written if each.final is not None]


def _late(place: Place, what: str) -> str:
    return f"{place.name} gets its value in {what}, which may have no iteration; give it one before the loop"
