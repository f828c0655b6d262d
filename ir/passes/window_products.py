"""Products of few rows with the windows of an image, as convolutions of single channels are.

Windows overlap: an element of the image is of several columns of the product. A matrix of the windows would
be written for little, so a processor's kernel (`window_dot`) keeps a part of the image near it, with the
zeros that stand around it, and other devices add the products up one by one. Exact, but for the order.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import ops
from ..expr import ONE, Expr, equal, less, lift, product
from ..index import view_of
from ..node import Graph, Node, Walk
from ..rewrite import Rewriter
from ..structure import Size
from ..types import BOOL
from .fix_small import with_plain_sizes
from .margins import Image, ImageAxis, image_of
from .several_axes import Opened, opened, packed_product
from .simplify import RULES, TABLE
from .stages import Decide, Limits

MOST_ROWS = 32
"""Rows of a product from which panels of its right operand are used often enough."""
MOST_TERMS = 32
"""Places of a window up to which devices add their products up in one expression."""
LINE_STEPS = (1, 2)
"""Elements from window to window where lanes may run along a line."""
LANES = 256
"""Elements along a line of a tile, at most."""
UNROLLED = 25
"""Places of a window up to which a kernel's products with them stand one by one."""
TOGETHER = 4
"""Lines of results that are summed together: more registers than those of AVX2 would be needed for others."""
NEAR, HELD = 8192, 24576
"""Elements of the part of an image that a kernel keeps, about, where a few lines are no more; and at most."""
ABREAST = 16
"""Images that are summed side by side, one in each lane."""
STRIP = 16
"""Results of a line that are summed there, where whole lines are too long."""
SHORT_LINES = 16, 64
"""Results along a line up to which that is faster, and their bytes: they fill no vector, and short lines take
long to copy."""


