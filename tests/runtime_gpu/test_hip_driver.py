"""The HIP driver on a stand-in for AMD's libraries: `fake_hip.c`, compiled here.

It keeps HIP's rules on memory, devices and launches; kernels are run by this processor (see `launches`).
What hiprtc and a GPU make of the sources is not shown here.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from jitframe.codegen.c_family import HIP
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import BackendError, DeviceLostError
from jitframe.runtime.device import Device
from jitframe.runtime.drivers import hip, hip_libraries
from jitframe.runtime.drivers.streams import StreamDriver
from tests.backends.limit_laws import LAWS as LIMIT_LAWS
from tests.backends.memory_laws import LAWS, backend_of
from tests.backends.memory_laws import Law as MemoryLaw
from tests.backends.queue_laws import LAWS as QUEUE_LAWS
from tests.plan.plans import AXPY

from .driver_contract import C_CONTRACT, Law, Subject, float_bits, get, put, random_floats, slots
from .launches import Spellings
from .products import check_products
from .written_programs import check_written_program

MEMOS = (hip_libraries.runtime, hip_libraries.compiler, hip_libraries.rocblas)


def forget() -> None:
    for memo in MEMOS:
        memo.cache_clear()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ctypes.CDLL]:
    """The stand-in, where AMD's libraries are looked for."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "clang-15", "clang-14"))), None)
    if compiler is None:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("fake_hip") / "libamdhip64.so"
    source = Path(__file__).with_name("fake_hip.c")
    subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-fPIC", "-shared", source, "-o", path], check=True)
    loaded = ctypes.CDLL(str(path))
    loaded.fake_rest.restype = loaded.fake_used.restype = ctypes.c_size_t
    spellings = Spellings(HIP)

    def bytes_at(address: int) -> np.ndarray:
        rest = loaded.fake_rest(ctypes.c_void_p(address))
        assert rest, "an address of no allocation"
        return np.frombuffer((ctypes.c_char * rest).from_address(address), np.uint8)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p)
    def launch(text: bytes, groups: int, threads: int, parameters: int) -> int:
        try:
            spellings.launch(text.decode(), groups, threads, parameters).run(bytes_at)
        except AssertionError:
            return 0
        return 1

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
    def accepts(text: bytes) -> int:
        return int(text.decode() in spellings.known)

    loaded.fake_start(launch, accepts, 2)
    with pytest.MonkeyPatch.context() as patch, spellings.watched():
        for names in ("RUNTIME", "PRODUCTS"):
            patch.setattr(hip_libraries, names, (str(path),))
        patch.setattr(hip_libraries, "FOLDERS", ())
        forget()
        yield loaded
    forget()


@pytest.fixture(scope="module")
def driver(library: ctypes.CDLL) -> StreamDriver:
    return hip.open(0)


@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, driver: StreamDriver) -> None:
    law(Subject(driver, HIP))


@pytest.mark.parametrize("law", [*LAWS, *LIMIT_LAWS], ids=lambda law: law.__name__)
def test_memory(law: MemoryLaw, driver: StreamDriver) -> None:
    law(backend_of(driver, "hip"))


@pytest.mark.parametrize("law", QUEUE_LAWS, ids=lambda law: law.__name__)
def test_queues(law: MemoryLaw, driver: StreamDriver) -> None:
    law(backend_of(driver, "hip"))


def test_products(driver: StreamDriver) -> None:
    check_products(driver)


def test_facts_of_each_gpu(library: ctypes.CDLL) -> None:
    first, second = hip.enumerate()
    assert first.version.startswith("gfx90a:sramecc+:xnack- hiprtc ")
    assert second.version.startswith("gfx1030 hiprtc ")
    assert (first.subgroup, second.subgroup) == (64, 32)
    assert (first.unified, second.unified) == (False, True)
    assert first.api == "HIP 5.2.21153"
    assert first.memory_bytes == 1 << 28
    assert first.units == 104 and first.shared_bytes == 65536 and first.most_threads == 1024


def test_free_memory_is_that_of_each_gpu(library: ctypes.CDLL, driver: StreamDriver) -> None:
    free = [hip.free_bytes(number) for number in (0, 1)]
    memory = driver.allocate(1 << 20)
    assert [hip.free_bytes(number) for number in (0, 1)] == [free[0] - (1 << 20), free[1]]
    driver.free(memory)


