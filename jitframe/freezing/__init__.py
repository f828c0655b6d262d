"""What makers of frozen applications ask for: PyInstaller finds the function by its entry point."""

from __future__ import annotations

import os


def hook_folders() -> list[str]:
    """The folder of `hook-jitframe.py`, for PyInstaller's entry point `hook-dirs`."""
    return [os.path.dirname(__file__)]
