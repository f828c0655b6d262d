"""Python's numbers raise where NumPy's have an infinity: divided by zero, in the logarithm of zero, in a
power beyond all floats. Handlers of the function's own have what a program raises."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import FallbackWarning, NumberError, ZeroError
from jitframe.ir.node import topological


def outcome(function, *arguments):
    try:
        return function(*[each.copy() if isinstance(each, np.ndarray) else each for each in arguments])
    except (ArithmeticError, ValueError, IndexError) as error:
        return type(error), str(error)


def same(first, second) -> bool:
    return repr(first) == repr(second)


def check(function, *several) -> None:
    jitted = jf.jit(function)
    for _ in range(2):
        for arguments in several:
            assert same(outcome(jitted, *arguments), outcome(function, *arguments)), arguments


OPERATORS = {
    "/": lambda x, y: x / y, "//": lambda x, y: x // y, "%": lambda x, y: x % y, "divmod": divmod,
    "3 / y": lambda x, y: 3 / y, "7 % y": lambda x, y: 7 % y + x, "x / 0": lambda x, y: x / 0,
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_quotients_by_zero(name) -> None:
    pairs = ((7, 2), (7, 0), (7.5, 2.0), (7.5, 0.0), (7.5, -0.0), (7, 0.0), (0.0, 0.0), (7.5, 0))
    check(OPERATORS[name], *pairs)


def test_powers() -> None:
    values = (0.0, 2.0, -8.0, 1e200, -1e200, math.inf, -math.inf, math.nan)
    exponents = (-1.0, 0.0, 0.5, 1 / 3, 2.0, 3.0, -2.0, math.inf, -math.inf, math.nan)
    pairs = [(x, y) for x in values for y in exponents]
    jitted = jf.jit(lambda x, y: x**y)
    for x, y in pairs:
        found, expected = outcome(jitted, x, y), outcome(pow, x, y)
        if isinstance(expected, float):
            assert found == pytest.approx(expected, nan_ok=True), (x, y)
        else:
            assert same(found, expected), (x, y)
    for function in (lambda x: x**2, lambda x: x**-1, lambda x: x**0.5, lambda x: x**-3, lambda x: 2.0**x,
                     lambda x: 0.0**x, lambda x: (-2.0) ** x):  # fmt: skip
        jitted = jf.jit(function)
        for x in (*values, 1100.0, 0.25):
            found, expected = outcome(jitted, x), outcome(function, x)
            if isinstance(expected, float):
                assert found == pytest.approx(expected, nan_ok=True), x
            else:
                assert same(found, expected), x


POINTS = (0.0, -0.0, 0.5, 1.0, -1.0, -2.0, 2.0, -2.5, 1000.0, -1000.0, math.inf, -math.inf, math.nan)
FUNCTIONS = [
    name
    for name in (
        "sqrt", "log", "log2", "log10", "log1p", "exp", "expm1", "exp2", "sin", "cos", "tan", "asin", "acos",
        "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "erf", "erfc", "cbrt",
        "fabs", "floor", "ceil", "trunc",
    )
    if hasattr(math, name)
]  # fmt: skip


def test_functions_of_math() -> None:
    """Numbers of Python's and elements of arrays, for which math is Python's as well."""
    for name in FUNCTIONS:
        function = getattr(math, name)
        for jitted, given in (
            (jf.jit(lambda x, f=function: f(x)), lambda x: x),
            (jf.jit(lambda x, f=function: f(x[0])), lambda x: np.array([x])),
        ):
            for x in POINTS:
                found, expected = outcome(jitted, given(x)), outcome(function, x)
                if isinstance(expected, float):
                    assert found == pytest.approx(expected, rel=1e-12, nan_ok=True), (name, x)
                else:
                    assert same(found, expected), (name, x)


def test_functions_of_two_numbers() -> None:
    for function in (math.pow, math.fmod, math.atan2, math.hypot, math.copysign, math.log):
        jitted = jf.jit(lambda x, y, f=function: f(x, y))
        for x in (0.0, 1.5, -8.0, 1e200, math.inf, math.nan):
            for y in (0.0, 0.5, 1.0, 3.0, -1.0, -math.inf, math.nan):
                found, expected = outcome(jitted, x, y), outcome(function, x, y)
                if isinstance(expected, float):
                    assert found == pytest.approx(expected, nan_ok=True), (function, x, y)
                else:
                    assert same(found, expected), (function, x, y)


def test_floats_that_are_made_integers() -> None:
    for function in (lambda x: int(x), lambda x: round(x), lambda x: math.floor(x) + 1, lambda x: int(x * 2)):
        check(function, *[(x,) for x in (2.5, -3.5, 1e30, -1e300, math.inf, -math.inf, math.nan, 9.3e18)])


def test_numpy_has_infinities() -> None:
    def function(x, y):
        return x[0] / y[0], np.sqrt(x[1]), np.log(y[0]), np.divide(1.0, 0.0), x / y, x[0] ** -1.0

    x, y = np.array([0.0, -1.0]), np.zeros(2)
    with np.errstate(all="ignore"):
        for found, expected in zip(jf.jit(function)(x, y), function(x, y), strict=True):
            np.testing.assert_array_equal(found, expected)


def inverse_sum(x):
    total = 0.0
    for v in x:
        total += 1.0 / float(v)
    return total


def guarded_choice(x):
    total = 0.0
    for v in x:
        v = float(v)
        total += 1 / v if v != 0 else -1.0
    return total


def guarded_branch(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += math.log(v)
    return total


def guarded_condition(x):
    count = 0
    for v in x:
        if v != 0 and 1 / float(v) > 2:
            count += 1
    return count


def unused_in_a_loop(x):
    count = 0
    for v in x:
        1 / float(v)
        count += 1
    return count


def unused_in_a_branch(x):
    total = 0
    for v in x:
        if v < 0.5:
            math.log(v)
        total += v
    return total


def until_it_is_small(x):
    a, b = float(x[0]), float(x[1])
    turns = 0
    while a > 1e-3:
        a = a / b
        turns += 1
    return turns


LOOPS = (
    inverse_sum, guarded_choice, guarded_branch, guarded_condition, unused_in_a_loop, unused_in_a_branch,
    until_it_is_small,
)  # fmt: skip
LONG = np.array([0.5, 2.0, 4.0] * 100)


@pytest.mark.parametrize("function", LOOPS)
def test_loops(function) -> None:
    with_zero = LONG.copy()
    with_zero[[1, 77]] = 0.0
    check(function, (LONG,), (with_zero,), (LONG[:3],), (with_zero[:3],))


def handled(x, y):
    try:
        return x / y
    except ZeroDivisionError:
        return -1.0


def handled_and_unused(x, y):
    try:
        x / y
    except ArithmeticError:
        return "zero"
    return "fine"


def of_a_helper(x, y):
    def quotient(x, y):
        return x / y

    try:
        return quotient(x, y)
    except Exception as error:
        return type(error).__name__


def two_handlers(x, y):
    try:
        return math.sqrt(x) / y
    except ValueError:
        return "domain"
    except ZeroDivisionError:
        return "zero"


def suppressed(x, y):
    found = 0.5
    with contextlib.suppress(ZeroDivisionError):
        found = x / y
    return found


def another_is_raised(x, y):
    try:
        return x / y
    except ZeroDivisionError as error:
        raise ValueError("y is zero") from error


def in_the_end(x, y):
    order = []
    try:
        found = x / y
    finally:
        order.append("end")
    return found


HANDLED = (handled, handled_and_unused, of_a_helper, two_handlers, suppressed, another_is_raised, in_the_end)


@pytest.mark.parametrize("function", HANDLED)
def test_handlers(function) -> None:
    check(function, (6.0, 2.0), (6.0, 0.0), (-6.0, 2.0))


def of_rows(x, y):
    for i in range(len(x)):
        try:
            x[i] = 1 / float(y[i])
        except ZeroDivisionError:
            x[i] = 0
    return x


def of_an_element(x, y):
    x[0] = 1
    try:
        x[1] = 1 / float(y[1])
    except ZeroDivisionError:
        x[1] = -7
    return x


@pytest.mark.parametrize("function", [of_rows, of_an_element])
@pytest.mark.parametrize("strict", [False, True])
def test_handlers_where_arguments_are_written_to(function, strict) -> None:
    before = jf.settings.configure(strict=strict)
    try:
        check(function, (np.zeros(3), np.array([2.0, 0.0, 4.0])), (np.zeros(3), np.array([2.0, 1.0, 4.0])))
    finally:
        jf.settings.restore(before)


def solved(a, b):
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(a, b, rcond=None)[0]


def inverted(a, b):
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return b


def is_positive(a, b):
    try:
        np.linalg.cholesky(a)
        return True
    except np.linalg.LinAlgError:
        return False


def written(a, b):
    try:
        b[:] = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        b[:] = 0
    return b


@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
@pytest.mark.parametrize("function", [solved, inverted, is_positive, written])
def test_handlers_of_linear_algebra(function) -> None:
    jitted = jf.jit(function)
    for size in (2, 6):
        for _ in range(2):
            for a in (np.eye(size) * 3, np.zeros((size, size)), -np.eye(size)):
                expected = function(a.copy(), np.ones(size))
                np.testing.assert_allclose(jitted(a.copy(), np.ones(size)), expected, atol=1e-12)


def test_handlers_of_positions() -> None:
    def function(x, i):
        try:
            return x[int(i[0])]
        except IndexError:
            return -1.0

    check(function, (LONG, np.array([1])), (LONG, np.array([1000])))


def test_where_python_may_not_answer_it_is_an_error() -> None:
    def function(x, y):
        x[0] = 7
        return 1 / float(y[0])

    jitted = jf.jit(function)
    assert jitted(np.zeros(1), np.ones(1)) == 1
    x = np.zeros(1)
    with pytest.raises(ZeroError, match=r"float division by zero\n  at .*_numbers.py:\d+, in .*function"):
        jitted(x, np.zeros(1))
    assert x[0] == 7

    def large(x):
        x[0] = int(x[0])
        return x

    with pytest.raises(NumberError, match="a float is made an integer that has more than 64 bits"):
        jf.jit(large)(np.array([1e30]))


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device) -> None:
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    x = np.array([0.5, 2.0, 4.0] * 100, np.float32)
    jitted = jf.jit(inverse_sum, device=device)
    assert jitted(x) == pytest.approx(inverse_sum(x), rel=1e-5)
    x[7] = 0
    with pytest.raises(ZeroDivisionError, match="float division by zero"):
        jitted(x)
    caught = jf.jit(handled, device=device)
    assert [caught(6.0, y) for y in (2.0, 0.0)] == [3.0, -1.0]


def test_calls_of_the_native_entry() -> None:
    """The entry answers calls of programs that look at numbers; Python those that come to an exception."""

    @jf.jit
    def function(x, y):
        return x / y

    for n in range(40):
        assert function(3.0, n + 1.0) == 3.0 / (n + 1.0)
    assert function.stats()["native_calls"] > 10
    before = function.stats()["interpreted"]
    for _ in range(5):
        with pytest.raises(ZeroDivisionError, match="float division by zero"):
            function(3.0, 0.0)
        assert function(3.0, 2.0) == 1.5
    assert function.stats()["interpreted"] > before


def test_what_cannot_be_zero_is_not_looked_at() -> None:
    def function(x):
        total = 0.0
        for i in range(len(x)):
            total += x[i] / (i + 1) + i % 7 + i // 2
        return total

    program = jf.jit(function).program(np.ones(500))
    assert not any(node.op.name == "checked" for node in topological(program.outputs))


def fnv(k):
    found = 14695981039346656037
    for v in k:
        found = (found ^ int(v)) * 1099511628211 % 2**64
    return found


def masked(k):
    found = 0
    for v in k:
        found = (found * 31 + int(v)) & 0xFFFFFFFFFFFFFFFF
    return found


def compared(k):
    return int(k[0]) < 2**70, int(k[0]) + 2**70


@pytest.mark.parametrize("function", [fnv, masked, compared])
def test_integers_of_the_program_with_more_than_64_bits(function) -> None:
    jitted = jf.jit(function)
    for size in (3, 200):
        k = np.arange(size) % 50
        for _ in range(4):
            assert jitted(k) == function(k)


def test_arguments_of_more_than_64_bits() -> None:
    jitted = jf.jit(lambda n, x: (n % 1000 + x, n))
    for n in (7, 2**63, -(2**80), 2**62, 3):
        found, expected = jitted(n, 1.5), (n % 1000 + 1.5, n)
        assert found == expected


SCALARS = (0.5, np.float64(0.5), np.float32(0.5), np.array(0.5), 2, np.int32(3), True)
OF_SCALARS = {
    "copy": np.copy, "select": lambda v: np.select([v > 1], [v], v), "real_if_close": np.real_if_close,
    "piecewise": lambda v: np.piecewise(v, [v > 1], [1, 2]), "roll": lambda v: np.roll(v, 1),
    "where": lambda v: np.where(v > 1, v, 0.0), "squeeze": np.squeeze, "transpose": np.transpose,
    "reshape": lambda v: np.reshape(v, ()), "cumsum": np.cumsum, "outer": lambda v: np.outer(v, 2.0),
    "broadcast_to": lambda v: np.broadcast_to(v, ()), "clip": lambda v: np.clip(v, 0, 1),
}  # fmt: skip


def test_what_functions_of_scalars_give() -> None:
    """An ndarray without axes, or a NumPy scalar, as NumPy has it."""
    for name, function in OF_SCALARS.items():
        for value in SCALARS:
            found, expected = jf.jit(lambda v, f=function: f(v))(value), function(value)
            assert type(found) is type(expected), (name, value)
            assert found.dtype == expected.dtype, (name, value)
            np.testing.assert_array_equal(found, expected)


def powers_by_a_modulus(x, modulus):
    total = 0
    for v in x:
        total += pow(int(v), 13, modulus) + pow(3, int(v), modulus)
    return total, pow(int(x[0]), 5, modulus)


@pytest.mark.parametrize("modulus", [1, 97, -97, 2**31 - 1, 2**61 - 1])
def test_powers_by_a_modulus(modulus):
    jitted, x = jf.jit(powers_by_a_modulus), np.arange(1, 40)
    for _ in range(2):
        assert jitted(x, modulus) == powers_by_a_modulus(x, modulus)
    if abs(modulus) < 2**31:  # squares fit
        assert jitted.stats()["interpreted"] == 0


def test_powers_by_a_modulus_that_are_pythons():
    def inverse(x):
        return pow(int(x[0]), -1, 7)

    with pytest.warns(FallbackWarning, match="negative exponent"):
        assert jf.jit(inverse)(np.array([3])) == inverse(np.array([3]))
    with pytest.raises(ValueError, match="3rd argument cannot be 0"):
        jf.jit(powers_by_a_modulus)(np.arange(1, 40), 0)
