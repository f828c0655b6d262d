"""F7: results are NumPy's own arrays over pooled memory, and live as long as anyone has them."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.cpu.execution.runtime import runtime

N = 10_007


def make() -> Callable[..., Any]:
    return jf.jit(lambda x: x * 2 + 1)


@pytest.fixture(name="f")
def warmed():
    """A function that has been called natively for the signature used here."""
    f = make()
    for _ in range(3):
        f(np.zeros(N, np.float32))
    assert f.stats()["native_calls"] >= 1
    return f


def x_of(value: float) -> np.ndarray:
    return np.full(N, value, np.float32)


DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]
SHAPES = [(0,), (1,), (7,), (613, 3), (3, 0, 2), (2, 3, 5, 7), (1_200_007,)]


def results_of(calls: int, x: np.ndarray) -> tuple[np.ndarray, ...]:
    f = jf.jit(lambda x: (x == x, x.copy(), np.where(x == x, x, x)))
    for _ in range(calls):
        results: tuple[np.ndarray, ...] = f(x)
    assert f.stats()["python_calls"] == min(calls, 2)
    return results


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("calls", [1, 4], ids=["first", "native"])
def test_results_are_aligned_and_writable(calls, shape, dtype):
    x = np.ones(shape, dtype)
    for result in results_of(calls, x):
        assert type(result) is np.ndarray and result.shape == shape
        assert result.flags.writeable and result.flags.aligned and result.flags.c_contiguous
        place = result.ctypes.data % 64
        if result.nbytes >= 4 << 20 and result.itemsize == x.itemsize:
            assert place == x.ctypes.data % 64 // 16 * 16  # both are aligned together
        else:
            assert place == 0 or result.size == 0
        result.fill(1)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("calls", [1, 4], ids=["first", "native"])
def test_results_own_their_memory(calls, shape):
    for result in results_of(calls, np.ones(shape, np.float32)):
        assert result.flags.owndata and result.base is None


def test_results_are_fresh(f):
    first = f(x_of(1))
    second = f(x_of(1))
    first[:] = 9
    assert (second == 3).all() and (f(x_of(1)) == 3).all()


def test_memory_is_used_again(f):
    # The pool's classes are shared with other tests: theirs must not be the ones that come back.
    gc.collect()
    x = x_of(1)
    result = f(x)
    address = result.ctypes.data
    del result
    result = f(x)
    assert result.ctypes.data == address
    kept = f(x)
    assert kept.ctypes.data != address


def test_a_view_keeps_the_memory(f):
    x = x_of(2)
    view = f(x)[5:50:7].reshape(-1, 1)
    for _ in range(20):
        f(x_of(100))
    assert (view == 5).all()


def test_results_outlive_the_function():
    f = make()
    for _ in range(3):
        result = f(x_of(3))
    del f
    gc.collect()
    other = jf.jit(lambda x: x - 1)
    for _ in range(10):
        other(x_of(8))
    assert (result == 7).all()


def test_results_outlive_the_module(in_process):
    total = in_process(
        """
        import gc, sys
        import numpy as np, jitframe as jf
        f = jf.jit(lambda x: x * 2 + 1)
        kept = [f(np.full(1000, 3.0)) for _ in range(4)]
        del f, jf
        for name in [name for name in sys.modules if name.partition(".")[0] == "jitframe"]:
            del sys.modules[name]
        gc.collect()
        total = sum(float(each.sum()) for each in kept)
        kept = kept[1:]
        gc.collect()
        print(total)
        """
    )
    assert total == 4 * 7000


def test_results_are_freed_while_the_interpreter_ends(in_process):
    """At exit the modules go before the arrays that globals and cycles still hold."""
    assert in_process(
        """
        import builtins
        import numpy as np, jitframe as jf
        f = jf.jit(lambda x: x * 2 + 1)
        builtins.kept = [f(np.ones(100_000)) for _ in range(4)]
        cycle = [f(np.ones(10)), jf.asarray(np.ones(5)) + 1]
        cycle.append(cycle)
        print(1)
        """
    )


FORKED = """
    import gc, json, os, warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns about threads in a process that forks
    import numpy as np, jitframe as jf
    f = jf.jit(lambda x: np.sqrt(x * 2 + 1))
    x = np.full(2_000_003, 4.0, np.float32)
    kept = [f(x) for _ in range(3)]
    def child():
        assert (kept[0] == 3).all() and (kept[2] == 3).all()
        kept[1] += 1
        del kept[0]
        again = [f(x) for _ in range(5)]
        assert all((each == 3).all() for each in again)
        fresh = jf.jit(lambda x: (x - 1).sum())
        assert fresh(x) == 3 * x.size
    codes = []
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            try:
                child()
                os._exit(0)
            except BaseException:
                os._exit(1)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        assert all((each == 3).all() for each in kept), "the child's writes stay its own"
        kept[1] = f(x)
    print(json.dumps(codes))
