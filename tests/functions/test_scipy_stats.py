"""The normal distribution of `scipy.stats` in jitted functions, unchanged."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
import scipy.stats
from scipy import stats
from scipy.stats import norm

import jitframe as jf

X = np.array([-40.0, -3.0, -0.5, 0.0, 1.5, 9.0, np.inf, np.nan])


@pytest.mark.parametrize("name", ["pdf", "logpdf", "cdf", "sf"])
@pytest.mark.parametrize(
    "arguments",
    [
        (X,), (X, 0.5), (X, 0.5, 2.0), (X[:, None], X[2:5], 0.3),
        (X, 0.0, np.array([1.0, 0.0, -1, 2, 1, 1, 1, 1])),
        (X[:6].astype(np.float32),), (np.arange(-2, 3),), (0.7,), (np.float32(0.7), 1),
    ],
)  # fmt: skip
def test_it_is_scipys(name, arguments, strict):
    def law(*given):
        return getattr(norm, name)(*given)

    jitted = jf.jit(law)
    with np.errstate(all="ignore"):
        expected = law(*arguments)
    for _ in range(2):
        found = jitted(*arguments)
        assert (type(found), found.dtype, found.shape) == (type(expected), expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=2e-13, atol=0)
    assert not jitted.explain(*arguments).before


def black_scholes(spot, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    call = spot * norm.cdf(d1) - strike * np.exp(-rate * years) * scipy.stats.norm.cdf(d1 - spread)
    return call, stats.norm.pdf(d1, loc=0, scale=1) / (spot * spread)


def test_a_program(strict):
    for spot in (np.linspace(80, 120, 9), 100.0):
        jitted = jf.jit(black_scholes)
        found, expected = (f(spot, 100.0, 0.5, 0.02, 0.3) for f in (jitted, black_scholes))
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert not jitted.explain(spot, 100.0, 0.5, 0.02, 0.3).before


def test_what_is_not_known_is_scipys_own():
    def quantiles(x):
        return norm.ppf(np.clip(x, 0.1, 0.9)), norm(1.0, 2.0).cdf(0.0)

    jitted, x = jf.jit(quantiles), np.linspace(0, 1, 5)
    for mine, its in zip(jitted(x), quantiles(x), strict=True):
        np.testing.assert_array_equal(mine, its)
