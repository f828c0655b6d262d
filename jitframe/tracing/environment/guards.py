"""Guards: records of what a trace read from outside its arguments, and checks that it is unchanged."""

from __future__ import annotations

import itertools
import operator
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ...ir.record import fresh, identity_record, mutable


class Missing:
    """The type of `MISSING`, the result of a look-up that finds nothing."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
END: Final = "the end"
"""A name in place of an attribute: the end of a list."""


class GuardKind:
    """The kinds of look-ups that guards repeat."""

    ITEM: Final = 0  # dict[key] is expected, or has no such key when expected is MISSING
    CELL: Final = 1  # the closure cell's contents are expected, or it is empty when expected is MISSING
    ELEMENT: Final = 2  # list[key] is expected; the list is long enough
    LENGTH: Final = 3  # len(list, dict or set) == expected
    MEMBER: Final = 4  # key in set
    ATTRIBUTE: Final = 5  # getattr(object, key) is expected: what has a place of its own in the object
    CLASS: Final = 6  # type(object) is expected
    ITEMS: Final = 7  # the keys and values of a dict, in their order, are the members of the tuple expected


class Guard(metaclass=identity_record):
    """One look-up, and the object that it must still find, compared by identity.

    `mapping` is the dict (of a module, an object, a class or the user's own), the closure cell, the list,
    the set or the object that is looked into. `name` is how the user wrote it, for messages only.
    """

    mapping: Any
    key: Any
    expected: Any
    kind: int = GuardKind.ITEM
    name: str = ""
    owner: Any = None
    """The object that has this attribute."""

    def holds(self) -> bool:
        """Whether the look-up still finds `expected`."""
        return _LOOKUPS[self.kind](self.mapping, self.key, self.expected)


def _item_holds(mapping: dict[Any, Any], key: Any, expected: Any) -> bool:
    return mapping.get(key, MISSING) is expected


def _cell_holds(cell: types.CellType, key: None, expected: Any) -> bool:
    return contents_of(cell) is expected


def _element_holds(sequence: list[Any], index: int, expected: Any) -> bool:
    return index < len(sequence) and sequence[index] is expected


def _length_holds(container: Any, key: None, expected: int) -> bool:
    return len(container) == expected


def _member_holds(container: set[Any], key: Any, expected: bool) -> bool:
    return key in container


def _attribute_holds(owner: object, name: str, expected: Any) -> bool:
    return getattr(owner, name, MISSING) is expected


def _class_holds(owner: object, key: None, expected: type) -> bool:
    return type(owner) is expected


def _items_hold(mapping: dict[Any, Any], key: None, expected: tuple[Any, ...]) -> bool:
    return 2 * len(mapping) == len(expected) and all(map(operator.is_, _flat(mapping), expected))


def _flat(mapping: dict[Any, Any]) -> Iterable[Any]:
    """Returns the keys and values of a dict, in its order."""
    return itertools.chain.from_iterable(mapping.items())


_LOOKUPS: Final[tuple[Callable[[Any, Any, Any], bool], ...]] = (
    _item_holds, _cell_holds, _element_holds, _length_holds, _member_holds, _attribute_holds, _class_holds,
    _items_hold,
)  # fmt: skip


def getattr_plainly(thing: Any, name: str, default: Any = MISSING) -> Any:
    """`getattr` that no `__getattribute__` or `__getattr__` of the user's can divert."""
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return default


def in_classes(cls: type, name: str) -> Any:
    """Returns what a class or one of its bases stores under a name, or MISSING."""
    return next((vars(owner)[name] for owner in cls.__mro__ if name in vars(owner)), MISSING)


def own_attributes(thing: Any) -> dict[str, Any]:
    """Returns the attributes stored in an object: in its dict, and in the slots of its classes."""
    contents = getattr_plainly(thing, "__dict__")
    found = dict(contents) if isinstance(contents, dict) else {}
    for owner in type(thing).__mro__:
        for name, raw in vars(owner).items():
            if isinstance(raw, types.MemberDescriptorType) and name != "__dict__":
                value = getattr_plainly(thing, name)
                if value is not MISSING:
                    found[name] = value
    return found


def contents_of(cell: types.CellType) -> Any:
    """Returns the content of a closure cell; MISSING of an empty one."""
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def check(guards: Iterable[Guard]) -> Guard | None:
    """The first guard that no longer holds, or None.

    Reads only; calls no code of the user's but `__hash__` and `__eq__` of keys in the user's own dicts and
    sets.
    """
    lookups = _LOOKUPS
    item = GuardKind.ITEM
    for guard in guards:
        # The commonest kind is spelled out: this loop runs at every call that is not native.
        if guard.kind is item:
            if guard.mapping.get(guard.key, MISSING) is not guard.expected:
                return guard
        elif not lookups[guard.kind](guard.mapping, guard.key, guard.expected):
            return guard
    return None


def same_contents(container: Any, given: Any) -> bool:
    """Whether a list, dict or set holds the same objects as a copy of it."""
    if len(container) != len(given):
        return False
    if isinstance(given, dict):
        return all(container.get(key, MISSING) is value for key, value in given.items())
    if isinstance(given, list):
        return all(now is then for now, then in zip(container, given, strict=True))
    return bool(set(container) == given)


def failed_attributes(programs: Iterable[Any]) -> list[Guard]:
    """Returns the attributes read by programs that are bound to another object now."""
    found: dict[tuple[int, str], Guard] = {}
    for program in programs:
        for guard in getattr(program, "guards", ()):
            if guard.owner is not None and not guard.holds():
                found.setdefault((id(guard.owner), guard.key), guard)
    return list(found.values())


class Reads(metaclass=mutable):
    """Everything that a trace read besides its arguments, in the order of first reading."""

    # Objects handed to the trace as they are and that cannot be watched (name, object): if a plain ndarray
    # turns up inside the trace although nothing is listed here, it was made during the trace and is a
    # constant.
    opaque: list[tuple[str, object]] = fresh(factory=list)
    _guards: dict[tuple[int, int, Any], Guard] = fresh(factory=dict)

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The recorded guards; each look-up is listed once."""
        return tuple(self._guards.values())

    def record(self, kind: int, mapping: Any, key: Any, expected: Any, name: str, owner: Any = None) -> None:
        """Adds the guard for one look-up, unless that look-up is guarded already."""
        # The guard keeps `mapping` alive, so its id stays its own.
        place = (kind, id(mapping), key)
        if place not in self._guards:
            self._guards[place] = Guard(mapping, key, expected, kind, name, owner)

    def item(self, mapping: dict[Any, Any], key: Any, expected: Any, name: str, owner: Any = None) -> None:
        """Guards `mapping[key]`; `owner`: the object that has these attributes."""
        self.record(GuardKind.ITEM, mapping, key, expected, name, owner)

    def has_read(self, owner: Any, attribute: str) -> bool:
        """Whether an attribute of an object was read."""
        attributes = getattr_plainly(owner, "__dict__")
        places = (GuardKind.ITEM, id(attributes), attribute), (GuardKind.ATTRIBUTE, id(owner), attribute)
        return any(place in self._guards for place in places)

    def dictionary(self, mapping: dict[Any, Any], name: str) -> None:
        """Guards all items of a dict and their order."""
        if mapping:
            self.record(GuardKind.ITEMS, mapping, None, tuple(_flat(mapping)), name)
        else:
            self.record(GuardKind.LENGTH, mapping, None, 0, name)

    def sequence(self, sequence: Sequence[Any], name: str) -> None:
        """Guards every element of a list and its length."""
        self.record(GuardKind.LENGTH, sequence, None, len(sequence), name)
        for index, value in enumerate(sequence):
            self.record(GuardKind.ELEMENT, sequence, index, value, f"{name}[{index}]")

    def members(self, members: set[Any], name: str) -> None:
        """Guards the members of a set."""
        self.record(GuardKind.LENGTH, members, None, len(members), name)
        for member in members:
            self.record(GuardKind.MEMBER, members, member, True, name)
