"""Copies of bytes between any two places; the places decide how the bytes travel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ..errors import AliasError, ArgumentError, DTypeError
from ..ir.record import record
from ..runtime.device import Device, DeviceArray
from ..runtime.driver import Driver
from ..runtime.executor import View
from ..runtime.memory.transfer import between, both
from ..tensors.tensor import Tensor
from .buffers import Buffer, check_range, whole

if TYPE_CHECKING:
    from ..runtime.queues.assignment import Queue
    from .backend import Backend

_OVERLAP_BYTES = 8 << 20
"""Bytes of the scratch memory for overlapping copies within a device."""


class End(metaclass=record):
    """The source or target of a copy: bytes of the host, or a range of a device's memory."""

    nbytes: int
    content: memoryview | None = None
    device: Device | None = None
    memory: Any = None
    offset: int = 0
    pinned_by: Device | None = None
    """The device for which these bytes of the host are pinned."""


def copy(
    backend: Backend,
    src: Any,
    dst: Any,
    nbytes: int | None = None,
    src_offset: int = 0,
    dst_offset: int = 0,
    queue: Queue | None = None,
) -> int:
    """See `Backend.copy`; with a current queue, the copy is complete when that queue has reached it."""
    start, to = whole("src_offset", src_offset), whole("dst_offset", dst_offset)
    backend.check_open()
    source, target = _end(src, "src"), _end(dst, "dst")
    if nbytes is None:
        count = source.nbytes - start
        check_range(source.nbytes, start, max(count, 0), "src")
    else:
        count = whole("nbytes", nbytes)
        check_range(source.nbytes, start, count, "src")
    check_range(target.nbytes, to, count, "dst")
    if not count:
        return 0
    if isinstance(dst, Buffer) and dst.prepare_write(to, count):
        source, target = _end(src, "src"), _end(dst, "dst")
    if queue is not None and source.device is not backend.device is not target.device:
        queue.wait()  # what was copied before may be what is copied now
    if source.device is None and target.device is None:
        assert source.content is not None
        assert target.content is not None
        target.content[to : to + count] = source.content[start : start + count]
    elif source.content is not None:
        assert target.device is not None
        place, content = (target.memory, target.offset + to), source.content[start : start + count]
        if queue is not None and target.device is queue.device:
            queue.send(place, content, source.pinned_by is queue.device)
            return count
        with target.device.using() as driver:
            driver.upload(place, content)
    elif target.content is not None:
        assert source.device is not None
        place, content = (source.memory, source.offset + start), target.content[to : to + count]
        if queue is not None and source.device is queue.device:
            queue.fetch(place, content, target.pinned_by is queue.device)
            return count
        with source.device.using() as driver:
            driver.download(place, content)
    else:
        _within(source, source.offset + start, target, target.offset + to, count)
    return count


def _within(source: End, start: int, target: End, to: int, count: int) -> None:
    """Copies from one device's memory to another's, or within one."""
    assert source.device is not None
    assert target.device is not None
    ends = (target.memory, to), (source.memory, start)
    if source.device is not target.device:
        with both(source.device, target.device) as (here, there):
            between(there, ends[0], here, ends[1], count)
        return
    with source.device.using() as driver:
        if target.memory is source.memory and abs(to - start) < count:
            _overlapping(driver, *ends, count)
        else:
            driver.copy(*ends, count)


def _overlapping(driver: Driver, target: View, source: View, count: int) -> None:
    """Copies overlapping ranges: every byte is read before it is overwritten, as memmove does."""
    (memory, to), (_, start) = target, source
    if to == start:
        return
    parts = range(0, count, _OVERLAP_BYTES)
    between_them = driver.allocate(min(count, _OVERLAP_BYTES))
    try:
        for begin in parts if to < start else reversed(parts):
            size = min(_OVERLAP_BYTES, count - begin)
            driver.copy((between_them, 0), (memory, start + begin), size)
            driver.copy((memory, to + begin), (between_them, 0), size)
    finally:
        driver.free(between_them)


# Ends ------------------------------------------------------------------------------------------------------
def _end(given: Any, name: str) -> End:
    if isinstance(given, Buffer):
        if given.is_on_host:
            pinned_by = given.device if given.descriptor.location == "pinned" else None
            given.check()
            content = given._store.content(given._place, given.nbytes)
            return End(given.nbytes, content, pinned_by=pinned_by)
        memory, offset = given.view(writes=False)
        return End(given.nbytes, device=given.device, memory=memory, offset=offset)
    if isinstance(given, Tensor):
        if name == "dst":
            raise DTypeError(
                "dst is a Tensor, whose value never changes in place; copy to a buffer, or assign to it"
            )
        return _value_end(given._evaluated())
    if isinstance(given, numpy.ndarray):
        return End(given.nbytes, _array_bytes(given, name))
    return _bytes_end(given, name)


def _value_end(value: numpy.ndarray | DeviceArray) -> End:
    if isinstance(value, DeviceArray):
        memory, offset = value.device.view_of(value)
        return End(value.nbytes, device=value.device, memory=memory, offset=offset)
    return End(value.nbytes, _array_bytes(numpy.ascontiguousarray(value), "src"))


def _array_bytes(array: numpy.ndarray, name: str) -> memoryview:
    if not array.flags.c_contiguous:
        raise ArgumentError(
            f"{name} is an ndarray whose bytes do not lie in one piece; give np.ascontiguousarray of it"
            + (" and copy that back" if name == "dst" else "")
        )
    if name == "dst" and not array.flags.writeable:
        raise AliasError("dst is a read-only ndarray; give one that can be written to")
    return array.reshape(-1).view(numpy.uint8).data


def _bytes_end(given: Any, name: str) -> End:
    try:
        content = memoryview(given)
    except TypeError:
        raise DTypeError(
            f"{name} is a {type(given).__name__}; a copy takes buffers, ndarrays, and bytes and their like"
        ) from None
    if not content.c_contiguous:
        raise ArgumentError(f"{name} has bytes that do not lie in one piece; give a contiguous copy")
    if name == "dst" and content.readonly:
        raise AliasError(f"dst is read-only ({type(given).__name__}); give a bytearray, say")
    return End(content.nbytes, content.cast("B") if content.nbytes else memoryview(b""))
