"""Segments: the programs between the cuts of a jitted function, the points where its Python code needs a
value.

A function whose Python code needs a value that depends on arrays is *cut* there. A segment computes that
value, and the values that later segments read; the value selects the next segment. The last one is the
program that makes the results. A call follows the segments while its values were met before; after a new
value the trace continues, as one more branch of the tree.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...runtime.device import DeviceArray
from ..arguments.signature import Call
from .program import NO_VARIANTS, Program

if TYPE_CHECKING:
    from ...errors import SourceLine
    from ...tensors.transfers import Value

BRANCHES_KEPT = 64
"""The most values remembered at one cut; the least recently met one is dropped first."""
CUTS_KEPT = 256
"""The most cuts of a call whose segments are kept."""


class Segment:
    """The computation up to one cut."""

    def __init__(
        self,
        program: Program | None,
        key: Hashable,
        wanted: int,
        purpose: str,
        line: SourceLine | None,
    ) -> None:
        self.program = program
        """Computes values that are carried on; None where the needed value was carried before."""
        self.key = key
        """Equal for segments that compute the same."""
        self.wanted = wanted
        """The place of the needed value among the carried ones."""
        self.purpose = purpose
        """The use of the value."""
        self.line = line
        """The user's line that needs it."""
        self.dropped: tuple[int, ...] = ()
        """Places of carried values that no later segment reads."""
        self.following: OrderedDict[Hashable, Segment | Program] = OrderedDict()
        """The next segment or program, by the value."""

    def compute(self, call: Call) -> list[Value]:
        return [] if self.program is None else self.program.values(call)

    def value(self, call: Call) -> numpy.ndarray:
        """Returns the value at the cut, for a call that has computed it."""
        found = call.carried[self.wanted]
        assert found is not None
        return found.download() if isinstance(found, DeviceArray) else found

    def drop(self, call: Call, values: list[Value | None]) -> None:
        """Drops values that are not used any more; `values` are those that this segment has computed."""
        begin = len(call.carried) - len(values)
        for place in self.dropped:
            call.carried[place] = None
            if place >= begin:
                values[place - begin] = None


class Step:
    """A segment that a call has computed."""

    __slots__ = ("segment", "value", "values")

    def __init__(self, segment: Segment, values: list[Value | None], value: numpy.ndarray) -> None:
        self.segment = segment
        self.values = values
        self.value = value
        """The value that selects the next one."""


def value_key(value: numpy.ndarray) -> Hashable:
    """Returns a key that is equal for values that a trace cannot tell apart."""
    return value.dtype, value.shape, value.tobytes()


class SegmentTree:
    """The segments of one signature, each with its successors."""

    def __init__(self, first: Segment) -> None:
        self.first = first
        self.variants_left = NO_VARIANTS

    def add(self, segments: Sequence[Segment], values: Sequence[Hashable], last: Program) -> None:
        """Adds a trace to the tree: its segments, the first one being this tree's, along the values met at
        the cuts."""
        assert segments[0] is self.first
        if len(segments) > CUTS_KEPT:
            return
        nexts: list[Segment | Program] = [*segments[1:], last]
        for segment, value, following in zip(segments, values, nexts, strict=True):
            segment.following[value] = following
            segment.following.move_to_end(value)
            if len(segment.following) > BRANCHES_KEPT:
                segment.following.popitem(last=False)

    def serving(self, call: Call) -> Program | None:
        """Computes the segments of a call and returns its last program; None where a value is new."""
        call.drop_steps()
        at: Segment | Program | None = self.first
        while isinstance(at, Segment):
            if at.program is not None and not at.program.holds(call):
                return None
            step = advanced(at, call)
            key = value_key(step.value)
            found = at.following.get(key)
            if found is not None:
                try:
                    at.following.move_to_end(key)
                except KeyError:  # another thread has dropped it meanwhile
                    pass
            at = found
        return at if at is not None and at.holds(call) else None


def advanced(segment: Segment, call: Call) -> Step:
    """Computes a segment of a call."""
    values: list[Any] = segment.compute(call)
    call.carried += values
    step = Step(segment, values, segment.value(call))
    segment.drop(call, values)
    call.steps.append(step)
    return step


def add_branch(known: list[Program | SegmentTree], last: Program) -> list[Program]:
    """Adds the segments of a new trace to the tree of a signature; returns the new programs."""
    first = last.segments[0]
    tree = next((each for each in known if isinstance(each, SegmentTree) and each.first is first), None)
    if tree is None:
        tree = SegmentTree(first)
        known.insert(0, tree)
    fresh = [segment for segment in last.segments if not segment.following]
    tree.add(last.segments, last.met, last)
    return [segment.program for segment in fresh if segment.program is not None]
