"""The forms of items of lists: tuples, also nested ones, by their columns; arrays by rows of a column; lists
by their numbers in a pool (see `list_pools`), constants by their numbers."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...ir.node import Shape
from ...ir.record import record
from ..arguments.growing_list import GrowingList
from ..values.one_of import OneOf, constants_of, number_among, place_of, united
from ..values.traced import ARRAY, TracedArray
from .item_types import ItemType, type_of_parts
from .list_arrays import need

if TYPE_CHECKING:
    from ..values.traced_frame import TraceFrame

ItemForm = Any
"""The form by which the elements of columns make up an item: None of a scalar, (class, forms) of a tuple,
`ArrayForm` of an array, `Lists` of a list, `Constants` of a text or another constant."""


class ArrayForm(metaclass=record):
    """The form of items that are arrays of one shape, each a row of a column."""

    shape: Shape


class Lists:
    """The form of items that are lists, each represented by its number."""

    def refer(self, values: Any) -> Any:
        """Returns the number of a list; None of one that cannot have one."""
        return 0 if type(values) is GrowingList else None

    def take_all(self, lists: Sequence[Any]) -> None:
        """Adds many known lists as the first ones."""

    def is_new(self, values: Any) -> bool:
        """Whether it is an empty list without a number."""
        is_plain = type(values) is GrowingList and values.counter is None
        return is_plain and not values.is_grown and not list.__len__(values)

    def new(self, needed: Any) -> Any:
        """Returns the number of a new list, where `needed`."""
        raise AssertionError("these lists have no numbers yet")

    def list_of(self, number: Any) -> Any:
        """Returns the list of a number."""
        raise AssertionError("these lists have no numbers yet")

    def known_list(self, number: Any) -> Any:
        """Returns the list of a number that was read from an array."""
        raise AssertionError("these lists have no numbers yet")

    def returned(self) -> Any:
        """Returns a form for the lists, besides their numbers, and the arrays that they are built from."""
        raise AssertionError("these lists have no numbers yet")


class Constants:
    """The form of items that are constants, each represented by its number (see `one_of`)."""

    frame: TraceFrame | None = None
    """That of the list, once it has columns."""
    most = 0
    is_read = False
    """Whether an item was read: a loop that adds another constant is traced again with all of them."""

    def __init__(self) -> None:
        self.constants: tuple[Any, ...] = ()

    def refer(self, value: Any) -> Any:
        """Returns the number of a constant; None of another value, or where it cannot be added."""
        found = constants_of(value)
        is_known = all(place_of(each, self.constants) is not None for each in found)
        if found and (is_known or self._accepts(found)):
            return number_among(value, self.constants)
        return None

    def _accepts(self, constants: tuple[Any, ...]) -> bool:
        if self.frame is not None and self.is_read:
            return need(self, functools.partial(self._add, constants))
        self._add(constants)
        return True

    def _add(self, constants: tuple[Any, ...]) -> None:
        self.constants = united(self.constants, constants)

    def made(self, number: Any) -> OneOf:
        """Returns the constant of a number that was read from an array."""
        self.is_read = True
        return OneOf(number, self.constants)


UNDECIDED: Final = Lists()
"""The form of items not seen yet, and of items that are lists in no pool yet."""


def form_of(value: Any) -> ItemForm:
    if isinstance(value, tuple):
        return type(value), tuple(map(form_of, value))
    if _is_array(value):
        return ArrayForm(value.shape)
    if constants_of(value):
        return Constants()
    return UNDECIDED if type(value) is GrowingList else None


def _is_array(value: Any) -> bool:
    return isinstance(value, TracedArray) and value._kind == ARRAY and value.size > 0 and bool(value.shape)


def shapes_of(form: ItemForm) -> Iterator[Shape]:
    """The shape of the part of an item that is in each column."""
    if isinstance(form, tuple):
        for each in form[1]:
            yield from shapes_of(each)
    else:
        yield form.shape if isinstance(form, ArrayForm) else ()


def parts_of(form: ItemForm, value: Any) -> list[Any] | None:
    """Returns the scalars and arrays of an item; None of an item of another form."""
    if form is None:
        return None if isinstance(value, (tuple, list)) else [value]
    if isinstance(form, ArrayForm):
        return [value] if _is_array(value) and value.shape == form.shape else None
    if isinstance(form, (Lists, Constants)):
        number = form.refer(value)
        return None if number is None else [number]
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
    """Builds an item from the next scalars and arrays."""
    if form is None or isinstance(form, ArrayForm):
        return next(parts)
    if isinstance(form, Lists):
        return form.known_list(next(parts))
    if isinstance(form, Constants):
        return form.made(next(parts))
    return tuple.__new__(form[0], [made_of(each, parts) for each in form[1]])


def types_of(frame: TraceFrame, form: ItemForm, items: Sequence[Any]) -> list[ItemType] | None:
    """Returns the types of the columns of items of one form; None of other items."""
    columns = columns_of(form, items)
    types = [type_of_parts(frame, each) for each in columns or ()]
    item_types = [item_type for item_type in types if item_type is not None]
    return None if columns is None or len(item_types) < len(types) else item_types


def columns_of(form: ItemForm, items: Sequence[Any]) -> list[list[Any]] | None:
    parts = [parts_of(form, each) for each in items]
    known = [each for each in parts if each is not None]
    return None if len(known) < len(parts) else [list(each) for each in zip(*known, strict=True)]
