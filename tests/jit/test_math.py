"""Functions of `math` that are put together of others, or are given the numbers themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.arange(60.0) / 7


def angles(x):
    total = 0.0
    for v in x:
        total += math.radians(v) + math.degrees(v)
    return total


def near(x):
    count, total = 0, 0.0
    for v in x:
        total += v
        if math.isclose(v, 3.0, rel_tol=1e-3) or math.isclose(total, 7.0, abs_tol=0.5):
            count += 1
    return count


def products(x):
    total = 0.0
    for v in x:
        total += math.prod([v, 2.0, 3]) + math.dist((v, 1.0), (2.0, total))
    return total


def relations(x, y):
    near = (
        math.isclose(x, y),
        math.isclose(math.inf, y),
        math.isclose(math.nan, y),
        math.isclose(x, -math.inf),
    )
    return near, math.dist([x], [y]), math.prod([x, y], start=2), math.prod([])


def combinations(n, k):
    return math.comb(n, k) * math.factorial(k) + math.gcd(n, k), math.isqrt(n), math.lcm(n, k)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (angles, (X,)),
        (near, (X,)),
        (products, (X,)),
        (relations, (1.0, 1.0 + 1e-10)),
        (relations, (3, 4)),
        (relations, (math.inf, 2.0)),
        (combinations, (10, 4)),
        (combinations, (12, 5)),
    ],
)
def test_functions_of_math(function, arguments, strict):
    jitted = jf.jit(function)
    for _ in range(2):
        assert_same(jitted(*arguments), function(*arguments))
    assert jitted.stats()["interpreted"] == 0


def extremes(values):
    largest, least = float("-inf"), math.inf
    for each in values:
        largest, least = max(largest, each), min(each, least)
    return largest, least, max(values[0], math.inf), min(-math.inf, values[0])


@pytest.mark.parametrize("values", [[3, 1, 2], np.array([3, 1, 2]), [3.5, 1.0]])
def test_integers_beside_infinite_numbers_stay_integers(values, strict):
    jitted = jf.jit(extremes)
    for _ in range(2):
        assert_same(jitted(values), extremes(values))
