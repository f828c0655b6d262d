"""Convolutions of 3 x 3 with fewer products: sums of products of transformed weights and images.

Squares of 2 x 2 results are made of 16 sums in place of 36 (S. Winograd, "Arithmetic Complexity of
Computations", SIAM 1980; A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR
2016, https://arxiv.org/abs/1509.09308):
A' [(G g G') * (B' d B)] A of weights g and a square d of 4 x 4 elements of the image.

`winograd_weights` are the weights, in memory as G g G', of which `winograd_dot` is the only user.
"""

from __future__ import annotations

from typing import Any

from ..node import Inferred, Node, Op
from ..record import replace
from ..structure import Axes, Ranks, Structural
from .panels import panels
from .reduction import dot, packed_dot

# winograd_weights(matrix[rows, channels * places of a window]), read through `item`.
winograd_weights = replace(
    panels,
    name="winograd_weights",
    formula=lambda _node, inputs: f"transformed({inputs[0]})",
    kinds=frozenset(("float",)),
    title="transform of weights",
)


def _infer(inputs: tuple[Node, ...], attributes: tuple[Any, ...]) -> Inferred:
    x, _, weights = inputs
    assert len(weights.shape) == 2 and weights.dtype is x.dtype, inputs
    return packed_dot.infer(inputs[:2], attributes)


def _value(inputs: list[Any], attributes: tuple[Any, ...], node: Node) -> Any:
    return packed_dot.reference(inputs[:2], attributes, node)


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    assert packed_dot.structure is not None
    return packed_dot.structure(axes, node, sources[:2])


# packed_dot(x, y) whose y is windows of 3 x 3 of images, the third operand the transformed weights of x.
winograd_dot = Op(
    "winograd_dot",
    "contract",
    _infer,
    _value,
    packed_dot.attribute_names,
    _structure,
    cost=packed_dot.cost,
    kinds=frozenset(("float",)),
    by_kernel=True,
    in_panels=True,
    fills_margins=True,
)
# x @ y where y is windows of images: a convolution, which may be made of other products.
image_dot = replace(dot, name="image_dot")

OPS = (winograd_weights, winograd_dot, image_dot)
