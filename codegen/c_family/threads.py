"""How many lanes run a workgroup of a kernel that is written for one."""

from __future__ import annotations

from ..kernel.nodes import REDUCTION_LANES, Kernel, walk


def choose_threads(kernel: Kernel, most: int = 256) -> int:
    """The kernel's own lanes; else the most there are, a multiple of REDUCTION_LANES where it reduces."""
    if kernel.workgroup > 1:
        return kernel.workgroup
    loops = [
        each for each in walk(kernel.body) if each.op.name == "for" and each.attributes["kind"] == "lanes"
    ]
    if not loops:
        return 1
    if any(len(each.blocks) == 2 for each in loops):
        return max(most // REDUCTION_LANES, 1) * REDUCTION_LANES if most >= REDUCTION_LANES else 1
    return most
