"""Choosing a schedule: three shapes of loop nest for machines whose lanes loops are vector instructions.

*map* (no reduction), *rows* (the innermost axis is reduced), *columns* (another axis is reduced).
"""

from __future__ import annotations

from ...ir.expr import Expr, less, mul
from ...ir.node import Node
from ...ir.passes.fuse import Group
from ...ir.record import mutable
from ..kernel.nodes import Kernel
from .columns import write_columns
from .context import NARROW, GroupWriter, Surroundings
from .maps import write_map, write_pieces
from .rows import write_rows

__all__ = ["Lowered", "Surroundings", "lower_blocks", "lower_group"]


@mutable
class Lowered:
    """A kernel with what the plan gives to each of its parameters."""

    kernel: Kernel
    buffers: tuple[int, ...]
    indices: tuple[Expr, ...]
    scalars: tuple[Node, ...]
    groups: Expr
    bytes_moved: Expr
    cost: Expr


def lower_group(group: Group, around: Surroundings) -> Lowered:
    """Write the kernel of a group."""
    return _finish(GroupWriter(group, around))


def lower_blocks(group: Group, around: Surroundings) -> tuple[Lowered, Expr]:
    """Write the kernel that reduces blocks of one axis to partial results, and the number of blocks.

    The group's stage writes block number b of its result at b * (elements of the result).
    """
    writing = GroupWriter(group, around)
    count = writing.cut_blocks()
    return _finish(writing), count


def _finish(writing: GroupWriter) -> Lowered:
    nest, group, writer = writing.nest, writing.group, writing.writer
    if group.pieces:
        groups = write_pieces(writing, *group.stages)
    elif not nest.reduced:
        groups = write_map(writing)
    elif nest.inner in nest.parallel and not writing.around.decide(less(nest.extents[nest.inner], NARROW)):
        groups = write_columns(writing)
    else:
        groups = write_rows(writing)
    cost = mul(nest.count([*nest.parallel, *nest.reduced]), _element_cost(writing))
    return Lowered(
        writing.build.finish(), tuple(writer.buffers), tuple(writer.indices), tuple(writer.scalars), groups,
        writing.moved, cost,
    )  # fmt: skip


def _element_cost(writing: GroupWriter) -> int:
    """Rough cost of one step of the inner loop, in additions."""
    made = {stage.node for stage in writing.group.stages}
    seen: set[Node] = set()
    pending = [stage.value for stage in writing.group.stages]
    total = 0
    while pending:
        node = pending.pop()
        if node in seen or (node in writing.around.memories and node not in made):
            continue
        seen.add(node)
        total += node.op.cost
        pending.extend(node.inputs)
    return max(total, 1)
