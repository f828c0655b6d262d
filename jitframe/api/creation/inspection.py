"""Queries of arrays and other values that need no computation: shapes, kinds, memory order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from ...arrays.indexing import normalize_axes
from ...base.arguments import extents_of
from ...errors import ArgumentError, DTypeError, KindError
from ...functions.operands import broadcast_shapes as broadcast
from ..frame import LazyValue, holds_lazy
from ..movement import as_lazy, transpose
from ..registry import Varied, public
from .dtypes import numpy_dtype, result_type


def _array(value: Any) -> Any:
    """Returns a lazy array, or an ndarray of a value without one."""
    if isinstance(value, LazyValue):
        return value
    return as_lazy(value) if holds_lazy(value) else numpy.asarray(value)


@public("dtype")
def shape(a: Any) -> tuple[int, ...]:
    """The extents of an array, or of what NumPy takes as one.

    >>> jf.shape([[1, 2, 3]])
    (1, 3)
    """
    return tuple(_array(a).shape)


@public("dtype")
def ndim(a: Any) -> int:
    """The number of axes of an array.

    >>> jf.ndim([[1, 2, 3]])
    2
    """
    return len(shape(a))


@public("dtype")
def size(a: Any, axis: Any = None) -> int:
    """The number of elements of an array, in all or along an axis or several.

    Raises AxisError for an axis that it lacks.

    >>> jf.size([[1, 2, 3]]), jf.size([[1, 2, 3]], 1)
    (3, 3)
    """
    array = _array(a)
    axes = range(len(array.shape)) if axis is None else normalize_axes(axis, len(array.shape))
    return math.prod(array.shape[each] for each in axes)


@public("dtype")
def isscalar(element: Any) -> bool:
    """Whether a value is a number or a NumPy scalar, and no array.

    >>> jf.isscalar(3.0), jf.isscalar(jf.asarray(3.0))
    (True, False)
    """
    if isinstance(element, LazyValue):
        return bool(getattr(element, "_kind", 0))
    return bool(numpy.isscalar(element))


@public("dtype")
def iterable(y: Any) -> bool:
    """Whether a value can be iterated over: arrays of no axes cannot.

    >>> jf.iterable(jf.asarray([1.0])), jf.iterable(jf.asarray(1.0))
    (True, False)
    """
    return bool(y.shape) if isinstance(y, LazyValue) else bool(numpy.iterable(y))


@public("dtype")
def iscomplexobj(x: Any) -> bool:
    """Whether a value has a complex dtype, whatever its imaginary parts are.

    >>> jf.iscomplexobj(1j), jf.iscomplexobj([1.0])
    (True, False)
    """
    return bool(_array(x).dtype.kind == "c")


@public("dtype")
def isrealobj(x: Any) -> bool:
    """Whether a value has a dtype that is not complex.

    >>> jf.isrealobj([1.0]), jf.isrealobj(1j)
    (True, False)
    """
    return not iscomplexobj(x)


@public("dtype")
def isfortran(a: Any) -> bool:
    """Whether elements are in Fortran order, the first axis varying fastest, and not in C order.

    That is NumPy's memory order, which may differ from a device's.

    >>> jf.isfortran(jf.asarray([[1, 2], [3, 4]]).T)
    True
    """
    if not isinstance(a, LazyValue):
        return bool(numpy.isfortran(numpy.asarray(a)))
    a._check_order()
    return a._strides is not None and transpose(a)._strides is None


@public("dtype")
def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The shape that arrays of these shapes are broadcast to; an integer is a shape of one axis.

    Raises ShapeError where they do not fit.

    >>> jf.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    shapes = [extents_of(argument) for argument in args]
    return broadcast(*shapes) if shapes else ()


# Dtypes ------------------------------------------------------------------------------------------------
@public("dtype")
def promote_types(type1: Any, type2: Any) -> numpy.dtype[Any]:
    """The dtype to which both dtypes can be cast without loss of range; see `result_type`.

    >>> jf.promote_types("int8", "uint8")
    dtype('int16')
    """
    return result_type(numpy.dtype(type1), numpy.dtype(type2))


@public("dtype")
def common_type(*arrays: Any) -> type:
    """The float or complex type that all arrays fit in: integers are taken for float64.

    Raises DTypeError for arrays of bools.

    >>> jf.common_type(np.arange(2, dtype="float32"), np.arange(2)).__name__
    'float64'
    """
    try:
        return numpy.common_type(*[numpy.empty(0, _array(array).dtype) for array in arrays])
    except TypeError as error:
        raise DTypeError(f"common_type: {error}") from None


@public("dtype")
def min_scalar_type(a: Any) -> numpy.dtype[Any]:
    """The smallest dtype that holds a number; of arrays with axes their own.

    A number that is not known yet is computed.

    >>> jf.min_scalar_type(300)
    dtype('uint16')
    """
    if not isinstance(a, LazyValue):
        return numpy.min_scalar_type(a)
    if a.shape:
        return numpy_dtype(a._dtype)
    return numpy.min_scalar_type(a._concrete("min_scalar_type: the dtype depends on the number")[()])


@public("dtype")
def mintypecode(typechars: Any, typeset: str = "GDFgdf", default: Varied = "d") -> str:
    """The character of the smallest type of `typeset` to which all the given ones, or those of arrays, can be
    cast.

    >>> jf.mintypecode(["i", "f"])
    'f'
    """
    given = [typechar if isinstance(typechar, str) else _array(typechar).dtype.char for typechar in typechars]
    found: str = numpy.mintypecode(given, typeset, default)
    return found


@public("dtype")
def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type is another one or below it in NumPy's hierarchy of types.

    >>> jf.issubdtype(np.float32, np.floating)
    True
    """
    return bool(numpy.issubdtype(arg1, arg2))


@public("dtype")
def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> tuple[Any, str]:
    """The best order in which `einsum` contracts these operands, and a text about its cost.

    It needs shapes alone. Raises ArgumentError for subscripts that do not fit.

    >>> jf.einsum_path("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4)))[0]
    ['einsum_path', (0, 1)]
    """
    lists = bool(operands) and not isinstance(operands[0], str)  # of axes, one after each operand
    if lists and any(holds_lazy(operand) for operand in operands[1::2]):
        raise KindError("einsum_path: axes are lists of integers and Ellipsis, and an array was given")
    given: list[Any] = [
        operand if lists and place % 2 else _stand_in(operand) for place, operand in enumerate(operands)
    ]
    options: dict[str, Any] = {"optimize": optimize, "einsum_call": einsum_call}
    try:
        return numpy.einsum_path(*given, **options)
    except (ValueError, KeyError) as error:
        raise ArgumentError(f"einsum_path: {error}") from None


def _stand_in(value: Any) -> Any:
    """Returns an array without memory in the place of one; other values unchanged."""
    if isinstance(value, str) or (
        isinstance(value, Sequence) and all(isinstance(each, (int, type(...))) for each in value)
    ):
        return value
    return numpy.broadcast_to(numpy.zeros((), numpy.int8), _array(value).shape)
