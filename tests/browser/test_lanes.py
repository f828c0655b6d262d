"""Kernels written for workgroups of lanes: Tint finds their barriers uniform, their values are right."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.lower import bins
from jitframe.runtime.webgpu import WebGPUDriver
from tests.lower.machines import WEBGPU, Problem, run
from tests.lower.test_machines import PROGRAMS, close
from tests.lower.test_scatter import BINNED, CASES, COMPILED, scatter


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_programs_on_lanes(name: str, driver: WebGPUDriver) -> None:
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    for ours, meant in zip(run(driver, problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        close(ours, meant)
    assert driver._device.messages == []


@pytest.mark.parametrize("name", COMPILED)
def test_writes_at_positions(name: str, driver: WebGPUDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """By atomics, by lanes that own places, and sorted by place: to the last bit."""
    monkeypatch.setattr(bins, "LEAST_ELEMENTS", BINNED)
    problem = Problem()
    outputs = scatter(problem, **CASES[name])
    for ours, meant in zip(run(driver, problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))
    assert driver._device.messages == []
