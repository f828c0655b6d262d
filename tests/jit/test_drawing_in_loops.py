"""NumPy's generators in compiled loops and branches, and in front of cuts: its numbers, in its order, and the
generator left as NumPy leaves it."""

import types

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, FallbackWarning, UnsupportedError
from jitframe.tracing.arguments.bit_generators import store_words, words_of
from jitframe.tracing.standins.streams import distributions, mt19937, pcg64, ziggurat

from .test_numpy_random import check_same, state

pytestmark = pytest.mark.usefixtures("strict")


def check_calls(function, make, *arguments, calls=2):
    """As often as that, on one generator; logarithms in a law may make an ulp, also of terms that cancel."""
    jitted = jf.jit(function)
    ours, theirs = make(), make()
    for _ in range(calls):
        mine, other = jitted(ours, *arguments), function(theirs, *arguments)
        np.testing.assert_allclose(mine, other, rtol=1e-14, atol=1e-15)
        assert state(ours) == state(theirs)
    return jitted


def of_generator(rng, steps, odds, table):
    out = np.zeros((steps, 24))
    for i in range(steps):
        if rng.random() < 0.9:
            out[i, 0] = rng.uniform(-2, 3)
            out[i, 1] = rng.integers(7)
            out[i, 2] = rng.integers(3, 3 + i + 1)
            out[i, 3] = rng.integers(0, 10, endpoint=True)
            out[i, 4] = rng.integers(2**40)
            out[i, 5] = rng.integers(2**62 + 12345)
            out[i, 6] = rng.integers(5, 6)
        out[i, 7] = rng.standard_normal()
        out[i, 8] = rng.normal(1.5, 0.1 * i)
        out[i, 9] = rng.lognormal(0.1, 0.3)
        out[i, 10] = rng.exponential(2.5)
        out[i, 11] = rng.standard_exponential()
        while rng.random() < 0.5:
            out[i, 12] += rng.laplace(1, 2)
            out[i, 13] += rng.logistic(1, 2)
            out[i, 14] += rng.gumbel(1, 2)
        out[i, 15] = rng.choice(10)
        out[i, 16] = rng.choice(table)
        out[i, 17] = rng.choice(table, p=odds)
    return out


def of_generator_many(rng, steps, odds, table):
    out = np.zeros((steps, 24))
    for i in range(steps):
        if rng.random() < 0.9:
            out[i, :5] = rng.random(5)
            out[i, 5:11] = rng.normal(size=(2, 3)).ravel()
            out[i, :4] += rng.normal(table[:4], 2)
            out[i, 4:10] += rng.integers(0, 9, size=6)
        out[i, 11:15] = rng.choice(10, 4, replace=False)
        out[i, 15:18] = rng.choice(6, 3, replace=False, shuffle=False)
        out[i, 18:] = rng.permutation(table)
        out[i, :3] -= rng.choice(table, 3, p=odds)
    return out


def of_legacy(rng, steps, odds, table):
    out = np.zeros((steps, 24))
    for i in range(steps):
        if rng.rand() < 0.9:
            out[i, 0] = rng.random_sample()
            out[i, 1] = rng.randint(9)
            out[i, 2] = rng.randint(2, 50 + i)
            out[i, 3] = rng.randn()
            out[i, 4] = rng.normal(1, 2)
        out[i, 5] = rng.exponential(2.0)
        out[i, 6] = rng.standard_normal()
        out[i, 7] = rng.choice(table)
        out[i, 8] = rng.randint(2**40 + 1)
        out[i, 9:12] = rng.rand(3)
        out[i, 12:15] = rng.choice(10, 3, replace=False)
        out[i, 15:] = rng.permutation(9)
    return out


ODDS = np.array([0.1, 0.1, 0.2, 0.2, 0.15, 0.25])
TABLE = np.arange(6) * 1.5


@pytest.mark.parametrize("draw", [of_generator, of_generator_many])
def test_laws_of_a_generator(draw):
    check_calls(draw, lambda: np.random.default_rng(5), 500, ODDS, TABLE)


def test_laws_of_a_random_state():
    check_calls(of_legacy, lambda: np.random.RandomState(5), 400, ODDS, TABLE)


def test_tails_and_edges_of_the_ziggurats():
    """Of 100,000 draws some 27 are of the normal tail, and 1,000 decided by the density."""

    def sums(rng, steps):
        total = largest = 0.0
        for _ in range(steps):
            x = rng.standard_normal()
            y = rng.standard_exponential()
            total += x * y
            if max(abs(x), y) > largest:
                largest = max(abs(x), y)
        return total, largest

    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    found = jf.jit(sums)(ours, 50_000)
    many = np.array([(theirs.standard_normal(), theirs.standard_exponential()) for _ in range(50_000)])
    assert found[1] == np.abs(many).max()
    assert found[0] == pytest.approx(np.prod(many, axis=1).sum(), rel=1e-9)
    assert state(ours) == state(theirs)


