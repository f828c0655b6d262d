"""Products of matrices: as a library's, a kernel's, or sums; and sums that are such products.

A product of dtypes without a library or a kernel becomes multiply-and-sum; so does one with a vector, which
reads every element once: a library or a tile has nothing to gain there, and what is around it fuses. The
other way round, `(x[:, :, None] * y).sum(axis=1)` is `x @ y`.
"""

from __future__ import annotations

from .. import ops
from ..expr import equal, less, lift, product
from ..index import view_of
from ..node import Graph, Node
from .several_axes import packed_product
from .stages import LIBRARY_DTYPES, Decide, Limits
from .window_products import product_with_windows

LEAST = 16
"""Extent of rows, columns and inner positions from which a product of matrices is faster than its sums."""
FEW = 4
"""Rows and inner positions from which it is where several axes are summed over, whatever the columns: vectors
along the last axis would be short, or load what all their lanes multiply with element by element."""
LARGE = 1 << 18
"""Products from which OpenBLAS shares them among threads."""
FEWEST_COLUMNS, FEWEST_ROWS = 4, 16
"""Of a kernel for large products: a part of a vector is filled; a transposed operand, that takes longer to
pack, is used often."""
STRIP, ROWS_OF_NARROW = 32, 64
"""Columns that fill a strip, and rows from which the kernel is as fast as a library with fewer of them."""
SMALL_MATRIX = 16
"""Rows, columns and inner extent up to which a call of a library takes longer than the product."""


def product_of_sum(graph: Graph, node: Node, limits: Limits, decide: Decide) -> Node:
    """A sum, as a product of matrices where it is one."""
    matrices = _matrices_of(graph, node, decide)
    if matrices is None:
        return node
    x, y = matrices
    if len(x.shape) == len(node.shape):
        return legal_product(graph, (x, y), limits, decide)
    if not limits.packed_products:
        return node
    return graph.make(ops.packed_dot, x, y, attributes=(1, 1, node.shape))


def legal_product(graph: Graph, inputs: tuple[Node, ...], limits: Limits, decide: Decide) -> Node:
    """A product of two matrices as steps that the device has."""
    x, y = inputs
    dtype, wide = x.dtype, ops.accumulator(x.dtype)
    node = product_with_windows(graph, x, y, limits, decide)
    if node is not None:
        return node
    if _is_with_vector(x, y, decide):
        return ops.dot_as_sum(graph, (x, y))
    if (limits.small_products and _is_small(x, y, decide)) or (
        limits.lane_products and _leaves_tiles_empty(x, y, decide)
    ):
        return graph.make(ops.small_dot, x, y)
    if limits.packed_products:
        packed = packed_product(graph, x, y)
        if packed is not None:
            return packed
    if (
        limits.large_products
        and dtype in LIBRARY_DTYPES
        and is_large(x, y, decide)
        and _packs_well(x, y, decide)
        and not (limits.library_products and _is_with_own_transpose(x, y))
    ):
        return graph.make(ops.packed_dot, x, y, attributes=(1, 1, (*x.shape[:-1], y.shape[-1])))
    if wide is not dtype and limits.library_products and wide in LIBRARY_DTYPES:
        x, y = (graph.make(ops.cast, node, attributes=(wide,)) for node in (x, y))
    made = graph.make(ops.dot, x, y)
    if limits.product(made) is None:
        return ops.dot_as_sum(graph, (x, y))
    return made if made.dtype is dtype else graph.make(ops.cast, made, attributes=(dtype,))


def _is_with_vector(x: Node, y: Node, decide: Decide) -> bool:
    """Whether every element of one operand is needed once: nothing is gained from tiles of both."""
    return any(
        decide(equal(lift(extent), 1)) and not _repeats(other)
        for extent, other in ((x.shape[-2], y), (y.shape[-1], x))
    )


def _is_with_own_transpose(x: Node, y: Node) -> bool:
    """Whether the result is symmetric by its operands: libraries compute half of it."""
    row, column = len(x.shape) - 2, len(x.shape) - 1
    swapped = {axis: axis for axis in range(row)} | {row: column, column: row}
    (base, dims), (other, others) = view_of(x), view_of(y)
    return base is other and [dim.renamed(swapped) for dim in dims] == list(others)


