"""Laws that generators of `jf.random` draw from: tests of goodness of fit with fixed seeds, which pass always
or never; lazily, in jitted functions and on devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import jitframe as jf
from jitframe.errors import BackendError

COUNT = 20_000
Draw = Callable[[Any, Any], Any]
"""(generator, size) -> numbers."""

CONTINUOUS: dict[str, tuple[Draw, Any]] = {
    "standard_gamma": (lambda r, n: r.standard_gamma(2.5, n), stats.gamma(2.5)),
    "gamma below 1": (lambda r, n: r.gamma(0.3, 2.0, n), stats.gamma(0.3, scale=2.0)),
    "gamma far above 1": (lambda r, n: r.gamma(900.0, 0.5, n), stats.gamma(900.0, scale=0.5)),
    "beta": (lambda r, n: r.beta(2.0, 5.0, n), stats.beta(2.0, 5.0)),
    "beta of small shapes": (lambda r, n: r.beta(0.2, 0.3, n), stats.beta(0.2, 0.3)),
    "chisquare": (lambda r, n: r.chisquare(3.0, n), stats.chi2(3.0)),
    "noncentral_chisquare": (lambda r, n: r.noncentral_chisquare(3.0, 2.5, n), stats.ncx2(3.0, 2.5)),
    "f": (lambda r, n: r.f(4.0, 7.0, n), stats.f(4.0, 7.0)),
    "noncentral_f": (lambda r, n: r.noncentral_f(4.0, 7.0, 1.5, n), stats.ncf(4.0, 7.0, 1.5)),
    "standard_t": (lambda r, n: r.standard_t(3.5, n), stats.t(3.5)),
    "standard_cauchy": (lambda r, n: r.standard_cauchy(n), stats.cauchy()),
    "pareto": (lambda r, n: r.pareto(2.5, n), stats.lomax(2.5)),
    "weibull": (lambda r, n: r.weibull(1.7, n), stats.weibull_min(1.7)),
    "rayleigh": (lambda r, n: r.rayleigh(1.5, n), stats.rayleigh(scale=1.5)),
    "gumbel": (lambda r, n: r.gumbel(0.5, 2.0, n), stats.gumbel_r(0.5, 2.0)),
    "logistic": (lambda r, n: r.logistic(0.5, 2.0, n), stats.logistic(0.5, 2.0)),
    "power": (lambda r, n: r.power(2.5, n), stats.powerlaw(2.5)),
    "triangular": (lambda r, n: r.triangular(-1.0, 0.5, 2.0, n), stats.triang(0.5, -1.0, 3.0)),
    "wald": (lambda r, n: r.wald(1.5, 2.0, n), stats.invgauss(0.75, scale=2.0)),
    "vonmises": (lambda r, n: r.vonmises(0.0, 2.0, n), stats.vonmises(2.0)),
    "vonmises, flat": (lambda r, n: r.vonmises(0.0, 0.0, n), stats.uniform(-np.pi, 2 * np.pi)),
}
COUNTS: dict[str, tuple[Draw, Any]] = {
    "poisson, few": (lambda r, n: r.poisson(0.7, n), stats.poisson(0.7)),
    "poisson": (lambda r, n: r.poisson(9.5, n), stats.poisson(9.5)),
    "poisson, many": (lambda r, n: r.poisson(40.0, n), stats.poisson(40.0)),
    "binomial, few": (lambda r, n: r.binomial(8, 0.3, n), stats.binom(8, 0.3)),
    "binomial, rare": (lambda r, n: r.binomial(5000, 0.001, n), stats.binom(5000, 0.001)),
    "binomial": (lambda r, n: r.binomial(100, 0.4, n), stats.binom(100, 0.4)),
    "binomial, often": (lambda r, n: r.binomial(100, 0.95, n), stats.binom(100, 0.95)),
    "binomial, more often": (lambda r, n: r.binomial(3000, 0.7, n), stats.binom(3000, 0.7)),
    "negative_binomial": (lambda r, n: r.negative_binomial(3.5, 0.4, n), stats.nbinom(3.5, 0.4)),
    "geometric": (lambda r, n: r.geometric(0.3, n), stats.geom(0.3)),
    "logseries": (lambda r, n: r.logseries(0.7, n), stats.logser(0.7)),
    "zipf": (lambda r, n: r.zipf(2.5, n), stats.zipf(2.5)),
    "hypergeometric": (lambda r, n: r.hypergeometric(50, 70, 30, n), stats.hypergeom(120, 50, 30)),
    "hypergeometric, few": (lambda r, n: r.hypergeometric(3, 2, 2, n), stats.hypergeom(5, 3, 2)),
    "hypergeometric, rare": (lambda r, n: r.hypergeometric(3, 900, 200, n), stats.hypergeom(903, 3, 200)),
    "hypergeometric, most": (lambda r, n: r.hypergeometric(40, 9, 44, n), stats.hypergeom(49, 40, 44)),
    "hypergeometric, many": (
        lambda r, n: r.hypergeometric(10**6, 10**7, 900, n),
        stats.hypergeom(11 * 10**6, 10**6, 900),
    ),
    "multinomial": (lambda r, n: _of(r.multinomial(20, [0.2, 0.5, 0.3], n), n, 1), stats.binom(20, 0.5)),
    "multivariate_hypergeometric": (
        lambda r, n: _of(r.multivariate_hypergeometric([5, 0, 9, 6, 4], 8, n), n, 3),
        stats.hypergeom(24, 6, 8),
    ),
}


def _of(vectors: Any, size: Any, place: int) -> Any:
    """One of the counts of each vector."""
    assert vectors.ndim == np.size(size) + 1
    return vectors[..., place]


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_laws(name: str) -> None:
    draw, law = CONTINUOUS[name]
    sample = draw(jf.random.default_rng(12), COUNT).numpy()
    assert sample.dtype == np.float64 and np.isfinite(sample).all()
    assert stats.kstest(sample, law.cdf).pvalue > 1e-3
    assert abs(np.corrcoef(stats.rankdata(sample[:-1]), stats.rankdata(sample[1:]))[0, 1]) < 4 / np.sqrt(
        COUNT
    )


@pytest.mark.parametrize("name", COUNTS)
def test_laws_of_counts(name: str) -> None:
    draw, law = COUNTS[name]
    sample = draw(jf.random.default_rng(12), COUNT).numpy()
    assert sample.dtype == np.int64
    low, high = (int(each) for each in law.ppf([0.002, 0.998]))
    edges = np.arange(low, high + 1)
    inner = law.pmf(edges) * COUNT
    counts = np.array([(sample == each).sum() for each in edges])
    expected = np.append(inner, COUNT - inner.sum())
    found = np.append(counts, COUNT - counts.sum())
    frequent = expected > 5
    expected = np.append(expected[frequent], expected[~frequent].sum() + 1e-9)
    found = np.append(found[frequent], found[~frequent].sum())
    kept = expected > 1
    assert (
        stats.chisquare(found[kept], expected[kept] * found[kept].sum() / expected[kept].sum()).pvalue > 1e-3
    )


def test_jitted_functions_draw_what_lazy_ones_do() -> None:
    draws = [draw for draw, _ in (*CONTINUOUS.values(), *COUNTS.values())]

    def program(rng: Any) -> list[Any]:
        return [draw(rng, (3, 5)) for draw in draws]

    wanted = program(jf.random.default_rng(4))
    for found in (jf.jit(program)(jf.random.default_rng(4)), jf.jit(program)(jf.random.default_rng(4))):
        for ours, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(ours), theirs.numpy(), rtol=1e-12)


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_laws_on_devices(device: str) -> None:
    try:
        jf.zeros(1, device=device).numpy()
    except BackendError as missing:
        pytest.skip(str(missing))
    for name in ("standard_gamma", "beta", "standard_t"):
        draw, law = CONTINUOUS[name]
        sample = draw(jf.random.default_rng(12, device=device), COUNT)
        assert sample.device == device
        assert stats.kstest(sample.numpy().astype(float), law.cdf).pvalue > 1e-3
    for name in ("poisson, many", "binomial, few", "hypergeometric", "multinomial"):
        draw, law = COUNTS[name]
        sample = draw(jf.random.default_rng(12, device=device), COUNT).numpy()
        assert abs(sample.mean() - law.mean()) < 4 * law.std() / np.sqrt(COUNT)


def test_parameters_are_broadcast_and_may_be_arrays() -> None:
    rng = jf.random.default_rng(3)
    shapes = np.array([0.5, 2.0, 100.0])
    found = rng.gamma(shapes, [[1.0], [10.0]], (4000, 2, 3)).numpy()
    np.testing.assert_allclose(found.mean(axis=0), shapes * [[1.0], [10.0]], rtol=0.1)
    means = rng.poisson(jf.asarray([0.0, 3.0, 30.0, 1e4]), (4000, 4)).numpy().mean(axis=0)
    np.testing.assert_allclose(means, [0.0, 3.0, 30.0, 1e4], rtol=0.05)
    successes = rng.binomial([10, 1000, 50], [0.0, 0.5, 1.0], (4000, 3)).numpy().mean(axis=0)
    np.testing.assert_allclose(successes, [0.0, 500.0, 50.0], rtol=0.05)
    assert rng.gamma(2.0).shape == () and rng.beta([1.0, 2.0], 3.0).shape == (2,)
    assert rng.standard_gamma(2.0, 3, "float32").dtype == np.float32
    assert rng.gamma(2.0, size=(0, 3)).shape == (0, 3) and rng.poisson(40.0, 0).shape == (0,)
    assert np.isnan(rng.gamma(jf.asarray([np.nan, 1.0])).numpy()[0])
    assert (rng.gamma(0.0, size=5).numpy() == 0).all()


def test_vectors_whose_sum_is_one() -> None:
    rng = jf.random.default_rng(3)
    alpha = np.array([0.5, 2.0, 5.0])
    found = rng.dirichlet(alpha, COUNT).numpy()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.mean(axis=0), alpha / alpha.sum(), atol=0.01)
    for place, each in enumerate(alpha):
        assert stats.kstest(found[:, place], stats.beta(each, alpha.sum() - each).cdf).pvalue > 1e-3
    assert rng.dirichlet(alpha).shape == (3,) and rng.dirichlet(
        [1e-3, 1e-3], 9
    ).numpy().sum() == pytest.approx(9)


def test_counts_of_several_kinds() -> None:
    """Sums, means and covariances, which show whether the halves are split as they should be."""
    rng = jf.random.default_rng(3)
    shares = np.array([0.1, 0.2, 0.05, 0.3, 0.35])
    colors = np.array([3, 4, 5, 0, 8])
    total = colors.sum()
    for found, n, each, factor in (
        (rng.multinomial(30, shares, COUNT), 30, shares, 1.0),
        (rng.multivariate_hypergeometric(colors, 9, COUNT), 9, colors / total, (total - 9) / (total - 1)),
    ):
        found = found.numpy()
        assert found.shape == (COUNT, 5) and found.dtype == np.int64
        assert (found.sum(axis=1) == n).all() and (found >= 0).all()
        covariance = n * factor * (np.diag(each) - np.outer(each, each))
        bound = 5 * np.sqrt(covariance.diagonal().max() / COUNT)
        np.testing.assert_allclose(found.mean(axis=0), n * each, atol=bound)
        np.testing.assert_allclose(np.cov(found.T), covariance, atol=bound * 3)
    assert (found <= colors).all()
    several = rng.multinomial([[10], [20]], [[0.5, 0.5, 1.0], [0.1, 0.2, 0.7], [0.0, 1.0, 0.0]]).numpy()
    assert several.shape == (2, 3, 3) and (several.sum(axis=-1) == [[10], [20]]).all()
    assert (several[:, 0, 2] == 0).all() and (several[:, 2] == [[0, 10, 0], [0, 20, 0]]).all()
    assert rng.multinomial(7, [0.4]).tolist() == [7]
    assert rng.multinomial(7, jf.asarray([0.5, 0.5]), (0, 2)).shape == (0, 2, 2)
    assert rng.multivariate_hypergeometric([4], 3).tolist() == [3]
    assert rng.multivariate_hypergeometric([2, 3], 5, (2, 0), method="count").shape == (2, 0, 2)
    ends = rng.hypergeometric([0, 5, 0, 4], [3, 0, 0, 4], [2, 2, 0, 8], (50, 4)).numpy()
    assert (ends == [0, 2, 0, 4]).all()
    wanted = jf.random.default_rng(5).multinomial(9, shares, 4).tolist()
    drawn = jf.jit(lambda r, p, n: r.multinomial(n, p, 4))(jf.random.default_rng(5), shares, 9)
    assert np.asarray(drawn).tolist() == wanted


def test_orders_of_each_vector() -> None:
    rng = jf.random.default_rng(3)
    x = np.arange(2000).reshape(500, 4)
    rows, columns, all_ = (rng.permuted(x, axis=axis).numpy() for axis in (1, 0, None))
    np.testing.assert_array_equal(np.sort(rows, axis=1), x)
    np.testing.assert_array_equal(np.sort(columns, axis=0), x)
    np.testing.assert_array_equal(np.sort(all_.ravel()), x.ravel())
    assert stats.chisquare(np.bincount(rows[:, 0] % 4, minlength=4)).pvalue > 1e-3
    drawn = jf.jit(lambda x, r: r.permuted(x, axis=1))(x, jf.random.default_rng(3))
    np.testing.assert_array_equal(drawn, rows)


def test_a_draw_counts_one() -> None:
    rng = jf.random.default_rng(3)
    for number, (draw, _) in enumerate((*CONTINUOUS.values(), *COUNTS.values())):
        assert rng.number == number
        draw(rng, 3)


WRONG: list[tuple[Callable[[Any], Any], str]] = [
    (lambda r: r.gamma(-1.0), "gamma: shape < 0"),
    (lambda r: r.gamma(1.0, -1.0), "gamma: scale < 0"),
    (lambda r: r.beta(0.0, 1.0), "beta: a <= 0"),
    (lambda r: r.poisson([1.0, np.nan]), "poisson: lam < 0, or NaN"),
    (lambda r: r.binomial(-1, 0.5), "binomial: n < 0"),
    (lambda r: r.binomial(3, 1.5), "p > 1"),
    (lambda r: r.geometric(0.0), "geometric: p <= 0"),
    (lambda r: r.zipf(1.0), "zipf: a <= 1"),
    (lambda r: r.triangular(1.0, 0.0, 2.0), "left <= mode <= right"),
    (lambda r: r.dirichlet([1.0, 0.0]), "alpha <= 0"),
    (lambda r: r.dirichlet([[1.0]]), "alpha is a vector"),
    (lambda r: r.hypergeometric(3, 2, 6), "ngood \\+ nbad < nsample"),
    (lambda r: r.hypergeometric(3, -2, 1), "nbad < 0"),
    (lambda r: r.multinomial(3, [0.7, 0.6, 0.0]), "must not exceed 1"),
    (lambda r: r.multinomial(3, [0.7, -0.1]), "p < 0"),
    (lambda r: r.multinomial(-1, [1.0]), "n < 0"),
    (lambda r: r.multinomial(3, 0.5), "its last axis has the ways"),
    (lambda r: r.multivariate_hypergeometric([3, 4], 8), "nsample is 8, and sum\\(colors\\) 7"),
    (lambda r: r.multivariate_hypergeometric([[3]], 1), "colors is a vector"),
    (lambda r: r.multivariate_hypergeometric([3.0], 1), "colors are integers"),
    (lambda r: r.multivariate_hypergeometric([3], 1, method="x"), "'marginals' or 'count'"),
]


@pytest.mark.parametrize(("draw", "message"), WRONG)
def test_what_does_not_fit(draw: Callable[[Any], Any], message: str) -> None:
    rng = jf.random.default_rng(1)
    with pytest.raises(ValueError, match=message):
        draw(rng)
    assert rng.number == 0
