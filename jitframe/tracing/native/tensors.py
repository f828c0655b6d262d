"""Tensors as the native entry reads and makes them: objects that hold an ndarray in a slot.

A computed Tensor with its own memory is matched by its slots; Python answers calls with views and with
pending Tensors.
"""

from __future__ import annotations

from functools import cache

import numpy
from numpy.lib.stride_tricks import as_strided

from ...arrays.layout import contiguous_strides, is_aligned
from ...runtime.cpu.entry.arguments import ArrayArgument, HeldArray, Slot
from ...runtime.cpu.entry.variant import Guard, Holder, WordGuard
from ...runtime.device import CPU
from ...tensors.tensor import Tensor
from .arguments import NotNative, slot_offsets

_COMPARED = ("_frame", "_base", "_late", "_order")
"""Attributes that a trace depends on, besides the value's layout: the device, whether it is a view, its
strides."""


@cache
def _slots() -> dict[str, Slot]:
    return {name: Slot(offset, True) for name, offset in slot_offsets(Tensor).items()}


def tensor_argument(tensor: Tensor) -> HeldArray:
    """Returns the argument of calls that pass such a Tensor, which is only read. Raises NotNative."""
    value, slots = tensor._value, _slots()
    if not isinstance(value, numpy.ndarray) or not is_aligned(value):
        raise NotNative
    if tensor._base is not None or tensor._late is not None:
        raise NotNative
    array = ArrayArgument(value.dtype, value.shape, value.strides)
    others = tuple((slots[name], getattr(tensor, name)) for name in _COMPARED)
    return HeldArray(array, Tensor, slots["_value"], others)


def tensor_holder(dtype: numpy.dtype, shape: tuple[int, ...], strides: tuple[int, ...] | None) -> Holder:
    """Returns the constructor of a Tensor around a new array of this layout; strides in bytes, None for C
    order."""
    if CPU.is_monitored:
        raise NotNative  # each has the line that made it
    strides = contiguous_strides(shape, dtype.itemsize) if strides is None else strides
    tensor = Tensor._of(as_strided(numpy.empty((), dtype), shape, strides))  # nobody reads its elements
    slots = _slots()
    names = [name for name in slots if name != "_value" and hasattr(tensor, name)]
    return Holder(Tensor, slots["_value"], tuple((slots[name], getattr(tensor, name)) for name in names))


def still_holds(tensor: Tensor) -> WordGuard:
    """Returns the guard that a Tensor which a program reads, and was not given, has the same value."""
    return WordGuard(tensor, _slots()["_value"].offset, id(tensor._value), tensor._value)


def unmonitored() -> Guard:
    """Returns the guard under which such Tensors are made without a source line."""
    return Guard(False, vars(CPU), "is_monitored")
