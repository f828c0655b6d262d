"""Words of adjacent smaller integers: interleaved loads whose values are shifted and joined by `or` are one
load of wider elements, in little-endian memory.

Examples are `bytes.view(uint32)` and integers of a few bits in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kernel.nodes import Instruction, Kernel, Value, constant_number, walk
from .context import Context, Interleaved
from .spelling import bytes_of, register_type, vector
from .writer import Operand, integer


def find_words(kernel: Kernel, interleaved: dict[Instruction, Interleaved]) -> dict[Instruction, Instruction]:
    """Returns the words that groups of loads make: by their last `or` the first load."""
    found = {each: _first_load(each, interleaved) for each in walk(kernel.body) if each.op.name == "or"}
    return {word: load for word, load in found.items() if load is not None}


def _first_load(instruction: Instruction, interleaved: dict[Instruction, Interleaved]) -> Instruction | None:
    """Returns the first of the loads that an `or` joins to a word."""
    (word,) = instruction.results
    found: dict[int, Instruction] = {}
    for value in _joined(word):
        shift, load = _shifted(value)
        if load is None or shift in found:
            return None
        found[shift] = load
    group = interleaved.get(found[0]) if 0 in found else None
    if group is None or len(group.members) != len(found):
        return None
    (part,) = found[0].results
    bits = part.dtype.bits
    whole = not part.dtype.is_signed and bits * len(found) == word.dtype.bits
    ordered = all(found.get(bits * number) is load for number, load in enumerate(group.members))
    return found[0] if whole and ordered else None


def _made(value: Value, name: str) -> tuple[Value, ...]:
    """Returns the operands of the instruction `name` that defines a value, else none."""
    made = value.producer
    return made.operands if isinstance(made, Instruction) and made.op.name == name else ()


def _joined(value: Value) -> Iterator[Value]:
    pending = [value]
    while pending:
        each = pending.pop()
        operands = _made(each, "or")
        if operands:
            pending += operands
        else:
            yield each


def _shifted(value: Value) -> tuple[int, Instruction | None]:
    """Returns the load of an integer and the bits by which it is shifted."""
    shift = 0
    if operands := _made(value, "shift_left"):
        value, distance = operands
        known = constant_number(distance)
        if known is None:
            return 0, None
        shift = int(known)
    (source,) = _made(value, "cast") or (value,)
    load = source.producer
    return shift, load if isinstance(load, Instruction) and load.op.name == "load" else None


def load_words(c: Context, group: Interleaved, address: Operand) -> None:
    """Writes the loads of a group as one, and defines each of them as a part of the words."""
    w, (narrow,) = c.writer, group.members[0].results
    part, type_ = register_type(narrow.dtype), f"i{narrow.dtype.bits * len(group.members)}"
    text = f"load {vector(type_, c.width)}, ptr {address.text}, align {bytes_of(part)}"
    words = w.effect(text, type_, c.width)
    for number, member in enumerate(group.members):
        distance = integer(number * narrow.dtype.bits, type_)
        shifted = w.binary("lshr", words, distance) if number else words
        c.define(member, w.convert("trunc", shifted, part))
    c.words[c.operand(narrow).text] = words


def joined_word(c: Context, instruction: Instruction) -> Operand | None:
    """Returns the words that an `or` joins, where they were loaded as words."""
    first = c.joined.get(instruction)
    return None if first is None else c.words.get(c.operand(first.results[0]).text)
