"""Memory of devices in the program: blocks, and contiguous arrays in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from ...errors import user_line

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver
    from .holders import Holder


class Block:
    """Memory of a device, released with its last reference."""

    __slots__ = ("device", "driver", "line", "memory")

    def __init__(self, device: Device, memory: Any, driver: Driver) -> None:
        self.device = device
        self.memory = memory
        self.driver = driver
        """The driver of the memory: a device that was lost and opened again has another one."""
        self.line = user_line() if device.is_monitored else None

    def __del__(self) -> None:
        self.device.drop(self.memory, self.driver)


class Borrowed(Block):
    """Memory with another owner, which it keeps alive."""

    __slots__ = ("__weakref__", "owner")

    def __init__(self, device: Device, memory: Any, driver: Driver, owner: Any) -> None:
        super().__init__(device, memory, driver)
        self.owner = owner

    def __del__(self) -> None:
        pass


class DeviceArray:
    """A C-contiguous array in a device's memory, immutable once it has a value."""

    __slots__ = ("block", "dtype", "offset", "shape")

    def __init__(self, block: Block, shape: tuple[int, ...], dtype: numpy.dtype, offset: int = 0) -> None:
        self.block = block
        self.shape = shape
        self.dtype = dtype
        self.offset = offset
        """Its offset in the block, in bytes."""

    @property
    def device(self) -> Device:
        return self.block.device

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def _holding(self, device: Device) -> tuple[int, Holder, bool] | None:
        """Returns the memory that it holds on a device (see `holders`)."""
        if self.device is not device or self.is_lost:
            return None
        from .holders import Holder

        return (
            id(self.block.memory),
            Holder(self.nbytes, f"{self.dtype.name}{list(self.shape)}", self.block.line),
            False,
        )

    @property
    def is_lost(self) -> bool:
        """Whether its device was lost since it was made."""
        return self.block.driver is not self.device._driver

    def download(self) -> numpy.ndarray:
        """Returns a new ndarray of its values, after all work before."""
        return self.device.download(self)

    def copy_to(self, device: Device) -> DeviceArray:
        """Returns a copy on any device but the host."""
        return device.copy(self) if device is self.device else device.receive(self)
