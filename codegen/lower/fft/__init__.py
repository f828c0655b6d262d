"""Discrete Fourier transforms along an axis as kernels.

*A processor*: a workgroup takes whole rows (`rows`), of which short ones go side by side (`short_rows`); long
ones, and few long columns, go by the columns of a matrix (`four_step`). Columns go side by side (`columns`),
or are made rows first (`transposed`). All of them consist of passes (`stages`) over groups of a few points
(`butterflies`). A prime factor from 41 to 127 has a pass that loops over its points (`looped`); with a larger
one a transform is a convolution, of passes over more points (`chirp`). Long rows of reals (`reals`) and those
of a large prime number of points (`long_chirp`) are what kernels make of long complex ones.

*Other devices*: launches of passes over as many points as a workgroup's memory holds (`lanes`), and around
these the same kernels for reals and for large factors.

Elementwise groups around transforms are computed in their kernels (`ends`), and transforms of the same rows
or columns that follow one another are one kernel, where a row stays in the cache (`chain`).

What else there is, is NumPy's function: millions of points where the factors do not make a matrix.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ....ir.expr import ONE, Expr, equal, less, lift, mul, product
from ....ir.node import Node
from ....ir.ops import fourier
from ....ir.record import record
from ...kernel.nodes import Value
from ..library_calls import lower_library_call
from ..writing.writer import Memory

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope
    from ..written_kernel import WrittenKernel
    from .ends import Pointwise

MOST = 8192
"""The most points of a row that stays in the cache with its intermediate results."""
SHORTEST, SHORT = 8, 128
"""The range of points of rows that are transformed together, in lanes, where there are enough of them."""


class Transform:
    """The transform being lowered."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope, kind: fourier.Kind) -> None:
        self.lowering, self.scope, self.node, self.kind = lowering, scope, node, kind
        parts, made_parts = 1 if kind.of_reals else 2, 1 if kind.parity is not None else 2
        given = node.inputs[0].shape[: len(node.inputs[0].shape) - parts + 1]
        points = kind.extent(node)
        self.batch: list[Expr] = list(map(lift, given[: -2 if kind.columns else -1]))
        self.rows: Expr = product(self.batch)
        self.columns: Expr = lift(given[-1]) if kind.columns else ONE
        """The number of columns after the axis, which are transformed together."""
        self.points, self.reals = kind.complex_points(node), kind.reals(node)
        """The points of a row of complex numbers, or of reals; the other one is 0."""
        assert node.op.results is not None
        ((self._shape, self.dtype),) = node.op.results(node)
        made = int(self._shape[-made_parts - kind.columns])
        self.extents = (int(points), parts), (made, made_parts)
        """The points along the axis, and the parts of each: those of the operand and of the result."""
        self.backward, self.scale = kind.backward, kind.scale(self.reals or self.points)
        of_reals = "reals" if self.reals % 2 else "pairs" if self.reals else "complex"
        self.modes = ("complex", of_reals) if self.backward else (of_reals, "complex")
        """The kinds of the operand's and the result's points: complex numbers, pairs of reals, or reals."""
        self.axis = -2 if kind.columns else -1
        self.roots = self.points or self.reals
        """The order of the roots of unity that contain those of all its kernels, on devices with tables of
        roots in memory."""
        self.source: Memory | None = None
        self.result: Memory | None = None
        self.prologue: Pointwise | None = None
        self.epilogue: Pointwise | None = None
        """The fused computations of the operand's points, and of stores from the result's."""

    def part(self, **fields: object) -> Transform:
        """Returns the same transform with some fields replaced."""
        transform = copy.copy(self)
        for name, value in fields.items():
            setattr(transform, name, value)
        return transform

    @property
    def row_points(self) -> int:
        """The points of the complex rows that are transformed."""
        return self.points or (self.reals if self.reals % 2 else self.reals // 2)

    @property
    def name(self) -> str:
        kind = "fft" if self.points else "irfft" if self.backward else "rfft"
        return f"{kind}_{self.points or self.reals}"

    def at(self, kernel: WrittenKernel, row: Value, k: Value, column: Value | None = None) -> list[Value]:
        """Returns the position on each axis of a point of a row; the axes in front have one linear index."""
        from .ends import positions

        there = [*positions(kernel, row, self.batch), k]
        if self.kind.columns:
            there.append(kernel.build.constant(0) if column is None else column)
        return there

    def allocate_source(self) -> None:
        """Allocates the operand's memory, where no prologue computes it."""
        if self.prologue is None:
            self.source = self.scope.memories[self.node.inputs[0]]

    def allocate_result(self) -> None:
        if self.epilogue is None:
            self.result = self.lowering.allocate(tuple(map(lift, self._shape)), self.dtype, self.scope)
            self.scope.tuples[self.node] = [self.result]


Write = Callable[[Sequence[Transform]], None]


class Schedule(metaclass=record):
    """The ways in which transforms are lowered."""

    write: Write
    """Lowers a sequence of transforms; a single one where they are not `joined`."""
    ends: bool = True
    """Whether its kernels have prologues and epilogues."""
    joined: str = ""
    """The common property of transforms that one kernel computes."""


def schedule_of(
    lowering: Lowering, node: Node, scope: Scope, kind: fourier.Kind
) -> tuple[Transform, Schedule] | None:
    """Chooses a schedule, by which the number of points becomes part of a plan's key. None: NumPy's
    function."""
    points = kind.extent(node)
    if not lowering.decide(equal(lift(points), int(points))):
        return None
    transform = Transform(lowering, node, scope, kind)
    schedule = _schedule(transform)
    return None if schedule is None else (transform, schedule)


def _lower(kind: fourier.Kind, lowering: Lowering, node: Node, scope: Scope) -> None:
    found = schedule_of(lowering, node, scope, kind)
    if found is None:
        lower_library_call(lowering, node, scope)
        return
    transform, schedule = found
    transform.allocate_source()
    transform.allocate_result()
    schedule.write([transform])


def _schedule(transform: Transform) -> Schedule | None:
    from . import columns, four_step, transposed  # few programs transform
    from .factors import radices_of

    lowering = transform.lowering
    small_factors = bool(radices_of(transform.row_points or 1))
    one_column = not lowering.decide(less(1, transform.columns))
    if one_column:
        transform.rows, transform.columns = mul(transform.rows, transform.columns), ONE  # there may be none
    if not lowering.machine.is_host:
        return _schedule_on_lanes(transform)
    if one_column:
        return _schedule_of_rows(transform, transform.rows, small_factors)
    if columns.stay_in_cache(transform) and _fill_lanes(transform, transform.columns):
        return Schedule(columns.transform_columns, joined=f"columns of {transform.points}")
    together = four_step.columns_together(transform)
    if together:
        write = partial(four_step.transform_long_rows, together=together)
        return Schedule(write, ends=False)
    schedule = _schedule_of_rows(transform, mul(transform.rows, transform.columns), small_factors)
    return schedule and Schedule(partial(transposed.transform_transposed, write=schedule.write), ends=False)


def _schedule_on_lanes(transform: Transform) -> Schedule | None:
    from . import lanes, long_chirp, reals

    points, write = transform.row_points or 1, lanes.transform_on_lanes
    if not lanes.has_few_factors(points):
        if points > long_chirp.MOST_POINTS:
            return None
        write = partial(long_chirp.transform_long_chirp, write=write)
    return Schedule(partial(reals.transform_reals, write=write) if transform.reals else write)


def _schedule_of_rows(transform: Transform, rows: Expr, small_factors: bool) -> Schedule | None:
    from . import chirp, four_step, long_chirp, reals, short_rows
    from . import rows as single_rows

    points = transform.row_points
    fits = (points if small_factors else chirp.convolved_points(points)) <= MOST
    if fits:
        shortest = 2 if transform.reals else SHORTEST
        if shortest <= points <= SHORT and _fill_lanes(transform, rows):
            return Schedule(short_rows.transform_short_rows, joined="rows side by side")
        return Schedule(single_rows.transform_rows, joined="rows")
    if four_step.sides_of(points):
        write = four_step.transform_long_rows
    elif points <= long_chirp.MOST_POINTS:
        write = partial(long_chirp.transform_long_chirp, write=four_step.transform_long_rows)
    else:
        return None
    return Schedule(partial(reals.transform_reals, write=write) if transform.reals else write)


def _fill_lanes(transform: Transform, count: Expr) -> bool:
    from .tiles import lanes_of

    return transform.lowering.decide(less(lanes_of(transform.dtype) - 1, count))


def _lower_chain(*arguments: Any) -> None:
    from .chain import lower_chain

    lower_chain(*arguments)


for _kind in fourier.KINDS:
    _kind.op.defines("lower")(partial(_lower, _kind))
    _kind.op.defines("lower_chain")(_lower_chain)
