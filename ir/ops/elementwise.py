"""Elementwise ops: inputs of one shape and (except cast and select) one dtype, one result per element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ..node import Attributes, Inferred, Node, Op
from ..types import BOOL, PART_OF, DType, Kind
from . import intervals
from .formulas import Formula, cast_formula, infix, prefix, select_formula

Array = Any


def log_gamma(x: float) -> float:
    """math.lgamma with inf at its poles and where it overflows."""
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def gamma(x: float) -> float:
    """math.gamma with its limits: inf where it overflows, NaN at its poles except zeros, at -inf."""
    if x <= 0 and (math.isinf(x) or x == math.floor(x)):
        return math.copysign(math.inf, x) if x == 0 else math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        # Beside a pole on its left the sign alternates; nearer to 0 it is that of x.
        return math.copysign(math.inf, x)


def _same(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    first = inputs[0]
    for other in inputs[1:]:
        assert other.shape == first.shape and other.dtype is first.dtype, inputs
    return first.shape, first.dtype


def _magnitude(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    shape, dtype = _same(inputs, attributes)
    return shape, PART_OF.get(dtype, dtype)


def _compare(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    return _same(inputs, attributes)[0], BOOL


def _select(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    condition, *values = inputs
    assert condition.dtype is BOOL and condition.shape == values[0].shape, inputs
    return _same(tuple(values), attributes)


def _to_dtype(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (dtype,) = attributes
    assert isinstance(dtype, DType)
    return inputs[0].shape, dtype


def _quiet(function: Callable[..., Array]) -> Callable[..., Array]:
    """Makes a reference from a NumPy function: the result has the node's dtype, no warnings."""

    def reference(inputs: list[Array], _attributes: Attributes, node: Node) -> Array:
        with numpy.errstate(all="ignore"):
            return numpy.asarray(function(*inputs)).astype(node.dtype.numpy_name, copy=False)

    return reference


def _cast_value(inputs: list[Array], _attributes: Attributes, node: Node) -> Array:
    with numpy.errstate(all="ignore"):
        return inputs[0].astype(node.dtype.numpy_name)


def _bitcast_value(inputs: list[Array], _attributes: Attributes, node: Node) -> Array:
    return inputs[0].view(node.dtype.numpy_name)


FLOATS: frozenset[Kind] = frozenset(("float",))
INEXACT: frozenset[Kind] = frozenset(("float", "complex"))
REAL: frozenset[Kind] = frozenset(("bool", "int", "uint", "float"))
NUMBERS: frozenset[Kind] = frozenset(("int", "uint", "float", "complex"))
INTEGERS: frozenset[Kind] = frozenset(("int", "uint"))
UNSIGNED: frozenset[Kind] = frozenset(("uint",))
BITS: frozenset[Kind] = INTEGERS | {"bool"}
ALL: frozenset[Kind] = NUMBERS | BITS


def _unary(
    name: str,
    function: Callable[..., Array],
    cost: int = 1,
    kinds: frozenset[Kind] = FLOATS,
    infer: Callable[..., Inferred] = _same,
    **fields: Any,
) -> Op:
    return Op(
        name, "elementwise", infer, _quiet(function), instruction=name, cost=cost, kinds=kinds, **fields
    )


def _binary(
    name: str,
    function: Callable[..., Array],
    kinds: frozenset[Kind],
    cost: int = 1,
    sign: str = "",
    **fields: Any,
) -> Op:
    return Op(
        name,
        "elementwise",
        _same,
        _quiet(function),
        instruction=name,
        cost=cost,
        kinds=kinds,
        formula=_sign(sign),
        **fields,
    )


def _comparison(name: str, function: Callable[..., Array], sign: str) -> Op:
    return Op(name, "elementwise", _compare, _quiet(function), instruction=name, formula=infix(sign))


def _sign(sign: str) -> Formula | None:
    return infix(sign) if sign else None


