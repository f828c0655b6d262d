"""Shorthand for writing one float format's arithmetic into a kernel, with or without fma."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import INDEX, DType
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Operand, Value
from .formats import FORMATS, MathFeatures


class Arithmetic:
    """Emits instructions on values of one float format and on the integers of its bits."""

    def __init__(self, build: KernelBuilder, dtype: DType, features: MathFeatures) -> None:
        self.build = build
        self.format = FORMATS[dtype.name]
        self.features = features

    # Constants ----------------------------------------------------------------------------------------
    def number(self, value: float) -> Value:
        return self.build.constant(self.format.nearest(value), self.format.dtype)

    def signed(self, value: int) -> Value:
        return self.build.constant(value, self.format.signed)

    def unsigned(self, value: int) -> Value:
        return self.build.constant(value, self.format.unsigned)

    # Any dtype ----------------------------------------------------------------------------------------
    def emit(self, name: str, *operands: Value) -> Value:
        return self.build.emit(name, operands)

    def select(self, condition: Value, then: Operand, orelse: Operand) -> Value:
        return self.build.select(condition, then, orelse)

    # Floats -------------------------------------------------------------------------------------------
    def multiply_add(self, x: Value, y: Value, z: Value) -> Value:
        """x * y + z, in one rounding where the target has it."""
        if self.features.fma:
            return self.build.emit("fma", (x, y, z))
        return x * y + z

    def at_most(self, x: Value, bound: float) -> Value:
        """min(x, bound) that keeps NaN: one instruction on x86, unlike `minimum`."""
        limit = self.number(bound)
        return self.select(x > limit, limit, x)

    def at_least(self, x: Value, bound: float) -> Value:
        limit = self.number(bound)
        return self.select(x < limit, limit, x)

    def horner(self, x: Value, coefficients: Sequence[float]) -> Value:
        total = self.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            total = self.multiply_add(total, x, self.number(coefficient))
        return total

    def polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """sum(c[k] * x**k): short ones by Horner, long ones as even + x * odd, two chains side by side."""
        if len(coefficients) < 5:
            return self.horner(x, coefficients)
        square = x * x
        even = self.horner(square, coefficients[0::2])
        odd = self.horner(square, coefficients[1::2])
        return self.multiply_add(odd, x, even)

    def shallow_polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """sum(c[k] * x**k) as a tree (Estrin's scheme): a few steps more, in the fewest levels."""
        terms = [self.number(coefficient) for coefficient in coefficients]
        while len(terms) > 1:
            pairs = [self.multiply_add(x, odd, even) for even, odd in zip(terms[::2], terms[1::2])]
            terms = pairs + terms[2 * len(pairs) :]
            x = x * x if len(terms) > 1 else x
        return terms[0]

    # Bits ---------------------------------------------------------------------------------------------
    def to_signed(self, x: Value) -> Value:
        return self.build.bitcast(x, self.format.signed)

    def to_unsigned(self, x: Value) -> Value:
        return self.build.bitcast(x, self.format.unsigned)

    def to_float(self, bits: Value) -> Value:
        return self.build.bitcast(bits, self.format.dtype)

    def lookup(self, values: Sequence[float | int], index: Value) -> Value:
        """values[index modulo their number], a power of two."""
        low = index & (len(values) - 1)
        return self.build.load(self.build.table(self.format.dtype, values), self.build.cast(low, INDEX))

    def magic(self, offset: int = 0) -> float:
        """1.5 * 2**mantissa + offset: added to a small x it leaves round(x) + offset in the low bits."""
        return 1.5 * 2.0**self.format.mantissa + offset


def of_piece(
    a: Arithmetic, x: Value, leading: Value, centres: Sequence[float], columns: Sequence[Sequence[float]]
) -> Value:
    """Piecewise polynomial: sum(columns[k][i] * (x - centres[i])**k) for segment i = leading modulo the
    number of segments.

    The difference is exact; the constant term, which is added last, is all but exact.
    """
    r = x - a.lookup(centres, leading)
    constant, *terms = [a.lookup(column, leading) for column in columns]
    power = r
    while len(terms) > 1:
        pairs = [a.multiply_add(power, odd, even) for even, odd in zip(terms[::2], terms[1::2])]
        terms = pairs + terms[2 * len(pairs) :]
        power = power * power if len(terms) > 1 else power
    return a.multiply_add(r, terms[0], constant)
