"""Branches, loops and sequences: a branch is chosen and a loop's iterations are unrolled while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ..records import Graph
from ..registry import Known, operator
from ..values import axis_of, integers, to_known

Run = Callable[..., list[Any]]


@operator("If")
def choose(condition: Known, *, run: Run, then_branch: Graph, else_branch: Graph) -> Any:
    return tuple(run(then_branch if np.all(condition) else else_branch))


@operator("Loop")
def loop(count: Known | None = None, condition: Any = None, *carried: Any, run: Run, body: Graph) -> Any:
    """Outputs beside the carried values are stacked over the iterations."""
    state, rows = list(carried), []
    most = None if count is None else int(np.asarray(count).reshape(-1)[0])
    going = condition is None or bool(np.all(to_known(condition)))
    iteration = 0
    while going and (most is None or iteration < most):
        going_on, *made = run(body, np.array(iteration, np.int64), np.array(True), *state)
        state, row = made[: len(state)], made[len(state) :]
        rows.append(row)
        iteration += 1
        going = bool(np.all(to_known(going_on))) if most is None or iteration < most else False
    scans = len(body.outputs) - 1 - len(state)
    return (
        *state,
        *(_stacked([row[place] for row in rows], body, place + 1 + len(state)) for place in range(scans)),
    )


def _stacked(values: list[Any], body: Graph, output: int) -> Any:
    if values:
        return np.stack([np.asarray(value) if isinstance(value, (int, float)) else value for value in values])
    known = body.outputs[output]
    shape = tuple(n if isinstance(n, int) else 0 for n in known.shape or ())
    return np.zeros((0, *shape), known.dtype or np.float32)


def _scanned(
    values: tuple[Any, ...], run: Run, body: Graph, count: int, in_axes: Any, in_ways: Any, out_axes: Any,
    out_ways: Any,
) -> tuple[Any, ...]:  # fmt: skip
    carried = len(values) - count
    state, sources = list(values[:carried]), values[carried:]
    axes = [axis_of(axis, x.ndim) for axis, x in zip(in_axes or (0,) * count, sources)]
    ways = in_ways or (0,) * count
    length = sources[0].shape[axes[0]]
    rows = []
    for iteration in range(length):
        given = [
            np.take(x, length - 1 - iteration if way else iteration, axis=axis)
            for x, axis, way in zip(sources, axes, ways)
        ]
        made = run(body, *state, *given)
        state = made[:carried]
        rows.append(made[carried:])
    outputs = len(body.outputs) - carried
    made = []
    for place in range(outputs):
        column = [row[place] for row in rows]
        column = column[::-1] if (out_ways or (0,) * outputs)[place] else column
        axis = (out_axes or (0,) * outputs)[place]
        made.append(np.stack(column, axis=axis))
    return (*state, *made)


@operator("Scan", since=9)
def scan(
    *values: Any, run: Run, body: Graph, num_scan_inputs: int, scan_input_axes: Any = None,
    scan_input_directions: Any = None, scan_output_axes: Any = None, scan_output_directions: Any = None,
) -> Any:  # fmt: skip
    return _scanned(
        values, run, body, num_scan_inputs, scan_input_axes, scan_input_directions, scan_output_axes,
        scan_output_directions,
    )  # fmt: skip


@operator("SequenceEmpty")
def sequence_empty(*, dtype: int = 1) -> Any:
    return []


@operator("SequenceConstruct")
def sequence_construct(*values: Any) -> Any:
    return list(values)


@operator("SequenceLength")
def sequence_length(values: Any) -> Any:
    return np.array(len(values), np.int64)


@operator("SequenceAt")
def sequence_at(values: Any, position: Known) -> Any:
    return values[integers(position)[0]]


@operator("SequenceInsert")
def sequence_insert(values: Any, value: Any, position: Known | None = None) -> Any:
    place = len(values) if position is None else integers(position)[0]
    place = place + len(values) if place < 0 else place
    return [*values[:place], value, *values[place:]]


@operator("SequenceErase")
def sequence_erase(values: Any, position: Known | None = None) -> Any:
    place = len(values) - 1 if position is None else integers(position)[0] % len(values)
    return [*values[:place], *values[place + 1 :]]


@operator("ConcatFromSequence")
def concat_from_sequence(values: Any, *, axis: int, new_axis: int = 0) -> Any:
    return np.stack(values, axis=axis) if new_axis else np.concatenate(values, axis=axis)


@operator("SplitToSequence")
def split_to_sequence(x: Any, split: Known | None = None, *, axis: int = 0, keepdims: int = 1) -> Any:
    place = axis_of(axis, x.ndim)
    extent = x.shape[place]
    if split is None:
        lengths: tuple[int, ...] = (1,) * extent
    elif np.ndim(split):
        lengths = integers(split)
    else:
        each = int(np.asarray(split).item())
        lengths = tuple(min(each, extent - begin) for begin in range(0, extent, each))
    made, begin = [], 0
    for length in lengths:
        one = x[(*[slice(None)] * place, slice(begin, begin + length))]
        made.append(one if split is not None or keepdims else np.squeeze(one, place))
        begin += length
    return made


@operator("Optional")
def optional(value: Any = None, *, type: Any = None) -> Any:
    return value


@operator("OptionalHasElement")
def optional_has_element(value: Any = None) -> Any:
    return np.array(value is not None)


@operator("OptionalGetElement")
def optional_get_element(value: Any) -> Any:
    return value


@operator("Scan", since=8)
def scan_of_batches(
    lengths: Known | None, *values: Any, run: Run, body: Graph, num_scan_inputs: int, directions: Any = None
) -> Any:
    """As it was in opset 8: all inputs have a batch first."""
    if lengths is not None:
        raise UnsupportedError("lengths of the sequences of a Scan of opset 8 are not supported")
    made = [
        _scanned(
            tuple(value[row] for value in values), run, body, num_scan_inputs, None, directions, None, None
        )
        for row in range(values[0].shape[0])
    ]
    return tuple(np.stack(column) for column in zip(*made))
