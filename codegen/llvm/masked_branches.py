"""Branches and loops: uniform ones jump, divergent ones run while a lane is active, under a mask."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...ir.record import replace
from ...ir.types import DType
from ..kernel.nodes import Block, Buffer, Instruction, Value, constant_number, walk
from ..kernel.ops import PURE
from .context import Affine, Context
from .loops import counted, either, guarded
from .rounding import any_lane, lane_bits
from .spelling import memory_type, register_type
from .target import UnsupportedKernel
from .varying import Variance
from .writer import Operand, Phi, integer

_INLINE_LIMIT = 6
"""A varying branch with at most this many pure instructions runs both sides and selects."""
_INLINE = PURE - {"fmod"} | {"table", "yield"}


# if --------------------------------------------------------------------------------------------------
def branch(c: Context, instruction: Instruction) -> None:
    condition = c.operand(instruction.operands[0])
    then, orelse = instruction.blocks
    if condition.width == 1:
        _uniform_branch(c, instruction, condition)
    elif "rare" in instruction.attributes:
        c.define(instruction, *_lane_by_lane(c, then, condition, _spread_results(c, orelse)))
    elif _inline(c, then) and _inline(c, orelse):
        pairs = zip(c.run(then), c.run(orelse), strict=True)
        c.define(instruction, *(c.writer.select(condition, a, b) for a, b in pairs))
    else:
        _varying_branch(c, instruction, condition)


def _inline(c: Context, block: Block) -> bool:
    """Whether a block is short and free of effects: any lane may run it."""
    return len(block.instructions) <= _INLINE_LIMIT and all(
        instruction.op.name in _INLINE and not _may_trap(instruction) for instruction in block.instructions
    )


def _may_trap(instruction: Instruction) -> bool:
    """Whether it is a division whose divisor may be 0 in inactive lanes."""
    divides = instruction.op.name in ("quotient", "remainder")
    return divides and constant_number(instruction.operands[1]) is None


def _uniform_branch(c: Context, instruction: Instruction, condition: Operand) -> None:
    widths = [c.width if varies else 1 for varies in Variance(c).results(instruction)]

    def run(block: Block) -> list[Operand]:
        return [c.writer.splat(value, width) for value, width in zip(c.run(block), widths, strict=True)]

    then, orelse = instruction.blocks
    c.define(instruction, *either(c.writer, condition, lambda: run(then), lambda: run(orelse)))


def _varying_branch(c: Context, instruction: Instruction, condition: Operand) -> None:
    then, orelse = instruction.blocks
    if _only_yields(orelse):
        c.define(instruction, *_where_any(c, then, condition, _spread_results(c, orelse)))
        return
    operand = _spread_results(c, then) if _only_yields(then) else _where_any(c, then, condition, None)
    inverse = c.writer.binary("xor", condition, Operand("true", "i1"))
    c.define(instruction, *_where_any(c, orelse, inverse, operand))


def _only_yields(block: Block) -> bool:
    return all(instruction.op.name == "yield" for instruction in block.instructions)


def _spread_results(c: Context, block: Block) -> list[Operand]:
    return [c.spread(value) for value in block.yielded]


def _where_any(
    c: Context, block: Block, condition: Operand, others: Sequence[Operand] | None
) -> list[Operand]:
    """Writes a block under a mask if any lane is set; other lanes get `others`, or undefined values."""
    w, mask = c.writer, c.narrowed(condition)

    def run() -> list[Operand]:
        with c.masked(mask):
            operands = [w.splat(value, c.width) for value in c.run(block)]
        if others is None:
            return operands
        return [w.select(condition, value, other) for value, other in zip(operands, others, strict=True)]

    return guarded(w, any_lane(w, mask), run, others, "some")


def _lane_by_lane(c: Context, block: Block, condition: Operand, others: Sequence[Operand]) -> list[Operand]:
    """Writes a block for one set lane after another, in scalars; the other lanes get `others`.

    Scalars take a fraction of the compile time of vectors, and few lanes come here.
    """
    w, mask = c.writer, c.narrowed(condition)
    run = partial(_each_set_lane, c, block, mask, others)
    return guarded(w, any_lane(w, mask), run, others, "rare")


def _each_set_lane(c: Context, block: Block, mask: Operand, others: Sequence[Operand]) -> list[Operand]:
    w, width, values = c.writer, c.width, c.values
    first = w.convert("zext", lane_bits(w, mask), "i64") if width < 64 else lane_bits(w, mask)
    varying = {value: operand for value in _outside(block) if _varies(operand := values[value])}
    cells = {
        value: _kept_lanes(c, value.dtype, c.operand(value))
        for value, operand in varying.items()
        if isinstance(operand, Operand)
    }
    results = [_kept_lanes(c, value.dtype, other) for value, other in zip(block.yielded, others, strict=True)]
    enter, head = w.block, w.label("lane")
    w.enter_loop(w.place())
    w.jump(head)
    w.start(head)
    left = w.phi(w.place(), "i64", 1, (first, enter))
    lane = w.apply("call {T} @llvm.cttz.{S}({T} {0}, i1 true)", left.operand)
    with c.lanes(1, None):
        for value, operand in varying.items():
            if isinstance(operand, Affine):
                values[value] = w.add(operand.base, w.mul(lane, operand.step))
            else:
                values[value] = c.get(cells[value], lane, register_type(value.dtype), 1)
        operands = c.run(block)
        for cell, one in zip(results, operands, strict=True):
            c.put(cell, lane, one)
    values.update(varying)
    rest = w.binary("and", left.operand, w.binary("add", left.operand, integer(-1)))
    left.close(rest, w.block)
    done = w.label("done")
    w.branch(w.compare("icmp ne", rest, integer(0)), head, done)
    w.leave()
    w.start(done)
    return [
        c.get(cell, integer(0), register_type(value.dtype), width)
        for value, cell in zip(block.yielded, results, strict=True)
    ]


def _kept_lanes(c: Context, dtype: DType, operand: Operand) -> Operand:
    """Returns a cell with the value of every lane."""
    cell = c.stack(memory_type(dtype), c.width)
    c.put(cell, integer(0), c.writer.splat(operand, c.width))
    return cell


def _outside(block: Block) -> dict[Value, None]:
    """Yields the values from outside that a block without parameters reads, each once."""
    own = {
        value
        for instruction in walk(block)
        for value in (*instruction.results, *(p for b in instruction.blocks for p in b.parameters))
    }
    read = (value for instruction in walk(block) for value in instruction.operands)
    return {value: None for value in read if value not in own and not isinstance(value, Buffer)}


def _varies(operand: Operand | Affine) -> bool:
    return isinstance(operand, Affine) or operand.width > 1


# for -------------------------------------------------------------------------------------------------
def serial(c: Context, instruction: Instruction) -> None:
    """Writes a serial loop."""
    lower, upper, step = (c.operand(value) for value in instruction.operands[:3])
    if lower.width == upper.width == step.width == 1:
        _uniform_for(c, instruction, lower, upper, step)
    else:
        _varying_for(c, instruction, lower, upper, step)


def unroll(c: Context, instruction: Instruction) -> None:
    bounds = [c.operand(value).literal for value in instruction.operands[:3]]
    lower, upper, step = bounds
    if lower is None or upper is None or step is None:
        raise UnsupportedKernel(f"{c.kernel.name}: an unrolled loop needs constant bounds")
    carried = tuple(c.operand(value) for value in instruction.operands[3:])
    for i in range(lower, upper, step):
        carried = c.run(instruction.blocks[0], Operand(str(i), "i64", literal=i), *carried)
    c.define(instruction, *carried)


def carried_widths(c: Context, body: Block, initial: Sequence[Value]) -> list[int]:
    """Returns the width of each loop-carried value in uniform control flow."""
    if c.width == 1:
        return [1] * len(initial)
    variance = Variance(c)
    first = [variance.varies(value) for value in initial]
    return [c.width if varies else 1 for varies in variance.carried(body, first, False)]


def _uniform_for(c: Context, instruction: Instruction, lower: Operand, upper: Operand, step: Operand) -> None:
    w, body = c.writer, instruction.blocks[0]
    initial = instruction.operands[3:]
    widths = carried_widths(c, body, initial)
    first = [w.splat(c.operand(value), width) for value, width in zip(initial, widths, strict=True)]
    _, results = counted(w, lower, upper, step, lambda *arguments: c.run(body, *arguments), first)
    c.define(instruction, *results)


def _varying_for(c: Context, instruction: Instruction, lower: Operand, upper: Operand, step: Operand) -> None:
    """Lanes leave when their own bound is reached; the loop ends with the last."""
    w, body = c.writer, instruction.blocks[0]
    if step.width > 1:
        lower = w.splat(lower, c.width)
    loop = _Masked(c, [lower, *(c.spread(value) for value in instruction.operands[3:])])
    index, *carried = loop.values
    wanted = c.narrowed(w.compare("icmp slt", index, upper))
    loop.continue_where(wanted)
    with c.masked(wanted):
        yielded = c.run(body, index, *carried)
    forward = w.binary("add", index, step)
    kept = [w.select(wanted, w.splat(new, c.width), old) for new, old in zip(yielded, carried, strict=True)]
    c.define(instruction, *loop.close([forward, *kept])[1:])


class _Masked:
    """A loop that runs while any lane is active."""

    def __init__(self, c: Context, first: Sequence[Operand]) -> None:
        self.w = w = c.writer
        enter, self.head, self.body, self.after = (
            w.label("enter"),
            w.label("while"),
            w.label("body"),
            w.label("after"),
        )
        w.jump(enter)
        w.start(enter)
        w.enter_loop(w.place(), certain=False)
        w.jump(self.head)
        w.start(self.head)
        spot = w.place()
        self.phis: list[Phi] = [w.phi(spot, value.type, value.width, (value, enter)) for value in first]

    @property
    def values(self) -> list[Operand]:
        return [phi.operand for phi in self.phis]

    def continue_where(self, wanted: Operand) -> None:
        self.w.branch(any_lane(self.w, wanted), self.body, self.after)
        self.w.start(self.body)

    def close(self, following: Sequence[Operand]) -> list[Operand]:
        """Closes the loop; returns the values after it."""
        w = self.w
        for phi, value in zip(self.phis, following, strict=True):
            phi.close(value, w.block)
        w.jump(self.head)
        w.leave()
        w.start(self.after)
        return [replace(phi.operand, depth=w.depth) for phi in self.phis]


# while -----------------------------------------------------------------------------------------------
def repeat_while(c: Context, instruction: Instruction) -> None:
    condition, body = instruction.blocks
    widths = carried_widths(c, body, instruction.operands)
    if Variance(c).condition(condition, [width > 1 for width in widths]):
        _varying_while(c, instruction)
        return
    w = c.writer
    first = [
        w.splat(c.operand(value), width) for value, width in zip(instruction.operands, widths, strict=True)
    ]
    loop = _Masked(c, first)
    (wanted,) = c.run(condition, *loop.values)
    loop.continue_where(wanted)
    following = c.run(body, *loop.values)
    c.define(
        instruction,
        *loop.close([w.splat(value, width) for value, width in zip(following, widths, strict=True)]),
    )


def _varying_while(c: Context, instruction: Instruction) -> None:
    w = c.writer
    condition, body = instruction.blocks
    loop = _Masked(c, [c.active(), *(c.spread(value) for value in instruction.operands)])
    active, *carried = loop.values
    with c.masked(active):
        (holds,) = c.run(condition, *carried)
        wanted = c.narrowed(holds)
    loop.continue_where(wanted)
    with c.masked(wanted):
        yielded = c.run(body, *carried)
    kept = [w.select(wanted, w.splat(new, c.width), old) for new, old in zip(yielded, carried, strict=True)]
    c.define(instruction, *loop.close([wanted, *kept])[1:])


# Leaving ---------------------------------------------------------------------------------------------
def leave_kernel(c: Context, instruction: Instruction) -> None:
    """Ends this workgroup; the code after it may not run."""
    if c.in_lanes:
        raise UnsupportedKernel(f"{c.kernel.name}: exit inside a lanes loop; put the rest into an `if`")
    w = c.writer
    w.jump(c.exit_label)
    w.start(w.label("unreachable"))
    for scope in w.scopes:
        scope.certain = False


def fence(c: Context, instruction: Instruction) -> None:
    order = {"thread": "", "workgroup": "acq_rel", "device": "acq_rel", "system": "seq_cst"}[
        instruction.attributes["scope"]
    ]
    if order:
        c.writer.line(f"fence {order}")


def barrier(c: Context, instruction: Instruction) -> None:
    """Checks a barrier: one lane is always at its barrier; for several, workgroups.py has split the kernel
    there."""
    if c.in_lanes:
        raise UnsupportedKernel(f"{c.kernel.name}: a barrier that only some lanes reach")
