"""Sets that traced code makes, whose members the program may compute (see `growing_dict`)."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from ...api.frame import LazyValue
from ...base.importing import load
from .growing_dict import MISSING, Keyed, hash_tables, is_computed
from .growing_list import GrowingList


class GrowingSet(Keyed):
    """A set in traced code. The order of Python's own hash table is unknown to the program."""

    original = set

    def __init__(self, members: Iterable[Any] = ()) -> None:
        self._members: set[Any] = set(members)
        self._begin()

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> type:
        return set

    def known(self) -> dict[Any, Any]:
        return dict.fromkeys(self._members)

    def put_back(self, entries: dict[Any, Any]) -> None:
        if entries.keys() != self._members:
            self._members = set(entries)

    def add(self, key: Any) -> None:
        if self.is_hashed(key):
            self.table.store(key, None)
        else:
            self._members.add(key)

    def discard(self, key: Any) -> None:
        if self.table is None and is_computed(key):
            if not self._members:
                return
            hash_tables().become_table(self, None)
        if self.table is not None:
            self.table.pop(key, None)
        else:
            self._members.discard(key)

    def remove(self, key: Any) -> None:
        if self.table is None and is_computed(key):
            self._check_some(key)
            hash_tables().become_table(self, None)
        if self.table is not None:
            self.table.pop(key, MISSING)
        else:
            self._members.remove(key)

    def update(self, *others: Iterable[Any]) -> None:
        for other in others:
            if _has_open(self, other):
                _operations().update(self, _set_of(other))
            else:
                for each in other:
                    self.add(each)

    def clear(self) -> None:
        self._members = set()
        if self.table is not None:
            self.table.clear()

    def __contains__(self, key: Any) -> bool:
        found = self.contains(key)
        return key in self._members if found is None else bool(found)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._own("for its members in their order"))

    def __len__(self) -> int:
        return len(self._members) if self.table is None else operator.index(self.table.length())

    def copy(self) -> Any:
        return GrowingSet(self._members) if self.table is None else _operations().union(self, ())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        return GrowingSet(deepcopy(self._own("for a copy"), memo))

    def _own(self, what: str) -> set[Any]:
        self._plain(what)
        return self._members

    def __getattr__(self, name: str) -> Any:
        if not hasattr(set, name):
            raise AttributeError(name)
        return getattr(self._own(f"for its {name}()"), name)

    def __repr__(self) -> str:
        return repr(self._own("for its text"))

    def __ne__(self, other: object) -> Any:
        found: Any = self == other
        return not found if isinstance(found, bool) else ~found

    __hash__ = None  # type: ignore[assignment]


def _has_open(*values: Any) -> bool:
    """Whether one of them is a set or another collection of traced values."""
    return any(
        (type(value) is GrowingSet and value.table is not None)
        or isinstance(value, LazyValue)
        or (type(value) is GrowingList and value.counter is not None)
        for value in values
    )


def _set_of(value: Any) -> Any:
    """Returns the set of a method's argument, whose members are looked up."""
    if isinstance(value, (set, frozenset)):
        return value
    growing_set = GrowingSet()
    if _has_open(value):
        _operations().update(growing_set, value)
    else:
        growing_set.update(value)
    return growing_set


def _method(name: str) -> Any:
    """Makes a method of sets that takes one other value or several."""

    def method(value: GrowingSet, *others: Any) -> Any:
        if not _has_open(value, *others):
            found = getattr(value._members, name)(*map(_own_members, others))
            return GrowingSet(found) if isinstance(found, set) else found
        if len(others) != 1 and name not in _OF_SEVERAL:
            raise TypeError(f"set.{name}() takes exactly one argument ({len(others)} given)")
        found = value.copy() if name in _OF_SEVERAL and not others else value
        for other in others:
            found = _operations().OPERATIONS[name](found, _set_of(other))
        return found

    method.__name__ = name
    return method


def _operator(name: str, is_reflected: bool = False) -> Any:
    """Makes an operator of two sets."""

    def apply(value: GrowingSet, other: Any) -> Any:
        if not isinstance(other, (set, frozenset)):
            return NotImplemented
        if is_reflected and type(other) is frozenset:
            found = getattr(other, name)(value._own("to be joined with a frozenset"))
        elif _has_open(value, other):
            two = (other, value) if is_reflected else (value, other)
            return _operations().OPERATIONS[name](*two)
        else:
            own, its = value._members, _own_members(other)
            found = getattr(its, name)(own) if is_reflected else getattr(own, name)(its)
        return GrowingSet(found) if isinstance(found, set) else found

    apply.__name__ = name
    return apply


def _in_place(name: str) -> Any:
    """Makes an operator or method that updates a set in place."""

    def apply(value: GrowingSet, *others: Any) -> Any:
        if name.startswith("__") and not isinstance(others[0], (set, frozenset)):
            return NotImplemented
        found = getattr(value, name)(*others)
        if _has_open(value, found):
            _operations().replace_by(value, found)
        else:
            value._members = set(found._members)
        return value if name.startswith("__") else None

    return apply


def _union_in_place(value: GrowingSet, other: Any) -> Any:
    if not isinstance(other, (set, frozenset)):
        return NotImplemented
    value.update(other)
    return value


def _own_members(value: Any) -> Any:
    return value._members if type(value) is GrowingSet else value


def _operations() -> Any:
    return load("jitframe.tracing.standins.set_operations")  # as in `hash_tables`


_OF_SEVERAL = ("union", "intersection", "difference")
for _name in (*_OF_SEVERAL, "symmetric_difference", "issubset", "issuperset", "isdisjoint"):
    setattr(GrowingSet, _name, _method(_name))
for _name in ("intersection", "difference", "symmetric_difference"):
    setattr(GrowingSet, f"{_name}_update", _in_place(_name))
for _name in ("or", "and", "sub", "xor"):
    setattr(GrowingSet, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(GrowingSet, f"__r{_name}__", _operator(f"__{_name}__", is_reflected=True))
    setattr(GrowingSet, f"__i{_name}__", _union_in_place if _name == "or" else _in_place(f"__{_name}__"))
for _name in ("le", "lt", "ge", "gt", "eq"):
    setattr(GrowingSet, f"__{_name}__", _operator(f"__{_name}__"))
