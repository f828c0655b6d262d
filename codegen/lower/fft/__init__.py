"""Discrete Fourier transforms of rows as kernels.

*A processor*: a workgroup takes whole rows (`rows`), of which short ones go side by side (`short_rows`); long
ones go by the columns of a matrix (`four_step`). Reals are half as many complex numbers (`real_rows`). All of
them consist of passes (`stages`) over groups of a few points (`butterflies`); where a prime factor is large,
of passes over more points (`chirp`).

*Many lanes*: a workgroup takes a row of complex numbers that its shared memory holds (`lanes`).

What else there is, is NumPy's function: longer rows and reals on other devices, long rows of reals or with a
large factor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ....ir.expr import Expr, equal, less, lift, product
from ....ir.node import Node
from ....ir.ops import fourier
from ....ir.ops.linear_algebra import PARTS
from ..library_calls import lower_library_call
from ..writer import Memory

if TYPE_CHECKING:
    from ..program import Lowering, Scope

MOST = 8192
"""Points of a row that stays in the cache with all that is made of it."""
SHORTEST, SHORT = 8, 128
"""Points of rows that are transformed side by side, where there are enough of them."""
SHORT_OF_LARGE_FACTORS = 64
"""The same where prime factors are large; of so many short rows of reals NumPy's transforms are faster."""


class Transform:
    """The transform being lowered."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope, kind: fourier.Kind) -> None:
        self.lowering, self.scope = lowering, scope
        shape = node.inputs[0].shape
        self.rows: Expr = product(map(lift, shape[: -2 if _has_parts(node) else -1]))
        self.points, self.reals = kind.complex_points(node), kind.reals(node)
        """Of a row of complex numbers, or of reals; the other one is 0."""
        assert node.op.results is not None
        ((self._shape, self.dtype),) = node.op.results(node)
        self.source: Memory = scope.memories[node.inputs[0]]
        self.backward, self.scale = kind.backward, kind.scale(self.reals or self.points)

    def allocate(self) -> None:
        self.result: Memory = self.lowering.allocate(tuple(map(lift, self._shape)), self.dtype, self.scope)


def _has_parts(node: Node) -> bool:
    return bool(node.op.library.operands[0].endswith(PARTS))


def _lower(kind: fourier.Kind, lowering: Lowering, node: Node, scope: Scope) -> None:
    """The number of points becomes part of what a plan is for."""
    points = node.inputs[0].shape[-2 if _has_parts(node) else -1]
    write = None
    if lowering.decide(equal(lift(points), int(points))):
        transform = Transform(lowering, node, scope, kind)
        write = _writer(transform)
    if write is None:
        lower_library_call(lowering, node, scope)
        return
    transform.allocate()
    write(transform)
    scope.tuples[node] = [transform.result]


def _writer(transform: Transform) -> Callable[[Transform], None] | None:
    """What writes the kernels, if anything does."""
    from . import (  # few programs transform
        chirp,
        factors,
        four_step,
        lanes,
        real_rows,
        rows,
        short_rows,
        tiles,
    )

    lowering, reals = transform.lowering, transform.reals
    points = transform.points or (reals if reals % 2 else reals // 2)
    small_factors = bool(factors.radices_of(points))
    if not lowering.machine.is_host:
        fits = lanes.shared_bytes_of(transform) <= lowering.machine.shared_bytes
        on_lanes = lowering.machine.lanes > 1 and small_factors and fits and not reals
        return lanes.transform_on_lanes if on_lanes else None
    fits = (points if small_factors else chirp.convolved_points(points)) <= MOST
    short = points <= (SHORT if small_factors else SHORT_OF_LARGE_FACTORS)
    many = short and lowering.decide(less(tiles.lanes_of(transform.dtype) - 1, transform.rows))
    if reals:
        written = real_rows.transform_to_reals if transform.backward else real_rows.transform_reals
        return written if fits and (small_factors or not many) else None
    if not fits:
        return four_step.transform_long_rows if four_step.sides_of(points) else None
    return short_rows.transform_short_rows if many and points >= SHORTEST else rows.transform_rows


for _kind in fourier.KINDS:
    _kind.op.defines("lower")(partial(_lower, _kind))
