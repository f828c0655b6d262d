"""The entry point by which PyInstaller finds jitframe's hooks."""

from __future__ import annotations

import os


def hook_folders() -> list[str]:
    """The folder of `hook-jitframe.py`, for PyInstaller's entry point `hook-dirs`."""
    return [os.path.dirname(__file__)]
