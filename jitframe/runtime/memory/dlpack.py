"""DLPack capsules of device memory, without a copy: made for other libraries, and taken from them.

The layouts are DLPack's own (dlpack.h 0.8 and 1.0). A capsule of version 1 can say that memory must not be
written to; one of before cannot.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from ctypes import (
    PYFUNCTYPE,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

import numpy

from ...arrays.promotion import bfloat16
from ...errors import ArgumentError
from ...ir.record import record

READ_ONLY, COPIED = 1, 2
"""Flags of version 1."""
_LEGACY, _VERSIONED = b"dltensor", b"dltensor_versioned"
_USED = {_LEGACY: b"used_dltensor", _VERSIONED: b"used_dltensor_versioned"}
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
_KINDS = {0: "int", 1: "uint", 2: "float"}
_BFLOAT = 4
_DELETER = ctypes.CFUNCTYPE(None, c_void_p)


class _Array(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
        ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
        ("shape", ctypes.POINTER(c_int64)), ("strides", ctypes.POINTER(c_int64)), ("byte_offset", c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = (("array", _Array), ("context", c_void_p), ("deleter", c_void_p))


class _ManagedVersioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = (
        ("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p),
        ("flags", c_uint64), ("array", _Array),
    )  # fmt: skip


_LAYOUTS: dict[bytes, Any] = {_LEGACY: _Managed, _VERSIONED: _ManagedVersioned}
_is_valid = PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_pointer = PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_rename = PYFUNCTYPE(c_int, ctypes.py_object, c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
_new = PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))

_handed_over: dict[int, tuple[Any, ...]] = {}
"""What is in other hands, by the address of its description: the description, and what keeps memory alive."""


@_DELETER  # type: ignore[untyped-decorator] # its stubs know no signature
def _delete(address: int) -> None:
    _handed_over.pop(address, None)


@PYFUNCTYPE(None, c_void_p)  # type: ignore[untyped-decorator] # as above
def _drop(capsule: int) -> None:
    """A capsule dies; where nobody took what is in it, that dies with it."""
    for name in (_LEGACY, _VERSIONED):
        if _is_valid(capsule, name):
            _delete(_pointer(capsule, name))


def capsule(
    owner: Any,
    address: int,
    shape: Sequence[int],
    dtype: numpy.dtype,
    device: tuple[int, int],
    versioned: bool,
    flags: int,
) -> Any:
    """A capsule of C-contiguous memory that keeps `owner` alive."""
    name = _VERSIONED if versioned else _LEGACY
    made = _LAYOUTS[name]()
    # Strides are told although they follow from the shape: from version 1.2 on they must be.
    extents, strides = (c_int64 * len(shape))(*shape), (c_int64 * len(shape))(*_strides(shape))
    array = made.array
    array.data, array.ndim, array.lanes = address, len(shape), 1
    array.device_type, array.device_id = device
    array.code = _BFLOAT if dtype.name == "bfloat16" else _CODES[dtype.kind]
    array.bits = 8 * dtype.itemsize
    array.shape, array.strides = extents, strides
    made.deleter = ctypes.cast(_delete, c_void_p)
    if versioned:
        made.major, made.minor, made.flags = 1, 0, flags
    place = ctypes.addressof(made)
    _handed_over[place] = made, extents, strides, owner
    return _new(place, name, ctypes.cast(_drop, c_void_p))


class Taken(metaclass=record):
    """The contents of a capsule."""

    address: int
    nbytes: int
    shape: tuple[int, ...]
    dtype: numpy.dtype
    device: tuple[int, int]
    owner: Any
    """Gives the memory back when nobody holds it any more."""


def take(capsule: Any) -> Taken:
    """Takes what is in a capsule. Raises ArgumentError where its elements do not lie one after another."""
    place = id(capsule)
    name = next((name for name in _LAYOUTS if _is_valid(place, name)), None)
    if name is None:
        raise ArgumentError("that is no DLPack capsule, or one that was read before")
    address = _pointer(place, name)
    managed = _LAYOUTS[name].from_address(address)
    _rename(capsule, _USED[name])
    owner = _Owner(address, managed.deleter)
    if name == _VERSIONED and managed.major > 1:
        raise ArgumentError(f"a DLPack capsule of version {managed.major}: versions up to 1 are known")
    array = managed.array
    shape = tuple(array.shape[: array.ndim]) if array.ndim else ()
    strides = tuple(array.strides[: array.ndim]) if array.ndim and array.strides else _strides(shape)
    size = math.prod(shape)
    if size and any(
        extent > 1 and own != wanted for extent, own, wanted in zip(shape, strides, _strides(shape))
    ):
        raise ArgumentError("only an array whose elements lie one after another is taken without a copy")
    dtype, device = _dtype(array), (array.device_type, array.device_id)
    address = (array.data or 0) + array.byte_offset
    return Taken(address, size * dtype.itemsize, shape, dtype, device, owner)


class _Owner:
    """Another library's memory: it is told when it is needed no more."""

    def __init__(self, address: int, deleter: int | None) -> None:
        self._address, self._deleter = address, deleter

    def __del__(self) -> None:
        if self._deleter:
            _DELETER(self._deleter)(self._address)


def _dtype(array: Any) -> numpy.dtype:
    if array.lanes == 1 and array.code == _CODES["b"] and array.bits == 8:
        return numpy.dtype(numpy.bool_)
    if array.lanes == 1 and array.code == _BFLOAT and array.bits == 16:
        return bfloat16()
    if array.lanes != 1 or array.code not in _KINDS or array.bits not in (8, 16, 32, 64):
        raise ArgumentError(
            f"a DLPack array of type {array.code}, {array.bits} bits and {array.lanes} lanes is not supported"
        )
    return numpy.dtype(f"{_KINDS[array.code]}{array.bits}")


def _strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Of C order, in elements."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
