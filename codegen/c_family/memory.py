"""Loads, stores and arrays in every memory of a kernel.

Where global memory is made of 32-bit words, an element of 8 or 16 bits is a part of one. It is read by a
shift, and written by two atomics: one clears the element's bits, one sets them. Both leave the neighbors'
bits unchanged, so lanes may write neighbors at the same time; no other lane accesses the element itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from ...ir.types import BOOL, U32, DType
from ..kernel.nodes import Buffer, Instruction, Value, walk
from .arithmetic import wrap
from .context import Context
from .halves import bits_of, half_of, is_half, load_half, store_half, value_of
from .literals import bit_literal, nearest, register_float


def find_atomic_buffers(c: Context) -> None:
    """Records the buffers whose words are accessed by atomics, their own or those of packed stores."""
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
    half = half_of(c, buffer)
    if half is not None:
        return half.storage
    type_ = c.type_of(U32) if is_packed(c, buffer) else c.memory_type(buffer.dtype)
    vectors = c.dialect.vectors
    if vectors is not None and buffer in c.vectored:
        return vectors.type.format(type=type_, lanes=vectors.most)
    if not c.dialect.atomic_words or buffer not in c.atomic:
        return type_
    return f"atomic<{c.type_of(U32) if buffer.dtype.is_float else type_}>"


# Loads and stores ------------------------------------------------------------------------------------
def load(c: Context, instruction: Instruction) -> None:
    buffer, position, *mask = instruction.operands
    assert isinstance(buffer, Buffer)
    dtype, at = buffer.dtype, c.names[position]
    c.type_of(dtype)
    if c.uniform and c.sees(buffer):
        c.order_accesses({buffer}, set())
    if c.uniform and not c.dialect.uniform_memory and buffer.access != "in" and buffer.space != "private":
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
    """One lane reads for all: the compiler then knows that the value is uniform, and lets barriers depend on
    it."""
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
    if c.uniform and c.sees(buffer):
        c.order_accesses(set(), {buffer})
        masks.append(f"{c.lane} == {c.index(0)}")
    with _when(c, " && ".join(masks)):
        _write(c, buffer, c.names[position], c.names[value])


@contextmanager
def _when(c: Context, condition: str) -> Iterator[None]:
    with c.block(f"if ({condition}) {{") if condition else nullcontext():
        yield


def _element(c: Context, buffer: Buffer, at: str) -> str:
    """Returns the element at a position, as a register value."""
    name, dtype, type_ = c.names[buffer], buffer.dtype, c.type_of(buffer.dtype)
    if buffer.space == "table" and dtype.is_float and c.dialect.float_tables_as_bits:
        return c.bits_as(type_, f"{name}[{at}]")
    if is_packed(c, buffer):
        return _packed_element(c, buffer, at)
    half = half_of(c, buffer)
    if half is not None:
        return load_half(c, half, buffer, at)
    if buffer in c.atomic and c.dialect.atomic_words:
        word = c.dialect.atomic_load.format(place=f"{name}[{at}]")
        return c.bits_as(type_, word) if dtype.is_float else word
    return c.from_memory(dtype, _place(c, buffer, at))


def _place(c: Context, buffer: Buffer, at: str) -> str:
    if buffer in c.vectored:
        assert c.dialect.vectors is not None
        return c.dialect.vectors.single.format(name=c.names[buffer], at=at)
    return f"{c.names[buffer]}[{at}]"


def _write(c: Context, buffer: Buffer, at: str, value: str) -> None:
    name, dtype = c.names[buffer], buffer.dtype
    if is_packed(c, buffer):
        _write_packed(c, buffer, at, value)
    elif (half := half_of(c, buffer)) is not None:
        store_half(c, half, buffer, at, value)
    elif buffer in c.atomic and c.dialect.atomic_words:
        word = c.bits_as(c.type_of(U32), value) if dtype.is_float else value
        c.line(c.dialect.atomic_store.format(place=f"{name}[{at}]", x=word))
    else:
        c.line(f"{_place(c, buffer, at)} = {c.to_memory(dtype, value)};")


# Parts of words --------------------------------------------------------------------------------------
def word_and_shift(c: Context, buffer: Buffer, at: str) -> tuple[str, str]:
    """Returns the word of an element and the place of its lowest bit in it."""
    bits = 8 * buffer.dtype.itemsize
    in_word = 32 // bits
    shift = in_word.bit_length() - 1
    word = f"{c.names[buffer]}[{at} >> {c.unsigned(shift)}]"
    count = c.convert(c.type_of(U32), f"{at} & {c.index(in_word - 1)}")
    return word, f"({count} * {c.unsigned(bits)})"


def _packed_element(c: Context, buffer: Buffer, at: str) -> str:
    dtype = buffer.dtype
    word, shift = word_and_shift(c, buffer, at)
    if buffer in c.atomic:
        word = c.dialect.atomic_load.format(place=word)
    mask = c.unsigned((1 << (8 * dtype.itemsize)) - 1)
    return part_value(c, dtype, f"(({word} >> {shift}) & {mask})")


def part_value(c: Context, dtype: DType, bits: str) -> str:
    """Converts the bits of an element to a register value."""
    if dtype is BOOL:
        return f"{bits} != {c.unsigned(0)}"
    if is_half(dtype):
        return value_of(c, dtype, bits)
    return wrap(c, dtype, c.bits_as(c.type_of(dtype), bits)) if dtype.is_signed else bits


def part_bits(c: Context, dtype: DType, value: str) -> str:
    """Converts a register value to the bits of an element."""
    if dtype is BOOL:
        return c.select(value, c.unsigned(1), c.unsigned(0))
    if is_half(dtype):
        return bits_of(c, dtype, value)
    return f"({c.bits_as(c.type_of(U32), value)} & {c.unsigned((1 << (8 * dtype.itemsize)) - 1)})"


def _write_packed(c: Context, buffer: Buffer, at: str, value: str) -> None:
    dtype, type_ = buffer.dtype, c.type_of(U32)
    word, shift = word_and_shift(c, buffer, at)
    shift = c.let_type(type_, shift)
    mask = c.unsigned((1 << (8 * dtype.itemsize)) - 1)
    bits = part_bits(c, dtype, value)
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
    dtype, constants = buffer.dtype, instruction.attributes["values"]
    if dtype.is_float and c.dialect.float_tables_as_bits:
        register_dtype = register_float(dtype)
        type_ = c.dialect.types[f"u{register_dtype.bits}"]
        values = [bit_literal(c.dialect, register_dtype, nearest(dtype, v)) for v in constants]
    else:
        type_ = c.memory_type(dtype)
        values = [_table_literal(c, dtype, v) for v in constants]
    name = c.names[buffer] = c.fresh("table")
    d = c.dialect
    c.constants.append(d.constants.format(type=type_, name=name, size=len(values), values=", ".join(values)))


def _table_literal(c: Context, dtype: DType, value: bool | float) -> str:
    return c.to_memory(dtype, c.literal(dtype, value))
