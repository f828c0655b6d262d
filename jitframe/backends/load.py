"""The load of a device, as the system's own tools report it: NVIDIA's NVML, Linux's sysfs for AMD's GPUs, and
the load of the processors for devices that compute on them."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

from ..runtime.device import Device

_LIBRARIES = ("libnvidia-ml.so.1", "nvml.dll")
_SYSFS = Path("/sys/bus/pci/devices")


class _Utilization(ctypes.Structure):
    """nvmlUtilization_t: percent of the last sample period."""

    _fields_ = [("gpu", ctypes.c_uint), ("memory", ctypes.c_uint)]


def device_load(device: Device) -> tuple[float | None, str]:
    """Returns the share of the last moments in which a device was busy, from 0 to 1; None and the reason
    where nobody tells."""
    facts = device.facts
    if facts.kind == "cpu":
        load = host_load()
        return load, "" if load is not None else "this system does not tell how busy its processors are"
    place = str(dict(facts.more).get("PCI", ""))
    if not place:
        return None, f"{facts.api} tells no PCI address, by which the system's tools know a GPU"
    load = _sysfs(place)
    return (load, "") if load is not None else _nvidia(place)


def host_load() -> float | None:
    """Returns the share of the host's processors that were busy in the last minute; None where the system
    does not tell."""
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


def _nvidia(place: str) -> tuple[float | None, str]:
    """Returns the load of an NVIDIA GPU. `place`: its PCI bus id, as order and visibility are CUDA's own
    affair."""
    library = _nvml()
    if library is None:
        names = " or ".join(_LIBRARIES)
        return (
            None,
            f"Linux has no gpu_busy_percent for the GPU at {place}, and NVIDIA's {names} is not there",
        )
    handle, found = ctypes.c_void_p(), _Utilization()
    if library.nvmlDeviceGetHandleByPciBusId_v2(place.encode(), ctypes.byref(handle)):
        return None, f"NVIDIA's NVML knows no GPU at {place}"
    if library.nvmlDeviceGetUtilizationRates(handle, ctypes.byref(found)):
        return None, f"NVIDIA's NVML does not tell how busy the GPU at {place} is"
    return int(found.gpu) / 100, ""


def _sysfs(place: str) -> float | None:
    """Returns the load of an AMD GPU from its driver."""
    try:
        return int((_SYSFS / place.lower() / "gpu_busy_percent").read_text()) / 100
    except (OSError, ValueError):
        return None
