"""Kernels written for workgroups of lanes: Tint finds their barriers uniform, their values are right."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.c_family import WGSL
from jitframe.codegen.c_family.wgsl_subgroups import ENABLED, with_subgroups
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.lower.scatter import counting_sort
from jitframe.ir.record import replace
from jitframe.ir.types import F32, I32
from jitframe.runtime.drivers.webgpu import WebGPUDriver
from tests.c_family.test_subgroups import reduces, shuffles
from tests.lower.machines import WEBGPU, Problem, run
from tests.lower.test_machines import PROGRAMS, close
from tests.lower.test_scatter import BINNED, CASES, COMPILED, scatter
from tests.runtime_gpu.subject import get, put, slots


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_programs_on_lanes(name: str, driver: WebGPUDriver) -> None:
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    for ours, meant in zip(run(driver, problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        close(ours, meant)
    assert driver._device.messages == []


@pytest.mark.parametrize(("lanes", "size"), [(4, 64), (32, 128)])
def test_subgroups(lanes: int, size: int, driver: WebGPUDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tint finds them uniform. Teams as wide as SwiftShader's subgroups shuffle, wider ones cannot."""
    with_subgroups_on(driver, lanes, monkeypatch)
    for dtype in (F32, I32):
        for kernel, indices in ((shuffles(dtype, size), (1,)), (reduces(dtype, "max", size), ())):
            found, meant = np.arange(size).astype(dtype.numpy_name), np.zeros(size, dtype.numpy_name)
            given = [put(driver, each) for each in (found, meant)]
            driver.launch(driver.compile(kernel), [(each, 0) for each in given], slots(*indices), 1)
            interpret(kernel, [found, meant], indices, (), range(1), lanes)
            np.testing.assert_array_equal(get(driver, (given[1], 0), meant), meant)
    assert driver._device.messages == []


@pytest.mark.parametrize("name", ["softmax of long rows", "layer norm", "extremes of rows"])
def test_programs_with_subgroups(name: str, driver: WebGPUDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    plain = run(driver, problem, outputs, WEBGPU)
    with_subgroups_on(driver, 32, monkeypatch)
    for ours, meant in zip(
        run(
            driver, problem, outputs, replace(WEBGPU, shuffles=True, shared_bytes=WEBGPU.shared_bytes - 1024)
        ),
        plain,
        strict=True,
    ):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))
    assert driver._device.messages == []


def with_subgroups_on(driver: WebGPUDriver, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if "subgroups" not in driver._device.features:
        pytest.skip("this browser's adapter has no subgroups")
    monkeypatch.setattr(driver, "dialect", replace(with_subgroups(WGSL, lanes), header=ENABLED))


@pytest.mark.parametrize("name", COMPILED)
def test_writes_at_positions(name: str, driver: WebGPUDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """By atomics, by lanes that own places, and sorted by place: to the last bit."""
    monkeypatch.setattr(counting_sort, "LEAST_ELEMENTS", BINNED)
    problem = Problem()
    outputs = scatter(problem, **CASES[name])
    for ours, meant in zip(run(driver, problem, outputs, WEBGPU), problem.meant(outputs), strict=True):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))
    assert driver._device.messages == []
