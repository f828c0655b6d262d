"""The processor as a device: memory, copies and launches through the common driver protocol.

Arrays on the CPU are ndarrays and plans run natively (`runtime`), so programs need none of this; it serves
users of memory and kernels who treat all devices alike. Work is done before a call returns.
"""

from __future__ import annotations

import ctypes
import struct
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ...base.locks import new_reentrant_lock
from ...codegen.kernel.nodes import Kernel
from ...codegen.kernel.text import kernel_text
from ...codegen.plan.nodes import BufferRef, Launch, LibraryCall, Plan, PlanBuffer, ScalarRef
from ...errors import ArgumentError, BackendError
from ...ir.record import record, replace
from ...ir.types import U8, U64
from ...settings import MAXIMUM_THREADS
from ..driver import DeviceFacts, MemoryStatistics, PerformanceHints, numbered_device
from ..drivers.source_programs import Argument, Grid, Parameters
from ..executor import View
from ..memory.allocators import address_of
from .execution.encode import MOST_THREADS, Program
from .execution.memory import Bytes, HostMemory, OwnMemory, ProcessMemory, Taken
from .execution.runtime import runtime
from .facts import processor_facts
from .kernels.compiled_kernels import kernel_address, llvm_text, loaded_count
from .kernels.programs import SourceHandle, compile_program, run_program
from .kernels.target import host_target
from .native_library.tables import thread_count

_WORD = struct.Struct("<q")
_PROGRAMS = 256
"""The most encoded launches; the least recently used one is dropped first."""


def enumerate() -> Sequence[DeviceFacts]:
    """Returns the one device: all processors that this process may use."""
    return [processor_facts(host_target())]


def open(number: int, simd: str | None = None, threads: int | None = None) -> CpuDriver:
    """Returns a driver with memory of its own; `simd` and `threads` as the driver takes them."""
    return CpuDriver(numbered_device("cpu", number, enumerate()), simd, threads, OwnMemory())


def open_shared() -> CpuDriver:
    """Returns the driver of the shared device, whose memory is the process's."""
    return CpuDriver(processor_facts(host_target()))


class Handle(metaclass=record):
    """A kernel's code."""

    kernel: Kernel
    address: int


