"""Arithmetic, comparisons, logic and choice, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..arrays.promotion import Operand, Weak, fits, floating, floating_result, limits_of, result_dtype
from ..errors import DTypeError
from ..ir import ops
from ..ir.node import Graph, Node, Op
from ..ir.types import BF16, BOOL, F32, F64, I8, DType
from .complex_numbers import by_parts, direction, inverse, of_real_numbers, parts, real_numbers
from .operands import as_node, broadcast_shapes, cast, filled, match, pair, spread, strong, truth

Unary = Callable[[Graph, Operand], Node]
Binary = Callable[[Graph, Operand, Operand], Node]


def add(graph: Graph, x: Operand, y: Operand) -> Node:
    x, y = pair(graph, x, y)
    return graph.make(ops.bitwise_or if x.dtype is BOOL else ops.add, x, y)


def subtract(graph: Graph, x: Operand, y: Operand) -> Node:
    x, y = pair(graph, x, y)
    if x.dtype is BOOL:
        raise DTypeError(
            "numpy boolean subtract, the `-` operator, is not supported, "
            "use the bitwise_xor, the `^` operator, or the logical_xor function instead."
        )
    return graph.make(ops.sub, x, y)


def multiply(graph: Graph, x: Operand, y: Operand) -> Node:
    x, y = pair(graph, x, y)
    return graph.make(ops.bitwise_and if x.dtype is BOOL else ops.mul, x, y)


def divide(graph: Graph, x: Operand, y: Operand) -> Node:
    """True division: integers and bools as float64."""
    array = x if isinstance(x, Node) else y
    if isinstance(array, Node) and array.dtype.is_inexact:
        return graph.make(ops.div, *pair(graph, x, y))
    dtype = result_dtype((x, y))
    return graph.make(ops.div, *match(graph, (x, y), dtype if dtype.is_inexact else F64))


def negative(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype is BOOL:
        raise DTypeError(
            "The numpy boolean negative, the `-` operator, is not supported, "
            "use the `~` operator or the logical_not function instead."
        )
    return graph.make(ops.neg, x)


def positive(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype is BOOL:
        raise DTypeError("positive: bool has no `+`; use the array itself, or .astype(np.int64)")
    return x


def absolute(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    return x if x.dtype.kind in ("bool", "uint") else graph.make(ops.abs, x)


def fabs(graph: Graph, x: Operand) -> Node:
    return absolute(graph, in_floating(graph, real_numbers(graph, x, "fabs")))


def square(graph: Graph, x: Operand) -> Node:
    x = as_integer(graph, strong(graph, x))
    return graph.make(ops.mul, x, x)


def reciprocal(graph: Graph, x: Operand) -> Node:
    """`1 / x`; of integers the quotient in float64, cast back: 0 but for 1, -1 and what 1 / 0 becomes."""
    x = as_integer(graph, strong(graph, x))
    if not x.dtype.is_inexact:
        return cast(graph, reciprocal(graph, cast(graph, x, F64)), x.dtype)
    if x.dtype.is_complex:
        return inverse(graph, x)
    return graph.make(ops.div, filled(graph, 1.0, x), x)


def sign(graph: Graph, x: Operand) -> Node:
    """-1, 0 or 1; NaN stays NaN."""
    x = strong(graph, x)
    if x.dtype is BOOL:
        raise DTypeError("sign: not defined for bool; use the array itself, or .astype(np.int64)")
    if x.dtype.is_complex:
        return direction(graph, x)
    zero = filled(graph, 0, x)
    result = graph.make(ops.select, graph.make(ops.eq, x, zero), zero, x)
    if x.dtype.is_signed:
        result = graph.make(ops.select, graph.make(ops.lt, x, zero), filled(graph, -1, x), result)
    return graph.make(ops.select, graph.make(ops.gt, x, zero), filled(graph, 1, x), result)


def in_floating(graph: Graph, x: Operand) -> Node:
    """`x` in the dtype in which NumPy computes floating-point functions: float16 for bool and 8 bits."""
    x = strong(graph, x)
    return cast(graph, x, floating(x.dtype))


def _floating_function(op: Op, name: str) -> Unary:
    def function(graph: Graph, x: Operand) -> Node:
        x = in_floating(graph, x)
        if x.dtype.kind not in op.kinds:
            raise of_real_numbers(name, x.dtype)
        return graph.make(op, x)

    function.__name__ = function.__qualname__ = name
    return function


def _rounding_function(op: Op, name: str) -> Unary:
    def function(graph: Graph, x: Operand) -> Node:
        x = real_numbers(graph, x, name)
        return graph.make(op, x) if x.dtype.is_float else x

    function.__name__ = function.__qualname__ = name
    return function


sqrt = _floating_function(ops.sqrt, "sqrt")
exp = _floating_function(ops.exp, "exp")
exp2 = _floating_function(ops.exp2, "exp2")
expm1 = _floating_function(ops.expm1, "expm1")
log = _floating_function(ops.log, "log")
log2 = _floating_function(ops.log2, "log2")
log10 = _floating_function(ops.log10, "log10")
log1p = _floating_function(ops.log1p, "log1p")
sin = _floating_function(ops.sin, "sin")
cos = _floating_function(ops.cos, "cos")
tanh = _floating_function(ops.tanh, "tanh")
tan = _floating_function(ops.tan, "tan")
asin = _floating_function(ops.asin, "arcsin")
acos = _floating_function(ops.acos, "arccos")
atan = _floating_function(ops.atan, "arctan")
sinh = _floating_function(ops.sinh, "sinh")
cosh = _floating_function(ops.cosh, "cosh")
asinh = _floating_function(ops.asinh, "asinh")
acosh = _floating_function(ops.acosh, "acosh")
atanh = _floating_function(ops.atanh, "atanh")
cbrt = _floating_function(ops.cbrt, "cbrt")
_real_rint = _floating_function(ops.rint, "rint")
floor = _rounding_function(ops.floor, "floor")
ceil = _rounding_function(ops.ceil, "ceil")
trunc = _rounding_function(ops.trunc, "trunc")


def rint(graph: Graph, x: Operand) -> Node:
    """The nearest whole number, the even one of two; of complex numbers of each part."""
    if isinstance(x, Node) and x.dtype.is_complex:
        return by_parts(graph, x, _real_rint)
    return _real_rint(graph, x)


def atan2(graph: Graph, y: Operand, x: Operand) -> Node:
    """The angle of the point (x, y), from -pi to pi."""
    return graph.make(ops.atan2, *_real_pair(graph, y, x, "arctan2"))


def round_(graph: Graph, x: Operand, decimals: int = 0, computed: DType | None = None) -> Node:
    """Halves to even, of the product with a power of ten, which the result is divided by again. `computed`:
    in which dtype integers are rounded to tens."""
    x = strong(graph, x)
    if x.dtype.is_integer and decimals < 0 and computed is not None:
        x = cast(graph, x, computed)
    if x.dtype.is_complex:
        return by_parts(graph, x, lambda graph, part: round_(graph, part, decimals))
    if x.dtype.is_integer and decimals >= 0:
        return x
    if decimals == 0:
        return graph.make(ops.rint, in_floating(graph, x))
    if x.dtype is BOOL:
        raise DTypeError("round: a bool has no decimals; cast it with .astype(np.int64) first")
    first, second = (multiply, divide) if decimals > 0 else (divide, multiply)
    scale = 10.0 ** abs(decimals)
    wide = cast(graph, x, F64 if x.dtype.is_integer else x.dtype)

    def scaled(function: Binary, value: Node) -> Node:
        # ml_dtypes multiplies with a float32 power of ten; float16 converts it first.
        computed = cast(graph, value, F32) if value.dtype is BF16 else value
        return cast(graph, function(graph, computed, scale), value.dtype)

    return cast(graph, scaled(second, graph.make(ops.rint, scaled(first, wide))), x.dtype)


def _special_function(op: Op, name: str) -> Unary:
    """One of scipy.special's functions: integers and bools in float64, as in SciPy."""

    def function(graph: Graph, x: Operand) -> Node:
        x = real_numbers(graph, x, name)
        return graph.make(op, x if x.dtype.is_float else cast(graph, x, F64))

    function.__name__ = function.__qualname__ = name
    return function


