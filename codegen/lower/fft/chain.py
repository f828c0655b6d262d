"""Fusion of transforms with elementwise groups before and after them, into one kernel or its prologue and
epilogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.node import Node
from ....ir.ops import fourier
from ....ir.passes.groups import Fusion, Group
from ..writing.context import LoweringContext
from . import Schedule, Transform, schedule_of
from .ends import Pointwise

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

OWN_BUFFERS = 3
"""Buffers of a transform's kernel on devices: its operand, its result, and a table."""
MOST = 4
"""The most transforms of one kernel: longer chains cost more compile time than they save."""


class _Run:
    """Transforms that one schedule lowers together, with the groups between them."""

    def __init__(self, group: Group, transform: Transform, schedule: Schedule) -> None:
        self.groups, self.transforms, self.schedule = [group], [transform], schedule
        self.before: Group | None = None
        self.behind: Group | None = None

    def takes(self, transform: Transform, schedule: Schedule) -> bool:
        """Whether a transform of an elementwise function of the result can join the kernel."""
        before = self.transforms[-1]
        return (
            bool(schedule.joined)
            and len(self.transforms) < MOST
            and schedule.joined == self.schedule.joined
            and before.modes[1] == transform.modes[0]
            and before.dtype is transform.dtype
            and before.kind.columns == transform.kind.columns
        )


class _Chain:
    """A chain being lowered."""

    def __init__(self, lowering: Lowering, context: LoweringContext, scope: Scope, fusion: Fusion) -> None:
        self.lowering, self.context, self.scope, self.fusion = lowering, context, scope, fusion

    def runs(self, groups: Sequence[Group]) -> list[_Run | Group]:
        """Splits groups into runs that are lowered together and single groups, some of which their neighbors
        fuse."""
        kinds = {kind.op: kind for kind in fourier.KINDS}
        made: list[_Run | Group] = []
        for group in groups:
            node = group.stages[0].node
            found = schedule_of(self.lowering, node, self.scope, kinds[node.op]) if node.op in kinds else None
            if found is None:
                made.append(group)
                continue
            *_, run, between = (None, None, *made)
            if isinstance(run, _Run) and isinstance(between, Group) and run.takes(*found):
                run.groups += (between, group)
                run.transforms.append(found[0])
                made.pop()
            else:
                made.append(_Run(group, *found))
        return made

    def lower(self, run: _Run, behind: Group | None) -> None:
        """Fuses the group after the transforms if it writes to other memory than is read."""
        if (
            run.schedule.ends
            and behind is not None
            and self.fit([run.before, behind])
            and not self._writes_over([run.before, *run.groups, behind])
        ):
            run.behind = behind
        elif self._writes_over([run.before, *run.groups]):
            for group in ([run.before] if run.before else []) + run.groups:
                self.alone(group)
            return
        transforms = run.transforms
        if run.before is not None:
            transforms[0].prologue = self._pointwise(run.before, None, transforms[0])
        for number, group in enumerate(run.groups[1::2]):
            transforms[number].epilogue = self._pointwise(group, transforms[number], transforms[number + 1])
        if run.behind is not None:
            transforms[-1].epilogue = self._pointwise(run.behind, transforms[-1], None)
        self.lowering.alias(self.scope)
        transforms[0].allocate_source()
        transforms[-1].allocate_result()
        run.schedule.write(transforms)

    def alone(self, group: Group) -> None:
        self.lowering.alias(self.scope)
        self.lowering.lower_group(group, self.context, self.scope, self.fusion)

    def fit(self, groups: Sequence[Group | None]) -> bool:
        """Whether one kernel of a device may have the buffers of all these groups, and a transform's own."""
        most, there = self.lowering.machine.most_buffers, self.context.memories
        read = {node for group in groups if group for node in self._read(group) if node in there}
        stored = [stage for group in groups if group for stage in group.stages if stage.kind == "store"]
        return most is None or len(read) + len(stored) + OWN_BUFFERS <= most

    def _pointwise(
        self, group: Group, result_of: Transform | None, operand_of: Transform | None
    ) -> Pointwise:
        operand = None if operand_of is None else operand_of.node.inputs[0]
        item = None
        if result_of is not None:
            item = next(
                node for node in self._read(group) if node.inputs and node.inputs[0] is result_of.node
            )
        pairs = operand_of is not None and operand_of.modes[0] == "complex"
        made = Pointwise(group, self.context, operand, pairs, item)
        for stage in made.stored:
            self.lowering.place(stage.node, self.scope, self.fusion)
        return made

    def _read(self, group: Group) -> list[Node]:
        return [node for stage in group.stages for node in self.fusion.reads[stage]]

    def _writes_over(self, groups: Sequence[Group | None]) -> bool:
        """Whether elementwise groups write to memory that any of the groups reads."""
        there = self.context.memories
        present = [group for group in groups if group is not None]
        written = set()
        for group in present:
            for stage in group.stages:
                target: Node | None = stage.node
                while target is not None and target not in there:
                    target = self.fusion.buffers.get(target)
                if target is not None and stage.kind == "store":
                    written.add(there[target].buffer)
        read = {there[node].buffer for group in present for node in self._read(group) if node in there}
        return not written.isdisjoint(read)


def lower_chain(
    lowering: Lowering, groups: Sequence[Group], context: LoweringContext, scope: Scope, fusion: Fusion
) -> None:
    chain = _Chain(lowering, context, scope, fusion)
    items = chain.runs(groups)
    taken: Group | None = None
    for item, following in zip(items, (*items[1:], None), strict=True):
        if isinstance(item, _Run):
            chain.lower(item, following if isinstance(following, Group) and _is_plain(following) else None)
            taken = item.behind
        elif item is taken:
            continue
        elif (
            isinstance(following, _Run) and following.schedule.ends and _is_plain(item) and chain.fit([item])
        ):
            following.before = item
        else:
            chain.alone(item)


def _is_plain(group: Group) -> bool:
    return group.stages[0].kind == "store"
