"""Numbers that loops draw are NumPy's, and so is the state of the generator, drawn one by one or at once."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same


def uniform(rng, n):
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y <= 1:
            inside += 1
    return inside


def vectors(rng, n):
    total = np.zeros(2)
    for _ in range(n):
        total = total + rng.random(2) * rng.random()
    return total


def walk(rng, n):
    place = 0.0
    for _ in range(n):
        place += rng.normal(0.5, 2.0)
    return place


def of_an_array(rng, n):
    place = np.zeros(3)
    for _ in range(n):
        place = place + rng.normal(np.array([0.0, 1.0, 2.0]), 1.0)
    return place


def mixed(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.normal() + rng.random() + rng.integers(0, 5)
    return total


def nested(rng, n):
    total = 0.0
    for _ in range(n):
        for _ in range(7):
            total += rng.standard_normal()
        total += rng.exponential(2.0)
    return total


def single(rng, n):
    total = np.float32(0)
    for _ in range(n):
        total += rng.random(dtype=np.float32)
    return total


@pytest.mark.parametrize("function", [uniform, vectors, walk, of_an_array, mixed, nested, single])
@pytest.mark.parametrize("count", [1, 60, 200])
def test_draws_in_loops(function, count):
    jitted = jf.jit(function)
    for seed in range(2):
        mine, its = np.random.default_rng(seed), np.random.default_rng(seed)
        assert_same(jitted(mine, count), function(its, count))
        assert mine.random() == its.random() and mine.bit_generator.state == its.bit_generator.state
    if function is not single:
        mine, its = np.random.RandomState(3), np.random.RandomState(3)
        if function not in (vectors, uniform, mixed):
            assert_same(jitted(mine, count), function(its, count))
            assert mine.random_sample() == its.random_sample()


def test_a_returned_draw_is_new_memory_at_each_call() -> None:
    def drawn_twice(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        draw = rng.standard_normal((3, 2))
        return draw, draw.copy(), draw.T, draw

    jitted = jf.jit(drawn_twice)
    ours, theirs = np.random.default_rng(3), np.random.default_rng(3)
    earlier: list[np.ndarray] = []
    for _ in range(3):
        found, expected = jitted(ours), drawn_twice(theirs)
        for each, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(each, other)
            assert each.flags.writeable
            assert np.shares_memory(found[0], each) == np.shares_memory(expected[0], other)
        assert not any(np.shares_memory(found[0], each) for each in earlier)
        earlier.append(found[0])
        found[0][:] = np.nan


def test_a_returned_draw_is_not_copied() -> None:
    """The array that the generator filled is the result: there is no plan."""
    jitted = jf.jit(lambda rng: rng.standard_normal(1000))
    jitted(np.random.default_rng(1))
    explanation = jitted.explain(np.random.default_rng(1))
    assert "nothing to compute: it returns what it was given and random numbers" in str(explanation)
