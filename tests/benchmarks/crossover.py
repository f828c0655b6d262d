"""`python -m tests.benchmarks.crossover`: the size from which a device is faster than the CPU, by kind of
work.

Each call is waited for. Arguments and results stay on the device; with `--moved` they come from ndarrays and
go back to them. Devices take turns in one process, and the best of the rounds counts, so that what else the
machine does hits them alike.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.backends.discovery import discover
from jitframe.runtime.discovery import registry

Clock = Callable[[], float]
ROUNDS = 5
SLICE_SECONDS = 0.003


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


POWERS = tuple((1 << power,) for power in range(8, 24, 3))
WORKS = (
    Work("elementwise chain", chain, POWERS),
    Work("reduction", reduction, POWERS),
    Work("matmul", matmul, tuple((side, side) for side in (16, 64, 128, 256, 512))),
)


def runner(work: Work, device: str, values: np.ndarray, moved: bool) -> Callable[[], Any]:
    """One call, waited for."""
    function = jf.jit(work.function, device=device)
    here = registry.device(device)
    if moved:
        return lambda: function(values)
    argument = values if here.is_host else jf.asarray(values, device=device)

    def run() -> None:
        function(argument)
        here.synchronize()

    return run


def measure(
    work: Work, shape: tuple[int, ...], devices: Sequence[str], moved: bool, clock: Clock = time.perf_counter
) -> dict[str, float]:
    """Seconds of a call on each device."""
    values = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    runs = {device: runner(work, device, values, moved) for device in devices}
    counts: dict[str, int] = {}
    for device, run in runs.items():
        for _ in range(3):
            run()
        started = clock()
        run()
        counts[device] = max(1, round(SLICE_SECONDS / max(clock() - started, 1e-7)))
    best = dict.fromkeys(devices, float("inf"))
    for _ in range(ROUNDS):
        for device, run in runs.items():
            started = clock()
            for _ in range(counts[device]):
                run()
            best[device] = min(best[device], (clock() - started) / counts[device])
    return best


def crossover(sizes: Sequence[int], seconds: Sequence[float], base: Sequence[float]) -> int | None:
    """The size from which on every measured one is faster than the base; None where there is none."""
    found = None
    for size, mine, other in zip(sizes, seconds, base, strict=True):
        found = None if mine >= other else size if found is None else found
    return found


def report(
    works: Sequence[Work], devices: Sequence[str], moved: bool, clock: Clock = time.perf_counter
) -> Iterator[str]:
    """Lines of tables in Markdown, as they are measured."""
    for work in works:
        yield f"| {work.name}, elements | {' | '.join(devices)} |"
        yield f"|---|{'---|' * len(devices)}"
        measured = []
        for shape in work.shapes:
            seconds = measure(work, shape, devices, moved, clock)
            measured.append(seconds)
            cells = " | ".join(_time(seconds[each]) for each in devices)
            yield f"| {' x '.join(f'{extent:,}' for extent in shape)} | {cells} |"
        yield ""
        sizes = [math.prod(shape) for shape in work.shapes]
        base = [seconds["cpu"] for seconds in measured]
        for device in devices[1:]:
            found = crossover(sizes, [seconds[device] for seconds in measured], base)
            said = "slower at every size" if found is None else f"faster from {found:,} elements on"
            yield f"{device}: {said}"
        yield ""


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moved", action="store_true", help="count the way to the device and back")
    parser.add_argument(
        "--processor-time", action="store_true",
        help="count the processors' time: for devices that are processors, on a machine with other work",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    clock = time.process_time if given.processor_time else time.perf_counter
    there = [each for info in discover().values() for each in info.devices() if each.api != "OpenGL"]
    devices = ["cpu", *(each.name for each in there if each.name != "cpu")]
    for each in sorted(there, key=lambda each: devices.index(each.name)):
        print(f"{each.name}: {each.title}, {each.api}, {each.units} units")
    print()
    for line in report(WORKS, devices, given.moved, clock):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
