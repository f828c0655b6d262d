"""What a WebGPU adapter tells of itself."""

from __future__ import annotations

import platform
from typing import Any

from ...codegen.c_family import WGSL
from ...codegen.c_family.atomics import atomic_dtypes
from ..driver import DeviceFacts, PerformanceHints
from ..memory import host_memory
from .webgpu_adapters import BUFFERS, limits_of, rank, wgpu
from .webgpu_subgroups import facts_of_teams

_LANES, _MOST_LANES = 256, ("invocations-per-workgroup", "workgroup-size-x")
_ON_PROCESSORS = PerformanceHints(preferred_workgroup=32)
"""They run a workgroup's lanes by turns; more of them only make its barriers dearer."""


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
