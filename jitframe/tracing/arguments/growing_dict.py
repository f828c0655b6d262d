"""Dicts and sets that traced code makes, whose keys the program may compute.

They are Python's own until a traced key is looked up or stored, or until a loop or branch adds one: from then
on they are hash tables of arrays (see `standins.hash_tables`), and empty here.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

from ...api.frame import LazyValue, innermost_frame
from ...base.importing import load
from ...errors import TraceError
from .growing_list import GrowingList

MISSING: Final = object()
"""Marks a default that is not given."""
TOGETHER = 64
"""A dict or set of at most so many known keys compares a traced key with all of them."""


class Keyed:
    """The base of a trace's dicts and sets."""

    original: type
    """The class in Python."""

    def _begin(self) -> None:
        self.frame: Any = innermost_frame()
        """The frame that it was made in."""
        self.most = 0
        """The least capacity, in entries."""
        self.table: Any = None
        """The hash table, once keys are computed."""

    def known(self) -> dict[Any, Any]:
        """The entries in order, while it is Python's own."""
        raise NotImplementedError

    def put_back(self, entries: dict[Any, Any]) -> None:
        """Replaces its entries."""
        raise NotImplementedError

    def length(self) -> Any:
        """The number of entries, which may be a traced value."""
        return len(self.known()) if self.table is None else self.table.length()

    def truth(self) -> Any:
        """Whether there are entries, which may be a traced value."""
        return self.length() > 0

    def contains(self, key: Any) -> Any:
        """Whether a key is present, which may be a traced value; None where the caller has to compare it with
        all keys."""
        if self.table is None:
            known = self.known()
            if not known:
                return False
            if not is_computed(key):
                return key in known
            if len(known) <= TOGETHER or not hash_tables().become_table(self, None):
                return None
        return self.table.contains(key)

    def is_hashed(self, key: Any, value: Any = None) -> bool:
        """Whether a key is looked up in the hash table; converts to one where necessary and possible."""
        if self.table is not None:
            return True
        entry = None if value is MISSING else (key, value)
        return is_computed(key) and bool(hash_tables().become_table(self, entry))

    def _check_some(self, key: Any) -> None:
        """Raises KeyError where there are no entries."""
        if self.table is None and not self.known():
            raise KeyError(f"{key!r}")

    def _plain(self, what: str) -> None:
        """Raises TraceError where it is a hash table."""
        if self.table is not None:
            raise TraceError(
                f"a {self.original.__name__} whose keys are values of the trace is asked {what}; its length, "
                "its items by key and loops over dicts are known there"
            )

    def deconstruct(self) -> tuple[Any, list[Any]]:
        """Returns a form and the arrays that it is built from."""
        found: tuple[Any, list[Any]] = self.table.deconstruct()
        return found


