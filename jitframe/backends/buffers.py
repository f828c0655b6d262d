"""Bytes in a backend's memory: buffers, parts of them, and pinned memory of the host."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy

from ..arrays.promotion import from_numpy
from ..errors import ArgumentError, BackendError, BoundsError, DTypeError
from ..ir.record import mutable, record
from ..runtime.cpu.execution.bounds import tell_pressure
from ..runtime.device import Block, Device, DeviceArray
from ..runtime.executor import View
from ..runtime.handling import heard, hears
from ..runtime.memory.device_array import Borrowed
from ..tensors.tensor import Tensor
from .stores import Room, Store

if TYPE_CHECKING:
    from .backend import Backend

Location = Literal["device", "host", "pinned"]
"""In the device's memory; in the host's; in memory of the host that the device reaches directly."""
Usage = Literal["storage", "staging"]
""""storage": kernels read and write it; "staging": it is for copies to and from devices."""

HOST_ALIGNMENT = 64
"""The alignment of all memory of the host."""
DEVICE_UNIT = 16
"""The alignment of a Tensor in a device's memory: lanes may move so many bytes at once."""
OTHERS_ALIGNMENT = 16
"""The assumed alignment of an application's own allocator on other devices."""


class BufferDescriptor(metaclass=record):
    """The description of a buffer."""

    nbytes: int
    alignment: int
    """The address, or the offset in the device's memory object, is a multiple of this."""
    usage: Usage
    location: Location
    device: str


