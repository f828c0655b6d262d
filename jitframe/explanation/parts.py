"""The data of an explanation: the compiled graph with this call's sizes and the user's lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..compilation.evaluate import Ready, facts
from ..errors import SourceLine
from ..ir import ops
from ..ir.expr import Expr, evaluate
from ..ir.node import Graph, Node, Region, Shape, Walk, contiguous_layout, topological
from ..ir.passes.centered_sums import Deviation, Side, recentered
from ..ir.passes.fix_small import fix_small_extents
from ..ir.passes.groups import Fusion, Group
from ..ir.passes.simplify import simplify
from ..ir.passes.split_complex import split_complex
from ..ir.passes.stages import Stage
from ..ir.passes.tiles import REASON
from ..ir.structure import Size
from ..ir.symbolize import symbolize
from ..ir.types import DType


@dataclass(frozen=True, slots=True)
class Subject:
    """A program to explain: its trace, and its compiled form."""

    title: str
    outputs: tuple[Node, ...]
    """The traced outputs."""
    ready: Ready | None
    """None if nothing has to be computed."""
    inputs: Mapping[int, str] = field(default_factory=dict)
    """The user's names of the parameters, by index."""
    scalars: Mapping[int, str] = field(default_factory=dict)
    """The user's names of the graph's scalars, or their values, by index."""
    lines: Mapping[Node, Sequence[SourceLine]] = field(default_factory=dict)
    """The lines at which traced nodes were made."""
    note: str = ""
    """Why there is nothing to compute."""
    unrolled_loops: Mapping[str, str] = field(default_factory=dict)
    """Loops that were unrolled while tracing, by file and line, with the reason."""


class Sizes:
    """Substitutes the sizes of one call in what was compiled for many."""

    def __init__(self, ready: Ready) -> None:
        self.sizes = ready.sizes
        self.facts = facts(ready.device)

    def value(self, expr: Expr | int) -> int:
        if isinstance(expr, Expr):
            return evaluate(expr, self.sizes, self.facts)
        return self.sizes[expr.symbol] if isinstance(expr, Size) else int(expr)

    def plain(self, value: Any, graph: Graph, made: dict[Node, Node]) -> Any:
        """An attribute with ints in place of sizes."""
        if isinstance(value, Size):
            return self.value(value)
        if isinstance(value, tuple):
            return tuple(self.plain(each, graph, made) for each in value)
        if isinstance(value, Region):
            inner = Graph(graph)
            nodes = self.concrete(inner, (*value.parameters, *value.results), made)
            return Region(inner, nodes[: len(value.parameters)], nodes[len(value.parameters) :])
        return value

    def concrete(self, graph: Graph, outputs: Iterable[Node], made: dict[Node, Node]) -> tuple[Node, ...]:
        """The same outputs with integer sizes; `made` maps every node, regions included, and may have entries
        already."""
        outputs = tuple(outputs)
        pending = list(reversed(outputs))
        while pending:
            node = pending[-1]
            missing = [source for source in node.inputs if source not in made] if node not in made else []
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if node not in made:
                attributes = tuple(self.plain(value, graph, made) for value in node.attributes)
                made[node] = graph.make(
                    node.op, *[made[source] for source in node.inputs], attributes=attributes
                )
        return tuple(made[node] for node in outputs)


@dataclass(frozen=True, slots=True)
class StageNote:
    """One result of a group, and where it is stored."""

    node: Node
    reason: str
    """Why it is stored in memory; empty if it is not."""
    how: str = ""
    """How it is computed where it is used, if it is not a result of the loops."""
    scratch: bool = False
    """Whether each workgroup stores the part of it that its current tile needs."""

    @property
    def place(self) -> str:
        if self.how:
            return f"in registers, {self.how}"
        if self.scratch:
            return f"in a tile that stays in the cache: {self.reason}"
        if self.reason:
            return f"in memory: {self.reason}"
        return "in registers" if self.node.op.family == "scan" else "in registers, once for each row"


