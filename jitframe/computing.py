"""Evaluates the nodes of a lazy graph that tensors want, in one program or part after part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .evaluate import compute as compute_graph
from .evaluate import compute_on
from .ir.node import Node
from .lazy import LazyGraph, start_graph
from .transfers import Value

if TYPE_CHECKING:
    from .repeats import Repeat


def flush(graph: LazyGraph) -> None:
    """Evaluates every tensor of a graph whose value is worth keeping, and starts a new graph. In a loop, what
    the present turn has made so far may stay for the new graph."""
    nodes = [tensor._pending[1] for tensor in graph.live() if tensor._pending is not None]
    run(graph, [node for node in nodes if not graph.is_trivial(node)], flushing=True)


def run(graph: LazyGraph, outputs: Sequence[Node], flushing: bool = False) -> None:
    """Evaluates outputs of a graph, and the tensors they need: not to compute those again later."""
    start_graph(graph.device)
    if not outputs:
        return
    needed = graph.needed(outputs)
    live = graph.live()
    shared = [tensor._pending[1] for tensor in live if tensor._pending is not None]
    kept = [
        node for node in shared if node in needed and node not in graph.known and not graph.is_trivial(node)
    ]
    nodes = list(dict.fromkeys((*outputs, *kept)))
    operations = list(
        dict.fromkeys(
            node for node in graph._interned.values() if node in needed and node.op.family != "leaf"
        )
    )
    from .repeats import find_repeat  # jitted functions need none

    repeat = find_repeat(operations)
    if repeat is None:
        _evaluate(graph, nodes)
    else:
        _evaluate_parts(graph, operations, repeat, nodes, flushing)
    for tensor in live:
        pending = tensor._pending
        if pending is not None and pending[0] is graph and pending[1] in graph.known:
            tensor._settle(graph.known[pending[1]])


def _evaluate_parts(
    graph: LazyGraph, operations: list[Node], repeat: Repeat, wanted: Sequence[Node], flushing: bool
) -> None:
    """Makes the nodes that are wanted known, part after part. A flush in the middle of a turn stops before
    that turn, and makes known what it needs."""
    from .repeats import last_uses

    place = {node: position for position, node in enumerate(operations)}
    last = last_uses(operations, place)
    ends = repeat.cuts()
    if not flushing or len(operations) - repeat.stop >= repeat.period:
        ends.append(len(operations))
    final = {node for node in wanted if place.get(node, 0) < ends[-1]}
    passing: list[Node] = []
    begin = 0
    for end in ends:
        # A part's results: what is wanted of it, and what later parts need.
        made = [
            node
            for position, node in enumerate(operations[begin:end], begin)
            if node in final or (last[position] >= end and not _is_free(node))
        ]
        passing += [node for node in made if node not in final]
        if end == ends[-1]:
            made += [node for node in final if node not in place]
        if made:
            _evaluate(graph, made)
        begin = end
        for node in [node for node in passing if last[place[node]] < end]:
            passing.remove(node)
            del graph.known[node]


def _is_free(node: Node) -> bool:
    """Whether every part that reads a node may make it itself: a view of an input, a number everywhere."""
    while node.op.family == "movement" and node.inputs:
        node = node.inputs[0]
    return not node.inputs


def _evaluate(graph: LazyGraph, nodes: Sequence[Node]) -> None:
    """Makes nodes of a graph known."""
    program = LazyGraph(graph.device)
    copies = program.take(graph, nodes)
    outputs = [copies[node] for node in nodes]
    if graph.device.is_host:
        values: Sequence[Value] = compute_graph(program, outputs, program.arrays)
    else:
        values = compute_on(graph.device, program, outputs, program.arrays)
    graph.known.update(zip(nodes, values, strict=True))
