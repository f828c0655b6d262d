"""Bytes in a backend's memory: buffers, parts of them, and memory of the host that the device copies fast."""

from __future__ import annotations

import ctypes
import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy

from ..errors import ArgumentError, BackendError, BoundsError, DTypeError
from ..ir.record import record
from ..locks import new_lock
from ..runtime.cpu.bounds import tell_pressure
from ..runtime.device import Block, Device
from ..runtime.executor import View
from ..runtime.holders import Holder

if TYPE_CHECKING:
    from .backend import Backend

Location = Literal["device", "host", "pinned"]
"""In the device's memory; in the host's; in memory of the host that the device reaches by itself."""
Usage = Literal["storage", "staging"]
"""Kernels read and write it; it is for copies to and from devices."""

HOST_ALIGNMENT = 64
"""What all memory of the host is aligned to."""
OTHERS_ALIGNMENT = 16
"""What memory of an application's own allocator is aligned to on other devices, as far as is known."""


class BufferDescriptor(metaclass=record):
    """What a buffer is."""

    nbytes: int
    alignment: int
    """Its address, or its place in the device's memory object, is a multiple of this."""
    usage: Usage
    location: Location
    device: str


class Store:
    """The memory of a buffer and of its parts, until it is freed or nobody holds them any more."""

    __slots__ = ("__weakref__", "_block", "_content", "_lock", "_reason", "device", "nbytes", "on_host")

    def __init__(
        self, device: Device, block: Block | None, nbytes: int, content: memoryview | None = None,
        on_host: bool = False,
    ) -> None:  # fmt: skip
        self.device = device
        self.on_host = on_host
        """Whether its block is in the host's memory."""
        self.nbytes = nbytes
        self._block = block
        """In the device's memory; None for memory of the host that is none of a device's."""
        self._content = content
        self._reason = ""
        self._lock = new_lock()

    def end(self, why: str) -> bool:
        """Gives the memory back; whether it was there."""
        with self._lock:
            if self._reason:
                return False
            self._reason, self._block, self._content = why, None, None
        return True

    @property
    def ended(self) -> str:
        """Why it cannot be used any more; nothing while it can."""
        return self._reason

    @property
    def content(self) -> memoryview | None:
        """Its bytes, where the host reaches them."""
        block = self._block
        if self._content is None and block is not None and self.on_host:
            self._content = host_bytes(block.memory.address, self.nbytes, block)
        return self._content

    def _held(self, device: Device) -> tuple[int, Holder, bool] | None:
        """What it holds of a device's memory (see `runtime.holders`)."""
        block = self._block
        if block is None or self.device is not device:
            return None
        return id(block), Holder(self.nbytes, "a buffer", block.line), True

    def memory(self) -> Any:
        """The driver's memory object. Raises BackendError where it is gone."""
        block = self._block
        if self.ended or block is None:
            raise self.gone()
        if block.driver is not self.device._driver:
            raise BackendError(
                f"the buffer was on {self.device.name} ({self.device.facts.title}) when that was lost with "
                "all that it held",
                device=self.device.name,
                suggestions=("make it anew",),
            )
        return block.memory

    def gone(self) -> BackendError:
        return BackendError(
            f"a buffer of {self.device.name} is used that {self.ended or 'is memory of the host'}",
            device=self.device.name,
            suggestions=("allocate another one",),
        )


