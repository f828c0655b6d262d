"""The worker threads: every group runs once at any thread count, whoever calls, and Ctrl-C ends a launch."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

from jitframe import settings
from jitframe.codegen.plan.nodes import Loop, Plan, While
from jitframe.runtime.cpu.native_library.tables import thread_count
from tests.plan.bound import At, bound_plan, launch
from tests.threads import at_once


def counting(groups: int, work: int, repeat: int = 1) -> Plan:
    """Add 1 to every group's counter in input 0, `repeat` times over."""
    step = launch(0, (At(0), work), groups)
    steps = (Loop(0, repeat, (step,)),)
    return bound_plan(("count_groups",), 1, 1, 0, steps, ())


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
    step = launch(0, (At(0), 1), 8)
    plan = bound_plan(("count_groups",), 1, 1, 0, (step,), (), cost_ns=500)
    program = runtime.encode(plan, [kernels.address("count_groups")])
    counts = np.zeros(8, "i4")
    before = runtime.statistics()["shared_launches"]
    runtime.run(program, [counts.ctypes.data])
    assert runtime.statistics()["shared_launches"] == before and (counts == 1).all()


LONG_ENOUGH = 10**9
"""Spins: many seconds, which pass only where a thread that is waited for never comes."""


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_program_may_have_fewer_threads(runtime, kernels, threads, most):
    """Never more than that, which come together, while another one has them all."""
    threads(4)

    def meeting(count, spins):
        step = launch(0, (At(0), count, spins), 8)
        return bound_plan(("meet",), 1, 1, 0, (step,), ())

    address = kernels.address("meet")
    everyone = runtime.encode(meeting(4, LONG_ENOUGH), [address])
    all_of_them = runtime.encode(meeting(most, LONG_ENOUGH), [address], most)
    one_more = runtime.encode(meeting(most + 1, 20_000), [address], most)
    for _ in range(20):
        for program, come in ((everyone, 4), (all_of_them, most), (one_more, most)):
            counts = np.zeros(8, "i8")
            runtime.run(program, [counts.ctypes.data])
            assert counts[0] == 0 and counts[1] > 0 and not counts[come + 1 :].any()
            assert program is one_more or counts[come] > 0, "that many were at work at once"


def test_workers_sleep_and_wake(runtime, kernels, threads):
    threads(3)
    for _ in range(20):
        assert (run_counting(runtime, kernels, 40, 50) == 1).all()
        time.sleep(0.003)


@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs two processors"
)
def test_a_worker_that_wakes_on_the_callers_processor_leaves_it(in_subprocess):
    """For the others that the caller may use; where there are none, it stays as it is."""
    out = in_subprocess(
        """
        import os, time
        from tests.runtime_cpu.test_workers import run_counting
        allowed = os.sched_getaffinity(0)
        here = min(allowed)
        before = set(os.listdir("/proc/self/task"))
        run_counting(runtime, kernels, 100, 10)
        worker = int((set(os.listdir("/proc/self/task")) - before).pop())

        def woken(mask):
            # The worker, asleep, may only wake here, and the caller is here as well.
            os.sched_setaffinity(0, {here})
            os.sched_setaffinity(worker, {here})
            time.sleep(0.02)
            os.sched_setaffinity(0, mask)
            assert (run_counting(runtime, kernels, 1000, 1000) == 1).all()
            time.sleep(0.02)
            return os.sched_getaffinity(worker)

        print(all(woken({here}) == {here} for _ in range(5)))
        # The system may have moved the caller first.
        print(any(woken(allowed) == allowed - {here} for _ in range(50)))
        """,
        JITFRAME_NUM_THREADS="2",
    )
    assert out.split() == ["True", "True"]


@pytest.mark.skipif(
    not os.path.exists("/proc/self/task"), reason="counts a thread's sleeps as Linux tells them"
)
def test_sleeping_workers_are_not_woken_for_little(in_subprocess):
    """Only where a launch that is said to be short shows to be long, or follows another one soon."""
    out = in_subprocess(
        """
        import os, time
        from tests.runtime_cpu.test_workers import counting
        from jitframe.ir.record import replace
        counts = np.zeros(64, "i4")

        def program(work, repeat=1, cost_ns=100_000):
            plan = replace(counting(64, work, repeat), cost_ns=cost_ns)
            return runtime.encode(plan, [kernels.address("count_groups")])

        before = set(os.listdir("/proc/self/task"))
        little, much, often = program(1), program(200_000), program(1, repeat=10)
        unknown = program(1, cost_ns=0)
        runtime.run(unknown, [counts.ctypes.data])
        (worker,) = set(os.listdir("/proc/self/task")) - before

        def sleeps():
            # How often it went to sleep, once it sleeps again.
            while True:
                lines = dict(line.split(":", 1) for line in open(f"/proc/self/task/{worker}/status"))
                if lines["State"].split()[0] == "S":
                    return int(lines["voluntary_ctxt_switches"])
                time.sleep(0.001)

        def woken(program):
            found = 0
            for _ in range(20):
                before = sleeps()
                runtime.run(program, [counts.ctypes.data])
                found += sleeps() > before
                time.sleep(0.005)  # the next launch does not follow soon
            return found

        # A busy machine takes time away from a launch, which then looks long, or comes late.
        print(any(woken(little) <= 8 for _ in range(50)))
        print(all(any(woken(each) >= 12 for _ in range(50)) for each in (much, often, unknown)))
        """,
        JITFRAME_NUM_THREADS="2",
    )
    assert out.split() == ["True", "True"]


