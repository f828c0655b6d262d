"""The WebGPU driver on a real adapter (lavapipe without a GPU), within its own limits and the default."""

from __future__ import annotations

import sys
from _thread import get_ident
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import BackendError, DeviceLostError
from jitframe.ir.record import replace
from jitframe.runtime.drivers import webgpu, webgpu_adapters, webgpu_facts
from jitframe.runtime.drivers.sole_thread import SoleThread
from jitframe.runtime.fit import machine_of
from jitframe.settings import configure, restore
from tests.c_family.kernels import scaled_sum
from tests.lower.machines import Problem, run
from tests.lower.test_machines import PROGRAMS
from tests.plan.plans import AXPY

from .driver_contract import C_CONTRACT, time_passes_between_marks
from .subject import Law, Subject, as_bytes, float_bits, get, put, random_floats, slots
from .webgpu_laws import LAWS
from .written_programs import check_written_program

DIVISION_ULP = 3
"""WGSL allows 2.5 ulp for division; square roots are made of it."""


def opened() -> webgpu.WebGPUDriver:
    try:
        return webgpu.open(0)
    except BackendError as problem:
        pytest.skip(problem.message)


@pytest.fixture(scope="module", params=["adapter", "default"])
def subject(request: pytest.FixtureRequest) -> Subject:
    before = configure(webgpu_limits=request.param)
    try:
        driver = opened()
    finally:
        restore(before)
    return Subject(driver, driver.dialect, DIVISION_ULP)


@pytest.mark.parametrize("law", C_CONTRACT + LAWS, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)


CHASING = """kernel chasing, workgroup 1
  buffers @0: inout i32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  %3: i32 = constant 31
  for serial %4 from %1 to %0 step %2:
    %5: i32 = cast %4
    %6: i32 = load @0[%1]
    %7: i32 = and %6, %3
    %8: i32 = shift_right %5, %7
    store @0[%1] = %8
"""
"""Each turn needs the one before, so no compiler takes the loop out."""


def test_a_loop_that_the_device_ends_is_told(subject: Subject) -> None:
    """llvmpipe ends them; any other adapter makes all turns."""
    driver = subject.driver
    handle = driver.compile(parse_kernel(CHASING))

    def launched(turns: int) -> Any:
        memory = put(driver, np.zeros(1, np.int32))
        driver.launch(handle, [(memory, 0)], slots(turns), 1)
        return memory

    def value(turns: int) -> int:
        return int(get(driver, (launched(turns), 0), np.zeros(1, np.int32))[0])

    def meant(turns: int) -> int:
        found = 0
        for turn in range(turns):
            found = turn >> (found & 31)
        return found

    assert value(60_000) == meant(60_000)
    if driver.facts.title.startswith("llvmpipe"):
        for read in (lambda: value(100_000), lambda: (launched(100_000), driver.synchronize())):
            with pytest.raises(
                BackendError, match="ended a loop: the loops of a lane may make 65,535 iterations"
            ):
                read()
    else:
        assert value(100_000) == meant(100_000)
    assert value(60_000) == meant(60_000), "launches after it are fresh ones"


def test_long_inner_axes_stay_below_that() -> None:
    opened()
    x, y = (random_floats(8 * 70_000).reshape(70_000, 8) for _ in "xy")
    got = jf.jit(lambda x, y: x.T @ y + np.float32(1), device="webgpu")(x, y)
    due = x.T.astype(np.float64) @ y.astype(np.float64) + 1
    np.testing.assert_allclose(got, due, rtol=0, atol=1e-5 * np.abs(due).max())


def test_writes_at_positions_stay_below_that() -> None:
    """Lanes write so many elements in a launch, in NumPy's order; assignments are by lanes of their own."""
    opened()
    x, places = random_floats(70_000), np.random.default_rng(3).integers(0, 5, 70_000).astype(np.int32)

    def added(x: Any, places: Any) -> Any:
        made = np.zeros(5, np.float32)
        np.add.at(made, places, x)
        return made

    for function in (added, lambda x, places: x[places > 1], lambda x, places: np.nonzero(x > 0)[0]):
        due = function(x, places)
        np.testing.assert_array_equal(jf.jit(function, device="webgpu")(x, places), due)


# Vectors ---------------------------------------------------------------------------------------------
def test_blocks_of_others_that_end_within_a_vector(subject: Subject) -> None:
    """They are bound by way of memory of its own; views of the pool's memory as they are."""
    driver, size = subject.driver, 9
    kernel = scaled_sum()
    assert driver.source(kernel).count("array<vec4<f32>>") == 3
    handle, values = driver.compile(kernel), slots(size, float_bits(2.5))
    arrays = random_floats(size), random_floats(size) + 1, np.zeros(size, np.float32)
    due = np.float32(2.5) * arrays[0] + arrays[1]
    theirs = [driver.adopt(driver._fresh(x.nbytes), x.nbytes) for x in arrays]
    pooled = driver.allocate(512 + arrays[0].nbytes)
    places = [(theirs[0], 0), (theirs[1], 0), (theirs[2], 0)], [(theirs[0], 0), (theirs[1], 0), (pooled, 512)]
    for views in places:
        for view, array in zip(views, arrays, strict=True):
            driver.upload(view, as_bytes(array))
        driver.launch(handle, views, values, 1)
        np.testing.assert_array_equal(get(driver, views[2], due), due)


