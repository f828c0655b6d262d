"""Simplification: what can be left out or said shorter without changing one bit of any result.

Constants are folded: an elementwise op of constants is a constant, computed by the op's NumPy reference.
Numbers that come from sizes are run-time scalars, never constants, so no size is folded into a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from .. import ops
from ..node import Graph, Node, Op
from ..rewrite import LawTable, Rewriter, Rule, rewrite
from ..types import Bits
from . import movement_rules
from .laws import LAWS


def fold_constants(rewriter: Rewriter, node: Node) -> Node | None:
    """op(constants) -> constant, exact; a float that no integer dtype value stands for stays unconverted."""
    arrays = []
    for source in node.inputs:
        if source.op.source != "constant":
            return None
        bits: Bits = source.attributes[0]
        arrays.append(numpy.asarray(bits.value, source.dtype.numpy_name))
    if node.op is ops.bitcast or not _converts(arrays[-1], node):
        return None
    value = node.op.reference(arrays, node.attributes, node)
    return rewriter.graph.constant(value.item(), node.dtype)


def _converts(array: numpy.ndarray, node: Node) -> bool:
    """Whether what a cast does to a value does not depend on the processor."""
    if not node.inputs[0].dtype.is_float or not node.dtype.is_integer:
        return True
    limits = numpy.iinfo(node.dtype.numpy_name)
    value = float(array)
    return limits.min <= value < limits.max


def sink_scalars(rewriter: Rewriter, node: Node) -> Node | None:
    """op(broadcast(x), broadcast(y)) of rank-0 x and y -> broadcast(op(x, y)), exact."""
    inputs = []
    for source in node.inputs:
        if not source.op.repeats or source.inputs[0].shape:
            return None
        inputs.append(source.inputs[0])
    made = rewriter.make(node.op, *inputs, attributes=node.attributes)
    return rewriter.broadcast(made, node.shape, ())


_OWN: dict[Op, tuple[Rule, ...]] = {
    ops.permute: (movement_rules.permute,),
    ops.broadcast: (movement_rules.broadcast,),
    ops.slice_: (movement_rules.slice_,),
    ops.wrap: (movement_rules.wrap,),
    ops.reshape: (movement_rules.reshape,),
    ops.copy: (movement_rules.copy,),
    ops.update: (movement_rules.update,),
    ops.reduce: (movement_rules.reduce,),
    ops.cast: (movement_rules.cast, fold_constants, sink_scalars),
    ops.bitcast: (movement_rules.bitcast,),
}
RULES: dict[Op, tuple[Rule, ...]] = {
    **{op: (fold_constants, sink_scalars) for op in ops.OPS.values() if op.family == "elementwise"},
    **_OWN,
}
TABLE = LawTable(LAWS)


def simplify(graph: Graph, outputs: Sequence[Node]) -> tuple[Node, ...]:
    """The same outputs in the form that no law or rule changes any more; exact."""
    return rewrite(graph, outputs, TABLE, RULES)
