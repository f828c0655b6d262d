"""What operators do with values: ndarrays where they are known while tracing, lazy arrays elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..api.creation.constructors import astype
from ..api.frame import LazyValue, current_frame
from ..api.movement import as_lazy
from ..api.namespace import FUNCTIONS
from ..arrays.promotion import from_numpy
from ..errors import UnsupportedError
from .reading import package


def public(name: str) -> Callable[..., Any]:
    """A public function of jitframe by its name there."""
    return FUNCTIONS[name].call


def is_known(*values: Any) -> bool:
    """Whether all values are known while tracing."""
    return not any(isinstance(value, LazyValue) for value in values)


def to_known(value: Any) -> numpy.ndarray:
    """The value as an ndarray: what is of a trace is computed now, which cuts it."""
    if not isinstance(value, LazyValue):
        return numpy.asarray(value)
    return numpy.array(value._concrete("a size, an axis or a number that a node of the model takes"))


def cast(value: Any, dtype: Any) -> Any:
    """In another dtype; on a device that lacks 64 bits, in the one that stands for it there."""
    wanted = numpy.dtype(dtype)
    if isinstance(value, LazyValue):
        return astype(value, fitted(wanted, value))
    if wanted.kind in "OSUT":
        raise UnsupportedError(f"arrays of {wanted} are not supported: there are no strings on devices")
    with numpy.errstate(all="ignore"):
        return numpy.asarray(value).astype(wanted)


def fitted(dtype: numpy.dtype, value: LazyValue) -> Any:
    """What stands for a dtype on the device of a value."""
    device = value._frame.device
    return numpy.dtype(device.fitting(from_numpy(dtype)).numpy_name) if device.narrows else dtype


def dtype_of(value: Any) -> Any:
    return numpy.dtype(value.dtype)


def numbered_dtype(number: int) -> Any:
    """The dtype that ONNX has a number for."""
    onnx = package()
    if number == onnx.TensorProto.STRING:
        raise UnsupportedError("arrays of strings are not supported")
    return numpy.dtype(onnx.helper.tensor_dtype_to_np_dtype(number))


def integers(values: Any) -> tuple[int, ...]:
    """The elements of a known array."""
    return tuple(int(each) for each in numpy.asarray(values).reshape(-1))


def lazy(value: Any) -> Any:
    """The value as a lazy array of the present trace."""
    return as_lazy(value)


def filled(shape: tuple[int, ...], value: Any, dtype: Any, like: Any) -> Any:
    """An array of one number, on the device of another; known where that is."""
    if is_known(like):
        return numpy.full(shape, value, dtype)
    return public("full")(shape, value, fitted(numpy.dtype(dtype), like), device=current_frame().device.name)


def positions(count: int) -> numpy.ndarray:
    """0, 1, …, in 32 bits, which every device has."""
    return numpy.arange(count, dtype=numpy.int32)


def axis_of(axis: int, rank: int) -> int:
    return int(axis) + rank if axis < 0 else int(axis)
