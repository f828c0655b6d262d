"""Lanes loops with wide accesses: a lane takes several consecutive iterations and loads and stores vectors.

A lanes loop over whole numbers whose loads and stores stand at counter + something constant may do so: its
iterations are independent. The first iterations, up to the boundary that a store needs, and the last ones are
done one by one, and all of them where the other buffers are not on their boundaries there.

Where only buffers that are declared as arrays of vectors have wide accesses (WGSL), who writes an element may
write its whole vector. So each vector has to be one lane's. Such a buffer has one store, in a loop whose
accesses begin with whole vectors in any launch: at counter + 4 m, the counter from 4 n on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ir.record import record
from ...ir.types import INDEX
from ..kernel.nodes import Block, Buffer, Instruction, Value, constant_number, walk
from .context import Context
from .memory import is_packed
from .moves import (
    can_move,
    element_of,
    element_to_store,
    has_vectors,
    load_wide,
    missed,
    per_boundary,
    store_wide,
)

VECTOR_BYTES = 16
_LONGEST = 64
"""The most instructions of a body that gains: a longer one is bound by arithmetic, and would be unrolled."""
_MOST_LANES = 8
"""The limit where elements are parts of words."""
_MOVES = {"add": "+", "sub": "-", "mul": "*"}
_ALONE = frozenset(("atomic", "fence", "subgroup_shuffle_down", "subgroup_reduce", "for", "while"))
"""Instructions with an order, or so slow that lanes are better used for parallelism."""


class _Plan(metaclass=record):
    """The wide accesses of a loop's body."""

    lanes: int
    loads: frozenset[Instruction]
    stores: frozenset[Instruction]
    once: frozenset[Instruction]
    """Loop-invariant loads."""
    whole: bool
    """Whether all accesses begin with a whole vector, whatever the launch's numbers are."""


def deal_vectors(c: Context, instruction: Instruction, one_by_one: Callable[[str], None]) -> bool:
    """Writes a distributed loop with wide accesses, if it gains; `one_by_one` writes its body for a
    counter."""
    plan = _plan(c, instruction)
    if plan is None:
        return False
    lower, upper, _ = [c.names[v] for v in instruction.operands]
    (body,) = instruction.blocks
    if plan.whole:
        _deal_whole(c, plan, body, lower, upper, one_by_one)
        return True
    begin, count = _aligned_run(c, plan, body, lower, upper)
    lanes, one = c.index(plan.lanes), c.index(1)
    number = c.fresh("k")
    with c.loop(number, c.lane, count, c.index(c.threads)):
        _together(c, plan, body, c.let(INDEX, f"{begin} + {number} * {lanes}"))
    skipped = c.let(INDEX, f"{count} * {lanes}")
    place = c.fresh("k")
    with c.loop(place, f"{lower} + {c.lane}", f"{upper} - {skipped}", c.index(c.threads)):
        after = f"({count} >= {one} && {place} >= {begin})"
        one_by_one(c.let(INDEX, f"{place} + {c.select(after, skipped, c.index(0))}"))
    return True


def _aligned_run(c: Context, plan: _Plan, body: Block, lower: str, upper: str) -> tuple[str, str]:
    """Returns the start of the wide accesses, and their number."""
    zero, vectors = c.index(0), c.dialect.vectors
    if vectors is not None and not (vectors.missed or vectors.single):
        count = f"(({upper} - {lower}) / {c.index(plan.lanes)})"
        return lower, c.let(INDEX, c.select(f"({lower} < {upper})", count, zero))
    moved = sorted(plan.loads | plan.stores, key=body.instructions.index)
    widest = max(per_boundary(c, _buffer(i), plan.lanes) for i in plan.stores)
    anchor = next(i for i in moved if i in plan.stores and per_boundary(c, _buffer(i), plan.lanes) == widest)

    def past(access: Instruction, counter: str) -> str:
        at = _spelled(c, body, access.operands[1], counter)
        return missed(c, _buffer(access), at, plan.lanes)

    over = c.let(INDEX, past(anchor, lower))
    head = c.let(INDEX, c.select(f"({over} == {zero})", zero, f"{c.index(widest)} - {over}"))
    begin = c.let(INDEX, f"{lower} + {head}")
    aligned = [f"{past(access, begin)} == {zero}" for access in moved if access is not anchor]
    there = " && ".join([f"{begin} < {upper}", *dict.fromkeys(aligned)])
    count = c.select(f"({there})", f"(({upper} - {begin}) / {c.index(plan.lanes)})", zero)
    return begin, c.let(INDEX, count)


