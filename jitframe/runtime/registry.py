"""Devices by name: the backends there are, what each finds here, and the one object that stands for a device.

A backend's module is imported when its devices are first asked for; what it lacks is a sentence in `problem`.
"""

from __future__ import annotations

import importlib
import threading
from functools import cache
from typing import Any

from ..errors import BackendError, BackendUnavailableError
from ..ir.record import record
from .device import CPU, Device
from .driver import Backend, Found


@record
class BackendEntry:
    """A backend; `priority`: higher is tried first."""

    name: str
    priority: int
    aliases: tuple[str, ...] = ()
    title: str = ""
    module: str = ""
    """Where its `Backend` is; the module of its name in this package unless given."""
    dlpack: int = 0
    """DLPack's number of its kind of device, for devices whose memory has addresses."""


BACKENDS = (
    BackendEntry("cuda", 600, title="NVIDIA GPUs through CuPy and NVRTC", dlpack=2),
    BackendEntry("hip", 500, ("rocm",), "AMD GPUs through hiprtc", dlpack=10),
    BackendEntry("metal", 400, title="Apple GPUs through PyObjC"),
    BackendEntry("opencl", 300, title="OpenCL devices through pyopencl"),
    BackendEntry("webgpu", 200, ("wgpu",), "WebGPU adapters through wgpu"),
    BackendEntry(
        "cpu",
        100,
        title="this machine's processors through LLVM",
        module="jitframe.runtime.cpu.driver",
        dlpack=1,
    ),
)
_ENTRY_POINTS = "jitframe.backends"
"""Other packages offer a BackendEntry each in this group of entry points."""
_registered: list[BackendEntry] = []
_devices: dict[tuple[str, int], Device] = {}
_lock = threading.RLock()


def device(name: str | Device) -> Device:
    """The device of a name such as "cpu", "opencl" (its first) or "cuda:1"; always the same object.

    Raises BackendError for an unknown name, and for a device that is not there.
    """
    if isinstance(name, Device):
        return name
    backend, number = parse(name)
    if backend == "cpu" and number == 0:
        return CPU
    with _lock:
        known = _devices.get((backend, number))
        if known is None:
            known = _devices[backend, number] = _made(backend, number)
    return known


def opened_anew(name: str) -> Device:
    """Another object for the device of a name, with a driver and memory of its own.

    The CPU's memory is the process's own: there is but one object for it. The errors are those of `device`.
    """
    backend, number = parse(name)
    return CPU if backend == "cpu" and number == 0 else _made(backend, number)


def _made(backend: str, number: int) -> Device:
    found = find(backend)
    if number >= len(found.devices):
        raise BackendUnavailableError(_absent(backend, number, found), device=canonical(backend, number))
    return Device(canonical(backend, number), found.devices[number], lambda: _backend(backend).open(number))


def backends() -> tuple[BackendEntry, ...]:
    """This package's backends and those of others, the first to be tried first."""
    return tuple(sorted((*BACKENDS, *_offered(), *_registered), key=lambda entry: -entry.priority))


def register(entry: BackendEntry) -> None:
    """Adds a backend for this process, as an entry point does for all."""
    _registered.append(entry)


@cache
def _offered() -> tuple[BackendEntry, ...]:
    from importlib.metadata import entry_points  # takes longer than all of this package

    return tuple(each.load() for each in entry_points(group=_ENTRY_POINTS))


def _entry(word: str) -> BackendEntry | None:
    """The backend of a name or alias."""
    return next((each for each in BACKENDS if word in (each.name, *each.aliases)), None) or next(
        (each for each in backends() if word in (each.name, *each.aliases)), None
    )


def parse(name: str) -> tuple[str, int]:
    """Backend and number of a device's name. Raises BackendError for one that cannot be."""
    if not isinstance(name, str):
        raise BackendError(f"a device is given by its name, such as 'opencl', not by a {type(name).__name__}")
    word, colon, digits = name.partition(":")
    word = word.strip().lower()
    number = int(digits) if digits.isdecimal() else 0 if not colon else -1
    entry = _entry(word)
    if entry is None or number < 0:
        names = ", ".join(entry.name for entry in backends())
        raise BackendUnavailableError(
            f"there is no device {name!r}; a name is one of {names}, perhaps with a number (cuda:1)"
        )
    return entry.name, number


def device_name(name: str | Device) -> str:
    """The canonical name, whether the device is there or not."""
    return name.name if isinstance(name, Device) else canonical(*parse(name))


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


@cache
def find(backend: str) -> Found:
    """The devices of a backend here, or why there are none."""
    entry = _entry(backend)
    assert entry is not None, backend
    try:
        devices = tuple(_backend(backend).enumerate())
    except BackendError as problem:
        return Found((), problem.message)
    except Exception as problem:  # of whatever library is behind it: other devices work nevertheless
        return Found((), f"{entry.title}: {type(problem).__name__}: {problem}")
    return Found(devices, "" if devices else f"{entry.title}: none found")


def _backend(name: str) -> Backend:
    entry = _entry(name)
    assert entry is not None, name
    module: Any = importlib.import_module(entry.module or f"{__package__}.{name}")
    return module


def _absent(backend: str, number: int, found: Found) -> str:
    name = canonical(backend, number)
    if not found.devices:
        return f"device {name!r} is not available: {found.problem}"
    there = ", ".join(f"{canonical(backend, k)} ({facts.title})" for k, facts in enumerate(found.devices))
    return f"device {name!r} is not available; there is {there}"