def test_odd_sizes_views_and_several_dtypes() -> None:
    opened()

    def outputs(x: Any, y: Any) -> Any:
        scaled = np.float32(2.5) * x + y
        return scaled, x > y, scaled.astype(np.float16), x[1:] + y[:-1], y.astype(np.int32)

    def changed(x: Any, y: Any) -> None:
        x[1:] = x[1:] * y[:-1]
        x += y
        y[:3] = x[:3]

    compiled, changing = jf.jit(outputs, device="webgpu"), jf.jit(changed, device="webgpu")
    for size in range(2, 18):
        x, y = random_floats(size), random_floats(size)[::-1] * 3
        for got, due in zip(compiled(x, y), outputs(x, y), strict=True):
            np.testing.assert_array_equal(got, due)
        here, meant = (x.copy(), y.copy()), (x.copy(), y.copy())
        changing(*here)
        changed(*meant)
        for got, due in zip(here, meant, strict=True):
            np.testing.assert_array_equal(got, due)


# Adapters --------------------------------------------------------------------------------------------
def adapter(number: int, kind: str, api: str) -> Any:
    info = {"device": f"device {number}", "adapter_type": kind, "backend_type": api}
    return SimpleNamespace(info=info | {"description": "", "vendor": ""})


def test_adapters_are_in_order_and_twins_last(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [("CPU", "OpenGL"), ("CPU", "Vulkan"), ("Unknown", "DX12"), ("DiscreteGPU", "OpenGLES")]
    kinds += [("IntegratedGPU", "Vulkan"), ("DiscreteGPU", "Vulkan"), ("DiscreteGPU", "DX12")]
    found = [adapter(number, *kind) for number, kind in enumerate(kinds)]
    wgpu = SimpleNamespace(gpu=SimpleNamespace(enumerate_adapters_sync=lambda: found))
    monkeypatch.setattr(webgpu_adapters, "wgpu", lambda: wgpu)
    order = [each.info["device"] for each in webgpu_adapters.adapters.__wrapped__()]
    assert order == [f"device {number}" for number in (5, 6, 4, 2, 1, 3, 0)]


def test_no_adapter_and_no_package_are_clear_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wgpu", None)
    with pytest.raises(BackendError, match=r"^WebGPU needs wgpu \(pip install 'jitframe\[webgpu\]'\): "):
        webgpu_adapters.wgpu.__wrapped__()
    wgpu = SimpleNamespace(gpu=SimpleNamespace(enumerate_adapters_sync=list))
    monkeypatch.setattr(webgpu_adapters, "wgpu", lambda: wgpu)
    with pytest.raises(BackendError, match=r"^no WebGPU adapter is here: install a Vulkan driver "):
        webgpu_adapters.adapters.__wrapped__()


def test_an_adapter_that_is_not_there() -> None:
    count = len(webgpu.enumerate()) if opened() else 0
    for number in (-1, count):
        with pytest.raises(BackendError) as caught:
            webgpu.open(number)
        assert caught.value.message == f"webgpu:{number} is not there: this machine has {count} such devices"


def test_the_default_limits_are_what_every_browser_has() -> None:
    opened()
    before = configure(webgpu_limits="default")
    try:
        facts = webgpu.enumerate()[0]
    finally:
        restore(before)
    assert (facts.most_buffers, facts.most_threads, facts.shared_bytes) == (8, 256, 16384)
    assert facts.largest_buffer == 256 << 20


# Faults ----------------------------------------------------------------------------------------------
def test_memory_that_runs_out_empties_the_pool_first(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = opened()
    room = 2_000_000
    make = driver._device.create_buffer

    def scarce(size: int, usage: int) -> Any:
        nonlocal room
        if size > room:
            raise driver._wgpu.GPUOutOfMemoryError("Not enough memory left.")
        room -= size
        return make(size=size, usage=usage)

    release = driver._pool._release

    def released(block: Any) -> None:
        nonlocal room
        room += block.size
        release(block)

    monkeypatch.setattr(driver._device, "create_buffer", scarce)
    monkeypatch.setattr(driver._pool, "_release", released)
    first = driver.allocate(1_500_000)
    driver.free(first)
    second = driver.allocate(1_000_000)  # only where the first one's block is given back
    with pytest.raises(BackendError, match=r"has no memory for 1,572,864 bytes.*Not enough memory left"):
        driver.allocate(1_500_000)
    x = random_floats(1000)
    driver.upload((second, 0), as_bytes(x))
    np.testing.assert_array_equal(get(driver, (second, 0), x), x)


def test_a_lost_device_says_so_each_time() -> None:
    driver = opened()
    handle = driver.compile(parse_kernel(AXPY))
    x = random_floats(1000)
    memory, other = put(driver, x), put(driver, x)
    driver._device.destroy()
    values = slots(1000, 1000, float_bits(1), 0)
    uses = {
        "an upload": lambda: driver.upload((memory, 0), as_bytes(x)),
        "a download": lambda: get(driver, (memory, 0), x),
        "allocating": lambda: driver.allocate(1 << 20),
        "launching jf_axpy": lambda: driver.launch(handle, [(memory, 0), (other, 0)], values, 1),
        "compiling": lambda: driver.compile(parse_kernel(AXPY.replace("axpy", "axpy_anew"))),
        "waiting": driver.synchronize,
    }
    for doing, use in uses.items():
        with pytest.raises(BackendError) as caught:
            use()
        said = caught.value.message
        assert isinstance(caught.value, DeviceLostError)
        assert said.startswith(
            f"{driver.facts.title} ({driver.facts.api}) was lost with all that it held ({doing} failed: "
        )
        assert said.endswith("; make its arrays anew, which opens it again, or choose another device")
    driver.free(memory)
    driver.free(other)
    driver.trim()
    anew = opened()  # the process goes on
    np.testing.assert_array_equal(get(anew, (put(anew, x), 0), x), x)


@pytest.mark.parametrize(
    "name", ["softmax", "softmax of long rows", "layer norm", "extremes of long rows", "long sum"]
)
def test_subgroups_of_an_adapter_that_promises_wide_ones(name: str) -> None:
    """The same bits, though lavapipe's subgroups turn out to have 8 lanes: kernels look."""
    plain = opened()
    adapter = webgpu_adapters.adapters()[0]
    if "subgroup" not in adapter.features:
        pytest.skip("the adapter has no subgroups")
    driver = webgpu.WebGPUDriver(promising(adapter, 32))
    assert (plain.facts.subgroup_lanes, driver.facts.subgroup_lanes) == (0, 32)
    problem = Problem()
    outputs = PROGRAMS[name](problem)
    due, found = (
        run(each, problem, outputs, machine_of("webgpu", replace(each.facts, most_threads=256)))
        for each in (plain, driver)
    )
    for ours, meant in zip(found, due, strict=True):
        assert ours.tobytes() == meant.tobytes()


def promising(adapter: Any, width: int, **info: str) -> Any:
    return SimpleNamespace(
        info={**adapter.info, "subgroup_min_size": width, **info},
        limits=adapter.limits,
        features=adapter.features,
        request_device_sync=adapter.request_device_sync,
    )


def test_whose_subgroups_are_used() -> None:
    opened()
    adapter = webgpu_adapters.adapters()[0]

    def lanes(width: int, features: set[str], **info: str) -> int:
        given = promising(adapter, width, **info)
        given.features = features
        return webgpu_facts.facts_of(given).subgroup_lanes

    assert lanes(32, {"subgroup"}) == lanes(64, {"subgroups"}) == 32
    assert lanes(16, {"subgroup"}) == lanes(32, set()) == 0
    assert lanes(32, {"subgroup"}, backend_type="D3D12") == 0
    assert lanes(4, {"subgroup"}, backend_type="Metal", device="Apple M3") == 32


def test_an_adapter_without_time_stamps_is_timed_on_the_host() -> None:
    opened()
    plain = webgpu_adapters.adapters()[0]
    without = SimpleNamespace(
        info=plain.info, limits=plain.limits, features=set(), request_device_sync=plain.request_device_sync
    )
    driver = webgpu.WebGPUDriver(without)
    assert isinstance(driver.mark(), float)
    time_passes_between_marks(Subject(driver, driver.dialect, DIVISION_ULP))


def test_programs_of_others(subject: Subject) -> None:
    check_written_program(subject.driver, subject.dialect)


def test_a_run_an_upload_and_a_download_are_one_errand_each_of_wgpus_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each errand costs what two or three launches do: a loop of 100 turns would take twice as long."""
    opened()
    values = np.linspace(0, 1, 1000, dtype=np.float32)
    there = jf.asarray(values, device="webgpu")
    double = jf.jit(lambda x: x * 2)
    loop = jf.jit(lambda x: jf.fori_loop(0, 100, lambda i, y: y * 0.5 + 1, x))
    work = [
        lambda: double(there),
        lambda: loop(there),
        lambda: jf.asarray(values, device="webgpu"),
        there.numpy,
    ]
    for each in work:
        each()
    errands, call = [], SoleThread.call

    def noted(self: SoleThread, work: Any, *arguments: Any) -> Any:
        errands.extend([work] * (self._ident != get_ident()))
        return call(self, work, *arguments)

    monkeypatch.setattr(SoleThread, "call", noted)
    for number, each in enumerate(work):
        errands.clear()
        each()
        assert len(errands) == 1, number
