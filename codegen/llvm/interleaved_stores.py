"""Stores at every second, fourth, ... element that together write all that lies between: the lanes' vectors
are interleaved by shuffles, and stored one after the other.

Such are the parts of complex numbers, and the results of a butterfly whose places follow one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value
from .context import Affine, Context, Interleaved
from .spelling import bytes_of
from .windows import root_of
from .writer import Operand, integer

MOST = 16
"""Vectors that are interleaved: more do not stay in registers."""


def find_interleaved(kernel: Kernel) -> dict[Instruction, Interleaved]:
    """The stores of a kernel that may be written together."""
    found: dict[Instruction, Interleaved] = {}
    pending = [kernel.body]
    while pending:
        block = pending.pop()
        pending += [inner for instruction in block.instructions for inner in instruction.blocks]
        for run in _runs(block):
            _find_in(run, found)
    return found


def _runs(block: Block) -> list[list[Instruction]]:
    """Unmasked stores of a block that no other access of memory comes between."""
    runs: list[list[Instruction]] = [[]]
    for instruction in block.instructions:
        if instruction.op.name == "store" and len(instruction.operands) == 3:
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
            last = max(members, key=order.__getitem__)
            found.update(dict.fromkeys(members, Interleaved(key[1], chain[0], members, last)))


def _chains(offsets: Sequence[int]) -> Iterator[list[int]]:
    """Two or more that follow one another."""
    chain: list[int] = []
    for offset in offsets:
        if chain and offset != chain[-1] + 1:
            if len(chain) > 1:
                yield chain
            chain = []
        chain.append(offset)
    if len(chain) > 1:
        yield chain


def store_interleaved(c: Context, group: Interleaved, instruction: Instruction) -> bool:
    """Write the stores of a group at the last of them; False where lanes do not fill what lies between."""
    root, count = c.index(group.root), len(group.members)
    buffer = instruction.operands[0]
    assert isinstance(buffer, Buffer)
    power = count & (count - 1) == 0 and count <= MOST
    if not isinstance(root, Affine) or root.step.literal != count or c.mask is not None or not power:
        return False
    if buffer.dtype.kind == "bool" or c.memory[buffer].lanes > 1:
        return False
    if instruction is not group.last:
        return True
    w = c.writer
    values = [w.splat(c.operand(each.operands[2]), c.width) for each in group.members]
    type_ = values[0].type
    first = c.element(c.memory[buffer].address, type_, w.add(root.base, integer(group.low)))
    for number, value in enumerate(_interleave(c, values)):
        address = first
        if number:
            text = f"getelementptr {type_}, ptr {first.text}, i64 {number * c.width}"
            address = w.pure(text, "ptr", 1, (first,))
        w.line(f"store {value.spelled}, ptr {address.text}, align {bytes_of(type_)}")
    return True


def _interleave(c: Context, values: list[Operand]) -> list[Operand]:
    """Vectors of which the first has the first elements of all of them, and so on."""
    if len(values) == 1:
        return values
    even, odd = _interleave(c, values[::2]), _interleave(c, values[1::2])
    made = []
    for x, y in zip(even, odd, strict=True):
        for start in (0, c.width // 2):
            lanes = [lane + c.width * side for lane in range(start, start + c.width // 2) for side in (0, 1)]
            picks = ", ".join(f"i32 {lane}" for lane in lanes)
            text = f"shufflevector {x.spelled}, {y.spelled}, <{c.width} x i32> <{picks}>"
            made.append(c.writer.pure(text, x.type, c.width, (x, y)))
    return made