@hears
class Buffer:
    """Bytes in a backend's memory, made by `Backend.alloc` and similar methods; contents are undefined at
    first.

    It is freed by `free`, at the end of a `with` block, or with the last reference to it and its parts. Using
    it after that, or after its backend was shut down, is a BackendError.

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

    __slots__ = ("__weakref__", "_parent", "_place", "_store", "backend", "descriptor")

    def __init__(
        self,
        backend: Backend,
        descriptor: BufferDescriptor,
        store: Store,
        place: int = 0,
        parent: Buffer | None = None,
    ) -> None:
        self.backend = backend
        self.descriptor = descriptor
        self._store = store
        self._place = place
        """Its start in the store."""
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
    def offset(self) -> int:
        """The start in the driver's memory object."""
        return self._store.start + self._place

    @property
    def is_freed(self) -> bool:
        return bool(self._store.ended)

    # Its life -----------------------------------------------------------------------------------------
    def free(self) -> None:
        """Frees the memory, for its parts too; work that was submitted before may still use it.

        Raises BackendError where it was freed before, and for a part: free the whole buffer.
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
        """Returns a part of it, in the same memory. Raises BoundsError where that does not lie inside."""
        offset, nbytes = whole("offset", offset), whole("nbytes", nbytes)
        check_range(self, offset, nbytes)
        self.check()
        alignment = min(self.descriptor.alignment, offset & -offset or self.descriptor.alignment)
        descriptor = BufferDescriptor(
            nbytes, alignment, self.descriptor.usage, self.descriptor.location, self.descriptor.device
        )
        return Buffer(self.backend, descriptor, self._store, self._place + offset, self)

    def __getitem__(self, places: slice) -> Buffer:
        """Returns the bytes start:stop as a part of it; steps other than 1 are an error."""
        if not isinstance(places, slice):
            raise DTypeError("a buffer has no elements; buffer[start:stop] is a part of it")
        start, stop, step = places.indices(self.nbytes)
        if step != 1:
            raise ArgumentError(f"a part of a buffer has its bytes in their order, not every {step}th")
        return self.part(start, max(stop - start, 0))

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies bytes of the host into the buffer: an object with bytes, or a C-contiguous ndarray.

        Raises BoundsError where they do not fit.
        """
        self.backend.copy(data, self, dst_offset=offset)

    def read(self, nbytes: int | None = None, offset: int = 0) -> bytes:
        """Returns its bytes from `offset` on, after all earlier work. Raises BoundsError where there are
        fewer."""
        count = self.nbytes - offset if nbytes is None else whole("nbytes", nbytes)
        check_range(self, whole("offset", offset), count)
        out = bytearray(count)
        self.backend.copy(self, out, count, src_offset=offset)
        return bytes(out)

    @property
    @heard
    def content(self) -> memoryview:
        """Returns its bytes themselves, where they are in the host's memory, to be read and written until it
        is freed. `numpy.asarray(buffer)` is the same as an array of uint8, and from Python 3.12 on the buffer
        itself has the buffer protocol.

        Raises BackendError for memory that the host does not reach.
        """
        self.check()
        self.prepare_write()
        content = self._store.content(self._place, self.nbytes, lends=True)
        if content is None:
            raise BackendError(
                f"the host does not reach memory of {self.device.name} ({self.device.facts.title})",
                device=self.device.name,
                suggestions=("read and write it by copies", "make a Tensor of it: buffer.tensor(dtype)"),
            )
        return content

    def __buffer__(self, flags: int, /) -> memoryview:
        return self.content

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        """Returns the bytes themselves as uint8; with another dtype a copy of their values in that."""
        array = numpy.asarray(self.content)
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        if copy is False:
            raise ArgumentError("a cast needs a copy, and copy=False was given")
        return array.astype(dtype)

    def tensor(
        self, dtype: Any, shape: Sequence[int] | int | None = None, copy: bool | None = None
    ) -> Tensor:
        """Returns its bytes as a Tensor of a dtype, by default with one axis; in the same memory.

        The Tensor keeps the memory alive, also when the buffer is freed. Its value never changes: where the
        buffer is written while the Tensor, or a pending operation on it, exists, the buffer first copies its
        contents to other memory. It is a copy at once where `copy` is True, where memory of a device is not
        aligned to 16 bytes (to the dtype's size on the host), and while `content` is referenced, which can be
        written through; `copy=False` raises ArgumentError there.

        Raises BoundsError for a shape that does not take all bytes, UnsupportedDTypeError for a dtype that
        the device lacks. Bytes of a bool are 0 or 1.

        >>> import jitframe as jf, numpy
        >>> buffer = jf.backends.get("cpu").alloc(16)
        >>> buffer.write(numpy.arange(4, dtype=numpy.float32))
        >>> x = buffer.tensor("float32", (2, 2))
        >>> y = x * 10
        >>> buffer.write(bytes(16))
        >>> y.tolist(), buffer.tensor("float32").tolist()
        ([[0.0, 10.0], [20.0, 30.0]], [0.0, 0.0, 0.0, 0.0])
        """
        self.check()
        found = numpy.dtype(from_numpy(dtype).numpy_name)
        extents = _extents(self, found, shape)
        if self.descriptor.usage == "storage":
            self.device.check(found)
        shown = self._store.show(self._place, self.nbytes)
        array = numpy.asarray(shown) if isinstance(shown, memoryview) else None
        place, unit = (self.offset, DEVICE_UNIT) if array is None else (array.ctypes.data, found.itemsize)
        problem = ""
        if self._store.is_lent():
            problem = "its content is held, through which anybody may write"
        elif place % unit:
            problem = f"it does not begin at a multiple of {unit} bytes"
        if problem and copy is False:
            raise ArgumentError(f"tensor: {self!r} is not taken without a copy: {problem}")
        if isinstance(shown, memoryview):
            assert array is not None
            return Tensor._of((array.copy() if copy or problem else array).view(found).reshape(extents))
        value = DeviceArray(shown, extents, found, self.offset)
        return Tensor._of(self.device.copy(value) if copy or problem else value)

    # For who works with drivers -----------------------------------------------------------------------
    @property
    def is_on_host(self) -> bool:
        """Whether the host reaches its bytes."""
        return self.descriptor.location != "device"

    def check(self) -> None:
        """Raises BackendError where it cannot be used any more."""
        if self._store.ended:
            raise self._store.gone()

    def prepare_write(self, offset: int = 0, nbytes: int | None = None) -> bool:
        """Prepares a write to some bytes: where a Tensor shows them, the buffer takes other memory. Returns
        whether it did."""
        return self._store.prepare_write(self._place + offset, self.nbytes if nbytes is None else nbytes)

    def view(self, device: Device | None = None, writes: bool = True) -> View:
        """Returns the driver's memory object and the offset in it, for kernels of `device`; `writes`: for a
        kernel that writes there.

        Raises BackendError for another device, for a freed buffer, and for memory of the host alone.
        """
        if device is not None and device is not self.device:
            raise BackendError(
                f"a buffer of {self.device.name} is given to {device.name}",
                device=device.name,
                suggestions=("copy it there",),
            )
        if writes:
            self.prepare_write()
        return self._store.view(self._place)


