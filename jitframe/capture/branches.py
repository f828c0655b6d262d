"""Conditions on traced values: both arms are traced, and become a `cond` of the graph, or, where they compute
few scalars, a selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import TraceError
from ..functions import loop_nodes
from ..functions.operands import cast, spread
from ..ir import ops
from ..ir.node import Graph, Node, Region, topological
from ..ir.record import mutable
from ..ir.types import BOOL
from ..tracing.arguments.growing_list import elements_of
from ..tracing.capturing import LoopOpened
from ..tracing.lists.list_arrays import ListNeeded
from ..tracing.standins.effects import Effects
from ..tracing.values.number_ranges import hull
from ..tracing.values.regions import outside_value
from ..tracing.values.traced_frame import TraceFrame
from .aliases import lists_elsewhere, lists_in, share, shared_memory, tie
from .carried import build, carries, leaves, nodes_of
from .checks import Checks, keep_exceptions
from .patterns import UNSET, Contents, Fixed, Pattern, Unsettled, Unsure, is_unset
from .region import CaptureRegion, Touched, commit
from .state import Heap, Item, Place, key_of, may_lack_value
from .values import joined, opened, pattern_of

Body = Callable[[], Any]

INLINED = 24
"""The most scalar operations, in both arms together, that are cheaper than a branch."""

_ACTS = (Checks, Effects)


class Arm(metaclass=mutable):
    """One traced arm of a branch."""

    region: CaptureRegion
    ends: list[Any]
    """The values of the places at its end."""
    contents: Contents
    """The contents of lists there that it changes."""
    raised: Exception | None = None
    acted: bool = False
    """Whether it may have raised another exception, or called a host function, before it raised that one."""


class Branch:
    """A condition whose arms are traced."""

    def __init__(
        self, frame: TraceFrame, predicate: Node, arms: Sequence[Body], places: Sequence[Place], heap: Heap,
        what: str, sole: frozenset[int],
    ) -> None:  # fmt: skip
        self.frame = frame
        self.predicate = predicate
        self.bodies = arms
        self.places = list(places)
        self.heap = heap
        self.what = what
        self.sole = sole
        self.before = [place.get() for place in places]

    def restore(self) -> None:
        """Restores the state from before the arms."""
        for place, value in zip(self.places, self.before, strict=True):
            place.set(value)
        self.heap.restore()

    def trace(self) -> list[Arm]:
        """Traces both arms. The state becomes the merge of what the arms leave; where one arm raises, its
        state is the one from before the branch."""
        drawn, regions = len(self.frame.root.taken), self.frame.root.regions_made
        places = len(self.places)
        while True:
            del self.places[places:], self.before[places:]
            try:
                arms = self._traced()
                if all(arm.raised is None for arm in arms):
                    self._merge(arms)
                return arms
            except ListNeeded as needed:
                if needed.values.frame is not self.frame:
                    raise
                needed.change()
                self.heap.renew()
            except LoopOpened:
                self.frame.root.regions_made = regions
            self.frame.root.take_back(drawn)

    def _traced(self) -> list[Arm]:
        arms: list[Arm] = []
        changed: list[list[Place]] = []
        values: list[dict[Any, Any]] = []
        for body in self.bodies:
            region = CaptureRegion(f"{self.what} on a traced value", self.frame)
            region.times = 1
            region.iteration = lambda: 0
            raised: Exception | None = None
            quoted = self.frame.root.quoted
            try:
                try:
                    region.traced(body)
                except TraceError:
                    raise
                except Exception as error:
                    raised = error
                    self.frame.root.quoted = quoted
                if raised is None:
                    region.traced(lambda r=region: keep_exceptions(r, [e.get() for e in self.places]))  # type: ignore[misc]
                found = self.heap.changed() if raised is None else []
                changed.append(found)
                values.append({key_of(place): place.get() for place in found})
                lists = [place.container for place in found if isinstance(place, Item)]
                contents = {id(each): elements_of(each) for each in lists if isinstance(each, list)}
                ends = [place.get() for place in self.places]
                acted = any(
                    type(place) in _ACTS and end is not before
                    for place, end, before in zip(self.places, ends, self.before, strict=True)
                )
                arms.append(Arm(region, ends, contents, raised, acted))
            finally:
                self.restore()
                region.leave()
        self._add_places(changed, values, arms)
        return arms

    def _add_places(self, changed: list[list[Place]], values: list[dict[Any, Any]], arms: list[Arm]) -> None:
        """Adds to the state every place reachable from the variables that an arm changed."""
        found = {key_of(place): place for places in changed for place in places}
        for key, place in found.items():
            before = self.heap.before(place)
            self.places.append(place)
            self.before.append(before)
            for arm, now in zip(arms, values, strict=True):
                arm.ends.append(now.get(key, before))

    def _merge(self, arms: Sequence[Arm]) -> None:
        """Merges the states of the two arms: a phi for each place."""
        patterns: list[Pattern | None] = []
        results: list[list[Node]] = [[], []]
        for position, place in enumerate(self.places):
            ends = [arm.ends[position] for arm in arms]
            pattern = self._pattern(place, ends, arms)
            ends = [arm.ends[position] for arm in arms]
            patterns.append(pattern)
            if pattern is not None:
                for nodes, arm, end in zip(results, arms, ends, strict=True):
                    nodes += arm.region.afterwards(
                        lambda a=arm, e=end, p=pattern, n=place: list(  # type: ignore[misc]
                            nodes_of(a.region, p, e, n.name, a.contents)
                        )
                    )
        copied: set[int] = set()
        for arm in arms:
            ended = [
                (Fixed(None) if each is None else each, end)
                for each, end in zip(patterns, arm.ends, strict=True)
            ]
            elsewhere = lists_elsewhere(ended, self.heap.lists)
            share(each for _, each in elsewhere)
            copied.update(position for position, _ in elsewhere)
        written = self._written(arms, results)
        made = self._nodes(arms, results)
        commit(self.frame, written, made[len(made) - len(written) :])
        remaining = iter(made)
        for position, (place, pattern) in enumerate(zip(self.places, patterns, strict=True)):
            if pattern is None:
                place.set(UNSET if may_lack_value(place) else Unsure(_unsure(place)))
                continue
            ends_here = [arm.ends[position] for arm in arms]
            ends = [list(leaves(pattern, arm.ends[position], arm.contents)) for arm in arms]
            parts = []
            for number, each in enumerate(carries(pattern)):
                made_value = outside_value(self.frame, next(remaining), each.kind)
                if each.span is not None:
                    lacks = any(map(is_unset, ends_here))
                    span = hull(each.span, (0, 0)) if lacks else each.span
                    self.frame.root.ranges.known[made_value._cell.node] = span
                tie(
                    made_value,
                    [
                        cell
                        for arm, end in zip(arms, ends, strict=True)
                        for cell in shared_memory(arm.region, end[number])
                    ],
                    self.sole,
                    place.hidden,
                )
                parts.append(made_value)
            made_here = build(pattern, iter(parts))
            if position in copied:
                share(lists_in([made_here]))
            place.set(made_here)

    def _pattern(self, place: Place, ends: Sequence[Any], arms: Sequence[Arm]) -> Pattern | None:
        """The common pattern of the values of both arms; None where an arm leaves no value."""
        region = arms[1].region
        first, second = ends
        for end in ends:
            if place.hidden and type(end) is Unsure:  # a variable is returned, or is what an expression gives
                end._refuse()
        if is_unset(first) or is_unset(second):
            if is_unset(first) and is_unset(second):
                return None
            known = 0 if is_unset(second) else 1
            inside = arms[known].region
            return (
                inside.afterwards(lambda: pattern_of(inside, ends[known], arms[known].contents))
                if may_lack_value(place)
                else None
            )
        contents = [arm.contents for arm in arms]
        try:
            start = arms[0].region.afterwards(lambda: opened(arms[0].region, first, second, *contents))
            found: Pattern = region.afterwards(lambda: joined(region, start, second, contents[1]))
            return found
        except Unsettled as error:
            raise TraceError(
                f"{place.name} cannot be settled after {self.what} on a traced value: {error}"
            ) from None

    def _written(self, arms: Sequence[Arm], results: list[list[Node]]) -> list[Touched]:
        """Arrays that an arm wrote to; appends their contents at the end of each arm to its results."""
        found: dict[int, Touched] = {}
        for arm in arms:
            for each in arm.region.written:
                found.setdefault(id(each.cell), each)
        for key, each in found.items():
            for nodes, arm in zip(results, arms, strict=True):
                mine = arm.region.touched.get(key)
                if mine is None:
                    nodes.append(arm.region.invariant(each.node))
                else:
                    nodes.append(mine.parameter if mine.final is None else mine.final)
        return list(found.values())

    def _nodes(self, arms: Sequence[Arm], results: list[list[Node]]) -> list[Node]:
        """The results of the branch as nodes of the enclosing graph."""
        if not results[0]:
            return []
        graph = self.frame.begin()
        operands = [_operands(arm.region) for arm in arms]
        if _is_cheap(arms, results):
            inlined = [
                _inlined(graph, given, nodes, _taken(graph, self.predicate, number))
                for number, (given, nodes) in enumerate(zip(operands, results, strict=True))
            ]
            return [_select(graph, self.predicate, x, y) for x, y in zip(*inlined, strict=True)]
        shared, parameters = _shared(arms, operands)
        then, orelse = [
            Region(arm.region.graph, tuple(mine), tuple(nodes))
            for arm, mine, nodes in zip(arms, parameters, results, strict=True)
        ]
        return loop_nodes.cond(graph, self.predicate, then, orelse, shared)


def _operands(region: CaptureRegion) -> list[tuple[Node, Node]]:
    """The parameters of a region, each with its value in the enclosing graph."""
    return [
        *((each.parameter, each.node) for each in region.touched.values()),
        *((inner, outer) for outer, inner in region.invariants.items()),
    ]


def _shared(
    arms: Sequence[Arm], operands: Sequence[list[tuple[Node, Node]]]
) -> tuple[list[Node], list[list[Node]]]:
    """Values of the enclosing graph that either arm uses, and the parameter that each arm has for them."""
    shared: list[Node] = []
    rows: list[list[Node | None]] = []
    for arm, given in enumerate(operands):
        for parameter, outer in given:
            free = (row for row, node in zip(rows, shared, strict=True) if node is outer and row[arm] is None)
            row = next(free, None)
            if row is None:
                shared.append(outer)
                row = [None, None]
                rows.append(row)
            row[arm] = parameter
    parameters = [
        [row[arm] or each.region.input(outer) for row, outer in zip(rows, shared, strict=True)]
        for arm, each in enumerate(arms)
    ]
    return shared, parameters


def _is_cheap(arms: Sequence[Arm], results: Sequence[list[Node]]) -> bool:
    """Whether both arms compute scalars in a few operations that cannot fail: then a select replaces the
    branch."""
    count = 0
    for arm, nodes in zip(arms, results, strict=True):
        parameters = {parameter for parameter, _ in _operands(arm.region)}
        for node in topological(nodes):
            if node in parameters:
                continue
            if node.size > 1 or node.op.family not in ("leaf", "elementwise", "movement"):
                return False
            count += node.op.family == "elementwise" and node.op.fault is None
        if any(node.shape for node in nodes):
            return False
    return count <= INLINED


def _inlined(
    graph: Graph, operands: Sequence[tuple[Node, Node]], results: Sequence[Node], taken: Callable[[], Node]
) -> list[Node]:
    """Copies the results of a region into the enclosing graph. `taken`: the predicate of the region;
    operations in it fail only where it holds."""
    made = dict(operands)
    for node in topological(results):
        if node not in made:
            inputs = [made[source] for source in node.inputs]
            if node.op.fault is not None:
                value, bad = inputs
                inputs = [value, graph.make(ops.bitwise_and, bad, spread(graph, taken(), bad.shape))]
            made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
    return [made[node] for node in results]


def _taken(graph: Graph, predicate: Node, arm: int) -> Callable[[], Node]:
    return lambda: graph.make(ops.bitwise_not, predicate) if arm else predicate


def _select(graph: Graph, predicate: Node, x: Node, y: Node) -> Node:
    if x is y:
        return x
    if x.dtype is BOOL:
        for each, bit, op in ((y, False, ops.bitwise_and), (x, True, ops.bitwise_or)):
            if each.op.source == "constant" and each.attributes[0].value is bit:
                return graph.make(op, predicate, x if each is y else y)
    return graph.make(ops.select, predicate, x, cast(graph, y, x.dtype))


def _unsure(place: Place) -> str:
    return (
        f"{place.name} has a value on one way of a condition on a traced value and none on the other; "
        "give it one before the condition"
    )
