"""Backends of installed packages: entry points of the group `jitframe.backends`.

Listing them requires importing their modules, which may hang or crash: a child process for each does that.
This process imports one when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.record import replace
from ...settings import settings
from .backend_entry import BackendEntry, check_entry
from .isolation import Child, NoAnswer, can_ask

GROUP = "jitframe.backends"


def points() -> Sequence[Any]:
    """Returns the entry points; nothing of them is imported."""
    from importlib.metadata import entry_points  # takes longer than all of this package

    return tuple(entry_points(group=GROUP))


def described(offered: Sequence[Any]) -> list[BackendEntry]:
    """Returns the entry of each entry point, from child processes: without its module and factory, which
    `loaded` finds.

    One that cannot be loaded has a `problem`. With `probe_seconds` 0 they are loaded here.
    """
    limit = settings().probe_seconds
    if not limit or not can_ask():
        return [described_here(each) for each in offered]
    children: list[Child] = []
    try:
        for each in offered:
            children.append(Child(_describe, (each.name, each.value), limit))
        return [_answer(each, child) for each, child in zip(offered, children, strict=True)]
    except OSError:  # a system that starts no process
        return [described_here(each) for each in offered]
    finally:
        for child in children:
            child.close()


def described_here(point: Any) -> BackendEntry:
    """Returns the entry of an entry point, loaded in this process."""
    try:
        entry = _checked(point)
    except Exception as problem:  # of another package: its own backend is the only one to miss
        return _refused(point, f"cannot be loaded: {type(problem).__name__}: {problem}")
    return replace(entry, offered=point.value)


def loaded(entry: BackendEntry) -> BackendEntry:
    """Returns the entry itself, imported in this process. Raises the exceptions of the import, and TypeError
    for another object."""
    return _checked(_point(entry.name, entry.offered))


def _answer(point: Any, child: Child) -> BackendEntry:
    try:
        found = child.answer()
        assert isinstance(found, BackendEntry)
    except NoAnswer as problem:
        return _refused(point, str(problem))
    return found


def _describe(told: tuple[str, str]) -> BackendEntry:
    """Runs in the child."""
    return replace(described_here(_point(*told)), module="", factory=None)


def _checked(point: Any) -> BackendEntry:
    entry = point.load()
    if not isinstance(entry, BackendEntry):
        raise TypeError(f"{point.value} is a {type(entry).__name__}, not a BackendEntry")
    check_entry(entry)
    return entry


def _refused(point: Any, why: str) -> BackendEntry:
    return BackendEntry(
        point.name, 0, title=f"offered by {point.value}", problem=f"its entry point {point.value} {why}"
    )


def _point(name: str, value: str) -> Any:
    from importlib.metadata import EntryPoint

    return EntryPoint(name, value, GROUP)
