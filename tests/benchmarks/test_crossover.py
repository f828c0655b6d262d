"""The tool that finds from which size a device pays."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.crossover import WORKS, Work, crossover, measure, report


def test_a_crossover_is_where_all_larger_ones_are_faster() -> None:
    assert crossover([1, 2, 3, 4], [9, 9, 1, 1], [5, 5, 5, 5]) == 3
    assert crossover([1, 2, 3, 4], [9, 1, 9, 1], [5, 5, 5, 5]) == 4
    assert crossover([1, 2], [1, 1], [5, 5]) == 1
    assert crossover([1, 2], [1, 5], [5, 5]) is None


def test_every_work_is_measured() -> None:
    for work in WORKS:
        small = Work(work.name, work.function, work.shapes[:1])
        for moved in (False, True):
            (seconds,) = measure(small, small.shapes[0], ["cpu"], moved).values()
            assert seconds > 0
        lines = list(report([small], ["cpu"], False))
        assert lines[:2] == [f"| {work.name}, elements | cpu |", "|---|---|"]
        assert len(lines) == 5
        x = np.full(work.shapes[0], 0.5)
        assert np.isfinite(work.function(x)).all()
