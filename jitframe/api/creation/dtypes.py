"""Functions of dtypes: limits, kinds, promotion and casts."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.promotion import NUMBERS, from_numpy
from ...arrays.promotion import result_dtype as promoted
from ...errors import ArgumentError, DTypeError
from ...ir.types import BF16, PART_OF, DType
from ..frame import LazyValue
from ..registry import Varied, public

_KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("bool",), "signed integer": ("int",), "unsigned integer": ("uint",),
    "integral": ("int", "uint"), "real floating": ("float",), "complex floating": ("complex",),
    "numeric": ("int", "uint", "float", "complex"),
}  # fmt: skip


def _dtype(value: Any) -> DType:
    """Returns the dtype of an array, or of a value that NumPy takes as a dtype."""
    if isinstance(value, LazyValue):
        return value._dtype
    return from_numpy(value.dtype if isinstance(value, (numpy.ndarray, numpy.generic)) else value)


def numpy_dtype(dtype: DType) -> numpy.dtype[Any]:
    return numpy.dtype(dtype.numpy_name)


@public("dtype")
def finfo(dtype: Any) -> Varied:
    """Limits of a float dtype, or of an array's: `bits`, `eps`, `max`, `min`, `smallest_normal`, `dtype`.

    >>> float(jf.finfo("float16").max)
    65504.0
    """
    found = _dtype(dtype)
    found = PART_OF.get(found, found)
    if not found.is_float:
        raise DTypeError(f"finfo: {found.numpy_name} is no float; iinfo tells the limits of integers")
    if found is BF16:
        import ml_dtypes

        return ml_dtypes.finfo(numpy_dtype(found))  # type: ignore[no-untyped-call]
    return numpy.finfo(numpy_dtype(found))


@public("dtype")
def iinfo(int_type: Any) -> numpy.iinfo[Any]:
    """Limits of an integer dtype, or of an array's: `bits`, `max`, `min`, `dtype`.

    >>> jf.iinfo("uint8").max
    255
    """
    dtype = _dtype(int_type)
    if not dtype.is_integer:
        raise DTypeError(f"iinfo: {dtype.numpy_name} is no integer; finfo tells the limits of floats")
    return numpy.iinfo(numpy_dtype(dtype))


@public("dtype")
def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind ("bool", "integral", "real floating" …), another dtype, or one of several.

    >>> jf.isdtype("uint8", ("bool", "unsigned integer"))
    True
    """
    found = _dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            names = ", ".join(map(repr, _KINDS))
            raise ArgumentError(f"isdtype: {kind!r} is no kind of dtype; the kinds are {names}")
        return found.kind in _KINDS[kind]
    if kind is None:
        raise DTypeError("isdtype: a kind is a dtype, a word or a tuple of these, not None")
    return found is _dtype(kind)


@public("dtype")
def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether NumPy casts a dtype, or that of an array, to another by the rule `casting`.

    >>> jf.can_cast("int32", "float64"), jf.can_cast("int64", "float32")
    (True, False)
    """
    if type(from_) in NUMBERS:
        raise DTypeError("can_cast: a Python number has no dtype of its own; give the dtype it is to have")
    source, target = (numpy_dtype(_dtype(each)) for each in (from_, to))
    return numpy.can_cast(source, target, casting)  # type: ignore[arg-type]


@public("dtype")
def result_type(*arrays_and_dtypes: Any) -> numpy.dtype[Any]:
    """The dtype that arrays, dtypes and Python numbers promote to.

    >>> jf.result_type("int8", "uint8"), jf.result_type("float16", 2.5)
    (dtype('int16'), dtype('float16'))
    """
    if not arrays_and_dtypes:
        raise ArgumentError("result_type: give at least one array or dtype")
    operands = [each if type(each) in NUMBERS else _weak(each) or _dtype(each) for each in arrays_and_dtypes]
    return numpy_dtype(promoted(operands))


def _weak(value: Any) -> Any:
    """Returns a Python number for a traced one; None for other values."""
    if not getattr(value, "_is_number", False):
        return None
    return {"bool": True, "float": 1.0, "complex": 1j}.get(value._dtype.kind, 1)
