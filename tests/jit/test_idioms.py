"""Idioms of NumPy programs through the real tracer and compiler: equal to NumPy, and re-traced where
needed."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sized
from math import exp as exponential
from numbers import Real

import numpy as np
import pytest
import scipy.special

import jitframe as jf
from tests.jit import idiom_module
from tests.jit.idiom_module import MODEL, TABLE, gaussian
from tests.jit.same import assert_same, check

SCALE = 2.5
OFFSETS = np.array([10.0, 20.0, 30.0])
PAIR = (OFFSETS, 3)
SETTINGS = {"gain": 1.5, "offsets": OFFSETS}
WINDOWS = [np.array([1.0, 0.0, 1.0]), np.array([0.5, 0.5, 0.5])]

X = np.array([0.5, 1.5, 2.25])
M = np.arange(12.0).reshape(3, 4) / 7


def zeros_then_fill(x):
    y = np.zeros(5)
    y[1:4] = x
    return y


def empty_then_rows(x):
    y = np.empty((2, 3))
    y[0] = x
    y[1] = x * x
    return y


def ones_and_full(x):
    return np.ones(3, x.dtype) + np.full(3, x[0])


def like(x):
    return np.zeros_like(x) + np.ones_like(x, dtype=np.float32) + np.full_like(x, 7)


def array_of_scalars(x):
    return np.array([x[0], x[1] * 2, 5.0])


def array_of_rows(x):
    return np.array([x, x + 1])


def math_functions(x):
    return math.sqrt(x[0]) + math.exp(x[1]) * math.sin(x[2])


def math_of_an_argument(x, t):
    return x * math.sqrt(t) + math.pi


def imported_names(x):
    return gaussian(x) + exponential(0.5) * x


def helper_with_defaults(x):
    return gaussian(x, width=3.0) - idiom_module.scaled(x)


def padding_helper(x):
    return idiom_module.padded(x)


def closed_over_scalar(x):
    return x * SCALE


def closed_over_array(x):
    return x + OFFSETS


def tuple_of_globals(x):
    offsets, count = PAIR
    return x * count + offsets


def dict_of_globals(x):
    return x * SETTINGS["gain"] + SETTINGS["offsets"]


def list_of_arrays(x):
    return sum(window * x for window in WINDOWS)


def comprehension(x):
    return np.stack([x * k for k in range(3)])


def lambda_and_reduce(x):
    square = lambda v: v * v  # noqa: E731
    return functools.reduce(lambda a, b: a + b, [square(v) for v in x])


def nested_function(x):
    def inner(k):
        return x[k] * SCALE

    return inner(0) + inner(2)


def loop_over_range(x):
    total = 0.0
    for k in range(len(x)):
        total += x[k] * k
    return total


def loop_over_elements(x):
    total = 0.0
    for value in x:
        total = total * 2 + value
    return total


def enumerate_and_zip(x):
    result = np.zeros(3)
    for k, (a, b) in enumerate(zip(x, OFFSETS, strict=True)):
        result[k] = a - b * k
    return result


def branch_on_shape(x):
    return x.sum() if x.ndim == 1 and x.shape[0] > 2 else x


def isinstance_checks(x, t):
    if isinstance(x, np.ndarray) and isinstance(t, float) and not isinstance(t, np.ndarray):
        return x * t
    return x


def isinstance_of_protocols(x, t):
    """A number is no iterable, although its stand-in has methods that those have."""
    kinds = [isinstance(each, Iterable) for each in (x, t, x[0], x > 1)]
    assert kinds == [True, False, False, True] and not isinstance(t, Sized) and isinstance(t, Real)
    return x * t


def unpacked_rows(m):
    a, b, c = m
    return a * b + c


def casts(x):
    return x.astype(np.float32), x.astype(int), np.float32(x[0]), np.int64(3) * x


def python_conversions(t, n):
    return float(n) + t, int(t), bool(n), abs(t)


def builtin_extremes(x):
    return max(x[0], x[1]), min(x[0], x[1], x[2])


def where_and_clip(x):
    return np.where(x > 1, x, -x), np.clip(x, 0.75, 2.0), np.minimum(x, 1)


def methods(m):
    return m.T @ m, m.mean(axis=0), m.max(), m.ravel()[2:5], m.reshape(4, 3)[1]


def slices_and_steps(m):
    return m[::2, 1:], m[..., -1], m[:, None, ::-1]


def in_place_on_temporaries(x):
    y = x * 2
    y += 1
    y[y.shape[0] - 1] = 0
    y *= y
    return y


def write_an_argument(x):
    x *= 2
    x[0] = -1


def out_argument(x):
    y = np.empty_like(x)
    np.multiply(x, 3, out=y)
    return y


def copyto_and_fill(x):
    y = np.empty(3)
    np.copyto(y, x)
    z = np.empty(3)
    z.fill(4)
    return y + z


def object_of_the_users(x):
    return MODEL(x) + MODEL.bias


def generator_expression(x):
    return sum(value * value for value in x)


def several_containers(x):
    return {"twice": x * 2, "parts": [x[0], (x[1], None)], "name": "result"}


def constants_only():
    return np.arange(4) * 2, np.linspace(0, 1, 5), np.eye(2)


def scipy_erf(x):
    return scipy.special.erf(x)


def math_erf(x):
    return math.erf(x[0])


def gammas(x):
    return (
        scipy.special.gammaln(x + 4.5)
        + scipy.special.gamma(x) * math.gamma(x[0])
        + scipy.special.erfc(x) * math.lgamma(x[1])
    )


def angles(x):
    return (
        np.arctan2(x, 2.0)
        + np.tan(x) * math.atan2(x[0], -1.0)
        - np.arcsin(x / 9)
        - np.arccos(x / 9)
        + np.atan(x)
    )


def numpy_constants(x):
    return x * np.pi + np.e - np.sqrt(2.0)


def dtype_dependent(x):
    return x * np.float32(0.1) if x.dtype == np.float32 else x * np.finfo(x.dtype).eps


def try_except(x):
    try:
        return x.reshape(2, 2)
    except ValueError:
        return x * 2


def conditional_expression(x, flag=True):
    return x if flag else -x


def hidden_table(x):
    return x * TABLE[1] + TABLE.sum()


IDIOMS = [
    (zeros_then_fill, X), (empty_then_rows, X), (ones_and_full, X), (like, X), (array_of_scalars, X),
    (array_of_rows, X), (math_functions, X), (math_of_an_argument, X, 2.0), (imported_names, X),
    (helper_with_defaults, X), (padding_helper, X), (closed_over_scalar, X), (closed_over_array, X),
    (tuple_of_globals, X), (dict_of_globals, X), (list_of_arrays, X), (comprehension, X),
    (lambda_and_reduce, X),
    (nested_function, X), (loop_over_range, X), (loop_over_elements, X), (enumerate_and_zip, X),
    (branch_on_shape, X),
    (isinstance_checks, X, 0.5), (isinstance_of_protocols, X, 0.5), (unpacked_rows, M), (casts, X),
    (python_conversions, 2.75, 3),
    (builtin_extremes, X),
    (where_and_clip, X), (methods, M), (slices_and_steps, M), (in_place_on_temporaries, X),
    (write_an_argument, X),
    (out_argument, X), (copyto_and_fill, X), (object_of_the_users, X), (generator_expression, X),
    (several_containers, X), (constants_only,), (scipy_erf, X), (math_erf, X), (angles, X), (gammas, X + 0.3),
    (numpy_constants, X),
    (dtype_dependent, X), (dtype_dependent, X.astype(np.float32)), (try_except, X),
    (conditional_expression, X),
    (hidden_table, X),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "arguments"), [(f, a) for f, *a in IDIOMS], ids=lambda v: getattr(v, "__name__", "")
)
def test_idiom_equals_numpy(function, arguments):
    check(function, *arguments)


def test_array_of_the_trace_changed_in_place():
    def function(x):
        return x + OFFSETS

    jitted = jf.jit(function)
    jitted(X)
    before = OFFSETS.copy()
    try:
        OFFSETS[1] = -5
        assert_same(jitted(X), function(X))
    finally:
        OFFSETS[:] = before
    assert jitted.stats()["traces"] == 1


def test_rebound_global_is_seen(monkeypatch):
    jitted = jf.jit(closed_over_scalar)
    assert_same(jitted(X), X * 2.5)
    monkeypatch.setitem(globals(), "SCALE", -4.0)
    assert_same(jitted(X), X * -4.0)
    monkeypatch.setitem(globals(), "OFFSETS", np.array([1.0, 2.0, 3.0]))
    assert_same(jf.jit(closed_over_array)(X), X + OFFSETS)


def test_rebound_array_is_seen(monkeypatch):
    jitted = jf.jit(closed_over_array)
    assert_same(jitted(X), X + OFFSETS)
    monkeypatch.setitem(globals(), "OFFSETS", np.array([1.0, 2.0, 3.0]))
    assert_same(jitted(X), X + np.array([1.0, 2.0, 3.0]))


def test_global_of_a_helper_is_seen(monkeypatch):
    jitted = jf.jit(lambda x: idiom_module.scaled(x))
    assert_same(jitted(X), X * 3.0)
    monkeypatch.setattr(idiom_module, "FACTOR", 0.5)
    assert_same(jitted(X), X * 0.5)
    monkeypatch.setattr(idiom_module, "scaled", lambda x: -x)
    assert_same(jitted(X), -X)


def test_code_of_a_function_is_seen():
    def helper(x):
        return x + 1

    def other(x):
        return x - 1

    jitted = jf.jit(lambda x: helper(x))
    assert_same(jitted(X), X + 1)
    assert_same(jitted(X), X + 1)
    helper.__code__ = other.__code__
    assert_same(jitted(X), X - 1)


def test_attribute_of_an_object_is_seen():
    model = idiom_module.Model(np.array([1.0, 2.0, 3.0]), 1.0)
    jitted = jf.jit(lambda x: model(x))
    assert_same(jitted(X), model(X))
    model.bias = 9.0
    assert_same(jitted(X), model(X))
    model.weights = np.zeros(3)
    assert_same(jitted(X), model(X))
    model.weights[1] = 5
    assert_same(jitted(X), model(X))


def test_closure_variable_is_seen():
    factor = 2.0

    @jf.jit
    def jitted(x):
        return x * factor

    assert_same(jitted(X), X * 2.0)
    factor = 3.0
    assert_same(jitted(X), X * 3.0)


def test_global_array_is_written_back():
    counts = np.zeros(3)

    @jf.jit
    def count(x):
        counts[1:] += x[1:]
        return counts.sum()

    assert_same(count(X), np.float64(3.75))
    assert_same(count(X), np.float64(7.5))
    np.testing.assert_array_equal(counts, [0, 3.0, 4.5])


def test_global_array_given_as_argument_too():
    state = np.zeros(4)

    def function(x):
        state[0] += 1
        return x[0] * 1

    jitted = jf.jit(function)
    assert jitted(state) == 1
    assert jitted(state) == 2
    assert jitted(np.zeros(4)) == 0
    assert state[0] == 3
