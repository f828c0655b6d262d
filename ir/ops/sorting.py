"""Sorts and selections along the last axis: elements, or their positions. Each is read through `item`.

NaN comes after every number, -0.0 equals 0.0. `descending` is that order reversed, so that NaN comes first.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op
from ..structure import Axes, Ranks, Structural
from ..types import BOOL, I32, I64
from .elementwise import REAL
from .formulas import ranked_formula, sort_formula

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
    """Returns the positions, equal elements in their order."""
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


def _op(name: str, infer: Any, value: Any, attributes: tuple[str, ...], structure: Any, **given: Any) -> Op:
    """Makes an op whose operands are read from memory, by launches of its own."""
    return Op(
        name, "control", infer, value, attributes, structure, memory_operands=lambda node: node.inputs,
        kinds=REAL, launches=True, **given,
    )  # fmt: skip


# sort(x): which of 0.0 and -0.0 comes first is not said, nor which NaN of several.
sort = _op(
    "sort",
    _infer,
    _sort_value,
    ("descending",),
    _structure,
    results=_sorted_elements,
    formula=sort_formula,
    title="sort",
)
# argsort(x): positions of the sorted elements, equal ones in their order.
argsort = _op(
    "argsort",
    _infer,
    _argsort_value,
    ("descending", "dtype"),
    _structure,
    results=_positions,
    formula=sort_formula,
    title="sort",
)


def _infer_ranked(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    source, ranks = inputs
    assert source.shape and not source.dtype.is_complex and ranks.dtype in (I32, I64), inputs
    assert ranks.shape[:-1] == source.shape[:-1] and not attributes, (inputs, attributes)
    return (), BOOL


def _of_ranks(node: Node) -> list[Inferred]:
    return [(node.inputs[1].shape, node.inputs[0].dtype)] * 2


def _ranked_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    source, ranks = sources
    axes.unify(source[:-1], ranks[:-1])
    axes.results[node] = [ranks, ranks]
    return (), ()


def _ranked_value(inputs: list[Array], _attributes: Given, _node: Node) -> list[Array]:
    x, ranks = inputs
    ordered = numpy.take_along_axis(x, _order(x, descending=False), axis=-1)
    after = numpy.minimum(ranks + 1, x.shape[-1] - 1)
    return [numpy.take_along_axis(ordered, each, axis=-1) for each in (ranks, after)]


# order_statistics(x, ranks): the elements of each row that sorting puts at these positions, and those that it
# puts behind them, the last one where there is none. The positions are in range.
order_statistics = _op(
    "order_statistics",
    _infer_ranked,
    _ranked_value,
    (),
    _ranked_structure,
    results=_of_ranks,
    formula=ranked_formula,
    title="order statistics",
)


def _infer_partition(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    source, pivots = inputs
    descending, dtype = attributes
    assert source.shape and not source.dtype.is_complex and isinstance(descending, bool), (inputs, attributes)
    assert pivots.dtype is source.dtype and pivots.shape == source.shape[:-1], inputs
    assert dtype in (None, I32, I64), attributes
    return (), BOOL


def _partitioned(node: Node) -> list[Inferred]:
    return [(node.inputs[0].shape, node.attribute("dtype") or node.inputs[0].dtype)]


def _partition_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    source, pivots = sources
    axes.unify(source[:-1], pivots)
    axes.results[node] = [source]
    return node.attributes, ()


def _partition_value(inputs: list[Array], attributes: Given, _node: Node) -> list[Array]:
    descending, dtype = attributes
    x, pivots = (each.astype("float32") if each.dtype.kind == "V" else each for each in inputs)
    pivots = pivots[..., None]
    with numpy.errstate(invalid="ignore"):
        equal = (x == pivots) | ((x != x) & (pivots != pivots))
        less = (x < pivots) | ((pivots != pivots) & (x == x))
    kind = numpy.where(equal, 1, numpy.where(less, 2 * descending, 2 - 2 * descending))
    order = numpy.argsort(kind, axis=-1, kind="stable")
    if dtype is not None:
        return [order.astype(dtype.numpy_name)]
    return [numpy.take_along_axis(inputs[0], order, axis=-1)]


# partition(x, pivots): of each row the elements that come before the row's pivot, those equal to it, and
# those that come after it, each in their order; or their positions, of `dtype`.
partition = _op(
    "partition",
    _infer_partition,
    _partition_value,
    ("descending", "dtype"),
    _partition_structure,
    results=_partitioned,
    formula=ranked_formula,
    title="partition",
)

OPS = (sort, argsort, order_statistics, partition)
