"""Transforms of few points in registers: the body of a pass.

Two and four points are sums and differences, an odd prime number of them goes by pairs of opposite points,
and other numbers are composed by their factors (J. Cooley, J. Tukey, An algorithm for the machine calculation
of complex Fourier series, 1965). All are forward transforms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....ir.record import record
from ....ir.types import DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Operand, Value
from .factors import root


class Complex(metaclass=record):
    """A complex value of a kernel."""

    re: Value
    im: Value

    def __iter__(self) -> Iterator[Value]:
        yield self.re
        yield self.im

    @property
    def swapped(self) -> Complex:
        """Swaps the parts: the inverse transform is the forward transform of swapped values, with its results
        swapped."""
        return Complex(self.im, self.re)

    @property
    def conjugate(self) -> Complex:
        return Complex(self.re, -self.im)

    def __add__(self, other: Complex) -> Complex:
        return Complex(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Complex) -> Complex:
        return Complex(self.re - other.re, self.im - other.im)

    def __mul__(self, other: Complex) -> Complex:
        re = fused(-self.im, other.im, self.re * other.re)
        return Complex(re, fused(self.im, other.re, self.re * other.im))

    def less_rotated(self, other: Complex) -> Complex:
        """x - i y."""
        return Complex(self.re + other.im, self.im - other.re)

    def plus_rotated(self, other: Complex) -> Complex:
        """x + i y."""
        return Complex(self.re - other.im, self.im + other.re)

    def scaled(self, factor: Operand) -> Complex:
        """Multiplies by a real number."""
        return (
            self if isinstance(factor, float) and factor == 1 else Complex(self.re * factor, self.im * factor)
        )

    def times_root(self, k: int, n: int) -> Complex:
        """Multiplies by exp(-2 pi i k / n)."""
        k %= n
        eighths, rest = divmod(8 * k, n)
        re, im = root(k, n)
        if rest:
            return self * number(self.re.build, self.re.dtype, re, im)
        made = self.less_rotated(self).scaled(abs(re)) if eighths % 2 else self
        quarters = eighths // 2
        if quarters == 0:
            return made
        if quarters == 1:
            return Complex(made.im, -made.re)
        return Complex(-made.re, -made.im) if quarters == 2 else Complex(-made.im, made.re)


def fused(x: Value, y: Value, z: Value) -> Value:
    """x * y + z."""
    return x.build.emit("multiply_add", (x, y, z))


def number(build: KernelBuilder, dtype: DType, re: float = 0.0, im: float = 0.0) -> Complex:
    return Complex(build.constant(re, dtype), build.constant(im, dtype))


def select(condition: Value, x: Complex, y: Complex) -> Complex:
    """`x` where the condition holds, else `y`."""
    build = condition.build
    return Complex(build.select(condition, x.re, y.re), build.select(condition, x.im, y.im))


def transform(x: Sequence[Complex]) -> list[Complex]:
    """The forward transform of a few values."""
    n = len(x)
    if n == 1:
        return list(x)
    if n == 2:
        return [x[0] + x[1], x[0] - x[1]]
    if n == 4:
        return _of_four(x)
    first = next(each for each in (4, 2, 3, n) if n % each == 0)
    if n == 8:
        first = 2
    return _of_odd(x) if first == n else _of_factors(x, first)


def _of_four(x: Sequence[Complex]) -> list[Complex]:
    even, odd = x[0] + x[2], x[0] - x[2]
    total, difference = x[1] + x[3], x[1] - x[3]
    return [even + total, odd.less_rotated(difference), even - total, odd.plus_rotated(difference)]


def _of_factors(x: Sequence[Complex], first: int) -> list[Complex]:
    n, second = len(x), len(x) // first
    inner = [transform(x[j::second]) for j in range(second)]
    made = [transform([inner[j][k].times_root(j * k, n) for j in range(second)]) for k in range(first)]
    return [made[k % first][k // first] for k in range(n)]


def _of_odd(x: Sequence[Complex]) -> list[Complex]:
    n, half = len(x), len(x) // 2
    sums = [x[j] + x[n - j] for j in range(1, half + 1)]
    differences = [x[j] - x[n - j] for j in range(1, half + 1)]
    total = x[0]
    for each in sums:
        total = total + each
    made = [total] * n
    for k in range(1, half + 1):
        even, odd = x[0], None
        for j, (plus, minus) in enumerate(zip(sums, differences, strict=True), 1):
            re, im = root(j * k, n)
            cosine, sine = number(even.re.build, even.re.dtype, re, -im)
            even = Complex(fused(plus.re, cosine, even.re), fused(plus.im, cosine, even.im))
            odd = (
                minus.scaled(sine) if odd is None
                else Complex(fused(minus.re, sine, odd.re), fused(minus.im, sine, odd.im))
            )  # fmt: skip
        assert odd is not None
        made[k], made[n - k] = even.less_rotated(odd), even.plus_rotated(odd)
    return made
