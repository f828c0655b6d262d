"""Reductions along the innermost axis, row by row: every consumer of a row follows while it is in cache.

The sum of a row is the same for any tile size and thread count: blocks of a fixed length, each by the lanes
of a reduction loop, whose results are added in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ....ir.expr import ONE, ZERO, Expr, ceil_div, less, maximum, minimum, symbol
from ....ir.index import Dim, Dims
from ....ir.passes.stages import Stage
from ....ir.record import record
from ...kernel.nodes import Value
from ..machine import SCRATCH_ELEMENTS
from ..writing.accumulators import combine, identities, results, terms
from ..writing.context import GroupWriter, Schedule, phases_of
from ..writing.nest import store_place
from ..writing.writer import Key
from .argreduce import find_in_row, found_by_blocks
from .row_values import RowValues, computes_along, is_costly_along, is_long_along, needed_again

BLOCKS = (16384, 512)
"""A row is cut into stretches and those into blocks, whose sums combine in order. The error of a sum grows
with the longest chain of additions: about 32 on every level."""
ROWS_AT_ONCE = 4
"""Rows taken together where each needs the same loads along the row."""
ROWS_ACROSS = 64
"""Rows in the lanes of vectors, where they load nothing of their own along them."""
MOST_CACHED_BYTES = 1 << 17
"""The most bytes of a thread's stack for such values."""
MANY_PASSES = 10
"""With more passes, results of cheap operations are stored, too."""
MANY_ROWS = 64
"""The rows from which on a workgroup takes ROWS_AT_ONCE groups, whatever their length."""


class _Item(metaclass=record):
    """A reduction of one of the rows taken together; `number` is None where rows come singly."""

    stage: Stage
    number: int | None = None


