"""Exceptions of captured functions: which is raised, in what order, and at which line."""

from __future__ import annotations

import contextlib
import traceback

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same, check

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])


def test_assertions_and_exceptions():
    def function(x, n):
        assert n > 0, f"{x.shape[0]} values and no turn"
        if x.max() > 100:
            raise ValueError("too large", 100)
        if x.min() < 0:
            raise KeyError("negative")
        return x * n

    function = _unrewritten(function)
    jitted = jf.jit(function)
    assert_same(jitted(X, 2.0), X * 2)
    for x, n in ((X, -1.0), (X * 100, -1.0), (X * 100, 1.0), (-X, 1.0)):
        with pytest.raises(Exception) as expected:
            function(x, n)
        with pytest.raises(expected.type) as found:
            jitted(x, n)
        assert found.value.args == expected.value.args
    assert_same(jitted(X, 3.0), X * 3)


def test_exceptions_in_order(capsys):
    def function(x, n):
        if n == 0:
            print("none")
            if x == 0:
                print("neither")
                raise ValueError("both are 0")
            elif x == 1:
                raise TypeError("one")
            raise ValueError("n is 0")
        print("some")
        return x / n

    def in_a_loop(x, n):
        total = 0.0
        for k in range(5):
            if k == n:
                assert x != 1, "one"
                raise ValueError("met")
            total += x
        return total

    for each in (function, _unrewritten(in_a_loop)):
        jitted = jf.jit(each)
        for n in (1, 2, 3, 4, 5, 0):
            for x in (2, 3, 0, 1):
                assert _outcome(jitted, capsys, x, n) == _outcome(each, capsys, x, n)


def _outcome(function, capsys, *arguments):
    try:
        result = function(*arguments)
    except Exception as error:
        result = type(error), error.args
    return result, capsys.readouterr().out


def _unrewritten(function):
    """A function of this file whose asserts pytest has not rewritten."""
    import inspect
    import linecache
    import textwrap

    text = textwrap.dedent(inspect.getsource(function))
    file = f"<{function.__name__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = dict(function.__globals__)
    exec(compile(text, file, "exec"), names)
    return names[function.__name__]


def test_what_was_raised_ends_a_loop():
    def function(x):
        if x[0] < 0:
            raise ValueError("negative")
        while x[0] != 0:
            x = x - 1
        return x

    check(function, X)
    with pytest.raises(ValueError, match="negative"):
        jf.jit(function)(-X)  # which would have no end

    def inside(x):
        while x[0] != 0:
            x = x - 1
            if x[1] < -100:
                raise ValueError("too far")
        return x

    with pytest.raises(ValueError, match="too far"):
        jf.jit(inside)(X + 0.5)


def test_an_exception_of_a_helper_names_its_line():
    def checked(x):
        if x[0] < 0:
            raise ValueError("negative")
        return x

    jitted = jf.jit(lambda x: checked(x) * 2)
    with pytest.raises(ValueError, match="negative") as found:
        jitted(-X)
    lines = traceback.extract_tb(found.value.__traceback__)
    assert any(each.line == 'raise ValueError("negative")' for each in lines)


class Refusal(Exception):
    pass


def by_name(x):
    z = 0
    try:
        while not x.sum() > 200:
            z = 1
            raise Refusal
    except Refusal:
        z += 10
    return z


def by_any(x):
    z = 0
    try:
        for i in range(int(x.sum())):
            z = i + 2
            raise Refusal
    except:  # noqa: E722
        z += 10
    return z


def by_a_manager(x):
    z = 0
    with contextlib.suppress(Refusal):
        while not x.sum() > 200:
            z = 1
            raise Refusal
    return z


def of_a_position(x):
    z = 0.0
    try:
        for i in range(100):
            z = z + x[i]
            x[100]
    except IndexError:
        z += 10
    return z


