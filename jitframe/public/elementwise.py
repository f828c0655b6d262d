"""Elementwise functions on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..arguments import casting_of, integer, shown
from ..errors import ArgumentError, DTypeError, UnsupportedError
from ..frame import LazyValue, call, check_output
from ..functions import elementwise as nodes
from ..functions.operands import as_node, broadcast_shapes, cast, spread, strong
from ..ir.node import Node
from ..ir.types import BOOL, DType
from ..promotion import NUMBERS, castable, check_fits, from_numpy
from .signature import Signature, bind, refuse, single_output

Public = Callable[..., Any]
_OF_UFUNCS = ("out", "where", "dtype", "casting", "order")


def lifted(function: Callable[..., Any], name: str, arity: int) -> Public:
    """The public function of one on nodes, with a ufunc's arguments."""
    signature = Signature(name, ("x",) if arity == 1 else ("x1", "x2"), _OF_UFUNCS, arity)

    def public(*operands: Any, out: Any = None, where: Any = True, **options: Any) -> Any:
        if len(operands) != arity:
            if len(operands) == arity + 1 and out is None:
                *operands, out = operands  # type: ignore[assignment]
                if out is not None and not isinstance(out, (LazyValue, numpy.ndarray)):
                    raise DTypeError(f"{name}: return arrays must be of ArrayType, not {shown(out)}")
            elif not operands and "x" in options and name in _BY_NAME:
                operands = (options.pop("x"),)
            else:
                raise DTypeError(f"{name}() takes {arity} arguments, {len(operands)} were given")
        if options:
            dtype = None if name in _OTHER_DTYPES else options.pop("dtype", None)
            if dtype is not None:
                return _computed_in(public, name, operands, from_numpy(dtype), out, where, options)
            for option, value in options.items():
                refuse(name, option, value, str(signature))
        if out.__class__ is tuple and len(out) != 1:
            raise ArgumentError(f"{name}: the 'out' tuple must have exactly one entry, {len(out)} were given")
        if where is not True and where is not numpy._NoValue:
            return _masked(function, name, operands, single_output(out), where)
        return call(function, operands, out=None if out is None else single_output(out), key=function)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    return public


_BY_NAME = frozenset(("sinc", "trunc", "isposinf", "isneginf"))
"""No ufuncs in NumPy, which therefore take their operand by name, too."""
_OTHER_DTYPES = frozenset((
    "isfinite", "isinf", "isnan", "logical_not", "logical_and", "logical_or", "logical_xor", "signbit",
    "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "ldexp", "bitwise_count",
))  # fmt: skip
"""Functions whose results have another dtype than their operands: `dtype=` names neither."""


def _computed_in(
    public: Public,
    name: str,
    operands: Sequence[Any],
    dtype: DType,
    out: Any,
    where: Any,
    options: dict[str, Any],
) -> Any:
    """A ufunc with `dtype=`: the operands are cast to it before."""
    given_in = computed_in(name, operands, dtype, options.pop("casting", "same_kind"))
    result = public(*given_in, **options)
    if getattr(result, "_dtype", dtype) is not dtype:
        raise DTypeError(
            f"{name}: dtype={dtype.numpy_name}: no form of it computes in that; its result is "
            f"{result._dtype.numpy_name}"
        )
    if out is None and where is True:
        return result
    return public(*given_in, where=where, out=out, **options)


def computed_in(name: str, operands: Sequence[Any], dtype: DType, casting: str) -> list[Any]:
    """Operands of a ufunc, cast to the dtype it is to compute in."""
    casting_of(casting)
    for position, operand in enumerate(operands):
        if type(operand) is int and dtype.is_integer:
            check_fits(operand, dtype)
        if type(operand) is float and dtype.is_integer and casting == "same_kind":
            raise DTypeError(
                f"Cannot cast ufunc '{name}' input {position} from dtype('float64') to "
                f"dtype('{dtype.numpy_name}') with casting rule 'same_kind'; casting='unsafe' allows it"
            )
        given = None if type(operand) in NUMBERS else call(strong, (operand,))._dtype
        if given is not None and casting == "same_kind" and not castable(given, dtype):
            raise DTypeError(
                f"Cannot cast ufunc '{name}' input {position} from dtype('{given.numpy_name}') to "
                f"dtype('{dtype.numpy_name}') with casting rule 'same_kind'; casting='unsafe' allows it"
            )
    return [
        call(lambda graph, value: as_node(graph, value, dtype), (value,), dtype=dtype) for value in operands
    ]


