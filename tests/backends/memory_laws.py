"""What memory of every backend does: each law takes a backend of its own, real or on a stand-in."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from jitframe.backends import Backend, set_error_handler
from jitframe.errors import (
    AliasError,
    ArgumentError,
    BackendError,
    BoundsError,
    CompileError,
    DeviceLostError,
    DTypeError,
    OutOfMemoryError,
    UnsupportedDTypeError,
)
from jitframe.ir.types import DTYPES
from jitframe.runtime.device import Device
from jitframe.runtime.driver import Driver

from . import array_laws

Law = Callable[[Backend], None]


def backend_of(driver: Driver, name: str) -> Backend:
    """A backend on a driver that is open already."""
    return Backend(Device(name, driver.facts, lambda: driver))


def numbers(size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, size).astype(np.uint8)


def bytes_come_back_as_they_were(backend: Backend) -> None:
    data = numbers(10_001)
    for size in (0, 1, 3, 4, 4097, 10_001):
        with backend.buffer(size) as buffer:
            buffer.write(data[:size])
            assert buffer.read() == data[:size].tobytes()
            assert len(buffer) == buffer.nbytes == size


def any_bytes_go_to_any_place(backend: Backend) -> None:
    data, held = numbers(4096, seed=1), numbers(5000, seed=2)
    with backend.buffer(4096) as source, backend.buffer(5000) as target:
        source.write(data)
        target.write(held)
        for size, start, to in itertools.product((0, 1, 4, 1001, 4096), (0, 3, 500), (0, 5, 640)):
            if start + size > 4096:
                continue
            assert backend.copy(source, target, size, start, to) == size
            held[to : to + size] = data[start : start + size]
            out = np.zeros((50, 100), np.uint8)
            backend.copy(target, out)
            np.testing.assert_array_equal(out.reshape(-1), held)


def overlapping_copies_are_as_if_by_way_of_other_memory(backend: Backend) -> None:
    meant = numbers(3000)
    with backend.buffer(3000) as buffer:
        buffer.write(meant)
        for size, start, to in ((2000, 0, 7), (2000, 900, 896), (2999, 1, 0), (2999, 0, 1), (100, 50, 50)):
            backend.copy(buffer, buffer, size, start, to)
            meant[to : to + size] = meant[start : start + size].copy()
            assert buffer.read() == meant.tobytes(), (size, start, to)
        first, second = buffer[:2000], buffer[1000:]
        backend.copy(first, second)
        meant[1000:] = meant[:2000].copy()
        assert buffer.read() == meant.tobytes()


def parts_share_the_memory(backend: Backend) -> None:
    with backend.buffer(100) as buffer:
        buffer.write(bytes(range(100)))
        part = buffer.part(10, 20)
        assert part.read() == bytes(range(10, 30))
        inner = part[5:9]
        inner.write(b"abcd")
        assert buffer.read(6, offset=14) == bytes([14]) + b"abcd" + bytes([19])
        assert (part.descriptor.nbytes, part.descriptor.alignment) == (20, 2)
        for offset, nbytes in ((0, 21), (20, 1), (21, 0)):
            with pytest.raises(BoundsError, match=f"{nbytes} bytes from {offset} on do not lie in"):
                part.part(offset, nbytes)
        with pytest.raises(BackendError, match="free the whole buffer"):
            part.free()
        with pytest.raises(ArgumentError, match="not every 2th"):
            buffer[::2]
        with pytest.raises(DTypeError, match="has no elements"):
            buffer[3]  # type: ignore[index]
    with pytest.raises(BackendError, match="is used that was freed"):
        inner.read()


def memory_is_given_back_once(backend: Backend) -> None:
    before = backend.device.statistics().live
    buffer = backend.alloc(1000)
    assert backend.device.statistics().live > before
    buffer.free()
    assert buffer.is_freed and backend.device.statistics().live == before
    with pytest.raises(BackendError, match="is freed that was freed before; free each buffer once"):
        buffer.free()
    for use in (buffer.read, lambda: buffer.write(b"a"), lambda: buffer.part(0, 1), buffer.view):
        with pytest.raises(BackendError, match="is used that was freed; allocate another one"):
            use()
    with pytest.raises(ZeroDivisionError), backend.buffer(1000) as buffer:
        raise ZeroDivisionError
    assert buffer.is_freed
    part = backend.alloc(1000)[:10]
    assert backend.device.statistics().live > before, "a part keeps the whole"
    del part
    assert backend.device.statistics().live == before
    with backend.buffer(10) as early:
        early.free()


def the_preferred_alignment_is_followed(backend: Backend) -> None:
    preferred = backend.hints.alignment

    def check(expected: int) -> None:
        with backend.buffer(100) as buffer, backend.pool(1 << 14) as pool:
            assert buffer.descriptor.alignment >= expected
            place = getattr(backend.device.driver, "place", None)
            assert (buffer.view()[1] if place is None else place(buffer.view())) % expected == 0
            first, second = pool.alloc(10), pool.alloc(10)
            assert (second.offset - first.offset, second.descriptor.alignment) == (expected, expected)
            assert pool.alloc(10, alignment=16).offset - first.offset == 16

    check(preferred)
    backend.tune(alignment=2048)
    try:
        check(2048)
    finally:
        backend.tune(alignment=preferred)


def alignments_are_kept(backend: Backend) -> None:
    for alignment in (1, 2, 64, 256, 4096, 1 << 16):
        with backend.buffer(5000, alignment) as buffer:
            assert buffer.descriptor.alignment >= alignment
            with backend.device.using() as driver:
                place = getattr(driver, "place", None)
                if place is not None:
                    assert place(buffer.view()) % alignment == 0
                else:
                    assert buffer.view()[1] % alignment == 0
            buffer.write(numbers(5000))
            assert buffer.read() == numbers(5000).tobytes()
    for alignment in (0, 3, 48):
        with pytest.raises(ArgumentError, match=f"alignment={alignment} is no power of two"):
            backend.alloc(10, alignment)


def what_is_no_count_of_bytes_is_refused(backend: Backend) -> None:
    with pytest.raises(ArgumentError, match="nbytes=-1 is negative"):
        backend.alloc(-1)
    with pytest.raises(DTypeError, match="nbytes is a number of bytes, an int, not a float"):
        backend.alloc(1.5)  # type: ignore[arg-type]
    with backend.buffer(10) as buffer:
        with pytest.raises(BoundsError, match="11 bytes from 0 on do not lie in dst, which has 10 bytes"):
            buffer.write(bytes(11))
        with pytest.raises(BoundsError, match="3 bytes from 8 on do not lie in the buffer"):
            buffer.read(3, offset=8)
        with pytest.raises(BoundsError, match="0 bytes from 11 on do not lie in src"):
            backend.copy(buffer, bytearray(10), src_offset=11)
        with pytest.raises(ArgumentError, match="dst_offset=-1 is negative"):
            backend.copy(b"a", buffer, dst_offset=-1)
        with pytest.raises(AliasError, match=r"dst is read-only \(bytes\); give a bytearray"):
            backend.copy(buffer, bytes(10))
        with pytest.raises(DTypeError, match="src is a float; a copy takes buffers, ndarrays"):
            backend.copy(1.5, buffer)
        with pytest.raises(ArgumentError, match="do not lie in one piece"):
            backend.copy(np.ones((4, 4), np.uint8)[:, :2], buffer)
        frozen = np.zeros(10, np.uint8)
        frozen.flags.writeable = False
        with pytest.raises(AliasError, match="dst is a read-only ndarray"):
            backend.copy(buffer, frozen)


def pinned_memory_is_the_hosts(backend: Backend) -> None:
    with backend.alloc_pinned(5000) as pinned, backend.buffer(5000) as buffer:
        assert pinned.descriptor.location in ("pinned", "host") and pinned.descriptor.usage == "staging"
        pinned.content[:] = numbers(5000).tobytes()
        backend.copy(pinned, buffer)
        pinned.content[:] = bytes(5000)
        backend.copy(buffer, pinned, 4000, dst_offset=1000)
        assert bytes(pinned.content) == bytes(1000) + numbers(5000)[:4000].tobytes()
    with pytest.raises(BackendError, match="was freed"):
        _ = pinned.content
    with backend.alloc_pinned(0) as nothing:
        assert nothing.read() == b""


def its_end_is_that_of_what_it_holds(backend: Backend) -> None:
    order: list[str] = []
    before = backend.device.statistics().live
    buffer = backend.alloc(100)
    first = backend.resource(lambda: "first", order.append)
    second = backend.resource(lambda: "second", order.append)
    taken = backend.resource(lambda: "taken", order.append)
    assert taken.take() == "taken"
    backend.shutdown()
    assert order == ["second", "first"] and not (first.is_open or second.is_open)
    assert backend.device.statistics().live == before
    with pytest.raises(BackendError, match="was shut down"):
        buffer.read()
    for use in (lambda: backend.alloc(1), lambda: backend.copy(b"a", bytearray(1))):
        with pytest.raises(BackendError, match="was shut down"):
            use()


class Wrong:
    """An application's allocator that gives what is no memory, or raises."""

    def __init__(self, given: object) -> None:
        self.given = given

    def allocate(self, nbytes: int) -> object:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given

    def free(self, memory: object) -> None: ...


