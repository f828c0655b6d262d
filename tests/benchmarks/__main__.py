"""`python -m tests.benchmarks`: measure jitframe beside its peers, print and store the table."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from . import cases, lines, processes, table, threads
from .measure import measure
from .peers import MODULES
from .worker import PeerFailure, Worker

ALONE = ("jitframe", "numpy", "limit")


def arguments() -> argparse.Namespace:
    every_row = ",".join([case.name for case in cases.CASES] + list(processes.ROWS))
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rows", default=every_row, help=f"separated by commas; default: {every_row}")
    parser.add_argument("--peers", default=",".join(MODULES), help=f"default: {','.join(MODULES)}")
    parser.add_argument("--self-only", action="store_true", help=f"only {', '.join(ALONE)}")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="store every measured value here")
    parser.add_argument(
        "--markdown", type=table.Page, help="replace the table between the markers of this file"
    )
    return parser.parse_args()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def summary(line: lines.Line) -> str:
    fastest_first = sorted(line.values, key=line.values.__getitem__)
    quantities = [f"{name} {table.quantity(line.values[name], line.unit)}" for name in fastest_first]
    return f"{line.name}: {', '.join(quantities) or 'nothing measured'}"


def start(names: list[str]) -> tuple[dict[Worker, str], dict[str, str]]:
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
    for name, measure_lines in processes.ROWS.items():
        if name in wanted:
            add(measure_lines([worker.name for worker in workers]))
    return result


def main() -> None:
    options = arguments()
    names = list(ALONE) if options.self_only else options.peers.split(",")
    wanted = options.rows.split(",")
    known = {*MODULES, *processes.ROWS, *(case.name for case in cases.CASES)}
    if unknown := sorted({*names, *wanted} - known):
        raise SystemExit(f"neither a row nor a peer: {', '.join(unknown)}")
    load = table.others()
    say(load)
    threads.limit()
    versions, absent = start(names)
    result = run(wanted, list(versions), options.rounds)
    described = {worker.name: version for worker, version in versions.items()}
    generated = table.document(result, described, options.rounds, absent, load)
    print(generated)
    if options.json:
        everything = {"machine": table.machine(), "versions": described, "lines": list(map(asdict, result))}
        options.json.write_text(json.dumps(everything, indent=1))
    if options.markdown:
        options.markdown.put(generated)


if __name__ == "__main__":
    main()
