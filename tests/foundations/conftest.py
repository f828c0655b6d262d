"""Threads and fresh processes for the tests of the foundations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jitframe.runtime.cpu.execution.runtime import runtime

ROOT = Path(__file__).parents[2]


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Set the number of threads for one test."""
    before = runtime().threads
    yield runtime().set_threads
    runtime().set_threads(before)


@pytest.fixture(scope="session")
def in_process() -> Callable[..., Any]:
    """Run Python text in a fresh process; gives what it printed last, read as JSON."""

    def run(text: str, *arguments: str, timeout: float = 500, **environment: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", textwrap.dedent(text), *arguments],
            capture_output=True, text=True, timeout=timeout, cwd=ROOT, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )  # fmt: skip
        assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        return json.loads(done.stdout.strip().splitlines()[-1])

    return run
