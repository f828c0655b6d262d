"""The factors of a transform: the radix of each pass, and the roots of unity."""

from __future__ import annotations

import math
from functools import lru_cache

from ....ir.record import record

ODD_FACTORS = (37, 31, 29, 23, 19, 17, 13, 11, 9, 7, 5, 3)
"""Odd radices."""
LARGEST_PRIME = 127
"""The largest prime radix, by a loop over the points where their transform is not unrolled."""
LARGEST_POWER = 4
"""The largest radix that is a power of two: sixteen values fill the registers."""


class Pass(metaclass=record):
    """One pass: `radix` points at distance `alike * groups` are transformed; `alike` consecutive such
    transforms have the same factors. `sums`: it only computes sums and differences of the points, for the
    next pass."""

    radix: int
    alike: int
    groups: int
    sums: bool = False

    @property
    def loops(self) -> bool:
        """Whether it loops over the points, which are too many to be unrolled."""
        return self.radix > ODD_FACTORS[0]


def prime_factors(points: int) -> list[int]:
    """Returns the prime factors, with multiplicity."""
    found, factor = [], 2
    while factor * factor <= points:
        if points % factor:
            factor += 1
        else:
            found.append(factor)
            points //= factor
    return [*found, points] if points > 1 else found


def radices_of(points: int, largest_power: int = LARGEST_POWER) -> list[int]:
    """Returns the radices of the passes, in order; empty where there is none for a large prime factor. One
    such factor may be the last: its points then share factors from the first to the last."""
    assert points > 0
    twos, rest = 0, points
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    odd: list[int] = []
    for factor in ODD_FACTORS:
        while rest % factor == 0:
            odd.append(factor)
            rest //= factor
    if rest > 1:
        if rest > LARGEST_PRIME:
            return []
        odd.append(rest)
    return [*_powers_of_two(twos, largest_power), *odd] or [1]


def _powers_of_two(twos: int, largest: int) -> list[int]:
    """Splits a power of two into few radices, the largest first: the second pass's vectors are as long as the
    first one."""
    if not twos:
        return []
    count = -(-twos // largest)
    return [1 << (twos // count + (number < twos % count)) for number in range(count)]


def passes_of(points: int, largest_power: int = LARGEST_POWER) -> list[Pass]:
    made: list[Pass] = []
    alike = 1
    for radix in radices_of(points, largest_power):
        if radix > ODD_FACTORS[0]:
            made.append(Pass(radix, alike, 1, sums=True))
        made.append(Pass(radix, alike, points // (alike * radix)))
        alike *= radix
    return made


Number = tuple[float, float]


def root(k: int, n: int) -> Number:
    """Returns exp(-2 pi i k / n) as two floats of 64 bits."""
    k %= n
    eighths = 8 * k
    if eighths > 4 * n:  # below the real axis: the conjugate of one above
        re, im = root(n - k, n)
        return re, -im
    if eighths > 2 * n:  # left of the imaginary axis
        re, im = _quarter(2 * (n - 2 * k), 4 * n)
        return -re, im
    return _quarter(4 * k, 4 * n)


@lru_cache(1 << 16)
def _quarter(k: int, n: int) -> Number:
    """Like `root`, for positive angles up to a quarter turn."""
    if 8 * k > n:
        cosine, sine = _eighth(n - 4 * k, 4 * n)
        return sine, -cosine
    cosine, sine = _eighth(k, n)
    return cosine, -sine


def _eighth(k: int, n: int) -> Number:
    angle = 2 * math.pi * k / n
    return math.cos(angle), math.sin(angle)
