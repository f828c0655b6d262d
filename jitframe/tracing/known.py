"""Values of a trace that follow from numbers and arrays made in it alone: they are known while tracing.

`np.arange(n) % 2 == 0` is the same at every call that this trace serves, so it may choose elements, give
counts or decide an `if`, as it does in NumPy. What depends on an argument, on an array that the function
reads, or on the turn of a loop has no value yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy

from ..ir.interpret import complete
from ..ir.node import Node

if TYPE_CHECKING:
    from .traced_frame import TraceFrame


def known_value(frame: TraceFrame, node: Node) -> numpy.ndarray | None:
    """The value of a node of the frame's graph, not to be written to; None where it has none yet."""
    if not is_known(node, frame.known, frame.unknown, frame.leaf_value):
        return None
    complete((node,), frame.known)
    value = numpy.asarray(frame.known[node]).view()
    value.flags.writeable = False
    return value


def is_known(
    node: Node,
    values: dict[Node, numpy.ndarray],
    unknown: set[Node],
    leaf_value: Callable[[Node], numpy.ndarray | None],
) -> bool:
    """Whether nothing that the node is computed from is unknown. Values of leaves are added to `values`,
    nodes that have none to `unknown`."""
    pending, seen = [node], {node}
    while pending:
        each = pending.pop()
        if each in values:
            continue
        family = each.op.family
        if each in unknown or family == "control":
            unknown.add(node)
            return False
        if family == "leaf" and each.op.source != "constant":
            value = leaf_value(each)
            if value is None:
                unknown.update((node, each))
                return False
            values[each] = value
            continue
        fresh = [source for source in each.inputs if source not in seen]
        seen.update(fresh)
        pending += fresh
    return True
