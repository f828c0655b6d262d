"""One compiled kernel of an explanation: its texts at every level, what its loops do, where it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..cache.generator import generator_version
from ..cache.key import make_key
from ..cache.service import kernel_cache
from ..codegen.kernel.nodes import Kernel
from ..codegen.kernel.rewrite import OperationCounts, operation_counts
from ..codegen.kernel.text import kernel_text
from ..errors import ArgumentError
from ..ir.text import graph_text
from ..runtime.cpu.kernels.compiled_kernels import kernel_options, llvm_text, target_text
from ..runtime.cpu.kernels.target import host_target
from ..runtime.cpu.machine_code.compile import assembly
from ..runtime.device import CPU, Device
from .parts import Compiled
from .spelling import counted, time_text

LEVELS = ("graph", "kernel", "source", "asm")
"""The levels of a kernel: the graph it computes, kernel IR, LLVM IR or a device's C, assembly."""


@dataclass(frozen=True, slots=True)
class LaunchNote:
    """One launch of a kernel."""

    workgroups: int
    bytes_moved: int
    cost_ns: int
    """Estimated time on one core."""


class ExplainedKernel:
    """A kernel of an explained program.

    >>> y = jf.asarray(np.ones(1000, np.float32)) * 2
    >>> kernel = jf.explain(y).kernels[0]
    >>> print(kernel.source("kernel"))
    kernel mul, workgroup 1
      ...
    """

    def __init__(
        self,
        number: int,
        kernel: Kernel,
        compiled: Compiled,
        launches: tuple[LaunchNote, ...],
        fastmath: bool = False,
        device: Device = CPU,
    ) -> None:
        self.number = number
        self.launches = launches
        """Its launches in the order of the plan; launches in loops are listed once."""
        self._kernel = kernel
        self._compiled = compiled
        self._fastmath = fastmath
        self._device = device

    @property
    def name(self) -> str:
        return self._kernel.name

    @property
    def key(self) -> str:
        """Its name in the cache: `jitframe cache show KEY`. Empty for devices, whose drivers make several
        binaries of a kernel."""
        if not self._device.is_host:
            return ""
        target, options = target_text(host_target()), kernel_options(self._fastmath)
        cache_key = make_key(kernel_text(self._kernel), generator_version(), target, options)
        return cache_key.digest().hex()

    @property
    def origin(self) -> str:
        """How its code came into this process."""
        if not self._device.is_host:
            return f"for {self._device.name}"
        cache = kernel_cache()
        key = self.key
        for miss in reversed(cache.statistics.misses()):
            if miss.key.digest().hex() == key:
                return f"compiled in {time_text(miss.compile_ns)}"
        return "loaded from disk" if cache.disk is not None else "in memory"

    @property
    def counts(self) -> tuple[OperationCounts, ...]:
        """Loads, stores and operations outside loops and in each loop."""
        return operation_counts(self._kernel)

    @property
    def inner_loop(self) -> str:
        """What its busiest loop does for each element: `2 loads, 1 store, 7 operations`."""
        inner = max(self.counts, key=lambda each: (len(each.path), sum(each.operations.values()), each.loads))
        parts = [counted(inner.loads, "load"), counted(inner.stores, "store")]
        return ", ".join([*parts, counted(sum(inner.operations.values()), "operation")])

    def source(self, level: str) -> str:
        """The kernel as `graph`, `kernel`, `source` (LLVM IR; on devices their own language) or `asm`.

        Where a device shows no assembly, a sentence says so. Raises ArgumentError for another level.
        """
        make = _SOURCES.get(level)
        if make is None:
            levels = ", ".join(map(repr, LEVELS))
            raise ArgumentError(f"a kernel has no level {level!r}; the levels are {levels}")
        return make(self)

    def __repr__(self) -> str:
        return f"<kernel {self.number} {self.name}>"


def _source(kernel: ExplainedKernel) -> str:
    if not kernel._device.is_host:
        return _shown(kernel, "source")
    return llvm_text(kernel._kernel, host_target(), kernel._fastmath)


def _shown(kernel: ExplainedKernel, what: str) -> str:
    """A text of a kernel from a device's driver."""
    with kernel._device.using() as driver:
        show = getattr(driver, what, None)
        if show is None:
            return f"(the driver of {kernel._device.name} shows no {what} of its kernels)\n"
        text: str = show(kernel._kernel)
        return text


def _assembly(kernel: ExplainedKernel) -> str:
    if not kernel._device.is_host:
        return _shown(kernel, "assembly")

    target = host_target()
    return assembly(llvm_text(kernel._kernel, target, kernel._fastmath), target)


_SOURCES: dict[str, Callable[[ExplainedKernel], str]] = {
    "graph": lambda kernel: graph_text(kernel._compiled.kernel_graph(kernel.number)),
    "kernel": lambda kernel: kernel_text(kernel._kernel),
    "source": _source,
    "asm": _assembly,
}
