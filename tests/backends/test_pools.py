"""Pools of the program's own, and memory of an application's allocator, on the backends that are here."""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Backend, Limits
from jitframe.errors import ArgumentError, BackendError, BoundsError, OutOfMemoryError

from .test_limits import settle
from .test_memory import NAMES, created, numbers


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    made = created(request.param)
    yield made
    made.shutdown()


# Pools -----------------------------------------------------------------------------------------------------
def test_buffers_lie_in_the_block(backend: Backend) -> None:
    with backend.pool(4096) as pool:
        live = backend.usage().buffers
        first, second = pool.alloc(100), pool.alloc(1000, alignment=256)
        assert backend.usage().buffers == live, "the device is not asked"
        first.write(numbers(100))
        second.write(numbers(1000, seed=1))
        assert pool.read(100) == numbers(100).tobytes()
        assert pool.read(1000, offset=256) == numbers(1000, seed=1).tobytes()
        pool.write(b"xyz", offset=260)
        assert second.read(5) == numbers(1000, seed=1)[:4].tobytes() + b"x"
        assert pool.part(256, 8).read() == second[:8].read()
        backend.copy(first, second, 50, dst_offset=7)
        assert second.read(50, offset=7) == numbers(100)[:50].tobytes()
        assert second.descriptor.alignment == 256
        assert (pool.used_bytes, pool.free_bytes, pool.largest_free_bytes) == (1100, 2996, 2840)
        assert repr(pool) == f"<pool of 4,096 bytes on {backend.name}, 1,100 in use>"
        with pytest.raises(BoundsError):
            pool.write(b"ab", offset=4095)


def test_places_are_given_back_and_joined() -> None:
    with created("cpu").pool(1000) as pool:
        held = [pool.alloc(200, 1) for _ in range(5)]
        with pytest.raises(OutOfMemoryError, match="has no place for 1: 0 bytes are free") as raised:
            pool.alloc(1)
        assert raised.value.suggestions == ("give buffers back", "make a larger pool")
        held[1].free()
        del held[3]
        message = "has no place for 300: 400 bytes are free, at most 200 of them in one piece"
        with pytest.raises(OutOfMemoryError, match=message):
            pool.alloc(300)
        held[2].free()
        assert pool.alloc(600, 1).nbytes == 600
        with pytest.raises(BackendError, match="is freed that was freed before"):
            held[2].free()
        with pytest.raises(BackendError, match="is used that was freed"):
            held[2].read()
        held[0].write(b"a")
        pool.reset()
        with pytest.raises(BackendError, match="was in a pool that was reset"):
            held[0].read()
        whole = pool.alloc(1000)
        with pytest.raises(ArgumentError, match="aligned to 256; make a pool of that alignment"):
            pool.alloc(0, 512)
        assert pool.alloc(0).read() == b""
    with pytest.raises(BackendError, match="was in a pool that was freed"):
        whole.read()
    with pytest.raises(BackendError, match="was freed"):
        pool.alloc(1)


def test_random_requests_never_overlap() -> None:
    generator, live = random.Random(0), {}
    with created("cpu").pool(1 << 16) as pool:
        for number in range(3000):
            if live and generator.random() < 0.5:
                buffer, mark = live.pop(generator.choice(list(live)))
                assert buffer.read() == bytes([mark]) * buffer.nbytes
                buffer.free()
                continue
            try:
                buffer = pool.alloc(generator.randrange(3000), 1 << generator.randrange(9))
            except OutOfMemoryError:
                continue
            buffer.write(bytes([number % 256]) * buffer.nbytes)
            live[number] = buffer, number % 256
        live.clear()
        del buffer
        assert pool.used_bytes == 0 and pool.largest_free_bytes == 1 << 16


# Allocators of the application --------------------------------------------------------------------------
class Counting:
    """An allocator that keeps track."""

    def __init__(self, most: int = 1 << 40) -> None:
        self.held: dict[Any, int] = {}
        self.most = most
        self.calls = 0

    def note(self, memory: Any, nbytes: int) -> Any:
        self.calls += 1
        self.held[memory] = nbytes
        return memory

    def fits(self, nbytes: int) -> bool:
        return sum(self.held.values()) + nbytes <= self.most

    def free(self, memory: Any) -> None:
        del self.held[memory]


class HostAllocator(Counting):
    def __init__(self, most: int = 1 << 40) -> None:
        super().__init__(most)
        self.memory: dict[int, Any] = {}

    def allocate(self, nbytes: int) -> int:
        if not self.fits(nbytes):
            return 0
        made = (ctypes.c_char * nbytes)()
        self.memory[ctypes.addressof(made)] = made
        return int(self.note(ctypes.addressof(made), nbytes))

    def free(self, memory: int) -> None:
        super().free(memory)
        del self.memory[memory]


class OpenCLAllocator(Counting):
    """pyopencl's own pool."""

    def __init__(self, native: dict[str, Any], most: int = 1 << 40) -> None:
        import pyopencl.tools

        super().__init__(most)
        self.pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(native["queue"]))

    def allocate(self, nbytes: int) -> Any:
        return self.note(self.pool.allocate(nbytes), nbytes) if self.fits(nbytes) else None

    def free(self, memory: Any) -> None:
        super().free(memory)
        memory.release()


