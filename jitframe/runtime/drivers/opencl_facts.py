"""Facts that OpenCL devices report of themselves."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from typing import Any, Literal

from ...codegen.c_family.atomics import atomic_dtypes
from ..driver import Cache, DeviceFacts, PerformanceHints
from ..memory import host_memory
from .opencl_devices import dialect_of, pyopencl, rank
from .queued import MOST_QUEUES

_KINDS: tuple[Literal["gpu", "other", "cpu"], ...] = ("gpu", "other", "cpu")
_ON_PROCESSORS = PerformanceHints(preferred_workgroup=1)
"""A processor's compiler makes vectors of loops: one lane that runs them is fastest (measured with PoCL)."""

_POCL = re.compile(r"(?:pthread|basic|cpu)-([a-z0-9_.-]+?)-[A-Z]")


def _memory_bytes(device: Any, processor: bool) -> int:
    """A driver for processors may not know that control groups bound their memory."""
    told = int(device.global_mem_size)
    return min(told, host_memory.total_bytes() or told) if processor else told


def facts_of(device: Any, options: Sequence[str] = ()) -> DeviceFacts:
    """What is known of a device, where kernels are built with more options."""
    title, driver = device.name.strip(), device.driver_version.strip()
    whose, api = device.platform.name.strip(), device.platform.version.strip()
    processor = _KINDS[rank(device)] == "cpu"
    dialect = dialect_of(device)
    return DeviceFacts(
        title=title,
        api=" ".join(api.split()[:4]),
        kind=_KINDS[rank(device)],
        dtypes=frozenset(dialect.types),
        version=" ".join((f"{title}, {whose} {api}, {driver}", *options)),
        memory_bytes=_memory_bytes(device, processor),
        largest_buffer=device.max_mem_alloc_size,
        most_threads=device.max_work_group_size,
        most_lanes=tuple(device.max_work_item_sizes[:3]),
        shared_bytes=device.local_mem_size,
        subgroup=device.warp_size_nv if "cl_nv_device_attribute_query" in device.extensions else 0,
        fma=bool(device.single_fp_config & pyopencl().device_fp_config.FMA),
        units=device.max_compute_units,
        unified=bool(device.host_unified_memory),
        execution="simd" if processor else "simt",
        vector_bytes=4 * device.native_vector_width_float if processor else 0,
        alignment=max(device.mem_base_addr_align // 8, 16),
        asynchronous=True,
        streams=MOST_QUEUES,
        keeps_binaries=True,
        atomics=atomic_dtypes(dialect),
        constant_bytes=device.max_constant_buffer_size,
        caches=_caches(device),
        hints=_ON_PROCESSORS if processor else PerformanceHints(),
        architecture=architecture_of(title, _compute_capability(device), processor),
        driver=driver,
        more=(
            ("platform", whose),
            ("driver", driver),
            ("OpenCL C", device.opencl_c_version.strip()),
            *_pci(device),
        ),
    )


def _pci(device: Any) -> tuple[tuple[str, str], ...]:
    """A device's address on the bus, by which the system's tools know it; of NVIDIA's and AMD's drivers."""
    try:
        if "cl_nv_device_attribute_query" in device.extensions:
            domain = getattr(device, "pci_domain_id_nv", 0)
            bus, slot, function = device.pci_bus_id_nv, device.pci_slot_id_nv >> 3, device.pci_slot_id_nv & 7
        elif "cl_amd_device_attribute_query" in device.extensions:
            place = device.topology_amd
            domain, bus, slot, function = 0, place.bus & 0xFF, place.device, place.function
        else:
            return ()
    except (pyopencl().Error, AttributeError):
        return ()
    return (("PCI", f"{domain:04x}:{bus:02x}:{slot:02x}.{function}"),)


def architecture_of(title: str, capability: str, is_processor: bool) -> str:
    """What a device's code is made for: NVIDIA's compute capability, AMD's name of it, the processor that is
    in PoCL's names of devices, or else this machine's kind of processor; "" of others, which tell none.

    >>> architecture_of("pthread-skylake-avx512-AMD EPYC", "", True)
    'skylake-avx512'
    """
    if capability:
        return capability
    match = re.match(r"(gfx[0-9a-f]+)", title) or _POCL.match(title)
    if match is not None:
        return match[1]
    return platform.machine() if is_processor else ""


def _compute_capability(device: Any) -> str:
    """ "9.0", of NVIDIA's devices."""
    if "cl_nv_device_attribute_query" not in device.extensions:
        return ""
    return f"{device.compute_capability_major_nv}.{device.compute_capability_minor_nv}"


def _caches(device: Any) -> tuple[Cache, ...]:
    """The one that OpenCL tells of, the last before the memory; what level that is it does not say."""
    nbytes, line_bytes = device.global_mem_cache_size, device.global_mem_cacheline_size
    found = (Cache(2, nbytes, line_bytes, device.max_compute_units),)
    return found if device.global_mem_cache_type and nbytes else ()
