"""The state of a program at a point of its trace: variables, and the mutable objects reachable from them.

A place is read and written like a variable. `Heap` finds the changes since its snapshot, and undoes them.
"""

from __future__ import annotations

import array
import functools
import types
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from sys import stdlib_module_names
from typing import Any, Protocol, TypeVar

from ..api.frame import LazyValue
from ..errors import TraceError, forget
from ..tracing.arguments.growing_dict import Keyed, hash_tables
from ..tracing.arguments.growing_list import IN_ARRAY, GrowingList, elements_of, replace
from ..tracing.environment.guards import getattr_plainly, own_attributes
from ..tracing.environment.library_objects import Refused
from ..tracing.lists.counted_lists import needs_count
from ..tracing.lists.list_arrays import ListNeeded
from ..tracing.lists.row_values import Rows
from ..tracing.values.traced import TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .codes import flag_of
from .patterns import UNSET, is_unset

T = TypeVar("T")

_HEAP_TYPE = 1 << 9
"""The flag of classes that are made by `class` or at run time."""
_BUFFERS = (bytearray, array.array)
_LEAVES = frozenset({type(None), bool, int, float, complex, str, bytes, type(IN_ARRAY), TracedArray})
"""Classes with possibly thousands of instances, which refer to no others."""
_LARGEST = 20_000
"""The most objects that are checked for changes."""


class Place(Protocol):
    """A place that holds a value: a variable, an item or an attribute."""

    @property
    def name(self) -> str:
        """The name used in error messages."""

    @property
    def hidden(self) -> bool:
        """Whether the variable is internal: it is only read where it has a value."""

    def get(self) -> Any:
        """The value of the place, or UNSET."""

    def set(self, value: Any) -> None:
        """Stores a value; UNSET removes it."""


class Variable:
    """A variable of a function, by its closure cell."""

    def __init__(self, name: str, cell: types.CellType, flagged: bool = False) -> None:
        """`flagged`: whether another variable says if it has a value (see `assigned`)."""
        self.hidden = name.startswith("<")
        self.flagged = flagged
        self.name = "what the function returns" if self.hidden else f"the variable {name!r}"
        self.cell = cell

    def get(self) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNSET

    def set(self, value: Any) -> None:
        if value is not UNSET:
            self.cell.cell_contents = value
        elif self.get() is not UNSET:
            del self.cell.cell_contents


class Item:
    """An item of a list, deque or dict."""

    hidden = False

    def __init__(self, container: Any, key: Any) -> None:
        self.container = container
        self.key = key
        self.name = f"item {key!r} of a {type(container).__name__}"

        self.kind: Any = next(each for each in (list, dict, deque) if isinstance(container, each))
        """The class whose methods are used: subclasses may override them."""

    def get(self) -> Any:
        return self.kind.__getitem__(self.container, self.key)

    def set(self, value: Any) -> None:
        self.kind.__setitem__(self.container, self.key, value)


class Attribute:
    """An attribute of an object."""

    hidden = False

    def __init__(self, owner: Any, attribute: str) -> None:
        self.owner = owner
        self.attribute = attribute
        self.name = f"the attribute {attribute!r}"

    def get(self) -> Any:
        return getattr_plainly(self.owner, self.attribute, UNSET)

    def set(self, value: Any) -> None:
        if value is not UNSET:
            object.__setattr__(self.owner, self.attribute, value)
        elif self.get() is not UNSET:
            object.__delattr__(self.owner, self.attribute)


class Temporary:
    """A temporary of a hook."""

    hidden = True
    name = "the value of an expression"

    def __init__(self, value: Any = UNSET) -> None:
        self.value = value

    def get(self) -> Any:
        return self.value

    def set(self, value: Any) -> None:
        self.value = value


def key_of(place: Place) -> Any:
    """The identity of a place, for comparing places."""
    if isinstance(place, Item):
        return id(place.container), place.key
    if isinstance(place, Attribute):
        return id(place.owner), place.attribute
    return id(place.cell if isinstance(place, Variable) else place)


