"""The passes, one per file, and their order: a graph as traced goes in, one that can be lowered comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..index import folds
from ..node import Family, Graph, Node, Walk
from ..record import record
from .element_loops import sink_loops
from .fix_small import fix_small_extents
from .hoist_reshapes import hoist_reshapes
from .interleave import interleave
from .leaving import leave_early
from .legalize import legalize
from .simplify import simplify
from .sink_reshapes import sink_reshapes
from .stages import NO_LIMITS, Decide, Limits
from .temporal_blocking import block_in_time
from .transform_windows import select_windows
from .window_products import fix_windows, write_out_windows
from .write_windows import write_windows

Run = Callable[[Graph, Walk, Decide, Limits], tuple[Node, ...]]


class Pass(metaclass=record):
    """A rewrite of a whole graph: its outputs, made anew in the empty graph given; or as they were."""

    name: str
    families: tuple[Family, ...]
    """It runs where the graph has an op of one of these families; (): always."""
    run: Run


def _write_out_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    return walk.outputs if limits.packed_products else write_out_windows(graph, walk, limits, decide)


def _hoist_reshapes(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not any(node.op.family == "control" or not folds(node) for node in walk.order):
        return walk.outputs
    return hoist_reshapes(graph, walk.outputs)


def _sink_reshapes(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    return sink_reshapes(graph, walk.outputs) if limits.kernel_products else walk.outputs


def _leave_early(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not any(node.op.has_regions for node in walk.order):
        return walk.outputs
    return leave_early(graph, walk.outputs)


def _select_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not any(node.op.lower_chain is not None for node in walk.order):
        return walk.outputs
    return select_windows(graph, walk, decide)


PASSES = (
    # Removes ops that do nothing, and replaces chains of ops that one op expresses.
    Pass("simplify", (), lambda graph, walk, decide, limits: simplify(graph, walk.outputs)),
    # Where no kernel keeps a part of an image in cache, products of few rows with its windows become sums.
    Pass("write_out_windows", ("contract",), _write_out_windows),
    # Moves reshapes of computed values to values in memory, where they cost nothing.
    Pass("hoist_reshapes", (), _hoist_reshapes),
    # Computes elementwise functions of a product in the product's own shape.
    Pass("sink_reshapes", ("contract",), _sink_reshapes),
    # Makes the extents of small reduced axes plain ints, and guards them. All others stay symbolic (`Size`).
    Pass(
        "fix_small_extents",
        ("reduce", "control"),
        lambda graph, walk, decide, limits: fix_small_extents(graph, walk, decide),
    ),
    # Turns loops over arrays whose elements do not depend on each other into functions of elements.
    Pass("sink_loops", ("control",), lambda graph, walk, decide, limits: sink_loops(graph, walk.outputs)),
    # Ends such loops of an element with its last change.
    Pass("leave_early", (), _leave_early),
    # Joins assignments along a short last axis to one array, written in one loop.
    Pass("interleave", ("update",), lambda graph, walk, decide, limits: interleave(graph, walk, decide)),
    # Writes the row that a loop has set, instead of the whole window around it.
    Pass(
        "write_windows", ("control",), lambda graph, walk, decide, limits: write_windows(graph, walk, decide)
    ),
    # Replaces windows written into the input of a transform by selections of its elements.
    Pass("select_windows", ("update",), _select_windows),
    # Lets loops over stencils of large arrays take several steps in each iteration.
    Pass(
        "block_in_time",
        ("control",),
        lambda graph, walk, decide, limits: block_in_time(graph, walk.outputs, decide, limits),
    ),
    # Gives every step of a plan operands that it can take: copies are explicit from here on.
    Pass("legalize", (), lambda graph, walk, decide, limits: legalize(graph, walk, limits, decide)),
    # Makes the extents of small windows that a kernel multiplies with an image plain ints, and guards them.
    Pass("fix_windows", ("contract",), lambda graph, walk, decide, limits: fix_windows(graph, walk, decide)),
)


Verify = Callable[[Sequence[Node], str], None]


def run_passes(
    outputs: Sequence[Node], decide: Decide, verify: Verify | None = None, limits: Limits = NO_LIMITS
) -> tuple[Node, ...]:
    """Returns the symbolized outputs, ready for fusion. `verify` is called after each pass with its outputs
    and its name."""
    walk = Walk(outputs)
    for each in PASSES:
        skipped = each.families and not walk.has(*each.families)
        nodes = walk.outputs if skipped else each.run(Graph(), walk, decide, limits)
        if verify is not None:
            verify(nodes, each.name)
        if nodes != walk.outputs:  # passes in turn may find nothing to do
            walk = Walk(nodes)
    return walk.outputs
