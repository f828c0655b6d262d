"""Subgroups: values that move between lanes without memory, and reductions over a subgroup.

A kernel of one lane is a subgroup of one, whoever runs it: nothing moves there.
"""

from __future__ import annotations

from ...ir.types import INDEX, U32, U64, DType
from ..kernel.nodes import Instruction
from .arithmetic import pair
from .context import Context


def shuffle_down(c: Context, instruction: Instruction) -> None:
    value, distance = [c.names[v] for v in instruction.operands]
    if c.kernel.workgroup == 1:
        c.names[instruction.result] = value
        return
    _require(c, instruction)
    dtype = instruction.result.dtype
    lane, size = _place(c)
    other = shuffled(c, dtype, value, distance)
    c.define(instruction, c.select(f"({lane} + {distance} < {size})", other, value))


def subgroup_reduce(c: Context, instruction: Instruction) -> None:
    """Reduces by halves: each lane combines with the partial result half of the remaining distance up."""
    (value,) = [c.names[v] for v in instruction.operands]
    if c.kernel.workgroup == 1:
        c.names[instruction.result] = value
        return
    _require(c, instruction)
    kind, dtype = instruction.attributes["kind"], instruction.result.dtype
    template = c.dialect.subgroup_reduce.get(kind)
    if template is not None and dtype.is_integer and dtype.bits == 32:
        _synchronize(c)
        c.define(instruction, c.own(template.format(x=value)))
        return
    lane, size = _place(c)
    total, left = c.variable(dtype, value), c.variable(INDEX, size)
    one, two = c.index(1), c.index(2)
    with c.block(c.dialect.forever.format()):
        c.line(f"if ({left} <= {one}) {{ break; }}")
        half = c.let(INDEX, f"({left} + {one}) / {two}")
        other = shuffled(c, dtype, total, half)
        with c.block(f"if ({lane} + {half} < {left}) {{"):
            c.line(f"{total} = {pair(c, kind, dtype, total, other)};")
        c.line(f"{left} = {half};")
    c.names[instruction.result] = broadcast(c, dtype, total)


def _require(c: Context, instruction: Instruction) -> None:
    if not c.dialect.shuffle_down:
        raise c.refuse(f"no {instruction.op.name}", "reduce through shared memory")
    lanes = c.dialect.subgroup_lanes
    if not c.dialect.subgroup_size and c.threads % lanes:
        raise c.refuse(f"{instruction.op.name} by {c.threads} lanes", f"take a multiple of {lanes}")


def _synchronize(c: Context) -> None:
    """Synchronizes lanes, which may come from loops of different lengths."""
    c.shuffles = True
    if c.dialect.subgroup_meeting:
        c.line(c.dialect.subgroup_meeting)


def _place(c: Context) -> tuple[str, str]:
    """Returns this lane's place in its subgroup, and the subgroup's size."""
    type_, size = c.type_of(INDEX), c.dialect.subgroup_size
    lane = c.let(INDEX, c.own(c.dialect.subgroup_lane.format(type=type_)))
    if not size:
        return lane, c.index(c.dialect.subgroup_lanes)
    return lane, c.let(INDEX, c.own(size.format(type=type_)))


def shuffled(c: Context, dtype: DType, value: str, distance: str) -> str:
    """Returns the value of the lane `distance` places up; undefined where there is none."""
    return _moved(c, dtype, value, c.dialect.shuffle_down, distance)


def broadcast(c: Context, dtype: DType, value: str) -> str:
    """Returns the value of the subgroup's first lane."""
    return _moved(c, dtype, value, c.dialect.broadcast, "")


def _moved(c: Context, dtype: DType, value: str, template: str, distance: str) -> str:
    """Moves a value directly, or as the words of its type."""
    type_, unsigned = c.type_of(dtype), c.type_of(U32)
    _synchronize(c)

    def move(x: str) -> str:
        return c.own(template.format(x=x, delta=distance))

    if type_ in c.dialect.subgroup_types:
        return c.let(dtype, move(value))
    if dtype.bits == 64 and not (dtype is INDEX and c.index_bits == 32):
        wide = c.let(U64, c.bits_as(c.type_of(U64), value))
        low = c.let(U32, c.convert(unsigned, wide))
        high = c.let(U32, c.convert(unsigned, f"{wide} >> {c.unsigned(32)}"))
        low, high = (c.convert(c.type_of(U64), move(word)) for word in (low, high))
        return c.let(dtype, c.bits_as(type_, f"(({high} << {c.unsigned(32)}) | {low})"))
    if dtype.is_float:
        word = c.let(U32, c.bits_as(unsigned, value))
        return c.let(dtype, c.bits_as(type_, move(word)))
    word = c.let(U32, c.convert(unsigned, value))
    return c.let(dtype, c.convert(type_, move(word)))