class CpuDriver:
    """The processor. Memory objects have an address; they come from the process's pool unless given.

    `simd`: the level to compile kernels for ("off", "sse2", "avx2", "avx512"); `threads`: how many run a
    launch at most, those of the library of matrix products aside. Unless given they are those of the
    settings. Results are the same but for the last bits of functions between levels with and without fused
    multiply-add. Raises ArgumentError for a level or a number that is not there.
    """

    source_language = "LLVM IR"
    host_memory = True
    """Its memory objects have addresses that the host reads and writes."""
    most_groups: Grid = ((1 << 31) - 1,) * 3

    def __init__(
        self,
        facts: DeviceFacts,
        simd: str | None = None,
        threads: int | None = None,
        memory: HostMemory | None = None,
    ) -> None:
        try:
            self._target = host_target(simd)
        except ValueError as problem:
            raise ArgumentError(str(problem)) from None
        if threads is not None and not 1 <= threads <= MAXIMUM_THREADS:
            raise ArgumentError(f"threads={threads}: a launch has from 1 to {MAXIMUM_THREADS}")
        if simd is not None or threads is not None:
            used = thread_count() if threads is None else min(threads, thread_count())
            facts = replace(processor_facts(self._target, used), hints=facts.hints)
        self.facts = facts
        self._threads = MOST_THREADS if threads is None else threads
        self._memory: HostMemory = ProcessMemory() if memory is None else memory
        self.is_patient = self._memory.is_patient
        """Whether its pool runs a garbage collection before it refuses memory."""
        self._lock = new_reentrant_lock()
        self._handles: OrderedDict[str, Handle] = OrderedDict()
        self._most_kernels: int | None = None
        self._programs: OrderedDict[tuple[int, tuple[int, ...], int, int], Program] = OrderedDict()

    def use(self, hints: PerformanceHints) -> None:
        """Sets the alignment of buffers. Raises BackendError for hints that the processor does not
        support."""
        if replace(hints, alignment=self.facts.hints.alignment) != self.facts.hints:
            raise BackendError(
                "cpu follows the hint alignment alone: its kernels have one lane and are waited for, their "
                "vectors are as wide as the option simd says",
                device="cpu",
            )
        self.facts = replace(self.facts, hints=hints)

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Bytes:
        return self._memory.allocate(nbytes)

    def adopt(self, address: int, nbytes: int) -> Bytes:
        """Wraps external memory. Raises ArgumentError for an invalid address."""
        return Taken(address_of(address, nbytes), nbytes)

    def free(self, memory: Bytes) -> None:
        self._memory.free(memory)

    def upload(self, target: View, data: memoryview) -> None:
        if data.nbytes:
            target_bytes = (ctypes.c_char * data.nbytes).from_address(_address(target, data.nbytes))
            memoryview(target_bytes).cast("B")[:] = data.cast("B")

    def download(self, source: View, out: memoryview) -> None:
        if out.nbytes:
            target_bytes = (ctypes.c_char * out.nbytes).from_address(_address(source, out.nbytes))
            out.cast("B")[:] = memoryview(target_bytes).cast("B")

    def read(self, source: View, nbytes: int) -> bytes:
        return ctypes.string_at(_address(source, nbytes), nbytes)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        if nbytes:
            ctypes.memmove(_address(target, nbytes), _address(source, nbytes), nbytes)

    def place(self, view: View) -> int:
        """The address of a view."""
        return _address(view)

    def trim(self) -> None:
        self._memory.trim()

    def statistics(self) -> MemoryStatistics:
        return self._memory.statistics()

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> Handle:
        text = kernel_text(kernel)
        with self._lock:
            handle = self._handles.get(text)
            if handle is not None:
                self._handles.move_to_end(text)
                return handle
        handle = Handle(kernel, kernel_address(kernel, target=self._target))
        with self._lock:
            handle = self._handles.setdefault(text, handle)
            self._drop_kernels()
        return handle

    def kernel_count(self) -> int:
        """The number of loaded kernels: of the whole process, where its memory is that."""
        return loaded_count() if isinstance(self._memory, ProcessMemory) else len(self._handles)

    def limit_kernels(self, most: int | None) -> None:
        """Keeps at most so many kernels, the least recently used one is dropped first; loaded machine code
        stays."""
        with self._lock:
            self._most_kernels = most
            self._drop_kernels()

    def _drop_kernels(self) -> None:
        while self._most_kernels is not None and len(self._handles) > self._most_kernels:
            self._handles.popitem(last=False)

    def check(self, kernel: Kernel) -> None:
        """Raises NotImplementedError for a kernel that cannot run; compiles nothing."""
        llvm_text(kernel, self._target)

    def source(self, kernel: Kernel) -> str:
        """Returns a kernel as LLVM IR."""
        return llvm_text(kernel, self._target)

    def launch(self, handle: Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups <= 0:
            return
        kernel, count = handle.kernel, len(values) // 8
        if len(buffers) != len(kernel.buffers) or count != len(kernel.indices) + len(kernel.scalars):
            raise BackendError(
                f"kernel {kernel.name} takes {len(kernel.buffers)} buffers and "
                f"{len(kernel.indices) + len(kernel.scalars)} values, not {len(buffers)} and {count}"
            )
        addresses = [_address((memory, 0)) for memory, _ in buffers]
        program = self._program(handle, buffers, groups, count)
        runtime().run(program, addresses, [number for (number,) in _WORD.iter_unpack(values)])

    def _program(self, handle: Handle, buffers: Sequence[View], groups: int, count: int) -> Program:
        key = handle.address, tuple(offset for _, offset in buffers), groups, count
        with self._lock:
            program = self._programs.get(key)
            if program is None:
                scalars = tuple(map(ScalarRef, range(count)))
                launch = Launch(
                    0,
                    tuple([BufferRef(n, offset) for n, (_, offset) in zip(range(len(buffers)), buffers)]),
                    (),
                    scalars,
                    groups,
                )
                memory = (PlanBuffer(U8, 0),) * len(buffers)
                plan = Plan(0, (handle.kernel,), len(buffers), (U64,) * count, memory, (launch,), ())
                program = runtime().encode(plan, [handle.address], self._threads)
                self._programs[key] = program
                if len(self._programs) > _PROGRAMS:
                    self._programs.popitem(last=False)
            else:
                self._programs.move_to_end(key)
        return program

    # Programs in LLVM IR --------------------------------------------------------------------------------
    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> SourceHandle:
        """Compiles LLVM IR, or loads an image that `source_binary` returned.

        The entry is `void @entry(ptr %slots, i64 %begin, i64 %end)`, of workgroups begin..end-1, x fastest;
        slots of 8 bytes hold each argument in order (a buffer's address, a uniform's bytes), then the three
        extents of the grid and of a workgroup.
        """
        return compile_program(program, entry, self._target)

    def source_binary(self, handle: SourceHandle) -> bytes:
        return handle.image

    def launch_source(
        self,
        handle: SourceHandle,
        arguments: Sequence[Argument],
        grid: Grid,
        workgroup: Grid,
        shared_bytes: int,
    ) -> None:
        if shared_bytes:
            raise BackendError(
                "cpu: a program in LLVM IR makes its own shared memory, and none at the launch"
            )
        run_program(handle, arguments, grid, workgroup, self._threads)

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        views = (*operands, *results)
        refs = tuple([BufferRef(number, 0) for number in range(len(views))])
        here = replace(step, operands=refs[: len(operands)], results=refs[len(operands) :])
        memory = (PlanBuffer(step.dtype, 0),) * len(views)
        program = runtime().encode(Plan(0, (), len(views), (), memory, (here,), ()), [], self._threads)
        runtime().run(program, [_address(view) for view in views])

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> float:
        return time.perf_counter()

    def elapsed(self, first: Any, last: Any) -> float:
        return float(last - first)

    def synchronize(self) -> None:
        """Returns at once, as work is done before a call returns."""


def _address(view: View, nbytes: int = 0) -> int:
    """Returns the address of a range. Raises BackendError for memory that was freed or is too small."""
    memory, offset = view
    address: int = memory.address
    if not address:
        raise BackendError(f"memory of {memory.nbytes:,} bytes was freed and is used again")
    if offset < 0 or offset + nbytes > memory.nbytes:
        raise BackendError(
            f"bytes {offset:,} to {offset + nbytes:,} of {memory.nbytes:,} bytes of memory: they are not all "
            "there"
        )
    return address + offset
