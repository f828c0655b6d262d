"""Numbers whose class values decide: Python's or NumPy's, an int or a float."""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.node import topological

N = 100
UP = np.resize([0.5, 2.5, 1.5, 0.0], N)
WAYS = {"up": UP, "down": -UP, "none": UP * 0, "empty": UP[:0], "float32": UP.astype(np.float32)}
WHOLE = {"up": np.resize([3, 5, 2], N), "down": np.resize([-3, -5], N), "empty": np.zeros(0, int)}


def typed(value: Any) -> Any:
    """The value and the classes of its members: `repr` shows the class of each, and the sign of zeros."""
    if isinstance(value, (tuple, list)):
        return [type(value), *map(typed, value)]
    return type(value), repr(value)


def greatest(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return best


def added(x):
    total = 0
    for v in x:
        if v > 0:
            total += v
    return total


def sum_of_first(x):
    total, i = 0.0, 0
    while i < len(x) and x[i] > 0:
        total += x[i]
        i += 1
    return total


def int_or_float(x):
    n = 0
    for v in x:
        if v > 2:
            n = 0.5
    return (
        n,
        n + 1,
        n - 3,
        n * -2,
        n / 2,
        -n,
        n > 0.2,
        n // 1,
        n % 2,
        abs(n),
        n**2,
        7 - n,
        divmod(n, 2),
        round(n),
    )


def of_three(x):
    n = False
    for v in x:
        if v > 2:
            n = 0.5
        elif v < -2:
            n = v
        elif v == 1.5:
            n = 3
    return n, n + 1, n * 2.0, n == 0


def both_ways(x):
    a, b = 0.0, 1
    for v in x:
        if v > a:
            a = v
        elif v < b:
            b = v
    return a + b, a - b, a < b, a * 2 + 1


def computed(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return (
        best + 1,
        best * 2.0,
        1 - best,
        -best,
        abs(best),
        round(best, 1),
        best > 1,
        (best, [best, best + 1]),
    )


def flags(x):
    found, every = False, True
    for v in x:
        found = found or v > 1
        every = every and v > -3
    return found, every, found is True, not every, found and every


def as_attribute(x, keep):
    keep.best = 0.0
    for v in x:
        if v > keep.best:
            keep.best = v
    return keep.best


def beside_none(x):
    best = None
    for v in x:
        if v > 1:
            best = v if v < 2 else 0.0
    return best, best is None


def as_text(x):
    best = greatest(x)
    return str(best), f"{best}|{best:.3f}", repr(best), type(best).__name__


def asked(x):
    best = greatest(x)
    return isinstance(best, np.float64), isinstance(best, float), isinstance(best, (int, str))


def in_arms(x):
    n = len(x)
    a = x[0] if n and x[0] > 0 else 1
    b = 2 if n and x[n - 1] < 0 else 0.5
    return a, b, a + b, a * 2, b * 2


def in_helpers(x):
    def first_above(low):
        for v in x:
            if v > low:
                return v
        return -1

    return first_above(0.1), first_above(2), first_above(9), first_above(0.1) + 1


def nested(x):
    out = []
    total = 0
    for i in range(3):
        row = 0
        for v in x:
            if v > i:
                row += v
        total += row
        out.append(total)
    return total, out[-1]


def extremes(x):
    low, high = (x[0], x[1]) if len(x) > 1 else (0.5, 7)
    return max(0.0, low), max(low, 0), min(0.1, low), max(low, high, 1), min(low, 0.0) + 1, max(0, low) * 2


def clamped(x):
    total = 0.0
    for v in x:
        total += min(max(v, 0.0), 1.0) ** 2
    return total


FUNCTIONS = [
    greatest, added, sum_of_first, int_or_float, of_three, both_ways, computed, flags, beside_none, as_text,
    asked, in_arms, in_helpers, extremes, clamped,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=[each.__name__ for each in FUNCTIONS])
def test_floats(function, way, strict):
    jitted = jf.jit(function)
    assert typed(jitted(WAYS[way])) == typed(function(WAYS[way]))
    assert typed(jitted(-WAYS[way])) == typed(function(-WAYS[way]))  # the same program


def greatest_integer(k):
    best = 0
    for v in k:
        if v > best:
            best = v
    return best, best + 1, best * 2, best // 2, best / 2, best**2, best % 3


@pytest.mark.parametrize("way", WHOLE)
def test_integers(way, strict):
    jitted = jf.jit(greatest_integer)
    assert typed(jitted(WHOLE[way])) == typed(greatest_integer(WHOLE[way]))


def test_attributes(strict):
    for x in (UP, -UP):
        mine, its = types.SimpleNamespace(best=1), types.SimpleNamespace(best=1)
        assert typed(jf.jit(as_attribute)(x, mine)) == typed(as_attribute(x, its))
        assert typed(mine.best) == typed(its.best)


def test_an_integer_is_followed_as_far_as_floats_hold_it():
    def function(x, n):
        m = n
        if x[0] > 1:
            m = 0.5
        return m, m + 1

    jitted = jf.jit(function)
    for n in (7, 2**53, 2**53 + 1, -(2**60)):
        for x in (UP, UP + 9):
            assert typed(jitted(x, n)) == typed(function(x, n))


def test_exceptions_are_those_of_the_class():
    def divided(x):
        best = 0.0
        for v in x:
            best = min(best, v) if v < 5 else best
            if v == 2.5:
                best = v - v
        return 1.0 / best

    jitted = jf.jit(divided)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        jitted(np.array([9.0, 8.0]))
    with np.errstate(divide="ignore"):
        assert jitted(np.array([9.0, 2.5])) == math.inf


def test_a_class_that_the_first_iteration_settles_costs_nothing(strict):
    """A loop that certainly runs carries the number alone, and returns it as one."""

    def total(x):
        s = 0
        for v in x:
            s += v
        return s

    program = jf.jit(total).program(np.resize(UP, 5000))
    (loop,) = [node for node in topological(program.outputs) if node.op.name == "loop"]
    assert len(loop.attributes[0].results) == 1
    assert len(program.outputs) == 1


def test_arrays_whose_dtype_it_decides():
    def scaled(x, k):
        n = 1
        for v in x:
            if v > 2:
                n = 0.5
        return k * n

    jitted = jf.jit(scaled)
    for x in (UP, -UP, UP):
        found, its = jitted(x, np.arange(5)), scaled(x, np.arange(5))
        assert (found.dtype, found.tolist()) == (its.dtype, its.tolist())