def _lifted_later(name: str, arity: int, doc: str) -> Public:
    """As `lifted`, of a function of `functions.float_parts`, which few programs need."""

    def function(*given: Any) -> Any:
        from ..functions import float_parts

        return getattr(float_parts, name)(*given)

    function.__doc__ = doc
    return lifted(function, name, arity)


def frexp(x: Any, /, *outputs: Any, out: Any = (None, None), **options: Any) -> tuple[Any, Any]:
    """Fractions of size [1/2, 1) and int32 exponents: `x` is `f * 2**e`."""
    return pair("frexp", _FREXP(x), outputs, out, options)


def modf(x: Any, /, *outputs: Any, out: Any = (None, None), **options: Any) -> tuple[Any, Any]:
    """The fractional and the whole parts, both with the sign of `x`."""
    return pair("modf", _MODF(x), outputs, out, options)


_FREXP, _MODF = (_lifted_later(name, 1, "") for name in ("frexp", "modf"))


def _masked(function: Callable[..., Any], name: str, operands: Sequence[Any], out: Any, where: Any) -> Any:
    """A ufunc with `where=`: the other elements of `out` stay as they are."""
    if out is None:
        raise UnsupportedError(
            f"{name}: where= without out= leaves the other elements undefined; give out=, or write np.where "
            "around the result"
        )

    if not isinstance(out, (LazyValue, numpy.ndarray)):
        raise DTypeError(f"{name}: out= is an array of the result's shape, not {shown(out)}")

    def chosen(graph: Any, before: Any, mask: Any, *given: Any) -> Any:
        if not any(isinstance(each, Node) for each in given):
            given = tuple(strong(graph, each) for each in given)
        if as_node(graph, mask, BOOL) is not mask:
            raise DTypeError(f"{name}: where= is of bools: Cannot cast by the rule 'safe'")
        result = function(graph, *given)
        check_output(result.dtype, result.shape, before.dtype, before.shape)
        return nodes.where(graph, mask, cast(graph, result, before.dtype), before)

    return call(chosen, (out, where, *operands), out=out)


def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """`a` rounded to so many decimals, halves to even; -1 rounds to tens."""
    return call(nodes.round_, (a,), integer(decimals, "decimals"), out=single_output(out), whole=True)


def clip(
    a: Any,
    a_min: Any = numpy._NoValue,
    a_max: Any = numpy._NoValue,
    out: Any = None,
    *,
    min: Any = numpy._NoValue,
    max: Any = numpy._NoValue,
    **options: Any,
) -> Any:
    """`a` held between `min` and `max`; None is no bound."""
    none = numpy._NoValue
    if (min is not none and a_min is not none) or (max is not none and a_max is not none):
        raise ArgumentError("clip: a bound is given twice, as a_min and min or as a_max and max")
    lowest, highest = (
        None if found is none else found
        for found in (min if a_min is none else a_min, max if a_max is none else a_max)
    )
    if options:
        bind("clip", (), (), options)

    def clipped(graph: Any, *operands: Any) -> Any:
        rest = list(operands)
        x = rest.pop(0)
        return nodes.clip(
            graph, x, None if lowest is None else rest.pop(0), None if highest is None else rest.pop(0)
        )

    return call(
        clipped, [a, *(bound for bound in (lowest, highest) if bound is not None)], out=single_output(out)
    )


def where(condition: Any, *choices: Any, size: int | None = None, fill_value: Any = 0) -> Any:
    """Elements of the first choice where the condition holds, else of the second; with the condition alone,
    the positions where it holds: see `nonzero`."""
    if not choices:
        from .indexing import nonzero  # with all that looks elements up

        return nonzero(condition, size=size, fill_value=fill_value)
    if len(choices) != 2:
        raise ArgumentError("either both or neither of x and y should be given")
    return call(nodes.where, (condition, *choices))


