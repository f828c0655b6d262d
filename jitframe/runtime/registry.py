"""Devices by name: the backends there are, what each finds here, and the one object that stands for a device.

A backend's module is imported when its devices are first asked for; what it lacks is a sentence in `problem`.
"""

from __future__ import annotations

import importlib
import threading
from functools import cache
from typing import Any

from ..errors import DeviceError
from ..ir.record import record
from .device import CPU, Device
from .driver import Found


@record
class BackendEntry:
    """A backend of this package; `priority`: higher is tried first."""

    name: str
    priority: int
    aliases: tuple[str, ...] = ()
    title: str = ""


BACKENDS = (
    BackendEntry("cuda", 600, title="NVIDIA GPUs through CuPy and NVRTC"),
    BackendEntry("hip", 500, ("rocm",), "AMD GPUs through hiprtc"),
    BackendEntry("metal", 400, title="Apple GPUs through PyObjC"),
    BackendEntry("opencl", 300, title="OpenCL devices through pyopencl"),
    BackendEntry("webgpu", 200, ("wgpu",), "WebGPU adapters through wgpu"),
)
_BY_NAME = {name: entry for entry in BACKENDS for name in (entry.name, *entry.aliases)}
_devices: dict[tuple[str, int], Device] = {}
_lock = threading.RLock()


def device(name: str | Device) -> Device:
    """The device of a name such as "cpu", "opencl" (its first) or "cuda:1"; always the same object.

    Raises DeviceError for an unknown name, and for a device that is not there.
    """
    if isinstance(name, Device):
        return name
    backend, number = parse(name)
    if backend == "cpu":
        return CPU
    with _lock:
        known = _devices.get((backend, number))
        if known is None:
            found = find(backend)
            if number >= len(found.devices):
                raise DeviceError(_absent(backend, number, found))
            known = _devices[backend, number] = Device(
                canonical(backend, number), found.devices[number], lambda: _module(backend).open(number)
            )
    return known


def parse(name: str) -> tuple[str, int]:
    """Backend and number of a device's name. Raises DeviceError for one that cannot be."""
    if not isinstance(name, str):
        raise DeviceError(f"a device is given by its name, such as 'opencl', not by a {type(name).__name__}")
    word, colon, digits = name.partition(":")
    word = word.strip().lower()
    number = int(digits) if digits.isdecimal() else 0 if not colon else -1
    if word == "cpu" and number == 0:
        return "cpu", 0
    if word not in _BY_NAME or number < 0:
        names = ", ".join(["cpu", *(entry.name for entry in BACKENDS)])
        raise DeviceError(
            f"there is no device {name!r}; a name is one of {names}, perhaps with a number (cuda:1)"
        )
    return _BY_NAME[word].name, number


def canonical(backend: str, number: int) -> str:
    """The one spelling of a device's name: without a number for a backend's first device."""
    return backend if number == 0 else f"{backend}:{number}"


@cache
def find(backend: str) -> Found:
    """The devices of a backend here, or why there are none."""
    try:
        devices = tuple(_module(backend).enumerate())
    except DeviceError as problem:
        return Found((), problem.message)
    return Found(devices, "" if devices else f"{_BY_NAME[backend].title}: none found")


def _module(backend: str) -> Any:
    return importlib.import_module(f"{__package__}.{backend}")


def _absent(backend: str, number: int, found: Found) -> str:
    name = canonical(backend, number)
    if not found.devices:
        return f"device {name!r} is not available: {found.problem}"
    there = ", ".join(f"{canonical(backend, k)} ({facts.title})" for k, facts in enumerate(found.devices))
    return f"device {name!r} is not available; there is {there}"
