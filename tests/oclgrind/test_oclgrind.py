"""oclgrind, an interpreter of OpenCL kernels, finds no race and no access out of bounds in generated ones.

It is an OpenCL platform of its own, so this also runs the driver on a second one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def missing() -> str:
    if find_spec("pyopencl") is None:
        return "pyopencl is not installed"
    return "" if shutil.which("oclgrind") else "oclgrind is not installed (apt-get install oclgrind)"


def reported(program: str, folder: Path) -> tuple[str, str]:
    """What a part of `run_kernels` printed, and what oclgrind had to say about it."""
    if missing():
        pytest.skip(missing())
    log = folder / "log"
    command = ["oclgrind", "--data-races", "--uniform-writes", "--log", str(log)]
    command += [sys.executable, "-m", "tests.oclgrind.run_kernels", program]
    environment = os.environ | {"JITFRAME_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, log.read_text()


@pytest.mark.parametrize("lanes", [32, 64, 256])
def test_generated_kernels_are_sound(lanes: int, tmp_path: Path) -> None:
    printed, log = reported(f"sound_{lanes}", tmp_path)
    assert printed.count("ran ") == 6
    assert log == ""


def test_programs_are_sound(tmp_path: Path) -> None:
    printed, log = reported("programs", tmp_path)
    assert printed.count("ran ") == 15
    assert log == ""


def test_a_race_is_reported(tmp_path: Path) -> None:
    """That the silence above means something."""
    _, log = reported("race", tmp_path)
    assert "data race at local memory address" in log and "Kernel: jf_racing" in log


def test_accesses_past_the_end_are_reported(tmp_path: Path) -> None:
    _, log = reported("outside", tmp_path)
    assert "Invalid read of size 4" in log and "Invalid write of size 4" in log
