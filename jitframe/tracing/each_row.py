"""A function of the user's on each row of an array, traced once: what it does to one row is done to the stack
of all of them, by the `batch` of every op, or in a loop where an op has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.frame import current_frame
from ..api.movement import as_lazy
from ..functions.creation import iota
from ..ir.derive import batch
from ..ir.types import I64
from .cells import Cell
from .jit import jit
from .regions import RegionFrame, outside_value, run_region, value_of
from .scans import trace_scan
from .traced import ARRAY, NUMBER, TracedArray
from .traced_frame import TraceFrame


def each_row(function: Callable[[Any], Any], rows: Any) -> Any:
    """The results of `function` for the rows of a matrix, along a new first axis."""
    frame = current_frame()
    if not isinstance(frame, TraceFrame):
        return jit(lambda rows: each_row(function, rows))(as_lazy(rows))
    name = "the function of np.apply_along_axis"
    node = value_of(frame, rows, "an array").node
    count, *row_shape = node.shape
    before = len(frame.root.taken)
    region = RegionFrame(name, frame)
    number = region.input(frame.graph.constant(0, I64))
    row = region.graph.parameter(1, tuple(row_shape), node.dtype)
    region.inputs.append(row)
    counter = TracedArray(Cell(region, number), None, NUMBER)
    region.turns, region.turn = (count, lambda: counter), lambda: counter
    _, (result,) = run_region(
        region, lambda given: as_lazy(function(given)), (TracedArray(Cell(region, row), None, ARRAY),)
    )
    if not region.draws:  # NumPy draws for one turn after the other
        graph = frame.begin()
        given = {row: node, number: iota(graph, (count,), 0, I64)}
        invariants = {inside: outside for outside, inside in region.invariants.items()}
        try:
            (made,) = batch(graph, [result.node], given, count, invariants)
        except NotImplementedError:
            pass
        else:
            return outside_value(frame, made)
    frame.root.take_back(before)
    return trace_scan(lambda _, given: (0, as_lazy(function(given))), 0, rows, count, False)[1]
