"""What rewritten code calls in place of Python's control flow.

A hook looks at what decides: where that is known while tracing, Python's own course is taken; where it is a
traced value, or a loop is long, the blocks become regions of the graph.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..api.frame import LazyValue, innermost_frame, operand
from ..arrays.promotion import Weak
from ..errors import ArgumentError, TraceError, forget
from ..functions.elementwise import logical_not
from ..functions.operands import strong, truth
from ..ir.node import Node
from ..ir.types import I64
from ..tracing.capturing import Capture, Capturing, set_capture
from ..tracing.cells import Cell
from ..tracing.ranges import TracedRange
from ..tracing.specialize import is_decided_by_float
from ..tracing.traced import NUMBER, TracedArray
from ..tracing.traced_frame import TraceFrame
from .aliases import sole_cells
from .branches import Branch
from .checks import Checks
from .loops import Loop
from .rewrite import HOOKS
from .source import captured_code
from .state import Heap, Held, Place, variables
from .turns import Turns, turns_of
from .values import UNSET

Body = Callable[..., Any]
Names = tuple[str, ...]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne, "is": operator.is_, "is not": operator.is_not,
}  # fmt: skip
WRITTEN_OUT = 300
"""A loop of known turns is written out where it comes to no more operations than so many."""
WRITTEN_OUT_INSIDE = 64
"""The same for a loop in the body of another one that is not written out."""
SHORTEST = 1
"""Loops of so many turns are written out whatever they do."""


_NO_VALUE = (
    "the function returns None with these values, and a value with others; a jitted function returns one or "
    "the other: raise an exception, or return a value that says so"
)


class Hooks:
    """The hooks of one trace."""

    def __init__(self, root: TraceFrame, capturing: Capturing) -> None:
        self.root = root
        self.capturing = capturing
        self.loops = 0
        """How many loops were made regions."""
        self.checks = Checks(root)

    # Conditions

    def if_(
        self, test: Any, then: Body, orelse: Body | None, stored: Names, live: Names, in_try: bool
    ) -> None:
        known = self._truth(test)
        arms = then, orelse or _nothing
        if isinstance(known, bool):
            (arms[0] if known else arms[1])()
            return
        try:
            self._branch(known, arms, (then, orelse or then), stored, live, in_try, "an if")
        except TraceError as error:
            (arms[0] if self._decided(test, error) else arms[1])()

    def _branch(
        self, predicate: Node, arms: Sequence[Body], functions: Sequence[Body], stored: Names, live: Names,
        in_try: bool, what: str, held: Sequence[Place] = (),
    ) -> None:  # fmt: skip
        places = variables(functions, stored)
        wanted: list[Place] = [*(places[name] for name in live), *held, self.checks]
        others = [places[name] for name in stored if name not in live]
        sole = sole_cells(wanted)
        kept = [place.get() for place in others]
        heap = Heap(functions, (place.cell for place in places.values()))

        def traced(arm: Body) -> Body:
            def run() -> None:
                for place, value in zip(others, kept, strict=True):
                    place.set(value)
                arm()

            return run

        frame = _frame()
        branch = Branch(frame, predicate, [traced(arm) for arm in arms], wanted, heap, what, sole)
        try:
            traces = branch.trace()
            raised = [arm.raised for arm in traces]
            if not any(error is not None for error in raised):
                branch.merge(traces)
        except TraceError:
            for place, value in zip(others, kept, strict=True):
                place.set(value)
            raise
        if any(error is not None for error in raised):
            self._raising(predicate, arms, raised, others, kept, in_try)
            return
        for place in others:
            place.set(UNSET)
        for arm in branch.without_value:
            failed = logical_not(frame.begin(), predicate) if arm else predicate
            self.checks.note(failed, ArgumentError(_NO_VALUE))

    def _raising(
        self, predicate: Node, arms: Sequence[Body], raised: Sequence[Exception | None],
        others: Sequence[Any], kept: Sequence[Any], in_try: bool,
    ) -> None:  # fmt: skip
        """Of arms that raise an exception: it is raised after the call, and the other arm is gone through."""
        which = 0 if raised[0] is not None else 1
        error = raised[which]
        assert error is not None
        if in_try:
            raise TraceError(
                f"a condition on a traced value decides whether {type(error).__name__} is raised inside a "
                "try; take the condition out of the try, or compute without raising"
            ) from error
        graph = _frame().begin()
        self.checks.note(predicate if which == 0 else logical_not(graph, predicate), error)
        for place, value in zip(others, kept, strict=True):
            place.set(value)
        arms[1 - which]()

    def choose(self, test: Any, then: Body, orelse: Body) -> Any:
        """`then() if test else orelse()`."""
        known = self._truth(test)
        if isinstance(known, bool):
            return then() if known else orelse()
        return self._chosen(test, known, then, orelse)

    def _chosen(self, test: Any, predicate: Node, then: Body, orelse: Body) -> Any:
        """The value of one of two functions; `test` is what the predicate is the truth of."""
        result = Held()
        arms = [lambda: result.set(then()), lambda: result.set(orelse())]
        try:
            self._branch(predicate, arms, (then, orelse), (), (), False, "a conditional expression", [result])
        except TraceError as error:
            return then() if self._decided(test, error) else orelse()
        return result.get()

    def _decided(self, test: Any, error: TraceError) -> bool:
        """The truth of a test whose arms cannot be settled, where scalar arguments alone decide: they become
        static. Raises the error elsewhere."""
        value = test._value_by_arguments() if isinstance(test, TracedArray) else None
        if value is None:
            raise error
        forget(error)
        return bool(value)

    def and_(self, first: Any, *others: Body) -> Any:
        for other in others:
            known = self._truth(first)
            if known is False:
                return first
            if known is True:
                first = other()
            else:
                first = self._chosen(first, known, other, lambda value=first: value)  # type: ignore[misc]
        return first

    def or_(self, first: Any, *others: Body) -> Any:
        for other in others:
            known = self._truth(first)
            if known is True:
                return first
            if known is False:
                first = other()
            else:
                first = self._chosen(first, known, lambda value=first: value, other)  # type: ignore[misc]
        return first

    def test_and(self, first: Any, *others: Body) -> Any:
        """`and` of which only the truth counts."""
        for other in others:
            known = self._truth(first)
            if known is False:
                return False
            if known is True:
                first = other()
            else:
                first = self._chosen(first, known, lambda f=other: self._as_bool(f()), _false)  # type: ignore[misc]
        return first

    def test_or(self, first: Any, *others: Body) -> Any:
        for other in others:
            known = self._truth(first)
            if known is True:
                return True
            if known is False:
                first = other()
            else:
                first = self._chosen(first, known, _true, lambda f=other: self._as_bool(f()))  # type: ignore[misc]
        return first

    def not_(self, value: Any) -> Any:
        known = self._truth(value)
        if isinstance(known, bool):
            return not known
        frame = _frame()
        return _number(frame, logical_not(frame.begin(), known))

    def compare(self, first: Any, *rest: Any) -> Any:
        """`first < second <= third()`, and so on; the second operand is a value, the others are functions."""
        operators, operands = rest[::2], rest[1::2]
        return self._compared(first, operators, operands[0], operands[1:])

    def _compared(self, x: Any, operators: Sequence[str], y: Any, others: Sequence[Body]) -> Any:
        found = self._related(operators[0], x, y)
        if not others:
            return found
        known = self._truth(found)

        def following() -> Any:
            return self._compared(y, operators[1:], others[0](), others[1:])

        if isinstance(known, bool):
            return following() if known else found
        return self._chosen(found, known, following, lambda: found)

    def _related(self, operator_: str, x: Any, y: Any) -> Any:
        if operator_ in ("in", "not in"):
            found = self._contains(y, x)
            return self.not_(found) if operator_ == "not in" else found
        return _COMPARE[operator_](x, y)

    def _contains(self, container: Any, value: Any) -> Any:
        """`value in container`, where one of both is traced."""
        frame = innermost_frame()
        if isinstance(container, TracedArray):
            found = (container == value).any()
            return _number(_frame(), self._node(found))
        traced = (
            isinstance(value, TracedArray)
            or any(
                isinstance(each, TracedArray) for each in container if isinstance(container, (tuple, list))
            )
            if isinstance(container, (tuple, list, range))
            else isinstance(value, TracedArray)
        )
        if not traced or not isinstance(frame, TraceFrame):
            return value in container
        if isinstance(container, (dict, set, frozenset)):
            container = tuple(container)
        if not isinstance(container, (tuple, list, range)):
            return value in container
        tests = (lambda each=each: value is each or value == each for each in container)  # type: ignore[misc]
        return self._as_bool(self.test_or(False, *tests))

    def assert_(self, test: Any, *rest: Any) -> None:
        """`assert test, message()`."""
        *message, in_try = rest
        known = self._truth(test)
        if known is True:
            return
        error = AssertionError(*(each() for each in message))
        if known is False:
            raise error
        if in_try:
            raise TraceError("an assert of a traced value stands inside a try; take it out of the try")
        self.checks.note(logical_not(_frame().begin(), known), error)

    def _truth(self, value: Any) -> Any:
        """True, False, or a node that is it."""
        if not isinstance(value, LazyValue):
            return bool(value)
        frame = innermost_frame()
        if not isinstance(value, TracedArray) or not isinstance(frame, TraceFrame) or value.size != 1:
            return bool(value)
        known = value._known()
        if known is None and not self.root.keeps_scalars:
            inner = value._cell.frame
            if not is_decided_by_float(inner, value._node(inner.graph)):
                known = value._value_by_arguments()
        if known is not None:
            return bool(known)
        return truth(frame.graph, self._node(value.reshape(()) if value.shape else value))

    def _as_bool(self, value: Any) -> Any:
        known = self._truth(value)
        return known if isinstance(known, bool) else _number(_frame(), known)

    def _node(self, value: Any) -> Node:
        frame = _frame()
        graph = frame.begin()
        given = operand(frame, graph, value)
        return given.node if isinstance(given, Weak) else strong(graph, given)

    # Loops

    def while_(self, test: Body, body: Body, stored: Names, live: Names, stops: Names, in_try: bool) -> None:
        state = _State(self, (test, body), stored, live, stops)
        turns = 0
        begin = _frame_or_none()
        before = 0 if begin is None else _size(begin.root)
        while True:
            going = self._going(state, test)
            known = self._truth(going)
            if known is False:
                return
            frame = _frame_or_none()
            if frame is None:
                body()
                continue
            forced = self.capturing.is_forced(body)
            if known is True and not (forced and turns):
                if _size(frame.root) - before > WRITTEN_OUT:
                    self.capturing.force(body)
                body()
                turns += 1
                continue
            loop = state.loop(frame, "a while loop")

            def turn(_region: Any) -> Any:
                body()
                return self._as_bool(self._going(state, test))

            try:
                made = loop.settle(turn, None)
            except TraceError as error:
                value = going._value_by_arguments() if isinstance(going, TracedArray) else known
                if value is None:
                    raise
                forget(error)
                self.capturing.note_written_out(body, error)
                if not value:
                    return
                body()
                turns += 1
                continue
            loop.conditional(made, self._as_bool(going), known is True)
            return

    def _going(self, state: _State, test: Body) -> Any:
        """Whether a loop goes on: no flag is set that ends it, and its test holds."""
        return self.test_and(self.not_(state.stopped()), test)

    def for_(self, iterable: Any, body: Body, stored: Names, live: Names, stops: Names, in_try: bool) -> None:
        state = _State(self, (body,), stored, live, stops)
        frame = _frame_or_none()
        turns = None if frame is None else turns_of(iterable)
        if turns is None or frame is None:
            self._written_out(iter(iterable), body, state)
            return
        count = turns.known_count
        if count is not None and count <= SHORTEST:
            self._written_out(iter(turns), body, state)
            return
        try:
            done = self._captured(frame, turns, count, body, state)
        except TraceError as error:
            forget(error)
            if error.is_shared and self._in_pairs(frame, turns, count, body, state):
                return
            if count is None:
                if not isinstance(iterable, TracedRange) or not iterable.is_decided():
                    raise
                self.for_(iterable.known(), body, stored, live, stops, in_try)
                return
            self.capturing.note_written_out(body, error)
            done = False
        if not done:
            self._written_out(iter(turns), body, state)

    def _captured(
        self, frame: TraceFrame, turns: Turns, count: int | None, body: Body, state: _State
    ) -> bool:
        """Makes a loop of the graph, unless it is better written out."""
        loop = state.loop(frame, "a for loop")
        stops: list[Any] = []

        def turn(region: Any) -> Any:
            counter = TracedArray(Cell(region, region.inputs[0]), None, NUMBER)
            body(turns.at(counter))
            stopped = state.stopped()
            stops[:] = [stopped]
            return None

        counter = frame.graph.constant(0, I64)
        inner = self.loops
        made = loop.settle(turn, counter, None if count is None else (turns.lower, count))
        nested, self.loops = self.loops > inner, self.loops + 1
        if self._truth_known(stops[0]) is False:
            limit = WRITTEN_OUT if frame is frame.root else WRITTEN_OUT_INSIDE
            short = count is not None and count * loop.cost <= limit
            if short and not nested and not self.capturing.is_forced(body):
                self.loops = inner
                return False
            lower, upper = turns.bounds(frame)
            loop.counted(made, lower, upper, bool(count))
            return True
        self._until_stopped(frame, turns, count, body, state)
        return True

    def _in_pairs(
        self, frame: TraceFrame, turns: Turns, count: int | None, body: Body, state: _State
    ) -> bool:
        """Makes a loop two turns at a time, after which variables that change places have their own arrays
        again; whether it could be made."""
        loop = state.loop(frame, "a for loop")
        lower, upper = turns.limits()

        def turn(region: Any) -> Any:
            first = lower + 2 * TracedArray(Cell(region, region.inputs[0]), None, NUMBER)
            body(turns.at(first))
            body(turns.at(first + 1))
            if state.stopped() is not False:
                raise TraceError("a loop in which variables change places has a break or return")

        known = None if count is None else (0, count // 2)
        try:
            made = loop.settle(turn, frame.graph.constant(0, I64), known)
        except TraceError as error:
            forget(error)
            return False
        pairs = Turns(0, (upper - lower) // 2, turns.at)
        loop.counted(made, *pairs.bounds(frame), bool(count and count > 1))
        odd = self._truth((upper - lower) % 2 * (upper > lower) > 0) if count is None else bool(count % 2)
        if odd is True:
            body(turns.at(upper - 1))
        elif odd is not False:
            arms = [lambda: body(turns.at(upper - 1)), _nothing]
            self._branch(odd, arms, (body, body), state.stored, state.live, False, "the last turn of a loop")
        return True

    def _until_stopped(
        self, frame: TraceFrame, turns: Turns, count: int | None, body: Body, state: _State
    ) -> None:
        """A loop that a traced value may end early."""
        lower, upper = turns.limits()
        position = Held(lower)
        loop = state.loop(frame, "a for loop with break or return", position)

        def turn(_region: Any) -> Any:
            body(turns.at(position.get()))
            position.set(position.get() + 1)
            return self._as_bool(self.test_and(self.not_(state.stopped()), lambda: position.get() < upper))

        made = loop.settle(turn, None)
        loop.conditional(made, self._as_bool(lower < upper), bool(count))

    def _truth_known(self, value: Any) -> Any:
        return value if isinstance(value, bool) else None

    def _written_out(self, items: Iterator[Any], body: Body, state: _State) -> None:
        """A loop as Python runs it; where a traced value may end it, what follows is under conditions."""
        for item in items:
            stopped = self._truth(state.stopped())
            if stopped is True:
                return
            if stopped is False:
                body(item)
            else:
                self._under(stopped, item, body, state)
        return

    def _under(self, stopped: Node, item: Any, body: Body, state: _State) -> None:
        arms = [_nothing, lambda: body(item)]
        self._branch(stopped, arms, (body, body), state.stored, state.live, False, "a loop that ends early")


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
        """Whether a flag is set that ends the loop."""
        flags = [place.get() for place in self.stops]
        if not flags:
            return False
        return self.hooks.test_or(flags[0], *(lambda flag=flag: flag for flag in flags[1:]))  # type: ignore[misc]

    def loop(self, frame: TraceFrame, what: str, *held: Place) -> Loop:
        live: list[Place] = [*(self.places[name] for name in self.live), *held, self.hooks.checks]
        others = [place for name, place in self.places.items() if name not in self.live]
        sole = sole_cells(live)
        heap = Heap(self.functions, (place.cell for place in self.places.values()))
        return Loop(frame, what, live, others, heap, sole)


def _nothing() -> None:
    return


def _false() -> bool:
    return False


def _true() -> bool:
    return True


def _frame() -> TraceFrame:
    frame = innermost_frame()
    assert isinstance(frame, TraceFrame)
    return frame


def _frame_or_none() -> TraceFrame | None:
    frame = innermost_frame()
    return frame if isinstance(frame, TraceFrame) else None


def _size(root: TraceFrame) -> int:
    return sum(map(len, root.graphs))


def _number(frame: TraceFrame, node: Node) -> TracedArray:
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


set_capture(Capture(HOOKS, Hooks, captured_code))
