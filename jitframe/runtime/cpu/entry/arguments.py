"""The arguments of a variant: arrays, numbers, constant objects, and containers of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from ....ir.record import record


class ArrayArgument(metaclass=record):
    """Exactly an ndarray of this dtype, shape and strides (in bytes), aligned; writable where it is written.

    Array arguments are inputs of the program.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    written: bool = False


class HeldArray(metaclass=record):
    """Exactly an object of this class that holds such an ndarray in a slot, and in other slots these objects,
    or such as `SameArgument` takes; an expected tuple has members by value. Counts as an array argument."""

    array: ArrayArgument
    kind: type
    slot: Slot
    others: tuple[tuple[Slot, object], ...]


class FloatArgument(metaclass=record):
    """Exactly a Python float; its bits as `dtype`, "f32" or "f64", are scalar number `scalar`."""

    scalar: int
    dtype: str


class IntArgument(metaclass=record):
    """Exactly a Python int that fits into `dtype`; floats take any that fits into 64 bits.

    `limits` narrow that down: the least and the most.
    """

    scalar: int
    dtype: str
    limits: tuple[int, int] | None = None

    @property
    def range(self) -> tuple[int, int]:
        """The range that the entry takes."""
        return INT_RANGES[self.dtype] if self.limits is None else self.limits


class ScalarArgument(metaclass=record):
    """A NumPy scalar of exactly this dtype's class; its bits are scalar number `scalar`."""

    scalar: int
    dtype: np.dtype


class ComplexArgument(metaclass=record):
    """Exactly a Python complex; the bits of its parts as `dtype`, "f32" or "f64", are these scalars, None of
    a part that is not used."""

    real: int | None
    imag: int | None
    dtype: str


class SameArgument(metaclass=record):
    """This very object, or an equal int, str or float of exactly its type; of zeros and NaN this one."""

    value: object


class TypedArgument(metaclass=record):
    """Any object of exactly this class: the program does not depend on its value."""

    kind: type


class FixedMember(metaclass=record):
    """A static field of a record, which is no leaf: as `SameArgument`."""

    value: object


class SequenceArgument(metaclass=record):
    """Exactly a tuple, a list or a named tuple of this class, of these members."""

    kind: type
    members: tuple[Argument, ...]


class DictArgument(metaclass=record):
    """Exactly a dict of these keys, in this order."""

    keys: tuple[object, ...]
    members: tuple[Argument, ...]


class Slot(metaclass=record):
    """A slot of a class: the offset of its word in an object, and whether it is set."""

    offset: int
    is_set: bool


class RecordArgument(metaclass=record):
    """Exactly an object of this class that holds these attributes in its `__dict__`, in this order, and these
    slots; `names` is None where it has no `__dict__`. Members: those of the dict, then of the slots that are
    set."""

    kind: type
    names: tuple[str, ...] | None
    slots: tuple[Slot, ...]
    members: tuple[Argument, ...]


class Root:
    """The kinds of roots of a place."""

    OBJECT: Final = 0
    ARGUMENT: Final = 1
    """A call's argument, by number."""
    OUTSIDE: Final = 2
    """An object read outside, by number."""


class Place(metaclass=record):
    """The place of a container: a root, and from there on items and attributes."""

    kind: int
    root: Any
    steps: tuple[tuple[bool, object], ...] = ()
    """For each step: whether it is an item, and its key."""


class StoreKind:
    """The ways in which a value is stored."""

    IN_DICT: Final = 0
    """In the object's `__dict__`."""
    IN_SLOT: Final = 1
    """In a slot of the object's class."""
    ITEM: Final = 2
    AT_END: Final = 3
    """Several items, appended to a list."""


class OutsideStore(metaclass=record):
    """A member of the second part of a result, and the place where it is stored."""

    kind: int
    key: object
    place: Place


class Outside(metaclass=record):
    """The outside state of a call: what it reads and stores besides its arguments.

    `reads`: an object and the name of its attribute, or None for the object itself; `arguments`: what is
    there, in the same order. With `stores` the result is a pair: what is returned, and what is stored. No
    container of the call may then be there twice, nor be one of `owners`; none given may be one of `read`.
    """

    reads: tuple[tuple[Any, str | None], ...] = ()
    arguments: tuple[Argument, ...] = ()
    stores: tuple[OutsideStore, ...] = ()
    owners: tuple[object, ...] = ()
    read: tuple[int, ...] = ()
    """Their identities."""


LeafArgument = (
    ArrayArgument | HeldArray | FloatArgument | IntArgument | ScalarArgument | ComplexArgument | SameArgument
    | TypedArgument
)  # fmt: skip
Container = SequenceArgument | DictArgument | RecordArgument
Argument = LeafArgument | FixedMember | Container


def leaf_arguments(arguments: Iterable[Argument]) -> Iterator[LeafArgument]:
    """Returns the arguments that are arrays and other objects, in the order of a call's leaves."""
    for argument in arguments:
        if isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)):
            yield from leaf_arguments(argument.members)
        elif not isinstance(argument, FixedMember):
            yield argument


def is_nested(arguments: Iterable[Argument]) -> bool:
    """Whether one of the arguments is a container."""
    return any(
        isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)) for argument in arguments
    )


def containers_of(arguments: Iterable[Argument]) -> int:
    """Counts the lists, dicts and records among the arguments and in them."""
    found = 0
    for argument in arguments:
        if isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)):
            is_tuple = isinstance(argument, SequenceArgument) and issubclass(argument.kind, tuple)
            found += (not is_tuple) + containers_of(argument.members)
    return found


def scalars_of(argument: Argument) -> tuple[int, ...]:
    """Returns the numbers of the scalars of an argument."""
    if isinstance(argument, ComplexArgument):
        return tuple([part for part in (argument.real, argument.imag) if part is not None])
    if isinstance(argument, (FloatArgument, IntArgument, ScalarArgument)):
        return (argument.scalar,)
    return ()


def array_of(argument: Argument) -> ArrayArgument | None:
    """Returns the array that an argument is or holds."""
    if isinstance(argument, HeldArray):
        return argument.array
    return argument if isinstance(argument, ArrayArgument) else None


def by_value(expected: object) -> bool:
    """Whether an equal object of the same type matches as well: where the comparison runs no user code."""
    # Equal floats but zeros have equal bits; NaN equals nothing.
    return type(expected) in (int, str) or (type(expected) is float and expected != 0.0)


INT_RANGES = {
    **{f"i{bits}": (-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32)},
    "u64": (0, (1 << 63) - 1),
    **dict.fromkeys(("f32", "f64"), (-(1 << 63), (1 << 63) - 1)),
}
"""The range of an int argument; the slow path handles more than 63 bits."""
