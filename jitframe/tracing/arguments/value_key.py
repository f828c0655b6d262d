"""The hashable key of a static value: equal exactly for values of equal types and bits, recursively, which no
trace can distinguish.

Python's own equality is coarser: 1 == 1.0 == True, 0.0 == -0.0, `range(0, 10, 3) == range(0, 12, 3)`, and
two frozen dataclasses are equal where their fields are. A key holds no value that compares in a way of its
own: numbers are in it by their bits, and what is compared by identity is held, so that nothing else takes its
address.
"""

from __future__ import annotations

import copyreg
import enum
import functools
import struct
import types
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

import numpy

_MADE_AT_RUN_TIME: Final = 1 << 9
_NOT_CALLED: Final = 1 << 7
"""Flags of classes: by a class statement, or in C as if by one; without a constructor."""
_DEEPEST: Final = 100
"""The nesting depth up to which values are compared by content; deeper ones are compared by identity."""


class Same:
    """Stands in a key for one object, compared by identity."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"Same({self.value!r})"


def value_key(value: Any) -> Hashable:
    """The key of a value. Snapshots: what is changed later in place has another key then.

    Looks into containers, into what attributes and slots hold, and otherwise into what the copy module would
    make a copy from; functions, classes, modules, arrays, members of enumerations and objects without an
    `__eq__` of their own are compared by identity.

    >>> value_key((1, 0.0)) == value_key((1, 0.0))
    True
    >>> value_key((1, 0.0)) == value_key((True, 0.0)), value_key(0.0) == value_key(-0.0)
    (False, False)
    """
    kind = type(value)
    return (kind, value) if kind in _ATOMS else _key(value, ())


_ATOMS: Final = frozenset((int, str, bool, bytes, type(None), type(...), type(NotImplemented)))
"""Types whose equal values are interchangeable."""
_BY_IDENTITY: Final = (type, types.ModuleType, types.FunctionType, enum.Enum, numpy.ndarray, numpy.ufunc)


def _doubles(value: complex) -> bytes:
    return struct.pack("<dd", value.real, value.imag)


# Most special first; each gives what an instance of a class derived from the builtin is, beside attributes.
_BUILTINS: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (float, lambda value: struct.pack("<d", float.__float__(value))),
    (int, int.__int__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (complex, lambda value: _doubles(complex.__pos__(value))),
    (tuple, lambda value: list(tuple.__iter__(value))),
    (frozenset, lambda value: list(frozenset.__iter__(value))),
    (list, lambda value: list(list.__iter__(value))),
    (set, lambda value: list(set.__iter__(value))),
    (dict, lambda value: [member for item in dict.items(value) for member in item]),
    (functools.partial, lambda value: [value.func, value.args, value.keywords]),
)

_BARE: Final = frozenset(builtin for builtin, _ in _BUILTINS if builtin is not functools.partial)
"""Builtins whose instances have no attributes of their own."""


def _key(value: Any, inside: tuple[int, ...]) -> Hashable:
    kind = type(value)
    if kind in _ATOMS:
        return kind, value
    by_identity = kind.__eq__ is object.__eq__  # type: ignore[comparison-overlap] # to mypy methods of a class and of `object` differ
    if (by_identity and kind is not functools.partial) or isinstance(value, _BY_IDENTITY):
        return Same(value)
    if id(value) in inside:
        return "inside itself", inside.index(id(value))
    if len(inside) == _DEEPEST:
        return Same(value)
    inside = (*inside, id(value))
    if not isinstance(value, numpy.generic):
        for builtin, bits in _BUILTINS:
            if isinstance(value, builtin):
                found = bits(value)
                own = _several(found, inside) if type(found) is list else found
                return (kind, own) if kind in _BARE else (kind, own, _attributes(value, inside))
        if holds_attributes_only(kind):
            return kind, _attributes(value, inside)
    if isinstance(value, numpy.number):
        return kind, value.tobytes()
    reduce = copyreg.dispatch_table.get(kind)
    try:
        reduced = value.__reduce_ex__(2) if reduce is None else reduce(value)
    except Exception:  # whatever the user's own method raises: it cannot be looked into
        return Same(value)
    if not isinstance(reduced, tuple):
        return Same(value)  # it is found by its name
    parts = [list(part) if number > 2 and part is not None else part for number, part in enumerate(reduced)]
    return kind, _several(parts, inside)


def _several(values: Iterable[Any], inside: tuple[int, ...]) -> tuple[Hashable, ...]:
    return tuple([_key(value, inside) for value in values])


def _attributes(value: Any, inside: tuple[int, ...]) -> tuple[Hashable, ...]:
    """Returns the values in an object's own dict and in the slots of its classes."""
    found: list[Any] = []
    for name, attribute in tuple(getattr(value, "__dict__", {}).items()):
        found += name, attribute
    for owner in type(value).__mro__:
        for name, raw in vars(owner).items():
            if isinstance(raw, types.MemberDescriptorType) and not name.endswith("offset__"):
                try:
                    found += name, raw.__get__(value)
                except AttributeError:
                    continue  # empty
    return _several(found, inside)


def holds_attributes_only(kind: type) -> bool:
    """Whether an instance's state is in its attributes alone: no class of it is written in C."""
    return all(
        owner is object
        or (
            owner.__flags__ & (_MADE_AT_RUN_TIME | _NOT_CALLED) == _MADE_AT_RUN_TIME
            and type(vars(owner).get("__new__")) is not types.BuiltinFunctionType
        )
        for owner in kind.__mro__
    )
