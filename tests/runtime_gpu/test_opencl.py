"""The OpenCL driver on a real device, PoCL's processor where there is no other."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jitframe.cache.service import KernelCache, kernel_cache
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import BackendError
from jitframe.ir.record import replace
from jitframe.ir.types import F32
from jitframe.runtime.driver import PerformanceHints
from jitframe.runtime.drivers import opencl, opencl_devices
from jitframe.runtime.drivers.opencl import OpenCLDriver
from jitframe.runtime.drivers.sources import Compiled
from tests.c_family.kernels import softmax, workgroup_sum
from tests.plan.plans import AXPY

from .driver_contract import C_CONTRACT
from .subject import Law, Subject, float_bits, get, put, random_floats, run, slots
from .written_programs import check_written_program


def opened(as_gpu: bool = False) -> OpenCLDriver:
    """The driver of the first device; or as if that were a GPU, by many lanes, with 32-bit indices."""
    try:
        device = opencl_devices.found_devices()[0]
    except BackendError as problem:
        pytest.skip(problem.message)
    facts = opencl.enumerate()[0]
    return OpenCLDriver(device, replace(facts, kind="gpu", hints=PerformanceHints()) if as_gpu else facts)


@pytest.fixture(scope="module", params=[False, True], ids=["as it is", "as a GPU"])
def subject(request: pytest.FixtureRequest) -> Subject:
    driver = opened(request.param)
    return Subject(driver, driver.dialect)


@pytest.fixture
def driver() -> OpenCLDriver:
    return opened()


@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)


# Kernels ---------------------------------------------------------------------------------------------
def test_wide_indices_are_compiled_when_a_launch_needs_them() -> None:
    driver = opened(as_gpu=True)
    x = random_floats(100)
    views = [(put(driver, x), 0), (put(driver, x), 0)]
    handle = driver.compile(parse_kernel(AXPY))
    driver.launch(handle, views, slots(100, 1000, float_bits(2), 0), 1)
    np.testing.assert_array_equal(get(driver, views[1], x), x * 2)
    assert list(handle.forms) == [32]
    driver.launch(handle, views, slots(100, 1 << 40, float_bits(3), 0), 1)
    np.testing.assert_array_equal(get(driver, views[1], x), x * 3)
    assert list(handle.forms) == [32, 64]


def many_parameters() -> Kernel:
    """More than a device need have room for: 1024 bytes."""
    build = KernelBuilder("many_parameters")
    inputs, out = [build.buffer(F32, "in") for _ in range(40)], build.buffer(F32, "out")
    places = [build.index() for _ in inputs]
    total = build.constant(0.0, F32)
    for each, place in zip(inputs, places, strict=True):
        total = build.add(total, build.load(each, place))
    build.store(out, build.constant(0), total)
    return build.finish()


def test_a_launch_block_may_be_longer_than_parameters(driver: OpenCLDriver) -> None:
    driver._parameter_bytes = 512
    arrays = [random_floats(7, seed) for seed in range(40)]
    values = slots(*[seed % 7 for seed in range(40)])
    kernel = many_parameters()
    run(Subject(driver, driver.dialect), kernel, [*arrays, np.zeros(1, np.float32)], values, 1, 3)
    (form,) = driver.compile(kernel).forms.values()
    assert len(form.loaded.blocks) == 1, "one for each queue"


def test_a_kernel_of_many_registers_gets_fewer_lanes() -> None:
    driver = opened(as_gpu=True)
    driver._forms._room = lambda loaded: 100
    kernel, indices, groups = softmax(3, 300)
    x = random_floats(900)
    run(Subject(driver, driver.dialect), kernel, [x, np.zeros_like(x)], slots(*indices), groups)
    assert driver.compile(kernel).forms[32].source.threads == 96
    driver._forms._room = lambda loaded: 40
    with pytest.raises(BackendError, match=r"runs kernel sum with 40 lanes at most, .* written for 64"):
        driver.compile(workgroup_sum())


def test_binaries_are_kept_on_disk_and_refused_ones_replaced(
    driver: OpenCLDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = parse_kernel(AXPY.replace("axpy", "axpy_on_disk"))
    driver.compile(kernel)
    cache = kernel_cache()
    monkeypatch.setattr("jitframe.runtime.drivers.sources.kernel_cache", lambda: KernelCache(cache.record))
    again, x = opencl.open(0), random_floats(10)
    assert cache.disk is not None

    def never(source: Any) -> Any:
        raise AssertionError("it was compiled again")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(again, "_from_source", never)
        handle = again.compile(kernel)
    views = [(put(again, x), 0), (put(again, x), 0)]
    again.launch(handle, views, slots(10, 10, float_bits(2), 0), 1)
    np.testing.assert_array_equal(get(again, views[1], x), x * 2)
    (form,) = handle.forms.values()
    foreign = again._load(Compiled(form.source, b"another driver's"))
    handle.forms[form.source.index_bits] = replace(form, loaded=foreign)
    again.launch(handle, views, slots(10, 10, float_bits(3), 0), 1)
    np.testing.assert_array_equal(get(again, views[1], x), x * 3)


# What fails ------------------------------------------------------------------------------------------
class Problem(Exception):
    """Stands for the errors of pyopencl, which cannot be made."""

    def __init__(self, code: int) -> None:
        self.code = code


class Failing:
    """pyopencl, where some function fails as often as told."""

    Error = Problem

    def __init__(self, package: Any, name: str, codes: list[int]) -> None:
        self._package = package
        self._name = name
        self._codes = codes

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._package, name)
        return self._failing(found) if name == self._name else found

    def _failing(self, found: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            if self._codes:
                raise Problem(self._codes.pop(0))
            return found(*arguments, **options)

        return call


def failing(driver: OpenCLDriver, name: str, *codes: int) -> None:
    driver._cl = Failing(opencl_devices.pyopencl(), name, list(codes))
    driver._errors = (driver._cl.Error,)


NO_MEMORY, NO_RESOURCES, BAD_EVENTS = -4, -5, -57


@pytest.mark.parametrize("name", ["enqueue_nd_range_kernel", "enqueue_copy", "Buffer"])
def test_where_memory_is_short_the_pool_gives_some_back(driver: OpenCLDriver, name: str) -> None:
    x = random_floats(1000)
    views = [(put(driver, x), 0), (put(driver, x), 0)]
    driver.free(driver.allocate(1 << 20))
    handle = driver.compile(parse_kernel(AXPY))
    failing(driver, name, NO_MEMORY)
    there = put(driver, x)
    driver.launch(handle, views, slots(1000, 1000, float_bits(2), 0), 1)
    np.testing.assert_array_equal(get(driver, views[1], x), x * 2)
    np.testing.assert_array_equal(get(driver, (there, 0), x), x)
    assert driver.statistics().pooled == 0


def test_errors_of_the_device_name_it_and_the_remedy(driver: OpenCLDriver) -> None:
    x = random_floats(1000)
    views = [(put(driver, x), 0), (put(driver, x), 0)]
    handle = driver.compile(parse_kernel(AXPY))
    values = slots(1000, 1000, float_bits(2), 0)
    title = driver.facts.title
    driver.trim()
    failing(driver, "enqueue_nd_range_kernel", NO_RESOURCES)
    with pytest.raises(BackendError) as caught:
        driver.launch(handle, views, values, 1)
    assert caught.value.message == (
        f"{title}: launching jf_axpy failed (OUT_OF_RESOURCES); delete some, work on parts, or choose "
        "another device"
    )
    failing(driver, "enqueue_copy", BAD_EVENTS)
    with pytest.raises(BackendError) as caught:
        get(driver, views[1], x)
    assert caught.value.message == (
        f"{title}: a download failed (INVALID_EVENT_WAIT_LIST); choose another device, or start the program "
        "again"
    )
    failing(driver, "Buffer", NO_MEMORY, NO_MEMORY)
    with pytest.raises(BackendError, match=r"has no memory for 2,097,152 bytes: .*MEM_OBJECT_ALLOCATION"):
        driver.allocate(2_000_000)
    driver.launch(handle, views, values, 1)
    np.testing.assert_array_equal(get(driver, views[1], x), x * 2)


def platform(name: str, *devices: tuple[str, int]) -> SimpleNamespace:
    """One that has these devices; without any it fails, as those do whose hardware is gone."""

    def get_devices() -> list[SimpleNamespace]:
        if not devices:
            raise Problem(NO_RESOURCES)
        return [SimpleNamespace(name=name, type=type_) for name, type_ in devices]

    return SimpleNamespace(name=name, get_devices=get_devices)


def test_gpus_come_first_and_processors_last(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyopencl")
    status_code = opencl_devices.pyopencl().status_code
    platforms = [
        platform("p", ("a", 2), ("b", 4)),
        platform("q"),
        platform("r", ("c", 8), ("d", 2), ("e", 4)),
    ]
    package = SimpleNamespace(
        device_type=SimpleNamespace(GPU=4, CPU=2, ACCELERATOR=8),
        get_platforms=lambda: platforms,
        Error=Problem,
        status_code=status_code,
    )
    monkeypatch.setattr(opencl_devices, "pyopencl", lambda: package)
    assert "".join(device.name for device in opencl_devices.found_devices()) == "becad"
    del platforms[0], platforms[1]
    with pytest.raises(
        BackendError, match=r"no OpenCL platform has a device \(q says OUT_OF_RESOURCES\): install"
    ):
        opencl_devices.found_devices()


def absent(program: str, **environment: str) -> str:
    """What `enumerate` says in a process of its own."""
    program += "\nfrom jitframe.runtime.drivers import opencl\ntry: opencl.enumerate()\n"
    program += "except Exception as e: print(e)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_what_is_missing_is_a_sentence(tmp_path: Any) -> None:
    said = absent("import sys; sys.modules['pyopencl'] = None")
    assert said.startswith("OpenCL needs pyopencl (pip install pyopencl): ")
    opened()
    said = absent("", OCL_ICD_VENDORS=str(tmp_path))
    assert said.startswith("no OpenCL platform answers (PLATFORM_NOT_FOUND_KHR): install the device's OpenCL")


def test_number_out_of_range(driver: OpenCLDriver) -> None:
    with pytest.raises(BackendError, match="opencl:99 is not there: this machine has"):
        opencl.open(99)


def test_programs_of_others(subject: Subject) -> None:
    check_written_program(subject.driver, subject.dialect)
