"""Ends: of backends, of the process, after a fork; who hears of errors, and what they tell."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError, CompileError, DeviceLostError

from .written import NAMES, axpy, put

ROOT = Path(__file__).resolve().parents[2]


def run(program: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )


@pytest.mark.parametrize("name", NAMES)
def test_use_after_shutdown(name: str) -> None:
    backend = jf.backends.create(name)
    program = backend.compile(axpy())
    buffer = put(backend, np.ones(8, np.float32))
    backend.shutdown()
    backend.shutdown()
    assert not backend.is_initialized
    uses: list[Any] = [
        lambda: backend.alloc(8),
        lambda: backend.compile(axpy()),
        lambda: backend.execute(program, [buffer, buffer], [1.0, 8]),
        backend.synchronize,
        backend.stream,
        lambda: buffer.read(),
    ]
    for use in uses:
        with pytest.raises(BackendError, match="was shut down"):
            use()


@pytest.mark.parametrize("name", NAMES)
def test_it_is_initialized_again_after_shutdown(name: str) -> None:
    backend = jf.backends.create(name)
    old = put(backend, np.ones(8, np.float32))
    backend.shutdown()
    with pytest.raises(BackendError, match="open it again with initialize"):
        backend.alloc(8)
    backend.initialize()
    assert backend.is_initialized
    with pytest.raises(BackendError, match="its backend was shut down"):
        old.read()
    x, y = put(backend, np.ones(8, np.float32)), put(backend, np.ones(8, np.float32))
    backend.execute(backend.compile(axpy()), [x, y], [2.0, 8])
    assert np.frombuffer(y.read(), np.float32).tolist() == [3.0] * 8
    with backend.stream() as stream:
        stream.copy(bytes(32), x)
    backend.shutdown()
    assert not backend.is_initialized
    with backend:
        assert backend.alloc(8).nbytes == 8


@pytest.mark.parametrize("name", NAMES)
def test_a_device_of_its_own_keeps_no_memory_after_shutdown(name: str) -> None:
    backend = jf.backends.create(name)
    backend.alloc(1 << 20).free()
    assert backend.usage().pooled_bytes >= 1 << 20
    backend.shutdown()
    assert backend.device.driver.statistics().pooled == 0


def test_the_shared_backend_is_the_one_that_was_initialized_again() -> None:
    first = jf.backends.get("cpu")
    first.shutdown()
    first.initialize()
    assert jf.backends.get("cpu") is first


@pytest.mark.more
def test_the_end_of_the_process_shuts_down() -> None:
    done = run(
        "import jitframe as jf\n"
        "first, last = jf.backends.create('opencl'), jf.backends.create('cpu')\n"
        "first.initialize(); last.initialize()\n"
        "a = first.resource(lambda: 'opencl', lambda name: print('ended', name))\n"
        "b = last.resource(lambda: 'cpu', lambda name: print('ended', name))\n"
        "print('at the end')"
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.splitlines() == ["at the end", "ended cpu", "ended opencl"]


@pytest.mark.more
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_after_a_fork(name: str) -> None:
    """The processor goes on in the child; other devices say what to do; nothing of the parent's is harmed."""
    done = run(
        "import os, warnings, numpy as np, jitframe as jf\n"
        "warnings.simplefilter('ignore')\n"
        f"x = jf.asarray(np.ones(4, np.float32), device={name!r})\n"
        "(x + 1).numpy()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    here = float((jf.asarray(np.ones(4, np.float32)) + 1).sum())\n"
        "    try:\n"
        "        (x + 1).numpy()\n"
        "    except jf.errors.BackendError as problem:\n"
        "        print('child', here, problem.message, flush=True)\n"
        "    try:\n"
        f"        jf.asarray(np.ones(4, np.float32), device={name!r})\n"
        "    except jf.errors.BackendError as problem:\n"
        "        print('child', problem.device, problem.message, flush=True)\n"
        "    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print('parent', float((x + 1).numpy().sum()))\n"
    )
    assert done.returncode == 0, done.stderr
    first, second, last = done.stdout.splitlines()
    assert first.startswith(f"child 8.0 {name} was in use when this process was forked")
    assert second.startswith(f"child {name} {name} was in use when this process was forked")
    assert "multiprocessing's 'spawn'" in second and last == "parent 8.0"


def test_errors_are_heard_and_may_be_replaced() -> None:
    heard: list[BackendError] = []

    def replace(error: BackendError) -> BackendError:
        heard.append(error)
        return DeviceLostError("ours", device=error.device)

    with jf.backends.create("opencl") as backend:
        before = jf.backends.set_error_handler(replace)
        try:
            with pytest.raises(DeviceLostError, match="ours") as caught:
                backend.compile("nonsense", entry="f", parameters={})
            assert isinstance(caught.value.__cause__, CompileError) and heard == [caught.value.__cause__]
            jf.backends.set_error_handler(lambda error: None)
            with pytest.raises(CompileError):
                backend.compile("nonsense", entry="f", parameters={})
        finally:
            jf.backends.set_error_handler(before)
        with pytest.raises(CompileError):
            backend.compile("nonsense", entry="f", parameters={})
        assert len(heard) == 1