erf = _special_function(ops.erf, "erf")
erfc = _special_function(ops.erfc, "erfc")
gamma = _special_function(ops.tgamma, "gamma")
lgamma = _special_function(ops.lgamma, "lgamma")


def sinc(graph: Graph, x: Operand) -> Node:
    """sin(pi * x) / (pi * x), 1 at 0; integers and bools in float64, as NumPy does."""
    x = strong(graph, x)
    if x.dtype.is_complex:
        return _complex_sinc(graph, x)
    return graph.make(ops.sinc, x if x.dtype.is_float else cast(graph, x, F64))


def _comparison(op: Op, below: bool, above: bool) -> Binary:
    """`below`, `above`: the result if the second operand is below or above all values of the first's
    dtype."""

    def function(graph: Graph, x: Operand, y: Operand) -> Node:
        for array, value, when_low, when_high in ((x, y, below, above), (y, x, above, below)):
            if not isinstance(array, Node) or not array.dtype.is_integer or value.__class__ is not int:
                continue
            if not fits(value, array.dtype):
                result = when_low if value < 0 else when_high
                return spread(graph, graph.constant(result, BOOL), array.shape)
        compared = graph.make(op, *pair(graph, *(_narrowed(graph, *each) for each in ((x, y), (y, x)))))
        for array, value, when_low, when_high in ((x, y, below, above), (y, x, above, below)):
            if isinstance(value, Weak) and _is_wider(value, array):
                compared = _with_scalars_beyond(graph, compared, array, value.node, when_low, when_high)
        return compared

    function.__name__ = function.__qualname__ = op.name
    return function


