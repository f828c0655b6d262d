"""Scans whose blocks follow one another in one kernel: whichever blocks are known, no bit differs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.lower.machine import PROCESSOR
from jitframe.codegen.lower.scans import chained_scans
from jitframe.codegen.lower.writing import context
from jitframe.ir import ops
from jitframe.ir.passes import groups
from tests.llvm.llvm_harness import LEVELS, Compiled
from tests.threads import at_once

from .machines import COMPILED, SMALL, Interpreter, Problem, lower, run

TILE = 48


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "LONG_ROW", 2)
    monkeypatch.setattr(context, "TILE", TILE)


class Recorder(Interpreter):
    """Notes launches, and runs none."""

    def __init__(self) -> None:
        super().__init__()
        self.recorded: list[tuple[Kernel, bytes, int]] = []

    def launch(self, handle: Kernel, buffers: Any, values: bytes, groups: int) -> None:
        self.recorded.append((handle, values, groups))


class Scanned:
    """The kernel of a cumulative sum of two rows, and what it is called with."""

    def __init__(self, columns: int = 5 * TILE + 7) -> None:
        self.array = np.random.default_rng(columns).standard_normal((2, columns)).astype("f4")
        problem = Problem()
        node = problem.graph.make(ops.scan, problem.parameter(self.array), attributes=("sum", 1))
        recorder = Recorder()
        run(recorder, problem, [node], PROCESSOR)
        ((self.kernel, values, self.blocks),) = recorder.recorded
        self.indices = np.frombuffer(values, np.int64).tolist()
        self.before = problem, node

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The kernel's buffers, in its order: ends of blocks, notes after their counter, what is scanned."""
        return {
            "ends": np.full(self.blocks, np.nan, "f4"),
            "noted": np.zeros(self.blocks + 1, np.uint32),
            "given": self.array.reshape(-1),
            "found": np.full(self.array.size, np.nan, "f4"),
        }

    def finished(self) -> dict[str, np.ndarray[Any, Any]]:
        """What all blocks in a row come to."""
        arrays = self.arrays()
        interpret(self.kernel, list(arrays.values()), self.indices, [], range(self.blocks))
        return arrays


def _kernel(scanned: Scanned, how: str) -> Any:
    if how != "interpreter":
        return Compiled(scanned.kernel, how)

    def call(arrays: list[np.ndarray[Any, Any]], indices: list[int]) -> None:
        interpret(scanned.kernel, arrays, indices, [], range(1))

    return call


def test_three_kernels_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = Scanned()
    problem, node = scanned.before
    monkeypatch.setattr(chained_scans, "lower_chained_scan", lambda *_: False)
    (expected,) = run(Interpreter(), problem, [node], PROCESSOR)
    assert scanned.finished()["found"].tobytes() == expected.tobytes()


@pytest.mark.parametrize("how", ["interpreter", LEVELS[-1]])
def test_blocks_that_nobody_found_are_found_again(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the blocks before, a workgroup may know as many as it likes: those of others take their time."""
    monkeypatch.setattr(chained_scans, "LOOKS", 3)
    scanned = Scanned()
    call, expected = _kernel(scanned, how), scanned.finished()
    row = scanned.blocks // 2
    for block in range(scanned.blocks):
        for known in range(block // row * row, block + 1):
            arrays = scanned.arrays()
            arrays["noted"][0] = block
            arrays["noted"][1 : known + 1] = 1
            arrays["ends"][:known] = expected["ends"][:known]
            call(list(arrays.values()), scanned.indices)
            assert arrays["ends"][block] == expected["ends"][block]
            noted = [int(at < known or at == block) for at in range(scanned.blocks)]
            assert arrays["noted"].tolist() == [block + 1, *noted]
            found = arrays["found"].reshape(2, -1)
            here = block // row, slice(block % row * TILE, (block % row + 1) * TILE)
            assert found[here].tobytes() == expected["found"].reshape(2, -1)[here].tobytes()
            found[here] = np.nan
            assert np.isnan(found).all()


def test_threads_give_the_same_bits() -> None:
    scanned = Scanned(2000 * TILE + 1)
    expected = np.cumsum(scanned.array.astype("f8"), axis=1)
    compiled = Compiled(scanned.kernel, LEVELS[-1])
    results = []
    for count in (1, 2, 3, 7):
        arrays = scanned.arrays()
        ends = np.linspace(0, scanned.blocks, count + 1).astype(int).tolist()
        parts = list(pairwise(ends))

        def work(number: int, arrays: dict[str, Any] = arrays, parts: list[Any] = parts) -> None:
            compiled(list(arrays.values()), scanned.indices, groups=parts[number])

        at_once(work, count)
        assert arrays["noted"].tolist() == [scanned.blocks, *[1] * scanned.blocks]
        results.append(arrays["found"])
    np.testing.assert_allclose(results[0].reshape(2, -1), expected, atol=1e-2)
    assert {found.tobytes() for found in results} == {results[0].tobytes()}


def test_what_is_overwritten_is_not_read_again() -> None:
    """In place, a block that another thread has finished no longer holds what it came to."""
    problem = Problem()
    x = problem.parameter(np.ones((2, 5 * TILE), "f4"))
    node = problem.graph.make(ops.scan, x, attributes=("sum", 1))
    plan, _, _ = lower([node], problem.strides(), PROCESSOR, [x])
    assert len(plan.kernels) == 3
    (found,) = run(Interpreter(), problem, [node], PROCESSOR, [x])
    np.testing.assert_array_equal(found, np.cumsum(np.ones((2, 5 * TILE), "f4"), axis=1))


def test_rows_that_a_device_scans_are_three_kernels() -> None:
    """No device promises that another workgroup goes on, nor scan loops."""
    for machine in (COMPILED, SMALL):
        problem = Problem()
        x = problem.parameter(np.ones((2, 5 * TILE), "f4"))
        kernels: tuple[Kernel, ...] = lower(
            [problem.graph.make(ops.scan, x, attributes=("sum", 1))], problem.strides(), machine
        )[0].kernels
        assert len(kernels) == 3
