"""Integers of NumPy's that wrap around, in the middle of what becomes an integer of Python's."""

import numpy as np
import pytest

import jitframe as jf

pytestmark = pytest.mark.usefixtures("strict")


def test_a_hash_of_which_some_bits_are_kept():
    """The product wraps around; its last bits, a Python integer, do not."""

    def buckets(values, count):
        found = np.zeros(count, np.int64)
        for value in values:
            mixed = value * np.uint64(0x9E3779B97F4A7C15)
            found[int(mixed & 0xFF) % count] += 1
        return found

    values = np.arange(1, 700).astype(np.uint64) * np.uint64(2**58 + 12345)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(jf.jit(buckets)(values, 16), buckets(values, 16))


def test_an_integer_of_pythons_that_is_computed_by_them_is_noted():
    def power(values, count):
        number = int(values[0])
        for _ in range(count):
            number = number * number + int(values[1] & 0xFF)
        return number % 1000

    with pytest.raises(jf.errors.NumberError, match="grows beyond 64 bits"):
        jf.jit(power)(np.array([3, 2**63 + 5], np.uint64), 90)


def test_what_a_loop_without_end_gives_is_there_after_it():
    """Although an exception may have been raised before it."""

    def total(x):
        found = 0.0
        for i in range(len(x)):
            if x[i] < -5:
                raise ValueError("low")
            k = 0
            while True:
                value = x[i] * k
                k += 1
                if value >= 3 or k > 50:
                    break
            found += value
        return found

    x = np.abs(np.random.default_rng(0).normal(size=700))
    assert jf.jit(total)(x) == total(x)
    x[7] = -9
    with pytest.raises(ValueError, match="low"):
        jf.jit(total)(x)


def halved(x, n):
    for _ in range(n):
        x = x + 250
        x = x * 0.5
    return x


def or_else(x, k):
    u = x * 1.0
    if x[0] > 3:
        u = k
    return u + 250


def test_integers_that_become_floats_wrap_before_that():
    for dtype in (np.uint8, np.int16, np.int64):
        x = np.arange(8).astype(dtype)
        np.testing.assert_array_equal(jf.jit(halved)(x, 20), halved(x, 20))


def test_integers_that_wrap_are_not_floats_on_another_way():
    k, jitted = np.arange(8).astype(np.uint8), jf.jit(or_else)
    for x in (np.arange(8) + 5, np.arange(8)):
        found, expected = jitted(x, k), or_else(x, k)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
