"""Discrete Fourier transforms of rows as kernels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ....ir.expr import Expr, equal, lift, product
from ....ir.node import Node
from ....ir.ops import fourier
from ....ir.types import DType
from ..library_calls import lower_library_call
from ..writer import Memory

if TYPE_CHECKING:
    from ..program import Lowering, Scope

MOST = 8192
"""Points of a row that stays in the cache with all that is made of it."""


class Transform:
    """The transform being lowered."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope, kind: fourier.Kind) -> None:
        self.lowering, self.scope = lowering, scope
        assert node.op.results is not None
        ((shape, dtype),) = node.op.results(node)
        *stack, points, _ = node.inputs[0].shape
        self.rows: Expr = product(map(lift, stack))
        self.points = int(points)
        self.dtype: DType = dtype
        self.source: Memory = scope.memories[node.inputs[0]]
        self.result: Memory = lowering.allocate(tuple(map(lift, shape)), dtype, scope)
        self.backward, self.scale = kind.backward, kind.scale(self.points)


def lower_complex(kind: fourier.Kind, lowering: Lowering, node: Node, scope: Scope) -> None:
    """The number of points becomes part of what a plan is for."""
    from .factors import radices_of

    points = node.inputs[0].shape[-2]
    known = lowering.decide(equal(lift(points), int(points)))
    if known and lowering.machine.is_host and radices_of(int(points)) and int(points) <= MOST:
        from .rows import transform_rows  # few programs transform

        transform = Transform(lowering, node, scope, kind)
        transform_rows(transform)
        scope.tuples[node] = [transform.result]
    else:
        lower_library_call(lowering, node, scope)


for _kind in (*fourier.fft.values(), *fourier.ifft.values()):
    _kind.op.defines("lower")(partial(lower_complex, _kind))
for _kind in (*fourier.rfft.values(), *fourier.irfft_even.values(), *fourier.irfft_odd.values()):
    _kind.op.defines("lower")(lower_library_call)
