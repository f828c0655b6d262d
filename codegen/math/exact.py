"""Exact arithmetic: fmod and copysign of floats on their bits, for targets that have none, products that are
added, and the greatest common divisor of integers."""

from __future__ import annotations

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .arithmetic import Arithmetic
from .formats import MathFeatures


def multiply_add(build: KernelBuilder, x: Value, y: Value, z: Value, features: MathFeatures) -> Value:
    """x * y + z, in one rounding where the target has it."""
    return Arithmetic(build, x.dtype, features).multiply_add(x, y, z)


def copysign(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x with y's sign."""
    a = Arithmetic(build, x.dtype, features)
    sign = a.format.sign_bit
    magnitude = a.emit("and", a.to_unsigned(x), a.unsigned(sign - 1))
    return a.to_float(a.emit("or", magnitude, a.emit("and", a.to_unsigned(y), a.unsigned(sign))))


def fmod(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """x - trunc(x / y) * y, with x's sign; NaN where x is infinite, y is zero or either is NaN.

    Long division of the significands, several bits a step.
    """
    a = Arithmetic(build, x.dtype, features)
    stored, bias, room = a.format.mantissa, a.format.bias, a.format.width - a.format.precision
    hidden, sign_bit = 1 << stored, a.format.sign_bit
    infinity = ((1 << (a.format.width - 1 - stored)) - 1) << stored
    zero, one = a.unsigned(0), a.signed(1)

    def parts(magnitude: Value) -> tuple[Value, Value]:
        """The biased exponent, 1 for subnormals, and the significand."""
        field, rest = a.shift_right(magnitude, stored), a.emit("and", magnitude, a.unsigned(hidden - 1))
        normal = a.emit("ne", field, zero)
        full = a.select(normal, a.emit("or", rest, a.unsigned(hidden)), rest)
        return a.select(normal, build.cast(field, a.format.signed), one), full

    magnitude, divisor = (a.emit("and", a.to_unsigned(v), a.unsigned(sign_bit - 1)) for v in (x, y))
    (exponent, dividend), (least, part) = parts(magnitude), parts(divisor)
    # A step shifts the rest by as many bits as fit above it. Where x is below y there is none.
    _, rest = build.repeat_while(
        (a.sub(exponent, least), a.emit("floormod", dividend, part)),
        lambda left, rest: a.emit("gt", left, a.signed(0)),
        lambda left, rest: (
            a.sub(left, a.signed(room)),
            a.emit(
                "floormod",
                a.emit("shift_left", rest, build.cast(a.emit("minimum", left, a.signed(room)), part.dtype)),
                part,
            ),
        ),
    )
    # The rest counts units of y's last place; its own float tells where its first bit is.
    alone = a.to_unsigned(build.cast(rest, a.format.dtype))
    moved = a.sub(least, a.signed(bias + stored))
    field = a.add(build.cast(a.shift_right(alone, stored), a.format.signed), moved)
    scaled = a.add(alone, a.shift_left(build.cast(moved, a.format.unsigned), stored))
    tiny = a.emit("shift_left", rest, build.cast(a.sub(least, one), a.format.unsigned))
    normal = a.emit("and", a.emit("ge", field, one), a.emit("ne", rest, zero))
    result = a.select(normal, scaled, tiny)
    result = a.select(a.emit("lt", magnitude, divisor), magnitude, result)
    sign = a.emit("and", a.to_unsigned(x), a.unsigned(sign_bit))
    infinite = a.emit("ge", magnitude, a.unsigned(infinity))
    undefined = a.emit("or", a.emit("eq", divisor, zero), a.emit("gt", divisor, a.unsigned(infinity)))
    nan = a.unsigned(infinity | hidden >> 1)
    return a.to_float(a.select(a.emit("or", infinite, undefined), nan, a.emit("or", result, sign)))


def gcd(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """Of unsigned integers; gcd(x, 0) = x. By Euclid's algorithm (Elements, book VII, proposition 2)."""
    divisor, _ = build.repeat_while(
        (x, y),
        lambda last, rest: build.emit("ne", (rest, build.constant(0, x.dtype))),
        lambda last, rest: (rest, build.emit("floormod", (last, rest))),
    )
    return divisor