def pair(
    name: str, results: tuple[Any, Any], outputs: tuple[Any, ...], out: Any, options: dict[str, Any]
) -> tuple[Any, Any]:
    """Two results, written to the arrays of `out=` where there are any."""
    if options:
        bind(name, (), (), options)
    given = (*outputs, None, None)[:2] if outputs else out
    if not isinstance(given, tuple) or len(given) != 2:
        raise DTypeError(f"{name}: out= takes a tuple of two arrays, or None in the place of one")
    shapes = [tuple(getattr(each, "shape", ())) for each in given if each is not None]
    whole = broadcast_shapes(results[0].shape, *shapes)
    return _stored(results[0], given[0], whole), _stored(results[1], given[1], whole)


def _stored(value: Any, out: Any, shape: Any) -> Any:
    """A result in `out`, or in the shape of all results."""
    if out is not None:
        return call(lambda _, node: node, (value,), out=out)
    if value.shape == shape:
        return value
    return call(lambda graph, node: spread(graph, cast(graph, node, value._dtype), shape), (value,))


_UNARY = {
    "abs": nodes.absolute, "acos": nodes.acos, "asin": nodes.asin, "atan": nodes.atan, "tan": nodes.tan,
    "ceil": nodes.ceil, "cos": nodes.cos, "erf": nodes.erf, "erfc": nodes.erfc,
    "gamma": nodes.gamma, "lgamma": nodes.lgamma, "exp": nodes.exp,
    "fabs": nodes.fabs, "floor": nodes.floor, "bitwise_invert": nodes.invert, "isfinite": nodes.isfinite,
    "isinf": nodes.isinf, "isnan": nodes.isnan, "log": nodes.log, "logical_not": nodes.logical_not,
    "negative": nodes.negative, "positive": nodes.positive, "reciprocal": nodes.reciprocal,
    "rint": nodes.rint,
    "sign": nodes.sign, "sin": nodes.sin, "sqrt": nodes.sqrt, "square": nodes.square, "tanh": nodes.tanh,
    "trunc": nodes.trunc, "exp2": nodes.exp2, "expm1": nodes.expm1, "log2": nodes.log2, "log10": nodes.log10,
    "log1p": nodes.log1p, "sinh": nodes.sinh, "cosh": nodes.cosh, "asinh": nodes.asinh, "acosh": nodes.acosh,
    "atanh": nodes.atanh, "cbrt": nodes.cbrt, "sinc": nodes.sinc,
}  # fmt: skip
_BINARY = {
    "add": nodes.add, "atan2": nodes.atan2,
    "bitwise_and": nodes.bitwise_and, "bitwise_left_shift": nodes.left_shift,
    "hypot": nodes.hypot, "logaddexp": nodes.logaddexp, "logaddexp2": nodes.logaddexp2,
    "bitwise_or": nodes.bitwise_or, "bitwise_right_shift": nodes.right_shift,
    "bitwise_xor": nodes.bitwise_xor,
    "copysign": nodes.copysign, "divide": nodes.divide, "equal": nodes.equal,
    "greater": nodes.greater, "greater_equal": nodes.greater_equal, "less": nodes.less,
    "less_equal": nodes.less_equal, "logical_and": nodes.logical_and, "logical_or": nodes.logical_or,
    "logical_xor": nodes.logical_xor, "maximum": nodes.maximum, "minimum": nodes.minimum,
    "multiply": nodes.multiply, "not_equal": nodes.not_equal, "subtract": nodes.subtract,
}  # fmt: skip

_PARTS = {
    "bitwise_count": (1, "How many bits of the absolute value are set, as uint8."),
    "ldexp": (2, "`x * 2**exponent`, rounded once."),
    "nextafter": (2, "The next float after `x` toward `y`."),
    "signbit": (1, "Whether the sign is set, that of zeros and NaNs too."),
    "spacing": (1, "The distance to the next float of larger size."),
}

UFUNCS: dict[str, Public] = {
    **{name: _lifted_later(name, arity, doc) for name, (arity, doc) in _PARTS.items()},
    **{name: lifted(function, name, 1) for name, function in _UNARY.items()},
    **{name: lifted(function, name, 2) for name, function in _BINARY.items()},
}
"""Functions with a ufunc's arguments, by the array API's names."""