def of_a_helper(x):
    def fail():
        raise Refusal("in a helper")

    z = 0.0
    try:
        while z < x.sum():
            z += 1
            fail()
    except Refusal:
        z += 10
    return z


@pytest.mark.parametrize("function", [by_name, by_any, by_a_manager, of_a_position, of_a_helper])
def test_loops_whose_exceptions_are_caught_around_them(function):
    """Where no iteration is run, none is raised; what the iteration has changed stays."""
    for x in (np.arange(8.0) + 3, np.arange(8.0) + 100, np.zeros(8), np.arange(100.0)):
        jitted, expected = jf.jit(function), function(x)
        for _ in range(3):
            assert jitted(x) == expected


def doubled(value):
    if value > 5:
        raise ValueError("large")
    return value * 2


def below_five(value):
    assert value < 5, "large"
    return value


def item(container, key):
    return container[key]


class Counted:
    def __init__(self):
        self.count = 0

    def add(self, value):
        if value > 5:
            raise RuntimeError
        self.count += 1
        return value


def raised_in_a_helper(x):
    total = 0.0
    for value in x:
        try:
            total += doubled(value)
        except Exception:
            total -= 1
    return total


def raised_without_a_loop(x):
    try:
        return doubled(x[2])
    except ValueError:
        return -x[2]


def asserted_in_a_helper(x):
    total = 0.0
    for value in x:
        try:
            total += below_five(value)
        except AssertionError:
            total -= 1
    return total


def position_in_a_helper(x):
    large, total = [value for value in x if value > 2], 0.0
    for i in range(12):
        try:
            total += item(large, i)
        except IndexError:
            total -= 1
    return total


def popped_in_a_helper(x):
    large, total = [value for value in x if value > 2], 0.0
    for _ in range(12):
        try:
            total += (lambda: large.pop())()
        except IndexError:
            total -= 1
    return total


def raised_in_a_method(x):
    counted, total = Counted(), 0.0
    for value in x:
        try:
            total += counted.add(value)
        except RuntimeError:
            total += 100
    return total, counted.count


@pytest.mark.parametrize(
    "function",
    [
        raised_in_a_helper, raised_without_a_loop, asserted_in_a_helper, position_in_a_helper,
        popped_in_a_helper, raised_in_a_method,
    ],
)  # fmt: skip
def test_exceptions_of_helpers_are_those_of_handlers_around_their_calls(function):
    x = np.array([3.0, 1.0, 6.0, 2.0, 5.0, 3.0, 9.0])
    jitted, expected = jf.jit(function), function(x)
    for _ in range(3):
        assert_same(jitted(x), expected)


A = [[], [0.5], [0.0, 0.75]]


def stages(y, end):
    t = 0.0
    while t < end:
        k = []
        for i in range(3):
            z = y.copy()
            for j in range(i):
                z += 0.1 * A[i][j] * k[j]
            k.append(t - z)
        y = y + 0.1 * sum(b * each for b, each in zip((0.2, 0.3, 0.5), k, strict=True))
        t += 0.1
    return y


def stages_in_places(y, end):
    t = 0.0
    while t < end:
        k = [None] * 3
        for i in range(3):
            k[i] = t - (y + 0.1 * sum(A[i][j] * k[j] for j in range(i)))
        y = y + 0.1 * sum(k)
        t += 0.1
    return y


@pytest.mark.parametrize("function", [stages, stages_in_places], ids=lambda each: each.__name__)
def test_what_only_the_first_trace_of_an_iteration_raises_is_not_raised(function, strict):
    """The items that an inner loop reads are those of iterations before."""
    y = np.array([1.0, 2.0])
    assert np.allclose(jf.jit(function)(y, 1.0), function(y, 1.0), rtol=1e-13)


def test_what_an_iteration_raises_is_pythons(strict):
    def outside(x):
        items = []
        for i in range(3):
            x = x + items[i]
        return x

    with pytest.raises(IndexError, match="list index out of range"):
        jf.jit(outside)(np.ones(3))