def is_in_array(place: Place) -> bool:
    """Whether a place is an item of a list that is stored as an array."""
    return (
        isinstance(place, Item)
        and isinstance(place.container, GrowingList)
        and place.container.array is not None
    )


def variables(functions: Iterable[Callable[..., Any]], names: Iterable[str]) -> dict[str, Variable]:
    """The variables with these names in the closures of functions."""
    cells: dict[str, types.CellType] = {}
    for function in functions:
        code: types.CodeType = function.__code__
        cells.update(zip(code.co_freevars, function.__closure__ or (), strict=True))
    return {name: Variable(name, cells[name], flag_of(name) in cells) for name in names}


def may_lack_value(place: Place) -> bool:
    """Whether a dummy may stand in a place without a value: it is only read where it has one."""
    return place.hidden or getattr(place, "flagged", False)


class Untouched:
    """The traced arrays and what a function can reach, for checking whether code changed any of it."""

    def __init__(self, frame: TraceFrame, function: Callable[..., Any]) -> None:
        self._versions = [
            (cell, cell.version) for each in (frame, *frame.enclosing) for cell in each.live_cells()
        ]
        self._heap = _or_none(lambda: Heap((function, *frame.root.copied.in_slots), ()))

    def holds(self) -> bool:
        """Whether nothing was changed; False where it is unknown."""
        if self._heap is None or any(cell.version != version for cell, version in self._versions):
            return False
        return _or_none(self._heap.changed) == []


def _or_none(look: Callable[[], T]) -> T | None:
    try:
        return look()
    except TraceError as error:
        forget(error)
    except ListNeeded:  # a list has grown
        pass
    return None


