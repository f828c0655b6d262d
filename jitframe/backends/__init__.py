"""Backends: their discovery and selection, and one object for memory, programs and streams on each.

>>> import jitframe as jf
>>> with jf.backends.get("cpu") as backend:
...     backend.name
'cpu'
"""

from __future__ import annotations

import importlib
from types import FunctionType
from typing import Any

from ..base.boundary import guarded

# Name and the module here that has it, loaded when it is first asked for.
_NAMES = {
    "ArraySpec": "estimates",
    "Backend": "backend",
    "BackendEntry": "registration",
    "BackendInfo": "discovery",
    "Buffer": "buffers",
    "BufferDescriptor": "buffers",
    "Capabilities": "capabilities",
    "Configuration": "configuration",
    "DeviceInfo": "discovery",
    "Extension": "extending",
    "FakeBackend": "fakes.backend",
    "Holder": "limits",
    "Event": "asynchrony",
    "KernelBuilder": "kernels.builder",
    "KernelFunction": "kernels.function",
    "LaunchConfig": "programs",
    "Limits": "limits",
    "MemoryPool": "pools",
    "Option": "registration",
    "PerformanceHints": "capabilities",
    "Pressure": "limits",
    "Program": "programs",
    "Stream": "asynchrony",
    "set_error_handler": "lifecycle",
    "Resource": "resources",
    "Room": "room",
    "Statistics": "limits",
    "Usage": "limits",
    "best": "choice",
    "configuration_of": "configuration",
    "count": "registration",
    "create": "choice",
    "default": "choice",
    "discover": "discovery",
    "extend": "extending",
    "extensions": "extending",
    "fake": "fakes.backend",
    "get": "choice",
    "has": "registration",
    "init": "choice",
    "initialize_all": "registration",
    "is_available": "discovery",
    "metadata": "registration",
    "names": "registration",
    "obstacles": "registration",
    "priority": "choice",
    "recommended": "listing",
    "register": "registration",
    "remove_extension": "extending",
    "set_default": "choice",
    "set_priority": "choice",
    "shutdown_all": "registration",
    "summary": "listing",
    "unregister": "registration",
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    if isinstance(value, FunctionType):
        value = guarded(value)
    elif isinstance(value, type) and isinstance(value.__init__, FunctionType):  # type: ignore[misc]
        value.__init__ = guarded(value.__init__, name)  # type: ignore[misc]
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
