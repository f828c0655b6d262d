"""Hooks in place of comprehensions and generators."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..api.frame import LazyValue
from ..arrays.promotion import NUMBERS
from ..errors import TraceError
from ..tracing.arguments.growing_dict import GrowingDict
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.arguments.growing_set import GrowingSet
from ..tracing.lists.row_values import Rows
from ..tracing.standins.python_builtins import BUILTINS, reduction
from ..tracing.values.traced import TracedArray
from ..tracing.values.traced_frame import TraceFrame, run_traced
from .conditions import Body, Conditions, Names, frame_or_none
from .iterations import Iterations, iterations_of
from .state import Untouched

LONG = 64
"""Comprehensions over at least so many items are loops."""


class When(NamedTuple):
    """A value that a comprehension yields only where a predicate holds."""

    test: Any
    value: Body


LEFT_OUT = object()
"""The placeholder for the value of an item that a comprehension excludes."""


def _decided(each: Any) -> Any:
    """A value of a generator that is needed at trace time."""
    if type(each) is not When:
        return each
    return each.value() if each.test else LEFT_OUT


def _pairs(items: list[Any]) -> list[tuple[Any, Body]]:
    """What one item contributes, as pairs of a predicate and a function of the value."""
    found = [each for each in items if each is not LEFT_OUT]
    return [
        (each.test, each.value) if type(each) is When else (True, lambda value=each: value) for each in found
    ]


_FOLDED: dict[Any, Callable[[Comprehensions, When], Any]] = {
    BUILTINS[sum]: lambda hooks, each: hooks.choose(each.test, each.value, lambda: 0),
    BUILTINS[any]: lambda hooks, each: hooks.test_and(each.test, each.value),
    BUILTINS[all]: lambda hooks, each: hooks.test_or(hooks.not_(each.test), each.value),
}
"""By reduction of a generator: its neutral value for an item under a false condition."""
_ENDS = {BUILTINS[any]: True, BUILTINS[all]: False}
"""By reduction that stops early: the value that stops it."""
_CHANGES = (
    "items of a generator in any() or all() change something, and which of them are computed depends on "
    "traced values; write a loop with a break"
)
_COLLECTED = list, tuple, range, Rows, TracedArray
"""Generators over these compute their values at once."""


def _one_of(items: Callable[[Any], list[Any]], item: Any) -> list[Any]:
    """What one item contributes; several candidate values are only computed if that has no side effects."""
    frame = frame_or_none()
    before = None if frame is None else Untouched(frame, items)
    made = items(item)
    if len(made) > 1 and before is not None and not before.holds():
        raise TraceError(_CHANGES)
    return made


def _one_by_one(iterable: Any, items: Callable[[Any], list[Any]]) -> Iterator[Any]:
    """The values of a generator, each computed when it is requested."""
    return (each for item in iterable for each in map(_decided, items(item)) if each is not LEFT_OUT)


def _is_traced(values: Any) -> bool:
    """Whether some values, or the items of tuples and lists among them, are traced."""
    return not NUMBERS.issuperset(map(type, values)) and any(
        isinstance(value, LazyValue)
        or (
            isinstance(value, (tuple, list))
            and _is_traced(elements_of(value) if isinstance(value, list) else value)
        )
        for value in values
    )


def _is_long(iterations: Iterations) -> bool:
    return iterations.known_count is None or iterations.known_count >= LONG


class Comprehensions(Conditions):
    """The hooks of one trace for comprehensions and generators."""

    @abstractmethod
    def for_(self, iterable: Any, body: Body, stored: Names, live: Names, stops: Names, in_try: bool) -> None:
        """A `for` loop of a comprehension."""

    @abstractmethod
    def count_iteration(self) -> None:
        """Counts an iteration that is unrolled at trace time."""

    def when(self, *tests_and_value: Body) -> Any:
        """Returns the contribution of an item to a comprehension with `if` clauses: nothing, its value, or a
        predicated value."""
        *tests, value = tests_and_value
        holds = self._as_bool(self.test_and(tests[0](), *tests[1:]))
        if isinstance(holds, bool):
            return value() if holds else LEFT_OUT
        return When(holds, value)

    def collected(self, iterable: Any, items: Callable[[Any], list[Any]]) -> list[Any]:
        """A list comprehension; `items` returns the contribution of each item of the iterable."""
        growing_list = GrowingList()
        frame = frame_or_none()
        iterations = None if frame is None else iterations_of(iterable)
        if iterations is None or frame is None:
            return self._known(iterable, items)
        if iterations.known_count is None:
            return self._in_loop(iterations, items, growing_list)
        is_long = _is_long(iterations)
        before = Untouched(frame, items) if is_long else None
        for number, item in enumerate(iterations):
            made = items(item)
            if any(type(each) is When for each in made) or (is_long and _is_traced(made)):
                acts = self.root.draws or self.root.number_streams or self.effects.node() is not None
                acts = acts or before is None or not before.holds()
                if acts:  # the loop begins with the next item, else with this one
                    self._add(growing_list, made)
                rest = Iterations(iterations.lower + number + bool(acts), iterations.upper, iterations.at)
                return self._in_loop(rest, items, growing_list)
            self.count_iteration()
            self._add(growing_list, made)
        return growing_list

    def collected_set(self, iterable: Any, items: Callable[[Any], list[Any]]) -> Any:
        """A set comprehension."""
        growing_set = GrowingSet()

        def body(item: Any) -> None:
            self._give(items(item), growing_set.add)

        self.for_(iterable, body, (), (), (), False)
        return growing_set

    def collected_dict(self, iterable: Any, items: Callable[[Any], list[Any]]) -> Any:
        """A dict comprehension, whose items are pairs."""
        growing_dict = GrowingDict()

        def add(pair: Any) -> None:
            growing_dict[pair[0]] = pair[1]

        def body(item: Any) -> None:
            self._give(items(item), add)

        self.for_(iterable, body, (), (), (), False)
        return growing_dict

    def _known(self, iterable: Any, items: Callable[[Any], list[Any]]) -> GrowingList:
        growing_list = GrowingList()
        for item in iterable:
            self._add(growing_list, items(item))
        return growing_list

    def _add(self, found: GrowingList, items: list[Any]) -> None:
        self._give(items, found.append)

    def _give(self, items: list[Any], add: Callable[[Any], None]) -> None:
        """Calls a function with what an item contributes to a comprehension."""
        for each in items:
            if type(each) is When:
                self.if_(each.test, lambda value=each.value: add(value()), None, (), (), False)
            elif each is not LEFT_OUT:
                add(each)

    def generated(self, iterable: Any, items: Callable[[Any], list[Any]]) -> Any:
        """A generator expression that is the sole argument of a call."""
        iterations = None if frame_or_none() is None else iterations_of(iterable)
        if (iterations is not None and _is_long(iterations)) or isinstance(iterable, _COLLECTED):
            return self.collected(iterable, items)
        return _one_by_one(iterable, items)

    def reduced(self, function: Any, iterable: Any, items: Callable[[Any], list[Any]]) -> Any:
        """`function(generator)`."""
        frame = frame_or_none()
        implementation = None if frame is None or not isinstance(function, Hashable) else reduction(function)
        if function is next:
            return function(_one_by_one(iterable, items))
        if implementation is None or frame is None:
            return function(self.generated(iterable, items))
        iterations = iterations_of(iterable)
        if iterations is not None and _is_long(iterations):
            taken = partial(_one_of, items) if function in _ENDS else items
            return run_traced(implementation, iterations, lambda item: _pairs(taken(item)))
        if function in _ENDS:
            return self._until_decided(function, frame, iter(iterable), items)
        if function not in _FOLDED:
            return function(self.generated(iterable, items))
        return function(each for item in iterable for each in self._folded(function, items(item)))

    def _folded(self, function: Any, items: list[Any]) -> list[Any]:
        """What a reduction over a generator takes from an item."""
        fold = _FOLDED[function]
        return [fold(self, each) if type(each) is When else each for each in items if each is not LEFT_OUT]

    def _until_decided(
        self, function: Any, frame: TraceFrame, iterable: Iterator[Any], items: Callable[[Any], list[Any]]
    ) -> Any:
        """`any` or `all`. Items without side effects are all computed; others only where no earlier one has
        decided."""
        before, found = Untouched(frame, items), list[Any]()
        while not found:
            try:
                found = self._folded(function, items(next(iterable)))
            except StopIteration:
                return function(())
        if before.holds():
            found += [each for item in iterable for each in self._folded(function, items(item))]
            if before.holds():
                return function(found)
        elif len(found) == 1:
            chain = self.test_or if _ENDS[function] else self.test_and
            rest = (partial(self._folded_one, function, items, item) for item in iterable)
            return BUILTINS[bool](chain(found[0], *rest))
        raise TraceError(_CHANGES)

    def _folded_one(self, function: Any, items: Callable[[Any], list[Any]], item: Any) -> Any:
        found = self._folded(function, _one_of(items, item))
        return found[0] if found else not _ENDS[function]

    def _in_loop(
        self, iterations: Iterations, items: Callable[[Any], list[Any]], found: GrowingList
    ) -> GrowingList:
        def body(item: Any) -> None:
            self._add(found, items(item))

        self.for_(iterations, body, (), (), (), False)
        return found
