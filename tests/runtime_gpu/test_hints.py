"""What drivers are told of how a device likes its work is followed, and changes no result."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.cache.service import kernel_cache
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import ArgumentError, BackendError
from jitframe.ir.record import replace
from jitframe.runtime.device import Device
from jitframe.runtime.discovery import registry
from jitframe.runtime.driver import PerformanceHints
from jitframe.runtime.drivers import opencl, webgpu
from jitframe.runtime.drivers.base import BaseDriver
from jitframe.runtime.fit import machine_of
from tests.plan.plans import AXPY
from tests.runtime_gpu.subject import float_bits, get, put, random_floats, slots
from tests.sets import second_set


def opened(backend: Any) -> BaseDriver:
    try:
        return backend.open(0)  # type: ignore[no-any-return]
    except BackendError as absent:
        pytest.skip(absent.message)


def follow(driver: BaseDriver, **changes: Any) -> None:
    driver.use(replace(driver.facts.hints, **changes))


def axpy(name: str) -> Kernel:
    return parse_kernel(AXPY.replace("axpy", name))


def scaled(driver: BaseDriver, kernel: Kernel) -> Any:
    """The kernel's form, after a launch that must be right."""
    x = random_floats(5000)
    views = [(put(driver, x), 0), (driver.allocate(x.nbytes), 0)]
    handle = driver.compile(kernel)
    driver.launch(handle, views, slots(x.size, 1000, float_bits(2), 0), 5)
    np.testing.assert_array_equal(get(driver, views[1], x), x * 2)
    for memory, _ in views:
        driver.free(memory)
    (form,) = handle.forms.values()
    return form


@pytest.mark.parametrize("lanes", [1, 8, 96])
@pytest.mark.parametrize("backend", [*second_set(opencl), webgpu])
def test_the_preferred_workgroup_is_launched(backend: Any, lanes: int) -> None:
    driver = opened(backend)
    follow(driver, preferred_workgroup=lanes)
    assert scaled(driver, axpy("axpy_lanes")).source.threads == lanes


def test_kernels_that_were_compiled_are_compiled_again() -> None:
    driver, kernel = opened(webgpu), axpy("axpy_again")
    assert [scaled(driver, kernel).source.threads] == [min(driver.facts.hints.preferred_workgroup, 256)]
    follow(driver, preferred_workgroup=16)
    assert scaled(driver, kernel).source.threads == 16


@pytest.mark.parametrize("change", [{"prefer_vectorized": False}, {"vector_width": 4}])
def test_lanes_move_single_elements_where_they_gain_nothing(change: dict[str, Any]) -> None:
    driver, kernel = opened(opencl), axpy("axpy_vectors")
    follow(driver, preferred_workgroup=64)
    assert "float4" in scaled(driver, kernel).source.text
    follow(driver, **change)
    assert "float4" not in scaled(driver, kernel).source.text
    assert kernel_cache().disk is not None
    follow(driver, prefer_vectorized=True, vector_width=16)
    assert "float4" in scaled(driver, kernel).source.text


def test_kernels_stay_off_the_disk() -> None:
    driver = opened(opencl)

    def asked() -> int:
        counted = kernel_cache().statistics.snapshot()
        return sum(counted[name] for name in ("compiled", "memory_hits", "disk_hits"))

    follow(driver, cache_kernels=False)
    before = asked()
    scaled(driver, axpy(f"axpy_{time.monotonic_ns()}"))
    assert asked() == before
    follow(driver, cache_kernels=True)
    scaled(driver, axpy(f"axpy_{time.monotonic_ns()}"))
    assert asked() == before + 1


def test_launches_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    driver, waits = opened(opencl), []
    wait = driver._synchronize
    monkeypatch.setattr(driver, "_synchronize", lambda: waits.append(wait()))
    scaled(driver, axpy("axpy_waits"))
    assert not waits
    follow(driver, prefer_async=False)
    scaled(driver, axpy("axpy_waits"))
    assert len(waits) == 1


@pytest.mark.parametrize(("most", "submissions"), [(1, 12), (4, 3), (64, 1)])
def test_launches_are_submitted_together(most: int, submissions: int) -> None:
    driver: Any = opened(webgpu)
    follow(driver, batch_size=most)
    x, counted = random_floats(100), []
    views = [(put(driver, x), 0), (driver.allocate(x.nbytes), 0)]
    handle = driver.compile(axpy("axpy_batch"))
    driver.synchronize()
    submit = driver._device.queue.submit
    driver._waiting._device = _Counting(driver._device, lambda commands: counted.append(submit(commands)))
    for _ in range(12):
        driver.launch(handle, views, slots(100, 100, float_bits(2), 0), 1)
    driver._waiting.submit()
    assert len(counted) == submissions


class _Counting:
    """A device whose queue tells of submissions."""

    def __init__(self, device: Any, submit: Any) -> None:
        self._device = device
        self.queue = type(
            "Queue", (), {"submit": staticmethod(submit), "write_buffer": device.queue.write_buffer}
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)


def test_devices_follow_hints_and_keep_them_when_they_are_opened_again() -> None:
    known = _device("opencl")
    device = Device("opencl", known.facts, lambda: opencl.open(0))
    hints = replace(device.hints, preferred_workgroup=16)
    device.follow(hints)
    assert device.hints == device.driver.facts.hints == hints != known.hints
    device._driver = None
    assert device.driver.facts.hints == hints
    x = jf.asarray(np.arange(6, dtype=np.float32), device=device)
    assert (x + 1).tolist() == [1, 2, 3, 4, 5, 6]


def _device(name: str) -> Device:
    try:
        return registry.device(name)
    except BackendError as absent:
        pytest.skip(absent.message)


def test_shared_memory_is_for_as_many_lanes_as_preferred() -> None:
    """At least a team's; software devices read products in place."""
    facts = replace(jf.backends.get("cpu").device.facts, execution="simt", most_threads=256, kind="cpu")
    for lanes, due in ((256, 256), (64, 64), (1, 32), (1024, 256)):
        machine = machine_of("any", replace(facts, hints=PerformanceHints(preferred_workgroup=lanes)))
        assert machine.lanes == due and not machine.fast_shared
    assert machine_of("any", replace(facts, kind="gpu")).fast_shared


def test_hints_that_cannot_be() -> None:
    for name, value in (("preferred_workgroup", 0), ("batch_size", -1), ("vector_width", 2.5)):
        with pytest.raises(ArgumentError, match=f"{name}={value}: a hint is a whole number from 1 on"):
            replace(PerformanceHints(), **{name: value}).check()
    with pytest.raises(ArgumentError, match="alignment=48: an alignment is a power of two"):
        PerformanceHints(alignment=48).check()
    with pytest.raises(BackendError, match="cpu follows the hint alignment alone"):
        registry.device("cpu").follow(PerformanceHints())
