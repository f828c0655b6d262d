"""Roots, exponentials, logarithms, functions of angles and special functions, element by element."""

from __future__ import annotations

from functools import partial

from ...functions import elementwise as nodes
from ...functions import late
from ...ir.node import Graph, Node
from ...ir.types import F64
from ..registry import Fold, Scalar
from .ufunc import Public, all_made, binary, unary


def _hypotenuse(graph: Graph, *sides: Node) -> Node:
    """Computes the hypotenuse; math.hypot takes any number of sides."""
    if not sides:
        return graph.constant(0.0, F64)
    result = nodes.absolute(graph, sides[0])
    for side in sides[1:]:
        result = nodes.hypot(graph, result, side)
    return result


UFUNCS: dict[str, Public] = all_made(
    __name__,
    unary(
        "sqrt", nodes.sqrt, "float",
        "The square root; NaN of negative numbers.",
        ("[4.0, 9.0]", "array([2., 3.])"),
        math="sqrt",
    ),
    unary(
        "cbrt", nodes.cbrt, "float",
        "The cube root, with the sign of `x`.",
        ("[8.0, -27.0]", "array([ 2., -3.])"),
        scipy="cbrt", math="cbrt",
    ),
    binary(
        "hypot", nodes.hypot, "float",
        "The root of `x1**2 + x2**2`, without overflow in between.",
        ("[3.0], [4.0]", "array([5.])"),
        math=Scalar("hypot", _hypotenuse),
    ),
    unary(
        "exp", nodes.exp, "float",
        "e to the power of `x`.",
        ("[0.0, 1.0]", "array([1.        , 2.71828183])"),
        math="exp",
    ),
    unary(
        "exp2", nodes.exp2, "float",
        "2 to the power of `x`.",
        ("[0.0, 3.0]", "array([1., 8.])"),
        scipy="exp2", math="exp2",
    ),
    unary(
        "expm1", nodes.expm1, "float",
        "`exp(x) - 1`, exact to the last places near 0.",
        ("[0.0, 1.0]", "array([0.        , 1.71828183])"),
        scipy="expm1", math="expm1",
    ),
    unary(
        "log", nodes.log, "float",
        "The natural logarithm; -inf of 0, NaN of negative numbers.",
        ("[1.0, np.e]", "array([0., 1.])"),
        math="log",
    ),
    unary(
        "log2", nodes.log2, "float",
        "The logarithm to base 2; -inf of 0, NaN of negative numbers.",
        ("[1.0, 8.0]", "array([0., 3.])"),
        math="log2",
    ),
    unary(
        "log10", nodes.log10, "float",
        "The logarithm to base 10; -inf of 0, NaN of negative numbers.",
        ("[1.0, 1000.0]", "array([0., 3.])"),
        math="log10",
    ),
    unary(
        "log1p", nodes.log1p, "float",
        "`log(1 + x)`, exact to the last places near 0; -inf of -1, NaN below it.",
        ("[0.0, 1.0]", "array([0.        , 0.69314718])"),
        scipy="log1p", math="log1p",
    ),
    binary(
        "logaddexp", nodes.logaddexp, "float",
        "`log(exp(x1) + exp(x2))`, without overflow in between.",
        ("[0.0, 1000.0], [0.0, 1000.0]", "array([6.93147181e-01, 1.00069315e+03])"),
        fold=Fold(late("averages", "log_sum"), takes_initial=False),
    ),
    binary(
        "logaddexp2", nodes.logaddexp2, "float",
        "`log2(2**x1 + 2**x2)`, without overflow in between.",
        ("[0.0, 2000.0], [0.0, 2000.0]", "array([1.000e+00, 2.001e+03])"),
        fold=Fold(
            partial(late("averages", "log_sum"), power=nodes.exp2, logarithm=nodes.log2), takes_initial=False
        ),
    ),
    unary(
        "sin", nodes.sin, "float",
        "The sine of angles in radians; NaN of infinities.",
        ("[0.0, np.pi / 2]", "array([0., 1.])"),
        math="sin",
    ),
    unary(
        "cos", nodes.cos, "float",
        "The cosine of angles in radians; NaN of infinities.",
        ("[0.0, np.pi]", "array([ 1., -1.])"),
        math="cos",
    ),
    unary(
        "tan", nodes.tan, "float",
        "The tangent of angles in radians; NaN of infinities.",
        ("[0.0, 1.0]", "array([0.        , 1.55740772])"),
        math="tan",
    ),
    unary(
        "asin", nodes.asin, "float",
        "The angle from -pi/2 to pi/2 whose sine is `x`; NaN outside of [-1, 1].",
        ("[0.0, 1.0]", "array([0.        , 1.57079633])"),
        numpy=("arcsin", "asin"), math="asin",
    ),
    unary(
        "acos", nodes.acos, "float",
        "The angle from 0 to pi whose cosine is `x`; NaN outside of [-1, 1].",
        ("[1.0, 0.0]", "array([0.        , 1.57079633])"),
        numpy=("arccos", "acos"), math="acos",
    ),
    unary(
        "atan", nodes.atan, "float",
        "The angle from -pi/2 to pi/2 whose tangent is `x`.",
        ("[0.0, 1.0]", "array([0.        , 0.78539816])"),
        numpy=("arctan", "atan"), math="atan",
    ),
    binary(
        "atan2", nodes.atan2, "float",
        "The angle of the point (`x2`, `x1`) from -pi to pi, signs of zeros told apart.",
        ("[1.0, 1.0], [1.0, -1.0]", "array([0.78539816, 2.35619449])"),
        numpy=("arctan2", "atan2"), math="atan2",
    ),
    unary(
        "sinc", nodes.sinc, "float64",
        "`sin(pi * x) / (pi * x)`, and 1 at 0.",
        ("[0.0, 0.5]", "array([1.        , 0.63661977])"), is_named=True,
        scipy="sinc",
    ),
    unary(
        "sinh", nodes.sinh, "float",
        "The hyperbolic sine, `(exp(x) - exp(-x)) / 2`.",
        ("[0.0, 1.0]", "array([0.        , 1.17520119])"),
        math="sinh",
    ),
    unary(
        "cosh", nodes.cosh, "float",
        "The hyperbolic cosine, `(exp(x) + exp(-x)) / 2`.",
        ("[0.0, 1.0]", "array([1.        , 1.54308063])"),
        math="cosh",
    ),
    unary(
        "tanh", nodes.tanh, "float",
        "The hyperbolic tangent, `sinh(x) / cosh(x)`.",
        ("[0.0, 1.0]", "array([0.        , 0.76159416])"),
        math="tanh",
    ),
    unary(
        "asinh", nodes.asinh, "float",
        "The inverse of `sinh`.",
        ("[0.0, 1.0]", "array([0.        , 0.88137359])"),
        numpy=("arcsinh", "asinh"), math="asinh",
    ),
    unary(
        "acosh", nodes.acosh, "float",
        "The inverse of `cosh`, 0 or more; NaN below 1.",
        ("[1.0, 2.0]", "array([0.       , 1.3169579])"),
        numpy=("arccosh", "acosh"), math="acosh",
    ),
    unary(
        "atanh", nodes.atanh, "float",
        "The inverse of `tanh`; infinite at -1 and 1, NaN beyond.",
        ("[0.0, 0.5]", "array([0.        , 0.54930614])"),
        numpy=("arctanh", "atanh"), math="atanh",
    ),
    unary(
        "erf", nodes.erf, "float64",
        "The error function, 2 / sqrt(pi) times the integral of `exp(-t**2)` from 0 to `x`.",
        ("[0.0, 1.0]", "array([0.        , 0.84270079])"),
        scipy="erf", math="erf",
    ),
    unary(
        "erfc", nodes.erfc, "float64",
        "`1 - erf(x)`, exact to the last places where that is small.",
        ("[0.0, 1.0]", "array([1.        , 0.15729921])"),
        scipy="erfc", math="erfc",
    ),
    unary(
        "gamma", nodes.gamma, "float64",
        "The gamma function: `(x - 1)!` of whole numbers; NaN of negative ones.",
        ("[1.0, 5.0]", "array([ 1., 24.])"),
        scipy="gamma", math="gamma",
    ),
    unary(
        "lgamma", nodes.lgamma, "float64",
        "The natural logarithm of `|gamma(x)|`.",
        ("[1.0, 5.0]", "array([0.        , 3.17805383])"),
        scipy="gammaln", math="lgamma",
    ),
    unary(
        "deg2rad", late("numeric", "deg2rad"), "float",
        "Angles in degrees as radians.",
        ("[0.0, 180.0]", "array([0.        , 3.14159265])"),
        numpy=("deg2rad", "radians"), math="radians",
    ),
    unary(
        "rad2deg", late("numeric", "rad2deg"), "float",
        "Angles in radians as degrees.",
        ("[0.0, np.pi]", "array([  0., 180.])"),
        numpy=("rad2deg", "degrees"), math="degrees",
    ),
)  # fmt: skip
"""Functions with a ufunc's arguments, by the array API's names."""
