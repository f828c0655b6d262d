"""Arguments of small calls, by which backends are asked what functions they can compute."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy

from ..runtime.device import Device
from .creation import asarray
from .namespace import FUNCTIONS

Arguments = tuple[Any, ...]


class Sample:
    """Small arrays of one dtype on a device, made when they are first needed."""

    device: Device
    dtype: numpy.dtype[Any]

    def __init__(self, device: Device, dtype: numpy.dtype[Any]) -> None:
        self.device = device
        self.dtype = dtype

    def array(self, *shape: int) -> Any:
        """Values from 1 on, so that no function divides by 0."""
        count = int(numpy.prod(shape))
        values = numpy.arange(1, count + 1).astype(self.dtype).reshape(shape)
        return asarray(values, device=self.device)

    @property
    def x(self) -> Any:
        """A matrix."""
        return self.array(3, 3)

    @property
    def regular(self) -> Any:
        """A matrix with an inverse."""
        return asarray((2 * numpy.eye(3)).astype(self.dtype), device=self.device)

    @property
    def large(self) -> Any:
        """A matrix that is not so small that its products are computed otherwise than most."""
        return self.array(20, 20)

    @property
    def v(self) -> Any:
        """A vector."""
        return self.array(3)

    @property
    def mask(self) -> Any:
        return asarray(numpy.eye(3, dtype=bool), device=self.device)

    @property
    def chosen(self) -> Any:
        """A vector of bools."""
        return asarray(numpy.array([True, False, True]), device=self.device)

    def positions(self, *shape: int) -> Any:
        """Positions on an axis of three."""
        return asarray(numpy.zeros(shape, numpy.int32), device=self.device)


def arguments(name: str, device: Device, dtype: numpy.dtype) -> Arguments:
    """Of a small call of a function, on arrays of a dtype. Raises what the device says to the dtype."""
    return FUNCTIONS[name].declared.sample(Sample(device, dtype))


def arguments_of(
    function: Callable[..., Any],
    make: Callable[[Callable[..., Any]], Any] | None,
    device: Device,
    dtype: numpy.dtype,
) -> Arguments:
    """Of a small call of somebody else's function: what `make` gives, which is given what makes arrays; else
    a matrix for each parameter that has no default."""
    sample = Sample(device, dtype)
    if make is not None:
        return tuple(make(sample.array))
    required = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(
        sample.x
        for each in inspect.signature(function).parameters.values()
        if each.kind in required and each.default is each.empty
    )
