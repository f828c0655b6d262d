"""Arrays in the place of a backend's memory: each law takes a backend of its own, real or on a stand-in."""

from __future__ import annotations

import gc
import logging
import sys
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe import settings
from jitframe.backends import Backend
from jitframe.errors import AliasError, ArgumentError, BackendError, BoundsError, DTypeError
from jitframe.tensors import lazy

from .written import axpy


def numbers(count: int = 64) -> np.ndarray:
    return np.arange(count, dtype=np.float32)


def ndarrays_are_read_and_written_by_programs(backend: Backend) -> None:
    program, xs, ys = backend.compile(axpy()), numbers(), numbers() + 1
    program(2.0, 64, xs, ys)
    backend.synchronize()
    np.testing.assert_array_equal(ys, 3 * numbers() + 1)
    frozen = xs[:10].copy()
    frozen.flags.writeable = False
    program(1.0, 5, frozen, ys[10:20])
    backend.synchronize()
    np.testing.assert_array_equal(ys[10:20], 3 * numbers()[10:20] + 1 + np.where(numbers(10) < 5, frozen, 0))
    np.testing.assert_array_equal(xs, numbers())
    program(1.0, 64, xs, xs)
    program(1.0, 64, xs, xs[:])
    backend.synchronize()
    np.testing.assert_array_equal(xs, 4 * numbers())
    with pytest.raises(AliasError, match="are given arrays that overlap"):
        program(1.0, 8, xs[:10], xs[5:15])
    with pytest.raises(ArgumentError, match="is written, and the ndarray is read-only"):
        program(1.0, 8, xs, frozen)
    with pytest.raises(DTypeError, match="is given an ndarray of int32"):
        program(1.0, 8, xs.astype(np.int32), xs)


def tensors_are_read_and_written_by_programs(backend: Backend) -> None:
    program, xs = backend.compile(axpy()), numbers()
    for device in (backend, "cpu"):
        x, y = jf.asarray(xs, device=device) * 2, jf.asarray(xs, device=device) + 1
        view, before, kept = y[4:8], y * 1, y.copy()
        program(2.0, 64, x, y)
        wanted = 5 * xs + 1
        np.testing.assert_array_equal(y.numpy(), wanted)
        np.testing.assert_array_equal(view.numpy(), wanted[4:8])
        for each in (before, kept):
            np.testing.assert_array_equal(each.numpy(), xs + 1)
        np.testing.assert_array_equal(x.numpy(), 2 * xs)
        program(1.0, 4, x, view)
        wanted[4:8] += 2 * xs[:4]
        np.testing.assert_array_equal(y.numpy(), wanted)
        program(1.0, 64, y, y)
        np.testing.assert_array_equal(y.numpy(), 2 * wanted)
        with pytest.raises(AliasError, match="are given arrays that overlap"):
            program(1.0, 4, y, view)
        with pytest.raises(ArgumentError, match="is written, and the Tensor is read-only"):
            program(1.0, 4, x, jf.broadcast_to(x[:1], (4,)))
        with pytest.raises(DTypeError, match="is given a Tensor of int32"):
            program(1.0, 4, x.astype("int32"), y)
        turned = jf.asarray(xs.reshape(8, 8), device=device).T
        program(1.0, 64, x, turned)
        np.testing.assert_array_equal(turned.numpy(), xs.reshape(8, 8).T + 2 * xs.reshape(8, 8))


def what_is_copied_for_a_program_is_told(backend: Backend) -> None:
    program, xs = backend.compile(axpy()), numbers()
    records: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("jitframe")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        program(1.0, 64, xs, jf.asarray(xs, device=backend))
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    host = getattr(backend.device.driver, "host_memory", False)
    moved = [each for each in records if "moved from cpu" in each]
    assert len(moved) == (0 if host else 1)
    if not host:
        before = settings.settings()
        settings.configure(strict=True)
        try:
            with pytest.raises(BackendError, match="would be moved from cpu .* unasked; write jf.asarray"):
                program(1.0, 64, xs, jf.asarray(xs, device=backend))
        finally:
            settings.restore(before)


