"""Aliases at the end of a region: arrays that may be the same memory, because a variable is bound to one
array on one path and to another array on another."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import TraceError
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.values.cells import Cell
from ..tracing.values.optional import may_be_none
from ..tracing.values.traced import ARRAY, TracedArray
from .patterns import Chosen, Fixed, Maybe, Members, Pattern, Referred, is_unset
from .region import CaptureRegion
from .state import Place


def shared_memory(region: CaptureRegion | None, value: Any) -> list[Cell]:
    """Returns the cells of the enclosing trace whose memory a value may share, at the end of a region or
    before there is one."""
    if not isinstance(value, TracedArray) or value._kind != ARRAY:
        return []
    found: dict[int, Cell] = {}
    pending = [value._cell]
    while pending:
        cell = pending.pop()
        if region is None or cell.frame is not region or id(cell) in region.touched:
            found[id(cell)] = cell
        pending += [
            other for give, _ in cell.ties if (other := give()) is not None and id(other) not in found
        ]
    return list(found.values())


def tie(value: TracedArray, cells: Iterable[Cell], sole: frozenset[int], hidden: bool) -> None:
    """Records that a new value may alias these cells, except those that no other variable refers to.
    `hidden`: the value is the result of a function, which nobody reads while the function still runs."""
    if value._kind != ARRAY:
        return
    others = {id(cell): cell for cell in cells if id(cell) not in sole}
    value._cell.ties = tuple(
        (weakref.ref(cell) if hidden else functools.partial(_itself, cell), cell.version)
        for cell in others.values()
    )


def _itself(cell: Cell) -> Cell:
    return cell


def lists_elsewhere(values: Iterable[tuple[Pattern, Any]], known: set[int]) -> list[tuple[int, list[Any]]]:
    """Finds the lists that are copied into variables by a loop or branch but are also reachable from
    elsewhere, with the positions of those variables. `values`: what the variables hold at its end, in these
    patterns; `known`: the lists that existed before. Arrays are recorded as aliases instead."""
    seen: dict[int, int] = {}
    found = []
    for position, (pattern, value) in enumerate(values):
        for each in _carried_lists(pattern, value):
            is_array = isinstance(each, GrowingList) and each.array is not None
            if id(each) in seen:
                found += [(position, each), (seen[id(each)], each)]
            elif id(each) in known and not is_array:
                found.append((position, each))
            seen[id(each)] = position
    return found


def _carried_lists(pattern: Pattern, value: Any) -> Iterable[list[Any]]:
    """The lists in a value that are loop-carried, so that new list objects are made for them."""
    if isinstance(pattern, (Fixed, Referred, Chosen)) or value is None or is_unset(value):
        return
    if isinstance(pattern, Maybe):
        yield from _carried_lists(pattern.value, value._inner if may_be_none(value) else value)
        return
    if isinstance(value, list):
        yield value
    if isinstance(pattern, Members):
        members = elements_of(value) if isinstance(value, list) else value
        for each, member in zip(pattern.members, members, strict=True):
            yield from _carried_lists(each, member)


def share(lists: Iterable[list[Any]]) -> None:
    """Forbids changes to lists of which copies exist. Raises TraceError for a list whose later changes the
    trace would not notice."""
    for each in lists:
        if not isinstance(each, GrowingList):
            raise TraceError(
                "a list is one list or another, which depends on traced values; bind a copy of it"
            )
        each.is_shared = True


def lists_in(values: Sequence[Any]) -> Iterator[list[Any]]:
    """Returns the lists among values, and inside of tuples and lists."""
    for value in values:
        if isinstance(value, list):
            yield value
            yield from lists_in(elements_of(value))
        elif isinstance(value, tuple):
            yield from lists_in(value)


def sole_cells(places: Sequence[Place]) -> frozenset[int]:
    """The cells of arrays to which exactly one place holds a reference.

    By counts of references: where something else holds one for another reason the answer is no, which is
    the safe one.
    """
    return frozenset(found for place in places if (found := _sole_cell(place)) is not None)


def _sole_cell(place: Place) -> int | None:
    value = place.get()
    if not isinstance(value, TracedArray) or value._cell.source is not None:
        return None
    if sys.getrefcount(value) != _references or sys.getrefcount(value._cell) != _cell_references:
        return None
    return id(value._cell)


class _Sample:
    """A place with the only reference to an object: the reference count to compare with."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self) -> Any:
        return self._value


def _counted(place: Any) -> tuple[int, int]:
    value = place.get()
    return sys.getrefcount(value), sys.getrefcount(value.inner)


class _Holder:
    def __init__(self) -> None:
        self.inner = object()


_references, _cell_references = _counted(_Sample(_Holder()))
"""The reference counts, inside these functions, of an object of which one place has the only reference, and
of an object inside it."""
