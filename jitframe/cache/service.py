"""The cache as the compiler uses it: looks in memory, then on disk, then compiles and stores, one thread per
kernel."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from ..base.background import in_background
from ..base.locks import ReentrantLock, is_owned, new_reentrant_lock
from ..errors import CacheWarning, warn_user
from ..ir.record import record
from ..settings import Settings, settings
from .generator import generator_version
from .key import CacheKey, make_key
from .memory import MemoryStore
from .statistics import Miss, Statistics
from .store import DiskStore


class CompiledParts(metaclass=record):
    """The result of a compiler: the executable image, and texts that are stored for people."""

    image: bytes
    source: str
    """The compiler's input: LLVM IR, OpenCL C, …"""
    assembly: str = ""
    """Stored if given; otherwise generated from the source on demand."""


class KernelCache:
    """One process's view of the cache."""

    def __init__(self, record: Settings) -> None:
        self.memory = MemoryStore()
        self.statistics = Statistics()
        self._obtaining: dict[bytes, ReentrantLock] = {}
        """The locks of kernels that are being looked up or compiled, held by the thread that does so."""
        self._fault: str | None = None
        self._warned = False
        self.use(record)

    def use(self, record: Settings) -> None:
        """Uses these settings from now on."""
        self.record = record
        self.folder = record.cache_folder()
        self.disk: DiskStore | None = None
        if record.cache and self.folder is not None:
            self.disk = DiskStore(self.folder, record.cache_size, self._note_fault)
        elif record.cache:
            self._note_fault(
                "no home folder is known, and no other one is named; set HOME or JITFRAME_CACHE_DIR"
            )

    def lookup_or_compile(
        self,
        kernel_text: str,
        target: str,
        options: Mapping[str, object] | None,
        compile: Callable[[], CompiledParts],
        origin: str = "",
        *,
        name: str = "",
        generator: str | None = None,
    ) -> bytes:
        """Returns the image of a kernel given as canonical text, compiling it only if no store has it.

        `target` names all that the binary depends on outside the text and the options. `origin` is the user's
        `file:line`; it and `name` are shown to people and are no part of the key. `generator` is the CPU code
        generator's version unless given. What `compile` raises is passed on; the cache itself raises nothing.
        """
        key = make_key(
            kernel_text, generator if generator is not None else generator_version(), target, options
        )
        image = self.obtain(key, key.digest(), kernel_text, compile, origin, name)
        self.warn_once()
        return image

    def obtain(
        self,
        key: CacheKey,
        key_digest: bytes,
        kernel_text: str,
        compile: Callable[[], CompiledParts],
        origin: str,
        name: str,
    ) -> bytes:
        """`lookup_or_compile` for an existing key and its digest; the caller calls `warn_once`."""
        image = self.memory.get(key_digest)
        if image is not None:
            self.statistics.memory_hit()
            return image
        # One that an interrupted thread left is free, and as good as a new one.
        lock = self._obtaining.setdefault(key_digest, new_reentrant_lock())
        assert not is_owned(lock), f"compiling kernel {name!r} needs the same kernel"
        with lock:
            image = self._load_or_compile(key, key_digest, kernel_text, compile, origin, name)
            self._obtaining.pop(key_digest, None)
        return image

    def _load_or_compile(
        self,
        key: CacheKey,
        key_digest: bytes,
        text: str,
        compile: Callable[[], CompiledParts],
        origin: str,
        name: str,
    ) -> bytes:
        image = self.find(key, key_digest)  # in memory too: another thread may have finished in between
        if image is not None:
            return image
        began_ns, start_ns = time.time_ns(), time.perf_counter_ns()
        parts = compile()
        self.keep(Miss(key, name, origin, began_ns, time.perf_counter_ns() - start_ns), text, parts)
        return parts.image

    def find(self, key: CacheKey, key_digest: bytes | None = None) -> bytes | None:
        """Returns the image of a kernel from memory or disk; None, counted as a miss, if neither has it."""
        image = self.fetch(key_digest if key_digest is not None else key.digest())
        if image is None:
            self.statistics.miss()
        return image

    def fetch(self, key_digest: bytes) -> bytes | None:
        """Returns the image of a kernel by its key's digest; None, without counting a miss, if neither has
        it."""
        image = self.memory.get(key_digest)
        if image is not None:
            self.statistics.memory_hit()
            return image
        start_ns = time.perf_counter_ns()
        found = self.disk.get(key_digest) if self.disk is not None else None
        if found is None:
            return None
        image, compile_ns = found
        self.statistics.disk_hit(compile_ns, time.perf_counter_ns() - start_ns, len(image))
        self.memory.put(key_digest, image)
        return image

    def keep(self, miss: Miss, text: str, parts: CompiledParts) -> None:
        """Stores a kernel that was compiled because `find` returned None, in memory and on disk."""
        self.memory.put(miss.key.digest(), parts.image)
        self.statistics.compiled(miss, self._publish(miss, text, parts))

    def _publish(self, miss: Miss, text: str, parts: CompiledParts) -> int:
        if self.disk is None:
            return 0
        texts = {"kernel": text, "source": parts.source}
        if parts.assembly:
            texts["asm"] = parts.assembly
        from .entry import new_entry  # see DiskStore.put

        return self.disk.put(
            new_entry(miss.key, miss.name, miss.origin, miss.compile_ns, parts.image, texts, miss.began_ns)
        )

    def _note_fault(self, message: str) -> None:
        self.statistics.fault()
        self._fault = message

    def warn_once(self) -> None:
        """Warns the user of the first fault, at the user's line, after the kernels were stored.

        It is called on the user's thread: no other one's stack has that line.
        """
        if self._fault is None or self._warned or in_background():
            return
        self._warned = True
        warn_user(
            f"the kernel cache is not used as it should be: {self._fault}. "
            "Kernels are compiled anew where needed; results are not affected.",
            CacheWarning,
        )


def kernel_cache() -> KernelCache:
    """This process's cache, with the current settings."""
    global _cache
    record = settings()
    if _cache is None:
        made = KernelCache(record)
        if _cache is None:  # another thread, or a signal handler, may need it in between
            _cache = made
    if _cache.record is not record:
        _cache.use(record)
    return _cache


_cache: KernelCache | None = None