# Buffers and Tensors in one memory ---------------------------------------------------------------------
def place(backend: Backend, buffer: Any) -> Any:
    """What tells memory."""
    memory, offset = buffer.view(writes=False)
    on_host = getattr(backend.device.driver, "host_memory", False)
    return memory.address + offset if on_host else (id(memory), offset)


def tensor_place(backend: Backend, x: jf.Tensor) -> Any:
    value = x._evaluated()
    if isinstance(value, np.ndarray):
        return value.ctypes.data
    memory, offset = backend.device.view_of(value)
    on_host = getattr(backend.device.driver, "host_memory", False)
    return memory.address + offset if on_host else (id(memory), offset)


def live(backend: Backend) -> int:
    gc.collect()  # errors that were expected before hold their frames, and these what they made
    lazy.start_graph(backend.device)
    lazy.start_graph()
    return backend.device.statistics().live


def a_tensor_is_in_the_memory_of_a_buffer(backend: Backend) -> None:
    before, xs = live(backend), numbers()
    buffer = backend.alloc(256)
    buffer.write(xs)
    x = buffer.tensor("float32", (8, 8), copy=False)
    assert tensor_place(backend, x) == place(backend, buffer)
    assert (x.shape, x.dtype, x.device) == ((8, 8), np.float32, backend.name)
    part = buffer[64:128].tensor(jf.float32, copy=False)
    np.testing.assert_array_equal((part * 2).numpy(), 2 * xs[16:32])
    np.testing.assert_array_equal(jf.sum(x, axis=0).numpy(), xs.reshape(8, 8).sum(0))
    np.testing.assert_array_equal(jf.jit(lambda a, b: a[0] + b[:8])(x, part).numpy(), xs[:8] + xs[16:24])
    np.testing.assert_array_equal((x @ x).numpy(), xs.reshape(8, 8) @ xs.reshape(8, 8))
    assert place(backend, buffer) == tensor_place(backend, x), "reading moves nothing"
    buffer.free()
    np.testing.assert_array_equal((x + 1).numpy(), xs.reshape(8, 8) + 1)
    np.testing.assert_array_equal(part.numpy(), xs[16:32])
    part[0] = 5
    np.testing.assert_array_equal(x.numpy(), xs.reshape(8, 8))
    del x, part, buffer
    assert live(backend) == before


def what_a_tensor_shows_is_not_written(backend: Backend) -> None:
    """By no copy, no program, no content, and not through a part or the whole."""
    program, xs = backend.compile(axpy()), numbers()
    ones = backend.alloc(256)
    ones.write(np.ones(64, np.float32))

    def of_the_host(buffer: Any) -> None:
        if buffer.is_on_host:
            np.asarray(buffer)[:] = 0
        else:
            buffer.write(bytes(256))

    for write, wanted in (
        (lambda buffer: buffer.write(bytes(4), 4), np.where(xs == 1, 0, xs)),
        (lambda buffer: buffer[4:8].write(bytes(4)), np.where(xs == 1, 0, xs)),
        (lambda buffer: program(1.0, 64, ones, buffer), xs + 1),
        (lambda buffer: backend.copy(buffer, buffer, 128, 0, 128), np.tile(xs[:32], 2)),
        (of_the_host, 0 * xs),
    ):
        buffer = backend.alloc(256)
        buffer.write(xs)
        x = buffer.tensor("float32")
        waiting, view = x * 2, x[3:9]
        write(buffer)
        np.testing.assert_array_equal(np.frombuffer(buffer.read(), np.float32), wanted)
        for found, expected in ((x, xs), (waiting, 2 * xs), (view, xs[3:9])):
            np.testing.assert_array_equal(found.numpy(), expected)
        after = place(backend, buffer)
        write(buffer)
        assert place(backend, buffer) == after, "it moves once"
        again = buffer.tensor("float32")
        del x, waiting, view
        assert tensor_place(backend, again) == after or buffer.is_on_host
    unshown = backend.alloc(256)
    unshown.write(xs)
    first = place(backend, unshown)
    x = unshown[:128].tensor("float32")
    unshown.write(bytes(128), 128)
    assert place(backend, unshown) == first, "the bytes that are written are not shown"
    unshown.write(bytes(0))
    assert place(backend, unshown) == first
    del x
    lazy.start_graph(backend.device)
    unshown.write(bytes(256))
    assert place(backend, unshown) == first, "nobody shows them any more"


