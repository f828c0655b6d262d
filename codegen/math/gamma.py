"""gamma and log gamma: Stirling's series from 8 (f32: 4) on, reached from below by a product of shifts.

gamma(x) = 2**L(x + s) / (x (x + 1) ... (x + s - 1)) with L = log2 of gamma by Stirling's series, in pairs of
floats, as its error is multiplied by the exponent; where x is negative Euler's reflection turns the quotient
over. log gamma is a polynomial times (x - 1)(x - 2) around its zeros, with the logarithm of a shift's product
beside them. After M. Abramowitz & I. A. Stegun, Handbook of Mathematical Functions (1964), chapter 6.
"""

from __future__ import annotations

import math

from ...ir.record import record
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .coefficients import LGAMMA_F32, LGAMMA_F64, STIRLING_F32, STIRLING_F64
from .double_word import ordered_sum, pair_product, product, two_sum
from .formats import MathFeatures
from .logarithm import log_parts
from .power import CONSTANTS as POWER
from .power import exp2_pair, log2_pair
from .trigonometric import CONSTANTS as TRIGONOMETRIC

Pair = tuple[Value, Value]


class _Constants(metaclass=record):
    stirling: tuple[float, ...]
    lgamma: tuple[float, ...]
    shift: float
    """Smaller arguments are raised by so much."""
    steps: tuple[float, ...]
    """x (x + 1) ... (x + shift - 1) is the product of w + step, where w = x (x + shift - 1)."""
    largest: float
    """From here on gamma overflows, and 1/gamma times any quotient of the reflection vanishes."""
    least: float
    """2**this vanishes after any quotient of the reflection."""
    low: float
    """2**this and less times such a quotient may be denormal: it is made 2**lift times too large first."""
    lift: int
    tiny: float
    """Below it gamma(x) is 1/x."""
    pi: tuple[float, float]
    log2_e: tuple[float, float]
    constant: tuple[float, float]
    """(log2(2 pi) - log2(e)) / 2."""


CONSTANTS = {
    "f32": _Constants(
        STIRLING_F32,
        LGAMMA_F32,
        4.0,
        (2.0,),
        48.0,
        -175.0,
        -70.0,
        65,
        2.0**-30,
        (3.1415927410125732, -8.742277657347586e-08),
        (1.4426950216293335, 1.925963033500011e-08),
        (0.6044005155563354, 2.8735342993968516e-08),
    ),
    "f64": _Constants(
        STIRLING_F64,
        LGAMMA_F64,
        8.0,
        (6.0, 10.0, 12.0),
        190.0,
        -1130.0,
        -850.0,
        130,
        2.0**-60,
        (3.141592653589793, 1.2246467991473532e-16),
        (1.4426950408889634, 2.0355273740931033e-17),
        (0.6044005442916777, 2.931052888777415e-17),
    ),
}

_STIRLING_FROM = 8.0
_SMALL = 0.75
_CENTRE = 1.602851302906253
"""Where log gamma(x) is 15/32 (x - 1) (x - 2): a constant term that needs no rounding."""
_HALF_LOG_TWO_PI_LESS_HALF = 0.4189385332046727


