"""Kernels written for workgroups of lanes: Tint finds their barriers uniform, their values are right."""

from __future__ import annotations

import pytest

from jitframe.runtime.webgpu import WebGPUDriver
from tests.lower.machines import WEBGPU, Problem, run
from tests.lower.test_machines import PROGRAMS, close


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_programs_on_lanes(name: str, driver: WebGPUDriver) -> None:
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    for ours, meant in zip(run(driver, problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        close(ours, meant)
    assert driver._device.messages == []
