"""A backend in one file, to begin one's own with: docs/adding_a_backend.md goes through it step by step.

Its device is made up: memory is NumPy's, and kernels are those of the processor. Every other driver has the
same methods; what they do is where a real device comes in. To offer a backend to everybody who installs a
package, name `ENTRY` in its pyproject.toml:

    [project.entry-points."jitframe.backends"]
    template = "template_backend:ENTRY"
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy

from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.plan.nodes import LibraryCall
from jitframe.errors import BackendError, OutOfMemoryError
from jitframe.runtime.cpu.driver import CpuDriver
from jitframe.runtime.cpu.driver import enumerate as processors
from jitframe.runtime.discovery.backend_entry import BackendEntry
from jitframe.runtime.driver import DeviceFacts, MemoryStatistics, numbered_device
from jitframe.runtime.executor import View
from jitframe.runtime.memory.pool import REMEDIES, Pool

ENTRY = BackendEntry(
    "template",
    0,  # "auto" takes backends above 100, the first of them all those of the highest priority
    title="an example of a backend",
    module=__name__,
    version="0.1",
    license="MIT",
    kinds=("other",),
    isolated=False,  # asking for its devices can neither hang nor crash: no process of its own is needed
)

FACTS = DeviceFacts(
    title="template device",
    api="NumPy",
    kind="other",
    dtypes=frozenset(
        ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64")
    ),
    version="1",  # whatever decides a binary: of compilers, drivers, architectures
    memory_bytes=1 << 32,
    largest_buffer=1 << 31,
    most_threads=256,
    shared_bytes=32768,
    fma=processors()[0].fma,
    alignment=64,
    unified=True,
)
"""Everything that is not said here has a default that every device meets."""


def enumerate() -> Sequence[DeviceFacts]:
    """The devices. Where there can be none, a BackendUnavailableError says what is missing."""
    return (FACTS,)


def open(number: int) -> TemplateDriver:
    """The driver of one of them."""
    return TemplateDriver(numbered_device("template", number, enumerate()))


class Memory:
    """A memory object: what it is nobody but the driver needs to know."""

    def __init__(self, nbytes: int) -> None:
        self.held = numpy.empty(nbytes + FACTS.alignment, numpy.uint8)
        start = -self.held.ctypes.data % FACTS.alignment
        self.bytes = self.held[start : start + nbytes]
        self.address = self.bytes.ctypes.data
        self.nbytes = nbytes


class TemplateDriver:
    """One device. Its methods are called by one thread at a time, in the order of the work."""

    def __init__(self, facts: DeviceFacts) -> None:
        self.facts = facts
        self._processor = CpuDriver(processors()[0])
        self._pool = Pool(facts.title, Memory, self._release, facts.memory_bytes, facts.largest_buffer)

    # Memory: allocations are pooled, as asking a device for memory is slow -----------------------------
    def _release(self, memory: Memory) -> None:
        """Give memory back to the device: here NumPy does, with the object."""

    def allocate(self, nbytes: int) -> Memory:
        if nbytes > self.facts.largest_buffer:
            raise OutOfMemoryError(
                f"{self.facts.title} gives {self.facts.largest_buffer:,} bytes at most, not {nbytes:,}",
                suggestions=REMEDIES[1:],
            )
        memory: Memory = self._pool.take(nbytes)
        return memory

    def free(self, memory: Memory) -> None:
        self._pool.give(memory)

    def trim(self) -> None:
        self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    # Copies: a view is a memory object and an offset in bytes ------------------------------------------
    def upload(self, target: View, data: memoryview) -> None:
        self._part(target, data.nbytes)[:] = numpy.frombuffer(data, numpy.uint8)

    def download(self, source: View, out: memoryview) -> None:
        numpy.frombuffer(out, numpy.uint8)[:] = self._part(source, out.nbytes)

    def read(self, source: View, nbytes: int) -> bytes:
        return self._part(source, nbytes).tobytes()

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self._part(target, nbytes)[:] = self._part(source, nbytes)

    @staticmethod
    def _part(view: View, nbytes: int) -> Any:
        memory, offset = view
        return memory.bytes[offset : offset + nbytes]

    # Kernels: translated, compiled and kept, so that asking again costs nothing ------------------------
    def compile(self, kernel: Kernel) -> Any:
        """What `launch` takes. It raises NotImplementedError for a kernel that the device cannot run, and
        CompileError, with source and log, for one that its compiler rejects."""
        return self._processor.compile(kernel)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        """`values`: eight bytes for each index and scalar of the kernel."""
        self._processor.launch(handle, buffers, values, groups)

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        raise BackendError(
            f"{self.facts.title} has no library of products"
        )  # facts.library_products is False

    # Order: everything here is done at once ------------------------------------------------------------
    def mark(self) -> float:
        return time.perf_counter()

    def elapsed(self, first: float, last: float) -> float:
        return last - first

    def synchronize(self) -> None:
        pass


if __name__ == "__main__":
    import jitframe as jf
    from jitframe.runtime.discovery import registry

    registry.register(ENTRY)
    x = jf.asarray(numpy.arange(6, dtype=numpy.float32), device="template")
    print("computed there:", (x * x + 1).device == "template", (x * x + 1).tolist())
