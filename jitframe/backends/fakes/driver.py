"""The driver of fake devices (see `backend`): the processor's, with memory of its own and faults."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...codegen.kernel.nodes import Kernel, instructions_of
from ...codegen.plan.libraries import FUNCTIONS
from ...codegen.plan.nodes import LibraryCall
from ...errors import DeviceLostError, OutOfMemoryError, listed
from ...ir.record import replace
from ...runtime.cpu.driver import CpuDriver
from ...runtime.cpu.facts import processor_facts
from ...runtime.cpu.kernels.target import host_target
from ...runtime.driver import DeviceFacts, MemoryStatistics, PerformanceHints
from ...runtime.executor import View
from ...runtime.memory.pool import REMEDIES, NoMemory, Pool
from .faults import Call

if TYPE_CHECKING:
    from .faults import Faults

STALE = 0xA5
"""The contents of freed memory, so that reads of it are noticed."""


class FakeDriver:
    """One fake device: the processor's driver, with memory of its own and faults."""

    def __init__(self, backend: Faults, number: int, facts: DeviceFacts) -> None:
        self.facts = facts
        self.is_lost = False
        self.name = facts.title
        self._backend, self._number = backend, number
        self._late: Exception | None = None
        """The error that the next wait raises."""
        self._processor = CpuDriver(processor_facts(host_target()))
        self._pool = Pool(self.name, self._fresh, self._release, facts.memory_bytes)

    def met(self, call: Call) -> None:
        """Records a call, and applies its faults."""
        faults = self._backend.note(call)
        if self.is_lost:
            raise self.lost()
        for fault in faults:
            if not fault.late:
                fault.act(call, self)
                continue
            try:
                fault.act(call, self)
            except Exception as problem:
                self._fail_later(problem)

    def lost(self) -> DeviceLostError:
        error = DeviceLostError(f"{self.name} was lost with all that it held")
        error.driver = self
        return error

    def use(self, hints: PerformanceHints) -> None:
        self.facts = replace(self.facts, hints=hints)

    def _meet(self, operation: str, nbytes: int = 0, kernel: str = "", groups: int = 0) -> None:
        self.met(Call(operation, self._number, nbytes, kernel, groups))

    def _fail_later(self, problem: Exception) -> None:
        self._late = self._late or problem

    def _wait(self) -> None:
        error, self._late = self._late, None
        if error is not None:
            raise error

    # Memory -------------------------------------------------------------------------------------------
    def _fresh(self, nbytes: int) -> Any:
        try:
            return self._processor.allocate(nbytes)
        except OutOfMemoryError as problem:
            raise NoMemory(problem.message) from None

    def _release(self, memory: Any) -> None:
        self._processor.free(memory)

    def allocate(self, nbytes: int) -> Any:
        self._meet("allocate", nbytes)
        if nbytes > self.facts.largest_buffer:
            raise OutOfMemoryError(
                f"{self.name} gives {self.facts.largest_buffer:,} bytes at once at most, not {nbytes:,}",
                suggestions=REMEDIES[1:],
            ).for_good()
        return self._pool.take(nbytes)

    def free(self, memory: Any) -> None:
        self._meet("free", memory.nbytes)
        ctypes.memset(memory.address, STALE, memory.nbytes)
        self._pool.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        self._meet("upload", data.nbytes)
        self._processor.upload(target, data)

    def download(self, source: View, out: memoryview) -> None:
        self._meet("download", out.nbytes)
        self._wait()
        self._processor.download(source, out)

    def read(self, source: View, nbytes: int) -> bytes:
        out = bytearray(nbytes)
        self.download(source, memoryview(out))
        return bytes(out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self._meet("copy", nbytes)
        self._processor.copy(target, source, nbytes)

    def trim(self) -> None:
        self._pool.trim()
        self._processor.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    # Kernels ------------------------------------------------------------------------------------------
    def check(self, kernel: Kernel) -> None:
        """Raises NotImplementedError for a kernel of dtypes that the device lacks."""
        names = {buffer.dtype.name for buffer in kernel.buffers}
        names |= {
            value.dtype.name for instruction in instructions_of(kernel) for value in instruction.results
        }
        lacks = names - self.facts.dtypes - {"index"}
        if lacks:
            raise NotImplementedError(f"{self.name} has no {listed(sorted(lacks))}")

    def compile(self, kernel: Kernel) -> Any:
        self._meet("compile", kernel=kernel.name)
        self.check(kernel)
        return self._processor.compile(kernel)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups > 0:
            self._meet("launch", kernel=handle.kernel.name, groups=groups)
            self._processor.launch(handle, buffers, values, groups)

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        self._meet_call(step)
        self._processor.call(step, operands, results)

    def _meet_call(self, step: LibraryCall) -> None:
        function = FUNCTIONS[step.function]
        made = sum(function.elements(step.sizes)[len(step.operands) :])
        self._meet("multiply", made * math.prod(axis.count for axis in step.batch) * step.dtype.itemsize)

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> float:
        return time.perf_counter()

    def elapsed(self, first: float, last: float) -> float:
        return last - first

    def synchronize(self) -> None:
        self._meet("synchronize")
        self._wait()