neg = _unary("neg", numpy.negative, kinds=NUMBERS, formula=prefix("-"), interval=intervals.neg_interval)
abs = _unary("abs", numpy.abs, kinds=NUMBERS, infer=_magnitude, interval=intervals.abs_interval)
sqrt = _unary("sqrt", numpy.sqrt, cost=8, kinds=INEXACT)
floor = _unary("floor", numpy.floor)
ceil = _unary("ceil", numpy.ceil)
trunc = _unary("trunc", numpy.trunc)
rint = _unary("rint", numpy.rint)
exp = _unary("exp", numpy.exp, cost=20, kinds=INEXACT)
exp2 = _unary("exp2", numpy.exp2, cost=20)
expm1 = _unary("expm1", numpy.expm1, cost=22, kinds=INEXACT)
log = _unary("log", numpy.log, cost=24, kinds=INEXACT)
log2 = _unary("log2", numpy.log2, cost=26, kinds=INEXACT)
log10 = _unary("log10", numpy.log10, cost=26, kinds=INEXACT)
log1p = _unary("log1p", numpy.log1p, cost=32, kinds=INEXACT)
sin = _unary("sin", numpy.sin, cost=28, kinds=INEXACT)
cos = _unary("cos", numpy.cos, cost=28, kinds=INEXACT)
tanh = _unary("tanh", numpy.tanh, cost=28, kinds=INEXACT)
sinh = _unary("sinh", numpy.sinh, cost=32, kinds=INEXACT)
cosh = _unary("cosh", numpy.cosh, cost=30, kinds=INEXACT)
asinh = _unary("asinh", numpy.arcsinh, cost=60, kinds=INEXACT)
acosh = _unary("acosh", numpy.arccosh, cost=60, kinds=INEXACT)
atanh = _unary("atanh", numpy.arctanh, cost=40, kinds=INEXACT)
cbrt = _unary("cbrt", numpy.cbrt, cost=28)
sinc = _unary("sinc", numpy.sinc, cost=24)
erf = _unary("erf", numpy.vectorize(math.erf, otypes="d"), cost=32)
tan = _unary("tan", numpy.tan, cost=40, kinds=INEXACT)
asin = _unary("asin", numpy.arcsin, cost=32, kinds=INEXACT)
acos = _unary("acos", numpy.arccos, cost=32, kinds=INEXACT)
atan = _unary("atan", numpy.arctan, cost=32, kinds=INEXACT)
erfc = _unary("erfc", numpy.vectorize(math.erfc, otypes="d"), cost=44)
lgamma = _unary("lgamma", numpy.vectorize(log_gamma, otypes="d"), cost=100)
tgamma = _unary("tgamma", numpy.vectorize(gamma, otypes="d"), cost=150)
bitwise_not = _unary("not", numpy.invert, kinds=BITS, formula=prefix("~"))

add = _binary("add", numpy.add, NUMBERS, commutative=True, sign="+", interval=intervals.add_interval)
sub = _binary("sub", numpy.subtract, NUMBERS, sign="-", interval=intervals.sub_interval)
mul = _binary(
    "mul",
    numpy.multiply,
    NUMBERS,
    commutative=True,
    sign="*",
    interval=intervals.mul_interval,
    is_square=lambda node: node.inputs[0] is node.inputs[1],
)
div = _binary("div", numpy.divide, INEXACT, cost=8, sign="/")
floordiv = _binary(
    "floordiv", numpy.floor_divide, INTEGERS, cost=20, sign="//", interval=intervals.floordiv_interval
)
floormod = _binary(
    "floormod", numpy.remainder, INTEGERS, cost=20, sign="%", interval=intervals.floormod_interval
)
gcd = _binary("gcd", numpy.gcd, UNSIGNED, cost=400, commutative=True)
fmod = _binary("fmod", numpy.fmod, FLOATS, cost=20)
pow = _binary("pow", numpy.power, INEXACT, cost=60, sign="**")
atan2 = _binary("atan2", numpy.arctan2, FLOATS, cost=40)
hypot = _binary("hypot", numpy.hypot, FLOATS, cost=30, commutative=True)
minimum = _binary("minimum", numpy.minimum, ALL, commutative=True, interval=intervals.minimum_interval)
maximum = _binary("maximum", numpy.maximum, ALL, commutative=True, interval=intervals.maximum_interval)
copysign = _binary("copysign", numpy.copysign, FLOATS)
bitwise_and = _binary(
    "and", numpy.bitwise_and, BITS, commutative=True, sign="&", interval=intervals.and_interval
)
bitwise_or = _binary("or", numpy.bitwise_or, BITS, commutative=True, sign="|", interval=intervals.or_interval)
bitwise_xor = _binary(
    "xor", numpy.bitwise_xor, BITS, commutative=True, sign="^", interval=intervals.or_interval
)
shift_left = _binary(
    "shift_left", numpy.left_shift, INTEGERS, sign="<<", interval=intervals.shift_left_interval
)
shift_right = _binary(
    "shift_right", numpy.right_shift, INTEGERS, sign=">>", interval=intervals.shift_right_interval
)

eq = _comparison("eq", numpy.equal, "==")
ne = _comparison("ne", numpy.not_equal, "!=")
lt = _comparison("lt", numpy.less, "<")
le = _comparison("le", numpy.less_equal, "<=")
gt = _comparison("gt", numpy.greater, ">")
ge = _comparison("ge", numpy.greater_equal, ">=")

# The value itself, in memory of its own.
copy = Op("copy", "elementwise", _same, _quiet(numpy.copy), copies=True, interval=intervals.same_interval)
select = Op(
    "select",
    "elementwise",
    _select,
    _quiet(numpy.where),
    instruction="select",
    formula=select_formula,
    interval=intervals.either_interval,
    interval_of=1,
)
cast = Op(
    "cast",
    "elementwise",
    _to_dtype,
    _cast_value,
    ("dtype",),
    converts=True,
    instruction="cast",
    formula=cast_formula,
    interval=intervals.same_interval,
)
bitcast = Op(
    "bitcast", "elementwise", _to_dtype, _bitcast_value, ("dtype",), instruction="bitcast", kinds=REAL
)

OPS = tuple(value for value in dict(globals()).values() if isinstance(value, Op))
