"""Products of a few vectors with a quantized matrix on a processor: each integer becomes a float once, as its
row is read, and is multiplied by the elements of all vectors.

Lanes are adjacent units of a row, integers of 8 bits or words of eight integers of 4 bits. A group's products
are summed before they are multiplied by its scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...ir import ops
from ...ir.expr import Expr, ceil_div, lift, product
from ...ir.node import Node
from ...ir.ops.quantized import WORD_BYTES, integers_of_unit
from ...ir.types import F32, U32
from ..kernel.nodes import Access, Buffer, Value
from ..plan.nodes import BufferRef
from .writing.writer import Memory, memory_of_view
from .written_kernel import WrittenKernel

if TYPE_CHECKING:
    from .lowering import Lowering, Scope

LANES = 16
"""Units that are multiplied together: a vector of the widest registers."""
MOST_STRIPS = 4
"""Vectors of integers of 8 bits whose products are summed before they are multiplied by a scale."""
MOST_SUMS = 4
"""Sums of several rows that are computed together, so that elements of vectors are loaded once for them."""
ROWS = 16
"""Rows of a workgroup."""


@ops.dequantized_dot.defines("lower")
def lower_dequantized_dot(lowering: Lowering, node: Node, scope: Scope) -> None:
    operands = [memory_of_view(each, scope.memories) for each in node.inputs]
    (vectors, inner), rows = map(lift, node.inputs[0].shape), lift(node.inputs[1].shape[0])
    packed = lowering.allocate((vectors, inner), F32, scope)
    result = lowering.allocate((vectors, rows), F32, scope)
    layout = _Layout(node)
    kernel = WrittenKernel(lowering, scope, "dequantized_dot_pack")
    _pack(kernel, operands[0], packed, layout, inner)
    kernel.launch(vectors, inner)
    kernel = WrittenKernel(lowering, scope, "dequantized_dot")
    _Product(kernel, layout, [packed, *operands[1:]], result).write(rows, inner)
    kernel.launch(ceil_div(rows, ROWS), product((vectors, rows, inner)) // LANES)
    scope.tuples[node] = [result]


class _Layout:
    """How the elements of a vector lie in memory: [block, vector, place, lane], in the order in which they
    are read. A block is LANES words with an integer for each place, or some vectors of integers of 8 bits."""

    def __init__(self, node: Node) -> None:
        self.count: int = node.attribute("count")
        self.words = integers_of_unit(node.inputs[1]) > 1
        units: int = node.attribute("units")
        self.places = 2 * WORD_BYTES
        self.scales = max(LANES // units, 1)
        """Scales of a block."""
        if not self.words:
            self.places = next(
                many for many in (MOST_STRIPS, 2, 1) if units % (LANES * many) == 0 or many == 1
            )
        self.blocks = max(units // LANES // (1 if self.words else self.places), 1)
        """Blocks of a group, where there are several."""
        self.block = LANES * self.places

    def start(self, block: Value, vector: Value | int, place: int) -> Value:
        """Returns where the first lane's element is."""
        return ((block * self.count + vector) * self.places + place) * LANES


