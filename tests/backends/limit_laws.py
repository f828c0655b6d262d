"""What limits do on every backend: each law takes a backend of its own, real or on a stand-in."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jitframe.backends import Backend, Limits, Pressure
from jitframe.errors import OutOfMemoryError
from tests.threads import at_once

Law = Callable[[Backend], None]
KIB = 1 << 10


def held_bytes(backend: Backend) -> int:
    counted = backend.usage()
    return counted.live_bytes + counted.pooled_bytes


def bytes_are_bounded(backend: Backend) -> None:
    backend.cleanup()
    base = backend.usage().live_bytes
    backend.limits = Limits(max_bytes=base + 256 * KIB)
    held = [backend.alloc(64 * KIB) for _ in range(4)]
    with pytest.raises(
        OutOfMemoryError, match=r"\(max_bytes\), holds .*, and 65,536 more are asked"
    ) as raised:
        backend.alloc(64 * KIB)
    context = raised.value.context
    assert (context["asked_bytes"], context["live_bytes"], context["free_bytes"]) == (
        64 * KIB,
        base + 256 * KIB,
        0,
    )
    assert raised.value.device == backend.name and isinstance(raised.value, MemoryError)
    held.pop().free()
    held.append(backend.alloc(64 * KIB))
    assert backend.usage().live_bytes == base + 256 * KIB
    backend.limits = None
    held.append(backend.alloc(64 * KIB))


def kept_memory_is_given_back_for_it(backend: Backend) -> None:
    backend.cleanup()
    most = backend.usage().live_bytes + 256 * KIB
    backend.limits = Limits(max_bytes=most)
    for size in (128 * KIB, 64 * KIB, 200 * KIB, 240 * KIB, 100 * KIB):
        with backend.buffer(size), backend.buffer(1000):
            assert held_bytes(backend) <= most
        assert held_bytes(backend) <= most
    with backend.buffer(256 * KIB):
        assert backend.usage().pooled_bytes == 0


def garbage_is_collected_before_it_fails(backend: Backend) -> None:
    backend.cleanup()
    backend.limits = Limits(max_bytes=backend.usage().live_bytes + 64 * KIB)
    circle: list[object] = [backend.alloc(64 * KIB)]
    circle.append(circle)
    del circle
    backend.alloc(64 * KIB).free()


def buffers_are_counted(backend: Backend) -> None:
    backend.cleanup()
    base = backend.usage().buffers
    backend.limits = Limits(max_buffers=base + 2)
    with backend.buffer(1), backend.buffer(0):
        with pytest.raises(OutOfMemoryError, match=r"\(max_buffers\), and has them; 10 bytes are asked"):
            backend.alloc(10)
        assert backend.usage().buffers == base + 2
    backend.alloc(10).free()


def pressure_is_told_each_time_it_comes(backend: Backend) -> None:
    backend.cleanup()
    base = backend.usage().live_bytes
    told: list[Pressure] = []

    def notice(pressure: Pressure) -> None:
        told.append(pressure)
        backend.alloc(0).free()  # the device can be used

    backend.limits = Limits(pressure_bytes=base + 100 * KIB, on_pressure=notice)
    first = backend.alloc(64 * KIB)
    assert not told
    second = backend.alloc(64 * KIB)
    assert [(each.device, each.threshold_bytes) for each in told] == [(backend.name, base + 100 * KIB)]
    assert told[0].live_bytes >= base + 128 * KIB
    third = backend.alloc(64 * KIB)
    assert len(told) == 1, "it was above before"
    for each in (first, second, third):
        each.free()
    with backend.buffer(128 * KIB):
        assert len(told) == 2


def what_it_did_is_counted(backend: Backend) -> None:
    backend.cleanup()
    before, live = backend.statistics(), backend.usage()
    for _ in range(3):
        with backend.buffer(1000), backend.buffer(3000):
            now = backend.usage()
            assert now.buffers == live.buffers + 2 and now.live_bytes >= live.live_bytes + 4000
    after = backend.statistics()
    assert after.allocations - before.allocations == 6
    assert after.deallocations - before.deallocations == 6
    total = after.average_bytes * after.allocations - before.average_bytes * before.allocations
    assert round(total) == 12_000
    hits = after.hit_rate * after.allocations - before.hit_rate * before.allocations
    assert round(hits) == 4
    assert after.peak_bytes >= live.live_bytes + 4000
    assert backend.cleanup() >= 4000 and backend.usage().pooled_bytes == 0
    backend.limits = Limits(max_buffers=0)
    with pytest.raises(OutOfMemoryError):
        backend.alloc(1)
    backend.limits = None
    assert backend.statistics().failures == after.failures + 1, (
        "it was asked again, which is no other failure"
    )


def errors_leave_nothing_behind(backend: Backend) -> None:
    backend.cleanup()
    base = backend.usage()
    backend.limits = Limits(max_bytes=base.live_bytes + 64 * KIB)
    for _ in range(20):
        with pytest.raises(OutOfMemoryError), backend.buffer(32 * KIB):
            backend.alloc(48 * KIB)
    now = backend.usage()
    assert (now.live_bytes, now.buffers) == (base.live_bytes, base.buffers)
    with backend.buffer(64 * KIB):
        pass


def threads_keep_within_limits_together(backend: Backend) -> None:
    backend.cleanup()
    most = backend.usage().live_bytes + 128 * KIB
    backend.limits = Limits(max_bytes=most)
    refused, seen = [0], []

    def work(_: int) -> None:
        for _ in range(100):
            try:
                with backend.buffer(48 * KIB):
                    seen.append(backend.usage().live_bytes)
            except OutOfMemoryError:
                refused[0] += 1

    at_once(work, 4)
    assert len(seen) + refused[0] == 400 and seen and max(seen) <= most
    assert backend.usage().live_bytes == most - 128 * KIB


def who_holds_it_is_told_with_lines_when_monitored(backend: Backend) -> None:
    backend.monitor()
    small, large = backend.alloc(10 * KIB), backend.alloc(90 * KIB)
    first, second = (each for each in backend.holders() if each.what == "a buffer")
    assert (first.nbytes, second.nbytes) == (90 * KIB, 10 * KIB)
    assert first.line is not None and first.line.file == __file__
    assert first.line.function == "who_holds_it_is_told_with_lines_when_monitored"
    large.free()
    backend.monitor(False)
    unseen = backend.alloc(90 * KIB)
    assert [each.line is None for each in backend.holders() if each.what == "a buffer"] == [True, False]
    backend.limits = Limits(max_bytes=backend.usage().live_bytes)
    with pytest.raises(OutOfMemoryError) as raised:
        backend.alloc(KIB)
    lines = raised.value.message.splitlines()
    assert lines[0].endswith("; delete some, work on parts, or choose another device")
    assert lines[1] == "  free: 0 bytes"
    held = [line for line in lines if "a buffer" in line]
    assert held[0] == "  held by a buffer, 92,160 bytes"
    assert held[1].startswith("  held by a buffer, 10,240 bytes, made at ") and "limit_laws.py:" in held[1]
    notes = "notes the lines that make what is held"
    if backend.device.is_shared:
        assert lines[-1] == f"  (jf.backends.get({backend.name!r}).monitor() {notes})"
    else:
        made = f"jf.backends.create({backend.name!r})"
        assert lines[-1] == f"  (monitor() of the backend that {made} made {notes})"
    small.free()
    unseen.free()


def room_is_told(backend: Backend) -> None:
    backend.cleanup()
    backend.limits = Limits(max_bytes=backend.usage().live_bytes + 64 * KIB)
    there = backend.room()
    assert there.fits(64 * KIB) and not there.fits(65 * KIB)
    assert there.is_measured and str(there) == "65,536 bytes are free"
    backend.limits = None
    assert backend.room().fits(1)
    assert backend.room().fits(1 << 50) is (backend.room().nbytes is None)


def arrays_are_bounded_too(backend: Backend) -> None:
    backend.cleanup()
    device, array = backend.device, np.ones(16 * KIB, np.float32)
    base = backend.usage().live_bytes
    backend.limits = Limits(max_bytes=base + 100 * KIB)
    if device.is_host:
        return  # its arrays are ndarrays
    first = device.upload(array)
    with pytest.raises(OutOfMemoryError):
        device.upload(array)
    del first
    device.upload(array)


LAWS: tuple[Law, ...] = (
    bytes_are_bounded,
    kept_memory_is_given_back_for_it,
    garbage_is_collected_before_it_fails,
    buffers_are_counted,
    pressure_is_told_each_time_it_comes,
    what_it_did_is_counted,
    errors_leave_nothing_behind,
    threads_keep_within_limits_together,
    who_holds_it_is_told_with_lines_when_monitored,
    room_is_told,
    arrays_are_bounded_too,
)
