"""Peak memory of the chain at 64 M above its inputs, in arrays: `python -m … PEER` (Linux)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from tests.benchmarks.case import Case
from tests.benchmarks.formulas import chain
from tests.benchmarks.peers import load, prepare

SIZE = 64 << 20
ARRAY_KILOBYTES = SIZE * 4 // 1024
CALLS = 3
"""Each call's result is held until the next has returned."""


def memory_kilobytes(field: str) -> int:
    """A field of this process's status: VmRSS is what it holds, VmHWM the most it ever held."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise OSError(f"/proc/self/status has no {field}")


def vectors(size: int) -> tuple[np.ndarray, ...]:
    return tuple(np.full(size, 0.5 + number, np.float32) for number in range(4))


def main(peer_name: str) -> None:
    peer = load(peer_name)
    small = prepare(peer, Case("", "", chain, tuple, ()), vectors(4096))
    small.call(*small.arguments)  # compilers hold memory too; only the arrays are to count
    large = prepare(peer, Case("", "", chain, tuple, ()), vectors(SIZE))
    Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM to VmRSS
    before = memory_kilobytes("VmRSS")
    for _ in range(CALLS):
        result = large.call(*large.arguments)
    print(json.dumps({"arrays": (memory_kilobytes("VmHWM") - before) / ARRAY_KILOBYTES, "size": len(result)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
