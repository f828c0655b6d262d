"""Matrix products with a prepacked right operand, for loops that multiply by it many times.

`panels` is that operand, in memory in the order in which `panel_dot` reads it, which is its only user.
"""

from __future__ import annotations

from typing import Any

from ..index import view_of
from ..node import Attributes, Inferred, Node, Op
from ..record import replace
from ..structure import Axes, Ranks, Structural
from ..types import BOOL
from .elementwise import REAL
from .reduction import packed_dot

Array = Any


def _infer(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    (matrix,) = inputs
    assert len(matrix.shape) == 2, inputs
    return (), BOOL


def _value(inputs: list[Array], _attributes: Attributes, _node: Node) -> list[Array]:
    return inputs


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    axes.results[node] = [sources[0]]
    return (), ()


def _results(node: Node) -> list[Inferred]:
    return [(node.inputs[0].shape, node.inputs[0].dtype)]


def _memory_operands(node: Node) -> tuple[Node, ...]:
    return (view_of(node.inputs[0])[0],)


def _formula(_node: Node, inputs: list[str]) -> str:
    return f"packed({inputs[0]})"


# panels(y[inner, columns]), read through `item`.
panels = Op(
    "panels",
    "control",
    _infer,
    _value,
    structure=_structure,
    results=_results,
    formula=_formula,
    memory_operands=_memory_operands,
    kinds=REAL,
    title="packing of a matrix",
    launches=True,
    views=True,
)
# packed_dot(x, y) whose y is such an item.
panel_dot = replace(packed_dot, name="panel_dot", in_panels=True)

OPS = (panels, panel_dot)
