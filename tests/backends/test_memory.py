"""Memory on the backends that are here for real, and between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Backend, copies
from jitframe.errors import BackendError, OutOfMemoryError
from jitframe.runtime.memory import transfer
from tests.threads import at_once

from .memory_laws import LAWS, Law, numbers

NAMES = ("cpu", "opencl", "webgpu")


def created(name: str) -> Backend:
    try:
        return jf.backends.create(name)
    except BackendError as absent:
        pytest.skip(absent.message)


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    made = created(request.param)
    yield made
    made.shutdown()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Law, backend: Backend) -> None:
    law(backend)


def test_where_a_buffer_is_is_told(backend: Backend) -> None:
    with backend.buffer(100) as buffer, backend.alloc_pinned(10) as pinned:
        host = backend.name == "cpu"
        assert buffer.descriptor.location == ("host" if host else "device")
        assert buffer.is_on_host is host and pinned.is_on_host
        assert pinned.descriptor.location == "host", "no driver here pins memory"
        assert repr(buffer) == f"<buffer of 100 bytes on {backend.name}, {buffer.descriptor.location}>"
        if host:
            buffer.content[:3] = b"abc"
            assert buffer.read(3) == b"abc"
        else:
            with pytest.raises(BackendError, match="the host does not reach memory of"):
                _ = buffer.content
    assert repr(buffer).endswith("was freed>")


def test_tensors_are_sources(backend: Backend) -> None:
    x = jf.asarray(np.arange(12, dtype=np.float32).reshape(3, 4), device=backend.name) + 1
    with backend.buffer(48) as buffer:
        assert backend.copy(x, buffer) == 48
        assert buffer.read() == (np.arange(12, dtype=np.float32) + 1).tobytes()
        with pytest.raises(jf.errors.DTypeError, match="dst is a Tensor"):
            backend.copy(buffer, x)


def test_hosts_bytes_are_copied_too(backend: Backend) -> None:
    out = bytearray(6)
    assert backend.copy(b"abcd", out, 3, src_offset=1, dst_offset=2) == 3
    assert out == b"\0\0bcd\0"
    backend.copy(out, out, 4, 0, 2)
    assert out == b"\0\0\0\0bc", "as memmove"


@pytest.mark.parametrize("pair", tuple(itertools.permutations(NAMES, 2)), ids="-".join)
def test_between_backends(pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_PEER_BYTES", 1000)
    data, other = numbers(9000, seed=1), numbers(9000, seed=2)
    with created(pair[0]) as here, created(pair[1]) as there:
        source, target = here.alloc(9000), there.alloc(9000)
        source.write(data)
        target.write(other)
        for size, start, to in itertools.product((0, 1, 999, 4003), (0, 3, 512), (0, 5)):
            assert here.copy(source, target, size, start, to) == size
            other[to : to + size] = data[start : start + size]
            assert target.read() == other.tobytes()
        there.copy(target, source)
        assert source.read() == other.tobytes()


def test_two_devices_of_one_name_do_not_wait_for_each_other() -> None:
    first, second = created("opencl"), created("opencl")
    a, b = first.alloc(100), second.alloc(100)
    a.write(numbers(100))
    first.copy(a, b)
    assert b.read() == numbers(100).tobytes()


def test_long_overlapping_ranges_go_in_parts(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_OVERLAP_BYTES", 1024)
    meant = numbers(10_000)
    with backend.buffer(10_000) as buffer:
        for start, to in ((0, 100), (100, 0), (0, 1023), (3000, 0)):
            buffer.write(meant)
            backend.copy(buffer, buffer, 7000, start, to)
            moved = meant.copy()
            moved[to : to + 7000] = meant[start : start + 7000]
            assert buffer.read() == moved.tobytes()


# Resources -----------------------------------------------------------------------------------------------
def test_cleanup_runs_exactly_once() -> None:
    backend, seen = created("cpu"), []
    resource = backend.resource(lambda: 1, seen.append)
    with resource as value:
        assert value == resource.value == 1
    resource.close()
    resource.__exit__()
    assert seen == [1]
    with pytest.raises(BackendError, match="was cleaned up or taken before"):
        _ = resource.value
    with pytest.raises(BackendError, match="was cleaned up or taken before"):
        resource.take()
    backend.shutdown()
    assert seen == [1]


def test_cleanup_after_an_exception_and_at_the_last_reference() -> None:
    backend, seen = created("cpu"), []
    with pytest.raises(ZeroDivisionError), backend.resource(lambda: "raised", seen.append):
        raise ZeroDivisionError
    backend.resource(lambda: "dropped", seen.append)
    assert seen == ["raised", "dropped"]
    with pytest.raises(ZeroDivisionError):
        backend.resource(lambda: 1 // 0, seen.append)
    assert len(seen) == 2


def test_all_cleanups_run_though_some_fail() -> None:
    backend, seen = created("cpu"), []

    def failing(value: str) -> None:
        seen.append(value)
        raise ValueError(f"{value} cannot be closed")

    held = [backend.resource(lambda name=name: name, failing) for name in ("a", "b")]
    with pytest.raises(BackendError, match="2 cleanups failed: ValueError: b cannot be closed; ") as raised:
        backend.shutdown()
    assert seen == ["b", "a"] and isinstance(raised.value.__cause__, ValueError)
    backend.shutdown()
    assert len(seen) == 2 and not any(each.is_open for each in held)


def test_many_threads_close_one_resource_once() -> None:
    backend, seen = created("cpu"), []
    for _ in range(50):
        resource = backend.resource(object, seen.append)
        at_once(lambda _, close=resource.close: close(), 4)
    assert len(seen) == 50


@pytest.mark.parametrize("name", NAMES)
def test_an_allocator_may_not_need_what_it_allocates(name: str) -> None:
    """One that computes on the device itself would be asked again, and again."""
    backend = jf.backends.get(name) if name == "cpu" else created(name)
    depths, depth = [], 0

    class Circular:
        def allocate(self, nbytes: int) -> int:
            nonlocal depth
            depth += 1
            depths.append(depth)
            try:
                if depth < 50:
                    (jf.ones(250, dtype="float32", device=backend) + 1).numpy()
                return 0
            finally:
                depth -= 1

        def free(self, memory: object) -> None: ...

    backend.use_allocator(Circular())
    try:
        with pytest.raises(OutOfMemoryError) as caught:
            backend.alloc(1 << 22)
    finally:
        backend.use_allocator(None)
    assert caught.value.__cause__ is not None and max(depths) == 1
    backend.alloc(1000).free()
