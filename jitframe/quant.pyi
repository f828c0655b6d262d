"""What `jitframe.quant` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def calibrate(x: ArrayLike, *, dtype: str = 'int8', scheme: str = 'symmetric', axis: _Axis = None, group_size: Any = None, percentile: Any = None) -> tuple[Tensor, Tensor]:
    """The scale and the zero point by which `quantize` covers the values of `x`.

    `scheme`: "symmetric", whose zero point is 0 (None is given), or "affine", from the least value to the
    greatest, 0 included. `dtype`, `axis`, `group_size`: as of `quantize`. `percentile`: of the sizes, or of
    the values at both ends, that are covered, such as 99.9; by default all. Scales are the dtype of `x`, zero
    points int32; of zeros the scale is 1. Raises ArgumentError where they do not fit.

    >>> scale, zero_point = jf.quant.calibrate([0.0, 2.55], dtype="uint8", scheme="affine")
    >>> round(float(scale), 4), int(zero_point)
    (0.01, 0)
    """
def decode_float8(bits: Any, format: str = 'e4m3', dtype: DTypeLike | None = ...) -> Tensor:
    """The values of floats of 8 bits, exactly.

    `format`: as of `encode_float8`. Shape: that of `bits`, an array of uint8. Dtype: `dtype`, float32 by
    default. Raises DTypeError for others than uint8.

    >>> jf.quant.decode_float8(np.array([56, 192, 126], np.uint8)).numpy()
    array([  1.,  -2., 448.], dtype=float32)
    """
def dequantize(q: Any, scale: Any, zero_point: Any = None, *, axis: _Axis = None, group_size: Any = None, dtype: DTypeLike | None = None) -> Tensor:
    """(q - zero_point) * scale.

    `scale`, `zero_point`, `axis`, `group_size`: as of `quantize`. Shape: that of `q`. Dtype: `dtype`, by
    default the one of `scale`, float32 where that is a number. Raises ShapeError where the shapes do not fit.

    >>> jf.quant.dequantize(np.array([2, 5, 127], np.int8), 0.5).numpy()
    array([ 1. ,  2.5, 63.5], dtype=float32)
    """
def encode_float8(x: ArrayLike, format: str = 'e4m3', saturate: _bool = True) -> Tensor:
    """Floats of 8 bits, as the bytes that they are: the nearest ones, of two as near the even one.

    `format`: "e4m3" (up to 448, relative error 2**-4) or "e5m2" (up to 57344, relative error 2**-3).
    `saturate`: whether larger ones, and infinities, become the largest finite one; else infinity, which is
    NaN in e4m3. Values are rounded to float32 first. Shape: that of `x`. Dtype: uint8.

    >>> jf.quant.encode_float8([1.0, -2.0, 1000.0]).numpy()
    array([ 56, 192, 126], dtype=uint8)
    """
def linear(x: ArrayLike, q: Any, scale: Any, zero_point: Any = None, *, bits: Any = 8, group_size: Any = None, bias: Any = None, out: _Out = None) -> Tensor:
    """`x @ dequantize(q).T + bias`, without storing the dequantized matrix.

    `x`: floats[..., n]; `q`: int8[rows, n], or with `bits` 4 uint8[rows, n / 2], as `pack_int4` has it;
    `scale`, `zero_point`: [rows], a number, or with `group_size` [rows, n / group_size]; `bias`: [rows].
    Shape: [..., rows]. Dtype: that of `x`. A single vector is multiplied as the rows are read, and so are up
    to 8 on the processor; for more, a block of rows is dequantized at a time. Raises ShapeError where the
    shapes do not fit.

    >>> jf.quant.linear([1.0, 2.0], np.array([[2, 4]], np.int8), 0.5).numpy()
    array([5.])
    """
def matmul(x: ArrayLike, y: ArrayLike, *, out: _Out = None) -> Tensor:
    """The products of matrices of integers of 8 bits, added up in int32.

    `x`, `y`: of int8 or uint8, of shapes as `np.matmul` takes them. Dtype: int32. Raises DTypeError for
    others, ShapeError where they do not fit. (np.matmul gives int8 there, which wraps around.)

    >>> jf.quant.matmul(np.full((1, 300), 100, np.int8), np.full((300, 1), 100, np.int8)).numpy()
    array([[3000000]], dtype=int32)
    """
def pack_int4(q: Any) -> Tensor:
    """Two integers from -8 to 7 in each byte, the first one in its lower half.

    Shape: [..., n / 2]. Dtype: uint8. Of other integers the lowest 4 bits are kept. Raises ShapeError where
    the last axis is odd, DTypeError for others than integers.

    >>> jf.quant.pack_int4([1, -1]).numpy()
    array([241], dtype=uint8)
    """
def quantize(x: ArrayLike, scale: Any, zero_point: Any = None, *, dtype: str = 'int8', axis: _Axis = None, group_size: Any = None) -> Tensor:
    """The integers nearest to x / scale + zero_point, those out of range clipped; of halves the even one.

    `scale`, `zero_point`: numbers for all of `x`; with `axis`, vectors for its positions; with `group_size`,
    of the shape (…, n / group_size), for so many elements side by side. `dtype`: "int8", "uint8" or "int4",
    which lies in int8 (see `pack_int4`). Shape: that of `x`. NaN becomes the zero point. Raises ShapeError
    where the shapes do not fit. Within range the error is half a scale at most.

    >>> jf.quant.quantize([0.1, 0.26, 9.0], 0.05).numpy()
    array([  2,   5, 127], dtype=int8)
    """
def unpack_int4(packed: Any) -> Tensor:
    """The inverse of `pack_int4`.

    Shape: [..., 2 n]. Dtype: int8. Raises DTypeError for others than uint8.

    >>> jf.quant.unpack_int4(np.array([241], np.uint8)).numpy()
    array([ 1, -1], dtype=int8)
    """
