"""One wide access: consecutive elements of a buffer as a vector, or as the words that contain them.

Words that are written whole need no atomic for the sake of neighbours: there are none in them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import INDEX, U32
from ..kernel.nodes import Buffer
from .context import Context
from .halves import half_of, narrowed, widened
from .memory import is_packed, part_bits, part_value

_WORD_BYTES = 4


def can_move(c: Context, buffer: Buffer) -> bool:
    """Whether several elements of a buffer can be moved at once."""
    if buffer.space != "global":
        return False
    if is_packed(c, buffer) or buffer in c.vectored:
        return True
    vectors = c.dialect.vectors
    return vectors is not None and not vectors.single and has_vectors(c, buffer)


def has_vectors(c: Context, buffer: Buffer) -> bool:
    """Whether the language has vectors of its elements in their memory layout."""
    half, vectors = half_of(c, buffer), c.dialect.vectors
    if vectors is None or is_packed(c, buffer) or buffer.dtype.itemsize > vectors.widest:
        return False
    return buffer not in c.atomic and (half is None or not half.load)


def per_boundary(c: Context, buffer: Buffer, lanes: int) -> int:
    """Returns the elements between positions at which `lanes` of them can be moved."""
    return _WORD_BYTES // buffer.dtype.itemsize if is_packed(c, buffer) else lanes


def missed(c: Context, buffer: Buffer, at: str, lanes: int) -> str:
    """Returns the number of elements between the boundary before a position and the position, as an index."""
    per, size = per_boundary(c, buffer, lanes), buffer.dtype.itemsize
    if is_packed(c, buffer):
        return f"(({at}) & {c.index(per - 1)})"
    vectors = c.dialect.vectors
    assert vectors is not None
    past = vectors.missed.format(type=c.type_of(INDEX), name=c.names[buffer], at=at, mask=per * size - 1)
    return past if size == 1 else f"({past} / {c.index(size)})"


def load_wide(c: Context, buffer: Buffer, at: str, lanes: int) -> list[str]:
    """Loads the vector, or the words, of the elements from a boundary on."""
    if is_packed(c, buffer):
        places = _words(c, buffer, at, lanes)
        template = c.dialect.atomic_load if buffer in c.atomic else "{place}"
        return [c.let(U32, template.format(place=place)) for place in places]
    vectors, type_ = c.dialect.vectors, _vector_type(c, buffer, lanes)
    assert vectors is not None
    return [c.let_type(type_, c.own(vectors.load.format(vector=type_, name=c.names[buffer], at=at)))]


def element_of(c: Context, buffer: Buffer, moved: Sequence[str], number: int) -> str:
    """Returns the register value of one of the elements."""
    if is_packed(c, buffer):
        bits = 8 * buffer.dtype.itemsize
        word, part = divmod(number, 32 // bits)
        mask = c.unsigned((1 << bits) - 1)
        return part_value(c, buffer.dtype, f"(({moved[word]} >> {c.unsigned(part * bits)}) & {mask})")
    assert c.dialect.vectors is not None
    element, half = c.dialect.vectors.element.format(x=moved[0], n=number), half_of(c, buffer)
    if half is None:
        return c.from_memory(buffer.dtype, element)
    return widened(c, half, buffer.dtype, element)


def element_to_store(c: Context, buffer: Buffer, value: str) -> str:
    """Converts a register value for `store_wide`."""
    if is_packed(c, buffer):
        return c.let(U32, part_bits(c, buffer.dtype, value))
    half = half_of(c, buffer)
    if half is not None:
        return c.let_type(half.storage, narrowed(c, half, buffer.dtype, value))
    element = c.to_memory(buffer.dtype, value)
    return value if element == value else c.let_type(c.memory_type(buffer.dtype), element)


def store_wide(c: Context, buffer: Buffer, at: str, elements: Sequence[str]) -> None:
    lanes = len(elements)
    if is_packed(c, buffer):
        bits = 8 * buffer.dtype.itemsize
        per = 32 // bits
        for number, place in enumerate(_words(c, buffer, at, lanes)):
            parts = elements[number * per : (number + 1) * per]
            word = " | ".join(f"({x} << {c.unsigned(k * bits)})" for k, x in enumerate(parts))
            c.line(c.dialect.atomic_store.format(place=place, x=word))
        return
    vectors, type_ = c.dialect.vectors, _vector_type(c, buffer, lanes)
    assert vectors is not None
    x = vectors.of.format(vector=type_, values=", ".join(elements))
    c.line(c.own(vectors.store.format(vector=type_, name=c.names[buffer], at=at, x=x)))


def _words(c: Context, buffer: Buffer, at: str, lanes: int) -> list[str]:
    per = _WORD_BYTES // buffer.dtype.itemsize
    first = c.let(INDEX, f"({at}) >> {c.unsigned(per.bit_length() - 1)}")
    return [
        f"{c.names[buffer]}[{first}]" if number == 0 else f"{c.names[buffer]}[{first} + {c.index(number)}]"
        for number in range(lanes // per)
    ]


def _vector_type(c: Context, buffer: Buffer, lanes: int) -> str:
    assert c.dialect.vectors is not None
    half = half_of(c, buffer)
    element = c.memory_type(buffer.dtype) if half is None else half.storage
    return c.own(c.dialect.vectors.type.format(type=element, lanes=lanes))
