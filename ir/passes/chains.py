"""Chains: steps of their own, such as transforms, with the elementwise groups before them as prologue and
those after them as epilogue.

The kernels of such a step compute an element of its operand where they would load it (a prologue), and make
of an element of its result what the group behind it makes of it (an epilogue): neither operand nor result
goes to memory. A chain's groups are alternately such steps and elementwise groups. How much of it is one
kernel is for its lowering to decide (`Op.lower_chain`); each group can be lowered by itself, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..expr import equal, lift
from ..index import Maps, index_nodes
from ..node import Node, Shape
from ..ops.linear_algebra import PARTS
from .groups import Group, WritePlan
from .joining import Joining
from .stages import Stage

PLAIN = frozenset(("elementwise", "movement", "leaf", "reduce"))
"""Families of what is computed at one element after another."""


def parts_of_array(array: Node, stages: Sequence[Stage], pairs: bool) -> list[Stage]:
    """The stage that writes an element of an array, or of `pairs` along its last axis those that write the
    first part and the second one; none where others write it, or not all of it."""
    own = {stage.node: stage for stage in stages}
    if array not in own:
        return []
    if array.op.family != "update":
        return [own[array]] * (1 + pairs)
    if not pairs:
        return []
    found: dict[int, Stage] = {}
    node = array
    while node in own and node.op.family == "update":
        stage = own[node]
        if stage.window is None or stage.scatter is not None:
            return []
        starts = [lift(start).value for start in stage.window.starts]
        part = starts[-1]
        whole = stage.space[:-1] == array.shape[:-1] and lift(stage.space[-1]).value == 1
        if not whole or any(starts[:-1]) or part not in (0, 1) or part in found:
            return []
        found[part] = stage
        (node, *_) = node.inputs
    return [found[0], found[1]] if len(found) == 2 and node.op.source == "undefined" else []


def fuse_chains(joining: Joining, stages: Sequence[Stage], writes: WritePlan) -> None:
    """Put steps, whose op has a `lower_chain`, and their prologues and epilogues in one group each."""
    if any(stage.node.op.lower_chain for stage in stages):
        _Chains(joining, stages, writes).run()


class _Chains:
    def __init__(self, joining: Joining, stages: Sequence[Stage], writes: WritePlan) -> None:
        self.joining, self.stages = joining, stages
        self.kept = {joining.array_of(node) for node in (*writes.outputs, *writes.memory_of)}
        """Arrays that are wanted in memory."""
        self.readers: dict[Node, dict[Stage, None]] = {}
        self.writers: dict[Node, dict[Group, None]] = {}
        for stage in stages:
            for node in joining.inputs[stage]:
                self.readers.setdefault(joining.array_of(node), {})[stage] = None
            self.writers.setdefault(joining.array_of(stage.node), {})[joining.group_of[stage]] = None

    def run(self) -> None:
        group_of = self.joining.group_of
        for stage in self.stages:
            if stage.node.op.lower_chain is None or group_of[stage].chain:
                continue
            chain = [group_of[stage]]
            before = self._in_front_of(stage)
            if before is not None:
                self._extend(chain, before, 0)
            step: Stage | None = stage
            while step is not None:
                behind = self._behind(step)
                if behind is None or not self._extend(chain, behind, len(chain)):
                    break
                step = self._step_behind(behind)
                if step is not None and not self._extend(chain, group_of[step], len(chain)):
                    break
            if len(chain) > 1:
                together = [each for group in chain for each in group.stages]
                self.joining.precedence.join(together)
                whole = Group(together, [], [], chain=chain)
                group_of.update(dict.fromkeys(together, whole))

    def _extend(self, chain: list[Group], group: Group, place: int) -> bool:
        """Whether nothing else has to run between the groups of the chain with one more."""
        together = [stage for member in (*chain, group) for stage in member.stages]
        if self.joining.precedence.between(together):
            return False
        chain.insert(place, group)
        return True

    def _in_front_of(self, step: Stage) -> Group | None:
        """The group that computes the operand, for this step alone."""
        (operand, *_) = step.node.inputs
        array = self.joining.array_of(operand)
        (group, *others) = self.writers.get(array, {None: None})
        if group is None or others or array in self.kept or list(self.readers[array]) != [step]:
            return None
        pairs = _has_parts(step.node.op.library.operands[0])
        parts, count = parts_of_array(operand, group.stages, pairs), len(operand.shape) - pairs
        plain = bool(parts) and self._is_plain(group)
        return group if plain and self._run_over(group, operand.shape[:count], parts) else None

    def _behind(self, step: Stage) -> Group | None:
        """The only group that reads the result."""
        items = [node for node in self.readers if node.op.family == "item" and node.inputs[0] is step.node]
        if len(items) != 1 or items[0] in self.kept:
            return None
        (item,) = items
        (group, *others) = {self.joining.group_of[stage]: None for stage in self.readers[item]}
        count = len(item.shape) - _has_parts(step.node.op.library.results[0])
        if others or not self._is_plain(group) or not self._run_over(group, item.shape[:count]):
            return None
        inputs = [self.joining.inputs[stage] for stage in self.readers[item]]
        where = all(
            item in maps and _reads_where_it_is(stage, maps[item], count)
            for stage, maps in zip(self.readers[item], inputs, strict=True)
        )
        return group if where else None

    def _step_behind(self, group: Group) -> Stage | None:
        """The step whose operand is all that a group computes for others."""
        for step in self.stages:
            if step.node.op.lower_chain is not None and self._in_front_of(step) is group:
                return step
        return None

    def _is_plain(self, group: Group) -> bool:
        """Whether a group computes elements of arrays, each by itself, and looks at no position that is known
        at run time."""
        if (
            group.reduced
            or group.blocked
            or group.unrolled
            or group.scratch
            or group.chain
            or group.is_scalar
        ):
            return False
        return all(
            stage.kind == "store"
            and stage.scatter is None
            and not stage.component
            and self._is_checked(stage)
            for stage in group.stages
        )

    def _is_checked(self, stage: Stage) -> bool:
        stop = {*self.joining.fusion.stored, *self.joining.producers}
        pending, seen = [stage.value], {stage.value}
        while pending:
            node = pending.pop()
            if node in stop and node is not stage.value:
                continue
            if node.op.family not in PLAIN or index_nodes(node) or node.op.fault or node.op.of_scalars:
                return False
            fresh = [source for source in node.inputs if source not in seen]
            seen.update(fresh)
            pending.extend(fresh)
        return True

    def _run_over(self, group: Group, shape: Shape, parts: Sequence[Stage] = ()) -> bool:
        """Whether the loops of a group are those over a shape, and others of one iteration, but for what goes
        over parts."""
        extents, axes = self.joining.fusion.extents, group.stages[0].axes[: len(shape)]
        if len(axes) < len(shape) or any(stage.axes[: len(shape)] != axes for stage in group.stages):
            return False
        rest = [axis for stage in group.stages if stage not in parts for axis in stage.axes[len(shape) :]]
        return all(extents[axis].value == 1 for axis in rest) and all(
            lift(x) is extents[axis] or self.joining.decide(equal(lift(x), extents[axis]))
            for x, axis in zip(shape, axes, strict=True)
        )


def _has_parts(core: str) -> bool:
    """Whether the elements of an operand or a result are pairs along its last axis."""
    return core.endswith(PARTS)


def _reads_where_it_is(stage: Stage, maps: Maps, count: int) -> bool:
    """Whether a stage reads, on the first `count` axes, only at its own position, and on the later ones along
    its own axes."""
    return all(
        all(dim.plain and dim.axis == axis for dim, axis in zip(dims[:count], stage.axes, strict=False))
        and all(
            dim.start.value in (0, 1) and (dim.axis is None or dim.axis in stage.axes[count:])
            for dim in dims[count:]
        )
        for dims in maps
    )