class Reach:
    """The halo of a tile of columns: how far its windows reach along the image."""

    def __init__(self, y: Node, image: Image) -> None:
        self.y, self.rank = y, len(y.shape)
        found = {axis.column[0]: axis for axis in image.axes if axis.column is not None}
        self.axis_down, along = found.get(self.rank - 2), found.get(self.rank - 1)
        assert along is not None, y
        self.axis_along = along
        self.step_down, self.down = self._along(self.axis_down)
        self.step_along, self.along = self._along(along)
        self.planes = [self.places(axis) for axis in image.axes if self.is_plane(axis)]

    def is_plane(self, axis: ImageAxis) -> bool:
        """Whether windows have places on an axis of the image along which no line of a tile lies."""
        return axis.batch is None and axis is not self.axis_along and axis is not self.axis_down

    def places(self, axis: ImageAxis) -> Expr:
        """Places of a window along an axis."""
        return ONE if axis.inner is None else lift(self.y.shape[axis.inner[0]])

    @property
    def of_strip(self) -> Expr:
        """Elements of a line that windows of a strip reach over, with a few images side by side."""
        return self.step_along * (STRIP - 1) + self.along

    def fits(self, line: Expr, decide: Decide) -> bool:
        """Whether a few lines of so many elements, of one image for each lane, fit in the memory allowed for
        them."""
        lines = self.down + self.step_down * TOGETHER
        return decide(less(product(self.planes) * (lines * line + ABREAST), (HELD - NEAR) // ABREAST))

    def _along(self, axis: ImageAxis | None) -> tuple[Expr, Expr]:
        """Elements between windows, and of a window."""
        if axis is None or axis.column is None:
            return ONE, ONE
        return axis.column[1], ONE if axis.inner is None else (self.places(axis) - 1) * axis.inner[1] + 1


def product_with_windows(graph: Graph, x: Node, y: Node, limits: Limits, decide: Decide) -> Node | None:
    """x @ y where that has few rows, and y has the windows of an image as its columns; else None."""
    if x.dtype is BOOL or not decide(less(lift(x.shape[-2]), MOST_ROWS)):
        return None
    if not limits.packed_products:
        whole = Opened(y, tuple((axis,) for axis in range(len(y.shape))))
        return _sum_of_products(graph, x, y, opened(y) or whole, decide)
    packed = packed_product(graph, x, y)
    attributes = (1, 1, (*x.shape[:-1], y.shape[-1])) if packed is None else packed.attributes
    x, y = (x, y) if packed is None else packed.inputs
    image = image_of(y, len(attributes[2]) - 2, attributes[1])
    if image is None:
        return None
    shared = [(axis.inner, axis.column) for axis in image.axes]
    if not any(inner and column and _overlap(y, inner, column, decide) for inner, column in shared):
        return None
    found = graph.make(ops.window_dot, x, y, attributes=attributes)
    return found if abreast(found, decide) is not None or _fits(y, image, decide) else None


def write_out_windows(graph: Graph, walk: Walk, limits: Limits, decide: Decide) -> tuple[Node, ...]:
    """The same outputs, such products as sums where no kernel keeps images.

    Where columns that were joined are split again, the extents before and after become the same sizes: then
    what follows is made of the sums, in one kernel.
    """
    same: dict[int, int] = {}
    for node in walk.order:
        if node.op is ops.reshape and node.inputs[0].op in (ops.dot, ops.image_dot):
            right = opened(node.inputs[0].inputs[1])
            columns = [] if right is None else [right.source.shape[axis] for axis in right.axes[-1]]
            split = node.shape[len(node.shape) - len(columns) :]
            if len(split) == len(columns) and all(
                decide(equal(lift(one), lift(other))) for one, other in zip(columns, split, strict=True)
            ):
                pairs = zip(columns, split, strict=True)
                same.update({other.symbol: one for one, other in pairs if isinstance(other, Size)})
    walk = Walk(with_plain_sizes(graph, walk, same)) if same else walk
    make = Rewriter(graph, TABLE, RULES).make
    made: dict[Node, Node] = {}
    for node in walk.order:
        inputs = [made[source] for source in node.inputs]
        found = None
        if node.op in (ops.dot, ops.image_dot):
            x, y = inputs
            found = product_with_windows(graph, x, y, limits, decide)
        made[node] = make(node.op, *inputs, attributes=node.attributes) if found is None else found
    return tuple(made[node] for node in walk.outputs)


def fix_windows(graph: Graph, walk: Walk, decide: Decide) -> tuple[Node, ...]:
    """The same outputs with the sizes of small windows in such products as plain ints: their places stand in
    the kernel one by one."""
    fixed: dict[int, int] = {}
    for node in walk.order:
        if node.op is not ops.window_dot:
            continue
        y = node.inputs[1]
        image = image_of(y, len(node.shape) - 2, ops.sides(node)[1])
        assert image is not None, node
        along = [axis.inner[0] for axis in image.axes if axis.inner is not None and axis.column is not None]
        extents = [y.shape[axis] for axis in along]
        sizes = [extent for extent in extents if isinstance(extent, Size)]
        if sizes and decide(less(product(map(lift, extents)), UNROLLED + 1)):
            known = [decide(equal(lift(size), int(size))) for size in sizes]
            assert all(known)
            fixed.update((size.symbol, int(size)) for size in sizes)
    return with_plain_sizes(graph, walk, fixed) if fixed else walk.outputs


def _fits(y: Node, image: Image, decide: Decide) -> bool:
    """Whether lines run along neighbours in memory, as vectors do, and parts of the image are small."""
    last = image.axes[-1].column
    if last is None or last[0] != len(y.shape) - 1 or last[1].value not in LINE_STEPS:
        return False
    base, dims = view_of(image.node)
    layout = base.attribute("layout") if base.op.source == "array" else "1"
    if layout[-1:] != "1" or dims[-1].terms != ((len(image.axes) - 1, ONE),):
        return False
    reach = Reach(y, image)
    lines = reach.down + reach.step_down * TOGETHER
    least = product(reach.planes) * lines * (reach.along + 2 * LANES + LANES // 4)
    return decide(less(least, HELD - NEAR + 1))


def abreast(node: Node, decide: Decide) -> int | None:
    """The batch axis of a product with windows whose images are summed side by side, where that is faster
    than lanes along a line; None where it is not. Images or elements of a line are neighbours in memory."""
    y, batch = node.inputs[1], len(node.shape) - 2
    _, columns = ops.sides(node)
    image = image_of(y, batch, columns)
    if image is None:
        return None
    base, dims = view_of(image.node)
    layout = base.attribute("layout") if base.op.source == "array" else "1"
    reach, unit = Reach(y, image), {axis for axis, step in dims[-1].terms if step is ONE}
    batches = [axis.batch for axis in image.axes if axis.batch is not None]
    if layout[-1:] != "1" or not batches:
        return None
    axis, step = max(batches)
    units = [image.axes[number] for number in unit if isinstance(number, int)]
    within = reach.axis_along in units
    beside = step is ONE and any(each.batch == (axis, step) for each in units)
    if not (within or beside) or decide(less(lift(y.shape[axis]), ABREAST // 2)):
        return None
    along = lift(y.shape[-1])
    places = product(lift(extent) for extent in y.shape[batch : len(y.shape) - columns])
    most, most_bytes = SHORT_LINES
    short = min(most, most_bytes // ops.accumulator(node.dtype).itemsize)
    if within and reach.step_along.value in LINE_STEPS and not decide(less(along, short + 1)):
        return None
    fits = reach.fits(reach.axis_along.extent, decide) or (beside and reach.fits(reach.of_strip, decide))
    small = less(along, HELD // ABREAST // TOGETHER) * less(places, NEAR // ABREAST)
    return axis if fits and decide(small) else None


def _sum_of_products(graph: Graph, x: Node, y: Node, right: Opened, decide: Decide) -> Node | None:
    """The sum of the products, each an operand of its own."""
    source, axes = right.source, right.axes
    inner, places = axes[-2], [source.shape[axis] for axis in axes[-2]]
    if math.prod(map(int, places)) > MOST_TERMS or not _has_windows(source, inner, axes[-1], decide):
        return None
    if not all(decide(equal(lift(extent), int(extent))) for extent in places):
        return None
    dtype, wide = x.dtype, ops.accumulator(x.dtype)
    batch, columns = len(x.shape) - 2, [source.shape[axis] for axis in axes[-1]]
    # Columns that are several axes stay such, as the image lies.
    shape = (*x.shape[:-1], *columns)
    used = [axis for group in axes for axis in group]
    order = (*(axis for axis in range(len(source.shape)) if axis not in used), *used)
    of_column = (*(axis for axis in range(batch) if axes[axis]), *range(batch + 1, len(shape)))

    def part(node: Node, at: Mapping[int, int]) -> Node:
        starts = tuple(at.get(axis, 0) for axis in range(len(node.shape)))
        extents = tuple(1 if axis in at else extent for axis, extent in enumerate(node.shape))
        return graph.make(ops.slice_, node, attributes=(starts, (1,) * len(starts), extents))

    def spread(node: Node, own: tuple[int, ...]) -> Node:
        found = graph.make(ops.reshape, node, attributes=(tuple(shape[axis] for axis in own),))
        found = found if wide is dtype else graph.make(ops.cast, found, attributes=(wide,))
        return graph.make(ops.broadcast, found, attributes=(shape, own))

    terms = []
    for number, at in enumerate(itertools.product(*(range(int(extent)) for extent in places))):
        column = part(source, dict(zip(inner, at, strict=True)))
        if order != tuple(range(len(order))):
            column = graph.make(ops.permute, column, attributes=(order,))
        left = spread(part(x, {batch + 1: number}), tuple(range(batch + 1)))
        terms.append(graph.make(ops.mul, left, spread(column, of_column)))
    total = functools.reduce(lambda one, other: graph.make(ops.add, one, other), terms)
    total = total if wide is dtype else graph.make(ops.cast, total, attributes=(dtype,))
    return graph.make(ops.reshape, total, attributes=((*x.shape[:-1], y.shape[-1]),))


def _has_windows(source: Node, inner: Sequence[int], columns: Sequence[int], decide: Decide) -> bool:
    _, dims = view_of(source)
    return any(
        one[0] in inner and other[0] in columns and _overlap(source, one, other, decide)
        for dim in dims
        for one, other in itertools.permutations(dim.terms, 2)
    )


def _overlap(source: Node, inner: tuple[Any, Expr], column: tuple[Any, Expr], decide: Decide) -> bool:
    """Whether columns that an axis is made of, besides places of a window, share elements: an axis that is
    only split into the two, as by a reshape, has each element in one column."""
    return decide(less(inner[1], lift(source.shape[column[0]]) * column[1]))
