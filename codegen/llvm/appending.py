"""Serial loops that append chosen elements to arrays: a vector of them at a time.

The elements of a vector that are wanted are moved to its first lanes by one instruction, and stored under a
mask of so many lanes; the position after them grows by their number (J. Bramas, A Novel Hybrid Quicksort
Algorithm Vectorized using AVX-512, 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..kernel.nodes import Block, Buffer, Instruction, Value, constant_number
from ..kernel.ops import PURE
from .context import Affine, Context
from .loops import counted, guarded
from .partial_vectors import first_lanes, makers
from .spelling import bytes_of, memory_type, suffix, vector
from .writer import Operand, integer


def find_appends(c: Context, instruction: Instruction) -> Mapping[Value, Instruction] | None:
    """Returns the store at each carried position of a loop; None where the loop does something else."""
    if not c.target.has_permutations or c.in_lanes or constant_number(instruction.operands[2]) != 1:
        return None
    body = instruction.blocks[0]
    made, found = makers(body), {}
    for place, following in zip(body.parameters[1:], body.yielded, strict=True):
        store = _append_at(body, made, place, following)
        if store is None:
            return None
        found[place] = store
    stores = set(found.values())
    if len({store.operands[2].dtype.bits for store in stores}) != 1:
        return None  # their vectors have different numbers of lanes
    for each in body.instructions:
        plain = each.op.name in PURE or (each.op.name == "load" and len(each.operands) == 2)
        if not plain and each not in stores and each.op.name != "yield":
            return None
    return found


def _append_at(
    body: Block, made: dict[Value, Instruction], place: Value, following: Value
) -> Instruction | None:
    """Returns the masked store at a position, where the position moves by one where the mask holds."""
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
    if store.op.name != "store" or store.operands[1] is not place or "masked" not in store.attributes:
        return None
    dtype = store.operands[2].dtype
    wide = dtype.kind != "bool" and dtype.bits >= 32
    return store if wide and store.operands[3:] == step.operands else None


def append_lanes(c: Context, instruction: Instruction, appends: Mapping[Value, Instruction]) -> None:
    """Writes the loop: whole vectors, then part of one."""
    w = c.writer
    lower, upper = (c.operand(value) for value in instruction.operands[:2])
    width = c.target.lanes(next(iter(appends.values())).operands[2].dtype.bits)
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
    c: Context, body: Block, appends: Mapping[Value, Instruction], k: Operand, places: Sequence[Operand]
) -> list[Operand]:
    """Writes the iterations of one vector; returns the positions after them."""
    c.values[body.parameters[0]] = Affine(k, integer(1))
    before = dict(zip(body.parameters[1:], places, strict=True))
    of_store = {store: place for place, store in appends.items()}
    moves = set(body.yielded)
    after: dict[Value, Operand] = {}
    for instruction in body.instructions:
        if instruction in of_store:
            place = of_store[instruction]
            after[place] = _append(c, instruction, before[place])
        elif moves.isdisjoint(instruction.results) and instruction.op.name != "yield":
            c.write(instruction)
    return [after[place] for place in body.parameters[1:]]


def _append(c: Context, store: Instruction, place: Operand) -> Operand:
    """Stores the wanted lanes of a vector from a position on; returns the position after them."""
    w, width = c.writer, c.width
    buffer, _, value, mask = store.operands
    assert isinstance(buffer, Buffer)
    type_ = memory_type(buffer.dtype)
    kind, lanes = vector(type_, width), f"i{width}"
    wanted, operand = w.splat(c.operand(mask), width), w.splat(c.operand(value), width)
    if c.mask is not None:
        wanted = c.narrowed(wanted)
    bits = w.pure(f"bitcast {wanted.spelled} to {lanes}", lanes, 1, (wanted,))
    count = w.convert("zext", w.apply("call {T} @llvm.ctpop.{S}({T} {0})", bits), "i64")
    compress = f"llvm.experimental.vector.compress.{suffix(type_, width)}"
    packed = w.pure(
        f"call {kind} @{compress}({operand.spelled}, {wanted.spelled}, {kind} poison)",
        type_, width, (operand, wanted),
    )  # fmt: skip
    filled = w.binary("sub", w.binary("shl", integer(1), count), integer(1))
    first = w.convert("trunc", filled, lanes)
    first = w.pure(f"bitcast {first.spelled} to {vector('i1', width)}", "i1", width, (first,))
    address = c.element(c.memory[buffer].address, type_, place)
    w.line(
        f"call void @llvm.masked.store.{suffix(type_, width)}.p0({packed.spelled}, ptr {address.text}, "
        f"i32 {bytes_of(type_)}, {first.spelled})"
    )
    return w.add(place, count)
