"""Evaluates the nodes of a lazy graph that tensors need, in one program or segment by segment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BackendError
from ..ir.node import Node
from ..runtime import profiler_hook
from .lazy import LazyGraph, leave_graph
from .repeats import find_repeats, last_uses
from .segments import Part
from .steps import note_steps

if TYPE_CHECKING:
    from .repeats import Repeat


_NOTHING: Mapping[Node, Node] = {}
MOST_KNOWN = 64
"""Graphs with more known nodes are evaluated without a recording, which would depend on all of these."""
UNASKED_BYTES = 1 << 20
"""Tensors up to this size are computed with any requested value: copying their operands into the next graph
costs more, and a loop that reads values would do so in each iteration."""


def flush(graph: LazyGraph) -> None:
    """Evaluates every tensor of a graph whose value is worth keeping, and starts a new graph. In a loop, the
    nodes of the present iteration may stay for the new graph."""
    graph.ended_full = True
    run(graph, tuple([node for node in _nodes(graph) if not graph.is_trivial(node)]), flushing=True)


def run(graph: LazyGraph, outputs: tuple[Node, ...], flushing: bool = False, alone: bool = False) -> None:
    """Evaluates outputs of a graph, and the tensors that they depend on, which would be computed again later.
    Small tensors of the graph that are referenced elsewhere are computed as well, unless that fails, or the
    outputs are to be computed `alone`. Later operations go to another graph."""
    if not graph.is_left:
        leave_graph(graph)
    if not outputs:
        return
    try:
        live = graph.live()
        # At once: another thread may request the nodes that this one has left.
        before = tuple(graph.known.items()) if graph.known else ()
        shared = tuple([tensor._pending[1] for tensor in live])  # type: ignore[index]
        runs = graph.step.runs
        is_kept = len(before) <= MOST_KNOWN and profiler_hook.active is None
        known = tuple([node for node, _ in before]) if before else ()
        key = outputs, shared, known, flushing, alone, graph.carries
        recording = runs.get(key) if is_kept and runs is not None else None
        if recording is not None:
            values = recording.run(graph, before)
            native = None if before or flushing or alone or graph.carries else recording.native(graph)
            if native is not None:
                runs[outputs, shared] = native  # type: ignore[index]
        else:
            others = () if flushing or alone else _unasked(graph, shared)
            recording, values = _record(graph, before, (*outputs, *others), shared, flushing)
            if is_kept:
                graph.step.runs = graph.step.runs or {}
                graph.step.runs[key] = recording
                note_steps(8 * len(recording.parts) + (len(outputs) + len(shared) + len(before)) // 8)
        for node, place in recording.left:
            graph.known[node] = values[place]
        for tensor, node, place in zip(live, shared, recording.ends):
            if place is not None:
                # Except a tensor that a signal handler has written to meanwhile.
                pending = tensor._pending
                if pending is not None and pending[0] is graph and pending[1] is node:
                    tensor._settle_as(values[place])
    except Exception as error:
        # The other tensors were not requested. Their errors belong to their own evaluation, except a
        # device's.
        is_devices = isinstance(error, BackendError) and not isinstance(error, MemoryError)
        if flushing or alone or is_devices or not set(_unasked(graph, _nodes(graph))).difference(outputs):
            raise
        run(graph, outputs, alone=True)


def _nodes(graph: LazyGraph) -> list[Node]:
    return [tensor._pending[1] for tensor in graph.live() if tensor._pending is not None]


def _unasked(graph: LazyGraph, shared: Iterable[Node]) -> list[Node]:
    """Returns the nodes of other tensors that are computed along with a requested value."""
    # A further request from the same graph may need all of it: losses, one after the other.
    most = math.inf if graph.known and graph.is_left else UNASKED_BYTES
    return [
        node
        for node in shared
        if math.prod(node.shape) * node.dtype.itemsize <= most and not graph.is_trivial(node)
    ]


class Recording:
    """A record of the evaluation of a program, which the next program of the same steps repeats."""

    def __init__(self, graph: LazyGraph, before: Sequence[tuple[Node, Any]]) -> None:
        """`before`: the known nodes and their values."""
        self.parts: list[tuple[Part, list[int]]] = []
        """The segments, each with the places of the values that are dead after it."""
        self.ends: list[int | None] = []
        """The places of the values of tensors' nodes; None of tensors that remain lazy."""
        self.left: tuple[tuple[Node, int], ...] = ()
        """Nodes that lazy tensors may need, and their places."""
        self._places: dict[Node, int] = {
            node: place for place, (node, _) in enumerate(before, len(graph.arrays))
        }
        """The places of the values of known nodes, after those of the graph's arrays."""
        self.known: dict[Node, Any] = dict(before)
        """The values known so far. Other threads do not see them: some are overwritten."""

    def add(
        self,
        graph: LazyGraph,
        nodes: Sequence[Node],
        values: list[Any],
        overwritten: Mapping[Node, Node] = _NOTHING,
    ) -> None:
        """Evaluates nodes of the recorded graph; `values`: those so far. `overwritten`: for some of the
        nodes, the known one whose dead memory they take."""
        part = Part(graph, nodes, self.known, self._places, overwritten)
        made = part.run(values, graph.scalar_values)
        self._places.update((node, len(values) + number) for number, node in enumerate(nodes))
        values += made
        self.parts.append((part, []))
        self.known.update(zip(nodes, made, strict=True))

    def drop(self, node: Node, values: list[Any]) -> None:
        """Marks the value of a node as dead."""
        place = self._places.pop(node)
        values[place] = None
        self.parts[-1][1].append(place)
        del self.known[node]

    def end(self, shared: Sequence[Node]) -> None:
        """Ends the recording with the nodes of tensors."""
        self.ends = [self._places.get(node) for node in shared]
        self.left = tuple(self._places.items()) if None in self.ends else ()
        self.known = {}  # which a recording outlives

    def native(self, graph: LazyGraph) -> tuple[Any, ...] | None:
        """Returns what native code needs to repeat it (see `runtime.cpu.native.lazy_values`): the entry of
        its only segment, the indices of the arrays and of the run-time scalars that it is given, and the
        place of each tensor's value among the results (-1 for the result itself); None where there is more
        to do."""
        if len(self.parts) != 1 or self.left:
            return None
        found = self.parts[0][0].native()
        first = graph.step.inputs
        if found is None or any(end is None or end < first for end in self.ends):
            return None
        entry, arrays, scalars, several = found
        places = [end - first if several else -1 for end in self.ends if end is not None]
        return entry, arrays, scalars, *places

    def run(self, graph: LazyGraph, before: Sequence[tuple[Node, Any]]) -> list[Any]:
        """Returns the values in another graph at the same step, with known values of the same nodes."""
        values = graph.arrays
        if before:
            values += [value for _, value in before]
        scalars = graph.scalar_values
        for part, gone in self.parts:
            values.extend(part.run(values, scalars))
            for place in gone:
                values[place] = None
        return values


