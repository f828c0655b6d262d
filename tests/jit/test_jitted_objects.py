"""Jitted functions as objects: pickling, threads, statistics, bounds, wrappers, nesting."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import DTypeError, TraceError, UnsupportedError
from jitframe.runtime.cpu.entry.callables import native_entry_works
from tests.jit.same import assert_same
from tests.threads import at_once

X = np.arange(4.0)


@jf.jit
def module_level(x, y=2.0, *more, scale=1.0):
    """What it does."""
    return (x + y + sum(more)) * scale


class Model:
    @jf.jit
    def method(self, x):
        return x + self.k

    @staticmethod
    @jf.jit
    def static(x):
        return x * 2

    @classmethod
    @jf.jit
    def of_class(cls, x):
        return x * cls.factor

    @property
    @jf.jit
    def value(self):
        return np.sqrt(self.k * 2.0)

    factor = 3.0
    k = 8.0


def test_pickled_and_copied_by_name():
    for function in (module_level, Model.method, Model.static):
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.copy(function) is function and copy.deepcopy([function]) == [function]
    with pytest.raises((DTypeError, AttributeError, pickle.PicklingError), match="pickle.*<lambda>"):
        pickle.dumps(jf.jit(lambda x: x))


def test_methods_of_every_kind():
    model = Model()
    assert_same(model.method(X), X + 8)
    assert_same(Model.method(model, X), X + 8)
    assert_same(jf.jit(model.method)(X), X + 8)
    assert_same(Model.static(X), X * 2)
    assert_same(model.of_class(X), X * 3)
    assert_same(float(model.value), 4.0)


def test_methods_are_called_as_they_are_bound():
    """Calls of methods make no bound method, and are those of one that is made."""

    class Other(Model):
        k = 1.0

    def called(model):
        return model.method(X)

    for _ in range(100):  # the interpreter specializes the call
        for model, expected in ((Model(), X + 8), (Other(), X + 1)):
            assert_same(called(model), expected)
            assert_same(model.method.__call__(X), expected)
    other = Other()
    other.method = lambda x: x * 0
    assert_same(called(other), X * 0)
    if native_entry_works():
        assert type(Model.__dict__["method"]).__flags__ & 1 << 17, "the flag of method descriptors"


@pytest.mark.parametrize("kind", [staticmethod, classmethod, property, functools.cached_property])
def test_decorators_in_the_wrong_order(kind):
    with pytest.raises(
        DTypeError, match=rf"^jit takes a function, not a {kind.__name__}; put @jf.jit below @"
    ):
        jf.jit(kind(lambda x: x))


def test_generators_and_coroutines_are_refused():
    def pairs(x):
        yield x

    async def later(x):
        return x

    with pytest.raises(UnsupportedError, match="^pairs is a generator, and runs after its call has returned"):
        jf.jit(pairs)
    with pytest.raises(UnsupportedError, match="^later is asynchronous"):
        jf.jit(later)


def test_introspection():
    assert module_level.__name__ == "module_level" and module_level.__doc__ == "What it does."
    assert str(inspect.signature(module_level)) == "(x, y=2.0, *more, scale=1.0)"
    assert inspect.unwrap(module_level) is module_level.__wrapped__
    partial = jf.jit(functools.partial(module_level.__wrapped__, y=1.0))
    assert repr(partial) == "<jitted module_level>"
    assert_same(partial(X), X + 1)


def test_a_wrapper_of_a_jitted_function_can_be_jitted():
    module_level.note = "kept"

    @functools.wraps(module_level)
    def wrapper(x):
        return module_level(x) * 2

    outer = jf.jit(wrapper)
    assert outer.note == "kept"
    assert_same(outer(X), (X + 2) * 2)
    assert_same(module_level(X), X + 2)


def test_every_kind_of_argument():
    for call in (
        lambda f: f(X), lambda f: f(X, 1.0), lambda f: f(X, 1.0, 2.0, X), lambda f: f(x=X, y=3.0),
        lambda f: f(X, scale=2.0), lambda f: f(X, 1.0, 5, scale=X),
    ):  # fmt: skip
        for _ in range(2):
            assert_same(call(module_level), call(module_level.__wrapped__))
    with pytest.raises(DTypeError, match=r"^module_level\(\) missing a required argument: 'x'"):
        module_level(y=2.0)


def test_variants_are_bounded_and_the_least_recently_used_goes():
    jitted = jf.jit(lambda x, n: x * n, static_argnums=1)
    jitted(X, 0)
    for n in range(1, 300):
        jitted(X, n)
        jitted(X, n=0)  # used all the time: it stays
    stats = jitted.stats()
    assert stats["signatures"] == 256 and stats["traces"] == 300
    jitted(X, n=0)
    assert jitted.stats()["traces"] == 300
    jitted(X, 1)
    assert jitted.stats()["traces"] == 301


def test_clear_forgets_programs_and_finds_kernels_again():
    jitted = jf.jit(lambda x: np.sqrt(x) * 3)
    kept = jitted(X)
    expected = kept.copy()
    compiled = jf.cache.stats()["compiled"]
    jf.clear()
    assert jitted.stats()["signatures"] == 0
    assert_same(kept, expected)
    assert_same(jitted(X), expected)
    assert_same(jitted(X), expected)
    stats = jitted.stats()
    assert stats["traces"] == 2 and jf.cache.stats()["compiled"] == compiled
    jitted.clear()
    assert jitted.stats()["signatures"] == 0


def test_statistics():
    jitted = jf.jit(lambda x, y: (np.sum(x, axis=0) + y, x * 1.25))
    before = jf.cache.stats()["compiled"]
    for n in (2, 3, 3, 3, 3):
        jitted(np.ones((n, 2)), np.ones(2))
    stats = jitted.stats()
    assert stats["traces"] == stats["signatures"] == 2
    assert stats["native_calls"] == 2 and stats["python_calls"] == 3
    assert stats["kernels"] >= 2
    assert stats["compiled"] == jf.cache.stats()["compiled"] - before
    assert 0 < stats["seconds"] < 60


def test_threads_that_call_a_new_function_at_once():
    """One of them traces, all get right results; new signatures come meanwhile."""
    for trial in range(6):
        jitted = jf.jit(lambda x, k, trial=trial: np.sum(np.sqrt(x) * k + trial, axis=-1))

        def work(number, jitted=jitted, trial=trial):
            for turn in range(30):
                x = np.full((2 + turn % 5, 3), float(number))
                found = jitted(x, float(turn))
                if not np.array_equal(found, np.full(len(x), 3 * (np.sqrt(number) * turn + trial))):
                    expected = np.sum(np.sqrt(x) * float(turn) + trial, axis=-1)
                    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-8)

        at_once(work, 8)
        assert jitted.stats()["traces"] == 5


def test_threads_and_more_signatures_than_the_native_entry_keeps():
    jitted = jf.jit(lambda x: x * 2 + 1)

    def work(first):
        for turn in range(400):
            x = np.arange(float(1 + (first * 31 + turn * 7) % 90))
            np.testing.assert_array_equal(jitted(x), x * 2 + 1)

    at_once(work, 6)
    assert jitted.stats()["traces"] == 90


def test_a_jitted_function_for_the_same_device_is_inlined():
    on_cpu = jf.jit(lambda x: x + 1, device="cpu")
    assert_same(jf.jit(lambda x: on_cpu(x) * 2)(X), (X + 1) * 2)


def test_recursion_is_refused_by_name(strict):
    @jf.jit
    def endless(x):
        return endless(x) + 1

    with pytest.raises(TraceError, match=r"^endless calls itself without end while it is traced: .*jf\.cond"):
        endless(X)

    @functools.partial(jf.jit, static_argnames="n")
    def counted(x, n):
        return x if n == 0 else counted(x, n - 1) + 1

    assert_same(counted(X, 3), X + 3)
