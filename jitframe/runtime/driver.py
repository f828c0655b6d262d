"""What a device's driver offers: one small protocol, the same for every backend.

A driver stands for one device. Work is asynchronous and done in the order it was asked for; what needs a
result (`download`, `synchronize`, `elapsed`) waits. Memory objects are the driver's own: nobody else looks
into them. A driver raises BackendUnavailableError for what is absent, CompileError for source that it
rejects, OutOfMemoryError, DeviceLostError or BackendError for what the device does; it can be used on.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.bound import BoundGemm
from ..errors import BackendUnavailableError
from ..ir.record import fresh, record
from .executor import View


@record
class DeviceFacts:
    """What is known of a device before anything runs on it."""

    title: str
    """Its own name, for people: "NVIDIA H200", "llvmpipe (LLVM 15.0.6)"."""
    api: str
    """How it is reached, with versions: "CUDA 12.8", "OpenCL 3.0 PoCL 3.1", "Vulkan"."""
    kind: Literal["gpu", "cpu", "other"]
    """What computes; software devices are "cpu"."""
    dtypes: frozenset[str]
    """Names of the dtypes that kernels can compute in there ("f32", "bool", ...)."""
    version: str
    """What beside source and options decides a binary: compiler and driver versions, architecture."""
    memory_bytes: int = 0
    """Its memory; 0 where that is unknown."""
    largest_buffer: int = 1 << 62
    """Bytes of the largest buffer that a kernel can be given."""
    most_threads: int = 256
    """Lanes of a workgroup at most."""
    most_buffers: int = 127
    """Buffers that one kernel can be given."""
    shared_bytes: int = 16384
    """Shared memory of a workgroup."""
    subgroup: int = 0
    """Lanes that run in step; 0 where that is unknown or differs."""
    subgroup_lanes: int = 0
    """Consecutive lanes of a workgroup that are sure to exchange values by shuffles."""
    fma: bool = False
    """Whether a multiply-add that rounds once is as fast as a product."""
    units: int = 1
    """Compute units."""
    unified: bool = False
    """Whether its memory is the host's."""
    library_products: bool = False
    """Whether `gemm` multiplies matrices; else products are kernels."""
    more: tuple[tuple[str, str], ...] = ()
    """Further facts for people, as (name, value)."""


@record
class MemoryStatistics:
    """Memory of one device, in bytes."""

    live: int
    """In buffers that are in use."""
    pooled: int
    """Kept for the next buffers."""
    peak: int
    """The most that was live at once."""
    allocations: int
    """How often the device was asked for memory."""
    reuses: int
    """How often the pool had some."""


class Event(Protocol):
    """A point in a driver's order of work."""


class Driver(Protocol):
    """One device. The executor of plans uses it as its PlanDriver."""

    facts: DeviceFacts

    # Memory
    def allocate(self, nbytes: int) -> Any:
        """Memory of at least so many bytes, contents undefined; 0 bytes give an object too."""
        ...

    def free(self, memory: Any) -> None:
        """Give memory back; work that was asked for before may still use it."""
        ...

    def upload(self, target: View, data: memoryview) -> None:
        """Copy contiguous bytes of the host to the device; they may change once this returns."""
        ...

    def download(self, source: View, out: memoryview) -> None:
        """Copy device memory into contiguous writable bytes of the host, after all work before."""
        ...

    def read(self, source: View, nbytes: int) -> bytes:
        """Bytes of device memory, after all work before."""
        ...

    def copy(self, target: View, source: View, nbytes: int) -> None:
        """Copy within the device; the ranges do not overlap."""
        ...

    def trim(self) -> None:
        """Give what the pool keeps back to the system."""
        ...

    def statistics(self) -> MemoryStatistics: ...

    # Kernels
    def compile(self, kernel: Kernel) -> Any:
        """A handle to launch the kernel by, from memory, from the kernel cache or compiled now."""
        ...

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        """Run `groups` workgroups; `values`: the eight-byte slots after the buffers, little-endian."""
        ...

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        """A matrix product by a library; only where `facts.library_products`."""
        ...

    # Order
    def mark(self) -> Event:
        """The point after all work so far."""
        ...

    def elapsed(self, first: Event, last: Event) -> float:
        """Seconds of device time between two marks, after waiting for both."""
        ...

    def synchronize(self) -> None:
        """Wait for all work so far; raises what it did wrong."""
        ...


class Backend(Protocol):
    """A module of `jitframe.runtime`: the devices that one interface reaches."""

    def enumerate(self) -> Sequence[DeviceFacts]:
        """The devices, in a stable order. Raises BackendError: what is missing and what to install."""
        ...

    def open(self, number: int) -> Driver:
        """The driver of device `number` of `enumerate`."""
        ...


@record
class Found:
    """Devices that a backend has here, or why it has none."""

    devices: tuple[DeviceFacts, ...] = fresh(factory=tuple)
    problem: str = ""


def numbered_device(backend: str, number: int, devices: Sequence[Any]) -> Any:
    """One of a backend's devices; BackendUnavailableError where there is none of that number."""
    if not 0 <= number < len(devices):
        raise BackendUnavailableError(
            f"{backend}:{number} is not there: this machine has {len(devices)} such devices"
        )
    return devices[number]


def package(name: str, backend: str, install: str) -> Any:
    """A package that a backend needs, or a part of it.

    Raises BackendUnavailableError, with what to install, where it lacks.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as problem:
        raise BackendUnavailableError(f"{backend} needs {name} ({install}): {problem}") from None