def _record(
    graph: LazyGraph,
    before: Sequence[tuple[Node, Any]],
    outputs: Sequence[Node],
    shared: Sequence[Node],
    flushing: bool,
) -> tuple[Recording, list[Any]]:
    """Evaluates outputs of a graph, and those of the shared nodes that they depend on."""
    needed = graph.needed(outputs)
    kept = [
        node for node in shared if node in needed and node not in graph.known and not graph.is_trivial(node)
    ]
    if graph.carries:
        kept += _needed_later(graph, needed, shared)
    nodes = list(dict.fromkeys((*outputs, *kept)))
    operations = [node for node in graph.nodes if node in needed and node.op.family != "leaf"]
    repeats = find_repeats(operations)
    recording = Recording(graph, before)
    values = [*graph.arrays, *[value for _, value in before]]
    if repeats:
        _record_parts(recording, graph, operations, repeats, nodes, flushing, values)
    else:
        recording.add(graph, nodes, values)
    recording.end(shared)
    return recording, values


def _needed_later(graph: LazyGraph, needed: set[Node], shared: Sequence[Node]) -> list[Node]:
    """Returns the computed nodes that lazy tensors need again: else a loop that reads one value and carries
    another would recompute its whole history in each iteration."""
    found: dict[Node, None] = {}
    seen: set[Node] = set()
    stack = [node for node in shared if node not in needed]
    while stack:
        node = stack.pop()
        if node in seen or node in graph.known:
            continue
        seen.add(node)
        # Each result of an operation with several results is a value, but not the operation itself.
        is_result = any(each.op.results is not None and each in needed for each in node.inputs)
        if is_result or (node in needed and node.op.results is None):
            if not graph.is_trivial(node):
                found[node] = None
        else:
            stack.extend(node.inputs)
    return list(found)


def _record_parts(
    recording: Recording,
    graph: LazyGraph,
    operations: list[Node],
    repeats: Sequence[Repeat],
    wanted: Sequence[Node],
    flushing: bool,
    values: list[Any],
) -> None:
    """Evaluates the requested nodes, segment after segment. A flush in the middle of an iteration stops
    before that iteration, and evaluates what it needs."""
    place = {node: position for position, node in enumerate(operations)}
    last = last_uses(operations, place)
    ends = sorted({end for repeat in repeats for end in repeat.cuts()})
    if not flushing or len(operations) - ends[-1] >= repeats[-1].period:
        ends.append(len(operations))
    final = {node for node in wanted if place.get(node, 0) < ends[-1]}
    passing: list[Node] = []
    begin = 0
    for end in ends:
        # The results of a segment: requested nodes, and operands of later segments.
        nodes = [
            node
            for position, node in enumerate(operations[begin:end], begin)
            if node in final or (last[position] >= end and not _is_free(node))
        ]
        passing += [node for node in nodes if node not in final]
        if end == ends[-1]:
            nodes += [node for node in final if node not in place]
        gone = [node for node in passing if last[place[node]] < end]
        if nodes:
            # A device's arrays are given to it as they are.
            overwritten = _overwritten(recording.known, nodes, gone) if graph.device.is_host else _NOTHING
            recording.add(graph, nodes, values, overwritten)
        begin = end
        for node in gone:
            passing.remove(node)
            recording.drop(node, values)


def _overwritten(known: Mapping[Node, Any], nodes: Sequence[Node], gone: Sequence[Node]) -> dict[Node, Node]:
    """Returns the nodes that are updates of known values which are dead afterwards: only the written elements
    are moved then."""
    found: dict[Node, Node] = {}
    left = {node for node in gone if node in known}
    for node in nodes if left else ():
        base = node
        while base.op.family == "update" and base not in known:
            base = base.inputs[0]
        if base in left and base.dtype is node.dtype and base.shape == node.shape:
            found[node] = base
            left.remove(base)
    return found


def _is_free(node: Node) -> bool:
    """Whether every segment that reads a node may compute it itself: a view of an input, or a constant."""
    while node.op.family == "movement" and node.inputs:
        node = node.inputs[0]
    return not node.inputs
