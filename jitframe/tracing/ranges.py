"""`range()` of traced values."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ..errors import ArgumentError
from .traced import TracedArray


class TracedRange:
    """`range()` of traced values."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, *bounds: Any) -> None:
        self.start, self.stop, self.step = _range_bounds(bounds)

    @property
    def count(self) -> Any:
        """How many there are."""
        start, stop, step = self.start, self.stop, self.step
        if isinstance(step, TracedArray):
            up = (stop - start + step - 1) // step
            return up * (up > 0)
        many = (stop - start + (step - 1)) // step if step > 0 else (start - stop + (-step - 1)) // -step
        return many * (many > 0)

    def __iter__(self) -> Iterator[Any]:
        return iter(range(*map(operator.index, (self.start, self.stop, self.step))))

    def __len__(self) -> int:
        return len(range(*map(operator.index, (self.start, self.stop, self.step))))

    def __repr__(self) -> str:
        return f"range({self.start!r}, {self.stop!r}, {self.step!r})"


def _range_bounds(bounds: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if not isinstance(step, TracedArray) and step == 0:
        raise ArgumentError("range() arg 3 must not be zero")
    return start, stop, step


class RangeFunction:
    """`range`, which traced values may be bounds of."""

    __jitframe_original__ = range

    def __call__(self, *bounds: Any) -> Any:
        if any(isinstance(each, TracedArray) and each._known() is None for each in bounds):
            return TracedRange(*bounds)
        return range(*bounds)

    def __getattr__(self, name: str) -> Any:
        return getattr(range, name)

    def __eq__(self, other: object) -> bool:
        return other is range or isinstance(other, RangeFunction)

    __hash__ = object.__hash__
