"""The objects that hold a device's memory, found among all objects of the program when memory runs short."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...errors import OutOfMemoryError, SourceLine
from ...ir.record import record
from .limits import free_bytes

if TYPE_CHECKING:
    from ..device import Device

_TOLD = 5
"""The most holders that an error names."""


class Holder(metaclass=record):
    """An object of the program that holds memory of a device.

    Such classes have a method `_holding(device)`, which returns a key of the memory, the holder, and whether
    the program sees it; None where it holds nothing there.
    """

    nbytes: int
    what: str
    """Such as "float32[1000, 1000]"."""
    line: SourceLine | None
    """The line that made it, where the device was monitored then."""

    def __str__(self) -> str:
        place = "" if self.line is None else f", made at {self.line}, in {self.line.function}"
        return f"{self.what}, {self.nbytes:,} bytes{place}"


def holders(device: Device) -> list[Holder]:
    """Tensors, arrays and buffers in a device's memory, the largest first. It looks at every object that the
    garbage collector knows: some milliseconds."""
    found: dict[int, Holder] = {}
    for each in _holding():
        holding = each._holding(device)
        # Of several that hold one memory, what the program sees is named.
        if holding is not None and (holding[0] not in found or holding[2]):
            found[holding[0]] = holding[1]
    return sorted(found.values(), key=lambda holder: -holder.nbytes)


def _holding() -> Iterator[Any]:
    for each in gc.get_objects():
        if "_holding" in type(each).__dict__ and type(each).__module__.startswith("jitframe."):
            yield each


def describe(problem: OutOfMemoryError, device: Device) -> None:
    """Adds to an error the free memory and the largest holders."""
    if "holders" in problem.context:
        return
    found = holders(device)
    free = free_bytes(device)
    problem.context.update(holders=tuple(found), free_bytes=free)
    told = [] if free is None else [f"free: {free:,} bytes"]
    told += [f"held by {holder}" for holder in found[:_TOLD]]
    if len(found) > _TOLD:
        rest = sum(holder.nbytes for holder in found[_TOLD:])
        told.append(f"and by {len(found) - _TOLD} more, {rest:,} bytes")
    if found and not device.is_monitored:
        made = "get" if device.is_shared else "create"
        whose = f"jf.backends.{made}({device.name!r})"
        which = f"{whose}.monitor()" if device.is_shared else f"monitor() of the backend that {whose} made"
        told.append(f"({which} notes the lines that make what is held)")
    problem.add("\n  ".join(told))
