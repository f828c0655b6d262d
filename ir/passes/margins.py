"""Padding of images whose windows are operands of products: the zeros need no memory."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from ..expr import ONE, Expr, lift
from ..index import view_of
from ..node import Node
from ..record import record

Term = tuple[int, Expr]
"""An axis of the right operand, and the step along the image of one along it."""


class ImageAxis(metaclass=record):
    """The positions on one axis of the image: `start` and steps along axes of the operand."""

    extent: Expr
    start: Expr
    batch: Term | None
    inner: Term | None
    column: Term | None


class Image(metaclass=record):
    """The array whose windows an operand is; beyond its ends are zeros."""

    node: Node
    axes: tuple[ImageAxis, ...]


def inside_of(node: Node) -> Node | None:
    """The array that a node is the zero padding of."""
    if node.op.family != "update" or len(node.inputs) != 2 or set(node.attribute("steps")) != {1}:
        return None
    zeros, value = node.inputs
    while zeros.op.family == "movement" and zeros.inputs:
        (zeros,) = zeros.inputs
    if zeros.op.source != "constant":
        return None
    return value if float(zeros.attributes[0].value) == 0 else None


def operands_in_memory(node: Node) -> list[Node]:
    """The arrays that a contraction's operands are read from."""
    nodes = []
    for number, source in enumerate(node.inputs):
        base, _ = view_of(source)
        inner = inside_of(base) if node.op.fills_margins and number == 1 else None
        nodes.append(base if inner is None else view_of(inner)[0])
    return nodes


def image_of(y: Node, batch: int, columns: int) -> Image | None:
    """The image whose windows the right operand is, [*batch, *inner, *columns]; None where its axes are no
    sums of one of each kind."""
    base, dims = view_of(y)
    value = inside_of(base)
    befores = (0,) * len(dims) if value is None else base.attribute("starts")
    node, middle = base if value is None else value, len(y.shape) - columns
    axes, seen = [], set[int]()
    for dim, before, extent, whole in zip(dims, befores, node.shape, base.shape, strict=True):
        terms: dict[str, Term] = {}
        for axis, step in dim.terms:
            assert isinstance(axis, int)
            kind = "batch" if axis < batch else "inner" if axis < middle else "column"
            if kind in terms or axis in seen:
                return None
            seen.add(axis)
            terms[kind] = axis, step
        if "batch" in terms and len(terms) > 1:
            return None
        if not terms.keys() & {"inner", "column"} and lift(extent) is not lift(whole):
            return None
        of_kinds = (terms.get(kind) for kind in ("batch", "inner", "column"))
        axes.append(ImageAxis(lift(extent), dim.start - before, *of_kinds))
    missing = set(range(batch, len(y.shape))) - seen
    return None if any(lift(y.shape[axis]) is not ONE for axis in missing) else Image(node, tuple(axes))


def is_margin(node: Node, users: Mapping[Node, Sequence[Node]], outputs: Container[Node]) -> bool:
    """Whether an update only pads an image with zeros for products that pad by themselves."""
    if inside_of(node) is None:
        return False
    pending = [node]
    while pending:
        each = pending.pop()
        if each in outputs or not users[each]:
            return False
        for user in users[each]:
            if user.op.fills_margins and user.inputs[0] is not each and inside_of(view_of(user.inputs[1])[0]):
                continue
            if user.op.family != "movement":
                return False
            pending.append(user)
    return True