class GrowingDict(Keyed, dict[Any, Any]):
    """A dict in traced code."""

    original: type = dict

    def __init__(self, entries: Any = (), /, **options: Any) -> None:
        super().__init__(entries, **options)
        self._begin()

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> type:
        return self.original

    def known(self) -> dict[Any, Any]:
        return dict(dict.items(self))

    def put_back(self, entries: dict[Any, Any]) -> None:
        dict.clear(self)
        dict.update(self, entries)

    # One key

    def __missing__(self, key: Any) -> Any:
        raise KeyError(key)

    def _default(self) -> Any:
        """The value for a missing key."""
        return MISSING

    def __getitem__(self, key: Any) -> Any:
        if self.table is not None or is_computed(key):
            default = self._default()
            if default is MISSING:
                self._check_some(key)
            if self.is_hashed(key, default):
                return self.table.item(key, default)
        return dict.__getitem__(self, key)

    def update_item(self, key: Any, change: Callable[[Any], Any]) -> None:
        """`self[key] = change(self[key])` with one look-up of the key."""
        if self.table is None and is_computed(key):
            default = self._default()
            if default is MISSING:
                self._check_some(key)
            hash_tables().become_table(self, None if default is MISSING else (key, change(default)))
        if self.table is not None:
            self.table.update(key, change, self._default())
        else:
            self[key] = change(self[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.is_hashed(key, value):
            self.table.store(key, value)
        else:
            dict.__setitem__(self, key, value)

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def __contains__(self, key: Any) -> bool:
        found = self.contains(key)
        return dict.__contains__(self, key) if found is None else bool(found)

    def get(self, key: Any, default: Any = None) -> Any:
        if self.table is None and is_computed(key):
            if not dict.__len__(self):
                return default
            hash_tables().become_table(self, None)
        return dict.get(self, key, default) if self.table is None else self.table.get(key, default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if self.is_hashed(key, default):
            return self.table.item(key, default)
        return dict.setdefault(self, key, default)

    def pop(self, key: Any, default: Any = MISSING) -> Any:
        if self.table is None and is_computed(key):
            if not dict.__len__(self) and default is not MISSING:
                return default
            self._check_some(key)
            hash_tables().become_table(self, None)
        if self.table is not None:
            return self.table.pop(key, default)
        return dict.pop(self, key) if default is MISSING else dict.pop(self, key, default)

    # All of it

    def keys(self) -> Any:
        return dict.keys(self) if self.table is None else self.table.keys()

    def values(self) -> Any:
        return dict.values(self) if self.table is None else self.table.values()

    def items(self) -> Any:
        return dict.items(self) if self.table is None else self.table.items()

    def __iter__(self) -> Iterator[Any]:
        return dict.__iter__(self) if self.table is None else iter(self.table.keys())

    def __len__(self) -> int:
        return dict.__len__(self) if self.table is None else operator.index(self.table.length())

    def clear(self) -> None:
        dict.clear(self)
        if self.table is not None:
            self.table.clear()

    def update(self, entries: Any = (), /, **options: Any) -> None:
        if self.table is None and not any(map(is_computed, entries)):
            dict.update(self, entries, **options)
            return
        pairs = [(key, entries[key]) for key in entries] if hasattr(entries, "keys") else entries
        for key, value in (*pairs, *options.items()):
            self[key] = value

    def copy(self) -> Any:
        self._plain("for a copy")
        return self._alike(dict.copy(self))

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Any:
        self._plain("for a copy")
        return self._alike(deepcopy(dict.copy(self), memo))

    def _alike(self, entries: Any) -> Any:
        return GrowingDict(entries)

    def popitem(self) -> tuple[Any, Any]:
        self._plain("for its last item")
        return dict.popitem(self)

    def __reversed__(self) -> Iterator[Any]:
        self._plain("for its keys in reverse")
        return dict.__reversed__(self)

    def __eq__(self, other: object) -> bool:
        self._plain("whether it is equal to another one")
        return dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __or__(self, other: Any) -> Any:
        self._plain("to be joined with another one")
        return dict.__or__(self, other)

    def __ror__(self, other: Any) -> Any:
        self._plain("to be joined with another one")
        return dict.__ror__(self, other)

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __repr__(self) -> str:
        self._plain("for its text")
        return dict.__repr__(self)


class GrowingDefaultDict(GrowingDict):
    """A defaultdict in traced code."""

    original = defaultdict

    def __init__(self, default_factory: Callable[[], Any] | None, entries: Any = ()) -> None:
        super().__init__(entries)
        self.default_factory = default_factory

    def _default(self) -> Any:
        return MISSING if self.default_factory is None else self._made()

    def _made(self) -> Any:
        value: Any = self.default_factory()  # type: ignore[misc] # there is one
        return GrowingList(value) if type(value) is list else value

    def __missing__(self, key: Any) -> Any:
        if self.default_factory is None:
            raise KeyError(key)
        value = self._made()
        dict.__setitem__(self, key, value)
        return value

    def _alike(self, entries: Any) -> Any:
        return GrowingDefaultDict(self.default_factory, entries)


class GrowingCounter(GrowingDict):
    """A Counter in traced code that starts empty, or with the counts of a loop."""

    original = Counter

    def _default(self) -> Any:
        return 0

    def __getitem__(self, key: Any) -> Any:
        return self.get(key, 0)

    def __delitem__(self, key: Any) -> None:
        self.pop(key, None)

    def update(self, entries: Any = (), /, **options: Any) -> None:
        """Counts items, or adds the counts of another Counter."""
        if self.table is not None:
            raise TraceError("a Counter of values is updated; write counter[key] += 1 in a loop")
        whole = Counter(dict.copy(self))
        whole.update(entries, **options)
        self.put_back(whole)

    def __getattr__(self, name: str) -> Any:
        if not hasattr(Counter, name):
            raise AttributeError(name)
        self._plain(f"for its {name}()")
        return getattr(Counter(dict.copy(self)), name)

    def _alike(self, entries: Any) -> Any:
        growing_counter = GrowingCounter()
        growing_counter.put_back(entries)
        return growing_counter


def is_computed(key: Any) -> bool:
    """Whether a key is or contains a traced value that scalar arguments alone do not determine."""
    if isinstance(key, tuple):
        return any(map(is_computed, key))
    if not isinstance(key, LazyValue):
        return hasattr(type(key), "_constants")  # one of several, as values decide (see `one_of`)
    value: Any = key
    return value._known() is None and (value._frame.root.keeps_scalars or value._value_by_arguments() is None)


def hash_tables() -> Any:
    """Returns the module of operations on dicts and sets with computed keys."""
    return load("jitframe.tracing.standins.hash_tables")  # a room above this one; few programs have such
