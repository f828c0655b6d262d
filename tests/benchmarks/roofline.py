"""`python -m tests.benchmarks.roofline --device opencl`: what kernels reach of a device's copy rate.

Device time by the driver's marks, medians of rounds. On a GPU a queue of copies goes ahead, so that the host,
which issues launches meanwhile, is never waited for. Every result is compared with NumPy's first. Rates are
of what has to move, once: a copy reads and writes.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from jitframe.codegen.plan.bind import scalar_bits
from jitframe.compilation.evaluate import enumerate_scalars, prepare, run_on
from jitframe.ir.node import Graph
from jitframe.ir.record import replace
from jitframe.ir.types import F32
from jitframe.runtime.device import Device, DeviceArray
from jitframe.runtime.discovery import registry

from .roofline_cases import Case, cases, check
from .roofline_peers import Peer, start

ROOT = Path(__file__).resolve().parents[2]
SLICE_SECONDS = 0.02
MOST_RUNS = 50
SIZES = {"gpu": (256 << 20, 2048), "cpu": (16 << 20, 512), "other": (16 << 20, 512)}
"""By a device's kind: bytes of an array, rows of a matrix."""


@dataclass(frozen=True)
class Clock:
    """How work is timed, and copied ahead of it, in one library's order of work."""

    mark: Callable[[], Any]
    elapsed: Callable[[Any, Any], float]
    ahead: Callable[[], None] | None
    """One large copy; None where work is done as it is asked for."""

    def seconds(self, work: Callable[[], Any], rounds: int) -> float:
        """Device time of one run."""
        for _ in range(2):
            work()
        self.elapsed(self.mark(), self.mark())
        started = time.perf_counter()
        once = self._span(work, 1, 0)
        issued = time.perf_counter() - started
        runs = max(1, min(MOST_RUNS, round(SLICE_SECONDS / max(once, 1e-6))))
        # Issuing takes the host no longer than a run that is waited for.
        copies = 0 if self.ahead is None else max(4, round(runs * issued / self._copy_seconds()))
        return statistics.median(self._span(work, runs, min(copies, 400)) / runs for _ in range(rounds))

    def _span(self, work: Callable[[], Any], runs: int, copies: int) -> float:
        for _ in range(copies):
            assert self.ahead is not None
            self.ahead()
        first = self.mark()
        for _ in range(runs):
            work()
        return self.elapsed(first, self.mark())

    def _copy_seconds(self) -> float:
        assert self.ahead is not None
        self.ahead()
        return max(self._span(self.ahead, 4, 0) / 4, 1e-6)


Rival = tuple[Peer, Clock]


@dataclass
class Line:
    """One case: seconds by who ran it, or why there are none."""

    case: Case
    copy_seconds: float
    """Of copying as many bytes as the case moves."""
    seconds: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def rate(self, who: str) -> str:
        if who not in self.seconds:
            return self.failures.get(who, "")
        seconds = self.seconds[who]
        if self.case.operations:
            return f"{self.case.operations / seconds / 1e12:.3g} TFLOP/s"
        return f"{self.case.moved_bytes / seconds / 1e9:.4g} GB/s"

    @property
    def share_of_copy(self) -> str:
        if "jitframe" not in self.seconds or self.case.operations:
            return ""
        return f"{self.copy_seconds / self.seconds['jitframe']:.2f}"


def clock_of(device: Device, array_bytes: int) -> Clock:
    def mark() -> Any:
        with device.using() as driver:
            return driver.mark()

    def elapsed(first: Any, last: Any) -> float:
        with device.using() as driver:
            return driver.elapsed(first, last)

    is_gpu = device.facts.kind == "gpu"
    return Clock(mark, elapsed, copier(device, array_bytes) if is_gpu else None)


def copier(device: Device, nbytes: int) -> Callable[[], None]:
    """Copies so many bytes from one array to another."""
    source, target = (device.upload(np.zeros(nbytes, np.uint8)) for _ in range(2))

    def copy() -> None:
        with device.using() as driver:
            driver.copy((target.block.memory, 0), (source.block.memory, 0), nbytes)

    return copy


def runner(device: Device, case: Case, given: Sequence[DeviceArray]) -> Callable[[], DeviceArray]:
    """Runs the case's plan."""
    graph = Graph()
    nodes = [graph.parameter(number, shape, F32) for number, shape in enumerate(case.shapes)]
    output = case.build(graph, *nodes)
    ready = prepare([output], [()] * len(nodes), device=device)
    bits = [0] * len(graph.scalar_values)
    for index, dtype in enumerate_scalars([output]):
        bits[index] = scalar_bits(graph.scalar_values[index], dtype)

    def run() -> DeviceArray:
        (block,) = run_on(device, ready, given, bits)
        return DeviceArray(block, output.shape, np.dtype(np.float32))

    return run


def without_library(device: Device) -> Device:
    """The same device, whose products are kernels."""
    return Device(device.name, replace(device.facts, library_products=False), lambda: device.driver)