def _is_wider(value: Weak, array: Operand) -> bool:
    """Whether an integer passed at the call may be outside an integer array's dtype."""
    if not isinstance(array, Node) or not (value.node.dtype.is_integer and array.dtype.is_integer):
        return False
    return value.node.dtype.bits > array.dtype.bits


def _narrowed(graph: Graph, value: Operand, array: Operand) -> Operand:
    """An integer passed at the call, truncated to an array's dtype; anything else as it is."""
    if not isinstance(value, Weak) or not _is_wider(value, array):
        return value
    # Bits are removed by the mask, not by the cast, which would require the number to fit.
    cut = graph.constant((1 << array.dtype.bits) - 1, value.node.dtype)  # type: ignore[union-attr]
    return cast(graph, graph.make(ops.bitwise_and, value.node, cut), array.dtype)  # type: ignore[union-attr]


def _with_scalars_beyond(
    graph: Graph, compared: Node, array: Operand, number: Node, when_low: bool, when_high: bool
) -> Node:
    """A comparison whose number may be less or more than everything that the array's dtype can represent."""
    lowest, highest = limits_of(array.dtype)  # type: ignore[union-attr]
    for test, limit, result in ((ops.lt, lowest, when_low), (ops.gt, highest, when_high)):
        beyond = graph.make(test, number, graph.constant(limit, number.dtype))
        chosen = spread(graph, graph.constant(result, BOOL), compared.shape)
        compared = graph.make(ops.select, spread(graph, beyond, compared.shape), chosen, compared)
    return compared


equal = _comparison(ops.eq, below=False, above=False)
not_equal = _comparison(ops.ne, below=True, above=True)
less = _comparison(ops.lt, below=False, above=True)
less_equal = _comparison(ops.le, below=False, above=True)
greater = _comparison(ops.gt, below=True, above=False)
greater_equal = _comparison(ops.ge, below=True, above=False)


def _logical(op: Op, name: str) -> Binary:
    def function(graph: Graph, x: Operand, y: Operand) -> Node:
        first, second = truth(graph, x), truth(graph, y)
        shape = broadcast_shapes(first.shape, second.shape)
        return graph.make(op, spread(graph, first, shape), spread(graph, second, shape))

    function.__name__ = function.__qualname__ = name
    return function


logical_and = _logical(ops.bitwise_and, "logical_and")
logical_or = _logical(ops.bitwise_or, "logical_or")
logical_xor = _logical(ops.bitwise_xor, "logical_xor")


def logical_not(graph: Graph, x: Operand) -> Node:
    return graph.make(ops.bitwise_not, truth(graph, x))


def _bitwise(op: Op, name: str, shift: bool = False) -> Binary:
    def function(graph: Graph, x: Operand, y: Operand) -> Node:
        dtype = result_dtype((x, y))
        if dtype.is_inexact:
            raise DTypeError(f"{name}: integers or bools needed, not {dtype.numpy_name}")
        x, y = match(graph, (x, y), dtype)
        if shift:
            x, y = as_integer(graph, x), as_integer(graph, y)
        return graph.make(op, x, y)

    function.__name__ = function.__qualname__ = name
    return function


bitwise_and = _bitwise(ops.bitwise_and, "bitwise_and")
bitwise_or = _bitwise(ops.bitwise_or, "bitwise_or")
bitwise_xor = _bitwise(ops.bitwise_xor, "bitwise_xor")
left_shift = _bitwise(ops.shift_left, "left_shift", shift=True)
right_shift = _bitwise(ops.shift_right, "right_shift", shift=True)


