"""The worker threads: every group runs once at any thread count, whoever calls, and Ctrl-C ends a launch."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

from jitframe import settings
from jitframe.codegen.plan.bound import BoundLaunch, BoundLoop, BoundPlan, BufferSlot, ValueSlot
from jitframe.runtime.cpu.tables import thread_count
from tests.threads import at_once


def counting(groups: int, work: int, repeat: int = 1) -> BoundPlan:
    """Add 1 to every group's counter in input 0, `repeat` times over."""
    launch = BoundLaunch(0, (BufferSlot(0), ValueSlot(work)), groups)
    steps = (BoundLoop(ValueSlot(0), ValueSlot(repeat), (launch,)),)
    return BoundPlan(("count_groups",), 1, 1, 0, steps, ())


def run_counting(runtime, kernels, groups, work, repeat=1):
    program = runtime.encode(counting(groups, work, repeat), [kernels.address("count_groups")])
    counts = np.zeros(groups, "i4")
    runtime.run(program, [counts.ctypes.data])
    return counts


@pytest.mark.parametrize("count", range(1, 8))
def test_every_group_runs_exactly_once(runtime, kernels, threads, count):
    threads(count)
    for groups in (0, 1, 2, 3, 7, 8, 15, 16, 17, 100, 1001):
        assert (run_counting(runtime, kernels, groups, 10, repeat=20) == 20).all(), groups
    assert runtime.statistics()["threads"] == count


def test_workers_share_a_launch(runtime, kernels, threads):
    threads(2)
    before = runtime.statistics()["shared_launches"]
    run_counting(runtime, kernels, 64, 1000, repeat=10)
    assert runtime.statistics()["shared_launches"] == before + 10
    assert runtime.statistics()["threads_started"] >= 1


def test_a_cheap_plan_is_not_offered_to_the_workers(runtime, kernels, threads):
    threads(2)
    launch = BoundLaunch(0, (BufferSlot(0), ValueSlot(1)), 8)
    plan = BoundPlan(("count_groups",), 1, 1, 0, (launch,), (), cost_ns=500)
    program = runtime.encode(plan, [kernels.address("count_groups")])
    counts = np.zeros(8, "i4")
    before = runtime.statistics()["shared_launches"]
    runtime.run(program, [counts.ctypes.data])
    assert runtime.statistics()["shared_launches"] == before and (counts == 1).all()


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_program_may_have_fewer_threads(runtime, kernels, threads, most):
    """While another one has them all."""
    threads(4)
    everyone = runtime.encode(counting(64, 500), [kernels.address("count_groups")])
    launch = BoundLaunch(0, (BufferSlot(0), ValueSlot(500)), 64)
    plan = BoundPlan(("count_threads",), 1, 1, 0, (launch,), ())
    program = runtime.encode(plan, [kernels.address("count_threads")], most)
    seen, counts = np.zeros(8, "i8"), np.zeros(64, "i4")
    for _ in range(200):
        runtime.run(program, [seen.ctypes.data])
        runtime.run(everyone, [counts.ctypes.data])
    assert (counts == 200).all()
    assert seen[0] == 0 and seen[2 : 2 + most].sum() > 0 and not seen[2 + most :].any()
    if most > 1:
        assert seen[3] > 0, "two of them were at work at once"


def test_workers_sleep_and_wake(runtime, kernels, threads):
    threads(3)
    for _ in range(20):
        assert (run_counting(runtime, kernels, 40, 50) == 1).all()
        time.sleep(0.003)


def test_several_python_threads_at_once(runtime, kernels, threads):
    threads(3)

    def work(_):
        for _ in range(30):
            assert (run_counting(runtime, kernels, 33, 200, repeat=3) == 3).all()

    at_once(work, 5)


def test_a_run_inside_a_signal_handler_of_a_run(in_subprocess):
    """The handler runs between chunks of the outer launch, whose workers are taken."""
    out = in_subprocess("""
        import signal
        from tests.runtime_cpu.test_workers import run_counting
        inner = []
        def handler(number, frame):
            inner.append(bool((run_counting(runtime, kernels, 20, 10) == 1).all()))
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        counts = run_counting(runtime, kernels, 400, 100, repeat=2000)
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(bool((counts == 2000).all()), len(inner) > 0, all(inner))
    """)
    assert out.split() == ["True", "True", "True"]


