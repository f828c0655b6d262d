"""`python -m tests.benchmarks.crossover`: the size from which a device is faster than the CPU, by kind of
work.

Each call is waited for. Arguments and results stay on the device; with `--moved` they come from ndarrays and
go back to them. Devices take turns in one process, and the best of the rounds counts, so that what else the
machine does hits them alike.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.backends.discovery import discover
from jitframe.runtime import registry

ROUNDS = 7
SLICE_SECONDS = 0.004


@dataclass(frozen=True)
class Work:
    """A function of one array, at several sizes."""

    name: str
    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]


def chain(x: Any) -> Any:
    return np.exp(-x * x) * np.sin(x) + np.sqrt(np.abs(x) + 1)


def reduction(x: Any) -> Any:
    return (x * x).sum()


def matmul(x: Any) -> Any:
    return x @ x


POWERS = tuple((1 << power,) for power in range(8, 25, 2))
WORKS = (
    Work("elementwise chain", chain, POWERS),
    Work("reduction", reduction, POWERS),
    Work("matmul", matmul, tuple((side, side) for side in (16, 32, 64, 128, 256, 512, 1024))),
)


def runner(work: Work, device: str, values: np.ndarray, moved: bool) -> Callable[[], Any]:
    """One call, waited for."""
    function = jf.jit(work.function, device=device)
    here = registry.device(device)
    if moved:
        return lambda: function(values)
    argument = jf.asarray(values, device=device)

    def run() -> None:
        function(argument)
        here.synchronize()

    return run


def measure(work: Work, shape: tuple[int, ...], devices: Sequence[str], moved: bool) -> dict[str, float]:
    """Seconds of a call on each device."""
    values = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    runs = {device: runner(work, device, values, moved) for device in devices}
    counts: dict[str, int] = {}
    for device, run in runs.items():
        for _ in range(3):
            run()
        started = time.perf_counter()
        run()
        counts[device] = max(1, round(SLICE_SECONDS / max(time.perf_counter() - started, 1e-7)))
    best = dict.fromkeys(devices, float("inf"))
    for _ in range(ROUNDS):
        for device, run in runs.items():
            started = time.perf_counter()
            for _ in range(counts[device]):
                run()
            best[device] = min(best[device], (time.perf_counter() - started) / counts[device])
    return best


def crossover(sizes: Sequence[int], seconds: Sequence[float], base: Sequence[float]) -> int | None:
    """The size from which on every measured one is faster than the base; None where there is none."""
    found = None
    for size, mine, other in zip(sizes, seconds, base, strict=True):
        found = None if mine >= other else size if found is None else found
    return found


def report(works: Sequence[Work], devices: Sequence[str], moved: bool) -> str:
    """Tables in Markdown."""
    lines: list[str] = []
    for work in works:
        measured = [measure(work, shape, devices, moved) for shape in work.shapes]
        sizes = [int(np.prod(shape)) for shape in work.shapes]
        lines += [
            f"| {work.name}, elements | {' | '.join(devices)} |",
            f"|---|{'---|' * len(devices)}",
            *(
                f"| {' x '.join(map(str, shape))} | {' | '.join(_time(row[each]) for each in devices)} |"
                for shape, row in zip(work.shapes, measured, strict=True)
            ),
        ]
        base = [row["cpu"] for row in measured]
        for device in devices[1:]:
            found = crossover(sizes, [row[device] for row in measured], base)
            said = "slower at every size" if found is None else f"faster from {found:,} elements on"
            lines.append(f"\n{device}: {said}")
        lines.append("")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moved", action="store_true", help="count the way to the device and back")
    given = parser.parse_args(arguments)
    there = [each for info in discover().values() for each in info.devices() if each.api != "OpenGL"]
    devices = ["cpu", *(each.name for each in there if each.name != "cpu")]
    for each in sorted(there, key=lambda each: devices.index(each.name)):
        print(f"{each.name}: {each.title}, {each.api}, {each.units} units")
    print(f"\n{report(WORKS, devices, given.moved)}")


if __name__ == "__main__":
    main(sys.argv[1:])
