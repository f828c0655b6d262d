"""Python's integers have no end, those of compiled code have: what grows beyond them is noticed, and Python
answers where it may. What cannot grow so far is not looked at."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import NumberError
from jitframe.ir.node import topological
from jitframe.runtime.cpu.entry.callables import entry_calls
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.tracing.fallback import MOST_IN_VAIN


def factorial(k):
    product = 1
    for i in range(1, int(k[0]) + 1):
        product *= i
    return product


def fibonacci(k):
    a, b = 0, 1
    for _ in range(int(k[0]) * 3):
        a, b = b, a + b
    return a


def hashed(k):
    found = 5381
    for i in range(int(k[0])):
        found = found * 33 + i
    return found


def squared(k):
    n = int(k[0])
    while n < 10**17 and n > 1:
        n = n * n
    return n


def raised(k):
    return int(k[0]) ** 40


def shifted(k):
    return (1 << int(k[0])) - (3 << int(k[0]))


def straight(k):
    n = int(k[0]) * 10**9
    return n * n - n, -n, abs(n)


def in_a_branch(k):
    n = int(k[0])
    if n > 3:
        n = n * 10**18
    return n


def of_a_helper(k):
    def power(base, exponent):
        if exponent == 0:
            return 1
        return base * power(base, exponent - 1)

    return power(int(k[0]), 15)


def congruential(k):
    state = 12345
    for _ in range(int(k[0])):
        state = (state * 1103515245 + 12345) % 2**32
    return state


def fnv(k):
    found = 2166136261
    for i in range(int(k[0])):
        found = ((found ^ (i & 255)) * 16777619) & 0xFFFFFFFF
    return found


def counted(k):
    count, i = 0, 0
    while i < 1000:
        i += 2
        count = count + 1 if i % 3 else count - 2
    return count + int(k[0] > 3)


def positions(k):
    total = 0
    for i in range(200):
        for j in range(300):
            total += (i * 300 + j) % 7
    return total


LARGE = (factorial, fibonacci, hashed, squared, raised, shifted, straight, in_a_branch, of_a_helper)
KEPT = (congruential, fnv, counted, positions)


@pytest.mark.parametrize("function", [*LARGE, *KEPT])
def test_integers_are_those_of_python(function) -> None:
    jitted = jf.jit(function)
    for n in (3, 1, 4, 25, 62, 2, 40, 33):
        assert jitted(np.array([n])) == function(np.array([n])), n


@pytest.mark.parametrize("function", LARGE)
def test_where_python_may_not_answer_it_is_an_error(function) -> None:
    before = jf.settings.configure(strict=True)
    try:
        jitted = jf.jit(function)
        assert jitted(np.array([1])) == function(np.array([1]))
        with pytest.raises(NumberError, match="a Python integer grows beyond 64 bits"):
            jitted(np.array([62]))
    finally:
        jf.settings.restore(before)


@pytest.mark.parametrize("function", KEPT)
def test_what_stays_small_is_not_looked_at(function) -> None:
    jitted = jf.jit(function)
    program = jitted.program(np.array([3]))
    assert program.results.failed is None


def test_arguments_are_written_to_before_the_error() -> None:
    def function(x, k):
        x[0] = 7
        return int(k[0]) ** 40

    x = np.zeros(2)
    with pytest.raises(NumberError, match="beyond 64 bits"):
        jf.jit(function)(x, np.array([40]))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_arrays_wrap_as_those_of_numpy(dtype) -> None:
    def function(k):
        total = k[0]
        for i in range(1, 200):
            total = total * (k[1] + i)
        return total

    with np.errstate(over="ignore"):
        expected = function(np.array([3, 7], dtype))
    assert jf.jit(function)(np.array([3, 7], dtype)) == expected


def test_integer_arguments_of_any_size() -> None:
    jitted = jf.jit(lambda n, x: (n * n + 1, x * n))
    for n in (3, 2**31 - 1, 2**31, -(2**31), 2**40, 5, 2**62, -9):
        assert jitted(n, np.ones(2))[0] == n * n + 1
    small = [jitted(n, np.ones(2)) for n in range(40)]
    assert [each[0] for each in small] == [n * n + 1 for n in range(40)]
    program = jitted.program(3, np.ones(2))
    assert program.results.failed is None


def test_devices_of_short_integers() -> None:
    if "webgpu" not in {each.name for each in jf.devices() if each.available}:
        pytest.skip("no webgpu here")

    @jf.jit(device="webgpu")
    def function(k):
        product = 1
        for i in range(1, int(k[0]) + 1):
            product *= i
        return product

    assert function(np.array([12], np.int32)) == 479001600
    with pytest.raises(NumberError, match="beyond 32 bits"):
        function(np.array([13], np.int32))


def test_the_nodes_that_ask_are_few() -> None:
    program = jf.jit(fibonacci).program(np.array([3]))
    assert sum(node.op.family == "control" for node in topological(program.outputs)) == 1


def written_and_checked(x, k):
    x[0] += 1
    product = 1
    for i in range(1, int(k[0]) + 1):
        product *= i
    return product, x * 2


def asserted(x, k):
    assert k[0] < 100, "too large"
    return x + k[0], int(k[0]) ** 5


@pytest.mark.parametrize("function", [factorial, hashed, in_a_branch])
def test_the_entry_answers_what_stays_small(function) -> None:
    """What does not goes to the slow callable, which lets Python answer."""
    jitted = jf.jit(function)
    for _ in range(3):
        jitted(np.array([2]))
    fast, slow = entry_calls(jitted)
    for _ in range(5):
        assert jitted(np.array([2])) == function(np.array([2]))
    assert entry_calls(jitted) == (fast + 5, slow)
    for _ in range(5):
        assert jitted(np.array([50])) == function(np.array([50]))
    assert entry_calls(jitted)[1] == slow + 5


def test_the_entry_is_not_asked_where_most_of_its_calls_are_in_vain() -> None:
    jitted = jf.jit(factorial)
    for _ in range(3):
        jitted(np.array([2]))
    fast, _ = entry_calls(jitted)
    for _ in range(6):
        assert jitted(np.array([50])) == factorial(np.array([50]))
    assert entry_calls(jitted)[0] == fast + MOST_IN_VAIN


@pytest.mark.parametrize(
    ("function", "error"), [(written_and_checked, NumberError), (asserted, AssertionError)]
)
def test_the_entry_raises(function, error) -> None:
    jitted = jf.jit(function)
    small, large = np.array([3]), np.array([1000])
    for _ in range(30):
        mine, its = np.zeros(100), np.zeros(100)
        for found, expected in zip(jitted(mine, small), function(its, small), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(mine, its)
    assert entry_calls(jitted)[0] > 20
    before = runtime().statistics()["live_bytes"]
    for _ in range(10):
        with pytest.raises(error):
            jitted(np.zeros(100), large)
    assert entry_calls(jitted)[0] > 30
    assert runtime().statistics()["live_bytes"] == before


def test_products_with_known_factors() -> None:
    """By a factor that stands in the program the end is known exactly: just below it nothing is raised."""

    def times(x, turns):
        total = int(x)
        for k in range(turns):
            total = total * -3 if k % 2 else total * 7
        return total

    jitted = jf.jit(times)
    for x in (0, 1, -1, (1 << 63) // 21**2 - 1, -((1 << 63) // 21**2)):
        given = np.array([x])[0]
        assert jitted(given, 4) == times(given, 4)
    beyond = np.array([(1 << 63) // 21**2 * 3])[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert jitted(beyond, 4) == times(beyond, 4)


def test_numbers_of_the_source_that_divide() -> None:
    def digits(n):
        n = int(n)
        total, shifted, mixed = 0, 0, 0
        while n > -20000:
            total += n % 10 + n // 7 % 256 - n // 64
            shifted ^= n % -16 + n // -8 + (n // (2**31)) % 4096
            mixed += n % (10**9 + 7)
            mixed %= 1 << 40
            mixed //= 3
            n -= 77
        return total, shifted, mixed

    jitted = jf.jit(digits)
    for n in (0, 5, 12345, -19990):
        assert jitted(np.array([n])[0]) == digits(n)

    def by_nothing(n):
        for k in range(n):
            n += k % 0
        return n

    with pytest.raises(ZeroDivisionError, match="modulo by zero"):
        jf.jit(by_nothing)(9)


def powers_of_counters(n, base):
    found = []
    for i in range(int(n[0])):
        found.append(base**i % 1000)
    return found


def powers_of_two(n, _base):
    total = 0
    for i in range(int(n[0])):
        total ^= 2**i
    return total


def alternating(n, _base):
    total = 0
    for i in range(40 * int(n[0])):
        total += (-1) ** i * i + 0 ** (i % 3) - 1**i
    return total


def falling_exponents(n, base):
    total = 0
    for i in range(4, 4 - int(n[0]), -1):
        total += base**i
    return total


@pytest.mark.parametrize("function", [powers_of_counters, powers_of_two, alternating, falling_exponents])
def test_powers_by_exponents_that_vary(function):
    jitted = jf.jit(function)
    for base in (2, -2, 3, -3, 0, 1, -1, 10):
        for n in (0, 1, 2, 5, 6, 18, 19, 62, 63, 64, 66, 130):
            n = np.array([n])
            if base == 0 and function is falling_exponents and n[0] > 5:
                with pytest.raises(ZeroDivisionError):
                    jitted(n, base)
                continue
            meant = function(n, base)
            found = jitted(n, base)
            assert found == meant and repr(found) == repr(meant), (base, n)


def test_small_powers_are_compiled(strict):
    small = np.array([15])
    for function in (powers_of_counters, powers_of_two, alternating):
        assert jf.jit(function)(small, 3) == function(small, 3)

    def shaped(x, base, exponent):
        return x.reshape(base**exponent, -1) * base**exponent

    x = np.arange(32.0)
    np.testing.assert_array_equal(jf.jit(shaped)(x, 2, 3), shaped(x, 2, 3))
    with pytest.raises(NumberError, match="an integer to the power of a negative one"):
        jf.jit(falling_exponents)(small, 3)
