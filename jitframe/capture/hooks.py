"""The hooks: rewritten code calls them in place of Python's control flow.

A hook examines the deciding value: where it is known while tracing, Python's own path is taken; where it is a
traced value, or a loop is long, the blocks become regions of the graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import TraceError, UnsupportedError, forget, raise_again
from ..ir.node import Node
from ..tracing.arguments.growing_list import GrowingList
from ..tracing.capturing import Capture, set_capture
from ..tracing.lists.ranges import TracedRange
from ..tracing.values.cells import Cell
from ..tracing.values.concrete import leave, leave_late, unrolled
from ..tracing.values.traced import NUMBER, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .aliases import sole_cells
from .codes import HOOKS, captured_code
from .comprehensions import Comprehensions
from .conditions import Body, Names, frame_or_none, nothing
from .containers import Containers
from .faults import Faults
from .iterations import Iterations, in_order, iterations_of
from .loops import Loop
from .region import MOST_REGIONS, without_texts
from .state import Heap, Place, Temporary, variables

MOST_UNROLLED = 300
"""The most operations of a loop with a known trip count that is unrolled."""
MOST_UNROLLED_INSIDE = 64
"""The limit for a loop in the body of another one that is not unrolled, unless it has few iterations."""
FEW_ITERATIONS = 4
MOST_ITERATIONS = 30_000
"""The most iterations run while tracing, of all loops together, before Python answers the call."""
TRIED = 4
"""After so many iterations of an unrolled loop the size of all of them is extrapolated."""
SHORTEST = 1
"""Loops of so many iterations are always unrolled."""


class Hooks(Containers, Comprehensions, Faults):
    """The hooks of one trace."""

    # Loops

    def while_(self, test: Body, body: Body, stored: Names, live: Names, stops: Names, in_try: bool) -> None:
        state = _State(self, (test, body), stored, live, stops)
        iterations, inner = 0, self.loops
        unsettled = False
        begin = frame_or_none()
        before = 0 if begin is None else _size(begin.root)
        key = None if begin is None else self.capturing.began(body, begin)
        while True:
            going = self._going(state, test)
            known = self._truth(going)
            if known is False:
                return
            frame = frame_or_none()
            if frame is None:
                body()
                continue
            if known is not True and iterations == 1 and not unsettled:
                self.capturing.open(key, frame)
            forced = iterations > 0 and self.capturing.is_forced(body)
            if known is True and (unsettled or not (forced or key in self.capturing.opened)):
                self.count_iteration()
                body()
                iterations += 1
                if _size(frame.root) - before > MOST_UNROLLED or self.loops > inner:
                    self.capturing.force(body)
                continue
            loop = state.loop(frame, "a while loop")

            def iteration(_region: Any) -> Any:
                body()
                return self._as_bool(self._going(state, test))

            try:
                with without_texts(self.root):
                    made = loop.settle(iteration)
            except TraceError as error:
                going = known is True or self._decided(going, error)
                forget(error)
                self._note_unrolled(body, error)
                if not going:
                    return
                unsettled = True
                body()
                iterations += 1
                continue
            # After an exception the results of the loop are unused.
            runs = known is True or (self._truth(state.stopped()) is False and _is_true(test))
            loop.conditional(made, self._as_bool(going), runs)
            self.loops += 1
            return

    def _going(self, state: _State, test: Body) -> Any:
        """Whether a loop continues: no exit flag is set, no exception was raised, and its test holds."""
        open_ = self.not_(state.stopped())
        if isinstance(self.checks.code, TracedArray):  # something may be raised
            open_ = self.test_and(open_, lambda: self.checks.code == 0)
        return self.test_and(open_, test)

    def for_(self, iterable: Any, body: Body, stored: Names, live: Names, stops: Names, in_try: bool) -> None:
        state = _State(self, (body,), stored, live, stops)
        frame = frame_or_none()
        iterable = in_order(iterable)
        iterations = None if frame is None else iterations_of(iterable)
        if iterations is None or frame is None:
            self._unroll(iter(iterable), body, state)
            return
        count = iterations.known_count
        if count is not None and count <= SHORTEST:
            self._unroll(iter(iterations), body, state)
            return
        versions = (
            iterable.versions if isinstance(iterable, GrowingList) and iterations.growing is None else ()
        )
        try:
            done = self._captured(frame, iterations, count, body, state)
        except UnsupportedError:  # with a counter that is known it may be supported
            if count is None:
                raise
            done = False
        except TraceError as error:
            forget(error)
            if error.is_shared and self._in_pairs(frame, iterations, count, body, state):
                return
            if count is None:
                self.for_(_decided_items(iterable, error), body, stored, live, stops, in_try)
                return
            self._note_unrolled(body, error)
            done = False
        if versions and iterable.versions != versions:
            raise TraceError("a list grows or shrinks, as values decide, while a loop goes through it")
        if not done:
            self._unroll(iter(iterations), body, state, count)

    def item(self, container: Any, index: Any) -> Any:
        """`container[index]`."""
        if isinstance(container, (tuple, list, dict)):
            from . import tables  # few programs have such tables

            if tables.is_table(container, index):
                return tables.item_of(container, index)
        return container[index]

    def symbolic(self, array: TracedArray, index: Any) -> Any:
        """A slice of an array whose extents are known only when the loop runs."""
        from .symbolic_arrays import view_of  # few loops have slices that grow

        return view_of(array)[index]

    def store_symbolic(self, array: TracedArray, index: Any, value: Any) -> None:
        """Stores a value in such a slice."""
        from .symbolic_arrays import view_of  # as above

        view_of(array)[index] = value

    def _note_unrolled(self, body: Body, error: TraceError) -> None:
        """Records why a loop is unrolled at trace time."""
        code = body.__code__
        self.root.unrolled_loops[f"{code.co_filename}:{code.co_firstlineno}"] = error.message

    def _captured(
        self, frame: TraceFrame, iterations: Iterations, count: int | None, body: Body, state: _State
    ) -> bool:
        """Makes a loop of the graph, unless unrolling is cheaper."""
        loop = state.loop(frame, "a for loop")
        loop.wraps = iterations.independent
        stops: list[Any] = []

        def iteration(region: Any) -> Any:
            counter = TracedArray(Cell(region, region.inputs[0]), None, NUMBER)
            if count is not None and count <= MOST_UNROLLED:
                self.counters.add(region.inputs[0])
            body(iterations.at(counter))
            stopped = state.stopped()
            stops[:] = [stopped]
            return None

        inner = self.loops
        with without_texts(self.root):
            made = loop.settle(iteration, iterations)
        nested, self.loops = self.loops > inner, self.loops + 1
        if self._truth_known(stops[0]) is False and not iterations.are_changed_by(made.region):
            few = count is not None and count <= FEW_ITERATIONS
            limit = MOST_UNROLLED if few or frame is frame.root else MOST_UNROLLED_INSIDE
            short = count is not None and count * loop.cost <= limit
            branches = short and made.branches(self.counters)
            if short and not nested and not branches and not self.capturing.is_forced(body):
                self.loops = inner
                return False
            lower, upper = iterations.bounds(frame)
            loop.counted(made, lower, upper, bool(count), iterations.independent)
            return True
        self._until_stopped(frame, iterations, count, body, state)
        return True

    def _in_pairs(
        self, frame: TraceFrame, iterations: Iterations, count: int | None, body: Body, state: _State
    ) -> bool:
        """Unrolls a loop by two, so that variables that swap arrays get their own arrays back; returns
        whether that worked."""
        loop = state.loop(frame, "a for loop")
        lower, upper = iterations.limits()

        def iteration(region: Any) -> Any:
            first = lower + 2 * TracedArray(Cell(region, region.inputs[0]), None, NUMBER)
            body(iterations.at(first))
            body(iterations.at(first + 1))
            if state.stopped() is not False:
                raise TraceError("a loop in which variables change places has a break or return")

        try:
            pairs = Iterations(0, (upper - lower) // 2, iterations.at)
            made = loop.settle(iteration, pairs)
        except TraceError as error:
            forget(error)
            return False
        loop.counted(made, *pairs.bounds(frame), bool(count and count > 1))
        odd = self._truth((upper - lower) % 2 * (upper > lower) > 0) if count is None else bool(count % 2)
        if odd is True:
            body(iterations.at(upper - 1))
        elif odd is not False:
            arms = [lambda: body(iterations.at(upper - 1)), nothing]
            self._branch(
                odd, arms, (body, body), state.stored, state.live, False, "the last iteration of a loop"
            )
        return True

    def _until_stopped(
        self, frame: TraceFrame, iterations: Iterations, count: int | None, body: Body, state: _State
    ) -> None:
        """A loop with an early exit that a traced value decides."""
        lower, upper = iterations.limits()
        position = Temporary(lower)
        loop = state.loop(frame, "a for loop with break or return", position)

        def iteration(_region: Any) -> Any:
            body(iterations.at(position.get()))
            position.set(position.get() + 1)
            return self._as_bool(
                self.test_and(self.not_(state.stopped()), lambda: iterations.goes_on(position.get()))
            )

        made = loop.settle(iteration)
        loop.conditional(made, self._as_bool(lower < upper), bool(count))

    def _truth_known(self, value: Any) -> Any:
        return value if isinstance(value, bool) else None

    def _unroll(self, items: Iterator[Any], body: Body, state: _State, count: int | None = None) -> None:
        """Unrolls a loop at trace time; where a traced value may exit early, the rest of the iterations is
        under conditions. `count`: the trip count."""
        regions, operations = self.root.regions_made, _size(self.root)
        for number, item in enumerate(items):
            if number == TRIED and count:
                self._leave_long(count, regions, operations)
            stopped = self._truth(state.stopped())
            if stopped is True:
                return
            self.count_iteration()
            if stopped is False:
                body(item)
            else:
                self._under(stopped, item, body, state)

    def _leave_long(self, count: int, regions: int, operations: int) -> None:
        """Aborts a trace whose unrolled loop would become too long, extrapolated from TRIED iterations.

        `regions`, `operations`: what there was before it.
        """
        root = self.root
        if (root.regions_made - regions) * count > 2 * TRIED * MOST_REGIONS:
            leave(root, f"a loop that is unrolled comes to too many loops and branches{unrolled(root)}")
        come = (_size(root) - operations) * count // TRIED
        if come > root.most_operations:
            reason = f"a loop that is unrolled comes to some {come} operations{unrolled(root)}"
            leave(root, reason, always=False)

    def count_iteration(self) -> None:
        """Counts an iteration that is unrolled at trace time, which takes far longer than running it
        untraced."""
        self.iterations += 1
        if self.iterations == MOST_ITERATIONS:
            reason = f"its loops have come to {MOST_ITERATIONS} iterations that no array decides"
            leave(self.root, f"{reason}{unrolled(self.root)}")
        leave_late(self.root)

    def _under(self, stopped: Node, item: Any, body: Body, state: _State) -> None:
        arms = [nothing, lambda: body(item)]
        self._branch(stopped, arms, (body, body), state.stored, state.live, False, "a loop that ends early")


def _decided_items(iterable: Any, error: TraceError) -> Any:
    """The items of an iterable that cannot become a loop of the graph, as concrete values where these can be
    found; raises the error elsewhere."""
    if (
        isinstance(iterable, GrowingList)
        and iterable.counter is not None
        and iterable.frame is frame_or_none()
    ):
        iterable._fix()
        return iterable
    if not isinstance(iterable, TracedRange) or not iterable.is_decided():
        raise_again(error)
    return iterable.known()


class _State:
    """The variables that a loop changes."""

    def __init__(
        self, hooks: Hooks, functions: Sequence[Body], stored: Names, live: Names, stops: Names
    ) -> None:
        self.hooks = hooks
        self.functions = functions
        self.stored, self.live = stored, live
        self.places = variables(functions, stored)
        self.stops = [self.places[name] for name in stops]

    def stopped(self) -> Any:
        """Whether an exit flag of the loop is set."""
        flags = [place.get() for place in self.stops]
        if not flags:
            return False
        return self.hooks.test_or(flags[0], *(lambda flag=flag: flag for flag in flags[1:]))

    def loop(self, frame: TraceFrame, what: str, *modified: Place) -> Loop:
        live: list[Place] = [
            *(self.places[name] for name in self.live),
            *modified,
            self.hooks.checks,
            self.hooks.effects,
        ]
        others = [place for name, place in self.places.items() if name not in self.live]
        sole = sole_cells(live)
        outside = self.hooks.effects.root.copied.in_slots
        heap = Heap([*self.functions, *outside], (place.cell for place in self.places.values()))
        return Loop(frame, what, live, others, heap, sole, self.hooks.raise_unless)


def _size(root: TraceFrame) -> int:
    return sum(map(len, root.graphs))


def _is_true(test: Body) -> bool:
    """Whether a loop's test is the literal True."""
    code = test.__code__
    return not (code.co_freevars or code.co_names) and test() is True


set_capture(Capture(HOOKS, Hooks, captured_code))
