"""Counting the arrays that a NumPy function creates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Counted(np.ndarray):
    """An ndarray that counts every array computed from it; views and writes into an array count nothing."""

    created = 0

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        options |= {} if out is None else {"out": tuple(_plain(array) for array in out)}
        result = getattr(ufunc, method)(*[_plain(value) for value in inputs], **options)
        if out is not None:
            return out[0]
        return _count(result)

    def __array_function__(self, function, types, arguments, options):
        result = super().__array_function__(function, types, arguments, options)
        return result if isinstance(result, Counted) else _count(result)

    def copy(self, *arguments, **options):
        return _count(_plain(self).copy(*arguments, **options))

    def astype(self, *arguments, **options):
        return _count(_plain(self).astype(*arguments, **options))


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Counted) else value


def _count(result: Any) -> Any:
    if not isinstance(result, np.ndarray):
        return result
    Counted.created += 1
    return result.view(Counted)


def temporaries(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
    """How many arrays `function(*arguments)` creates in plain NumPy, its results included."""
    Counted.created = 0
    function(*[value.view(Counted) if isinstance(value, np.ndarray) else value for value in arguments])
    return Counted.created