def test_devices_that_are_not_here_are_heard() -> None:
    heard: list[BackendError] = []
    absent = [name for name in ("cuda", "hip", "metal") if not jf.backends.is_available(name)]
    before = jf.backends.set_error_handler(heard.append)
    try:
        for name in (*absent, "cpu:7", "abacus", "cpu:x"):
            for ask in (
                jf.backends.get, jf.backends.create, jf.device, jf.backends.set_default,
                lambda name: jf.asarray([1.0], device=name),
                lambda name: jf.jit(abs, device=name)(np.ones(3)),
                lambda name: jf.backends.init(name, require=True), lambda name: jf.ones(3).to_device(name),
            ):  # fmt: skip
                if ask is jf.backends.set_default and name not in ("abacus", "cpu:x"):
                    continue  # a default need not be there yet
                with pytest.raises(BackendError) as caught:
                    ask(name)
                assert heard == [caught.value] and heard[0].suggestions, name
                heard.clear()
        for name in ("abacus", absent[0]):
            assert not jf.backends.is_available(name) and jf.ones(3).device != name
        assert not jf.backends.get("cpu").supports("bitwise_and", "float32") and heard == []
        with pytest.raises(BackendError):
            jf.backends.discover()["cpu"].device(3)
        with pytest.raises(BackendError):
            jf.backends.unregister("cpu")
        assert len(heard) == 2
    finally:
        jf.backends.set_error_handler(before)


def test_transfers_that_strict_forbids_are_heard() -> None:
    heard: list[BackendError] = []
    x, y = jf.ones(3, dtype="float32", device="opencl"), jf.ones(3, dtype="float32")
    before, settings = jf.backends.set_error_handler(heard.append), jf.settings.configure(strict=True)
    try:
        with pytest.raises(BackendError, match="unasked; write") as caught:
            (x + y).numpy()
    finally:
        jf.settings.restore(settings)
        jf.backends.set_error_handler(before)
    assert heard == [caught.value] and caught.value.suggestions[0].startswith("write ")


def test_every_error_says_what_to_do() -> None:
    for kind in (BackendError, *BackendError.__subclasses__()):
        assert kind("it failed").suggestions and kind("it failed").message == "it failed"
        assert kind("it failed", suggestions=("wait",)).suggestions == ("wait",)


def test_lack_of_memory_in_native_calls_is_heard() -> None:
    backend, x = jf.backends.get("cpu"), np.ones(1 << 16)
    doubled = jf.jit(lambda x: x * 2)
    for _ in range(3):
        doubled(x)
    heard: list[BackendError] = []
    before = jf.backends.set_error_handler(lambda error: heard.append(error))
    calls = doubled.stats()["native_calls"]
    try:
        backend.limits = jf.backends.Limits(max_bytes=backend.usage().live_bytes)
        with pytest.raises(jf.errors.OutOfMemoryError) as caught:
            doubled(x)
        with pytest.raises(jf.errors.OutOfMemoryError):
            jf.asarray(x).copy()
    finally:
        backend.limits = None
        jf.backends.set_error_handler(before)
    assert heard[0] is caught.value and len(heard) == 2
    assert doubled.stats()["native_calls"] == calls + 1


def test_errors_tell_their_context() -> None:
    with jf.backends.create("opencl") as backend:
        x, y = backend.alloc(64), backend.alloc(64)
        with pytest.raises(BackendError) as caught, backend.device.using() as driver:
            driver.copy(x.view(), y.view(), 1 << 40)
        error = caught.value
        assert (error.device, error.backend) == ("opencl", "opencl") and error.__cause__ is not None
        assert error.context["doing"] == "a copy" and error.context["status"] == -30
        backend.copy(np.ones(16, np.float32), x)  # it can be used on


@pytest.mark.more
def test_silent_by_default() -> None:
    program = (
        "import logging, sys, jitframe as jf\n"
        "if len(sys.argv) > 1: logging.basicConfig(level=logging.DEBUG)\n"
        "with jf.backends.create('cpu') as backend: pass\n"
    )
    done = run(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "jitframe"), jf.backends.create("cpu") as backend:
        backend.compile(axpy())
    assert [each.getMessage() for each in caplog.records if each.name == "jitframe.backends"] == [
        "cpu: initialized",
        "cpu: compiled kernel axpy",
    ]