def test_each_gpu_has_its_own_memory_and_order(library: ctypes.CDLL, driver: StreamDriver) -> None:
    second = hip.open(1)
    library.hipSetDevice(1)
    try:
        x = random_floats(1000)
        for each in (driver, second, driver):
            here, there = put(each, x), each.allocate(x.nbytes)
            handle = each.compile(parse_kernel(AXPY))
            each.launch(handle, [(here, 0), (there, 0)], slots(x.size, 100, float_bits(2), 0), 10)
            np.testing.assert_array_equal(get(each, (there, 0), x), x * 2)
            each.free(here)
            each.free(there)
            current = ctypes.c_int()
            library.hipGetDevice(ctypes.byref(current))
            assert current.value == 1, "the user's current GPU is left as it was"
    finally:
        library.hipSetDevice(0)


def test_lanes_of_a_launch_are_counted_in_32_bits(driver: StreamDriver) -> None:
    interface = driver.interface
    assert interface.most_groups(256) == 16777215
    assert interface.most_groups(1) == (1 << 32) - 1


def test_nothing_is_left_behind(library: ctypes.CDLL, driver: StreamDriver) -> None:
    driver.compile(parse_kernel(AXPY.replace("axpy", "axpy_left")))
    assert library.fake_programs() == 0
    first, last = driver.mark(), driver.mark()
    assert driver.elapsed(first, last) >= 0
    before = library.fake_events()
    del first, last
    assert library.fake_events() == before - 2
    driver.trim()
    assert library.fake_used(0) == driver.statistics().live


def test_a_lost_gpu_is_a_clear_error(library: ctypes.CDLL, driver: StreamDriver) -> None:
    library.fake_break(1)
    try:
        with pytest.raises(BackendError) as caught:
            driver.synchronize()
    finally:
        library.fake_break(0)
    assert isinstance(caught.value, DeviceLostError)
    assert caught.value.message == (
        "hip:0 (AMD Imaginary 0) was lost with all that it held (waiting failed: hipStreamSynchronize: "
        "unspecified launch failure (719)); start the process anew, or choose another device"
    )
    driver.synchronize()


def test_work_is_not_recorded(driver: StreamDriver) -> None:
    """Capability, not name, decides whether a device's plans are replayed."""
    assert not driver.can_record
    device = Device("hip", driver.facts, lambda: driver)
    assert device.driver is driver and device._runs.replays is None


# What is missing -------------------------------------------------------------------------------------
def test_without_a_gpu(library: ctypes.CDLL) -> None:
    library.fake_count(0)
    try:
        with pytest.raises(BackendError) as caught:
            hip.enumerate()
    finally:
        library.fake_count(2)
    said = caught.value.message
    assert said.startswith("no AMD GPU can be used here: the HIP runtime ") and library._name in said
    assert " is here with hiprtc " in said and "finds no GPU; it needs one with the amdgpu driver" in said
    assert said.endswith("(see rocminfo)") and caught.value.suggestions
    if not os.path.exists("/dev/kfd"):
        assert "and /dev/kfd, which that driver makes, is not here" in said


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.setattr(hip_libraries, "RUNTIME", ("libamdhip64-is-nowhere.so",))
    monkeypatch.setattr(hip_libraries, "FOLDERS", ())
    with pytest.raises(BackendError) as caught:
        hip.enumerate()
    forget()
    said = caught.value.message
    assert said.startswith(
        "hip needs the library libamdhip64-is-nowhere.so, which is not found here (looked for "
        "libamdhip64-is-nowhere.so by the system's loader and in no folder): install AMD's ROCm"
    )


def test_a_library_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget()
    file = tmp_path / "libamdhip64-is-broken.so.9"
    file.write_bytes(b"no library")
    monkeypatch.setattr(hip_libraries, "RUNTIME", ("libamdhip64-is-broken.so", "libamdhip64-is-broken.so.*"))
    monkeypatch.setattr(hip_libraries, "FOLDERS", (str(tmp_path),))
    with pytest.raises(BackendError) as caught:
        hip.enumerate()
    forget()
    said = caught.value.message
    assert said.startswith(f"hip needs the library libamdhip64-is-broken.so, {file} cannot be loaded (")
    assert "looked for libamdhip64-is-broken.so, libamdhip64-is-broken.so.* by the system's loader" in said


def test_without_rocblas_products_are_kernels(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hip_libraries, "PRODUCTS", ("librocblas-is-nowhere.so",))
    hip_libraries.rocblas.cache_clear()
    facts = hip.enumerate()[0]
    hip_libraries.rocblas.cache_clear()
    assert not facts.library_products
    assert dict(facts.more)["rocBLAS"] == "not found"


def test_programs_of_others(driver: StreamDriver) -> None:
    check_written_program(driver, HIP)
