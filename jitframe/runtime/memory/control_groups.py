"""The memory that control groups leave to this process: Linux, versions 1 and 2.

Groups are nested, each with a limit for all that is in it, so all of them count. Beyond a limit the kernel
drops cached files, and then kills a process of the group.
"""

from __future__ import annotations

import os

from ...ir.record import record


class GroupMemory(metaclass=record):
    """The memory of a group with a limit."""

    limit_bytes: int
    used_bytes: int
    """Without cached files, which the kernel can drop."""

    @property
    def room_bytes(self) -> int:
        return max(self.limit_bytes - self.used_bytes, 0)


class _Version(metaclass=record):
    """The files of one version of control groups, below the root of the file system."""

    mounts: tuple[str, ...]
    limits: tuple[str, ...]
    """`memory.high` is one too: beyond it processes are throttled."""
    used: str
    gives_way: tuple[str, ...]
    """Lines of memory.stat with droppable memory."""


_FIRST = _Version(
    ("sys/fs/cgroup/memory",),
    ("memory.limit_in_bytes",),
    "memory.usage_in_bytes",
    ("total_inactive_file", "total_active_file"),
)
_SECOND = _Version(
    ("sys/fs/cgroup", "sys/fs/cgroup/unified"),
    ("memory.max", "memory.high"),
    "memory.current",
    ("inactive_file", "active_file", "slab_reclaimable"),
)
_ABOVE = "hierarchical_memory_limit"
"""In version 1's memory.stat: the least limit of a group and all that it is in, shown or not."""
_NO_LIMIT = 1 << 60
"""Version 1 writes a number above this where there is none."""


def limited_groups(root: str = "/") -> list[GroupMemory]:
    """The groups with limits that this process is in, the innermost first; none where there are none."""
    found: list[GroupMemory] = []
    for line in _lines(os.path.join(root, "proc/self/cgroup")):
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if not controllers:
            found += _groups(root, _SECOND, path)
        elif "memory" in controllers.split(","):
            found += _groups(root, _FIRST, path)
    return found


def _groups(root: str, version: _Version, path: str) -> list[GroupMemory]:
    found = []
    for mount in version.mounts:
        top = os.path.join(root, mount)
        folder = os.path.join(top, path.strip("/")).rstrip("/")
        # A container may see its own group as the outermost, and be told a path that is only there outside.
        hidden = ".." in path.split("/") or not os.path.isdir(folder)
        folder = top if hidden else folder
        while True:
            group = _group(folder, version, hidden)
            if group is not None:
                found.append(group)
            if folder == top:
                break
            folder = os.path.dirname(folder)
    return found


def _group(folder: str, version: _Version, hidden: bool) -> GroupMemory | None:
    limits = [_number(os.path.join(folder, name)) for name in version.limits]
    unlimited = _NO_LIMIT
    statistics: dict[str, int] = {}
    if hidden or min(limits) < unlimited:
        statistics = _statistics(os.path.join(folder, "memory.stat"))
        limits.append(statistics.get(_ABOVE, unlimited))
    limit = min(limits)
    if limit >= unlimited:
        return None
    used = _number(os.path.join(folder, version.used))
    gives_way = sum(statistics.get(name, 0) for name in version.gives_way)
    return GroupMemory(limit, max(used - gives_way, 0) if used < unlimited else 0)


def _statistics(path: str) -> dict[str, int]:
    rows = [line.split() for line in _lines(path)]
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdecimal()}


def _number(path: str) -> int:
    """Returns the number in a file; `_NO_LIMIT` where there is none, as for "max"."""
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdecimal() else _NO_LIMIT


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except OSError:
        return []
