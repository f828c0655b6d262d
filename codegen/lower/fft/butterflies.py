"""Transforms of few points, written out in registers: what a pass does at each position.

Two and four points are sums and differences, an odd prime number of them goes by pairs of points that stand
opposite one another, and other numbers are made of these by their factors (J. Cooley, J. Tukey, An algorithm
for the machine calculation of complex Fourier series, 1965). All are forward transforms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Value
from .factors import root


class Complex(NamedTuple):
    re: Value
    im: Value

    @property
    def swapped(self) -> Complex:
        """The transform of values whose parts are swapped is the inverse one, with its parts swapped."""
        return Complex(self.im, self.re)


class Arithmetic:
    """What is done with complex values of a kernel."""

    def __init__(self, build: KernelBuilder, dtype: DType) -> None:
        self.build, self.dtype = build, dtype

    def number(self, value: float) -> Value:
        return self.build.constant(value, self.dtype)

    def fused(self, x: Value, y: Value, z: Value) -> Value:
        """x * y + z."""
        return self.build.emit("multiply_add", (x, y, z))

    def negated(self, x: Value) -> Value:
        return self.build.emit("neg", (x,))

    def add(self, x: Complex, y: Complex) -> Complex:
        return Complex(self.build.add(x.re, y.re), self.build.add(x.im, y.im))

    def sub(self, x: Complex, y: Complex) -> Complex:
        return Complex(self.build.sub(x.re, y.re), self.build.sub(x.im, y.im))

    def add_rotated(self, x: Complex, y: Complex) -> Complex:
        """x - i y."""
        return Complex(self.build.add(x.re, y.im), self.build.sub(x.im, y.re))

    def sub_rotated(self, x: Complex, y: Complex) -> Complex:
        """x + i y."""
        return Complex(self.build.sub(x.re, y.im), self.build.add(x.im, y.re))

    def scale(self, x: Complex, factor: Value) -> Complex:
        return Complex(self.build.mul(x.re, factor), self.build.mul(x.im, factor))

    def times(self, x: Complex, y: Complex) -> Complex:
        re = self.fused(self.negated(x.im), y.im, self.build.mul(x.re, y.re))
        return Complex(re, self.fused(x.im, y.re, self.build.mul(x.re, y.im)))

    def times_root(self, x: Complex, k: int, n: int) -> Complex:
        """x * exp(-2 pi i k / n)."""
        k %= n
        eighths, rest = divmod(8 * k, n)
        if rest or eighths % 2:
            re, im = root(k, n)
            if not rest:
                half = self.number(abs(re))
                rotated = self.scale(self.add_rotated(x, x), half)  # by the root of 1 / 8
                return self._by_quarters(rotated, eighths // 2)
            return self.times(x, Complex(self.number(re), self.number(im)))
        return self._by_quarters(x, eighths // 2)

    def _by_quarters(self, x: Complex, quarters: int) -> Complex:
        if quarters == 0:
            return x
        if quarters == 1:
            return Complex(x.im, self.negated(x.re))
        if quarters == 2:
            return Complex(self.negated(x.re), self.negated(x.im))
        return Complex(self.negated(x.im), x.re)

    # Transforms -------------------------------------------------------------------------------------
    def transform(self, x: Sequence[Complex]) -> list[Complex]:
        """The forward transform of a few values."""
        n = len(x)
        if n == 1:
            return list(x)
        if n == 2:
            return [self.add(x[0], x[1]), self.sub(x[0], x[1])]
        if n == 4:
            return self._of_four(x)
        first = next(each for each in (4, 2, 3, n) if n % each == 0)
        if n == 8:
            first = 2
        return self._of_odd(x) if first == n else self._of_factors(x, first)

    def _of_four(self, x: Sequence[Complex]) -> list[Complex]:
        even, odd = self.add(x[0], x[2]), self.sub(x[0], x[2])
        total, difference = self.add(x[1], x[3]), self.sub(x[1], x[3])
        return [
            self.add(even, total), self.add_rotated(odd, difference),
            self.sub(even, total), self.sub_rotated(odd, difference),
        ]  # fmt: skip

    def _of_factors(self, x: Sequence[Complex], first: int) -> list[Complex]:
        n, second = len(x), len(x) // first
        inner = [self.transform(x[j::second]) for j in range(second)]
        made: list[list[Complex]] = [
            self.transform([self.times_root(inner[j][k], j * k, n) for j in range(second)])
            for k in range(first)
        ]
        return [made[k % first][k // first] for k in range(n)]

    def _of_odd(self, x: Sequence[Complex]) -> list[Complex]:
        n, half = len(x), len(x) // 2
        sums = [self.add(x[j], x[n - j]) for j in range(1, half + 1)]
        differences = [self.sub(x[j], x[n - j]) for j in range(1, half + 1)]
        total = x[0]
        for each in sums:
            total = self.add(total, each)
        made = [total] * n
        for k in range(1, half + 1):
            roots = [root(j * k, n) for j in range(1, half + 1)]
            even = x[0]
            odd = None
            for (re, im), plus, minus in zip(roots, sums, differences, strict=True):
                cosine, sine = self.number(re), self.number(-im)
                even = Complex(self.fused(plus.re, cosine, even.re), self.fused(plus.im, cosine, even.im))
                odd = (
                    self.scale(minus, sine) if odd is None
                    else Complex(self.fused(minus.re, sine, odd.re), self.fused(minus.im, sine, odd.im))
                )  # fmt: skip
            assert odd is not None
            made[k], made[n - k] = self.add_rotated(even, odd), self.sub_rotated(even, odd)
        return made
