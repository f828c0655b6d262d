"""Memory for code where the system refuses some or all of it; refused for real, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFUSED = "refused to refuse"

START = """
import ctypes, hashlib, sys, tempfile
import llvmlite.binding  # libraries are loaded before anything is refused
import numpy as np
import jitframe as jf
import jitframe.tensors.tensor, jitframe.tracing.jit
from jitframe.runtime.cpu.machine_code.compile import binding, compile_text
from jitframe.runtime.cpu.machine_code.image import OBJECT, load, package
from jitframe.runtime.cpu.machine_code.levels import baseline_target
from tests.runtime_cpu.refusals import refuse

binding()
"""
REFUSE = f"""
if not refuse(sys.argv[1]):
    sys.exit({REFUSED!r})
"""
PROGRAM = """
@jf.jit
def both(x, y):
    return np.sin(x) * 2 + y, (x @ y.T).sum()

x = np.arange(2500.0).reshape(50, 50)
for k in range(4):
    first, second = both(x + k, x)
assert np.allclose(first, np.sin(x + 3) * 2 + x) and np.isclose(second, ((x + 3) @ x.T).sum())
assert (jf.asarray([1.0, 2]) * 3).tolist() == [3, 6]
print("done")
"""
NOTHING = """
jf.jit(lambda x: x + 1)(np.arange(3))
"""
BY_LLVM = """
image = package(compile_text(
    "declare double @exp(double)\\ndefine double @f(double %x) {\\n  %y = call double @exp(double %x)\\n"
    "  ret double %y\\n}", baseline_target()))
assert image.kind == OBJECT
load(image)
"""


def run(what: str, program: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A second or two: a process of its own with LLVM."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    if cache is not None:
        environment["JITFRAME_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-c", START + REFUSE + program, what],
        capture_output=True, text=True, env=environment, cwd=ROOT, check=False, timeout=300,
    )  # fmt: skip
    if REFUSED in done.stderr:
        pytest.skip("this system cannot refuse that")
    return done


@pytest.mark.parametrize("what", ["mdwe", "after writing", "after writing, and files in memory"])
def test_code_runs_where_nothing_may_be_executable_that_was_writable(what: str, tmp_path: Path) -> None:
    """Compiled, with the runtime, in the first process; from the cache in the second."""
    for _ in range(2):
        done = run(what, PROGRAM, tmp_path)
        assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_where_no_memory_may_be_executable_an_error_says_so() -> None:
    done = run("anything", NOTHING)
    assert done.stderr.splitlines()[-2:] == [
        "jitframe.errors.ExecutableMemoryError: the system gives this process no memory for code (Operation "
        "not permitted), and cpu runs compiled code; allow it (in systemd's units MemoryDenyWriteExecute=no, "
        "with SELinux execmem, with seccomp mmap and mprotect with PROT_EXEC), or compute on another device",
        f"  at <string>:{(START + REFUSE).count(chr(10)) + 2}, in <module>",
    ]


@pytest.mark.parametrize("what", ["mdwe", "after writing"])
def test_code_that_llvm_loads_is_an_error_and_no_crash(what: str) -> None:
    """LLVM's loader asks for executable memory and does not look at the answer."""
    done = run(what, BY_LLVM)
    assert "ExecutableMemoryError: the system gives this process no memory for code (" in done.stderr
    assert done.returncode == 1


def test_the_error_is_the_builtin_too() -> None:
    from jitframe.errors import ExecutableMemoryError

    problem = ExecutableMemoryError("no", device="cpu", suggestions=("ask",))
    assert isinstance(problem, PermissionError)
    assert problem.args[0].startswith("no; ask\n  at ") and str(problem) == problem.args[0]
