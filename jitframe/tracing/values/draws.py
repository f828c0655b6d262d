"""The record of a trace's draws from NumPy's random generators: a list of steps that every call runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from ...ir.node import Node
from ...ir.record import identity_record, record
from ..environment.user_code import Place


class External(metaclass=identity_record):
    """An object from outside the call."""

    value: Any


class Argument(metaclass=identity_record):
    """A leaf of the call that is no array."""

    leaf: int


class Made(metaclass=identity_record):
    """An object that an earlier step has made."""

    slot: int


class Computed(metaclass=identity_record):
    """A value of the graph; `kind` says what NumPy would have in its place."""

    node: Node
    kind: int


Source = External | Argument | Made | Computed


def key_of(source: Source) -> Any:
    """Equal for the same object or value."""
    if isinstance(source, External):
        return External, id(source.value)
    if isinstance(source, Argument):
        return Argument, source.leaf
    return (Made, source.slot) if isinstance(source, Made) else (Computed, source.node)


class Draw(metaclass=identity_record):
    """One call of a generator's method, or of a function that makes generators."""

    call: Callable[..., Any]
    """Takes the receiver first, where there is one."""
    arguments: tuple[Source, ...]
    options: tuple[tuple[str, Source], ...] = ()
    place: Place | None = None
    parameter: int | None = None
    """The program's input that the result is."""
    shape: tuple[int, ...] = ()
    """Of that input: one axis for each loop around, then those of the result."""
    dtype: numpy.dtype | None = None
    slots: tuple[int, ...] = ()
    """Where the objects go that it makes."""

    def sources(self) -> Iterator[Source]:
        """All that it is given."""
        yield from self.arguments
        yield from (source for _, source in self.options)


class Repeated(metaclass=record):
    """The steps of a loop's body, whose results are stacked."""

    count: int
    steps: tuple[Step, ...]


Step = Draw | Repeated


def all_draws(steps: Iterable[Step]) -> Iterator[Draw]:
    """The draws among steps, those of loops too."""
    for step in steps:
        if isinstance(step, Repeated):
            yield from all_draws(step.steps)
        else:
            yield step
