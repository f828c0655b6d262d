"""The CUDA driver on a stand-in for CuPy (see `fake_cupy`): its order of work, memory, faults."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.c_family import CUDA
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import ArgumentError, BackendError, DeviceLostError
from jitframe.runtime.device import Device
from jitframe.runtime.drivers import cuda, streams
from jitframe.runtime.drivers.streams import StreamDriver
from jitframe.runtime.memory import staging
from jitframe.runtime.memory.array_interface import SharedArray, adopt
from jitframe.runtime.memory.transfer import between
from jitframe.runtime.queues import recording
from tests.backends.limit_laws import LAWS as LIMIT_LAWS
from tests.backends.memory_laws import LAWS, backend_of
from tests.backends.memory_laws import Law as MemoryLaw
from tests.plan.plans import AXPY

from . import fake_cupy
from .driver_contract import C_CONTRACT, Law, Subject, float_bits, get, put, random_floats, slots
from .launches import Spellings
from .products import check_products
from .recordings import check_reads_are_not_recorded, check_recording, check_refusals
from .written_programs import check_written_program

MEMOS = (cuda._cupy, cuda._library, cuda._nvrtc)


def forget() -> None:
    for memo in MEMOS:
        memo.cache_clear()


@pytest.fixture(scope="module")
def gpus() -> Iterator[fake_cupy.Gpus]:
    """The stand-in, in CuPy's place."""
    spellings = Spellings(CUDA)
    with pytest.MonkeyPatch.context() as patch, spellings.watched():
        forget()
        yield fake_cupy.install(patch, spellings)
    forget()


@pytest.fixture(scope="module")
def fake(gpus: fake_cupy.Gpus) -> StreamDriver:
    return cuda.open(0)


@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, fake: StreamDriver) -> None:
    law(Subject(fake, CUDA))


@pytest.mark.parametrize("law", [*LAWS, *LIMIT_LAWS], ids=lambda law: law.__name__)
def test_memory(law: MemoryLaw, fake: StreamDriver) -> None:
    law(backend_of(fake, "cuda"))


def test_products(fake: StreamDriver) -> None:
    check_products(fake)


def test_memory_of_an_application(fake: StreamDriver, gpus: fake_cupy.Gpus) -> None:
    """By its address; it goes back to its owner once the GPU is through with it."""
    given: list[int] = []

    class Allocator:
        def allocate(self, nbytes: int) -> int:
            given.append(gpus.malloc(nbytes, 0))
            return given[-1]

        def free(self, address: int) -> None:
            given.remove(address)
            gpus.free(address)

    backend = backend_of(fake, "cuda")
    backend.use_allocator(Allocator())
    buffer = backend.alloc(1000)
    buffer.write(bytes(range(250)) * 4)
    assert buffer.view()[0].address == given[0] and buffer.read(250, offset=250) == bytes(range(250))
    backend.use_allocator(None)
    backend.alloc(10).free()
    assert len(given) == 1
    buffer.free()
    backend.device.synchronize()
    assert not given


# Index widths ----------------------------------------------------------------------------------------
def test_64_bit_indices_are_compiled_when_a_launch_needs_them(fake: StreamDriver) -> None:
    kernel = parse_kernel(AXPY.replace("axpy", "axpy_wide"))
    handle = fake.compile(kernel)
    assert list(handle.forms) == [32]
    here, there = fake.allocate(64), fake.allocate(64)
    fake.launch(handle, [(here, 0), (there, 0)], slots(16, 16, float_bits(2), 0), 1)
    assert list(handle.forms) == [32]
    fake.launch(handle, [(here, 0), (there, 0)], slots(16, 1 << 33, float_bits(2), 0), 1)
    assert sorted(handle.forms) == [32, 64]
    fake.synchronize()
    fake.free(here)
    fake.free(there)


def test_launches_of_more_workgroups_than_a_grid_are_split(
    fake: StreamDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "_MOST_GROUPS", 7)
    x = random_floats(100)
    here, there = put(fake, x), fake.allocate(x.nbytes)
    handle = fake.compile(parse_kernel(AXPY))
    fake.launch(handle, [(here, 0), (there, 0)], slots(x.size, 4, float_bits(3), 0), 25)
    np.testing.assert_array_equal(get(fake, (there, 0), x), x * np.float32(3))
    fake.free(here)
    fake.free(there)


