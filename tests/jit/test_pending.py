"""First calls that do not wait for the compiler: what they give, who waits, and what a process leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.base.background import BACKLOG, Task, begin, in_background, wait_for_all
from jitframe.compilation import evaluate, pending
from jitframe.runtime.cpu.kernels import operation_kernels as kernels
from jitframe.settings import configure, restore

X = np.linspace(0.1, 4, 1000, dtype=np.float32)
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache folder with the operations' kernels, and the native runtime's image."""
    folder = str(tmp_path_factory.mktemp("kernels"))
    in_process(folder, "import numpy as np; f = jf.jit(lambda x: x + 1); f(np.ones(3))")
    return folder


def in_process(folder: str, text: str, **environment: str) -> Any:
    """What a fresh process printed last, read as JSON."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import jitframe as jf\n" + textwrap.dedent(text)],
        capture_output=True, text=True, timeout=300, cwd=ROOT, check=False,
        env={
            **os.environ, "PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": folder, "JITFRAME_NUM_THREADS": "2",
            "JITFRAME_COMPILE_IN_BACKGROUND": "on", **environment,
        },
    )  # fmt: skip
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    assert not done.stderr, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else None


class Compiler:
    """Holds plans back until it is told to go on, and counts them."""

    def __init__(self) -> None:
        self.may_go = threading.Event()
        self.made = 0
        self.error: Exception | None = None


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    """First calls do not wait, and nothing is compiled before the test says so."""
    monkeypatch.setattr(pending, "thread_count", lambda: 2)
    kernels.make_operation_kernels()
    kernels.operation_kernels.cache_clear()
    made, prepare = Compiler(), evaluate.prepare

    def waiting(*arguments: Any, **options: Any) -> Any:
        if in_background():
            assert made.may_go.wait(60)
        made.made += 1
        if made.error is not None:
            raise made.error
        return prepare(*arguments, **options)

    monkeypatch.setattr(evaluate, "prepare", waiting)
    monkeypatch.setattr(evaluate, "stored_plans", lambda key: [])  # other tests leave theirs
    before = configure(compile_in_background=True)
    jf.clear()
    yield made
    made.may_go.set()
    wait_for_all()
    restore(before)
    jf.clear()


def formula(x: Any, factor: float) -> Any:
    return np.sqrt(x) * factor + np.sin(x) / x, x > 1


def same(found: Any, factor: float, x: np.ndarray = X) -> None:
    for ours, theirs in zip(found, formula(x, np.float32(factor)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_calls_are_answered_before_anything_is_compiled(compiler: Compiler) -> None:
    f = jf.jit(formula)
    first = f(X, 2.0)
    same(first, 2.0)
    same(f(X, 3.5), 3.5)
    same(f(X[:100], 3.5), 3.5, X[:100])
    assert compiler.made == 0 and jf.cache is not None
    compiler.may_go.set()
    stats = f.stats()
    assert stats["kernels"] == 2 and stats["traces"] == 2 and compiler.made == 2, "one for each size"
    same(f(X, 2.0), 2.0)
    for ours, before in zip(f(X, 2.0), first, strict=True):
        np.testing.assert_array_equal(ours, before)


def test_statistics_and_listings_wait_for_the_compiler(compiler: Compiler) -> None:
    f = jf.jit(lambda x: np.cos(x) * 3 - x)
    before = jf.cache.stats()["misses"]
    f(X)
    threading.Timer(0.1, compiler.may_go.set).start()
    assert jf.cache.stats()["misses"] >= before and compiler.made == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda f: f.explain(X).kernels[0].source("asm"),
        lambda f: f.stats()["kernels"],
        lambda f: f.program(X).ready.template.addresses,
        lambda f: jf.cache.entries() is not None,
    ],
    ids=["explain", "stats", "program", "entries"],
)
def test_who_asks_for_kernels_waits(compiler: Compiler, ask: Callable[[Any], Any]) -> None:
    f = jf.jit(lambda x: np.cos(x) * 7 - x)
    f(X)
    threading.Timer(0.1, compiler.may_go.set).start()
    assert ask(f) and compiler.made == 1


def test_calls_become_native_only_once_the_kernels_are_there(compiler: Compiler) -> None:
    f = jf.jit(lambda x: np.exp(x) - x)
    for _ in range(20):
        f(X)
    assert f._jit.programs and compiler.made == 0
    compiler.may_go.set()
    wait_for_all()
    for _ in range(20):
        f(X)
    assert f.stats()["native_calls"] >= 18


def test_an_error_of_the_compiler_reaches_a_later_call(compiler: Compiler) -> None:
    f = jf.jit(lambda x: np.exp(x) - 2 * x)
    f(X)
    compiler.error = RuntimeError("no compiler today")
    compiler.may_go.set()
    wait_for_all()
    with pytest.raises(RuntimeError, match="no compiler today"):
        f(X)
    compiler.error = None
    np.testing.assert_allclose(f(X), np.exp(X) - 2 * X, rtol=1e-6)


def test_several_threads_share_one_trace(compiler: Compiler) -> None:
    f, found = jf.jit(lambda x: np.tanh(x) + x), []
    threads = [threading.Thread(target=lambda: found.append(f(X))) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert len(found) == 6 and all(np.array_equal(each, found[0]) for each in found)
    compiler.may_go.set()
    assert f.stats()["traces"] == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.sum(), lambda x: x[::2] + 1, lambda x: np.cumsum(x), lambda x: x.reshape(10, 100) + 1,
        lambda x: x.astype(np.float16) + 1,
    ],
    ids=["reduction", "slice", "scan", "reshape", "half"],
)  # fmt: skip
def test_other_graphs_wait_for_their_kernels(compiler: Compiler, function: Any) -> None:
    np.testing.assert_allclose(jf.jit(function)(X), function(X), rtol=1e-5)
    assert compiler.made == 1


def test_writes_and_fast_math_wait_for_their_kernels(compiler: Compiler) -> None:
    def doubled(x: Any) -> None:
        x *= 2

    given = X.copy()
    jf.jit(doubled)(given)
    np.testing.assert_array_equal(given, X * 2)
    jf.jit(lambda x: x / 3 + 1, fastmath=True)(X)
    assert compiler.made == 2


def test_lazy_tensors_do_not_wait_either(compiler: Compiler) -> None:
    def value(x: np.ndarray) -> np.ndarray:
        return np.asarray(jf.sqrt(jf.asarray(x)) * 3 + 1)

    first = value(X)
    np.testing.assert_allclose(first, np.sqrt(X) * 3 + 1, rtol=1e-6)
    np.testing.assert_array_equal(value(X), first)
    np.testing.assert_array_equal(value(X[:100].copy()), first[:100])
    assert compiler.made == 0
    compiler.may_go.set()
    assert jf.cache.stats() and compiler.made >= 2, "one for each size, and for each set of live Tensors"
    made = compiler.made
    for _ in range(3):
        np.testing.assert_array_equal(value(X), first)
    assert compiler.made == made


def test_lazy_tensors_that_nothing_runs_op_by_op_wait(compiler: Compiler) -> None:
    total = jf.asarray(X).sum() * 3
    np.testing.assert_allclose(float(total), X.sum() * 3, rtol=1e-5)
    assert compiler.made == 1


def test_a_profile_shows_compiled_kernels(compiler: Compiler) -> None:
    f = jf.jit(lambda x: np.cos(x) * 9 - x)
    with jf.profile() as profile:
        f(X)
    assert compiler.made == 1 and profile is not None


def test_the_setting_turns_it_off(compiler: Compiler) -> None:
    configure(compile_in_background=False)
    jf.jit(lambda x: np.cos(x) * 11 - x)(X)
    assert compiler.made == 1


# Work behind the program ------------------------------------------------------------------------------


def test_work_is_done_in_order_on_one_thread() -> None:
    done: list[tuple[int, int]] = []
    wait_for_all()
    tasks = [begin(lambda n=n: done.append((n, threading.get_ident()))) for n in range(BACKLOG)]
    wait_for_all()
    assert [number for number, _ in done] == list(range(BACKLOG)) and all(
        task.is_done for task in tasks if task
    )
    assert threading.get_ident() not in {t for _, t in done}


def test_work_that_fails_has_no_value_and_stops_nothing() -> None:
    failing: Task[int] | None = begin(lambda: 1 // 0)
    after = begin(lambda: 3)
    assert failing and after
    failing.wait()
    after.wait()
    assert (failing.value, after.value) == (None, 3)


def test_work_does_not_wait_for_itself() -> None:
    task = begin(lambda: (wait_for_all(), in_background()))
    assert task
    task.wait()
    assert task.value == (None, True) and not in_background()


def test_without_threads_work_is_done_at_once(tmp_path: Path) -> None:
    """In a process of its own: here a thread of earlier work may look for more."""
    text = """
    import json, threading
    from jitframe.base import background

    def refuse(*_):
        raise RuntimeError("can't start new thread")

    background.start_new_thread = refuse
    task = background.begin(threading.get_ident)
    background.wait_for_all()
    print(json.dumps(task.value == threading.get_ident()))
    """
    assert in_process(str(tmp_path), text) is True


# Processes --------------------------------------------------------------------------------------------

CHAIN = """
    import json, sys, time
    import numpy as np

    @jf.jit
    def chain(a, b, c, d):
        return np.sqrt(a * a + b * b) + np.sin(c) * d - a

    arrays = np.random.default_rng(0).random((4, 5000), np.float32)
    found = chain(*arrays)
    np.testing.assert_allclose(found, chain.__wrapped__(*arrays), rtol=2e-6, atol=1e-6)
    pending = any(p.pending for each in chain._jit.programs.values() for p in each)
