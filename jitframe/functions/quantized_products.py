"""Products with quantized matrices, on nodes: rows are dequantized during the multiplication, or a block at a
time, so that the dequantized matrix is never in memory."""

from __future__ import annotations

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import F32, I8, I32, U8
from .elementwise import multiply, subtract
from .joining import concatenate, part
from .loop_nodes import at, put, repeated
from .operands import cast, constant, reshaped, spread, strong
from .products import matmul
from .reductions import sum as summed

BLOCK = 64
"""Rows of a matrix that are dequantized at a time, for several vectors: some hundred KB."""
MANY_GROUPS = 16
"""From this number of groups per row on, groups are summed element-wise first: reducing each short group
takes longer than its products."""
FEW = 8
"""Vectors up to which a kernel that multiplies by integers as they are read takes less time than products
with dequantized blocks."""
LANES = 16
"""Units of a row that such a kernel multiplies together."""
SHARES = (4, 8)
"""Units of groups of which several share a vector: choosing among more scales takes longer than the rest."""


def _spread_out(graph: Graph, x: Node, shape: tuple[int, ...]) -> Node:
    """The array broadcast along a new last axis."""
    return spread(graph, reshaped(graph, x, (*x.shape, 1)), shape)


def _halves(graph: Graph, packed: Node) -> tuple[Node, Node]:
    """The lower and the upper four bits of bytes, signed."""
    low = graph.make(ops.bitwise_and, packed, constant(graph, 15, packed))
    high = graph.make(ops.shift_right, packed, constant(graph, 4, packed))
    eight = constant(graph, 8, packed)
    made = []
    for half in (low, high):
        signed = cast(graph, graph.make(ops.bitwise_xor, half, eight), I8)
        made.append(graph.make(ops.sub, signed, constant(graph, 8, signed)))
    return made[0], made[1]


def _float_of_low_half(graph: Graph, wide: Node) -> Node:
    """The lowest four bits of integers of 32 bits, signed, in float32: as the last bits of a mantissa, the
    highest one of the four inverted, from which 2**23 + 8 is subtracted. A processor may have the first two
    operations in one."""
    bits = graph.make(ops.bitwise_and, wide, constant(graph, 15, wide))
    bits = graph.make(ops.bitwise_xor, bits, constant(graph, 0x4B000008, wide))
    shifted = graph.make(ops.bitcast, bits, attributes=(F32,))
    return graph.make(ops.sub, shifted, constant(graph, 2**23 + 8, shifted))


def _dequantized(graph: Graph, q: Node, scale: Node, zero: Node | None) -> Node:
    """[rows, elements] of [rows, groups, elements of a group]."""
    rows, groups, each = q.shape
    values = cast(graph, q, scale.dtype)
    if zero is not None:
        values = subtract(graph, values, _spread_out(graph, cast(graph, zero, scale.dtype), q.shape))
    return reshaped(graph, multiply(graph, values, _spread_out(graph, scale, q.shape)), (rows, groups * each))


