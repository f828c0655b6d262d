"""Sorts as plan steps. Rows are sorted each by itself; how depends on their length and on the machine.

*Short rows* (`ranks`): each element counts how many come before it, and goes there.
*A processor* (`radix`): by one digit of the keys after another, in the cache for each row, or in chunks.
*Many lanes* (`merge`): tiles by counting, in shared memory; then runs are merged, two by two.

All of them keep equal elements in their order. They compare integers of the elements' order (`order`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import less
from ....ir.node import Node
from .rows import Rows

if TYPE_CHECKING:
    from ..program import Lowering, Scope

SHORT, SHORT_OF_WIDE = 96, 128
"""Elements of a row in which counting is quicker than all else, on a processor: of keys of 32 bits and less,
and of 64."""
SHORT_ON_LANES = 256
"""The same where every element has a lane."""


def lower_sort(lowering: Lowering, node: Node, scope: Scope, positions: bool) -> None:
    assert node.op.results is not None
    ((_, dtype),) = node.op.results(node)
    rows = Rows(lowering, node.inputs[0], scope, dtype, bool(node.attribute("descending")), positions)
    on_lanes = lowering.machine.lanes > 1
    short = SHORT_OF_WIDE if rows.order.bits == 64 else SHORT
    if lowering.decide(less(rows.length, SHORT_ON_LANES if on_lanes else short)):
        from .ranks import sort_short_rows as write
    elif on_lanes:
        from .merge import sort_by_merging as write
    else:
        from .radix import sort_by_digits as write
    write(rows)
    scope.tuples[node] = [rows.result]


ops.sort.defines("lower")(partial(lower_sort, positions=False))
ops.argsort.defines("lower")(partial(lower_sort, positions=True))
