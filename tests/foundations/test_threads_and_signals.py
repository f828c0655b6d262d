"""F4: calls from several Python threads, in forked children, within each other, and interrupted ones."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from tests.threads import at_once


def rows(x, s):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) * s, x.sum()


def test_one_function_called_from_many_threads_with_many_shapes(threads):
    """The first calls race to trace and compile, the later ones for the workers."""
    threads(3)
    jitted = jf.jit(rows)

    def work(number: int) -> None:
        for step in range(40):
            x = np.random.default_rng(step).random((1 + step % 7 * 60, 3 + number * 40))
            for ours, theirs in zip(jitted(x, number + 0.5), rows(x, number + 0.5), strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-12)

    at_once(work, 6)
    assert jitted.stats()["signatures"] == 6 * 7


def test_lazy_tensors_of_many_threads(threads):
    threads(2)

    def work(number: int) -> None:
        total = jf.asarray(np.zeros(5000 + number))
        for step in range(60):
            total = total + step
            if step % 20 == number:
                float(total[0])
        np.testing.assert_array_equal(total.numpy(), np.full(5000 + number, 1770.0))

    at_once(work, 6)


def test_a_tensor_evaluated_by_several_threads():
    for _ in range(30):
        shared = jf.asarray(np.arange(3000.0)) * 2 + 1
        at_once(
            lambda _, shared=shared: np.testing.assert_array_equal(shared.numpy(), np.arange(3000.0) * 2 + 1),
            4,
        )


def test_a_function_that_writes_to_its_argument_from_many_threads():
    @jf.jit
    def step(x, amount):
        x[1:-1] += amount * (x[2:] - x[:-2])
        return x.sum()

    def work(number: int) -> None:
        x = np.arange(500.0 + number)
        wanted = x.copy()
        for _ in range(50):
            found = step(x, 0.25)
            wanted[1:-1] += 0.25 * (wanted[2:] - wanted[:-2])
            np.testing.assert_array_equal(x, wanted)
            np.testing.assert_allclose(found, wanted.sum(), rtol=1e-12)

    at_once(work, 4)


def test_jitted_functions_call_each_other():
    @jf.jit
    def inner(x):
        return np.tanh(x) + 1

    @jf.jit
    def outer(x):
        return inner(x) * inner(x * 2).sum()

    x = np.linspace(-1, 1, 1001)
    wanted = (np.tanh(x) + 1) * (np.tanh(x * 2) + 1).sum()
    for _ in range(3):
        np.testing.assert_allclose(outer(x), wanted, rtol=1e-12)
        np.testing.assert_allclose(inner(x), np.tanh(x) + 1, rtol=1e-14)
    assert outer.stats()["traces"] == 1


def test_a_call_within_a_trace_that_is_not_part_of_it():
    """What a traced function computes of constants while it is traced runs at once, and is baked in."""
    table = jf.jit(lambda n: np.cos(n * 2.0))

    @jf.jit
    def outer(x, count):
        return x * float(count) + 1

    inner = table(np.arange(5.0))
    np.testing.assert_array_equal(outer(inner, 3), inner * 3.0 + 1)


FORK = """
    import json, os, threading, warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns about threads in a process that forks
    import numpy as np, jitframe as jf
    from jitframe.runtime.cpu.execution.runtime import runtime
    runtime().set_threads(3)
    f = jf.jit(lambda x: np.sin(x) * 2 + np.cos(x))
    x = np.linspace(0, 1, 400_000)
    wanted = f(x)
    stop = threading.Event()
    def busy():
        while not stop.is_set():
            f(x)
    workers = [threading.Thread(target=busy) for _ in range(2)]
    for worker in workers:
        worker.start()
    codes = []
    for _ in range(12):
        pid = os.fork()
        if pid == 0:
            try:
                before = runtime().statistics()["shared_launches"]
                ok = all(np.array_equal(f(x), wanted) for _ in range(5))
                ok = ok and runtime().statistics()["shared_launches"] == before + 5
                tasks = "/proc/self/task"
                ok = ok and (not os.path.exists(tasks) or len(os.listdir(tasks)) >= 3)
                ok = ok and jf.jit(lambda x: (x * 3).sum())(np.ones(100_000)) == 300_000
                os._exit(0 if ok else 1)
            except BaseException:
                os._exit(2)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    stop.set()
    for worker in workers:
        worker.join()
    assert np.array_equal(f(x), wanted)
    print(json.dumps(codes))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_fork_while_workers_run(in_process):
    assert in_process(FORK) == [0] * 12


