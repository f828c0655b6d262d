"""Discovery of backends' devices in child processes, so that a driver that hangs or crashes does not affect
this process.

A child (see `isolation`) imports the backend's module, enumerates its devices and reads their free memory.
All children run concurrently. Backends that a child cannot find (made by a function of the main program, say)
are probed in a thread of this process, where a hang is harmless, but a crash is not.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterable
from typing import Any

from ... import settings
from ...base.locks import new_reentrant_lock
from ...ir.record import record
from ..driver import DeviceFacts, Found
from ..memory import host_memory
from . import registry
from .backend_entry import BackendEntry, obstacles
from .built_in import BUILT_IN
from .isolation import Child, NoAnswer, can_ask


class Probed(metaclass=record):
    """The result of a probe: the devices of a backend, and the free bytes of each: 0 where they are
    unknown."""

    found: Found
    free_bytes: tuple[int, ...] = ()


_probed: dict[str, Probed] = {}
_lock = new_reentrant_lock()


def probed(entries: Iterable[BackendEntry], limit_seconds: float | None = None) -> dict[str, Probed]:
    """Returns the devices of each backend, by name; probed once, in a child process where the backend
    requires it.

    `limit_seconds` for each; the setting `probe_seconds` unless given, and 0 probes in this process. Never
    raises.
    """
    limit = settings.settings().probe_seconds if limit_seconds is None else limit_seconds
    wanted = tuple(entries)
    with _lock:
        missing = [entry for entry in wanted if entry.name not in _probed]
        _probed.update(_ask(missing, limit))
        return {entry.name: _probed[entry.name] for entry in wanted}


def forget_probed(name: str | None = None) -> None:
    """Probes a backend, or all, again when they are next needed."""
    with _lock:
        if name is None:
            _probed.clear()
        else:
            _probed.pop(name, None)


def _ask(entries: list[BackendEntry], limit: float) -> dict[str, Probed]:
    children: dict[str, Child] = {}
    here: list[BackendEntry] = []
    for entry in entries:
        child = _child(entry, limit)
        if child is None:
            here.append(entry)
        else:
            children[entry.name] = child
    try:
        answers = {entry.name: _here(entry, limit) for entry in here}
        asked = {entry.name: entry for entry in entries}
        return {**answers, **{name: _answer(asked[name], child) for name, child in children.items()}}
    finally:
        for child in children.values():
            child.close()


def _child(entry: BackendEntry, limit: float) -> Child | None:
    """Returns a process that probes a backend; None where it is better probed here."""
    if not limit or not entry.isolated or registry.found_before(entry.name) is not None or obstacles(entry):
        return None
    if not can_ask() or not _is_found_elsewhere(entry):
        return None
    try:
        return Child(look, entry, limit)
    except OSError:  # a system that starts no process
        return None


def _is_found_elsewhere(entry: BackendEntry) -> bool:
    """Whether another process gets the same backend from a copy of the entry."""
    if getattr(entry.factory, "__module__", "") == "__main__":
        return False
    try:
        return bool(pickle.loads(pickle.dumps(entry)) == entry)
    except Exception:  # whatever an object of the user's says when it is pickled
        return False


def _answer(entry: BackendEntry, child: Child) -> Probed:
    """Returns the result of a child; the reason where it crashed, or took too long."""
    try:
        found = child.answer()
        assert isinstance(found, Probed)
    except NoAnswer as problem:
        return _broken(f"{entry.title or entry.name}: the driver {problem}")
    return found


def _broken(problem: str) -> Probed:
    return Probed(Found((), problem, True))


def _here(entry: BackendEntry, limit: float) -> Probed:
    """Probes in this process; in a thread that is abandoned where it takes too long."""
    if entry in BUILT_IN or not limit:
        return look(entry)
    answers: list[Probed] = []
    thread = threading.Thread(target=lambda: answers.append(look(entry)), daemon=True, name="jitframe-probe")
    thread.start()
    thread.join(limit)
    if answers:
        return answers[0]
    title = entry.title or entry.name
    return _broken(f"{title}: the driver did not answer within {limit:g} s (JITFRAME_PROBE_SECONDS)")


def look(entry: BackendEntry) -> Probed:
    """Returns the devices of a backend, probed now, in this process; never raises."""
    found = registry.found_before(entry.name) or registry.enumerated(entry)
    free = (free_bytes(entry, number, facts) for number, facts in enumerate(found.devices))
    return Probed(found, tuple(free))


def free_bytes(entry: BackendEntry, number: int, facts: DeviceFacts) -> int:
    """Returns the free bytes of a device's memory, read now, in this process; 0 where they are unknown.

    Devices that compute on a processor have the host's memory.
    """
    try:
        ask: Any = getattr(registry.backend_of(entry), "free_bytes", None)
        told = int(ask(number)) if ask is not None else 0
    except Exception:  # of whatever library is behind it: only a number is missing
        told = 0
    if not told and facts.kind == "cpu":
        return min(host_memory.free_bytes(), facts.memory_bytes or host_memory.free_bytes())
    return told
