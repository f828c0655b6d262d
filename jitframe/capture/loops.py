"""Loops on traced values, or with too many iterations to unroll: the body is traced once, into a `loop` or
`while` of the graph.

What the body changes is its state. It is traced until each part of the state has one dtype and shape at the
body's beginning and end: a part that stays the same object stays outside the graph, a number that becomes a
float is one from the first iteration on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..arrays.promotion import Operand
from ..errors import JitframeError, TraceError, UnsupportedError
from ..functions import loop_nodes
from ..functions.integer_ranges import Range, known_number
from ..functions.operands import as_node, truth
from ..ir import ops
from ..ir.node import Node, Region, topological
from ..ir.record import fresh, mutable
from ..ir.types import I64
from ..tracing.arguments.growing_list import GrowingList
from ..tracing.capturing import LoopOpened
from ..tracing.environment.handlers import caught_among
from ..tracing.lists.list_arrays import ListNeeded
from ..tracing.values.concrete import told
from ..tracing.values.draws import Repeated
from ..tracing.values.regions import IterationsNeededError, RegionFrame, value_of
from ..tracing.values.traced_frame import TraceFrame
from .aliases import lists_elsewhere, lists_in, share
from .carried import doubt, leaves
from .checks import keep_exceptions
from .growth import Growths, TableNeeded
from .iterations import Iterations
from .kept_arrays import check_kept
from .loop_slots import Slot
from .patterns import UNSET
from .region import CaptureRegion, Touched, commit
from .state import Heap, Place, Temporary, is_in_array, key_of
from .steady import moving, steady_values, with_steady

ROUNDS = 12
"""The most traces of a body until its state is a fixed point."""


class Iteration(metaclass=mutable):
    """One iteration of a loop, traced."""

    region: CaptureRegion
    results: list[Node]
    go_on: Node | None
    """Whether there is another iteration, in a loop with an early exit."""

    def branches(self, counters: Container[Node]) -> bool:
        """Whether control flow in the body depends on values: unrolled, it would branch once per iteration.
        Conditions on the counters of loops that may be unrolled do not count, since these are known then."""
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


class Round(metaclass=mutable):
    """One trace of a loop's body: from the assumed state at its beginning to the state at its end."""

    region: CaptureRegion
    begin: list[Any]
    """The values of the places at the start of the iteration."""
    notes: int
    """How many bounds of integers the trace relied on before."""
    end: list[Any] = fresh(factory=list)
    """Their values at its end."""
    going: Any = None
    """Whether there is another iteration, in a loop with an early exit."""
    grown: list[Slot] = fresh(factory=list)
    """The places that it turned out to change."""


