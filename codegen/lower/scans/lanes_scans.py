"""Scans for workgroups of many lanes, with the processor's bits.

Lanes take adjacent elements of a row. SCAN_LANES elements combine in shared memory by the definition of a
scan loop, then every lane adds the totals of the groups before its own. Short rows have a group of lanes
each; longer ones a workgroup.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import ONE, Expr, ceil_div, less
from ...kernel.nodes import SCAN_LANES, Buffer, Value
from ..reductions.lanes_columns import column_of_lane
from ..writing.context import GroupWriter
from .serial_scans import ScanWriter

SHORT = 4 * SCAN_LANES
"""The longest rows that SCAN_LANES lanes take."""


class Rows(ScanWriter):
    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        build = self.build
        self.lanes = writing.workgroup = writing.context.machine.lanes
        self.shared: Buffer = build.allocate(self.scan.node.dtype, self.lanes, "shared")
        self.lane = build.lane_id()
        self.member = self.lane % SCAN_LANES
        self.team = self.lane // SCAN_LANES

    def write(self) -> Expr:
        build, nest, writing = self.build, self.nest, self.writing
        rows, group = nest.count(nest.parallel), build.group_id()
        blocked = self.scan.carry.initial is not None or writing.blocks is not None
        short = not blocked and writing.context.decide(less(nest.extents[self.axis], SHORT + 1))
        there: Value | None = None
        if short:
            teams, blocks = self.lanes // SCAN_LANES, ONE
            row = group * teams + self.team
            there = row < self.writer.index(rows)
            # The last row is repeated as padding, and is not stored.
            row = build.minimum(row, self.writer.index(rows + -1))
            self.take_block(row)
        else:
            teams = 1
            row, blocks = self.take_block(group)
        writing.set_axes(nest.parallel, row)
        total = self._row(self.identity(), short, there)
        if self.scan.carry.totals:
            with build.when(self.lane.equals(0)):
                self.store_total(total)
        return ceil_div(rows, teams) if short else rows * blocks

    def _row(self, beginning: Value, short: bool, there: Value | None) -> Value:
        """Scans as many elements at a time as there are lanes; returns the carried value at the end, starting
        from `beginning`."""
        build, (lower, upper) = self.build, self.bounds
        at_once = SCAN_LANES if short else self.lanes

        def together(first: Value, carried: Value) -> Sequence[Value]:
            place = first + (self.member if short else self.lane)
            inside = place < upper
            self.writer.axes[self.axis] = build.minimum(place, upper - 1)
            value = build.select(inside, self.term(), self.identity())
            build.store(self.shared, self.lane, value)
            self._combine_groups()
            before, following = self._before(carried, short)
            prefix = self.combine(before, build.load(self.shared, self.lane))
            if self.stores:
                with build.when(inside if there is None else inside & there):
                    self.store(prefix)
            build.barrier()  # before the elements are written again
            return (following,)

        (total,) = build.carry(lower, upper, (beginning,), together, at_once)
        return total

    def _combine_groups(self) -> None:
        """Combines each element with those before it in its group."""
        build = self.build
        build.barrier()
        distance = 1
        while distance < SCAN_LANES:
            takes = self.lane & distance
            kept = self.lane - (self.lane & (2 * distance - 1))
            other = kept + (distance - 1)
            with build.when(takes.differs(0)):
                combined = self.combine(build.load(self.shared, other), build.load(self.shared, self.lane))
                build.store(self.shared, self.lane, combined)
            build.barrier()
            distance *= 2

    def _before(self, carried: Value, short: bool) -> tuple[Value, Value]:
        """Returns the start values of this lane's group, and of the next elements."""
        build = self.build
        if short:
            last = self.team * SCAN_LANES + (SCAN_LANES - 1)
            return carried, self.combine(carried, build.load(self.shared, last))
        own = carried
        for team in range(self.lanes // SCAN_LANES):
            if team:
                here = self.team.equals(team)
                own = build.select(here, carried, own)
            last = build.constant(team * SCAN_LANES + SCAN_LANES - 1)
            carried = self.combine(carried, build.load(self.shared, last))
        return own, carried


class Columns(ScanWriter):
    """The schedule in which each lane walks down a column."""

    def write(self) -> Expr:
        with column_of_lane(self.writing, self.take_block) as workgroups:
            self.store_total(self.one_by_one())
        return workgroups
