"""Scalar arguments that a trace needs as Python numbers become static by themselves."""

import dataclasses
import threading
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import SpecializationWarning

from .same import assert_same

X = np.arange(12.0) ** 1.5


def rounded_half_up(number):
    return int(Decimal(number).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def first_ones(x, seconds, rate):
    return x[: rounded_half_up(seconds * rate)] * 2


@dataclasses.dataclass
class Config:
    layers: int
    rate: float


def halves(x, n):
    total = x
    while n > 1:
        total, n = total + x * n, n // 2
    return total


def lagged(x, lag):
    return x[lag:] - x[:-lag]


def moving_mean(x, window):
    return np.convolve(x, np.ones(window) / window, "valid")


def smoothed(x, window):
    total = np.cumsum(np.concatenate([np.zeros(1), x]))
    return (total[window:] - total[:-window]) / window


def autocorrelations(x, most):
    centered = x - x.mean()
    return np.array([np.sum(centered[lag:] * centered[: x.size - lag]) for lag in range(most)])


def powers(x, degree):
    return np.stack([x**power for power in range(degree + 1)], axis=1)


def table(n, m):
    made = np.zeros((n, m))
    made[n // 2, :] = np.arange(m)
    return made


def by_root(x, n):
    side = int(np.sqrt(n))
    return x[: side * side].reshape(side, side)


def branched(x, factor, negate):
    if negate:
        x = -x
    return x * factor if factor > 0.5 else x - factor


def configured(x, config):
    for _ in range(config.layers):
        x = x * config.rate + 1
    return x


def options(x, settings):
    return np.roll(x, settings["shift"])[:: settings["step"]], settings["scale"] * x


def python_values(x, n):
    return [x[0]] * n, {"a" * n: x}, {1: "one", 2: "two"}[n], f"{n}", f"{n:03d}", n.bit_length()


def sampled(x, picks, n):
    return np.array([x[picks[row]].mean() for row in range(n)])


PICKS = np.random.default_rng(0).integers(0, 12, (5, 12))
PROGRAMS = [
    (halves, [(X, 1), (X, 4), (X, 9)]),
    (lagged, [(X, 1), (X, 3), (X[:7], 2)]),
    (moving_mean, [(X, 2), (X, 5)]),
    (smoothed, [(X, 2), (X, 5)]),
    (autocorrelations, [(X, 3), (X, 5)]),
    (powers, [(X, 2), (X, 0)]),
    (table, [(3, 4), (2, 5), (1, 1)]),
    (by_root, [(X, 9), (X, 11), (X, 4)]),
    (branched, [(X, 0.25, True), (X, 0.75, False), (X, 0.25, False)]),
    (configured, [(X, Config(2, 0.5)), (X, Config(3, 0.25)), (X, Config(4, 4.5))]),
    (options, [(X, {"shift": 2, "step": 3, "scale": 0.5}), (X, {"shift": -1, "step": 2, "scale": 1.5})]),
    (python_values, [(X, 1), (X, 2)]),
    (sampled, [(X, PICKS, 5), (X, PICKS, 2)]),
    (lambda x, z: x * z if abs(z) > 1 else x, [(X, 2j), (X, 0.5 + 0.5j), (X, np.complex128(3))]),
    (lambda x, n: np.linspace(x[0], x[1], n), [(X, 3), (X, np.int64(5))]),
    (lambda x, n: x.reshape(n, -1).sum(axis=n - 3), [(X, 3), (X, 4)]),
    (lambda x, n, m: (np.tile(x[:n], m), np.repeat(x[:n], m), np.eye(n, m)), [(X, 2, 3), (X, 3, 1)]),
]


@pytest.mark.parametrize(("function", "calls"), PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_programs_with_scalars_that_decide(function, calls):
    jitted = jf.jit(function)
    for arguments in calls * 2:
        assert_same(jitted(*arguments), function(*arguments))
    # What floats decide about is one program for all of their values.
    assert jitted.stats()["traces"] == len(calls) - (function is branched)


def test_only_what_is_needed_is_static():
    def function(x, n, scale):
        return np.zeros(n) + x[0] * scale

    jitted = jf.jit(function)
    for n, scale in ((3, 0.3), (3, 0.7), (3, 2.0), (4, 0.3), (4, 5.0)):
        assert_same(jitted(X, n, scale), function(X, n, scale))
    assert jitted.stats()["traces"] == 2


def test_the_structure_of_the_arguments_decides_which_scalars_these_are():
    def function(values, x):
        return x[: values["n"]] if "n" in values else x * values["m"]

    jitted = jf.jit(function)
    for values in ({"n": 2}, {"m": 2}, {"m": 3}, {"n": 3}):
        assert_same(jitted(values, X), function(values, X))
    assert jitted.stats()["traces"] == 3


def test_calls_with_static_scalars_are_answered_natively():
    jitted = jf.jit(lambda x, n, rate: x[:n] * (2.0 if rate > 0.3 else 1.0))
    for _ in range(30):
        jitted(X, 3, float("0.5"))
    before = jitted.stats()["python_calls"]
    for _ in range(10):
        assert_same(jitted(X, int("3"), float("0.5")), X[:3] * 2)
    assert jitted.stats()["python_calls"] == before


def test_zeros_and_nans_are_told_apart():
    jitted = jf.jit(lambda x, rate: np.copysign(x, -1.0) if str(rate) == "-0.0" else x)
    for rate in (0.0, -0.0, 0.0, float("nan"), -0.0) * 8:
        assert_same(jitted(X, rate), np.copysign(X, -1.0) if str(rate) == "-0.0" else X)


def test_integers_that_no_array_holds():
    jitted = jf.jit(lambda x, n: x if n > 5 else x + 1)
    assert_same(jitted(X, 2**70), X)
    assert_same(jitted(X, 3), X + 1)


def test_scalars_inside_of_a_loop():
    def function(x, n):
        m = n + 1
        return jf.fori_loop(0, 3, lambda i, y: y + np.ones(n + m).sum() * i, x)

    assert_same(jf.jit(function)(X, 2), X + 3 * 5.0)


def test_arrays_stay_traced():
    def function(x, n):
        return x * n.sum()

    jitted = jf.jit(function)
    for n in (np.array(2), np.array(3)):
        jitted(X, n)
    assert jitted.stats()["traces"] == 1


def test_an_error_of_the_function_is_told():
    def function(x, n):
        return x.reshape(n, 5)

    with pytest.raises(ValueError, match="reshape"):
        jf.jit(function)(X, 3)


def test_very_many_values_are_told_once():
    jitted = jf.jit(lambda x, n: x[:2] + n if n > 0 else x[None])
    small = X[:3].copy()

    def call_often():
        for n in range(1, 68):
            assert_same(jitted(small, n), small[:2] + n)

    with pytest.warns(SpecializationWarning, match=r"64 values of 'n', which .*jf\.fori_loop") as told:
        call_often()
    assert len(told) == 1


def test_clear_forgets_which_scalars_are_static():
    jitted = jf.jit(lambda x, n: x[:n])
    jitted(X, 2)
    jitted.clear()
    assert_same(jitted(X, 3), X[:3])


def test_threads_agree():
    jitted = jf.jit(lambda x, n: x[:n] * 2)
    found = {}

    def work(number):
        found[number] = [jitted(X, n) for n in (2, 3, 4)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for arrays in found.values():
        for n, array in zip((2, 3, 4), arrays, strict=True):
            assert_same(array, X[:n] * 2)
    assert jitted.stats()["traces"] == 3


def test_functions_that_take_numbers_of_python_alone_get_them(strict):
    jitted = jf.jit(first_ones)
    for seconds, rate in ((0.5, 5), (0.25, 8), (0.5, 5)):
        assert_same(jitted(X, seconds, rate), first_ones(X, seconds, rate))
    assert jitted.stats()["traces"] == 2


def test_a_type_error_of_the_functions_own_stays_one(strict):
    jitted = jf.jit(lambda x, n: x * n + len(n))
    with pytest.raises(TypeError, match=r"len\(\) of"):
        jitted(X, 3)


def test_what_a_loop_only_begins_with_is_not_static():
    """The first look at an iteration takes it for a value that stays; the program serves other ones."""

    def reached(open_, row, column):
        seen = np.zeros_like(open_)
        stack = [(row, column)]
        while stack:
            y, x = stack.pop()
            if seen[y, x] or not open_[y, x]:
                continue
            seen[y, x] = True
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if 0 <= y + dy < open_.shape[0] and 0 <= x + dx < open_.shape[1]:
                    stack.append((y + dy, x + dx))
        return seen

    places = np.random.default_rng(5).random((12, 12)) < 0.7
    jitted = jf.jit(reached)
    for row, column in ((3, 4), (4, 3), (9, 9)):
        np.testing.assert_array_equal(jitted(places, row, column), reached(places, row, column))
    assert jitted.stats()["traces"] == 1
