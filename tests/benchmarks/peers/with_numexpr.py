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


def mean_and_variance(x):
    mean = numexpr.evaluate("sum(1.0 * x)") / x.size  # in float64: it adds one after the other
    return mean, numexpr.evaluate("sum((x - mean)**2)") / x.size


def transpose_add(a, b):
    return numexpr.evaluate("turned + b", {"turned": a.T, "b": b})


def outer(a, b):
    return numexpr.evaluate("column * row", {"column": a[:, None], "row": b})


def heat_3d(u):
    values = {
        "inside": u[1:-1, 1:-1, 1:-1],
        "a": u[2:, 1:-1, 1:-1],
        "b": u[:-2, 1:-1, 1:-1],
        "c": u[1:-1, 2:, 1:-1],
        "d": u[1:-1, :-2, 1:-1],
        "e": u[1:-1, 1:-1, 2:],
        "f": u[1:-1, 1:-1, :-2],
        "tenth": np.float32(0.1),  # a number in the string would make everything float64
    }
    following = u.copy()
    sum_of_all = "inside + tenth * (a + b + c + d + e + f - 6 * inside)"
    numexpr.evaluate(sum_of_all, values, out=following[1:-1, 1:-1, 1:-1])
    return following


def load() -> Peer:
    numexpr.set_num_threads(THREADS)
    functions = (
        triad,
        chain,
        squared_differences,
        increment,
        mean_and_variance,
        transpose_add,
        outer,
        heat_3d,
    )
    return Peer(
        "numexpr",
        numexpr.__version__,
        {function.__name__: function for function in functions},
        fetch=partial(np.asarray, dtype=np.float32),
    )
