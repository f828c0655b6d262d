"""Fourier transforms on the processor, by NumPy's pocketfft: no library has it as functions of its own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...codegen.plan.fourier import FOURIER
from ...codegen.plan.libraries import FUNCTIONS
from ...codegen.plan.nodes import LibraryCall
from .blas import Blas, EncodedCall
from .lapack import _array as array_at

_KINDS = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
_ADAPTER = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
_addresses: dict[tuple[Blas, str, str], int] = {}


def _encoded(blas: Blas, step: LibraryCall) -> EncodedCall:
    """The sizes are the words that the adapter is given: one serves all calls of a function and dtype."""
    key = blas, step.function, step.dtype.name
    if key not in _addresses:
        adapter = _ADAPTER(partial(_call, blas, step.function, _KINDS[step.dtype.name]))
        blas.keep(adapter)
        address = ctypes.cast(adapter, ctypes.c_void_p).value
        assert address is not None
        _addresses[key] = address
    return EncodedCall(_addresses[key], list(step.sizes), False, True)


def _call(blas: Blas, name: str, kind: np.dtype[Any], words: Any, addresses: Any) -> None:
    try:
        function = FUNCTIONS[name]
        assert function.shapes is not None and function.reference is not None, name
        shapes = function.shapes(tuple(words[place] for place in range(len(function.sizes))))
        source, target = (array_at(addresses[place], kind, shape) for place, shape in enumerate(shapes))
        target[...] = function.reference(source)
    except BaseException:
        blas.fail()
        raise


PROVIDERS: dict[str, Callable[[Blas, LibraryCall], EncodedCall]] = dict.fromkeys(
    (function.name for function in FOURIER), _encoded
)
