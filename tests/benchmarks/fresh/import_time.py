"""Seconds that importing a module takes once NumPy is there: `python -m … MODULE [--decorate]`."""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module

import numpy  # noqa: F401  what is measured comes on top of it


def main(module: str, *options: str) -> None:
    """With --decorate, and jitting a first function, which loads what its calls need."""
    start = time.perf_counter()
    imported = import_module(module)
    if "--decorate" in options:
        imported.jit(lambda x: x + 1)
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
