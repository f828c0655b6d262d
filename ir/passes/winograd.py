"""Convolutions, as products with the windows of images; those of 3 x 3 with fewer products where that pays.

Not exact: these are other sums (`ops.winograd`), whose errors are about those of the products. What is not
finite, and what is much larger than its neighbours, stays in the results that it belongs to: see the kernel
(`codegen/lower/products/winograd.py`).
"""

from __future__ import annotations

from .. import ops
from ..expr import ONE, Expr, ceil_div, equal, less, lift, product
from ..index import view_of
from ..node import Graph, Node
from ..types import F32
from .margins import ImageAxis, image_of
from .matrix_products import legal_product
from .several_axes import packed_product
from .stages import Decide, Limits
from .window_products import MOST_ROWS

SQUARE = 2
"""Results along either side of a square that is computed at once."""
SUMS, PLACES = 16, 9
"""Products for a square's results, and for one of these without the transforms."""
OF_IMAGE, OF_RESULT, OF_WEIGHT = 40, 100, 300
"""What it takes to transform a square of the image, of the sums, and the window of a weight, in multiply-adds
of full vectors."""
MOVED, READ = 100, 64
"""Bytes of a weight that are moved once, and that are read for each strip of squares."""
OF_BYTE, CACHED = (6, 12), 1 << 22
"""What it takes to move two of these bytes, where as many as this are read for a strip at most, and where
more are."""
LANES, STRIP = 8, 32
"""Squares that are computed together at least, and at most."""
GAIN = 9, 10
"""The share of the product's time from which the transforms pay."""


def image_product(graph: Graph, inputs: tuple[Node, ...], limits: Limits, decide: Decide) -> Node:
    """x @ y, where y has the windows of an image as its columns, as steps that the device has."""
    x, y = inputs
    found = _by_transforms(graph, x, y, decide) if limits.packed_products and x.dtype is F32 else None
    return legal_product(graph, inputs, limits, decide) if found is None else found


def _by_transforms(graph: Graph, x: Node, y: Node, decide: Decide) -> Node | None:
    """The product by transformed weights, where windows are all of 3 x 3 and that is faster."""
    packed = packed_product(graph, x, y)
    if packed is None or packed.attributes[:2] != (1, 2):
        return None
    windows, batch = packed.inputs[1], len(x.shape) - 2
    if not _has_windows_of_3(windows, batch, decide) or not _is_one_matrix(x, batch):
        return None
    rows, channels = lift(x.shape[-2]), lift(windows.shape[batch])
    if decide(less(rows, MOST_ROWS)) or not _pays(windows, batch, rows, channels, decide):
        return None
    start, ones = (0,) * len(x.shape), (1,) * len(x.shape)
    matrix = graph.make(ops.slice_, x, attributes=(start, ones, (*ones[:batch], *x.shape[batch:])))
    matrix = graph.make(ops.reshape, matrix, attributes=(x.shape[batch:],)) if batch else x
    weights = graph.make(ops.item, graph.make(ops.winograd_weights, matrix), attributes=(0,))
    return graph.make(ops.winograd_dot, *packed.inputs, weights, attributes=packed.attributes)


def _pays(windows: Node, batch: int, rows: Expr, channels: Expr, decide: Decide) -> bool:
    """Whether the products saved take longer than the transforms."""
    images = product(map(lift, windows.shape[:batch]))
    down, along = map(lift, windows.shape[-2:])
    squares = images * ceil_div(down, SQUARE) * ceil_div(along, SQUARE)
    lanes, weights = ceil_div(squares, LANES) * LANES, rows * channels
    transforms = squares * (channels * OF_IMAGE + rows * OF_RESULT) + weights * OF_WEIGHT
    near, far = OF_BYTE
    of_byte = near if decide(less(weights * READ, CACHED + 1)) else far
    moved = weights * (ceil_div(squares, STRIP) * READ + MOVED) * of_byte // 2
    cost = lanes * weights * SUMS + transforms + moved
    direct = images * (down * along * weights * PLACES)
    part, whole = GAIN
    return decide(less(cost * whole, direct * part))


def _is_one_matrix(x: Node, batch: int) -> bool:
    """Whether all images are multiplied with the same matrix."""
    _, dims = view_of(x)
    return not any(axis in range(batch) for dim in dims for axis, _ in dim.terms)


def _has_windows_of_3(windows: Node, batch: int, decide: Decide) -> bool:
    """Whether an operand, [*batch, channels, 3, 3, down, along], is all windows of images whose lines are
    contiguous."""
    image = image_of(windows, batch, 2) if len(windows.shape) == batch + 5 else None
    if image is None:
        return False
    seen = {axis.column[0]: axis for axis in image.axes if axis.column is not None}
    channels = [axis for axis in image.axes if axis.column is None and axis.inner is not None]
    if len(seen) != 2 or len(channels) > 1 or any(_term(axis) != batch for axis in channels):
        return False
    if not all(_slides(axis, number - 2) for number, axis in seen.items()):
        return False
    if not all(decide(equal(lift(windows.shape[axis]), 3)) for axis in (batch + 1, batch + 2)):
        return False
    base, dims = view_of(image.node)
    layout = base.attribute("layout") if base.op.source == "array" else "1"
    return layout[-1:] == "1" and dims[-1].terms == ((len(image.axes) - 1, ONE),)


def _term(axis: ImageAxis) -> int | None:
    return None if axis.inner is None else axis.inner[0]


def _slides(axis: ImageAxis, inner: int) -> bool:
    """Whether windows are one element apart along an axis of the image, as their places are."""
    return axis.column is not None and axis.column[1] is ONE and axis.inner == (inner, ONE)
