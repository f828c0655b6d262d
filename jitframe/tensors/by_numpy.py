"""Functions without kernels, computed by NumPy on the values of Tensors: files, texts, and the ufuncs of
other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..api.frame import Frame, LazyValue
from ..api.namespace import unsupported
from ..errors import DTypeError, FallbackWarning, UnsupportedError, warn_user
from ..settings import settings

WRITERS = frozenset((numpy.copyto, numpy.place, numpy.put, numpy.put_along_axis, numpy.putmask))
"""Functions whose first argument is written to: an ndarray there is NumPy's to write."""
_warned: set[str] = set()


def answer(frame: Frame, name: str, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
    """Returns a function's result for the values of Tensors; arrays in it become Tensors of the frame's
    device, where that has their dtype.

    Where arrays were computed it warns, once for each name (FallbackWarning), or raises UnsupportedError if
    the settings are strict. Raises what the function raises.
    """
    result = function(*_values(arguments), **_values(options))
    lifted = _lifted(frame, result)
    if lifted is result:
        return result
    if settings().strict:
        raise unsupported(name)
    if name not in _warned:
        _warned.add(name)
        warn_user(
            f"{name} is left to NumPy: its operands are computed, and it runs as it is", FallbackWarning
        )
    return lifted


def _values(given: Any) -> Any:
    if isinstance(given, LazyValue):
        return numpy.asarray(given)
    if given.__class__ in (tuple, list):
        return given.__class__(map(_values, given))
    if given.__class__ is dict:
        return {name: _values(value) for name, value in given.items()}
    return given


def _lifted(frame: Frame, result: Any) -> Any:
    """Converts arrays in a result to Tensors, where the device has their dtype."""
    if result.__class__ is numpy.ndarray:
        try:
            return frame.array(result, None)
        except (DTypeError, UnsupportedError):
            return result
    if result.__class__ in (tuple, list):
        lifted = [_lifted(frame, each) for each in result]
        if any(new is not old for new, old in zip(lifted, result, strict=True)):
            return result.__class__(lifted)
    return result
