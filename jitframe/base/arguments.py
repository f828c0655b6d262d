"""Readers of arguments: each gives a value of one kind, or says what was given and what fits."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy

from ..errors import ArgumentError, JitframeError, KindError, UnsupportedError, listed
from ..ir.node import Shape

MOST_AXES = 64
"""As many as NumPy's arrays have."""
MOST_BYTES = 2**63 - 1
MOST_PARTS = 65_536
"""The most arrays that one call makes of an array."""
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe", "same_value")
"""NumPy's rules of casts."""
C_OR_F = ("F", "C")
ORDERS = ("C", "F", "A", "K")
"""The orders of elements in memory that NumPy has words for; the last one is meant where none is given."""


def shown(value: Any) -> str:
    """A value in a message: short, and arrays by dtype and shape."""
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
    """An integer: Python's, NumPy's, or an array of one. Raises KindError."""
    if value.__class__ is int:
        return value
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise KindError(f"{name} is an integer, not {shown(value)}") from None


def count(value: Any, name: str, most: int = MOST_BYTES) -> int:
    """An integer that is not negative. Raises KindError or ArgumentError."""
    found = integer(value, name)
    if found < 0:
        raise ArgumentError(f"{name} must not be negative, and {found} was given")
    if found > most:
        raise ArgumentError(f"{name} is at most {most}, and {found} was given")
    return found


def flag(value: Any, name: str) -> bool:
    """Whether something is asked for: True, False, or an integer."""
    if value.__class__ is bool or value.__class__ is numpy.bool_:
        return bool(value)
    try:
        return operator.index(value) != 0
    except TypeError as error:
        if isinstance(error, JitframeError):
            raise
        raise KindError(f"{name} is True or False, not {shown(value)}") from None


def word(value: Any, name: str, words: Sequence[str]) -> str:
    """One of some words. Raises KindError where it is no text, ArgumentError where it is another one."""
    if isinstance(value, str) and value in words:
        return value
    known = [*map(repr, words)]
    fitting = f"{name} must be {f'one of {listed(known)}' if len(known) > 2 else ' or '.join(known)}"
    if not isinstance(value, str):
        raise KindError(f"{fitting}, a str, not {type(value).__name__}")
    raise ArgumentError(f"{fitting} (got {value!r})")


def casting_of(value: Any, supported: Sequence[str] = ("same_kind", "unsafe")) -> str:
    """A rule of casts. Raises UnsupportedError for one of NumPy's that is not among the supported ones."""
    found = word(value, "casting", CASTINGS)
    if found not in supported:
        raise UnsupportedError(f"casting={found!r}; supported are {listed([*map(repr, supported)], 'and')}")
    return found


def order_of(value: Any, words: Sequence[str] = ORDERS) -> str:
    """The order in which elements lie, or are taken: one of some words, or None for the last of them."""
    return words[-1] if value is None else word(value, "order", words)


def is_sequence(value: Any) -> bool:
    """Whether an argument is several numbers: a tuple, a list, a range or an array of them."""
    return isinstance(value, (tuple, list, range)) or (
        not isinstance(value, type) and len(getattr(value, "shape", ())) > 0 and hasattr(value, "__getitem__")
    )


def shape_of(shape: Any, name: str = "shape") -> Shape:
    """A shape from an integer or several; extents may be negative still. Raises KindError, ArgumentError."""
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
    """The shape of an array: as `shape_of`, without negative extents, and not beyond all memory."""
    found = shape_of(shape, name)
    if itemsize > 1:
        check_size(found, itemsize, name)
    if found and min(found) < 0:
        raise ArgumentError(f"negative dimensions are not allowed: {name} is {found}")
    return found


def check_size(shape: Shape, itemsize: int, name: str = "the result's shape") -> None:
    """Raises ArgumentError for a shape that no array has."""
    if len(shape) > MOST_AXES:
        raise ArgumentError(f"{name} has {len(shape)} axes; maximum supported dimension is {MOST_AXES}")
    size = math.prod(shape)
    if size > MOST_BYTES // itemsize or (not size and any(extent > MOST_BYTES for extent in shape)):
        raise ArgumentError(
            f"array is too big: {name} is {shape}, of which {itemsize * size} bytes are more than the "
            f"{MOST_BYTES} that there can be"
        )


def check_parts(parts: int, function: str) -> None:
    """Raises ArgumentError for more arrays than one call makes."""
    if parts > MOST_PARTS:
        raise ArgumentError(
            f"{function}: {parts} parts; each would be an array, and a call makes {MOST_PARTS} at most. "
            "Reshape to an axis of parts instead"
        )