def test_laws_are_plain_python_as_well():
    """Over words that Python computes, without a trace."""
    rng = np.random.default_rng(11)
    words = words_of(rng)
    stream = types.SimpleNamespace(
        next_word=lambda: pcg64.next_word(words),
        next_half=lambda: pcg64.next_half(words),
        next_double=lambda: pcg64.next_double(words),
        normal_layers=ziggurat.normal_layers(),
        per_end=1 / ziggurat.NORMAL_END,
        normal_end=ziggurat.NORMAL_END,
    )
    with np.errstate(over="ignore"):
        assert [distributions.ziggurat_normal(stream) for _ in range(50)] == rng.standard_normal(50).tolist()
        assert [int(distributions.below(stream, np.uint64(9))) for _ in range(9)] == rng.integers(
            10, size=9
        ).tolist()
    twister = np.random.RandomState(3)
    words = words_of(twister)
    with np.errstate(over="ignore"):
        found = [mt19937.next_double(words) for _ in range(700)]
    assert found == twister.random_sample(700).tolist()


def test_words_are_left_as_numpy_leaves_them():
    """At any place among the 624 words of a Mersenne Twister."""
    ours, theirs = np.random.RandomState(7), np.random.RandomState(7)
    words = words_of(ours)
    with np.errstate(over="ignore"):
        for draws in (1, 310, 2, 40, 70, 113, 88, 312, 1):
            theirs.random_sample(draws)
            for _ in range(draws):
                mt19937.next_double(words)
            store_words(ours, words)
            assert state(ours) == state(theirs)


def test_numbers_are_of_the_types_that_numpy_gives():
    def draw(rng, x):
        found = (1.0, np.int64(1), 1.0, 1.0, 1, 1.0)
        for _ in range(600):
            if rng.random() < 0.5:
                found = (
                    rng.normal(x, 1.0), rng.integers(5), rng.uniform(x, 2.0), rng.exponential(),
                    rng.choice(5), rng.random(),
                )  # fmt: skip
        return found

    rng = np.random.default_rng
    check_same(jf.jit(draw)(rng(1), np.float64(0.5)), draw(rng(1), np.float64(0.5)))


def test_metropolis():
    def ising(spins, beta, rng, steps):
        n = spins.shape[0]
        flips = 0
        for _ in range(steps):
            i, j = rng.integers(n), rng.integers(n)
            near = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
            change = 2 * spins[i, j] * near
            if change <= 0 or rng.random() < np.exp(-beta * change):
                spins[i, j] = -spins[i, j]
                flips += 1
        return flips

    start = np.random.default_rng(0).choice([-1, 1], (16, 16))
    mine, other = start.copy(), start.copy()
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    jitted = jf.jit(ising)
    assert jitted(mine, 0.44, ours, 3000) == ising(other, 0.44, theirs, 3000)
    np.testing.assert_array_equal(mine, other)
    assert state(ours) == state(theirs)
    assert len(jitted.explain(mine, 0.44, ours, 3000).kernels) <= 4


class Walker:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.at = 0

    def walk(self, most):
        steps = 0
        while abs(self.at) < most:
            self.at += 1 if self.rng.random() < 0.5 else -1
            steps += 1
        return steps


def test_a_generator_that_an_object_holds():
    ours, theirs = Walker(1), Walker(1)
    walk = jf.jit(Walker.walk)
    for most in (10, 20):
        assert walk(ours, most) == theirs.walk(most)
        assert ours.at == theirs.at
        assert state(ours.rng) == state(theirs.rng)


def test_a_generator_made_inside():
    def first_above(seed, limit):
        rng = np.random.default_rng(seed)
        count = 0
        while rng.normal() < limit:
            count += 1
        return count

    jitted = jf.jit(first_above)
    for seed in (1, 2, 1):
        assert jitted(seed, 2.5) == first_above(seed, 2.5)


def test_the_global_generator():
    def count(seed, steps):
        np.random.seed(seed)
        inside = 0
        for _ in range(steps):
            x, y = np.random.rand(), np.random.uniform(-1, 1)
            if x * x + y * y < 1:
                inside += 1
        return inside, np.random.randint(10)

    before = np.random.get_state()
    try:
        jitted = jf.jit(count)
        for seed in (1, 2):
            mine, after = jitted(seed, 600), np.random.rand()
            assert mine == count(seed, 600)
            assert after == np.random.rand()
    finally:
        np.random.set_state(before)


