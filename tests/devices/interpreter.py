"""A backend whose devices interpret kernels on NumPy memory: what the front end does, with no device at all.

`interpreter` and `interpreter:2` have every dtype, `interpreter:1` none of 64 bits. Devices that fail are
`jf.backends.fake`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitframe.codegen.kernel.nodes import Kernel, walk
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.plan.nodes import LibraryCall
from jitframe.ir.record import replace
from jitframe.runtime.discovery import registry
from jitframe.runtime.driver import DeviceFacts, MemoryStatistics
from jitframe.runtime.executor import View
from jitframe.runtime.memory.pool import NoMemory, Pool
from tests.plan.reference_driver import interpret_launch

_NARROW = frozenset(("bool", "u8", "i32", "f32"))
_WIDE = DeviceFacts(
    title="kernel interpreter",
    api="Python",
    kind="other",
    dtypes=_NARROW | {"i64", "f64"},
    version="1",
    memory_bytes=1 << 30,
    most_threads=32,
)
FACTS = (
    _WIDE,
    replace(_WIDE, title="narrow interpreter", dtypes=_NARROW),
    replace(_WIDE, title="another interpreter"),
)


def enumerate() -> Sequence[DeviceFacts]:
    return FACTS


def open(number: int) -> InterpreterDriver:
    return InterpreterDriver(FACTS[number])


def install() -> None:
    """Makes the backend known, once."""
    entry = registry.BackendEntry("interpreter", 1, title="interpreted kernels", module=__name__)
    if entry not in registry.backends():
        registry.register(entry)


class InterpreterDriver:
    """Kernels run where they are launched: there is no other order."""

    def __init__(self, facts: DeviceFacts) -> None:
        self.facts = facts
        self.traffic: list[tuple[str, int]] = []
        """("up" | "down", bytes) of each transfer."""
        self._held = 0
        self._pool = Pool("interpreter", self._take, self._give_back, facts.memory_bytes)

    def _take(self, nbytes: int) -> Any:
        if self._held + nbytes > self.facts.memory_bytes:
            raise NoMemory(f"{self._held:,} of {self.facts.memory_bytes:,} bytes are taken")
        self._held += nbytes
        return np.full(nbytes, 0xA5, np.uint8)

    def _give_back(self, memory: Any) -> None:
        self._held -= memory.nbytes

    # Memory
    def allocate(self, nbytes: int) -> Any:
        return self._pool.take(nbytes)

    def free(self, memory: Any) -> None:
        memory[...] = 0xA5  # who still reads it shall notice
        self._pool.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        self.traffic.append(("up", data.nbytes))
        self._part(target, data.nbytes)[...] = np.frombuffer(data, np.uint8)

    def download(self, source: View, out: memoryview) -> None:
        self.traffic.append(("down", out.nbytes))
        np.frombuffer(out, np.uint8)[...] = self._part(source, out.nbytes)

    def read(self, source: View, nbytes: int) -> bytes:
        return bytes(self._part(source, nbytes))

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self._part(target, nbytes)[...] = self._part(source, nbytes)

    def trim(self) -> None:
        self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    @staticmethod
    def _part(view: View, nbytes: int) -> Any:
        memory, offset = view
        assert offset + nbytes <= memory.nbytes
        return memory[offset : offset + nbytes]

    # Kernels
    def compile(self, kernel: Kernel) -> Kernel:
        text = kernel_text(kernel)
        names = {buffer.dtype.name for buffer in kernel.buffers}
        names |= {scalar.dtype.name for scalar in kernel.scalars}
        names |= {value.dtype.name for each in walk(kernel.body) for value in each.results}
        missing = names & {"i64", "f64"} - self.facts.dtypes
        if missing:
            raise NotImplementedError(f"no {', '.join(sorted(missing))} here:\n{text}")
        return kernel

    def launch(self, handle: Kernel, buffers: Sequence[View], values: bytes, groups: int) -> None:
        interpret_launch(handle, buffers, values, groups)

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        raise AssertionError("it has no library of products")

    # Order
    def mark(self) -> int:
        return len(self.traffic)

    def elapsed(self, first: int, last: int) -> float:
        return 0.0

    def synchronize(self) -> None:
        pass
