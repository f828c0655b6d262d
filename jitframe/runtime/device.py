"""A device that arrays can be on, and contiguous arrays in its memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..codegen.lower.machine import PROCESSOR, Machine
from ..codegen.plan.bound import BoundPlan
from ..errors import DTypeError
from ..ir.types import BY_NUMPY_NAME
from .executor import execute

if TYPE_CHECKING:
    from .driver import DeviceFacts, Driver


class Device:
    """One device. Its driver is opened when it first does something."""

    def __init__(
        self, name: str, facts: DeviceFacts | None, open_driver: Callable[[], Driver] | None
    ) -> None:
        self.name = name
        self._facts = facts
        self._open = open_driver
        self._driver: Driver | None = None
        self._lock = threading.Lock()
        self.machine = PROCESSOR if facts is None else _machine(facts)

    def __repr__(self) -> str:
        return f"<device {self.name}>"

    @property
    def is_host(self) -> bool:
        """Whether its arrays are ndarrays."""
        return self._open is None

    @property
    def facts(self) -> DeviceFacts:
        assert self._facts is not None, "the host's facts are in runtime.cpu"
        return self._facts

    @property
    def driver(self) -> Driver:
        with self._lock:
            if self._driver is None:
                assert self._open is not None, "the host has no driver"
                self._driver = self._open()
            return self._driver

    def check(self, dtype: numpy.dtype) -> None:
        """Raises DTypeError for a dtype that the device does not compute in."""
        if self.is_host or BY_NUMPY_NAME[dtype.name].name in self.facts.dtypes:
            return
        there = ", ".join(name for name, each in BY_NUMPY_NAME.items() if each.name in self.facts.dtypes)
        raise DTypeError(
            f"{self.name} ({self.facts.title}) has no {dtype.name}; it has {there}. Cast first, or "
            "choose another device"
        )

    # Arrays -------------------------------------------------------------------------------------------
    def empty(self, shape: tuple[int, ...], dtype: numpy.dtype) -> DeviceArray:
        self.check(dtype)
        count = 1
        for extent in shape:
            count *= extent
        return DeviceArray(Block(self, self.driver.allocate(count * dtype.itemsize)), shape, dtype)

    def upload(self, array: numpy.ndarray) -> DeviceArray:
        """A copy of an ndarray's values in this device's memory."""
        made = self.empty(array.shape, array.dtype)
        if array.size:
            flat = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
            self.driver.upload((made.block.memory, 0), memoryview(flat))
        return made

    def run(self, plan: BoundPlan, inputs: Sequence[DeviceArray], scalars: Sequence[int]) -> list[Block]:
        """Run a bound plan on arrays of this device; the outputs' memory."""
        try:
            outputs = execute(plan, self.driver, [array.block.memory for array in inputs], scalars)
        except NotImplementedError as refusal:  # of the code generator; its own class is loaded with it
            raise DTypeError(f"{self.name} ({self.facts.title}) cannot run this: {refusal}") from None
        return [Block(self, memory) for memory in outputs]


class Block:
    """Memory of a device, given back when nobody holds it any more."""

    __slots__ = ("device", "memory")

    def __init__(self, device: Device, memory: Any) -> None:
        self.device = device
        self.memory = memory

    def __del__(self) -> None:
        driver = self.device._driver
        if driver is not None:
            driver.free(self.memory)


class DeviceArray:
    """A C-contiguous array in a device's memory. Nobody writes to it once it has a value."""

    __slots__ = ("block", "dtype", "shape")

    def __init__(self, block: Block, shape: tuple[int, ...], dtype: numpy.dtype) -> None:
        self.block = block
        self.shape = shape
        self.dtype = dtype

    @property
    def device(self) -> Device:
        return self.block.device

    @property
    def nbytes(self) -> int:
        return int(numpy.prod(self.shape, dtype=numpy.int64)) * self.dtype.itemsize

    def download(self) -> numpy.ndarray:
        """A fresh ndarray of its values, after all work before."""
        out = numpy.empty(self.shape, self.dtype)
        if out.size:
            flat = out.reshape(-1).view(numpy.uint8)
            self.device.driver.download((self.block.memory, 0), memoryview(flat))
        return out

    def copy_to(self, device: Device) -> DeviceArray:
        """Its values in memory of its own, on any device but the host."""
        if device is self.device:
            made = device.empty(self.shape, self.dtype)
            if self.nbytes:
                device.driver.copy((made.block.memory, 0), (self.block.memory, 0), self.nbytes)
            return made
        return device.upload(self.download())


CPU = Device("cpu", None, None)


def _machine(facts: DeviceFacts) -> Machine:
    return Machine(
        tile=2048,
        library_products=facts.library_products,
        most_buffers=facts.most_buffers,
        lanes=min(facts.most_threads, 256),
        shared_bytes=facts.shared_bytes,
    )
