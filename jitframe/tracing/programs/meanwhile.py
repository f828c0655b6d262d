"""Background compilation of long programs while Python answers the first call: compilation takes seconds
where Python takes milliseconds. Later calls wait for it, so that no result depends on its duration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...base.collector import without_collections
from ...compilation.evaluate import Ready
from ...compilation.pending import Pending, compiles_in_background, make_in_background
from ...functions.integer_ranges import known_number
from ...ir.node import Graph, Node, Region, topological

LONG = 500
"""The least operations of a long program: they take about half a second to compile."""
COMPILING_NS = 1_000_000
"""The time to compile an operation."""
OPERATION_NS = 5_000
"""The time of an operation in Python."""
ELEMENT_NS = 2
"""The additional time for each element of its result."""
SOONER = 4
"""Python answers where it is estimated to be so many times faster."""


def make_behind(
    make: Callable[[], Ready], outputs: Sequence[Node], inputs: int | None, graph: Graph | None
) -> Pending | None:
    """Makes a plan in the background; None, without beginning, where calls have to wait for it: it is fast to
    make, or nothing else answers them sooner.

    `inputs`: the number of parameters of a graph that may run op by op; `graph`: that of a program which
    Python may answer.
    """
    pending = None if inputs is None else make_in_background(make, outputs, inputs)
    if pending is None and graph is not None and compiles_in_background() and _is_long(graph, outputs):
        pending = Pending(partial(without_collections, make), None)
    return pending


def _is_long(graph: Graph, outputs: Sequence[Node]) -> bool:
    """Whether the plan of a program takes long to make, and Python far less to run it."""
    found = _work(graph, outputs)
    if found is None:
        return False
    operations, python_ns = found
    return operations >= LONG and python_ns * SOONER <= operations * COMPILING_NS


def _work(graph: Graph, results: Sequence[Node]) -> tuple[int, int] | None:
    """Returns the number of a program's operations, and their estimated time in Python; None where a loop's
    number of iterations is unknown."""
    operations = python_ns = 0
    for node in topological(results):
        if not node.inputs or node.op.family == "item":
            continue
        operations += 1
        regions = [attribute for attribute in node.attributes if isinstance(attribute, Region)]
        if not regions:
            python_ns += OPERATION_NS + ELEMENT_NS * node.size
            continue
        times = _times(graph, node)
        if times is None:
            return None
        for region in regions:
            inner = _work(region.graph, region.results)
            if inner is None:
                return None
            operations += inner[0]
            python_ns += inner[1] * times
    return operations, python_ns


def _times(graph: Graph, node: Node) -> int | None:
    """Returns how often a node's regions run; None where values decide."""
    if node.op.family != "control":
        return node.size  # functions of elements
    if not node.op.carries:
        return 1  # branches
    bounds = [known_number(graph, bound) for bound in node.inputs[: node.op.bounds]]
    if len(bounds) != 2 or None in bounds:
        return None
    return max(0, int(bounds[1]) - int(bounds[0]))
