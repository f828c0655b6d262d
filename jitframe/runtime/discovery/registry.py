"""Devices by name: the backends, their devices here, and the one object of each device.

A backend's module is imported when its devices are first requested; a missing requirement is a sentence in
`problem`.
"""

from __future__ import annotations

import importlib
import weakref
from collections.abc import Sequence
from typing import Any

from ...base.locks import new_reentrant_lock
from ...errors import (
    BackendError,
    BackendUnavailableError,
    DTypeError,
    JitframeError,
    JitframeWarning,
    KindError,
    UnknownDeviceError,
    listed,
    nearest,
    warn_user,
)
from ..device import CPU, Device
from ..driver import Found
from ..handling import heard
from .backend_entry import AUTO, BackendEntry, check_entry, obstacles, words
from .built_in import BUILT_IN
from .configured import shared_options

__all__ = ["BackendEntry", "device", "find", "parse", "register"]

_registered: list[BackendEntry] = []
_offered: list[BackendEntry] | None = None
"""The entries of entry points, after discovery."""
_used: dict[str, BackendEntry] = {}
"""Entries that were used before discovery, by entry point."""
_found: dict[str, Found] = {}
_interfaces: dict[str, Any] = {}
"""The results of factories, by the backend's name."""
_devices: dict[tuple[str, int], Device] = {}
_lock = new_reentrant_lock()


class OwnName(str):
    """The name of one backend's own device: `x.device` returns it, and `device=x.device` is that very device,
    not the program's shared one."""

    __slots__ = ("device",)
    device: weakref.ref[Device]

    def as_device(self) -> Device:
        """Returns the shared device once its own is gone."""
        return self.device() or device(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str(self),)


@heard
def device(name: str | Device) -> Device:
    """The device of a name such as "cpu", "opencl" (its first), "cuda:1" or "auto"; always the same object.
    What stands for a device, as a `Backend` does, tells it by its method `as_device`.

    Raises BackendError for an unknown name, and for a device that is not there.
    """
    if isinstance(name, Device):
        return name
    if hasattr(name, "as_device"):
        stood_for: Device = name.as_device()
        return stood_for
    if is_auto(name):
        from .automatic import automatic

        return automatic()
    backend, number = parse(name, using=True)
    if backend == "cpu" and number == 0:
        return CPU
    with _lock:
        known = _devices.get((backend, number))
        if known is None:
            # With the options of the environment and the configuration file.
            options = shared_options(named_entry(backend))
            known = _devices[backend, number] = _made(backend, number, options)
    return known


def opened_anew(name: str, **options: Any) -> Device:
    """Returns a new object for the device of a name, with a driver and memory of its own, opened now where
    there are options.

    `options` are keywords of the backend's `open`. Raises the errors of `device`, and those of opening.
    """
    made = _made(*parse(name, using=True), options)
    made.is_shared, made.name = False, OwnName(made.name)
    made.name.device = weakref.ref(made)
    return made


def _made(backend: str, number: int, options: dict[str, Any]) -> Device:
    """Returns a device that opens its driver with options."""
    facts, opened = _facts(backend, number), []
    if options:  # which may change what is known of it
        opened = [_backend(backend).open(number, **options)]
        facts = opened[0].facts
    return Device(
        canonical(backend, number),
        facts,
        lambda: opened.pop() if opened else _backend(backend).open(number, **options),
        CPU.machine if backend == "cpu" else None,
    )


def _facts(backend: str, number: int) -> Any:
    """Returns the facts of a device. Raises BackendUnavailableError where it is absent."""
    found = find(backend)
    if number >= len(found.devices):
        raise BackendUnavailableError(
            absent(canonical(backend, number), backend, found), device=canonical(backend, number)
        )
    return found.devices[number]


# Backends -------------------------------------------------------------------------------------------------
def backends() -> tuple[BackendEntry, ...]:
    """Returns all backends, by priority."""
    with _lock:
        return tuple(sorted((*BUILT_IN, *offered(), *_registered), key=lambda entry: -entry.priority))


def register(entry: BackendEntry) -> None:
    """Adds a backend for this process, as an entry point does for all.

    Raises ArgumentError for an invalid name, BackendError for one that is taken.
    """
    check_entry(entry)
    with _lock:
        taken = _taken_name(entry, backends())
        if taken:
            raise BackendError(
                f"there is a backend {taken!r} already; there are {_names()}",
                backend=entry.name,
                suggestions=("give it another name", f"jf.backends.unregister({taken!r}) first"),
            )
        _registered.append(entry)