def a_buffer_is_in_the_memory_of_a_tensor(backend: Backend) -> None:
    before, xs = live(backend), numbers()
    x = jf.asarray(xs, device=backend) + 1
    buffer = backend.buffer_of(x, copy=False)
    assert place(backend, buffer) == tensor_place(backend, x) and buffer.nbytes == 256
    assert buffer.read() == (xs + 1).tobytes()
    out = backend.alloc(256)
    out.write(bytes(256))
    backend.compile(axpy())(1.0, 64, buffer, out)
    assert out.read() == (xs + 1).tobytes()
    assert place(backend, buffer) == tensor_place(backend, x)
    y = x * 1
    backend.compile(axpy())(1.0, 64, out, buffer)
    assert buffer.read() == (2 * xs + 2).tobytes()
    for each in (x, y):
        np.testing.assert_array_equal(each.numpy(), xs + 1)
    held = backend.buffer_of(x)
    del x, y
    assert held.read() == (xs + 1).tobytes()
    back = held.tensor("float32")
    held.write(bytes(256))
    np.testing.assert_array_equal(back.numpy(), xs + 1)
    apart = backend.buffer_of(back, copy=True)
    assert place(backend, apart) != tensor_place(backend, back) and apart.read() == (xs + 1).tobytes()
    with pytest.raises(DTypeError, match="buffer_of takes a Tensor, not a ndarray"):
        backend.buffer_of(xs)  # type: ignore[arg-type]
    if not getattr(backend.device.driver, "host_memory", False):
        with pytest.raises(
            ArgumentError, match=r"the Tensor is on cpu, and not where .* give x.to\(backend\)"
        ):
            backend.buffer_of(jf.asarray(xs, device="cpu"))
    del held, apart, buffer, out, back, each
    assert live(backend) == before


def buffers_of_a_pool_have_tensors_too(backend: Backend) -> None:
    xs = numbers()
    with backend.pool(4096) as pool:
        first, second = pool.alloc(256), pool.alloc(256)
        first.write(xs)
        second.write(xs + 1)
        x = first.tensor("float32", copy=False)
        assert tensor_place(backend, x) == place(backend, first)
        waiting = x + 1
        second.write(bytes(256))
        assert tensor_place(backend, x) == place(backend, first)
        first.free()
        pool.alloc(256).write(bytes(256))  # in the same place
        pool.write(b"abcd")
        np.testing.assert_array_equal(waiting.numpy(), xs + 1)
        np.testing.assert_array_equal(x.numpy(), xs)
        assert second.read() == bytes(256)
        x = second.tensor("int32")
    assert x.tolist() == [0] * 64


def what_a_tensor_of_a_buffer_is_not(backend: Backend) -> None:
    with backend.buffer(24) as buffer:
        buffer.write(np.arange(6, dtype=np.int32))
        with pytest.raises(BoundsError, match=r"float32\[5\] takes 20 bytes, and the buffer has 24: buffer"):
            buffer.tensor("float32", 5)
        with pytest.raises(BoundsError, match=r"int32\[6\] takes 24 bytes, and the buffer has 23"):
            buffer[:23].tensor("int32", (6,))
        with pytest.raises(DTypeError, match="an extent is a number of bytes|an int"):
            buffer.tensor("float32", (1.5, 4))  # type: ignore[arg-type]
        odd = buffer[2:6]
        with pytest.raises(
            ArgumentError, match="not taken without a copy: it does not begin at a multiple of"
        ):
            odd.tensor("int16" if not odd.is_on_host else "int32", copy=False)
        assert odd.tensor("int32").tolist() == [1 << 16]
        assert buffer.tensor("int8", (4, 6))[0].tolist() == [0, 0, 0, 0, 1, 0]
        assert buffer[:0].tensor("float32").shape == (0,)
        apart = buffer.tensor("int32", copy=True)
        assert tensor_place(backend, apart) != place(backend, buffer)
    with pytest.raises(BackendError, match="is used that was freed"):
        buffer.tensor("float32")
    with backend.alloc_pinned(24) as pinned:
        content = pinned.content
        content[:4] = b"abcd"
        with pytest.raises(ArgumentError, match="its content is held, through which anybody may write"):
            pinned.tensor("uint8", copy=False)
        x = pinned.tensor("uint8")
        content[:4] = b"efgh"
        assert bytes(x[:4].tolist()) == b"abcd" and x.device == "cpu"
        del content
        y = pinned.tensor("uint8", copy=False)
        pinned.content[:4] = b"ijkl"
        assert bytes(y[:4].tolist()) == b"efgh" and pinned.read(4) == b"ijkl"