def _extents(buffer: Buffer, dtype: numpy.dtype, shape: Sequence[int] | int | None) -> tuple[int, ...]:
    """Returns the shape of a Tensor of all bytes. Raises BoundsError."""
    if shape is None:
        extents: tuple[int, ...] = (buffer.nbytes // dtype.itemsize,)
    else:
        given = shape if isinstance(shape, Sequence) else (shape,)
        extents = tuple(whole("an extent", each) for each in given)
    nbytes = math.prod(extents) * dtype.itemsize
    if nbytes != buffer.nbytes:
        raise BoundsError(
            f"{dtype.name}{list(extents)} takes {nbytes:,} bytes, and the buffer has {buffer.nbytes:,}: "
            "buffer[start:stop] is a part of it"
        )
    return extents


def alloc(backend: Backend, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
    """See `Backend.alloc`."""
    size = whole("nbytes", nbytes)
    backend.check_open()
    device = backend.device
    steps = device.hints.alignment if alignment is None else alignment_of(alignment)
    device.check_size(size, "a buffer")
    on_host = getattr(device.driver, "host_memory", False)
    natural = _natural_alignment(device, on_host)
    store = Store(device, size, partial(_room, device, size, steps, natural), on_host)
    return _noted(backend, _described(backend, store, size, max(steps, natural), on_host))


def _natural_alignment(device: Device, on_host: bool) -> int:
    """Returns the alignment of all memory of a device."""
    natural = HOST_ALIGNMENT if on_host else device.facts.alignment
    return min(natural, OTHERS_ALIGNMENT) if device.takes_others_memory and not on_host else natural


def _room(device: Device, size: int, steps: int, natural: int) -> Room:
    """Allocates so many bytes of a device's memory, aligned to a multiple of `steps`."""
    with device.using() as driver:
        place = getattr(driver, "place", None) if steps > natural else None
        block = Block(device, driver.allocate(size if place is None else size + steps), device.driver)
        start = 0 if place is None else -place((block.memory, 0)) % steps
    if device.is_host:
        tell_pressure()
    return Room(start, block)


def _described(backend: Backend, store: Store, size: int, alignment: int, on_host: bool) -> Buffer:
    location: Location = "host" if on_host else "device"
    return Buffer(backend, BufferDescriptor(size, alignment, "storage", location, store.device.name), store)


def buffer_of(backend: Backend, tensor: Tensor, copy: bool | None = None) -> Buffer:
    """See `Backend.buffer_of`."""
    if not isinstance(tensor, Tensor):
        raise DTypeError(
            f"buffer_of takes a Tensor, not a {type(tensor).__name__}; backend.copy takes others"
        )
    backend.check_open()
    value, device = tensor._evaluated(), backend.device
    on_host = getattr(device.driver, "host_memory", False)
    is_there = on_host if isinstance(value, numpy.ndarray) else value.device is device
    if not is_there:
        raise ArgumentError(
            f"the Tensor is on {tensor.device}, and not where {backend!r} is: give x.to(backend)"
        )
    natural = _natural_alignment(device, on_host)
    if copy or (isinstance(value, numpy.ndarray) and not value.flags.c_contiguous):
        if copy is False:
            raise ArgumentError("buffer_of: copy=False, and the Tensor's elements are not in C order")
        buffer = alloc(backend, value.nbytes)
        backend.copy(tensor, buffer)
        return buffer
    if isinstance(value, numpy.ndarray):
        memory = HostMemory(value.ctypes.data, value.nbytes, value)
        room = Room(0, Borrowed(device, memory, device.driver, value))
        begin = memory.address
    else:
        memory, begin = device.view_of(value)
        room = Room(begin, Borrowed(device, memory, value.block.driver, value.block))
    renew = partial(_room, device, value.nbytes, device.hints.alignment, natural)
    store = Store(device, value.nbytes, renew, on_host, room)
    alignment = min(natural, begin & -begin or natural)
    return _noted(backend, _described(backend, store, value.nbytes, alignment, on_host))


class HostMemory(metaclass=mutable):
    """An ndarray's memory in the form of the CPU's driver."""

    address: int
    nbytes: int
    array: numpy.ndarray


def alloc_pinned(backend: Backend, nbytes: SupportsIndex) -> Buffer:
    """See `Backend.alloc_pinned`."""
    size = whole("nbytes", nbytes)
    backend.check_open()
    device = backend.device
    store = Store(device, size, partial(_pinned_room, device, size), False)
    with device.using() as driver:
        location: Location = "host" if getattr(driver, "pinned", None) is None else "pinned"
    descriptor = BufferDescriptor(size, HOST_ALIGNMENT, "staging", location, device.name)
    return _noted(backend, Buffer(backend, descriptor, store))


def _pinned_room(device: Device, size: int) -> Room:
    with device.using() as driver:
        pinned = getattr(driver, "pinned", None)
        if pinned is not None:
            return Room(0, content=pinned(size))
    memory = numpy.empty(size + HOST_ALIGNMENT, numpy.uint8)
    return Room(-memory.ctypes.data % HOST_ALIGNMENT, content=memory.data)


def _noted(backend: Backend, buffer: Buffer) -> Buffer:
    backend.holdings.note(buffer._store)
    return buffer


# Numbers that are given ----------------------------------------------------------------------------------
def whole(name: str, value: SupportsIndex) -> int:
    """Returns a count of bytes. Raises DTypeError unless it is an integer, ArgumentError for a negative
    one."""
    try:
        found = operator.index(value)
    except TypeError:
        raise DTypeError(f"{name} is a number of bytes, an int, not a {type(value).__name__}") from None
    if found < 0:
        raise ArgumentError(f"{name}={found:,} is negative; it counts bytes, from 0 on")
    return found


def alignment_of(value: SupportsIndex) -> int:
    """Returns an alignment. Raises ArgumentError unless it is a power of two."""
    found = whole("alignment", value)
    if found.bit_count() != 1:
        raise ArgumentError(f"alignment={found} is no power of two; give one such as 64 or 256")
    return found


def check_range(whole_thing: Any, offset: int, nbytes: int, what: str = "the buffer") -> None:
    """Raises BoundsError where a range of bytes does not lie inside."""
    size: int = whole_thing if isinstance(whole_thing, int) else whole_thing.nbytes
    if nbytes < 0 or offset + nbytes > size:
        raise BoundsError(
            f"{nbytes:,} bytes from {offset:,} on do not lie in {what}, which has {size:,} bytes"
        )
