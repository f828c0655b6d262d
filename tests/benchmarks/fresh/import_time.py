"""Seconds that importing a module takes once NumPy is there: `python -m … MODULE`."""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module

import numpy  # noqa: F401  what is measured comes on top of it


def main(module: str) -> None:
    start = time.perf_counter()
    import_module(module)
    print(json.dumps({"seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
