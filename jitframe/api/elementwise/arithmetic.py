"""Arithmetic, comparisons, logic, bits and choices, element by element."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy

from ... import api
from ...arrays.promotion import cast_error, check_fits, from_numpy
from ...base.arguments import integer
from ...errors import ArgumentError
from ...functions import elementwise as nodes
from ...functions import late
from ...ir.types import I32, I64
from ..calls import call
from ..registry import Fold, Scalar, public
from ..signature import check_unset, single_output
from .ufunc import Public, all_made, binary, pair, unary

_UNGIVEN = numpy._NoValue


@public("elementwise")
def frexp(
    x: Any, out1: Any = None, out2: Any = None, /, *, out: Any = (None, None), where: Any = True,
    casting: Any = "same_kind", order: Any = "K", dtype: Any = None, subok: bool = True,
    signature: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Fractions of size [1/2, 1) and int32 exponents: `x` is `f * 2**e`.

    Shape: that of `x`, of both. `out` is a tuple of two arrays, or of None in the place of one.

    >>> fraction, exponent = jf.frexp([1.0, 10.0])
    >>> fraction.numpy(), exponent.numpy()
    (array([0.5  , 0.625]), array([1, 4], dtype=int32))
    """
    return pair(
        "frexp", _FREXP(x), (out1, out2), out,
        where=where, casting=casting, order=order, dtype=dtype, signature=signature,
    )  # fmt: skip


