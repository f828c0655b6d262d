"""What the tests of the cache's faults have in common: caches asked for kernels, and child processes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from jitframe import cache
from jitframe.cache import inventory
from jitframe.errors import CacheWarning

from .kernels import Compiler, fresh_compiler, image_of, kernel_text

ROOT = Path(cache.__file__).parents[2]
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65534
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX owners and rights")


def use(folder: Path, texts: list[str], warned: int) -> Compiler:
    """Ask a fresh cache twice for each kernel: every image must be right, and the number of warnings."""
    one = fresh_compiler(folder)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for text in texts * 2:
            assert one.image(text) == image_of(text)
    assert [each.category for each in caught] == [CacheWarning] * warned, [
        str(each.message) for each in caught
    ]
    return one


def filled(folder: Path, count: int = 1) -> list[str]:
    texts = [kernel_text(number) for number in range(count)]
    use(folder, texts, warned=0)
    return texts


def assert_all_whole(folder: Path, count: int) -> None:
    disk = fresh_compiler(folder).cache.disk
    assert disk is not None
    assert inventory.verify(disk.folder()) == (count, [])


def start_child(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_child(code: str, *arguments: str) -> str:
    child = start_child(code, *arguments)
    output, problems = child.communicate(timeout=300)
    assert child.returncode == 0, problems
    return output.strip()


def run_child_as_nobody(code: str) -> str:
    """In a child that is not root, because root may write anywhere."""
    import tempfile

    with tempfile.TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)
        own = Path(outer) / "own"
        own.mkdir()
        if AS_ROOT:
            os.chown(own, NOBODY, NOBODY)
        return run_child(code, str(own / "cache"))
