"""Loads, stores, arrays, atomics and fences in every memory a kernel has.

Where global memory is made of 32-bit words, an element of 8 or 16 bits is a part of one. It is read by a
shift, and written by two atomics: one clears the element's bits, one sets them. Both leave the neighbours'
bits alone, so lanes may write neighbours at the same time; nobody else touches the element itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from ...ir.types import BOOL, U32, DType
from ..kernel.nodes import Buffer, Instruction, Value, walk
from ..kernel.variance import WORKGROUP_LANE, Variance
from .arithmetic import wrap
from .context import Context
from .literals import bit_literal


def find_atomic_buffers(c: Context) -> None:
    """Note the buffers whose words are touched by atomics, their own or those of packed stores."""
    for instruction in walk(c.kernel.body):
        if instruction.op.name not in ("atomic", "store"):
            continue
        buffer = instruction.operands[0]
        if instruction.op.name == "atomic" or is_packed(c, buffer):
            c.atomic.add(buffer)


def is_packed(c: Context, buffer: object) -> bool:
    """Whether a buffer's elements are parts of words."""
    return (
        isinstance(buffer, Buffer)
        and buffer.space == "global"
        and c.dialect.packed
        and buffer.dtype.itemsize < 4
    )


def word_type(c: Context, buffer: Buffer) -> str:
    """How the elements of a global or shared buffer are declared."""
    type_ = c.type_of(U32) if is_packed(c, buffer) else c.memory_type(buffer.dtype)
    if not c.dialect.atomic_words or buffer not in c.atomic:
        return type_
    return f"atomic<{c.type_of(U32) if buffer.dtype.is_float else type_}>"


# Loads and stores ------------------------------------------------------------------------------------
def load(c: Context, instruction: Instruction) -> None:
    buffer, position, *mask = instruction.operands
    assert isinstance(buffer, Buffer)
    dtype, at = buffer.dtype, c.names[position]
    c.type_of(dtype)
    if c.alike and c.sees(buffer):
        c.meet({buffer}, set())
    if c.alike and not c.dialect.uniform_memory and buffer.access != "in" and buffer.space != "private":
        _broadcast_load(c, instruction, buffer, at, mask)
        return
    if not mask:
        c.define(instruction, _element(c, buffer, at))
        return
    # Not a choice between values: a masked-off position need not exist.
    name = c.variable(dtype, c.literal(dtype, _PYTHON_ZERO[dtype.kind]))
    with c.block(f"if ({c.names[mask[0]]}) {{"):
        c.line(f"{name} = {_element(c, buffer, at)};")
    c.names[instruction.result] = name


_PYTHON_ZERO: dict[str, bool | float] = {"bool": False, "int": 0, "uint": 0, "float": 0.0}


def _broadcast_load(
    c: Context, instruction: Instruction, buffer: Buffer, at: str, mask: Sequence[Value]
) -> None:
    """One lane reads for all: the compiler sees that they agree, and lets barriers depend on it."""
    dtype = buffer.dtype
    place = f"{c.scratch(dtype, 'told', 1)}[{c.index(0)}]"
    with c.lane_zero():
        value = _element(c, buffer, at)
        if mask:
            zero = c.literal(dtype, _PYTHON_ZERO[dtype.kind])
            name = c.variable(dtype, zero)
            with c.block(f"if ({c.names[mask[0]]}) {{"):
                c.line(f"{name} = {value};")
            value = name
        c.line(f"{place} = {c.to_memory(dtype, value)};")
    c.names[instruction.result] = c.uniform_load(dtype, place)


def store(c: Context, instruction: Instruction) -> None:
    buffer, position, value, *flags = instruction.operands
    assert isinstance(buffer, Buffer)
    masks = [c.names[flags[0]]] if instruction.attributes.get("masked") else []
    if c.alike and c.sees(buffer):
        c.meet(set(), {buffer})
        masks.append(f"{c.lane} == {c.index(0)}")
    with _when(c, " && ".join(masks)):
        _write(c, buffer, c.names[position], c.names[value])


