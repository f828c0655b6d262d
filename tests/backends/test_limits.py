"""Limits on the backends that are here for real: buffers, Tensors, jitted functions; and no leaks."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Backend, Limits
from jitframe.backends.limits import stream_closed, stream_opened
from jitframe.errors import ArgumentError, BackendError, OutOfMemoryError
from jitframe.tensors import lazy, tensor

from .limit_laws import KIB, LAWS, Law
from .test_memory import NAMES, created


def settle() -> None:
    for each in [frame.device for frame in tensor._frames.values()]:
        lazy.start_graph(each)
    gc.collect()


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A backend of its own."""
    settle()
    made = created(request.param)
    yield made
    made.shutdown()


@pytest.fixture(params=NAMES)
def shared(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """The one whose device Tensors are on."""
    created(request.param).shutdown()
    settle()
    made = jf.backends.get(request.param)
    made.cleanup()
    yield made
    made.limits = None
    made.monitor(False)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Law, backend: Backend) -> None:
    law(backend)


def test_tensors_are_within_the_limits(shared: Backend) -> None:
    array = np.ones(16 * KIB, np.float32)
    shared.limits = Limits(max_bytes=shared.usage().live_bytes + 256 * KIB)
    shared.monitor()
    x = jf.asarray(array, device=shared.name)
    held = [(x * number).to_device(shared.name) for number in range(2, 4)]
    for each in held:
        each.numpy()
    with pytest.raises(OutOfMemoryError) as raised:
        jf.compute(*[x + number for number in range(3)])
    told = raised.value.message
    assert told.count("held by float32[16384], 65,536 bytes, made at") == 3
    assert "in test_tensors_are_within_the_limits" in told
    assert all(
        each.line is not None for each in raised.value.context["holders"] if "float32[16384]" in each.what
    )
    held.clear()
    settle()
    np.testing.assert_array_equal((x + 1).numpy(), array + 1)


@jf.jit
def temporaries(x: np.ndarray) -> np.ndarray:
    first = np.cumsum(np.sqrt(x))
    return np.cumsum(first / first[-1])


def test_jitted_functions_are_within_the_limits(shared: Backend) -> None:
    array = np.ones(64 * KIB, np.float32)
    x = jf.asarray(array, device=shared.name)
    wanted = temporaries(x).numpy()
    settle()
    shared.cleanup()
    base = shared.usage().live_bytes
    shared.limits = Limits(max_bytes=base + 300 * KIB)
    for _ in range(3):
        with pytest.raises(OutOfMemoryError, match="may hold .* bytes"):
            temporaries(x).numpy()
        assert shared.usage().live_bytes == base, "a run that fails gives back what it took"
    shared.limits = Limits(max_bytes=base + 2000 * KIB)
    np.testing.assert_array_equal(temporaries(x).numpy(), wanted)


def test_native_calls_on_ndarrays_are_within_the_limits() -> None:
    backend, x = jf.backends.get("cpu"), np.ones(64 * KIB, np.float32)
    for _ in range(3):
        temporaries(x)
    settle()
    base, told = backend.usage().live_bytes, []
    before = temporaries.stats()["native_calls"]
    try:
        backend.limits = Limits(max_bytes=base + 300 * KIB)
        with pytest.raises(OutOfMemoryError, match="cpu may hold") as raised:
            temporaries(x)
        assert raised.value.line is not None and raised.value.line.file == __file__
        assert backend.usage().live_bytes == base
        backend.limits = Limits(pressure_bytes=base + 200 * KIB, on_pressure=told.append)
        held = [temporaries(x), temporaries(x)]
        assert len(told) >= 1 and told[0].device == "cpu"
        assert temporaries.stats()["native_calls"] - before == 3
        del held
    finally:
        backend.limits = None


SHORT = """
import gc, resource
import numpy as np
import jitframe as jf

double = jf.jit(lambda x: x * 2 + 1)
x = np.ones(1 << 22)
double(x), double(x)
cpu = jf.backends.get("cpu")
cpu.cleanup()
gc.disable()
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 150 * 2**20,) * 2)
for _ in range(12):  # 32 MiB each, and garbage afterwards
    circle = [double(x)]
    circle.append(circle)
assert cpu.statistics().failures == 0
held = []
try:
    while True:
        held.append(double(x))
except jf.errors.OutOfMemoryError as error:
    assert "has no memory for 33,554,432 bytes" in error.message, error.message
assert 1 <= len(held) <= 5 and cpu.statistics().failures == 1
print("done")
"""


