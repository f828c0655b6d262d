"""Signal handlers, destructors and exceptions in the middle of a device's work."""

from __future__ import annotations

import contextlib
import dis
import functools
import itertools
import signal
import sys
from types import CodeType
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends.choice import get
from jitframe.base.locks import if_free
from jitframe.cache import service
from jitframe.errors import BackendError
from jitframe.runtime.discovery import registry
from jitframe.runtime.memory import transfer
from tests.interrupts import Interrupt, places, with_call


@functools.cache
def _checks(code: CodeType) -> frozenset[int]:
    """Where Python looks for signals: as a function begins or goes on, after calls, and as loops go round."""
    found = itertools.pairwise(dis.get_instructions(code))
    asking = ("RESUME", "CALL", "JUMP_BACKWARD")
    return frozenset(later.offset for former, later in found if former.opname.startswith(asking))


def test_an_interrupt_of_entering_or_leaving_a_turn_lets_go_of_the_driver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While the exception, and so its traceback, is still there."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # destructors are struck, too
    first, second = registry.device("interpreter"), registry.device("interpreter:1")
    given = np.arange(3.0, dtype=np.float32)
    modules = ("/contextlib.py", "/locks.py", "/device.py", "/transfer.py")

    def work() -> None:
        array = first.upload(given)
        second.receive(array)
        with transfer.both(first, second):
            pass

    def strike(frame: Any, event: str, argument: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(modules):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti in _checks(frame.f_code):
            left -= 1
            if left == 0:
                raise Interrupt
        return strike

    work()
    number = 0
    while True:
        number += 1
        left, before = number, sys.gettrace()
        try:
            sys.settrace(strike)
            work()
            break
        except Interrupt:
            sys.settrace(before)
            assert if_free(first._using) and if_free(second._using), number
        finally:
            sys.settrace(before)
    assert number > 100
    work()


def test_work_in_the_middle_of_the_same_threads_work_is_refused() -> None:
    device = registry.device("interpreter")
    array = device.upload(np.ones(3, np.float32))
    with device.using():
        with pytest.raises(BackendError) as caught:
            device.upload(np.ones(3, np.float32))
        del array  # given back afterwards
        assert device._dropped
    assert not device._dropped
    assert caught.value.message == (
        "interpreter is asked for work by code that interrupted its driver in the same thread: a signal "
        "handler, a destructor, or a callback of the collector, of the errors' handler or of an allocator; "
        "have that code note what to do, and do it later, or compute on the cpu there"
    )
    device.upload(np.ones(3, np.float32))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this platform")
@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_signal_handlers_that_compute_on_a_device_at_work(name: str) -> None:
    """Each computes there, or is told why it cannot. Forty of them, and more until one was told: two
    seconds on webgpu."""
    try:
        registry.device(name)
    except BackendError as absent:
        pytest.skip(absent.message)
    outcomes: list[bool] = []
    failures: list[Exception] = []

    def compute(size: int) -> None:
        x = jf.asarray(np.arange(size, dtype=np.float32), device=name)
        np.testing.assert_array_equal((x * 2 + 1).numpy(), np.arange(size) * 2 + 1)

    def handler(*_: object) -> None:
        try:
            compute(5)
            outcomes.append(True)
        except BackendError as problem:
            told = "interrupted its driver in the same thread" in problem.message
            (outcomes.append(False) if told else failures.append(problem))
        except Exception as problem:
            failures.append(problem)

    compute(5), compute(7)
    random = np.random.default_rng(0)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        for number in range(4000):
            signal.setitimer(signal.ITIMER_REAL, random.random() * 4e-3 + 1e-5)
            while len(outcomes) + len(failures) <= number:
                compute(7)
            if number >= 40 and False in outcomes:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert failures == [] and False in outcomes
    compute(7)


def test_a_call_at_any_instruction_within_other_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the kernel cache, of backends and streams: nobody waits for a lock that the same thread holds."""

    def cached() -> Any:
        service._cache = None
        return service.kernel_cache()

    stream = get("cpu").stream()

    def streamed() -> None:
        stream.run(int).wait()

    monkeypatch.setattr(service, "_cache", service._cache)
    for work, call, module in (
        (cached, service.kernel_cache, "/cache/service.py"),
        (streamed, streamed, "/backends/asynchrony.py"),
        (lambda: get("interpreter:1").close(), lambda: get("interpreter:1"), "/backends/choice.py"),
    ):
        with contextlib.suppress(AttributeError):
            for number in places(work, module)[::11]:
                with_call(work, number, call, module)
    stream.close()


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_a_loop_without_end_is_interrupted(name: str) -> None:
    """Two floats that lie side by side never come closer; the device computes on afterwards."""
    if name not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {name}")

    @jf.jit(device=name)
    def closer(low: np.float32, high: np.float32, distance: np.float32) -> np.float32:
        while high - low > distance:
            middle = (low + high) / 2
            if middle < 2:
                low = middle
            else:
                high = middle
        return high

    one, four = np.float32(1), np.float32(4)
    assert closer(one, four, np.float32(0.5)) == 2.125

    def strike(*_: Any) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, strike)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(Interrupt):
            closer(one, four, np.float32(0))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert closer(one, four, np.float32(0.5)) == 2.125