@contextmanager
def _when(c: Context, condition: str) -> Iterator[None]:
    with c.block(f"if ({condition}) {{") if condition else nullcontext():
        yield


def _element(c: Context, buffer: Buffer, at: str) -> str:
    """The value at a position, as a register holds it."""
    name, dtype, type_ = c.names[buffer], buffer.dtype, c.type_of(buffer.dtype)
    if buffer.space == "table" and dtype.is_float and c.dialect.float_tables_as_bits:
        return c.bits_as(type_, f"{name}[{at}]")
    if is_packed(c, buffer):
        return _packed_element(c, buffer, at)
    if buffer in c.atomic and c.dialect.atomic_words:
        word = c.dialect.atomic_load.format(place=f"{name}[{at}]")
        return c.bits_as(type_, word) if dtype.is_float else word
    return c.from_memory(dtype, f"{name}[{at}]")


def _write(c: Context, buffer: Buffer, at: str, value: str) -> None:
    name, dtype = c.names[buffer], buffer.dtype
    if is_packed(c, buffer):
        _write_packed(c, buffer, at, value)
    elif buffer in c.atomic and c.dialect.atomic_words:
        word = c.bits_as(c.type_of(U32), value) if dtype.is_float else value
        c.line(c.dialect.atomic_store.format(place=f"{name}[{at}]", x=word))
    else:
        c.line(f"{name}[{at}] = {c.to_memory(dtype, value)};")


# Parts of words --------------------------------------------------------------------------------------
def _word_and_shift(c: Context, buffer: Buffer, at: str) -> tuple[str, str]:
    """The word of an element and the place of its lowest bit in it."""
    bits = 8 * buffer.dtype.itemsize
    in_word = 32 // bits
    shift = in_word.bit_length() - 1
    word = f"{c.names[buffer]}[{at} >> {c.unsigned(shift)}]"
    count = c.convert(c.type_of(U32), f"{at} & {c.index(in_word - 1)}")
    return word, f"({count} * {c.unsigned(bits)})"


def _packed_element(c: Context, buffer: Buffer, at: str) -> str:
    dtype = buffer.dtype
    word, shift = _word_and_shift(c, buffer, at)
    if buffer in c.atomic:
        word = c.dialect.atomic_load.format(place=word)
    mask = c.unsigned((1 << (8 * dtype.itemsize)) - 1)
    bits = f"({word} >> {shift}) & {mask}"
    if dtype is BOOL:
        return f"({bits}) != {c.unsigned(0)}"
    return wrap(c, dtype, c.bits_as(c.type_of(dtype), bits)) if dtype.is_signed else bits


def _write_packed(c: Context, buffer: Buffer, at: str, value: str) -> None:
    dtype, type_ = buffer.dtype, c.type_of(U32)
    word, shift = _word_and_shift(c, buffer, at)
    shift = c.let_type(type_, shift)
    mask = c.unsigned((1 << (8 * dtype.itemsize)) - 1)
    if dtype is BOOL:
        bits = c.select(value, c.unsigned(1), c.unsigned(0))
    else:
        bits = f"({c.bits_as(type_, value)} & {mask})"
    kinds = c.dialect.atomics
    c.line(kinds["and"].format(place=word, x=f"~({mask} << {shift})") + ";")
    c.line(kinds["or"].format(place=word, x=f"{bits} << {shift}") + ";")


# Arrays ----------------------------------------------------------------------------------------------
def allocate(c: Context, instruction: Instruction) -> None:
    (buffer,) = instruction.results
    assert isinstance(buffer, Buffer)
    size = instruction.attributes["size"]
    if buffer.space == "shared" or buffer in c.in_shared:
        name = c.names[buffer] = c.fresh("shared")
        c.shared[name] = (word_type(c, buffer), size)
        return
    name = c.names[buffer] = c.fresh("array")
    c.line(c.dialect.array.format(type=c.memory_type(buffer.dtype), name=name, size=size))