def _unpacked(graph: Graph, q: Node, groups: int) -> Node:
    """[rows, groups, elements of a group], unpacked from bytes of two elements each."""
    rows, count = q.shape
    if q.dtype is not U8:
        return reshaped(graph, q, (rows, groups, count // groups))
    low, high = (reshaped(graph, half, (rows, count, 1)) for half in _halves(graph, q))
    both = concatenate(graph, (low, high), 2)
    return reshaped(graph, both, (rows, groups, 2 * count // groups))


def _of_vector(graph: Graph, x: Node, q: Node, scale: Node, zero: Node | None) -> Node:
    """[rows] of a vector, in one pass over the matrix.

    Of bytes with two elements each, the upper one times 16 is multiplied with sixteenths of elements of odd
    places. Zero points are multiplied with the sums of the groups' elements afterwards.
    """
    rows, groups = scale.shape
    shape = (rows, groups, q.shape[1] // groups)
    stacked = reshaped(graph, q, shape)
    if q.dtype is U8:
        pairs = reshaped(graph, x, (q.shape[1], 2))
        # As wide as floats at once: a processor widens each byte a single time.
        signed = cast(graph, graph.make(ops.bitcast, stacked, attributes=(I8,)), I32)
        high = graph.make(ops.bitwise_and, signed, constant(graph, -16, signed))
        products = []
        for place, half in enumerate((_float_of_low_half(graph, signed), high)):
            factor = part(graph, pairs, 1, place, place + 1)
            factor = factor if place == 0 else multiply(graph, factor, constant(graph, 1 / 16, factor))
            factors = graph.make(ops.copy, reshaped(graph, factor, shape[1:]))
            products.append(multiply(graph, cast(graph, half, x.dtype), spread(graph, factors, shape)))
        product = graph.make(ops.add, *products)
    else:
        factors = reshaped(graph, x, shape[1:])
        product = multiply(graph, cast(graph, stacked, x.dtype), spread(graph, factors, shape))
    terms = multiply(graph, product, _spread_out(graph, scale, shape))
    if groups < MANY_GROUPS:
        total = summed(graph, terms, (1, 2))
    else:
        total = summed(graph, summed(graph, terms, 1), 1)
    if zero is None:
        return total
    lost = _of_zero_points(graph, reshaped(graph, x, (1, x.shape[0])), scale, zero)
    return subtract(graph, total, reshaped(graph, lost, (rows,)))


def _of_zero_points(graph: Graph, x: Node, scale: Node, zero: Node) -> Node:
    """[count, rows]: what zero points add to the products of vectors, by the sums of the groups' elements."""
    (count, inner), (rows, groups) = x.shape, scale.shape
    shape = (count, rows, groups)
    sums = summed(graph, reshaped(graph, x, (count, 1, groups, inner // groups)), 3)
    offset = reshaped(graph, multiply(graph, cast(graph, zero, x.dtype), scale), (1, rows, groups))
    return summed(graph, multiply(graph, spread(graph, offset, shape), spread(graph, sums, shape)), 2)


def _places(q: Node) -> int:
    """Elements of a unit of the kernel."""
    return 8 if q.dtype is U8 else 1


def _fits_kernel(x: Node, q: Node, scale: Node) -> bool:
    """Whether rows are whole vectors of units, and groups whole vectors or a few parts of one."""
    units = x.shape[1] // _places(q)
    each, rest = divmod(units, scale.shape[1])
    return (
        x.dtype is F32 and x.shape[0] <= FEW and x.shape[1] % (LANES * _places(q)) == 0 and not rest
        and (each % LANES == 0 or each in SHARES)
    )  # fmt: skip


def _by_kernel(graph: Graph, x: Node, q: Node, scale: Node, zero: Node | None) -> Node:
    """See `ops.dequantized_dot`."""
    units = x.shape[1] // _places(q) // scale.shape[1]
    node = graph.make(ops.dequantized_dot, x, q, scale, attributes=(x.shape[0], units))
    found = graph.make(ops.item, node, attributes=(0,))
    return found if zero is None else subtract(graph, found, _of_zero_points(graph, x, scale, zero))


def linear(
    graph: Graph, x: Operand, q: Operand, scale: Operand, zero: Operand | None, by_kernel: bool = False
) -> Node:
    """`x`, [count, n], times the transpose of `q`, [rows, n] or packed [rows, n / 2], with scales and zero
    points [rows, groups]: [count, rows].

    `by_kernel`: whether the device has a kernel for a few vectors.
    """
    x, q, scale = strong(graph, x), strong(graph, q), strong(graph, scale)
    zero = None if zero is None else strong(graph, zero)
    count, rows = x.shape[0], q.shape[0]
    if by_kernel and _fits_kernel(x, q, scale):
        return _by_kernel(graph, x, q, scale, zero)
    if count == 1:
        return reshaped(graph, _of_vector(graph, reshaped(graph, x, x.shape[1:]), q, scale, zero), (1, rows))
    blocks, rest = divmod(rows, BLOCK)
    parts = []
    if blocks:
        node = _blocks(graph, x, q, scale, zero, blocks)
        node = graph.make(ops.permute, node, attributes=((1, 0, 2),))
        parts.append(reshaped(graph, node, (count, blocks * BLOCK)))
    if rest or not blocks:
        last = [part(graph, node, 0, blocks * BLOCK, rows) for node in (q, scale)]
        last_zero = None if zero is None else part(graph, zero, 0, blocks * BLOCK, rows)
        parts.append(_product(graph, x, last[0], last[1], last_zero))
    return parts[0] if len(parts) == 1 else concatenate(graph, parts, 1)


def _product(graph: Graph, x: Node, q: Node, scale: Node, zero: Node | None) -> Node:
    values = _dequantized(graph, _unpacked(graph, q, scale.shape[1]), scale, zero)
    return matmul(graph, x, graph.make(ops.permute, values, attributes=((1, 0),)))


def _blocks(graph: Graph, x: Node, q: Node, scale: Node, zero: Node | None, blocks: int) -> Node:
    """[blocks, count, BLOCK] in a loop over the blocks."""
    nodes = [x]
    for each in (q, scale, *(() if zero is None else (zero,))):
        whole = part(graph, each, 0, 0, blocks * BLOCK)
        nodes.append(reshaped(graph, whole, (blocks, BLOCK, each.shape[1])))
    empty = graph.make(ops.undefined, attributes=((blocks, x.shape[0], BLOCK), x.dtype))

    def step(body: Graph, index: Node, carried: list[Node], known: list[Node]) -> list[Node]:
        vectors, *stacks = known
        matrix, factor, *offset = (at(body, stack, index) for stack in stacks)
        node = _product(body, vectors, matrix, factor, offset[0] if offset else None)
        return [put(body, carried[0], node, index)]

    return repeated(graph, 0, blocks, [empty], nodes, step)[0]
