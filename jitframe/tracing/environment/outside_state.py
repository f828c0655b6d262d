"""State outside of a function: attributes of objects, and items of lists and dicts, that its calls change.

A slot is a place that a trace stores to, or that others store to between calls. Its value is an input of the
call, read at its start; its value at the end is a result, stored when the call has run. A trace that stores
to a place after reading it otherwise is repeated with that place as a slot.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ...api.frame import entered, in_region
from ...base.importing import load
from ...errors import TraceError
from ...ir.record import identity_record, record
from ..arguments.growing_list import GrowingList, elements_of, refuse_array
from ..arguments.signature import Call
from ..arguments.trees import contents, is_record
from .class_view import original_of
from .guards import END, MISSING, Reads, getattr_plainly, in_classes


class Slot(metaclass=identity_record):
    """A place outside: an attribute, the content of a list or dict, or the end of a list."""

    owner: Any
    attribute: str | None
    """None: the content of the owner; END, which is no name: its end."""
    name: str
    """The user's notation."""

    def get(self) -> Any:
        """Returns the present value, or MISSING."""
        if self.attribute is None or self.attribute is END:
            return self.owner
        return getattr_plainly(self.owner, self.attribute)

    def read(self) -> Any:
        """Returns the value that a call gets."""
        return () if self.attribute is END else self.get()


class Path(metaclass=record):
    """The path from a call to a list, dict or record: from an argument or a slot, by keys and attributes."""

    root: int | str
    """The position of an argument, or its name."""
    steps: tuple[Any, ...] = ()
    of_slot: bool = False
    """Whether the root is the number of a slot."""

    def then(self, key: Any) -> Path:
        return Path(self.root, (*self.steps, key), self.of_slot)

    def of(self, call: Call) -> Any:
        if self.of_slot:
            value = call.slots[self.root].get()  # type: ignore[index]
        else:
            value = call.arguments[self.root] if isinstance(self.root, int) else call.options[self.root]
        for key in self.steps:
            value = value[key] if isinstance(value, (dict, list, tuple)) else getattr(value, key)
        return value

    def name(self, call: Call) -> str:
        """The user's notation in a call."""
        value, found = Path(self.root, (), self.of_slot).of(call), str(self.root)
        if self.of_slot:
            found = call.slots[self.root].name  # type: ignore[index]
        elif isinstance(self.root, int):
            found = call.signature.argument_name(self.root)
        for key in self.steps:
            if isinstance(value, (dict, list, tuple)):
                value, found = value[key], f"{found}[{key!r}]"
            else:
                value, found = getattr(value, key), f"{found}.{key}"
        return found


class Store(metaclass=identity_record):
    """A store of a call: to an attribute of `owner`, or to an item or attribute of the container at `path`;
    with None as key, items appended to a list."""

    owner: Any
    path: Path | None
    key: Any


class Containers:
    """The lists, dicts and records that a traced function was given, with their content at its start."""

    def __init__(self, is_outside: Callable[[Any], bool]) -> None:
        self._is_outside = is_outside
        self._given: dict[int, tuple[Any, Path, dict[Any, Any]]] = {}

    def note(self, value: Any, path: Path) -> None:
        """Records an argument and all containers in it."""
        members = None if self._is_outside(value) else _members(value)
        if members is None:
            return
        if not isinstance(value, tuple):
            self._given[id(value)] = value, path, members
        for key, member in members.items():
            self.note(member, path.then(key))

    def path(self, value: Any) -> Path | None:
        """Returns the path to a container among the arguments; None of other values."""
        known = self._given.get(id(value))
        return None if known is None else known[1]

    def stores(self, call: Call) -> Iterator[tuple[Store, Any]]:
        """Returns the changes of these. Raises TraceError where more than values of items changed."""
        for value, path, before in self._given.values():
            if isinstance(value, GrowingList) and value.counter is not None and not before:
                # As many items as values decide; the list itself would be what the call was given.
                yield Store(None, path, None), load("jitframe.tracing.lists.counted_results").copy_of(value)
                continue
            after = _members(value)
            assert after is not None
            is_list = isinstance(value, list)
            if not before.keys() <= after.keys():
                kind = original_of(value.__class__).__name__
                raise TraceError(
                    f"the function takes items from the {kind} {path.name(call)!r}, which was made outside "
                    f"it; return a new {kind} instead"
                )
            if is_list and len(after) > len(before):
                added = [after.pop(number) for number in range(len(before), len(after))]
                yield Store(None, path, None), added
            for key, member in after.items():
                if before.get(key, MISSING) is not member:
                    yield Store(None, path, key), member


