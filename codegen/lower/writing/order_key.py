"""Integers in the order of floats, for argreduce: -0.0 equals 0.0, and a NaN comes before numbers.

Sorting has other keys, whose NaN is the largest.
"""

from __future__ import annotations

from ....ir.ops import Reducer
from ....ir.types import F32, I32, I64, DType
from ...kernel.nodes import Value


def order_dtype(dtype: DType) -> DType:
    """Returns the dtype of keys."""
    if not dtype.is_float:
        return dtype
    return I32 if dtype is F32 else I64


def order_key(reducer: Reducer, value: Value) -> Value:
    """Returns the key that an argreduce compares: that of a NaN is the opposite of the identity."""
    if not value.dtype.is_float:
        return value
    build, dtype = value.build, order_dtype(value.dtype)
    highest = (1 << (dtype.bits - 1)) - 1
    infinity = 0x7F80_0000 if dtype is I32 else 0x7FF0_0000_0000_0000
    bits = build.bitcast(value, dtype)
    size = bits & highest
    ordered = build.select(bits < 0, -size, size)
    return build.select(size > infinity, build.constant(~int(reducer.identity(dtype)), dtype), ordered)
