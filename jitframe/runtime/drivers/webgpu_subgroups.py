"""Subgroups of WebGPU adapters: an optional feature, used where reductions gain by it."""

from __future__ import annotations

from typing import Any

from ...codegen.c_family import WGSL, Dialect
from ...codegen.c_family.wgsl_subgroups import ENABLED, with_subgroups
from ...codegen.kernel import REDUCTION_LANES
from ...ir.record import replace
from ..driver import DeviceFacts

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
