"""Facts that WebGPU adapters report of themselves."""

from __future__ import annotations

import platform
from typing import Any

from ...codegen.c_family import WGSL, Dialect
from ...codegen.c_family.atomics import atomic_dtypes
from ...codegen.c_family.wgsl_subgroups import ENABLED, with_subgroups
from ...codegen.kernel import REDUCTION_LANES
from ...ir.record import replace
from ..driver import DeviceFacts, PerformanceHints
from ..memory import host_memory
from .webgpu_adapters import BUFFERS, limits_of, rank, wgpu
from .webgpu_llvmpipe import MOST_ITERATIONS, ends_loops

_LANES, _MOST_LANES = 256, ("invocations-per-workgroup", "workgroup-size-x")
_ON_PROCESSORS = PerformanceHints(preferred_workgroup=32)
"""They run a workgroup's lanes in turn; more of them only make its barriers slower."""


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
        most_iterations=MOST_ITERATIONS if ends_loops(adapter) else None,
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


_HEADERS = {"subgroups": ENABLED, "subgroup": ()}
"""What texts begin with, by the feature's name: WebGPU's, or wgpu's as long as naga takes no header."""
_WORDS_BYTES = 4 * 256
"""Shared memory that a workgroup may need for values which subgroups cannot exchange."""


def request_device(adapter: Any, limits: dict[str, int]) -> Any:
    """A device with these limits, and the features that drivers use."""
    features = [each for each in ("timestamp-query", _feature(adapter)) if each in adapter.features]
    return adapter.request_device_sync(required_features=features, required_limits=limits)


def dialect_of(adapter: Any, facts: DeviceFacts) -> Dialect:
    """The language as an adapter with these facts has it."""
    feature = _feature(adapter)
    dialect = replace(with_subgroups(WGSL), header=_HEADERS[feature]) if feature else WGSL
    return replace(dialect, buffer_limit=facts.most_buffers)


def facts_of_teams(adapter: Any) -> tuple[int, int, int]:
    """The narrowest subgroup, how many lanes reduce together, and the shared memory that this takes; zeros
    where subgroups are not used."""
    return (_width(adapter), REDUCTION_LANES, _WORDS_BYTES) if _feature(adapter) else (0, 0, 0)


def _feature(adapter: Any) -> str:
    """The feature's name where it pays and subgroups are numbered for sure; else "".

    Kernels look at the width themselves; narrower subgroups would be right, and slower than shared memory. On
    D3D12, which has no numbers of subgroups, naga makes them of the lanes' numbers, which nothing promises.
    """
    api, wide = adapter.info["backend_type"], _width(adapter) >= REDUCTION_LANES
    pays = wide or (api == "Metal" and adapter.info["device"].startswith("Apple"))
    found = [name for name in _HEADERS if name in adapter.features]
    return found[0] if found and pays and api != "D3D12" else ""


def _width(adapter: Any) -> int:
    """Lanes of the narrowest subgroup that the adapter says it makes; wgpu 0.32 misspells the name."""
    return int(max(adapter.info.get(f"{word}group_min_size", 0) for word in ("sub", "stack")))
