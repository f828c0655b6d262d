"""Sample arguments of small calls, by which backends find out which functions they can compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy


class Sample:
    """Small arrays of one dtype, made when they are first needed."""

    def __init__(self, dtype: numpy.dtype[Any], make: Callable[[Any], Any]) -> None:
        self.dtype = dtype
        self._make = make
        """Converts an ndarray."""

    def array(self, *shape: int) -> Any:
        """Returns values from 1 on, so that no function divides by 0."""
        count = int(numpy.prod(shape))
        values = numpy.arange(1, count + 1).astype(self.dtype).reshape(shape)
        return self._make(values)

    @property
    def x(self) -> Any:
        """A matrix."""
        return self.array(3, 3)

    @property
    def regular(self) -> Any:
        """A matrix with an inverse."""
        return self._make((2 * numpy.eye(3)).astype(self.dtype))

    @property
    def large(self) -> Any:
        """A matrix too large for the kernels of small products."""
        return self.array(20, 20)

    @property
    def v(self) -> Any:
        """A vector."""
        return self.array(3)

    @property
    def mask(self) -> Any:
        return self._make(numpy.eye(3, dtype=bool))

    @property
    def chosen(self) -> Any:
        """A vector of bools."""
        return self._make(numpy.array([True, False, True]))

    def positions(self, *shape: int) -> Any:
        """Positions on an axis of three."""
        return self._make(numpy.zeros(shape, numpy.int32))