"""


def test_a_process_that_ends_at_once_leaves_its_kernels_to_the_next(prepared: str, tmp_path: Path) -> None:
    text = CHAIN + "    print(json.dumps([pending, 'llvmlite' in sys.modules, jf.cache.stats()['compiled']]))"
    ended = in_process(prepared, CHAIN + "    print(json.dumps(pending))")
    assert ended is True
    assert in_process(prepared, text) == [False, False, 0]


def test_the_first_process_of_a_machine_leaves_the_operations(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert in_process(folder, CHAIN + "    print(json.dumps(pending))") is False
    listed = in_process(folder, "import json; print(json.dumps([e.header.name for e in jf.cache.entries()]))")
    assert kernels.NAME in listed


def test_a_cache_that_cannot_be_written_is_not_filled_again_and_again(tmp_path: Path) -> None:
    blocked = tmp_path / "v1"
    blocked.write_text("no folder")
    text = """
        import json, warnings
        import numpy as np
        from jitframe.runtime.cpu.kernels import operation_kernels
        from jitframe.compilation import pending
        warnings.simplefilter("ignore")
        made = []
        pending.make_operation_kernels = lambda: made.append(1)
        jf.jit(lambda x: x + 1)(np.ones(3))
        pending._make_kernels()
        print(json.dumps(made))
    """
    assert in_process(str(tmp_path), text) == []


def test_a_fork_waits_for_the_compiler(prepared: str) -> None:
    text = (
        CHAIN.replace("c) * d - a", "c) * d - 5 * a")
        + """
    import os, warnings
    warnings.simplefilter("ignore")
    child = os.fork()
    if child == 0:
        again = chain(*arrays)
        os._exit(0 if np.array_equal(again, found) and not any(
            p.pending and not p.pending.is_done for each in chain._jit.programs.values() for p in each
        ) else 1)
    print(json.dumps([pending, os.waitpid(child, 0)[1]]))
