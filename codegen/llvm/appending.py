"""Serial loops that append chosen elements to arrays: a vector of them at a time.

The elements of a vector that are wanted are moved to its first lanes, by one instruction or by a permutation
from a table, and stored under a mask of so many lanes, or as a whole vector where what is behind them is
unspecified; the position after them grows by their number (J. Bramas, A Novel Hybrid Quicksort Algorithm
Vectorized using AVX-512, 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir.record import record
from ..kernel.nodes import Block, Buffer, Instruction, Value, constant_number
from ..kernel.ops import PURE
from .context import Affine, Context
from .loops import counted, guarded
from .partial_vectors import first_lanes, makers
from .spelling import bytes_of, memory_type, suffix, vector
from .writer import Operand, integer

WORDS = 8
"""Words of 32 bits that one instruction permutes."""


class Append(metaclass=record):
    """A store of the elements for which `wanted` holds."""

    store: Instruction
    wanted: Value

    @property
    def is_exact(self) -> bool:
        """Whether nothing is written behind the elements."""
        return "masked" in self.store.attributes


def find_appends(c: Context, instruction: Instruction) -> Mapping[Value, Append] | None:
    """Returns what each carried position of a loop appends; None where the loop does something else."""
    if c.in_lanes or constant_number(instruction.operands[2]) != 1:
        return None
    if not (c.target.has_permutations or c.target.has_word_permutation):
        return None
    body = instruction.blocks[0]
    made, found = makers(body), {}
    for place, following in zip(body.parameters[1:], body.yielded, strict=True):
        append = _append_at(body, made, place, following)
        if append is None or (append.is_exact and not c.target.has_masks):
            return None  # masked stores are slow there
        found[place] = append
    stores = {append.store for append in found.values()}
    if len({store.operands[2].dtype.bits for store in stores}) != 1:
        return None  # their vectors have different numbers of lanes
    for each in body.instructions:
        plain = each.op.name in PURE or (each.op.name == "load" and len(each.operands) == 2)
        if not plain and each not in stores and each.op.name != "yield":
            return None
    return found


def _append_at(body: Block, made: dict[Value, Instruction], place: Value, following: Value) -> Append | None:
    """Returns the store at a position that moves by one where the store's mask holds; or where any condition
    does, if it has no mask."""
    moved = made.get(following)
    if moved is None or moved.op.name != "add" or moved.operands[0] is not place:
        return None
    step = made.get(moved.operands[1])
    readers = [
        instruction
        for instruction in body.instructions
        if instruction is not moved and place in instruction.operands
    ]
    if step is None or step.op.name != "cast" or len(readers) != 1:
        return None
    (store,) = readers
    if store.op.name != "store" or store.operands[1] is not place or "stream" in store.attributes:
        return None
    dtype = store.operands[2].dtype
    wide = dtype.kind != "bool" and dtype.bits >= 32
    return Append(store, *step.operands) if wide and store.operands[3:] in ((), step.operands) else None


def append_lanes(c: Context, instruction: Instruction, appends: Mapping[Value, Append]) -> None:
    """Writes the loop: whole vectors, then part of one."""
    w = c.writer
    lower, upper = (c.operand(value) for value in instruction.operands[:2])
    width = c.target.lanes(next(iter(appends.values())).store.operands[2].dtype.bits)
    body = instruction.blocks[0]
    first = [c.operand(value) for value in instruction.operands[3:]]

    def together(k: Operand, *places: Operand) -> list[Operand]:
        with c.lanes(width, None):
            return _run(c, body, appends, k, places)

    limit = w.sub(upper, integer(width - 1))
    rest, places = counted(w, lower, limit, integer(width), together, first, partial=True)

    def last() -> list[Operand]:
        few = w.sub(upper, rest)
        with c.lanes(width, first_lanes(c, few, width), few=few):
            return _run(c, body, appends, rest, places)

    c.define(instruction, *guarded(w, w.compare("icmp slt", rest, upper), last, places, hoists=True))


def _run(
    c: Context, body: Block, appends: Mapping[Value, Append], k: Operand, places: Sequence[Operand]
) -> list[Operand]:
    """Writes the iterations of one vector; returns the positions after them."""
    c.values[body.parameters[0]] = Affine(k, integer(1))
    before = dict(zip(body.parameters[1:], places, strict=True))
    stores = {append.store for append in appends.values()}
    moves = set(body.yielded)
    for instruction in body.instructions:
        if (
            instruction not in stores
            and moves.isdisjoint(instruction.results)
            and instruction.op.name != "yield"
        ):
            c.write(instruction)
    after = {place: _append(c, append, before[place]) for place, append in appends.items()}
    return [after[place] for place in body.parameters[1:]]


def _append(c: Context, append: Append, place: Operand) -> Operand:
    """Stores the wanted lanes of a vector from a position on; returns the position after them."""
    w, width = c.writer, c.width
    buffer, _, value = append.store.operands[:3]
    assert isinstance(buffer, Buffer)
    type_ = memory_type(buffer.dtype)
    wanted, operand = w.splat(c.operand(append.wanted), width), w.splat(c.operand(value), width)
    if c.mask is not None:
        wanted = c.narrowed(wanted)
    bits = w.pure(f"bitcast {wanted.spelled} to i{width}", f"i{width}", 1, (wanted,))
    count = w.convert("zext", w.apply("call {T} @llvm.ctpop.{S}({T} {0})", bits), "i64")
    packed = _compressed(c, operand, wanted) if c.target.has_permutations else _permuted(c, operand, bits)
    address = c.element(c.memory[buffer].address, type_, place)
    if c.mask is None and not append.is_exact:
        w.line(f"store {packed.spelled}, ptr {address.text}, align {bytes_of(type_)}")
    else:
        first = _lanes_below(c, count)
        w.line(
            f"call void @llvm.masked.store.{suffix(type_, width)}.p0({packed.spelled}, ptr {address.text}, "
            f"i32 {bytes_of(type_)}, {first.spelled})"
        )
    return w.add(place, count)


def _lanes_below(c: Context, count: Operand) -> Operand:
    """Returns the mask of the first `count` lanes, of none for 0."""
    w, width = c.writer, c.width
    if not c.target.has_masks:
        return first_lanes(c, count, width)
    filled = w.binary("sub", w.binary("shl", integer(1), count), integer(1))
    first = w.convert("trunc", filled, f"i{width}")
    return w.pure(f"bitcast {first.spelled} to {vector('i1', width)}", "i1", width, (first,))


def _compressed(c: Context, operand: Operand, wanted: Operand) -> Operand:
    """Returns the wanted lanes of a vector, moved to the first ones."""
    type_, width = operand.type, operand.width
    kind = vector(type_, width)
    compress = f"llvm.experimental.vector.compress.{suffix(type_, width)}"
    return c.writer.pure(
        f"call {kind} @{compress}({operand.spelled}, {wanted.spelled}, {kind} poison)",
        type_, width, (operand, wanted),
    )  # fmt: skip


def _permuted(c: Context, operand: Operand, bits: Operand) -> Operand:
    """Returns the same by a table with the permutation of eight words for each mask; `bits`: the mask."""
    w, width = c.writer, operand.width
    each = WORDS // width
    permutations = []
    for mask in range(1 << width):
        chosen = [word for word in range(WORDS) if mask >> word // each & 1]
        permutations += [*chosen, *[0] * (WORDS - len(chosen))]
    items = ", ".join(f"i8 {word}" for word in permutations)
    text = f"private unnamed_addr constant [{len(permutations)} x i8] [{items}], align 64"
    table = Operand(w.constants.setdefault(text, f"@table{len(w.constants)}"), "ptr")
    place = w.binary("shl", w.convert("zext", bits, "i64"), integer(3))
    row = c.element(table, "i8", place)
    narrow = w.pure(f"load <{WORDS} x i8>, ptr {row.text}, align {WORDS}", "i8", WORDS, (row,))
    index = w.convert("zext", narrow, "i32")
    words = w.pure(f"bitcast {operand.spelled} to <{WORDS} x i32>", "i32", WORDS, (operand,))
    moved = w.pure(
        f"call <{WORDS} x i32> @llvm.x86.avx2.permd({words.spelled}, {index.spelled})",
        "i32", WORDS, (words, index),
    )  # fmt: skip
    kind = vector(operand.type, width)
    return w.pure(f"bitcast {moved.spelled} to {kind}", operand.type, width, (moved,))
