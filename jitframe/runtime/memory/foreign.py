"""Other libraries' arrays, by DLPack: their recognition, and those in the host's memory as ndarrays."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from ...errors import ArgumentError

_FOREIGN: dict[type, bool] = {}
"""Whether values of a class are read by DLPack, by class."""
_OF_THE_HOST = (1, 3, 11)
"""DLPack's numbers of the host's memory, and of that which CUDA and HIP reach too."""
COLUMN_PROTOCOLS = ("__arrow_c_array__", "__arrow_c_stream__", "__pandas_priority__")
"""The protocols of columns and tables: pandas' own, and Arrow's
(https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html)."""


def is_foreign(value: Any) -> bool:
    """Whether it is another library's array, which is read by DLPack; asked of what is no Tensor.

    A column of a table is none: DLPack cannot tell missing values, texts and dates.
    """
    kind = type(value)
    known = _FOREIGN.get(kind)
    if known is None:
        known = _FOREIGN[kind] = (
            hasattr(kind, "__dlpack__")
            and hasattr(kind, "__dlpack_device__")
            and not issubclass(kind, (numpy.ndarray, numpy.generic))
            and not any(hasattr(kind, name) for name in COLUMN_PROTOCOLS)
        )
    return known


def host_array(array: Any, copy: bool | None = None) -> numpy.ndarray:
    """Returns another library's array in the host's memory, by DLPack: the same memory, unless a copy is
    requested.

    Raises ArgumentError, with the library's message, where it does not give its memory.
    """
    try:
        if str(getattr(array, "dtype", "")).endswith("bfloat16"):  # of which NumPy reads no capsule
            found = _bfloat16_array(array)
            return found.copy() if copy else found
        return numpy.from_dlpack(array, copy=copy)
    except (BufferError, RuntimeError, TypeError, ValueError) as refusal:
        raise ArgumentError(f"a {type(array).__name__} cannot be read by DLPack: {refusal}") from None


def _bfloat16_array(array: Any) -> numpy.ndarray:
    from . import dlpack  # few arrays are of this type

    taken = dlpack.take(capsule_of(array))
    memory: Any = (ctypes.c_uint16 * (taken.nbytes // 2)).from_address(taken.address)
    memory._owner = taken.owner
    return numpy.frombuffer(memory, numpy.uint16).view(taken.dtype).reshape(taken.shape)


def capsule_of(array: Any, **options: Any) -> Any:
    """The capsule of a library's array, of version 1 where it makes that."""
    try:
        return array.__dlpack__(max_version=(1, 0), **options)
    except TypeError:  # of a library from before version 1
        return array.__dlpack__(**options)


def is_on_device(array: Any) -> bool:
    """Whether another library's array says, by DLPack, that it is not in the host's memory.

    Raises ArgumentError where it is in no memory.
    """
    try:
        return int(array.__dlpack_device__()[0]) not in _OF_THE_HOST
    except (BufferError, RuntimeError, ValueError) as refusal:
        raise ArgumentError(f"a {type(array).__name__} cannot be read by DLPack: {refusal}") from None
