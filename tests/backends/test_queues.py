"""Streams with queues of their own: on a fake device that works as late as it may, and on OpenCL."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError, OutOfMemoryError
from jitframe.runtime.device import Device
from jitframe.runtime.queues import ordering

from .queue_laws import N, any_order, asked_for, full, reuse
from .written import axpy, get, put

LaunchConfig = jf.backends.LaunchConfig


@pytest.fixture
def fake() -> Iterator[Any]:
    with jf.backends.fake("late", streams=4) as fake:
        yield fake


@pytest.fixture
def backend(fake: Any) -> Iterator[Any]:
    with jf.backends.create("late") as backend:
        yield backend


def done(stream: Any) -> bool:
    """Whether the device has done all of a stream."""
    point = stream._queue.point()
    return point is None or point.lane.driver.is_over(point.event)


# Order between queues -------------------------------------------------------------------------------------
def test_nothing_is_done_before_it_is_waited_for(backend: Any) -> None:
    x, y = put(backend, full(1)), put(backend, full(0))
    program = backend.compile(axpy())
    with backend.stream("a") as a, backend.stream("b") as b:
        first, second = a.execute(program, [x, y], [1.0, N]), b.execute(program, [x, x], [1.0, N])
        asked_for(second)
        first.wait()
        assert a.has_queue and b.has_queue and a._queue.lane is not b._queue.lane
        assert done(a) and not done(b), "one stream's wait leaves the others' work alone"
        second.wait()
        assert done(b)
    np.testing.assert_array_equal(get(backend, y, full(0)), full(1))


def test_readers_do_not_wait_for_each_other(backend: Any) -> None:
    shared, ys = put(backend, full(2)), [put(backend, full(0)) for _ in range(2)]
    program = backend.compile(axpy())
    with backend.stream("a") as a, backend.stream("b") as b:
        asked_for(a.execute(program, [shared, ys[0]], [1.0, N]))
        b.execute(program, [shared, ys[1]], [1.0, N]).wait()
        assert done(b) and not done(a)
        a.synchronize()
    for y in ys:
        np.testing.assert_array_equal(get(backend, y, full(0)), full(2))


def test_a_reader_comes_after_the_writer(backend: Any) -> None:
    x, y = put(backend, full(0)), put(backend, full(0))
    program = backend.compile(axpy())
    with backend.stream("a") as a, backend.stream("b") as b:
        written = a.copy(full(3), x)
        asked_for(written)
        b.execute(program, [x, y], [1.0, N]).wait()
        assert done(a)
    np.testing.assert_array_equal(get(backend, y, full(0)), full(3))


def test_a_writer_comes_after_the_readers(backend: Any) -> None:
    x, y = put(backend, full(5)), put(backend, full(0))
    program = backend.compile(axpy())
    with backend.stream("a") as a, backend.stream("b") as b:
        read = a.execute(program, [x, y], [1.0, N])
        asked_for(read)
        b.copy(full(9), x).wait()
        assert done(a)
    np.testing.assert_array_equal(get(backend, y, full(0)), full(5))


def test_events_are_followed_on_the_device(backend: Any) -> None:
    """Through a stream in between that does nothing else."""
    out = np.zeros(N, np.float32)
    x = put(backend, full(1))
    with backend.stream("a") as a, backend.stream("b") as b, backend.stream("c") as c:
        written = a.copy(full(7), x)
        b.wait(written)
        c.wait(b.record())
        event = c.record()
        asked_for(event)
        assert not done(a) and not done(c), "nobody waited on the host"
        event.wait()
        assert done(a)
        c.copy(x, out).wait()
    np.testing.assert_array_equal(out, full(7))


def test_what_is_copied_stays_until_the_event(backend: Any) -> None:
    """The device reads the program's own bytes, when it comes to it."""
    x, data = put(backend, full(0)), full(4)
    with backend.stream() as stream:
        event = stream.copy(data, x)
        asked_for(event)
        assert not done(stream)
        del data
        gc.collect()
        event.wait()
    np.testing.assert_array_equal(get(backend, x, full(0)), full(4))


