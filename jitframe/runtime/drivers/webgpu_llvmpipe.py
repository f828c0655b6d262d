"""llvmpipe, Mesa's Vulkan on a processor, ends loops and does not say so.

The loops of a lane may make 65535 iterations in all; from then on every loop ends after its first. Kernels
find out by a last loop of two iterations, and write it to a buffer that the driver looks at when somebody
reads or waits.
"""

from __future__ import annotations

from typing import Any

from ...codegen.c_family import Source
from ...errors import BackendError

MOST_ITERATIONS = 65_535
_DECLARED = "@group(0) @binding({number}) var<storage, read_write> loops_ended: array<u32>;\n"
_LOOKED_AT = """  var iterations: u32 = 0u;
  for (; iterations < launch.slots[0].y + 2u; iterations += 1u) {}
  if (iterations < 2u) { loops_ended[0] = 1u; }
}
"""
"""The bound is 2, which the compiler does not know: that word of the launch block is always zero."""


def ends_loops(adapter: Any) -> bool:
    return str(adapter.info["device"]).startswith("llvmpipe")


def telling(source: Source) -> str:
    """The text of a kernel that tells, where it has loops, in the binding after its launch block."""
    if not any(loop in source.text for loop in ("for (", "loop {", "while (")):
        return source.text
    declared = _DECLARED.format(number=len(source.buffers) + 1)
    return declared + source.text.rstrip().removesuffix("}") + _LOOKED_AT


def loops_ended(device: str) -> BackendError:
    """The error for what was launched since the device was last read from."""
    return BackendError(
        f"{device} ended a loop: the loops of a lane may make 65,535 iterations in all. What was computed "
        "since the last read is wrong",
        suggestions=("choose another device", "work on smaller parts"),
    )
