"""Sorts and selections as plan steps. Each row is sorted separately; the algorithm depends on its length and
on the machine.

*Many short rows on a processor* (`network`): in the lanes of vectors, by a sorting network. *Short rows*
(`ranks`): each element counts those before it, and moves to that place. *A processor*: by one digit of
the keys after another (`radix`), in the cache for each row, or in chunks; where its vectors append chosen
elements, by pivots (`quicksort`). *Many lanes* (`merge`): tiles by counting,
in shared memory; then runs are merged, two by two. Elements at given positions are selected (`select`) on a
processor where rows are not short, else taken from sorted rows; a partition counts the elements on either
side of a pivot (`partition`).

Equal elements keep their order. Comparisons are of integers in the elements' order (`order`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import less, lift
from ....ir.node import Node
from .order import Order
from .rows import Rows
from .words import Words

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

SHORT, SHORT_OF_WIDE = 96, 128
"""The most elements of a row for which counting is the fastest sort on a processor: of keys of 32 bits and
less, and of 64."""
MANY, MOST_IN_NETWORK = 8, 512
"""The least rows, and the most elements of a row, that are sorted in the lanes of vectors."""
SHORT_ON_LANES = 256
"""The same limit where every element has a lane."""


def lower_sort(lowering: Lowering, node: Node, scope: Scope, positions: bool) -> None:
    assert node.op.results is not None
    ((_, dtype),) = node.op.results(node)
    rows = Rows(lowering, node.inputs[0], scope, dtype, bool(node.attribute("descending")), positions)
    _sort(rows)
    scope.tuples[node] = [rows.result]


def _is_short(rows: Rows) -> bool:
    short = SHORT_OF_WIDE if rows.order.bits == 64 else SHORT
    return rows.decide(less(rows.length, SHORT_ON_LANES if rows.machine.lanes > 1 else short))


def _are_many(rows: Rows) -> bool:
    """Whether rows fill the lanes of vectors, on a processor."""
    return (
        rows.machine.lanes == 1
        and not (rows.positions and rows.order.bits == 64)
        and rows.decide(less(rows.length, MOST_IN_NETWORK + 1))
        and not rows.decide(less(rows.count, MANY))
    )


def _sort(rows: Rows) -> None:
    if _are_many(rows):
        from .network import sort_many_rows as write  # one of four, that take 8 ms together
    elif _is_short(rows):
        from .ranks import sort_short_rows as write
    elif rows.machine.lanes > 1:
        from .merge import sort_by_merging as write
    else:
        _sort_on_processor(rows)
        return
    write(rows)


def _sort_on_processor(rows: Rows) -> None:
    """Sorts by pivots where the processor splits vectors of words; else by digits."""
    words = Words(rows)
    if words.are_split:
        from .quicksort import sort_by_pivots as write
    else:
        from .radix import sort_by_digits as write
    write(rows, words)


@ops.order_statistics.defines("lower")
def lower_order_statistics(lowering: Lowering, node: Node, scope: Scope) -> None:
    from .select import Selection, take_sorted

    source, ranks = node.inputs
    rows = Rows(lowering, source, scope, source.dtype, descending=False, positions=False)
    shape = tuple(map(lift, ranks.shape))
    results = [lowering.allocate(shape, source.dtype, scope) for _ in range(2)]
    if rows.machine.lanes > 1 or _is_short(rows) or _are_many(rows):
        _sort(rows)
        take_sorted(rows, scope.memories[ranks], shape[-1], results)
    else:
        Selection(rows, scope.memories[ranks], shape[-1], results).select()
    scope.tuples[node] = results


@ops.partition.defines("lower")
def lower_partition(lowering: Lowering, node: Node, scope: Scope) -> None:
    from .partition import Partition

    (source, pivots), dtype = node.inputs, node.attribute("dtype")
    descending = bool(node.attribute("descending"))
    rows = Rows(lowering, source, scope, dtype or source.dtype, descending, positions=dtype is not None)
    rows.order = Order(source.dtype, descending, equal_zeros=True)
    Partition(rows, scope.memories[pivots]).write()
    scope.tuples[node] = [rows.result]


ops.sort.defines("lower")(partial(lower_sort, positions=False))
ops.argsort.defines("lower")(partial(lower_sort, positions=True))
