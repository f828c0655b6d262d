"""A kernel that copies bytes, for devices that copy whole words only by themselves."""

from __future__ import annotations

from functools import cache

from ...ir.types import U8, U32
from .builder import KernelBuilder
from .nodes import Kernel

TILE = 4096


@cache
def move_kernel(itemsize: int) -> Kernel:
    """Copies `count` items of 1 byte, or of 4 to whole words, from any byte on.

    Buffers: bytes to read, items to write; indices: count, TILE, the first byte, the first item. A workgroup
    moves TILE items.
    """
    build = KernelBuilder(f"move_{itemsize}")
    source, target = build.buffer(U8, "in"), build.buffer(U32 if itemsize > 1 else U8, "out")
    count, tile, start, to = (build.index() for _ in range(4))
    begin = build.group_id() * tile
    end = build.minimum(begin + tile, count)
    with build.loop(begin, end, kind="lanes") as (i,):
        first = start + i * itemsize
        value = build.cast(build.load(source, first), target.dtype)
        for number in range(1, itemsize):
            part = build.cast(build.load(source, first + number), U32)
            part = part << build.constant(8 * number, U32)
            value = value | part
        build.store(target, to + i, value)
    return build.finish()
