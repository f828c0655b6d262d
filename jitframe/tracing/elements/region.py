"""Elementwise functions inside a trace: a Python function of scalars, traced once into the region of an
elementwise op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.calls import operand
from ...api.frame import Frame
from ...api.reductions import max as largest
from ...errors import ShapeError, TraceError, UnsupportedError
from ...functions.operands import as_node, broadcast_shapes, cast, shape_text, spread, strong
from ...ir import ops
from ...ir.node import Attributes, Graph, Node, Region, Shape, topological
from ...ir.ops.scalar_functions import is_scalar
from ...ir.record import record
from ...ir.types import BOOL, DType
from ..arguments.trees import LEAF, Tree
from ..values.cells import Cell
from ..values.regions import IterationsNeededError, RegionFrame, run_region, value_of
from ..values.traced import ARRAY, SCALAR, TracedArray
from ..values.traced_frame import TraceFrame, current_trace

Call = Callable[..., Any]


class NotScalarError(Exception):
    """A function whose result for an element is no scalar."""


class Elements(metaclass=record):
    """A traced elementwise function."""

    region: Region
    given: tuple[Node, ...]
    """Values of the enclosing trace that it reads: its last parameters."""
    is_tuple: bool
    """Whether it returns several values."""
    is_checked: bool
    """Whether its last result is the code of the exception that it raises."""

    @property
    def count(self) -> int:
        """The number of returned values."""
        return len(self.region.results) - self.is_checked


class TracedRegion(metaclass=record):
    """The region of a call whose arguments are its parameters."""

    frame: RegionFrame
    results: tuple[Node, ...]
    is_tuple: bool
    is_checked: bool


def trace_call(
    frame: TraceFrame,
    function: Call,
    name: str,
    arguments: Sequence[tuple[Shape, DType]],
    dtypes: Sequence[DType] | None,
) -> TracedRegion:
    """Traces one call of a function into a region. `dtypes`: those of its results, which are cast."""
    region = RegionFrame(f"the function {name}", frame)
    arrays = []
    for shape, dtype in arguments:
        node = region.graph.parameter(len(region.inputs), shape, dtype)
        region.inputs.append(node)
        arrays.append(TracedArray(Cell(region, node), None, ARRAY if shape else SCALAR))
    checks = None if frame.root.hooks is None else frame.root.hooks.checks
    before = None if checks is None else checks.code
    code: Any = 0
    try:
        if checks is not None:
            checks.code = 0
        tree, values = run_region(region, function, arrays)
        code = 0 if checks is None else checks.code
    except IterationsNeededError:
        raise UnsupportedError(
            f"vectorize: {name} draws random numbers, which would be the same for every element; draw an "
            "array of them outside, and pass it as an argument"
        ) from None
    except TraceError as error:
        if frame.root.hooks is not None:  # what follows is a trace without capture, which says less
            frame.root.hooks.capturing.unread.setdefault(name, error.message)
        raise
    finally:
        if checks is not None:
            checks.code = before
    is_tuple = _is_tuple(tree, name)
    if dtypes is not None and len(dtypes) != len(values):
        raise ShapeError(
            f"vectorize: otypes has {len(dtypes)} dtypes, and {name} returns {len(values)} values"
        )
    nodes = [value.node for value in values]
    if dtypes is not None:
        nodes = [cast(region.graph, node, dtype) for node, dtype in zip(nodes, dtypes, strict=True)]
    is_checked = isinstance(code, TracedArray)
    if is_checked:
        nodes.append(value_of(region, code, name).node)
    return TracedRegion(region, tuple(nodes), is_tuple, is_checked)


def _is_tuple(tree: Tree, name: str) -> bool:
    if not isinstance(tree, tuple):
        return False
    kind, _, members = tree
    if kind is not tuple or not members or any(member is not LEAF for member in members):
        raise TraceError(
            f"vectorize: {name} returns a {kind.__name__}; it may return a number, or a tuple of them"
        )
    return True


def trace_elements(
    frame: TraceFrame,
    function: Call,
    name: str,
    operands: Sequence[DType],
    dtypes: Sequence[DType] | None,
    masked: bool = False,
) -> Elements:
    """Traces a function of scalars of these dtypes.

    Raises NotScalarError for one that is no function of scalars alone.
    """
    traced = trace_call(frame, function, name, [((), dtype) for dtype in operands], dtypes)
    for node in traced.results:
        if node.shape:
            raise ShapeError(
                f"vectorize: {name} returns an array of shape {shape_text(node.shape)} for an element; give "
                "signature=, such as '()->(n)', or return a tuple of numbers"
            )
    region, nodes = traced.frame, list(traced.frame.invariants)
    made = Region(region.graph, tuple(region.inputs), traced.results)
    if any(node.shape for node in nodes) or not is_scalar(made):
        raise NotScalarError
    scalars = _scalars_of(made)
    if scalars:
        made = _given_scalars(made, scalars)
        nodes += [frame.graph.make(node.op, attributes=node.attributes) for node in scalars]
    if masked:
        made = _where(made, len(operands))
    return Elements(made, tuple(nodes), traced.is_tuple, traced.is_checked)


def _scalars_of(region: Region) -> list[Node]:
    """Returns the run-time scalars in a region and in its nested ones, one node of each."""
    found: dict[Attributes, Node] = {}
    for node in topological((*region.parameters, *region.results)):
        if node.op.source == "scalar":
            found.setdefault(node.attributes, node)
        for attribute in node.attributes:
            if isinstance(attribute, Region):
                found.update({inner.attributes: inner for inner in _scalars_of(attribute)})
    return list(found.values())


def _given_scalars(region: Region, scalars: Sequence[Node]) -> Region:
    """Replaces run-time scalars in the region by further parameters: an operation is made of its operands
    alone."""
    graph, made = Graph(), dict[Node, Node]()
    count = len(region.parameters)
    further = [graph.parameter(count + k, (), node.dtype) for k, node in enumerate(scalars)]
    place = dict(zip((node.attributes for node in scalars), further, strict=True))
    for node in topological((*region.parameters, *region.results)):
        if node.op.source == "scalar":
            made[node] = place[node.attributes]
            continue
        inputs = [made[source] for source in node.inputs]
        attributes = node.attributes
        if any(isinstance(attribute, Region) for attribute in attributes):
            attributes = tuple(
                _given_scalars(attribute, scalars) if isinstance(attribute, Region) else attribute
                for attribute in attributes
            )
            inputs += further
        made[node] = graph.make(node.op, *inputs, attributes=attributes)
    parameters = (*(made[node] for node in region.parameters), *further)
    return Region(graph, parameters, tuple(made[node] for node in region.results))


def _where(region: Region, count: int) -> Region:
    """Wraps a region in a condition on one more parameter, after `count` of its own; zeros elsewhere."""
    outer = Graph(region.graph)
    types = [parameter.dtype for parameter in region.parameters]
    types.insert(count, BOOL)
    parameters = [outer.parameter(index, (), dtype) for index, dtype in enumerate(types)]
    zeros = Graph(region.graph)
    unused = [
        zeros.parameter(index, (), parameter.dtype) for index, parameter in enumerate(region.parameters)
    ]
    nothing = [zeros.constant(0, result.dtype) for result in region.results]
    node = outer.make(
        ops.cond, parameters[count], *parameters[:count], *parameters[count + 1 :],
        attributes=(region, Region(zeros, tuple(unused), tuple(nothing))),
    )  # fmt: skip
    items = [outer.make(ops.item, node, attributes=(k,)) for k in range(len(region.results))]
    return Region(outer, tuple(parameters), tuple(items))


def applied(
    frame: Frame,
    elements: Elements,
    given_in: Callable[[Graph], Sequence[Node]],
    values: Sequence[Any],
    mask: Any = True,
) -> tuple[Graph, list[Node]]:
    """Applies an elementwise function to operands broadcast against each other; returns the graph and the
    results."""
    graph, region = frame.begin(), elements.region
    nodes = [strong(graph, operand(frame, graph, value)) for value in values]
    if mask is not True:
        nodes.append(as_node(graph, operand(frame, graph, mask), BOOL))
    shape = broadcast_shapes(*(node.shape for node in nodes))
    nodes += given_in(graph)
    inputs = [spread(graph, node, shape) for node in nodes]
    return graph, [
        graph.make(ops.apply, *inputs, attributes=(region, position))
        for position in range(len(region.results))
    ]


def operand_dtypes(frame: Frame, values: Sequence[Any]) -> list[DType]:
    """Returns the dtypes of a function's operands: NumPy's of arrays and scalars."""
    graph = frame.begin()
    return [strong(graph, operand(frame, graph, value)).dtype for value in values]


def call_in_trace(
    function: Call, name: str, values: Sequence[Any], dtypes: Sequence[DType] | None, mask: Any = True
) -> Any:
    """Applies an elementwise function to traced values; returns its result, or a tuple of them."""
    frame = current_trace()
    elements = trace_elements(frame, function, name, operand_dtypes(frame, values), dtypes, mask is not True)
    graph, nodes = applied(frame, elements, lambda _: elements.given, values, mask)
    if elements.is_checked:
        note_raised(frame, frame.wrap(graph, nodes.pop()))
    arrays = tuple(frame.wrap(graph, node) for node in nodes)
    return arrays if elements.is_tuple else arrays[0]


def note_raised(frame: TraceFrame, codes: Any) -> None:
    """Records which exceptions the elements of an array raised."""
    if codes.size:
        frame.root.hooks.checks.join(largest(codes))
