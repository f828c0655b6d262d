"""Streaming stores: whole vectors written past the caches, and how a loop starts so that they are aligned."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Block, Buffer, Instruction, Value
from .context import Context
from .partial_vectors import makers, write_position
from .spelling import bytes_of, memory_type
from .writer import Operand, integer

_PAST_CACHES = ", !nontemporal !0"
_INDEX_ARITHMETIC = ("add", "sub", "mul", "neg", "constant")


def stream_flag(c: Context, store: Instruction) -> Operand | None:
    """Whether a store goes past the caches, one bool for all iterations of a loop; None: it never does."""
    if "stream" not in store.attributes:
        return None
    return c.uniform(store.operands[-1], "the flag of a streaming store")


def store_vectors(
    c: Context,
    addresses: Sequence[Operand],
    values: Sequence[Operand],
    stream: Operand | None,
    masked: str = "",
) -> None:
    """Store vectors that follow one another in memory, past the caches where `stream` holds, the first one is
    aligned and all lanes are active. `masked` stores a single vector where not all lanes are active."""
    w = c.writer
    size = bytes_of(values[0].type)
    stores = [
        f"store {value.spelled}, ptr {at.text}, align " for at, value in zip(addresses, values, strict=True)
    ]
    ordinary = [f"{store}{size}" for store in stores] if not masked else [masked]
    if stream is None:
        for line in ordinary:
            w.line(line)
        return
    c.streams = True
    nbytes = min(values[0].width * size, c.target.vector_bits // 8)
    bits = w.convert("ptrtoint", addresses[0], "i64")
    off = w.binary("and", bits, integer(nbytes - 1))
    decision = w.binary("and", w.compare("icmp eq", off, integer(0)), stream)
    if c.mask is not None and c.whole is not None:
        decision = w.binary("and", decision, c.whole)
    either(c, decision, [f"{store}{nbytes}{_PAST_CACHES}" for store in stores], ordinary)


def either(c: Context, condition: Operand, then: Sequence[str], orelse: Sequence[str]) -> None:
    """One of two sets of stores, by a branch that is easy to predict."""
    w = c.writer
    labels, after = (w.label("this"), w.label("that")), w.label("stored")
    w.branch(condition, *labels)
    for label, lines in zip(labels, (then, orelse), strict=True):
        w.start(label)
        for line in lines:
            w.line(line)
        w.jump(after)
    w.start(after)


def streaming_store(c: Context, body: Block) -> Instruction | None:
    """The first streaming store of a body, of those that are written together the one at the lowest place."""
    for instruction in body.instructions:
        if instruction.op.name == "store" and instruction.attributes.get("stream"):
            group = c.interleaved.get(instruction)
            return instruction if group is None else group.members[0]
    return None


def iterations_before_aligned(
    c: Context, body: Block, lower: Operand, count: Operand, width: int
) -> Operand | None:
    """Iterations before the first streaming store is aligned to a vector, where it will stream; None where
    there is nothing to align."""
    instruction = streaming_store(c, body)
    if instruction is None:
        return None
    buffer, position, *_, stream = instruction.operands
    flag = c.values.get(stream)
    base = _at_first_iteration(c, body, position, lower)
    if not isinstance(buffer, Buffer) or not isinstance(flag, Operand) or flag.width != 1 or base is None:
        return None
    w, nbytes, group = c.writer, buffer.dtype.itemsize, c.interleaved.get(instruction)
    address = c.element(c.memory[buffer].address, memory_type(buffer.dtype), base)
    bits = w.convert("ptrtoint", address, "i64")
    vector_bytes = min(width * nbytes, c.target.vector_bits // 8)
    missing = w.binary("and", w.sub(integer(0), bits), integer(vector_bytes - 1))
    each = nbytes if group is None else nbytes * len(group.members)
    iterations = w.binary("lshr", missing, integer(each.bit_length() - 1))
    head = w.apply("call {T} @llvm.smin.{S}({T} {0}, {T} {1})", iterations, count)
    return w.select(flag, head, integer(0))


def _at_first_iteration(c: Context, body: Block, position: Value, lower: Operand) -> Operand | None:
    """A position of the body where its index is `lower`, if it follows from index arithmetic alone."""
    kept = dict(c.values)
    c.values[body.parameters[0]] = lower

    written = write_position(c, makers(body), position, _INDEX_ARITHMETIC)
    result = c.operand(position) if written else None
    c.values.clear()
    c.values.update(kept)
    return result
