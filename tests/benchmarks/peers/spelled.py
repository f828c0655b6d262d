"""The formulas that several peers spell alike: by operators, or by a library of NumPy's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def triad(a, b, c):
    return 2 * a + 3 * b - c


def increment(x):
    return x + 1


def transpose_add(a, b):
    return a.T + b


def formulas_of(library: Any, erf: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Formula name -> function of arrays of the library."""

    def chain(a, b, c, d):
        return library.sqrt(a * a + b * b) + library.sin(c) * d - a

    def black_scholes(spot, strike, years, rate, volatility):
        deviation = volatility * library.sqrt(years)
        d1 = (library.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
        d2 = d1 - deviation
        normal1 = 0.5 * (1 + erf(d1 / 2**0.5))
        normal2 = 0.5 * (1 + erf(d2 / 2**0.5))
        return spot * normal1 - strike * library.exp(-rate * years) * normal2

    def squared_differences(a, b):
        return library.sum((a - b) ** 2)

    def argmax(x):
        return library.argmax(x)

    def accelerations(positions, masses, softening):
        offsets = positions[None, :, :] - positions[:, None, :]
        squares = library.sum(offsets * offsets, axis=-1) + softening * softening
        pulls = masses / (squares * library.sqrt(squares))
        return library.sum(offsets * pulls[:, :, None], axis=1)

    def outer(a, b):
        return library.outer(a, b)

    functions = (
        triad, increment, transpose_add, chain, black_scholes, squared_differences, argmax, accelerations,
        outer,
    )  # fmt: skip
    return {function.__name__: function for function in functions}