COMPILING = """
    import gc, json, os, signal, threading, warnings
    warnings.simplefilter("ignore", DeprecationWarning)
    import numpy as np, jitframe as jf
    from jitframe.runtime.cpu.kernels import compiled_kernels
    slow = jf.jit(lambda x: np.exp(x) + 1)
    x = np.linspace(0, 1, 100)
    jf.jit(lambda x: x)(x)
    compiling, released, compiled = threading.Event(), threading.Event(), compiled_kernels._compile
    def compile(*arguments):
        if not compiling.is_set():
            compiling.set()
            released.wait(60)
        return compiled(*arguments)
    compiled_kernels._compile = compile
    thread = threading.Thread(target=slow, args=(x,))
    thread.start()
    compiling.wait(60)
    other = jf.jit(lambda x: np.cos(x) - 2)(x)
    meanwhile = not released.is_set() and thread.is_alive() and bool(np.allclose(other, np.cos(x) - 2))
    threading.Timer(0.3, released.set).start()
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        ok = released.is_set() and gc.isenabled() and np.allclose(slow(x), np.exp(x) + 1)
        ok = ok and np.allclose(jf.jit(lambda x: np.cos(x) - 1)(x), np.cos(x) - 1)
        os._exit(0 if ok and gc.isenabled() else 1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    thread.join()
    print(json.dumps([code, meanwhile, slow.stats()["compiled"], gc.isenabled()]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_fork_waits_for_a_compilation_and_another_function_does_not(in_process, tmp_path):
    """A child would have half of what the compiler was at."""
    assert in_process(COMPILING, JITFRAME_CACHE_DIR=str(tmp_path)) == [0, True, 1, True]


def test_every_lock_is_free_in_a_forked_child():
    folder = Path(jf.__file__).parent
    others = [path for path in folder.rglob("*.py") if path.name != "locks.py"]
    assert len(others) > 100
    for path in others:
        assert "threading.Lock()" not in (text := path.read_text()) and "threading.RLock()" not in text, (
            f"{path}: locks are made by jitframe.base.locks"
        )


INTERRUPTED = """
    import json, os, signal, threading, time
    import numpy as np, jitframe as jf

    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it

    @jf.jit
    def fixed(x):
        return jf.fori_loop(0, 10**9, lambda i, y: np.sin(y) + x, x)

    @jf.jit
    def long(x, count):
        return jf.fori_loop(0, count, lambda i, y: np.sin(y) + x, x)

    x = np.ones({size})
    assert np.allclose(long(x, 2), np.sin(np.sin(x) + x) + x)
    from jitframe.runtime.cpu.execution.runtime import runtime
    live = runtime().statistics()["live_bytes"]
    ended = 0

    def interrupt():
        while runtime().statistics()["live_bytes"] == live:
            time.sleep(0.001)
        # The loop has begun, and lets other threads go on.
        for _ in range(20):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    for call in (lambda: long(x, 10**9), lambda: long(x, 10**9), lambda: fixed(x)):
        other = threading.Thread(target=interrupt)
        other.start()
        try:
            call()
        except KeyboardInterrupt:
            ended += 1
        other.join()
    assert runtime().statistics()["live_bytes"] == live, "what the loop held is given back"
    assert np.allclose(long(x, 2), np.sin(np.sin(x) + x) + x)
    print(json.dumps(ended))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are POSIX's")
@pytest.mark.parametrize("size", [3, 1_000_000], ids=["short steps", "long steps"])
def test_ctrl_c_ends_a_loop_of_hours_during_which_other_threads_run(size, in_process):
    assert in_process(INTERRUPTED.format(size=size)) == 3
