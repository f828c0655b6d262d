"""State outside of a function that its calls read and store, encoded for the native entry."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...runtime.cpu.entry.arguments import Argument, Outside, OutsideStore, Place, Root, StoreKind
from ..environment.guards import END, getattr_plainly, in_classes
from .arguments import NotNative

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from ..environment.outside_state import Path, Slot, Store
    from ..programs.program import Program


class OutsideOf:
    """The stores and slots of a program, for calls such as this one. `places`: the call's argument number of
    each argument."""

    def __init__(self, program: Program, call: Call, places: tuple[int, ...]) -> None:
        self._results = program.results
        self._call = call
        self._places = places

    def told(self, arguments: tuple[Argument, ...]) -> Outside | None:
        """Encodes them; `arguments`: those of the slots. Raises NotNative."""
        call, stores = self._call, self._results.stores
        if not call.slots and not stores:
            return None
        whole = {id(slot.owner) for slot in call.slots if slot.attribute is None}
        owners = [slot.owner for slot in call.slots if slot.attribute is END and id(slot.owner) not in whole]
        owners += [store.owner for store in stores if store.path is None]
        gives = any(store.path is not None and not store.path.of_slot for store in stores)
        return Outside(
            tuple(map(_read, call.slots)),
            arguments,
            tuple([self._store(store) for store in stores]),
            tuple(owners),
            tuple(self._results.read) if gives else (),
        )

    def place(self, path: Path) -> Place:
        """Encodes the path to a container."""
        call, root = self._call, path.root
        values = _values(path, call)
        steps = tuple(
            [(isinstance(value, (dict, list, tuple)), key) for value, key in zip(values, path.steps)]
        )
        if path.of_slot:
            slot = call.slots[root]  # type: ignore[index]
            if slot.attribute is None or slot.attribute is END:
                return Place(Root.OBJECT, slot.owner, steps)
            return Place(Root.OUTSIDE, root, steps)
        names = [name for name, _ in call.keywords]
        number = root if isinstance(root, int) else len(call.positional) + names.index(root)
        return Place(Root.ARGUMENT, self._places[number], steps)

    def _store(self, store: Store) -> OutsideStore:
        if store.path is None:
            return OutsideStore(
                _attribute_kind(store.owner, store.key), store.key, Place(Root.OBJECT, store.owner)
            )
        owner, place = store.path.of(self._call), self.place(store.path)
        if isinstance(owner, list) and store.key is None:
            return OutsideStore(StoreKind.AT_END, None, place)
        if isinstance(owner, (dict, list)):
            return OutsideStore(StoreKind.ITEM, store.key, place)
        return OutsideStore(_attribute_kind(owner, store.key), store.key, place)


def _read(slot: Slot) -> tuple[Any, str | None]:
    if slot.attribute is END:
        return (), None
    return slot.owner, slot.attribute


def _values(path: Path, call: Call) -> Iterator[Any]:
    """Returns the values along a path, from its root on."""
    for count in range(len(path.steps)):
        yield type(path)(path.root, path.steps[:count], path.of_slot).of(call)


def _attribute_kind(owner: Any, name: str) -> int:
    """Returns how `put_attribute` stores. Raises NotNative for a class with its own kind of `__dict__`."""
    cls = type(owner)
    attributes = getattr_plainly(owner, "__dict__")
    if isinstance(in_classes(cls, name), types.MemberDescriptorType) or not isinstance(attributes, dict):
        return StoreKind.IN_SLOT
    if type(attributes) is not dict or not isinstance(
        in_classes(cls, "__dict__"), types.GetSetDescriptorType
    ):
        raise NotNative
    return StoreKind.IN_DICT
