"""The memory of this machine: all of it, and what programs can still have of it.

A process in a container has what its control groups leave it, and that is the machine's memory for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...base.background import address_room, process_bytes
from .control_groups import limited_groups

if TYPE_CHECKING:
    from ..driver import DeviceFacts


def total_bytes() -> int:
    """Bytes of memory, or what the control groups of this process may have of it; 0 where that is unknown."""
    there = _pages("SC_PHYS_PAGES")
    limits = [group.limit_bytes for group in limited_groups()]
    return min(there, *limits) if there and limits else there


def free_bytes() -> int:
    """Bytes that this process can have without swapping; 0 where that is unknown."""
    found = _available()
    rooms = [group.room_bytes for group in limited_groups()]
    addresses = address_room()
    if addresses is not None:
        rooms.append(addresses)
    return min(found, *rooms) if found and rooms else found


def group_room() -> int | None:
    """Bytes that this process can have before the system ends it, or another one of its control group; None
    where no group has a limit."""
    rooms = [group.room_bytes for group in limited_groups()]
    return min(rooms) if rooms else None


def room_for(facts: DeviceFacts) -> Callable[[], int | None]:
    """What tells how much memory a device may still take: `group_room` for one that computes on this
    processor, nobody for others."""
    return group_room if facts.kind == "cpu" else lambda: None


def used_bytes() -> int:
    """Bytes of memory that this process has in use; 0 where nobody tells."""
    return process_bytes(1)


def _available() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return _pages("SC_AVPHYS_PAGES")


def _pages(name: str) -> int:
    try:
        return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