def invert(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype.is_inexact:
        raise DTypeError(f"invert: integers or bools needed, not {x.dtype.numpy_name}")
    return graph.make(ops.bitwise_not, x)


def minimum(graph: Graph, x: Operand, y: Operand) -> Node:
    """The smaller; NaN where either is NaN."""
    return graph.make(ops.minimum, *pair(graph, x, y))


def maximum(graph: Graph, x: Operand, y: Operand) -> Node:
    """The larger; NaN where either is NaN."""
    return graph.make(ops.maximum, *pair(graph, x, y))


def clip(graph: Graph, x: Operand, lowest: Operand | None, highest: Operand | None) -> Node:
    """`x` held between two bounds; None is no bound, and so is a Python integer beyond the dtype."""
    if isinstance(x, Node) and x.dtype.is_integer:
        if lowest.__class__ is int and lowest < 0 and not fits(lowest, x.dtype):
            lowest = None
        if highest.__class__ is int and highest > 0 and not fits(highest, x.dtype):
            highest = None
    bounds = [bound for bound in (lowest, highest) if bound is not None]
    if not bounds:
        return positive(graph, x)
    operands = match(graph, (x, *bounds))
    result = operands.pop(0)
    if lowest is not None:
        result = graph.make(ops.maximum, result, operands.pop(0))
    if highest is not None:
        result = graph.make(ops.minimum, result, operands.pop(0))
    return result


def where(graph: Graph, condition: Operand, x: Operand, y: Operand) -> Node:
    """`x` where the condition holds, else `y`."""
    dtype = result_dtype((x, y))
    chosen = [as_node(graph, value, dtype) for value in (x, y)]
    test = truth(graph, condition)
    shape = broadcast_shapes(test.shape, *(node.shape for node in chosen))
    return graph.make(ops.select, *(spread(graph, node, shape) for node in (test, *chosen)))


def isnan(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype.is_complex:
        return logical_or(graph, *(isnan(graph, part) for part in parts(graph, x)))
    return (
        graph.make(ops.ne, x, x) if x.dtype.is_float else spread(graph, graph.constant(False, BOOL), x.shape)
    )


def isinf(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype.is_complex:
        return logical_or(graph, *(isinf(graph, part) for part in parts(graph, x)))
    if not x.dtype.is_float:
        return spread(graph, graph.constant(False, BOOL), x.shape)
    return graph.make(ops.eq, graph.make(ops.abs, x), filled(graph, math.inf, x))


def isfinite(graph: Graph, x: Operand) -> Node:
    x = strong(graph, x)
    if x.dtype.is_complex:
        return logical_and(graph, *(isfinite(graph, part) for part in parts(graph, x)))
    if not x.dtype.is_float:
        return spread(graph, graph.constant(True, BOOL), x.shape)
    return graph.make(ops.lt, graph.make(ops.abs, x), filled(graph, math.inf, x))


def copysign(graph: Graph, x: Operand, y: Operand) -> Node:
    """The size of `x` with the sign of `y`."""
    return graph.make(ops.copysign, *_real_pair(graph, x, y, "copysign"))


def hypot(graph: Graph, x: Operand, y: Operand) -> Node:
    """sqrt(x**2 + y**2), without overflow on the way."""
    return graph.make(ops.hypot, *_real_pair(graph, x, y, "hypot"))


def logaddexp(graph: Graph, x: Operand, y: Operand) -> Node:
    """log(exp(x) + exp(y)), without overflow on the way."""
    return _log_of_sum(graph, x, y, ops.exp, 1.0)


def logaddexp2(graph: Graph, x: Operand, y: Operand) -> Node:
    """log2(2**x + 2**y), without overflow on the way."""
    return _log_of_sum(graph, x, y, ops.exp2, 1 / math.log(2))


def _log_of_sum(graph: Graph, x: Operand, y: Operand, power: Op, unit: float) -> Node:
    """The larger operand, and unit * log(1 + power(smaller - larger)); infinities of one sign differ by 0."""
    x, y = _real_pair(graph, x, y, "logaddexp" if power is ops.exp else "logaddexp2")
    dtype = x.dtype
    wide = dtype if dtype.bits >= 32 else F32
    first, second = (cast(graph, node, wide) for node in (x, y))
    gap = graph.make(ops.neg, graph.make(ops.abs, graph.make(ops.sub, first, second)))
    same = graph.make(ops.eq, first, second)
    gap = graph.make(ops.select, same, filled(graph, 0.0, gap), gap)
    added = graph.make(ops.log1p, graph.make(power, gap))
    if unit != 1.0:
        added = graph.make(ops.mul, added, filled(graph, unit, added))
    return cast(graph, graph.make(ops.add, graph.make(ops.maximum, first, second), added), dtype)


def _real_pair(graph: Graph, x: Operand, y: Operand, name: str) -> list[Node]:
    """Two real numbers in the float dtype in which NumPy computes a function of them."""
    dtype = floating_result((x, y))
    if dtype.is_complex:
        raise of_real_numbers(name, dtype)
    return match(graph, (x, y), dtype)


def _complex_sinc(graph: Graph, x: Node) -> Node:
    """The function as NumPy computes it, which substitutes a tiny number for zero."""
    angle = graph.make(ops.mul, x, filled(graph, math.pi, x))
    zero = graph.make(ops.eq, x, filled(graph, 0.0, x))
    angle = graph.make(ops.select, zero, filled(graph, math.pi * 1.0e-20, x), angle)
    return graph.make(ops.div, graph.make(ops.sin, angle), angle)


def as_integer(graph: Graph, x: Node) -> Node:
    """`x`; bools as int8, in which NumPy multiplies, divides and shifts them."""
    return cast(graph, x, I8) if x.dtype is BOOL else x