def allocators_that_err_are_told(backend: Backend) -> None:
    name = backend.name
    start = f"the allocator that {name} was given has no memory for 1,0"
    try:
        for given in (ValueError("no beads"), MemoryError(), "abc", -1, 1.5, True, 1 << 70, [4096], None, 0):
            backend.use_allocator(Wrong(given))  # type: ignore[arg-type]
            with pytest.raises(OutOfMemoryError) as caught:
                backend.alloc(1000)
            error = caught.value
            assert error.message.startswith(start), error.message
            assert error.device == name and 1000 <= error.context["asked_bytes"] < 1100
            if isinstance(given, Exception):
                assert error.__cause__ is given
                assert f"(it raised {type(given).__name__}: {given})" in error.message
                assert "mend that allocator" in error.suggestions
            elif given:
                assert isinstance(error.__cause__, ArgumentError)
                assert f"({given!r} is no " in error.message and "mend that allocator" in error.suggestions
            else:
                assert error.__cause__ is None and "delete some" in error.suggestions
    finally:
        backend.use_allocator(None)
    backend.alloc(1000).free()
    with pytest.raises(ArgumentError, match="this one has no allocate, or free"):
        backend.use_allocator(object())  # type: ignore[arg-type]


def errors_are_heard(backend: Backend) -> None:
    device, heard = backend.device, list[BackendError]()
    freed, other = backend.alloc(16), backend.alloc(16)
    freed.free()
    most = device.facts.largest_buffer
    actions: list[tuple[type[BackendError], Callable[[], object]]] = [
        (BackendError, freed.read),
        (BackendError, freed.free),
        (BackendError, lambda: freed[:3].read()),
        (BackendError, lambda: backend.copy(freed, other)),
        (CompileError, lambda: backend.compile("nonsense", entry="f", parameters={})),
        (OutOfMemoryError, lambda: backend.alloc(most + 1)),
        (OutOfMemoryError, lambda: device.check_size(most + 1, "an array")),
    ]
    lacking = [each for each in DTYPES if not device.has(each)]
    if lacking:
        array = np.ones(3, np.dtype(lacking[0].numpy_name))
        actions.append((UnsupportedDTypeError, lambda: device.upload(array)))
        actions.append((UnsupportedDTypeError, lambda: device.check(lacking[0])))
    before = set_error_handler(heard.append)
    try:
        for kind, action in actions:
            with pytest.raises(kind) as caught:
                action()
            assert heard == [caught.value], f"{kind} by {action}"
            assert caught.value.device == backend.name and caught.value.suggestions
            heard.clear()
        set_error_handler(lambda error: DeviceLostError(f"instead of {type(error).__name__}"))
        for kind, action in actions:
            with pytest.raises(DeviceLostError, match="instead of") as caught:
                action()
            assert isinstance(caught.value.__cause__, kind)
    finally:
        set_error_handler(before)


LAWS: tuple[Law, ...] = (
    bytes_come_back_as_they_were,
    any_bytes_go_to_any_place,
    overlapping_copies_are_as_if_by_way_of_other_memory,
    parts_share_the_memory,
    memory_is_given_back_once,
    alignments_are_kept,
    the_preferred_alignment_is_followed,
    what_is_no_count_of_bytes_is_refused,
    pinned_memory_is_the_hosts,
    its_end_is_that_of_what_it_holds,
    allocators_that_err_are_told,
    *array_laws.LAWS,
    errors_are_heard,
)
