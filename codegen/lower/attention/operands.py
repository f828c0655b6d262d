"""Operands of attention kernels: their memory, their sizes, and the bounds of the scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....ir import ops
from ....ir.expr import Expr, lift, product
from ....ir.node import Node
from ....ir.ops.attention import mask_of, scalars_of
from ....ir.types import BOOL, INDEX, DType
from ...kernel.builder import KernelBuilder
from ...kernel.nodes import Value
from ...plan.nodes import BufferRef
from ..writing.writer import Memory, memory_of_view
from ..written_kernel import WrittenKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


class Attention:
    """The node being lowered."""

    def __init__(self, lowering: Lowering, node: Node, scope: Scope) -> None:
        self.lowering, self.scope = lowering, scope
        self.machine = lowering.machine
        q, keys, values = node.inputs[:3]
        self.q, self.keys, self.values = (memory_of_view(each, scope.memories) for each in (q, keys, values))
        mask = mask_of(node)
        self.mask = None if mask is None else memory_of_view(mask, scope.memories)
        self.scalars = scalars_of(node)
        """The scale; with causal masks also the first query's position, and the window's width."""
        self.causal = bool(node.attribute("causal"))
        extents = [lift(extent) for extent in q.shape]
        self.heads: Expr = extents[0] * extents[1]
        """The number of key heads."""
        self.key_heads, self.shared, self.queries, self.depth = extents[1:]
        """Key heads of one batch position, query heads of each key head, queries, elements of a key."""
        self.length, self.width = lift(keys.shape[2]), lift(values.shape[3])
        """The number of keys, and the elements of a value."""
        self.dtype = q.dtype
        self.wide: DType = ops.accumulator(q.dtype)
        shape = (*extents[:4], self.width)
        self.result: Memory = lowering.allocate(shape, q.dtype, scope)
        self.cost = product((*extents[:4], self.length, self.depth)) // 16

    def scratch(self, elements: Expr) -> Memory:
        """Allocates memory of these steps alone, of the dtype that they compute in."""
        return self.lowering.allocate((elements,), self.wide, self.scope)


class Reader:
    """An operand in a kernel: the start of the present head's matrix, and its strides."""

    def __init__(self, kernel: AttentionKernel, operand: Memory, at: Sequence[Value], wide: DType) -> None:
        self.build, self.wide = kernel.build, wide
        self.buffer = kernel.buffer_of(BufferRef(operand.buffer), operand.dtype, "in")
        start = kernel.index(operand.offset)
        for position, step in zip(at, operand.strides, strict=False):
            start = start + position * kernel.index(step)
        self.start = start
        self.row, self.column = (kernel.index(step) for step in operand.strides[-2:])

    def line(self, row: Value) -> Value:
        return self.start + row * self.row

    def load(self, line: Value, column: Value, mask: Value | None = None) -> Value:
        at = line + column * self.column
        value = self.build.load(self.buffer, at, mask)
        return value if value.dtype is BOOL else self.build.cast(value, self.wide)


class AttentionKernel(WrittenKernel):
    """A kernel of attention being written."""

    def __init__(self, attention: Attention, name: str, workgroup: int = 1) -> None:
        super().__init__(attention.lowering, attention.scope, name, workgroup)
        self.attention = attention

    def split(self, number: Value, *extents: Expr) -> list[Value]:
        """Splits a linear index into positions on axes; the first axis is as long as necessary."""
        found = []
        for extent in reversed(extents):
            found.append(number % self.index(extent))
            number = number // self.index(extent)
        return [number, *reversed(found)]


class Heads:
    """The operands, scalars and visible keys of one query head, which a kernel reads."""

    def __init__(self, kernel: AttentionKernel, head: Value) -> None:
        a, build = kernel.attention, kernel.build
        self.kernel, self.build, self.wide = kernel, build, a.wide
        self.head = head
        """The number of the query head."""
        self.of_keys, shared = kernel.split(head, a.shared)
        batch, of_batch = kernel.split(self.of_keys, a.key_heads)
        self.q = Reader(kernel, a.q, (batch, of_batch, shared), a.wide)
        self._keys_at = batch, of_batch
        self.values = Reader(kernel, a.values, (batch, of_batch), a.wide)
        self.mask = None if a.mask is None else Reader(kernel, a.mask, (batch, of_batch, shared), a.wide)
        self.length, self.depth, self.width = (kernel.index(each) for each in (a.length, a.depth, a.width))
        self.queries = kernel.index(a.queries)
        scale, *window = (kernel.scalar(each) for each in a.scalars)
        self.scale = scale
        self.window = [build.cast(each, INDEX) for each in window]
        self.lowest = build.constant(-math.inf, a.wide)
        self.zero = build.constant(0.0, a.wide)

    def read_keys(self) -> Reader:
        return Reader(self.kernel, self.kernel.attention.keys, self._keys_at, self.wide)

    def seen(self, top: Value, bottom: Value) -> tuple[Value, Value]:
        """Returns the range of keys that some queries attend to."""
        build, zero = self.build, self.build.constant(0)
        if not self.window:
            return zero, self.length

        def clamped(value: Value) -> Value:
            return build.maximum(zero, build.minimum(value, self.length))

        first, width = self.window
        # Not negative before the subtraction, which 32 bits then hold: a window may be as wide as they allow.
        least = build.maximum(first + top + 1, zero) - width
        return clamped(least), clamped(first + bottom)

    def score(self, total: Value, query: Value, key: Value) -> Value:
        """Returns the score of a sum of products: scaled, masked, and -inf where the key is invisible."""
        return self.masked(total * self.scale, query, key)

    def masked(self, score: Value, query: Value, key: Value) -> Value:
        """Returns a score with its mask added, and -inf where the key is invisible."""
        there = key < self.length
        if self.window:
            first, width = self.window
            place = first + query - key
            near = place < width
            past = place >= 0
            there = there & (near & past)
        if self.mask is not None:
            given = self.mask.load(self.mask.line(query), key, there)
            if given.dtype is BOOL:
                there = there & given
            else:
                score = score + given
        return self.build.select(there, score, self.lowest)

    def all_seen(self, top: Value, bottom: Value, low: Value, high: Value) -> Value | None:
        """Whether these queries see all of these keys, so that scores are not masked; None where they always
        are."""
        if self.mask is not None:
            return None
        there = high <= self.length
        if self.window:
            first, width = self.window
            past = first + top >= high - 1
            near = first + bottom - 1 - low < width
            there = there & (near & past)
        return there

    def rescaled(self, old: Value, found: Value) -> tuple[Value, Value, Value]:
        """Returns the largest score so far, the offset subtracted from scores, and the factor of earlier
        sums."""
        build = self.build
        new = larger(build, found, old)
        shift = build.select(new.equals(self.lowest), self.zero, new)
        return new, shift, build.emit("exp", (old - shift,))

    def share(self, total: Value) -> Value:
        """Returns the factor of a weighted sum of values at the end: 0 where no key is visible."""
        build = self.build
        one = build.constant(1.0, self.wide)
        none = total.equals(self.zero)
        return build.select(none, one, one / build.select(none, one, total))


def larger(build: KernelBuilder, x: Value, y: Value) -> Value:
    """Returns the larger one, ignoring a NaN, which comes back with the sums."""
    return build.select(x > y, x, y)


def multiply_add(build: KernelBuilder, x: Value, y: Value, z: Value) -> Value:
    return build.emit("multiply_add", (x, y, z))
