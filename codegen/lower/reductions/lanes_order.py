"""Ordered combination by one lane: several elements are loaded before the first of them is combined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from ....ir.index import Dims
from ....ir.passes.cost import is_expensive
from ....ir.passes.stages import Stage
from ...kernel.nodes import Value
from ..writing.accumulators import combine, terms
from ..writing.context import GroupWriter
from ..writing.nest import Axis

Element = Callable[[Value, "int | None"], AbstractContextManager[None]]
"""The context of an element's evaluation, given its position, and its number among several."""


def no_element(position: Value, which: int | None) -> AbstractContextManager[None]:
    """The context without code."""
    return nullcontext()


def accumulate(
    writing: GroupWriter,
    reductions: Sequence[Stage],
    stores: Sequence[Stage],
    axis: Axis,
    bounds: tuple[Value, Value],
    initial: Sequence[Value],
    step: int,
    ahead: int,
    element: Element = no_element,
) -> Sequence[Value]:
    """Writes a loop over positions of an axis that evaluates and stores each stage; returns the accumulators.

    `ahead`: the number of elements loaded ahead, where they are cheap to compute.
    """
    build, writer, (lower, upper) = writing.build, writing.writer, bounds

    def one(i: Value, *carried: Value) -> Sequence[Value]:
        writer.axes[axis] = i
        with element(i, None):
            values = [value for stage in reductions for value in terms(writing, stage, stage.dims)]
            writing.store_all(stores)
        return combine(build, reductions, carried, values)

    def several(i: Value, _following: Value, *carried: Value) -> Sequence[Value]:
        loaded = []
        for number in range(ahead):
            position = writer.axes[axis, number] = i + number * step
            with element(position, number):
                values = [
                    value
                    for stage in reductions
                    for value in terms(writing, stage, at_element(stage.dims, axis, number))
                ]
            loaded.append(values)
        accumulators: Sequence[Value] = carried
        for values in loaded:
            accumulators = combine(build, reductions, accumulators, values)
        return [i + ahead * step, *accumulators]

    # Costly computations hide their loads, and a store may be the load of the next position.
    if reductions and not stores and not any(is_expensive(stage.value) for stage in reductions):
        last = upper - (ahead - 1) * step
        lower, *initial = build.carry(lower, last, (lower, *initial), several, ahead * step)
    return build.carry(lower, upper, initial, one, step)


def at_element(dims: Dims, axis: Axis, number: int | None) -> Dims:
    """Returns positions with one axis at element `number` of several; None: the current one."""
    if number is None:
        return dims
    return tuple(dim.renamed({axis: (axis, number)}) for dim in dims)
