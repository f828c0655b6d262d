"""Compiling where a process may have few addresses (RLIMIT_AS, `ulimit -v`): an error, no end and no hang.

Each is a process of its own, a second or two, as limits cannot be raised again by everybody.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitframe.base import background
from jitframe.errors import BackendUnavailableError, OutOfMemoryError
from jitframe.runtime.cpu.machine_code import llvm, parallel_map

ROOT = Path(__file__).resolve().parents[2]
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no limits on addresses elsewhere")

PROGRAM = """
import resource, sys
import numpy as np
import jitframe as jf

def few(x):
    return np.sin(x) * 2 + x.sum()

def many(x):
    for k in range(60):
        x = np.sin(x) * np.cos(x + k) + np.exp(x / (k + 1)) + x.sum()
    return x

function, loaded, extra = sys.argv[1], sys.argv[2] == "loaded", int(float(sys.argv[3]) * (1 << 20))
x = np.arange(1000.0)
if loaded:
    jf.jit(few)(x)
with open("/proc/self/statm") as file:
    limit = int(file.read().split()[0]) * resource.getpagesize() + extra
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
function = {"few": few, "many": many}[function]
try:
    jf.jit(function)(x)
except jf.errors.OutOfMemoryError as problem:
    print("refused", problem)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
jf.jit(function)(x)
print("done")
"""


@linux
@pytest.mark.parametrize(
    ("function", "loaded", "extra_mib"),
    [("few", "", 8), ("few", "", 175), ("many", "loaded", 0.2), ("many", "loaded", 2)],
)
def test_too_few_addresses_are_an_error_that_says_so(
    tmp_path: Path, function: str, loaded: str, extra_mib: float
) -> None:
    """LLVM's library cannot be mapped, or what it takes ends the process, or a thread cannot begin."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, function, loaded, str(extra_mib)],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=300,
        env=os.environ | {"PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused compiling for cpu takes some ") and "RLIMIT_AS" in done.stdout
    assert done.stdout.endswith("done\n"), "and is no matter once there are more"


def test_a_library_that_cannot_be_loaded_for_another_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(llvm.__file__).with_name("no library")
    with pytest.raises(BackendUnavailableError, match="LLVM, which compiles for cpu, cannot be loaded"):
        llvm.CodeGenerator(str(path))
    monkeypatch.setattr(llvm, "address_room", lambda: 1 << 20)
    with pytest.raises(OutOfMemoryError, match="1,048,576 are left to this process"):
        llvm.CodeGenerator(str(path))


def test_no_thread_is_begun_that_may_lack_memory_for_its_first_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end without a word, and be waited for."""
    monkeypatch.setattr(background, "start_new_thread", lambda *_: 0)
    monkeypatch.setattr(background, "address_room", lambda: background.STACK_BYTES + (1 << 20))
    assert background.on_own_thread(lambda: 5) == 5
    assert parallel_map.parallel_map(lambda item: item + 1, range(5), 4) == [1, 2, 3, 4, 5]
