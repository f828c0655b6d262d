"""Scans of few long rows in one pass over memory, for processors.

Workgroups take blocks in order from a counter. One finds what its block comes to, looks up where the block
before ends, notes where its own does, and then scans its block, which by now lies in the cache. The blocks,
and the order in which they are combined, are those of three kernels (`blocked_scans`): no bit differs.

No workgroup depends on another's progress. Where the block before has no end yet after a while of looking,
since its thread does not run, this workgroup finds what the missing blocks come to by itself (after
D. Merrill and M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016). So the same
kernel must not overwrite what is scanned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir.expr import ZERO, Expr
from ....ir.node import Node
from ....ir.passes.groups import Group
from ....ir.passes.stages import Carry
from ....ir.types import BOOL, INDEX, U32
from ...kernel.nodes import Buffer, Value
from ...plan.nodes import Alloc, BufferRef, PlanBuffer, Zero
from ..schedule import LoweringContext, lower_blocks
from ..writing.context import GroupWriter
from ..writing.nest import Nest
from ..writing.writer import Memory
from .scans import ScanWriter, scan_loop

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

LOOKS = 500
"""How often a workgroup looks for the end of the block before: about as long as finding it takes."""


def lower_chained_scan(
    lowering: Lowering, group: Group, nest: Nest, context: LoweringContext, scope: Scope
) -> bool:
    """Lower a scan whose results have their memory, if it can be one kernel. Gives whether it was."""
    written = {access.memory.buffer for access in nest.accesses if access.store}
    if any(access.memory.buffer in written for access in nest.accesses if not access.store):
        return False
    stage = group.stages[0]
    dtypes = stage.node.dtype, U32
    scratch = tuple(range(len(lowering.buffers), len(lowering.buffers) + len(dtypes)))
    lowering.buffers += [PlanBuffer(dtype, ZERO) for dtype in dtypes]
    for number, dtype in zip(scratch, dtypes, strict=True):
        node = lowering.placeholders.parameter(-number, (), dtype)
        scope.memories[node] = Memory(number, dtype, ())
        stage.carry = Carry(chain=(*stage.carry.chain, node))
    lowered, count = lower_blocks(group, context)
    blocks = nest.count(nest.parallel) * count
    for number, dtype, elements in zip(scratch, dtypes, (blocks, blocks + 1), strict=True):
        lowering.buffers[number] = PlanBuffer(dtype, elements)
        scope.steps.append(Alloc(number))
    scope.steps.append(Zero(BufferRef(scratch[1]), blocks + 1))
    lowering.launch(lowered, scope)
    return True


class ChainedScan(ScanWriter):
    """The next block of a row, from a counter."""

    def __init__(self, writing: GroupWriter) -> None:
        super().__init__(writing)
        self.ends, self.noted = map(self._memory, self.scan.carry.chain)
        self.first: Value
        """The place of the row's first block among all blocks."""

    def _memory(self, node: Node) -> Buffer:
        memory = self.writing.context.memories[node]
        return self.writer.buffer(memory.buffer, memory.dtype)

    def write(self) -> Expr:
        build, blocks = self.build, self.writing.blocks
        assert blocks is not None
        count, zero = self.writer.index(blocks.count), build.constant(0)
        place = build.cast(build.atomic("add", self.noted, zero, build.constant(1, U32)), INDEX)
        block = place % count
        self.first = place - block
        self.writing.set_axes(self.nest.parallel, place // count)
        own, before = self._look(block)
        build.store(self.ends, place, self.combine(before, own))
        build.fence("device")
        word = place + 1
        build.atomic("or", self.noted, word, build.constant(1, U32), order="release")
        self.beginning = before
        scan_loop(self, self.writing.range_of(self.axis, block), self.identity())
        return self.nest.count(self.nest.parallel) * blocks.count

    def _look(self, block: Value) -> tuple[Value, Value]:
        """What the block comes to, and where the one before it ends."""
        build = self.build
        yes = build.constant(True, BOOL)

        def step(at: Value, own: Value, before: Value, _looks: Value) -> Sequence[Value]:
            comes_to = self._comes_to(at)

            def begin() -> Sequence[Value]:
                start, known = self._found(block)
                return start, comes_to, known, start < block

            def walk() -> Sequence[Value]:
                following = at + 1
                missing = following < block
                return following, own, self.combine(before, comes_to), missing

            return build.branch(at.equals(block), begin, walk)

        nothing = self.identity()
        _, own, before, _ = build.repeat_while(
            (block, nothing, nothing, yes), lambda _at, _own, _before, looks: looks, step
        )
        return own, before

    def _comes_to(self, block: Value) -> Value:
        bounds = self.writing.range_of(self.axis, block)
        return scan_loop(self, bounds, self.identity(), stores=False)

    def _found(self, block: Value) -> tuple[Value, Value]:
        """The first block from which on none has a known end, and where it begins."""
        build = self.build
        zero, one, unknown = build.constant(0), build.constant(1), build.constant(0, U32)

        def is_unknown(at: Value) -> Value:
            """Whether the end of the block before `at` is not noted. The first word is the counter."""
            word = self.first + at
            note = build.atomic("or", self.noted, word, unknown, order="acquire")
            return note.equals(unknown)

        def waits(looks: Value) -> Value:
            return (looks < most) & is_unknown(block)

        def goes_back(at: Value) -> Value:
            return (zero < at) & is_unknown(at)

        most = build.select(block.equals(zero), zero, LOOKS)
        build.repeat_while((zero,), waits, lambda looks: (looks + one,))
        (start,) = build.repeat_while((block,), goes_back, lambda at: (at - one,))
        build.fence("device")

        def ended() -> Sequence[Value]:
            return (build.load(self.ends, self.first + start - one),)

        (known,) = build.branch(zero < start, ended, lambda: (self.identity(),))
        return start, known