class Rows(Schedule):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.phases = phases_of(writing.group, writing.context.memories)
        worth = computes_along if len(self.phases) > MANY_PASSES else is_long_along
        self.scratch = RowValues(writing, needed_again(writing, self.phases, worth, loads=False))
        """Costly values that several passes need, where rows are short enough for scratch memory; with many
        passes other values too: passes that begin with these are equal, and equal code is written once."""
        self.kept: dict[Key, Stage] = {}
        """Those that are stored in the memory of a result, where rows are longer."""
        self.keeping: list[Key] = []
        """The values of `kept` that the current pass stores for a later one."""

    def write(self) -> Expr:
        writing, build, nest = self.writing, self.build, self.nest
        rows = nest.count(nest.parallel)
        height = ONE
        if writing.blocks is None:
            height = maximum(writing.tile() // maximum(nest.count(nest.reduced), 1), 1)
        if self._rows_stay_cached():
            self.scratch.hold(SCRATCH_ELEMENTS, "private")
        else:
            self.kept = _values_to_keep(self.phases, writing)
        own = self._own_loads()
        at_once, rows_at_once = 1, self._rows_together
        if own == 0 and self._go_across():
            at_once, rows_at_once = ROWS_ACROSS, self._rows_across
            enough = less(symbol("device.threads") * at_once, rows + 1)  # some for each thread
            unit = maximum(enough * at_once, 1)
            height = ceil_div(height, unit) * unit
        elif own is not None:  # few rows are for as many threads as there are
            at_once = ROWS_AT_ONCE
            height = maximum(height, minimum(at_once, ceil_div(rows, MANY_ROWS)))
        group, blocks = writing.take_block(build.group_id())
        lower, upper = writing.row_range(group, height, rows)
        if at_once > 1:
            step, middle = build.in_steps(lower, upper, at_once)
            with build.loop(lower, middle, step) as (r,):
                rows_at_once(r)
            lower = middle
        with build.loop(lower, upper) as (r,):
            self._row(r)
        return ceil_div(rows, height) * blocks

    def _row(self, row: Value) -> None:
        writing = self.writing
        writing.set_axes(self.nest.parallel, row)
        for number, phase in enumerate(self.phases):
            self._phase(phase, number)
        writing.store_all(writing.row_results)
        writing.writer.results.clear()

    def _phase(self, phase: list[Stage], number: int) -> None:
        """One pass over the reduced axes: reductions of this phase, and stores whose values are known."""
        reductions = [_Item(stage) for stage in phase if stage.kind == "reduce"]
        stores = [stage for stage in phase if stage.kind == "store" and not self.writing.per_row(stage)]
        if not reductions and not stores:
            return
        self.keeping = [
            key
            for key in self.kept
            if key not in self.writer.kept
            and any(key in _computed(item.stage, self.writing) for item in reductions)
        ]
        reduced = [item.stage for item in reductions]
        start = identities(self.writing, reduced)
        values = self._pass(reductions, start, stores, number)
        for key in self.keeping:
            self.writer.kept[key] = store_place(self.kept[key], self.writing.context.memories)[0]
        self.keeping = []
        self.writing.keep_stored(stores)
        self.writer.results.update(results(self.build, reduced, values))

    def _pass(
        self, reductions: list[_Item], start: Sequence[Value], stores: list[Stage], number: int = 0
    ) -> Sequence[Value]:
        """Writes loops over the reduced axes, the inner one by lanes; returns the accumulators' last
        values."""

        def along(accumulators: Sequence[Value]) -> Sequence[Value]:
            return self._along(reductions, accumulators, stores, number)

        return self.writing.over(self.nest.reduced, start, along)

    def _along(
        self, reductions: list[_Item], accumulators: Sequence[Value], stores: list[Stage], number: int
    ) -> Sequence[Value]:
        """Writes the loop over the innermost axis."""
        build, writer, axis = self.build, self.writer, self.nest.reduced[-1]
        lower, upper = self.writing.range_of(axis)
        if not reductions:
            streamed = [stage for stage in stores if stage not in self.kept.values()]
            with build.loop(lower, upper, kind="lanes") as (i,):
                writer.axes[axis] = i
                with self.scratch.element(number, i):
                    self.writing.store_all(streamed, self.writing.stream_flag())
                    self.writing.store_all([stage for stage in stores if stage not in streamed])
            return ()

        stages = [item.stage for item in reductions]

        def add(*values: Value) -> list[Value]:
            half = len(values) // 2
            return combine(build, stages, values[:half], values[half:])

        alone = not (stores or self.keeping or self.scratch.materialized or reductions[0].number is not None)
        if alone and found_by_blocks(self.writing, stages):
            found = find_in_row(self.writing, stages, axis, lower, upper)
            return found if len(self.nest.reduced) == 1 else add(*accumulators, *found)

        def term(i: Value) -> list[Value]:
            writer.axes[axis] = i
            with self.scratch.element(number, i):
                values: list[Value] = []
                for item in reductions:
                    values += terms(self.writing, item.stage, self._dims(item))
                for key in self.keeping:
                    self.writing.store(self.kept[key], writer.value(*key))
                self.writing.store_all(stores)
            return values

        start_values = identities(self.writing, stages)

        def over(blocks: Sequence[int], start: Value, stop: Value) -> Sequence[Value]:
            if not blocks:
                return build.reduce(start, stop, start_values, term, add)
            size = build.constant(blocks[0])

            def block(first: Value, *carried: Value) -> list[Value]:
                return add(*carried, *over(blocks[1:], first, build.minimum(first + size, stop)))

            return build.carry(start, stop, start_values, block, size)

        # A stretch of the first length is all of a row that is in scratch memory.
        blocks = BLOCKS[self.scratch.materialized :] if any(rounds(item.stage) for item in reductions) else ()
        return add(*accumulators, *over(blocks, lower, upper))

    def _rows_stay_cached(self) -> bool:
        """Whether some values of a row are worth storing, and fit scratch memory."""
        writing, nest = self.writing, self.nest
        each = self.scratch.bytes_each()
        if not each or each * SCRATCH_ELEMENTS > MOST_CACHED_BYTES or not writing.context.machine.streams:
            return False
        return writing.context.decide(less(nest.extents[nest.reduced[0]], SCRATCH_ELEMENTS + 1))

    # Several rows -----------------------------------------------------------------------------------
    def _own_loads(self) -> int | None:
        """Returns the number of loads of its own along a row, where rows share others: none, or a cheap one,
        as adjacent rows are then read as several streams, which a core reads faster. None where rows are
        better taken singly."""
        nest, stages = self.nest, self.writing.group.stages
        if self.writing.blocks is not None or len(self.phases) != 1 or not nest.parallel:
            return None
        if any(not self.writing.per_row(stage) and stage.kind == "store" for stage in stages):
            return None
        shared = own = 0
        for access in nest.accesses:
            by_row, along = (
                any(access.steps.get(axis, ZERO) is not ZERO for axis in axes)
                for axes in (nest.parallel, nest.reduced)
            )
            if along and not access.store:
                shared, own = shared + (not by_row), own + by_row
        return own if shared > 0 and own <= 1 and (own == 0 or not self._is_costly()) else None

    def _is_costly(self) -> bool:
        stages = [stage for stage in self.writing.group.stages if stage.kind == "reduce"]
        return any(is_costly_along((stage.value, stage.dims), self.writing) for stage in stages)

    def _go_across(self) -> bool:
        """Whether rows without loads of their own along them go in the lanes of vectors: each computes its
        accumulators one after another, which pays where terms are costly or the order shows in the result."""
        if len(self.nest.parallel) != 1 or not self.writing.context.machine.lanes_hold_loops:
            return False
        return self._is_costly() or any(map(rounds, self.phases[0]))

    def _rows_across(self, first: Value) -> None:
        with self.build.loop(0, ROWS_ACROSS, kind="lanes") as (lane,):
            self._row(first + lane)

    def _rows_together(self, first: Value) -> None:
        writer, build = self.writer, self.build
        for number in range(ROWS_AT_ONCE):
            row = first + number
            self.writing.set_axes(self.nest.parallel, row)
            for axis in self.nest.parallel:
                writer.axes[axis, number] = writer.axes[axis]
        stages = [stage for stage in self.phases[0] if stage.kind == "reduce"]
        items = [_Item(stage, number) for number in range(ROWS_AT_ONCE) for stage in stages]
        values = self._pass(items, identities(self.writing, [item.stage for item in items]), [])
        each = len(values) // ROWS_AT_ONCE
        for number in range(ROWS_AT_ONCE):
            writer.results.update(results(build, stages, values[number * each : (number + 1) * each]))
            for axis in self.nest.parallel:
                writer.axes[axis] = writer.axes[axis, number]
            build.memos.clear()
            self.writing.store_all(self.writing.row_results)
        build.memos.clear()
        writer.results.clear()

    def _dims(self, item: _Item) -> Dims:
        if item.number is None:
            return item.stage.dims
        return tuple(
            Dim((dim.axis, item.number)) if dim.axis in self.nest.parallel else dim for dim in item.stage.dims
        )


def _values_to_keep(phases: list[list[Stage]], writing: GroupWriter) -> dict[Key, Stage]:
    """Returns costly values that two passes need, each with a store of the later pass whose memory can hold
    it."""
    kept: dict[Key, Stage] = {}
    earlier: set[Key] = set()
    for phase in phases:
        for stage in phase:
            if stage.kind == "store" and not writing.per_row(stage) and stage.window is None:
                for key in _computed(stage, writing):
                    node, _ = key
                    if (
                        key in earlier
                        and node is not stage.value
                        and node.dtype is stage.node.dtype
                        and is_costly_along(key, writing)
                    ):
                        if stage not in kept.values():
                            kept[key] = stage
                        break
        for stage in phase:
            if stage.kind == "reduce":
                earlier.update(_computed(stage, writing))
    return kept


def rounds(stage: Stage) -> bool:
    """Whether a reduction's result depends on its order."""
    return stage.reducer in ("sum", "prod") and stage.node.dtype.is_float


def _computed(stage: Stage, writing: GroupWriter) -> list[Key]:
    """Yields the nodes that a stage computes at its own positions, users first."""
    found, pending, seen = [], deque([stage.value]), {stage.value}
    while pending:
        node = pending.popleft()
        if node.op.family == "elementwise" and not writing.writer.in_memory(node):
            found.append((node, stage.dims))
            fresh = [source for source in node.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return found
