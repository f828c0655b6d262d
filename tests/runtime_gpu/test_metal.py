"""The Metal driver on Linux, against a stand-in for PyObjC: its logic, not Apple's hardware or compiler.

The stand-in holds the driver to the rules of the calls that it makes, and the shim runs the MSL that it gets.
"""

from __future__ import annotations

import gc
import platform
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jitframe.cache.service import kernel_cache
from jitframe.codegen.c_family.metal import METAL, METAL_3_2
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import BackendError
from jitframe.ir.types import F32
from jitframe.runtime.drivers import metal, metal_programs
from jitframe.runtime.drivers.metal import MetalDriver
from jitframe.runtime.drivers.source_programs import Parameters
from tests.backends.limit_laws import LAWS as LIMIT_LAWS
from tests.backends.memory_laws import LAWS, backend_of
from tests.backends.memory_laws import Law as MemoryLaw
from tests.backends.queue_laws import LAWS as QUEUE_LAWS
from tests.c_family.test_workgroups import sum_of
from tests.plan.bound import At, gemm
from tests.plan.plans import AXPY
from tests.shim.harness import missing

from .driver_contract import C_CONTRACT, Law, Subject, as_bytes, float_bits, get, put, random_floats, slots
from .fake_metal import Fake, FakeDevice, Problem, install

needs_compiler = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    metal._frameworks.cache_clear()
    yield install(monkeypatch, [FakeDevice()])
    metal._frameworks.cache_clear()


@pytest.fixture
def driver(fake: Fake) -> MetalDriver:
    return metal.open(0)


@needs_compiler
@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, driver: MetalDriver) -> None:
    law(Subject(driver, METAL))


@pytest.mark.parametrize("law", [*LAWS, *LIMIT_LAWS], ids=lambda law: law.__name__)
def test_memory(law: MemoryLaw, driver: MetalDriver) -> None:
    law(backend_of(driver, "metal"))


@pytest.mark.parametrize("law", QUEUE_LAWS, ids=lambda law: law.__name__)
def test_queues(law: MemoryLaw, driver: MetalDriver) -> None:
    law(backend_of(driver, "metal"))


# Devices ---------------------------------------------------------------------------------------------
def test_without_pyobjc_there_is_no_metal() -> None:
    metal._frameworks.cache_clear()
    with pytest.raises(BackendError) as caught:
        metal.enumerate()
    assert caught.value.message.startswith(
        f"Metal needs macOS and PyObjC (pip install 'jitframe[metal]'): this is {platform.system()}; looked "
        "for the packages Metal, Foundation, objc of PyObjC 10.0 or later: none is here (No module named "
    )


def test_the_architecture_is_told(fake: Fake) -> None:
    """By name from macOS 14 on, before by the newest family."""
    (device,) = fake.devices
    device.families = {1001, 1007, 1008}
    assert metal.enumerate()[0].architecture == "apple8"
    device.families = {2002}
    assert metal.enumerate()[0].architecture == ""
    device.architecture = lambda: SimpleNamespace(name=lambda: "applegpu_g13g")  # type: ignore[attr-defined]
    assert metal.enumerate()[0].architecture == "applegpu_g13g"


def test_facts(fake: Fake) -> None:
    (facts,) = metal.enumerate()
    assert (facts.title, facts.kind, facts.unified, facts.subgroup) == ("Fake M1", "gpu", True, 32)
    assert (facts.memory_bytes, facts.largest_buffer, facts.shared_bytes) == (1 << 30, 1 << 28, 32768)
    assert facts.api.startswith("Metal, MSL 3.2") and facts.library_products
    assert "f64" not in facts.dtypes and {"f16", "i64", "u8", "bool"} <= facts.dtypes
    assert 0 < metal.free_bytes(0) <= facts.memory_bytes


def test_simd_groups_are_those_of_apples_gpus(fake: Fake) -> None:
    (device,) = fake.devices
    (facts,) = metal.enumerate()
    assert facts.subgroup_lanes == metal._dialect(device).subgroup_lanes == 32
    device.families.clear()
    (facts,) = metal.enumerate()
    assert facts.subgroup_lanes == facts.subgroup == 0 and metal._dialect(device) is METAL_3_2


