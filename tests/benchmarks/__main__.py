"""`python -m tests.benchmarks`: measure jitframe beside its peers, print and store the table."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from . import cases, lines, networks, processes, table, threads
from .measure import measure
from .peers import MODULES
from .worker import PeerFailure, Worker

ALONE = ("jitframe", "numpy", "limit")


ARRAY_PEERS = tuple(name for name in MODULES if name != "onnxruntime")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--networks", action="store_true", help="layers of networks, not array programs")
    known = ",".join(rows_of(False) + rows_of(True))
    parser.add_argument("--rows", help=f"separated by commas; known: {known}")
    parser.add_argument("--peers", help=f"known: {','.join(MODULES)}")
    parser.add_argument("--self-only", action="store_true", help=f"only {', '.join(ALONE)}")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="store every measured value here")
    parser.add_argument("--markdown", help="replace the table between the markers of this file")
    options = parser.parse_args()
    if options.markdown:
        try:
            options.markdown = table.Page(options.markdown, "networks" if options.networks else "measured")
        except argparse.ArgumentTypeError as error:
            parser.error(str(error))
    return options


def rows_of(of_networks: bool) -> list[str]:
    if of_networks:
        return [case.name for case in networks.CASES]
    return [case.name for case in cases.CASES] + list(processes.ROWS)


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
    usual = networks.PEERS if options.networks else ARRAY_PEERS
    names = list(ALONE) if options.self_only else options.peers.split(",") if options.peers else list(usual)
    wanted = options.rows.split(",") if options.rows else rows_of(options.networks)
    if unknown := sorted({*names, *wanted} - {*MODULES, *rows_of(False), *rows_of(True)}):
        raise SystemExit(f"neither a row nor a peer: {', '.join(unknown)}")
    load = table.others()
    say(load)
    threads.limit()
    versions, absent = start(names)
    result = run(wanted, list(versions), options.rounds)
    described = {worker.name: version for worker, version in versions.items()}
    limits = networks.REMARK if options.networks else cases.REMARK
    generated = table.document(result, described, options.rounds, absent, load, limits)
    print(generated)
    if options.json:
        everything = {"machine": table.machine(), "versions": described, "lines": list(map(asdict, result))}
        options.json.write_text(json.dumps(everything, indent=1))
    if options.markdown:
        options.markdown.put(generated)


if __name__ == "__main__":
    main()
