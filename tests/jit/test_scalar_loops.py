"""Loops over single numbers: what hardly ever happens costs little; branches that compute little are none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.text import kernel_text
from tests.jit.same import check
from tests.lower.programs import ready_of


def nest(function: Callable[..., Any], *arguments: Any) -> str:
    """The text of the kernel that a function's loops are."""
    kernels = ready_of(function, *arguments).template.lowered.plan.kernels
    (found,) = [kernel_text(each) for each in kernels if each.name in ("loop_nest", "while_nest")]
    return found


def longest_chain(limit):
    best, found = 0, 0
    for n in range(1, limit[0]):
        k, steps = n, 0
        while k != 1:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            steps += 1
        if steps > best:
            best, found = steps, n
    return best, found


def test_whether_integers_grow_is_no_state_of_a_loop():
    """Of the inner ones are k, steps, whether it goes on, and how many iterations there were, or whether
    there may be more of them."""
    text = nest(longest_chain, np.array([50]))
    assert [line.count(",") for line in text.splitlines() if " = while " in line] == [6, 6]
    assert text.count("atomic") == 1  # of 3 * k; where that has room, so has 3 * k + 1
    check(longest_chain, np.array([50]))


def odd_steps(x):
    """Only odd numbers are multiplied."""
    total = 0
    for k in x:
        k = int(k)
        if k % 2:
            k = 3 * k + 1
        total ^= k
    return total


GREATEST = (1 << 63) - 1


