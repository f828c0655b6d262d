"""How items of lists are made of numbers: tuples, and tuples in tuples, by their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .item_types import ItemType, type_of_items

if TYPE_CHECKING:
    from ..values.traced_frame import TraceFrame

ItemForm = Any
"""How an item is made of numbers: None of a number, (class, forms) of a tuple."""


def form_of(value: Any) -> ItemForm:
    return (type(value), tuple(map(form_of, value))) if isinstance(value, tuple) else None


def parts_of(form: ItemForm, value: Any) -> list[Any] | None:
    """The numbers of an item; None of one of another form."""
    if form is None:
        return None if isinstance(value, tuple) else [value]
    if type(value) is not form[0] or len(value) != len(form[1]):
        return None
    found: list[Any] = []
    for its, each in zip(form[1], value, strict=True):
        parts = parts_of(its, each)
        if parts is None:
            return None
        found += parts
    return found


def made_of(form: ItemForm, parts: Iterator[Any]) -> Any:
    """An item of the next numbers."""
    if form is None:
        return next(parts)
    return tuple.__new__(form[0], [made_of(each, parts) for each in form[1]])


def types_of(frame: TraceFrame, form: ItemForm, items: Sequence[Any]) -> list[ItemType] | None:
    """Those of the numbers of which items of one form are made; None of other items."""
    columns = columns_of(form, items)
    types = [type_of_items(frame, each) for each in columns or ()]
    found = [each for each in types if each is not None]
    return None if columns is None or len(found) < len(types) else found


def columns_of(form: ItemForm, items: Sequence[Any]) -> list[list[Any]] | None:
    parts = [parts_of(form, each) for each in items]
    known = [each for each in parts if each is not None]
    return None if len(known) < len(parts) else [list(each) for each in zip(*known, strict=True)]
