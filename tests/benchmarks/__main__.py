"""`python -m tests.benchmarks`: measure jitframe beside its peers, print and store the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import cases, lines, loops, networks, processes, table, threads
from .measure import measure
from .peers import MODULES
from .worker import PeerFailure, Worker

ALONE = ("jitframe", "numpy", "limit")
"""Peers of `--self-only`."""


@dataclass(frozen=True)
class Suite:
    """Rows that are measured in one run and written between two markers of a page."""

    marker: str
    rows: tuple[str, ...]
    peers: tuple[str, ...]
    dtype: str
    remark: str


ARRAYS = Suite(
    "measured",
    (*(case.name for case in cases.CASES), *processes.ROWS),
    tuple(name for name in MODULES if name not in ("onnxruntime", "numba-parallel")),
    "float32",
    cases.REMARK,
)
NETWORKS = Suite(
    "networks", tuple(case.name for case in networks.CASES), networks.PEERS, "float32", networks.REMARK
)
LOOPS = Suite(
    "loops",
    (*(case.name for case in loops.CASES), *processes.LOOP_ROWS),
    loops.PEERS,
    "float64 where nothing else is said",
    loops.REMARK,
)
KNOWN_ROWS = (*ARRAYS.rows, *NETWORKS.rows, *LOOPS.rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    suites = parser.add_mutually_exclusive_group()
    for name, suite, text in (("networks", NETWORKS, "layers of networks"), ("loops", LOOPS, "loops")):
        suites.add_argument(
            f"--{name}", dest="suite", action="store_const", const=suite, help=f"{text}, not array programs"
        )
    parser.set_defaults(suite=ARRAYS)
    parser.add_argument("--rows", help=f"separated by commas; known: {','.join(KNOWN_ROWS)}")
    parser.add_argument("--peers", help=f"known: {','.join(MODULES)}")
    parser.add_argument("--self-only", action="store_true", help=f"only {', '.join(ALONE)}")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="store every measured value here")
    parser.add_argument("--markdown", help="replace the table between the markers of this file")
    options = parser.parse_args()
    if options.markdown:
        try:
            options.markdown = table.Page(options.markdown, options.suite.marker)
        except argparse.ArgumentTypeError as error:
            parser.error(str(error))
    return options


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def summary(line: lines.Line) -> str:
    fastest_first = sorted(line.values, key=line.values.__getitem__)
    quantities = [f"{name} {table.quantity(line.values[name], line.unit)}" for name in fastest_first]
    return f"{line.name}: {', '.join(quantities) or 'nothing measured'}"


def start(names: Sequence[str]) -> tuple[dict[Worker, str], dict[str, str]]:
    """The peers' processes with the versions they run, and for each peer that does not load, why."""
    versions, absent = {}, {}
    for worker in [Worker.start(name) for name in names]:
        try:
            versions[worker] = worker.ask("version")
        except PeerFailure as failure:
            absent[worker.name] = str(failure)
            say(f"{worker.name} not measured: {failure}")
            worker.stop()
    return versions, absent


def run(wanted: list[str], workers: list[Worker], rounds: int) -> list[lines.Line]:
    result: list[lines.Line] = []

    def add(new: list[lines.Line]) -> None:
        for line in new:
            say(summary(line))
            result.append(line)

    for case in cases.select(",".join(wanted)):
        add([lines.from_row(measure(case, workers, rounds, say)), *lines.kernels_of(case, workers)])
    for worker in workers:
        worker.stop()
    for name, measure_lines in (processes.ROWS | processes.LOOP_ROWS).items():
        if name in wanted:
            add(measure_lines([worker.name for worker in workers]))
    return result


def main() -> None:
    options = arguments()
    suite = options.suite
    names = list(ALONE) if options.self_only else options.peers.split(",") if options.peers else suite.peers
    wanted = options.rows.split(",") if options.rows else list(suite.rows)
    if unknown := sorted({*names, *wanted} - {*MODULES, *KNOWN_ROWS}):
        raise SystemExit(f"neither a row nor a peer: {', '.join(unknown)}")
    load = table.others()
    say(load)
    threads.limit()
    versions, absent = start(names)
    result = run(wanted, list(versions), options.rounds)
    described = {worker.name: version for worker, version in versions.items()}
    made_of = f"{suite.dtype}, medians of {options.rounds} interleaved rounds"
    generated = table.document(result, described, made_of, absent, load, suite.remark)
    print(generated)
    if options.json:
        everything = {"machine": table.machine(), "versions": described, "lines": list(map(asdict, result))}
        options.json.write_text(json.dumps(everything, indent=1))
    if options.markdown:
        options.markdown.put(generated)


if __name__ == "__main__":
    main()
