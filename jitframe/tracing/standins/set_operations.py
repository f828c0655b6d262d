"""Operations of two sets with traced members: loops over the members of one, which look each up in the other.

The order of Python's own hash table is unknown here: no result depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import TraceError
from ..arguments.growing_dict import hash_tables
from ..arguments.growing_set import GrowingSet
from ..values.traced_frame import run_traced
from . import sequences


def is_open(value: Any) -> bool:
    """Whether its members are traced values."""
    return type(value) is GrowingSet and value.table is not None


def members(value: Any) -> Any:
    """Returns all members, in any order."""
    return value.table.all_keys(ordered=False) if is_open(value) else value


def union(one: Any, other: Any) -> GrowingSet:
    growing_set = GrowingSet()
    run_traced(sequences.add_all, growing_set, members(one))
    run_traced(sequences.add_all, growing_set, members(other))
    return growing_set


def intersection(one: Any, other: Any) -> GrowingSet:
    """Raises TraceError where equal members may be of two types: Python takes those of the smaller set."""
    growing_set = GrowingSet()
    tables = [_table(each) for each in (one, other)]
    if None in tables:
        return growing_set
    first, second = [[column.items_type for column in table.keys_] for table in tables]
    if first != second or any(column.is_mixed for table in tables for column in table.keys_):
        raise TraceError("two sets of values of the trace have members of several types in common")
    run_traced(sequences.add_common, growing_set, members(one), other)
    return growing_set


def _table(value: Any) -> Any:
    """Returns the hash table of a set, converted where necessary; None of an empty one."""
    if is_open(value):
        return value.table
    growing_set = GrowingSet(value)
    if value and not hash_tables().become_table(growing_set, None):
        raise TraceError("two sets are joined, of which one has members that no array holds")
    return growing_set.table


def difference(one: Any, other: Any) -> GrowingSet:
    growing_set = GrowingSet()
    run_traced(sequences.add_others, growing_set, members(one), other)
    return growing_set


def symmetric_difference(one: Any, other: Any) -> GrowingSet:
    growing_set = difference(one, other)
    run_traced(sequences.add_others, growing_set, members(other), one)
    return growing_set


def issubset(one: Any, other: Any) -> Any:
    return run_traced(sequences.are_all_in, members(one), other)


def issuperset(one: Any, other: Any) -> Any:
    return issubset(other, one)


def isdisjoint(one: Any, other: Any) -> Any:
    return run_traced(sequences.are_none_in, members(one), other)


def is_equal(one: Any, other: Any) -> Any:
    return issubset(one, other) & (_length(one) == _length(other))


def is_less(one: Any, other: Any) -> Any:
    return issubset(one, other) & (_length(one) < _length(other))


def is_greater(one: Any, other: Any) -> Any:
    return is_less(other, one)


def _length(value: Any) -> Any:
    return value.length() if type(value) is GrowingSet else len(value)


def update(one: GrowingSet, other: Any) -> None:
    if other is not one:
        run_traced(sequences.add_all, one, members(other))


def replace_by(one: GrowingSet, other: GrowingSet) -> None:
    """Replaces the members of a set by those of a new one."""
    one.clear()
    update(one, other)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "union": union, "intersection": intersection, "difference": difference,
    "symmetric_difference": symmetric_difference, "issubset": issubset, "issuperset": issuperset,
    "isdisjoint": isdisjoint, "__or__": union, "__and__": intersection, "__sub__": difference,
    "__xor__": symmetric_difference, "__le__": issubset, "__ge__": issuperset, "__lt__": is_less,
    "__gt__": is_greater, "__eq__": is_equal,
}  # fmt: skip
"""Operations by the name of Python's method."""
