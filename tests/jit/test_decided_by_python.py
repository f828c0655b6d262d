"""Calls that Python decides on: the trace ends with an exception, or gives what is no result of a program."""

from __future__ import annotations

import json
import signal
import sys
import threading
import warnings
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

import jitframe as jf
from jitframe.errors import FallbackWarning, SpecializationWarning
from jitframe.tracing import fallback
from jitframe.tracing.fallback import Races
from jitframe.tracing.values.concrete import LeftToPython, leave_late
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])


def test_what_a_trace_cannot_be_given_to_is_pythons_with_a_warning() -> None:
    def inverse(m):
        return float(Decimal(m[0][0]) / Decimal(m[1][1]))

    jitted = jf.jit(inverse)
    with pytest.warns(FallbackWarning, match="Decimal"):
        assert jitted(np.array([[1.0, 2.0], [3.0, 8.0]])) == 0.125
    assert jitted(np.array([[3.0, 2.0], [3.0, 8.0]])) == 0.375
    assert jitted.stats()["interpreted"] == 2


def test_arrays_of_objects_are_pythons_with_a_warning() -> None:
    def scaled(v):
        return np.array([Fraction(1, 3), Fraction(2, 3)]) * int(v)

    jitted = jf.jit(scaled)
    with pytest.warns(FallbackWarning, match="object array"):
        assert jitted(3).tolist() == [1, 2]


def test_an_exception_of_a_trace_that_python_raises_too_leaves_the_next_call_to_a_trace() -> None:
    class Model:
        def __init__(self):
            self.weights = None

        def predict(self, x):
            return x * self.weights

    model, jitted = Model(), jf.jit(Model.predict)
    with pytest.raises(TypeError, match="NoneType"):
        jitted(model, X)
    model.weights = 2.0
    assert_same(jitted(model, X), X * 2.0)
    assert jitted.stats()["interpreted"] == 1 and jitted.program(model, X) is not None


def test_errors_of_shapes_are_those_that_name_the_line() -> None:
    def added(x, y):
        return x + y

    with pytest.raises(jf.errors.ShapeError, match=r"test_decided_by_python\.py:\d+, in added"):
        jf.jit(added)(np.ones(3), np.ones(4))


class swallows:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is KeyError


@pytest.mark.parametrize("manager", [lambda: suppress(KeyError), swallows])
def test_context_managers_that_end_exceptions(manager) -> None:
    def checked(x):
        found = 1.0
        with manager():
            if x.sum() > 3:
                raise KeyError("large")
            found = 2.0
        return found

    jitted = jf.jit(checked)
    assert [jitted(np.ones(n)) for n in (2, 5, 2)] == [2.0, 1.0, 2.0]


MARK = object()


@pytest.mark.parametrize(
    "made",
    [
        lambda: iter([1, 2]), lambda: zip([1], [2]), threading.Lock, lambda: ValueError("a"),
        lambda: {1: 2}.keys(), lambda: np.polynomial.Polynomial([1, 2]), lambda: lambda y: y,
    ],
)  # fmt: skip
def test_objects_that_the_function_has_made_are_new_at_each_call(made) -> None:
    def function(x):
        return x + 1, made()

    jitted = jf.jit(function)
    with pytest.warns(FallbackWarning, match="of its own, which would be the same one at each call"):
        first = jitted(X)[1]
    assert type(first) is type(made()) and jitted(X)[1] is not first


@pytest.mark.parametrize("given", [MARK, np, Fraction(1, 3), len, ..., slice(1, 2)])
def test_objects_from_outside_are_handed_out_as_they_are(given) -> None:
    jitted = jf.jit(lambda x: (x + 1, given))
    assert jitted(X)[1] is given and jitted(X)[1] is given
    assert jitted.stats()["interpreted"] == 0


def test_a_function_that_calls_itself_is_pythons_all_the_way_down() -> None:
    def depth(left, seen):
        seen.add(left)
        return 0 if left == 0 else 1 + jitted(left - 1, seen)

    jitted = jf.jit(depth)
    with pytest.warns(FallbackWarning):
        assert jitted(400, set()) == 400
    assert jitted.stats()["traces"] == 1


def test_values_that_seldom_come_again_are_pythons() -> None:
    def has_even_digit(n):
        return any(digit in "02468" for digit in str(n))

    jitted = jf.jit(has_even_digit)
    with pytest.warns(SpecializationWarning):
        found = [jitted(n) for n in range(300)]
    assert found == [has_even_digit(n) for n in range(300)]
    assert jitted.stats()["traces"] < 80 and jitted.stats()["interpreted"] > 200


