"""Brings the operands of a function to one shape and one dtype by explicit casts and broadcasts."""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays.promotion import NUMBERS, Number, Operand, Weak, castable, check_fits, promote, result_dtype
from ..base.arguments import check_size
from ..errors import DTypeError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import BOOL, F32, I32, I64, U32, DType

_REAL = NUMBERS - {complex}
"""Kinds of numbers that every float dtype accepts."""


def shape_text(shape: Sequence[int]) -> str:
    """A shape as NumPy's messages spell it: `(3,)`, `(2,3)`."""
    return f"({','.join(str(extent) for extent in shape)}{',' if len(shape) == 1 else ''})"


def broadcast_shapes(*shapes: Shape) -> Shape:
    """NumPy's broadcast of shapes. Raises ShapeError."""
    rank = max(map(len, shapes))
    result = [1] * rank
    for shape in shapes:
        offset = rank - len(shape)
        for axis, extent in enumerate(shape):
            if extent == 1:
                continue
            if result[offset + axis] not in (1, extent):
                texts = " ".join(shape_text(each) for each in shapes)
                raise ShapeError(f"operands could not be broadcast together with shapes {texts}")
            result[offset + axis] = extent
    whole = tuple(result)
    if whole not in shapes:  # larger than each of them
        check_size(whole, 1)
    return whole


def reshaped(graph: Graph, node: Node, shape: Shape) -> Node:
    """The elements in C order in another shape, of as many."""
    return node if node.shape == shape else graph.make(ops.reshape, node, attributes=(shape,))


def broadcasts(source: Sequence[int], target: Sequence[int]) -> bool:
    """Whether an array of shape `source` broadcasts to `target`."""
    offset = len(target) - len(source)
    return offset >= 0 and all(extent in (1, target[offset + axis]) for axis, extent in enumerate(source))


def spread(graph: Graph, node: Node, shape: Shape) -> Node:
    """`node` broadcast to `shape`, which it must fit."""
    source = node.shape
    if source == shape:
        return node
    if source:
        offset = len(shape) - len(source)
        axes = tuple(axis for axis in range(len(source)) if source[axis] == shape[offset + axis])
        if len(axes) < len(source):
            node = graph.make(ops.reshape, node, attributes=(tuple(source[axis] for axis in axes),))
            if node.shape == shape:
                return node
        return graph.make(ops.broadcast, node, attributes=(shape, tuple(axis + offset for axis in axes)))
    return graph.make(ops.broadcast, node, attributes=(shape, ()))


def fitted(graph: Graph, node: Node, shape: Shape, what: str = "input array") -> Node:
    """`node` broadcast to `shape`, leading axes of extent 1 removed. Raises ShapeError."""
    inner = node.shape
    extra = len(inner) - len(shape)
    if extra > 0 and all(extent == 1 for extent in inner[:extra]):
        inner = inner[extra:]
        node = graph.make(ops.reshape, node, attributes=(inner,))
    if not broadcasts(inner, shape):
        raise ShapeError(
            f"could not broadcast {what} from shape {shape_text(inner)} into shape {shape_text(shape)}"
        )
    return spread(graph, node, shape)


def cast(graph: Graph, node: Node, dtype: DType) -> Node:
    """`node` as `dtype`, by NumPy's unsafe casting."""
    return node if node.dtype is dtype else graph.make(ops.cast, node, attributes=(dtype,))


def in_computed(graph: Graph, x: Node) -> Node:
    """`x` in the dtype in which several steps are computed: float32 for 16-bit floats, else its own."""
    return cast(graph, x, F32) if x.dtype.is_float and x.dtype.bits == 16 else x


def number(graph: Graph, value: Number, dtype: DType) -> Node:
    """A Python number as a rank-0 node. Raises NumberError where the dtype cannot hold it."""
    if isinstance(value, complex):
        if dtype.is_complex:
            return graph.number(value, dtype)
        if dtype is BOOL:
            return graph.constant(bool(value), dtype)
        raise DTypeError(f"a complex number is no {dtype.numpy_name}; write its .real, or abs() of it")
    if dtype.is_integer:
        check_fits(value, dtype)
    return graph.number(bool(value) if dtype is BOOL else value, dtype)


