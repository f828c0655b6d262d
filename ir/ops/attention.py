"""Attention: weighted sums of values, with weights that are the softmax of scores of queries and keys.

Its operands are q[b, k, g, t, d], keys[b, k, s, d] and values[b, k, s, e]: of each of k heads of keys, g
heads of queries. The scores are q @ keys.T * scale, plus a mask of floats [b, k, g, t, s], or -inf where a
mask of bools does not hold. A query whose position is p sees keys up to position p (`causal`), of these the
last `width` ones; the queries are at the positions from `first` on. One that sees none has zeros. The
result, [b, k, g, t, e], is read through `item`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..index import view_of
from ..node import Attributes, Given, Inferred, Node, Op
from ..structure import Axes, Ranks, Structural
from ..types import BOOL, I32, I64
from .reduction import accumulator

Array = Any


def scalars_of(node: Node) -> tuple[Node, ...]:
    """Returns the scale, and where it is causal the position of the first query and the width of the
    window."""
    return node.inputs[3:6] if node.attribute("causal") else node.inputs[3:4]


def mask_of(node: Node) -> Node | None:
    return node.inputs[-1] if node.attribute("masked") else None


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    causal, masked = attributes
    q, keys, values, scale = inputs[:4]
    assert len(inputs) == 4 + 2 * bool(causal) + bool(masked), inputs
    b, k, g, t, d = q.shape
    assert keys.shape[:2] == (b, k) and keys.shape[3] == d and values.shape[:3] == keys.shape[:3], inputs
    assert q.dtype is keys.dtype is values.dtype and q.dtype.is_float, inputs
    assert scale.dtype is accumulator(q.dtype) and not scale.shape, inputs
    if causal:
        assert all(node.dtype in (I32, I64) and not node.shape for node in inputs[4:6]), inputs
    if masked:
        assert inputs[-1].shape == (b, k, g, t, keys.shape[2]), inputs
        assert inputs[-1].dtype in (BOOL, scale.dtype), inputs
    return (), BOOL


def _results(node: Node) -> list[Inferred]:
    q, values = node.inputs[0], node.inputs[2]
    return [((*q.shape[:-1], values.shape[-1]), q.dtype)]


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    b, k, g, t, d = sources[0]
    axes.unify((b, k, sources[1][2], d), sources[1])
    axes.unify((*sources[1][:3], sources[2][3]), sources[2])
    if node.attribute("masked"):
        axes.unify((b, k, g, t, sources[1][2]), sources[-1])
    axes.results[node] = [(b, k, g, t, sources[2][3])]
    return node.attributes, ()


def _value(inputs: list[Array], attributes: Given, node: Node) -> list[Array]:
    causal, masked = attributes
    wide = accumulator(node.inputs[0].dtype).numpy_name
    q, keys, values = (each.astype(wide) for each in inputs[:3])
    with numpy.errstate(all="ignore"):
        scores = q @ keys[:, :, None].swapaxes(-1, -2) * inputs[3]
        if masked and inputs[-1].dtype == bool:
            scores = numpy.where(inputs[-1], scores, -numpy.inf)
        elif masked:
            scores = scores + inputs[-1]
        if causal:
            place = int(inputs[4]) + numpy.arange(q.shape[3])[:, None] - numpy.arange(keys.shape[2])
            scores = numpy.where((place >= 0) & (place < int(inputs[5])), scores, -numpy.inf)
        top = scores.max(-1, initial=-numpy.inf, keepdims=True)
        weights = numpy.exp(scores - numpy.where(top == -numpy.inf, 0, top))
        total = weights.sum(-1, keepdims=True)
        weights = weights / numpy.where(total == 0, 1, total)
        return [(weights @ values[:, :, None]).astype(node.inputs[0].dtype.numpy_name)]


def _memory_operands(node: Node) -> tuple[Node, ...]:
    arrays = (*node.inputs[:3], *node.inputs[6 if node.attribute("causal") else 4 :])
    operands = (each for each in scalars_of(node) if each.op.source in ("inputs", "array"))
    return (*(view_of(array)[0] for array in arrays), *operands)


def _formula(_node: Node, inputs: list[str]) -> str:
    return f"attention({', '.join(inputs)})"


attention = Op(
    "attention",
    "control",
    _infer,
    _value,
    ("causal", "masked"),
    _structure,
    results=_results,
    formula=_formula,
    memory_operands=_memory_operands,
    kinds=frozenset(("bool", "int", "float")),
    title="attention",
    launches=True,
    views=True,
)

OPS = (attention,)
