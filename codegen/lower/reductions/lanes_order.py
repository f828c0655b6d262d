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
"""What evaluates an element stands inside of this: given its position, and which of several it is."""


def no_element(position: Value, which: int | None) -> AbstractContextManager[None]:
    """Writes no code around an element."""
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
    """A loop over positions of an axis, each stage evaluated and stored at each; gives the accumulators.

    `ahead`: how many elements are under way at once, where they are cheap to compute.
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

    # What is costly to compute hides its loads, and what is stored may be what the next position loads.
    if reductions and not stores and not any(is_expensive(stage.value) for stage in reductions):
        last = upper - (ahead - 1) * step
        lower, *initial = build.carry(lower, last, (lower, *initial), several, ahead * step)
    return build.carry(lower, upper, initial, one, step)


def at_element(dims: Dims, axis: Axis, number: int | None) -> Dims:
    """Positions with one axis at element `number` of several; None: where it is."""
    if number is None:
        return dims
    return tuple(dim.renamed({axis: (axis, number)}) for dim in dims)
