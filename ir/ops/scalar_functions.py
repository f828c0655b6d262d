"""Functions of elements: an elementwise op whose region of scalars has loops and conditions."""

from __future__ import annotations

from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op, Region, topological
from ..structure import Axes, Ranks, Structural
from ..symbolize import Symbols
from .control import run_region

Array = Any


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    region, position = attributes
    assert isinstance(region, Region) and isinstance(position, int)
    shape = inputs[0].shape
    for node, parameter in zip(inputs, region.parameters, strict=True):
        assert node.shape == shape and not parameter.shape, (inputs, region.parameters)
        assert node.dtype is parameter.dtype, (inputs, region.parameters)
    result = region.results[position]
    assert not result.shape, result
    return shape, result.dtype


def _value(inputs: list[Array], attributes: Given, node: Node) -> Array:
    region, position = attributes
    arrays = [numpy.asarray(each) for each in inputs]
    array = numpy.empty(arrays[0].shape, node.dtype.numpy_name)
    for index in numpy.ndindex(array.shape):
        array[index] = run_region(region, [each[index] for each in arrays])[position]
    return array


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    region, position = node.attributes
    key = axes.region(region, [()] * len(sources), region.parameters)
    for other in sources[1:]:
        axes.unify(sources[0], other)
    return (key, position), sources[0]


def _sized(node: Node, _shape: tuple[int, ...], symbols: Symbols) -> Attributes:
    (region,) = symbols.made
    return region, node.attribute("position")


def _formula(node: Node, inputs: list[str]) -> str:
    return f"function of elements({', '.join(inputs)})"


def is_scalar(region: Region) -> bool:
    """Whether all values of a region, and of nested regions, have rank 0 and are computed one by one."""
    return all(map(_is_of_scalars, topological((*region.parameters, *region.results))))


def _is_of_scalars(node: Node) -> bool:
    if node.op.family == "control":
        regions = [attribute for attribute in node.attributes if isinstance(attribute, Region)]
        return node.op.has_regions and all(map(is_scalar, regions))
    if node.op.family == "movement":
        return not node.shape and bool(node.inputs) and not node.inputs[0].shape
    return not node.shape and node.op.family in ("leaf", "elementwise", "item")


# apply(*inputs): result number `position` of region(*elements), for the elements at each position. Nodes that
# differ in the position alone are computed together.
apply = Op(
    "apply",
    "elementwise",
    _infer,
    _value,
    ("region", "position"),
    _structure,
    _sized,
    cost=64,
    has_regions=True,
    title="function of elements",
    formula=_formula,
)

OPS = (apply,)
