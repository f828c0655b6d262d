"""Fusion: stages that can share a loop nest become one group, and each boundary has its reason.

A group runs over *parallel* axes P and, inside, over *reduced* axes R. Every stage of it either runs over
P and R, or over P alone (once for each row). Softmax is one group: a maximum, a sum and a store over the
same rows. Two stages join when their axes can be matched and nothing outside has to run between them.
"""

from __future__ import annotations

from ..expr import lift
from ..index import Maps, index_nodes, is_alias, view_of
from ..node import Node, Walk
from .chains import fuse_chains
from .cost import is_unrolled
from .groups import Fusion, WritePlan, in_order, memory_root
from .joining import Joining
from .margins import operands_in_memory
from .recomputed import carried_on, recomputed
from .siblings import fuse_concatenated, fuse_siblings, fuse_tiles, fuse_window_updates
from .stages import NO_LIMITS, Decide, Limits, Stage, Window, find_stored, stage_reads
from .write_back import follows_in_memory


def fuse(writes: WritePlan, decide: Decide, limits: Limits = NO_LIMITS) -> Fusion:
    """Put the graph that computes outputs into groups; `writes`: which of them go to parameters' memory."""
    graph = Walk(writes.outputs)
    kept = {**writes.keep, **carried_on(graph, writes.keep, decide, limits)}
    while True:
        fusion = _Fuser(writes, graph, kept, decide, limits).run()
        again = recomputed(fusion, graph.users)
        if not again:
            return fusion
        kept.update(again)


class _Fuser:
    def __init__(
        self, writes: WritePlan, graph: Walk, kept: dict[Node, str], decide: Decide, limits: Limits
    ) -> None:
        self.writes = writes
        self.outputs = writes.outputs
        self.decide = decide
        self.limits = limits
        self.graph = graph
        self.fusion = Fusion([], find_stored(graph, kept, limits), set(), {}, graph.order)
        self.fusion.buffers.update(writes.memory_of)
        self.producers: dict[Node, Stage] = {}
        self.inputs: dict[Stage, dict[Node, Maps]] = {}

    def run(self) -> Fusion:
        stages = self._make_stages()
        joining = Joining(self.fusion, self.producers, self.inputs, self.decide, self.limits)
        for stage in stages:
            joining.place(stage)
        fuse_siblings(joining)
        fuse_concatenated(joining, stages)
        fuse_window_updates(joining, stages)
        fuse_tiles(joining, self.outputs)
        fuse_chains(joining, stages, self.writes)
        for stage in stages:
            stage.stored = stage.kind not in ("reduce", "scan", "product") or stage.node in self.fusion.stored
            stage.reason = self.fusion.stored.get(stage.node, "")
        self.fusion.groups = in_order(joining.group_of, joining.needs)
        self.fusion.reads = {stage: tuple(read) for stage, read in self.inputs.items()}
        self.fusion.overwriting = {base: update for update, base in self.fusion.buffers.items()}
        return self.fusion

    def _make_stages(self) -> list[Stage]:
        stored, stages = self.fusion.stored, []
        for node in self.graph.order:
            if node.op.family == "reduce":
                if is_unrolled(node):
                    self.fusion.inlined.add(node)
                    if node not in stored:
                        continue
                    made = [Stage(node, "store", node, node.shape)]
                else:
                    reducer, axes = node.attributes[:2]
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
                made = [Stage(node, "control", node, node.shape)]
            elif node.op.family == "update":
                made = self._update_stages(node)
            elif is_alias(node):
                made = []  # another name for memory of its input
            else:
                made = [Stage(node, "store", node, node.shape)]
            for stage in made:
                self._add_axes(stage)
                self.producers[node] = stage
                stages.append(stage)
        stop = {*stored, *self.producers}
        for stage in stages:
            if stage.kind in ("library", "product", "control"):
                self.inputs[stage] = {source: {} for source in self._memory_inputs(stage.node)}
            else:
                self.inputs[stage] = stage_reads(stage, stop)
        self._write_last(stages)
        return stages

    def _write_last(self, stages: list[Stage]) -> None:
        """Orders stages that overwrite a parameter after all stages that read its old value."""
        readers_of: dict[Node, list[Stage]] = {}
        for stage in stages:
            for root in dict.fromkeys(memory_root(node, self.producers) for node in self.inputs[stage]):
                readers_of.setdefault(root, []).append(stage)
        for stage in stages:
            parameter = self.writes.memory_of.get(stage.node)
            if parameter is None or parameter.op.source != "array":
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
        if base.op.source == "undefined":
            return [write]
        if node in self.writes.memory_of:
            if base.op.source != "array":
                write.after = (self.producers[base],)
            return [write]
        updates_result = base.op.family == "update" and base not in self.outputs
        if updates_result and follows_in_memory(node, self.graph.users, self.outputs, self.decide):
            self.fusion.buffers[node] = base
            write.after = (self.producers[base],)
            return [write]
        whole = Stage(node, "store", base, base.shape)
        self._add_axes(whole)
        write.after = (whole,)
        return [whole, write]

    def _memory_inputs(self, node: Node) -> list[Node]:
        if node.op.family == "contract":
            return operands_in_memory(node)
        return [view_of(source)[0] if node.op.views else source for source in node.inputs]

    def _add_axes(self, stage: Stage) -> None:
        if stage.axes:
            return
        for extent in stage.space:
            axis = len(self.fusion.extents)
            self.fusion.extents[axis] = lift(extent)
            stage.axes.append(axis)
