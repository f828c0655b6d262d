"""The factors of a transform: of its number of points, one of each pass, and the roots of unity."""

from __future__ import annotations

import math
from functools import lru_cache

from ....ir.record import record

ODD_FACTORS = (37, 31, 29, 23, 19, 17, 13, 11, 9, 7, 5, 3)
"""Of passes."""
LARGEST_PRIME = 127
"""Number of points of a pass that loops over them, where their transform is not written out."""
LARGEST_POWER = 4
"""Of two, of a pass: the values of sixteen points fill the registers."""


class Pass(metaclass=record):
    """One pass: `radix` points that lie `alike * groups` apart are transformed; `alike` such, that follow one
    another, have the same factors. `sums`: it only makes sums and differences of them, for the next one."""

    radix: int
    alike: int
    groups: int
    sums: bool = False

    @property
    def loops(self) -> bool:
        """Whether it loops over the points, which are too many to be written out."""
        return self.radix > ODD_FACTORS[0]


def prime_factors(points: int) -> list[int]:
    """Each as often as it divides the number."""
    found, factor = [], 2
    while factor * factor <= points:
        if points % factor:
            factor += 1
        else:
            found.append(factor)
            points //= factor
    return [*found, points] if points > 1 else found


def radices_of(points: int, largest_power: int = LARGEST_POWER) -> list[int]:
    """The factors of the passes, in their order; empty where there is none for a large prime factor. One such
    factor may be the last: its points are then alike from the first to the last."""
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
    """As few as there can be, the largest first: vectors of the second pass are as long as the first one."""
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
    """exp(-2 pi i k / n) as two floats of 64 bits."""
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
    """The same of a positive angle of at most a quarter of a turn."""
    if 8 * k > n:
        cosine, sine = _eighth(n - 4 * k, 4 * n)
        return sine, -cosine
    cosine, sine = _eighth(k, n)
    return cosine, -sine


def _eighth(k: int, n: int) -> Number:
    angle = 2 * math.pi * k / n
    return math.cos(angle), math.sin(angle)