def test_functions_of_the_host_come_after_work_of_the_device(backend: Any) -> None:
    out, seen = np.zeros(N, np.float32), []
    x = put(backend, full(6))
    with backend.stream() as stream:
        stream.copy(x, out)
        stream.run(lambda: seen.append(out.copy())).wait()
    np.testing.assert_array_equal(seen[0], full(6))


# Memory that is used again ----------------------------------------------------------------------------------
def test_freed_memory_is_not_used_again_too_early(backend: Any) -> None:
    np.testing.assert_array_equal(reuse(backend), full(2))


def test_the_fake_device_shows_memory_that_is(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test before would see."""
    monkeypatch.setattr(ordering.OrderingDriver, "free", lambda self, memory: self.inner.free(memory))
    assert not (reuse(backend) == 2).any()


def test_freed_memory_comes_back(fake: Any, backend: Any) -> None:
    program = backend.compile(axpy())
    y = put(backend, full(0))
    with backend.stream() as stream:
        for _ in range(200):
            x = put(backend, full(1))
            stream.execute(program, [x, y], [1.0, N]).wait()
            x.free()
        assert backend.statistics().allocations == 201 and backend.device.statistics().allocations < 10
    np.testing.assert_array_equal(get(backend, y, full(0)), full(200))


def test_memory_that_other_queues_use_is_waited_for_where_there_is_no_more() -> None:
    nbytes = 1 << 16
    with (
        jf.backends.fake("small", streams=2, memory_bytes=3 << 16) as _,
        jf.backends.create("small") as backend,
    ):
        xs = np.ones(nbytes // 4, np.float32)
        y = put(backend, xs * 0)
        program = backend.compile(axpy())
        with backend.stream() as stream:
            for _ in range(5):
                x = put(backend, xs)
                asked = stream.execute(program, [x, y], [1.0, xs.size], LaunchConfig(xs.size // 64))
                asked_for(asked)
                x.free()
            with pytest.raises(OutOfMemoryError):
                backend.alloc(4 << 16)
        np.testing.assert_array_equal(get(backend, y, xs), 5 * xs)


# Any order at all -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["late", "opencl", "webgpu"])
def test_any_order(fake: Any, name: str, seed: int) -> None:
    backend = jf.backends.get(name)
    any_order(backend, seed)
    backend.synchronize()
    assert backend.device._ordering is None, "nothing is left of closed streams"


def test_the_fake_device_shows_any_order_that_is_wrong(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering.OrderingDriver, "follow", lambda self, point: None)

    def every_seed() -> None:
        for seed in range(8):
            any_order(jf.backends.get("late"), seed)

    with pytest.raises(AssertionError):
        every_seed()


# What the program launches in a stream ----------------------------------------------------------------------
def test_jitted_functions_are_launched_in_an_active_stream(fake: Any) -> None:
    backend = jf.backends.get("late")  # whose device Tensors are on
    x = jf.asarray(full(1), device="late")
    function = jf.jit(lambda t: t * 3)
    function(x).numpy()
    with backend.stream() as stream:
        with stream.activate() as active:
            assert active is stream
            y = function(x)
        assert not done(stream)
        np.testing.assert_array_equal((y + 1).numpy(), full(4))  # computed on the device's first queue
        assert done(stream)
        with stream.activate():
            z = function(x)
        stream.record().wait()
        assert done(stream)
        np.testing.assert_array_equal(z.numpy(), full(3))


def test_active_streams_come_after_what_they_were_asked_for(backend: Any) -> None:
    x, seen = put(backend, full(0)), []
    with backend.stream() as stream:
        stream.run(seen.append, 1)
        stream.copy(full(8), x)
        with stream.activate():
            assert get(backend, x, full(0))[0] == 8 and seen == [1]


def test_active_streams_nest(fake: Any, backend: Any) -> None:
    x, y = put(backend, full(1)), put(backend, full(1))
    program = backend.compile(axpy())
    with backend.stream("a") as a, backend.stream("b") as b:
        with a.activate():
            with b.activate():
                backend.execute(program, [x, x], [1.0, N])
            assert not done(b) and not a.has_queue
            backend.execute(program, [y, y], [1.0, N])
        assert not done(a) and not done(b)


# Errors ---------------------------------------------------------------------------------------------------
def source_line(error: BackendError) -> str:
    line = error.line
    assert line is not None
    return Path(line.file).read_text().splitlines()[line.line - 1]


def test_errors_of_the_device_name_the_line_that_launched(fake: Any, backend: Any) -> None:
    x, y = put(backend, full(1)), put(backend, full(0))
    program = backend.compile(axpy())
    with backend.stream() as stream:
        stream.execute(program, [x, y], [1.0, N]).wait()
        fake.fail("launch", late=True)
        bad = stream.execute(program, [x, y], [1.0, N])  # the bad one
        good = stream.execute(program, [x, y], [1.0, N])
        with pytest.raises(BackendError, match="launching failed") as caught:
            stream.synchronize()
        assert "the bad one" in source_line(caught.value)
        assert caught.value.device == "late"
        bad.wait()  # it was told
        good.wait()
        stream.synchronize()
        fake.fail("launch", late=True)
        with stream.activate():
            backend.execute(program, [x, y], [1.0, N])  # another bad one
        with pytest.raises(BackendError, match="launching failed") as caught:
            stream.record().wait()
        assert "another bad one" in source_line(caught.value)


def test_positions_out_of_bounds_are_raised_by_the_stream(fake: Any) -> None:
    backend = jf.backends.get("late")
    x = jf.asarray(np.arange(5, dtype=np.float32), device="late")
    index = jf.asarray(np.array([1, 9], np.int32), device="late")
    take = jf.jit(lambda t, i: t[i])
    with backend.stream() as stream:
        with stream.activate():
            take(x, index)
        with pytest.raises(IndexError, match="index 9 is out of bounds"):
            stream.synchronize()
        stream.synchronize()


def test_a_lost_device_gives_streams_new_queues(fake: Any, backend: Any) -> None:
    program = backend.compile(axpy())
    x = put(backend, full(1))
    stream = backend.stream()
    stream.execute(program, [x, x], [1.0, N]).wait()
    fake.lose("launch")
    with pytest.raises(BackendError, match="was lost"):
        stream.execute(program, [x, x], [1.0, N]).wait()
    x, program = put(backend, full(1)), backend.compile(axpy())
    stream.execute(program, [x, x], [1.0, N]).wait()
    assert stream.has_queue
    np.testing.assert_array_equal(get(backend, x, full(0)), full(2))
    stream.close()


# Queues come and go ---------------------------------------------------------------------------------------
def test_more_streams_than_queues_share_the_first_one(backend: Any) -> None:
    streams = [backend.stream() for _ in range(5)]
    x = put(backend, full(1))
    program = backend.compile(axpy())
    for each in streams:
        each.execute(program, [x, x], [1.0, N])
    for each in streams:
        each.synchronize()
    assert [each.has_queue for each in streams].count(True) == 3
    np.testing.assert_array_equal(get(backend, x, full(0)), full(32))
    for each in streams:
        each.close()
    device: Device = backend.device
    assert device._ordering is None and not isinstance(device._front, ordering.OrderingDriver)


def test_a_stream_that_nobody_holds_gives_its_queue_back(backend: Any) -> None:
    x = put(backend, full(1))
    program = backend.compile(axpy())
    stream = backend.stream()
    stream.execute(program, [x, x], [1.0, N]).wait()
    assert backend.device._ordering is not None
    del stream
    gc.collect()
    backend.synchronize()
    assert backend.open_streams == 0 and backend.device._ordering is None


def test_times_are_compared_between_streams(backend: Any) -> None:
    with backend.stream() as a, backend.stream() as b:
        first, last = a.record(timing=True), b.record(timing=True)
        assert abs(first.elapsed(last)) < 60


def test_capabilities_tell_queues() -> None:
    opencl = jf.backends.get("opencl")
    assert opencl.capabilities.streams > 1
    assert opencl.capabilities.task_parallelism is (opencl.device.facts.kind != "cpu")
    assert jf.backends.get("webgpu").capabilities.streams == 1
    assert jf.backends.get("cpu").capabilities.streams == 1
