"""jitframe: a JIT array compiler. NumPy code in, fused native kernels out.

>>> import numpy as np, jitframe as jf
>>> @jf.jit
... def distance(x, y):
...     return np.sqrt(x * x + y * y)
>>> distance(np.array([3.0]), np.array([4.0]))
array([5.])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as _numpy

from .base import importing as _importing
from .base.collector import without_collections as _without_collections
from .base.version import VERSION as __version__  # noqa: F401

_importing.install(__path__)
from .api import numpy_names as _numpy_names  # noqa: E402  NumPy's names as they are now
from .api.scalar_types import SCALAR_TYPES as _SCALAR_TYPES  # noqa: E402

if TYPE_CHECKING:
    from . import errors as errors
    from .tensors.tensor import Tensor as Tensor
    from .tensors.tensor import compute as compute
    from .tracing.arguments.trees import register_container as register_container
    from .tracing.elements.vectorize import vectorize as vectorize
    from .tracing.forgetting import clear as clear
    from .tracing.jit import JittedFunction as JittedFunction
    from .tracing.jit import jit as jit
    from .tracing.lists.ranges import prange as prange
    from .tracing.loops.control_flow import cond as cond
    from .tracing.loops.control_flow import fori_loop as fori_loop
    from .tracing.loops.control_flow import scan as scan
    from .tracing.loops.control_flow import while_loop as while_loop
    from .tracing.standins.callbacks import callback as callback
    from .tracing.standins.callbacks import debug_print as debug_print

# Everything is loaded when it is first asked for: a program that only imports jitframe waits for nothing, and
# one that decorates a function has then what its first call needs.
_LAZY_MODULES = frozenset((
    "backends", "cache", "errors", "fft", "lib", "linalg", "nn", "onnx", "quant", "random", "settings",
    "signal", "sparse", "special",
))  # fmt: skip
_LAZY_NAMES = {
    **dict.fromkeys(("JittedFunction", "jit"), "tracing.jit"),
    "clear": "tracing.forgetting",
    **dict.fromkeys(("Tensor", "compute"), "tensors.tensor"),
    "register_container": "tracing.arguments.trees",
    "custom_kernel": "backends.kernels.custom",
    "ArraySpec": "backends.estimates",
    "estimate_inference_memory": "backends.estimates",
    "estimate_memory": "backends.estimates",
    "__array_namespace_info__": "backends.inspection",
    "explain": "explanation",
    "device": "backends.devices",
    "devices": "backends.devices",
    "profile": "profiling.session",
    **dict.fromkeys(("callback", "debug_print"), "tracing.standins.callbacks"),
    **dict.fromkeys(("cond", "fori_loop", "scan", "while_loop"), "tracing.loops.control_flow"),
    "vectorize": "tracing.elements.vectorize",
    "prange": "tracing.lists.ranges",
}

_CONSTANTS: dict[str, Any] = {
    "pi": _numpy.pi, "e": _numpy.e, "inf": _numpy.inf, "nan": _numpy.nan, "newaxis": None,
    "__array_api_version__": "2025.12", **_SCALAR_TYPES,
}  # fmt: skip

globals().update(_CONSTANTS)


def _names() -> list[str]:
    entries = _importing.load(f"{__name__}.api.index").ENTRIES
    public = (*_LAZY_MODULES, *_LAZY_NAMES, *_CONSTANTS)
    called = (name for ours, (_, _, names) in entries.items() for name in (ours, *names))
    return sorted({*public, *(name for name in called if "." not in name)})


def __getattr__(name: str) -> Any:
    if name in _LAZY_MODULES:
        return _importing.load(f"{__name__}.{name}")
    if name in _LAZY_NAMES:
        module = _without_collections(
            lambda: _importing.load(f"{__name__}.{_LAZY_NAMES[name]}"), live_on=True
        )
        # A module of the same name may have taken its place when it was imported.
        value = globals()[name] = getattr(module, name)
        return value
    if name == "__all__":
        return _names()
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "bfloat16":
        return _importing.load(f"{__name__}.arrays.promotion").bfloat16()
    namespace = _importing.load(f"{__name__}.api.namespace")
    if name in namespace.FUNCTIONS:
        value = globals()[name] = namespace.FUNCTIONS[name].call
        return value
    alias = namespace.numpy_alias(name)
    if alias is not None:
        value = globals()[name] = __getattr__(alias)
        return value
    if name == "ndarray":
        return __getattr__("Tensor")
    if name in _numpy_names.PASSED_ON:
        return getattr(_numpy, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return _names()