def as_node(graph: Graph, operand: Operand, dtype: DType) -> Node:
    """Any operand as a node of `dtype` in its own shape."""
    if operand.__class__ is Node:
        return cast(graph, operand, dtype)
    if isinstance(operand, Weak):
        return cast(graph, operand.node, dtype)
    return number(graph, operand, dtype)  # type: ignore[arg-type]


def strong(graph: Graph, operand: Operand) -> Node:
    """Any operand as a node of its own dtype; weak ones get the default dtype of their kind."""
    return as_node(graph, operand, result_dtype((operand,)))


def pair(graph: Graph, x: Operand, y: Operand) -> tuple[Node, Node]:
    """Two operands in one dtype and one shape."""
    if isinstance(x, Node):
        if isinstance(y, Node):
            if x.dtype is not y.dtype:
                dtype = promote(x.dtype, y.dtype)
                x, y = cast(graph, x, dtype), cast(graph, y, dtype)
            if x.shape == y.shape:
                return x, y
            shape = broadcast_shapes(x.shape, y.shape)
            return spread(graph, x, shape), spread(graph, y, shape)
        if y.__class__ in _REAL and x.dtype.is_inexact:
            return x, filled(graph, y, x)  # type: ignore[arg-type]
    elif isinstance(y, Node) and x.__class__ in _REAL and y.dtype.is_inexact:
        return filled(graph, x, y), y  # type: ignore[arg-type]
    first, second = match(graph, (x, y))
    return first, second


def match(graph: Graph, operands: Sequence[Operand], dtype: DType | None = None) -> list[Node]:
    """Any number of operands in one dtype (by default their promoted one) and one shape."""
    dtype = result_dtype(operands) if dtype is None else dtype
    nodes = [as_node(graph, operand, dtype) for operand in operands]
    shape = broadcast_shapes(*(node.shape for node in nodes))
    return [spread(graph, node, shape) for node in nodes]


def filled(graph: Graph, value: Number, like: Node) -> Node:
    """A number in the shape and dtype of another node."""
    node = graph.number(value, like.dtype)
    return graph.make(ops.broadcast, node, attributes=(like.shape, ())) if like.shape else node


def constant(graph: Graph, value: Number, like: Node) -> Node:
    """A constant of a format or an algorithm, as a constant of the kernel, in the shape and dtype of a
    node."""
    node = graph.constant(value, like.dtype)
    return graph.make(ops.broadcast, node, attributes=(like.shape, ())) if like.shape else node


def is_number(operand: object) -> bool:
    """Whether an operand is a weak number known while tracing."""
    return operand.__class__ in NUMBERS


def truth(graph: Graph, operand: Operand) -> Node:
    """Any operand as bool: whether it differs from zero."""
    return as_node(graph, operand, BOOL)


def check_output(dtype: DType, shape: Shape, target: DType, target_shape: Shape, whole: bool = False) -> None:
    """Raises if a result may not be written to an array of another dtype and shape."""
    if shape != target_shape and whole:
        raise ShapeError(
            f"out= has the shape {shape_text(target_shape)}, and the result {shape_text(shape)}: "
            "they must be equal"
        )
    if not castable(dtype, target):
        raise DTypeError(
            f"cannot cast the result from {dtype.numpy_name} to the {target.numpy_name} of the array it is "
            "written to; use .astype() on the result"
        )
    if shape != target_shape and not broadcasts(shape, target_shape):
        raise ShapeError(
            f"non-broadcastable output operand with shape {shape_text(target_shape)} doesn't match the "
            f"broadcast shape {shape_text(shape)}"
        )


def from_start(graph: Graph, positions: Operand) -> Node:
    """Positions that do not count from the end: negative ones are out of bounds."""
    node = strong(graph, positions)
    if node.dtype.kind != "int":
        return node
    if node.dtype is not I64:
        return cast(graph, cast(graph, node, I32), U32)
    largest = graph.constant(2**63 - 1, I64)
    negative = graph.make(ops.lt, *pair(graph, node, 0))
    return graph.make(ops.select, negative, spread(graph, largest, node.shape), node)