class Loop:
    """A loop that is traced as a region; a failed attempt leaves no change behind."""

    def __init__(
        self, frame: TraceFrame, what: str, places: Sequence[Place], temporaries: Sequence[Place], heap: Heap,
        sole: frozenset[int], raises: Callable[[Any, Exception], None],
    ) -> None:  # fmt: skip
        """`sole`: cells of arrays to which one place holds the only reference; `raises(inside, error)`
        records an exception that is raised unless a value is true."""
        self.frame = frame
        self.what = what
        self.temporaries = list(temporaries)
        self.kept = [place.get() for place in temporaries]
        self.heap = heap
        self.sole = sole
        self.raises = raises
        self.doubted: frozenset[int] = frozenset()
        self.number: Temporary | None = None
        """The number of iterations, in a loop that counts them only for a random generator."""
        self.slots = [Slot.of(frame, place, place.get()) for place in places]
        self.span: Range | None = None
        """The range of the counter, if there is one."""
        self.known: tuple[int, int] | None = None
        """The first value and the trip count, where they are known."""
        self.cost = 0
        self.wraps = False
        """Whether Python's integers wrap around in it."""
        self._narrowed = False
        """Whether bounds of integers were narrowed to the computed ones."""

    # Tracing

    def settle(self, body: Callable[[CaptureRegion], Any], iterations: Iterations | None = None) -> Iteration:
        """Traces iterations until the pattern of the state is a fixed point. `body(region)` traces one and
        returns whether there is another; None where the counter of `iterations` decides."""
        root = self.frame.root
        if iterations is not None:
            self.span, count = iterations.span(self.frame), iterations.known_count
            self.known = None if count is None else (iterations.lower, count)
        drawn, wanted, rounds = len(root.taken), frozenset(root.wanted), 0
        self._find_growing()
        while rounds < ROUNDS:
            self.growths.prepare()
            root.take_back(drawn)
            root.wanted &= wanted  # an earlier iteration assumed that its initial values are constant
            regions = root.regions_made
            made: Iteration | None = None
            current = self._begin()
            try:
                with self._changed(current.region):
                    self._run(current, body)
                    made = self._widen(current)
            except ListNeeded as needed:
                self._change(needed)
                continue
            except LoopOpened:
                root.regions_made = regions
                continue
            except TableNeeded as needed:
                if needed.growth not in self.growths.each:
                    raise
                needed.growth.read()
            except IterationsNeededError:
                if self.span is not None or self.number is not None:
                    raise  # of an enclosing loop
                self.number = Temporary(0)
                current.grown = [Slot.of(self.frame, self.number, 0)]
            rounds += 1
            self.slots += current.grown
            if not self._doubts(current.region) and made is not None:
                self._check(current)
                return made
        raise TraceError(f"the state of {self.what} does not settle: it is another one after each iteration")

    def _begin(self) -> Round:
        """Stores the assumed state in the places."""
        frame, known = self.frame, self.known
        notes = frame.root.ranges.notes
        region = CaptureRegion(self.what, frame, known is not None and known[1] > 0)
        if known is not None:
            region.times = known[1]
        elif self.span is not None:
            region.times = self.span[1] - self.span[0] + 1  # at most
        region.wraps = self.wraps
        region.doubted = self.doubted
        region.doubts = []
        if self.span is not None:
            counter = region.counter(known)
            frame.root.ranges.known[counter._cell.node] = self.span
            if known is not None:
                self.growths.enter(counter)
        begin = [slot.begin(frame, region, self.sole) for slot in self.slots]
        for place in self.temporaries:
            place.set(UNSET)
        for slot, value in zip(self.slots, begin, strict=True):
            slot.place.set(value)
        return Round(region, begin, notes)

    @contextmanager
    def _changed(self, region: CaptureRegion) -> Iterator[None]:
        """Traces an iteration in a region of its own; the state is restored afterwards."""
        try:
            yield
        finally:
            self.growths.leave()
            self.restore()
            region.leave()

    def restore(self) -> None:
        """Restores the state from before the loop."""
        for place, value in zip(self.temporaries, self.kept, strict=True):
            place.set(value)
        for slot in self.slots:
            slot.place.set(slot.entry)
        self.heap.restore()

    def _run(self, current: Round, body: Callable[[CaptureRegion], Any]) -> None:
        """Traces the body and records the state that it leaves."""
        region = current.region

        def run() -> Any:
            if self.number is None:
                return body(region)
            number = self.number.get()
            region.iteration = lambda: number
            going = body(region)
            self.number.set(number + 1)
            return going

        try:
            current.going = region.traced(run)
        except (TraceError, UnsupportedError):
            raise
        except JitframeError as error:
            self._refuse_caught(error)
            raise
        except Exception as error:
            self._refuse_caught(error)
            # With what the first iterations have, the one that was traced may not raise it.
            raise TraceError(f"an iteration of {self.what} raises {told(error)}") from error
        places = [slot.place for slot in self.slots]
        region.traced(lambda: keep_exceptions(region, [place.get() for place in places], current.going))
        current.end = [place.get() for place in places]
        known = {key_of(place) for place in places}
        growing = {id(each) for each in self.heap.growing} if self.known else ()
        changed = [place for place in self.heap.changed(growing) if key_of(place) not in known]
        current.grown = [Slot.of(self.frame, place, self.heap.before(place)) for place in changed]

    def _refuse_caught(self, error: Exception) -> None:
        """Raises TraceError where an enclosing handler would catch an exception of an iteration: it may not
        be raised at all, and the state at that point is not available."""
        if caught_among((type(error),)):
            kind = type(error).__name__
            raise TraceError(
                f"an iteration of {self.what} raises {kind}, which is caught outside of it; catch it inside"
            ) from error

    def _widen(self, current: Round) -> Iteration | None:
        """Widens the state by what an iteration left; returns the iteration once the state held it
        already."""
        region, ended = current.region, list(zip(self.slots, current.end, strict=True))
        taken = self.known is None or region.traced(lambda: self.growths.take(region))
        if current.grown:
            return None
        held = [slot.join(region, end) for slot, end in ended]
        if not (taken and all(held)):
            return None
        made = self._results(current)
        tied = [slot.tie(region, end) for slot, end in ended]
        if self.frame.root.ranges.notes > current.notes and not self._narrowed:
            self._narrowed = True
            narrower = [slot.narrow(self.frame, region, end) for slot, end in ended]
            if any(narrower):
                for slot in self.slots:
                    slot.forget_raised()
                return None
        self.growths.keep()
        return made if all(tied) else None

    def _doubts(self, region: CaptureRegion) -> bool:
        """Whether an iteration writes to arrays whose contents the trace assumed to be constant; the
        assumption is dropped."""
        found = region.relied & {id(each.cell) for each in region.written}
        self.doubted |= found
        return bool(found)

    def _check(self, settled: Round) -> None:
        """Raises TraceError where a list that the loop creates, or an array that it collects, is also
        referenced elsewhere, or an array that it reads may be one that it writes to."""
        if settled.region.read_and_written_as_another():
            raise TraceError(
                f"{self.what} reads an array that may be the one that it writes to, which depends on traced "
                "values; work on a copy: x = x.copy() before the loop or condition"
            )
        if settled.region.holds_what_it_writes():
            raise TraceError(f"{self.what} writes to an array that a list holds; append a copy: x.copy()")
        ended = list(zip(self.slots, settled.end, strict=True))
        if lists_elsewhere([(slot.pattern, end) for slot, end in ended], self.heap.lists):
            raise TraceError(f"a list is bound to a variable in {self.what} and used elsewhere; bind a copy")
        self._share_entries()
        elsewhere = {id(each) for each in lists_in(settled.end)} | self.heap.lists
        begin, end = self._leaves(settled.begin), self._leaves(settled.end)
        check_kept(self.growths, settled.region, begin, end, elsewhere)
        if settled.region.doubts:
            doubt(self.frame, settled.region.doubts[0])
        graphs = self.frame.root.graphs
        self.cost = sum(map(len, graphs[graphs.index(settled.region.graph) :]))

    def _share_entries(self) -> None:
        """Marks variables that may still hold a list from before the loop at its end: where others refer to
        that list, what stands for it is a copy, and none of the two may change any more."""
        path = self.frame.root.copied.path
        entries = [slot.entry for slot in self.slots]
        given = {id(each) for each in lists_in(entries) if path(each) is not None}
        begun = [(slot.pattern, slot.entry) for slot in self.slots]
        for position, entry in lists_elsewhere(begun, self.heap.lists | given):
            self.slots[position].is_copied = True
            share([entry] if isinstance(entry, GrowingList) else ())

    def _leaves(self, values: Sequence[Any]) -> list[Any]:
        """The nodes that carry the values in the places."""
        held = zip(self.slots, values, strict=True)
        return [leaf for slot, value in held for leaf in leaves(slot.pattern, value)]

    def _find_growing(self) -> None:
        self.growths = Growths(self.frame, self.heap.growing, self.known or (0, 0), self.raises)

    def _change(self, needed: ListNeeded) -> None:
        """Converts a list to an array before the loop, or back."""
        if needed.values.frame is not self.frame:
            raise needed
        if self.known is not None:
            needed.values.most = max(needed.values.most, 4 * self.known[1])
        needed.change()
        self.heap.renew()
        self.slots = [
            Slot.of(self.frame, slot.place, slot.entry) for slot in self.slots if not is_in_array(slot.place)
        ]
        self._find_growing()

    def _results(self, current: Round) -> Iteration:
        region, going = current.region, current.going

        def nodes() -> tuple[list[Node], Node | None]:
            ended = zip(self.slots, current.end, strict=True)
            found = [node for slot, end in ended for node in slot.nodes(region, end)]
            if going is None:
                return found, None
            return found, truth(region.graph, value_of(region, going, self.what).node)

        return Iteration(region, *region.traced(nodes))

    # The graph

    def _entries(self) -> list[Node]:
        return [node for slot in self.slots for node in slot.nodes(self.frame, slot.entry)]

    def counted(
        self, made: Iteration, lower: Operand, upper: Operand, runs: bool, independent: bool = False
    ) -> None:
        """Makes a loop whose counter runs from `lower` to `upper` - 1 and stores its results. `runs`: it
        certainly has an iteration; `independent`: the program promises that iterations do not depend on each
        other."""
        region, frame = made.region, self.frame
        count = len(made.results)
        counter, *carried = region.inputs[: 1 + count]
        written = region.written
        steady = steady_values(carried, made.results, _finals(written))
        body = Region(
            region.graph,
            (
                counter, *moving(steady, carried), *(each.parameter for each in written),
                *(inner for inner, _ in region.given),
            ),
            (*moving(steady, made.results), *_finals(written)),
        )  # fmt: skip
        entries = self._entries()
        initial = [*moving(steady, entries), *(each.node for each in written)]
        graph = frame.begin()
        given = [outer for _, outer in region.given]
        found = loop_nodes.loop(graph, lower, upper, body, initial, given, independent)
        bounds = [as_node(graph, each, I64) for each in (lower, upper)]
        ran = None if runs else graph.make(ops.lt, *bounds)
        found = with_steady(graph, steady, entries, ran, found)
        if region.draws:
            assert region.iterations is not None
            frame.draws.append(Repeated(region.iterations[0], tuple(region.draws)))
        self._commit(written, found, runs)

    def conditional(self, made: Iteration, first: Any, runs: bool) -> None:
        """Makes a `while` loop that is entered where `first` holds, and stores its results."""
        region, frame = made.region, self.frame
        assert made.go_on is not None
        count = len(made.results)
        carried = region.inputs[:count]
        written = region.written
        steady = steady_values(carried, made.results, (*_finals(written), made.go_on))
        graph = frame.begin()
        begin = truth(graph, value_of(frame, first, self.what).node)
        flag = region.input(begin)
        body = Region(
            region.graph,
            (
                *moving(steady, carried), *(each.parameter for each in written), flag,
                *(inner for inner, _ in region.given),
            ),
            (*moving(steady, made.results), *_finals(written), made.go_on),
        )  # fmt: skip
        test = CaptureRegion(self.what, frame)
        entries = self._entries()
        initial = [*moving(steady, entries), *(each.node for each in written), begin]
        given = [outer for _, outer in region.given]
        inputs = [test.input(node) for node in (*initial, *given)]
        condition = Region(test.graph, tuple(inputs), (inputs[len(initial) - 1],))
        found = loop_nodes.while_loop(graph, condition, body, initial, given)
        found = with_steady(graph, steady, entries, None if runs else begin, found[:-1])
        self._commit(written, found, runs)

    def _commit(self, written: Sequence[Touched], found: Sequence[Node], runs: bool) -> None:
        count = len(found) - len(written)
        commit(self.frame, written, found[count:])
        values = iter(found[:count])
        carried: list[Any] = []
        for slot in self.slots:
            carried += slot.finish(self.frame, values, self.sole, self.what, runs)
        for place in self.temporaries:
            place.set(UNSET)
        self.growths.finish(carried)


def _finals(written: Sequence[Touched]) -> list[Node]:
    return [each.final for each in written if each.final is not None]
