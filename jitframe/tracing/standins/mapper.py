"""The mapper of a trace: it gives the globals view stand-ins for libraries and builtins, hidden arrays, and
jitted functions to inline."""

from __future__ import annotations

import types
from typing import Any

import numpy

from ...api.namespace import scipy_function
from ...arrays.promotion import is_supported, unsupported
from ...base.importing import load
from ...errors import UnsupportedError
from ...runtime.device import named
from ..arguments.signature import is_own
from ..environment.library_objects import Refused
from ..values.traced_frame import TraceFrame
from .libraries import SEQUENCES, is_container, is_distribution, library_member
from .library_functions import reports
from .python_builtins import BUILTINS, METHODS, TYPES, unbound

_BUILTINS = {id(original): standin for original, standin in BUILTINS.items()}
_LIBRARIES = frozenset(
    ("numpy", "math", "random", "time", "secrets", "scipy", "warnings", "_warnings", "logging", *SEQUENCES)
)
TRACED = "_in_a_trace"
"""The method of jitframe's own objects that returns their stand-in in a trace."""
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, numpy.ufunc, type(numpy.sum), types.MethodType)


class TraceMapper:
    """The mapper of one trace; its stand-ins are the same in all of them."""

    __slots__ = ("_frame", "_jitted")

    def __init__(self, frame: TraceFrame, jitted: type[Any]) -> None:
        self._frame = frame
        self._jitted = jitted

    def map(self, name: str, value: Any) -> Any:
        found = _BUILTINS.get(id(value))
        if found is not None:
            return found
        if is_container(value):
            return library_member(name, value)
        traced = getattr(type(value), TRACED, None)
        if traced is not None:
            return traced(value)
        if _may_be_vectorized(value):
            found = load("jitframe.tracing.elements.vectorize").stand_in(name, value)  # a room above this one
            if found is not None:
                return found
        if isinstance(value, types.ModuleType):
            top = value.__name__.partition(".")[0]
            return library_member(name, value) if top in _LIBRARIES else value
        if isinstance(value, type):
            draws = value.__module__.startswith("numpy.random")
            return library_member(name, value) if draws else TYPES.get(value, value)
        if isinstance(value, METHODS):
            return unbound(value) if value.__objclass__ in TYPES else value
        if isinstance(value, _FUNCTIONS):
            top = (_module_of(value) or "").partition(".")[0]
            is_left = top == "scipy" and type(value) is types.FunctionType and scipy_function(value) is None
            return library_member(name, value) if top in _LIBRARIES and not is_left else value
        if type(value).__module__.startswith("numpy.random"):
            return library_member(name, value)
        if is_own(type(value)):
            from ..values.draws import External  # few programs draw
            from ..values.streams import stream

            return stream(self._frame, value, External(value))
        if is_distribution(value) or type(value).__module__ == "logging" or reports(value):
            return library_member(name, value)
        if type(value).__module__ == "random":
            return library_member(name, value)
        return value

    def inlined(self, value: Any) -> Any:
        if not isinstance(value, self._jitted):
            return None
        device, here = value._jit.device, self._frame.device.name
        if device is not None and named(device).name != here:
            raise UnsupportedError(
                f"{value._jit.signature.name} was jitted for device={device!r}, and is called inside "
                f"{self._frame.name}, which runs on {here}; call it outside, or take device= away"
            )
        return value.__wrapped__

    def hidden_array(self, name: str, array: numpy.ndarray) -> Any:
        if not is_supported(array.dtype):
            return Refused(f"{name}: {unsupported(array.dtype)}", UnsupportedError)  # where it is used
        return self._frame.hidden(name, array)


def _may_be_vectorized(value: Any) -> bool:
    if isinstance(value, numpy.ufunc):
        return value.types == ["O" * value.nin + "->" + "O" * value.nout]  # made of a Python function
    return value is numpy.vectorize or isinstance(value, numpy.vectorize)


def _module_of(value: Any) -> str | None:
    owner = getattr(value, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return type(owner).__module__
    module = getattr(value, "__module__", None)
    if module is None and isinstance(value, numpy.ufunc):
        return "numpy" if getattr(numpy, value.__name__, None) is value else "scipy.special"
    return module
