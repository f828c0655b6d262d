"""Hooks in place of conditions: `if`, conditional expressions, `and`, `or`, `not`, comparisons, `assert`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..api.calls import operand
from ..api.elementwise.arithmetic import where
from ..api.frame import LazyValue, in_region, innermost_frame
from ..arrays.promotion import Weak
from ..errors import TraceError, forget
from ..functions.elementwise import logical_not
from ..functions.operands import strong, truth
from ..ir.node import Node
from ..ir.types import BOOL, I64
from ..tracing.arguments.growing_dict import Keyed
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.capturing import Capturing
from ..tracing.environment.handlers import caught_among
from ..tracing.standins.effects import effects_of
from ..tracing.standins.python_builtins import stood_for
from ..tracing.standins.sequences import is_in
from ..tracing.values.cells import Cell
from ..tracing.values.classed_number import ClassedNumber, lifted
from ..tracing.values.concrete import is_decided_by_float
from ..tracing.values.one_of import OneOf, truth_of
from ..tracing.values.optional import certain, may_be_none
from ..tracing.values.traced import NUMBER, SCALAR, TracedArray
from ..tracing.values.traced_frame import TraceFrame, current_trace, run_traced
from .aliases import sole_cells
from .branches import Arm, Branch
from .checks import Checks
from .patterns import UNSET
from .state import Heap, Place, Temporary, variables
from .values import is_pooled

Body = Callable[..., Any]
Names = tuple[str, ...]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_SEQUENCES = tuple, list


class Conditions:
    """The hooks of one trace for conditions."""

    def __init__(self, root: TraceFrame, capturing: Capturing) -> None:
        self.root = root
        self.capturing = capturing
        self.loops = 0
        """The number of loops that became regions."""
        self.counters: set[Node] = set()
        """The counters of loops that may be unrolled."""
        self.iterations = 0
        """The number of loop iterations run while tracing."""
        self.checks = Checks(root)
        self.effects = effects_of(root)
        self.pools: list[Any] = []
        """Pools of lists (see `list_pools`)."""

    # Conditions

    def if_(
        self, test: Any, then: Body, orelse: Body | None, stored: Names, live: Names, in_try: bool
    ) -> None:
        known = self._truth(test)
        arms = then, orelse or nothing
        if isinstance(known, bool):
            (arms[0] if known else arms[1])()
            return
        try:
            self._branch(known, arms, (then, orelse or then), stored, live, in_try, "an if")
        except TraceError as error:
            (arms[0] if self._decided(test, error) else arms[1])()

    def _branch(
        self, predicate: Node, arms: Sequence[Body], functions: Sequence[Body], stored: Names, live: Names,
        in_try: bool, what: str, modified: Sequence[Place] = (),
    ) -> None:  # fmt: skip
        places = variables(functions, stored)
        wanted: list[Place] = [*(places[name] for name in live), *modified, self.checks, self.effects]
        others = [places[name] for name in stored if name not in live]
        sole = sole_cells(wanted)
        kept = [place.get() for place in others]
        outside = self.effects.root.copied.in_slots
        heap = Heap([*functions, *outside], (place.cell for place in places.values()))

        def traced(arm: Body) -> Body:
            def run() -> None:
                for place, value in zip(others, kept, strict=True):
                    place.set(value)
                arm()

            return run

        frame = current_trace()
        branch = Branch(frame, predicate, [traced(arm) for arm in arms], wanted, heap, what, sole)
        try:
            traces = branch.trace()
            raised = [arm.raised for arm in traces]
        except TraceError:
            for place, value in zip(others, kept, strict=True):
                place.set(value)
            raise
        if any(error is not None for error in raised):
            self._raising(branch, traces, others, kept, in_try)
            return
        for place in others:
            place.set(UNSET)

    def _raising(
        self, branch: Branch, traces: Sequence[Arm], others: Sequence[Any], kept: Sequence[Any], in_try: bool
    ) -> None:
        """A branch with an arm that raises: the exception is deferred until after the call, and the other arm
        is traced inline."""
        which = 0 if traces[0].raised is not None else 1
        error = traces[which].raised
        assert error is not None
        _refuse_caught(error, in_try)
        graph = current_trace().begin()
        if traces[which].acted:
            self._raised_in_order(branch, which)
        else:
            self.checks.note(branch.predicate if which == 0 else logical_not(graph, branch.predicate), error)
        for place, value in zip(others, kept, strict=True):
            place.set(value)
        branch.bodies[1 - which]()

    def _raised_in_order(self, branch: Branch, which: int) -> None:
        """Makes a branch of an arm that may raise other exceptions, or prints, before its final `raise`."""

        def ending() -> None:
            quoted = self.root.quoted
            try:
                branch.bodies[which]()
            except TraceError:
                raise
            except Exception as error:
                self.root.quoted = quoted
                self.checks.note(current_trace().begin().constant(True, BOOL), error)

        bodies = [ending, lambda: None]
        heap = Heap((), ())
        again = Branch(
            branch.frame, branch.predicate, bodies if which == 0 else bodies[::-1],
            [self.checks, self.effects], heap, branch.what, branch.sole,
        )  # fmt: skip
        again.trace()

    def choose(self, test: Any, then: Body, orelse: Body) -> Any:
        """`then() if test else orelse()`."""
        known = self._truth(test)
        if isinstance(known, bool):
            return then() if known else orelse()
        return self._chosen(test, known, then, orelse)

    def _chosen(self, test: Any, predicate: Node, then: Body, orelse: Body) -> Any:
        """Selects between the values of two functions; `test` is the object whose truth is the predicate."""
        result = Temporary()
        arms = [lambda: result.set(then()), lambda: result.set(orelse())]
        try:
            self._branch(predicate, arms, (then, orelse), (), (), False, "a conditional expression", [result])
        except TraceError as error:
            return then() if self._decided(test, error) else orelse()
        return result.get()

    def _decided(self, test: Any, error: TraceError) -> bool:
        """The truth of a test whose arms cannot be merged: scalar arguments that alone determine it become
        static; outside of regions the trace is cut to get its value. Raises the error elsewhere."""
        value = test._value_by_arguments() if isinstance(test, TracedArray) else None
        root = self.root
        if value is None and (root.cuts is None or root.is_traced_again or frame_or_none() is not root):
            raise error
        forget(error)
        return bool(test if value is None else value)

    def and_(self, first: Any, *others: Body) -> Any:
        return self._until(False, first, others, truth_only=False)

    def or_(self, first: Any, *others: Body) -> Any:
        return self._until(True, first, others, truth_only=False)

    def test_and(self, first: Any, *others: Body) -> Any:
        """`and` in a boolean context."""
        return self._until(False, first, others, truth_only=True)

    def test_or(self, first: Any, *others: Body) -> Any:
        return self._until(True, first, others, truth_only=True)

    def _until(self, end: bool, first: Any, others: Sequence[Body], truth_only: bool) -> Any:
        """The first operand whose truth is `end`, else the last one: `and` where `end` is False."""
        for other in others:
            known = self._truth(first)
            last = end if truth_only else first
            if known is end:
                return last
            if isinstance(known, bool):
                first = other()
                continue
            going: Body = (lambda f=other: self._as_bool(f())) if truth_only else other
            staying: Body = lambda value=last: value  # noqa: E731
            first = self._chosen(first, known, *((staying, going) if end else (going, staying)))
        return first

    def divided(self, symbol: str, x: Any, y: int) -> Any:
        """`x % y` or `x // y` where y is a literal."""
        divide = operator.mod if symbol == "%" else operator.floordiv
        return divide(x, self.divisor(x, y))

    def formatted(self, text: str, values: Any) -> Any:
        """Formats `text % values`; with an unknown value, returns a placeholder for the text, which Python
        writes."""
        given = values if isinstance(values, tuple) else (values,)
        for each in values.values() if isinstance(values, dict) else given:
            root = each._frame.root if isinstance(each, TracedArray) else None
            if root is not None and (root.quotes or in_region()):
                quoted, shown = root.quoted, str(each)
                if root.quoted > quoted:
                    return shown
        return text % values

    def divisor(self, x: Any, y: int) -> Any:
        """A literal by which an integer is divided: it is baked into the kernel, because division by a
        constant is faster. Other numbers may be sizes, which kernels must not contain."""
        frame = innermost_frame()
        known = isinstance(x, TracedArray) and x._dtype is I64 and isinstance(frame, TraceFrame)
        if not known or abs(y) >= 1 << 63:
            return y
        assert isinstance(frame, TraceFrame)
        return number(frame, frame.begin().constant(y, I64))

    def not_(self, value: Any) -> Any:
        known = self._truth(value)
        if isinstance(known, bool):
            return not known
        frame = current_trace()
        return number(frame, logical_not(frame.begin(), known))

    def is_sequence(self, value: Any, count: int) -> bool:
        """Whether a value matches a sequence pattern of this length."""
        is_text = isinstance(value, (str, bytes, bytearray))
        return isinstance(value, Sequence) and not is_text and len(value) == count

    def is_(self, value: Any, other: Any) -> Any:
        """`value is other`: equality for two Python bools or two NumPy bools; identity of the originals for
        types; equality of the numbers for pooled lists."""
        if may_be_none(value) or may_be_none(other):
            return self._is_optional(value, other)
        if type(value) is OneOf or type(other) is OneOf:
            return value._is(other) if type(value) is OneOf else other._is(value)
        if type(value) is ClassedNumber or type(other) is ClassedNumber:
            return lifted("is", self.is_, (value, other))
        if isinstance(value, TracedArray) and isinstance(other, TracedArray) and value is not other:
            current_trace().root.compares_arrays = True
        if is_pooled(value) and is_pooled(other):
            return value.pool is other.pool and self.equal(value.counter.number, other.counter.number)
        kinds = {_kind_of_bool(value), _kind_of_bool(other)}
        return (
            self.equal(value, other)
            if kinds in ({NUMBER}, {SCALAR})
            else stood_for(value) is stood_for(other)
        )

    def _is_optional(self, value: Any, other: Any) -> Any:
        """`value is other`, where one of the two may be None."""
        if other is None or value is None:
            return self.not_((value if other is None else other)._present)
        raise TraceError("values that may be None are compared by identity; write x is None, or x == y")

    def _equal_optional(self, value: Any, other: Any) -> Any:
        """`value == other`, where one of the two may be None."""
        there, inner = zip(*map(_presence, (value, other)), strict=True)
        both = self.test_and(there[0], lambda: there[1], lambda: self._related("==", *inner))
        return self.test_or(both, lambda: self.not_(self.test_or(there[0], lambda: there[1])))

    def compare(self, first: Any, *rest: Any) -> Any:
        """`first < second <= third()`, and so on; the second operand is a value, the later ones are
        functions."""
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
        if operator_ in ("is", "is not"):
            same = self.is_(x, y)
            return self.not_(same) if operator_ == "is not" else same
        if operator_ in ("==", "!=") and (may_be_none(x) or may_be_none(y)):
            found = self._equal_optional(x, y)
            return self.not_(found) if operator_ == "!=" else found
        x, y = certain(x), certain(y)
        if isinstance(x, _SEQUENCES) and isinstance(y, _SEQUENCES) and _are_compared(x, y):
            if operator_ in ("==", "!="):
                found = len(x) == len(y) and self._first_difference("==", x, y, True)
                return self.not_(found) if operator_ == "!=" else found
            return self._first_difference(operator_, x, y, _COMPARE[operator_](len(x), len(y)))
        return _COMPARE[operator_](x, y)

    def equal(self, x: Any, y: Any) -> Any:
        """Whether two values are equal: a bool, or a traced bool."""
        return self._as_bool(self._related("==", x, y))

    def _first_difference(self, operator_: str, x: Any, y: Any, equal: bool) -> Any:
        """The comparison of the first two items that differ; `equal` where none do."""
        found: Any = equal
        kind = NUMBER
        for first, second in reversed(list(zip(x, y, strict=False))):
            same = first is second or self._related("==", first, second)
            known = self._truth(same)
            if known is True:
                continue
            decided = False if operator_ == "==" else self._related(operator_, first, second)
            if isinstance(decided, TracedArray) and decided._kind != NUMBER:
                kind = SCALAR  # Python gives what the items give
            found = decided if known is False else self._both(same, found, decided)
        found = self._as_bool(found)
        return found if kind == NUMBER or isinstance(found, bool) else TracedArray(found._cell, None, kind)

    def _both(self, same: Any, rest: Any, otherwise: Any = False) -> Any:
        """`rest if same else otherwise`, where all three are computed."""
        frame = current_trace()
        values = [number(frame, self._node(each)) for each in (same, rest, otherwise)]
        return number(frame, self._node(where(*values)))

    def _contains(self, container: Any, value: Any) -> Any:
        """`value in container`, where at least one of the two is traced."""
        container = certain(container)
        frame = innermost_frame()
        if type(container) is OneOf:
            return container.__contains__(value)
        if isinstance(container, TracedArray):
            found = (container == value).any()
            return number(current_trace(), self._node(found))
        if isinstance(container, GrowingList) and container.counter is not None:
            return run_traced(is_in, container, value)
        if isinstance(container, Keyed):
            found = container.contains(value)
            if found is not None:
                return found
            tests = (lambda each=each: self.equal(each, value) for each in container.known())
            return self._as_bool(self.test_or(False, *tests))
        among = container if isinstance(container, (tuple, list)) else ()
        traced = any(isinstance(each, (TracedArray, OneOf)) for each in (value, *among))
        if not traced or not isinstance(frame, TraceFrame):
            return value in container
        if isinstance(container, (dict, set, frozenset)):
            container = tuple(container)
        if not isinstance(container, (tuple, list, range)):
            return value in container
        tests = (lambda each=each: value is each or value == each for each in container)
        return self._as_bool(self.test_or(False, *tests))

    def assert_(self, test: Any, *rest: Any) -> None:
        """`assert test, message()`."""
        *message, in_try = rest
        known = self._truth(test)
        if known is True:
            return
        if known is False:
            raise AssertionError(*(each() for each in message))
        _refuse_caught(AssertionError(), in_try)
        root = current_trace().root
        quoted, root.quotes = root.quoted, True
        try:
            error = AssertionError(*(each() for each in message))
        finally:
            root.quoted, root.quotes = quoted, False
        self.checks.note(logical_not(current_trace().begin(), known), error)

    def raise_unless(self, inside: Any, error: Exception) -> None:
        """Raises an exception, now or after the call, unless a value is true."""
        known = self._truth(inside)
        if known is False:
            raise error
        if known is not True:
            _refuse_caught(error)
            self.checks.note(logical_not(current_trace().begin(), known), error)

    def given(self, name: str, flag: Any, value: Any) -> Any:
        """The value of a variable; raises UnboundLocalError, now or after the call, where it is unbound."""
        if flag is not True:
            said = f"cannot access local variable {name!r} where it is not associated with a value"
            self.raise_unless(flag, UnboundLocalError(said))
        return value

    def _truth(self, value: Any) -> Any:
        """The truth of a value: True, False, or a node."""
        if may_be_none(value):
            value = self.test_and(value._present, lambda inner=value._inner: inner)
        if type(value) is OneOf:
            value = truth_of(value)
        if isinstance(value, (GrowingList, Keyed)):
            value = value.truth()
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
        return known if isinstance(known, bool) else number(current_trace(), known)

    def _node(self, value: Any) -> Node:
        frame = current_trace()
        graph = frame.begin()
        given = operand(frame, graph, value)
        return given.node if isinstance(given, Weak) else strong(graph, given)


def _are_compared(x: Any, y: Any) -> bool:
    """Whether two tuples or two lists hold traced scalars, so that their comparison is traced."""
    if isinstance(x, tuple) is not isinstance(y, tuple) or not isinstance(innermost_frame(), TraceFrame):
        return False
    return any(_holds_scalars(each) for each in (x, y))


def _holds_scalars(values: Any) -> bool:
    items = elements_of(values) if isinstance(values, list) else values
    return any(
        (isinstance(each, TracedArray) and not each.shape)
        or (isinstance(each, tuple) and _holds_scalars(each))
        for each in items
    )


def _presence(value: Any) -> tuple[Any, Any]:
    """The flag that says whether an optional value is not None, and the value."""
    return (value._present, value._inner) if may_be_none(value) else (value is not None, value)


def nothing() -> None:
    return


def frame_or_none() -> TraceFrame | None:
    frame = innermost_frame()
    return frame if isinstance(frame, TraceFrame) else None


def _size(root: TraceFrame) -> int:
    return sum(map(len, root.graphs))


def number(frame: TraceFrame, node: Node) -> TracedArray:
    frame.note(node)
    return TracedArray(Cell(frame, node), None, NUMBER)


def _kind_of_bool(value: Any) -> Any:
    """Whether a bool is Python's (NUMBER) or NumPy's (SCALAR)."""
    if isinstance(value, TracedArray):
        return value._kind if value._dtype is BOOL else None
    return NUMBER if isinstance(value, bool) else SCALAR if isinstance(value, numpy.bool_) else None


def _refuse_caught(error: Exception, in_try: bool = False) -> None:
    """Raises TraceError where a handler of this function or of a caller would catch an exception that is only
    raised after the program has run."""
    if in_try or caught_among((type(error),)):
        raise TraceError(
            f"a condition on a traced value decides whether {type(error).__name__} is raised inside a try; "
            "take the condition out of the try, or compute without raising"
        ) from error
