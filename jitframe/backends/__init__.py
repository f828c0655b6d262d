"""Backends: what there is here, which to take, and one object for memory, programs and order of work on each.

>>> import jitframe as jf
>>> with jf.backends.get("cpu") as backend:
...     backend.name
'cpu'
"""

from __future__ import annotations

import importlib
from typing import Any

# Name and the module here that has it, loaded when it is first asked for.
_NAMES = {
    "Backend": "backend",
    "Capabilities": "capabilities",
    "KernelBuilder": "kernels",
    "KernelFunction": "kernels",
    "LaunchConfig": "programs",
    "PerformanceHints": "capabilities",
    "Program": "programs",
    "get": "choice",
    "create": "choice",
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
