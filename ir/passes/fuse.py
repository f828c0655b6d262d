"""Fusion: stages that can share a loop nest become one group, and each boundary has its reason.

A group runs over *parallel* axes P and, inside, over *reduced* axes R. Every stage of it either runs over
P and R, or over P alone (once for each row). Softmax is one group: a maximum, a sum and a store over the
same rows. Two stages join when their axes can be matched and nothing outside has to run between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..expr import ZERO, equal, lift
from ..index import Dim, Dims, folds, index_nodes, is_run_time, view_of
from ..node import Node
from .cost import is_unrolled
from .groups import (
    Fusion,
    Group,
    WritePlan,
    follows,
    follows_blocks,
    in_order,
    is_long,
    match_axes,
    memory_root,
    outweighs_row,
    writes_alone,
)
from .precedence import Precedence
from .recomputed import carried_on, recomputed
from .short_axes import is_short, look_at, short_axes
from .stages import (
    NO_LIMITS,
    RUN_TIME,
    Decide,
    Limits,
    Placement,
    Stage,
    Window,
    comes_after,
    find_stored,
    stage_reads,
)

if TYPE_CHECKING:
    from .deviations import Deviation

MOST_PASSES = 8
"""Reductions of one kernel that need each other's results: more of them take longer to compile than it saves
to find a row in the caches again."""
PASSES = f"a kernel makes no more than {MOST_PASSES} passes over its rows"
MOST_TOGETHER = 32
"""Stages joined as siblings at most: a processor goes through few places of memory at once."""
SHORT_ROWS = "it costs more than the short row it is made of, and is computed for many rows at once"
BLOCKS = "a long reduction is cut into blocks, combined by a kernel of its own"


def fuse(writes: WritePlan, decide: Decide, limits: Limits = NO_LIMITS) -> Fusion:
    """Put the graph that computes outputs into groups; `writes`: which of them go to parameters' memory."""
    kept = {**writes.keep, **carried_on(writes.outputs, writes.keep)}
    while True:
        fusion = _Fuser(writes, kept, decide, limits).run()
        again = recomputed(fusion)
        if not again:
            return fusion
        kept.update(again)