@public("elementwise")
def modf(
    x: Any, out1: Any = None, out2: Any = None, /, *, out: Any = (None, None), where: Any = True,
    casting: Any = "same_kind", order: Any = "K", dtype: Any = None, subok: bool = True,
    signature: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The fractional and the whole parts, both with the sign of `x`.

    Shape: that of `x`, of both. `out` is a tuple of two arrays, or of None in the place of one.

    >>> fraction, whole = jf.modf([1.5, -2.25])
    >>> fraction.numpy(), whole.numpy()
    (array([ 0.5 , -0.25]), array([ 1., -2.]))
    """
    return pair(
        "modf", _MODF(x), (out1, out2), out,
        where=where, casting=casting, order=order, dtype=dtype, signature=signature,
    )  # fmt: skip


def _in_parts(name: str) -> Public:
    function = late("float_parts", name)
    return lambda x: call(function, (x,))


_FREXP, _MODF = _in_parts("frexp"), _in_parts("modf")


@public("elementwise", numpy=("round", "around"))
def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """`a` rounded to `decimals` decimals, halves to even; -1 rounds to tens.

    Shape and dtype: those of `a`.

    >>> jf.round([0.125, 2.5, -1.675], 2).numpy()
    array([ 0.12,  2.5 , -1.68])
    """
    places = integer(decimals, "decimals")
    check_fits(places, I32)
    out = single_output(out)
    kind = getattr(out, "dtype", None)
    if places < 0 and isinstance(kind, numpy.dtype) and kind.kind in "biu":
        raise cast_error("float64", kind, "same_kind", ": round divides by a power of ten; use out=None")
    computed = from_numpy(kind) if isinstance(kind, numpy.dtype) and kind.kind == "f" else None
    return call(nodes.round_, (a,), places, computed, out=out, whole=True)


@public("elementwise", sample=lambda s: (s.x, 0, 1))
def clip(
    a: Any, min: Any = numpy._NoValue, max: Any = numpy._NoValue, out: Any = None, *,
    a_min: Any = numpy._NoValue, a_max: Any = numpy._NoValue, where: Any = True, casting: Any = "same_kind",
    order: Any = "K", dtype: Any = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """`a` limited to `min` and `max` (or `a_min` and `a_max`); None, or an omitted one, is no bound.

    Shape: that of all three, broadcast. Dtype: what they promote to.

    >>> jf.clip([-5, 2, 9], 0, 5).numpy()
    array([0, 2, 5])
    """
    none = numpy._NoValue
    if (min is not none and a_min is not none) or (max is not none and a_max is not none):
        raise ArgumentError("clip: a bound is given twice, as a_min and min or as a_max and max")
    lowest, highest = (
        None if found is none else found
        for found in (min if a_min is none else a_min, max if a_max is none else a_max)
    )
    check_unset("clip", where=where, casting=casting, order=order, dtype=dtype, signature=signature)

    def clipped(graph: Any, *operands: Any) -> Any:
        rest = list(operands)
        x = rest.pop(0)
        return nodes.clip(
            graph, x, None if lowest is None else rest.pop(0), None if highest is None else rest.pop(0)
        )

    given = [a, *(bound for bound in (lowest, highest) if bound is not None)]
    return call(clipped, given, out=single_output(out), key=(nodes.clip, lowest is None, highest is None))


@public("elementwise", sample=lambda s: (s.mask, s.x, s.x), makes_arrays=True)
def where(
    condition: Any, x: Any = _UNGIVEN, y: Any = _UNGIVEN, /, *, size: int | None = None, fill_value: Any = 0
) -> Any:
    """Elements of `x` where the condition is true, else of `y`; with the condition alone, the positions where
    it is true: see `nonzero` for `size` and `fill_value`.

    Shape: that of all three, broadcast. Dtype: what `x` and `y` promote to. Raises ArgumentError where one
    of `x` and `y` is given without the other.

    >>> jf.where([True, False, True], [1, 2, 3], 0).numpy()
    array([1, 0, 3])
    """
    if x is _UNGIVEN:
        return api.indexing.reading.nonzero(condition, size=size, fill_value=fill_value)
    if y is _UNGIVEN:
        raise ArgumentError("either both or neither of x and y should be given")
    return call(nodes.where, (condition, x, y), key=nodes.where)


UFUNCS: dict[str, Public] = all_made(
    __name__,
    binary(
        "add", nodes.add, "same",
        "The sums `x1 + x2`. Integers wrap around; of bools it is `x1 | x2`.",
        ("[1, 2, 3], [10, 20, 30]", "array([11, 22, 33])"),
        fold=Fold(late("reductions", "sum"), takes_dtype=True, cumulative="cumsum"),
    ),
    binary(
        "subtract", nodes.subtract, "same",
        "The differences `x1 - x2`. Integers wrap around; bools have none: DTypeError.",
        ("[10, 20, 30], [1, 2, 3]", "array([ 9, 18, 27])"),
    ),
    binary(
        "multiply", nodes.multiply, "same",
        "The products `x1 * x2`. Integers wrap around; of bools it is `x1 & x2`.",
        ("[1, 2, 3], 10", "array([10, 20, 30])"),
        fold=Fold(late("reductions", "prod"), takes_dtype=True, cumulative="cumprod"),
    ),
    binary(
        "divide", nodes.divide, "float",
        "The quotients `x1 / x2`; x / 0 is an infinity, 0 / 0 is NaN.",
        ("[1, 2, 3], 2", "array([0.5, 1. , 1.5])"),
        numpy=("divide", "true_divide"),
    ),
    unary(
        "negative", nodes.negative, "same",
        "`-x`. Unsigned integers wrap around; bools have none: DTypeError.",
        ("[1.0, -2.0]", "array([-1.,  2.])"),
    ),
    unary(
        "positive", nodes.positive, "same",
        "`+x`: the same numbers. Bools have none: DTypeError.",
        ("[1.0, -2.0]", "array([ 1., -2.])"),
    ),
    unary(
        "abs", nodes.absolute, "same",
        "The sizes `|x|`. The least signed integer stays as it is: its size does not fit.",
        ("[-1.5, 2.0]", "array([1.5, 2. ])"),
        numpy=("absolute", "abs"),
    ),
    unary(
        "fabs", nodes.fabs, "float",
        "The sizes `|x|` as floats.",
        ("[-1, 2]", "array([1., 2.])"),
        math="fabs",
    ),
    unary(
        "sign", nodes.sign, "same",
        "-1, 0 or 1, as `x` is negative, zero or positive; NaN stays NaN. Bools have none: DTypeError.",
        ("[-2.5, 0.0, 4.0]", "array([-1.,  0.,  1.])"),
    ),
    unary(
        "square", nodes.square, "same",
        "`x * x`. Integers wrap around; bools become int8.",
        ("[1, 2, 3]", "array([1, 4, 9])"),
    ),
    unary(
        "reciprocal", nodes.reciprocal, "same",
        "`1 / x`. Of integers the quotient without its fraction: 0 but for 1 and -1.",
        ("[1.0, 2.0, 4.0]", "array([1.  , 0.5 , 0.25])"),
    ),
    binary(
        "maximum", nodes.maximum, "same",
        "The larger of `x1` and `x2`; NaN where either is NaN.",
        ("[1, 5, 3], [4, 2, 3]", "array([4, 5, 3])"),
        fold=Fold(late("reductions", "max_"), scan="max"),
    ),
    binary(
        "minimum", nodes.minimum, "same",
        "The smaller of `x1` and `x2`; NaN where either is NaN.",
        ("[1, 5, 3], [4, 2, 3]", "array([1, 2, 3])"),
        fold=Fold(late("reductions", "min_"), scan="min"),
    ),
    binary(
        "copysign", nodes.copysign, "float",
        "The size of `x1` with the sign of `x2`, also of zeros and NaNs.",
        ("[1.0, 2.0], [-1.0, 1.0]", "array([-1.,  2.])"),
        math="copysign",
    ),
    unary(
        "floor", nodes.floor, "same",
        "The largest whole number that is not above `x`; integers stay as they are.",
        ("[-1.5, 1.5]", "array([-2.,  1.])"),
        math=Scalar("floor", nodes.floor, I64),
    ),
    unary(
        "ceil", nodes.ceil, "same",
        "The smallest whole number that is not below `x`; integers stay as they are.",
        ("[-1.5, 1.5]", "array([-1.,  2.])"),
        math=Scalar("ceil", nodes.ceil, I64),
    ),
    unary(
        "trunc", nodes.trunc, "same",
        "`x` without its fraction; integers stay as they are.",
        ("[-1.5, 1.5]", "array([-1.,  1.])"), is_named=True,
        numpy=("trunc", "fix"), math=Scalar("trunc", nodes.trunc, I64),
    ),
    unary(
        "rint", nodes.rint, "float",
        "The nearest whole number, halves to even.",
        ("[0.5, 1.5, 2.6]", "array([0., 2., 3.])"),
    ),
    binary(
        "equal", nodes.equal, "bool",
        "Whether `x1 == x2`; NaN equals nothing. Integers are compared exactly, whatever their dtypes.",
        ("[1, 2, 3], 2", "array([False,  True, False])"),
    ),
    binary(
        "not_equal", nodes.not_equal, "bool",
        "Whether `x1 != x2`; NaN differs from all.",
        ("[1, 2, 3], 2", "array([ True, False,  True])"),
    ),
    binary(
        "less", nodes.less, "bool",
        "Whether `x1 < x2`; False where either is NaN.",
        ("[1, 2, 3], 2", "array([ True, False, False])"),
    ),
    binary(
        "less_equal", nodes.less_equal, "bool",
        "Whether `x1 <= x2`; False where either is NaN.",
        ("[1, 2, 3], 2", "array([ True,  True, False])"),
    ),
    binary(
        "greater", nodes.greater, "bool",
        "Whether `x1 > x2`; False where either is NaN.",
        ("[1, 2, 3], 2", "array([False, False,  True])"),
    ),
    binary(
        "greater_equal", nodes.greater_equal, "bool",
        "Whether `x1 >= x2`; False where either is NaN.",
        ("[1, 2, 3], 2", "array([False,  True,  True])"),
    ),
    binary(
        "logical_and", nodes.logical_and, "bool",
        "Whether both are true. A number is true unless it is zero; so is NaN.",
        ("[True, True], [True, False]", "array([ True, False])"),
        fold=Fold(late("reductions", "all_"), of_truths=True, scan="min"),
    ),
    binary(
        "logical_or", nodes.logical_or, "bool",
        "Whether at least one is true. A number is true unless it is zero; so is NaN.",
        ("[True, False], [False, False]", "array([ True, False])"),
        fold=Fold(late("reductions", "any_"), of_truths=True, scan="max"),
    ),
    binary(
        "logical_xor", nodes.logical_xor, "bool",
        "Whether exactly one is true. A number is true unless it is zero; so is NaN.",
        ("[True, True], [True, False]", "array([False,  True])"),
        fold=Fold(partial(late("reductions", "bitwise"), kind="bit_xor"), of_truths=True),
    ),
    unary(
        "logical_not", nodes.logical_not, "bool",
        "Whether `x` is not true. A number is true unless it is zero; so is NaN.",
        ("[True, False]", "array([False,  True])"),
    ),
    unary(
        "isfinite", nodes.isfinite, "bool",
        "Whether `x` is neither NaN nor an infinity.",
        ("[1.0, np.inf, np.nan]", "array([ True, False, False])"),
        math="isfinite",
    ),
    unary(
        "isinf", nodes.isinf, "bool",
        "Whether `x` is an infinity of either sign.",
        ("[1.0, -np.inf, np.nan]", "array([False,  True, False])"),
        math="isinf",
    ),
    unary(
        "isnan", nodes.isnan, "bool",
        "Whether `x` is NaN.",
        ("[1.0, np.inf, np.nan]", "array([False, False,  True])"),
        math="isnan",
    ),
    binary(
        "bitwise_and", nodes.bitwise_and, "integer",
        "The bits set in both, `x1 & x2`.",
        ("[12, 10], 6", "array([4, 2])"),
        fold=Fold(partial(late("reductions", "bitwise"), kind="bit_and")),
    ),
    binary(
        "bitwise_or", nodes.bitwise_or, "integer",
        "The bits set in at least one, `x1 | x2`.",
        ("[12, 10], 6", "array([14, 14])"),
        fold=Fold(partial(late("reductions", "bitwise"), kind="bit_or")),
    ),
    binary(
        "bitwise_xor", nodes.bitwise_xor, "integer",
        "The bits set in exactly one, `x1 ^ x2`.",
        ("[12, 10], 6", "array([10, 12])"),
        fold=Fold(partial(late("reductions", "bitwise"), kind="bit_xor")),
    ),
    unary(
        "bitwise_invert", nodes.invert, "integer",
        "Every bit the other way, `~x`; of bools `not x`.",
        ("[0, 5]", "array([-1, -6])"),
        numpy=("invert", "bitwise_not", "bitwise_invert"),
    ),
    binary(
        "bitwise_left_shift", nodes.left_shift, "integer",
        "The bits of `x1` moved up by `x2`, `x1 << x2`; what leaves the dtype is lost.",
        ("[1, 3], 2", "array([ 4, 12])"),
        numpy=("left_shift", "bitwise_left_shift"),
    ),
    binary(
        "bitwise_right_shift", nodes.right_shift, "integer",
        "The bits of `x1` moved down by `x2`, `x1 >> x2`; the sign of signed integers fills in.",
        ("[8, -8], 2", "array([ 2, -2])"),
        numpy=("right_shift", "bitwise_right_shift"),
    ),
    unary(
        "bitwise_count", late("float_parts", "bitwise_count"), "uint8",
        "How many bits of `|x|` are set.",
        ("[0, 7, 8]", "array([0, 3, 1], dtype=uint8)"), takes_dtype=False,
    ),
    binary(
        "ldexp", late("float_parts", "ldexp"), "float",
        "`x1 * 2**x2`, rounded once; `x2` are integers.",
        ("[1.0, 3.0], [4, -1]", "array([16. ,  1.5])"), takes_dtype=False,
        sample=lambda s: (s.x, s.positions(3, 3)),
    ),
    binary(
        "nextafter", late("float_parts", "nextafter"), "float",
        "The next float after `x1` toward `x2`; `x2` where they are equal.",
        ("np.float32([1.0]), np.float32([2.0])", "array([1.0000001], dtype=float32)"),
    ),
    unary(
        "signbit", late("float_parts", "signbit"), "bool",
        "Whether the sign is set, that of zeros and NaNs too.",
        ("[-0.0, 0.0, 1.0]", "array([ True, False, False])"),
    ),
    unary(
        "spacing", late("float_parts", "spacing"), "float",
        "The distance to the next float of larger size, with the sign of `x`.",
        ("[1.0]", "array([2.22044605e-16])"),
    ),
    unary(
        "conj", late("numeric", "conjugate"), "same",
        "The complex conjugates; of real numbers these, bools become int8.",
        ("[1.0, -2.0]", "array([ 1., -2.])"),
        numpy=("conjugate", "conj"),
    ),
    unary(
        "isposinf", late("numeric", "isposinf"), "bool",
        "Whether `x` is positive infinity.",
        ("[np.inf, -np.inf, np.nan]", "array([ True, False, False])"), is_named=True,
    ),
    unary(
        "isneginf", late("numeric", "isneginf"), "bool",
        "Whether `x` is negative infinity.",
        ("[np.inf, -np.inf, np.nan]", "array([False,  True, False])"), is_named=True,
    ),
    binary(
        "fmax", late("numeric", "fmax"), "same",
        "The larger of `x1` and `x2`; of a NaN and a number the number.",
        ("[1.0, np.nan], [3.0, 2.0]", "array([3., 2.])"),
    ),
    binary(
        "fmin", late("numeric", "fmin"), "same",
        "The smaller of `x1` and `x2`; of a NaN and a number the number.",
        ("[1.0, np.nan], [3.0, 2.0]", "array([1., 2.])"),
    ),
    binary(
        "heaviside", late("numeric", "heaviside"), "float",
        "0 where `x1` is below 0, `x2` where it is 0, 1 above; NaN where `x1` is NaN.",
        ("[-1.0, 0.0, 2.0], 0.5", "array([0. , 0.5, 1. ])"),
    ),
)  # fmt: skip
"""Functions with a ufunc's arguments, by the array API's names."""
