"""A folder for each test's cache."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a cache may be; it does not exist yet."""
    return tmp_path / "cache"