def _pack(kernel: WrittenKernel, x: Memory, packed: Memory, layout: _Layout, inner: Expr) -> None:
    build, vector = kernel.build, kernel.build.group_id()
    source, target = _Operand(kernel, x), kernel.buffer(packed, "out")
    of_lane, of_place = (layout.places, 1) if layout.words else (1, LANES)
    blocks = kernel.index(inner // layout.block)
    with build.loop(0, blocks) as (block,), build.loop(0, LANES, kind="lanes") as (lane,):
        first = source.place(vector, block * layout.block + lane * of_lane)
        for place in range(layout.places):
            value = build.load(source.buffer, first + source.strides[1] * (of_place * place))
            build.store(target, layout.start(block, vector, place) + lane, value)


class _Operand:
    """An operand in the kernel: its start and its strides."""

    def __init__(self, kernel: WrittenKernel, operand: Memory, access: Access = "in") -> None:
        self.buffer: Buffer = kernel.buffer_of(BufferRef(operand.buffer), operand.dtype, access)
        self.start = kernel.index(operand.offset)
        self.strides = [kernel.index(step) for step in operand.strides]

    def place(self, *positions: Value | int) -> Value:
        place = self.start
        for position, stride in zip(positions, self.strides, strict=False):
            place = place + stride * position
        return place


class _Product:
    def __init__(
        self, kernel: WrittenKernel, layout: _Layout, operands: Sequence[Memory], result: Memory
    ) -> None:
        self.kernel, self.build, self.layout = kernel, kernel.build, layout
        self.x = kernel.buffer(operands[0], "in")
        self.q, self.scale = (_Operand(kernel, each) for each in operands[1:])
        self.result = _Operand(kernel, result, "out")

    def write(self, rows: Expr, inner: Expr) -> None:
        build, count, zero = self.build, self.layout.count, self.build.constant(0.0, F32)
        first = build.group_id() * ROWS
        last = build.minimum(first + ROWS, self.kernel.index(rows))
        blocks = self.kernel.index(inner // self.layout.block)
        sums = build.allocate(F32, ROWS * count * LANES)
        together = max(MOST_SUMS // count, 1)
        with build.loop(first, last, together) as (row,), build.loop(0, LANES, kind="lanes") as (lane,):
            taken = [build.minimum(row + number, last - 1) for number in range(together)]

            def block(number: Value, *known: Value) -> list[Value]:
                products = self._products(taken, number, lane)
                scales = [self._scale(each, number, lane) for each in taken for _ in range(count)]
                return [self._multiply_add(*each) for each in zip(products, scales, known, strict=True)]

            totals = build.carry(0, blocks, [zero] * (count * together), block)
            for place, total in enumerate(totals):
                row_of_these, vector = divmod(place, count)
                build.store(sums, (row - first + row_of_these + vector * ROWS) * LANES + lane, total)
        with build.loop(0, last - first, kind="lanes") as (number,):
            for vector in range(count):
                start = (number + vector * ROWS) * LANES
                total = _sum([build.load(sums, start + lane) for lane in range(LANES)])
                build.store(self.result.buffer, self.result.place(vector, first + number), total)

    def _products(self, rows: list[Value], block: Value, lane: Value) -> list[Value]:
        """Returns the products of a block of each row, summed, with each vector."""
        totals: list[Value] = []
        for place, values in enumerate(zip(*(self._integers(row, block, lane) for row in rows), strict=True)):
            factors = [
                self.build.load(self.x, self.layout.start(block, vector, place) + lane)
                for vector in range(self.layout.count)
            ]
            pairs = [(value, factor) for value in values for factor in factors]
            totals = [
                self._multiply_add(*pair, totals[number]) if place else pair[0] * pair[1]
                for number, pair in enumerate(pairs)
            ]
        return totals

    def _integers(self, row: Value, block: Value, lane: Value) -> Iterator[Value]:
        """Yields the integers of the places of a block, as floats."""
        build, q = self.build, self.q
        if not self.layout.words:
            for place in range(self.layout.places):
                column = block * self.layout.block + place * LANES + lane
                yield build.cast(build.load(q.buffer, q.place(row, column)), F32)
            return
        first = q.place(row, (block * LANES + lane) * WORD_BYTES)
        loaded = [build.load(q.buffer, first + q.strides[1] * number) for number in range(WORD_BYTES)]
        word = build.cast(loaded[0], U32)
        for number, byte in enumerate(loaded[1:], 1):
            word = word | (build.cast(byte, U32) << 8 * number)
        for place in range(self.layout.places):
            yield build.bitcast(build.emit(f"int4_{place}", (word,)), F32)

    def _scale(self, row: Value, block: Value, lane: Value) -> Value:
        """Returns the scale of a lane's group."""
        build, scale, count = self.build, self.scale, self.layout.scales
        if count == 1:
            return build.load(scale.buffer, scale.place(row, block // self.layout.blocks))
        *others, found = (
            build.load(scale.buffer, scale.place(row, block * count + number)) for number in range(count)
        )
        for number, other in reversed(list(enumerate(others, 1))):
            found = build.select(lane < number * (LANES // count), other, found)
        return found

    def _multiply_add(self, x: Value, y: Value, z: Value) -> Value:
        return self.build.emit("multiply_add", (x, y, z))


def _sum(values: list[Value]) -> Value:
    """Returns the sum, by halves."""
    while len(values) > 1:
        values = [x + y for x, y in zip(values[::2], values[1::2], strict=True)]
    return values[0]
