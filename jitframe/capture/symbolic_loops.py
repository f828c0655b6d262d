"""Inner loops over the elements of arrays with symbolic sizes: accumulations, and stores of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..api.frame import entered
from ..errors import TraceError
from ..functions import loop_nodes
from ..functions.operands import cast
from ..ir import ops
from ..ir.node import Node, Region
from ..ir.types import I64, DType
from ..tracing.values.cells import Cell
from ..tracing.values.regions import RegionFrame, value_of
from ..tracing.values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from ..tracing.values.traced_frame import TraceFrame, current_trace
from .region import CaptureRegion, commit
from .symbolic_parts import Applied, Part, Place, is_safe
from .symbolic_sizes import Size, node_of, range_of

MOST_SCRATCH = 1 << 27
"""The most elements of a temporary."""


class _Folding(RegionFrame):
    """A loop over elements that accumulates."""

    is_of_slices = True


class _Storing(CaptureRegion):
    """A loop over elements that stores. Its reads of the target are of the same element, or of one that it
    does not store."""

    is_of_slices = True


def folded(
    extent: Size, first: Sequence[Node], step: Callable[..., Sequence[Any]], in_any_order: bool
) -> list[TracedArray]:
    """Returns the scalars after `step(position, *scalars)` at each position, from the `first` ones."""
    frame = current_trace()
    region = _Folding("a slice", frame)
    counter = _counter(region, extent)
    carried = [region.input(node) for node in first]
    with entered(region):
        arrays = [TracedArray(Cell(region, node), None, SCALAR) for node in carried]
        made = [value_of(region, each, "a slice").node for each in step(counter, *arrays)]
    results = [cast(region.graph, node, like.dtype) for node, like in zip(made, first, strict=True)]
    body = Region(region.graph, tuple(region.inputs), tuple(results))
    graph = frame.begin()
    nodes = loop_nodes.loop(
        graph, node_of(0), node_of(extent), body, first, list(region.invariants), in_any_order
    )
    for node in nodes:
        frame.note(node)
    return [TracedArray(Cell(frame, node), None, SCALAR) for node in nodes]


def for_each(
    extents: Sequence[Size], body: Callable[[tuple[Size, ...]], None], in_any_order: bool = True
) -> None:
    """Runs a function that stores elements at each position."""

    def at(positions: tuple[Size, ...]) -> None:
        if len(positions) == len(extents):
            body(positions)
        else:
            extent = extents[len(positions)]
            if extent.__class__ is int and extent == 1:
                at((*positions, 0))
            else:
                _stored(extent, lambda position: at((*positions, position)), in_any_order)

    at(())


def _stored(extent: Size, body: Callable[[TracedArray], None], in_any_order: bool) -> None:
    frame = current_trace()
    region = _Storing("a slice", frame)
    region.wraps = True
    counter = _counter(region, extent)
    try:
        region.traced(lambda: body(counter))
    finally:
        region.leave()
    written = region.written
    parameters = (
        region.inputs[0], *(each.parameter for each in written), *(inner for inner, _ in region.given),
    )  # fmt: skip
    results = [each.final for each in written if each.final is not None]
    inside = Region(region.graph, parameters, tuple(results))
    graph = frame.begin()
    nodes = loop_nodes.loop(
        graph, node_of(0), node_of(extent), inside, [each.node for each in written],
        [outer for _, outer in region.given], in_any_order,
    )  # fmt: skip
    commit(frame, written, nodes)


def _counter(region: RegionFrame, extent: Size) -> TracedArray:
    parent = region.enclosing[-1]
    assert isinstance(parent, TraceFrame)
    node = region.input(parent.graph.constant(0, I64))
    region.root.ranges.known[node] = 0, max(0, range_of(extent)[1] - 1)
    return TracedArray(Cell(region, node), None, NUMBER)


def scratch(extents: Sequence[Size], dtype: DType) -> Part:
    """Allocates memory for an array of these extents, within an array of the largest possible ones."""
    frame = current_trace()
    shape = tuple([max(0, range_of(each)[1]) for each in extents])
    count = 1
    for extent in shape:
        count *= extent
    if count > MOST_SCRATCH:
        raise TraceError("what is computed of a slice has no length that is known to be small")
    node = frame.begin().make(ops.undefined, attributes=(shape, dtype))
    frame.note(node)
    array = TracedArray(Cell(frame, node), None, ARRAY)
    return Part(array, tuple([Place(0, axis) for axis in range(len(shape))]))


def put_aside(extents: Sequence[Size], value: Part | Applied) -> Part:
    """Copies the elements into memory of their own."""
    made = scratch(extents, value.dtype)
    store(made, extents, value)
    return made


def store(target: Part, extents: Sequence[Size], value: Any) -> None:
    """Stores elements, or one value for all, in a part of an array. Reads of the same array come before any
    write."""
    parts = isinstance(value, (Part, Applied))
    if parts:
        value = value.now()
        if not all(is_safe(target, extents, each) for each in value.parts()):
            value = put_aside(extents, value)

    def put(positions: tuple[Size, ...]) -> None:
        index = tuple([each.at(positions) for each in target.places])
        target.array[index] = value.element(positions) if parts else value

    for_each(extents, put)
