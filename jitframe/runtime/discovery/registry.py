"""Devices by name: the backends there are, what each finds here, and the one object that stands for a device.

A backend's module is imported when its devices are first asked for; what it lacks is a sentence in `problem`.
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
"""Those of entry points, once they were looked for."""
_used: dict[str, BackendEntry] = {}
"""Those of them that were used before that, by their entry point."""
_found: dict[str, Found] = {}
_interfaces: dict[str, Any] = {}
"""What factories gave, by the backend's name."""
_devices: dict[tuple[str, int], Device] = {}
_lock = new_reentrant_lock()


class OwnName(str):
    """The name of one backend's own device: `x.device` says it, and `device=x.device` is that very device,
    not the one that all of the program shares."""

    __slots__ = ("device",)
    device: weakref.ref[Device]

    def as_device(self) -> Device:
        """The shared one once it is gone."""
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
    """Another object for the device of a name, with a driver and memory of its own, opened now where there
    are options.

    `options` are keywords of the backend's `open`. The errors are those of `device`, and what opening it
    raises.
    """
    made = _made(*parse(name, using=True), options)
    made.is_shared, made.name = False, OwnName(made.name)
    made.name.device = weakref.ref(made)
    return made


def _made(backend: str, number: int, options: dict[str, Any]) -> Device:
    """A device that opens its driver with options."""
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
    """Of a device. Raises BackendUnavailableError where it is not there."""
    found = find(backend)
    if number >= len(found.devices):
        raise BackendUnavailableError(
            absent(canonical(backend, number), backend, found), device=canonical(backend, number)
        )
    return found.devices[number]


# Backends -------------------------------------------------------------------------------------------------
def backends() -> tuple[BackendEntry, ...]:
    """This package's backends and those of others, the first to be tried first."""
    with _lock:
        return tuple(sorted((*BUILT_IN, *offered(), *_registered), key=lambda entry: -entry.priority))


def register(entry: BackendEntry) -> None:
    """Adds a backend for this process, as an entry point does for all.

    Raises ArgumentError for a name that cannot be, BackendError for one that is taken.
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
    """Takes back a backend that was registered, or that an entry point offers, for this process.

    Raises BackendError for a name that is none, and for this package's own.
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
    """What the entry points of installed packages offer, none of them imported here unless it was used; one
    that cannot be loaded has a `problem`."""
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
    """A name of an entry that another one has."""
    taken = {name for each in entries for name in words(each)}
    return next((name for name in words(entry) if name in taken), "")


def _entry(word: str, using: bool = False) -> BackendEntry | None:
    """The backend of a name or alias. One that is used is imported; else entry points are asked elsewhere."""
    with _lock:
        found = _named(word, (*BUILT_IN, *_registered, *_used.values()))
        if found is None and using and _offered is None:
            found = _imported(word)
    return _named(word, backends()) if found is None else found


def _named(word: str, entries: Sequence[BackendEntry]) -> BackendEntry | None:
    return next((each for each in entries if word in words(each)), None)


def _imported(word: str) -> BackendEntry | None:
    """The backend that the entry point of a name gives, loaded here; None where it gives another."""
    from . import offers

    for point in offers.points():
        if point.name == word:
            entry = offers.described_here(point)
            if entry.name == word and not _taken_name(entry, (*BUILT_IN, *_registered)):
                _used[point.value] = entry
                return entry
    return None


def named_entry(name: str) -> BackendEntry:
    """The backend of a name or alias. Raises BackendUnavailableError, with the names that there are."""
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
    """Backend and number of a device's name. Raises BackendError for one that cannot be.

    `using`: the device is about to be used, so that the backend of a package may be imported.
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
    """The number that one of the devices reached by an interface has among all of its backend.

    Raises BackendUnavailableError, which lists those that there are.
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
    """The canonical name, whether the device is there or not; "auto" is its own. `using`: see `parse`."""
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
    """The one spelling of a device's name: without a number for a backend's first device."""
    return backend if number == 0 else f"{backend}:{number}"


# What is there --------------------------------------------------------------------------------------------
def find(backend: str) -> Found:
    """The devices of a backend here, or why there are none; looked for once, in this process."""
    with _lock:
        found = _found.get(backend)
        if found is None:
            found = _found[backend] = enumerated(named_entry(backend))
    return found


def found_before(backend: str) -> Found | None:
    """What `find` found, where it was asked."""
    return _found.get(backend)


def forget_found() -> None:
    """Looks for devices again when they are next asked for; those in use stay."""
    with _lock:
        _found.clear()


def enumerated(entry: BackendEntry) -> Found:
    """The devices of a backend, asked for now, in this process; never raises."""
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
    """Its `Backend`, loaded now."""
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
    """Why a device is not there, and which of its backend are."""
    if not found.devices:
        return f"device {name!r} is not available: {found.problem}"
    return f"device {name!r} is not available; there is {_listed(backend, found)}"


def _listed(backend: str, found: Found) -> str:
    """Its devices in a sentence."""
    return ", ".join(f"{canonical(backend, k)} ({facts.title})" for k, facts in enumerate(found.devices))