@pytest.mark.parametrize(("count", "release"), [(1, True), (2, True), (1, False), (2, False)])
def test_ctrl_c_ends_a_long_run(in_subprocess, count, release):
    out = in_subprocess(
        f"""
        import os, signal, threading, time
        from tests.runtime_cpu.test_workers import counting
        program = runtime.encode(counting(300, 2000, 10**7), [kernels.address("count_groups")])
        counts = np.zeros(300, "i4")
        before = runtime.statistics()["live_bytes"]
        pid = os.getpid()
        if os.fork() == 0:
            time.sleep(0.4)
            os.kill(pid, signal.SIGINT)
            os._exit(0)
        start = time.monotonic()
        try:
            runtime.run(program, [counts.ctypes.data], release_gil={release})
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - start < 5, counts.max() > 0)
        again = np.zeros(300, "i4")
        program = runtime.encode(counting(300, 1, 2), [kernels.address("count_groups")])
        runtime.run(program, [again.ctypes.data])
        print(bool((again == 2).all()), runtime.statistics()["live_bytes"] == before)
        """,
        JITFRAME_NUM_THREADS=str(count),
    )
    assert out.split() == ["interrupted", "True", "True", "True", "True"]


def test_other_python_threads_run_while_the_gil_is_released(runtime, kernels, threads):
    threads(1)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.monotonic()
    run_counting(runtime, kernels, 50, 2000, repeat=300)
    end = time.monotonic()
    stop.set()
    ticker.join()
    assert end - start > 0.05
    assert sum(start < when < end for when in ticks) > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_child_of_a_fork_has_workers_of_its_own(in_subprocess):
    out = in_subprocess(
        """
        import os
        from tests.runtime_cpu.test_workers import run_counting
        run_counting(runtime, kernels, 100, 10, repeat=10)
        child = os.fork()
        if child == 0:
            started = runtime.statistics()["threads_started"]
            ok = started == 0 and (run_counting(runtime, kernels, 200, 100, repeat=50) == 50).all()
            ok = ok and runtime.statistics()["threads_started"] == 2
            os._exit(0 if ok else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(bool((run_counting(runtime, kernels, 200, 100, repeat=50) == 50).all()))
        """,
        JITFRAME_NUM_THREADS="3",
    )
    assert out.split() == ["0", "True"]


@pytest.mark.parametrize("python_threads", [False, True])
@pytest.mark.parametrize("parking", ["PARK_FUTEX", "PARK_CONDITION"])
def test_the_portable_ways_to_sleep_and_to_start_threads(in_subprocess, parking, python_threads):
    """What macOS and Windows use, on this system: condition variables, and threads made by Python."""
    out = in_subprocess(
        f"""
        import time
        from jitframe.runtime.cpu.layout import write_word
        from jitframe.runtime.cpu.native import workers
        from jitframe.runtime.cpu.native.state import State, SystemTable
        from tests.runtime_cpu.test_workers import run_counting
        table = runtime.library.state + State.offset("system")
        write_word(table + SystemTable.offset("parking"), workers.{parking})
        if {python_threads}:
            write_word(table + SystemTable.offset("pthread_create"), 0)
            runtime._python_threads = True
        for _ in range(30):
            assert (run_counting(runtime, kernels, 100, 100, repeat=5) == 5).all()
            time.sleep(0.002)
        print(runtime.statistics()["threads_started"])
        """,
        JITFRAME_NUM_THREADS="3",
    )
    assert out.split() == ["2"]


@pytest.fixture
def settings_anew():
    """The environment is read again by the test, and after it."""
    before = settings.settings()
    settings.restore(None)
    yield
    settings.restore(before)


@pytest.mark.parametrize("text", ["0", "two", "-3"])
def test_a_wrong_number_of_threads_is_an_error(monkeypatch, settings_anew, text):
    monkeypatch.setenv("JITFRAME_NUM_THREADS", text)
    with pytest.raises(ValueError, match="1 to 1024"):
        thread_count()


def test_the_number_of_threads_defaults_to_the_processors_that_may_be_used(monkeypatch, settings_anew):
    monkeypatch.delenv("JITFRAME_NUM_THREADS", raising=False)
    assert thread_count() == len(os.sched_getaffinity(0))
    settings.configure(num_threads=5)
    assert thread_count() == 5


def test_a_program_can_set_threads_and_vectors(in_subprocess):
    out = in_subprocess(
        "print(runtime.threads, host_target().simd)",
        before="from jitframe.settings import configure\n"
        "from jitframe.runtime.cpu.target import host_target\n"
        "configure(num_threads=3, simd='sse2')\n",
    )
    assert out.split() == ["3", "sse2"]
