"""One line of the final table, whatever was measured: seconds, arrays, kernels or compiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from .case import Case
from .measure import Row
from .worker import PeerFailure, Worker

Unit = Literal["seconds", "arrays", "kernels", "compiles"]


@dataclass(frozen=True)
class Line:
    name: str
    title: str
    values: dict[str, float]
    """Peer -> measured value; less is better."""
    allowed: dict[str, float]
    """What is to be reached, in words -> the most that jitframe's value may be."""
    unit: Unit = "seconds"
    errors: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    """Peer -> seconds in each round, where `values` holds medians of rounds."""

    def share(self, text: str) -> float | None:
        """jitframe's value over the allowed one, 1 or less where the target is reached; None unmeasured."""
        if "jitframe" not in self.values:
            return None
        own, allowed = self.values["jitframe"], self.allowed[text]
        if allowed == 0:
            return 0.0 if own == 0 else math.inf
        return own / allowed


def from_row(row: Row) -> Line:
    medians = {name: outcome.median for name, outcome in row.outcomes.items()}
    errors = {name: outcome.error for name, outcome in row.outcomes.items() if outcome.error is not None}
    limits = {reach.text: reach.allowed_seconds(medians) for reach in row.case.reaches}
    allowed = {text: limit for text, limit in limits.items() if limit is not None}
    return Line(
        row.case.name,
        row.case.title,
        medians,
        allowed,
        errors=errors,
        failures=row.failures,
        samples={name: outcome.seconds for name, outcome in row.outcomes.items()},
    )


def kernels_of(case: Case, workers: Sequence[Worker]) -> list[Line]:
    """How many kernels the case became, where that is a target and a peer can tell."""
    if case.kernels is None:
        return []
    counts: dict[str, float] = {}
    failures: dict[str, str] = {}
    for worker in workers:
        try:
            count = worker.ask("count_kernels", case.name)
        except PeerFailure as failure:
            failures[worker.name] = str(failure)
            continue
        if count is not None:
            counts[worker.name] = count
    allowed = {"one kernel" if case.kernels == 1 else f"{case.kernels} kernels": float(case.kernels)}
    title = f"kernels: {case.title}"
    return [Line(f"{case.name}-kernels", title, counts, allowed, "kernels", failures=failures)]