class Heap:
    """A snapshot of the lists, dicts, sets, objects and closures that code can reach."""

    def __init__(self, roots: Iterable[Any], own: Iterable[types.CellType]) -> None:
        """`roots`: functions, and containers reached otherwise; `own`: cells of variables that are tracked
        elsewhere."""
        self._seen: dict[int, tuple[Any, Any]] = {}
        self._own = {id(cell) for cell in own}
        pending: list[Any] = list(roots)
        while pending:
            pending += [each for each in self._inside(pending.pop()) if each.__class__ not in _LEAVES]
            if len(self._seen) > _LARGEST:
                raise TraceError(
                    f"more than {_LARGEST} objects can be reached from a loop or condition on traced values; "
                    "keep large lists and dicts out of the function, or make arrays of them"
                )

    def _inside(self, thing: Any) -> Iterable[Any]:
        """Records a mutable object, and returns what it refers to."""
        if thing is None or isinstance(thing, (LazyValue, Refused, str, bytes, int, float, types.ModuleType)):
            return ()
        if id(thing) in self._seen:
            return ()
        if isinstance(thing, type):
            contents = _class_attributes(thing)
            if contents:
                self._note(thing, contents)
            return [each for each in contents.values() if isinstance(each, (list, dict, set, deque))]
        if type(thing) is tuple or isinstance(thing, (tuple, frozenset)):
            return thing
        if isinstance(thing, types.FunctionType):
            self._note(thing, None)
            named = (thing.__kwdefaults__ or {}).values()
            return (*(thing.__closure__ or ()), *(thing.__defaults__ or ()), *named, thing.__dict__)
        if isinstance(thing, types.MethodType):
            return (thing.__self__, thing.__func__)
        if isinstance(thing, functools.partial):
            return (thing.func, *thing.args, *thing.keywords.values())
        if isinstance(thing, types.CellType):
            value = Variable("", thing).get()
            self._note(thing, value)
            return () if value is UNSET else (value,)
        if isinstance(thing, list):
            items = elements_of(thing)
            self._note(thing, items)
            return items
        if isinstance(thing, (deque, *_BUFFERS)):
            self._note(thing, list(thing))
            return () if isinstance(thing, _BUFFERS) else thing
        if isinstance(thing, Keyed):
            self._note(thing, thing.known())
            return () if thing.table is not None else [*thing.known().values()]
        if isinstance(thing, dict):
            self._note(thing, dict(thing))
            return thing.values()
        if isinstance(thing, set):
            self._note(thing, set(thing))
            return ()
        found = _attributes(thing)
        if found is not None:
            self._note(thing, dict(found))
            return (*found.values(), type(thing))
        if isinstance(thing, Iterator):
            raise TraceError(
                f"a {type(thing).__name__} is gone through in a loop or condition that depends on traced "
                "values; how far it is must be known while tracing: make a list or an array of what it gives"
            )
        return ()

    def _note(self, thing: Any, contents: Any) -> None:
        self._seen[id(thing)] = thing, contents

    @property
    def growing(self) -> list[GrowingList]:
        """The lists that a loop may append to."""
        return [thing for thing, _ in self._seen.values() if isinstance(thing, GrowingList)]

    @property
    def lists(self) -> set[int]:
        """The identities of all lists."""
        return {key for key, (thing, _) in self._seen.items() if isinstance(thing, list)}

    def changed(self, grown: Container[int] = ()) -> list[Place]:
        """The places whose contents differ from the snapshot. Raises TraceError where places were added or
        removed, except for items appended to the lists in `grown` (by their identities)."""
        found: list[Place] = []
        for thing, before in self._seen.values():
            if isinstance(thing, types.FunctionType):
                continue
            if isinstance(thing, types.CellType):
                place = Variable("of a function", thing)
                if id(thing) not in self._own and place.get() is not before:
                    found.append(place)
            elif isinstance(thing, list):
                items = elements_of(thing)
                if len(items) < len(before) or (len(items) > len(before) and id(thing) not in grown):
                    raise _counted(thing, items, before) or TraceError(_grows("list"))
                places = [
                    Item(thing, number) for number, each in enumerate(before) if items[number] is not each
                ]
                if places and len(items) > len(before):
                    raise TraceError(_grows("list"))
                found += places
            elif isinstance(thing, deque):
                if len(thing) != len(before):
                    raise TraceError(_grows("deque"))
                found += [
                    Item(thing, number) for number, each in enumerate(before) if thing[number] is not each
                ]
            elif isinstance(thing, Keyed):
                found += _changed_entries(thing, before)
            elif isinstance(thing, dict):
                if list(thing) != list(before):
                    raise TraceError(_grows("dict"))
                found += [Item(thing, key) for key, each in before.items() if thing[key] is not each]
            elif isinstance(thing, set):
                if thing != before:
                    raise TraceError(_grows("set"))
            elif isinstance(thing, _BUFFERS):
                if list(thing) != before:
                    raise TraceError(_changes(f"a {type(thing).__name__}"))
            elif isinstance(thing, type):
                now = _class_attributes(thing)
                if now.keys() != before.keys() or any(now[name] is not before[name] for name in now):
                    raise TraceError(_changes(f"the class {thing.__name__}"))
            else:
                attributes = _attributes(thing) or {}
                names = dict.fromkeys((*before, *attributes))
                found += [
                    Attribute(thing, name)
                    for name in names
                    if attributes.get(name, UNSET) is not before.get(name, UNSET)
                ]
        return found

    def renew(self) -> None:
        """Takes a new snapshot of lists, dicts and sets after their representation changed."""
        for key, (thing, _) in self._seen.items():
            if isinstance(thing, list):
                self._seen[key] = thing, elements_of(thing)
            elif isinstance(thing, Keyed):
                self._seen[key] = thing, thing.known()

    def before(self, place: Place) -> Any:
        """The value of a place in the snapshot."""
        if isinstance(place, Item):
            return self._seen[id(place.container)][1][place.key]
        if isinstance(place, Attribute):
            return self._seen[id(place.owner)][1].get(place.attribute, UNSET)
        assert isinstance(place, Variable)
        return self._seen[id(place.cell)][1]

    def restore(self) -> None:
        """Restores the snapshot."""
        for thing, before in self._seen.values():
            if isinstance(thing, types.FunctionType):
                continue
            if isinstance(thing, types.CellType):
                if id(thing) not in self._own:
                    Variable("", thing).set(before)
            elif isinstance(thing, list):
                replace(thing, before)
            elif isinstance(thing, deque):
                deque.clear(thing)
                deque.extend(thing, before)
            elif isinstance(thing, bytearray):
                thing[:] = bytes(before)
            elif isinstance(thing, array.array):
                thing[:] = array.array(thing.typecode, before)
            elif isinstance(thing, type):
                now = _class_attributes(thing)
                for name in {*before, *now}:
                    if name not in before:
                        type.__delattr__(thing, name)
                    elif now.get(name, UNSET) is not before[name]:
                        type.__setattr__(thing, name, before[name])
            elif isinstance(thing, Keyed):
                thing.put_back(before)
            elif isinstance(thing, dict):
                dict.clear(thing)
                dict.update(thing, before)
            elif isinstance(thing, set):
                set.clear(thing)
                set.update(thing, before)
            else:
                now = _attributes(thing) or {}
                for name in {*before, *now}:
                    if now.get(name, UNSET) is not before.get(name, UNSET):
                        Attribute(thing, name).set(before.get(name, UNSET))