@pytest.mark.more
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="addresses are bounded and counted on Linux")
def test_the_system_is_asked_again_after_garbage_was_collected() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(jf.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", SHORT], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout.strip()) == (0, "done"), done.stderr


def test_what_a_pressure_callback_raises_is_shown(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: shown.append(kind))
    backend.limits = Limits(pressure_bytes=0, on_pressure=lambda _: 1 // 0)
    if backend.device.is_host:
        backend.limits = Limits(
            pressure_bytes=backend.usage().live_bytes, on_pressure=lambda pressure: 1 // 0
        )
    backend.alloc(1000).free()
    assert shown == [ZeroDivisionError]


def test_kernels_are_dropped_the_least_recently_used_first(shared: Backend) -> None:
    if shared.name == "cpu":
        pytest.skip("loaded machine code stays; see test_images_on_the_cpu_are_bounded")
    x = jf.asarray(np.ones(100, np.float32), device=shared.name)
    shared.limits = Limits(max_kernels=2)
    assert shared.usage().kernels <= 2
    for _ in range(2):
        for make in (jf.sqrt, jf.exp, jf.sin, jf.cos):
            np.testing.assert_allclose(make(x).numpy(), getattr(np, make.__name__)(np.ones(100)), rtol=1e-5)
            assert shared.usage().kernels <= 2
    shared.limits = Limits(max_kernels=1)
    assert shared.usage().kernels == 1
    shared.limits = None
    jf.sqrt(x).numpy(), jf.exp(x).numpy()
    assert shared.usage().kernels >= 2


def test_images_on_the_cpu_are_bounded() -> None:
    from jitframe.cache.service import kernel_cache

    backend = jf.backends.get("cpu")
    (jf.asarray(np.ones(9)) * 3 + 1).numpy()
    assert len(kernel_cache().memory) >= 1 and backend.usage().kernels >= 1
    backend.limits = Limits(max_kernels=1)
    try:
        (jf.asarray(np.ones(9)) * 3 - jf.sqrt(jf.asarray(np.ones(9)))).numpy()
        assert len(kernel_cache().memory) == 1
    finally:
        backend.limits = None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_bytes": -1}, "max_bytes=-1; it is a whole number from 0 on, or None for no limit"),
        ({"max_buffers": 1.5}, "max_buffers=1.5; it is a whole number"),
        ({"max_streams": True}, "max_streams=True; it is a whole number"),
        ({"max_kernels": 0}, "max_kernels=0; at least one kernel must be ready to be launched"),
        ({"pressure_bytes": 5}, "pressure_bytes and on_pressure go together; give both or neither"),
    ],
)
def test_numbers_that_are_no_limits(wrong: dict[str, object], message: str) -> None:
    backend = jf.backends.get("cpu")
    with pytest.raises(ArgumentError, match=message):
        backend.limits = Limits(**wrong)  # type: ignore[arg-type]
    assert backend.limits is None


def test_without_limits_nothing_is_looked_at(shared: Backend) -> None:
    device = shared.device

    def layer() -> object:
        """What stands behind the layer that asks again for memory."""
        with device.using() as driver:
            return getattr(driver, "inner", driver)

    assert layer() is device.driver
    if not device.is_host:
        shared.limits = Limits(max_bytes=1 << 40)
        assert layer() is not device.driver
        shared.limits = Limits(max_kernels=1000)
        assert layer() is device.driver, "kernels are limited by the driver"


@jf.jit
def running_sums(x: np.ndarray) -> np.ndarray:
    return np.cumsum(np.sqrt(x))


def test_native_calls_collect_garbage_before_they_fail() -> None:
    backend, x = jf.backends.get("cpu"), np.ones(64 * KIB, np.float32)
    for _ in range(3):
        running_sums(x)
    settle()
    before, calls = backend.statistics().failures, running_sums.stats()["native_calls"]
    gc.disable()
    try:
        backend.limits = Limits(max_bytes=backend.usage().live_bytes + 4 * 256 * KIB)
        for _ in range(12):
            circle: list[object] = [running_sums(x)]
            circle.append(circle)
        del circle
        held = [running_sums(x), running_sums(x)]
        with pytest.raises(OutOfMemoryError, match="max_bytes"):
            held += [running_sums(x) for _ in range(4)]
    finally:
        backend.limits = None
        gc.enable()
    assert running_sums.stats()["native_calls"] - calls >= 14
    assert backend.statistics().failures == before + 1


