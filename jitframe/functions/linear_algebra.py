"""Linear algebra on nodes: calls of a library on stacks of matrices, and small matrices unrolled.

Systems of a few equations are elements: each is an array over the stack, elimination is written out on them,
and all that fuses into one kernel, which works on as many matrices at once as its vectors have places.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from ..arrays.promotion import Operand, result_dtype
from ..errors import DTypeError, LinAlgError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Op, Shape
from ..ir.ops.linear_algebra import SINGULAR
from . import movement
from .creation import eye
from .elementwise import absolute, add, multiply
from .joining import concatenate
from .operands import as_node, broadcast_shapes, constant, shape_text, spread, strong
from .reductions import prod, sum

ALWAYS_UNROLLED = 4
"""Matrices of up to so many rows are unrolled, if there is one alone or many."""
UNROLLED = 8
"""Stacks of matrices of up to so many rows are unrolled."""
MANY = 1000
"""Matrices of such a stack, at least: their kernels take long to compile."""

Elements = list[list[Node]]
"""Rows of elements, each an array over the stack."""


def in_floats(graph: Graph, function: str, *operands: Operand) -> list[Node]:
    """Operands in the one dtype that a function of linear algebra computes in: float32 if all are that, else
    float64. Raises DTypeError for dtypes that LAPACK lacks."""
    dtype = result_dtype(operands)
    if not dtype.is_float:
        dtype = result_dtype((strong(graph, operands[0]), 1.0))
    if dtype.bits == 16:
        raise DTypeError(
            f"{function}: array type {dtype.numpy_name} is unsupported in linalg; use .astype(np.float32)"
        )
    return [as_node(graph, each, dtype) for each in operands]


def check_stack(node: Node) -> None:
    """Raises LinAlgError for what is no stack of matrices."""
    if len(node.shape) < 2:
        raise LinAlgError(
            f"{len(node.shape)}-dimensional array given. Array must be at least two-dimensional"
        )


def check_square(node: Node) -> None:
    """Raises LinAlgError for what is no stack of square matrices."""
    check_stack(node)
    if node.shape[-1] != node.shape[-2]:
        raise LinAlgError(f"Last 2 dimensions of the array must be square, not {shape_text(node.shape[-2:])}")


def library_call(graph: Graph, op: Op, operands: Sequence[Node], extents: Sequence[int] = ()) -> list[Node]:
    """The results of a library function on stacks of one shape."""
    made = graph.make(op, *operands, attributes=(tuple(extents), 0))
    assert op.results is not None, op
    return [graph.make(ops.item, made, attributes=(place,)) for place in range(len(op.results(made)))]


def is_unrolled(stack: Shape, extent: int) -> bool:
    """Whether matrices of a stack are worked on element by element."""
    count = 1
    for each in stack:
        count *= each
    return 0 < extent <= (UNROLLED if count >= MANY else ALWAYS_UNROLLED)


# Elements ----------------------------------------------------------------------------------------------
def elements(graph: Graph, node: Node) -> Elements:
    """The elements of the matrices in the last two axes."""
    stack, (rows, columns) = node.shape[:-2], node.shape[-2:]
    one = (1,) * len(node.shape)

    def element(row: int, column: int) -> Node:
        starts = (*[0] * len(stack), row, column)
        made = graph.make(ops.slice_, node, attributes=(starts, one, (*stack, 1, 1)))
        return movement.reshape(made.shape, stack).apply(graph, made)

    return [[element(row, column) for column in range(columns)] for row in range(rows)]


def from_elements(graph: Graph, rows: Elements) -> Node:
    """Matrices of such elements."""
    parts = [
        movement.reshape(each.shape, (*each.shape, 1)).apply(graph, each) for row in rows for each in row
    ]
    flat = concatenate(graph, parts, -1)
    stack = flat.shape[:-1]
    return movement.reshape(flat.shape, (*stack, len(rows), len(rows[0]))).apply(graph, flat)


class Elimination:
    """Gaussian elimination of unrolled matrices with partial pivoting, applied to right-hand sides as well.

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
        # Where the pivot is 0, all that is below it is, and nothing is subtracted.
        divisor = make(ops.select, make(ops.eq, upper[k], zero), one, upper[k])
        for lower in self.rows[k + 1 :]:
            factor = make(ops.div, lower[k], divisor)
            for j in range(k + 1, len(upper)):
                lower[j] = make(ops.sub, lower[j], make(ops.mul, factor, upper[j]))

    def solution(self) -> Elements:
        """By substitution from the last row up. A run in which a pivot is 0 ends with LinAlgError."""
        make, size = self.graph.make, self.size
        zero = constant(self.graph, 0, self.rows[0][0])
        singular = make(ops.eq, self.rows[0][0], zero)
        for pivot in self.pivots[1:]:
            singular = make(ops.bitwise_or, singular, make(ops.eq, pivot, zero))
        last = self.rows[size - 1]
        last[size - 1] = make(ops.checked, last[size - 1], singular, attributes=(SINGULAR, 0))
        found: Elements = [[] for _ in range(size)]
        for k in reversed(range(size)):
            row = self.rows[k]
            for j in range(size, len(row)):
                value = row[j]
                for i in range(k + 1, size):
                    value = make(ops.sub, value, make(ops.mul, row[i], found[i][j - size]))
                found[k].append(make(ops.div, value, row[k]))
        return found


