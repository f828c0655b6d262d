"""Patterns: the form of a variable's value where paths merge: which of its members are the same object on
every path, and which are values of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..functions.integer_ranges import Range
from ..ir.node import Shape
from ..ir.record import record
from ..ir.types import BOOL, I64, DType
from ..tracing.environment.library_objects import Refused
from ..tracing.values.classed_number import NumberClass
from ..tracing.values.traced import NUMBER


class _Unset:
    def __repr__(self) -> str:
        return "<no value>"


UNSET: Final = _Unset()
"""The placeholder for the value of an unbound variable."""


class Unsure(Refused):
    """The value of a variable that is bound on some paths only; using it raises."""

    __slots__ = ()


def is_unset(value: Any) -> bool:
    return value is UNSET or type(value) is Unsure


class Fixed(metaclass=record):
    """The same object on every path."""

    value: Any


class Carry(metaclass=record):
    """A value of the graph: a phi at a merge, a loop-carried value in a loop."""

    dtype: DType
    shape: Shape
    kind: int
    span: Range | None = None
    """The range of a Python integer."""


class Members(metaclass=record):
    """A tuple or list of patterns."""

    of: type
    members: tuple[Any, ...]


class Listed(metaclass=record):
    """A list whose items are the rows of one array."""

    carry: Carry
    """The array."""
    kind: int
    """The kind of its rows."""
    mixed: bool = False
    """Whether its items are of several types, at positions that are not known."""

    @property
    def count(self) -> int:
        return self.carry.shape[0]


class Referred(metaclass=record):
    """One of the lists of a pool, by its number."""

    pool: Any

    @property
    def carry(self) -> Carry:
        return Carry(I64, (), NUMBER, (0, self.pool.most - 1))


class Maybe(metaclass=record):
    """None, or a value of a pattern."""

    value: Any
    """The pattern of the value; the range of its integers includes 0, the placeholder of None."""


class Open(metaclass=record):
    """An array of open length (see `open_arrays`)."""

    carry: Carry
    """The whole array."""
    axis: int
    template: Any = None
    """A value chosen by the mask that chooses on every path; None where the elements are in front of the
    array, and their number is carried."""

    @property
    def count(self) -> Carry | None:
        room = self.carry.shape[self.axis]
        return Carry(I64, (), NUMBER, (0, room)) if self.template is None else None

    def holds(self, other: Open) -> bool:
        """Whether it has room for all elements of another one."""
        return self.template is not None or other.carry.shape == self.carry.shape


class Chosen(metaclass=record):
    """One of several constants, by its number."""

    constants: tuple[Any, ...]

    @property
    def carry(self) -> Carry:
        return Carry(I64, (), NUMBER, (0, len(self.constants) - 1))


class Classed(metaclass=record):
    """A number of one of several classes, by the number of its class."""

    carry: Carry
    """The form in which it is computed."""
    classes: tuple[NumberClass, ...]

    @property
    def tag(self) -> Carry:
        return Carry(I64, (), NUMBER, (0, len(self.classes) - 1))


FLAG = Carry(BOOL, (), NUMBER)
"""Whether there is a value."""
Pattern = Fixed | Carry | Members | Listed | Referred | Maybe | Open | Chosen | Classed

Contents = Mapping[int, Sequence[Any]]
"""The former contents of lists that were restored, by identity."""


class Unsettled(Exception):
    """Raised for two values without a common pattern; the message says why."""
