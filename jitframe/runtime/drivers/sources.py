"""From a kernel to a C-like device's binary: spelled, found in the cache or compiled, kept in memory."""

from __future__ import annotations

from collections.abc import Callable

from ...cache.generator import KERNEL_SOURCES, generator_version
from ...cache.service import CompiledParts, kernel_cache
from ...codegen.c_family import Dialect, Source, generate
from ...codegen.c_family.threads import choose_threads
from ...codegen.c_family.vectors import VECTOR_BYTES
from ...codegen.kernel.nodes import Kernel
from ...codegen.kernel.text import kernel_text
from ...ir.record import record, replace
from ..driver import DeviceFacts

_SOURCES = (*KERNEL_SOURCES, "codegen/c_family", "codegen/math")


class Compiled(metaclass=record):
    """A kernel's source with the binary that the device's compiler made of it."""

    source: Source
    binary: bytes


class KernelSources:
    """The kernels of one device. `build(source)` compiles; for a device without binaries it gives b""."""

    def __init__(
        self,
        dialect: Dialect,
        facts: DeviceFacts,
        build: Callable[[Source], bytes],
        index_bits: int | None = None,
    ) -> None:
        self._vectors = facts.hints.prefer_vectorized and facts.hints.vector_width >= VECTOR_BYTES
        self._dialect = dialect if self._vectors else replace(dialect, vectors=None)
        self._facts = facts
        self._build = build
        self._index_bits = index_bits if index_bits is not None else dialect.index_bits[0]
        self._known: dict[str, Compiled] = {}

    def compiled(self, kernel: Kernel) -> Compiled:
        """The source and binary. Raises CompileError with the numbered source and the compiler's log."""
        text = kernel_text(kernel)
        found = self._known.get(text)
        if found is None:
            source = self.source(kernel)
            binary = self._binary(kernel, text, source)
            found = self._known.setdefault(text, Compiled(source, binary))
        return found

    def forget(self, text: str) -> None:
        """Look a kernel up in the cache again, by its text."""
        self._known.pop(text, None)

    def source(self, kernel: Kernel) -> Source:
        """The kernel in the device's language."""
        threads = choose_threads(kernel, self._facts.most_threads)
        return generate(kernel, self._dialect, threads=threads, index_bits=self._index_bits)

    def _binary(self, kernel: Kernel, text: str, source: Source) -> bytes:
        if not self._facts.hints.cache_kernels:
            return self._build(source)
        options: dict[str, object] = {"threads": source.threads, "index_bits": source.index_bits}
        if not self._vectors:
            options["vectors"] = False
        return kernel_cache().lookup_or_compile(
            text,
            f"{self._dialect.device} {self._facts.version}",
            options,
            lambda: CompiledParts(self._build(source), source.text),
            name=kernel.name,
            generator=generator_version(*_SOURCES),
        )


def numbered(text: str) -> str:
    """Source with line numbers, for messages."""
    return "\n".join(f"{number:5} {line}" for number, line in enumerate(text.splitlines(), 1))
