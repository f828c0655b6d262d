"""Values of a row that several passes need: the first writes them to shared memory, others read them there.

Worth it is what is loaded from memory or costs much to compute. In every pass a position of the row is one
lane's, and lanes meet between passes: so a place may be written again by the pass that reads it last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ...ir.expr import less
from ...ir.index import Dims, Position, through
from ...ir.passes.stages import Stage
from ...ir.record import mutable, record
from ..kernel.nodes import Buffer, Value
from .context import GroupWriter
from .lanes_order import at_element
from .machine import TEAM
from .nest import Axis
from .rows import is_costly_along
from .writer import Key

MOST_BYTES = 32768
"""Of shared memory for values of rows: more would leave too few workgroups side by side."""
LEAST_LONG = 2048
"""Positions that there is room for, where a workgroup has a row to itself and that has no more."""
_WORD_BYTES = 4
"""What an element takes at least: some languages have no smaller ones in shared memory."""


@record
class Span:
    """The pass that computes a value, and the last one that needs it."""

    first: int
    last: int


@mutable
class _Place:
    """An array for values of one dtype, one after the other."""

    key: Key
    last: int
    array: Buffer | None = None


def shared_values(writing: GroupWriter, passes: Sequence[Sequence[Stage]]) -> dict[Key, Span]:
    """What later passes over a row need again of earlier ones."""
    if len(writing.nest.reduced) != 1 or writing.blocks is not None:
        return {}
    (axis,) = writing.nest.reduced
    computed: dict[Key, int] = {}
    stored: set[Key] = set()
    found: dict[Key, Span] = {}
    for number, stages in enumerate(passes):
        along = [stage for stage in stages if stage.kind == "reduce" or not writing.per_row(stage)]
        for key in _evaluated(writing, along, axis, computed, stored):
            if computed.setdefault(key, number) < number:
                found[key] = Span(computed[key], number)
        stored.update((stage.node, stage.dims) for stage in along if stage.kind == "store")
    return found


def _evaluated(
    writing: GroupWriter, stages: Sequence[Stage], axis: Axis, known: dict[Key, int], stored: set[Key]
) -> list[Key]:
    """What a pass evaluates at each position, users first: not what is below a known value worth keeping."""
    writer = writing.writer
    pending: list[Key] = [(stage.value, stage.dims) for stage in stages]
    seen: set[Key] = set()
    found: list[Key] = []
    while pending:
        key = pending.pop()
        node, dims = key
        if key in seen or key in stored or not _runs_along(dims, axis):
            continue
        seen.add(key)
        loaded = writer.in_memory(node)
        elementwise = node.op.family == "elementwise"
        if loaded or (elementwise and is_costly_along(key, writing, known)):
            found.append(key)
            if loaded or key in known:
                continue
        if elementwise:
            pending += [(source, dims if source.shape or not dims else ()) for source in node.inputs]
        elif node.op.family == "movement" and node.inputs:
            pending.append((node.inputs[0], through(node, dims)))
    return found


def _runs_along(dims: Dims, axis: Axis) -> bool:
    """Whether each position of the row has a value of its own, and nothing else has."""
    plain = all(not dim.more and dim.axis.__class__ is not Position for dim in dims)
    return plain and any(dim.axis == axis for dim in dims)


class HeldRow:
    """What the passes over a row of one workgroup or team hold in shared memory."""

    def __init__(
        self, writing: GroupWriter, passes: Sequence[Sequence[Stage]], short: int | None, taken_bytes: int
    ) -> None:
        """`short`: the most positions of a row that a team has to itself; None: a workgroup has it.
        `taken_bytes`: of shared memory, for other things."""
        self.writing = writing
        self.spans = shared_values(writing, passes)
        self.arrays: dict[Key, Buffer] = {}
        self.base: Value = writing.build.constant(0)
        places = self._places()
        lanes, row = writing.around.machine.lanes, writing.nest.count(writing.nest.reduced)
        rows = lanes // TEAM if short else 1
        each = rows * sum(max(place.key[0].dtype.itemsize, _WORD_BYTES) for place in places)
        room = min(writing.around.machine.shared_bytes - taken_bytes, MOST_BYTES)
        most = room // each // TEAM * TEAM if each else 0
        sizes = [min(most, short)] if short else [size for size in (LEAST_LONG, most) if size <= most]
        for size in sizes:
            if size and (size == short or writing.around.decide(less(row, size + 1))):
                self._allocate(places, size * rows)
                if short:
                    team = writing.build.emit(
                        "quotient", (writing.build.lane_id(), writing.build.constant(TEAM))
                    )
                    self.base = writing.build.mul(team, writing.build.constant(size))
                return
        self.spans = {}

    def _places(self) -> list[_Place]:
        """Arrays, each for values that are not needed at the same time."""
        places: list[_Place] = []
        self._of: dict[Key, _Place] = {}
        for key, span in sorted(self.spans.items(), key=lambda item: item[1].first):
            free = (p for p in places if p.key[0].dtype is key[0].dtype and p.last <= span.first)
            place = next(free, None)
            if place is None:
                places.append(place := _Place(key, span.last))
            place.last = span.last
            self._of[key] = place
        return places

    def _allocate(self, places: Sequence[_Place], size: int) -> None:
        for place in places:
            place.array = self.writing.build.allocate(place.key[0].dtype, size, "shared")
        for key, place in self._of.items():
            assert place.array is not None
            self.arrays[key] = place.array

    @contextmanager
    def element(self, number: int, position: Value, which: int | None = None) -> Iterator[None]:
        """What is written inside is evaluated at a position of the row in pass `number`; `which`: it is that
        element of several (see `at_element`)."""
        writing, build = self.writing, self.writing.build
        if not self.spans:
            yield
            return
        (axis,) = writing.nest.reduced
        at = build.add(self.base, position)
        moved = {key: (key[0], at_element(key[1], axis, which)) for key in self.spans}
        writing.writer.staged = {
            moved[key]: (self.arrays[key], at)
            for key, span in self.spans.items()
            if span.first < number <= span.last
        }
        yield
        writing.writer.staged = {}
        for key, span in self.spans.items():
            if span.first == number:
                build.store(self.arrays[key], at, writing.writer.value(*moved[key]))
