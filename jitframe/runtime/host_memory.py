"""The memory of this machine: all of it, and what programs can still have of it."""

from __future__ import annotations

import os

_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
_USED = (
    "/sys/fs/cgroup/memory.current",
    "/sys/fs/cgroup/memory/memory.usage_in_bytes",
)
_HELD = (
    ("/sys/fs/cgroup/memory.stat", "inactive_file"),
    ("/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"),
)


def total_bytes() -> int:
    """Bytes of memory, or what the control group of this process may have of it; 0 where that is unknown."""
    there = _pages("SC_PHYS_PAGES")
    limit = _number(_LIMITS)
    return min(there, limit) if there and limit else there


def free_bytes() -> int:
    """Bytes that programs can have without swapping; 0 where that is unknown."""
    found = _available()
    limit, used = _number(_LIMITS), _number(_USED) - _reclaimable()
    return max(min(found, limit - used), 0) if found and limit else found


def _available() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    return _pages("SC_AVPHYS_PAGES")


def _reclaimable() -> int:
    """Bytes of files that the control group holds in memory and need not."""
    for path, name in _HELD:
        try:
            with open(path, encoding="ascii") as lines:
                return sum(int(line.split()[1]) for line in lines if line.split()[0] == name)
        except (OSError, ValueError, IndexError):
            continue
    return 0


def _pages(name: str) -> int:
    try:
        return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0


def _number(paths: tuple[str, ...]) -> int:
    """The number in the first file that there is; 0 where there is none, or where it says "max"."""
    for path in paths:
        try:
            with open(path, encoding="ascii") as file:
                return int(file.read())
        except (OSError, ValueError):
            continue
    return 0
