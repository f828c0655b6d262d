"""Values that several passes over a row need: the first pass writes them to scratch memory, later ones read
there.

In every pass one lane owns a position of the row: so the pass that reads a place last may overwrite it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager

from ....ir.index import Dims, Position, each_once, through
from ....ir.passes.cost import EXPENSIVE
from ....ir.passes.stages import Stage
from ....ir.record import mutable, record
from ...kernel.nodes import Buffer, Space, Value
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from ..writing.writer import Key
from .lanes_order import at_element

MOST_COMPUTED = 64
"""The operations from which on a value is costly, whatever they are."""


class Span(metaclass=record):
    """The pass that computes a value, and the last one that needs it."""

    first: int
    last: int


class _Place(metaclass=mutable):
    """An array for values of one dtype, one after the other."""

    key: Key
    last: int
    array: Buffer | None = None


Worth = Callable[[Key, GroupWriter, Container[Key]], bool]
"""Whether a value is worth storing, given the values known where it is needed again."""


def needed_again(
    writing: GroupWriter, passes: Sequence[Sequence[Stage]], worth: Worth, loads: bool
) -> dict[Key, Span]:
    """Returns the values of earlier passes over a row that later passes need and that are `worth` storing;
    with `loads`, loaded values too."""
    if len(writing.nest.reduced) != 1 or writing.blocks is not None:
        return {}
    (axis,) = writing.nest.reduced
    first: dict[Key, int] = {}
    """The first pass that evaluates each value."""
    stored: set[Key] = set()
    found: dict[Key, Span] = {}
    for number, stages in enumerate(passes):
        along = [stage for stage in stages if stage.kind == "reduce" or not writing.per_row(stage)]
        for key in _evaluated(writing, along, axis, first, found, stored, worth, loads):
            if first.setdefault(key, number) < number:
                found[key] = Span(first[key], number)
        stored.update((stage.node, stage.dims) for stage in along if stage.kind == "store")
    return found


def _evaluated(
    writing: GroupWriter,
    stages: Sequence[Stage],
    axis: Axis,
    before: Container[Key],
    materialized: Container[Key],
    stored: set[Key],
    worth: Worth,
    loads: bool,
) -> list[Key]:
    """Returns the values that a pass evaluates at each position for the first time, and those of earlier
    passes that are worth storing, users first and without their operands."""
    in_memory = writing.writer.in_memory
    pending: list[Key] = [(stage.value, stage.dims) for stage in stages]
    found: list[Key] = []
    for node, dims, _ in each_once(pending):
        key = node, dims
        if not _runs_along(dims, axis) or key in stored:
            continue
        if in_memory(node):
            if loads:
                found.append(key)
        elif node.op.family == "elementwise":
            again = key in before
            # More known values only make it cheaper: it was worth storing before if it is now.
            holds = again and worth(key, writing, materialized)
            if holds or not again:
                found.append(key)
            if not holds:
                pending += [(source, dims if source.shape or not dims else ()) for source in node.inputs]
        elif node.op.family == "movement" and node.inputs:
            pending.append((node.inputs[0], through(node, dims)))
    return found


def _runs_along(dims: Dims, axis: Axis) -> bool:
    """Whether each position of the row has a value of its own, which no other axis repeats."""
    plain = all(not dim.more and dim.axis.__class__ is not Position for dim in dims)
    return plain and any(dim.axis == axis for dim in dims)


def is_costly_along(key: Key, writing: GroupWriter, known: Container[Key] = ()) -> bool:
    """Whether computing a value again takes an expensive operation or many, without stored, known or
    row-invariant values."""
    costs = enumerate(_costs_along(key, writing, known), 1)
    return any(cost >= EXPENSIVE or number == MOST_COMPUTED for number, cost in costs)


def is_long_along(key: Key, writing: GroupWriter, known: Container[Key] = ()) -> bool:
    """Whether the operations together cost as much as an expensive one."""
    return _cost_at_least(key, writing, known, EXPENSIVE)


def computes_along(key: Key, writing: GroupWriter, known: Container[Key] = ()) -> bool:
    """Whether there are two operations or more."""
    return _cost_at_least(key, writing, known, 2)


def _cost_at_least(key: Key, writing: GroupWriter, known: Container[Key], least: int) -> bool:
    """Whether the operations together cost so much; stops as soon as that is certain."""
    together = 0
    for cost in _costs_along(key, writing, known):
        together += cost
        if together >= least:
            return True
    return False


def _costs_along(key: Key, writing: GroupWriter, known: Container[Key]) -> Iterator[int]:
    """Yields the cost of each operation that a value depends on, users first."""
    reduced, in_memory = writing.nest.reduced, writing.writer.in_memory
    pending = [key]
    for node, at, seen in each_once(pending):
        if in_memory(node) or not any(axis in reduced for dim in at for axis, _ in dim.terms):
            continue
        if node.op.family == "elementwise":
            yield node.op.cost
            below = [(source, at) for source in node.inputs if source not in seen]
        elif node.op.family == "movement":
            below = [(source, through(node, at)) for source in node.inputs]
        else:
            continue  # known before this pass
        pending += [each for each in below if each not in known] if known else below


class RowValues:
    """The values of `spans` while passes over a row are written; in arrays once these are allocated."""

    def __init__(self, writing: GroupWriter, spans: dict[Key, Span]) -> None:
        self.writing = writing
        self.base: Value | None = None
        """The start of a row in the arrays, if not 0."""
        self._spans = spans
        self._arrays: dict[Key, Buffer] = {}
        self._places: list[_Place] = []
        self._of: dict[Key, _Place] = {}
        for key, span in sorted(spans.items(), key=lambda item: item[1].first):
            free = (p for p in self._places if p.key[0].dtype is key[0].dtype and p.last <= span.first)
            place = next(free, None)
            if place is None:
                self._places.append(place := _Place(key, span.last))
            place.last = span.last
            self._of[key] = place

    @property
    def materialized(self) -> bool:
        return bool(self._arrays)

    def bytes_each(self, least: int = 1) -> int:
        """Returns the bytes of a position, where an element takes at least `least` bytes."""
        return sum(max(place.key[0].dtype.itemsize, least) for place in self._places)

    def hold(self, size: int, space: Space) -> None:
        """Allocates arrays for `size` positions."""
        for place in self._places:
            place.array = self.writing.build.allocate(place.key[0].dtype, size, space)
        for key, place in self._of.items():
            assert place.array is not None
            self._arrays[key] = place.array

    @contextmanager
    def element(self, number: int, position: Value, which: int | None = None) -> Iterator[None]:
        """Sets the position of a row in pass `number` for the evaluations inside; `which`: its number among
        several (see `at_element`)."""
        if not self._arrays:
            yield
            return
        writing, build = self.writing, self.writing.build
        (axis,) = writing.nest.reduced
        at = position if self.base is None else self.base + position

        def here(key: Key) -> Key:
            return key[0], at_element(key[1], axis, which)

        writing.writer.staged = {
            here(key): (self._arrays[key], at)
            for key, span in self._spans.items()
            if span.first < number <= span.last
        }
        yield
        writing.writer.staged = {}
        for key, span in self._spans.items():
            if span.first == number:
                build.store(self._arrays[key], at, writing.writer.value(*here(key)))
