"""Simplification: what can be left out or said shorter without changing one bit of any result."""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..node import Graph, Node, Op
from ..rewrite import LawTable, Rule, rewrite
from . import movement_rules
from .fold_constants import fold_constants, sink_scalars
from .laws import LAWS

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
