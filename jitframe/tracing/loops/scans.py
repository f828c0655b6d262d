"""`scan` inside a trace: a loop whose body reads position i of what it goes along, and writes position i of
what it collects; and a function of the user's on each row of an array, traced once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.frame import current_frame
from ...api.movement import as_lazy
from ...base.arguments import check_size
from ...errors import TraceError
from ...functions.creation import full, iota
from ...ir import ops
from ...ir.derive import batch
from ...ir.node import Node
from ...ir.types import I64
from ..arguments.trees import Deconstructed, deconstruct, reconstruct
from ..jit import jit
from ..values.cells import Cell
from ..values.region_loops import trace_loop
from ..values.regions import RegionFrame, outside_value, run_region, value_of, values_of
from ..values.traced import ARRAY, TracedArray
from ..values.traced_frame import TraceFrame, current_trace

NAME = "jf.scan"


def trace_scan(
    function: Callable[[Any, Any], Any], initial: Any, along: Any, length: int, reverse: bool
) -> tuple[Any, Any]:
    """Returns the carried values at the end, and the collected ones, stacked along a new first axis."""
    frame = current_trace()
    along_form, leaves = deconstruct(along)
    nodes = [value_of(frame, leaf, f"what {NAME} goes along").node for leaf in leaves]
    # An empty scan traces its step on a row of zeros for the forms of the collected values.
    graph = frame.begin()
    rows = [
        outside_value(frame, node if length else full(graph, (1, *node.shape[1:]), 0, node.dtype))
        for node in nodes
    ]

    def step(index: Any, carried: Any) -> tuple[Any, Any]:
        return pair(function(carried, reconstruct(along_form, [row[index] for row in rows])))

    form, collected = _collected(frame, step, initial, length)

    def body(index: Any, state: Any) -> Any:
        carried, stacks = state
        place = length - 1 - index if reverse else index
        carried, found = step(place, carried)
        found_form, parts = deconstruct(found)
        if found_form != form:
            raise TraceError(f"{NAME}: the function collects other containers at some steps than at others")
        for stack, part in zip(stacks, parts, strict=True) if length else ():
            stack[place] = part
        return carried, stacks

    carried, stacks = trace_loop(0, length, body, (initial, collected))
    return carried, reconstruct(form, stacks)


def pair(returned: Any) -> tuple[Any, Any]:
    """Separates the carried values of a step from the collected ones."""
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise TraceError(
            f"{NAME}: the function must return two values, what it carries on and what it collects (None for "
            f"nothing); it returns {describe(returned)}"
        )
    return returned


def describe(value: Any) -> str:
    """Describes a value in a message: its number of members, or its type."""
    return f"{len(value)} values" if isinstance(value, tuple) else f"a {type(value).__name__}"


def _collected(
    frame: TraceFrame, step: Callable[[Any, Any], tuple[Any, Any]], initial: Any, length: int
) -> tuple[Deconstructed, list[Any]]:
    """Traces a step for the form of its collected values; returns it with an empty array for each of their
    leaves."""
    tree, values = values_of(frame, initial, f"what {NAME} starts with")
    region = RegionFrame(f"the function of {NAME}", frame)
    index = region.counter((0, length))
    before = len(frame.root.taken)
    carried = region.body_arguments(tree, values)
    forms: list[Deconstructed] = []

    def parts() -> list[Any]:
        form, found = deconstruct(step(index, carried)[1])
        forms.append(form)
        return found

    _, results = run_region(region, parts, ())
    frame.root.take_back(before)
    return forms[0], [_empty(frame, value.node, length) for value in results]


def _empty(frame: TraceFrame, like: Node, length: int) -> TracedArray:
    graph = frame.begin()
    check_size((length, *like.shape), like.dtype.itemsize, f"{NAME}: what is collected")
    return outside_value(frame, graph.make(ops.undefined, attributes=((length, *like.shape), like.dtype)))


def each_row(function: Callable[[Any], Any], rows: Any) -> Any:
    """Returns the results of `function` for the rows of a matrix, stacked along a new first axis: as batched
    operations, or in a loop where an op has no batched form."""
    frame = current_frame()
    if not isinstance(frame, TraceFrame):
        return jit(lambda rows: each_row(function, rows))(as_lazy(rows))
    name = "the function of np.apply_along_axis"
    node = value_of(frame, rows, "an array").node
    count, *row_shape = node.shape
    before = len(frame.root.taken)
    region = RegionFrame(name, frame)
    counter = region.counter((0, count))
    row = region.graph.parameter(1, tuple(row_shape), node.dtype)
    region.inputs.append(row)
    _, (result,) = run_region(
        region, lambda given: as_lazy(function(given)), (TracedArray(Cell(region, row), None, ARRAY),)
    )
    if not region.draws:  # NumPy draws for one iteration after the other
        graph = frame.begin()
        given = {row: node, counter._cell.node: iota(graph, (count,), 0, I64)}
        invariants = {inside: outside for outside, inside in region.invariants.items()}
        try:
            (made,) = batch(graph, [result.node], given, count, invariants)
        except NotImplementedError:
            pass
        else:
            return outside_value(frame, made)
    frame.root.take_back(before)
    return trace_scan(lambda _, given: (0, as_lazy(function(given))), 0, rows, count, False)[1]
