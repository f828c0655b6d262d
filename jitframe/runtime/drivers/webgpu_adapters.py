"""The WebGPU adapters of this machine: GPUs first, then processors, OpenGL's twins of them last."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from typing import Any

from ...errors import BackendUnavailableError
from ...settings import settings
from ..driver import package
from .webgpu_llvmpipe import ends_loops

_INSTALL = "install a Vulkan driver (on Debian without a GPU: apt-get install mesa-vulkan-drivers)"
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


def tick_seconds(queue: Any) -> float:
    """What a unit of a time stamp is. WebGPU's are nanoseconds; wgpu hands on the device's own."""
    try:
        from wgpu.backends.wgpu_native import lib

        return float(lib.wgpuQueueGetTimestampPeriod(queue._internal)) * 1e-9
    except (ImportError, AttributeError):
        return 1e-9