def tgamma(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """The gamma function: ±inf at ±0, NaN at negative integers and -inf."""
    a = Arithmetic(build, x.dtype, features)
    constants = CONSTANTS[x.dtype.name]
    zero, one = a.number(0.0), a.number(1.0)
    y = abs(x)
    below = y < a.number(constants.shift)
    shifts = _shifts(a, y)
    shifts = a.select(below, shifts[0], one), a.select(below, shifts[1], zero)
    clamped = a.at_most(y, constants.largest)
    total = _log2_gamma(a, *ordered_sum(a, a.select(below, a.number(constants.shift), zero), clamped))
    negative = x < zero

    def reflected() -> tuple[Value, ...]:
        # gamma(-y) = -pi / (y sin(pi y) gamma(y))
        high, low, odd = _sine_of_pi(a, y)
        above = pair_product(a, (a.number(constants.pi[0]), a.number(constants.pi[1])), shifts)
        under = pair_product(a, (high, low), (y, zero))
        # Poles, NaN: an integer is even or odd by its sign only.
        signed = a.select(odd, under[0], -under[0])
        reflected_low = a.select(odd, under[1], -under[1])
        signed = a.select(high.equals(zero), a.number(math.nan), signed)
        merged = []
        for mine, theirs in zip((*above, signed, reflected_low), (one, zero, *shifts)):
            merged.append(a.select(negative, mine, theirs))
        for part in total:
            merged.append(a.select(negative, -part, part))
        return tuple(merged)

    chosen = build.branch(negative, reflected, lambda: (one, zero, *shifts, *total))
    quotient = _quotient(a, (chosen[0], chosen[1]), (chosen[2], chosen[3]))
    result = _scaled_exp2(a, (chosen[4], chosen[5]), quotient)
    tiny = y < a.number(constants.tiny)
    inverse = build.branch(tiny, lambda: (one / x,), lambda: (result,), rare=True)
    return inverse[0]


def _shifts(a: Arithmetic, y: Value) -> Pair:
    """y (y + 1) ... (y + shift - 1) as a pair, for y up to the shift."""
    constants = CONSTANTS[a.format.dtype.name]
    w = pair_product(a, ordered_sum(a, a.number(constants.shift - 1), y), (y, a.number(0.0)))
    total = w
    for step in constants.steps:
        high, low = two_sum(a, w[0], a.number(step))
        total = pair_product(a, total, (high, low + w[1]))
    return total


def _log2_gamma(a: Arithmetic, y: Value, low: Value) -> Pair:
    """log2 of gamma(y + low) as a pair, for y from the shift on."""
    constants = CONSTANTS[a.format.dtype.name]
    log_high, log_low = log2_pair(a, y)
    e_high, e_low = constants.log2_e
    b_high, b_low = ordered_sum(a, log_high, a.number(-e_high))
    b_low = b_low + (log_low - a.number(e_low))
    less = y - 0.5
    high, rest = product(a, less, b_high)
    rest = a.multiply_add(less, b_low, rest)
    inverse = a.number(1.0) / y
    # The series, the constant, and what the argument's low part adds: the derivative times it.
    series = inverse * a.polynomial(inverse * inverse, constants.stirling)
    slope = a.multiply_add(inverse, a.number(-0.5 * e_high), log_high)
    total, error = ordered_sum(a, high, a.number(constants.constant[0]))
    rest = rest + a.multiply_add(series, a.number(e_high), a.number(constants.constant[1]))
    return total, error + a.multiply_add(low, slope, rest)


def _sine_of_pi(a: Arithmetic, y: Value) -> tuple[Value, Value, Value]:
    """|sin(pi y)| as a pair, and whether sin(pi y) is negative, for y >= 0. NaN at inf."""
    constants = TRIGONOMETRIC[a.format.dtype.name]
    pi_high, pi_low = (a.number(part) for part in CONSTANTS[a.format.dtype.name].pi)
    whole = a.emit("floor", y)
    fraction = y - whole
    half = whole * 0.5
    odd = a.emit("floor", half).differs(half)
    # sin(pi f) = sin(pi (1 - f)); near 1/2 it is cos(pi (1/2 - f)). All of these are exact.
    fraction = a.select(fraction > 0.5, 1.0 - fraction, fraction)
    upper = fraction > 0.25
    turn = a.select(upper, 0.5 - fraction, fraction)
    angle, angle_low = product(a, turn, pi_high)
    angle_low = a.multiply_add(turn, pi_low, angle_low)
    square, square_low = product(a, angle, angle)
    square_low = a.multiply_add(angle + angle, angle_low, square_low)
    sine_tail = a.multiply_add(angle * square, a.polynomial(square, constants.sine), angle_low)
    quartic = square * square * a.polynomial(square, constants.cosine)
    cosine_tail = a.multiply_add(square_low, a.number(-0.5), quartic)
    cosine, cosine_low = ordered_sum(a, a.number(1.0), square * -0.5)
    high = a.select(upper, cosine, angle)
    low = a.select(upper, cosine_low + cosine_tail, sine_tail)
    return (*ordered_sum(a, high, low), odd)


def _quotient(a: Arithmetic, above: Pair, below: Pair) -> Pair:
    reciprocal = a.number(1.0) / below[0]
    high = above[0] * reciprocal
    taken, taken_low = product(a, high, below[0])
    left = above[0] - taken - taken_low + above[1]
    left = left - high * below[1]
    return high, left * reciprocal


def _scaled_exp2(a: Arithmetic, exponent: Pair, factor: Pair) -> Value:
    """2**exponent * factor, rounded once but for what the pairs lack."""
    constants = CONSTANTS[a.format.dtype.name]
    total, error = exponent
    total = a.at_least(a.at_most(total, POWER[a.format.dtype.name].overflow), constants.least)
    magic = a.number(a.magic(a.format.bias - 1))
    rounded = total + magic
    high, low = exp2_pair(a, *ordered_sum(a, total - (rounded - magic), error))
    mantissa, rest = pair_product(a, (high, low), factor)
    mantissa = mantissa + rest
    is_low = total < a.number(constants.low)
    power = a.to_signed(rounded) << a.format.mantissa
    lift = a.select(is_low, a.signed(constants.lift << a.format.mantissa), a.signed(0))
    lifted = mantissa * a.to_float(power + lift)
    return lifted * a.select(is_low, a.number(2.0 ** (1 - constants.lift)), a.number(2.0))


def lgamma(build: KernelBuilder, x: Value, features: MathFeatures) -> Value:
    """log |gamma(x)|: inf at ±inf, 0 and negative integers."""
    a = Arithmetic(build, x.dtype, features)
    zero, one = a.number(0.0), a.number(1.0)
    y = abs(x)
    small = y < a.number(_SMALL)
    large = y >= a.number(_STIRLING_FROM)
    near, shifts = _near_zeros(a, y, small)
    argument = a.select(small, y, a.select(large, y, shifts))
    log_high, log_low = log_parts(a, argument)
    flip = a.select(small, a.unsigned(a.format.sign_bit), a.unsigned(0))
    reflected_high, reflected_low = (a.to_float(a.to_unsigned(part) ^ flip) for part in (log_high, log_low))
    far = _stirling(a, y, log_high, log_low)
    result = a.select(large, far, reflected_high + (reflected_low + near))
    result = a.select(y.equals(zero), a.number(math.inf), result)
    negative = x < zero

    def reflected() -> tuple[Value]:
        # log(pi / (y sin(pi y))) - log gamma(y); of small y without the logarithms of y in both.
        sine, _, _ = _sine_of_pi(a, y)
        under = a.select(small, one, y) * sine * a.number(1 / math.pi)
        high, low = log_parts(a, under)
        other = a.select(small, near, result)
        mirrored = -(high + (low + other))
        mirrored = a.select(sine.equals(zero), a.number(math.inf), mirrored)
        mirrored = a.select(y.equals(a.number(math.inf)), y, mirrored)
        return (a.select(negative, mirrored, result),)

    return build.branch(negative, reflected, lambda: (result,))[0]


def _near_zeros(a: Arithmetic, y: Value, small: Value) -> Pair:
    """(log gamma(z), p) for z = y - n between 0.75 and 2.5: log gamma(y) is that + log p, for small y (n is
    -1) that - log y."""
    one, two = a.number(1.0), a.number(2.0)
    steps = a.at_least(a.emit("rint", y - two), 0.0)
    n = a.select(small, a.number(-1.0), steps)
    first, second = y - (n + one), y - (n + two)
    at = y - (n + a.number(_CENTRE))
    tail = a.polynomial(at, CONSTANTS[a.format.dtype.name].lgamma)
    near = first * second * a.multiply_add(at, tail, a.number(15 / 32))
    shifts = one
    for k in range(1, int(_STIRLING_FROM) - 1):
        factor = a.select(n >= a.number(k), y - a.number(k), one)
        shifts = factor if k == 1 else shifts * factor
    return near, shifts


def _stirling(a: Arithmetic, y: Value, log_high: Value, log_low: Value) -> Value:
    """log gamma(y) for y from 8 on: (y - 1/2) (log y - 1) + constant + series."""
    b_high, b_low = ordered_sum(a, log_high - 1.0, log_low)
    less = y - 0.5
    high, rest = product(a, less, b_high)
    inverse = a.number(1.0) / y
    series = a.polynomial(inverse * inverse, CONSTANTS[a.format.dtype.name].stirling)
    added = a.multiply_add(inverse, series, a.number(_HALF_LOG_TWO_PI_LESS_HALF))
    rest = a.multiply_add(less, b_low, rest) + added
    return a.select(high < a.number(math.inf), high + rest, high)
