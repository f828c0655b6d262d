"""Integers of 4 bits, two in a byte, and floats of 8 bits."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import flag, word
from ...errors import DTypeError, ShapeError
from ..creation.constructors import astype
from ..elementwise.arithmetic import UFUNCS, where
from ..movement import as_lazy, stack
from ..registry import public
from .schemes import floats, integers

_maximum, _minimum = UFUNCS["maximum"], UFUNCS["minimum"]


@public("elementwise", name="quant.pack_int4", sample=lambda s: (s.array(4).astype("int8"),))
def pack_int4(q: Any) -> Any:
    """Two integers from -8 to 7 in each byte, the first one in its lower half.

    Shape: [..., n / 2]. Dtype: uint8. Of other integers the lowest 4 bits are kept. Raises ShapeError where
    the last axis is odd, DTypeError for others than integers.

    >>> jf.quant.pack_int4([1, -1]).numpy()
    array([241], dtype=uint8)
    """
    array = integers("pack_int4", q)
    if not array.ndim or array.shape[-1] % 2:
        raise ShapeError(
            f"pack_int4: the last axis is even, and the shape is {tuple(array.shape)}; add a zero"
        )
    bits = array.astype("uint8") & 15
    return bits[..., ::2] | (bits[..., 1::2] << 4)


@public("elementwise", name="quant.unpack_int4", sample=lambda s: (s.array(4).astype("uint8"),))
def unpack_int4(packed: Any) -> Any:
    """The inverse of `pack_int4`.

    Shape: [..., 2 n]. Dtype: int8. Raises DTypeError for others than uint8.

    >>> jf.quant.unpack_int4(np.array([241], np.uint8)).numpy()
    array([ 1, -1], dtype=int8)
    """
    array = as_lazy(packed)
    if array.dtype != numpy.uint8 or not array.ndim:
        raise DTypeError(f"unpack_int4: packed is an array of uint8, not {array.dtype}{list(array.shape)}")
    halves = stack((array & 15, array >> 4), axis=-1).astype("int8")
    return ((halves ^ 8) - 8).reshape((*array.shape[:-1], 2 * array.shape[-1]))


class _Format:
    """A format of floats of 8 bits: bits of the mantissa, the exponent's bias, the largest finite code, those
    of inf and NaN."""

    def __init__(self, mantissa: int, bias: int, most: int, infinity: int | None, nan: int) -> None:
        self.mantissa, self.bias, self.most, self.infinity, self.nan = mantissa, bias, most, infinity, nan

    @property
    def step(self) -> float:
        """Between numbers below the least normal one."""
        return float(2.0 ** (1 - self.bias - self.mantissa))


_FORMATS = {"e4m3": _Format(3, 7, 0x7E, None, 0x7F), "e5m2": _Format(2, 15, 0x7B, 0x7C, 0x7E)}
"""P. Micikevicius et al., "FP8 formats for deep learning", 2022: e4m3 has no infinity, and one NaN of each
sign."""


def _format(function: str, name: Any) -> _Format:
    return _FORMATS[word(name, f"{function}: format", tuple(_FORMATS))]


@public("elementwise", name="quant.encode_float8")
def encode_float8(x: Any, format: str = "e4m3", saturate: bool = True) -> Any:
    """Floats of 8 bits, as the bytes that they are: the nearest ones, of two as near the even one.

    `format`: "e4m3" (up to 448, relative error 2**-4) or "e5m2" (up to 57344, relative error 2**-3).
    `saturate`: whether larger ones, and infinities, become the largest finite one; else infinity, which is
    NaN in e4m3. Values are rounded to float32 first. Shape: that of `x`. Dtype: uint8.

    >>> jf.quant.encode_float8([1.0, -2.0, 1000.0]).numpy()
    array([ 56, 192, 126], dtype=uint8)
    """
    of = _format("encode_float8", format)
    array = astype(floats("encode_float8", x), numpy.float32)
    bits = array.view(numpy.uint32)
    size = bits & 0x7FFFFFFF
    shift = 23 - of.mantissa
    rounded = (size + ((1 << (shift - 1)) - 1) + ((size >> shift) & 1)) >> shift
    least = (128 - of.bias) << 23
    normal = _maximum(rounded.astype("int32") - ((127 - of.bias) << of.mantissa), 0)
    small = (_minimum(abs(array), 1.0) * (1 / of.step)).round().astype("int32")
    code = where(size < least, small, normal)
    over = (
        of.most
        if flag(saturate, "encode_float8: saturate")
        else of.nan
        if of.infinity is None
        else of.infinity
    )
    code = where(code > of.most, over, code)
    code = where(size > 0x7F800000, of.nan, code)
    return (code.astype("uint32") | ((bits >> 24) & 0x80)).astype("uint8")


@public("elementwise", name="quant.decode_float8", sample=lambda s: (s.x.astype("uint8"),))
def decode_float8(bits: Any, format: str = "e4m3", dtype: Any = numpy.float32) -> Any:
    """The values of floats of 8 bits, exactly.

    `format`: as of `encode_float8`. Shape: that of `bits`, an array of uint8. Dtype: `dtype`, float32 by
    default. Raises DTypeError for others than uint8.

    >>> jf.quant.decode_float8(np.array([56, 192, 126], np.uint8)).numpy()
    array([  1.,  -2., 448.], dtype=float32)
    """
    of = _format("decode_float8", format)
    array = as_lazy(bits)
    if array.dtype != numpy.uint8:
        raise DTypeError(f"decode_float8: bits are uint8, not {array.dtype}")
    wide = array.astype("uint32")
    code = wide & 0x7F
    normal = ((code << (23 - of.mantissa)) + ((127 - of.bias) << 23)).view(numpy.float32)
    size = where(code < (1 << of.mantissa), code.astype("float32") * of.step, normal)
    if of.infinity is not None:
        size = where(code == of.infinity, numpy.float32(numpy.inf), size)
    size = where(code > (of.most if of.infinity is None else of.infinity), numpy.float32(numpy.nan), size)
    return where(wide > 0x7F, -size, size).astype(dtype)