def is_large(x: Node, y: Node, decide: Decide) -> bool:
    """Whether a library would share the product among threads of its own, which wait for each other and for
    the next product, on processors that others need."""
    rows, inner, columns = map(lift, (*x.shape[-2:], y.shape[-1]))
    if decide(less(columns, FEWEST_COLUMNS)) or decide(less(product((rows, inner, columns)), LARGE)):
        return False
    return not decide(less(columns, STRIP)) or not decide(less(rows, ROWS_OF_NARROW))


def _packs_well(x: Node, y: Node, decide: Decide) -> bool:
    """Whether a kernel packs the right operand as fast as a library."""
    return _lies_along(y, len(y.shape) - 1) or not decide(less(lift(x.shape[-2]), FEWEST_ROWS))


def _is_small(x: Node, y: Node, decide: Decide) -> bool:
    """Whether the matrices are small, and no stack of them is many rows for one."""
    extents = (*x.shape[-2:], y.shape[-1])
    return not _repeats(y) and all(decide(less(lift(extent), SMALL_MATRIX + 1)) for extent in extents)


def _leaves_tiles_empty(x: Node, y: Node, decide: Decide) -> bool:
    """Whether a tile of the result would have few rows or columns, and few products for each of its loads."""
    rows, inner, columns = (
        decide(less(lift(extent), SMALL_MATRIX + 1)) for extent in (*x.shape[-2:], y.shape[-1])
    )
    return inner and (rows or columns)


def _repeats(node: Node) -> bool:
    """Whether the same matrix stands at all positions of a batch axis."""
    _, dims = view_of(node)
    return not {*range(len(node.shape) - 2)} <= {axis for dim in dims for axis, _ in dim.terms}


def _matrices_of(graph: Graph, node: Node, decide: Decide) -> tuple[Node, Node] | None:
    """The operands of the product of matrices that a sum of products comes to, each with all of the result's
    leading axes, and with all that are summed over in place of one; None where it is none, where a library
    would round worse than NumPy's sum and ours, or where the matrices are so small that it would take longer.

    Libraries multiply floats, and add one product after another, as NumPy does along any axis but the last.
    Along the last one, and where both operands lie in memory along the sum, it adds in pairs.
    """
    if node.op is not ops.reduce or node.dtype not in LIBRARY_DTYPES or node.attribute("kind") != "sum":
        return None
    (terms,), inner = node.inputs, node.attribute("axes")
    if terms.op is not ops.mul or any(x.op is not ops.broadcast for x in terms.inputs):
        return None
    kept = [axis for axis in range(len(terms.shape)) if axis not in inner]
    sides = [frozenset(x.attribute("axes")) for x in terms.inputs]
    if len(terms.shape) - 1 in inner or len(kept) < 2 or not all(own.issuperset(inner) for own in sides):
        return None
    *batch, row, column = kept
    of_row, of_column = ([axis in own for own in sides] for axis in (row, column))
    if sum(of_row) != 1 or sum(of_column) != 1 or of_row == of_column:
        return None
    x, y = terms.inputs if of_row[0] else terms.inputs[::-1]
    if any(_lies_along(x, axis) and _lies_along(y, axis) for axis in inner):
        return None
    rows, columns = lift(terms.shape[row]), lift(terms.shape[column])
    count = product(lift(terms.shape[axis]) for axis in inner)
    several = len(inner) > 1
    if any(decide(less(extent, FEW if several else LEAST)) for extent in (rows, count)):
        return None
    if not several and decide(less(columns, LEAST)):
        return None
    return _arranged(graph, x, [*batch, row, *inner]), _arranged(graph, y, [*batch, *inner, column])


def _lies_along(node: Node, axis: int) -> bool:
    """Whether neighbours along an axis are neighbours in memory."""
    base, dims = view_of(node)
    unit = base.attribute("layout").rfind("1") if base.op.source == "array" else len(dims) - 1
    return unit >= 0 and any(axis == each for each, _ in dims[unit].terms)


def _arranged(graph: Graph, x: Node, order: list[int]) -> Node:
    """What a broadcast repeats, with those axes of its result in this order."""
    (source,), own = x.inputs, x.attribute("axes")
    places = [position for position, axis in enumerate(order) if axis in own]
    permutation = tuple(own.index(order[position]) for position in places)
    if permutation != tuple(range(len(permutation))):
        source = graph.make(ops.permute, source, attributes=(permutation,))
    shape = tuple(x.shape[axis] for axis in order)
    if shape == source.shape:
        return source
    return graph.make(ops.broadcast, source, attributes=(shape, tuple(places)))
