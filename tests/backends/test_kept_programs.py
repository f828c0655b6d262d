"""Programs from source text are kept in the kernel cache, as kernels are."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe import cache
from jitframe.cache.entry import Entry
from jitframe.cache.key import WRITTEN
from jitframe.cache.service import kernel_cache
from jitframe.settings import configure, restore
from tests.cache.test_cli import output

from .test_programs import PARAMETERS, SOURCES
from .written import get, put

COMMENTS = {"cpu": "; {}", "opencl": "// {}"}
COUNTS = ("compiled", "memory_hits", "disk_hits")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Kernels of this test alone."""
    before = configure(cache_dir=str(tmp_path))
    yield
    restore(before)


def counts() -> dict[str, int | float]:
    found = cache.stats()
    return {name: found[name] for name in COUNTS}


def steps(before: dict[str, int | float]) -> list[int]:
    return [int(value - before[name]) for name, value in counts().items()]


def new_text(name: str, more: str = "") -> str:
    """The source with a comment that no other run has."""
    return f"{COMMENTS[name].format(f'{more}{time.monotonic_ns()}')}\n{SOURCES[name]}"


def check(backend: Any, text: str) -> None:
    """Compiles and runs it."""
    x = np.arange(50, dtype=np.float32)
    program = backend.compile(text, entry="scale", parameters=PARAMETERS)
    given, out = put(backend, x), put(backend, np.zeros_like(x))
    backend.execute(program, [given, out], {"factor": 3.0, "n": 50}, jf.backends.LaunchConfig(7, 8))
    np.testing.assert_array_equal(get(backend, out, x), x * 3)


@pytest.fixture(params=list(COMMENTS))
def backend(request: pytest.FixtureRequest) -> Any:
    if not jf.backends.is_available(request.param):
        pytest.skip(f"{request.param} is not here")
    with jf.backends.create(request.param) as made:
        yield made


def test_text_is_compiled_once_for_all_processes(backend: Any) -> None:
    text, before = new_text(backend.name), counts()
    check(backend, text)
    assert steps(before) == [1, 0, 0]
    check(backend, text)
    assert steps(before) == [1, 1, 0]
    kernel_cache().memory.clear()  # as in another process
    check(backend, text)
    assert steps(before) == [1, 1, 1]
    check(backend, new_text(backend.name))
    assert steps(before) == [2, 1, 1]


def entry_of(text: str) -> Entry:
    (found,) = [
        each for each in map(cache.load, [e.name for e in cache.entries()]) if text in each.texts.values()
    ]
    return found


def test_the_command_line_shows_them(backend: Any) -> None:
    text = new_text(backend.name)
    check(backend, text)
    header = entry_of(text).header
    assert (header.name, header.key.generator) == ("scale", WRITTEN)
    assert header.origin.startswith(f"{__file__}:")
    folder, key = cache.path, header.key.digest().hex()
    assert any("scale (source)" in line for line in output(folder, "cache", "ls", COLUMNS="400").splitlines())
    assert "scale (source)" in output(folder, "cache", "show", key)
    assert output(folder, "cache", "show", key, "--level", "source").strip() == "\n".join(
        line.rstrip() for line in text.splitlines()
    )
    if backend.name == "cpu":
        assert "scale:" in output(folder, "cache", "show", key, "--level", "asm")


def test_text_that_includes_files_is_compiled_each_time(backend: Any) -> None:
    text, before = new_text(backend.name, "include "), counts()
    check(backend, text)
    check(backend, text)
    assert steps(before) == [0, 0, 0]


def test_a_device_whose_kernels_are_not_kept_keeps_no_programs() -> None:
    if not jf.backends.is_available("opencl"):
        pytest.skip("opencl is not here")
    text, before = new_text("opencl"), counts()
    with jf.backends.create("opencl") as backend:
        backend.tune(cache_kernels=False)
        check(backend, text)
        check(backend, text)
    assert steps(before) == [0, 0, 0]


def test_a_binary_that_the_driver_does_not_take_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    if not jf.backends.is_available("opencl"):
        pytest.skip("opencl is not here")
    from jitframe.runtime.drivers import opencl_programs

    monkeypatch.setattr(opencl_programs, "built_program", lambda *_: b"no binary at all")
    with jf.backends.create("opencl") as backend:
        check(backend, new_text("opencl"))


def test_what_is_rejected_is_not_kept(backend: Any) -> None:
    text, before = new_text(backend.name) + "\n(", counts()
    with pytest.raises(jf.errors.CompileError, match="rejected scale|LLVM refused"):
        backend.compile(text, entry="scale", parameters=PARAMETERS)
    assert steps(before)[0] == 0


PLANS = """
import numpy as np, jitframe as jf

def ranks(x):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = np.where(x[i, 0] > 0, x[i].sum() * 2, x[i].max())
    return y

x = np.random.default_rng(0).normal(size=(6, 5))
for device in ("cpu", jf.backends.create("cpu"), jf.backends.create("cpu", threads=1)):
    np.testing.assert_allclose(jf.jit(ranks, device=device)(x), ranks(x))
print("done")
"""


@pytest.mark.more
def test_plans_of_the_shared_processor_are_not_taken_for_others(tmp_path: Path) -> None:
    """Two processes: the second one finds the plans of the first, whose kernels native code has loaded."""
    for _ in range(2):
        environment = os.environ | {
            "JITFRAME_CACHE_DIR": str(tmp_path),
            "PYTHONPATH": str(Path(jf.__file__).parents[1]),
        }
        done = subprocess.run(
            [sys.executable, "-c", PLANS], capture_output=True, text=True, env=environment, check=False
        )
        assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
