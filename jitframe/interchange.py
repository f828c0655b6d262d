"""Device memory handed to other libraries and taken from them without a copy, where it has addresses.

CuPy, Numba and PyTorch read and offer the CUDA array interface, version 3.
"""

from __future__ import annotations

from typing import Any

import numpy

from .promotion import from_numpy
from .runtime.device import Block, Device, DeviceArray


def has_addresses(device: Device) -> bool:
    """Whether the device's memory can be handed over."""
    return not device.is_host and getattr(device.driver, "has_addresses", False)


def array_interface(array: DeviceArray) -> dict[str, Any]:
    """The `__cuda_array_interface__` of an array of a device whose memory has addresses."""
    from .runtime.array_interface import SharedArray

    with array.device.using() as driver:
        view = (array.device.memory_of(array), 0)
        shared = SharedArray(array, driver, view, array.shape, array.dtype.str)  # type: ignore[arg-type]
    interface: dict[str, Any] = shared.__cuda_array_interface__
    return interface


def adopted(array: Any) -> DeviceArray:
    """Another library's array in device memory: the same memory, kept alive.

    Raises DeviceError where no device here has it, ArgumentError where its elements are not in C order.
    """
    from .runtime.array_interface import adopt

    interface = array.__cuda_array_interface__
    dtype = numpy.dtype(interface["typestr"])
    from_numpy(dtype)
    device = _device_of(array)
    device.check(dtype)
    with device.using() as driver:
        memory = adopt(driver, array)  # type: ignore[arg-type]
    return DeviceArray(Block(device, memory, driver), tuple(interface["shape"]), dtype)


def _device_of(array: Any) -> Device:
    from .runtime.registry import device, name_by_dlpack

    kind, number = array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else (_CUDA, 0)
    return device(name_by_dlpack(int(kind), int(number)))


_CUDA = 2
"""DLPack's number of the devices that the interface was made for: Numba's arrays tell no other."""