def test_what_has_no_law_here_is_numpys_before_and_after_the_loop():
    def draw(rng, steps):
        counts = rng.poisson(3.0, 4)
        total = 0.0
        for _ in range(steps):
            if rng.random() < 0.5:
                total += rng.normal()
        return counts, total, rng.poisson(2.0, 5), rng.random(3), rng.binomial(5, 0.5)

    ours, theirs = np.random.default_rng(8), np.random.default_rng(8)
    jitted = jf.jit(draw)
    for steps in (700, 900):
        for mine, other in zip(jitted(ours, steps), draw(theirs, steps), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-14, atol=1e-15)
        assert state(ours) == state(theirs)


def test_parameters_are_checked_where_they_are_computed():
    def draw(rng, low, high):
        total = 0
        for k in range(600):
            if rng.random() < 0.5:
                total += rng.integers(low + k, high)
        return total

    with pytest.raises(ValueError, match="low >= high"):
        jf.jit(draw)(np.random.default_rng(1), 0, 300)


def test_one_generator_by_two_names():
    def draw(one, other, steps):
        total = 0.0
        for _ in range(steps):
            if one.random() < 0.5:
                total += other.random()
        return total

    jitted = jf.jit(draw)
    ours, theirs = (
        [np.random.default_rng(1), np.random.default_rng(2)],
        [np.random.default_rng(1), np.random.default_rng(2)],
    )
    assert jitted(*ours, 600) == draw(*theirs, 600)
    assert list(map(state, ours)) == list(map(state, theirs))
    with pytest.raises(ArgumentError, match="draws from one bit generator by two names"):
        jitted(ours[0], ours[0], 600)


def test_another_kind_of_generator_is_another_trace():
    def draw(rng, steps):
        total = 0.0
        for _ in range(steps):
            if rng.random() < 0.5:
                total += rng.normal() - rng.integers(7)
        return total

    jitted = jf.jit(draw)
    for make in (np.random.PCG64, np.random.MT19937, np.random.PCG64):
        ours, theirs = np.random.Generator(make(4)), np.random.Generator(make(4))
        assert jitted(ours, 700) == draw(theirs, 700)


def clusters(points, rng, count):
    centers = points[rng.choice(len(points), count, replace=False)].copy()
    for step in range(20):  # noqa: B007 # it is returned
        nearest = ((points[:, None] - centers[None]) ** 2).sum(-1).argmin(1)
        means = np.array(
            [
                points[nearest == k].mean(0) if np.any(nearest == k) else rng.normal(size=2)
                for k in range(count)
            ]
        )
        if np.allclose(means, centers):
            break
        centers = means
    return nearest, centers, step, rng.integers(100)


def test_a_cut_after_draws():
    """The values that decide follow from what was drawn: each call meets others."""
    points = np.random.default_rng(0).normal(size=(60, 2))
    ours, theirs = np.random.default_rng(4), np.random.default_rng(4)
    jitted = jf.jit(clusters)
    for _ in range(5):
        for mine, other in zip(jitted(points, ours, 4), clusters(points, theirs, 4), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)
        assert state(ours) == state(theirs)
    for seed in (7, 7, 8):  # a call that meets known values draws once, too
        ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
        check_same(jitted(points, ours, 4)[0], clusters(points, theirs, 4)[0])
        assert state(ours) == state(theirs)


def test_a_cut_after_all_draws():
    """The program after the last cut draws nothing any more."""

    def largest(x, seed, count):
        start = x[np.random.default_rng(seed).choice(len(x), count, replace=False)]
        kept = start[start > start.mean()]
        return kept.sum() if len(kept) > 1 else start.sum()

    x = np.random.default_rng(0).normal(size=40)
    jitted = jf.jit(largest)
    for seed in (1, 2, 1, 3, 2, 1):
        assert jitted(x, seed, 6) == pytest.approx(largest(x, seed, 6), rel=1e-14)


def test_python_draws_anew_what_a_trace_has_drawn_before_it_was_refused():
    def draw(rng, x):
        start = rng.random(3)
        kept = x[x > start[0]]
        if kept.sum() > 1:
            return kept.sum(), rng.bytes(2), rng.random()
        return kept.sum(), b"", rng.random()

    x = np.linspace(0, 1, 9)
    ours, theirs = np.random.default_rng(2), np.random.default_rng(2)
    before = state(ours)
    with pytest.raises(UnsupportedError):
        jf.jit(draw)(ours, x)
    assert state(ours) == before
    settings = jf.settings.configure(strict=False)
    try:
        jitted = jf.jit(draw)
        with pytest.warns(FallbackWarning):
            check_same(jitted(ours, x), draw(theirs, x))
        for _ in range(5):
            check_same(jitted(ours, x), draw(theirs, x))
            assert state(ours) == state(theirs)
    finally:
        jf.settings.restore(settings)