def test_several_python_threads_at_once(runtime, kernels, threads):
    threads(3)

    def work(_):
        for _ in range(30):
            assert (run_counting(runtime, kernels, 33, 200, repeat=3) == 3).all()

    at_once(work, 5)


def counting_while(groups: int, work: int, turns: int) -> Plan:
    """Add 1 to every group's counter in input 0, again and again while input 1, an int64, is below `turns`.

    Input 2 has a byte for the condition.
    """
    condition = launch(1, (At(1), At(2), turns), 1)
    body = launch(0, (At(0), work), groups)
    steps = (While(At(2), (condition,), (body,)),)
    return bound_plan(("count_groups", "less_than"), 3, 3, 0, steps, ())


def encode_counting_while(runtime, kernels, groups, work, turns):
    addresses = [kernels.address(name) for name in ("count_groups", "less_than")]
    return runtime.encode(counting_while(groups, work, turns), addresses)


def test_a_run_inside_a_signal_handler_of_a_run(in_subprocess):
    """The handler runs between chunks of the outer launch, whose workers are taken, and lets it end."""
    out = in_subprocess("""
        import signal
        from tests.runtime_cpu.test_workers import encode_counting_while, run_counting
        counts, turns, byte = np.zeros(400, "i4"), np.zeros(1, "i8"), np.zeros(1, "i1")
        inner = []
        def handler(number, frame):
            if counts.any():
                inner.append(bool((run_counting(runtime, kernels, 20, 10) == 1).all()))
                turns[0] += 1
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        program = encode_counting_while(runtime, kernels, 400, 100, 3)
        runtime.run(program, [counts.ctypes.data, turns.ctypes.data, byte.ctypes.data])
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(bool((counts == counts[0]).all()), len(inner) >= 3, all(inner))
    """)
    assert out.split() == ["True", "True", "True"]


@pytest.mark.parametrize(("count", "release"), [(1, True), (2, True), (1, False), (2, False)])
def test_ctrl_c_ends_a_long_run(in_subprocess, count, release):
    """One that would take hours, interrupted when it has begun."""
    out = in_subprocess(
        f"""
        import mmap, os, signal, time
        from tests.runtime_cpu.test_workers import counting
        signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
        program = runtime.encode(counting(300, 2000, 10**7), [kernels.address("count_groups")])
        counts = np.frombuffer(mmap.mmap(-1, 4096), "i4", 300)
        before = runtime.statistics()["live_bytes"]
        pid = os.getpid()
        if os.fork() == 0:
            while not counts.any():
                time.sleep(0.001)
            os.kill(pid, signal.SIGINT)
            os._exit(0)
        try:
            runtime.run(program, [counts.ctypes.data], release_gil={release})
        except KeyboardInterrupt:
            print("interrupted", counts.max() > 0)
        again = np.zeros(300, "i4")
        program = runtime.encode(counting(300, 1, 2), [kernels.address("count_groups")])
        runtime.run(program, [again.ctypes.data])
        print(bool((again == 2).all()), runtime.statistics()["live_bytes"] == before)
        """,
        JITFRAME_NUM_THREADS=str(count),
    )
    assert out.split() == ["interrupted", "True", "True", "True"]


def test_other_python_threads_run_while_the_gil_is_released(runtime, kernels, threads):
    """The run ends only because another one does something meanwhile."""
    threads(1)
    counts, turns, byte = np.zeros(50, "i4"), np.zeros(1, "i8"), np.zeros(1, "i1")

    def end():
        while not counts.any():
            time.sleep(0.001)
        turns[0] = 1

    other = threading.Thread(target=end)
    other.start()
    program = encode_counting_while(runtime, kernels, 50, 2000, 1)
    runtime.run(program, [counts.ctypes.data, turns.ctypes.data, byte.ctypes.data], release_gil=True)
    other.join()
    assert counts[0] > 0 and (counts == counts[0]).all()


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
        from jitframe.runtime.cpu.native_library.layout import write_word
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
        "from jitframe.runtime.cpu.kernels.target import host_target\n"
        "configure(num_threads=3, simd='sse2')\n",
    )
    assert out.split() == ["3", "sse2"]
