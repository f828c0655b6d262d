"""The functions of `jf.special` are SciPy's, and SciPy's own names are compiled inside jitted functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.signal
import scipy.special

import jitframe as jf
from jitframe.errors import DTypeError

ODD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0])
X = np.concatenate([ODD, np.linspace(-20, 20, 801), 10.0 ** -np.arange(1, 300, 20), np.linspace(0, 1, 301)])
ROWS = np.random.default_rng(3).normal(size=(6, 50)) * 4
OF_ONE = ("digamma", "entr", "expit", "log_expit", "logit", "ndtr", "erf")
OF_TWO = ("kl_div", "rel_entr", "xlog1py", "xlogy")
ALONG_AXES = ("log_softmax", "logsumexp", "softmax")


def close(found: Any, expected: Any, tolerance: float = 1e-13) -> None:
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance / 100)


@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_array(name: str) -> None:
    ours, theirs = getattr(jf.special, name), getattr(scipy.special, name)
    with np.errstate(all="ignore"):
        expected = theirs(X)
        close(ours(jf.asarray(X)), expected)
        close(jf.jit(lambda x: theirs(x))(X), expected)
        close(theirs(jf.asarray(X)), expected)
        single = np.float32(X[abs(X) > 1e-30])
        close(ours(single), theirs(single), 2e-5)
    assert ours([1, 2]).dtype == np.float64


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_arrays(name: str) -> None:
    ours, theirs = getattr(jf.special, name), getattr(scipy.special, name)
    x, y = X[::7, None], np.concatenate([ODD, np.linspace(0, 3, 40)])
    expected = theirs(x, y)
    close(ours(x, y), expected)
    close(jf.jit(lambda x, y: theirs(x, y) + 0.0)(x, y), expected)
    assert ours(np.float32([1]), 2.0).dtype == np.float32


@pytest.mark.parametrize("name", ALONG_AXES)
def test_functions_along_axes(name: str) -> None:
    ours, theirs = getattr(jf.special, name), getattr(scipy.special, name)
    for axis in (None, 0, 1, -1, (0, 1)):
        close(ours(ROWS, axis=axis), theirs(ROWS, axis=axis))
        close(jf.jit(lambda x, axis=axis: theirs(x, axis=axis))(ROWS), theirs(ROWS, axis=axis))


def test_weights_of_logsumexp() -> None:
    weights = np.where(ROWS > 2, 0, abs(ROWS))
    weighted = jf.jit(lambda x, b: scipy.special.logsumexp(x, axis=1, b=b))
    close(weighted(ROWS, weights), scipy.special.logsumexp(ROWS, axis=1, b=weights))
    close(jf.special.logsumexp(ROWS, None, weights, True), scipy.special.logsumexp(ROWS, None, weights, True))


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(DTypeError, match=r"expit: x is .*, and it takes real numbers"):
        jf.special.expit(np.array([1j]))


def program(x: np.ndarray) -> tuple[np.ndarray, ...]:
    spectrum = scipy.fft.rfft(x, axis=1) * 0.5
    smooth = scipy.signal.savgol_filter(x, 7, 2, axis=1)
    return scipy.fft.irfft(spectrum, n=x.shape[1], axis=1), smooth, scipy.signal.lfilter([0.2], [1, -0.8], x)


def test_signals_and_transforms_of_scipys_are_compiled(strict: None) -> None:
    for found, expected in zip(jf.jit(program)(ROWS), program(ROWS), strict=True):
        close(found, expected, 1e-11)


def test_other_ufuncs_are_called_by_the_program(strict: None) -> None:
    """By the name of their module or their own, with several results, of other dtypes, in a loop."""
    bessel, large = scipy.special.jv, np.random.default_rng(4).random((128, 130))

    def iterated(x: Any) -> Any:
        while x.sum() > 100:
            x = scipy.special.ellipk(x * 0.5) * 0.25 * x
        return x

    programs = (
        lambda x: bessel(1, x * 2) * scipy.special.jv(x[0], 0.5 * x),
        lambda x: scipy.special.fresnel(x)[1] + scipy.special.airy(x * 2)[0],
        lambda x: scipy.special.hankel1(1, x + 1) * x,
        lambda x: scipy.special.wofz(x + 1j * x).real,
        lambda x: scipy.special.gammainc(x.astype(np.float32), 2.0),
        lambda x: scipy.special.eval_legendre(np.arange(4)[:, None, None], x).sum(0),
        iterated,
    )
    for program in programs:
        jitted = jf.jit(program)
        for x in (large, large[::-1] / 2):
            close(jitted(x), program(x))
        assert jitted.stats()["traces"] == 1
        assert "cut" not in str(jitted.explain(large))


def test_functions_of_python_get_the_values(strict: None) -> None:
    program = lambda x: scipy.special.polygamma(1, x + 1) * scipy.special.comb(5, 2)  # noqa: E731
    close(jf.jit(program)(X[30:60]), program(X[30:60]))
