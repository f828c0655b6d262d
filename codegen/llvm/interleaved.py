"""Interleaved accesses at every second, fourth, ... element that together cover all elements: contiguous
vectors are loaded or stored, and shuffles reorder their elements.

Examples are the parts of complex numbers, the results of a butterfly with consecutive places, and rows that
are transposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value
from .context import Affine, Context, Interleaved
from .joined_words import load_words
from .spelling import bytes_of, memory_type, vector
from .streaming import store_vectors, stream_flag
from .windows import root_of
from .writer import Operand, integer

MOST = 16
"""The most interleaved vectors: more do not stay in registers."""


def find_interleaved(kernel: Kernel) -> dict[Instruction, Interleaved]:
    """Returns the accesses of a kernel that may be written together."""
    found: dict[Instruction, Interleaved] = {}
    pending = [kernel.body]
    while pending:
        block = pending.pop()
        pending += [inner for instruction in block.instructions for inner in instruction.blocks]
        for run in _runs(block):
            _find_in(run, found)
    return found


def _runs(block: Block) -> list[list[Instruction]]:
    """Returns unmasked loads, or stores, of a block without an access of the other kind between them."""
    runs: list[list[Instruction]] = [[]]
    plain = {"load": 2, "store": 3}
    for instruction in block.instructions:
        name = instruction.op.name
        if len(instruction.operands) - ("stream" in instruction.attributes) == plain.get(name):
            if runs[-1] and runs[-1][0].op.name != name:
                runs.append([])
            runs[-1].append(instruction)
        elif instruction.op.rule in ("memory", "effect", "structured", "call") and runs[-1]:
            runs.append([])
    return runs


def _find_in(run: Sequence[Instruction], found: dict[Instruction, Interleaved]) -> None:
    places: dict[tuple[Value, Value], dict[int, Instruction]] = {}
    twice: set[tuple[Value, Value]] = set()
    order = {instruction: number for number, instruction in enumerate(run)}
    for instruction in run:
        buffer, position = instruction.operands[:2]
        root, offset = root_of(position)
        there = places.setdefault((buffer, root), {})
        if offset in there:
            twice.add((buffer, root))
        there[offset] = instruction
    for key, there in places.items():
        if key in twice:
            continue
        for chain in _chains(sorted(there)):
            members = tuple(there[each] for each in chain)
            stores = members[0].op.name == "store"
            writer = (max if stores else min)(members, key=order.__getitem__)
            found.update(dict.fromkeys(members, Interleaved(key[1], chain[0], members, writer)))


def _chains(offsets: Sequence[int]) -> Iterator[list[int]]:
    """Returns runs of two or more consecutive offsets."""
    chain: list[int] = []
    for offset in offsets:
        if chain and offset != chain[-1] + 1:
            if len(chain) > 1:
                yield chain
            chain = []
        chain.append(offset)
    if len(chain) > 1:
        yield chain


def load_interleaved(c: Context, group: Interleaved, instruction: Instruction) -> bool:
    """Writes the loads of a group at the first of them; False where lanes do not cover all elements."""
    found = _first(c, group, instruction)
    if found is None:
        return False
    first, apart = found
    if group.members[0] in c.first_parts and apart == len(group.members):
        if instruction is group.writer:
            load_words(c, group, first)
    elif instruction is group.writer:
        type_ = memory_type(_buffer(instruction).dtype)
        kind = vector(type_, c.width)
        loaded = [
            c.writer.effect(f"load {kind}, ptr {address.text}, align {bytes_of(type_)}", type_, c.width)
            for address in _addresses(c, first, type_, len(group.members), apart)
        ]
        for member, value in zip(group.members, _apart(c, loaded), strict=True):
            c.define(member, value)
    return True


def store_interleaved(c: Context, group: Interleaved, instruction: Instruction) -> bool:
    """Writes the stores of a group at the last of them; False where lanes do not cover all elements."""
    found = _first(c, group, instruction)
    if found is None:
        return False
    first, apart = found
    if instruction is group.writer:
        values = [c.writer.splat(c.operand(member.operands[2]), c.width) for member in group.members]
        addresses = _addresses(c, first, values[0].type, len(values), apart)
        flag = stream_flag(c, instruction) if apart == len(values) else None
        store_vectors(c, addresses, _interleave(c, values), flag)
    return True


def _buffer(instruction: Instruction) -> Buffer:
    buffer = instruction.operands[0]
    assert isinstance(buffer, Buffer)
    return buffer


def _first(c: Context, group: Interleaved, instruction: Instruction) -> tuple[Operand, int] | None:
    """Returns the start of all lanes' elements, and the distance of a lane's elements from the next lane's;
    None where vectors do not cover them."""
    root, count, buffer = c.index(group.root), len(group.members), _buffer(instruction)
    power = count & (count - 1) == 0 and count <= MOST
    apart = root.step.literal if isinstance(root, Affine) else None
    if not isinstance(root, Affine) or apart is None or c.mask is not None or not power:
        return None
    if apart != count and (apart < count or count % c.width):
        return None  # a lane's elements are no whole vectors
    if buffer.dtype.kind == "bool" or c.memory[buffer].lanes > 1:
        return None
    place = c.writer.add(root.base, integer(group.low))
    return c.element(c.memory[buffer].address, memory_type(buffer.dtype), place), apart


def _addresses(c: Context, first: Operand, type_: str, count: int, apart: int) -> list[Operand]:
    """Returns the addresses of the vectors that hold all lanes' elements."""
    operands = [first]
    for number in range(1, count):
        lane, place = divmod(number * c.width, count)
        offset = lane * apart + place
        operands.append(
            c.writer.pure(f"getelementptr {type_}, ptr {first.text}, i64 {offset}", "ptr", 1, (first,))
        )
    return operands


def _apart(c: Context, vectors: list[Operand]) -> list[Operand]:
    """Separates vectors that `_interleave` made."""
    if len(vectors) == 1:
        return vectors
    halves = []
    for side in (0, 1):
        lanes = range(side, 2 * c.width, 2)
        halves.append([_shuffled(c, x, y, lanes) for x, y in zip(vectors[::2], vectors[1::2], strict=True)])
    even, odd = (_apart(c, half) for half in halves)
    return [operand for pair in zip(even, odd, strict=True) for operand in pair]


def _interleave(c: Context, values: list[Operand]) -> list[Operand]:
    """Interleaves vectors: the first result starts with the first elements of all of them, and so on."""
    if len(values) == 1:
        return values
    even, odd = _interleave(c, values[::2]), _interleave(c, values[1::2])
    operands = []
    for x, y in zip(even, odd, strict=True):
        for start in (0, c.width // 2):
            lanes = [lane + c.width * side for lane in range(start, start + c.width // 2) for side in (0, 1)]
            operands.append(_shuffled(c, x, y, lanes))
    return operands


def _shuffled(c: Context, x: Operand, y: Operand, lanes: Sequence[int]) -> Operand:
    picks = ", ".join(f"i32 {lane}" for lane in lanes)
    text = f"shufflevector {x.spelled}, {y.spelled}, <{len(lanes)} x i32> <{picks}>"
    return c.writer.pure(text, x.type, len(lanes), (x, y))
