"""Hooks in place of displays of lists, dicts and sets, which loops may change."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..tracing.arguments.growing_dict import GrowingDict
from ..tracing.arguments.growing_list import GrowingList, counted_lists
from ..tracing.arguments.growing_set import GrowingSet

_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv, "Mod": operator.imod, "Pow": operator.ipow, "LShift": operator.ilshift,
    "RShift": operator.irshift, "BitOr": operator.ior, "BitXor": operator.ixor, "BitAnd": operator.iand,
    "MatMult": operator.imatmul,
}  # fmt: skip
"""By the class of the operator in Python's syntax trees."""


class Containers:
    """The hooks of one trace for new containers."""

    def list_(self, values: list[Any]) -> list[Any]:
        """A new list that a loop may append to and that may be stored as an array."""
        return GrowingList(values) if type(values) is list else values

    def joined(self, *parts: Any) -> list[Any]:
        """`[*part, *part]`."""
        if any(isinstance(each, GrowingList) and each.counter is not None for each in parts):
            made: list[Any] = counted_lists().joined_lists(*parts)
            return made
        return GrowingList([item for part in parts for item in part])

    def dict_(self, *pairs: tuple[Any, Any]) -> Any:
        """A new dict that loops may add entries to."""
        growing_dict = GrowingDict()
        growing_dict.update(pairs)
        return growing_dict

    def set_(self, *members: Any) -> Any:
        """A new set that loops may add members to."""
        growing_set = GrowingSet()
        growing_set.update(members)
        return growing_set

    def keyed(self, value: Any) -> Any:
        """Returns a dict or set as a hash table of the trace."""
        return (
            GrowingDict(value) if type(value) is dict else GrowingSet(value) if type(value) is set else value
        )

    def is_dict(self, value: Any) -> bool:
        """Whether a value is a dict whose keys may be traced."""
        return isinstance(value, GrowingDict)

    def in_place(self, how: str, old: Any, value: Any) -> Any:
        """`old += value` and the like: an array keeps its identity under its other names."""
        return _IN_PLACE[how](old, value)

    def update_item(self, values: GrowingDict, key: Any, change: Callable[[Any], Any]) -> None:
        """`values[key] = change(values[key])`."""
        values.update_item(key, change)
