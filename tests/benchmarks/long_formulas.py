"""Long functions, whose compile time is measured: as many operations as their names say.

Each maps two float32 arrays of one two-dimensional shape, with values of a moderate size, to two such arrays.
"""

from __future__ import annotations

import numpy as np


def _arithmetic(a, b, scale):
    c = np.sqrt(np.abs(a * b))
    d = np.minimum(a, c) - b * scale
    return np.where(d > a, d, b + a), c - a


def _functions(a, b, scale):
    c = np.exp(-np.abs(a))
    d = np.sin(b * scale)
    return np.where(c > d, np.tanh(c + d), b), c - a


def _standardised(a, b, scale):
    a = (a - np.mean(a, axis=1, keepdims=True)) / (np.std(a, axis=1, keepdims=True) + 1e-5)
    c = np.maximum(a, b * scale)
    return c, np.minimum(c * a, 2) - scale


def _moved(a, b):
    half = a.shape[1] // 2
    joined = np.concatenate((a[:, half:], b[:, :half]), axis=1)
    return np.maximum(joined, b), a - np.roll(b, 1, axis=0)


def _repeated(a, b, *tens):
    """Each of `tens` makes ten operations."""
    for number, ten in enumerate(tens):
        a, b = ten(a, b, 0.5 + number / len(tens) / 4)
    return a, b


def arithmetic_100(a, b):
    """One kernel."""
    return _repeated(a, b, *[_arithmetic] * 10)


def functions_100(a, b):
    """Thirty transcendental functions."""
    return _repeated(a, b, *[_functions] * 10)


def standardised_100(a, b):
    """Twenty reductions along rows."""
    return _repeated(a, b, *[_standardised] * 10)


def mixed_2000(a, b):
    """Forty rounds, each with forty operations of the kinds above, six that move elements and four that keep
    errors from growing: what a round began with counts an eighth of what the function began with."""
    c, d = a, b
    for _ in range(40):
        c, d = _moved(*_repeated(c, d, _arithmetic, _functions, _arithmetic, _standardised))
        c, d = a + c / 8, b - d / 8
    return c, d
