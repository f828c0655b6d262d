"""Hooks that decide whether an operation would raise, in place of a `try` around it (see `handled`)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy

from ..api.frame import innermost_frame
from ..errors import TraceError
from ..tracing.arguments.growing_dict import GrowingDefaultDict, GrowingDict
from ..tracing.standins.python_builtins import length_of
from ..tracing.values.concrete import leave
from ..tracing.values.python_numbers import is_number
from ..tracing.values.traced import TracedArray
from ..tracing.values.traced_frame import TraceFrame


class Faults:
    """The hooks of one trace for exceptions that a `try` catches."""

    if TYPE_CHECKING:  # of the other hooks

        def compare(self, first: Any, *rest: Any) -> Any: ...

        def or_(self, first: Any, *others: Callable[[], Any]) -> Any: ...

    def handled(self, body: Callable[[], None], *kinds: type[Exception]) -> None:
        """Runs the statements of a `try`; exceptions that its handlers catch and that no hook predicts, such
        as those of a user's class, are left to Python."""
        try:
            body()
        except kinds as error:
            frame = innermost_frame()
            if isinstance(error, TraceError) or not isinstance(frame, TraceFrame):
                raise
            reason = f"a handler catches {type(error).__name__}, which is raised while the function is traced"
            leave(frame, reason)
            raise TraceError(reason) from error

    def divides_by_zero(self, dividend: Any, divisor: Any) -> Any:
        """Whether a division raises ZeroDivisionError: of Python's numbers, not of NumPy's."""
        return is_number(dividend) and is_number(divisor) and divisor == 0

    def lacks_key(self, container: Any, key: Any) -> Any:
        """Whether a dict has no entry for a key, and makes none."""
        plain = type(container) is GrowingDict or not hasattr(type(container), "__missing__")
        if not isinstance(container, dict) or not (plain or isinstance(container, GrowingDefaultDict)):
            return False
        if getattr(container, "default_factory", None) is not None:
            return False
        return self.compare(key, "not in", container)

    def lacks_position(self, container: Any, index: Any) -> Any:
        """Whether a sequence or an array has nothing at a position."""
        if isinstance(container, (list, tuple)):
            if isinstance(index, tuple):
                return False
            return self._is_outside(index, length_of(container))
        if not isinstance(container, (TracedArray, numpy.ndarray)):
            return False
        found: Any = False
        positions = index if isinstance(index, tuple) else (index,)
        for position, extent in zip(positions, container.shape, strict=False):
            found = self.or_(found, partial(self._is_outside, position, extent))
        return found

    def does_not_convert(self, error: str, kind: type, value: Any = 0, *others: Any) -> Any:
        """Whether `int(value)` or `float(value)` raises such an error."""
        if isinstance(value, TracedArray):
            if kind is not int or not value._dtype.is_float:
                return False
            return value != value if error == "ValueError" else abs(value) == math.inf
        try:
            kind(value, *others)
        except (ValueError, OverflowError) as raised:
            return type(raised).__name__ == error
        except TypeError:
            return False
        return False

    def _is_outside(self, position: Any, extent: Any) -> Any:
        if not _is_integer(position):
            return False
        return self.or_(position >= extent, lambda: position < -extent)


def _is_integer(value: Any) -> bool:
    if isinstance(value, TracedArray):
        return not value._shape and value._dtype.is_integer
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, (bool, numpy.bool))
