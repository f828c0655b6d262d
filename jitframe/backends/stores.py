"""The memory of buffers, which their parts share, and the copies that protect the values of Tensors from
writes.

A Tensor may be in a buffer's memory, and a buffer in a Tensor's. The value of a Tensor never changes, so a
buffer copies its contents to other memory before it is written: the old memory is the Tensor's from then on.
Nothing is copied where no Tensor, no pending operation and no ndarray of a Tensor uses the memory any more.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import Any

import numpy

from ..base.locks import new_reentrant_lock
from ..errors import BackendError
from ..ir.record import mutable
from ..runtime.device import Block, Device
from ..runtime.executor import View
from ..runtime.memory.device_array import Borrowed
from ..runtime.memory.holders import Holder


class Room(metaclass=mutable):
    """Memory for a store."""

    start: int
    """Its start in the block or the content."""
    block: Block | None = None
    """The block in the device's memory; None for memory of the host that belongs to no device."""
    content: memoryview | None = None
    """Bytes of the host, where there is no block."""


class Store:
    """The memory of a buffer and of its parts, until it is freed or the last reference ends."""

    __slots__ = (
        "__weakref__", "_is_borrowed", "_lent", "_lock", "_reason", "_renew", "_room", "_shown", "device",
        "nbytes", "on_host",
    )  # fmt: skip

    def __init__(
        self,
        device: Device,
        nbytes: int,
        renew: Callable[[], Room],
        on_host: bool,
        room: Room | None = None,
    ) -> None:
        self.device = device
        self.nbytes = nbytes
        self.on_host = on_host
        """Whether the block is in the host's memory."""
        self._renew = renew
        """Allocates as much memory as this store has."""
        self._is_borrowed = room is not None
        """Whether the memory was a Tensor's first."""
        self._room = room
        self._reason = ""
        self._shown: list[tuple[weakref.ref[Any], int, int]] = []
        """The holders of this memory for Tensors, and the bytes that they show."""
        self._lent: list[weakref.ref[Any]] = []
        """Views of the host's memory that may be written through."""
        self._lock = new_reentrant_lock()
        if room is None:
            self._room = renew()  # errors of it look at all stores

    # Its life -----------------------------------------------------------------------------------------
    @property
    def root(self) -> Store:
        """The store that owns the memory; for a range of a pool, that of the pool."""
        return self

    def end(self, why: str) -> bool:
        """Frees the memory; returns whether it was not freed before."""
        with self._lock:
            if self._reason:
                return False
            self._reason, self._room = why, None
        return True

    @property
    def ended(self) -> str:
        """The reason why it cannot be used any more; empty while it can."""
        return self._reason

    def gone(self) -> BackendError:
        return BackendError(
            f"a buffer of {self.device.name} is used that {self.ended or 'is memory of the host'}",
            device=self.device.name,
            suggestions=("allocate another one",),
        )

    def _taken(self) -> Room:
        room = self.root._room
        if self.ended or room is None:
            raise self.gone()
        return room

    @property
    def start(self) -> int:
        """The start in the driver's memory object."""
        room = self.root._room
        return 0 if room is None else room.start

    def _holding(self, device: Device) -> tuple[int, Holder, bool] | None:
        """Returns its memory on a device (see `runtime.holders`)."""
        block = self._room.block if self._room is not None else None
        if block is None or self.device is not device:
            return None
        return id(block.memory), Holder(self.nbytes, "a buffer", block.line), True

    # Its memory ---------------------------------------------------------------------------------------
    def view(self, place: int) -> View:
        """Returns the driver's memory object, and an offset in it. Raises BackendError where it was freed."""
        block = self._taken().block
        if block is None:
            raise self.gone()
        if block.driver is not self.device._driver:
            raise BackendError(
                f"the buffer was on {self.device.name} ({self.device.facts.title}) when that was lost with "
                "all that it held",
                device=self.device.name,
                suggestions=("make it anew",),
            )
        return block.memory, self.start + place

    def content(self, place: int, nbytes: int, lends: bool = False) -> memoryview | None:
        """Returns the bytes, where the host reaches them. `lends`: the caller may write to them."""
        room, root = self._taken(), self.root
        first = room.start + place
        if room.block is None:
            assert room.content is not None
            memory = host_memory(
                numpy.frombuffer(room.content, numpy.uint8).ctypes.data + first, nbytes, room
            )
        elif root.on_host:
            memory = host_memory(room.block.memory.address + first, nbytes, room.block)
        else:
            return None
        if lends:
            root._lent = [each for each in root._lent if each() is not None]
            root._lent.append(weakref.ref(memory))
        return memoryview(memory).cast("B")

    # Shared with Tensors ------------------------------------------------------------------------------
    def is_lent(self) -> bool:
        """Whether bytes of the host that may be written through are still referenced."""
        return any(each() is not None for each in self.root._lent)

    def show(self, place: int, nbytes: int) -> memoryview | Block:
        """Returns the bytes for a Tensor: read-only bytes of the host, or a block of a device that begins
        where its memory does. They do not change as long as that is referenced."""
        root, room = self.root, self._taken()
        token: Any
        content = None
        if room.block is None or self.device.is_host:
            content = self.content(place, nbytes)
            assert content is not None
            token = content.obj
        else:
            token = Borrowed(self.device, room.block.memory, room.block.driver, room.block)
        with root._lock:
            root._shown.append((weakref.ref(token), place, place + nbytes))
        shown: memoryview | Block = token if content is None else content.toreadonly()
        return shown

    def prepare_write(self, place: int, nbytes: int) -> bool:
        """Takes other memory where a Tensor shows some of these bytes, which are about to be written; returns
        whether it did. Raises OutOfMemoryError, and the errors of `view`."""
        self._taken()
        root = self.root
        if not root._shown and not root._is_borrowed:
            return False
        with root._lock:
            root._shown = [each for each in root._shown if each[0]() is not None]
            shown = any(first < place + nbytes and place < end for _, first, end in root._shown)
        if nbytes and (shown or root._is_borrowed):
            root._move()
            return True
        return False

    def _move(self) -> None:
        before = self._taken()
        source = None if before.block is None else self.view(0)
        after = self._renew()
        if source is None or after.block is None:
            here, there = self.content(0, self.nbytes), after.content
            assert here is not None and there is not None
            there[after.start : after.start + self.nbytes] = here
        elif self.nbytes:
            with self.device.using() as driver:
                driver.copy((after.block.memory, after.start), source, self.nbytes)
        with self._lock:
            self._room, self._shown, self._lent, self._is_borrowed = after, [], [], False


def host_memory(address: int, nbytes: int, owner: Any) -> Any:
    """Returns memory of the host by its address, as an object with the buffer protocol that keeps `owner`
    alive."""
    memory = (ctypes.c_char * nbytes).from_address(address)
    memory._owner = owner  # type: ignore[attr-defined]
    return memory


def host_bytes(address: int, nbytes: int, owner: Any) -> memoryview:
    """Returns memory of the host by its address; `owner` lives as long as the view."""
    return memoryview(host_memory(address, nbytes, owner)).cast("B")
