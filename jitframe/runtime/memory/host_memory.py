"""The memory of this machine, and the part of it that programs can still use.

For a process in a container, the memory of its control groups is the machine's.
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
    """Returns the bytes of memory, or the limit of this process's control groups; 0 where they are
    unknown."""
    there = _pages("SC_PHYS_PAGES")
    limits = [group.limit_bytes for group in limited_groups()]
    return min(there, *limits) if there and limits else there


def free_bytes() -> int:
    """Returns the bytes that this process can use without swapping; 0 where they are unknown."""
    found = _available()
    rooms = [group.room_bytes for group in limited_groups()]
    addresses = address_room()
    if addresses is not None:
        rooms.append(addresses)
    return min(found, *rooms) if found and rooms else found


def group_room() -> int | None:
    """Returns the bytes that this process can use before the system kills it, or another process of its
    control group; None where no group has a limit."""
    rooms = [group.room_bytes for group in limited_groups()]
    return min(rooms) if rooms else None


def room_for(facts: DeviceFacts) -> Callable[[], int | None]:
    """Returns the function for a device's remaining memory: `group_room` for one that computes on this
    processor, None for others."""
    return group_room if facts.kind == "cpu" else lambda: None


def used_bytes() -> int:
    """Returns the bytes of memory in use by this process; 0 where they are unknown."""
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
