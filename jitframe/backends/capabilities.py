"""The capabilities of a backend's device, as one frozen record: the driver's report, and measured speeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ..errors import ArgumentError, DTypeError, listed, nearest
from ..ir.record import replace
from ..ir.types import DTYPES
from ..runtime.driver import DeviceFacts, Extra, PerformanceHints

if TYPE_CHECKING:
    from ..runtime.discovery.measured import Measured

__all__ = ["Capabilities", "MemoryLevel", "PerformanceHints", "capabilities_of"]

T = TypeVar("T", bool, int, float, str, list[Any])

MOST_AXES = 64
"""The most axes of an array: NumPy's limit, on every device."""
_ROW = 32
"""Lanes along x of a workgroup of several axes, unless the subgroup is known to be wider."""
_HALVES = frozenset(("f16", "bf16"))


@dataclass(frozen=True, slots=True)
class MemoryLevel:
    """A cache, or the memory behind them all."""

    name: str
    """"L1", "L2", ... or "memory"."""
    nbytes: int
    """Its size; 0 where unknown."""
    units: int = 1
    """The number of compute units that share one."""
    line_bytes: int = 0
    """Bytes of a cache line; 0 where unknown."""
    latency_s: float | None = None
    """Seconds between dependent loads; None until measured."""
    unit_bandwidth: float | None = None
    """Bytes per second that one compute unit reads and writes there; None until measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """The capabilities of a device. Unreported ones have the minimum that every device has; speeds are None
    until measured (`Backend.measure`). Sizes are in bytes, rates per second.
    """

    dtypes: tuple[str, ...]
    """NumPy's names of the dtypes that arrays may have there."""
    precision_modes: tuple[str, ...] = ()
    """The floating-point formats of results: "single", "double", "half" (float16), "bfloat16"; "mixed":
    16-bit floats are multiplied and summed in float32."""
    max_rank: int = MOST_AXES
    """The most axes of an array."""
    max_buffer_bytes: int = 1 << 27
    """The size of the largest buffer that a kernel can access."""
    max_buffers: int = 8
    """The most buffers of one kernel; operations on more are split."""
    memory_bytes: int | None = None
    """The device's memory; None where unknown."""
    compute_units: int = 1
    """Processors, multiprocessors or cores."""
    max_workgroup: int = 256
    """The most lanes of a workgroup."""
    max_workgroup_axes: tuple[int, int, int] = (256, 256, 64)
    """The most lanes along each axis of a workgroup, for programs in the device's language; kernels of this
    package use one axis."""
    shared_bytes: int = 16384
    """Shared memory of a workgroup."""
    execution: Literal["simd", "simt"] = "simt"
    """"simd": a kernel's lanes are those of one thread's vector registers; "simt": they are threads of their
    own."""
    subgroup_size: int | None = None
    """Lanes that run in lockstep; None where unknown or different from kernel to kernel."""
    vector_bytes: int = 0
    """Width of a unit's vector registers; 0 where there are none or that is unknown."""
    alignment: int = 16
    """The alignment of every allocation."""
    asynchronous: bool = False
    """Whether launches return before the work is done."""
    unified_memory: bool = False
    """Whether the device uses the host's memory."""
    sub_buffers: bool = True
    """Whether kernels and copies take ranges of buffers: every driver addresses memory by object and
    offset."""
    kernel_caching: bool = False
    """Whether compiled kernels are kept on disk."""
    streams: int = 1
    """The number of streams that can be independent."""
    out_of_order: bool = False
    """Whether independent work may be reordered."""
    data_parallelism: bool = True
    """Whether a kernel's workgroups run in parallel."""
    task_parallelism: bool = False
    """Whether several kernels run in parallel."""
    cooperative_groups: bool = False
    """Whether the workgroups of one launch can wait for each other. (Kernels made here never do.)"""
    dynamic_parallelism: bool = False
    """Whether kernels can launch kernels. (Those made here never do.)"""
    constant_bytes: int = 0
    """Size of separate constant memory."""
    atomics: frozenset[str] = frozenset()
    """NumPy's names of the dtypes that kernels can add to atomically."""
    matrix_units: bool = False
    """Whether there are units that multiply small matrices. (Libraries of products use them.)"""
    fma: bool = False
    """Whether a multiply-add that rounds once is as fast as a product."""
    library_products: bool = False
    """Whether a library computes matrix products of floats."""
    memory_levels: tuple[MemoryLevel, ...] = ()
    """The caches, the nearest first, then the memory."""
    bandwidth: float | None = None
    """Bytes per second that all units together read and write in memory."""
    arithmetic_rates: tuple[tuple[str, float], ...] = ()
    """Operations per second by dtype, as (name, rate)."""
    launch_s: float | None = None
    """Seconds from the request to the completion of the smallest launch."""
    extras: tuple[tuple[str, Extra], ...] = ()
    """Further facts that a driver reports, as (name, value); see `extra`."""

    @property
    def arithmetic_rate(self) -> float | None:
        """Operations of float32 per second; None until measured."""
        return dict(self.arithmetic_rates).get("float32")

    @property
    def is_measured(self) -> bool:
        return self.bandwidth is not None

    def has(self, name: str) -> bool:
        """Whether a flag is set: one of those above, or one that drivers or extensions report; False for an
        unknown one.

        >>> import jitframe as jf
        >>> found = jf.backends.get("cpu").capabilities
        >>> found.has("sub_buffers"), found.has("beads")
        (True, False)
        """
        return bool(getattr(self, name, None) if name in self.__slots__ else dict(self.extras).get(name))

    def extra(self, name: str, kind: type[T]) -> T:
        """Returns one of the extras, which must be of a type: bool, int, float, str or list.

        Raises ArgumentError for an unknown name, DTypeError for a value of another type.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").capabilities.extra("threads", int) >= 1
        True
        """
        found = dict(self.extras)
        if name not in found:
            names = listed(sorted(found)) if found else "none"
            raise ArgumentError(f"there is no extra {name!r}; there is {names}")
        value: Any = found[name]
        if isinstance(value, tuple):
            value = list(value)
        if type(value) is int and kind is float:
            value = float(value)
        if type(value) is not kind:
            raise DTypeError(
                f"the extra {name!r} is a {type(value).__name__}, not a {kind.__name__}: {value!r}"
            )
        return value

    def as_dict(self) -> MappingProxyType[str, Any]:
        """Returns all fields by name, to print and compare."""
        return MappingProxyType({name: getattr(self, name) for name in self.__slots__})


