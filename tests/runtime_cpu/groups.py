"""A control group of this machine with a memory limit, made by root; children of the test are put into it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MIB = 1 << 20


@contextmanager
def limited_group(limit_bytes: int) -> Iterator[Path]:
    """The folder of a group within a group, the outer one with the limit; skips where none can be made."""
    for top, limit in (
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        ("/sys/fs/cgroup", "memory.max"),
    ):
        outer = Path(top) / f"jitframe-test-{os.getpid()}"
        inner = outer / "inner"
        try:
            outer.mkdir()
            if limit == "memory.max":
                (outer / "cgroup.subtree_control").write_text("+memory")
            inner.mkdir()
            (outer / limit).write_text(str(limit_bytes))
        except OSError:
            for folder in (inner, outer):
                if folder.is_dir():
                    folder.rmdir()
            continue
        try:
            yield inner
        finally:
            for folder in (inner, outer):
                remove(folder)
        return
    pytest.skip("no control group can be made here")


def remove(folder: Path) -> None:
    """A group is busy for some milliseconds after its last process ended."""
    for _ in range(200):
        try:
            folder.rmdir()
            return
        except OSError:
            time.sleep(0.01)
    folder.rmdir()