def constant_table(c: Context, instruction: Instruction) -> None:
    (buffer,) = instruction.results
    dtype, numbers = buffer.dtype, instruction.attributes["values"]
    if dtype.is_float and c.dialect.float_tables_as_bits:
        unsigned = f"u{dtype.bits}"
        type_, values = c.dialect.types[unsigned], [bit_literal(c.dialect, dtype, v) for v in numbers]
    else:
        type_ = c.memory_type(dtype)
        values = [_table_literal(c, dtype, v) for v in numbers]
    name = c.names[buffer] = c.fresh("table")
    d = c.dialect
    c.constants.append(d.constants.format(type=type_, name=name, size=len(values), values=", ".join(values)))


def _table_literal(c: Context, dtype: DType, value: bool | float) -> str:
    return c.to_memory(dtype, c.literal(dtype, value))


# Atomics and fences ----------------------------------------------------------------------------------
def atomic(c: Context, instruction: Instruction) -> None:
    """Replace an element in one step. What it held is told to all lanes where they do the same."""
    buffer, position, operand = instruction.operands
    assert isinstance(buffer, Buffer)
    dtype, kind = buffer.dtype, instruction.attributes["kind"]
    if instruction.attributes["order"] != "relaxed":
        raise c.refuse(f"no {instruction.attributes['order']} atomics", "use order relaxed and a barrier")
    if instruction.attributes["scope"] == "system":
        raise c.refuse("no atomics at system scope", "use scope device")
    if dtype.itemsize != 4:
        raise c.refuse(f"no atomics on {dtype.name}", "use a 32-bit dtype")
    place, value = f"{c.names[buffer]}[{c.names[position]}]", c.names[operand]
    if not c.alike:
        c.names[instruction.result] = _atomic(c, kind, buffer, place, value)
        return
    c.meet(set(), {buffer})
    told = f"{c.scratch(dtype, 'told', 1)}[{c.index(0)}]"
    with c.lane_zero():
        c.line(f"{told} = {_atomic(c, kind, buffer, place, value)};")
    c.names[instruction.result] = c.uniform_load(dtype, told)


def _atomic(c: Context, kind: str, buffer: Buffer, place: str, value: str) -> str:
    dtype = buffer.dtype
    if not dtype.is_float:
        return c.let(dtype, c.dialect.atomics[kind].format(place=place, x=value))
    type_, old = c.type_of(dtype), c.fresh("old")
    held = c.bits_as(type_, old)
    following = {
        "add": f"({held} + {value})",
        "min": c.select(f"({value} < {held} || {_nan(c, value)})", value, held),
        "max": c.select(f"({value} > {held} || {_nan(c, value)})", value, held),
        "exchange": value,
    }[kind]
    if kind in ("min", "max"):
        following = c.select(_nan(c, held), held, following)
    space = c.dialect.spaces.get(buffer.space, "")
    following = c.bits_as(c.type_of(U32), following)
    for template in c.dialect.atomic_retry:
        c.line(template.format(place=place, old=old, next=following, space=space))
    return c.let(dtype, held)


def _nan(c: Context, x: str) -> str:
    return f"({c.own(c.dialect.is_nan.format(x=x))})"


def barrier(c: Context, instruction: Instruction) -> None:
    c.line(c.dialect.barrier)


def fence(c: Context, instruction: Instruction) -> None:
    scope, d = instruction.attributes["scope"], c.dialect
    spelled = d.fences.get(scope)
    if spelled is None:
        raise c.refuse(f"no fence of scope {scope}", "end the kernel there, so that the next one sees all")
    if spelled == "BARRIER":
        if Variance(c.kernel).control[instruction] & WORKGROUP_LANE or c.dealt:
            raise c.refuse(
                f"a fence of scope {scope} is a barrier in {d.name}, and this one is under control flow "
                "that varies by lane",
                "move it where all lanes pass",
            )
        spelled = d.barrier
    if spelled:
        c.line(spelled)
