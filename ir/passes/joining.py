"""Vertical fusion: whether a stage may take what it reads from registers, and the reason why not.

Groups grow as stages are placed, each after what it reads. A value that its reader cannot take from the loops
that make it goes to memory, and the reason is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..expr import ZERO, equal, lift
from ..index import Dim, Dims, Maps, is_run_time
from ..node import Node
from .centered_sums import deviations
from .groups import Fusion, Group, follows, follows_blocks, is_long, match_axes, memory_root, outweighs_row
from .precedence import Precedence
from .short_axes import is_short, look_at, short_axes
from .stages import RUN_TIME, Decide, Limits, Reduction, Stage, stays_cached

if TYPE_CHECKING:
    from .centered_sums import Deviation

MOST_PASSES = 10
"""Reductions of one kernel that need each other's results: more of them take longer to compile than it saves
to find a row in the caches again."""
MOST_SCRATCH_PASSES = 20
"""The same where rows stay in the cache: a pass computes nothing anew, and of so many most are alike."""
PASSES = "a kernel would make too many passes over its rows"
SHORT_ROWS = "it costs more than the short row it is made of, and is computed for many rows at once"
BLOCKS = "a long reduction is cut into blocks, combined by a kernel of its own"


class Joining:
    """The groups of stages, while they are joined."""

    def __init__(
        self,
        fusion: Fusion,
        producers: Mapping[Node, Stage],
        inputs: dict[Stage, dict[Node, Maps]],
        decide: Decide,
        limits: Limits,
    ) -> None:
        """`producers`: the stage that makes each node; `inputs`: what each stage reads, in an order in which
        they can be placed. What turns out to go to memory is added to `fusion.stored`."""
        self.fusion = fusion
        self.producers = producers
        self.inputs = inputs
        self.decide = decide
        self.limits = limits
        self.needs = {stage: (*stage.after, *self.made_by(stage)) for stage in inputs}
        """The stages whose results each stage reads or must follow."""
        self.precedence = Precedence(self.needs)
        self.group_of: dict[Stage, Group] = {}
        self.passes: dict[Stage, int] = {}
        """Reductions up to each stage, in its group, of which each needs the one before."""
        self.cached: dict[Stage, bool] = {}
        """Whether a stage is no reduction, or `stays_cached`."""

    def made_by(self, stage: Stage) -> Iterator[Stage]:
        """The other stages that make what a stage reads."""
        for node in self.inputs[stage]:
            maker = self.producers.get(memory_root(node, self.producers))
            if maker is not None and maker is not stage:
                yield maker

    def place(self, stage: Stage) -> None:
        """Give the stage a group: that of its producers where possible, else a new one."""
        fresh = [axis for position, axis in enumerate(stage.axes) if position not in stage.reduced]
        own = Group([stage], fresh, [stage.axes[position] for position in stage.reduced])
        if stage.kind == "scan":
            own.reduced = [fresh.pop(stage.node.attribute("axis"))]
        if stage.kind == "reduce":
            self._unroll_short_axes(stage, own)
        own.blocked = stage.kind in ("reduce", "scan") and is_long(own, self.fusion.extents, self.decide)
        self.group_of[stage] = own
        self.passes[stage] = int(stage.kind == "reduce")
        makers = {node: self.producers.get(memory_root(node, self.producers)) for node in self.inputs[stage]}
        reasons = {node: "" for node, maker in makers.items() if maker is not None}
        rows = self._rows_before(stage)
        tried: dict[Node, Group] = {}
        """The group that the stage was in when it was last asked whether it can take a value."""
        round_began_in: Group | None = None
        while self.group_of[stage] is not round_began_in:  # one that has joined may bring axes others need
            round_began_in = self.group_of[stage]
            for node in [*reasons]:
                if tried.get(node) is self.group_of[stage]:
                    continue
                tried[node] = self.group_of[stage]
                maker = makers[node]
                assert maker is not None
                count = rows.get(self.group_of[maker], 0) + (stage.kind == "reduce")
                full = self._too_many(count, self.group_of[maker])
                reasons[node] = PASSES if full else self._join(stage, maker, node)
                if not reasons[node]:
                    del reasons[node]
        for node, reason in reasons.items():
            self.fusion.stored.setdefault(node, reason)

    def _deviations(self, stage: Stage, own: Group, target: Group) -> tuple[Deviation, Deviation] | None:
        """The factors of a long sum that is added up in the blocks of another reduction; None where it is
        none."""
        if not (own.blocked and target.blocked) or own.stages != [stage]:
            return None
        stop, nodes = {*self.fusion.stored, *self.producers}, {each.node for each in target.stages}
        return deviations(stage, stop, lambda node: memory_root(node, self.producers) in nodes)

    def _unroll_short_axes(self, stage: Stage, group: Group) -> None:
        """Short axes along which a reduction would compute something costly again, or read it again."""
        extents = {axis: self.fusion.extents[axis] for axis in group.parallel}
        if not any(map(is_short, extents.values())):
            return
        found = look_at(stage.value, stage.dims, group.reduced, {*self.fusion.stored, *self.producers})
        group.unrolled = short_axes(extents, found)
        group.parallel = [axis for axis in group.parallel if axis not in group.unrolled]
        group.shared = [node for node, same in found.repeated.items() if not same.isdisjoint(group.unrolled)]

    def _join(self, stage: Stage, producer: Stage, node: Node) -> str:
        """Merge the groups of a stage and its producer; or say why the value goes through memory."""
        target, own = self.group_of[producer], self.group_of[stage]
        if target is own:
            return ""
        if not (producer.fusible and stage.kind in ("store", "reduce") and producer.node is node):
            return "it is made by a step of its own"
        if own.stages[0].kind == "product":
            return "each matrix product has a kernel of its own"
        if target.stages[0].kind == "product" and own.reduced:
            return "a matrix product is stored tile by tile"
        if any(each.kind == "scan" for each in own.stages):
            return "a scan begins a loop of its own"
        if target.stages[0].kind == "scan" and (
            own.reduced or any(each.kind != "store" or each.scatter is not None for each in own.stages)
        ):
            return "a scan is followed in its loop by what is stored element by element"
        in_blocks = target.blocked and target.stages[0].kind != "scan"
        products = self._deviations(stage, own, target)
        if (in_blocks or own.blocked) and not (products or follows_blocks(stage, own, target, self.needs)):
            return BLOCKS
        read = self.inputs[stage][node]
        whole = dict.fromkeys(self._whole(dims, producer) for dims in read) if target.unrolled else read
        maps = whole.keys() & read.keys() or whole.keys()
        if len(maps) != 1:
            return "it is read at several positions for one element"
        (dims,) = maps
        if is_run_time(dims):
            return RUN_TIME
        if any(member.in_order for member in own.stages):
            return "what is written where several elements may go to one place is written in order"
        if not all(dim.plain for dim in dims) or len({dim.axis for dim in dims}) != len(dims):
            return "it is read at shifted or repeated positions"
        renamed = match_axes(own, target, dims, producer, self.fusion.extents)
        if isinstance(renamed, str):
            return renamed
        if in_blocks and not own.reduced and not set(target.reduced).isdisjoint(renamed.values()):
            return BLOCKS
        if not self.fits(own, target, products):
            return self.limits.reason
        passes = self._passes(own, target)
        if self._too_many(max(passes.values()), target):
            return PASSES
        if self.limits.one_row_at_a_time and outweighs_row(
            stage, own, target, renamed, self.inputs[stage], self.fusion.extents, self.decide
        ):
            return SHORT_ROWS
        if not self.agree(own, target, renamed):
            return "another value of the same loop is read at shifted positions"
        if self.between(own, target):
            return "something else has to run in between"
        self.merge(own, target, renamed)
        self.passes.update(passes)
        stage.reduction = Reduction(deviations=products)
        return ""

    def _whole(self, dims: Dims, producer: Stage) -> Dims:
        """An index map of a producer's result, with the axis in the place of one of the elements that lie
        side by side: wherever one of them is known, all are."""
        unrolled = self.group_of[producer].unrolled
        if not unrolled:
            return dims
        return tuple(
            Dim(axis) if axis in unrolled and dim.axis is None and dim.start.value is not None else dim
            for axis, dim in zip(producer.kept, dims, strict=True)
        )

    def fits(self, own: Group, target: Group, products: tuple[Deviation, Deviation] | None = None) -> bool:
        """Whether a kernel of both groups has no more buffers than the device gives it."""
        if self.limits.most_buffers is None:
            return True
        stages = (*own.stages, *target.stages)
        # Each result counts: one that is now used in its loop alone may be wanted in memory by a later user.
        nodes = {stage.node for stage in stages}
        read = {node for stage in stages for node in self.inputs[stage]} - nodes
        # A scan that is cut into blocks reads where each begins.
        beginnings = sum(stage.kind == "scan" for stage in stages)
        # What the blocks of such a sum come to: its result, their count, and two for each side.
        sums = [each for each in (products, *(stage.reduction.deviations for stage in stages)) if each]
        partials = sum(2 * len(set(each)) + 1 for each in sums)
        arrays = {self.array_of(node) for node in nodes | read}
        return len(arrays) + beginnings + partials <= self.limits.most_buffers

    def _rows_before(self, stage: Stage) -> dict[Group, int]:
        """By group, the most reductions up to one of its stages that a stage needs."""
        found: dict[Group, int] = {}
        for need in self.needs[stage]:
            group = self.group_of.get(need)
            if group is not None:
                found[group] = max(found.get(group, 0), self.passes[need])
        return found

    def _too_many(self, passes: int, group: Group) -> bool:
        """Whether a group had better not make so many passes over its rows."""
        if passes <= MOST_PASSES or passes > MOST_SCRATCH_PASSES:
            return passes > MOST_PASSES
        return not all(map(self._stays_cached, group.stages))

    def _stays_cached(self, stage: Stage) -> bool:
        cached = self.cached.get(stage)
        if cached is None:
            cached = stage.kind != "reduce" or stays_cached(stage.node, self.decide, self.limits)
            self.cached[stage] = cached
        return cached

    def _passes(self, own: Group, target: Group) -> dict[Stage, int]:
        """Reductions of the joined group up to each stage of own's, of which each needs the one before."""
        passes: dict[Stage, int] = {}
        for stage in own.stages:
            before = 0
            for need in self.needs[stage]:
                group = self.group_of.get(need)
                if group is target or group is own:
                    before = max(before, passes.get(need, self.passes[need]))
            passes[stage] = before + (stage.kind == "reduce")
        return passes

    def array_of(self, node: Node) -> Node:
        """The node that stands for the memory a node lies in: others are reshapes and updates of it."""
        while True:
            if node in self.fusion.buffers:
                node = self.fusion.buffers[node]
            elif node.op.renames and node not in self.producers:
                node = node.inputs[0]
            else:
                return node

    def agree(self, own: Group, target: Group, renamed: dict[int, int]) -> bool:
        """Whether every value made in the joined group is read where it is made, as it is within target."""
        stages = (*own.stages, *target.stages)
        inside = set(stages)
        writers = [stage for stage in stages if stage.node in self.fusion.buffers]
        readers = stages if self.fusion.buffers or follows(target, own, self.needs) else own.stages
        for stage in readers:
            for node, maps in self.inputs[stage].items():
                producer = self.producers.get(memory_root(node, self.producers))
                over = self._overwriting(node, writers) if writers else None
                if stage.kind == "product" and (over is not None or producer in inside):
                    return False  # every tile reads whole rows of its operands
                if over is not None and not self._in_place(over, maps, renamed):
                    return False
                if producer not in inside:
                    continue
                assert producer is not None
                made = tuple([renamed.get(axis, axis) for axis in producer.kept])
                if not producer.fusible or producer.node is not node:
                    return False
                if not all(_runs_over(self._whole(dims, producer), made, renamed) for dims in maps):
                    return False
        return True

    def _overwriting(self, node: Node, stages: Sequence[Stage]) -> Stage | None:
        """The one of the stages that writes over what `node` is read from."""
        root = memory_root(node, self.producers)
        for stage in stages:
            if self.fusion.buffers.get(stage.node) is root and stage.node is not node:
                return stage
        return None

    def _in_place(self, stage: Stage, maps: Maps, renamed: dict[int, int]) -> bool:
        """Whether a stage writes where its loops are, and what it writes over is read there alone."""
        axes = tuple([renamed.get(axis, axis) for axis in stage.axes])
        if stage.scatter is not None or not all(_runs_over(dims, axes, renamed) for dims in maps):
            return False
        window = stage.window
        return window is None or (
            all(step == 1 for step in window.steps)
            and all(self.decide(equal(lift(start), ZERO)) for start in window.starts)
        )

    def merge(self, own: Group, target: Group, renamed: dict[int, int]) -> None:
        for stage in own.stages:
            old = list(stage.axes)
            stage.axes = [renamed.get(axis, axis) for axis in old]
            self._rename_inputs(stage, renamed)
            self.group_of[stage] = target
        reduced = [renamed.get(axis, axis) for axis in own.reduced] or target.reduced
        everything = dict.fromkeys((*target.parallel, *target.reduced))
        everything.update(dict.fromkeys(renamed.get(axis, axis) for axis in (*own.parallel, *own.reduced)))
        target.reduced = list(reduced)
        target.unrolled = list(
            dict.fromkeys((*target.unrolled, *(renamed.get(axis, axis) for axis in own.unrolled)))
        )
        target.shared += own.shared
        target.parallel = [axis for axis in everything if axis not in (*reduced, *target.unrolled)]
        target.stages.extend(own.stages)
        self.precedence.join(target.stages)

    def _rename_inputs(self, stage: Stage, renamed: dict[int, int]) -> None:
        after: dict[Dims, Dims] = {}
        """What became of the index maps: a stage has few of them, each for many of its inputs."""
        inputs = self.inputs[stage]
        for node, maps in inputs.items():
            moved: Maps = {}
            for dims in maps:
                known = after.get(dims)
                if known is None:
                    known = after[dims] = tuple([dim.renamed(renamed) for dim in dims])
                moved[known] = None
            inputs[node] = moved

    def between(self, own: Group, target: Group) -> bool:
        """Whether some stage outside has to run after one group and before the other."""
        return self.precedence.between((*own.stages, *target.stages))


def _runs_over(dims: Dims, axes: Sequence[int], renamed: Mapping[int, int]) -> bool:
    """Whether an index map runs over these axes, and plainly."""
    if len(dims) != len(axes):
        return False
    for dim, axis in zip(dims, axes, strict=True):
        if not dim.plain or renamed.get(dim.axis, dim.axis) != axis:  # type: ignore[call-overload]
            return False
    return True
