"""Awaitables, streams and events on cpu, opencl and webgpu; cancelling, errors at the wait, many threads."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, BackendError, CompileError
from jitframe.tensors import waiting
from tests.threads import at_once

from .written import NAMES, axpy, get, put

LaunchConfig = jf.backends.LaunchConfig


@pytest.fixture(params=NAMES)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def value(tensor: Any) -> Any:
    """A task of it: gather takes hashable awaitables."""
    return await tensor


# Tensors ------------------------------------------------------------------------------------------------
def test_a_tensor_is_awaited(device: str) -> None:
    async def compute() -> Any:
        x = jf.asarray(np.arange(1000, dtype=np.float32), device=device)
        y = x * 2 + 1
        assert await y is y
        assert await y is y
        return (await asyncio.gather(*map(value, (y + 1, y - 1, jf.sum(y)))))[0].numpy()

    np.testing.assert_array_equal(asyncio.run(compute()), 2 * np.arange(1000) + 2)


def test_block_until_ready(device: str) -> None:
    x = jf.asarray(np.ones(100, np.float32), device=device)
    y = x + 1
    assert y.block_until_ready() is y and "not computed" not in repr(y)


def test_the_loop_goes_on_while_a_tensor_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which waits here until another task has been at work."""
    ticked, compute = threading.Event(), waiting.compute

    def slowly(*given: Any) -> Any:
        assert ticked.wait(60)
        return compute(*given)

    async def tick() -> None:
        ticked.set()

    async def work() -> Any:
        ticking = asyncio.ensure_future(tick())
        found = await (jf.asarray(np.arange(9.0).reshape(3, 3)) * 2)
        await ticking
        return found.tolist()

    monkeypatch.setattr(waiting, "compute", slowly)
    assert asyncio.run(work()) == [[0, 2, 4], [6, 8, 10], [12, 14, 16]]


def test_errors_of_tensors_are_raised_where_they_are_awaited(device: str) -> None:
    async def compute() -> None:
        x = jf.asarray(np.arange(5, dtype=np.float32), device=device)
        index = jf.asarray(np.array([1, 9], np.int32), device=device)
        await x[index]

    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 5") as caught:
        asyncio.run(compute())
    assert caught.value.line.file == __file__  # type: ignore[attr-defined]


# Backends -----------------------------------------------------------------------------------------------
def test_all_of_a_backend_is_awaited(device: str) -> None:
    async def work() -> Any:
        async with jf.backends.create(device) as backend:
            assert backend.is_initialized
            xs, out = np.ones(64, np.float32), np.zeros(64, np.float32)
            x, y = backend.alloc(256), backend.alloc(256)
            program = await backend.compile_async(axpy())
            assert await backend.copy_async(xs, x) == 256
            await backend.copy_async(xs, y)
            await backend.execute_async(program, [x, y], [2.0, 64])
            await backend.synchronize_async()
            await backend.copy_async(y, out)
        assert not backend.is_initialized
        other = jf.backends.create(device)
        await other.initialize_async()
        await other.shutdown_async()
        return out

    np.testing.assert_array_equal(asyncio.run(work()), np.full(64, 3, np.float32))


def test_cancelling_leaves_the_device_usable(device: str) -> None:
    started, may_go = threading.Event(), threading.Event()

    async def work() -> Any:
        async with jf.backends.create(device) as backend:
            xs = np.ones(64, np.float32)
            x, y = put(backend, xs), put(backend, xs)
            program = backend.compile(axpy())
            execute = backend.execute

            def slowly(*given: Any) -> None:
                started.set()
                may_go.wait(200)
                execute(*given)

            backend.execute = slowly
            task = asyncio.ensure_future(backend.execute_async(program, [x, y], [1.0, 64]))
            while not started.is_set():
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            may_go.set()  # what was begun comes to its end
            del backend.execute
            await backend.execute_async(program, [x, y], [1.0, 64])
            return get(backend, y, xs)

    found = asyncio.run(work())
    assert found[0] in (2, 3) and (found == found[0]).all()


def test_errors_name_the_line_that_asked(device: str) -> None:
    async def work() -> None:
        async with jf.backends.create(device) as backend:
            await backend.execute_async(backend.compile(axpy()), [], [])

    with pytest.raises(ArgumentError, match="takes 2 buffers") as caught:
        asyncio.run(work())
    assert caught.value.line is not None and caught.value.line.file == __file__
    assert caught.value.line.function == "work" and str(caught.value).count(" at ") == 1


# Streams ------------------------------------------------------------------------------------------------
def test_a_stream_works_in_order(device: str) -> None:
    xs, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    with jf.backends.create(device) as backend:
        x, y = backend.alloc(256), backend.alloc(256)
        program = backend.compile(axpy())
        with backend.stream("work") as stream:
            stream.copy(xs, x)
            stream.copy(xs, y)
            for _ in range(10):
                stream.execute(program, [x, y], [1.0, 64])
            event = stream.copy(y, out)
            assert event.wait() == 256 and event.is_submitted
            np.testing.assert_array_equal(out, np.full(64, 11, np.float32))
            assert backend.usage().streams == 1
        assert backend.usage().streams == 0
        with pytest.raises(BackendError, match="<stream work of .*, closed> is used"):
            stream.record()
        stream.close()


