"""Arguments and results of `jitframe.nn`: real arrays, widened where they are halves; axes; outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import is_sequence, shown
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions.operands import cast, shape_text
from ...ir.types import BF16, BOOL, F16, F32, DType
from ..calls import call
from ..movement import as_lazy, reshape

_WIDE = {F16: F32, BF16: F32}


def real(function: str, x: Any, name: str = "x") -> Any:
    """An array of floats; integers and bools become the device's usual float. Raises DTypeError."""
    array = as_lazy(x)
    if array._dtype.is_complex:
        raise DTypeError(
            f"{function}: {name} is {shown(array)}, and it takes real numbers; give its .real or abs()"
        )
    return array if array._dtype.is_float else array * 1.0


def widened(array: Any) -> Any:
    """The array in the dtype that it is computed in."""
    return in_dtype(array, _WIDE.get(array._dtype, array._dtype))


def in_dtype(array: Any, dtype: DType) -> Any:
    return array if array._dtype is dtype else call(lambda graph, node: cast(graph, node, dtype), (array,))


def finished(result: Any, like: Any, out: Any = None) -> Any:
    """A result in the dtype of the operand that it is of, written to `out` where that is given."""
    result = in_dtype(result, like._dtype)
    return result if out is None else call(lambda _, node: node, (result,), out=out, whole=True)


def applied(function: str, formula: Callable[[Any], Any], x: Any, out: Any) -> Any:
    """A formula of one array of floats, computed in its wide dtype, in the dtype of the array."""
    array = real(function, x)
    return finished(formula(widened(array)), array, out)


def integers(function: str, x: Any, name: str) -> Any:
    """An array of integers. Raises DTypeError."""
    array = as_lazy(x)
    if not array._dtype.is_integer:
        raise DTypeError(f"{function}: {name} is {shown(array)}, and it takes integers; write .astype(int)")
    return array


def bools(function: str, x: Any, name: str) -> Any:
    """An array of bools. Raises DTypeError."""
    array = as_lazy(x)
    if array._dtype is not BOOL:
        raise DTypeError(f"{function}: {name} is {shown(array)}, and it takes bools; write {name} != 0")
    return array


def axes_of(function: str, axis: Any, array: Any) -> tuple[int, ...]:
    """One axis or several, from the front, in order. Raises AxisError, and ArgumentError for one given
    twice.
    """
    given = axis if is_sequence(axis) else (axis,)
    found = sorted(normalize_axis(each, array.ndim) for each in given)
    if len({*found}) != len(found):
        raise ArgumentError(f"{function}: axis={axis!r} names an axis twice")
    return tuple(found)


def along(function: str, name: str, parameter: Any, x: Any, axes: Sequence[int]) -> Any:
    """A parameter that has an element for each position on some axes of `x`, so that it broadcasts against
    it, in the dtype that `x` is computed in. Raises ShapeError."""
    array = in_dtype(real(function, parameter, name), x._dtype)
    wanted = tuple(x.shape[axis] for axis in axes)
    if tuple(array.shape) != wanted:
        raise ShapeError(
            f"{function}: {name} has the shape {shape_text(array.shape)}, and x, {shown(x)}, takes "
            f"{shape_text(wanted)}: an element for each position on axis {', '.join(map(str, axes))}"
        )
    return reshape(array, tuple(extent if axis in axes else 1 for axis, extent in enumerate(x.shape)))


def fitting(function: str, name: str, array: Any, wanted: Sequence[int], why: str) -> Any:
    """The array, of the shape that it has to have. Raises ShapeError."""
    if tuple(array.shape) != tuple(wanted):
        raise ShapeError(
            f"{function}: {name} is {shown(array)}, and {why} takes the shape {shape_text(tuple(wanted))}"
        )
    return array
