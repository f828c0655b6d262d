"""Which backend to take: by name, shared or of one's own."""

from __future__ import annotations

import threading

from ..runtime import registry
from ..runtime.device import Device
from .backend import Backend

_shared: dict[str, Backend] = {}
_lock = threading.Lock()


def get(name: str = "cpu", device: int = 0) -> Backend:
    """The backend that all of the program shares; `device` is the number of its device.

    Raises BackendUnavailableError for a name that no backend has, and for a device that is not here.
    """
    found = _device(name, device)
    with _lock:
        known = _shared.get(found.name)
        if known is None or known._is_shut:
            known = _shared[found.name] = Backend(found)
    return known


def create(name: str = "cpu", device: int = 0) -> Backend:
    """A new backend with a driver and memory of its own; the errors are those of `get`."""
    found = _device(name, device)
    return Backend(registry.opened_anew(found.name))


def _device(name: str, number: int) -> Device:
    return registry.device(name if ":" in name else registry.canonical(registry.parse(name)[0], number))
