"""Control ops: regions that run many times or under a condition, and custom kernels. Their results are read
through `item`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy

from ..interpret import evaluate
from ..node import Attributes, Given, Inferred, Node, Op, Region, Shape, topological
from ..record import replace
from ..structure import Axes, Ranks, Structural
from ..symbolize import Symbols
from ..types import BOOL, I32, I64, DType
from .formulas import cond_formula, custom_formula, item_formula, loop_formula, while_formula

Array = Any


def _infer_loop(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (region,) = attributes
    lower, upper, *operands = inputs
    assert isinstance(region, Region)
    index, *parameters = region.parameters
    assert index.dtype in (I32, I64) and index.shape == (), index
    assert lower.dtype is index.dtype and upper.dtype is index.dtype, inputs
    for operand, parameter in zip(operands, parameters, strict=True):
        assert operand.shape == parameter.shape and operand.dtype is parameter.dtype, (
            inputs,
            region.parameters,
        )
    for parameter, result in zip(parameters, region.results, strict=False):
        assert result.shape == parameter.shape and result.dtype is parameter.dtype, (inputs, region.results)
    assert len(region.results) <= len(parameters)
    return (), BOOL


def _infer_while(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    body, condition = attributes
    assert isinstance(body, Region) and isinstance(condition, Region)
    for region in (body, condition):
        for node, parameter in zip(inputs, region.parameters, strict=True):
            assert node.shape == parameter.shape and node.dtype is parameter.dtype, (inputs, region)
    for parameter, result in zip(body.parameters, body.results, strict=False):
        assert result.shape == parameter.shape and result.dtype is parameter.dtype, (inputs, body.results)
    assert len(body.results) <= len(body.parameters)
    (test,) = condition.results
    assert test.dtype is BOOL and test.shape == (), test
    return (), BOOL


def _infer_cond(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    then, orelse = attributes
    predicate, *operands = inputs
    assert isinstance(then, Region) and isinstance(orelse, Region)
    assert predicate.dtype is BOOL and predicate.shape == (), inputs
    for region in (then, orelse):
        assert len(region.parameters) == len(operands)
    for x, y in zip(then.results, orelse.results, strict=True):
        assert x.shape == y.shape and x.dtype is y.dtype, (then.results, orelse.results)
    return (), BOOL


class Custom(Protocol):
    """A custom kernel as the graph knows it: equal ones do the same."""

    results: tuple[DType, ...]
    arrays: tuple[DType, ...]
    """The dtypes of the operands that it reads from memory, which come first."""
    scalars: tuple[DType, ...]
    """The dtypes of the scalar operands after those."""

    def reference(
        self, inputs: Sequence[Array], shapes: Sequence[Shape], slots: Sequence[int]
    ) -> list[Array]:
        """Returns the results, by an interpreter."""
        ...


def _infer_custom(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    made: Any = attributes[0]
    shapes = attributes[1]
    assert isinstance(shapes, tuple) and len(shapes) == len(made.results), attributes
    assert [node.dtype for node in inputs] == [*made.arrays, *made.scalars], (inputs, made)
    assert all(node.shape == () for node in inputs[len(made.arrays) :]), inputs
    return (), BOOL


def _custom_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    made, shapes, slots = attributes
    return made.reference(inputs, shapes, slots)


def _infer_item(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    (position,) = attributes
    assert isinstance(position, int)
    (source,) = inputs
    assert source.op.results is not None, source
    return source.op.results(source)[position]


def _region_results(node: Node) -> list[Inferred]:
    region: Region = node.attributes[0]
    return [(result.shape, result.dtype) for result in region.results]


def _custom_results(node: Node) -> list[Inferred]:
    made: Any = node.attributes[0]
    return list(zip(node.attribute("shapes"), made.results))


def run_region(region: Region, arguments: list[Array]) -> list[Array]:
    """Returns the results of a region, by the references of its ops."""
    given = dict(zip(region.parameters, arguments, strict=True))
    for node in topological(region.results):
        if node.op.source == "scalar":
            given[node] = numpy.asarray(
                region.graph.scalar_values[node.attribute("index")], node.dtype.numpy_name
            )
    return evaluate(region.results, given)


def _loop_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    (region,) = attributes
    lower, upper, *operands = inputs
    carried, invariant = operands[: len(region.results)], operands[len(region.results) :]
    for index in range(int(lower), int(upper)):
        carried = run_region(region, [numpy.int64(index), *carried, *invariant])
    return carried


def _while_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    body, condition = attributes
    carried, invariant = inputs[: len(body.results)], inputs[len(body.results) :]
    while run_region(condition, [*carried, *invariant])[0]:
        carried = run_region(body, [*carried, *invariant])
    return carried


def _cond_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    predicate, *operands = inputs
    return run_region(attributes[0] if predicate else attributes[1], operands)


def _item_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    return inputs[0][attributes[0]]


def _loop_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    region: Region = node.attributes[0]
    key = axes.region(region, sources[2:], region.parameters[1:])
    for parameter, result in zip(region.parameters[1:], region.results, strict=False):
        axes.unify(axes.inside(region, parameter), axes.inside(region, result))
    return key, ()


def _while_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    body, condition = node.attributes
    keys = tuple([axes.region(region, sources, region.parameters) for region in (body, condition)])
    for parameter, result in zip(body.parameters, body.results, strict=False):
        axes.unify(axes.inside(body, parameter), axes.inside(body, result))
    return keys, ()


def _cond_structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    then, orelse = node.attributes
    keys = tuple([axes.region(region, sources[1:], region.parameters) for region in (then, orelse)])
    for x, y in zip(then.results, orelse.results, strict=True):
        axes.unify(axes.inside(then, x), axes.inside(orelse, y))
    return keys, ()


def _sized_regions(_node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    return tuple(symbols.made)


def _custom_structure(axes: Axes, node: Node, _sources: Ranks) -> Structural:
    made, shapes, slots = node.attributes
    results = [tuple([axes.number(extent) for extent in shape]) for shape in shapes]
    axes.results[node] = results
    count = len([axes.number(slot) for slot in slots])
    return (made, tuple(map(len, results)), count), ()


def _sized_custom(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    made, shapes, _numbers = node.attributes
    sizes = symbols.node_sizes
    return made, tuple([tuple([next(sizes) for _ in shape]) for shape in shapes]), tuple(sizes)


def _item_structure(axes: Axes, node: Node, _sources: Ranks) -> Structural:
    known = axes.results.get(node.inputs[0])
    if known is not None:
        return node.attributes, known[node.attribute("position")]
    region: Region = node.inputs[0].attributes[0]
    return node.attributes, axes.inside(region, region.results[node.attribute("position")])


def _all_operands(node: Node) -> tuple[Node, ...]:
    return node.inputs


def _loop_operands(node: Node) -> tuple[Node, ...]:
    """Returns the operands in memory, without bounds that are numbers of the program."""
    return tuple(bound for bound in node.inputs[:2] if bound.op.family != "leaf") + node.inputs[2:]


def _custom_operands(node: Node) -> tuple[Node, ...]:
    """Returns the arrays, and computed scalars."""
    count = len(node.attribute("kernel").arrays)
    return node.inputs[:count] + tuple(each for each in node.inputs[count:] if each.op.family != "leaf")


# loop(lower, upper, *initial, *invariant): region(index, *carried, *invariant) -> *carried,
# for index in range(lower, upper).
loop = Op(
    "loop",
    "control",
    _infer_loop,
    _loop_value,
    ("region",),
    _loop_structure,
    _sized_regions,
    has_regions=True,
    results=_region_results,
    formula=loop_formula,
    memory_operands=_loop_operands,
    bounds=2,
    carries=True,
)
# A loop of which the program says that iterations are independent.
parallel_loop = replace(loop, name="parallel_loop", independent=True)
# while(*initial, *invariant): while condition(*carried, *invariant): body(*carried, *invariant) -> *carried.
while_ = Op(
    "while",
    "control",
    _infer_while,
    _while_value,
    ("body", "condition"),
    _while_structure,
    _sized_regions,
    has_regions=True,
    results=_region_results,
    formula=while_formula,
    memory_operands=_all_operands,
    carries=True,
)
# cond(predicate, *operands): one of two regions.
cond = Op(
    "cond",
    "control",
    _infer_cond,
    _cond_value,
    ("then", "orelse"),
    _cond_structure,
    _sized_regions,
    has_regions=True,
    results=_region_results,
    formula=cond_formula,
    memory_operands=_all_operands,
)
# custom(*arrays, *scalars): one launch of a kernel, a `Custom`, that makes results of these shapes.
# `sizes`: workgroups along each axis, then the kernel's sizes.
custom = Op(
    "custom",
    "control",
    _infer_custom,
    _custom_value,
    ("kernel", "shapes", "numbers"),
    _custom_structure,
    _sized_custom,
    results=_custom_results,
    title="kernel written by hand",
    formula=custom_formula,
    memory_operands=_custom_operands,
    launches=True,
)
# One of the results of a control op.
item = Op("item", "item", _infer_item, _item_value, ("position",), _item_structure, formula=item_formula)

OPS = (loop, parallel_loop, while_, cond, custom, item)
