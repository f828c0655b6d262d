"""Copies from any byte to any byte, and between devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...base.locks import closed_at_once
from ...codegen.kernel.movement import TILE, move_kernel
from ..executor import View
from ..queues.assignment import settled
from ..queues.ordering import OrderingDriver

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver
    from ..drivers.base import BaseDriver

_PEER_BYTES = 8 << 20
"""The bytes of the host in a copy between two devices."""
_MOVED_BYTES = 1 << 26
"""The bytes that one launch moves."""


@closed_at_once
def both(first: Device, second: Device) -> Iterator[tuple[Driver, Driver]]:
    """Locks the drivers of two devices for this thread, in the same order for all threads."""
    with settled(first, second):
        if (first.name, id(first)) <= (second.name, id(second)):
            with first.using(telling=False) as one, second.using(telling=False) as other:
                yield one, other
        else:
            with second.using(telling=False) as other, first.using(telling=False) as one:
                yield one, other
    for device in (first, second):
        if device._later:
            device.tell()


def between(there: Driver, target: View, here: Driver, source: View, nbytes: int) -> None:
    """Copies from one device to another: directly where possible, else in chunks through the host."""
    peer = getattr(there, "copy_from", None)
    if peer is not None:
        for driver, memory, wrote in ((here, source[0], False), (there, target[0], True)):
            if isinstance(driver, OrderingDriver):
                driver.touch(memory, wrote)
        if peer(target, here, source, nbytes):
            return
    part = memoryview(bytearray(min(nbytes, _PEER_BYTES)))
    for start in range(0, nbytes, _PEER_BYTES):
        staged = part[: min(_PEER_BYTES, nbytes - start)]
        here.download((source[0], source[1] + start), staged)
        there.upload((target[0], target[1] + start), staged)  # it may be under way while the next one is read


def whole_words(nbytes: int, unit: int = 4) -> int:
    return -(-nbytes // unit) * unit


def copy_bytes(
    driver: BaseDriver,
    target: View,
    source: View,
    nbytes: int,
    alignment: int,
    window: Callable[[Any, int], Any],
) -> None:
    """Copies between two memories, from any byte to any byte, by kernels.

    Views may begin at multiples of `alignment`; `window(memory, nbytes)` is the beginning of a memory.
    """
    (there, to), (here, start), down = target, source, -alignment

    def move(done: int, size: int, itemsize: int) -> None:
        if size:
            begin, goal, count = start + done, to + done, size // itemsize
            ends = (window(here, begin + size), begin & down), (window(there, goal + size), goal & down)
            scalars = (count, TILE, begin & ~down, (goal & ~down) // itemsize)
            values = b"".join(number.to_bytes(8, "little") for number in scalars)
            driver.launch(driver.compile(move_kernel(itemsize)), ends, values, -(-count // TILE))

    done = min(-to % 4, nbytes)
    move(0, done, 1)
    while nbytes - done >= 4:
        step = min(_MOVED_BYTES, (nbytes - done) & ~3)
        move(done, step, 4)
        done += step
    move(done, nbytes - done, 1)
