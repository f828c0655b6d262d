"""A device in use: opened at its first use, synchronized, and shut down."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ..base.locks import new_reentrant_lock
from ..errors import BackendError, nearest
from ..runtime.device import Device
from ..runtime.discovery import registry
from ..runtime.discovery.probe import free_bytes
from ..runtime.handling import hears
from ..tensors.waiting import in_thread
from . import lifecycle
from .configuration import Configuration, shared_configuration
from .discovery import DeviceInfo, backend_info, described
from .resources import Holdings

if TYPE_CHECKING:
    from .discovery import BackendInfo
    from .extending import Used


@hears
class OpenedDevice:
    """The base of backends in use: the device, without its operations (see `Backend`)."""

    def __init__(self, device: Device, configured: Configuration | None = None) -> None:
        self.device = device
        """The device in use. `devices()` lists all devices of the backend."""
        self._configured = configured
        self._lock = new_reentrant_lock()
        self._initialized = False
        self._is_shut = False
        self.open_streams = 0
        """Open streams of the program."""
        self.holdings = Holdings()
        """Everything that ends with the backend."""
        self._restoring: dict[str, Callable[[], Any]] = {}
        """Undo functions of settings on the device, which may be shared, by the setting's name."""

        self._extended: dict[str, Used] = {}
        """The initialized extensions, in order."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Raises AttributeError for an unknown attribute: `backend.limit = ...` would limit nothing."""
        if "_extended" in self.__dict__ and name not in self.__dict__ and not hasattr(type(self), name):
            near = nearest(name, ("limits",))
            raise AttributeError(f"a backend has no {name!r} to be set{near}", name=name, obj=self)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        state = "shut down" if self._is_shut else "initialized" if self._initialized else "not initialized"
        return f"<backend {self.name}, {state}>"

    # Which one it is ----------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        """The device's name, such as "cpu" or "opencl:1"."""
        return self.device.name

    def as_device(self) -> Device:
        """The device, for `device=` and `to_device`. Raises BackendError after `shutdown`."""
        self.check_open()
        return self.device

    @property
    def info(self) -> DeviceInfo:
        """Returns the record of the device, with its free memory now."""
        backend, number = registry.parse(self.name)
        facts = self.device.facts
        free = free_bytes(registry.named_entry(backend), number, facts)
        return described(backend, number, facts, free)

    @property
    def configuration(self) -> Configuration:
        """The backend's configuration, with the source of each value."""
        return self._configured or shared_configuration(self.name.partition(":")[0])

    # Devices of the same backend ----------------------------------------------------------------------
    @property
    def _discovered(self) -> BackendInfo:
        return backend_info(self.name.partition(":")[0])

    def devices(self) -> tuple[DeviceInfo, ...]:
        """Returns all devices of this backend, by their numbers."""
        return self._discovered.devices()

    @property
    def device_count(self) -> int:
        """The number of this backend's devices."""
        return self._discovered.device_count

    @property
    def default_device(self) -> DeviceInfo:
        """The first device of this backend, for which its name alone stands."""
        return self._discovered.default_device

    def device_info(self, index: int) -> DeviceInfo:
        """Returns one of this backend's devices by its number (`device` is the one in use).

        Raises BackendUnavailableError, which lists the existing devices.

        >>> import jitframe as jf
        >>> cpu = jf.backends.get("cpu")
        >>> cpu.device_info(0).name, cpu.is_device_available(7)
        ('cpu', False)
        """
        return self._discovered.device(index)

    def is_device_available(self, index: int) -> bool:
        """Whether this backend has a device of that number; never raises."""
        return self._discovered.is_device_available(index)

    # Lifecycle ----------------------------------------------------------------------------------------
    @property
    def is_initialized(self) -> bool:
        return self._initialized

    def initialize(self) -> None:
        """Opens the device, also after `shutdown`; does nothing where it is open. Its first use opens it too.

        Raises BackendError where it cannot be opened.

        >>> import jitframe as jf
        >>> backend = jf.backends.create("cpu")
        >>> backend.shutdown()
        >>> backend.initialize()
        >>> backend.is_initialized
        True
        """
        with self._lock:
            if self._is_shut:
                registry.named_entry(self.name.partition(":")[0])  # it may have been taken back
            if not self._initialized:
                with self.device.using():
                    self._initialized, self._is_shut = True, False
                lifecycle.started(self)

    def check_open(self) -> None:
        """Opens the device for its first use. Raises BackendError after `shutdown`, and where it cannot be
        opened."""
        if self._is_shut:
            raise BackendError(
                f"the backend {self.name} was shut down",
                device=self.name,
                suggestions=(
                    "open it again with initialize()",
                    f"make another one with jf.backends.create({self.name!r})",
                ),
            )
        if not self._initialized:
            self.initialize()

    def shutdown(self) -> None:
        """Waits for all work, cleans resources up, frees buffers, removes limits and other settings of this
        backend on the device (monitoring, an allocator), and ends its use until `initialize`; does nothing
        where that was done. A private device also releases the free blocks of its pool.

        Raises BackendError where a cleanup failed, at the end.
        """
        self.holdings.end_work()  # which may need the lock
        with self._lock:
            try:
                if self._initialized and not self._is_shut:
                    self.synchronize()
            finally:
                self._initialized, self._is_shut = False, True
                lifecycle.ended(self)
                self._extended.clear()
                try:
                    self.holdings.end()
                finally:
                    while self._restoring:
                        self._restoring.popitem()[1]()
                    if not self.device.is_shared and self.device.is_open:
                        with self.device.using() as driver:
                            driver.trim()

    def synchronize(self) -> None:
        """Waits for all work so far. Raises its errors."""
        self.check_open()
        self.device.synchronize()

    def __enter__(self) -> Self:
        self.initialize()
        return self

    def __exit__(self, *error: Any) -> None:
        self.shutdown()

    # Awaited: the same, while an event loop goes on (see `asynchrony`) ---------------------------------
    async def initialize_async(self) -> None:
        """Awaits `initialize`."""
        await in_thread(self.initialize)

    async def shutdown_async(self) -> None:
        """Awaits `shutdown`."""
        await in_thread(self.shutdown)

    async def synchronize_async(self) -> None:
        """Awaits `synchronize`."""
        await in_thread(self.synchronize)

    async def __aenter__(self) -> Self:
        await self.initialize_async()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.shutdown_async()
