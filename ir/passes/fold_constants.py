"""Constants folded: an elementwise op of constants is a constant, computed by the op's NumPy reference.

Numbers that come from sizes are run-time scalars, never constants, so no size is folded into a kernel.
"""

from __future__ import annotations

import numpy

from ..node import Bits, Node
from ..rewrite import Rewriter


def fold_constants(rewriter: Rewriter, node: Node) -> Node | None:
    """op(constants) -> constant, exact; a float that no integer dtype value stands for stays unconverted."""
    arrays = []
    for source in node.inputs:
        if source.op.name != "constant":
            return None
        bits = source.attributes[0]
        assert isinstance(bits, Bits)
        arrays.append(numpy.asarray(bits.value, source.dtype.numpy_name))
    if node.op.name == "bitcast" or not _converts(arrays[-1], node):
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
        if source.op.name != "broadcast" or source.inputs[0].shape:
            return None
        inputs.append(source.inputs[0])
    made = rewriter.make(node.op, *inputs, attributes=node.attributes)
    return rewriter.broadcast(made, node.shape, ())
