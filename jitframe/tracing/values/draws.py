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
    """A value of the graph; `kind` is the kind of NumPy's object in its place."""

    node: Node
    kind: int


Source = External | Argument | Made | Computed


def key_of(source: Source) -> Any:
    """Returns a key that is equal for the same object or value."""
    if isinstance(source, External):
        return External, id(source.value)
    if isinstance(source, Argument):
        return Argument, source.leaf
    return (Made, source.slot) if isinstance(source, Made) else (Computed, source.node)


class Draw(metaclass=identity_record):
    """A call of a generator's method, or of a function that makes generators."""

    call: Callable[..., Any]
    """Called with the receiver first, where there is one."""
    arguments: tuple[Source, ...]
    options: tuple[tuple[str, Source], ...] = ()
    place: Place | None = None
    parameter: int | None = None
    """The program's input that holds the result."""
    shape: tuple[int, ...] = ()
    """The shape of that input: one axis for each enclosing loop, then those of the result."""
    dtype: numpy.dtype | None = None
    slots: tuple[int, ...] = ()
    """The slots of the objects that it makes."""

    def sources(self) -> Iterator[Source]:
        """Returns the sources of all arguments."""
        yield from self.arguments
        yield from (source for _, source in self.options)


class Repeated(metaclass=record):
    """The steps of a loop's body, whose results are stacked."""

    count: int
    steps: tuple[Step, ...]


Step = Draw | Repeated


def all_draws(steps: Iterable[Step]) -> Iterator[Draw]:
    """Returns all draws among steps, also in loops."""
    for step in steps:
        if isinstance(step, Repeated):
            yield from all_draws(step.steps)
        else:
            yield step
