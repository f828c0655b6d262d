"""Discrete Fourier transforms along an axis as kernels.

*A processor*: a workgroup takes whole rows (`rows`), of which short ones go side by side (`short_rows`); long
ones go by the columns of a matrix (`four_step`). Reals are half as many complex numbers (`real_rows`).
Columns go side by side (`columns`), or are made rows first (`transposed`). All of them consist of passes
(`stages`) over groups of a few points (`butterflies`); where a prime factor is large, of passes over more
points (`chirp`). Long rows of reals (`long_reals`) and those with large factors (`long_chirp`) are what
kernels make of long complex ones.

*Many lanes*: a workgroup takes a row or a column of complex numbers that its shared memory holds (`lanes`).

What else there is, is NumPy's function: longer rows and reals on other devices, and millions of points where
the factors do not make a matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ....ir.expr import ONE, Expr, equal, less, lift, mul, product
from ....ir.node import Node
from ....ir.ops import fourier
from ..library_calls import lower_library_call
from ..writer import Memory

if TYPE_CHECKING:
    from ..program import Lowering, Scope

MOST = 8192
"""Points of a row that stays in the cache with all that is made of it."""
SHORTEST, SHORT = 8, 128
"""Points of rows that are transformed side by side, where there are enough of them."""


class Transform:
    """The transform being lowered."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope, kind: fourier.Kind) -> None:
        self.lowering, self.scope = lowering, scope
        parts, made_parts = 1 if kind.of_reals else 2, 1 if kind.parity is not None else 2
        given = node.inputs[0].shape[: len(node.inputs[0].shape) - parts + 1]
        points = kind.extent(node)
        self.rows: Expr = product(map(lift, given[: -2 if kind.columns else -1]))
        self.columns: Expr = lift(given[-1]) if kind.columns else ONE
        """What follows the axis: as many transforms lie side by side."""
        self.points, self.reals = kind.complex_points(node), kind.reals(node)
        """Of a row of complex numbers, or of reals; the other one is 0."""
        assert node.op.results is not None
        ((self._shape, self.dtype),) = node.op.results(node)
        made = int(self._shape[-made_parts - kind.columns])
        self.extents = (int(points), parts), (made, made_parts)
        """Points along the axis, and the parts of each: those that are given and those that are made."""
        self.source: Memory = scope.memories[node.inputs[0]]
        self.backward, self.scale = kind.backward, kind.scale(self.reals or self.points)

    def allocate(self) -> None:
        self.result: Memory = self.lowering.allocate(tuple(map(lift, self._shape)), self.dtype, self.scope)


def _lower(kind: fourier.Kind, lowering: Lowering, node: Node, scope: Scope) -> None:
    """The number of points becomes part of what a plan is for."""
    points = kind.extent(node)
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


Write = Callable[[Transform], None]


def _writer(transform: Transform) -> Write | None:
    """What writes the kernels, if anything does."""
    from . import columns, factors, lanes, transposed  # few programs transform

    lowering, reals = transform.lowering, transform.reals
    radices = factors.radices_of(transform.points or (reals if reals % 2 else reals // 2 or 1))
    small_factors = bool(radices)
    if not lowering.machine.is_host:
        fits = lanes.shared_bytes_of(transform) <= lowering.machine.shared_bytes
        few = small_factors and max(radices) <= lanes.LARGEST_FACTOR
        on_lanes = lowering.machine.lanes > 1 and fits and not reals and few
        return lanes.transform_on_lanes if on_lanes else None
    if not lowering.decide(less(1, transform.columns)):
        transform.rows = mul(transform.rows, transform.columns)  # there may be none
        return _writer_of_rows(transform, transform.rows, small_factors)
    if columns.stay_in_cache(transform) and _fill_lanes(transform, transform.columns):
        return columns.transform_columns
    write = _writer_of_rows(transform, mul(transform.rows, transform.columns), small_factors)
    return partial(transposed.transform_transposed, write=write) if write else None


def _writer_of_rows(transform: Transform, rows: Expr, small_factors: bool) -> Write | None:
    from . import chirp, four_step, long_chirp, long_reals, real_rows, short_rows
    from . import rows as single_rows

    reals = transform.reals
    points = transform.points or (reals if reals % 2 else reals // 2)
    fits = (points if small_factors else chirp.convolved_points(points)) <= MOST
    many = points <= SHORT and _fill_lanes(transform, rows)
    if reals and fits:
        side_by_side = many and points > 1
        if transform.backward:
            return short_rows.transform_to_reals if side_by_side else real_rows.transform_to_reals
        return short_rows.transform_reals if side_by_side else real_rows.transform_reals
    if not fits:
        long_rows: Write | None = None
        if four_step.sides_of(points):
            long_rows = four_step.transform_long_rows
        elif points <= long_chirp.MOST_POINTS:
            long_rows = partial(long_chirp.transform_long_chirp, write=four_step.transform_long_rows)
        return partial(long_reals.transform_long_reals, write=long_rows) if reals and long_rows else long_rows
    return short_rows.transform_short_rows if many and points >= SHORTEST else single_rows.transform_rows


def _fill_lanes(transform: Transform, count: Expr) -> bool:
    from .tiles import lanes_of

    return transform.lowering.decide(less(lanes_of(transform.dtype) - 1, count))


for _kind in fourier.KINDS:
    _kind.op.defines("lower")(partial(_lower, _kind))
