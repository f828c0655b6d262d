"""The exponential of matrices, by scaling and squaring with a Padé approximant.

N. J. Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited, SIAM Journal on Matrix
Analysis and Applications 26 (2005), algorithm 2.3: the approximant of degree 13, whose coefficients and reach
are those of the paper.
"""

from __future__ import annotations

from functools import partial, reduce

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import I64
from .creation import eye
from .elementwise import absolute, add, multiply, subtract
from .linear_algebra import check_square, in_doubles, solve
from .loop_nodes import repeated
from .operands import cast, constant, reshaped, spread
from .products import matmul
from .reductions import max_, sum

REACH = 5.371920351148152
"""The 1-norm up to which the approximant is exact to the last bit."""
COEFFICIENTS = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def expm(graph: Graph, a: Operand) -> Node:
    """The sum of a ** k / k!, of stacks of square matrices."""
    dtype, (node,) = in_doubles(graph, "expm", a)
    check_square(node)
    if not node.size:
        return cast(graph, node, dtype)
    halvings = _halvings(graph, node)
    scale = graph.make(ops.exp2, graph.make(ops.neg, halvings))
    scaled = multiply(graph, node, _for_each(graph, scale, node.shape))
    return cast(graph, _squared(graph, _approximant(graph, scaled), cast(graph, halvings, I64)), dtype)


def _for_each(graph: Graph, value: Node, shape: Shape) -> Node:
    """A value for each matrix of a stack, broadcast to all of its elements."""
    return spread(graph, reshaped(graph, value, (*value.shape, 1, 1)), shape)


def _halvings(graph: Graph, node: Node) -> Node:
    """How often a matrix is halved for the approximant to be accurate; 0 for one that is not finite."""
    norm = max_(graph, sum(graph, absolute(graph, node), -2), -1)
    zero, reach, beyond = (constant(graph, value, norm) for value in (0, REACH, float("inf")))
    times = graph.make(ops.ceil, graph.make(ops.log2, graph.make(ops.div, norm, reach)))
    wanted = graph.make(ops.bitwise_and, graph.make(ops.lt, reach, norm), graph.make(ops.lt, norm, beyond))
    return graph.make(ops.select, wanted, times, zero)


def _approximant(graph: Graph, a: Node) -> Node:
    """Odd powers U and even ones V: (V - U)^-1 (V + U)."""
    unit = spread(graph, eye(graph, a.shape[-1], None, 0, a.dtype), a.shape)
    second = matmul(graph, a, a)
    fourth = matmul(graph, second, second)
    sixth = matmul(graph, fourth, second)

    def total(*indices: int) -> Node:
        """The sum of the powers 6, 4, 2 and 0 with these coefficients."""
        powers = (sixth, fourth, second, unit)
        terms = [
            multiply(graph, power, constant(graph, COEFFICIENTS[number], power))
            for power, number in zip(powers, indices, strict=False)
        ]
        return reduce(partial(add, graph), terms)

    odd = matmul(graph, a, add(graph, matmul(graph, sixth, total(13, 11, 9)), total(7, 5, 3, 1)))
    even = add(graph, matmul(graph, sixth, total(12, 10, 8)), total(6, 4, 2, 0))
    return solve(graph, subtract(graph, even, odd), add(graph, even, odd))


def _squared(graph: Graph, node: Node, times: Node) -> Node:
    """Each matrix squared as often as `times` gives for it."""

    def step(body: Graph, index: Node, carried: list[Node], known: list[Node]) -> list[Node]:
        (matrix,), (wanted,) = carried, known
        more = _for_each(body, body.make(ops.lt, spread(body, index, times.shape), wanted), node.shape)
        return [body.make(ops.select, more, matmul(body, matrix, matrix), matrix)]

    most = max_(graph, times, None) if times.shape else times
    return repeated(graph, 0, most, [node], [times], step)[0]
