"""Library functions by NumPy's own functions, where no library provides them.

The adapter takes the GIL, and gets the sizes of a call as its words: one serves all calls of a function and
dtype.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ....codegen.plan.libraries import FOURIER, FUNCTIONS
from ....codegen.plan.nodes import LibraryCall
from .blas import Blas, EncodedCall

FAILED = 2
"""The code of a failed call."""
_ADAPTER = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
_addresses: dict[tuple[Blas, str, str], int] = {}


def encoded(blas: Blas, step: LibraryCall) -> EncodedCall:
    """Encodes a call of a function that has a `reference`, with the shapes of its operands and results."""
    key = blas, step.function, step.dtype.numpy_name
    if key not in _addresses:
        adapter = _ADAPTER(partial(_call, *key))
        blas.keep(adapter)
        address = ctypes.cast(adapter, ctypes.c_void_p).value
        assert address is not None
        _addresses[key] = address
    return EncodedCall(_addresses[key], list(step.sizes), False, True)


def _call(blas: Blas, name: str, dtype: str, words: Any, addresses: Any) -> None:
    try:
        function, kind = FUNCTIONS[name], np.dtype(dtype)
        assert function.shapes is not None and function.reference is not None, name
        shapes = function.shapes(tuple(words[place] for place in range(len(function.sizes))))
        arrays = [_array(addresses[place], kind, shape) for place, shape in enumerate(shapes)]
        count = len(function.operands)
        if name in PROVIDERS:
            function.reference(*arrays[:count], out=arrays[count])
            return
        made = function.reference(*arrays[:count])
        results = made if isinstance(made, tuple) else (made,)
        for target, result in zip(arrays[count:], results, strict=True):
            target[...] = result
    except np.linalg.LinAlgError:
        fault = len(shapes) + 1  # behind the workspace
        ctypes.c_int64.from_address(addresses[fault]).value = FAILED
    except BaseException:
        blas.fail()
        raise


def _array(address: int, kind: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
    if 0 in shape:
        return np.zeros(shape, kind)
    memory: Any = (ctypes.c_char * (math.prod(shape) * kind.itemsize)).from_address(address)
    return np.ndarray(shape, kind, memory)


PROVIDERS: dict[str, Callable[[Blas, LibraryCall], EncodedCall]] = dict.fromkeys(
    (function.name for function in FOURIER), encoded
)
"""For functions that NumPy has in C++ alone."""
