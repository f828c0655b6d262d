"""Exact arithmetic: fmod and copysign of floats on their bits for targets without them, multiply-add, and
the greatest common divisor of integers."""

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
    magnitude = a.to_unsigned(x) & sign - 1
    return a.to_float(magnitude | a.to_unsigned(y) & sign)


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
        field, rest = magnitude >> stored, magnitude & hidden - 1
        normal = field.differs(zero)
        full = a.select(normal, rest | hidden, rest)
        return a.select(normal, build.cast(field, a.format.signed), one), full

    magnitude, divisor = (a.to_unsigned(v) & sign_bit - 1 for v in (x, y))
    (exponent, dividend), (least, part) = parts(magnitude), parts(divisor)
    # A step shifts the rest by as many bits as fit above it. Where x is below y there is none.
    _, rest = build.repeat_while(
        (exponent - least, a.emit("floormod", dividend, part)),
        lambda left, rest: left > 0,
        lambda left, rest: (
            left - room,
            a.emit("floormod", rest << build.cast(a.build.minimum(left, room), part.dtype), part),
        ),
    )
    # The rest counts units of y's last place; its own float tells where its first bit is.
    alone = a.to_unsigned(build.cast(rest, a.format.dtype))
    moved = least - (bias + stored)
    field = build.cast(alone >> stored, a.format.signed) + moved
    scaled = alone + (build.cast(moved, a.format.unsigned) << stored)
    tiny = rest << build.cast(least - one, a.format.unsigned)
    normal = (field >= one) & rest.differs(zero)
    result = a.select(normal, scaled, tiny)
    result = a.select(magnitude < divisor, magnitude, result)
    sign = a.to_unsigned(x) & sign_bit
    infinite = magnitude >= infinity
    undefined = divisor.equals(zero) | (divisor > infinity)
    nan = a.unsigned(infinity | hidden >> 1)
    return a.to_float(a.select(infinite | undefined, nan, result | sign))


def gcd(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """Of unsigned integers; gcd(x, 0) = x. By Euclid's algorithm (Elements, book VII, proposition 2)."""
    divisor, _ = build.repeat_while(
        (x, y),
        lambda last, rest: rest.differs(0),
        lambda last, rest: (rest, build.emit("floormod", (last, rest))),
    )
    return divisor