def clock_of_peer(peer: Peer, array_bytes: int) -> Clock:
    source, target = (peer.upload(np.zeros(array_bytes // 4, np.float32)) for _ in range(2))
    return Clock(peer.mark, peer.elapsed, partial(peer.copy, target, source))


def measure(device: Device, case: Case, clock: Clock, rivals: Sequence[Rival], rounds: int) -> Line:
    """The case by jitframe and by every peer that has it; wrong values are a failure and have no time."""
    arrays = case.arrays()
    line = Line(case, clock.seconds(copier(device, max(case.moved_bytes // 2, 4)), rounds))
    try:
        own = without_library(device) if case.generated else device
        given = [own.upload(array) for array in arrays]
        run = runner(own, case, given)
        check(case, run().download(), arrays)
        line.seconds["jitframe"] = clock.seconds(run, rounds)
    except Exception as problem:  # the other cases are measured all the same
        traceback.print_exc()
        line.failures["jitframe"] = f"{type(problem).__name__}: {problem}".strip().splitlines()[0]
    for peer, other in rivals:
        program = peer.programs.get(case.name)
        if program is None:
            continue
        try:
            there = [peer.upload(array) for array in arrays]
            check(case, peer.download(program(*there)), arrays)
            line.seconds[peer.title] = other.seconds(partial(program, *there), rounds)
        except Exception as problem:
            line.failures[peer.title] = f"{type(problem).__name__}: {problem}".splitlines()[0][:60]
    return line


def judged(lines: Sequence[Line]) -> list[str]:
    """Each case with a target: whether it is reached."""
    products = {line.case.generated: line for line in lines if line.case.operations}
    said = []
    for line in lines:
        if not line.case.reach or "jitframe" not in line.seconds:
            continue
        reference = line.copy_seconds
        if line.case.operations:
            reference = products[False].seconds.get("jitframe", 0.0)
        share = reference / line.seconds["jitframe"]
        what = "the library's rate" if line.case.operations else "the copy rate"
        verdict = "reached" if share >= line.case.reach else "not reached"
        said.append(f"- {line.case.title}: {share:.2f} of {what}, to reach {line.case.reach}: {verdict}")
    return said


def table(lines: Sequence[Line], peers: Sequence[Peer]) -> list[str]:
    who = ["jitframe", *(peer.title for peer in peers)]
    rows = [
        "| case | microseconds | of copy | " + " | ".join(who) + " |",
        "|---" * (3 + len(who)) + "|",
    ]
    for line in lines:
        own = line.seconds.get("jitframe")
        rates = " | ".join(line.rate(each) for each in who)
        microseconds = "" if own is None else f"{own * 1e6:.1f}"
        rows.append(f"| {line.case.title} | {microseconds} | {line.share_of_copy} | {rates} |")
    return rows


def commit() -> str:
    """The commit that is measured, and whether files differ from it."""
    try:
        git = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=True)
        name = git(["git", "rev-parse", "--short", "HEAD"]).stdout.strip()
        return name + (" with changes" if git(["git", "status", "--porcelain", "-uno"]).stdout else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def page(device: Device, lines: Sequence[Line], peers: Sequence[Peer], copied: str, name: str) -> str:
    facts = device.facts
    return "\n".join(
        [
            f"# {device.name}: {facts.title}",
            "",
            f"{facts.api}; {facts.version}; commit {name}. Written by `tests/benchmarks/roofline.py`.",
            "",
            f"Copy within the device, bytes read and written: {copied}. Rates are of what has to move once;",
            '"of copy" is beside a copy that moves as many bytes.',
            "",
            *table(lines, peers),
            "",
            *(judged(lines) if facts.kind == "gpu" else []),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.roofline", description=__doc__)
    parser.add_argument("--device", default="opencl")
    parser.add_argument("--peers", default="", help="by default cupy, torch, torch.compile on cuda")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--array-bytes", type=int, help="default: 256 MiB on a GPU, else 16 MiB")
    parser.add_argument("--matrix", type=int, help="rows of a matrix; default: 2048 on a GPU, else 512")
    parser.add_argument("--only", default="", help="cases whose title has this in it")
    parser.add_argument("--commit", default="")
    parser.add_argument("--markdown", type=Path, help="default: docs/measurements/DEVICE.md; - for none")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    device = registry.device(given.device)
    array_bytes, matrix = SIZES[device.facts.kind]
    array_bytes = min(given.array_bytes or array_bytes, device.facts.largest_buffer)
    chosen = given.peers or ("cupy,torch,torch.compile" if device.name.startswith("cuda") else "")
    peers, absent = start([name for name in chosen.split(",") if name])
    rivals = [(peer, clock_of_peer(peer, array_bytes)) for peer in peers]
    clock = clock_of(device, array_bytes)
    seconds = clock.seconds(copier(device, array_bytes), given.rounds)
    copied = f"{2 * array_bytes / seconds / 1e9:.4g} GB/s ({array_bytes >> 20} MiB)"
    print(
        f"{device.name}: {device.facts.title}; copy {copied}", *absent, sep="\n", file=sys.stderr, flush=True
    )
    target = given.markdown or ROOT / "docs" / "measurements" / f"{device.name.replace(':', '-')}.md"
    name = given.commit or commit()
    lines: list[Line] = []
    for case in cases(array_bytes, given.matrix or matrix):
        if given.only not in case.title or (case.generated and not device.facts.library_products):
            continue
        lines.append(measure(device, case, clock, rivals, given.rounds))
        print(table(lines[-1:], peers)[-1], file=sys.stderr, flush=True)
        if str(target) != "-":  # after each case: whatever stops the run, what was measured is there
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(page(device, lines, peers, copied, name), encoding="utf-8")
    print(page(device, lines, peers, copied, name))
    sys.exit(any("jitframe" in line.failures for line in lines))


if __name__ == "__main__":
    main()
