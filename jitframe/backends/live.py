"""Backends that are initialized, in the order in which they were."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .backend import Backend

_lock = threading.Lock()
_initialized: list[weakref.ref[Backend]] = []


def started(backend: Backend) -> None:
    """Notes a backend that was initialized."""
    with _lock:
        _initialized.append(weakref.ref(backend, _initialized.remove))


def ended(backend: Backend) -> None:
    """Notes a backend that was shut down."""
    with _lock:
        _initialized[:] = [each for each in _initialized if each() is not backend]


def initialized() -> tuple[Backend, ...]:
    """Those that are, the first one first."""
    with _lock:
        found = [each() for each in _initialized]
    return tuple(each for each in found if each is not None)
