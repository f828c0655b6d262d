"""Roots of unity, rounded from angles of at most an eighth of a turn, and alike in all eighths."""

from __future__ import annotations

import math
from functools import lru_cache

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
