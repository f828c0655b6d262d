"""jf.random: known answers, distributions, one stream on all devices, lazily and in jitted functions."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, BackendError, DTypeError, ShapeError, TraceError, UnsupportedError
from jitframe.ir.ops.randomness import philox_words

stats = pytest.importorskip("scipy.stats")
COUNT = 100_000


@pytest.fixture(params=["cpu", "opencl", "webgpu"])
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    try:
        jf.zeros(1, device=name).numpy()
    except BackendError as missing:
        pytest.skip(str(missing))
    return name


def test_known_answers() -> None:
    """Those of Random123's kat_vectors for philox4x32 with 10 rounds."""
    ones, pi = (1 << 32) - 1, (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
    for counter, key, wanted in (
        ((0,) * 4, (0,) * 2, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ones,) * 4, (ones,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (pi, (0xA4093822, 0x299F31D0), (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ):
        assert philox_words(counter, key) == wanted


def test_numbers_are_words_of_key_and_number() -> None:
    """What each method makes of them, written out."""
    key, number = 0x0123456789ABCDEF, (5 << 32) + 7
    place = np.arange(1000, dtype=np.uint64)
    counter = place, place * 0, place * 0 + (number & 0xFFFFFFFF), place * 0 + (number >> 32)
    words = philox_words(counter, (np.uint64(key & 0xFFFFFFFF), np.uint64(key >> 32)))
    w0, w1, w2, w3 = (word.astype(float) for word in words)
    u = (np.floor(w0 / 32) * 2**26 + np.floor(w1 / 64)) / 2**53
    v = (np.floor(w2 / 32) * 2**26 + np.floor(w3 / 64)) / 2**53

    def rng() -> Any:
        return jf.random.Generator(key, number)

    np.testing.assert_array_equal(rng().random(1000).numpy(), u)
    np.testing.assert_array_equal(rng().random((20, 50)).numpy(), u.reshape(20, 50))
    low = np.floor(w0 / 256) / 2**24
    np.testing.assert_array_equal(rng().random(1000, dtype="float32").numpy(), low.astype(np.float32))
    assert (np.abs(u - low) < 2**-24).all()
    exponential = -np.log(u + 2.0**-53)
    np.testing.assert_allclose(rng().standard_exponential(1000).numpy(), exponential, rtol=1e-14)
    normal = np.sqrt(2 * exponential) * np.cos(2 * np.pi * v)
    np.testing.assert_allclose(rng().standard_normal(1000).numpy(), normal, rtol=0, atol=1e-14)
    exact = [int(a) << 32 | int(b) for a, b in zip(words[0], words[1], strict=True)]
    for span in (1, 2, 6, 1000, (1 << 31) + 1, (1 << 32) - 1):
        wanted = [each * span >> 64 for each in exact]
        np.testing.assert_array_equal(rng().integers(span, size=1000).numpy(), wanted)
    wide = [a << 64 | int(c) << 32 | int(d) for a, c, d in zip(exact, words[2], words[3], strict=True)]
    for span in ((1 << 32) + 1, 10**18, (1 << 63) - 1):
        wanted = [each * span >> 128 for each in wide]
        np.testing.assert_array_equal(rng().integers(-5, span - 5, size=1000).numpy(), np.array(wanted) - 5)
    np.testing.assert_array_equal(rng().integers(1 << 32, size=1000, dtype="uint64").numpy(), words[0])
    whole = rng().integers(0, 1 << 64, size=1000, dtype="uint64").numpy()
    np.testing.assert_array_equal(whole, np.array(exact, np.uint64))
    assert rng().number == number and rng().key == key


DRAWS: dict[str, Callable[[Any], Any]] = {
    "random": lambda rng: rng.random(50, dtype="float32"),
    "grid": lambda rng: rng.random((5, 3, 4), dtype=np.float32),
    "nothing": lambda rng: rng.random((3, 0), dtype="float32"),
    "one": lambda rng: rng.random(dtype="float32"),
    "integers": lambda rng: rng.integers(-7, 1000, size=50, dtype="int32"),
    "small": lambda rng: rng.integers(-128, 128, size=50, dtype="int8"),
    "all": lambda rng: rng.integers(0, 1 << 32, size=50, dtype="uint32"),
    "bool": lambda rng: rng.integers(0, 2, size=50, dtype=bool),
    "bounds": lambda rng: rng.integers(np.int32([0, 5]), np.int32([[8], [9]]), endpoint=True, dtype="int32"),
    "bernoulli": lambda rng: rng.bernoulli(0.25, (3, 4)),
    "choice": lambda rng: rng.choice(np.arange(5, dtype="float32"), (2, 3)),
    "weighted": lambda rng: rng.choice(4, 50, p=np.array([0.125, 0.5, 0.25, 0.125], "float32")),
    "sample": lambda rng: rng.choice(10, 4, replace=False),
    "permutation": lambda rng: rng.permutation(9),
    "rows": lambda rng: rng.permutation(np.arange(12, dtype="float32").reshape(4, 3)),
    "child": lambda rng: rng.spawn(2)[1].random(3, dtype="float32"),
}
NEARLY: dict[str, Callable[[Any], Any]] = {
    "normal": lambda rng: rng.standard_normal(50, dtype="float32"),
    "exponential": lambda rng: rng.standard_exponential(50, dtype="float32"),
}


def test_one_stream_on_all_devices(device: str) -> None:
    """By their bits, but for what `log` and `cos` have in it."""
    for several, check in ((DRAWS, np.testing.assert_array_equal), (NEARLY, _within_ulps)):
        ours, theirs = jf.random.default_rng(3, device=device), jf.random.default_rng(3, device="cpu")
        for name, draw in several.items():
            mine = draw(ours)
            assert mine.device == device, name
            check(mine.numpy(), draw(theirs).numpy(), err_msg=name)
        assert ours.number == theirs.number


def _within_ulps(x: np.ndarray, y: np.ndarray, err_msg: str) -> None:
    np.testing.assert_allclose(x, y, rtol=1e-5, atol=2e-6, err_msg=err_msg)


def test_fused_and_chunked_alike() -> None:
    """Whatever is asked for together, and in whatever pieces."""
    n = 3000
    alone = jf.random.default_rng(9).random(n).numpy()
    rng = jf.random.default_rng(9)
    x = rng.random(n)
    y = rng.random(n)
    z = jf.exp(x) * 2 + y
    np.testing.assert_array_equal(z.numpy(), (jf.exp(jf.asarray(alone)) * 2).numpy() + y.numpy())
    np.testing.assert_array_equal(x[100:200].numpy(), alone[100:200])
    np.testing.assert_array_equal(jf.random.default_rng(9).random((30, 100))[7].numpy(), alone[700:800])
    assert len(jf.explain((jf.random.default_rng(9).normal(size=n) * 2 + 1).sum()).kernels) == 1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions(dtype: str) -> None:
    """Moments and Kolmogorov-Smirnov tests, with fixed seeds: they either pass always or never."""
    rng = jf.random.default_rng(12)
    u = rng.random(COUNT, dtype=dtype).numpy()
    z = rng.standard_normal(COUNT, dtype=dtype).numpy()
    e = rng.standard_exponential(COUNT, dtype=dtype).numpy()
    assert u.dtype == z.dtype == e.dtype == dtype
    assert u.min() >= 0 and u.max() < 1 and (e >= 0).all() and np.isfinite(z).all()
    for sample, law in ((u, "uniform"), (z, "norm"), (e, "expon")):
        assert stats.kstest(sample.astype(float), law).pvalue > 1e-3, law
        frozen = getattr(stats, law)()
        mean, variance, skew, kurtosis = frozen.stats("mvsk")
        deviation = np.sqrt(variance / COUNT)
        assert abs(sample.mean() - mean) < 4 * deviation
        assert abs(sample.var() / variance - 1) < 4 * np.sqrt((kurtosis + 2) / COUNT)
        assert abs(stats.skew(sample) - skew) < 0.1
        for lag in (1, 2, 3, 7, 64):
            correlation = np.corrcoef(sample[:-lag], sample[lag:])[0, 1]
            assert abs(correlation) < 4 / np.sqrt(COUNT), (law, lag)


def test_scaled_distributions() -> None:
    rng = jf.random.default_rng(4)
    for sample, law in (
        (rng.uniform(-2, 5, COUNT), stats.uniform(-2, 7)),
        (rng.normal(3, 0.5, COUNT), stats.norm(3, 0.5)),
        (rng.exponential(2.5, COUNT), stats.expon(scale=2.5)),
        (rng.lognormal(0.5, 0.25, COUNT), stats.lognorm(0.25, scale=np.exp(0.5))),
        (rng.laplace(1, 2, COUNT), stats.laplace(1, 2)),
    ):
        assert stats.kstest(sample.numpy(), law.cdf).pvalue > 1e-3, law.dist.name
    counts = np.bincount(rng.binomial(8, 0.3, COUNT).numpy(), minlength=9)
    assert stats.chisquare(counts, stats.binom(8, 0.3).pmf(np.arange(9)) * COUNT).pvalue > 1e-3
    assert abs(rng.bernoulli(0.2, COUNT).numpy().mean() - 0.2) < 0.006
    mean, cov = np.array([1.0, -2.0, 0.5]), np.array([[2.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 0.5]])
    vectors = rng.multivariate_normal(mean, cov, COUNT).numpy()
    np.testing.assert_allclose(vectors.mean(axis=0), mean, atol=0.02)
    np.testing.assert_allclose(np.cov(vectors.T), cov, atol=0.03)
    assert rng.multivariate_normal(mean, cov).shape == (3,)
    drawn = jf.jit(lambda m, c, r: r.multivariate_normal(m, c, (2, 2)))(mean, cov, jf.random.default_rng(1))
    other = jf.random.default_rng(1).multivariate_normal(mean, cov, (2, 2))
    np.testing.assert_allclose(drawn, other.numpy(), rtol=1e-12)
    rows = rng.normal(np.array([0.0, 100.0]), [[1.0], [2.0]]).numpy()
    assert rows.shape == (2, 2) and (rows[:, 1] > 50).all()
    assert rng.normal(jf.zeros((3, 1)), jf.ones(2)).shape == (3, 2)


def test_integers_are_even() -> None:
    rng = jf.random.default_rng(6)
    for span in (2, 3, 10, 100):
        counts = np.bincount(rng.integers(span, size=COUNT).numpy(), minlength=span)
        assert stats.chisquare(counts).pvalue > 1e-3
    large = rng.integers(-(1 << 62), 1 << 62, size=COUNT).numpy().astype(float) / 2.0**62
    assert stats.kstest(large, stats.uniform(-1, 2).cdf).pvalue > 1e-3
    bits = rng.integers(0, 1 << 32, size=COUNT, dtype="uint32").numpy()
    for bit in range(32):  # each bit alone
        assert abs((bits >> bit & 1).mean() - 0.5) < 4 * 0.5 / np.sqrt(COUNT)
    keys = [jf.random.default_rng(seed).random().item() for seed in range(2000)]  # seeds beside each other
    assert stats.kstest(keys, "uniform").pvalue > 1e-3
    for dtype, low, high in (("int8", -128, 128), ("uint16", 0, 1 << 16), ("int64", -(1 << 63), 1 << 63)):
        found = rng.integers(low, high, size=1000, dtype=dtype).numpy()
        assert found.dtype == dtype and int(found.min()) < low * 0.9 + high * 0.1 and found.max() > high * 0.9


def test_choices_and_orders() -> None:
    rng = jf.random.default_rng(8)
    weights = np.array([0.1, 0.0, 0.6, 0.3])
    counts = np.bincount(rng.choice(4, COUNT, p=weights).numpy(), minlength=4)
    assert counts[1] == 0 and stats.chisquare(counts[[0, 2, 3]], weights[[0, 2, 3]] * COUNT).pvalue > 1e-3
    assert sorted(rng.choice(10, 10, replace=False).tolist()) == list(range(10))
    places = np.array([rng.permutation(4).tolist() for _ in range(400)])
    for row in places.T:
        assert stats.chisquare(np.bincount(row, minlength=4)).pvalue > 1e-3
    x, y = np.arange(6), jf.arange(6)
    rng.shuffle(x)
    rng.shuffle(y)
    assert sorted(x) == sorted(y.tolist()) == list(range(6))
    square = np.arange(12).reshape(3, 4)
    columns = rng.permutation(square, axis=1).numpy()
    assert sorted(map(tuple, columns.T.tolist())) == sorted(map(tuple, square.T.tolist()))
    assert rng.choice(square, 2, axis=1).shape == (3, 2)


def test_generators() -> None:
    rng = jf.random.default_rng(1)
    rng.random(5)
    assert rng.number == 1
    for twin in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert (twin.key, twin.number) == (rng.key, rng.number)
        np.testing.assert_array_equal(
            twin.random(3).numpy(), jf.random.Generator(rng.key, 1).random(3).numpy()
        )
    assert rng.number == 1 and jf.random.default_rng(rng) is rng
    assert jf.random.default_rng().key != jf.random.default_rng().key
    children = [rng, *rng.spawn(20), *rng.spawn(20)]
    assert len({child.key for child in children}) == 41
    a, b = (child.random(COUNT).numpy() for child in children[1:3])
    assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(COUNT)


def test_what_is_refused() -> None:
    rng = jf.random.default_rng(1)

    def refused(draw: Callable[[], Any], error: type[Exception], words: str) -> None:
        before = rng.number
        with pytest.raises(error, match=words):
            draw()
        assert rng.number == before

    refused(lambda: jf.random.default_rng(-1), ArgumentError, "from 0 to")
    refused(lambda: jf.random.default_rng(1 << 64), ArgumentError, "from 0 to")
    refused(lambda: jf.random.default_rng("seed"), DTypeError, "seed is an integer")
    refused(lambda: rng.random(-1), ArgumentError, "negative dimensions")
    refused(lambda: rng.random(3, dtype="int32"), DTypeError, "float32 or float64")
    refused(lambda: rng.normal(0, -1.0), ArgumentError, "scale < 0")
    refused(lambda: rng.integers(3, 3), ArgumentError, "low >= high")
    refused(lambda: rng.integers(0, 300, dtype="int8"), ArgumentError, "out of bounds for int8")
    refused(lambda: rng.integers(3, dtype="float32"), DTypeError, "for integers")
    refused(lambda: rng.bernoulli(1.5), ArgumentError, "p > 1")
    refused(lambda: rng.binomial(-1, 0.5), ArgumentError, "n < 0")
    refused(lambda: rng.multivariate_normal([0.0], [[1.0, 0], [0, 1]]), ShapeError, r"\(d,\) and \(d, d\)")
    refused(lambda: rng.choice(0, 2), ArgumentError, "positive")
    refused(lambda: rng.choice(3, 4, replace=False), ArgumentError, "larger sample")
    refused(lambda: rng.choice(2, 4, p=[0.5, 0.6]), ArgumentError, "sum to 1")
    refused(lambda: rng.choice(2, 4, p=[1.0]), ArgumentError, "same size")
    refused(lambda: rng.choice(2, 1, replace=False, p=[0.5, 0.5]), UnsupportedError, "replacement")
    refused(lambda: rng.shuffle([1, 2]), DTypeError, "takes an array")
    refused(
        lambda: jf.jit(lambda x: jf.random.default_rng(1))(np.ones(3)), TraceError, "that it made; make it"
    )
