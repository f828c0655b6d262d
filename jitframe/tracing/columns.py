"""Columns of tables and buffers among the arguments of a call: ndarrays of the same memory.

Columns are told by protocols, Arrow's (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html)
and pandas', so none of these libraries is loaded here.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy

from ..api.frame import plain_array
from ..errors import DTypeError, UnsupportedError

_PROTOCOLS = ("__arrow_c_array__", "__arrow_c_stream__", "__pandas_priority__")
_BUFFERS = frozenset((memoryview, array))
_COLUMNS: dict[type, bool] = {}
"""By class, whether its values may be columns."""


def take_columns(leaves: list[Any], first: int) -> None:
    """Puts ndarrays in the places of columns and buffers, from the leaf `first` on.

    The memory is the column's own where that has NumPy's layout: not where values are missing, or are bits.
    Raises DTypeError for columns of texts, dates and other objects.
    """
    for place in range(first, len(leaves)):
        leaf = leaves[place]
        kind = type(leaf)
        if kind is not numpy.ndarray and _may_be_column(kind) and _is_column(leaf):
            leaves[place] = _array(leaf)


def _may_be_column(kind: type) -> bool:
    known = _COLUMNS.get(kind)
    if known is None:
        known = _COLUMNS[kind] = kind in _BUFFERS or (
            hasattr(kind, "__array__")
            and not issubclass(kind, (numpy.ndarray, numpy.generic))
            and any(hasattr(kind, name) for name in _PROTOCOLS)
        )
    return known


def _is_column(value: Any) -> bool:
    """Whether it has one axis: tables have two. Arrow's arrays tell no shape, and have one."""
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
