"""The free memory of a device, and checks of it."""

from __future__ import annotations

from ..errors import OutOfMemoryError
from ..ir.record import record
from ..runtime.device import Device


class Room(metaclass=record):
    """The memory that a program can still allocate on a device."""

    nbytes: int | None
    """None where neither the free nor the total memory is known."""
    is_measured: bool
    """Whether the driver, or a limit, reported it; else it is the device's memory less what this program
    holds there."""

    def fits(self, nbytes: int) -> bool:
        """Whether so many bytes can be allocated, as far as is known."""
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
    """Returns the present room on a device, within its limits; free blocks of its pool count as free.

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
    """Raises OutOfMemoryError where a device has too little free memory; does nothing where that is
    unknown."""
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
