"""What the native entry assumes about the layout of Python's and NumPy's objects, verified before use."""

from __future__ import annotations

import ctypes
import sys
import types
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ....ir.record import record
from .described import native

_ARRAY_TYPE, _SCALAR, _NEW_FROM_DESCR, _SET_BASE_OBJECT, _GET_HANDLER = 2, 60, 94, 282, 305
_ARRAY_WORDS = 14
SCALAR_OFFSET = object.__basicsize__
"""Where a NumPy scalar keeps its value; `has_value_inside` tells of one whether it does."""


class ArrayLayout(metaclass=record):
    """`known` is whether arrays may be read in place; an offset is 0 where the field was not found."""

    known: bool
    element_size_offset: int
    handler_offset: int


def write_word(address: int, value: int) -> None:
    ctypes.c_uint64.from_address(address).value = value & 0xFFFFFFFFFFFFFFFF


def words_at(values: Sequence[int]) -> tuple[np.ndarray, int]:
    """Signed words in memory of their own, and their address."""
    array = np.array(values or (0,), np.int64)
    return array, array.__array_interface__["data"][0]


def read_word(address: int) -> int:
    return int(ctypes.c_uint64.from_address(address).value)


def has_value_inside(scalar: np.generic) -> bool:
    """Whether the native entry finds a NumPy scalar's value in its memory."""
    beyond = SCALAR_OFFSET + scalar.itemsize
    return (
        array_layout().known
        and beyond <= type(scalar).__basicsize__
        and ctypes.string_at(id(scalar) + SCALAR_OFFSET, scalar.itemsize) == scalar.tobytes()
    )


def slot_offsets(kind: type) -> dict[str, int] | None:
    """Where objects of a class keep each slot, those of its bases first: looked for in an object, by what is
    put there. None where that does not tell."""
    slots: dict[str, Any] = {}
    for owner in reversed(kind.__mro__):
        for name, raw in vars(owner).items():
            if isinstance(raw, types.MemberDescriptorType):
                if name in slots:
                    return None
                slots[name] = raw
    found = {name: _slot_offset(kind, raw.__set__) for name, raw in slots.items()}
    return None if None in found.values() else found  # type: ignore[return-value]


def _slot_offset(kind: type, put: Callable[[Any, Any], None]) -> int | None:
    probe: object = object.__new__(kind)
    mark = object()
    put(probe, mark)
    words = range(object.__basicsize__, kind.__basicsize__, 8)
    found = [each for each in words if read_word(id(probe) + each) == id(mark)]
    return found[0] if len(found) == 1 else None


def symbol_address(library: ctypes.CDLL, name: str) -> int:
    """The address of a function or variable of a library, 0 where it has none of that name."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(library, name))
    except (ValueError, AttributeError):
        return 0


def _api_table() -> int:
    from numpy._core import _multiarray_umath  # type: ignore[attr-defined] # not in its stubs

    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    return int(pointer(_multiarray_umath._ARRAY_API, None))


def _current_handler(table: int) -> object:
    function = ctypes.PYFUNCTYPE(ctypes.py_object)(read_word(table + 8 * _GET_HANDLER))
    return function()


def numpy_functions() -> dict[str, int]:
    """NumPy's C functions and type under their names in the native state's table."""
    table = _api_table()
    return {
        "array_type": id(np.ndarray),
        "new_from_descr": read_word(table + 8 * _NEW_FROM_DESCR),
        "set_base_object": read_word(table + 8 * _SET_BASE_OBJECT),
        "make_scalar": read_word(table + 8 * _SCALAR),
    }


@cache
def array_layout() -> ArrayLayout:
    """Compare the fields of sample objects with what Python says about them."""
    abi = getattr(sys, "abiflags", "")
    if sys.implementation.name != "cpython" or "t" in abi or sys.maxsize <= 2**32:
        return ArrayLayout(False, 0, 0)
    samples = [np.zeros((3, 5), "f4")[::2, 1:], np.zeros(7, "i8"), np.zeros((2, 3, 4), "u1").T]
    known = all(_array_as_expected(sample) for sample in samples) and read_word(_api_table() + 16) == id(
        np.ndarray
    )
    size_offset = _element_size_offset()
    return ArrayLayout(known and size_offset > 0, size_offset, _handler_offset() if known else 0)


def _array_as_expected(array: np.ndarray) -> bool:
    def word(name: str) -> int:
        return read_word(id(array) + native.NumpyArray.offset(name))

    def words(name: str) -> tuple[int, ...]:
        start = word(name)
        return tuple(ctypes.c_int64.from_address(start + 8 * axis).value for axis in range(array.ndim))

    number = ctypes.c_int32.from_address
    descr = id(array.dtype)
    letter = ctypes.c_char.from_address(descr + native.Descr.offset("kind_letter")).value.decode()
    return (
        read_word(id(array) + native.Object.offset("kind")) == id(type(array))
        and word("data") == array.__array_interface__["data"][0]
        and number(id(array) + native.NumpyArray.offset("axes")).value == array.ndim
        and number(id(array) + native.NumpyArray.offset("flags")).value == array.flags.num
        and word("base") == (id(array.base) if array.base is not None else 0)
        and word("descr") == descr
        and words("extents") == array.shape
        and words("strides") == array.strides
        and letter == array.dtype.kind
        and number(descr + native.Descr.offset("type_number")).value == array.dtype.num
    )


def _element_size_offset() -> int:
    """Where NumPy 2 keeps a dtype's size; 0 where it is elsewhere."""
    dtypes = [np.dtype(code) for code in ("f4", "f8", "i2", "u1", "c16")]
    return 40 if all(read_word(id(dtype) + 40) == dtype.itemsize for dtype in dtypes) else 0


def _handler_offset() -> int:
    """Where an array keeps its memory handler (NEP 49): the word equal to the capsule in use, 0 in a view."""
    handler = _current_handler(_api_table())
    if type(handler).__name__ != "PyCapsule":
        return 0
    owners = [np.empty(size, "f8") for size in (3, 1000)]
    view = owners[0][1:]
    last = min(_ARRAY_WORDS, np.ndarray.__basicsize__ // 8)
    found = [
        8 * number
        for number in range(9, last)
        if all(read_word(id(owner) + 8 * number) == id(handler) for owner in owners)
        and read_word(id(view) + 8 * number) == 0
    ]
    return found[0] if len(found) == 1 else 0
