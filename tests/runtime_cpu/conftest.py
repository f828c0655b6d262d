"""The runtime, its sample kernels, and fresh processes, for the tests of the native CPU runtime."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import ArrayArgument, FloatArgument, leaf_arguments
from jitframe.runtime.cpu.entry.callables import make_entry, native_entry_works
from jitframe.runtime.cpu.entry.variant import OutputArray, Variant
from jitframe.runtime.cpu.execution.runtime import NativeRuntime
from jitframe.runtime.cpu.execution.runtime import runtime as native_runtime
from jitframe.runtime.cpu.machine_code.image import LoadedImage
from tests.plan.bound import At, alloc, bound_plan, copy, launch, scalar
from tests.runtime_cpu import sample_kernels
from tests.runtime_cpu.sample_kernels import add_scalar_slots
from tests.runtime_cpu.support import ROOT, described, load_functions, slow

PRELUDE = """
import numpy as np
from jitframe.runtime.cpu.entry.callables import *
from jitframe.runtime.cpu.execution.runtime import runtime as native_runtime
from jitframe.runtime.cpu.entry.arguments import *
from jitframe.runtime.cpu.entry.variant import *
from tests.plan.bound import *
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


def run_python(text: str, timeout: float, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text],
        capture_output=True,
        text=True,
        timeout=timeout,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def in_fresh_process():
    """Run Python text in a fresh process; gives what it printed."""
    return lambda text, timeout=500, **environment: run_python(text, timeout, environment)


@pytest.fixture
def in_subprocess():
    """Run Python text in a fresh process with the runtime and the kernels at hand; gives what it printed."""

    def run(text: str, timeout: float = 500, before: str = "", **environment: str) -> str:
        return run_python(before + PRELUDE + textwrap.dedent(text), timeout, environment)

    return run


@pytest.fixture
def new_entry():
    """Make native entries."""
    if not native_entry_works():
        pytest.skip("the native entry is off or does not work here")
    return lambda function=slow, base=object: make_entry("sample", function, base)


@pytest.fixture
def add_program(runtime, kernels):
    """out = x + s over n float32."""

    def make(n: int, scalars: int = 1):
        steps = (alloc(1, 4 * n), launch(0, add_scalar_slots(n, 64), -(-n // 64)))
        plan = bound_plan(("add_scalar",), 2, 1, scalars, steps, (1,))
        return runtime.encode(plan, [kernels.address("add_scalar")])

    return make


@pytest.fixture
def add_variant(add_program):
    def make(x: np.ndarray, argument=FloatArgument(0, "f32"), **more) -> Variant:  # noqa: B008
        return Variant(
            (described(x), argument), add_program(x.size), (OutputArray(x.dtype, x.shape),), **more
        )

    return make


@pytest.fixture
def copying(runtime):
    """A variant that returns a copy of its first `nbytes` input bytes, and takes whatever it is told."""

    def make(arguments, outputs, nbytes, scalars=0, **more):
        inputs = sum(isinstance(argument, ArrayArgument) for argument in leaf_arguments(arguments)) + len(
            more.get("hidden", ())
        )
        source = more.pop("source", 0)
        steps = (alloc(inputs, nbytes), copy(At(inputs), At(source), nbytes))
        program = runtime.encode(bound_plan((), inputs + 1, inputs, scalars, steps, (inputs,)), [])
        return Variant(arguments, program, outputs, **more)

    return make


@pytest.fixture
def scalar_reader(runtime, kernels):
    """A variant f(value) whose result is the scalar slot's eight bytes, as int64."""

    def make(argument):
        steps = (alloc(0, 8), launch(0, (At(0), 0, scalar(0)), 1))
        program = runtime.encode(
            bound_plan(("write_value",), 1, 0, 1, steps, (0,)), [kernels.address("write_value")]
        )
        return Variant((argument,), program, (OutputArray(np.dtype("i8"), (1,)),))

    return make
