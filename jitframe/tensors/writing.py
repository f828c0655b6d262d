"""Immediate writes to Tensors whose values are known, by NumPy."""

from __future__ import annotations

from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy

from ..api.frame import entered_frame
from ..api.indexing.selection import is_basic
from ..arrays.views import View
from ..errors import TraceError

if TYPE_CHECKING:
    from .shared import SharedArray

_SMALL_BYTES = 1 << 18
"""Smaller arrays are copied faster than a program that writes to them is made."""
_FEW_ELEMENTS = 256
_FLOAT_BYTES = 8
"""The size of Python's floats."""
_STORED: dict[str, tuple[type, ...]] = {
    "f": (float, int, bool),
    "i": (int, bool),
    "u": (int, bool),
    "b": (bool,),
}
"""The Python numbers that arrays of these kinds hold exactly, or rounded."""


def check_outside(tensor: SharedArray) -> None:
    """Raises where a tensor is written to while a function is traced, as that would happen once."""
    name = getattr(entered_frame(), "name", None)
    if name is not None:
        raise TraceError(
            f"{name} writes to a jf.Tensor {tensor._dtype.numpy_name}{list(tensor.shape)} that it was not "
            "given: that would happen once, while the function is traced. Pass the Tensor as an argument, or "
            "return the new value"
        )


def is_written(array: SharedArray, index: Any, value: Any) -> bool:
    """Writes into a slice of an array of known value, as NumPy does: in place where there is no other
    reference, else into a copy, unless that is large; returns whether it did."""
    if array._value is None and array.nbytes <= _SMALL_BYTES and array._is_picked(index):
        array._evaluated()
    array._settle_path()
    root: Any = array if array._base is None else array._base
    path = None if root is array else array._path
    known = root._value
    if known.__class__ is not numpy.ndarray or not root._frame.device.is_host:
        return False
    if value.__class__ is array.__class__:
        if value._value is None and value.size <= _FEW_ELEMENTS and array._is_picked(index):
            value._evaluated()
        given: Any = value._value
        if given.__class__ is not numpy.ndarray or given.dtype != known.dtype:
            return False
    else:
        given = value
        if value.__class__ not in _STORED.get(known.dtype.kind, ()):
            return False
    if index.__class__ is array.__class__:
        index = index._value
        if index is None:
            return False
    if not is_basic(index) and not (index.__class__ is numpy.ndarray and index.dtype.kind in "bi"):
        return False
    check_outside(array)
    del known  # for who counts the references
    return _is_stored(root, path, index, given)


def _is_stored(owner: Any, path: View | None, index: Any, given: Any) -> bool:
    """Writes to the elements of a path and an index in a Tensor's own memory; False where the graph is
    needed."""
    array = owner._value
    if path is not None and not path.writable:
        return False
    try:
        shown = array if path is None else path.show(array)
        if not numpy.may_share_memory(shown, array):
            return False  # a copy: the value lies otherwise than NumPy's
        target = shown[index]
        if target.nbytes > _FEW_ELEMENTS * _FLOAT_BYTES:
            return False
        if target.__class__ is given.__class__ and _is_same_memory(target, given):
            return True  # as `x[i] += y` ends
        del target, array, shown
        owner._changed()
        if is_alone(owner):
            _put(owner._value, path, index, given)
        else:
            array = owner._value
            if array.nbytes > _SMALL_BYTES or not array.flags.forc:
                return False
            array = array.copy("K")
            _put(array, path, index, given)
            owner._value = array
    except (IndexError, ValueError, OverflowError, TypeError):
        return False  # which says what is wrong
    owner._changed()
    return True


def is_alone(array: SharedArray) -> bool:
    """Whether a Tensor has the only reference to its value, and the value owns its memory."""
    value: Any = array._value
    if getrefcount(value) != _ALONE or value.base is not None:
        return False
    flags = value.flags  # which refer to the value
    return bool(flags.owndata and flags.writeable)


class _Holder:
    __slots__ = ("_value",)
    _value: numpy.ndarray


def _references() -> int:
    """Returns the reference count of a value without other references."""
    array = _Holder()
    array._value = numpy.zeros(1)
    value: Any = array._value
    return getrefcount(value)


_ALONE = _references()


def _put(array: Any, path: View | None, index: Any, given: Any) -> None:
    target = array if path is None else path.show(array)
    with numpy.errstate(all="ignore"):  # a number may be too large for the dtype
        target[index] = given


def _is_same_memory(x: numpy.ndarray, y: numpy.ndarray) -> bool:
    return (
        x.base is not None
        and y.base is not None
        and x.strides == y.strides
        and x.shape == y.shape
        and x.dtype == y.dtype
        and x.__array_interface__["data"] == y.__array_interface__["data"]
    )
