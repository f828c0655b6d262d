"""Columns of tables, buffers and arrays of other libraries as arguments: ndarrays of the same memory.

Protocols identify them, so that none of these libraries is loaded here.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy

from ...api.frame import is_tensor, plain_array
from ...errors import DTypeError, UnsupportedError
from ...runtime.memory.foreign import COLUMN_PROTOCOLS, is_foreign, is_on_device

_BUFFERS = frozenset((memoryview, array))
_COLUMNS: dict[type, bool] = {}
"""Whether values of a class may be columns, by class."""


def take_columns(leaves: list[Any], first: int) -> None:
    """Replaces columns, buffers and other libraries' arrays among the leaves, from the leaf `first` on, by
    ndarrays.

    The memory is their own where that has NumPy's layout: not where values are missing, or are bits.
    Raises DTypeError for columns of texts, dates and other objects, ArgumentError where a library does not
    give its memory.
    """
    for place in range(first, len(leaves)):
        leaf = leaves[place]
        kind = type(leaf)
        if kind is numpy.ndarray:
            continue
        if _may_be_column(kind):
            if _is_column(leaf):
                leaves[place] = _array(leaf)
        elif not is_tensor(leaf) and is_foreign(leaf) and not is_on_device(leaf):
            leaves[place] = plain_array(leaf)


def _may_be_column(kind: type) -> bool:
    known = _COLUMNS.get(kind)
    if known is None:
        known = _COLUMNS[kind] = kind in _BUFFERS or (
            hasattr(kind, "__array__")
            and not issubclass(kind, (numpy.ndarray, numpy.generic))
            and any(hasattr(kind, name) for name in COLUMN_PROTOCOLS)
        )
    return known


def _is_column(value: Any) -> bool:
    """Whether a value has one axis, as columns have; tables have two. Arrow's arrays have no shape and one
    axis."""
    shape: Sequence[int] = getattr(value, "shape", (0,))
    return type(value) in _BUFFERS or len(shape) == 1


def _array(column: Any) -> numpy.ndarray:
    try:
        return plain_array(column)
    except (DTypeError, UnsupportedError):
        raise DTypeError(
            f"a column of {getattr(column, 'dtype', getattr(column, 'type', 'objects'))} is no argument of "
            "a jitted function: only columns of numbers are; fill or drop what is missing, encode texts"
        ) from None
