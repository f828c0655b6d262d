"""Selection of the device "auto": candidates in order, hardware before software devices.

The program's own order comes first (`set_priority`); then backends by priority; devices that compute on a
processor through a driver (PoCL, lavapipe) come after `cpu`, which is the same processor without the driver.
Within a backend the fastest is first: GPUs, then by measurements, where all of them were measured; else those
with memory of their own, then by compute units, then by memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...base.locks import new_reentrant_lock
from ...errors import BackendError, FallbackWarning, warn_user
from ...ir.record import record
from ...settings import settings
from ..device import Device
from ..driver import DeviceFacts, Found
from . import registry
from .backend_entry import BackendEntry
from .measured import known
from .probe import probed

_KINDS = ("gpu", "other", "cpu")


class Candidate(metaclass=record):
    """A device that can be selected."""

    name: str
    facts: DeviceFacts
    free_bytes: int
    """At the time of discovery; 0 where it is unknown."""


_order: tuple[str, ...] = ()
"""The program's order of names: of backends, or of devices."""
_chosen: Device | None = None
_lock = new_reentrant_lock()
_warned: set[str] = set()


def set_order(names: Sequence[str]) -> None:
    """Sets the names to try first: of backends, the fastest device of each first, or of devices ("cuda:0").

    Raises BackendError for an invalid name.
    """
    global _order, _chosen
    parsed = [(name, *registry.parse(name)) for name in names]
    backends = {entry.name: entry for entry in registry.backends()}

    def means_one(name: str, backend: str) -> bool:
        """Whether it names a device, rather than a backend."""
        return ":" in name or name.strip().lower() in dict(backends[backend].apis)

    with _lock:
        _order = tuple(
            f"{backend}:{number}" if means_one(name, backend) else backend for name, backend, number in parsed
        )
        _chosen = None


def order() -> tuple[str, ...]:
    """Returns the names of `set_order`."""
    return _order


def forget_choice() -> None:
    """Selects again at the next request for "auto"."""
    global _chosen
    with _lock:
        _chosen = None


def automatic() -> Device:
    """The device of "auto", opened; chosen once, and again after the order was changed.

    Devices that cannot be opened, and backends whose drivers fail when they are asked, are passed over with
    one FallbackWarning each; under `strict` that is a BackendError.
    """
    global _chosen
    with _lock:
        if _chosen is None:
            _chosen = _first()
        return _chosen


def _first() -> Device:
    for each in candidates():
        if isinstance(each, BackendError):
            fall_back(each, "auto tries the next device")
            continue
        device = registry.device(each.name)
        if device.is_host:
            return device
        try:
            device.driver  # noqa: B018 (opens it)
        except BackendError as problem:
            fall_back(problem, "auto tries the next device")
            continue
        return device
    raise AssertionError("the CPU is always there")


def fall_back(problem: BackendError, instead: str) -> None:
    """Warns, once for each problem, that a fallback is used; raises the problem under `strict`."""
    if settings().strict:
        raise problem
    if problem.message not in _warned:
        _warned.add(problem.message)
        warn_user(f"{problem.message}; {instead}", FallbackWarning)


def candidates() -> Iterator[Candidate | BackendError]:
    """Yields devices in the order of selection; the error in place of a backend whose driver is broken."""
    entries = registry.backends()
    names = set()
    for name in _order:
        for each in _of(name, entries):
            if not isinstance(each, Candidate):
                yield each
            elif each.name not in names:
                names.add(each.name)
                yield each
    after: list[Candidate] = []
    for entry in entries:
        for each in _of_backend(entry):
            if not isinstance(each, Candidate):
                if entry.name not in _order:
                    yield each
            elif each.name not in names:
                if each.facts.kind == "cpu" and entry.name != "cpu":
                    after.append(each)
                else:
                    yield each
    yield from after


def _of(name: str, entries: Sequence[BackendEntry]) -> Iterator[Candidate | BackendError]:
    """Returns the devices of a name: all of a backend, or one."""
    backend, number = name.partition(":")[::2]
    (entry,) = [each for each in entries if each.name == backend]
    found = tuple(_of_backend(entry))
    wanted = registry.canonical(backend, int(number)) if number else ""
    yield from (
        each for each in found if not wanted or not isinstance(each, Candidate) or each.name == wanted
    )


def _of_backend(entry: BackendEntry) -> Iterator[Candidate | BackendError]:
    answer = probed([entry])[entry.name]
    if answer.found.broken:
        yield BackendError(answer.found.problem, backend=entry.name)
    free = answer.free_bytes
    for number in by_speed(answer.found):
        yield Candidate(registry.canonical(entry.name, number), answer.found.devices[number], free[number])


def by_speed(found: Found) -> list[int]:
    """Orders a backend's devices by speed, the fastest first: by measurements (bytes a second), where all of
    them were measured, else by their facts. GPUs come first in any case."""
    if len(found.devices) == 1:
        return [0]
    speeds = [known(facts) for facts in found.devices]

    def promise(number: int) -> tuple[float, ...]:
        facts, speed = found.devices[number], speeds[number]
        kind = _KINDS.index(facts.kind)
        if speed is not None and None not in speeds:
            return kind, -speed.bandwidth, number
        return kind, facts.unified, -facts.units, -facts.memory_bytes, number

    return sorted(range(len(found.devices)), key=promise)
