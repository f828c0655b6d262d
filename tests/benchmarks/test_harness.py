"""The harness itself: what it allows, what it rejects, what it writes."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.benchmarks import __main__ as measuring
from tests.benchmarks import formulas, layouts, table
from tests.benchmarks.case import Case, Reach
from tests.benchmarks.cases import CASES, select
from tests.benchmarks.lines import Line, from_row
from tests.benchmarks.measure import measure
from tests.benchmarks.peers import load
from tests.benchmarks.peers.spelled import formulas_of
from tests.benchmarks.timing import Mismatch, fetched, rest, verify
from tests.benchmarks.worker import PeerFailure, Worker


def test_a_reach_allows_its_share_of_the_fastest_peer() -> None:
    reach = Reach("3x the best", ("slow", "fast", "absent"), 1 / 3)
    assert reach.allowed_seconds({"slow": 9.0, "fast": 6.0}) == 2.0
    assert reach.allowed_seconds({"other": 1.0}) is None


def test_case_names_are_unique_and_selected_in_order() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert [case.name for case in select("chain16,triad16m")] == ["triad16m", "chain16"]


def test_a_wrong_result_is_rejected() -> None:
    (case,) = select("increment16")
    reference = np.linspace(1, 2, 16)
    close = (reference * (1 + 1e-7)).astype(np.float32)
    assert verify(case, close, reference) < 1e-6
    with pytest.raises(Mismatch, match=r"by up to 0\.01"):
        verify(case, close + np.float32(0.01), reference)
    with pytest.raises(Mismatch, match=r"shape \(15,\)"):
        verify(case, close[:15], reference)
    with pytest.raises(Mismatch):
        verify(case, np.full(16, np.nan, np.float32), reference)


def test_a_turn_ends_when_threads_rest() -> None:
    ended: list[float] = []

    def spin() -> None:
        end = time.perf_counter() + 0.1
        while time.perf_counter() < end:
            pass
        ended.append(end)

    threading.Thread(target=spin).start()
    rest()
    assert ended


def test_a_result_of_two_parts_is_verified_as_one() -> None:
    (case,) = select("meanvar")
    numpy = load("numpy")
    values = np.linspace(-1, 3, 1000)
    reference = np.asarray(case.function(values))
    result = fetched(numpy, numpy.spellings[case.formula](values.astype(np.float32)))
    assert result.shape == (2,)
    assert verify(case, result, reference) < 1e-6
    with pytest.raises(Mismatch):
        verify(case, result[::-1], reference)


V = np.random.default_rng(0).random((4, 12)) + 0.5
SPELLED = {
    "triad": V[:3], "increment": V[:1], "transpose_add": (V, V.T.copy()), "chain": V, "argmax": V[:1],
    "black_scholes": (*V[:3], 0.01, 0.2), "squared_differences": V[:2], "outer": V[:2],
    "accelerations": (V.reshape(16, 3), V.reshape(48)[:16], 0.1),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLED)
def test_what_several_peers_spell_alike_is_the_formula(name: str) -> None:
    if name == "black_scholes" and formulas.erf is None:
        pytest.skip("SciPy's erf is not installed")
    found = formulas_of(np, formulas.erf)[name](*SPELLED[name])
    np.testing.assert_allclose(found, getattr(formulas, name)(*SPELLED[name]), rtol=1e-12)


def test_every_formula_of_the_peers_is_compared() -> None:
    assert set(formulas_of(np, formulas.erf)) == set(SPELLED)


def test_every_formula_is_what_the_plain_peers_run() -> None:
    missing = {case.formula for case in CASES} - set(load("numpy").spellings)
    assert missing <= {"black_scholes"}, "only SciPy's erf may be lacking"


def test_numpy_is_measured_in_its_own_process() -> None:
    (case,) = select("increment16")
    worker = Worker.start("numpy")
    try:
        row = measure(case, [worker], 3, print)
    finally:
        worker.stop()
    outcome = row.outcomes["numpy"]
    assert len(outcome.seconds) == 3
    assert 0 < outcome.median < 1e-3
    assert outcome.error is not None
    assert outcome.error < 1e-6
    assert from_row(row).allowed == {"below 600 ns": 600e-9}


@dataclass
class Metronome:
    """A peer that always takes as long."""

    name: str
    seconds: float

    def ask(self, method: str, *arguments: Any) -> Any:
        return (True, 0.0) if method == "make_ready" else self.seconds


@pytest.mark.parametrize(("own", "rounds"), [(0.95, 8), (1.05, 8), (0.8, 2), (1.2, 2)])
def test_a_close_call_takes_more_rounds_of_whom_it_compares(own: float, rounds: int) -> None:
    case = Case("x", "x", np.add, lambda: (1.0, 2.0), (Reach("not behind drjit", ("drjit",)),))
    peers = [Metronome("jitframe", own), Metronome("drjit", 1.0), Metronome("numpy", 1.0)]
    row = measure(case, peers, 2, print)  # type: ignore[arg-type]
    taken = {name: len(outcome.seconds) for name, outcome in row.outcomes.items()}
    assert taken == {"jitframe": rounds, "drjit": rounds, "numpy": 2}


def test_a_request_that_fails_leaves_the_worker_alive() -> None:
    worker = Worker.start("numpy")
    try:
        with pytest.raises(PeerFailure, match="FileNotFoundError"):
            worker.ask("make_ready", "increment16", Path("no such reference.npy"))
        assert worker.ask("version") == np.__version__
    finally:
        worker.stop()


def test_the_table_names_what_was_missed(tmp_path: Path) -> None:
    lines = [
        Line("a", "first", {"jitframe": 1.2e-3, "numpy": 8e-3}, {"8x NumPy": 1e-3}),
        Line("b", "second", {"jitframe": 0}, {"none": 0}, "compiles"),
        Line("c", "third", {}, {"2.3 arrays": 2.3}, "arrays", failures={"jitframe": "it broke"}),
    ]
    page = tmp_path / "performance.md"
    page.write_text("before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n")
    generated = table.document(lines, {"numpy": "2.4"}, 5, {"drjit": "no libLLVM"}, "idle", "")
    table.Page(str(page)).put(generated)
    written = page.read_text()
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "old" not in written
    assert "| first | 8x NumPy | 1 ms | 1.2 ms | missed: 1.20 of the allowed |" in written
    assert "| second | none | 0 | 0 | reached |" in written
    assert "| third | 2.3 arrays | 2.3 |  | not measured |" in written
    assert "- third: jitframe left out: it broke" in written
    assert "- drjit not measured: no libLLVM" in written


@pytest.mark.parametrize("main", [measuring.main, layouts.main])
def test_a_page_without_markers_is_refused_before_anything_is_measured(
    main: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr(sys, "argv", ["measure", "--markdown", str(page)])
    for refused in ("No such file", "has no <!-- "):
        with pytest.raises(SystemExit):
            main()
        assert refused in capsys.readouterr().err
        page.write_text("nothing to replace")
