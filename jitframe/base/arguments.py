"""Checks and conversions of arguments: each returns a value of one kind, or raises an error that names what
was given and what is accepted."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy

from ..errors import ArgumentError, JitframeError, KindError, UnsupportedError, listed
from ..ir.node import Shape

MOST_AXES = 64
"""The maximum rank of an array, which is NumPy's."""
MOST_BYTES = 2**63 - 1
MOST_PARTS = 65_536
"""The maximum number of arrays that one call splits an array into."""
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe", "same_value")
"""NumPy's casting rules."""
C_OR_F = ("F", "C")
ORDERS = ("C", "F", "A", "K")
"""NumPy's names of memory orders; the last one is the default."""


def shown(value: Any) -> str:
    """The text of a value for a message: short, and arrays by dtype and shape."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and dtype is not None and not isinstance(value, type):
        return f"{dtype}{list(shape)}" if shape else f"a {dtype} value"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(shown, value[:6])) + (", …" if len(value) > 6 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if value is None or value is Ellipsis or isinstance(value, (int, float, complex, str, bytes, slice)):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:57]}…"
    if isinstance(value, type):
        return value.__name__
    return f"a {type(value).__name__}"


def integer(value: Any, name: str) -> int:
    """Returns an integer given as Python's, NumPy's, or an array of one element. Raises KindError."""
    if value.__class__ is int:
        return value
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise KindError(f"{name} is an integer, not {shown(value)}") from None


def count(value: Any, name: str, most: int = MOST_BYTES) -> int:
    """Returns a non-negative integer. Raises KindError or ArgumentError."""
    found = integer(value, name)
    if found < 0:
        raise ArgumentError(f"{name} must not be negative, and {found} was given")
    if found > most:
        raise ArgumentError(f"{name} is at most {most}, and {found} was given")
    return found


def flag(value: Any, name: str) -> bool:
    """Returns a flag given as True, False, or an integer."""
    if value.__class__ is bool or value.__class__ is numpy.bool_:
        return bool(value)
    try:
        return operator.index(value) != 0
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise KindError(f"{name} is True or False, not {shown(value)}") from None


def word(value: Any, name: str, words: Sequence[str]) -> str:
    """Returns one of several keywords. Raises KindError for what is no text, ArgumentError for another
    text."""
    if isinstance(value, str) and value in words:
        return value
    known = [*map(repr, words)]
    fitting = f"{name} must be {f'one of {listed(known)}' if len(known) > 2 else ' or '.join(known)}"
    if not isinstance(value, str):
        raise KindError(f"{fitting}, a str, not {type(value).__name__}")
    raise ArgumentError(f"{fitting} (got {value!r})")


def casting_of(value: Any, supported: Sequence[str] = ("same_kind", "unsafe")) -> str:
    """Returns a casting rule. Raises UnsupportedError for one of NumPy's that is not among the supported
    ones."""
    found = word(value, "casting", CASTINGS)
    if found not in supported:
        raise UnsupportedError(f"casting={found!r}; supported are {listed([*map(repr, supported)], 'and')}")
    return found


def order_of(value: Any, words: Sequence[str] = ORDERS) -> str:
    """Returns the memory order as one of `words`, the last of which is the default for None."""
    return words[-1] if value is None else word(value, "order", words)


def is_sequence(value: Any) -> bool:
    """Whether an argument is a sequence of numbers: a tuple, a list, a range or an array."""
    return isinstance(value, (tuple, list, range)) or (
        not isinstance(value, type) and len(getattr(value, "shape", ())) > 0 and hasattr(value, "__getitem__")
    )


def shape_of(shape: Any, name: str = "shape") -> Shape:
    """Returns a shape given as an integer or several; extents may still be negative. Raises KindError,
    ArgumentError."""
    if shape.__class__ is bool:
        raise KindError(f"{name} is a sequence of integers or a single integer, not {shape}")
    if shape.__class__ is tuple or is_sequence(shape):
        found = tuple([integer(extent, name) for extent in shape])
    else:
        try:
            found = (operator.index(shape),)
        except TypeError as error:
            if isinstance(error, JitframeError):
                raise
            raise KindError(
                f"{name} is a sequence of integers or a single integer, not {shown(shape)}"
            ) from None
    check_size(found, 1, name)
    return found


def extents_of(shape: Any, name: str = "shape", itemsize: int = 1) -> Shape:
    """Returns the shape of an array: as `shape_of`, with non-negative extents that memory can address."""
    found = shape_of(shape, name)
    if itemsize > 1:
        check_size(found, itemsize, name)
    if found and min(found) < 0:
        raise ArgumentError(f"negative dimensions are not allowed: {name} is {found}")
    return found


def check_size(shape: Shape, itemsize: int, name: str = "the result's shape") -> None:
    """Raises ArgumentError for a shape that no array can have."""
    if len(shape) > MOST_AXES:
        raise ArgumentError(f"{name} has {len(shape)} axes; maximum supported dimension is {MOST_AXES}")
    size = math.prod(shape)
    if size > MOST_BYTES // itemsize or (not size and any(extent > MOST_BYTES for extent in shape)):
        raise ArgumentError(
            f"array is too big: {name} is {shape}, of which {itemsize * size} bytes are more than the "
            f"{MOST_BYTES} that there can be"
        )


def check_parts(parts: int, function: str) -> None:
    """Raises ArgumentError where one call would split an array into too many."""
    if parts > MOST_PARTS:
        raise ArgumentError(
            f"{function}: {parts} parts; each would be an array, and a call makes {MOST_PARTS} at most. "
            "Reshape to an axis of parts instead"
        )