def _library_of(kind: type) -> str:
    """The package that a class is of; stand-ins of classes answer for what they stand for."""
    module = kind.__module__
    return module.partition(".")[0] if isinstance(module, str) else "jitframe"


def _attributes(thing: Any) -> dict[str, Any] | None:
    """The attributes of an object that the user's code may set."""
    kind = type(thing)
    if kind is Rows:
        return {"_next": thing._next}
    if not kind.__flags__ & _HEAP_TYPE or _library_of(kind) in ("jitframe", "numpy"):
        return None
    return own_attributes(thing)


def _class_attributes(kind: type) -> dict[str, Any]:
    """The attributes of a user's class."""
    library = _library_of(kind)
    if not kind.__flags__ & _HEAP_TYPE or library in ("jitframe", "numpy") or library in stdlib_module_names:
        return {}
    return dict(vars(kind))


def _counted(values: list[Any], items: list[Any], before: list[Any]) -> ListNeeded | None:
    """A function that makes a list one with a counted length; None where that is impossible."""
    if not isinstance(values, GrowingList):
        return None
    return needs_count(values, [*before, *items[len(before) :]])


def _changed_entries(values: Any, before: dict[Any, Any]) -> list[Place]:
    """Returns the changed entries of a dict. Raises ListNeeded for one with more or fewer keys, to convert it
    to a hash table, and TraceError where it cannot be one."""
    now = values.known()
    if [*now] == [*before]:
        return [Item(values, key) for key, each in before.items() if now[key] is not each]
    entry = next(
        (entry for entry in (*now.items(), *before.items()) if not (entry[0] in now and entry[0] in before)),
        None,
    )
    values.put_back(before)
    if entry is not None:
        hash_tables().become_table(values, entry)
    raise TraceError(_grows(values.original.__name__))


def _changes(what: str) -> str:
    return (
        f"{what} changes in a loop or condition that depends on traced values; keep what changes in "
        "variables, lists, dicts or arrays"
    )


def _grows(kind: str) -> str:
    return (
        f"a {kind} gets more or fewer entries in a loop or condition that depends on traced values; its "
        "length must be known while tracing: write to an array of the largest size"
    )


__all__ = [
    "Attribute",
    "Heap",
    "Item",
    "Place",
    "Temporary",
    "Variable",
    "is_unset",
    "may_lack_value",
    "variables",
]
