"""Elementwise functions on arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..errors import DTypeError
from ..frame import call
from ..functions import division
from ..functions import elementwise as nodes
from .signature import bind, single_output

Public = Callable[..., Any]


def lifted(function: Callable[..., Any], name: str, arity: int) -> Public:
    """The public function of one on nodes, with a ufunc's arguments."""

    def public(*operands: Any, out: Any = None, **options: Any) -> Any:
        if len(operands) != arity:
            if len(operands) == arity + 1 and out is None:
                *operands, out = operands  # type: ignore[assignment]
            else:
                raise DTypeError(f"{name}() takes {arity} arguments, {len(operands)} were given")
        if options:
            bind(name, (), (), options)
        return call(function, operands, out=single_output(out))

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    return public


def _lifted_later(name: str, arity: int, doc: str) -> Public:
    """As `lifted`, of a function of `functions.float_parts`, which few programs need."""

    def function(*given: Any) -> Any:
        from ..functions import float_parts

        return getattr(float_parts, name)(*given)

    function.__doc__ = doc
    return lifted(function, name, arity)


def frexp(x: Any, /) -> tuple[Any, Any]:
    """Fractions of size [1/2, 1) and int32 exponents: `x` is `f * 2**e`."""
    return _FREXP(x)  # type: ignore[no-any-return]


def modf(x: Any, /) -> tuple[Any, Any]:
    """The fractional and the whole parts, both with the sign of `x`."""
    return _MODF(x)  # type: ignore[no-any-return]


_FREXP, _MODF = (_lifted_later(name, 1, "") for name in ("frexp", "modf"))


def round(x: Any, /, decimals: int = 0, out: Any = None) -> Any:
    """`x` rounded to so many decimals, halves to even; -1 rounds to tens."""
    return call(nodes.round_, (x,), operator.index(decimals), out=single_output(out))


def clip(x: Any, /, min: Any = None, max: Any = None, out: Any = None, **options: Any) -> Any:
    """`x` held between `min` and `max`; None is no bound."""
    lowest, highest = options.pop("a_min", min), options.pop("a_max", max)
    if options:
        bind("clip", (), (), options)

    def clipped(graph: Any, *operands: Any) -> Any:
        rest = list(operands)
        x = rest.pop(0)
        return nodes.clip(
            graph, x, None if lowest is None else rest.pop(0), None if highest is None else rest.pop(0)
        )

    return call(
        clipped, [x, *(bound for bound in (lowest, highest) if bound is not None)], out=single_output(out)
    )


def divmod(x: Any, y: Any, /) -> tuple[Any, Any]:
    """(x // y, x % y)."""
    return call(division.divmod, (x, y))  # type: ignore[no-any-return]


_UNARY = {
    "abs": nodes.absolute, "acos": nodes.acos, "asin": nodes.asin, "atan": nodes.atan, "tan": nodes.tan,
    "ceil": nodes.ceil, "cos": nodes.cos, "erf": nodes.erf, "erfc": nodes.erfc,
    "gamma": nodes.gamma, "lgamma": nodes.lgamma, "exp": nodes.exp,
    "fabs": nodes.fabs, "floor": nodes.floor, "bitwise_invert": nodes.invert, "isfinite": nodes.isfinite,
    "isinf": nodes.isinf, "isnan": nodes.isnan, "log": nodes.log, "logical_not": nodes.logical_not,
    "negative": nodes.negative, "positive": nodes.positive, "reciprocal": nodes.reciprocal,
    "rint": nodes.rint,
    "sign": nodes.sign, "sin": nodes.sin, "sqrt": nodes.sqrt, "square": nodes.square, "tanh": nodes.tanh,
    "trunc": nodes.trunc,
}  # fmt: skip
_BINARY = {
    "add": nodes.add, "atan2": nodes.atan2,
    "bitwise_and": nodes.bitwise_and, "bitwise_left_shift": nodes.left_shift,
    "bitwise_or": nodes.bitwise_or, "bitwise_right_shift": nodes.right_shift,
    "bitwise_xor": nodes.bitwise_xor,
    "copysign": nodes.copysign, "divide": nodes.divide, "equal": nodes.equal,
    "floor_divide": division.floor_divide,
    "fmod": division.fmod, "greater": nodes.greater, "greater_equal": nodes.greater_equal, "less": nodes.less,
    "less_equal": nodes.less_equal, "logical_and": nodes.logical_and, "logical_or": nodes.logical_or,
    "logical_xor": nodes.logical_xor, "maximum": nodes.maximum, "minimum": nodes.minimum,
    "multiply": nodes.multiply, "not_equal": nodes.not_equal, "pow": division.power,
    "remainder": division.remainder,
    "subtract": nodes.subtract,
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
