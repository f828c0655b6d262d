"""One backend in use: a device that is opened, and what can be done with it."""

from __future__ import annotations

import threading
from typing import Any

from ..errors import BackendError
from ..runtime.device import Device


class Backend:
    """A device of a backend, for who works with its memory and programs; made by `get` and `create`.

    It is initialized by its first use or by `initialize`, and can be used until `shutdown`; a `with` block
    does both. Methods may be called from several threads; the device is used by one at a time.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self._lock = threading.RLock()
        self._initialized = False
        self._is_shut = False

    def __repr__(self) -> str:
        state = "shut down" if self._is_shut else "initialized" if self._initialized else "not initialized"
        return f"<backend {self.name}, {state}>"

    @property
    def name(self) -> str:
        """The device's name, such as "cpu" or "opencl:1"."""
        return self.device.name

    # Lifecycle ----------------------------------------------------------------------------------------
    @property
    def is_initialized(self) -> bool:
        return self._initialized

    def initialize(self) -> None:
        """Opens the device; nothing where that was done. Raises BackendError where it cannot be opened, or
        after `shutdown`."""
        with self._lock:
            if self._is_shut:
                raise BackendError(
                    f"the backend {self.name} was shut down",
                    device=self.name,
                    suggestions=(f"make another one with jf.backends.create({self.name!r})",),
                )
            if not self._initialized:
                with self.device.using():
                    self._initialized = True

    def shutdown(self) -> None:
        """Waits for all work and ends the use of the device; nothing where that was done."""
        with self._lock:
            if self._initialized and not self._is_shut:
                self.synchronize()
            self._initialized, self._is_shut = False, True

    def __enter__(self) -> Backend:
        self.initialize()
        return self

    def __exit__(self, *error: Any) -> None:
        self.shutdown()

    # Order --------------------------------------------------------------------------------------------
    def synchronize(self) -> None:
        """Waits for all work so far. Raises what it did wrong."""
        self.initialize()
        self.device.synchronize()
