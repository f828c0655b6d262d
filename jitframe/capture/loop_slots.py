"""One place of a loop's state, with its pattern, which is widened from iteration to iteration until it holds
all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import TraceError
from ..functions.integer_ranges import Range
from ..ir.node import Node
from ..ir.record import mutable, replace
from ..tracing.values.cells import Cell
from ..tracing.values.number_ranges import hull, widened
from ..tracing.values.regions import outside_value
from ..tracing.values.traced import TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .aliases import lists_in, share, shared_memory, tie
from .carried import NO_CONTENTS, build, carries, leaves, nodes_of, relaxed, unchanged
from .patterns import UNSET, Carry, Fixed, Open, Pattern, Unsettled, Unsure, is_unset
from .region import CaptureRegion
from .state import Place, may_lack_value
from .values import carry_of, differ_in_length, guess, joined, opened, pattern_of

MOST_COPIED = 4096
"""An array of no more elements is copied in the time of a call of NumPy's, which makes a view by a slice."""


class Slot(metaclass=mutable):
    """A place that a loop changes, with the pattern that holds at the beginning and the end of every
    iteration."""

    place: Place
    entry: Any
    """The value before the loop."""
    pattern: Pattern
    ties: list[list[Cell]]
    """The arrays that each carried value may alias."""
    late: bool = False
    """Whether it has no value before the loop."""
    is_copied: bool = False
    """Whether it may still be a list from before the loop that others refer to."""

    @staticmethod
    def of(frame: TraceFrame, place: Place, entry: Any) -> Slot:
        if is_unset(entry):
            return Slot(place, entry, Fixed(UNSET), [], True)
        pattern = Fixed(entry) if _is_flag(place, entry) else relaxed(guess(frame, entry), _first_span)
        return Slot(place, entry, pattern, _shared_before(pattern, entry))

    def nodes(self, frame: TraceFrame, value: Any) -> Iterator[Node]:
        """The nodes that carry a value of this pattern."""
        return nodes_of(frame, self.pattern, value, self.place.name)

    # Where an iteration begins

    def begin(self, frame: TraceFrame, region: CaptureRegion, sole: frozenset[int]) -> Any:
        """The value of the place at the beginning of an iteration, as parameters of the region."""
        if self.late and not getattr(self.place, "flagged", False):
            for node in self.nodes(frame, UNSET):
                region.input(node)  # nobody reads it
            return UNSET if self.place.hidden else Unsure(self._late(region.name))
        made = []
        for each, tied, node in zip(
            carries(self.pattern), self.ties, self.nodes(frame, self.entry), strict=True
        ):
            value = TracedArray(Cell(region, region.input(node)), None, each.kind)
            self._bound(value, each, sole, tied)
            made.append(value)
        return build(self.pattern, iter(made))

    def _bound(self, value: TracedArray, carry: Carry, sole: frozenset[int], tied: Sequence[Cell]) -> None:
        """Records facts about a loop-carried value: the bounds of an integer (0 where it has no value yet),
        and the arrays that it may alias."""
        if carry.span is not None:
            span = hull(carry.span, (0, 0)) if self.late else carry.span
            value._cell.frame.root.ranges.known[value._cell.node] = span
        tie(value, tied, sole, self.place.hidden)

    # Where it ends

    def join(self, region: CaptureRegion, end: Any) -> bool:
        """Widens the pattern to what an iteration left; returns whether it already held that."""
        if is_unset(end):
            if not self.late:
                raise TraceError(
                    f"{self.place.name} cannot be settled in {region.name}: an iteration unsets it"
                )
            return True
        try:
            if self._has_no_value:
                found = region.traced(lambda: pattern_of(region, end))
            else:
                found = region.traced(lambda: joined(region, self.pattern, end))
        except Unsettled as error:
            wider = self._of_open_length(region, end)
            if wider is None:
                raise self._unsettled(region, error) from None
            found = wider
        if unchanged(self.pattern, found):
            return True
        if isinstance(self.pattern, Open) and isinstance(found, Open) and not self.pattern.holds(found):
            raise self._unsettled(region, "it is an array that gets longer from iteration to iteration")
        self.pattern = relaxed(found, _later_span)
        self.ties = [[] for _ in carries(found)] if self.late else _shared_before(self.pattern, self.entry)
        return False

    def _of_open_length(self, region: CaptureRegion, end: Any) -> Pattern | None:
        """The pattern of arrays of several lengths; None of other values, of large arrays, and in loops that
        may be unrolled."""
        before: Any = self.pattern.value if isinstance(self.pattern, Fixed) else None
        if region.times is not None or not differ_in_length(before, end) or before.size > MOST_COPIED:
            return None
        found: Pattern = region.traced(lambda: opened(region, before, end, NO_CONTENTS, NO_CONTENTS))
        return found

    def _unsettled(self, region: CaptureRegion, reason: object) -> TraceError:
        return TraceError(f"{self.place.name} cannot be settled in {region.name}: {reason}")

    def tie(self, region: CaptureRegion, end: Any) -> bool:
        """Whether the aliases assumed at the beginning of an iteration also cover those at its end; adds the
        missing ones."""
        if is_unset(end):
            return True
        holds = True
        for tied, leaf in zip(self.ties, leaves(self.pattern, end), strict=True):
            new = [cell for cell in shared_memory(region, leaf) if all(cell is not each for each in tied)]
            tied += new
            holds &= not new
        return holds

    def narrow(self, frame: TraceFrame, region: CaptureRegion, end: Any) -> bool:
        """Narrows the bounds of an integer to those before the loop and after an iteration; returns whether
        they became narrower."""
        if not isinstance(self.pattern, Carry) or self.pattern.span is None or is_unset(self.entry):
            return False
        entry = carry_of(frame, self.entry)
        after = region.traced(lambda: carry_of(region, end))
        if entry.span is None or after.span is None:
            return False
        span = hull(entry.span, after.span)
        if span == self.pattern.span:
            return False
        self.pattern = replace(self.pattern, span=span)
        return True

    def forget_raised(self) -> None:
        """Resets an exception flag: with narrower integers perhaps nothing is raised."""
        if _is_flag(self.place, self.entry):
            self.pattern, self.ties = Fixed(self.entry), []

    # After the loop

    def finish(
        self, frame: TraceFrame, nodes: Iterator[Node], sole: frozenset[int], what: str, runs: bool
    ) -> list[Any]:
        """Consumes the next of some nodes as the final value of the place, and returns the values carried.
        `runs`: the loop certainly has an iteration."""
        carried = []
        for each, tied in zip(carries(self.pattern), self.ties, strict=True):
            value = outside_value(frame, next(nodes), each.kind)
            self._bound(value, each, sole, tied)
            carried.append(value)
        if self._has_no_value:
            self.place.set(UNSET)
        elif self.late and not may_lack_value(self.place) and not runs:
            self.place.set(Unsure(self._late(what)))
        else:
            value = build(self.pattern, iter(carried))
            if self.is_copied:
                share(lists_in([value]))
            self.place.set(value)
        return carried

    @property
    def _has_no_value(self) -> bool:
        """Whether no iteration so far has given the place a value."""
        return self.late and isinstance(self.pattern, Fixed) and self.pattern.value is UNSET

    def _late(self, what: str) -> str:
        return (
            f"{self.place.name} gets its value in {what}, which may have no iteration; give it one before "
            "the loop"
        )


def _shared_before(pattern: Pattern, entry: Any) -> list[list[Cell]]:
    """Returns the arrays that each carried value may alias as the loop begins."""
    return [shared_memory(None, leaf) for leaf in leaves(pattern, entry)]


def _is_flag(place: Place, entry: Any) -> bool:
    """Flags, and which exception was raised, seldom change."""
    return place.hidden and isinstance(entry, int)


def _first_span(carry: Carry) -> Range:
    assert carry.span is not None
    return _later_span(carry) if carry.dtype.bits == 64 else carry.span


def _later_span(carry: Carry) -> Range:
    assert carry.span is not None
    return widened(carry.span, carry.dtype)
