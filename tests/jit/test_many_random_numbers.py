"""Many numbers of NumPy's PCG64, which kernels draw: NumPy's numbers, bit for bit, and its state after."""

import numpy as np
import pytest

import jitframe as jf

from .test_numpy_random import check_calls, state


@pytest.fixture
def many(monkeypatch):
    """Draws that kernels make of many numbers; each gives what it made, or None where NumPy drew."""
    from jitframe.tracing.standins.streams import many

    found, drawn = [], many.drawn
    monkeypatch.setattr(many, "LEAST", 1500)  # rows are of 512
    monkeypatch.setattr(many, "drawn", lambda *given: found.append(drawn(*given)) or found[-1])
    return found


RANGES = [
    (0, 2),
    (-3, 1 << 20),
    (0, 1000),
    (5, (1 << 31) + 12),
    (-(1 << 63), 3_000_000_000 - (1 << 63)),
    (0, (1 << 32) - 1),
]


@pytest.mark.parametrize("size", [1501, 2048, (3, 700)], ids=str)
def test_many_numbers_of_pcg64(many, size):
    """They are NumPy's, as is the state after; of integers a half of a word may be left, or some be refused
    and drawn again."""

    def function(rng):
        made = [rng.random(size), rng.uniform(-1.5, 2.0, size=size)]
        for low, high in RANGES:
            made += [rng.integers(low, high, size), rng.random(3)]
        return [
            *made,
            rng.integers(0, 5, size, endpoint=True),
            rng.integers(7, size=size),
            rng.normal(size=3),
        ]

    for seed in range(4):
        check_calls(function, lambda seed=seed: np.random.default_rng(seed))
    drawn = [each for each in many if each is not None]
    assert len(drawn) == 4 * 2 * (len(RANGES) + 4), "all but the few are drawn by kernels"


def test_the_half_that_was_left_is_any(many):
    """Other words may have been drawn since."""

    def function(rng):
        first = rng.integers(0, 1000, 1501)
        return first, rng.random(2000), rng.integers(0, 3, 1501), rng.integers(0, 3, 1502)

    check_calls(function, lambda: np.random.default_rng(3), calls=3)
    assert all(each is not None for each in many)


def test_what_numpy_draws_of_many(many):
    """Other dtypes, ranges and generators; what is refused is NumPy's error, and nothing was drawn."""

    def function(rng):
        return (
            rng.random(2000, dtype=np.float32), rng.integers(0, 9, 2000, dtype=np.int32),
            rng.integers(0, 1 << 40, 2000), rng.integers(5, 6, 2000), rng.uniform([0.0, 1.0], 2.0, (1000, 2)),
        )  # fmt: skip

    check_calls(function, lambda: np.random.default_rng(3))
    check_calls(lambda rng: rng.random(2000), lambda: np.random.Generator(np.random.PCG64DXSM(3)))
    for refused in (lambda rng: rng.uniform(0.0, np.inf, 2000), lambda rng: rng.integers(3, 3, 2000)):
        rng = np.random.default_rng(3)
        before = state(rng)
        with pytest.raises((OverflowError, ValueError)) as caught:
            jf.jit(refused)(rng)
        with pytest.raises((OverflowError, ValueError)) as wanted:
            refused(rng)
        assert str(caught.value).startswith(str(wanted.value)) and state(rng) == before
    assert all(each is None for each in many)