# Several GPUs ----------------------------------------------------------------------------------------
def test_each_gpu_has_its_own_memory_and_order(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    first, second = fake, cuda.open(1)
    assert [facts.title for facts in cuda.enumerate()] == [name for name, *_ in fake_cupy.GPUS]
    gpus.runtime.setDevice(1)  # type: ignore[attr-defined]
    try:
        x = random_floats(1000)
        for driver in (first, second, first):
            here, there = put(driver, x), driver.allocate(x.nbytes)
            handle = driver.compile(parse_kernel(AXPY))
            driver.launch(handle, [(here, 0), (there, 0)], slots(x.size, 100, float_bits(2), 0), 10)
            np.testing.assert_array_equal(get(driver, (there, 0), x), x * 2)
            driver.free(here)
            driver.free(there)
            assert gpus.current == 1, "the user's current GPU is left as it was"
    finally:
        gpus.runtime.setDevice(0)  # type: ignore[attr-defined]


def test_free_memory_is_that_of_each_gpu(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    fake.trim()
    free = [cuda.free_bytes(number) for number in (0, 1)]
    memory = fake.allocate(1 << 20)
    assert [cuda.free_bytes(number) for number in (0, 1)] == [free[0] - (1 << 20), free[1]]
    assert gpus.current == 0
    fake.free(memory)


def test_gpus_copy_from_each_other(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    """Without the host, each after what the other one was asked for before."""
    other, x = cuda.open(1), random_floats(1000)
    here, there = put(fake, x), other.allocate(x.nbytes)
    handle, doubled = fake.compile(parse_kernel(AXPY)), fake.allocate(x.nbytes)
    fake.launch(handle, [(here, 0), (doubled, 0)], slots(x.size, 100, float_bits(2), 0), 10)
    copies = gpus.peer_copies
    between(other, (there, 8), fake, (doubled, 4), 3000)
    fake.upload((doubled, 0), memoryview(bytes(x.nbytes)))  # after the copy
    part = np.zeros(750, np.float32)
    np.testing.assert_array_equal(get(other, (there, 8), part), x[1:751] * 2)
    assert gpus.peer_copies == copies + 1
    first, second = Device("cuda", fake.facts, lambda: fake), Device("cuda:1", other.facts, lambda: other)
    array = first.upload(x)
    np.testing.assert_array_equal(array.copy_to(second).download(), x)
    assert gpus.peer_copies == copies + 2
    for memory in (here, doubled):
        fake.free(memory)
    other.free(there)


def test_a_gpu_that_is_newer_than_nvrtc_gets_ptx(gpus: fake_cupy.Gpus) -> None:
    older, newer = cuda.enumerate()
    assert older.version == "sm_90 NVRTC 12.9"
    assert newer.version == "compute_120 NVRTC 12.9"
    driver = cuda.open(1)
    driver.compile(parse_kernel(AXPY.replace("axpy", "axpy_ptx")))
    assert gpus.nvrtc.targets[-1] == "--gpu-architecture=compute_120"  # type: ignore[attr-defined]
    with pytest.raises(BackendError, match="no longer compiles for the GPU"):
        cuda.architecture({"major": 5, "minor": 2}, (75, 80))


def test_assembly_is_ptx(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    kernel = parse_kernel(AXPY)
    source = fake.source(kernel)
    assert 'extern "C" __global__' in source and "void jf_axpy(" in source
    assert fake.assembly(kernel) == "PTX" + source
    assert gpus.nvrtc.targets[-1] == "--gpu-architecture=compute_90"  # type: ignore[attr-defined]


def test_no_program_of_the_compiler_is_left(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    fake.compile(parse_kernel(AXPY.replace("axpy", "axpy_left")))
    assert gpus.nvrtc.programs == 0  # type: ignore[attr-defined]


# Other libraries -------------------------------------------------------------------------------------
def test_memory_is_shared_without_a_copy(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    x = random_floats(12)
    memory = put(fake, x)
    owner = [memory]
    shared = SharedArray(owner, fake, (memory, 8), (2, 5), "<f4", (20, 4))
    interface = shared.__cuda_array_interface__
    assert interface["version"] == 3 and interface["shape"] == (2, 5) and interface["strides"] == (20, 4)
    gpus.runtime.streamSynchronize(interface["stream"])  # type: ignore[attr-defined]
    address, read_only = interface["data"]
    assert read_only
    np.testing.assert_array_equal(gpus.bytes_at(address).view(np.float32)[:10], x[2:])
    with pytest.raises(ArgumentError):
        adopt(fake, shared)
    whole = adopt(fake, SharedArray(owner, fake, (memory, 0), (12,), "<f4"))
    assert whole.address == memory.address and whole.nbytes == 48
    np.testing.assert_array_equal(get(fake, (whole, 0), x), x)
    live = fake.statistics().live
    fake.free(whole)
    assert fake.statistics().live == live, "it is not the pool's"
    fake.free(memory)


# Order ------------------------------------------------------------------------------------------------
def test_long_copies_go_in_parts(gpus: fake_cupy.Gpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of pinned memory are used again only when the GPU is through with them."""
    monkeypatch.setattr(staging, "PART_BYTES", 1000)
    driver = cuda.open(0)
    data = np.random.default_rng(0).integers(0, 256, 10_500).astype(np.uint8)
    wanted, memory = data.copy(), driver.allocate(data.nbytes + 7)
    driver.upload((memory, 7), memoryview(data))
    data[:] = 0
    np.testing.assert_array_equal(get(driver, (memory, 7), data), wanted)
    assert driver.read((memory, 5007), 3) == wanted[5000:5003].tobytes()
    driver.free(memory)


def test_work_is_recorded(fake: StreamDriver) -> None:
    check_recording(fake)
    check_refusals(fake)
    check_reads_are_not_recorded(fake)


@pytest.fixture
def calm() -> Iterator[None]:
    """No garbage of other tests comes back to the pool in the middle of this one."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def layers(a: Any, b: Any, scale: Any) -> Any:
    """Several launches and products."""
    return np.tanh(np.tanh(a @ b * scale) @ b) + a.sum(axis=-1, keepdims=True)


def expected(a: np.ndarray, b: np.ndarray, scale: float) -> np.ndarray:
    return layers(a.astype(np.float64), b.astype(np.float64), scale)


def drawn(rows: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, 8)).astype(np.float32) / 4


def test_a_call_that_comes_again_is_replayed(gpus: fake_cupy.Gpus, fake: StreamDriver, calm: None) -> None:
    """The second call is recorded, those after it are one launch of a graph; each has its own result."""
    device, program = Device("cuda", fake.facts, lambda: fake), jf.jit(layers)
    a, b = jf.asarray(drawn(5, 0), device=device), jf.asarray(drawn(8, 1), device=device)
    graphs, wanted = gpus.graphs, expected(drawn(5, 0), drawn(8, 1), 2.0)
    for number in range(6):
        result = program(a, b, 2.0)
        assert gpus.graphs - graphs == number, "from the second one on"
        np.testing.assert_allclose(result.numpy(), wanted, rtol=2e-5, atol=1e-5)
        del result
    assert device._runs.replays is not None
    done = device._runs.replays.statistics
    assert (done.direct, done.recorded, done.replayed) == (1, 1, 4)


def test_other_values_sizes_and_places_are_never_replayed_wrongly(
    gpus: fake_cupy.Gpus, fake: StreamDriver
) -> None:
    device, program = Device("cuda", fake.facts, lambda: fake), jf.jit(layers)
    held, random = [], np.random.default_rng(7)
    b = jf.asarray(drawn(8, 1), device=device)
    for number in range(100):
        rows, seed, scale = int(random.integers(4, 6)), number % 5, float(number % 2)
        a = jf.asarray(drawn(rows, seed), device=device)  # often where one of another content was
        held.append((program(a, b, scale), expected(drawn(rows, seed), drawn(8, 1), scale)))
        if len(held) > random.integers(0, 3):
            for result, wanted in held:  # results that were held meanwhile are still their own
                np.testing.assert_allclose(result.numpy(), wanted, rtol=2e-5, atol=1e-5)
            held.clear()
            result = None
    assert device._runs.replays is not None and device._runs.replays.statistics.replayed > 5
    del a, result
    live = device.statistics().live
    assert live <= 512, "b is left"


def test_a_state_that_is_stepped_meets_the_same_places_again(
    gpus: fake_cupy.Gpus, fake: StreamDriver
) -> None:
    device, program = Device("cuda", fake.facts, lambda: fake), jf.jit(layers)
    b, wanted = drawn(8, 1), drawn(5, 0)
    state, there = jf.asarray(wanted, device=device), jf.asarray(b, device=device)
    for _ in range(20):
        state, wanted = program(state, there, 1.0), layers(wanted, b, np.float32(1))
    np.testing.assert_allclose(state.numpy(), wanted, rtol=1e-3, atol=1e-4)
    assert device._runs.replays is not None and device._runs.replays.statistics.replayed >= 12


def test_where_recording_fails_work_is_done_as_before(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    device, program = Device("cuda", fake.facts, lambda: fake), jf.jit(layers)
    a, b = jf.asarray(drawn(5, 0), device=device), jf.asarray(drawn(8, 1), device=device)
    gpus.captures = False
    try:
        for _ in range(4):
            np.testing.assert_allclose(
                program(a, b, 1.0).numpy(), expected(drawn(5, 0), drawn(8, 1), 1.0), rtol=2e-5, atol=1e-5
            )
    finally:
        gpus.captures = True
    assert device._runs.replays is not None and "901" in device._runs.replays.problem
    assert device._runs.replays.statistics.direct == 4


def test_programs_that_look_at_their_values_run_as_ever(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    """Scattering and checked positions need the host meanwhile."""
    device = Device("cuda", fake.facts, lambda: fake)

    @jf.jit(device=device)
    def counted(x: np.ndarray, at: np.ndarray) -> Any:
        return np.tanh(x)[at] * 2

    x, at = drawn(5, 0), np.array([4, 0, 4])
    for _ in range(3):
        np.testing.assert_allclose(counted(x, at), np.tanh(x)[at] * 2, rtol=1e-6)
    with pytest.raises(IndexError):
        counted(x, np.array([7]))
    np.testing.assert_allclose(counted(x, at), np.tanh(x)[at] * 2, rtol=1e-6)


def test_few_recordings_are_kept(
    gpus: fake_cupy.Gpus, fake: StreamDriver, calm: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "_MOST", 3)
    device, program = Device("cuda", fake.facts, lambda: fake), jf.jit(layers)
    a, b = jf.asarray(drawn(5, 0), device=device), jf.asarray(drawn(8, 1), device=device)
    for _ in range(2):
        for scale in (1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0):
            wanted = expected(drawn(5, 0), drawn(8, 1), scale)
            np.testing.assert_allclose(program(a, b, scale).numpy(), wanted, rtol=2e-5, atol=1e-5)
    assert device._runs.replays is not None and len(device._runs.replays._known) == 3
    assert device._runs.replays.statistics.recorded >= 6, (
        "most come again at once, none after the three others"
    )


def test_the_same_program_as_anywhere(fake: StreamDriver) -> None:
    device = Device("cuda", fake.facts, lambda: fake)
    x = np.random.default_rng(5).normal(size=(13, 40)).astype(np.float32)
    there = jf.asarray(x, device=device)
    powers = jf.exp(there - jf.max(there, axis=-1, keepdims=True))
    share = (powers / jf.sum(powers, axis=-1, keepdims=True)).numpy()
    wanted = np.exp(x - x.max(-1, keepdims=True))
    np.testing.assert_allclose(share, wanted / wanted.sum(-1, keepdims=True), rtol=1e-6)
    np.testing.assert_allclose((there @ there.T).numpy(), x @ x.T, rtol=1e-5)

    @jf.jit(device=device)
    def bent(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.tanh(a * b) + 1

    found = bent(x, x)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, np.tanh(x * x) + 1, rtol=1e-6)
    kernels = {handle.kernel.name: sorted(handle.forms) for handle in fake._forms._handles.values()}
    assert len(kernels) >= 2
    assert all(32 in forms for forms in kernels.values())


# Faults ----------------------------------------------------------------------------------------------
def test_a_lost_gpu_is_a_clear_error(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    gpus.broken = True
    try:
        with pytest.raises(BackendError) as caught:
            fake.synchronize()
    finally:
        gpus.broken = False
    assert isinstance(caught.value, DeviceLostError)
    assert caught.value.message == (
        "cuda:0 (NVIDIA Imaginary) was lost with all that it held (waiting failed: CUDA error 719); start "
        "the process anew, or choose another device"
    )
    fake.synchronize()


def test_memory_goes_back_when_it_is_freed(gpus: fake_cupy.Gpus, fake: StreamDriver) -> None:
    before = fake.statistics()
    held = [fake.allocate(1 << 20) for _ in range(3)]
    for each in held:
        fake.free(each)
    assert fake.statistics().live == before.live
    del held, each
    gc.collect()
    fake.trim()
    assert fake.statistics().pooled == 0
    assert gpus.pool.total_bytes() == fake.statistics().live  # type: ignore[attr-defined]


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Modules by name in place of CuPy's."""
    modules: dict[str, Any] = {}

    def found(name: str) -> Any:
        if name not in modules:
            raise ImportError(f"No module named {name!r}")
        return modules[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuda, "_module", found)
        forget()
        yield modules
    forget()


def test_without_cupy(absent: dict[str, Any]) -> None:
    with pytest.raises(BackendError) as caught:
        cuda.enumerate()
    assert caught.value.message == (
        "cuda needs CuPy, which is not installed here (No module named 'cupy'): pip install 'jitframe[cuda]' "
        "(or the CuPy wheel of your CUDA version, cupy-cuda12x or cupy-cuda13x)"
    )


def test_with_cupy_for_amd_gpus(absent: dict[str, Any]) -> None:
    absent["cupy"] = fake_cupy._namespace(
        cuda=fake_cupy._namespace(runtime=fake_cupy._namespace(is_hip=True))
    )
    with pytest.raises(BackendError, match="made for AMD GPUs; use the device 'hip'"):
        cuda.enumerate()


def test_without_a_gpu(absent: dict[str, Any]) -> None:
    def count() -> int:
        raise RuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    runtime = fake_cupy._namespace(is_hip=False, getDeviceCount=count)
    absent["cupy"] = fake_cupy._namespace(cuda=fake_cupy._namespace(runtime=runtime))
    with pytest.raises(BackendError) as caught:
        cuda.enumerate()
    assert caught.value.message == (
        "no NVIDIA GPU can be used here (cudaErrorNoDevice: no CUDA-capable device is detected); it needs "
        "one with its driver (see nvidia-smi)"
    )


def test_without_cublas_products_are_kernels() -> None:
    spellings = Spellings(CUDA)
    with pytest.MonkeyPatch.context() as patch:
        forget()
        fake_cupy.install(patch, spellings, libraries=False)
        facts = cuda.enumerate()[0]
    forget()
    assert not facts.library_products
    assert dict(facts.more)["cuBLAS"] == "not found: pip install nvidia-cublas-cu12"


def test_programs_of_others(fake: StreamDriver) -> None:
    check_written_program(fake, CUDA)


def test_a_grid_of_three_axes_and_shared_memory(fake: StreamDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in runs one axis only: here it is seen what the driver's interface is asked for."""
    seen: list[Any] = []
    monkeypatch.setattr(fake.interface._driver, "launchKernel", lambda *given: seen.append(given))  # type: ignore[attr-defined]
    handle = streams.WrittenKernel("turn", b"", type("Function", (), {"ptr": 7}))
    fake.launch_source(handle, [b"abcd"], (3, 4, 5), (8, 2, 1), 96)
    (given,) = seen
    assert given[:8] == (7, 3, 4, 5, 8, 2, 1, 96)
