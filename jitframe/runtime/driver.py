"""The driver protocol: one small protocol, the same for every backend.

A driver stands for one device. Work is asynchronous and done in the order it was asked for; what needs a
result (`download`, `synchronize`, `elapsed`) waits. Memory objects are the driver's own: nobody else looks
into them. A driver raises BackendUnavailableError for what is absent, CompileError for source that it
rejects, OutOfMemoryError, DeviceLostError or BackendError for what the device does; it can be used on.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Protocol, TypeAlias

from ..base.locks import new_reentrant_lock
from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.nodes import LibraryCall
from ..errors import ArgumentError, BackendUnavailableError
from ..ir.record import fresh, record
from .discovery.options import named_fields
from .executor import View

Extra: TypeAlias = "bool | int | float | str | tuple[Extra, ...]"
"""A further fact of a device."""


class Cache(metaclass=record):
    """A cache between a device's compute units and its memory."""

    level: int
    """1 is next to the unit."""
    nbytes: int
    line_bytes: int = 0
    """The size of a cache line; 0 where it is unknown."""
    units: int = 1
    """Compute units that share one."""


@named_fields
class PerformanceHints(metaclass=record):
    """Performance preferences of a device; results do not depend on them."""

    preferred_workgroup: int = 256
    """Lanes that run a workgroup of a kernel written for one lane. Where lanes are threads, those that
    reduce have at least 32; a kernel that needs many registers gets fewer. When a device is opened, kernels
    with shared memory are planned for as many lanes."""
    alignment: int = 64
    """The default alignment of buffers and of those of pools."""
    vector_width: int = 16
    """The preferred bytes of one access of a lane."""
    batch_size: int = 64
    """The preferred number of launches in a submission, where a driver collects them."""
    prefer_vectorized: bool = True
    """Whether a lane gains from accesses of `vector_width` bytes."""
    prefer_async: bool = True
    """Whether launches are preferably asynchronous. A synchronous launch raises its own errors."""
    cache_kernels: bool = True
    """Whether compiled kernels are worth storing on disk."""

    def check(self) -> None:
        """Raises ArgumentError for an invalid number."""
        for name in ("preferred_workgroup", "alignment", "vector_width", "batch_size"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ArgumentError(f"{name}={value!r}: a hint is a whole number from 1 on")
        if self.alignment & (self.alignment - 1):
            raise ArgumentError(f"alignment={self.alignment}: an alignment is a power of two")


@named_fields
class DeviceFacts(metaclass=record):
    """Properties of a device, as reported by its driver before anything runs on it."""

    title: str
    """Its own name, for people: "NVIDIA H200", "llvmpipe (LLVM 15.0.6)"."""
    api: str
    """Its API, with versions: "CUDA 12.8", "OpenCL 3.0 PoCL 3.1", "Vulkan"."""
    kind: Literal["gpu", "cpu", "other"]
    """The kind of hardware; software devices are "cpu"."""
    dtypes: frozenset[str]
    """Names of the dtypes of its kernels ("f32", "bool", ...)."""
    version: str
    """All that a binary depends on besides source and options: compiler and driver versions, architecture."""
    memory_bytes: int = 0
    """Its memory; 0 where that is unknown."""
    largest_buffer: int = 1 << 62
    """Bytes of the largest buffer of a kernel."""
    most_threads: int = 256
    """The most lanes of a workgroup."""
    most_lanes: tuple[int, ...] = ()
    """Along each of the three axes of a workgroup; `most_threads` where they are unknown."""
    most_buffers: int = 127
    """The most buffers of one kernel."""
    shared_bytes: int = 16384
    """Shared memory of a workgroup."""
    private_bytes: int = 1 << 18
    """The most bytes of a thread's own arrays: of a lane, or of a workgroup where one thread runs all its
    lanes."""
    subgroup: int = 0
    """Lanes that run in step; 0 where that is unknown or differs."""
    subgroup_lanes: int = 0
    """The number of consecutive lanes of a workgroup that certainly exchange values by shuffles."""
    fma: bool = False
    """Whether a multiply-add that rounds once is as fast as a product."""
    units: int = 1
    """Compute units."""
    unified: bool = False
    """Whether its memory is the host's."""
    library_products: bool = False
    """Whether a library multiplies matrices; else products are kernels."""
    library_functions: frozenset[str] = frozenset()
    """Other functions of its libraries, by their names in plans; the processor computes all others."""
    execution: Literal["simd", "simt"] = "simt"
    """The execution of a kernel's lanes: in the vector registers of one thread, or as separate threads."""
    most_iterations: int | None = None
    """The iterations after which the loops of a lane end, all together; None where they end by themselves."""
    vector_bytes: int = 0
    """The width of a compute unit's vector registers; 0 where there are none or it is unknown."""
    alignment: int = 16
    """The alignment of allocations."""
    asynchronous: bool = False
    """Whether `launch` may return before the work is done."""
    streams: int = 1
    """The number of queues of the driver."""
    out_of_order: bool = False
    """Whether independent work may be reordered."""
    keeps_binaries: bool = False
    """Whether compiled kernels are stored in the kernel cache on disk."""
    atomics: frozenset[str] = frozenset()
    """Dtypes with atomic addition in memory that other workgroups add to."""
    constant_bytes: int = 0
    """Memory for constants, apart from the rest; 0 where there is none."""
    caches: tuple[Cache, ...] = ()
    """Those of data, the nearest first."""
    matrix_units: bool = False
    """Whether there are units that multiply small matrices."""
    cooperative_groups: bool = False
    """Whether the workgroups of one launch can synchronize."""
    dynamic_parallelism: bool = False
    """Whether kernels can launch kernels."""
    hints: PerformanceHints = PerformanceHints()
    architecture: str = ""
    """The target of its code: "9.0" (a compute capability), "gfx90a", "avx512"; "" where it is unknown."""
    driver: str = ""
    """The driver's version in its vendor's numbering; "" where it is unknown."""
    more: tuple[tuple[str, Extra], ...] = ()
    """Further facts, as (name, value)."""


class MemoryStatistics(metaclass=record):
    """Memory of one device, in bytes."""

    live: int
    """In buffers that are in use."""
    pooled: int
    """Kept for the next buffers."""
    peak: int
    """The most that was live at once."""
    allocations: int
    """The number of allocations from the device."""
    reuses: int
    """The number of allocations from the pool."""
    buffers: int = 0
    """The number of live buffers."""
    requested: int = 0
    """The total of requested bytes."""
    failures: int = 0
    """The number of failed requests."""


class Event(Protocol):
    """A point in a driver's queue."""


class Driver(Protocol):
    """One device. The executor of plans uses it as its PlanDriver.

    Used where a driver has them: `check(kernel)` raises NotImplementedError for a kernel that cannot run
    there, without compiling it; `use(hints)` follows other PerformanceHints from then on; `place(view)` is
    an address; `marked(launch)` is the mark from which on a launch ran itself; `source(kernel)` and
    `assembly(kernel)` are texts for people; `copy_from` copies from another
    device of its kind. See docs/adding_a_backend.md.
    """

    facts: DeviceFacts

    # Memory
    def allocate(self, nbytes: int) -> Any:
        """Memory of at least so many bytes, contents undefined; 0 bytes give an object too."""
        ...

    def free(self, memory: Any) -> None:
        """Releases memory; earlier work may still use it."""
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
        """Returns the pool's unused memory to the system."""
        ...

    def statistics(self) -> MemoryStatistics: ...

    # Kernels
    def compile(self, kernel: Kernel) -> Any:
        """A handle to launch the kernel by, from memory, from the kernel cache or compiled now."""
        ...

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        """Run `groups` workgroups; `values`: the eight-byte slots after the buffers, little-endian."""
        ...

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        """A call of a library, or those along the one axis of the step's batch; products come only where
        `facts.library_products`, others where `facts.library_functions` has them. Behind the results of these
        stands the word in which failures are noted."""
        ...

    # Order
    def mark(self) -> Event:
        """Returns the point after all work so far."""
        ...

    def elapsed(self, first: Event, last: Event) -> float:
        """Seconds of device time between two marks, after waiting for both."""
        ...

    def synchronize(self) -> None:
        """Waits for all work so far; raises its errors."""
        ...


class Backend(Protocol):
    """A module of `jitframe.runtime`: the devices that one interface reaches.

    One that can tell how much memory is free has `free_bytes(number) -> int` too, 0 where it is unknown: it
    is asked before the device is opened. (Devices that compute on a processor have the host's memory.)
    Options that its entry declares are keywords of `open`.
    """

    def enumerate(self) -> Sequence[DeviceFacts]:
        """The devices, in a stable order. Raises BackendError: what is missing and what to install."""
        ...

    def open(self, number: int) -> Driver:
        """The driver of device `number` of `enumerate`."""
        ...


class Found(metaclass=record):
    """The devices of a backend here, or the reason why there are none."""

    devices: tuple[DeviceFacts, ...] = fresh(factory=tuple)
    problem: str = ""
    broken: bool = False
    """Whether its driver failed, hung or crashed when it was probed, rather than not being installed."""


def numbered_device(backend: str, number: int, devices: Sequence[Any]) -> Any:
    """One of a backend's devices; BackendUnavailableError where there is none of that number."""
    if not 0 <= number < len(devices):
        raise BackendUnavailableError(
            f"{backend}:{number} is not there: this machine has {len(devices)} such devices"
        )
    return devices[number]


@contextmanager
def quiet() -> Iterator[None]:
    """Suppresses warnings, of a compiler, say; one thread at a time, as warning filters are global."""
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


_quiet = new_reentrant_lock()


def package(name: str, backend: str, install: str) -> Any:
    """A package that a backend needs, or a part of it.

    Raises BackendUnavailableError, with what to install, where it lacks.
    """
    try:
        with quiet():
            return importlib.import_module(name)
    except ImportError as problem:
        raise BackendUnavailableError(f"{backend} needs {name} ({install}): {problem}") from None
