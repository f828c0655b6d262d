"""The roofline's programs mean what NumPy computes, and its page says what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph
from jitframe.ir.types import F32
from tests.benchmarks.roofline import Clock, Line, judged, table
from tests.benchmarks.roofline_cases import Case, cases, check

SMALL = cases(1 << 16, 24)


def interpreted(case: Case, arrays: list[np.ndarray]) -> np.ndarray:
    graph = Graph()
    nodes = [graph.parameter(number, shape, F32) for number, shape in enumerate(case.shapes)]
    given = dict(zip(nodes, arrays, strict=True))
    output = case.build(graph, *nodes)
    for node in graph._interned.values():
        if node.op.name == "scalar":
            given[node] = np.asarray(graph.scalar_values[node.attribute("index")], np.float32)
    return evaluate([output], given)[0]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.title)
def test_a_program_means_what_numpy_computes(case: Case) -> None:
    arrays = case.arrays()
    right = interpreted(case, arrays)
    check(case, right, arrays)
    with pytest.raises(AssertionError):
        check(case, right + np.float32(1 + np.abs(right).max() + arrays[0].size * 0.01), arrays)


def test_the_bytes_of_a_case() -> None:
    moved = {case.title: case.moved_bytes for case in SMALL}
    assert moved["five operations 16384"] == 3 * 65536
    assert moved["softmax 16x1024"] == moved["transpose 128x128"] == 2 * 65536
    assert moved["sum of columns 128x128"] == 65536
    assert [case.operations for case in SMALL if case.name == "product"] == [2 * 24**3]


def test_times_become_rates_and_verdicts() -> None:
    copied, own = SMALL[0], next(case for case in SMALL if case.generated)
    library = next(case for case in SMALL if case.name == "product")
    lines = [
        Line(copied, 1e-6, {"jitframe": 1e-6, "peer": 2e-6}),
        Line(library, 1e-6, {"jitframe": 1e-6}),
        Line(own, 1e-6, {"jitframe": 4e-6}),
        Line(SMALL[1], 1e-6, failures={"jitframe": "it was refused"}),
    ]
    first, second, _, last = table(lines, [])[2:]
    assert first == "| five operations 16384 | 1.0 | 1.00 | 196.6 GB/s |"
    assert second == "| product 24x24 | 1.0 |  | 0.0276 TFLOP/s |"
    assert last == "| softmax 16x1024 |  |  | it was refused |"
    assert judged(lines) == [
        "- five operations 16384: 1.00 of the copy rate, to reach 0.9: reached",
        "- product, generated 24x24: 0.25 of the library's rate, to reach 0.5: not reached",
    ]


def test_a_clock_times_many_runs_and_queues_copies_ahead() -> None:
    """A device on which a run takes a millisecond, and a copy two."""
    log: list[str] = []
    now = [0.0]

    def spend(name: str, seconds: float) -> None:
        log.append(name)
        now[0] += seconds

    clock = Clock(lambda: now[0], lambda first, last: last - first, lambda: spend("copy", 2e-3))
    assert clock.seconds(lambda: spend("run", 1e-3), rounds=3) == pytest.approx(1e-3)
    assert log[-24:] == ["copy"] * 4 + ["run"] * 20
