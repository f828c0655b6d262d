"""The WebGPU adapters of this machine: GPUs first, then processors, OpenGL's twins of them last."""

from __future__ import annotations

import os
import platform
import tempfile
from functools import cache
from typing import Any

from ..codegen.c_family import WGSL
from ..codegen.c_family.atomics import atomic_dtypes
from ..errors import BackendUnavailableError
from ..settings import settings
from . import host_memory
from .driver import DeviceFacts, PerformanceHints, package
from .webgpu_llvmpipe import ends_loops
from .webgpu_subgroups import facts_of_teams

_INSTALL = "install a Vulkan driver (on Debian without a GPU: apt-get install mesa-vulkan-drivers)"
_LANES, _MOST_LANES = 256, ("invocations-per-workgroup", "workgroup-size-x")
_ON_PROCESSORS = PerformanceHints(preferred_workgroup=32)
"""They run a workgroup's lanes by turns; more of them only make its barriers dearer."""
_RANKS = {"DiscreteGPU": 0, "IntegratedGPU": 1, "CPU": 3}
BUFFERS = "max-storage-buffers-per-shader-stage"
_DEFAULT_LIMITS = {
    BUFFERS: 8,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroup-size-x": 256,
    "max-compute-workgroup-size-y": 256,
    "max-compute-workgroup-size-z": 64,
    "max-compute-workgroup-storage-size": 16384,
    "max-compute-workgroups-per-dimension": 65535,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-buffer-size": 256 << 20,
    "max-uniform-buffer-binding-size": 65536,
    "min-storage-buffer-offset-alignment": 256,
    "min-uniform-buffer-offset-alignment": 256,
}
"""What every WebGPU device has."""


@cache
def wgpu() -> Any:
    """The package. Raises BackendError where it is not installed."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())  # Mesa complains where it is not set
    return package("wgpu", "WebGPU", "pip install 'jitframe[webgpu]'")


@cache
def adapters() -> list[Any]:
    """In a stable order. Raises BackendError where there is none."""
    found = wgpu().gpu.enumerate_adapters_sync()
    if not found:
        raise BackendUnavailableError(f"no WebGPU adapter is here: {_INSTALL}")
    return sorted(found, key=rank)


def rank(adapter: Any) -> tuple[bool, int]:
    """Twins last; then by what computes."""
    info = adapter.info
    return info["backend_type"].startswith("OpenGL"), _RANKS.get(info["adapter_type"], 2)


def limits_of(adapter: Any, whose: str | None = None) -> dict[str, int]:
    """What kernels may count on: what the adapter has, or what every device has ("adapter" or "default"; as
    the settings say unless given)."""
    own = {**adapter.limits, BUFFERS: adapter.limits[BUFFERS] - ends_loops(adapter)}
    if (whose or settings().webgpu_limits) == "adapter":
        return {name: own[name] for name in _DEFAULT_LIMITS}
    return {
        name: (max if name.startswith("min-") else min)(limit, own[name])
        for name, limit in _DEFAULT_LIMITS.items()
    }


def facts_of(adapter: Any, whose: str | None = None) -> DeviceFacts:
    """What is known of an adapter, with limits as in `limits_of`."""
    info, limits, (_, kind) = adapter.info, limits_of(adapter, whose), rank(adapter)
    api, title, (width, lanes, words) = info["backend_type"], info["device"], facts_of_teams(adapter)
    binding = f"{limits['max-storage-buffer-binding-size']:,} bytes"
    more = ("vendor", info["vendor"]), ("type", info["adapter_type"]), ("largest binding", binding)
    return DeviceFacts(
        title=title,
        api=api,
        kind=("gpu", "gpu", "other", "cpu")[kind],
        dtypes=frozenset(WGSL.types),
        version=f"wgpu {wgpu().__version__}, {api}, {title}, {sorted(limits.values())}",
        memory_bytes=host_memory.total_bytes() if kind == 3 else 0,
        largest_buffer=limits["max-buffer-size"] & ~15,
        most_threads=min(_LANES, *(limits[f"max-compute-{each}"] for each in _MOST_LANES)),
        most_lanes=tuple(limits[f"max-compute-workgroup-size-{axis}"] for axis in "xyz"),
        most_buffers=limits[BUFFERS],
        shared_bytes=limits["max-compute-workgroup-storage-size"] - words,
        private_bytes=8192,
        subgroup=width,
        subgroup_lanes=lanes,
        unified=kind in (1, 3),
        alignment=256,
        asynchronous=True,
        atomics=atomic_dtypes(WGSL),
        constant_bytes=limits["max-uniform-buffer-binding-size"],
        hints=_ON_PROCESSORS if kind == 3 else PerformanceHints(),
        architecture=info.get("architecture") or (platform.machine() if kind == 3 else ""),
        driver=info["description"],
        more=tuple(each for each in more if each[1]),
    )


def tick_seconds(queue: Any) -> float:
    """What a unit of a time stamp is. WebGPU's are nanoseconds; wgpu hands on the device's own."""
    try:
        from wgpu.backends.wgpu_native import lib

        return float(lib.wgpuQueueGetTimestampPeriod(queue._internal)) * 1e-9
    except (ImportError, AttributeError):
        return 1e-9
