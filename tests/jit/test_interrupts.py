"""What runs in the middle of a trace: signal handlers, destructors, callbacks; and exceptions of theirs."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import weakref
from types import ModuleType

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.frame import STATE, entered_frame
from jitframe.base import reloading
from jitframe.errors import JitframeError
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.tracing.forgetting import forget_variants
from tests.interrupts import Interrupt, places, struck, with_call
from tests.threads import at_once


def helper(x, s):
    return x * s + 1


def function(x, s):
    total = jf.zeros(3) + x.sum()
    part = np.zeros(x.shape)
    part[1:] = helper(x[1:], s)
    for i in range(2):
        total = total + part[i]
    return part, total


def wanted(x, s):
    part = np.zeros(x.shape)
    part[1:] = helper(x[1:], s)
    return part, np.zeros(3) + x.sum() + part[0] + part[1]


def check(jitted, size=6):
    x = np.random.default_rng(size).random(size)
    for ours, theirs in zip(jitted(x, 0.5), wanted(x, 0.5), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


def outside():
    """Arrays made from nothing, a jitted function, an error that is caught."""
    made = jf.zeros(3) + 1
    assert isinstance(made, jf.Tensor) and made.numpy().tolist() == [1, 1, 1]
    assert jf.jit(lambda x: x * 2 + jf.ones(2))(np.ones(2)).tolist() == [3, 3]
    with pytest.raises(JitframeError):
        jf.jit(lambda x: jf.fori_loop(0, 2, lambda i, y: np.zeros(int(y.sum())), x))(np.ones(2))
    written = jf.asarray([1.0, 2.0])
    written[0] = 5.0
    assert written.numpy().tolist() == [5, 2]


MODULES = (
    "/frame.py",
    "/tracer.py",
    "/traced_frame.py",
    "/traced.py",
    "/rebind.py",
    "/errors.py",
    "/cells.py",
)


def test_a_call_in_the_middle_of_a_trace_is_none_of_it():
    """As a signal handler makes it. Each is a trace of its own: two seconds."""
    check(jf.jit(function))
    outside()

    def first():
        check(jf.jit(function))

    for number in places(first, *MODULES)[::401]:
        with_call(first, number, outside, *MODULES)


@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="no signals on this platform")
def test_a_signal_handler_that_computes():
    seen = []

    def handler(*_):
        outside()
        seen.append(1)

    before = signal.signal(signal.SIGINT, handler)
    try:

        def interrupted(x, s):
            signal.raise_signal(signal.SIGINT)
            return function(x, s)

        check(jf.jit(interrupted))
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen


class Finalized:
    def __init__(self, seen):
        self.seen = seen

    def __del__(self):
        self.seen.append(type(jf.zeros(2) + 1))


class Target:
    pass


def test_destructors_and_callbacks_that_compute():
    """Of objects that the traced code lets go, and of the collector."""
    seen: list[type] = []
    kept: list[object] = []

    def note(_reference):
        seen.append(type(jf.ones(2)))

    def collected(phase, _information):
        seen.append(type(jf.full(2, 3.0)))

    class Holder:
        def __init__(self):
            self.member = Finalized(seen)
            self.target = Target()
            kept.append(weakref.ref(self.target, note))

    holders = [Holder()]
    gc.callbacks.append(collected)
    try:

        def first():
            check(jf.jit(function))

        found = places(first, "/traced_frame.py")
        number = found[len(found) // 2]

        def let_go():
            holders.clear()
            gc.collect()

        with_call(first, number, let_go, "/traced_frame.py")
    finally:
        gc.callbacks.remove(collected)
    assert len(seen) >= 4 and set(seen) == {jf.Tensor}


@pytest.mark.slow
def test_an_exception_at_any_instruction_of_a_trace():
    """Nothing of the trace stays current, whatever was left undone. Each is a first call: ten seconds."""
    check(jf.jit(function))
    for number in places(lambda: check(jf.jit(function)), *MODULES)[::7]:
        jitted = jf.jit(function)
        struck(lambda jitted=jitted: check(jitted), number, *MODULES)
        assert entered_frame() is None
        assert isinstance(jf.zeros(3), jf.Tensor)
        check(jitted)
        check(jitted, 9)


def test_an_exception_as_a_trace_ends():
    """Each instruction of entering and leaving its frame."""
    check(jf.jit(function))
    module = "/frame.py"
    found = places(lambda: check(jf.jit(function)), module)
    for number in (*found[:12], *found[-12:]):
        jitted = jf.jit(function)
        struck(lambda jitted=jitted: check(jitted), number, module)
        assert isinstance(jf.zeros(3), jf.Tensor)
        check(jitted)


def test_a_profile_function_that_computes():
    """At one call in a hundred, in traces and lazy programs: three seconds."""
    check(jf.jit(function))
    kinds: list[type] = []
    number = 0

    def profile(*_):
        nonlocal number
        number += 1
        if number % 100 == 0:
            made = jf.zeros(3) + number
            kinds.append(type(made))
            assert made.numpy().tolist() == [number] * 3

    sys.setprofile(profile)
    try:
        for _ in range(3):
            check(jf.jit(function))
            lazy = jf.asarray(np.arange(6.0)) * 3
            lazy[1:] += 2
            assert (lazy.reshape(2, 3) + 1).numpy().tolist() == [[1, 6, 9], [12, 15, 18]]
    finally:
        sys.setprofile(None)
    assert len(kinds) > 20 and set(kinds) == {jf.Tensor}


def test_functions_that_are_jitted_while_all_are_cleared():
    """By another thread here, as by a signal handler: two seconds."""
    kept = [jf.jit(lambda x: x + 1) for _ in range(800)]

    def work(number):
        for _ in range(20):
            if number:
                kept.extend([jf.jit(lambda x: x + 1) for _ in range(20)])
            else:
                forget_variants()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        at_once(work, 2)
    finally:
        sys.setswitchinterval(interval)


class Cycle:
    def __init__(self):
        self.itself = self


def is_in_collection():
    """Whether this runs in a finalizer of garbage that is collected: a collection within does nothing."""
    found = weakref.ref(Cycle())
    gc.collect(0)
    return found() is not None


@pytest.mark.slow
@pytest.mark.parametrize("computes", [False, True])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this platform")
def test_a_storm_of_timers(computes, monkeypatch):
    """At moments that nobody chose, in first calls, warm calls, evaluations and explanations, a handler
    raises an exception (which Python drops where it strikes a destructor) or computes: a minute for both."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # pytest's keeps what a traceback holds
    random = np.random.default_rng(0)
    known = jf.jit(function)
    is_due = False
    failures: list[BaseException] = []

    def handler(*_):
        nonlocal is_due
        if computes and sys.version_info < (3, 12) and is_in_collection():
            # Python ends the process where a finalizer sets a context variable, as np.errstate does, while
            # another one is set: the map that is copied there is freed.
            signal.setitimer(signal.ITIMER_REAL, 1e-3)
        elif is_due:
            is_due = False
            if not computes:
                raise Interrupt
            try:
                outside()
                check(known, 7)
            except BaseException as problem:
                failures.append(problem)

    def work():
        new = jf.jit(lambda x, s: function(x, s))
        check(new)
        check(known, int(random.integers(4, 9)))
        lazy = jf.asarray(np.arange(6.0)) * float(random.random())
        lazy[1:3] = 4.0
        (lazy.reshape(-1, 1) + lazy).sum(axis=0).numpy()
        if random.random() < 0.05:
            str(new.explain(np.ones(3), 0.5)), str(jf.explain(jf.asarray(np.ones(3)) + 1))

    before = signal.signal(signal.SIGALRM, handler)
    held = runtime().statistics()["live_bytes"]
    try:
        for _ in range(700):
            with contextlib.suppress(Interrupt):
                is_due = True
                signal.setitimer(signal.ITIMER_REAL, random.random() * 0.03 + 1e-5)
                while is_due:
                    work()
            assert not STATE.frames and gc.isenabled()
            check(jf.jit(function))
            check(known, 5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert failures == []
    gc.collect()
    assert runtime().statistics()["live_bytes"] <= held


def test_modules_that_are_loaded_while_modules_are_noted(monkeypatch):
    """By a signal's handler, at any instruction."""
    name = "jitframe.loaded_meanwhile"
    reloading.keep_modules()

    def load():
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        reloading.keep_modules()

    for number in places(reloading.keep_modules, "base/reloading.py"):
        monkeypatch.setattr(reloading, "_noted", 0)
        with_call(reloading.keep_modules, number, load, "base/reloading.py")
        monkeypatch.delitem(sys.modules, name)
        reloading._known.pop(name, None)