def test_values_that_come_again_are_traced() -> None:
    races = Races(np.roll)
    with pytest.raises(LeftToPython):  # whose time is not known yet
        races.check_new_values(calls=100, seconds=0.1)
    race = races.new_values
    race.by_python(np.roll, (X, 1), {})
    race.python_ns = 10_000
    with pytest.raises(LeftToPython):
        races.check_new_values(calls=100, seconds=0.1)
    races.check_new_values(calls=100_000, seconds=0.1)


def test_what_a_trace_cannot_do_in_one_branch_is_pythons_there() -> None:
    def function(x):
        return x * 2 if x.sum() < 3 else np.array([Fraction(1, 2)] * 6) * 2

    jitted = jf.jit(function)
    assert_same(jitted(X / 100), X / 50)
    assert jitted(X).tolist() == function(X).tolist()


def test_very_many_turns_over_known_numbers_are_pythons() -> None:
    def cancelling(digits):
        found, den = [], 11
        for num in range(den, int("1" + "0" * digits)):
            while den <= 99:
                if (
                    num != den
                    and num % 10 == den // 10
                    and den % 10 != 0
                    and num // 10 / (den % 10) == num / den
                ):
                    found.append(f"{num}/{den}")
                den += 1
            den = 10
        return found

    jitted = jf.jit(cancelling)
    for digits in (2, 3, 1, 0, 4):
        assert jitted(digits) == cancelling(digits)
    assert jitted.stats()["interpreted"] == 1


@pytest.mark.parametrize("handler", [lambda number, frame: _late(), lambda *given: _late()])
def test_exceptions_of_signal_handlers_are_raised(handler) -> None:
    def function(x):
        signal.raise_signal(signal.SIGUSR1)
        return x + 1

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(TimeoutError, match="late"):
            jf.jit(function)(X)
    finally:
        signal.signal(signal.SIGUSR1, before)


def _late() -> None:
    raise TimeoutError("late")


class RefusedError(Exception):
    """One of a user's own."""


def test_what_was_stored_before_an_exception_of_the_function_is_stored() -> None:
    class Counter:
        count = 0

        def add(self, x):
            self.count += 1
            raise RefusedError("no more")

    counter, jitted = Counter(), jf.jit(Counter.add)
    for _ in range(2):
        with pytest.raises(RefusedError, match="no more"):
            jitted(counter, X)
    assert counter.count == 2


def test_a_run_in_vain_is_answered_as_every_call_of_pythons() -> None:
    """Calls that the function makes of itself meanwhile are Python's, too."""
    races = Races(lambda: races.is_running)
    call = SimpleNamespace(key="a signature", arguments=(), options={}, undo_draws=lambda: None)
    left = LeftToPython(error=OverflowError("large"), in_vain=True)
    assert races.first(left, call, compiled=lambda: None, entry=None) is True
    assert not races.is_running and races.calls == 1 and races.vain["a signature"].failed == 1


def moving_medians(x, reach):
    found = np.empty(len(x))
    for i in range(len(x)):
        found[i] = np.median(x[max(0, i - reach) : i + reach + 1])
    return found


def test_a_loop_that_is_long_unrolled_is_pythons(monkeypatch) -> None:
    monkeypatch.setattr(fallback, "OPERATION_NS", 10**9)
    x, jitted = np.random.default_rng(0).random(600), jf.jit(moving_medians)
    for _ in range(4):
        assert_same(jitted(x, 3), moving_medians(x, 3))
    assert jitted.stats()["interpreted"] == 4
    assert "a loop that is unrolled comes to some" in str(jitted.explain(x, 3))


def test_a_loop_that_python_takes_long_for_is_unrolled(monkeypatch) -> None:
    monkeypatch.setattr(fallback, "OPERATION_NS", 1)
    monkeypatch.setattr(fallback, "LEAST_CUTS", 0)
    monkeypatch.setattr(fallback, "PATIENCE_NS", 10**11)
    x, jitted = np.random.default_rng(0).random(150), jf.jit(moving_medians)
    for _ in range(5):
        assert_same(jitted(x, 3), moving_medians(x, 3))
    assert jitted.stats()["interpreted"] == fallback.RUNS


def bisected(x, low):
    for _ in range(100):
        if x.sum() > low:
            low = low + 1.0
        else:
            low = low / 2
    return low


def test_loops_that_take_long_to_trace_are_pythons(monkeypatch) -> None:
    monkeypatch.setattr(fallback, "FIRST_PATIENCE_NS", 0)
    monkeypatch.setattr(fallback, "PATIENCE_NS", 0)
    monkeypatch.setattr(fallback, "CALLS", 0)
    jitted = jf.jit(bisected)
    for _ in range(5):
        assert_same(jitted(X, 0.5), bisected(X, 0.5))
    assert jitted.stats()["interpreted"] == 5
    assert "take too long to trace" in str(jitted.explain(X, 0.5))


