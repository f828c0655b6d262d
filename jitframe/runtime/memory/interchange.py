"""Device memory handed to other libraries and taken from them without a copy, where it has addresses.

CuPy, Numba and PyTorch read and offer the CUDA array interface, version 3.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.promotion import from_numpy
from ...errors import ArgumentError, BackendError
from ..device import Block, Device, DeviceArray
from ..queues.ordering import OrderingDriver

if TYPE_CHECKING:
    from ..driver import Driver


_FOREIGN: dict[type, bool] = {}
"""By class, whether its values are read by DLPack."""
COLUMN_PROTOCOLS = ("__arrow_c_array__", "__arrow_c_stream__", "__pandas_priority__")
"""What columns and tables have: pandas' own, and Arrow's
(https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html)."""


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
    from . import dlpack

    device, own = array.device, array.device.dlpack_device()
    if dl_device is not None and tuple(map(int, dl_device)) != own:
        if int(dl_device[0]) != _HOST or copy is False:
            raise BufferError(
                f"a Tensor on {device.name} is handed over there, or as a copy on the host, not on DLPack's "
                f"device {tuple(dl_device)}; use x.to_device(…)"
            )
        wanted: dict[str, Any] = {} if max_version is None else {"max_version": max_version}
        return array.download().__dlpack__(**wanted)
    versioned = max_version is not None and max_version[0] >= 1
    if copy is False and not versioned:
        raise BufferError("only capsules of DLPack 1.0 are read-only: ask for max_version=(1, 0), or a copy")
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


def adopted_capsule(array: Any) -> DeviceArray:
    """Another library's array in device memory, by DLPack: the same memory, kept alive."""
    from ..drivers.streams import Block as Memory
    from . import dlpack

    device = _device_of(array)
    with device.using() as driver:
        stream = driver.interface.stream_address  # type: ignore[attr-defined]
    taken = dlpack.take(_capsule(array, stream=stream))
    from_numpy(taken.dtype)
    device.check(taken.dtype)
    if taken.device != device.dlpack_device():
        raise BackendError(f"an array of DLPack's device {taken.device} said that it was on {device.name}")
    memory = Memory(taken.address, taken.nbytes, taken.owner, foreign=True)
    return DeviceArray(Block(device, memory, device.driver), taken.shape, taken.dtype)


def is_foreign(value: Any) -> bool:
    """Whether it is another library's array, which is read by DLPack; asked of what is no Tensor.

    A column of a table is none: DLPack cannot tell missing values, texts and dates.
    """
    kind = type(value)
    known = _FOREIGN.get(kind)
    if known is None:
        known = _FOREIGN[kind] = (
            hasattr(kind, "__dlpack__")
            and hasattr(kind, "__dlpack_device__")
            and not issubclass(kind, (numpy.ndarray, numpy.generic))
            and not any(hasattr(kind, name) for name in COLUMN_PROTOCOLS)
        )
    return known


def host_array(array: Any, copy: bool | None = None) -> numpy.ndarray:
    """Another library's array in the host's memory, by DLPack: the same memory, unless a copy is asked for.

    Raises ArgumentError, with what the library says, where it does not give its memory.
    """
    try:
        if str(getattr(array, "dtype", "")).endswith("bfloat16"):  # of which NumPy reads no capsule
            found = _bfloat16_array(array)
            return found.copy() if copy else found
        return numpy.from_dlpack(array, copy=copy)
    except (BufferError, RuntimeError, TypeError, ValueError) as refusal:
        raise ArgumentError(f"a {type(array).__name__} cannot be read by DLPack: {refusal}") from None


def _bfloat16_array(array: Any) -> numpy.ndarray:
    from . import dlpack

    taken = dlpack.take(_capsule(array))
    memory = (ctypes.c_uint16 * (taken.nbytes // 2)).from_address(taken.address)
    memory._owner = taken.owner  # type: ignore[attr-defined]
    return numpy.frombuffer(memory, numpy.uint16).view(taken.dtype).reshape(taken.shape)


def _capsule(array: Any, **options: Any) -> Any:
    try:
        return array.__dlpack__(max_version=(1, 0), **options)
    except TypeError:  # of a library from before version 1
        return array.__dlpack__(**options)


def is_on_device(array: Any) -> bool:
    """Whether another library's array says, by DLPack, that it is not in the host's memory.

    Raises ArgumentError where it is in no memory.
    """
    try:
        return int(array.__dlpack_device__()[0]) not in _OF_THE_HOST
    except (BufferError, RuntimeError, ValueError) as refusal:
        raise ArgumentError(f"a {type(array).__name__} cannot be read by DLPack: {refusal}") from None


def _hand_over(driver: Driver, memory: Any) -> None:
    """Has the queue that another library waits for come after all use of a memory."""
    if isinstance(driver, OrderingDriver):
        driver.touch(memory, True)


def _device_of(array: Any) -> Device:
    from ..discovery.registry import device, name_by_dlpack

    kind, number = array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else (_CUDA, 0)
    return device(name_by_dlpack(int(kind), int(number)))


_HOST, _OF_THE_HOST = 1, (1, 3, 11)
"""DLPack's numbers of the host, and of its memory that CUDA and HIP reach too."""
_NO_STREAM = -1
"""The consumer needs no order."""


_CUDA = 2
"""DLPack's number of the devices that the interface was made for: Numba's arrays tell no other."""
