"""Loops before, after and around places where a function needs values and is cut."""

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import TraceError
from jitframe.tracing.fallback import Races
from tests.jit.same import assert_same


@pytest.fixture(autouse=True)
def no_calls_by_python(monkeypatch):
    """Short functions are cut here as well, which Python would answer."""
    monkeypatch.setattr(Races, "may_answer", lambda *_: False)


RNG = np.random.default_rng(3)
DATA = [RNG.normal(size=size) for size in (40, 41, 7, 300)]


def verdict(x):
    """A long loop, then words that values choose."""
    weights = np.abs(x) + 1.0
    for _ in range(200):
        weights = np.clip(weights - 0.01 * (weights - weights.mean()), 0.5, None)
        weights = weights / weights.sum()
    if weights.max() > 0.03:
        return "heavy", weights
    return "even", weights.sum()


def labelled(x):
    """Words that values choose in each turn of a loop."""
    words, total = [], 0.0
    for value in x[:12]:
        for k in range(100):
            total += np.sin(value + k)
        if total > 0:
            words.append("up")
        elif value > 0:
            words.append(f"{len(words)} down")
    return words, total


def of_other_lengths(x):
    """A while loop whose array gets shorter, around one that is compiled."""
    turns = 0
    while x.size > 1 and np.abs(x).max() > 0.1:
        for _ in range(60):
            x = x * 0.99
        x = x[::2] if x.sum() > 0 else x[1:]
        turns += 1
    return x, turns


@pytest.mark.parametrize("function", [verdict, labelled, of_other_lengths])
def test_programs_with_loops_that_need_values(function):
    jitted = jf.jit(function)
    for data in (*DATA, -DATA[0], DATA[0]):
        assert_same(jitted(data.copy()), function(data.copy()), tolerance=1e-12)


def test_a_loop_before_a_cut_stays_a_loop():
    text = str(jf.jit(verdict).explain(DATA[0]))
    assert text.count("for index in range(0, 200)") > 0 and len(jf.jit(verdict).explain(DATA[0]).kernels) < 8


def test_long_loops_keep_no_memory_of_earlier_turns():
    def function(x):
        turns = 0
        while x.max() < 1e4:
            x = x * 1.05 + 0.01
            turns += 1
        return x, turns

    jitted = jf.jit(function)
    for start in (1.0, 0.5, 1.0):
        assert_same(jitted(np.full(4, start)), function(np.full(4, start)), tolerance=1e-12)


def test_inside_of_a_compiled_loop_it_is_an_error():
    def function(x):
        return jf.fori_loop(0, 3, lambda i, y: y + np.ones(int(y[i])).sum(), x)

    with pytest.raises(TraceError, match=r"inside the body of jf\.fori_loop it has no value yet") as caught:
        jf.jit(function)(np.ones(3))
    assert "a Python loop" in caught.value.message


def test_a_value_from_outside_of_a_loop_is_known_in_it():
    def function(x):
        count = np.sum(x > 0)
        return jf.fori_loop(0, 3, lambda i, y: y + np.ones(int(count)).sum(), x)

    assert_same(jf.jit(function)(DATA[0]), DATA[0] + 3.0 * np.sum(DATA[0] > 0))


def test_loops_before_and_after():
    def function(x):
        y, z = jf.fori_loop(0, 3, lambda i, pair: (pair[0] * 1.5, pair[1] + i), (x, x))
        if y.sum() > 0:
            z = z * 2
        return jf.fori_loop(0, 2, lambda i, w: w + y, z)

    def plain(x):
        y, z = x * 1.5**3, x + 3
        return (z * 2 if y.sum() > 0 else z) + 2 * y

    for data in (DATA[0], -DATA[0]):
        assert_same(jf.jit(function)(data), plain(data), tolerance=1e-12)


def marked_rows_changed(x, mask, turns):
    """A mask from around a loop, in it a length that only the mask tells."""
    for _ in range(turns):
        marked = x[mask]
        x[mask] = marked[:, [1, 2, 0]] * 0.5
    return x


def steps_of_one_length(x, width):
    """A length that an array from around two loops holds, which write to another one."""
    for k in range(100):
        for _ in range(20):
            x[0] += np.ones(int(width[0])).sum() * k
    return x


@pytest.mark.parametrize("loop", [marked_rows_changed, steps_of_one_length])
def test_values_from_around_a_loop_that_is_kept(loop):
    jitted = jf.jit(loop)
    for fewest in (0.2, -0.3, 0.2, 4.0):
        data = RNG.normal(size=(40, 3))
        given = (data[:, 0] > fewest, 50) if loop is marked_rows_changed else (np.array([int(fewest) + 2]),)
        expected, found = data.copy(), data.copy()
        assert_same(jitted(found, *given), loop(expected, *given), tolerance=1e-12)
        assert_same(found, expected, tolerance=1e-12)
    explained = jitted.explain(data, *given)
    assert explained.before, "no value was needed"
    assert len(explained.kernels) < 10, "the loop was unrolled"


def test_values_that_a_loop_changes_are_not_those_from_around_it():
    def function(x, mask):
        found = []
        for k in range(5):
            found.append(len(x[mask]))
            mask[k] = False
        return found, mask

    data, mask = np.arange(8.0), np.ones(8, bool)
    assert_same(jf.jit(function)(data, mask.copy()), function(data, mask.copy()))


def test_a_branch_that_is_not_taken_asks_for_no_value():
    def function(x, size):
        for k in range(100):
            if x[0] > 1e6:
                x = x + np.ones(int(size[0])).sum()
            x = x * 0.5 + k
        return x

    sizes = np.array([10**15])  # too many to be made
    assert_same(jf.jit(function)(DATA[0], sizes), function(DATA[0], sizes), tolerance=1e-12)