class _Fuser:
    def __init__(self, writes: WritePlan, kept: dict[Node, str], decide: Decide, limits: Limits) -> None:
        self.writes = writes
        self.outputs = writes.outputs
        self.decide = decide
        self.limits = limits
        self.placement: Placement = find_stored(self.outputs, kept, limits)
        self.fusion = Fusion([], self.placement.stored, set(), {}, self.placement.order)
        self.fusion.buffers.update(writes.memory_of)
        self.producers: dict[Node, Stage] = {}
        self.inputs: dict[Stage, dict[Node, set[Dims]]] = {}
        self.group_of: dict[Stage, Group] = {}
        self.passes: dict[Stage, int] = {}
        """Reductions up to each stage, in its group, of which each needs the one before."""

    def run(self) -> Fusion:
        stages = self._make_stages()
        for stage in stages:
            self._place(stage)
        self._join_siblings()
        self._join_parts(stages)
        self._join_pieces(stages)
        self._join_tiles()
        for stage in stages:
            stage.stored = stage.kind not in ("reduce", "scan", "product") or stage.node in self.fusion.stored
            stage.reason = self.fusion.stored.get(stage.node, "")
        self.fusion.groups = in_order(self.group_of, self.needs)
        self.fusion.reads = {stage: tuple(read) for stage, read in self.inputs.items()}
        self.fusion.overwriting = {base: update for update, base in self.fusion.buffers.items()}
        return self.fusion

    # Stages -----------------------------------------------------------------------------------------
    def _make_stages(self) -> list[Stage]:
        stored, stages = self.fusion.stored, []
        for node in self.placement.order:
            if node.op.family == "reduce":
                if node not in stored and is_unrolled(node):
                    self.fusion.inlined.add(node)
                    continue
                reducer, axes = node.attributes[:2]
                assert isinstance(reducer, str) and isinstance(axes, tuple)
                made = [Stage(node, "reduce", node.inputs[0], node.inputs[0].shape, axes, reducer)]
            elif node.op.family == "scan":
                made = [Stage(node, "scan", node.inputs[0], node.shape, reducer=node.attribute("kind"))]
            elif node.op.family == "contract":
                kind = self.limits.product(node)
                assert kind is not None, node
                made = [Stage(node, kind, node, node.shape)]
            elif node not in stored:
                continue
            elif node.op.family == "control":
                made = [] if node.op.name == "item" else [Stage(node, "control", node, node.shape)]
            elif node.op.family == "update":
                made = self._update_stages(node)
            elif node.op.name == "reshape" and not folds(node):
                made = []  # another name for its input's memory
            else:
                made = [Stage(node, "store", node, node.shape)]
            for stage in made:
                self._add_axes(stage)
                self.producers[node] = stage
                stages.append(stage)
        stop = {*stored, *self.producers}
        for stage in stages:
            if stage.kind in ("library", "product", "control"):
                self.inputs[stage] = {source: set() for source in self._memory_inputs(stage.node)}
            else:
                self.inputs[stage] = stage_reads(stage, stop)
        self._write_last(stages)
        self.needs = {stage: self._needs(stage) for stage in stages}
        self.precedence = Precedence(self.needs)
        return stages

    def _write_last(self, stages: list[Stage]) -> None:
        """Stages that write over a parameter follow all those that read what it held."""
        readers_of: dict[Node, list[Stage]] = {}
        for stage in stages:
            for root in dict.fromkeys(map(memory_root, self.inputs[stage])):
                readers_of.setdefault(root, []).append(stage)
        for stage in stages:
            parameter = self.writes.memory_of.get(stage.node)
            if parameter is None or parameter.op.name != "parameter":
                continue
            readers = [other for other in readers_of.get(parameter, ()) if other.node is not stage.node]
            # Those of the same chain of updates come later; what they read was kept before.
            chained = [other for other in readers if self.writes.targets.get(other.node) is parameter]
            stage.after = (*stage.after, *(other for other in readers if other not in chained))

    def _update_stages(self, node: Node) -> list[Stage]:
        base, value = node.inputs[:2]
        write = Stage(node, "store", value, value.shape)
        if index_nodes(node):
            write.scatter = node
        else:
            write.window = Window(node.attribute("starts"), node.attribute("steps"))
        if base.op.name == "undefined":
            return [write]
        if node in self.writes.memory_of:
            if base.op.name != "parameter":
                write.after = (self.producers[base],)
            return [write]
        if base.op.family == "update" and base not in self.outputs:
            from .write_back import follows_in_memory  # few programs write into what they wrote to

            if follows_in_memory(node, self.placement.users, self.outputs, self.decide):
                self.fusion.buffers[node] = base
                write.after = (self.producers[base],)
                return [write]
        whole = Stage(node, "store", base, base.shape)
        self._add_axes(whole)
        write.after = (whole,)
        return [whole, write]

    def _memory_inputs(self, node: Node) -> list[Node]:
        return [view_of(source)[0] if node.op.family == "contract" else source for source in node.inputs]

    def _add_axes(self, stage: Stage) -> None:
        if stage.axes:
            return
        for extent in stage.space:
            axis = len(self.fusion.extents)
            self.fusion.extents[axis] = lift(extent)
            stage.axes.append(axis)

    # Joining ----------------------------------------------------------------------------------------
    def _place(self, stage: Stage) -> None:
        """Give the stage a group: that of its producers where possible, else a new one."""
        fresh = [axis for position, axis in enumerate(stage.axes) if position not in stage.reduced]
        own = Group([stage], fresh, [stage.axes[position] for position in stage.reduced])
        if stage.kind == "scan":
            own.reduced = [fresh.pop(stage.node.attribute("axis"))]
        if stage.kind == "reduce":
            self._put_beside(stage, own)
        own.blocked = stage.kind in ("reduce", "scan") and is_long(own, self.fusion.extents, self.decide)
        self.group_of[stage] = own
        self.passes[stage] = int(stage.kind == "reduce")
        waiting = {node: "" for node in self.inputs[stage] if self._memory_of(node) in self.producers}
        count = 0
        while len(waiting) != count:  # one that has joined may bring the axes that another one needs
            count = len(waiting)
            reasons = {
                node: self._join(stage, self.producers[self._memory_of(node)], node) for node in waiting
            }
            waiting = {node: reason for node, reason in reasons.items() if reason}
        for node, reason in waiting.items():
            self.fusion.stored.setdefault(node, reason)

    def _deviations(self, stage: Stage, own: Group, target: Group) -> tuple[Deviation, Deviation] | None:
        """The factors of a long sum that is added up in the blocks of another reduction; None where it is
        none."""
        if not (own.blocked and target.blocked) or own.stages != [stage]:
            return None
        from .deviations import deviations  # few programs have rows of such a length

        stop, made = {*self.fusion.stored, *self.producers}, {each.node for each in target.stages}
        return deviations(stage, stop, lambda node: self._memory_of(node) in made)

    def _put_beside(self, stage: Stage, group: Group) -> None:
        """Short axes along which a reduction would compute something costly again, or read it again."""
        extents = {axis: self.fusion.extents[axis] for axis in group.parallel}
        if not any(map(is_short, extents.values())):
            return
        found = look_at(stage.value, stage.dims, group.reduced, {*self.fusion.stored, *self.producers})
        group.beside = short_axes(extents, found)
        group.parallel = [axis for axis in group.parallel if axis not in group.beside]
        group.shared = [node for node, same in found.repeated.items() if not same.isdisjoint(group.beside)]

    def _memory_of(self, node: Node) -> Node:
        """The node with a stage behind a stored view (reshape, item)."""
        while node not in self.producers and node.op.name in ("reshape", "item") and node.inputs:
            node = node.inputs[0]
        return node

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
        whole = {self._whole(dims, producer) for dims in read}
        maps = whole & read or whole
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
        if not self._fits(own, target, products):
            return self.limits.reason
        passes = self._passes(own, target)
        if max(passes.values()) > MOST_PASSES:
            return PASSES
        if self.limits.one_row_at_a_time and outweighs_row(
            stage, own, target, renamed, self.inputs[stage], self.fusion.extents, self.decide
        ):
            return SHORT_ROWS
        if not self._agree(own, target, renamed):
            return "another value of the same loop is read at shifted positions"
        if self._between(own, target):
            return "something else has to run in between"
        self._merge(own, target, renamed)
        self.passes.update(passes)
        stage.deviations = products
        return ""

    def _whole(self, dims: Dims, producer: Stage) -> Dims:
        """An index map of a producer's result, with the axis in the place of one of the elements that lie
        side by side: wherever one of them is known, all are."""
        beside = self.group_of[producer].beside
        if not beside:
            return dims
        return tuple(
            Dim(axis) if axis in beside and dim.axis is None and dim.start.value is not None else dim
            for axis, dim in zip(producer.kept, dims, strict=True)
        )

    def _fits(self, own: Group, target: Group, products: tuple[Deviation, Deviation] | None = None) -> bool:
        """Whether a kernel of both groups has no more buffers than the device gives it."""
        if self.limits.most_buffers is None:
            return True
        stages = (*own.stages, *target.stages)
        # Each result counts: one that is now used in its loop alone may be wanted in memory by a later user.
        made = {stage.node for stage in stages}
        read = {node for stage in stages for node in self.inputs[stage]} - made
        # A scan that is cut into blocks reads where each begins.
        beginnings = sum(stage.kind == "scan" for stage in stages)
        # What the blocks of such a sum come to: its result, their count, and two for each side.
        sums = [each for each in (products, *(stage.deviations for stage in stages)) if each]
        partials = sum(2 * len(set(each)) + 1 for each in sums)
        arrays = {self._array_of(node) for node in made | read}
        return len(arrays) + beginnings + partials <= self.limits.most_buffers

    def _passes(self, own: Group, target: Group) -> dict[Stage, int]:
        """Reductions of the joined group up to each stage of own's, of which each needs the one before."""
        passes: dict[Stage, int] = {}
        for stage in own.stages:
            joined = (need for need in self.needs[stage] if self.group_of.get(need) in (own, target))
            before = max([passes.get(need, self.passes[need]) for need in joined], default=0)
            passes[stage] = before + (stage.kind == "reduce")
        return passes

    def _array_of(self, node: Node) -> Node:
        """The node that stands for the memory a node lies in: others are reshapes and updates of it."""
        while True:
            if node in self.fusion.buffers:
                node = self.fusion.buffers[node]
            elif node.op.name == "reshape" and node not in self.producers:
                node = node.inputs[0]
            else:
                return node

    def _agree(self, own: Group, target: Group, renamed: dict[int, int]) -> bool:
        """Whether every value made in the joined group is read where it is made, as it is within target."""
        stages = (*own.stages, *target.stages)
        readers = stages if self.fusion.buffers or follows(target, own, self.needs) else own.stages
        for stage in readers:
            for node, maps in self.inputs[stage].items():
                producer = self.producers.get(self._memory_of(node))
                over = self._overwriting(node, stages)
                if stage.kind == "product" and (over is not None or producer in stages):
                    return False  # every tile reads whole rows of its operands
                if over is not None and not self._in_place(over, maps, renamed):
                    return False
                if producer not in stages:
                    continue
                assert producer is not None
                made = tuple(renamed.get(axis, axis) for axis in producer.kept)
                if not producer.fusible or producer.node is not node:
                    return False
                if any(self._at(self._whole(dims, producer), renamed) != made for dims in maps):
                    return False
        return True

    def _overwriting(self, node: Node, stages: Sequence[Stage]) -> Stage | None:
        """The one of the stages that writes over what `node` is read from."""
        if not self.fusion.buffers:
            return None
        root = memory_root(node)
        for stage in stages:
            if self.fusion.buffers.get(stage.node) is root and stage.node is not node:
                return stage
        return None

    def _in_place(self, stage: Stage, maps: set[Dims], renamed: dict[int, int]) -> bool:
        """Whether a stage writes where its loops are, and what it writes over is read there alone."""
        axes = tuple(renamed.get(axis, axis) for axis in stage.axes)
        if stage.scatter is not None or any(self._at(dims, renamed) != axes for dims in maps):
            return False
        window = stage.window
        return window is None or (
            all(step == 1 for step in window.steps)
            and all(self.decide(equal(lift(start), ZERO)) for start in window.starts)
        )

    @staticmethod
    def _at(dims: Dims, renamed: dict[int, int]) -> tuple[object, ...]:
        """The axes an index map runs over, plainly; None for any other dimension."""
        return tuple(renamed.get(dim.axis, dim.axis) if dim.plain else None for dim in dims)  # type: ignore[call-overload]

    def _merge(self, own: Group, target: Group, renamed: dict[int, int]) -> None:
        for stage in own.stages:
            old = list(stage.axes)
            stage.axes = [renamed.get(axis, axis) for axis in old]
            self._rename_inputs(stage, renamed)
            self.group_of[stage] = target
        reduced = [renamed.get(axis, axis) for axis in own.reduced] or target.reduced
        everything = dict.fromkeys((*target.parallel, *target.reduced))
        everything.update(dict.fromkeys(renamed.get(axis, axis) for axis in (*own.parallel, *own.reduced)))
        target.reduced = list(reduced)
        target.beside = list(
            dict.fromkeys((*target.beside, *(renamed.get(axis, axis) for axis in own.beside)))
        )
        target.shared += own.shared
        target.parallel = [axis for axis in everything if axis not in (*reduced, *target.beside)]
        target.stages.extend(own.stages)
        self.precedence.join(target.stages)

    def _rename_inputs(self, stage: Stage, renamed: dict[int, int]) -> None:
        self.inputs[stage] = {
            node: {tuple([dim.renamed(renamed) for dim in dims]) for dims in maps}
            for node, maps in self.inputs[stage].items()
        }

    # What has to come first -------------------------------------------------------------------------
    def _needs(self, stage: Stage) -> tuple[Stage, ...]:
        """Stages whose results a stage reads or must follow."""
        producers = (self.producers.get(self._memory_of(node)) for node in self.inputs[stage])
        return (*stage.after, *(each for each in producers if each is not None and each is not stage))

    def _between(self, own: Group, target: Group) -> bool:
        """Whether some stage outside has to run after one group and before the other."""
        return self.precedence.between(own.stages, target.stages)

    def _join_siblings(self) -> None:
        """Independent groups over equal spaces that read a common input, or have no space, become one."""
        groups = list(dict.fromkeys(self.group_of.values()))
        read = {group: {node for stage in group.stages for node in self.inputs[stage]} for group in groups}
        gone: set[Group] = set()
        for position, first in enumerate(groups):
            for second in groups[position + 1 :]:
                count = len(first.stages) + len(second.stages)
                alike = first.is_scalar or second.is_scalar or not read[first].isdisjoint(read[second])
                if gone & {first, second} or not alike or count > MOST_TOGETHER:
                    continue
                if self._are_siblings(first, second) and not self._between(second, first):
                    own, axes = (*second.parallel, *second.reduced), (*first.parallel, *first.reduced)
                    beside = [
                        (x, y)
                        for x, y in zip(second.beside, first.beside, strict=False)
                        if self.fusion.extents[x] is self.fusion.extents[y]
                    ]
                    self._merge(second, first, dict([*zip(own, axes, strict=False), *beside]))
                    read[first] |= read[second]
                    gone.add(second)

    def _are_siblings(self, first: Group, second: Group) -> bool:
        extents = self.fusion.extents
        stages = (*first.stages, *second.stages)
        if first.blocked != second.blocked or not all(stage.fusible for stage in stages):
            return False
        if any(stage.kind in ("product", "scan") for stage in stages) or not self._fits(first, second):
            return False
        alone = not (first.parallel or second.parallel) and (first.is_scalar or second.is_scalar)
        loops = [[[extents[a] for a in axes] for axes in (g.parallel, g.reduced)] for g in (first, second)]
        if not alone and loops[0] != loops[1]:
            return False
        return not (follows(first, second, self.needs) or follows(second, first, self.needs))

    def _join_parts(self, stages: list[Stage]) -> None:
        """Parts of a new array, one beyond the other over equal spaces, become one group."""
        for part in stages:
            base = self._array_of(part.node)
            if len(part.after) != 1 or base.op.family != "update" or base.inputs[0].op.name != "undefined":
                continue
            (last,) = part.after
            own, target = self.group_of[part], self.group_of[last]
            both = (*own.stages, *target.stages)
            if own is target or len(both) > MOST_TOGETHER or not comes_after(part, last, self.decide):
                continue
            if not (writes_alone(own, part) and writes_alone(target, last)):
                continue
            reads = {self.producers.get(self._memory_of(node)) for each in both for node in self.inputs[each]}
            if reads.isdisjoint(both) and self._fits(own, target) and not self._between(own, target):
                self._merge(own, target, dict(zip(part.axes, last.axes, strict=True)))

    def _join_pieces(self, stages: list[Stage]) -> None:
        """An update and the array it starts from: in one pass where nothing else shares their loops."""
        for part in stages:
            if part.window is None or len(part.after) != 1 or any(step != 1 for step in part.window.steps):
                continue
            (whole,) = part.after
            own, target = self.group_of[part], self.group_of[whole]
            if whole.node is not part.node or len(own.stages) + len(target.stages) != 2 or not whole.axes:
                continue
            if self._fits(own, target) and not self._between(own, target):
                joined = Group([whole, part], list(whole.axes), [], pieces=True)
                self.precedence.join(joined.stages)
                self.group_of[whole] = self.group_of[part] = joined

    def _join_tiles(self) -> None:
        """Arrays that are read at neighbouring positions alone: in tiles, with what reads them."""
        reads = (pair for found in self.inputs.values() for pair in found.items())
        if self.limits.tiles and any(len(maps) > 1 and node.op.name != "parameter" for node, maps in reads):
            from .tiles import Tiler  # few programs have stencils of what they compute

            fixed = {self._array_of(node) for node in self.outputs}
            Tiler(self.group_of, self.inputs, self._array_of, fixed, self.precedence, self.decide).run()
