"""Attention as plan steps that never store the scores: blocks of keys, and a softmax that goes on from
block to block.

*A processor*, many queries (`tiles`): the keys are packed in blocks, transposed; a workgroup takes a tile
of queries through all blocks that these see. *Few queries* (`few_queries`), as when a token is added to a
cache: a workgroup takes one. *Lanes* (`lanes`): a workgroup takes a few queries, its lanes the scores and
the elements of the result.

All of them keep, for each query, the largest score so far, the sum of exponentials and the weighted sum of
values, which are scaled where the largest score grows. After M. Milakov, N. Gimelshein, Online normalizer
calculation for softmax (2018), and T. Dao and others, FlashAttention (2022).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import less
from ....ir.node import Node

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

FEW = 8
"""Queries of a head below which tiles of them would be mostly empty."""


@ops.attention.defines("lower")
def lower_attention(lowering: Lowering, node: Node, scope: Scope) -> None:
    from .operands import Attention  # 7 ms with the kernels, and few programs attend

    attention = Attention(lowering, node, scope)
    if lowering.machine.lanes > 1:
        from .lanes import attend_on_lanes as write
    elif lowering.decide(less(attention.queries, FEW)):
        from .few_queries import attend_one_by_one as write
    else:
        from .tiles import attend_in_tiles as write
    write(attention)
    scope.tuples[node] = [attention.result]
