"""Packing and unpacking of the bits of bytes."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...base.arguments import integer, word
from ...errors import DTypeError
from ..movement import as_lazy, moveaxis, ravel, reshape
from ..reductions import sum as summed
from ..registry import public
from .rearranging import pad

_ORDERS = ("big", "little")


@public("elementwise", sample=lambda s: (s.v,))
def packbits(a: Any, /, axis: Any = None, bitorder: str = "big") -> Any:
    """Packs eight elements along an axis, zero or not, into the bits of one byte; pads the last one with
    zeros.

    `axis`: by default the array is made a vector. `bitorder`: "big" has the first element in the highest bit.
    Dtype: uint8. Raises DTypeError for floats.

    >>> jf.packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]).numpy()
    array([131, 128], dtype=uint8)
    """
    word(bitorder, "packbits: bitorder", _ORDERS)
    array = as_lazy(a)
    if array.dtype.kind not in "biu":
        raise DTypeError("Expected an input array of integer or boolean data type")
    array = ravel(array) if axis is None or not array.ndim else array
    place = normalize_axis(0 if axis is None else axis, array.ndim)
    bits = moveaxis(array != 0, place, -1)
    missing = -bits.shape[-1] % 8
    if missing:
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, missing)])
    bits = reshape(bits, (*bits.shape[:-1], bits.shape[-1] // 8, 8)).astype(numpy.uint8)
    weights = numpy.array([128, 64, 32, 16, 8, 4, 2, 1][:: 1 if bitorder == "big" else -1], numpy.uint8)
    return moveaxis(summed(bits * weights, axis=-1, dtype=numpy.uint8), -1, place)


@public("elementwise", sample=lambda s: (s.array(3).astype("uint8"),))
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: str = "big") -> Any:
    """The bits of bytes along an axis, each as 0 or 1.

    `axis`: by default the array is made a vector. `count`: the number of bits; missing ones are 0, a negative
    number omits as many at the end. Dtype: uint8, as that of `a`.

    >>> jf.unpackbits(np.array([131], np.uint8)).numpy()
    array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
    word(bitorder, "unpackbits: bitorder", _ORDERS)
    array = as_lazy(a)
    if array.dtype != numpy.uint8:
        raise DTypeError("Expected an input array of unsigned byte data type")
    array = ravel(array) if axis is None or not array.ndim else array
    place = normalize_axis(0 if axis is None else axis, array.ndim)
    moved = moveaxis(array, place, -1)
    shifts = numpy.arange(8, dtype=numpy.uint8)
    shifts = shifts[::-1] if bitorder == "big" else shifts
    bits = (reshape(moved, (*moved.shape, 1)) >> shifts) & numpy.uint8(1)
    bits = reshape(bits, (*moved.shape[:-1], moved.shape[-1] * 8))
    if count is not None:
        wanted = integer(count, "count")
        extra = wanted - bits.shape[-1] if wanted >= 0 else wanted
        if extra > 0:
            bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, extra)])
        elif extra < 0:
            bits = bits[..., :extra]
    return moveaxis(bits, -1, place)
