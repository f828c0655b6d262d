"""Linear equations, inverses and determinants on nodes: calls of a library on stacks of matrices, and small
matrices unrolled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce

from ..arrays.promotion import Operand, result_dtype
from ..errors import DTypeError, LinAlgError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Op, Shape
from ..ir.ops import small_matrices
from ..ir.ops.complex_linear_algebra import TWINS
from ..ir.ops.linear_algebra import PARTS
from ..ir.types import C128, F64, PART_OF, DType
from . import movement
from .complex_numbers import as_reals, of_reals
from .creation import eye
from .elementwise import absolute, add, divide, multiply
from .formula import Term, where
from .operands import as_node, broadcast_shapes, cast, constant, reshaped, shape_text, spread, strong
from .reductions import prod, sum
from .unrolled_matrices import MANY, UNROLLED, Elimination, elements, from_elements, is_unrolled


def in_doubles(graph: Graph, function: str, *operands: Operand) -> tuple[DType, list[Node]]:
    """The dtype of a function's result, float32 or complex64 if all operands are floats of 32 bits, else
    float64 or complex128; and operands in the latter, which NumPy always computes in (in the former where the
    device has no others).

    Raises DTypeError for dtypes that LAPACK lacks.
    """
    dtype = result_dtype(operands)
    if not all(strong(graph, operand).dtype.is_inexact for operand in operands):
        dtype = C128 if dtype.is_complex else F64
    if dtype.bits == 16:
        raise DTypeError(
            f"{function}: array type {dtype.numpy_name} is unsupported in linalg; use .astype(np.float32)"
        )
    wide = C128 if dtype.is_complex else F64
    return dtype, [cast(graph, as_node(graph, operand, dtype), wide) for operand in operands]


def narrowed(graph: Graph, node: Node, dtype: DType) -> Node:
    """A result in the dtype of a function; what is real of complex matrices in that of their parts."""
    return cast(graph, node, dtype if node.dtype.is_complex else PART_OF.get(dtype, dtype))


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
    """The results of a library function on stacks of one shape, of real or of complex matrices."""
    if not operands[0].dtype.is_complex:
        return _items(graph, op, operands, extents)
    twin = TWINS[op]
    nodes = [as_reals(graph, operand) if operand.dtype.is_complex else operand for operand in operands]
    results = _items(graph, twin, nodes, extents)
    cores = twin.library.results
    return [
        of_reals(graph, result) if core.endswith(PARTS) else result
        for result, core in zip(results, cores, strict=True)
    ]


def _items(graph: Graph, op: Op, operands: Sequence[Node], extents: Sequence[int]) -> list[Node]:
    node = graph.make(op, *operands, attributes=(tuple(extents), 0))
    assert op.results is not None, op
    return [graph.make(ops.item, node, attributes=(place,)) for place in range(len(op.results(node)))]


def are_small(node: Node, columns: int = 0) -> bool:
    """Whether one kernel processes all matrices of a stack, with this many further columns, together."""
    *stack, rows, own = node.shape
    most = max(rows, own, columns)
    return (
        not node.dtype.is_complex
        and min(rows, own) > 0
        and most <= small_matrices.MOST
        and math.prod(stack) >= MANY
    )


# Functions ---------------------------------------------------------------------------------------------
def solve(graph: Graph, a: Operand, b: Operand) -> Node:
    """x of a @ x = b; `b` of one axis is a vector, else matrices."""
    dtype, (left, right) = in_doubles(graph, "solve", a, b)
    check_square(left)
    vector = len(right.shape) == 1
    if vector:
        right = reshaped(graph, right, (*right.shape, 1))
    size = left.shape[-1]
    if len(right.shape) < 2 or right.shape[-2] != size:
        raise ShapeError(
            f"solve: the matrices have {size} rows, and the right-hand sides are of shape "
            f"{shape_text(strong(graph, b).shape)}; they need {size} in their "
            + ("only axis" if vector else "last axis but one")
        )
    stack = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    node = cast(graph, _solve(graph, left, right, stack), dtype)
    return movement.reshape(node.shape, node.shape[:-1]).apply(graph, node) if vector else node


def _solve(graph: Graph, a: Node, b: Node, stack: Shape) -> Node:
    size, sides = b.shape[-2:]
    if is_unrolled(graph, stack, size, a.dtype) and 0 < sides <= UNROLLED:
        rows = [[spread(graph, node, stack) for node in row] for row in elements(graph, a)]
        right = [[spread(graph, node, stack) for node in row] for row in elements(graph, b)]
        return from_elements(graph, Elimination(graph, rows, right).solution())
    a, b = spread(graph, a, (*stack, size, size)), spread(graph, b, (*stack, size, sides))
    op = small_matrices.small_solve if are_small(a, sides) and sides else ops.solve
    (node,) = library_call(graph, op, (a, b))
    return node


def inverse(graph: Graph, a: Operand) -> Node:
    """Inverse matrices: the solutions for the unit matrix."""
    dtype, (node,) = in_doubles(graph, "inv", a)
    check_square(node)
    size, stack = node.shape[-1], node.shape[:-2]
    unit = eye(graph, size, None, 0, node.dtype)
    if is_unrolled(graph, stack, size, node.dtype):
        one, zero = (spread(graph, graph.constant(value, node.dtype), stack) for value in (1, 0))
        sides = [[one if row == column else zero for column in range(size)] for row in range(size)]
        made = from_elements(graph, Elimination(graph, elements(graph, node), sides).solution())
    elif are_small(node):
        (made,) = library_call(graph, small_matrices.small_inv, (node,))
    else:
        (made,) = library_call(graph, ops.solve, (node, spread(graph, unit, node.shape)))
    return cast(graph, made, dtype)


def slogdet(graph: Graph, a: Operand) -> list[Node]:
    """The sign of determinants, and the logarithm of their absolute value."""
    dtype, (node,) = in_doubles(graph, "slogdet", a)
    check_square(node)
    pivots = _pivots(graph, node)
    found = pivots.sign(), pivots.total(_log_of_size(graph, pivots.each))
    return [narrowed(graph, each, dtype) for each in found]


def det(graph: Graph, a: Operand) -> Node:
    """Determinants: products of pivots; where those could leave the range of floats in between, the sign and
    the exponential of the sum of logarithms, which is all that NumPy has."""
    dtype, (node,) = in_doubles(graph, "det", a)
    check_square(node)
    pivots = _pivots(graph, node)
    logarithms = _log_of_size(graph, pivots.each)
    reach = pivots.total([absolute(graph, logarithm) for logarithm in logarithms])
    power = graph.make(ops.exp, pivots.total(logarithms))
    near = graph.make(ops.lt, reach, constant(graph, _MOST_EXPONENT[reach.dtype.bits], reach))
    product = multiply(graph, pivots.parity, pivots.product(pivots.each))
    made = graph.make(ops.select, near, product, multiply(graph, pivots.sign(), power))
    return cast(graph, made, dtype)


_MOST_EXPONENT = {32: 86.0, 64: 707.0}
"""The largest natural logarithm of a float of these bits whose reciprocal is finite too."""


class _Pivots:
    """The pivots of matrices, `each` one by one where they are unrolled, else an array with one last axis."""

    def __init__(self, graph: Graph, each: list[Node], parity: Node, unrolled: bool) -> None:
        self.graph = graph
        self.each = each
        self.parity = parity
        """1 or -1 for an even or odd number of exchanges of rows."""
        self.unrolled = unrolled

    def total(self, values: list[Node]) -> Node:
        """The sums of these values over all pivots."""
        if not self.unrolled:
            return sum(self.graph, values[0], -1)
        return reduce(partial(add, self.graph), values)

    def product(self, values: list[Node]) -> Node:
        if not self.unrolled:
            return prod(self.graph, values[0], -1)
        return reduce(partial(multiply, self.graph), values)

    def sign(self) -> Node:
        """0 if a pivot is 0."""
        signs = []
        for node in self.each:
            if node.dtype.is_complex:
                size = Term(self.graph, absolute(self.graph, node))
                signs.append(divide(self.graph, node, where(size == 0, 1, size).node))
            else:
                pivot = Term(self.graph, node)
                signs.append(where(pivot == 0, 0, where(pivot < 0, -1, pivot.like(1))).node)
        return multiply(self.graph, self.parity, self.product(signs))


def _log_of_size(graph: Graph, values: list[Node]) -> list[Node]:
    return [graph.make(ops.log, absolute(graph, value)) for value in values]


def _pivots(graph: Graph, node: Node) -> _Pivots:
    size = node.shape[-1]
    if is_unrolled(graph, node.shape[:-2], size, node.dtype):
        done = Elimination(graph, elements(graph, node), [[] for _ in range(size)])
        return _Pivots(graph, done.pivots, done.parity, True)
    op = small_matrices.small_lu if are_small(node) else ops.lu
    diagonal, parity = library_call(graph, op, (node,))
    return _Pivots(graph, [diagonal], parity, False)
