"""Lists of rows, dicts and sets as results: the program computes arrays, from which the call builds them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy

Form = Hashable
"""The structure of a list: its parts, each (kind of part, ...)."""
ITEM, ROWS, LISTS, COLUMNS, TAGGED, COUNTED = "item", "rows", "lists", "columns", "tagged", "counted"
MAPPING, POOLED, OPTIONAL, FRONT, BETWEEN = "mapping", "pooled", "optional", "front", "between"
CHOSEN, CONSTANTS, CLASSED = "chosen", "constants", "classed"


class RowsForm:
    """The kind of a tree whose members `reconstruct` combines."""


def with_classes(form: Any, original: Callable[[Any], Any]) -> Form:
    """Replaces the classes of the trace in a form by the user's own."""
    if isinstance(form, tuple):
        return tuple([with_classes(each, original) for each in form])
    return original(form) if isinstance(form, type) else form  # type: ignore[no-any-return]


def reconstruct(form: Any, members: Iterable[Any]) -> Any:
    """Builds the list, dict, set or array of open length of a form from its members, a value that may be
    None, or one of several constants."""
    made = iter(members)
    if form == ((OPTIONAL,),):
        present, value = made
        return value if present else None
    if form and form[0][0] == CHOSEN:
        return form[0][1][int(next(made))]
    if form and form[0][0] == CLASSED:
        number, value = made
        return _of_class(value, *form[0][1][int(number)])
    if form and form[0][0] == FRONT:
        whole, count = made
        return _in_front(whole, form[0][1], int(count))
    if form and form[0][0] == BETWEEN:
        whole, low, count = made
        return whole[(*(slice(None),) * form[0][1], slice(int(low), int(low) + int(count)))]
    if form and form[0][0] == MAPPING:
        _, kind, factory, has_gaps = form[0]
        return _mapping(kind, factory, has_gaps, reconstruct(form[1:], made))
    found: list[Any] = []
    for part in form:
        if part[0] == ITEM:
            found.append(next(made))
        else:
            found += _items(part, made)
    return found


def _in_front(whole: Any, axis: int, count: int) -> Any:
    """Returns the first elements along an axis, in memory of their own."""
    if count == whole.shape[axis]:
        return whole
    found = whole[(*(slice(None),) * axis, slice(0, count))]
    return found.copy() if isinstance(found, numpy.ndarray) else found


def _of_class(value: Any, name: str, is_python: bool) -> Any:
    """Returns a Python number as one of a dtype's."""
    made = numpy.dtype(name).type(value)
    return made.item() if is_python else made


def _mapping(kind: type, factory: Any, has_gaps: bool, entries: list[Any]) -> Any:
    """Builds a dict or set from its entries: tuples of a key, the value of dicts, and where some were removed
    whether this one was."""
    if has_gaps:
        entries = [entry[:-1] for entry in entries if not entry[-1]]
    if kind is set:
        return {key for (key,) in entries}
    return defaultdict(factory, entries) if kind is defaultdict else kind(dict(entries))


def _items(part: Any, made: Iterator[Any], span: tuple[int, int] | None = None) -> list[Any]:
    """Returns the items of a part; `span`: the range of the arrays that the list has."""
    if part[0] == COLUMNS:
        kind, columns = part[1:]
        rows = zip(*[_items(column, made, span) for column in columns], strict=True)
        if kind is tuple:
            return list(rows)
        return [list(row) if kind is list else tuple.__new__(kind, row) for row in rows]
    if part[0] == TAGGED:
        return _tagged(part[1], next(made), next(made))
    if part[0] == COUNTED:
        return _items(part[1], made, (int(next(made)), int(next(made))))
    whole = next(made)
    if span is not None:
        whole = _of_ring(whole, *span)
    if part[0] == POOLED:
        return _lists(part[1], _rows(whole, True), made)
    if part[0] == CONSTANTS:
        return list(map(part[1].__getitem__, _rows(whole, True)))
    rows_ = _rows(whole, part[1])
    if part[0] == ROWS:
        return rows_
    steps = range(0, len(rows_), part[2])
    return [rows_[step : step + part[2]] for step in steps]


def _of_ring(whole: Any, first: int, end: int) -> Any:
    """Returns the elements of a ring buffer from one position to another; rows in memory of their own."""
    most = whole.shape[0]
    if end <= most:
        found = whole[first:end]
        return found.copy() if found.ndim > 1 and isinstance(found, numpy.ndarray) else found
    if isinstance(whole, numpy.ndarray):
        return numpy.concatenate([whole[first:], whole[: end - most]])
    return whole[numpy.arange(first, end) % most]


def _lists(form: Any, numbers: list[int], made: Iterator[Any]) -> list[list[Any]]:
    """Returns lists by number; equal numbers give the same list."""
    heads, ends = next(made), next(made)
    spans = {each: (int(heads[each]), int(ends[each])) for each in numbers}
    last = max([end for _, end in spans.values()], default=0)
    items = _items(form, made, (0, last))
    lists = {each: items[head:end] for each, (head, end) in spans.items()}
    return [lists[each] for each in numbers]


def _tagged(types: Any, array: Any, tags: Any) -> list[Any]:
    """Returns items of several types, whose names say whether they are Python's."""
    python = _rows(array, True)
    others = python if all(is_python for _, is_python in types) else _rows(array, False)
    found = []
    for tag, plain, other in zip(_rows(tags, True), python, others, strict=True):
        name, is_python = types[tag]
        made = numpy.dtype(name).type(plain)
        is_tensor = not is_python and not isinstance(array, numpy.ndarray)
        found.append(other.astype(name) if is_tensor else made.item() if is_python else made)
    return found


def _rows(array: Any, python: bool) -> list[Any]:
    if python:
        plain = array if isinstance(array, numpy.ndarray) else array.numpy()
        found: list[Any] = plain.tolist()
        return found
    return list(array) if isinstance(array, numpy.ndarray) else [array[row] for row in range(array.shape[0])]
