"""numexpr: the elementwise formulas as strings (it has no erf)."""

from __future__ import annotations

from functools import partial

import numexpr
import numpy as np

from .base import THREADS, Peer


def triad(a, b, c):
    return numexpr.evaluate("2*a + 3*b - c")


def chain(a, b, c, d):
    return numexpr.evaluate("sqrt(a*a + b*b) + sin(c)*d - a")


def squared_differences(a, b):
    return numexpr.evaluate("sum((a - b)**2)")


def increment(x):
    return numexpr.evaluate("x + 1")


def load() -> Peer:
    numexpr.set_num_threads(THREADS)
    functions = (triad, chain, squared_differences, increment)
    return Peer(
        "numexpr",
        numexpr.__version__,
        {function.__name__: function for function in functions},
        fetch=partial(np.asarray, dtype=np.float32),
    )