def test_the_caller_goes_on() -> None:
    may_go, done = threading.Event(), []
    with jf.backends.create("cpu") as backend, backend.stream() as stream:
        event = stream.run(may_go.wait, 200)
        stream.run(done.append, 1)
        assert not event.is_submitted and not done
        with pytest.raises(TimeoutError):
            event.wait(0.01)
        may_go.set()
        stream.synchronize()
        assert done == [1] and event.is_submitted


def test_streams_wait_for_each_others_events(device: str) -> None:
    order: list[str] = []
    with jf.backends.create(device) as backend, backend.stream("a") as a, backend.stream("b") as b:
        a.run(time.sleep, 0.05)
        a.run(order.append, "a")
        b.wait(a.record())
        b.run(order.append, "b")
        b.synchronize()
    assert order == ["a", "b"]


def test_events_have_times(device: str) -> None:
    xs = np.ones(64, np.float32)
    with jf.backends.create(device) as backend, backend.stream() as stream:
        x, y = put(backend, xs), put(backend, xs)
        program = backend.compile(axpy())
        begin = stream.record(timing=True)
        stream.execute(program, [x, y], [1.0, 64])
        end = stream.record(timing=True)
        assert 0 <= begin.elapsed(end) < 60
        with pytest.raises(BackendError, match="no times to compare"):
            begin.elapsed(stream.record())


def test_events_are_awaited(device: str) -> None:
    async def work() -> Any:
        xs = np.ones(64, np.float32)
        async with jf.backends.create(device) as backend, backend.stream() as stream:
            x, y = put(backend, xs), put(backend, xs)
            await stream.execute(backend.compile(axpy()), [x, y], [1.0, 64])
            await stream.synchronize_async()
            return get(backend, y, xs)

    np.testing.assert_array_equal(asyncio.run(work()), np.full(64, 2, np.float32))


def test_errors_surface_at_the_wait_with_the_line_of_the_launch() -> None:
    with jf.backends.create("cpu") as backend:
        program = backend.compile(axpy())
        with backend.stream() as stream:
            event = stream.execute(program, [], [])  # this line
            good = stream.run(lambda: 5)
            with pytest.raises(ArgumentError, match="takes 2 buffers") as caught:
                event.wait()
            line = caught.value.line
            assert line is not None and "this line" in Path(line.file).read_text().splitlines()[line.line - 1]
            assert good.wait() == 5
            stream.synchronize()  # it was seen already
            stream.execute(program, [], [])
            with pytest.raises(ArgumentError, match="takes 2 buffers"):
                stream.synchronize()
            stream.synchronize()
        with pytest.raises(CompileError), backend.stream() as stream:
            stream.run(lambda: backend.compile("nonsense", entry="f", parameters={}))


def test_streams_are_limited() -> None:
    with jf.backends.create("opencl") as backend:
        backend.limits = jf.backends.Limits(max_streams=1)
        first = backend.stream()
        with pytest.raises(BackendError, match="may have 1 streams .max_streams., and has them"):
            backend.stream()
        first.close()
        second = backend.stream()
        del second  # nobody holds it any more
        backend.stream().close()


def test_shutting_down_closes_streams() -> None:
    backend = jf.backends.create("opencl")
    stream = backend.stream()
    done: list[int] = []
    stream.run(done.append, 1)
    backend.shutdown()
    assert done == [1] and backend.open_streams == 0


@pytest.mark.parametrize("how", ["ended", "closed inside"])
def test_work_that_waits_is_done_before_the_end(device: str, how: str) -> None:
    """What a stream was asked for uses the backend while that is shut down."""
    backend = jf.backends.create(device)
    xs, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    x, y = put(backend, xs), put(backend, xs)
    program, stream = backend.compile(axpy()), backend.stream()
    may_end = threading.Event()
    stream.run(may_end.wait, 200)
    stream.execute(program, [x, y], [1.0, 64])
    stream.copy(y, out)

    def end() -> None:
        if how == "closed inside":
            with stream.activate():
                backend.shutdown()
        else:
            backend.shutdown()

    ending = threading.Thread(target=end, daemon=True)
    ending.start()
    time.sleep(0.05)
    may_end.set()
    ending.join(300)
    assert not ending.is_alive(), "they wait for each other"
    np.testing.assert_array_equal(out, 2 * xs)


# Threads ------------------------------------------------------------------------------------------------
def test_many_threads_share_a_backend(device: str) -> None:
    with jf.backends.create(device) as backend:
        program = backend.compile(axpy())

        def work(seed: int) -> None:
            xs = np.full(64, seed, np.float32)
            for _ in range(10):
                x, y = put(backend, xs), put(backend, xs)
                backend.execute(program, [x, y], [2.0, 64])
                np.testing.assert_array_equal(get(backend, y, xs), 3 * xs)

        at_once(work, 8)


def test_many_tasks_share_tensors(device: str) -> None:
    async def work() -> list[float]:
        x = jf.asarray(np.ones(1000, np.float32), device=device)
        sums = await asyncio.gather(*(value(jf.sum(x * k)) for k in range(12)))
        return [float(each) for each in sums]

    assert asyncio.run(work()) == [1000.0 * k for k in range(12)]
