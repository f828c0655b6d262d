"""What `jitframe.special` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def digamma(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """The derivative of the logarithm of the gamma function; infinite at 0, NaN at negative whole numbers. As
    of `expit`.

    Recurrence up to 10, there the asymptotic series, and reflection of negative numbers (Abramowitz, Stegun,
    6.3.5, 6.3.7, 6.3.18): within some 1e-15 of the value, or of 1 near its zeros.

    >>> jf.special.digamma([1.0, 2.0]).numpy().round(6)
    array([-0.577216,  0.422784])
    """
def entr(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`-x * log(x)`, the entropy of a probability: 0 at 0, -inf below. As of `expit`.

    >>> jf.special.entr([0.0, 0.5, -1.0]).numpy().round(3)
    array([0.   , 0.347,  -inf])
    """
def expit(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`1 / (1 + exp(-x))`, the logistic function, between 0 and 1.

    Shape: that of `x`. Dtype: that of floats, else the device's usual float. `out`: an array of that shape
    that the result is written to. DTypeError for complex numbers. So it is for all functions of one array
    here; those of two broadcast them.

    >>> jf.special.expit([-1000.0, 0.0, 1000.0]).numpy()
    array([0. , 0.5, 1. ])
    """
def kl_div(x: ArrayLike, y: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * log(x / y) - x + y`, convex in both: `y` where `x` is 0, else as `rel_entr`. As of `expit`.

    >>> jf.special.kl_div([0.0, 1.0], [2.0, 1.0]).numpy()
    array([2., 0.])
    """
def log_expit(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`log(expit(x))`, without loss where that is near 0 or 1. As of `expit`.

    >>> jf.special.log_expit([-1000.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
def log_softmax(x: ArrayLike, axis: _Axis = None) -> Tensor:
    """`jf.nn.log_softmax` with SciPy's parameters: over all axes together where none is given.

    >>> jf.special.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.])
    """
def logit(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`log(x / (1 - x))`, the inverse of `expit`: infinite at 0 and 1, NaN beyond. As of `expit`.

    >>> jf.special.logit([0.0, 0.5, 1.0]).numpy()
    array([-inf,   0.,  inf])
    """
def logsumexp(a: ArrayLike, axis: _Axis = None, b: ArrayLike | None = None, keepdims: _bool = False) -> Tensor:
    """`log(sum(b * exp(a)))` along an axis, or several together (None: all), which does not overflow.

    `b`: weights that broadcast against `a`, 1 if not given; NaN where the sum is negative (SciPy's
    `return_sign` is not taken). Shape: that of `a` without the axes; with `keepdims` their extents are 1.

    >>> float(jf.special.logsumexp([1000.0, 1000.0]))
    1000.6931471805599
    >>> float(jf.special.logsumexp([0.0, 5.0], b=[1.0, 0.0]))
    0.0
    """
def ndtr(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """The probability that a standard normal variable is below `x`, without loss in either tail. As of
    `expit`.

    >>> jf.special.ndtr([-np.inf, 0.0, 1.959963984540054]).numpy()
    array([0.   , 0.5  , 0.975])
    """
def rel_entr(x: ArrayLike, y: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * log(x / y)`, the term of a relative entropy: 0 where `x` is 0, inf where one is negative or `y`
    is 0. As of `expit`.

    >>> jf.special.rel_entr([0.0, 1.0, 1.0], [1.0, 1.0, 0.0]).numpy()
    array([ 0.,  0., inf])
    """
def softmax(x: ArrayLike, axis: _Axis = None) -> Tensor:
    """`jf.nn.softmax` with SciPy's parameters: over all axes together where none is given.

    >>> jf.special.softmax([0.0, np.log(3.0)]).numpy()
    array([0.25, 0.75])
    """
def xlog1py(x: ArrayLike, y: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * log1p(y)`, and 0 where `x` is 0 and `y` is a number. As of `expit`.

    >>> jf.special.xlog1py([0.0, 1.0], [-1.0, 0.0]).numpy()
    array([0., 0.])
    """
def xlogy(x: ArrayLike, y: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """`x * log(y)`, and 0 where `x` is 0 and `y` is a number. As of `expit`.

    >>> jf.special.xlogy([0.0, 2.0], [0.0, 1.0]).numpy()
    array([0., 0.])
    """
def cbrt(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The cube root, with the sign of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.cbrt([8.0, -27.0]).numpy()
    array([ 2., -3.])
    """
def erf(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The error function, 2 / sqrt(pi) times the integral of `exp(-t**2)` from 0 to `x`.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.erf([0.0, 1.0]).numpy()
    array([0.        , 0.84270079])
    """
def erfc(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`1 - erf(x)`, exact to the last places where that is small.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.erfc([0.0, 1.0]).numpy()
    array([1.        , 0.15729921])
    """
def exp2(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """2 to the power of `x`.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.exp2([0.0, 3.0]).numpy()
    array([1., 8.])
    """
def expm1(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`exp(x) - 1`, exact to the last places near 0.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.expm1([0.0, 1.0]).numpy()
    array([0.        , 1.71828183])
    """
def gamma(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The gamma function: `(x - 1)!` of whole numbers; NaN of negative ones.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.gamma([1.0, 5.0]).numpy()
    array([ 1., 24.])
    """
def gammaln(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """The natural logarithm of `|gamma(x)|`.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.lgamma([1.0, 5.0]).numpy()
    array([0.        , 3.17805383])
    """
def log1p(x: ArrayLike, /, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`log(1 + x)`, exact to the last places near 0; -inf of -1, NaN below it.

    Shape: that of `x`. Dtype: float: that of floats, and what NumPy makes of others (float64 of int32 and int64).

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.log1p([0.0, 1.0]).numpy()
    array([0.        , 0.69314718])
    """
def psi(x: ArrayLike, /, *, out: _Out = None) -> Tensor:
    """The derivative of the logarithm of the gamma function; infinite at 0, NaN at negative whole numbers. As
    of `expit`.

    Recurrence up to 10, there the asymptotic series, and reflection of negative numbers (Abramowitz, Stegun,
    6.3.5, 6.3.7, 6.3.18): within some 1e-15 of the value, or of 1 near its zeros.

    >>> jf.special.digamma([1.0, 2.0]).numpy().round(6)
    array([-0.577216,  0.422784])
    """
def sinc(x: ArrayLike, out: _Out = None, *, where: ArrayLike = True, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None) -> Tensor:
    """`sin(pi * x) / (pi * x)`, and 1 at 0.

    Shape: that of `x`. Dtype: float: that of floats, float64 of integers and bools.

    `out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises
    ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit.

    >>> jf.sinc([0.0, 0.5]).numpy()
    array([1.        , 0.63661977])
    """