class Buffer:
    """Bytes in a backend's memory, made by `Backend.alloc` and its like; contents are undefined at first.

    It is given back by `free`, at the end of a `with` block, or when nobody holds it or a part of it any
    more. Using it after that, or after its backend was shut down, is a BackendError.

    >>> import jitframe as jf
    >>> backend = jf.backends.get("cpu")
    >>> buffer = backend.alloc(8)
    >>> buffer.write(b"abcdefgh")
    >>> buffer.read(3, offset=2)
    b'cde'
    >>> buffer[4:].read()
    b'efgh'
    >>> buffer.free()
    """

    __slots__ = ("__weakref__", "_parent", "_store", "backend", "descriptor", "offset")

    def __init__(
        self,
        backend: Backend,
        descriptor: BufferDescriptor,
        store: Store,
        offset: int,
        parent: Buffer | None = None,
    ) -> None:
        self.backend = backend
        self.descriptor = descriptor
        self.offset = offset
        """Where it begins in the driver's memory object."""
        self._store = store
        self._parent = parent

    def __repr__(self) -> str:
        state = f", {self._store.ended}" if self._store.ended else ""
        what = self.descriptor
        return f"<buffer of {what.nbytes:,} bytes on {what.device}, {what.location}{state}>"

    def __len__(self) -> int:
        return self.nbytes

    @property
    def nbytes(self) -> int:
        return self.descriptor.nbytes

    @property
    def device(self) -> Device:
        return self._store.device

    @property
    def is_freed(self) -> bool:
        return bool(self._store.ended)

    # Its life -----------------------------------------------------------------------------------------
    def free(self) -> None:
        """Gives the memory back, that of its parts too; work that was asked for before may still use it.

        Raises BackendError where that was done before, and for a part: the whole is what is freed.
        """
        if self._parent is not None:
            raise BackendError(
                "a part of a buffer is not freed: its memory belongs to the whole",
                device=self.device.name,
                suggestions=("free the whole buffer",),
            )
        if not self._store.end("was freed"):
            raise BackendError(
                f"a buffer of {self.device.name} is freed that {self._store.ended} before",
                device=self.device.name,
                suggestions=("free each buffer once, or let its end give it back",),
            )

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *error: Any) -> None:
        self._store.end("was freed")

    # Its bytes ----------------------------------------------------------------------------------------
    def part(self, offset: int, nbytes: int) -> Buffer:
        """A part of it, in the same memory. Raises BoundsError where it does not lie inside."""
        offset, nbytes = whole("offset", offset), whole("nbytes", nbytes)
        check_range(self, offset, nbytes)
        self.check()
        alignment = min(self.descriptor.alignment, offset & -offset or self.descriptor.alignment)
        descriptor = BufferDescriptor(
            nbytes, alignment, self.descriptor.usage, self.descriptor.location, self.descriptor.device
        )
        return Buffer(self.backend, descriptor, self._store, self.offset + offset, self)

    def __getitem__(self, places: slice) -> Buffer:
        """The bytes start:stop as a part of it; steps other than 1 are an error."""
        if not isinstance(places, slice):
            raise DTypeError("a buffer has no elements; buffer[start:stop] is a part of it")
        start, stop, step = places.indices(self.nbytes)
        if step != 1:
            raise ArgumentError(f"a part of a buffer has its bytes in their order, not every {step}th")
        return self.part(start, max(stop - start, 0))

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies bytes of the host there: `bytes` and their like, or a C-contiguous ndarray.

        Raises BoundsError where they do not fit.
        """
        self.backend.copy(data, self, dst_offset=offset)

    def read(self, nbytes: int | None = None, offset: int = 0) -> bytes:
        """Its bytes from `offset` on, after all work before. Raises BoundsError where there are fewer."""
        count = self.nbytes - offset if nbytes is None else whole("nbytes", nbytes)
        check_range(self, whole("offset", offset), count)
        out = bytearray(count)
        self.backend.copy(self, out, count, src_offset=offset)
        return bytes(out)

    @property
    def content(self) -> memoryview:
        """Its bytes themselves, where it is in the host's memory; they may be used until it is freed.

        Raises BackendError for memory that the host does not reach.
        """
        self.check()
        content = self._store.content
        if content is None:
            raise BackendError(
                f"the host does not reach memory of {self.device.name} ({self.device.facts.title})",
                device=self.device.name,
                suggestions=("read and write it by copies",),
            )
        return content[self.offset : self.offset + self.nbytes]

    # For who works with drivers -----------------------------------------------------------------------
    @property
    def is_on_host(self) -> bool:
        """Whether the host reaches its bytes."""
        return self.descriptor.location != "device"

    def check(self) -> None:
        """Raises BackendError where it cannot be used any more."""
        if self._store.ended:
            raise self._store.gone()

    def view(self, device: Device | None = None) -> View:
        """The driver's memory object and the place in it, for kernels of `device`.

        Raises BackendError where that is another device, the buffer is gone or memory of the host alone.
        """
        if device is not None and device is not self.device:
            raise BackendError(
                f"a buffer of {self.device.name} is given to {device.name}",
                device=device.name,
                suggestions=("copy it there",),
            )
        return self._store.memory(), self.offset


def alloc(backend: Backend, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
    """See `Backend.alloc`."""
    size = whole("nbytes", nbytes)
    backend.initialize()
    device = backend.device
    steps = device.hints.alignment if alignment is None else alignment_of(alignment)
    device.check_size(size, "a buffer")
    with device.using() as driver:
        on_host = getattr(driver, "host_memory", False)
        natural = HOST_ALIGNMENT if on_host else device.facts.alignment
        if device.takes_others_memory and not on_host:
            natural = min(natural, OTHERS_ALIGNMENT)
        place = getattr(driver, "place", None) if steps > natural else None
        block = Block(device, driver.allocate(size if place is None else size + steps), device.driver)
        offset = 0 if place is None else -place((block.memory, 0)) % steps
    if device.is_host:
        tell_pressure()
    store = Store(device, block, offset + size, on_host=on_host)
    location: Location = "host" if on_host else "device"
    descriptor = BufferDescriptor(size, max(steps, natural), "storage", location, device.name)
    return _noted(backend, Buffer(backend, descriptor, store, offset))


def alloc_pinned(backend: Backend, nbytes: SupportsIndex) -> Buffer:
    """See `Backend.alloc_pinned`."""
    size = whole("nbytes", nbytes)
    backend.initialize()
    device = backend.device
    with device.using() as driver:
        pinned = getattr(driver, "pinned", None)
        content = None if pinned is None else pinned(size)
    location: Location = "pinned" if content is not None else "host"
    offset = 0
    if content is None:
        memory = numpy.empty(size + HOST_ALIGNMENT, numpy.uint8)
        offset = -memory.ctypes.data % HOST_ALIGNMENT
        content = memory.data
    store = Store(device, None, content.nbytes, content)
    descriptor = BufferDescriptor(size, HOST_ALIGNMENT, "staging", location, device.name)
    return _noted(backend, Buffer(backend, descriptor, store, offset))


def _noted(backend: Backend, buffer: Buffer) -> Buffer:
    backend.holdings.note(buffer._store)
    return buffer


def host_bytes(address: int, nbytes: int, owner: Any) -> memoryview:
    """Memory of the host by its address; `owner` lives as long as the view."""
    held = (ctypes.c_char * nbytes).from_address(address)
    held._owner = owner  # type: ignore[attr-defined]
    return memoryview(held).cast("B")


# Numbers that are given ----------------------------------------------------------------------------------
def whole(name: str, value: SupportsIndex) -> int:
    """A count of bytes. Raises DTypeError for what is no integer, ArgumentError for a negative one."""
    try:
        found = operator.index(value)
    except TypeError:
        raise DTypeError(f"{name} is a number of bytes, an int, not a {type(value).__name__}") from None
    if found < 0:
        raise ArgumentError(f"{name}={found:,} is negative; it counts bytes, from 0 on")
    return found


def alignment_of(value: SupportsIndex) -> int:
    """An alignment. Raises ArgumentError for one that is no power of two."""
    found = whole("alignment", value)
    if found.bit_count() != 1:
        raise ArgumentError(f"alignment={found} is no power of two; give one such as 64 or 256")
    return found


def check_range(whole_thing: Any, offset: int, nbytes: int, what: str = "the buffer") -> None:
    """Raises BoundsError where so many bytes from an offset on do not lie inside."""
    size: int = whole_thing if isinstance(whole_thing, int) else whole_thing.nbytes
    if nbytes < 0 or offset + nbytes > size:
        raise BoundsError(
            f"{nbytes:,} bytes from {offset:,} on do not lie in {what}, which has {size:,} bytes"
        )
