"""Products of quantized matrices: of integers, and of floats with weights of few bits."""

from __future__ import annotations

import math
from typing import Any

from ...base.arguments import integer
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions import quantized_products
from ..calls import call
from ..creation.constructors import asarray, full
from ..elementwise.arithmetic import UFUNCS
from ..frame import LazyValue
from ..linear_algebra.products import matmul as plain_matmul
from ..movement import as_lazy, broadcast_to
from ..registry import public
from .schemes import floats, integers


@public("product", name="quant.matmul", sample=lambda s: (s.x.astype("int8"), s.x.astype("int8")))
def matmul(x: Any, y: Any, *, out: Any = None) -> Any:
    """The products of matrices of integers of 8 bits, added up in int32.

    `x`, `y`: of int8 or uint8, of shapes as `np.matmul` takes them. Dtype: int32. Raises DTypeError for
    others, ShapeError where they do not fit. (np.matmul gives int8 there, which wraps around.)

    >>> jf.quant.matmul(np.full((1, 300), 100, np.int8), np.full((300, 1), 100, np.int8)).numpy()
    array([[3000000]], dtype=int32)
    """
    given = [integers("quant.matmul", each, name) for each, name in ((x, "x"), (y, "y"))]
    for each in given:
        if each.dtype.itemsize != 1:
            raise DTypeError(f"quant.matmul: matrices have int8 or uint8, not {each.dtype}")
    return plain_matmul(*(each.astype("int32") for each in given), out)


def _of_rows(name: str, values: Any, rows: int, groups: int, like: Any) -> Any:
    """Scales or zero points, as [rows, groups]."""
    array = values if isinstance(values, LazyValue) else asarray(values, device=like.device)
    if array.shape == (rows,) and groups == 1:
        array = array.reshape((rows, 1))
    if array.ndim and array.shape != (rows, groups):
        raise ShapeError(
            f"quant.linear: {name} has the shape {(rows, groups)}, one for each row and group, or is one "
            "number, not "
            f"{tuple(array.shape)}"
        )
    return broadcast_to(array, (rows, groups))


@public("product", name="quant.linear", sample=lambda s: (s.x, s.x.astype("int8"), 0.5))
def linear(
    x: Any, q: Any, scale: Any, zero_point: Any = None, *, bits: Any = 8, group_size: Any = None,
    bias: Any = None, out: Any = None,
) -> Any:  # fmt: skip
    """`x @ dequantize(q).T + bias`, without storing the dequantized matrix.

    `x`: floats[..., n]; `q`: int8[rows, n], or with `bits` 4 uint8[rows, n / 2], as `pack_int4` has it;
    `scale`, `zero_point`: [rows], a number, or with `group_size` [rows, n / group_size]; `bias`: [rows].
    Shape: [..., rows]. Dtype: that of `x`. A single vector is multiplied as the rows are read, and so are up
    to 8 on the processor; for more, a block of rows is dequantized at a time. Raises ShapeError where the
    shapes do not fit.

    >>> jf.quant.linear([1.0, 2.0], np.array([[2, 4]], np.int8), 0.5).numpy()
    array([5.])
    """
    array = floats("quant.linear", x)
    weights = as_lazy(q)
    width = integer(bits, "quant.linear: bits")
    if width not in (4, 8):
        raise ArgumentError(f"quant.linear: bits is 4 or 8, and {width} was given")
    wanted = "uint8" if width == 4 else "int8"
    if str(weights.dtype) != wanted:
        raise DTypeError(f"quant.linear: with bits={width} the weights are {wanted}, not {weights.dtype}")
    if weights.ndim != 2 or not array.ndim or weights.shape[1] * 8 // width != array.shape[-1]:
        raise ShapeError(
            f"quant.linear: x[..., n] and weights [rows, {'n / 2' if width == 4 else 'n'}], not of the "
            "shapes "
            f"{tuple(array.shape)} and {tuple(weights.shape)}"
        )
    rows, inner = weights.shape[0], array.shape[-1]
    each = inner if group_size is None else integer(group_size, "quant.linear: group_size")
    if each < 1 or (inner and inner % each) or (width == 4 and each % 2):
        raise ShapeError(f"quant.linear: group_size {each} does not divide {inner} into groups of bytes")
    groups = inner // each if each else 1
    shape = (*array.shape[:-1], rows)
    if not inner or not rows or not array.size:
        found = full(shape, 0, array.dtype, device=array.device)
    else:
        factor = _of_rows("scale", scale, rows, groups, array).astype(array.dtype)
        given = [array.reshape((math.prod(array.shape[:-1]), inner)), weights, factor]
        if zero_point is not None:
            given.append(_of_rows("zero_point", zero_point, rows, groups, array))

        def made(graph: Any, *nodes: Any) -> Any:
            x, q, scale, *zero = nodes
            on_host = array._frame.device.is_host
            return quantized_products.linear(graph, x, q, scale, zero[0] if zero else None, on_host)

        found = call(made, given).reshape(shape)
    if bias is not None:
        found = found + bias
    return found if out is None else UFUNCS["positive"](found, out=out)