def buffers_of_the_host_are_arrays(backend: Backend) -> None:
    with backend.buffer(8) as buffer, backend.alloc_pinned(8) as pinned:
        for each in (buffer, pinned):
            each.write(b"abcdefgh")
            if not each.is_on_host:
                with pytest.raises(BackendError, match="the host does not reach memory of"):
                    np.asarray(each)
                continue
            array = np.asarray(each[2:])
            assert array.dtype == np.uint8 and array.tobytes() == b"cdefgh"
            array[0] = ord("X")
            assert each.read() == b"abXdefgh"
            assert np.array(each).tobytes() == bytes(each.content) == b"abXdefgh"
            assert np.asarray(each, dtype=np.float32)[:2].tolist() == [97, 98]
            if sys.version_info >= (3, 12):
                assert memoryview(each)[2] == ord("X")


def a_launch_that_is_marked_runs_once(backend: Backend) -> None:
    """Whatever a driver does to have a program compiled before it runs."""
    program, xs = backend.compile(axpy()), numbers()
    x, y = backend.alloc(256), backend.alloc(256)
    x.write(xs)
    y.write(xs)
    with backend.device.using() as driver:
        marked = getattr(driver, "marked", None)
    if marked is None:
        return  # the processor's own driver, whose kernels are machine code before they are launched
    first = driver.mark()
    began = marked(lambda: program(1.0, 64, x, y))
    last = driver.mark()
    assert driver.elapsed(first, began) >= 0 and driver.elapsed(began, last) >= 0
    assert marked(lambda: program(1.0, 64, x, y, grid=0)) is None
    np.testing.assert_array_equal(np.frombuffer(y.read(), np.float32), 2 * xs)
    with jf.profile() as profile:
        program(1.0, 64, x, y)
        program(1.0, 64, x, y)
    assert [each.name for each in profile.launches] == ["axpy", "axpy"]
    np.testing.assert_array_equal(np.frombuffer(y.read(), np.float32), 4 * xs)


def streams_write_elsewhere_too(backend: Backend) -> None:
    program, xs, ys = backend.compile(axpy()), numbers(), numbers()
    buffer = backend.alloc(256)
    buffer.write(xs)
    x = buffer.tensor("float32")
    waiting, y = x + 1, jf.asarray(xs, device=backend)
    with backend.stream() as stream:
        stream.copy(bytes(256), buffer).wait()
        again = buffer.tensor("float32")
        stream.execute(program, [xs, buffer], [3.0, 64])
        stream.execute(program, [buffer, ys], [1.0, 64])
        stream.execute(program, [buffer, y], [1.0, 64]).wait()
        with stream.activate():
            program(1.0, 64, buffer, y)
    np.testing.assert_array_equal(np.frombuffer(buffer.read(), np.float32), 3 * xs)
    for found, wanted in ((ys, 4 * xs), (y, 7 * xs), (waiting, xs + 1), (x, xs), (again, 0 * xs)):
        np.testing.assert_array_equal(np.asarray(found), wanted)


LAWS = (
    ndarrays_are_read_and_written_by_programs,
    tensors_are_read_and_written_by_programs,
    what_is_copied_for_a_program_is_told,
    a_tensor_is_in_the_memory_of_a_buffer,
    what_a_tensor_shows_is_not_written,
    a_buffer_is_in_the_memory_of_a_tensor,
    buffers_of_a_pool_have_tensors_too,
    what_a_tensor_of_a_buffer_is_not,
    buffers_of_the_host_are_arrays,
    a_launch_that_is_marked_runs_once,
    streams_write_elsewhere_too,
)
