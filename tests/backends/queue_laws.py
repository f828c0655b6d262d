"""Laws of streams on devices with several queues: what they do together is what is done step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

import jitframe as jf

from .written import axpy, get, put

N = 64
NBYTES = 4 * N
Law: TypeAlias = Callable[[Any], None]


def full(value: float) -> np.ndarray:
    return np.full(N, value, np.float32)


def asked_for(event: Any) -> None:
    """Waits until the device was asked for it, so that the order of what it is asked for is known."""
    event._asked.submitted.exception(60)


def reuse(backend: Any) -> np.ndarray:
    """What a stream computed from a buffer that was freed meanwhile, and whose memory was written anew."""
    program = backend.compile(axpy())
    y = put(backend, full(0))
    with backend.stream() as stream:
        x = put(backend, full(2))
        asked = stream.execute(program, [x, y], [1.0, N])
        asked_for(asked)
        x.free()
        again = put(backend, full(100))
        assert get(backend, again, full(0))[0] == 100
        stream.synchronize()
        return get(backend, y, full(0))


def any_order(backend: Any, seed: int, steps: int = 60, with_tensors: bool = True) -> None:
    """Random work on random streams gives what it gives step by step."""
    random = np.random.default_rng(seed)
    program = backend.compile(axpy())
    streams = [None, *(backend.stream(str(number)) for number in range(3))]
    values = [random.integers(0, 9, N).astype(np.float32) for _ in range(4)]
    buffers = [put(backend, each) for each in values]
    tensors: list[tuple[Any, np.ndarray]] = []
    outs: list[tuple[np.ndarray, np.ndarray]] = []
    double = jf.jit(lambda t: t * 2 + 1)
    for _ in range(steps):
        stream, what = streams[random.integers(4)], int(random.integers(7))
        if what in (4, 5) and not with_tensors:
            continue
        i, j = (int(each) for each in random.choice(4, 2, replace=False))
        if what == 0:
            data = random.integers(0, 9, N).astype(np.float32)
            asked = (stream or backend).copy(data, buffers[i])
            values[i] = data.copy()
        elif what == 1:
            asked = (stream or backend).copy(buffers[i], buffers[j])
            values[j] = values[i].copy()
        elif what == 2:
            asked = (stream or backend).execute(program, [buffers[i], buffers[j]], [0.5, N])
            values[j] = values[j] + np.float32(0.5) * values[i]
        elif what == 3:
            buffers[i].free()
            values[i] = random.integers(0, 9, N).astype(np.float32)
            if stream is None:
                buffers[i], asked = put(backend, values[i]), None
            else:
                with stream.activate():
                    buffers[i], asked = backend.alloc(NBYTES), None
                buffers[i].write(values[i])
        elif what == 4:
            tensors.append((jf.asarray(values[i], device=backend.name), values[i].copy()))
            continue
        elif what == 5 and tensors:
            number = int(random.integers(len(tensors)))
            tensor, value = tensors[number]
            if stream is None:
                tensors[number] = double(tensor), value * 2 + 1
            else:
                with stream.activate():
                    tensors[number] = double(tensor), value * 2 + 1
            continue
        else:
            out = np.zeros(N, np.float32)
            asked = (stream or backend).copy(buffers[i], out)
            outs.append((out, values[i].copy()))
        if stream is not None and asked is not None:
            asked_for(asked)
    for each in streams[1:]:
        each.close()
    for buffer, value in zip(buffers, values, strict=True):
        np.testing.assert_array_equal(get(backend, buffer, value), value)
    for tensor, value in tensors:
        np.testing.assert_array_equal(tensor.numpy(), value)
    for out, value in outs:
        np.testing.assert_array_equal(out, value)


# On a driver alone, without the Tensors of its device -------------------------------------------------------
def work_in_any_order(backend: Any) -> None:
    for seed in range(4):
        any_order(backend, seed, with_tensors=False)
    backend.synchronize()
    assert backend.device._ordering is None, "nothing is left of closed streams"


def freed_memory(backend: Any) -> None:
    np.testing.assert_array_equal(reuse(backend), full(2))
    gone = backend.statistics()
    assert gone.deallocations <= gone.allocations


def large_copies(backend: Any) -> None:
    """In more than two parts where the device has pinned memory, and from and to such memory."""
    random = np.random.default_rng(0)
    data = random.integers(0, 255, (9 << 20) + 12, np.uint8)
    x, out, pinned = backend.alloc(data.size), np.zeros_like(data), backend.alloc_pinned(data.size)
    with backend.stream() as stream:
        stream.copy(data, x)
        stream.copy(x, out).wait()
        np.testing.assert_array_equal(out, data)
        pinned.content[:] = data[::-1].tobytes()
        stream.copy(pinned, x)
        asked = stream.copy(x, out)
        asked.wait()
        np.testing.assert_array_equal(out, data[::-1])
        pinned.content[:] = bytes(data.size)
        stream.copy(x, pinned).wait()
        assert bytes(pinned.content) == data[::-1].tobytes()
        backend_has_queues = backend.capabilities.streams > 1
        assert stream.has_queue is backend_has_queues


def times(backend: Any) -> None:
    with backend.stream() as a, backend.stream() as b:
        program, x = backend.compile(axpy()), put(backend, full(1))
        first = a.record(timing=True)
        a.execute(program, [put(backend, full(1)), x], [1.0, N])
        last = a.record(timing=True)
        assert 0 <= first.elapsed(last) < 60
        b.execute(program, [put(backend, full(1)), x], [1.0, N]).wait()
        assert abs(first.elapsed(b.record(timing=True))) < 60
    np.testing.assert_array_equal(get(backend, x, full(0)), full(3))


LAWS: tuple[Law, ...] = (work_in_any_order, freed_memory, large_copies, times)
