"""The processor as a device: memory, copies and launches through the one protocol of all backends.

Arrays on the CPU are ndarrays and plans run natively (`runtime`), so programs need none of this; it is for
who works with memory and kernels directly, and treats all devices alike. Work is done before a call returns.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import platform
import struct
import time
from collections import OrderedDict
from collections.abc import Sequence

from ...codegen.kernel.nodes import Kernel
from ...codegen.plan.bound import BoundGemm, BoundLaunch, BoundPlan, BufferSlot, ScalarSlot
from ...errors import OutOfMemoryError
from ...ir.record import record, replace
from ...ir.types import DTYPES
from ..driver import DeviceFacts, MemoryStatistics, numbered_device
from ..executor import View
from ..pool import REMEDIES
from .encode import Program
from .kernels import kernel_address
from .runtime import Buffer, runtime
from .tables import thread_count
from .target import host_target

_WORD = struct.Struct("<q")
_PROGRAMS = 256
"""Encoded launches that are kept, least recently used first out."""


def enumerate() -> Sequence[DeviceFacts]:
    """The one device: all processors that this process may use."""
    target, threads = host_target(), thread_count()
    more = (
        ("simd", target.simd), ("target", target.cpu), ("triple", target.triple),
        ("features", target.features), ("threads", str(threads)),
    )  # fmt: skip
    return [
        DeviceFacts(
            title=_name(),
            api=f"LLVM, {target.simd}, {threads} thread{'s' if threads > 1 else ''}",
            kind="cpu",
            dtypes=frozenset(each.name for each in DTYPES),
            version=f"{target.triple} {target.cpu} {target.features}",
            memory_bytes=_memory_bytes(),
            fma=target.simd not in ("off", "sse2"),
            units=threads,
            unified=True,
            library_products=True,
            more=more,
        )
    ]


def open(number: int) -> CpuDriver:
    """Its driver."""
    return CpuDriver(numbered_device("cpu", number, enumerate()))


@record
class _Handle:
    """A kernel's code."""

    kernel: Kernel
    address: int


class CpuDriver:
    """The processor. Memory objects are the native runtime's buffers."""

    def __init__(self, facts: DeviceFacts) -> None:
        self.facts = facts
        self._programs: OrderedDict[tuple[int, tuple[int, ...], int, int], Program] = OrderedDict()

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Buffer:
        try:
            return runtime().allocate(nbytes)
        except MemoryError as problem:
            counted = self.statistics()
            raise OutOfMemoryError(
                f"the system has no memory for {nbytes:,} bytes: {counted.live:,} bytes are in live arrays",
                context={
                    "asked_bytes": nbytes,
                    "live_bytes": counted.live,
                    "total_bytes": self.facts.memory_bytes,
                },
                suggestions=REMEDIES,
            ) from problem

    def free(self, memory: Buffer) -> None:
        if memory.address:
            address, memory.address = memory.address, 0
            runtime().give_back(address)

    def upload(self, target: View, data: memoryview) -> None:
        if data.nbytes:
            held = (ctypes.c_char * data.nbytes).from_address(_address(target))
            memoryview(held).cast("B")[:] = data.cast("B")

    def download(self, source: View, out: memoryview) -> None:
        if out.nbytes:
            held = (ctypes.c_char * out.nbytes).from_address(_address(source))
            out.cast("B")[:] = memoryview(held).cast("B")

    def read(self, source: View, nbytes: int) -> bytes:
        return ctypes.string_at(_address(source), nbytes)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        if nbytes:
            ctypes.memmove(_address(target), _address(source), nbytes)

    def place(self, view: View) -> int:
        """The address of a view."""
        return _address(view)

    def trim(self) -> None:
        runtime().trim()

    def statistics(self) -> MemoryStatistics:
        counted = runtime().statistics()
        return MemoryStatistics(
            counted["live_bytes"],
            counted["kept_bytes"],
            counted["peak_bytes"],
            counted["misses"],
            counted["hits"],
        )

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> _Handle:
        return _Handle(kernel, kernel_address(kernel))

    def launch(self, handle: _Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups <= 0:
            return
        count = len(values) // 8
        key = handle.address, tuple(offset for _, offset in buffers), groups, count
        program = self._programs.get(key)
        if program is None:
            launch = BoundLaunch(0, (*_slots(buffers), *map(ScalarSlot, range(count))), groups)
            plan = BoundPlan((handle.kernel,), len(buffers), len(buffers), count, (launch,), ())
            program = self._programs[key] = runtime().encode(plan, [handle.address])
            if len(self._programs) > _PROGRAMS:
                self._programs.popitem(last=False)
        else:
            self._programs.move_to_end(key)
        numbers = [number for (number,) in _WORD.iter_unpack(values)]
        runtime().run(program, [memory.address for memory, _ in buffers], numbers)

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        views = a, b, c
        first, second, third = _slots(views)
        product = replace(step, a=first, b=second, c=third)
        program = runtime().encode(BoundPlan((), 3, 3, 0, (product,), ()), [])
        runtime().run(program, [memory.address for memory, _ in views])

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> float:
        return time.perf_counter()

    def elapsed(self, first: float, last: float) -> float:
        return last - first

    def synchronize(self) -> None:
        """All work is done when it was asked for."""


def _slots(views: Sequence[View]) -> list[BufferSlot]:
    return [BufferSlot(number, offset) for number, (_, offset) in builtins.enumerate(views)]


def _address(view: View) -> int:
    memory, offset = view
    address: int = memory.address
    return address + offset


def _name() -> str:
    """The processor's own name, where the system tells."""
    try:
        with builtins.open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
