"""The target of this process, found without LLVM."""

from __future__ import annotations

from .levels import LEVELS, Target, detect_target
from .library import native_library

__all__ = ["LEVELS", "Target", "host_target"]


def host_target() -> Target:
    """What kernels are compiled for here: the processor's level, or the one JITFRAME_SIMD forces.

    Raises ValueError for a level that does not exist or that this processor lacks.
    """
    return detect_target(native_library().image)
