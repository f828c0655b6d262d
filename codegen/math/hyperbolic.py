"""tanh, sinh, cosh.

tanh is a polynomial below 0.55 (where tanh is 1/2), 1 - 2 / (e**(2x) + 1) above. For the others
x = n * ln2 + r with |r| <= ln2/2: sinh x = sinh(n * ln2) * cosh r + cosh(n * ln2) * sinh r, and cosh x with
the first factors exchanged. Those are sums of powers of two, and two short polynomials serve every x without
a division.
"""

from __future__ import annotations

import math

from ...ir.types import F32
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic, of_piece
from .by_table import magic_of_steps
from .coefficients import COSH_F32, COSH_F64, SINH_F32, SINH_F64, TANH_F32, TANH_F64
from .exponential import LN2, POWERS, bounded_exp
from .formats import MathFeatures
from .tables import TANH_CENTRES, TANH_FIRST, TANH_PIECES, TANH_SHIFT

_POLYNOMIALS = {"f32": TANH_F32, "f64": TANH_F64}
_SATURATION = {"f32": 9.5, "f64": 19.5}
"""From here on tanh rounds to 1."""
_SMALL = 0.55
_SATURATED_PIECE = 10.0
"""Here the last piece begins, which rounds to 1."""


def tanh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic tangent: odd, ±1 at ±inf."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    if features.tables and x.dtype is F32:
        return a.emit("copysign", _tanh_by_pieces(a, size), x)
    clamped = a.at_most(size, _SATURATION[x.dtype.name])
    growth = bounded_exp(a, clamped + clamped)
    large = a.number(1.0) - a.number(2.0) / (growth + 1.0)
    square = size * size
    tail = square * a.polynomial(square, _POLYNOMIALS[x.dtype.name])
    small = a.multiply_add(size, tail, size)
    result = a.select(size < a.number(_SMALL), small, large)
    return a.emit("copysign", result, x)


def _tanh_by_pieces(a: Arithmetic, size: Value) -> Value:
    size = a.at_most(size, _SATURATED_PIECE)
    least = a.signed((TANH_FIRST - 1) << TANH_SHIFT)
    leading = a.build.maximum(a.to_signed(size), least) >> TANH_SHIFT
    return of_piece(a, size, leading, TANH_CENTRES, TANH_PIECES)


_SINH_POLYNOMIALS = {"f32": SINH_F32, "f64": SINH_F64}
_COSH_POLYNOMIALS = {"f32": COSH_F32, "f64": COSH_F64}
_NEAR_SINH = {"f32": (1 / 6,), "f64": (1 / 6, 1 / 120, 1 / 5040)}
_NEAR_COSH = {"f32": (1 / 2,), "f64": (1 / 2, 1 / 24, 1 / 720)}
"""Taylor's series are enough up to ln2 / 32 and ln2 / 64."""
_OVERFLOW = {"f32": 89.5, "f64": 710.6}
"""sinh and cosh of this overflow, and halves of them do not."""
_UNBALANCED = {"f32": 30, "f64": 60}
"""From this n on 2**-n does not count beside 2**n."""


def sinh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic sine: odd, ±inf from the overflow threshold on."""
    a = Arithmetic(build, x.dtype, features)
    size = abs(x)
    sine, cosine, r, r_low = _reduced(a, size)
    square = r * r
    cube, polynomial = r * square, a.polynomial(square, _SINH_POLYNOMIALS[x.dtype.name])
    # In f32 what rounding took from r is at most a quarter of an ulp of the result.
    tail = cube * polynomial if x.dtype is F32 else a.multiply_add(cube, polynomial, r_low)
    tail = a.multiply_add(sine, _cosh_minus_1(a, square), cosine * tail)
    half = sine + a.multiply_add(cosine, r, tail)
    # Halving loses the last bit of a denormal.
    tiny = size < a.number(2.0 ** -(a.format.mantissa // 2 + 2))
    return a.emit("copysign", a.select(tiny, size, half + half), x)


def cosh(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The hyperbolic cosine: even, inf from the overflow threshold on."""
    a = Arithmetic(build, x.dtype, features)
    if features.tables:
        return _cosh_by_table(a, abs(x))
    sine, cosine, r, r_low = _reduced(a, abs(x))
    square = r * r
    tail = a.multiply_add(r * square, a.polynomial(square, _SINH_POLYNOMIALS[x.dtype.name]), r_low)
    tail = a.multiply_add(cosine, _cosh_minus_1(a, square), sine * tail)
    half = cosine + a.multiply_add(sine, r, tail)
    return half + half


def _cosh_by_table(a: Arithmetic, size: Value) -> Value:
    """size = (n + k / cells) * ln2 + r: the powers of two come from a table, and r is small."""
    name = a.format.dtype.name
    ln2_high, ln2_low = LN2[name]
    magic = a.number(magic_of_steps(a))
    rounded = a.multiply_add(a.at_most(size, _OVERFLOW[name]), a.number(1 / math.log(2)), magic)
    n = rounded - magic
    r = a.multiply_add(n, a.number(-ln2_high), a.at_most(size, _OVERFLOW[name]))
    r = a.multiply_add(n, a.number(-ln2_low), r)
    opposite = magic - n
    growth, decay = (
        a.emit("scale", a.lookup([power / 4 for power in POWERS[name]], a.to_signed(bits)), exponent)
        for bits, exponent in ((rounded, n), (opposite, -n))
    )
    square = r * r
    sine = a.multiply_add(r * square, a.polynomial(square, _NEAR_SINH[name]), r)
    cosine = square * a.polynomial(square, _NEAR_COSH[name])
    even = growth + decay
    half = even + a.multiply_add(even, cosine, (growth - decay) * sine)
    return half + half


def _cosh_minus_1(a: Arithmetic, square: Value) -> Value:
    """cosh r - 1 by the square of r."""
    polynomial = a.polynomial(square, _COSH_POLYNOMIALS[a.format.dtype.name])
    return square * a.multiply_add(square, polynomial, a.number(0.5))


def _reduced(a: Arithmetic, size: Value) -> tuple[Value, Value, Value, Value]:
    """sinh(n * ln2) / 2, cosh(n * ln2) / 2, and r as a pair, where size = n * ln2 + r."""
    name, mantissa, bias = a.format.dtype.name, a.format.mantissa, a.format.bias
    ln2_high, ln2_low = LN2[name]
    size = a.at_most(size, _OVERFLOW[name])
    magic = a.magic(bias - 2)
    rounded = a.multiply_add(size, a.number(1 / math.log(2)), a.number(magic))
    n = rounded - a.number(magic)
    coarse = a.multiply_add(n, a.number(-ln2_high), size)
    r = a.multiply_add(n, a.number(-ln2_low), coarse)
    r_low = a.multiply_add(n, a.number(-ln2_low), coarse - r)
    if a.features.tables:
        quarter = a.number(0.25)
        growth, decay = a.emit("scale", quarter, n), a.emit("scale", quarter, -n)
        return growth - decay, growth + decay, r, r_low
    # 2**(n - 2) and 2**(-n - 2), by the bits of n + bias - 2 in `rounded`.
    grown = a.to_signed(rounded) << mantissa
    bounded = a.to_signed(a.at_most(rounded, magic + _UNBALANCED[name])) << mantissa
    growth = a.to_float(grown)
    decay = a.to_float(((2 * bias - 4) << mantissa) - bounded)
    return growth - decay, growth + decay, r, r_low
