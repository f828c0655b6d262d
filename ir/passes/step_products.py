"""Products of which a loop reads some rows in each step, as a recurrent layer's inputs times their weights.

Each step makes its own: they are in the caches when they are read, and the weights are packed once before the
loop, as those of the state are. But where few rows would read large weights again in each step, the product
stays before the loop. Exact, but for the order of the sums of products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ops
from ..expr import equal, less, lift, product
from ..node import Attributes, Node, Region, Shape, topological
from ..record import record
from .matrix_products import is_large
from .stages import LIBRARY_DTYPES, Decide, Limits

FEW_ROWS, MANY_ROWS = 16, 128
"""Rows of a step from which packed weights are read for enough of them: small ones, and any."""
SMALL_MATRIX = 1 << 16
"""Elements of weights that stay in the caches from step to step, beside those of the state."""


class _Product(metaclass=record):
    """Of rows [steps, rows, inner] and a matrix [columns, inner], and what is added to each row."""

    rows: Node
    matrix: Node
    bias: Node | None
    shape: Shape
    """Of the product: [steps, rows, columns]."""

    def operands(self) -> list[tuple[Node, Shape]]:
        """What a step needs, and the shapes it has there: columns have those of the product."""
        columns = self.shape[2]
        made = [(self.rows, self.rows.shape), (self.matrix, (columns, self.matrix.shape[1]))]
        return made if self.bias is None else [*made, (self.bias, (columns,))]


def make_in_steps(
    node: Node, users: Mapping[Node, Sequence[Node]], limits: Limits, decide: Decide
) -> tuple[list[tuple[Node, Shape]], Attributes]:
    """The operands of a loop with the shapes that it takes them in, and its regions, with products in the
    steps in place of their results."""
    operands = [(each, each.shape) for each in node.inputs]
    attributes = node.attributes
    if node.op is not ops.loop or not (limits.packed_products and limits.large_products):
        return operands, attributes
    (region,) = [attribute for attribute in attributes if isinstance(attribute, Region)]
    first = node.op.bounds + len(region.results)
    for place in range(first, len(node.inputs)):
        found = _product_of(node, node.inputs[place], users, decide)
        number = place - node.op.bounds + 1
        if found is None or not _reads_steps(region, region.parameters[number]):
            continue
        changed = _with_product(region, number, found, decide)
        if changed is not None:
            region = changed
            operands[place], *more = found.operands()
            operands += more
    return operands, tuple(region if isinstance(attribute, Region) else attribute for attribute in attributes)


def _product_of(
    node: Node, operand: Node, users: Mapping[Node, Sequence[Node]], decide: Decide
) -> _Product | None:
    """The product that an operand is, if only this loop reads it."""
    if operand.op is not ops.reshape or len(operand.shape) != 3 or users[operand] != [node]:
        return None
    bias, above, made = None, operand, operand.inputs[0]
    if made.op is ops.add and users[made] == [above]:
        added = [each for each in made.inputs if each.op is ops.broadcast]
        if len(added) != 1 or added[0].attribute("axes") != (1,):
            return None
        (bias,) = added[0].inputs
        above, made = made, next(each for each in made.inputs if each is not added[0])
    if made.op is not ops.dot or users[made] != [above] or len(made.shape) != 2:
        return None
    if made.dtype not in LIBRARY_DTYPES:
        return None
    flat, turned = made.inputs
    if flat.op is not ops.reshape or turned.op is not ops.permute or len(flat.inputs[0].shape) != 3:
        return None
    (rows,) = flat.inputs
    pairs = [*zip(rows.shape, (*operand.shape[:2], flat.shape[1]), strict=True)]
    pairs.append((operand.shape[2], made.shape[1]))
    if not all(decide(equal(lift(x), lift(y))) for x, y in pairs):
        return None
    if _are_few(rows, turned.inputs[0], decide):
        return None
    return _Product(rows, turned.inputs[0], bias, operand.shape)


def _are_few(rows: Node, matrix: Node, decide: Decide) -> bool:
    """Whether a step's rows are too few for weights that each step reads again."""
    expr = lift(rows.shape[1])
    if decide(less(expr, FEW_ROWS)):
        return True
    small = less(product(map(lift, matrix.shape)), SMALL_MATRIX)
    return not decide(small) and decide(less(expr, MANY_ROWS))


def _reads_steps(region: Region, parameter: Node) -> bool:
    """Whether a region reads a parameter at the position that its step has, or that from the end, alone."""
    counter = region.parameters[0]
    for node in topological(region.results):
        if parameter not in node.inputs:
            continue
        if node.op is not ops.gather or node.attributes[:4] != ((0,), 0, (True,), (0,)):
            return False
        index = node.inputs[1]
        if index is not counter and not (index.op is ops.sub and index.inputs[1] is counter):
            return False
    return parameter not in region.results


def _with_product(region: Region, number: int, found: _Product, decide: Decide) -> Region | None:
    """The region with the rows in place of their products, and the matrix and the bias as further parameters;
    None where the products of a step are few."""
    graph, parameters = region.graph, list(region.parameters)
    before, ((rows, shape), *more) = parameters[number], found.operands()
    parameters[number] = graph.parameter(number, shape, rows.dtype)
    for node, shape in more:
        parameters.append(graph.parameter(len(parameters), shape, node.dtype))
    matrix, *bias = parameters[-len(more) :]
    turned = graph.make(ops.permute, matrix, attributes=((1, 0),))
    made: dict[Node, Node] = {before: parameters[number]}
    for node in topological(region.results):
        if node in made:
            continue
        inputs = [made[source] for source in node.inputs]
        made[node] = graph.make(node.op, *inputs, attributes=node.attributes)
        if before in node.inputs:
            if not is_large(made[node], turned, decide):
                return None
            here = (node.shape[0], rows.shape[2])
            made[node] = graph.make(ops.dot, graph.make(ops.reshape, made[node], attributes=(here,)), turned)
            for row in bias:
                added = graph.make(ops.broadcast, row, attributes=(made[node].shape, (1,)))
                made[node] = graph.make(ops.add, made[node], added)
    return Region(graph, tuple(parameters), tuple(made[result] for result in region.results))
