"""The interleaving runner: in every round each peer runs the same case once, so noise hits all alike."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .case import Case
from .worker import PeerFailure, Worker

CLOSE = 0.1
"""A target that is missed or reached by less is a close call."""
CLOSE_ROUNDS = 4
"""How many times as many rounds those take part in whom a close call compares."""


@dataclass
class Outcome:
    """One peer on one case: seconds per round, and the error against float64 (None: not verified)."""

    error: float | None
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass
class Row:
    """One case: what every peer took, and why those that failed did."""

    case: Case
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def measure(case: Case, workers: Sequence[Worker], rounds: int, report: Callable[[str], None]) -> Row:
    """Warm, verify and time `case` on every peer that spells it."""
    row = Row(case)
    with tempfile.TemporaryDirectory() as folder:
        reference = Path(folder) / "reference.npy"
        np.save(reference, np.asarray(case.expected(case.arguments())))
        ready = [worker for worker in workers if _make_ready(worker, row, reference, report)]
    _run_rounds(row, ready, rounds)
    compared = _compared_closely(row)
    _run_rounds(row, [worker for worker in ready if worker.name in compared], rounds * (CLOSE_ROUNDS - 1))
    return row


def _run_rounds(row: Row, workers: Sequence[Worker], rounds: int) -> None:
    for number in range(rounds):
        first = number % max(1, len(workers))
        for worker in [*workers[first:], *workers[:first]]:
            row.outcomes[worker.name].seconds.append(worker.ask("time"))


def _compared_closely(row: Row) -> set[str]:
    """jitframe and the peers beside whom it nearly reaches or nearly misses a target, if it does."""
    medians = {name: outcome.median for name, outcome in row.outcomes.items() if outcome.seconds}
    found: set[str] = set()
    for reach in row.case.reaches:
        allowed = reach.allowed_seconds(medians)
        if allowed is not None and "jitframe" in medians and abs(medians["jitframe"] / allowed - 1) < CLOSE:
            found |= {"jitframe", *reach.peers}
    return found


def _make_ready(worker: Worker, row: Row, reference: Path, report: Callable[[str], None]) -> bool:
    try:
        spelled, error = worker.ask("make_ready", row.case.name, reference)
    except PeerFailure as failure:
        row.failures[worker.name] = str(failure)
        report(f"{row.case.name}: {worker.name} left out: {failure}")
        return False
    if spelled:
        row.outcomes[worker.name] = Outcome(error)
    return spelled
