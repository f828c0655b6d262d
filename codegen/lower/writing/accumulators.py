"""The loop-carried values of reductions: one accumulator for each, or an element and its position for an
argreduce.

Lists are flat: the accumulators of one stage after those of another. An argreduce carries the position, in
all orders of combining, so that the first of equal elements wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ....ir.expr import less, lift, product
from ....ir.index import Dims
from ....ir.ops import REDUCERS, Reducer
from ....ir.passes.stages import Decide, Stage
from ....ir.types import BOOL, I32, I64, DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Value
from .context import LoweringContext
from .nest import counted_positions
from .order_key import order_dtype, order_key
from .writer import KernelWriter, Key


class Writing(Protocol):
    """The writer of a kernel with reductions."""

    @property
    def context(self) -> LoweringContext: ...
    @property
    def writer(self) -> KernelWriter: ...
    @property
    def build(self) -> KernelBuilder: ...


_HIGHEST = {I32: 2**31 - 1, I64: 2**63 - 1}


def reducer_of(stage: Stage) -> Reducer:
    return REDUCERS[stage.reducer]


def dtypes_of(stage: Stage, decide: Decide) -> tuple[DType, ...]:
    """The dtypes of a stage's accumulators."""
    if not reducer_of(stage).finds:
        return (stage.node.dtype,)
    return order_dtype(stage.value.dtype), _position_dtype(stage, decide)


def _position_dtype(stage: Stage, decide: Decide) -> DType:
    """Returns 32 bits where these hold every position: their vectors are as long as those of most
    elements."""
    if stage.reduction.positions is not None:
        return stage.reduction.positions.dtype
    count = product(lift(stage.space[axis]) for axis in stage.reduced)
    return I32 if stage.node.dtype is I32 or decide(less(count, 1 << 31)) else I64


def identities(writing: Writing, stages: Sequence[Stage]) -> list[Value]:
    """The accumulators before the first term."""
    values: list[Value] = []
    for stage in stages:
        value, *positions = dtypes_of(stage, writing.context.decide)
        values.append(writing.build.constant(reducer_of(stage).identity(value), value))
        values += [writing.build.constant(_HIGHEST[position], position) for position in positions]
    return values


def terms(writing: Writing, stage: Stage, dims: Dims) -> list[Value]:
    """Returns the contribution of one position to the accumulators."""
    value, reducer = writing.writer.value(stage.value, dims), reducer_of(stage)
    if not reducer.finds:
        return [value]
    return [order_key(reducer, value), position_of(writing, stage, dims)]


def position_of(writing: Writing, stage: Stage, dims: Dims) -> Value:
    """Returns the current position for an argreduce."""
    if stage.reduction.positions is not None:
        position = writing.writer.value(stage.reduction.positions, dims)
    else:
        position = writing.writer.position(*counted_positions(stage, dims))
    return writing.build.cast(position, _position_dtype(stage, writing.context.decide))


def combine(
    build: KernelBuilder, stages: Sequence[Stage], known: Sequence[Value], added: Sequence[Value]
) -> list[Value]:
    """Combines the accumulators of some reductions with one more term each."""
    left, right = iter(known), iter(added)
    values: list[Value] = []
    for stage in stages:
        values += combined(build, reducer_of(stage), left, right)
    return values


def combined(
    build: KernelBuilder, reducer: Reducer, known: Iterator[Value], added: Iterator[Value]
) -> list[Value]:
    """Combines accumulators of both sides."""
    x, y = next(known), next(added)
    if not reducer.finds:
        return [build.emit(reducer.kernel, (x, y))]
    at, there = next(known), next(added)
    first = x.equals(y) & (there < at)
    taken = build.emit(reducer.kernel, (y, x)) | first
    return [build.select(taken, y, x), build.select(taken, there, at)]


def add_product(build: KernelBuilder, known: Value, x: Value, y: Value, fma: bool = False) -> Value:
    """Returns known + x * y, in one rounding with `fma`; of bools the disjunction."""
    if fma and known.dtype.is_float:
        return build.emit("fma", (x, y, known))
    if known.dtype is BOOL:
        return known | (x & y)
    return known + x * y


def results(build: KernelBuilder, stages: Sequence[Stage], values: Sequence[Value]) -> dict[Key, Value]:
    """Returns the results of the last accumulators."""
    remaining = iter(values)
    made: dict[Key, Value] = {}
    for stage in stages:
        value = next(remaining)
        if reducer_of(stage).finds:
            if stage.reduction.found is not None:
                made[stage.reduction.found, stage.kept_dims] = value
            value = build.cast(next(remaining), stage.node.dtype)
        made[stage.node, stage.kept_dims] = value
    return made
