"""A call's arguments as the native entry matches them: leaves, and the containers that hold them."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from ...runtime.cpu.entry.arguments import (
    Argument,
    DictArgument,
    FixedMember,
    LeafArgument,
    RecordArgument,
    SequenceArgument,
    Slot,
)
from ...runtime.cpu.native_library import layout
from ..arguments.trees import Again, Fixed, Tree

_DEEPEST = 32
"""The deepest nesting of containers that the native entry visits: it recurses on the thread's stack."""


class NotNative(Exception):
    """The native entry cannot answer such a call."""


def argument_of(tree: Tree, leaves: Iterator[LeafArgument], depth: int = 0) -> Argument:
    """Returns the argument of a tree, with the next leaves. Raises NotNative."""
    if isinstance(tree, str):
        return next(leaves)
    if isinstance(tree, Fixed):
        return FixedMember(tree.value)
    if isinstance(tree, Again) or depth == _DEEPEST:
        raise NotNative
    kind, keys, trees = tree
    members = tuple([argument_of(member, leaves, depth + 1) for member in trees])
    if kind is dict:
        return DictArgument(keys, members)
    if issubclass(kind, (tuple, list)):
        if kind.__iter__ not in (tuple.__iter__, list.__iter__):
            raise NotNative
        return SequenceArgument(kind, members)
    return _record(kind, keys, members)


def _record(kind: type, names: tuple[str, ...], members: tuple[Argument, ...]) -> RecordArgument:
    """Returns a record whose attributes are stored where its class defines them, and none computed."""
    offsets = slot_offsets(kind)
    attributes = tuple(name for name in names if name not in offsets)
    computed = any(_is_data_descriptor(_class_attribute(kind, name)) for name in attributes)
    is_plain = kind.__getattribute__ is object.__getattribute__  # type: ignore[comparison-overlap] # to mypy methods of a class and of `object` differ
    if computed or not is_plain or hasattr(kind, "__getattr__"):
        raise NotNative
    has_dict = kind.__dictoffset__ != 0
    own = isinstance(_class_attribute(kind, "__dict__"), types.GetSetDescriptorType)
    in_order = names == (*attributes, *(name for name in offsets if name in names))
    if has_dict != own or not in_order:
        raise NotNative
    slots = tuple(Slot(offset, name in names) for name, offset in offsets.items())
    return RecordArgument(kind, attributes if has_dict else None, slots, members)


def _class_attribute(kind: type, name: str) -> Any:
    return next((vars(owner)[name] for owner in kind.__mro__ if name in vars(owner)), None)


def _is_data_descriptor(value: Any) -> bool:
    return hasattr(type(value), "__set__") or hasattr(type(value), "__delete__")


def slot_offsets(kind: type) -> dict[str, int]:
    """Returns the offsets of the slots in objects of a class, in the order of `trees.contents`. Raises
    NotNative."""
    found = layout.slot_offsets(kind)
    if found is None:
        raise NotNative
    return found
