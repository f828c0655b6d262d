"""The WebGPU driver, all of it, in a real browser; and Tint reads every kernel that is under review."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitframe.codegen.c_family import WGSL, generate
from jitframe.runtime.drivers.webgpu import WebGPUDriver
from tests.c_family.kernels import KERNELS
from tests.runtime_gpu.driver_contract import C_CONTRACT
from tests.runtime_gpu.subject import Law, Subject
from tests.runtime_gpu.webgpu_laws import LAWS

SNAPSHOTS = Path(__file__).parents[1] / "c_family" / "snapshots"
DIVISION_ULP = 3


@pytest.mark.parametrize("law", C_CONTRACT + LAWS, ids=lambda law: law.__name__)
def test_contract(law: Law, driver: WebGPUDriver) -> None:
    law(Subject(driver, driver.dialect, DIVISION_ULP))


def test_tint_accepts_every_snapshot(driver: WebGPUDriver) -> None:
    texts = {path.name: path.read_text() for path in SNAPSHOTS.glob("*.wgsl")}
    assert len(texts) >= 4
    for text in texts.values():
        accept(driver, text)


@pytest.mark.parametrize("threads", [1, 32, 256])
def test_tint_accepts_kernels_of_one_lane_run_by_many(driver: WebGPUDriver, threads: int) -> None:
    for make in KERNELS.values():
        kernel = make()
        if kernel.workgroup == 1:
            accept(driver, generate(kernel, WGSL, threads=threads).text)


def accept(driver: WebGPUDriver, text: str) -> None:
    """No error, and no warning either."""
    driver._device.create_shader_module(code=text)
    assert driver._device.messages == []


def test_tint_refuses_a_barrier_that_lanes_may_miss(driver: WebGPUDriver) -> None:
    """Its analysis is at work: naga, which compiles for other devices, lets this pass."""
    text = """\
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  if (lane < 3u) { workgroupBarrier(); }
}
"""
    with pytest.raises(
        driver._wgpu.GPUValidationError, match="must only be called from uniform control flow"
    ):
        accept(driver, text)