def unregister(name: str) -> None:
    """Removes a backend that was registered, or that an entry point provides, for this process.

    Raises BackendError for an unknown name, and for this package's own.
    """
    entry = named_entry(name)
    check_removable(entry)
    with _lock:
        for entries in (_registered, offered()):
            if entry in entries:
                entries.remove(entry)
        _used.pop(entry.offered, None)
        _found.pop(entry.name, None)
        _interfaces.pop(entry.name, None)
        for key in [key for key in _devices if key[0] == entry.name]:
            del _devices[key]


def check_removable(entry: BackendEntry) -> None:
    """Raises BackendError for one of this package's own."""
    if entry in BUILT_IN:
        others = [each.name for each in backends() if each not in BUILT_IN]
        raise BackendError(
            f"the backend {entry.name} is jitframe's own and stays; others are {', '.join(others) or 'none'}",
            backend=entry.name,
        )


def offered() -> list[BackendEntry]:
    """Returns the entries of installed packages' entry points, none of them imported here unless it was used;
    one that cannot be loaded has a `problem`."""
    global _offered
    with _lock:
        if _offered is None:
            from . import offers  # it can start processes, which whoever names a device does not need

            there, entries = offers.points(), list[BackendEntry]()
            asked = [each for each in there if each.value not in _used]
            found = _used | {each.value: entry for each, entry in zip(asked, offers.described(asked))}
            for each in there:
                entry = found[each.value]
                taken = _taken_name(entry, (*BUILT_IN, *_registered, *entries))
                if not taken:
                    entries.append(entry)
                    continue
                warn_user(
                    f"the backend of the entry point {each.name} = {each.value} is not used: there is a "
                    f"backend {taken!r} already",
                    JitframeWarning,
                )
            _offered = entries
        return _offered


def _taken_name(entry: BackendEntry, entries: Any) -> str:
    """Returns a name of an entry that another one has."""
    taken = {name for each in entries for name in words(each)}
    return next((name for name in words(entry) if name in taken), "")


def _entry(word: str, using: bool = False) -> BackendEntry | None:
    """Returns the backend of a name or alias. `using`: it is imported; else entry points are loaded in child
    processes."""
    with _lock:
        entry = _named(word, (*BUILT_IN, *_registered, *_used.values()))
        if entry is None and using and _offered is None:
            entry = _imported(word)
    return _named(word, backends()) if entry is None else entry


def _named(word: str, entries: Sequence[BackendEntry]) -> BackendEntry | None:
    return next((entry for entry in entries if word in words(entry)), None)


def _imported(word: str) -> BackendEntry | None:
    """Returns the backend of an entry point of that name, loaded here; None where it provides another."""
    from . import offers

    for point in offers.points():
        if point.name == word:
            entry = offers.described_here(point)
            if entry.name == word and not _taken_name(entry, (*BUILT_IN, *_registered)):
                _used[point.value] = entry
                return entry
    return None


def named_entry(name: str) -> BackendEntry:
    """Returns the backend of a name or alias. Raises BackendUnavailableError, which lists the names."""
    entry = _entry(name.strip().lower()) if isinstance(name, str) else None
    if entry is None:
        near = nearest(name, _words())
        raise BackendUnavailableError(f"there is no backend {name!r}{near}; there are {_names()}")
    return entry


def _words() -> list[str]:
    """All names and aliases."""
    return [name for entry in backends() for name in words(entry)]


def _names() -> str:
    return ", ".join(entry.name for entry in backends())


# Names ----------------------------------------------------------------------------------------------------
def parse(name: str, using: bool = False) -> tuple[str, int]:
    """Returns backend and number of a device's name.

    Raises BackendError for an invalid one. `using`: the device is about to be used, so that the backend of a
    package may be imported.
    """
    if not isinstance(name, str):
        raise KindError(f"a device is given by its name, such as 'opencl', not by {name!r}")
    word, colon, digits = name.strip().partition(":")
    word = word.strip().lower()
    number = int(digits) if digits.isdecimal() else 0 if not colon else -1
    entry = _entry(word, using)
    if entry is None or number < 0:
        near = nearest(word, _words()) if entry is None else ""
        raise UnknownDeviceError(
            f"there is no device {name!r}{near}; a name is one of {_names()}, perhaps with a number (cuda:1)"
        )
    api = dict(entry.apis).get(word)
    return entry.name, number if api is None else _number(entry, word, api, number, using)