# Functions ---------------------------------------------------------------------------------------------
def solve(graph: Graph, a: Operand, b: Operand) -> Node:
    """x of a @ x = b; `b` of one axis is a vector, else matrices."""
    left, right = in_floats(graph, "solve", a, b)
    check_square(left)
    vector = len(right.shape) == 1
    if vector:
        right = movement.reshape(right.shape, (*right.shape, 1)).apply(graph, right)
    size = left.shape[-1]
    if len(right.shape) < 2 or right.shape[-2] != size:
        raise ShapeError(
            f"solve: the matrices have {size} rows, and the right-hand sides are of shape "
            f"{shape_text(strong(graph, b).shape)}; they need {size} in their "
            + ("only axis" if vector else "last axis but one")
        )
    stack = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    made = _solve(graph, left, right, stack)
    return movement.reshape(made.shape, made.shape[:-1]).apply(graph, made) if vector else made


def _solve(graph: Graph, a: Node, b: Node, stack: Shape) -> Node:
    size, sides = b.shape[-2:]
    if is_unrolled(stack, size) and 0 < sides <= UNROLLED:
        rows = [[spread(graph, each, stack) for each in row] for row in elements(graph, a)]
        right = [[spread(graph, each, stack) for each in row] for row in elements(graph, b)]
        return from_elements(graph, Elimination(graph, rows, right).solution())
    a, b = spread(graph, a, (*stack, size, size)), spread(graph, b, (*stack, size, sides))
    (made,) = library_call(graph, ops.solve, (a, b))
    return made


def inverse(graph: Graph, a: Operand) -> Node:
    """Inverse matrices: the solutions for the unit matrix."""
    (node,) = in_floats(graph, "inv", a)
    check_square(node)
    size, stack = node.shape[-1], node.shape[:-2]
    unit = eye(graph, size, None, 0, node.dtype)
    if is_unrolled(stack, size):
        one, zero = (spread(graph, graph.constant(value, node.dtype), stack) for value in (1, 0))
        sides = [[one if row == column else zero for column in range(size)] for row in range(size)]
        return from_elements(graph, Elimination(graph, elements(graph, node), sides).solution())
    (made,) = library_call(graph, ops.solve, (node, spread(graph, unit, node.shape)))
    return made


def slogdet(graph: Graph, a: Operand) -> list[Node]:
    """The sign of determinants, and the logarithm of their absolute value."""
    (node,) = in_floats(graph, "slogdet", a)
    check_square(node)
    pivots = _pivots(graph, node)
    return [pivots.sign(), pivots.total(_log_of_size(graph, pivots.each))]


def det(graph: Graph, a: Operand) -> Node:
    """Determinants: products of pivots; where those could leave the range of floats in between, the sign and
    the exponential of the sum of logarithms, which is all that NumPy has."""
    (node,) = in_floats(graph, "det", a)
    check_square(node)
    pivots = _pivots(graph, node)
    logarithms = _log_of_size(graph, pivots.each)
    reach = pivots.total([absolute(graph, each) for each in logarithms])
    power = graph.make(ops.exp, pivots.total(logarithms))
    near = graph.make(ops.lt, reach, constant(graph, _MOST_EXPONENT[node.dtype.bits], reach))
    product = multiply(graph, pivots.parity, pivots.product(pivots.each))
    return graph.make(ops.select, near, product, multiply(graph, pivots.sign(), power))


_MOST_EXPONENT = {32: 86.0, 64: 707.0}
"""Natural logarithms of numbers that are floats of so many bits, as are their reciprocals."""


class _Pivots:
    """The pivots of matrices, `each` one by one where they are unrolled, else an array with one last axis."""

    def __init__(self, graph: Graph, each: list[Node], parity: Node, unrolled: bool) -> None:
        self.graph = graph
        self.each = each
        self.parity = parity
        """1 or -1 for an even or odd number of exchanges of rows."""
        self.unrolled = unrolled

    def total(self, values: list[Node]) -> Node:
        """The sums of what was made of each."""
        if not self.unrolled:
            return sum(self.graph, values[0], -1)
        return reduce(partial(add, self.graph), values)

    def product(self, values: list[Node]) -> Node:
        if not self.unrolled:
            return prod(self.graph, values[0], -1)
        return reduce(partial(multiply, self.graph), values)

    def sign(self) -> Node:
        """0 where a pivot is."""
        make = self.graph.make
        signs = []
        for each in self.each:
            one, less, zero = (constant(self.graph, value, each) for value in (1, -1, 0))
            sign = make(ops.select, make(ops.lt, each, zero), less, one)
            signs.append(make(ops.select, make(ops.eq, each, zero), zero, sign))
        return multiply(self.graph, self.parity, self.product(signs))


def _log_of_size(graph: Graph, values: list[Node]) -> list[Node]:
    return [graph.make(ops.log, graph.make(ops.abs, each)) for each in values]


def _pivots(graph: Graph, node: Node) -> _Pivots:
    size = node.shape[-1]
    if is_unrolled(node.shape[:-2], size):
        done = Elimination(graph, elements(graph, node), [[] for _ in range(size)])
        return _Pivots(graph, done.pivots, done.parity, True)
    diagonal, parity = library_call(graph, ops.lu, (node,))
    return _Pivots(graph, [diagonal], parity, False)