"""


@pytest.mark.more
@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no fork on this platform")
def test_results_live_in_a_forked_child(in_process):
    assert in_process(FORKED) == [0, 0, 0]


def test_results_may_be_freed_by_another_thread(f):
    gc.collect()
    before = runtime().statistics()
    held = [f(x_of(value)) for value in range(50)]
    values: list[float] = []

    def use_up() -> None:
        while held:
            values.append(float(held.pop()[0]))

    thread = threading.Thread(target=use_up)
    thread.start()
    thread.join()
    after = runtime().statistics()
    assert sorted(values) == [2 * value + 1 for value in range(50)]
    assert (after["live_bytes"], after["faults"]) == (before["live_bytes"], before["faults"])


def test_resize_pickle_copy_save(f, tmp_path: Path):
    result = f(x_of(5))
    assert (pickle.loads(pickle.dumps(result)) == 11).all()
    assert (copy.deepcopy(result) == 11).all() and (copy.copy(result) == 11).all()
    np.save(tmp_path / "saved.npy", result)
    assert (np.load(tmp_path / "saved.npy") == 11).all()
    for size in (N * 3, 100, 0, N):
        result.resize(size, refcheck=False)
        assert result.size == size
    assert result.flags.owndata and (result[:1] == 0).all()
    result = f(x_of(5))
    result.resize((3 * N,), refcheck=False)
    assert (result[:N] == 11).all() and (result[N:] == 0).all()
    assert (result.reshape(3, N).T.copy()[:, 0] == 11).all()


def least_growth(work: Callable[[], None]) -> int:
    """Of the resident bytes, in each of four rounds: what leaks does so in all of them, while the system may
    give a huge page, or the allocator take an arena, in any one."""

    def grown() -> int:
        before = resident_bytes()
        work()
        gc.collect()
        return resident_bytes() - before

    return min(grown() for _ in range(4))


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_a_hundred_thousand_calls_leak_nothing():
    f = jf.jit(lambda x, s: (x * s, (x + 1).sum()))
    x = np.ones(1000, np.float64)
    for _ in range(2000):
        f(x, 2.5)
    gc.collect()
    before = runtime().statistics()

    def work() -> None:
        for step in range(25_000):
            f(x, float(step))

    grown = least_growth(work)
    after = runtime().statistics()
    assert after["live_bytes"] == before["live_bytes"] and after["faults"] == before["faults"]
    assert after["misses"] - before["misses"] <= 4
    assert f.stats()["native_calls"] >= 100_000
    assert grown < 1 << 19, "20 bytes per call"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_lazy_tensors_and_new_sizes_leak_nothing():
    f = jf.jit(lambda x: (x * 2).sum(axis=0))

    def work(steps: range) -> None:
        for step in steps:
            x = np.ones((step % 30 + 1, step % 7 + 1), np.float32)
            assert f(x).shape == x.shape[1:]
            assert float((jf.asarray(x) + 1).sum()) == 2 * x.size

    rounds = 210  # each size once
    work(range(rounds))
    gc.collect()
    live = runtime().statistics()["live_bytes"]
    assert least_growth(lambda: work(range(rounds))) < 5600 * rounds
    assert runtime().statistics()["live_bytes"] == live


def test_memory_of_a_chain_is_its_result_alone():
    """No temporary: while a result is made, the pool's live bytes never exceed the inputs' and its own."""
    f = jf.jit(lambda x: np.sqrt(x * x + 1) / (x + 2) - np.abs(x))
    x = np.ones(3_000_017, np.float32)
    f(x)
    held = f(x)
    native = runtime()
    native.trim()
    before = native.statistics()["live_bytes"]
    result = f(x)
    assert native.statistics()["live_bytes"] - before <= 1.125 * x.nbytes + 64
    assert (result == held).all()