def halved_when_far(x, places):
    k = x[0] > 0
    for i in places:
        for _ in range(3):
            k = np.int32(i) if x[i] > k else 5
    return k


def test_an_unrolled_loop_that_takes_long_says_why_it_is(monkeypatch) -> None:
    def late(root):
        root.traced_until_ns = 0 if root.unrolled_loops else root.traced_until_ns
        leave_late(root)

    monkeypatch.setattr("jitframe.capture.hooks.leave_late", late)
    told = str(jf.jit(halved_when_far).explain(X, list(range(8))))
    assert "take too long to trace (the loop at " in told and "is unrolled: the variable 'k' " in told


def test_others_tell_how_long_a_first_trace_may_take() -> None:
    races = Races(bisected)
    assert races.first_patience_ns() == fallback.FIRST_PATIENCE_NS
    races.known["a signature"] = race = fallback.Race("short")
    assert races.first_patience_ns() == fallback.FIRST_PATIENCE_NS
    race.by_python(bisected, (X, 0.5), {})
    assert races.first_patience_ns() == fallback.PATIENCE_NS + fallback.CALLS * race.python_ns


class Scaled:
    """An operand of the user's, which NumPy makes an array of where it can."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __rmul__(self, other):
        return Scaled(other * self.values)

    def __eq__(self, other):
        return ("equal to", other)


class Angle:
    """An operand of the user's that is no array."""

    def __init__(self, degrees):
        self.degrees = degrees

    def __rmul__(self, other):
        return Angle(other * self.degrees)


class First(Angle):
    __array_ufunc__ = None
    """NumPy leaves such operands to their own operators."""


def test_operands_of_the_users_own_answer_where_they_would_in_numpy() -> None:
    number = jf.jit(lambda v: v * Scaled([1.0, 2.0]))(3.0)
    assert type(number) is Scaled and number.values.tolist() == [3.0, 6.0]
    assert_same(jf.jit(lambda x: x * Scaled([1.0, 2.0]))(np.ones(2)), np.array([1.0, 2.0]))
    assert jf.jit(lambda v: v == Scaled([1.0]))(2.0) == ("equal to", 2.0)
    assert jf.jit(lambda v: v * Angle(2.0))(3.0).degrees == 6.0
    assert jf.jit(lambda x: x * First(2.0))(X).degrees.tolist() == (X * 2).tolist()
    jitted = jf.jit(lambda x: x * Angle(2.0))
    with pytest.warns(FallbackWarning, match="an array of objects of an array and a Angle"):
        made = jitted(X)
    assert made.dtype == object and [each.degrees for each in made] == (X * 2).tolist()


def test_a_bare_except_of_the_functions_own_does_not_hide_that_python_is_to_answer() -> None:
    def function(x):
        try:
            return scipy.sparse.csr_matrix(np.outer(x, x)).dot(x)
        except:  # noqa: E722
            return x * 0

    jitted = jf.jit(function)
    for _ in range(3):
        assert_same(jitted(X), function(X))


def told(x):
    try:
        return json.dumps({"first": float(x[0])})
    except TypeError:
        return "cannot be told"


def exact(x):
    try:
        return Decimal(x[0]) + 1
    except Exception:
        return None


def helped(x):
    return exact(x), x * 2


def tried_by_itself(x, name):
    """Exceptions of the function's own, which its handlers have as ever."""
    try:
        if name == "other":
            raise KeyError(name)
        y = {"sum": 1.0}[name] * x
    except KeyError:
        y = x - 1
    try:
        limit = float(name)
    except ValueError:
        limit = 2.0
    return y * limit


def test_handlers_do_not_catch_what_a_trace_is_why_of() -> None:
    before = sys.gettrace()
    for function in (told, exact, helped):
        jitted = jf.jit(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            for data in (X, X + 1):
                assert str(jitted(data)) == str(function(data))
        assert jitted.stats()["interpreted"] == 2
    jitted = jf.jit(tried_by_itself)
    for name in ("sum", "other", "none"):
        assert_same(jitted(X, name), tried_by_itself(X, name))
    assert jitted.stats()["interpreted"] == 0 and sys.gettrace() is before


def test_who_traces_calls_sees_them_as_before() -> None:
    lines, before = [], sys.gettrace()

    def watch(frame, event, _):
        lines.append((frame.f_code.co_name, event))
        return watch

    sys.settrace(watch)
    try:
        assert_same(jf.jit(tried_by_itself)(X, "other"), (X - 1) * 2)
        assert sys.gettrace() is watch
    finally:
        sys.settrace(before)
    assert ("tried_by_itself", "line") in lines and ("tried_by_itself", "exception") in lines


def test_under_strict_it_is_an_error_although_it_is_caught(strict) -> None:
    with pytest.raises(TypeError, match="Decimal"):
        jf.jit(exact)(X)
