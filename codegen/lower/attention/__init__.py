"""Attention as plan steps that never store the scores: blocks of keys, with an online softmax over the
blocks.

*A processor*, many queries (`tiles`): the keys are packed in blocks, transposed; a workgroup takes a tile of
queries through all blocks that they attend to. *Few queries* (`few_queries`), as when a token is added to a
cache: a workgroup takes one. *Lanes* (`lanes`): a workgroup takes a few queries; its lanes compute the scores
and the elements of the result.

Each query keeps its largest score so far, the sum of exponentials and the weighted sum of values, which are
rescaled where the largest score grows. After M. Milakov, N. Gimelshein, Online normalizer calculation for
softmax (2018), and T. Dao and others, FlashAttention (2022).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import less
from ....ir.node import Node

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

FEW = 8
"""Below so many queries of a head, tiles of queries would be mostly empty."""


@ops.attention.defines("lower")
def lower_attention(lowering: Lowering, node: Node, scope: Scope) -> None:
    from .operands import Attention  # 7 ms with the kernels, and few programs use attention

    attention = Attention(lowering, node, scope)
    if lowering.machine.lanes > 1:
        from .lanes import attend_on_lanes as write
    elif lowering.decide(less(attention.queries, FEW)):
        from .few_queries import attend_one_by_one as write
    else:
        from .tiles import attend_in_tiles as write
    write(attention)
    scope.tuples[node] = [attention.result]
