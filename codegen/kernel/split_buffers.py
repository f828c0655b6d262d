"""Splits buffers that are too large for one binding into several buffers.

>>> pieces = split_buffers(kernel, (1, 3), 1 << 27)      # the second buffer in three pieces of 128 MiB
"""

from __future__ import annotations

from collections.abc import Sequence

from .builder import KernelBuilder
from .nodes import Buffer, Instruction, Kernel, Value
from .rewrite import clone


def split_buffers(kernel: Kernel, counts: Sequence[int], piece_bytes: int) -> Kernel:
    """The kernel with its n-th buffer split into counts[n] buffers of so many bytes, the last of any length;
    exact.

    A first piece stands where its buffer stood, the others after all buffers, in order. `piece_bytes` is a
    multiple of every element's size.
    """
    parts: dict[Value, tuple[Buffer, ...]] = {}
    """All segments of a buffer, by the first one."""

    def replace(
        instruction: Instruction, build: KernelBuilder, operands: tuple[Value, ...]
    ) -> Sequence[Value] | None:
        if not parts:
            parts.update(_pieces(build, counts))
        split = parts.get(operands[0], ()) if operands else ()
        if len(split) < 2 or instruction.op.name not in ("load", "store", "atomic"):
            return None
        extent = build.constant(piece_bytes // split[0].dtype.itemsize)
        return _ACCESSES[instruction.op.name](build, instruction, operands, split, extent)

    return clone(kernel, replace)


def _pieces(build: KernelBuilder, counts: Sequence[int]) -> dict[Value, tuple[Buffer, ...]]:
    firsts = build.buffers
    return {
        first: (first, *(build.buffer(first.dtype, first.access) for _ in range(count - 1)))
        for first, count in zip(firsts, counts, strict=True)
    }


def _inside(build: KernelBuilder, position: Value, number: int, count: int, extent: Value) -> Value:
    """Whether a position that is in segment `number` or a later one is in this one; the last one is
    unbounded."""
    zero = build.constant(0)
    begun, ended = position >= zero, position < extent
    if number == 0:
        return ended
    return begun if number == count - 1 else begun & ended


def _load(
    build: KernelBuilder,
    instruction: Instruction,
    operands: tuple[Value, ...],
    split: Sequence[Buffer],
    extent: Value,
) -> Sequence[Value]:
    _, position, *masks = operands
    value: Value | None = None
    for number, piece in enumerate(split):
        inside = _inside(build, position, number, len(split), extent)
        mask = inside & masks[0] if masks else inside
        part = build.load(piece, position, mask)
        value = part if value is None else build.select(inside, part, value)
        position = position - extent
    assert value is not None
    return (value,)


def _store(
    build: KernelBuilder,
    instruction: Instruction,
    operands: tuple[Value, ...],
    split: Sequence[Buffer],
    extent: Value,
) -> Sequence[Value]:
    _, position, value, *flags = operands
    masks = flags[:1] if instruction.attributes.get("masked") else []
    stream = flags[-1] if instruction.attributes.get("stream") else None
    for number, piece in enumerate(split):
        inside = _inside(build, position, number, len(split), extent)
        mask = inside & masks[0] if masks else inside
        build.store(piece, position, value, mask, stream)
        position = position - extent
    return ()


def _atomic(
    build: KernelBuilder,
    instruction: Instruction,
    operands: tuple[Value, ...],
    split: Sequence[Buffer],
    extent: Value,
) -> Sequence[Value]:
    _, position, value = operands
    first, *rest = split

    def here() -> Sequence[Value]:
        return (build.emit("atomic", (first, position, value), instruction.attributes),)

    def beyond() -> Sequence[Value]:
        further = (first, position - extent, value)
        return _atomic(build, instruction, further, rest, extent)

    return build.branch(position < extent, here, beyond) if rest else here()


_ACCESSES = {"load": _load, "store": _store, "atomic": _atomic}
