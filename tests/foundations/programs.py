"""What the tests look at: the plan behind a call of a jitted function, and what was compiled for it."""

from __future__ import annotations

from typing import Any

import jitframe as jf
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.plan.nodes import Plan
from jitframe.runtime.cpu.kernels.target import LEVELS, processor_level


def available(level: str) -> bool:
    """Whether this processor has a SIMD level."""
    return LEVELS.index(processor_level()) >= LEVELS.index(level)


def plan_of(jitted: Any, *arguments: Any) -> Plan:
    """The plan that a call with these arguments runs."""
    ready = jitted.program(*arguments).ready
    assert ready is not None, "the call computes nothing"
    return ready.template.lowered.plan


def kernels_of(jitted: Any, *arguments: Any) -> list[str]:
    """The texts of the kernels that a call with these arguments runs."""
    return [kernel_text(kernel) for kernel in plan_of(jitted, *arguments).kernels]


def lookups() -> int:
    """Kernels that were looked for outside this process's memory: compiled here, or read from disk."""
    counts = jf.cache.stats()
    return int(counts["compiled"] + counts["disk_hits"])