"""
    )
    assert in_process(prepared, text) == [True, 0]


def test_one_thread_compiles_first(prepared: str) -> None:
    text = CHAIN.replace("sin", "cos") + "    print(json.dumps(pending))"
    assert in_process(prepared, text, JITFRAME_NUM_THREADS="1") is False
    text = text.replace("cos", "tanh")
    assert in_process(prepared, text, JITFRAME_COMPILE_IN_BACKGROUND="off") is False
    assert in_process(prepared, text.replace("tanh", "exp")) is True


def test_damaged_operations_are_left_alone(prepared: str) -> None:
    text = """
        import json
        import numpy as np
        from jitframe.cache.service import kernel_cache
        from jitframe.runtime.cpu.kernels import operation_kernels as kernels
        import os
        from pathlib import Path
        name = kernels._key().digest().hex() + ".kernel"
        path = os.path.join(kernel_cache().folder, "v1", name)
        data = bytearray(Path(path).read_bytes())
        data[len(data) // 2] ^= 255
        os.chmod(path, 0o600)
        Path(path).write_bytes(data)
        import warnings
        warnings.simplefilter("ignore")
        f = jf.jit(lambda x: x * 13)
        print(json.dumps([float(f(np.ones(3))[0]), kernels.operation_kernels() is None]))
    """
    assert in_process(prepared, text) == [13.0, True]