def _members(value: Any) -> dict[Any, Any] | None:
    """The members of a container by key, position or attribute; None of other values."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return dict(enumerate(_stored_items(value) if isinstance(value, list) else value))
    return contents(value) if is_record(type(value)) else None


class Changes:
    """The changes that one trace makes outside of its function."""

    def __init__(self, is_outside: Callable[[Any], bool]) -> None:
        self.containers = Containers(is_outside)
        self._attributes: dict[int, dict[str, tuple[Any, int]]] = {}
        """Values and numbers of slots, by the owner's identity and the attribute."""
        self._owners: dict[int, Slot] = {}
        """One slot of each owner, by the owner's identity."""
        self._made: dict[int, tuple[Any, int]] = {}
        """Stand-ins for containers in slots, and the slots' numbers, by the container's identity."""
        self.met: set[int] = set()
        """Numbers of the slots that the function used."""
        self.stored: dict[tuple[int, str], Slot] = {}
        """Attributes that were stored to and are no slots."""
        self._in_regions: set[tuple[int, str]] = set()
        self.wanted: list[Slot] = []
        """Places that have to become slots."""

    def give(self, slot: Slot, value: Any, number: int) -> None:
        """Records the trace's value of a slot."""
        pairs: Iterable[tuple[Any, Any]]
        if slot.attribute is END:
            value = GrowingList()
            value.ask = partial(self.want, slot.owner, None, slot.name)
            pairs = [(slot.owner, value)]
        else:
            if slot.attribute is not None:
                self._owners.setdefault(id(slot.owner), slot)
                self._attributes.setdefault(id(slot.owner), {})[slot.attribute] = value, number
            pairs = _pairs(slot.get(), value)
        for original, made in pairs:
            if made is not MISSING and (slot.attribute is not END or id(original) not in self._made):
                self._made[id(original)] = made, number
        self.containers.note(value, Path(number, (), True))

    def container(self, original: Any) -> Any:
        """Returns the stand-in for a container in a slot; None of other values."""
        made, number = self._made.get(id(original), (None, 0))
        if made is not None:
            self.met.add(number)
        return made

    @property
    def in_slots(self) -> list[Any]:
        """The stand-ins for the containers in slots."""
        return [made for made, _ in self._made.values()]

    @property
    def owners(self) -> list[tuple[str, Any]]:
        """The objects with attributes that are slots, and their names."""
        return [(slot.name.rpartition(".")[0], slot.owner) for slot in self._owners.values()]

    def attributes(self, owner: Any) -> dict[str, Any]:
        """The values of the slots that are attributes of an object."""
        given = self._attributes.get(id(owner), {})
        self.met.update(number for _, number in given.values())
        return {attribute: value for attribute, (value, _) in given.items()}

    def stores(
        self, call: Call, read: Container[int], attributes: Sequence[tuple[Store, Any]]
    ) -> list[tuple[Store, Any]]:
        """Returns the function's stores: `attributes` of objects from outside, and changes of its arguments.
        Raises TraceError where such a container is also `read` from outside, by identity."""
        found = [*attributes, *self.containers.stores(call)]
        if not may_store([store for store, _ in found], read, call):
            raise TraceError(
                "the function changes a list, dict or object that it is given twice, or reads from outside "
                "as well; pass copies, or return a new one"
            )
        return found

    def want(self, owner: Any, attribute: str | None, name: str) -> None:
        """Requests a slot for a place that is stored to and whose value has to be an input."""
        if all(slot.owner is not owner or slot.attribute != attribute for slot in self.wanted):
            self.wanted.append(Slot(owner, attribute, name))

    def store(self, owner: Any, attribute: str, name: str) -> None:
        """Records a store to an attribute of an object."""
        if attribute not in self._attributes.get(id(owner), ()):
            place = id(owner), attribute
            self.stored.setdefault(place, Slot(owner, attribute, name))
            if in_region():
                self._in_regions.add(place)

    def want_stored(self, reads: Reads) -> None:
        """Requests slots for places that were stored to and read, or stored to in a loop or branch, which
        need the value before; only for places that exist."""
        for place, slot in self.stored.items():
            is_read = place in self._in_regions or reads.has_read(slot.owner, slot.attribute or "")
            if is_read and slot.get() is not MISSING:
                self.want(slot.owner, slot.attribute, slot.name)