@dataclass(frozen=True, slots=True)
class GroupNote:
    """Nodes that share one loop nest, and the numbers of the kernels that compute it."""

    kind: str
    """"kernel", "product", "control", "nest" for loops in one kernel, "custom" for a kernel that the user
    wrote, "steps" for those of one op."""
    kernels: tuple[int, ...]
    parallel: tuple[int, ...]
    """Extents of the axes whose iterations are independent."""
    reduced: tuple[int, ...]
    unrolled: tuple[int, ...]
    """Extents of the short axes that are unrolled."""
    stages: tuple[StageNote, ...]
    blocked: bool
    depth: int
    """The number of enclosing loops and conds."""
    no_nest: str = ""
    """Why a loop is not one kernel together with its body."""


class Compiled:
    """The compiled form of a program: its final graph with this call's sizes, groups, kernels' graphs."""

    def __init__(self, subject: Subject, ready: Ready) -> None:
        self.sizes = Sizes(ready)
        self.lowered = ready.template.lowered
        self.plan = self.lowered.plan
        self.graph = Graph()
        self.concrete: dict[Node, Node] = {}
        """The nodes with this call's sizes, by compiled node."""
        self.outputs = self.sizes.concrete(self.graph, self.lowered.outputs, self.concrete)
        self.scalars = {
            place: subject.scalars.get(index, f"scalar {index}") for place, index in enumerate(ready.scalars)
        }
        self.lines = self._lines(subject, ready)
        self.groups = tuple(self._groups(iter(self.lowered.fusions), 0))

    # Groups -----------------------------------------------------------------------------------------
    def _groups(self, fusions: Any, depth: int) -> list[GroupNote]:
        fusion: Fusion = next(fusions)
        notes = []
        for group in fusion.groups:
            kind = {"library": "product", "control": "control"}.get(group.stages[0].kind, "kernel")
            if group.stages[0].node.op.launches:
                kind = "custom" if "kernel" in group.stages[0].node.op.attribute_names else "steps"
            elif group.chain:
                kind = "steps"
            elif self.lowered.nests.get(group.stages[0].node) == "":
                kind = "nest"
            notes.append(
                GroupNote(
                    kind,
                    () if kind in ("product", "control") else tuple(self.lowered.kernels_of[group]),
                    tuple(self.sizes.value(fusion.extents[axis]) for axis in group.parallel),
                    tuple(self.sizes.value(fusion.extents[axis]) for axis in group.reduced),
                    tuple(self.sizes.value(fusion.extents[axis]) for axis in group.unrolled),
                    (*self._unrolled(group, fusion), *self._shared(group), *self._stages(group)),
                    group.blocked,
                    depth,
                    self.lowered.nests.get(group.stages[0].node, ""),
                )
            )
            if kind == "control":
                regions = (
                    attribute
                    for attribute in group.stages[0].node.attributes
                    if isinstance(attribute, Region)
                )
                for _ in regions:
                    notes.extend(self._groups(fusions, depth + 1))
        return notes

    def _stages(self, group: Group) -> list[StageNote]:
        notes = []
        for stage in group.stages:
            scratch = stage.node in group.scratch
            notes.append(
                StageNote(self.known(stage.node), REASON if scratch else stage.reason, scratch=scratch)
            )
        return notes

    def _unrolled(self, group: Group, fusion: Fusion) -> list[StageNote]:
        """Small reductions that the group's stages compute in place."""
        seen: dict[Node, None] = {}
        pending = [stage.value for stage in group.stages]
        while pending:
            node = pending.pop()
            if node not in seen and (node not in fusion.stored or node in (s.value for s in group.stages)):
                seen[node] = None
                pending.extend(node.inputs)
        return [StageNote(self.known(node), "", "unrolled") for node in seen if node in fusion.inlined]

    def _shared(self, group: Group) -> list[StageNote]:
        """Values that are computed once for all elements along the unrolled axes."""
        made = {stage.node for stage in group.stages}
        nodes = [node for node in dict.fromkeys(group.shared) if node not in made]
        return [StageNote(self.known(node), "", "once for all that lie side by side") for node in nodes]

    def known(self, node: Node) -> Node:
        self.sizes.concrete(self.graph, [node], self.concrete)
        return self.concrete[node]

    def kernel_graph(self, number: int) -> tuple[Node, ...]:
        """The graph that a kernel computes, in which its loads are parameters."""
        for group, kernels in self.lowered.kernels_of.items():
            stage = group.stages[0]
            if number in kernels and (stage.node.op.launches or self.lowered.nests.get(stage.node) == ""):
                return self._step_graph(stage.node)
            if number in kernels and stage.kind not in ("library", "control") and not group.chain:
                if group.blocked and stage.kind == "reduce" and number == kernels[-1]:
                    return self._combination(group, number)
                if group.blocked and stage.kind == "scan" and number == kernels[1]:
                    return self._scan_of_blocks(stage, number)
                return self._group_graph(group)
        raise AssertionError(f"kernel {number} belongs to no group")

    def _step_graph(self, node: Node) -> tuple[Node, ...]:
        """The graph of a user's kernel, or of a nest of loops."""
        graph, made = Graph(), dict[Node, Node]()
        for number, source in enumerate(node.inputs):
            shape = tuple(map(self.sizes.value, source.shape))
            made[source] = graph.parameter(number, shape, source.dtype, self._layout(source))
        self.sizes.concrete(graph, [node], made)
        assert node.op.results is not None
        count = len(node.op.results(node))
        return tuple(graph.make(ops.item, made[node], attributes=(place,)) for place in range(count))

    def _group_graph(self, group: Group) -> tuple[Node, ...]:
        stages = group.stages
        if group.blocked and stages[0].kind == "reduce":
            stages = [stage for stage in stages if stage.kind == "reduce"]
        roots = dict.fromkeys(stage.node for stage in stages if stage.stored or group.blocked)
        return self._graph_of(list(roots), group, Graph(), {})

    def _graph_of(
        self, roots: list[Node], group: Group, graph: Graph, made: dict[Node, Node]
    ) -> tuple[Node, ...]:
        """The graph of a group over the values that it loads; `made` has entries for these."""
        self._take_parameters(roots, group, graph, made)
        needed = topological(self.sizes.concrete(graph, roots, made)[: len(roots)])
        return self._numbered(needed, [made[root] for root in roots])

    def _take_parameters(self, roots: list[Node], group: Group, graph: Graph, made: dict[Node, Node]) -> None:
        """Makes parameters of the values that the roots load from memory."""
        own = {stage.node for stage in group.stages}
        held = self._held(group)
        for node in topological(roots):
            if node not in made and (node.op.source == "array" or (node in held and node not in own)):
                made[node] = graph.parameter(
                    len(made), tuple(map(self.sizes.value, node.shape)), node.dtype, self._layout(node)
                )

    def _held(self, group: Group) -> set[Node]:
        for fusion in self.lowered.fusions:
            if group in fusion.groups:
                return set(fusion.stored)
        raise AssertionError("a group belongs to a fusion")

    def _numbered(self, order: Sequence[Node], roots: Sequence[Node]) -> tuple[Node, ...]:
        """The graph with its parameters numbered in order of use."""
        graph, made = Graph(), dict[Node, Node]()
        for node in order:
            attributes = node.attributes
            if node.op.source == "array":
                count = sum(each.op.source == "array" for each in made)
                attributes = (count, *attributes[1:])
            made[node] = graph.make(node.op, *[made[source] for source in node.inputs], attributes=attributes)
        return tuple(made[root] for root in roots)

    def _layout(self, node: Node) -> str:
        return (
            str(node.attribute("layout")) if node.op.source == "array" else contiguous_layout(len(node.shape))
        )

    def _combination(self, group: Group, number: int) -> tuple[Node, ...]:
        """The second kernel of long reductions: combines the partial results of the blocks in order."""
        graph, made = Graph(), dict[Node, Node]()
        reductions = [stage for stage in group.stages if stage.kind == "reduce"]
        shapes = [tuple(map(self.sizes.value, stage.node.shape)) for stage in reductions]
        blocks = self.partial_elements(number) // max(1, *map(math.prod, shapes))
        partials = dict[object, Node]()
        for stage, shape in zip(reductions, shapes, strict=True):
            finds = ops.REDUCERS[stage.reducer].finds
            dtype = stage.value.dtype if finds else stage.node.dtype

            def partial(of: object, space: Shape = (*shape, blocks), dtype: DType = dtype) -> Node:
                return partials.setdefault(of, graph.parameter(-1 - len(partials), space, dtype))

            if stage.reduction.deviations is None:
                value = partial(stage.value if stage.reducer == "sum" else stage.node)
            else:
                value = self._recentered(stage, group, graph, made, partial)
            attributes = (stage.reducer, (len(shape),), *((stage.node.dtype,) if finds else ()))
            made[stage.node] = graph.make(ops.find if finds else ops.reduce, value, attributes=attributes)
        roots = dict.fromkeys(stage.node for stage in group.stages if stage.stored)
        return self._graph_of(list(roots), group, graph, made)

    def _recentered(
        self,
        stage: Stage,
        group: Group,
        graph: Graph,
        made: dict[Node, Node],
        partial: Callable[[object], Node],
    ) -> Node:
        """The term that the second kernel sums for a sum of products of deviations."""
        assert stage.reduction.deviations is not None
        kept = [position for position in range(len(stage.space)) if position not in stage.reduced]

        def side(given: Deviation) -> Side:
            (source,) = given.center.inputs
            sums = partial(given.values)
            self._take_parameters([source], group, graph, made)
            (center,) = self.sizes.concrete(graph, [source], made)
            attributes = (sums.shape, tuple(map(kept.index, given.center.attribute("axes"))))
            return Side(sums, partial(given), graph.make(ops.broadcast, center, attributes=attributes))

        left, right = map(side, stage.reduction.deviations)
        return recentered(graph, partial("count"), partial(stage.node), left, right)

    def _scan_of_blocks(self, stage: Stage, number: int) -> tuple[Node, ...]:
        """The second kernel of a long scan: scans the totals of the blocks."""
        axis = stage.node.attribute("axis")
        shape = tuple(self.sizes.value(extent) for at, extent in enumerate(stage.node.shape) if at != axis)
        blocks = self.partial_elements(number) // max(math.prod(shape), 1)
        graph = Graph()
        totals = graph.parameter(0, (*shape, blocks), stage.node.dtype)
        return (graph.make(ops.scan, totals, attributes=(stage.reducer, len(shape))),)

    def partial_elements(self, number: int) -> int:
        for step in self.plan.steps:
            if getattr(step, "kernel", None) == number:
                counts = [self.plan.buffers[ref.buffer] for ref in step.buffers]  # type: ignore[union-attr]
                return max(self.sizes.value(buffer.elements) for buffer in counts)
        return 0

    # Source lines -----------------------------------------------------------------------------------
    def _lines(self, subject: Subject, ready: Ready) -> dict[Node, tuple[SourceLine, ...]]:
        """The user's lines of the compiled nodes, except those that a pass added."""
        if not subject.lines:
            return {}
        traced = topological(subject.outputs)
        # Every node is an output here, so each pass reports its replacement of every node.
        _, symbolic = symbolize((*subject.outputs, *traced))
        symbolic = split_complex(Graph(), symbolic)
        held = dict(ready.template.guards)
        images = simplify(Graph(), symbolic)
        images = fix_small_extents(Graph(), Walk(images), lambda condition: bool(held.get(condition, False)))
        places = self.sizes.concrete(self.graph, images, {})
        lines = dict(subject.lines)
        for node in reversed(traced):
            # Intermediate nodes of a line are not recorded: they belong to that line too.
            for source in node.inputs:
                if source.inputs and node in lines:
                    lines.setdefault(source, lines[node])
        found: dict[Node, dict[SourceLine, None]] = {}
        for node, place in zip(traced, places[len(subject.outputs) :], strict=True):
            found.setdefault(place, {}).update(dict.fromkeys(lines.get(node, ()) if node.inputs else ()))
        return {node: tuple(lines) for node, lines in found.items() if lines}