def capabilities_of(facts: DeviceFacts, measured: Measured | None = None) -> Capabilities:
    """Builds the record of a device from its facts and measurements."""
    names = facts.dtypes
    modes = {"single": "f32", "double": "f64", "half": "f16", "bfloat16": "bf16"}
    found = [mode for mode, name in modes.items() if name in names]
    return Capabilities(
        dtypes=_numpy_names(names),
        precision_modes=(*found, "mixed") if names & _HALVES and "f32" in names else tuple(found),
        max_buffer_bytes=facts.largest_buffer,
        max_buffers=facts.most_buffers,
        memory_bytes=facts.memory_bytes or None,
        compute_units=facts.units,
        max_workgroup=facts.most_threads,
        max_workgroup_axes=most_lanes(facts),
        shared_bytes=facts.shared_bytes,
        execution=facts.execution,
        subgroup_size=facts.subgroup or None,
        vector_bytes=facts.vector_bytes,
        alignment=facts.alignment,
        asynchronous=facts.asynchronous,
        unified_memory=facts.unified,
        kernel_caching=facts.keeps_binaries and facts.hints.cache_kernels,
        streams=facts.streams,
        out_of_order=facts.out_of_order,
        # PoCL's threads, for one, run the kernels of all queues one after another.
        task_parallelism=(facts.streams > 1 and facts.kind != "cpu") or facts.out_of_order,
        cooperative_groups=facts.cooperative_groups,
        dynamic_parallelism=facts.dynamic_parallelism,
        constant_bytes=facts.constant_bytes,
        atomics=frozenset(_numpy_names(facts.atomics)),
        matrix_units=facts.matrix_units,
        fma=facts.fma,
        library_products=facts.library_products,
        memory_levels=_memory_levels(facts, measured),
        bandwidth=None if measured is None else measured.bandwidth,
        arithmetic_rates=() if measured is None else tuple(measured.arithmetic.items()),
        launch_s=None if measured is None else measured.launch_s,
        extras=facts.more,
    )


def most_lanes(facts: DeviceFacts) -> tuple[int, int, int]:
    """Returns the most lanes along each axis of a workgroup."""
    told = facts.most_lanes or (facts.most_threads,) * 3
    x, y, z = (min(each, facts.most_threads) for each in told)
    return x, y, z


def preferred_workgroup(facts: DeviceFacts, axes: int) -> tuple[int, ...]:
    """See `Backend.preferred_workgroup`."""
    if isinstance(axes, bool) or axes not in (1, 2, 3):
        raise ArgumentError(f"axes={axes!r}: a workgroup has 1, 2 or 3 axes")
    lanes = min(facts.hints.preferred_workgroup, facts.most_threads)
    most, extents = most_lanes(facts), [1] * axes
    # What runs in step is along x, which lies together in memory; the rest is square.
    extents[0] = min(lanes, most[0], lanes if axes == 1 else max(facts.subgroup, _ROW))
    while math.prod(extents) * 2 <= lanes:
        room = [axis for axis in range(axes) if extents[axis] * 2 <= most[axis]]
        if not room:
            break
        extents[min(room, key=lambda axis: (axis == 0, extents[axis]))] *= 2
    return tuple(extents)


def changed_hints(hints: PerformanceHints, changes: dict[str, Any]) -> PerformanceHints:
    """Returns hints with some changed. Raises ArgumentError for an unknown name."""
    for name in changes:
        if name not in PerformanceHints.__slots__:  # type: ignore[attr-defined]
            names = listed(PerformanceHints.__slots__)  # type: ignore[attr-defined]
            near = nearest(name, PerformanceHints.__slots__)  # type: ignore[attr-defined]
            raise ArgumentError(f"there is no hint {name!r}{near}; there is {names}")
    return replace(hints, **changes)


def _numpy_names(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(dtype.numpy_name for dtype in DTYPES if dtype.name in names)


def _memory_levels(facts: DeviceFacts, measured: Measured | None) -> tuple[MemoryLevel, ...]:
    rows = [(f"L{cache.level}", cache.nbytes, cache.units, cache.line_bytes) for cache in facts.caches]
    rows.append(("memory", facts.memory_bytes, facts.units, 0))
    times = {} if measured is None else {level.name: level for level in measured.levels}
    memory_levels = []
    for row in rows:
        time = times.get(row[0])
        speeds = (None, None) if time is None else (time.latency_s, time.unit_bandwidth)
        memory_levels.append(MemoryLevel(*row, *speeds))
    return tuple(memory_levels)
