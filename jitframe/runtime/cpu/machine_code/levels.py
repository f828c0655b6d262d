"""The targets that code can be generated for: the triple, LLVM's names for the processor, the SIMD level."""

from __future__ import annotations

import ctypes
import platform
import sys
from typing import TYPE_CHECKING

from ....ir.record import record

if TYPE_CHECKING:
    from .image import LoadedImage

LEVELS = ("sse2", "avx2", "avx512")
"""From the least: baseline x86-64; AVX2 + FMA + F16C + BMI; AVX-512 F, BW, CD, DQ, VL."""

# LLVM's x86-64-v3 and -v4 are these levels; naming features too makes the key say what the code needs.
_PROCESSORS = {
    "sse2": ("x86-64", ""),
    "avx2": ("x86-64-v3", "+avx2,+fma,+f16c,+bmi,+bmi2"),
    "avx512": ("x86-64-v4", "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,+fma,+f16c,+bmi,+bmi2"),
}


class Target(metaclass=record):
    """LLVM's description of a target; `simd` is one of LEVELS, or "native" where the architecture is not
    x86-64."""

    triple: str
    cpu: str
    features: str
    simd: str
    optimization_level: int = 2
    """What LLVM's code generator does: 0 compiles in the least time, 3 does most."""


def is_x86_64() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64") and sys.maxsize > 2**32


def host_triple() -> str:
    """The triple of this process; the same text on every machine of a kind, so that it can be in a key."""
    if not is_x86_64():
        from .compile import host_description  # LLVM's own

        return host_description()[0]
    if sys.platform == "darwin":
        return "x86_64-apple-macosx"
    return "x86_64-pc-windows-msvc" if sys.platform == "win32" else "x86_64-unknown-linux-gnu"


def baseline_target() -> Target:
    """Returns the target whose code runs on every processor of this architecture."""
    if is_x86_64():
        return level_target("sse2")
    return Target(host_triple(), "generic", "", "native")


def level_target(level: str) -> Target:
    """Returns this machine's triple at a given SIMD level."""
    cpu, features = _PROCESSORS[level]
    return Target(host_triple(), cpu, features, level)


def _bits(value: int, *positions: int) -> bool:
    return all(value >> position & 1 for position in positions)


def detect_level(image: LoadedImage) -> str:
    """Returns the highest level that the processor and the operating system support (Intel SDM vol. 2,
    CPUID)."""
    registers = (ctypes.c_uint32 * 4)()
    read = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(
        image.address("read_cpuid")
    )

    def cpuid(leaf: int, subleaf: int = 0) -> tuple[int, int, int, int]:
        read(leaf, subleaf, ctypes.addressof(registers))
        return tuple(registers)

    if cpuid(0)[0] < 7:
        return "sse2"
    features = cpuid(1)[2]
    fma, osxsave, avx, f16c = 12, 27, 28, 29
    if not _bits(features, fma, osxsave, avx, f16c):
        return "sse2"
    saved = ctypes.CFUNCTYPE(ctypes.c_uint64)(image.address("read_xcr0"))()
    extended = cpuid(7)[1]
    bmi1, avx2, bmi2 = 3, 5, 8
    if not _bits(saved, 1, 2) or not _bits(extended, bmi1, avx2, bmi2):
        return "sse2"
    f, dq, cd, bw, vl = 16, 17, 28, 30, 31
    return "avx512" if _bits(saved, 5, 6, 7) and _bits(extended, f, dq, cd, bw, vl) else "avx2"


def choose_level(detected: str, wanted: str | None, setting: str = "JITFRAME_SIMD") -> str:
    """Checks a wanted level ("off" is the baseline) against the detected one; a higher one is a
    ValueError."""
    if not wanted:
        return detected
    level = "sse2" if wanted == "off" else wanted
    if level not in LEVELS:
        raise ValueError(f"{setting}={wanted!r}; it can be off, {', '.join(LEVELS)}")
    if LEVELS.index(level) > LEVELS.index(detected):
        raise ValueError(f"{setting}={wanted!r}, but this processor has {detected} at most")
    return level