def _number(entry: BackendEntry, word: str, api: str, number: int, using: bool) -> int:
    """Returns the number of one of an API's devices among all of its backend.

    Raises BackendUnavailableError, which lists the devices.
    """
    if using or entry.name in _found:
        found = find(entry.name)
    else:  # elsewhere: its driver may hang
        from .probe import probed

        found = probed([entry])[entry.name].found
    there = [k for k, facts in enumerate(found.devices) if facts.api.startswith(api)]
    if number < len(there):
        return there[number]
    wanted = canonical(word, number)
    if there:
        some = Found(tuple(found.devices[k] for k in there))
        why = f"there is {_listed(word, some)}"
    elif found.devices:
        why = f"no device of {entry.name} is reached by {api}; there is {_listed(entry.name, found)}"
    else:
        why = f"it is one of {entry.name}'s: {found.problem}"
    raise BackendUnavailableError(f"device {wanted!r} is not available; {why}", device=wanted)


def device_name(name: str | Device, using: bool = False) -> str:
    """Returns the canonical name, whether the device exists or not; "auto" is its own. `using`: see
    `parse`."""
    if not isinstance(name, str) and (isinstance(name, Device) or hasattr(name, "as_device")):
        return device(name).name
    return AUTO if is_auto(name) else canonical(*parse(name, using))


def is_auto(name: Any) -> bool:
    """Whether a name stands for the best device here, in whatever case it is written."""
    return isinstance(name, str) and name.strip().lower() == AUTO


def dlpack_kind(name: str) -> tuple[int, int]:
    """DLPack's number of a device's kind, 0 where it has none, and the device's number."""
    backend, _, number = name.partition(":")
    entry = _entry(backend)
    return (0 if entry is None else entry.dlpack), int(number or 0)


def name_by_dlpack(kind: int, number: int) -> str:
    """The name of a device that DLPack describes so."""
    for entry in backends():
        if entry.dlpack == kind:
            return canonical(entry.name, number)
    raise BackendError(f"no device here shares memory with devices that are of kind {kind} to DLPack")


def canonical(backend: str, number: int) -> str:
    """Returns the canonical device name: without a number for a backend's first device."""
    return backend if number == 0 else f"{backend}:{number}"


# What is there --------------------------------------------------------------------------------------------
def find(backend: str) -> Found:
    """Returns the devices of a backend, or the reason why there are none; searched once, in this process."""
    with _lock:
        found = _found.get(backend)
        if found is None:
            found = _found[backend] = enumerated(named_entry(backend))
    return found


def found_before(backend: str) -> Found | None:
    """Returns the cached result of `find`."""
    return _found.get(backend)


def forget_found() -> None:
    """Searches for devices again when they are next requested; those in use stay."""
    with _lock:
        _found.clear()


def enumerated(entry: BackendEntry) -> Found:
    """Returns the devices of a backend, enumerated now, in this process; never raises."""
    reasons = obstacles(entry)
    if reasons and (entry not in BUILT_IN or entry.problem):
        return Found((), f"{entry.title or entry.name}: {'; '.join(reasons)}")
    title = entry.title or entry.name
    try:
        devices = tuple(backend_of(entry).enumerate())
    except BackendError as problem:
        return Found((), problem.message)
    except JitframeError as problem:  # a factory that gives no backend
        return Found((), f"{title}: {problem.message}", True)
    except Exception as problem:  # of whatever library is behind it: other devices work nevertheless
        said = f"{title}: {type(problem).__name__}: {problem}"
        return Found((), said, not isinstance(problem, ImportError))
    return Found(devices, "" if devices else f"{title}: none found")


def backend_of(entry: BackendEntry) -> Any:
    """Returns its `Backend`, loaded now."""
    if entry.offered and entry.factory is None and not entry.module:
        if entry.name not in _interfaces:
            from . import offers

            _interfaces[entry.name] = backend_of(offers.loaded(entry))
        return _interfaces[entry.name]
    if entry.factory is not None:
        if entry.name not in _interfaces:
            made = entry.factory()
            lacking = [each for each in ("enumerate", "open") if not callable(getattr(made, each, None))]
            if lacking:
                raise DTypeError(
                    f"the factory of the backend {entry.name} gave {made!r}, which has no {listed(lacking)}: "
                    "it gives a module, or an object, with enumerate() and open(number)"
                )
            _interfaces[entry.name] = made
        return _interfaces[entry.name]
    return importlib.import_module(entry.module or f"jitframe.runtime.drivers.{entry.name}")


def _backend(name: str) -> Any:
    return backend_of(named_entry(name))


def absent(name: str, backend: str, found: Found) -> str:
    """Returns the reason why a device is absent, with the list of its backend's devices."""
    if not found.devices:
        return f"device {name!r} is not available: {found.problem}"
    return f"device {name!r} is not available; there is {_listed(backend, found)}"


def _listed(backend: str, found: Found) -> str:
    """Lists its devices in a sentence."""
    return ", ".join(f"{canonical(backend, k)} ({facts.title})" for k, facts in enumerate(found.devices))
