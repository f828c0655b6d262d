"""The target of this process, found without LLVM on x86-64."""

from __future__ import annotations

from functools import cache

from ....codegen.lower.machine import PROCESSOR, Machine
from ....ir.record import replace
from ....settings import settings
from ..machine_code.levels import LEVELS, Target, choose_level, detect_level, is_x86_64, level_target
from ..native_library.library import native_library

__all__ = ["LEVELS", "Target", "host_machine", "host_target", "processor_level"]


@cache
def processor_level() -> str:
    """Returns the highest level of this processor; "native" where there are none."""
    return detect_level(native_library().image) if is_x86_64() else "native"


def host_target(simd: str | None = None) -> Target:
    """Returns the target of kernels here, at the level of the setting `optimization_level`: that of `simd`,
    the setting, or the processor's own.

    Raises ValueError for a level that does not exist or that this processor lacks.
    """
    current, level = settings(), processor_level()
    if level == "native":
        from ..machine_code.compile import host_description  # LLVM's own

        triple, cpu, features = host_description()
        return Target(triple, cpu, features, level, current.optimization_level)
    if simd is not None:
        level = choose_level(level, simd, "simd")
    else:
        level = choose_level(level, current.simd)
    return replace(level_target(level), optimization_level=current.optimization_level)


@cache
def host_machine() -> Machine:
    """Returns the machine of plans here."""
    simd = host_target().simd
    return replace(
        PROCESSOR,
        fast_products=simd in ("avx2", "avx512"),
        vector_registers=16 if simd in ("sse2", "avx2") else 32,
        vectors_fill_lines=simd == "avx512",
        append_bits={"avx2": 256, "avx512": 512}.get(simd, 0),
        exact_appends=simd == "avx512",
    )
