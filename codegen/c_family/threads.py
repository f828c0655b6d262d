"""The number of lanes that run a workgroup of a kernel written for one lane, and the width of their
indices."""

from __future__ import annotations

from collections.abc import Iterable

from ..kernel.nodes import REDUCTION_LANES, Instruction, Kernel, instructions_of
from .dialect import Dialect

_ROOM = 1 << 20
"""A counter may pass its end by a tile or a stride of all lanes before it is compared."""


def choose_index_bits(dialect: Dialect, integers: Iterable[int]) -> int:
    """Returns the narrowest index for a launch, by its numbers: indices, workgroups, and the size of each
    buffer.

    Narrow indices are faster. Where none is wide enough, the widest: `launch_block` then raises.
    """
    most = max(map(abs, integers), default=0)
    wide_enough = [bits for bits in dialect.index_bits if most < (1 << (bits - 1)) - _ROOM]
    return min(wide_enough, default=max(dialect.index_bits))


def _lanes_loops(kernel: Kernel) -> list[Instruction]:
    loops = (instruction for instruction in instructions_of(kernel) if instruction.op.name == "for")
    return [loop for loop in loops if loop.attributes["kind"] == "lanes"]


def reduces(kernel: Kernel) -> bool:
    """Whether a kernel's lanes combine values."""
    return any(len(instruction.blocks) == 2 for instruction in _lanes_loops(kernel))


def choose_threads(kernel: Kernel, most: int = 256) -> int:
    """Returns the kernel's own lanes; else the most possible, a multiple of REDUCTION_LANES where it
    reduces."""
    if kernel.workgroup > 1:
        return kernel.workgroup
    loops = _lanes_loops(kernel)
    if not loops:
        return 1
    if reduces(kernel):
        return max(most // REDUCTION_LANES, 1) * REDUCTION_LANES if most >= REDUCTION_LANES else 1
    return most