@pytest.mark.parametrize(
    "given", [GREATEST // 3 - 1, GREATEST // 3, GREATEST // 3 + 1, GREATEST, -GREATEST - 1]
)
def test_what_is_not_computed_does_not_grow(given):
    jitted, x = jf.jit(odd_steps), np.array([given, 4])
    for _ in range(3):
        assert jitted(x) == odd_steps(x)


@pytest.mark.parametrize("added", [1, 2, 7, -1, -7, GREATEST, -GREATEST])
def test_sums_with_a_known_number(added):
    def sums(x):
        total, less = 0, 0
        for each in x:
            total ^= int(each) + added
            less ^= int(each) - added
        return total, less

    jitted = jf.jit(sums)
    for near in (GREATEST - abs(added), -GREATEST - 1 + abs(added), 0):
        for off in (-1, 0, 1):
            x = np.array([min(max(near + off, -GREATEST - 1), GREATEST)])
            assert jitted(x) == sums(x)


def checked_in_a_loop(x, n):
    """What may grow does not change in the loop, whether it is computed does."""
    total = 0
    for k in x:
        if k > 3:
            total = (total + int(n[0]) * 3) % 1000
    return total


def test_checks_of_what_does_not_change_in_a_loop():
    for n in (4, GREATEST // 3, GREATEST):
        for x in (np.arange(9), np.arange(3)):
            jitted, given = jf.jit(checked_in_a_loop), np.array([n])
            for _ in range(2):
                assert jitted(x, given) == checked_in_a_loop(x, given)


def threshold(image, out, t):
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] > t:
                out[i, j] = 255
            elif image[i, j] == 7:
                out[i, j] = image[i, j] + 1
            else:
                out[i, j] = 0
    return out


def longest_common(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table[len(a), len(b)]


def two_places(x, y):
    """No selection: the arms write to two places."""
    for i in range(len(x) - 1):
        if x[i] > 0.5:
            y[i] = x[i + 1]
        else:
            y[i + 1] = x[i]
    return y


def two_arrays(x, y):
    for i in range(1, len(x)):
        if x[i] > x[i - 1]:
            x[i] = x[i - 1]
            y[i] = 1
        else:
            y[i] = x[i]
            x[i] = x[i] * 2
    return x, y


def test_branches_that_write_to_one_place_are_selections():
    rng = np.random.default_rng(3)
    image = rng.integers(0, 20, (7, 50)).astype(np.uint8)
    text = nest(threshold, image, np.zeros_like(image), 9)
    vectors = text.split("for lanes")[1].split("else:")[0]
    assert vectors.count("store") == 1 and "if " not in vectors
    check(threshold, image, np.zeros_like(image), 9)
    a, b = rng.integers(0, 4, 40), rng.integers(0, 4, 33)
    unchecked = nest(longest_common, a, b).split("else:")[0].rsplit("for serial", 1)[1]
    assert unchecked.count("load") == 3  # what the iteration before wrote is in a register
    check(longest_common, a, b)
    for function in (two_places, two_arrays):
        check(function, rng.random(30), rng.random(30))


def neighbours(grid, out):
    h, w = grid.shape
    for i in range(h):
        for j in range(w):
            count = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        count += grid[(i + di) % h, (j + dj) % w]
            out[i, j] = count
    return out


def test_short_loops_whose_branches_the_counters_decide_are_unrolled():
    for shape in ((6, 6), (5, 9), (1, 1), (2, 1)):
        grid = np.arange(shape[0] * shape[1]).reshape(shape) % 3
        check(neighbours, grid, np.zeros_like(grid))
    text = nest(neighbours, np.zeros((9, 9), int), np.zeros((9, 9), int))
    vectors = text.split("for lanes")[1].split("else:")[0]
    assert "for " not in vectors and vectors.count("floormod") == 3 and vectors.count("load") == 8


def by_values(x, mode):
    """Unrolled, each turn would be a branch."""
    total = 0.0
    for i in range(len(x) - 3):
        for k in range(3):
            if x[i + k] > 0.5:
                total += x[i] / (1 + x[i + k])
                x[i] = total
    return total


def test_short_loops_whose_branches_values_decide_are_loops():
    x = np.random.default_rng(1).random(20)
    assert nest(by_values, x, 1).count("for serial") > 1
    check(by_values, x, 1)


def chase(links, x, at):
    """Positions that nothing is known of."""
    steps, k = 0, at[0]
    while steps < at[1]:
        k = links[k]
        x[k] += 1
        steps += 1
    return k


def test_positions_from_the_end_and_out_of_bounds():
    links = np.array([3, -1, 0, 1, 2])
    text = nest(chase, links, np.zeros(5), np.array([0, 20]))
    _, body = text.split(" do %")
    assert "select" not in re.sub(r"\{rare=True\}:.*?else:", "", body, flags=re.S)
    for at in (4, -2):
        check(chase, links, np.zeros(5), np.array([at, 20]))
    for wrong, error in ((5, "index 5 is"), (-6, "index -6 is"), (1 << 62, "is out of bounds")):
        links[1], x = wrong, np.zeros(5)
        with pytest.raises(IndexError, match=error):
            jf.jit(chase)(links, x, np.array([0, 20]))
        assert x.sum() <= 20  # nothing was written beside the array


def test_a_loop_that_is_wrong_for_long_ends():
    """Faults are looked at every so often, in whatever loop they are."""

    def endless(links):
        k, steps = 0, 0
        while k >= 0:
            k = links[k] + 0 * steps
            steps += 1
        return steps

    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        jf.jit(endless)(np.array([1, 2, 9]))


def counts(x, flags, low):
    found, total, product, bits, least = 0, 0, np.int64(1), 0, np.int64(1 << 40)
    for k in range(low, len(x)):
        if flags[k]:
            found += 1
        total += x[k] * 2
        product *= x[k]
        bits ^= x[k]
        least = min(least, x[k])
    return found, total, product, bits, least


def difference(x, flags, low):
    total = np.int32(5)
    for k in range(low, len(x)):
        total -= x[k].astype(np.int32)
    return total


def not_a_sum(x, flags, low):
    total = 0
    for k in range(low, len(x)):
        total = x[k] - total
    return total


def test_integers_are_counted_in_vectors():
    rng = np.random.default_rng(4)
    for n in (1, 7, 8, 100, 1003):
        x, flags = rng.integers(-(1 << 62), 1 << 62, n), rng.random(n) > 0.5
        for function in (counts, difference, not_a_sum):
            for low in (0, n // 2, n):
                with np.errstate(over="ignore"):
                    check(function, x, flags, low)
    assert "for lanes" in nest(counts, x, flags, 0)
    assert "for lanes" in nest(difference, x, flags, 0)
    assert "for lanes" not in nest(not_a_sum, x, flags, 0)


def test_sums_of_floats_keep_their_order():
    def total(x):
        found = 0.0
        for each in x:
            found += each
        return found

    x = np.random.default_rng(5).random(1001)
    assert "for lanes" not in nest(total, x)
    assert jf.jit(total)(x) == total(x)


def remainders(x, n):
    total = 0
    for k in range(len(x)):
        if k > 0:
            x[k] = (x[k] + x[k - 1] * 0) % n
        total += x[k]
    return total, x


def ring(x):
    k = 0
    total = 0
    while total < 60:
        k = (k + 2) % len(x)
        total += 1 + x[k]
    return total, k


def test_a_remainder_of_what_is_less_is_no_division():
    for n in (7, 1, -3, 12, -20):
        check(remainders, np.arange(-15, 15), n)
    for n in (5, 6):
        check(ring, np.arange(n))
    text = nest(ring, np.arange(6))
    assert re.search(r"\{rare=True\}:\s+%\d+: i64 = floormod", text)
