"""Long copies in chunks, two of them in flight at a time, through pinned memory of the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...ir.record import mutable

T = TypeVar("T")
PART_BYTES = 4 << 20
"""The size of a chunk: small enough that it stays in the caches."""


def in_turn(nbytes: int, begin: Callable[[int, int, int], T], end: Callable[[T], None]) -> None:
    """Transfers chunks of at most PART_BYTES, each begun before the one before it is ended.

    `begin(turn, start, size)`: turn alternates between 0 and 1.
    """
    pending: list[T] = []
    for number, start in enumerate(range(0, nbytes, PART_BYTES)):
        pending.append(begin(number % 2, start, min(PART_BYTES, nbytes - start)))
        if len(pending) == 2:
            end(pending.pop(0))
    for each in pending:
        end(each)


class Part(metaclass=mutable):
    """PART_BYTES of pinned memory, and the point after which the device no longer uses it."""

    content: memoryview
    address: int = 0
    """The device's address of it, where drivers need it."""
    busy: Any = None


Copy = Callable[[Part, int, int], Any]
"""`copy(part, start, size)` starts a copy between a chunk's first `size` bytes and the device's bytes from
`start` on; returns the point after that."""


class Staging:
    """Two alternating chunks, allocated on first use, each reused after the device has finished with it."""

    def __init__(self, pinned: Callable[[], Part], wait: Callable[[Any], None]) -> None:
        self._pinned = pinned
        self._wait = wait
        self._parts: list[Part] = []

    def send(self, data: memoryview, copy: Copy) -> None:
        """Copies bytes of the host to the device, asynchronously."""
        for number, start in enumerate(range(0, data.nbytes, PART_BYTES)):
            part, given = self._part(number), data[start : start + PART_BYTES]
            part.content[: given.nbytes] = given
            part.busy = copy(part, start, given.nbytes)

    def fetch(self, out: memoryview, copy: Copy) -> None:
        """Copies bytes of the device to the host."""

        def begin(turn: int, start: int, size: int) -> tuple[Part, memoryview]:
            part = self._part(turn)
            part.busy = copy(part, start, size)
            return part, out[start : start + size]

        def end(begun: tuple[Part, memoryview]) -> None:
            part, wanted = begun
            wanted[:] = self._free(part).content[: wanted.nbytes]

        in_turn(out.nbytes, begin, end)

    def _part(self, number: int) -> Part:
        while len(self._parts) < 2:
            self._parts.append(self._pinned())
        return self._free(self._parts[number % 2])

    def _free(self, part: Part) -> Part:
        if part.busy is not None:
            self._wait(part.busy)
            part.busy = None
        return part
