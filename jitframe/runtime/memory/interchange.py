"""Device memory handed to other libraries and taken from them without a copy, where it has addresses.

CuPy, Numba and PyTorch read and offer the CUDA array interface, version 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.promotion import from_numpy
from ...errors import BackendError
from ..device import Block, Device, DeviceArray
from ..queues.ordering import OrderingDriver
from . import dlpack
from .foreign import capsule_of

if TYPE_CHECKING:
    from ..driver import Driver


def has_addresses(device: Device) -> bool:
    """Whether the device's memory can be handed over."""
    return not device.is_host and getattr(device.driver, "has_addresses", False)


def array_interface(array: DeviceArray) -> dict[str, Any]:
    """The `__cuda_array_interface__` of an array of a device whose memory has addresses."""
    from .array_interface import SharedArray

    with array.device.using() as driver:
        view = array.device.view_of(array)
        _hand_over(driver, view[0])
        shared = SharedArray(array, driver, view, array.shape, array.dtype.str)  # type: ignore[arg-type]
    interface: dict[str, Any] = shared.__cuda_array_interface__
    return interface


def adopted(array: Any) -> DeviceArray:
    """Another library's array in device memory: the same memory, kept alive.

    Raises BackendError where no device here has it, ArgumentError where its elements are not in C order.
    """
    from .array_interface import adopt

    interface = array.__cuda_array_interface__
    dtype = numpy.dtype(interface["typestr"])
    from_numpy(dtype)
    device = _device_of(array)
    device.check(dtype)
    with device.using() as driver:
        memory = adopt(driver, array)  # type: ignore[arg-type]
    return DeviceArray(Block(device, memory, device.driver), tuple(interface["shape"]), dtype)


def dlpack_capsule(
    array: DeviceArray,
    *,
    stream: int | None = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """The DLPack capsule of an array of a device whose memory has addresses: the memory itself, read-only.

    Capsules before version 1 cannot say that, so they hold a copy on the device, as they do with `copy=True`.
    """

    device, own = array.device, array.device.dlpack_device()
    if dl_device is not None and tuple(map(int, dl_device)) != own:
        if int(dl_device[0]) != _HOST or copy is False:
            raise BufferError(
                f"a Tensor on {device.name} is handed over there, or as a copy on the host, not on DLPack's "
                f"device {tuple(dl_device)}; use x.to_device(…)"
            )
        wanted: dict[str, Any] = {} if max_version is None else {"max_version": max_version}
        return array.download().__dlpack__(**wanted)
    versioned = _is_versioned(max_version, copy)
    given = device.copy(array) if copy or not versioned else array
    flags = dlpack.COPIED if given is not array else dlpack.READ_ONLY
    with device.using() as driver:
        memory, offset = device.view_of(given)
        address = memory.address + offset
        _hand_over(driver, memory)
        if stream != _NO_STREAM:
            # Of no stream is CUDA's legacy default stream, and HIP's null stream.
            there = stream if stream is not None else 1 if own[0] == _CUDA else 0
            driver.hold(there, driver.mark())  # type: ignore[attr-defined]
    return dlpack.capsule(given, address, given.shape, given.dtype, own, versioned, flags)


def _is_versioned(max_version: tuple[int, int] | None, copy: bool | None) -> bool:
    versioned = max_version is not None and max_version[0] >= 1
    if copy is False and not versioned:
        raise BufferError("only capsules of DLPack 1.0 are read-only: ask for max_version=(1, 0), or a copy")
    return versioned


def host_capsule(
    array: numpy.ndarray,
    *,
    stream: int | None = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """The capsule of an array in the host's memory, of a dtype that NumPy hands over to nobody: bfloat16."""
    if stream is not None or (dl_device is not None and int(dl_device[0]) != _HOST):
        raise BufferError("a Tensor in the host's memory is handed over there, and without a stream")
    versioned = _is_versioned(max_version, copy)
    given = array.copy() if copy or not versioned else numpy.ascontiguousarray(array)
    flags = dlpack.READ_ONLY if given is array else dlpack.COPIED
    return dlpack.capsule(given, given.ctypes.data, given.shape, given.dtype, (_HOST, 0), versioned, flags)


def adopted_capsule(array: Any) -> DeviceArray:
    """Another library's array in device memory, by DLPack: the same memory, kept alive."""
    from ..drivers.streams import Block as Memory

    device = _device_of(array)
    with device.using() as driver:
        stream = driver.interface.stream_address  # type: ignore[attr-defined]
    taken = dlpack.take(capsule_of(array, stream=stream))
    from_numpy(taken.dtype)
    device.check(taken.dtype)
    if taken.device != device.dlpack_device():
        raise BackendError(f"an array of DLPack's device {taken.device} said that it was on {device.name}")
    memory = Memory(taken.address, taken.nbytes, taken.owner, foreign=True)
    return DeviceArray(Block(device, memory, device.driver), taken.shape, taken.dtype)


def _hand_over(driver: Driver, memory: Any) -> None:
    """Has the queue that another library waits for come after all use of a memory."""
    if isinstance(driver, OrderingDriver):
        driver.touch(memory, True)


def _device_of(array: Any) -> Device:
    from ..discovery.registry import device, name_by_dlpack  # 10 ms of a first tensor

    kind, number = array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else (_CUDA, 0)
    return device(name_by_dlpack(int(kind), int(number)))


_HOST = 1
"""DLPack's number of the host."""
_NO_STREAM = -1
"""The consumer needs no order."""


_CUDA = 2
"""DLPack's number of the devices that the interface was made for: Numba's arrays tell no other."""