def _deal_whole(
    c: Context, plan: _Plan, body: Block, lower: str, upper: str, one_by_one: Callable[[str], None]
) -> None:
    """Writes whole vectors, and the rest of the last one, which belongs to one lane."""
    lanes, zero = c.index(plan.lanes), c.index(0)
    count = c.select(f"({lower} < {upper})", f"(({upper} - {lower}) / {lanes})", zero)
    count = c.let(INDEX, count)
    number, place = c.fresh("k"), c.fresh("k")
    with c.loop(number, c.lane, count, c.index(c.threads)):
        _together(c, plan, body, c.let(INDEX, f"{lower} + {number} * {lanes}"))
    left = c.let(INDEX, c.select(f"({c.lane} == {zero})", f"{lower} + {count} * {lanes}", upper))
    with c.loop(place, left, upper, c.index(1)):
        one_by_one(place)


def _together(c: Context, plan: _Plan, body: Block, first: str) -> None:
    """Writes the iterations of one lane, from `first`: wide loads in the first of them, wide stores in the
    last."""
    loaded: dict[Instruction, list[str]] = {}
    stored: dict[Instruction, list[str]] = {store: [] for store in plan.stores}
    kept: dict[Instruction, str] = {}
    for number in range(plan.lanes):
        counter = c.let(INDEX, f"{first} + {c.index(number)}") if number else first
        c.bind(body.parameters, [counter])
        for instruction in body.instructions:
            if instruction in plan.loads:
                buffer = _buffer(instruction)
                if number == 0:
                    at = c.names[instruction.operands[1]]
                    loaded[instruction] = load_wide(c, buffer, at, plan.lanes)
                c.define(instruction, element_of(c, buffer, loaded[instruction], number))
            elif instruction in plan.stores:
                value = c.names[instruction.operands[2]]
                stored[instruction].append(element_to_store(c, _buffer(instruction), value))
            elif number and instruction in kept:
                c.names[instruction.result] = kept[instruction]
            else:
                c.handlers[instruction.op.name](c, instruction)
                if instruction in plan.once:
                    kept[instruction] = c.names[instruction.result]
    for store in sorted(plan.stores, key=body.instructions.index):
        at = _spelled(c, body, store.operands[1], first)
        store_wide(c, _buffer(store), at, stored[store])


def _buffer(access: Instruction) -> Buffer:
    buffer = access.operands[0]
    assert isinstance(buffer, Buffer)
    return buffer


