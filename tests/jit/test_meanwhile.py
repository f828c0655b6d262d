"""Long programs, which are compiled while Python answers the first call: what it gives, and who waits."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.base.background import wait_for_all
from jitframe.errors import JitframeError
from jitframe.tracing.programs import meanwhile

from .test_pending import Compiler, compiler  # noqa: F401

X = np.linspace(0.1, 4, 1000)


@pytest.fixture
def held(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> Compiler:  # noqa: F811
    """Programs are long from five operations on, and their compilations wait for the test."""
    monkeypatch.setattr(meanwhile, "LONG", 5)
    return compiler


def go_on(compiler: Compiler) -> None:  # noqa: F811
    compiler.may_go.set()
    wait_for_all()


def centred(x: Any) -> Any:
    return (x - x.mean()) / x.std() + x.max() * x.min() - x.sum()


def test_python_answers_first_calls_alone(held: Compiler) -> None:
    f = jf.jit(centred)
    for size in (10, 1000):
        np.testing.assert_array_equal(f(X[:size]), centred(X[:size]))
    assert held.made == 0
    threading.Timer(0.1, held.may_go.set).start()
    for _ in range(20):
        np.testing.assert_allclose(f(X), centred(X), rtol=1e-12)
    stats = f.stats()
    assert held.made == 2 and stats["interpreted"] == 2 and stats["native_calls"] > 0


def test_arguments_are_written_once(held: Compiler) -> None:
    def rise(x: Any, by: float) -> float:
        x += by * x.sum() / x.max()
        x[0] -= 1
        return x.mean() - x.min()

    f, mine, its = jf.jit(rise), X.copy(), X.copy()
    assert f(mine, 0.5) == rise(its, 0.5) and held.made == 0
    np.testing.assert_array_equal(mine, its)
    go_on(held)
    assert f(mine, 0.5) == pytest.approx(rise(its, 0.5), rel=1e-12)
    np.testing.assert_allclose(mine, its, rtol=1e-12)


def test_numbers_are_drawn_once(held: Compiler) -> None:
    def noisy(rng: Any, x: Any) -> Any:
        return centred(x) + rng.normal(size=len(x))

    f, mine, its = jf.jit(noisy), np.random.default_rng(3), np.random.default_rng(3)
    np.testing.assert_array_equal(f(mine, X), noisy(its, X))
    assert held.made == 0
    go_on(held)
    np.testing.assert_allclose(f(mine, X), noisy(its, X), rtol=1e-12)
    assert mine.bit_generator.state == its.bit_generator.state


def test_exceptions_are_those_of_python(held: Compiler) -> None:
    def element(x: Any, i: int) -> Any:
        return centred(x)[i]

    f = jf.jit(element)
    with pytest.raises(IndexError, match="index 1000 is out of bounds for axis 0 with size 1000"):
        f(X, np.int64(1000))
    assert held.made == 0
    go_on(held)
    assert f(X, np.int64(3)) == pytest.approx(element(X, 3), rel=1e-12)


def iterated(x: Any, limit: float) -> Any:
    while x.sum() > limit:
        x = centred(x) * 0.5
    return x


def repeated(x: Any) -> Any:
    for _ in range(100_000):
        x = centred(x) * 0.5
    return x


@pytest.mark.parametrize(("function", "more"), [(iterated, (1e9,)), (repeated, ())])
def test_what_may_take_python_long_is_waited_for(held: Compiler, function: Any, more: Any) -> None:
    """Nobody knows how often the first one iterates."""
    f = jf.jit(function)
    f(X[:10], *more)
    assert held.made == 1 and f.stats()["interpreted"] == 0


def test_short_programs_and_strict_ones_are_waited_for(
    held: Compiler, strict: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    f = jf.jit(centred)
    f(X)
    assert held.made == 1 and f.stats()["interpreted"] == 0
    before = jf.settings.configure(strict=False)
    monkeypatch.setattr(meanwhile, "LONG", 50)
    f = jf.jit(lambda x: centred(x) * 2)
    f(X)
    jf.settings.restore(before)
    assert held.made == 2 and f.stats()["interpreted"] == 0


def test_an_error_of_the_compiler_is_that_of_a_later_call(held: Compiler) -> None:
    f = jf.jit(centred)
    f(X)
    held.error = JitframeError("no compiler today")
    go_on(held)
    with pytest.raises(JitframeError, match="no compiler today"):
        f.stats()
