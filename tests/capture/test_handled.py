"""`try` in loops and conditions on values: what handlers catch, compared with Python's."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

N = np.random.default_rng(0).integers(-3, 12, 100)
X = np.random.default_rng(1).normal(size=100)


def quotients(a, b):
    total, failed = 0.0, 0
    for i in range(len(a)):
        try:
            total += int(a[i]) / int(b[i])
            total -= int(a[i]) // (int(b[i]) - 1)
        except ZeroDivisionError:
            failed += 1
        else:
            total += 1
        finally:
            failed += 2
    return total, failed


def numpys_quotients(a, b):
    total = 0.0
    for i in range(len(a)):
        try:
            total += a[i] / (b[i] + 20)
        except ZeroDivisionError:
            total = -1.0
    return total


def positions(a, b):
    values, total = [1, 2, 3, 4, 5], 0
    for v in a:
        try:
            total += values[v]
        except IndexError:
            total += 100
    for i in range(len(a)):
        try:
            total += a[i + 1] * b[i]
        except IndexError:
            total += 1000
    return total


def stored_at_positions(a, b):
    counts = [0] * 6
    missed = 0
    for v in a:
        try:
            counts[int(v)] += 1
        except IndexError:
            missed += 1
    return counts, missed


def keys(a, b):
    counts, first = {}, {}
    for i, v in enumerate(a):
        try:
            counts[int(v)] += 1
        except KeyError:
            counts[int(v)] = 1
            first[int(v)] = i
    return counts, first


def keys_of_a_known_dict(a, b):
    prices, total = {1: 2.0, 3: 4.0, 5: 0.0}, 0.0
    for v in a:
        try:
            total += 10 / prices[int(v)]
        except KeyError:
            total -= 1
        except ZeroDivisionError:
            total -= 100
    return total


def own(a, b):
    total = 0
    for v in a:
        try:
            if v > 8:
                raise ValueError("large")
            for w in range(3):
                if v == w:
                    raise KeyError(int(v))
                total += w
            total += int(v)
        except ValueError:
            total -= 1
        except KeyError:
            total += 50
    return total


def one_around_another(a, b):
    total = 0
    for i in range(len(a)):
        try:
            try:
                total += 7 // int(a[i])
            except ZeroDivisionError:
                if b[i] > 3:
                    raise ValueError from None
                total += 2
        except (ValueError, IndexError):
            total += 900
    return total


def exits(a, b):
    total = 0
    for i in range(len(a)):
        try:
            if a[i] == 2:
                continue
            total += 7 // int(b[i])
            if total > 60:
                return total, i
        except ZeroDivisionError:
            if i > 70:
                break
            total += 1
    return total, -1


def unassigned(a, b):
    x = -1.0
    total = 0.0
    for i in range(len(a)):
        try:
            x = 5 / int(a[i])
        except ZeroDivisionError:
            pass
        total += x
    return total


def conversions(a, b):
    total = 0
    for i in range(len(a)):
        try:
            total += int(X[i] / (0.0 * X[i] if a[i] == 1 else 1.0))
        except OverflowError:
            total += 10
        except ValueError:
            total += 30
    return total


def out_of_it(a, b):
    """Nothing here catches it."""
    total = 0
    for i in range(len(a)):
        try:
            total += [1, 2, 3][int(a[i]) % 3] // int(b[i])
        except IndexError:
            total += 1
    return total


LOOPS = (
    quotients, numpys_quotients, positions, stored_at_positions, keys, keys_of_a_known_dict, own,
    one_around_another, exits, unassigned,
)  # fmt: skip


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), error.args


def test_what_handlers_catch_is_compiled(strict):
    for function in LOOPS:
        jitted = jf.jit(function)
        for seed in range(3):
            rng = np.random.default_rng(seed)
            a, b = rng.permutation(N), rng.permutation(N)
            with np.errstate(all="ignore"):
                assert_same(jitted(a, b), function(a, b))
        assert not jitted.program(a, b).segments, function.__name__


def test_what_no_handler_catches_is_raised():
    jitted = jf.jit(out_of_it)
    with np.errstate(all="ignore"):
        assert jf.jit(conversions)(N, N) == conversions(N, N)
    for b in (N, np.where(N == 0, 1, N)):
        assert outcome(jitted, N, b) == outcome(out_of_it, N, b)


def test_handlers_of_functions_that_write(strict):
    def function(out, a):
        for i in range(len(a)):
            try:
                out[i] = 12 / int(a[i])
            except ZeroDivisionError:
                out[i] = -1
        return out.sum()

    mine, its = np.zeros(100), np.zeros(100)
    assert jf.jit(function)(mine, N) == pytest.approx(function(its, N))
    assert_same(mine, its)


class Broken:
    @property
    def value(self):
        raise IndexError


BROKEN = Broken()


def a_property_of_the_user(a):
    total = 0
    for v in a:
        try:
            total += [1, 2][v % 2] + BROKEN.value
        except IndexError:
            total += 1
    return total


def an_empty_list(a):
    total, found = 0, []
    for v in a:
        try:
            if v > 3:
                raise ValueError("large")
            total += max(found)
        except ValueError:
            total += 1
    return total


def too_many_values(a):
    total = 0
    for v in a:
        try:
            if v > 3:
                raise ValueError("large")
            first, _ = [1, 2, 3]
            total += first
        except ValueError:
            total += 1
    return total


def a_power(a):
    total = 0.0
    for v in a:
        try:
            total += 1 / (int(v) - 1) + float(v) ** -1
        except ZeroDivisionError:
            total += 100
    return total


def shifts(a):
    total = 0
    for v in a:
        try:
            if v > 8:
                raise ValueError("large")
            total += 1 << int(v)
        except ValueError:
            total += 100
    return total


def test_what_else_handlers_catch_is_left_to_python():
    for function in (a_property_of_the_user, an_empty_list, too_many_values, a_power, shifts):
        jitted = jf.jit(function)
        for n in (N[:5], N):
            assert jitted(n) == pytest.approx(function(n)), function.__name__
