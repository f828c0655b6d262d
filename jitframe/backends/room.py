"""Free memory of a device, and whether it is enough."""

from __future__ import annotations

from ..errors import OutOfMemoryError
from ..ir.record import record
from ..runtime.device import Device


class Room(metaclass=record):
    """Memory that a program can still have on a device."""

    nbytes: int | None
    """None where neither what is free nor what there is at all is known."""
    is_measured: bool
    """Whether the driver, or a limit, said what is free; else it is the device's memory less what this
    program holds there."""

    def fits(self, nbytes: int) -> bool:
        """Whether so many bytes can be had, as far as anybody knows."""
        return self.nbytes is None or nbytes <= self.nbytes

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
    """The room on a device, asked now, within its limits; what its pool keeps for later counts as free.

    >>> import jitframe as jf
    >>> room(jf.backends.get("cpu").device).nbytes > 0
    True
    """
    free = device.free_bytes()
    if free is not None:
        return Room(free, True)
    total = device.facts.memory_bytes
    return Room(max(total - device.statistics().live, 0) if total else None, False)


def check_room(device: Device, required_bytes: int) -> None:
    """Raises OutOfMemoryError where a device has not that much room; nothing where nobody can tell."""
    there = room(device)
    if not there.fits(required_bytes):
        raise OutOfMemoryError(
            f"{device.name} ({device.facts.title}) has no room for {required_bytes:,} bytes: {there}",
            device=device.name,
            context={
                "asked_bytes": required_bytes,
                "free_bytes": there.nbytes,
                "is_measured": there.is_measured,
            },
        )
