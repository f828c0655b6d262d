"""How much memory a device has left, and whether that is enough."""

from __future__ import annotations

from ..errors import OutOfMemoryError
from ..ir.record import record
from ..runtime import registry
from ..runtime.device import Device
from ..runtime.probe import free_bytes


@record
class Room:
    """Memory that a program can still have on a device."""

    nbytes: int | None
    """None where neither what is free nor what there is at all is known."""
    is_measured: bool
    """Whether the driver said what is free; else it is the device's memory less what this program holds
    there."""

    def __str__(self) -> str:
        if self.nbytes is None:
            return "nobody tells how much memory it has"
        how = (
            "are free"
            if self.is_measured
            else "are its memory less what this program holds (nobody tells what is free)"
        )
        return f"{self.nbytes:,} bytes {how}"


def room(device: Device) -> Room:
    """The room on a device, asked now; what its pool keeps for later counts as free.

    >>> room(registry.device("cpu")).nbytes > 0
    True
    """
    backend, number = registry.parse(device.name)
    counted = device.statistics()
    free = free_bytes(registry.named_entry(backend), number, device.facts)
    if free:
        return Room(free + counted.pooled, True)
    total = device.facts.memory_bytes
    return Room(max(total - counted.live, 0) if total else None, False)


def check_room(device: Device, required_bytes: int) -> None:
    """Raises OutOfMemoryError where a device has not that much room; nothing where nobody can tell."""
    there = room(device)
    if there.nbytes is not None and there.nbytes < required_bytes:
        raise OutOfMemoryError(
            f"{device.name} ({device.facts.title}) has no room for {required_bytes:,} bytes: {there}",
            device=device.name,
            context={
                "asked_bytes": required_bytes,
                "free_bytes": there.nbytes,
                "is_measured": there.is_measured,
            },
        )