class WebGPUAllocator(Counting):
    def __init__(self, native: dict[str, Any], most: int = 1 << 40) -> None:
        import wgpu

        super().__init__(most)
        self.device, usage = native["device"], wgpu.BufferUsage
        self.usage = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST

    def allocate(self, nbytes: int) -> Any:
        if not self.fits(nbytes):
            return None
        return self.note(self.device.create_buffer(size=nbytes, usage=self.usage), nbytes)

    def free(self, memory: Any) -> None:
        super().free(memory)
        memory.destroy()


def allocator_for(backend: Backend, most: int = 1 << 40) -> Any:
    if backend.name == "cpu":
        return HostAllocator(most)
    kind = OpenCLAllocator if backend.name == "opencl" else WebGPUAllocator
    return kind(backend.native, most)


@pytest.fixture(params=NAMES)
def shared(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """The one whose device Tensors are on."""
    created(request.param).shutdown()
    settle()
    made = jf.backends.get(request.param)
    made.cleanup()
    yield made
    made.limits = None
    made.use_allocator(None)
    made.cleanup()


@jf.jit
def scaled(x: Any) -> Any:
    total = np.cumsum(x)
    return np.sqrt(total / total[-1])


def test_memory_is_the_applications(shared: Backend) -> None:
    array = np.random.default_rng(0).random(10_000).astype(np.float32)
    wanted = scaled(array)
    before = shared.alloc(100)
    allocator = allocator_for(shared)
    shared.use_allocator(allocator)
    buffer = shared.alloc(5000)
    assert allocator.calls == 1
    buffer.write(numbers(5000))
    assert buffer.read() == numbers(5000).tobytes()
    x = jf.asarray(array, device=shared.name)
    result = scaled(x)
    np.testing.assert_allclose(result.numpy(), wanted, rtol=1e-6)
    assert allocator.calls >= 2 and shared.usage().live_bytes >= 5000 + array.nbytes
    late = shared.alloc(777)
    shared.use_allocator(None)
    calls = allocator.calls
    shared.alloc(3000).free()
    assert allocator.calls == calls, "new memory is the device's again"
    before.free()
    buffer.free()
    late.free()
    del x, result
    settle()
    shared.cleanup()
    assert not allocator.held, "all of it went back to whom it came from"
    np.testing.assert_allclose(scaled(jf.asarray(array, device=shared.name)).numpy(), wanted, rtol=1e-6)


def test_an_allocator_that_has_no_more(shared: Backend) -> None:
    shared.use_allocator(allocator_for(shared, most=20_000))
    with shared.buffer(10_000), pytest.raises(OutOfMemoryError, match="has no memory for 15,000 bytes"):
        shared.alloc(15_000)
    shared.cleanup()
    shared.alloc(15_000).free()
    shared.cleanup()
    shared.limits = Limits(max_bytes=shared.usage().live_bytes + 10_000)
    with pytest.raises(OutOfMemoryError, match="max_bytes"):
        shared.alloc(15_000)


def test_allocators_that_raise_in_native_calls() -> None:
    cpu, array, problem = jf.backends.get("cpu"), np.ones(10_000, np.float32), ZeroDivisionError("no beads")

    class Raising(HostAllocator):
        def allocate(self, nbytes: int) -> int:
            raise problem

    for _ in range(3):
        scaled(array)
    calls = scaled.stats()["native_calls"]
    cpu.cleanup()
    cpu.use_allocator(Raising())
    try:
        with pytest.raises(OutOfMemoryError, match="it raised ZeroDivisionError: no beads") as caught:
            scaled(array)
        assert caught.value.__cause__ is problem and scaled.stats()["native_calls"] == calls + 1
        problem = KeyboardInterrupt()  # type: ignore[assignment]
        with pytest.raises(KeyboardInterrupt):
            cpu.alloc(100)
    finally:
        cpu.use_allocator(None)
    scaled(array)


def test_what_giving_back_raises_is_shown(shared: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: shown.append(kind))
    allocator = allocator_for(shared)

    def free(memory: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(allocator, "free", free)
    shared.use_allocator(allocator)
    shared.alloc(1000).free()
    shared.use_allocator(None)
    shared.cleanup()
    assert shown == [ZeroDivisionError]


def test_objects_that_do_not_fit_are_refused() -> None:
    for name in NAMES[1:]:
        shared = created(name)
        allocator = allocator_for(shared)
        allocate = allocator.allocate
        allocator.allocate = lambda nbytes, allocate=allocate: allocate(max(nbytes // 8 * 4, 4))
        shared.use_allocator(allocator)
        with pytest.raises(OutOfMemoryError, match=r"of 5\d\d bytes was given, and 1,000 were asked for"):
            shared.alloc(1000)
        shared.shutdown()


def test_drivers_that_take_no_memory_of_others() -> None:
    from jitframe.runtime.device import Device

    class Plain:
        def __init__(self) -> None:
            self.facts = jf.backends.get("cpu").device.facts

        def launch(self) -> None: ...

        def compile(self) -> None: ...

        def free(self, memory: Any) -> None: ...

        def synchronize(self) -> None: ...

    driver: Any = Plain()
    backend = Backend(Device("plain", driver.facts, lambda: driver))
    with pytest.raises(BackendError, match="takes no memory of others; leave its pool to it"):
        backend.use_allocator(HostAllocator())
    assert backend.native == {}