def test_streams_are_counted(backend: Backend) -> None:
    backend.limits = Limits(max_streams=1)
    stream_opened(backend)
    assert backend.usage().streams == 1
    with pytest.raises(BackendError, match=r"may have 1 streams \(max_streams\), and has them; close one"):
        stream_opened(backend)
    stream_closed(backend)
    stream_opened(backend)
    stream_closed(backend)
    assert backend.usage().streams == 0


def test_limits_of_a_configured_cpu_are_its_own() -> None:
    told: list[object] = []
    with jf.backends.create("cpu", threads=1) as backend:
        base = backend.usage().live_bytes

        def notice(pressure: object) -> None:
            told.append(pressure)
            backend.alloc(0).free()

        backend.limits = Limits(max_bytes=base + 8000, pressure_bytes=base + 1000, on_pressure=notice)
        with backend.buffer(5000) as buffer:
            assert len(told) == 1 and buffer.descriptor.location == "host"
            buffer.content[:3] = b"abc"
            assert buffer.read(3) == b"abc"
            with pytest.raises(OutOfMemoryError, match="max_bytes"):
                backend.alloc(5000)
        assert jf.backends.get("cpu").limits is None


@pytest.mark.parametrize("name", NAMES)
def test_limits_of_a_created_backend_are_no_others(name: str) -> None:
    own, shared = created(name), jf.backends.get(name)
    shared.initialize()
    assert own.device is not shared.device
    own.monitor()
    own.limits = Limits(max_bytes=1000, max_kernels=1)
    assert own.usage().live_bytes == 0, "what others hold on the device is not its own"
    with own.buffer(500), pytest.raises(OutOfMemoryError, match="max_bytes"):
        own.alloc(500)
    assert shared.limits is None and not shared.device.is_monitored
    x = jf.asarray(np.ones(10_000, np.float32), device=name)
    assert (x + 1).sum().item() == 20_000
    for each in (jf.sqrt, jf.exp):
        assert own.ops.sum(each(own.ops.zeros((3,), "float32"))).item() in (0, 3)
    assert own.usage().kernels == 1
    own.shutdown()
    assert shared.limits is None


@pytest.mark.parametrize("name", NAMES)
def test_what_was_set_ends_with_the_backend(name: str) -> None:
    created(name).shutdown()
    settle()
    shared = jf.backends.get(name)
    shared.monitor()
    shared.limits = Limits(max_bytes=shared.usage().live_bytes + 1000)
    shared.shutdown()
    again = jf.backends.get(name)
    assert again is not shared and again.limits is None and not again.device.is_monitored
    x = jf.asarray(np.ones(10_000, np.float32), device=name)
    assert (x + 1).sum().item() == 20_000


# Leaks -----------------------------------------------------------------------------------------------------
def test_a_million_allocations_leave_nothing() -> None:
    """Each call takes memory for two results, and gives all of it back."""
    backend, x = jf.backends.get("cpu"), np.ones(300, np.float32)

    @jf.jit
    def three(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        total = np.cumsum(x)
        return np.cumsum(total / total[-1]), total

    for _ in range(10):
        three(x)
    settle()
    before, counted = backend.usage(), backend.statistics()
    for _ in range(510_000):
        three(x)
    after = backend.usage()
    assert (after.live_bytes, after.buffers) == (before.live_bytes, before.buffers)
    assert after.pooled_bytes == before.pooled_bytes
    assert backend.statistics().allocations - counted.allocations >= 1_000_000


def test_buffers_taken_and_given_many_times_leave_nothing(backend: Backend) -> None:
    for _ in range(10):
        backend.alloc(1000).free()
    before = backend.usage()
    for number in range(20_000):
        buffer = backend.alloc(1000)
        if number % 2:
            buffer.free()
        del buffer
    after = backend.usage()
    assert (after.live_bytes, after.buffers, after.pooled_bytes) == (
        before.live_bytes,
        before.buffers,
        before.pooled_bytes,
    )
    assert not backend.holdings.stores()