@needs_compiler
def test_sums_by_simd_groups_and_none_of_another_width(fake: Fake, driver: MetalDriver) -> None:
    kernel, x = sum_of(F32), random_floats(1000)
    assert "simd_shuffle_down(" in driver.source(kernel)
    here, there = put(driver, x), put(driver, np.zeros(1, np.float32))
    driver.launch(driver.compile(kernel), [(here, 0), (there, 0)], slots(len(x)), 1)
    due = [x, np.zeros(1, np.float32)]
    interpret(kernel, due, [len(x)], (), range(1))
    np.testing.assert_array_equal(get(driver, (there, 0), due[1]), due[1])

    fake.devices[0].width = 16
    other = metal.open(0)
    other.compile(parse_kernel(AXPY))  # nothing in it depends on the width
    with pytest.raises(BackendError) as caught:
        other.compile(kernel)
    assert caught.value.message == (
        "Fake M1 runs jf_total in SIMD-groups of 16 threads, and it is written for 32; choose another device"
    )


def test_gpus_of_much_power_come_first(fake: Fake) -> None:
    fake.devices[:] = [
        FakeDevice("Iris", True, 1),
        FakeDevice("Radeon", False, 9),
        FakeDevice("M1", False, 3),
    ]
    assert [facts.title for facts in metal.enumerate()] == ["M1", "Radeon", "Iris"]
    with pytest.raises(BackendError, match="metal:3 is not there: this machine has 3 such devices"):
        metal.open(3)


def test_a_mac_without_a_gpu(fake: Fake) -> None:
    fake.devices.clear()
    with pytest.raises(BackendError, match="this Mac has no GPU that Metal reaches; choose another device"):
        metal.enumerate()


def test_products_need_their_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    metal._frameworks.cache_clear()
    install(monkeypatch, [FakeDevice()], products=False)
    (facts,) = metal.enumerate()
    metal._frameworks.cache_clear()
    assert not facts.library_products


def test_what_new_returns_is_owned(fake: Fake, driver: MetalDriver) -> None:
    """Else PyObjC keeps every buffer for ever; registering that replaces what it knew of out parameters."""
    selectors = {name for name in fake.owned if name.startswith(b"new")}
    assert b"newBufferWithLength:options:" in selectors
    for selector in selectors:
        metadata = fake.owned[selector]
        assert metadata["retval"] == {"already_retained": True}
        colons = selector.split(b":")[:-1]
        outs = {number for number, word in enumerate(colons, 2) if word in (b"error", b"reflection")}
        assert {number for number, each in metadata["arguments"].items()} == outs


# Order -----------------------------------------------------------------------------------------------
def doubling(driver: MetalDriver, size: int) -> tuple[Any, Any, Any, bytes]:
    """A kernel that doubles, its memories and values."""
    x = random_floats(size)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    return driver.compile(parse_kernel(AXPY)), here, there, slots(size, 100, float_bits(2), 0)


@needs_compiler
def test_launches_are_handed_over_together(fake: Fake, driver: MetalDriver) -> None:
    handle, here, there, values = doubling(driver, 1000)
    (device,) = fake.devices
    for _ in range(150):
        driver.launch(handle, [(here, 0), (there, 0)], values, 10)
    assert device.executed == 0, "nothing is waited for"
    driver.synchronize()
    assert device.executed == 3, "64, 64 and 22 launches"
    driver.launch(handle, [(here, 0), (there, 0)], values, 0)
    driver.synchronize()
    assert device.executed == 3


@needs_compiler
def test_more_than_the_queue_holds(fake: Fake, driver: MetalDriver) -> None:
    handle, here, there, values = doubling(driver, 100)
    for _ in range(100):
        driver.launch(handle, [(here, 0), (there, 0)], values, 1)
        driver.mark()
    np.testing.assert_array_equal(get(driver, (there, 0), random_floats(100)), random_floats(100) * 2)
    assert fake.devices[0].executed == 100


