"""The passes, one per file, and their order: a graph as traced goes in, one that can be lowered comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..index import folds
from ..node import Graph, Node, Walk
from .element_loops import sink_loops
from .fix_small import fix_small_extents
from .hoist_reshapes import hoist_reshapes
from .interleave import interleave
from .legalize import legalize
from .simplify import simplify
from .sink_reshapes import sink_reshapes
from .stages import NO_LIMITS, Decide, Limits
from .temporal_blocking import block_in_time
from .transform_windows import select_windows
from .window_products import fix_windows, write_out_windows
from .write_windows import write_windows

Pass = Callable[[Graph, Walk, Decide, Limits], tuple[Node, ...]]


def _write_out_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if limits.packed_products or not walk.has("contract"):
        return walk.outputs
    return write_out_windows(graph, walk, limits, decide)


def _hoist_reshapes(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not any(node.op.family == "control" or not folds(node) for node in walk.order):
        return walk.outputs
    return hoist_reshapes(graph, walk.outputs)


def _sink_reshapes(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not limits.kernel_products or not walk.has("contract"):
        return walk.outputs
    return sink_reshapes(graph, walk.outputs)


def _fix_small_extents(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("reduce", "control"):
        return walk.outputs
    return fix_small_extents(graph, walk, decide)


def _interleave(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("update"):
        return walk.outputs
    return interleave(graph, walk, decide)


def _write_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("control"):
        return walk.outputs
    return write_windows(graph, walk, decide)


def _sink_loops(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("control"):
        return walk.outputs
    return sink_loops(graph, walk.outputs)


def _select_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not (walk.has("update") and any(node.op.lower_chain is not None for node in walk.order)):
        return walk.outputs
    return select_windows(graph, walk, decide)


def _fix_windows(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("contract"):
        return walk.outputs
    return fix_windows(graph, walk, decide)


def _block_in_time(graph: Graph, walk: Walk, decide: Decide, limits: Limits) -> tuple[Node, ...]:
    if not walk.has("control"):
        return walk.outputs
    return block_in_time(graph, walk.outputs, decide, limits)


PASSES: tuple[tuple[str, Pass], ...] = (
    # No op left that does nothing, no chain that one op says.
    ("simplify", lambda graph, walk, decide, limits: simplify(graph, walk.outputs)),
    # Where no kernel keeps a part of an image, products of few rows with its windows are sums.
    ("write_out_windows", _write_out_windows),
    # No reshape between computed values where one of memory does. From here on, still every size a `Size`.
    ("hoist_reshapes", _hoist_reshapes),
    # What is made of a product elementwise is made in the product's own shape.
    ("sink_reshapes", _sink_reshapes),
    # Extents of small reduced axes are plain ints, and guarded.
    ("fix_small_extents", _fix_small_extents),
    # No loop iterates over arrays whose elements do not need each other: it is one of each element.
    ("sink_loops", _sink_loops),
    # What is assigned along a short last axis are parts of a new array, written in one loop.
    ("interleave", _interleave),
    # No loop puts a window back of which it has set a row.
    ("write_windows", _write_windows),
    # What transforms read, and windows were written into, is chosen element by element.
    ("select_windows", _select_windows),
    # Loops over stencils of large arrays take several steps in each iteration.
    ("block_in_time", _block_in_time),
    # Every step of a plan gets operands that it can take: copies are explicit from here on.
    ("legalize", lambda graph, walk, decide, limits: legalize(graph, walk, limits, decide)),
    # Extents of small windows that a kernel multiplies with an image near it are plain ints, and guarded.
    ("fix_windows", _fix_windows),
)


Verify = Callable[[Sequence[Node], str], None]


def run_passes(
    outputs: Sequence[Node], decide: Decide, verify: Verify | None = None, limits: Limits = NO_LIMITS
) -> tuple[Node, ...]:
    """Symbolized outputs made ready for fusion; `verify` looks at them after each pass and gets its name."""
    walk = Walk(outputs)
    for name, run in PASSES:
        nodes = run(Graph(), walk, decide, limits)
        if verify is not None:
            verify(nodes, name)
        if nodes != walk.outputs:  # passes in turn may find nothing to do
            walk = Walk(nodes)
    return walk.outputs
