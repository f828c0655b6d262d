"""The runtime, its sample kernels, and fresh processes, for the tests of the native CPU runtime."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from jitframe.runtime.cpu.image import LoadedImage
from jitframe.runtime.cpu.runtime import NativeRuntime
from jitframe.runtime.cpu.runtime import runtime as native_runtime
from tests.runtime_cpu import sample_kernels
from tests.runtime_cpu.support import ROOT, load_functions

PRELUDE = """
import numpy as np
from jitframe.codegen.plan.bound import *
from jitframe.runtime.cpu.entry import *
from jitframe.runtime.cpu.runtime import runtime as native_runtime
from jitframe.runtime.cpu.variant import *
from tests.runtime_cpu import sample_kernels
from tests.runtime_cpu.support import load_functions
kernels = load_functions(sample_kernels.ALL, vars(sample_kernels))
runtime = native_runtime()
"""


@pytest.fixture(scope="session")
def kernels() -> LoadedImage:
    return load_functions(sample_kernels.ALL, vars(sample_kernels))


@pytest.fixture(scope="session")
def runtime() -> NativeRuntime:
    return native_runtime()


@pytest.fixture
def threads(runtime: NativeRuntime):
    """Set the number of threads for one test."""
    before = runtime.threads
    yield runtime.set_threads
    runtime.set_threads(before)


@pytest.fixture
def in_subprocess():
    """Run Python text in a fresh process with the runtime and the kernels at hand; gives what it printed."""

    def run(text: str, timeout: float = 60, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", PRELUDE + textwrap.dedent(text)],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    return run
