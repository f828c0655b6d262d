"""Loop nests are one kernel on every device, run by one lane, or by all where iterations are independent."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.nests import NESTS
from tests.jit.same import assert_same


@pytest.mark.parametrize("name", NESTS)
def test_nests(name: str, device: str, nothing_leaks: None) -> None:
    function, arguments = NESTS[name]
    given = arguments(np.float32)
    expected = function(*copy.deepcopy(given))
    with jf.device(device):
        found = jf.jit(function)(*given)
    assert_same(found, expected, 1e-5)


def row_norms(x):
    out = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        total = x[i, 0] * 0
        for j in range(x.shape[1]):
            if x[i, j] > 0:
                total += x[i, j] * x[i, j]
        out[i] = total
    return out


def pyramids(x):
    """Each iteration has an array of its own."""
    out = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        level = np.zeros(8, x.dtype)
        for j in range(8):
            level[j] = x[i, j] * j
        for top in range(7, 0, -1):
            for j in range(top):
                level[j] = (level[j] + level[j + 1]) * 0.5
        out[i] = level[0]
    return out


def backwards(x):
    """The position may count from the end, where two iterations could meet: not here."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[-1 - i] = x[i] * 2
    return out


def prefix(x):
    """Iterations that need each other."""
    out = x.copy()
    for i in range(1, len(x)):
        out[i] = out[i - 1] + out[i]
    return out


@pytest.mark.parametrize("function", [row_norms, pyramids, backwards, prefix])
@pytest.mark.parametrize("rows", [1, 700])
def test_work_items_share_independent_iterations(
    function, rows: int, device: str, nothing_leaks: None
) -> None:
    x = np.random.default_rng(6).integers(-3, 4, (rows, 9)).astype(np.float32)
    x = x if function in (row_norms, pyramids) else x[:, 0].copy()
    with jf.device(device):
        jitted = jf.jit(function)
        assert_same(jitted(x), function(x), 1e-5)
        shared = "whose iterations" in str(jitted.explain(x))
    if rows > 1:
        assert shared is (function is not prefix)


def scattered(x, places):
    out = np.zeros_like(x)
    for i in jf.prange(len(places)):
        total = x[i] * 0
        for j in range(i % 7):
            total += x[j]
        out[places[i]] = total
    return out


def summed(x, places):
    total, count = x[0] * 0, 0
    for i in jf.prange(0, len(places), 2):
        if x[i] > 0:
            total += x[i]
            count += 1
    return total, count


def extremes(x, places):
    least, most = x[0], x[0]
    for i in jf.prange(len(x)):
        least = min(least, x[i])
        if x[i] > most:
            most = x[i]
    return least, most


def in_inner_loops(x, places):
    total, found, bits = 0.0, False, 0
    for i in jf.prange(len(x)):
        for j in range(3):
            total -= x[i] * j
            bits ^= int(places[i]) << j
        if x[i] < -5:
            continue
        found = found or x[i] > 7
    return total, found, bits


def written_and_summed(x, places):
    out, total = np.zeros_like(x), x[0] * 0
    for i in jf.prange(len(x)):
        out[i] = x[i] * 3
        total += out[i]
    return out, total


def multiplied(x, places):
    product = places[0]
    for i in jf.prange(1, len(x)):
        product = product * (places[i] | 1)
    return product


def handed_on(x, places):
    """No accumulation: one thread has all."""
    total = x[0] * 0
    for i in jf.prange(len(x)):
        total = total * 0.5 + x[i]
    return total


def looked_at(x, places):
    """What is accumulated is needed on the way."""
    out, total = np.zeros_like(x), x[0] * 0
    for i in jf.prange(len(x)):
        total += x[i]
        out[i] = total
    return out, total


IN_ORDER = (handed_on, looked_at)
PARALLEL = (scattered, summed, extremes, in_inner_loops, written_and_summed, multiplied, *IN_ORDER)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("function", PARALLEL)
def test_loops_that_are_said_to_be_parallel(function, device: str, nothing_leaks: None) -> None:
    random = np.random.default_rng(8)
    x = random.integers(-3, 9, 500).astype(np.float32)
    places = random.permutation(500).astype(np.int32)
    with jf.device(device):
        jitted = jf.jit(function)
        assert_same(jitted(x, places), function(x, places), 1e-5)
        assert ("whose iterations" in str(jitted.explain(x, places))) is (function not in IN_ORDER)
        for count in (1, 2):
            order = np.arange(count, dtype=np.int32)
            assert_same(jitted(x[:count], order), function(x[:count], order), 1e-5)