# Analysis of wide accesses ---------------------------------------------------------------------------
def _plan(c: Context, instruction: Instruction) -> _Plan | None:
    (body,) = instruction.blocks
    inside = list(walk(body))
    if constant_number(instruction.operands[2]) != 1 or len(inside) > _LONGEST:
        return None
    if any(i.op.name in _ALONE for i in inside):
        return None
    values = {result for i in inside for result in i.results}
    order = {i: number for number, i in enumerate(body.instructions)}
    accesses: dict[Value, list[Instruction]] = {}
    for i in inside:
        if i.op.name in ("load", "store"):
            accesses.setdefault(i.operands[0], []).append(i)
    loads, stores, once = set(), set(), set()
    whole = _begins_whole(c, instruction)
    for buffer, touching in accesses.items():
        if not isinstance(buffer, Buffer):
            continue
        if not all(i in order for i in touching):
            continue
        writing = [i for i in touching if i.op.name == "store"]
        first_write = min((order[i] for i in writing), default=len(order))
        reading = [i for i in touching if i.op.name == "load"]
        if len(writing) > 1 or any(order[i] > first_write for i in reading):
            continue
        slopes = {i: _slope(body, values, i.operands[1]) for i in touching}
        movable = {i for i in touching if slopes[i] == 1 and can_move(c, buffer)}
        if buffer in c.vectored:
            movable = set(filter(whole, movable))
        stores |= {i for i in writing if i in movable and not i.attributes.get("masked")}
        loads |= {i for i in reading if i in movable and len(i.operands) == 2}
        once |= {i for i in reading if slopes[i] == 0 and not writing and len(i.operands) == 2}
    vectored = any(_buffer(i) in c.vectored for i in loads | stores)
    if vectored:
        loads, stores = set(filter(whole, loads)), set(filter(whole, stores))
    if not stores:
        return None
    buffers = [_buffer(i) for i in loads | stores]
    most = c.dialect.vectors.most if c.dialect.vectors is not None else _MOST_LANES
    lanes = min(VECTOR_BYTES // max(buffer.dtype.itemsize for buffer in buffers), most)
    if all(is_packed(c, buffer) for buffer in buffers):
        lanes = max(per_boundary(c, buffer, lanes) for buffer in buffers)
    return _Plan(lanes, frozenset(loads), frozenset(stores), frozenset(once), vectored)


def find_vector_buffers(c: Context) -> None:
    """Records the buffers that must be declared as arrays of vectors."""
    if c.dialect.vectors is None or not c.dialect.vectors.single or not c.spread:
        return
    accesses: dict[Value, list[Instruction]] = {buffer: [] for buffer in c.kernel.buffers}
    for instruction in walk(c.kernel.body):
        if instruction.op.name in ("load", "store") and instruction.operands[0] in accesses:
            accesses[instruction.operands[0]].append(instruction)
    c.vectored |= {buffer for buffer in c.kernel.buffers if has_vectors(c, buffer)}
    moved: set[Instruction] = set()
    for loop in _dealt_out(c.kernel.body):
        plan = _plan(c, loop)
        if plan is not None and plan.whole:
            moved |= plan.loads | plan.stores
    for buffer, touching in accesses.items():
        stores = {i for i in touching if i.op.name == "store"}
        places = {i.operands[1] for i in touching}
        alone = len(stores) == len(places) == 1 and stores <= moved
        if moved.isdisjoint(touching) or (stores and not alone):
            c.vectored.discard(buffer)


def _dealt_out(block: Block) -> Iterator[Instruction]:
    """Yields the distributed loops: the outermost lanes loops without reductions."""
    for instruction in block.instructions:
        if instruction.attributes.get("kind") != "lanes":
            for inner in instruction.blocks:
                yield from _dealt_out(inner)
        elif len(instruction.blocks) == 1:
            yield instruction


def _slope(body: Block, made: set[Value], value: Value) -> int | None:
    """Returns the step of a position between iterations; None where it is unknown."""
    if value is body.parameters[0]:
        return 1
    if value not in made:
        return 0
    producer = value.producer
    assert isinstance(producer, Instruction)
    if producer.op.name == "constant":
        return 0
    if producer.op.name not in _MOVES or producer not in body.instructions:
        return None
    x, y = (_slope(body, made, operand) for operand in producer.operands)
    if x is None or y is None:
        return None
    if producer.op.name == "mul":
        return 0 if x == y == 0 else None
    return x + y if producer.op.name == "add" else x - y


def _begins_whole(c: Context, loop: Instruction) -> Callable[[Instruction], bool]:
    """Whether an access of a loop begins with a whole vector, whatever the launch's numbers are."""
    vectors, (body,) = c.dialect.vectors, loop.blocks
    of = vectors.most if vectors is not None else _MOST_LANES
    first = _is_multiple(loop.operands[0], of)
    return lambda access: first and _is_multiple(access.operands[1], of, body.parameters[0])


def _is_multiple(value: Value, of: int, counter: Value | None = None) -> bool:
    """Whether a position is certainly a multiple, where the counter is one."""
    number, producer = constant_number(value), value.producer
    if value is counter or number is not None:
        return number is None or number % of == 0
    if not isinstance(producer, Instruction) or producer.op.name not in _MOVES:
        return False
    parts = [_is_multiple(operand, of, counter) for operand in producer.operands]
    return any(parts) if producer.op.name == "mul" else all(parts)


def _spelled(c: Context, body: Block, value: Value, counter: str) -> str:
    """Returns the text of a position of known slope, for a counter."""
    if value is body.parameters[0]:
        return counter
    producer = value.producer
    if isinstance(producer, Instruction) and producer.op.name in _MOVES and producer in body.instructions:
        x, y = (_spelled(c, body, operand, counter) for operand in producer.operands)
        return f"({x} {_MOVES[producer.op.name]} {y})"
    if isinstance(producer, Instruction) and producer.op.name == "constant":
        return c.index(int(constant_number(value) or 0))
    return c.names[value]
