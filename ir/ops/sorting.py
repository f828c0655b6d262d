"""Sorts along the last axis: the elements themselves, or their positions. Each is read through `item`.

NaN comes after every number, -0.0 equals 0.0. `descending` is that order reversed, so that NaN comes first.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op
from ..structure import Axes, Ranks, Structural
from ..types import BOOL, I32, I64
from .elementwise import REAL
from .formulas import sort_formula

Array = Any


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (source,) = inputs
    assert source.shape and not source.dtype.is_complex and isinstance(attributes[0], bool), (
        inputs,
        attributes,
    )
    assert len(attributes) == 1 or attributes[1] in (I32, I64), attributes
    return (), BOOL


def _sorted_elements(node: Node) -> list[Inferred]:
    return [(node.inputs[0].shape, node.inputs[0].dtype)]


def _positions(node: Node) -> list[Inferred]:
    return [(node.inputs[0].shape, node.attribute("dtype"))]


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    axes.results[node] = [sources[0]]
    return node.attributes, ()


def _order(x: Array, descending: bool) -> Array:
    """The positions, equal elements in their order."""
    x = x.astype("float32") if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x
    if not descending:
        return numpy.argsort(x, axis=-1, kind="stable")
    return x.shape[-1] - 1 - numpy.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def _sort_value(inputs: list[Array], attributes: Given, _node: Node) -> list[Array]:
    (x,) = inputs
    return [numpy.take_along_axis(x, _order(x, attributes[0]), axis=-1)]


def _argsort_value(inputs: list[Array], attributes: Given, _node: Node) -> list[Array]:
    descending, dtype = attributes
    return [_order(inputs[0], descending).astype(dtype.numpy_name)]


def _all_operands(node: Node) -> tuple[Node, ...]:
    return node.inputs


# sort(x): which of 0.0 and -0.0 comes first is not said, nor which NaN of several.
sort = Op(
    "sort",
    "control",
    _infer,
    _sort_value,
    ("descending",),
    _structure,
    results=_sorted_elements,
    formula=sort_formula,
    memory_operands=_all_operands,
    kinds=REAL,
    title="sort",
    launches=True,
)
# argsort(x): positions of the sorted elements, equal ones in their order.
argsort = Op(
    "argsort",
    "control",
    _infer,
    _argsort_value,
    ("descending", "dtype"),
    _structure,
    results=_positions,
    formula=sort_formula,
    memory_operands=_all_operands,
    kinds=REAL,
    title="sort",
    launches=True,
)

OPS = (sort, argsort)
