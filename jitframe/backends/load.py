"""How busy a device is, where its driver's own tools tell: NVIDIA's NVML, AMD's files in Linux's sysfs."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

from ..runtime.device import Device

_LIBRARIES = ("libnvidia-ml.so.1", "nvml.dll")
_SYSFS = Path("/sys/class/drm")


class _Utilization(ctypes.Structure):
    """nvmlUtilization_t: percent of the last sample period."""

    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


def device_load(device: Device) -> float | None:
    """Share of the last moments in which a device was busy, from 0 to 1; None where nobody tells."""
    backend, _, number = device.name.partition(":")
    if backend == "cuda":
        return _nvidia(str(dict(device.facts.more).get("PCI", "")))
    if backend == "hip":
        return _amd(int(number or 0))
    return None


def host_load() -> float | None:
    """Share of the host's processors that were in use in the last minute; None where the system does not
    tell."""
    try:
        return min(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)
    except (AttributeError, OSError):
        return None


@cache
def _nvml() -> Any:
    for name in _LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        return library if library.nvmlInit_v2() == 0 else None
    return None


def _nvidia(place: str) -> float | None:
    """`place`: the GPU's PCI bus id, as order and visibility are CUDA's own affair."""
    library = _nvml()
    if library is None or not place:
        return None
    handle, found = ctypes.c_void_p(), _Utilization()
    if library.nvmlDeviceGetHandleByPciBusId_v2(place.encode(), ctypes.byref(handle)):
        return None
    if library.nvmlDeviceGetUtilizationRates(handle, ctypes.byref(found)):
        return None
    return int(found.gpu) / 100


def _amd(number: int) -> float | None:
    files = sorted(_SYSFS.glob("card*/device/gpu_busy_percent"))
    try:
        return int(files[number].read_text()) / 100
    except (IndexError, OSError, ValueError):
        return None
