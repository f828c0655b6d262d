"""Host functions that native code calls during a program, by their handles (`ir.ops.callbacks`)."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any

import numpy as np

from ....ir.ops.callbacks import host_function
from .blas import Blas

_ADAPTER = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
_addresses: dict[Blas, int] = {}
_raised: dict[int, BaseException] = {}
"""Exceptions of host functions, by the thread that runs the program."""


def take_raised() -> BaseException | None:
    """Returns and clears the exception of a host function in this thread's run."""
    return _raised.pop(threading.get_ident(), None)


def host_adapter(blas: Blas) -> int:
    """Returns the address of an adapter that takes the GIL and calls a host function; an exception ends the
    run."""
    if blas not in _addresses:

        def call(_words: Any, addresses: Any) -> None:
            try:
                _call(addresses)
            except BaseException as error:
                _raised[threading.get_ident()] = error
                blas.fail()

        adapter = _ADAPTER(call)
        blas.keep(adapter)
        address = ctypes.cast(adapter, ctypes.c_void_p).value
        assert address is not None
        _addresses[blas] = address
    return _addresses[blas]


def _call(addresses: Any) -> None:
    function = host_function(ctypes.c_int32.from_address(addresses[0]).value)
    active = bool(ctypes.c_uint8.from_address(addresses[1]).value)
    token = ctypes.c_int64.from_address(addresses[2]).value
    first = 3 + len(function.operands)
    memories = [
        _memory(address, shape, dtype)
        for address, (shape, dtype) in zip(addresses[3:first], function.operands, strict=True)
    ]
    made = function.call(active, token, memories)
    for address, value in zip(addresses[first : first + len(made)], made, strict=True):
        if value.size:
            np.frombuffer(_memory(address, value.shape, value.dtype), np.uint8)[:] = value.reshape(-1).view(
                "u1"
            )


def _memory(address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return (ctypes.c_char * (math.prod(shape) * dtype.itemsize)).from_address(address)
