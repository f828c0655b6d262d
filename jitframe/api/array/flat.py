"""`x.flat`: the elements of a lazy array in C order, read and written by one index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ... import api
from ...arrays.layout import contiguous_strides
from ...errors import ShapeError
from ...functions import movement
from ...ir.node import Shape
from ...ir.types import BOOL
from ..frame import LazyValue
from .lazy_array import UNROLL_LIMIT


class Flat:
    """The elements of an array in C order. Reads copy elements; writes change the array."""

    __slots__ = ("base",)
    __hash__ = None  # type: ignore[assignment]
    _stands_for = numpy.flatiter

    def __init__(self, base: Any) -> None:
        self.base = base
        """The array itself, as in NumPy's iterators."""

    def copy(self) -> Any:
        """Returns all elements in a new array of one axis."""
        return api.movement.duplicate(self.base).reshape(-1)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        array: numpy.ndarray = self.copy().__array__(dtype, copy)
        return array

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return function(
            *(argument.copy() if isinstance(argument, Flat) else argument for argument in arguments),
            **options,
        )

    def __len__(self) -> int:
        return int(self.base.size)

    def __iter__(self) -> Iterator[Any]:
        if self.base.size > UNROLL_LIMIT:
            return iter(self.copy())
        return map(self.reader(), range(self.base.size))

    def reader(self) -> Callable[[Any], Any]:
        """Returns the function that reads the element at a position, as it is when asked."""
        base, shown = self.base, movement.ravel(self.base.shape)
        strides = contiguous_strides(base.shape) if base._strides is None else base._strides
        if shown.strides(strides) is not None:
            read: Callable[[Any], Any] = base._view(shown).__getitem__
            return read
        return lambda position: base[_unraveled(position, base.shape)]

    def __getitem__(self, index: Any) -> Any:
        return self.copy()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, LazyValue) and index._dtype is BOOL and index.shape == (self.base.size,):
            self.base[api.movement.reshape(index, self.base.shape)] = value
            return
        known = index if isinstance(index, LazyValue) else numpy.arange(self.base.size)[index]
        if not known.shape and numpy.ndim(value):
            raise ShapeError("Error setting single item of array.")
        api.indexing.writing.put(self.base, known, value)

    def __eq__(self, other: object) -> Any:
        return self.copy() == other

    def __ne__(self, other: object) -> Any:
        return self.copy() != other


def _unraveled(position: Any, shape: Shape) -> tuple[Any, ...]:
    """Returns the index of the element at a position in C order."""
    index: list[Any] = []
    for extent in reversed(shape):
        index.insert(0, position % extent)
        position = position // extent
    return tuple(index)
