"""jitframe: a JIT array compiler. NumPy code in, fused native kernels out.

>>> import numpy as np, jitframe as jf
>>> @jf.jit
... def distance(x, y):
...     return np.sqrt(x * x + y * y)
>>> distance(np.array([3.0]), np.array([4.0]))
array([5.])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as _numpy

from .collector import collector_paused as _collector_paused

with _collector_paused(live_on=True):
    from . import errors
    from .namespace import FUNCTIONS as _FUNCTIONS
    from .tensor import Tensor, compute
    from .trace.jit import JittedFunction, clear, jit
    from .trace.trees import register_container

if TYPE_CHECKING:
    from .control import cond, fori_loop, scan, while_loop

__version__ = "0.1.0"

# Loaded when first asked for: most programs need none of them.
_LAZY_MODULES = frozenset(("backends", "cache", "linalg", "settings"))
_LAZY_NAMES = {
    "custom_kernel": "backends.custom",
    "ArraySpec": "backends.estimates",
    "estimate_inference_memory": "backends.estimates",
    "estimate_memory": "backends.estimates",
    "explain": "explanation",
    "device": "public.devices",
    "devices": "public.devices",
    "profile": "profiling.session",
    **dict.fromkeys(("cond", "fori_loop", "scan", "while_loop"), "control"),
}

_CONSTANTS: dict[str, Any] = {
    "pi": _numpy.pi, "e": _numpy.e, "inf": _numpy.inf, "nan": _numpy.nan, "newaxis": None,
    **{
        name: _numpy.dtype(name)
        for name in (
            "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
            "float32", "float64",
        )
    },
}  # fmt: skip

_functions = [name for name in _FUNCTIONS if "." not in name]
globals().update(_CONSTANTS)

__all__ = [
    "ArraySpec", "JittedFunction", "Tensor", "backends", "cache", "clear", "compute", "cond", "custom_kernel",
    "device", "devices", "errors", "estimate_inference_memory", "estimate_memory", "explain", "fori_loop",
    "jit", "linalg", "profile", "register_container", "scan", "settings", "while_loop", *_functions,
    *_CONSTANTS,
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LAZY_MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _FUNCTIONS:
        value = globals()[name] = _FUNCTIONS[name].call
        return value
    if name in _LAZY_NAMES:
        # A module of the same name may have taken its place when it was imported.
        value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{_LAZY_NAMES[name]}"), name)
        return value
    if name == "bfloat16":
        from .promotion import bfloat16

        return bfloat16()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_functions, *_LAZY_MODULES, *_LAZY_NAMES})
