"""Python's `random` in jitted functions: its numbers, and its state after."""

import random

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import UnsupportedError
from jitframe.tracing.arguments.signature import is_generator

pytestmark = pytest.mark.usefixtures("strict")


@pytest.fixture(autouse=True)
def _own_state():
    before = random.getstate()
    yield
    random.setstate(before)


def check_calls(function, *arguments, calls=2):
    """As often as that, of one state of the module's generator."""
    jitted = jf.jit(function)
    random.seed(12)
    ours, states = [], []
    for _ in range(calls):
        ours.append(jitted(*arguments))
        states.append(random.getstate())
    random.seed(12)
    for mine, state in zip(ours, states, strict=True):
        np.testing.assert_allclose(mine, function(*arguments), rtol=1e-14)
        assert random.getstate() == state
    return jitted


def test_numbers_in_loops():
    def draw(steps, table):
        out = np.zeros((steps, 16))
        for i in range(steps):
            if random.random() < 0.9:
                out[i, 0] = random.uniform(-1, 3)
                out[i, 1] = random.randint(0, 7)
                out[i, 2] = random.randrange(10 + i)
                out[i, 3] = random.randrange(3, 50, 7)
                out[i, 4] = random.randint(-5, 2**40)
            out[i, 5] = random.gauss(0.5, 2.0)
            out[i, 6] = random.normalvariate(1.0, 0.5)
            out[i, 7] = random.expovariate(0.5)
            out[i, 8] = random.choice(table)
            out[i, 9] = random.choice([1, 2, 5])
            out[i, 10] = random.gauss(0, 1)
            for k, value in enumerate(random.sample(range(30), 4)):
                out[i, 11 + k] = value
        return out

    check_calls(draw, 300, np.arange(6.0))


def test_numbers_outside_of_loops():
    def draw(x):
        values = [1, 2, 3, 4, 5]
        random.shuffle(values)
        y = x.copy()
        random.shuffle(y)
        first, second = random.sample(values, 2)
        noise = [random.gauss(0, 1) for _ in range(5)]
        return (
            np.array(values), y + np.array(noise), first, second, random.triangular(0, 1), random.choice(x),
            random.betavariate(2, 3), random.randint(1, 6),
        )  # fmt: skip

    jitted = jf.jit(draw)
    x = np.linspace(0, 1, 5)
    random.seed(3)
    mine = [jitted(x), jitted(x)]
    random.seed(3)
    for ours in mine:
        for one, other in zip(ours, draw(x), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14)
            assert np.shape(one) == np.shape(other)


def test_a_generator_of_ones_own_and_a_seed():
    def walk(rng, most):
        at = steps = 0
        while abs(at) < most:
            at += rng.choice((-1, 1))
            steps += 1
        return steps

    ours, theirs = random.Random(4), random.Random(4)
    jitted = jf.jit(walk)
    for most in (5, 12, 9):
        assert jitted(ours, most) == walk(theirs, most)
        assert ours.getstate() == theirs.getstate()

    def seeded(seed, steps):
        random.seed(seed)
        inside = 0
        for _ in range(steps):
            if random.random() ** 2 + random.random() ** 2 < 1:
                inside += 1
        return 4 * inside / steps

    jitted = jf.jit(seeded)
    for seed in (1, 2, 1):
        assert jitted(seed, 2000) == seeded(seed, 2000)

    def made(seed, steps):
        rng = random.Random(seed)
        total = 0
        for _ in range(steps):
            if rng.random() < 0.5:
                total += rng.randint(1, 6)
        return total

    assert jf.jit(made)(5, 900) == made(5, 900)


def test_a_class_of_the_users_that_has_the_name_of_a_generators():
    """In a module whose name begins as that of Python's."""

    class Random:
        def random(self):
            return 0.25

    Random.__module__ = "random_models"
    assert not is_generator(Random())
    assert is_generator(random.Random(1)) and is_generator(np.random.default_rng(1))


def test_what_is_refused():
    with pytest.raises(UnsupportedError, match="of objects"):
        jf.jit(lambda x: x * len(random.choice(["a", "bc"])))(np.ones(3))
    with pytest.raises(Exception, match="the system's random numbers"):
        jf.jit(lambda x: x * random.SystemRandom().random())(np.ones(3))
    with pytest.raises(IndexError, match="empty sequence"):
        jf.jit(lambda x: x * random.choice([]))(np.ones(3))
    with pytest.raises(ValueError, match="empty range"):
        jf.jit(lambda n: random.randint(1, n))(0)
