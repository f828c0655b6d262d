"""Serial loops, unrolled loops, while and if."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Block, Instruction, constant_number
from .context import Context, Pending
from .lanes import lanes_loop


def loop(c: Context, instruction: Instruction) -> None:
    kind = instruction.attributes["kind"]
    if kind == "lanes":
        lanes_loop(c, instruction)
    elif kind == "unroll":
        _unrolled(c, instruction)
    elif kind == "scan":
        raise c.refuse("a scan loop", "schedule it for lanes or as serial loops")
    else:
        _serial(c, instruction)


def _serial(c: Context, instruction: Instruction) -> None:
    lower, upper, step, *initial = [c.names[v] for v in instruction.operands]
    (body,) = instruction.blocks
    dtypes = [v.dtype for v in instruction.results]
    carried = [c.variable(dtype, value) for dtype, value in zip(dtypes, initial)]
    counter = c.fresh("k")
    c.bind(body.parameters, [counter, *carried])
    _order_iterations(c, instruction.blocks)
    before = c.pending.copy()
    with c.loop(counter, lower, upper, step):
        c.assign(carried, c.run(body), dtypes)
        _order_iterations(c, instruction.blocks)
    c.pending = c.pending.union(before)  # there may be no iteration, and no barrier of its body
    c.bind(instruction.results, carried)


def _unrolled(c: Context, instruction: Instruction) -> None:
    lower, upper, step = [int(constant_number(v) or 0) for v in instruction.operands[:3]]
    carried = [c.names[v] for v in instruction.operands[3:]]
    (body,) = instruction.blocks
    for number in range(lower, upper, step):
        c.bind(body.parameters, [c.index(number), *carried])
        carried = c.run(body)
    c.bind(instruction.results, carried)


def repeat_while(c: Context, instruction: Instruction) -> None:
    condition, body = instruction.blocks
    carried = [c.variable(v.dtype, c.names[v]) for v in instruction.operands]
    c.bind(condition.parameters, carried)
    c.bind(body.parameters, carried)
    _order_iterations(c, instruction.blocks)
    with c.block(c.dialect.forever.format()):
        (goes_on,) = c.run(condition)
        c.line(f"if (!({goes_on})) {{ break; }}")
        leaving = c.pending.copy()
        c.assign(carried, c.run(body), [v.dtype for v in instruction.results])
        _order_iterations(c, instruction.blocks)
    c.pending = c.pending.union(leaving)
    c.bind(instruction.results, carried)


def branch(c: Context, instruction: Instruction) -> None:
    (condition,) = [c.names[v] for v in instruction.operands]
    results = [c.variable(v.dtype) for v in instruction.results]
    dtypes = [v.dtype for v in instruction.results]
    then, orelse = instruction.blocks
    after = before = c.pending
    c.pending = before.copy()
    c.line(f"if ({condition}) {{")
    with c.indented():
        c.assign(results, c.run(then), dtypes)
    if orelse.instructions:
        c.line("} else {")
        after, c.pending = c.pending, before.copy()
        with c.indented():
            c.assign(results, c.run(orelse), dtypes)
    c.line("}")
    c.pending = c.pending.union(after)
    c.bind(instruction.results, results)


def _order_iterations(c: Context, blocks: Sequence[Block]) -> None:
    """Inserts barriers before an iteration, the first or a later one, for pending accesses of other lanes."""
    if not c.uniform:
        return
    for block in blocks:
        if c.pending.conflicts(*c.touched(block)):
            c.line(c.dialect.barrier)
            c.pending = Pending()


def leave(c: Context, instruction: Instruction) -> None:
    c.line("return;")