@needs_compiler
def test_time_is_the_gpus_own(fake: Fake, driver: MetalDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the GPU worked, without the gaps between command buffers."""
    handle, here, there, values = doubling(driver, 100)
    clock = iter(range(0, 1000, 3))
    monkeypatch.setattr("tests.runtime_gpu.fake_metal.time.perf_counter", lambda: float(next(clock)))
    marks = [driver.mark()]
    for _ in range(3):
        driver.launch(handle, [(here, 0), (there, 0)], values, 1)
        marks.append(driver.mark())
    assert [driver.elapsed(marks[0], mark) for mark in marks] == [0.0, 3.0, 6.0, 9.0]
    assert driver.elapsed(marks[1], marks[2]) == 3.0


@needs_compiler
def test_indices_beyond_32_bits(driver: MetalDriver) -> None:
    """They make a second form of the kernel; the narrow one stays."""
    handle, here, there, _ = doubling(driver, 100)
    assert set(handle.forms) == {32}
    values = slots(100, 1 << 40, float_bits(2), 0)
    driver.launch(handle, [(here, 0), (there, 0)], values, 1)
    assert set(handle.forms) == {32, 64}
    np.testing.assert_array_equal(get(driver, (there, 0), random_floats(100)), random_floats(100) * 2)


# The cache -------------------------------------------------------------------------------------------
@needs_compiler
def test_archives_spare_the_compiler(fake: Fake) -> None:
    kernel = parse_kernel(AXPY.replace("axpy", "axpy_archived"))
    (device,) = fake.devices
    metal.open(0).compile(kernel)
    assert (device.compiled, device.from_archives) == (1, 0)
    metal.open(0).compile(kernel)
    assert (device.compiled, device.from_archives) == (1, 1)


@needs_compiler
@pytest.mark.parametrize("kept", [b"", b"of another system"])
def test_kernels_without_a_good_archive(fake: Fake, kept: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = parse_kernel(AXPY.replace("axpy", f"axpy_{len(kept)}"))
    (device,) = fake.devices
    device.archives = bool(kept)
    monkeypatch.setattr(kernel_cache(), "lookup_or_compile", lambda *_, **__: kept)
    metal.open(0).compile(kernel)
    assert (device.compiled, device.from_archives) == (1, 0)


@needs_compiler
def test_a_system_without_archives(fake: Fake) -> None:
    kernel = parse_kernel(AXPY.replace("axpy", "axpy_alone"))
    (device,) = fake.devices
    device.archives = False
    for _ in range(2):
        metal.open(0).compile(kernel)
    assert (device.compiled, device.from_archives) == (2, 0)


# Memory ----------------------------------------------------------------------------------------------
def test_the_pool_is_emptied_before_memory_is_short(fake: Fake, driver: MetalDriver) -> None:
    (device,) = fake.devices
    driver.free(driver.allocate(192 << 20))
    held = [driver.allocate(256 << 20) for _ in range(3)]
    assert driver.statistics().pooled == 192 << 20
    held.append(driver.allocate(256 << 20))
    assert driver.statistics().pooled == 0
    with pytest.raises(BackendError, match="Fake M1 has no memory for 1,048,576 bytes: 1,073,741,824 bytes"):
        driver.allocate(1 << 20)
    driver.free(held.pop())
    driver.free(driver.allocate(1 << 20))
    for each in held:
        driver.free(each)
    driver.trim()
    gc.collect()
    assert device.allocated == 0, "although somebody still holds the blocks"


@needs_compiler
def test_freed_memory_under_way_is_waited_for(fake: Fake, driver: MetalDriver) -> None:
    """A command buffer holds its buffers; Metal gives their memory back when it is done."""
    (device,) = fake.devices
    handle, here, there, values = doubling(driver, 100)
    large = driver.allocate(160 << 20)
    driver.launch(handle, [(here, 0), (large, 0)], values, 1)
    driver.free(large)
    del large
    held = [driver.allocate(256 << 20) for _ in range(3)]
    assert device.executed == 0
    held.append(driver.allocate(192 << 20))
    assert device.executed == 1
    driver.free(there)


# Faults ----------------------------------------------------------------------------------------------
@needs_compiler
@pytest.mark.parametrize(
    ("code", "remedy"), [(11, "start the process anew"), (8, "delete some arrays, work on parts")]
)
def test_a_lost_device(fake: Fake, driver: MetalDriver, code: int, remedy: str) -> None:
    handle, here, there, values = doubling(driver, 100)
    driver.launch(handle, [(here, 0), (there, 0)], values, 1)
    fake.devices[0].fault = Problem(code, "the device was removed")
    with pytest.raises(BackendError) as caught:
        driver.synchronize()
    assert caught.value.message == (
        "Fake M1 failed: the device was removed; what was computed there since it was last waited for may be "
        f"lost; {remedy}, or choose another device"
    )
    driver.launch(handle, [(here, 0), (there, 0)], values, 1)
    np.testing.assert_array_equal(get(driver, (there, 0), random_floats(100)), random_floats(100) * 2)


# Products --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("flips", [(False, False), (True, False), (False, True), (True, True)])
def test_products(driver: MetalDriver, dtype: Any, flips: tuple[bool, bool]) -> None:
    """By the library, on views and with rows longer than they need be."""
    random = np.random.default_rng(0)
    for m, n, k in ((5, 3, 4), (1, 7, 1), (2, 2, 0), (0, 3, 2)):
        shapes = ((k, m) if flips[0] else (m, k)), ((n, k) if flips[1] else (k, n)), (m, n)
        memories, views = [], []
        for rows, columns in shapes:
            padded = random.integers(-4, 5, (rows + 1, columns + 2)).astype(dtype)
            memories.append(padded)
            views.append((put(driver, padded), padded.itemsize))
        places = [At(number) for number in range(3)]
        name = "f32" if dtype is np.float32 else "f16"
        leading = [columns + 2 for _, columns in shapes]
        step = gemm(
            name, *flips, m, n, k, places[0], leading[0], places[1], leading[1], places[2], leading[2]
        )
        driver.call(step, views[:2], views[2:])
        x, y, due = memories
        left, right = x[: shapes[0][0], 1:-1], y[: shapes[1][0], 1:-1]
        due[:m, 1:-1] = (left.T if flips[0] else left) @ (right.T if flips[1] else right)
        np.testing.assert_array_equal(get(driver, (views[2][0], 0), due), due)


def test_bytes_are_copied_once_the_gpu_is_through(fake: Fake, driver: MetalDriver) -> None:
    data = random_floats(1000)
    here, there = put(driver, data), put(driver, np.zeros_like(data))
    driver.copy((there, 0), (here, 0), data.nbytes)
    assert fake.devices[0].executed == 0
    driver.upload((here, 0), as_bytes(np.zeros_like(data)))
    assert fake.devices[0].executed == 1
    np.testing.assert_array_equal(get(driver, (there, 0), data), data)


def test_programs_of_others(driver: MetalDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments at their places, in the order of the parameters."""
    asked: list[Any] = []

    class Recorded:
        def __getattr__(self, name: str) -> Any:
            return lambda *given: asked.append((name, *given))

    text = "kernel void turn(device float *x [[buffer(0)]], constant int &n [[buffer(1)]]) {}"
    made = metal_programs.WrittenFunction("turn", "made")
    monkeypatch.setattr(driver, "_compile_source", lambda text, entry: made)
    handle = driver.compile_source(text, "turn", Parameters((True, False), (True,)))
    memory = driver.allocate(64)
    monkeypatch.setattr(driver, "_open", lambda kind: Recorded())
    driver.launch_source(handle, [(memory, 16), b"abcd"], (3, 2, 1), (8, 1, 1), 20)
    size = driver._metal.MTLSizeMake
    assert asked == [
        ("setComputePipelineState_", "made"),
        ("setBuffer_offset_atIndex_", memory.buffer, 16, 0),
        ("setBytes_length_atIndex_", b"abcd", 4, 1),
        ("setThreadgroupMemoryLength_atIndex_", 32, 0),
        ("dispatchThreadgroups_threadsPerThreadgroup_", size(3, 2, 1), size(8, 1, 1)),
    ]
    with pytest.raises(BackendError, match="takes MSL and no binaries"):
        driver.compile_source(b"air", "turn", Parameters((), ()))