def _pairs(original: Any, made: Any) -> Iterator[tuple[Any, Any]]:
    """Yields each container in a value, with its stand-in in the trace."""
    before = _members(original)
    if before is None:
        return
    if not isinstance(original, tuple):
        yield original, made
    after = _members(made) or {}
    for key, member in before.items():
        yield from _pairs(member, after.get(key, MISSING))


def may_store(stores: Sequence[Store], read: Container[int], call: Call) -> bool:
    """Whether a call may change its arguments: no container that is changed or is a slot occurs twice, is
    read from outside by the trace (`read`: identities of such containers), or is stored there. A container
    that is only read may occur twice."""
    if not stores:
        return True
    changed = [store.path for store in stores if store.path is not None]
    if any(id(path.of(call)) in read for path in changed if not path.of_slot):
        return False
    whole = {id(slot.owner) for slot in call.slots if slot.attribute is None}
    outside = {id(slot.owner) for slot in call.slots if slot.attribute is END} - whole
    outside.update(id(store.owner) for store in stores if store.path is None)
    once = outside | whole | {id(path.of(call)) for path in changed}
    leaves = {id(leaf) for leaf in call.leaves}  # objects that were not taken apart in this call among them
    given = [*call.arguments, *call.options.values(), *(slot.read() for slot in call.slots)]
    seen: dict[int, Any] = {}
    again: dict[int, Any] = {}
    _visit(given, leaves, seen, again)
    twice: dict[int, Any] = {}
    _visit(again.values(), leaves, twice, {})
    return not (outside & seen.keys() or once & twice.keys())


def _visit(
    values: Iterable[Any], leaves: Container[int], seen: dict[int, Any], again: dict[int, Any]
) -> None:
    """Adds the lists, dicts and records in values to `seen`, and those visited before to `again`."""
    pending = list(values)
    while pending:
        value = pending.pop()
        members = None if id(value) in leaves else _members(value)
        if members is None:
            continue
        if not isinstance(value, tuple):
            if id(value) in seen:
                again[id(value)] = value
                continue
            seen[id(value)] = value
        pending += members.values()


def put_back(stores: Sequence[Store], values: Sequence[Any], call: Call) -> None:
    """Performs the stores of a call."""
    places = [store.owner if store.path is None else store.path.of(call) for store in stores]
    for store, place, value in zip(stores, places, values, strict=True):
        if isinstance(place, list) and store.key is None:
            place.extend(value)
        elif isinstance(place, (dict, list)):
            place[store.key] = value
        else:
            put_attribute(place, store.key, value)


def put_attribute(owner: Any, name: str, value: Any) -> None:
    """Stores to an attribute as the user's `__setattr__` does in the end."""
    contents = getattr_plainly(owner, "__dict__")
    if isinstance(in_classes(type(owner), name), types.MemberDescriptorType) or not isinstance(
        contents, dict
    ):
        object.__setattr__(owner, name, value)
    else:
        contents[name] = value


def _stored_items(values: list[Any]) -> list[Any]:
    """Returns the items of a list; of an array, as values that may be stored."""
    if not isinstance(values, GrowingList) or not values.is_flat_array:
        return elements_of(values)
    array = values.array
    assert array is not None
    if not array._cell.version and values.original is not None:
        return values.original
    if values.is_mixed:
        refuse_array("to be stored outside, with items of several types")
    with entered(array._cell.frame):
        return values.items
