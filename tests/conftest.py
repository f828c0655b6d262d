"""The tests' kernels go to a folder of their own, shared by all their processes and removed afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest

_FOLDER = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Before anything imports jitframe; workers and child processes inherit the variable."""
    if not hasattr(config, "workerinput"):
        config.stash[_FOLDER] = os.environ["JITFRAME_CACHE_DIR"] = tempfile.mkdtemp(prefix="jitframe-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_FOLDER, None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
