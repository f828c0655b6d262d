"""Details of captured control flow: what is traced anew, exceptions, aliases, sources."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BoundsError
from tests.capture import programs
from tests.jit.same import assert_same, check

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])


def test_floats_that_decide_are_one_program():
    jitted = jf.jit(programs.clipped)
    for x in (0.5, 1.5, 2.5, 7.5):
        assert_same(jitted(x, 1.0, 2.0), programs.clipped(x, 1.0, 2.0))
    assert jitted.stats()["traces"] == 1


def test_integers_that_vary_are_one_program():
    jitted = jf.jit(programs.collatz)
    for n in range(1, 20):
        assert jitted(n) == programs.collatz(n)
    assert jitted.stats()["traces"] < 7


def test_what_is_known_is_traced_once_and_unrolled():
    @jf.jit
    def function(x):
        if x.ndim == 1 and x.shape[0] > 2:
            for k in range(3):
                x = x * k if k else x + 1
        return x

    assert_same(function(X), (X + 1) * 1 * 2)
    assert function.stats()["traces"] == 1
    assert not function._jit.capturing.active


def test_none_on_one_way_is_pythons_when_it_is_met():
    @jf.jit
    def function(x):
        for i in range(len(x)):
            if x[i] > 8:
                return i
        return None

    assert function(X) == 4
    assert function(X * 0) is None


def test_a_position_out_of_bounds_in_a_loop():
    def function(x, n):
        for i in range(n[0]):
            x[i] = i
        return x

    check(function, X, np.array([6]))
    with pytest.raises(BoundsError, match=r"index [678] is out of bounds for axis 0"):
        jf.jit(function)(X.copy(), np.array([9]))
    check(lambda x, n: x[n[0]] + x[n[0] - 1], X, np.array([-1]))


def test_a_loop_without_turns():
    def function(x, n):
        last = -1.0
        for i in range(n[0]):
            last = x[i]
        return last

    for n in (0, 3):
        found = jf.jit(function)(X, np.array([n]))
        assert found == function(X, np.array([n]))

    def unset(x, n):
        for i in range(n[0]):
            last = x[i]
        return last

    check(unset, X, np.array([2]))


def test_variables_that_may_be_the_same_array():
    def read(x, y):
        z = x
        if x[0] > y[0]:
            z = y
        return z + 1

    check(read, X, X * 2)

    def written(x, y):
        z = x if x[0] > y[0] else y
        z[0] = 5
        return x

    check(written, X.copy(), X * 2)

    def stale(x, y):
        z = x if x[0] > y[0] else y
        y[0] = 5
        return z

    check(stale, X.copy(), X * 2)

    def own(x):
        z = x.copy()
        if x[0] > 2:
            z = x * 2
        z[0] = 5
        return z

    check(own, X)


def test_views_keep_their_arrays():
    def function(x, n):
        table = x.reshape(2, 3)
        row = table[1]
        for i in range(n[0]):
            part = table[i % 2]
            part[0] += row[1]
            if part[0] > 12:
                part *= 0.5
        return x, row

    check(function, X, np.array([5]))


class Counter:
    def __init__(self, scale):
        self.scale = scale
        self.total = 0.0
        self.history = [0.0, 0.0]

    def add(self, value):
        if value > 2:
            self.total += value * self.scale
        else:
            self.history[0] += 1
        self.last = value


def test_objects_hold_state():
    def function(x):
        counter = Counter(2.0)
        for value in x:
            counter.add(value)
        return counter.total, counter.history, counter.last

    check(function, np.concatenate([X] * 200))


def test_helpers_lambdas_and_closures():
    limit = 2.5
    smaller = lambda v: v if v < limit else limit  # noqa: E731

    def function(x):
        return np.array([smaller(v) for v in x]), programs.clipped(x[0], x[1], x[2])

    check(function, X)
    check(lambda x: (x[0] > 1 and x[1] > 5) or x[2], X)


def test_iterations_of_long_arrays():
    long = np.linspace(-1, 1, 1500)

    def function(x):
        total, where = 0.0, -1
        for i, (a, b) in enumerate(zip(x, x * 0.5, strict=True)):
            if a < 0.5 <= b:
                where = i
            total += a * b
        for value in reversed(x):
            total = total * 0.5 + value
        return total, where

    check(function, long)
    check(lambda x: (any(v > 4 for v in x), all(v > 4 for v in x), any([]), 3.0 in x), X)


def test_random_draws_in_captured_loops():
    def function(x, seed):
        generator = np.random.default_rng(seed)
        total = 0.0
        for i in range(150):
            value = generator.normal()
            if value > x[0] * 0:
                total += value * (i % 3)
        return total

    check(function, X, 5)


def test_tensors():
    def function(x):
        total = x[0] * 0
        for value in x:
            if value > 2:
                total = total + value
        return total

    found = jf.jit(function)(jf.asarray(X))
    assert isinstance(found, jf.Tensor)
    assert float(found) == function(X)


def test_numbers_of_narrow_dtypes():
    def function(x):
        best = np.inf
        for value in x:
            if value < best:
                best = value
        return best

    for dtype in ("float32", "float64", "float16"):
        check(function, X.astype(dtype))
    check(lambda x: [v + 1 if v > 2 else v for v in x], X.astype("int32"))

    def rounded(x):
        s = 0.1
        for value in x:
            if value > 2:
                s = s + value
        return s

    check(rounded, X.astype("float32"))


def test_a_function_without_source():
    names = {}
    exec("def function(x):\n    return x if x[0] > 0 else -x\n", names)
    check(names["function"], X)
    check(names["function"], -X)


def test_a_name_is_bound_again_in_a_nested_loop():
    def function(table, n):
        for k in range(n[0]):
            s = 0
            for i in range(table.shape[0]):
                s += table[i, k]
                for j in range(i):
                    s -= table[j, k] * 0.5
            table[0, k] = s
        return table

    check(function, np.arange(600.0).reshape(20, 30), np.array([30]))


def test_explain_says_why_a_loop_is_unrolled():
    def function(x):
        parts = []
        for i in range(6):
            if x[i] > 2:
                x[i] = 2
            parts.append(x[i])
            parts.insert(1, x[i])
        return np.array(parts)

    jitted = check(function, X)
    assert (
        "is unrolled: a list that a loop appends to is asked for an item to be put between others in the loop"
        in jitted.explain(X).text()
    )


def test_a_loop_that_raises_nothing_is_answered_natively():
    jitted = jf.jit(programs.cholesky)
    table = np.eye(9) * 4 + 1
    for _ in range(40):
        assert_same(jitted(table), programs.cholesky(table))
    assert jitted.stats()["native_calls"] > 10


def test_names_that_are_bound_on_one_way_only():
    """What another condition makes of them: a value, an early result, what goes on being computed with."""

    def chosen(x):
        y = x * 2
        if x.sum() > 0:
            z = y + 1
        else:
            y = -y
        return z if x.sum() > 0 else y

    def returned(x):
        y = x * 2
        if x.sum() > 0:
            z = y + 1
        else:
            y = -y
        if x.sum() > 0:
            return z
        return y

    def bound_again(x):
        y = x * 2
        if x.sum() > 0:
            z = y + 1
        w = y
        if x.sum() > 0:
            w = z
        return w

    def in_a_loop(x):
        i, found = 0, np.float64(0.0)
        while i < 3:
            if x[i] > 0:
                last = x[i]
            i += 1
        if (x > 0).any():
            found = last
        return found

    for function in (chosen, returned, bound_again, in_a_loop):
        jitted = jf.jit(function)
        for x in (X, -X, np.array([-1.0, 5.0, -2.0])):
            assert_same(jitted(x), function(x))


def test_complex_numbers_of_traced_parts():
    """`complex(x, y)` keeps signs of zeros and infinite parts; loops carry it."""

    def escape(height, width, c, most):
        out = np.zeros((height, width), dtype=np.int32)
        for i in range(height):
            for j in range(width):
                z = complex(3 * j / width - 1.5, 3 * i / height - 1.5)
                n = 0
                while abs(z) <= 2 and n < most:
                    z = z * z + c
                    n += 1
                out[i, j] = n
        return out

    jitted = jf.jit(escape)
    assert_same(jitted(30, 40, -0.4 + 0.6j, 50), escape(30, 40, -0.4 + 0.6j, 50))
    assert jitted.stats()["interpreted"] == 0

    def made(a, b):
        return complex(a, b), complex(b), complex(a, 2), isinstance(complex(a), complex)

    for a, b in ((0.5, 2.0), (-0.0, np.inf), (np.nan, -0.0), (np.float64(1.5), 3)):
        assert repr(jf.jit(made)(a, b)) == repr(made(a, b))


def test_variables_without_a_value_before_loops_inside_each_other():
    """Loops of a few iterations that values end, inside others, are kept whatever their variables hold."""

    def root(z, tolerance):
        for i in range(50):
            slope = 3 * z**2
            if slope == 0:
                return z, -1
            step = (z**3 - 1) / slope
            if abs(step) < tolerance:
                return z, i
            z -= step
        return z, 50

    def basins(n, roots):
        found = np.zeros((n, n), dtype=np.int64)
        for j, y in enumerate(np.linspace(-1, 1, n)):
            for i, x in enumerate(np.linspace(-1, 1, n)):
                z, iterations = root(complex(x, y), 1e-8)
                for k in range(len(roots)):
                    if abs(z - roots[k]) < 1e-6:
                        found[j, i] = 100 * k + iterations
                        break
        return found

    def newton(z, tolerance):
        for k in range(len(z)):
            x = z[k]
            for i in range(50):  # noqa: B007
                step = (x * x * x - 1) / (3 * x * x)
                x = x - step
                if abs(step) < tolerance:
                    break
            z[k] = x + i
        return z

    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    z = np.linspace(-1, 1.1, 30) + 0.5j
    for function, arguments in ((basins, (31, roots)), (newton, (z, 1e-6))):
        jitted = jf.jit(function)
        expected = function(*(np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments))
        assert "unrolled" not in str(jitted.explain(*arguments))
        np.testing.assert_allclose(jitted(*arguments), expected, rtol=1e-13)
        assert jitted.stats()["interpreted"] == 0
