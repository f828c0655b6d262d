"""Facts of the processor for kernels of a SIMD level and a number of threads."""

from __future__ import annotations

import platform
from pathlib import Path

from ...ir.types import DTYPES
from ..driver import Cache, DeviceFacts, PerformanceHints
from ..memory import host_memory
from .kernels.compiled_kernels import llvmlite_version
from .machine_code.levels import Target
from .native_library.tables import size_in_bytes, thread_count

_VECTOR_BYTES = {"sse2": 16, "avx2": 32, "avx512": 64, "native": 16}
_NO_FMA = ("off", "sse2")
_CPUS = Path("/sys/devices/system/cpu")
_ATOMICS = frozenset(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"))
_POOL_ALIGNMENT = 64
_HINTS = PerformanceHints(preferred_workgroup=1, alignment=_POOL_ALIGNMENT, batch_size=1, prefer_async=False)
_SHARED_BYTES = 1 << 16
"""On the stack of a workgroup's thread; about as much as GPUs have."""


def processor_facts(target: Target, threads: int | None = None) -> DeviceFacts:
    """Returns the facts of a driver that compiles for a target and has at most so many threads."""
    threads = thread_count() if threads is None else threads
    vector_bytes = _VECTOR_BYTES[target.simd]
    more = (
        ("simd", target.simd), ("target", target.cpu), ("triple", target.triple),
        ("features", target.features), ("threads", threads),
    )  # fmt: skip
    return DeviceFacts(
        title=_title(),
        api=f"LLVM, {target.simd}, {threads} thread{'s' if threads > 1 else ''}",
        kind="cpu",
        dtypes=frozenset(dtype.name for dtype in DTYPES),
        version=f"{target.triple} {target.cpu} {target.features}",
        memory_bytes=host_memory.total_bytes(),
        most_buffers=1 << 16,
        shared_bytes=_SHARED_BYTES,
        fma=target.simd not in _NO_FMA,
        units=threads,
        unified=True,
        library_products=True,
        architecture=target.simd,
        driver=f"llvmlite {llvmlite_version()}",
        execution="simd",
        vector_bytes=vector_bytes,
        alignment=_POOL_ALIGNMENT,
        keeps_binaries=True,
        atomics=_ATOMICS,
        caches=caches(),
        matrix_units="amx_tile" in _flags(),
        hints=_HINTS,
        more=more,
    )


def _cpuinfo(name: str) -> str:
    """Returns the first entry of a name; empty where the system has none."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            found = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
            return next(found, "")
    except OSError:
        return ""


def _title() -> str:
    """Returns the processor's own name, where the system reports it."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def _flags() -> frozenset[str]:
    return frozenset(_cpuinfo("flags").split())


def caches(cpus: Path = _CPUS) -> tuple[Cache, ...]:
    """Returns the data caches of the first processor, as reported by Linux; none elsewhere."""
    found = []
    for folder in sorted((cpus / "cpu0" / "cache").glob("index*")):
        try:
            told = {
                name: (folder / name).read_text(encoding="ascii").strip()
                for name in ("type", "level", "size", "coherency_line_size", "shared_cpu_list")
            }
            if told["type"] != "Instruction":
                size, line = size_in_bytes(told["size"]), int(told["coherency_line_size"])
                found.append(Cache(int(told["level"]), size, line, _count(told["shared_cpu_list"])))
        except (OSError, ValueError, KeyError):  # virtual machines may leave some out
            continue
    return tuple(sorted(found, key=lambda cache: cache.level))


def _count(text: str) -> int:
    """Counts the numbers in "0-3,8"."""
    ranges = [part.partition("-") for part in text.split(",")]
    return sum(int(last or first) - int(first) + 1 for first, _, last in ranges)
