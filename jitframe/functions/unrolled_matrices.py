"""Small matrices as elements: each element is an array over the stack, and algorithms are unrolled over them.

All that fuses into one kernel, which works on as many matrices at once as its vectors have places.
"""

from __future__ import annotations

import math

from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.ops.linear_algebra import NOT_POSITIVE, SINGULAR
from ..ir.types import DType
from .joining import concatenate
from .operands import constant, reshaped

UNROLLED = 4
"""The maximum number of rows of unrolled matrices."""
UNROLLED_OF_MANY = 3
"""The same in stacks that special kernels process (see `small_matrices`)."""
MANY = 32
"""The minimum number of matrices of such a stack."""

Elements = list[list[Node]]
"""Rows of elements, each an array over the stack."""


def is_unrolled(graph: Graph, stack: Shape, extent: int, dtype: DType) -> bool:
    """Whether matrices of a stack are processed element by element."""
    if dtype.is_complex or extent < 1:
        return False
    if math.prod(stack) >= MANY:
        return extent <= UNROLLED_OF_MANY
    return extent <= (UNROLLED if graph.is_recorded_once else 1)


def elements(graph: Graph, node: Node) -> Elements:
    """The elements of the matrices in the last two axes."""
    stack, (rows, columns) = node.shape[:-2], node.shape[-2:]
    one = (1,) * len(node.shape)

    def element(row: int, column: int) -> Node:
        starts = (*[0] * len(stack), row, column)
        made = graph.make(ops.slice_, node, attributes=(starts, one, (*stack, 1, 1)))
        return reshaped(graph, made, stack)

    return [[element(row, column) for column in range(columns)] for row in range(rows)]


def from_elements(graph: Graph, rows: Elements) -> Node:
    """Matrices of these elements."""
    parts = [reshaped(graph, node, (*node.shape, 1)) for row in rows for node in row]
    flat = concatenate(graph, parts, -1)
    stack = flat.shape[:-1]
    return reshaped(graph, flat, (*stack, len(rows), len(rows[0])))


class Elimination:
    """Gaussian elimination with partial pivoting, applied to right-hand sides as well.

    (G. H. Golub, C. F. Van Loan, Matrix Computations, section 3.4.) The largest element of a column becomes
    the pivot by exchanges of whole rows, chosen for each matrix of the stack by itself.
    """

    def __init__(self, graph: Graph, a: Elements, sides: Elements) -> None:
        self.graph = graph
        self.size = len(a)
        self.rows = [[*row, *side] for row, side in zip(a, sides, strict=True)]
        self.parity = constant(graph, 1, a[0][0])
        """1 or -1 for an even or odd number of exchanges."""
        for k in range(self.size):
            self._exchange(k)
            self._eliminate(k)

    @property
    def pivots(self) -> list[Node]:
        return [self.rows[k][k] for k in range(self.size)]

    def _exchange(self, k: int) -> None:
        make = self.graph.make
        for i in range(k + 1, self.size):
            upper, lower = self.rows[k], self.rows[i]
            larger = make(ops.gt, make(ops.abs, lower[k]), make(ops.abs, upper[k]))
            self.parity = make(ops.select, larger, make(ops.neg, self.parity), self.parity)
            for j in range(k, len(upper)):
                first, second = upper[j], lower[j]
                upper[j] = make(ops.select, larger, second, first)
                lower[j] = make(ops.select, larger, first, second)

    def _eliminate(self, k: int) -> None:
        make, upper = self.graph.make, self.rows[k]
        one, zero = (constant(self.graph, value, upper[k]) for value in (1, 0))
        # If the pivot is 0, so is everything below it, and nothing is subtracted.
        divisor = make(ops.select, make(ops.eq, upper[k], zero), one, upper[k])
        for lower in self.rows[k + 1 :]:
            factor = make(ops.div, lower[k], divisor)
            for j in range(k + 1, len(upper)):
                lower[j] = make(ops.sub, lower[j], make(ops.mul, factor, upper[j]))

    def solution(self) -> Elements:
        """The solution by back substitution. A run in which a pivot is 0 ends with LinAlgError."""
        make, size = self.graph.make, self.size
        zero = constant(self.graph, 0, self.rows[0][0])
        singular = make(ops.eq, self.rows[0][0], zero)
        for pivot in self.pivots[1:]:
            singular = make(ops.bitwise_or, singular, make(ops.eq, pivot, zero))
        last = self.rows[size - 1]  # which every element of the solution is computed from
        last[size - 1] = make(
            ops.checked, last[size - 1], singular, attributes=("linear algebra", SINGULAR, 0)
        )
        found: Elements = [[] for _ in range(size)]
        for k in reversed(range(size)):
            row = self.rows[k]
            for j in range(size, len(row)):
                value = row[j]
                for i in range(k + 1, size):
                    value = make(ops.sub, value, make(ops.mul, row[i], found[i][j - size]))
                found[k].append(make(ops.div, value, row[k]))
        return found


def cholesky(graph: Graph, a: Elements) -> Elements:
    """The lower triangular factors, of the lower triangles (G. H. Golub, C. F. Van Loan, Matrix Computations,
    section 4.2). A run in which a square is not positive ends with LinAlgError."""
    make, size = graph.make, len(a)
    zero = constant(graph, 0, a[0][0])
    found: Elements = [[zero] * size for _ in range(size)]
    bad = constant(graph, False, make(ops.eq, zero, zero))

    def less(value: Node, row: list[Node], other: list[Node], count: int) -> Node:
        for k in range(count):
            value = make(ops.sub, value, make(ops.mul, row[k], other[k]))
        return value

    for j in range(size):
        square = less(a[j][j], found[j], found[j], j)
        bad = make(ops.bitwise_or, bad, make(ops.le, square, zero))  # which NaN is not
        found[j][j] = make(ops.sqrt, square)
        for i in range(j + 1, size):
            found[i][j] = make(ops.div, less(a[i][j], found[i], found[j], j), found[j][j])
    note = ("linear algebra", NOT_POSITIVE, 0)
    return [
        [make(ops.checked, node, bad, attributes=note) if j <= i else node for j, node in enumerate(row)]
        for i, row in enumerate(found)
    ]
