"""A function of arrays mapped over stacked arguments: batched operations where it has no loops, else a loop
over them with independent iterations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ...api.calls import operand
from ...api.creation.constructors import zeros
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions.operands import broadcast_shapes, shape_text, spread, strong
from ...ir import ops
from ...ir.derive import batch
from ...ir.node import Graph, Node, Shape
from ...ir.ops.batching import stacked
from ...ir.record import record
from ...ir.types import DType
from ..values.region_loops import trace_cond, trace_loop
from ..values.traced_frame import TraceFrame, current_trace
from .region import TracedRegion, note_raised, trace_call

_DIMENSIONS = r"\(\s*(?:[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)?\s*\)"
_FORM = re.compile(
    rf"\s*{_DIMENSIONS}(?:\s*,\s*{_DIMENSIONS})*\s*->\s*{_DIMENSIONS}(?:\s*,\s*{_DIMENSIONS})*\s*"
)


class Signature(metaclass=record):
    """The core dimensions of a function's arguments and results, by name."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]
    text: str


def parsed(text: Any) -> Signature:
    """A signature as NumPy writes it: "(m,n),(n)->(m)"."""
    if not isinstance(text, str) or _FORM.fullmatch(text) is None:
        raise ArgumentError(f"vectorize: signature= is of the form '(m,n),(n)->(m)', not {text!r}")
    inputs, outputs = (
        tuple(tuple(re.findall(r"\w+", each)) for each in re.findall(r"\([^)]*\)", side))
        for side in text.split("->")
    )
    return Signature(inputs, outputs, text)


def of_scalars(count: int) -> Signature:
    """Returns the signature of a function of so many scalars, whose results are scalars."""
    return Signature(((),) * count, (), "")


def call_on_stacks(
    function: Callable[..., Any],
    name: str,
    values: Sequence[Any],
    dtypes: Sequence[DType] | None,
    signature: Signature,
    mask: Any = True,
) -> Any:
    """Applies a function to the core dimensions of stacks, broadcast against each other otherwise."""
    frame = current_trace()
    if len(values) != len(signature.inputs):
        raise DTypeError(
            f"{name} takes {len(signature.inputs)} arrays by its signature {signature.text!r}, and "
            f"{len(values)} were given"
        )
    graph = frame.begin()
    nodes = [strong(graph, operand(frame, graph, value)) for value in values]
    sizes: dict[str, int] = {}
    cores = [
        _core(name, node.shape, dims, sizes, k)
        for k, (node, dims) in enumerate(zip(nodes, signature.inputs, strict=True))
    ]
    outer = [node.shape[: len(node.shape) - len(core)] for node, core in zip(nodes, cores, strict=True)]
    if mask is not True:
        outer.append(strong(graph, operand(frame, graph, mask)).shape)
    shape = broadcast_shapes(*outer)
    arguments = [(core, node.dtype) for core, node in zip(cores, nodes, strict=True)]
    traced = trace_call(frame, function, name, arguments, dtypes)
    results = traced.results[: len(traced.results) - traced.is_checked]
    _check_results(name, results, signature, sizes)
    graph = frame.begin()
    size = 1
    for extent in shape:
        size *= extent
    rows = []
    for node, core in zip(nodes, cores, strict=True):
        whole = spread(graph, node, (*shape, *core))
        rows.append(graph.make(ops.reshape, whole, attributes=((size, *core),)))
    made = _in_stacks(graph, traced, rows, size) if mask is True else None
    if made is None:
        wanted = True if mask is True else frame.wrap(graph, _flat(frame, graph, mask, shape, size))
        found = _by_loop(frame, function, rows, traced, size, wanted)
    else:
        found = [frame.wrap(graph, node) for node in made]
    if traced.is_checked:
        note_raised(frame, found.pop())
    shaped = tuple(
        each.reshape((*shape, *node.shape)) if (*shape, *node.shape) else each.reshape(())[()]
        for each, node in zip(found, results, strict=True)
    )
    return shaped if traced.is_tuple else shaped[0]


def _flat(frame: TraceFrame, graph: Graph, value: Any, shape: Shape, size: int) -> Node:
    whole = spread(graph, strong(graph, operand(frame, graph, value)), shape)
    return graph.make(ops.reshape, whole, attributes=((size,),))


def _core(name: str, shape: Shape, dims: Sequence[str], sizes: dict[str, int], number: int) -> Shape:
    """Returns the shape of the core dimensions of an argument."""
    if len(shape) < len(dims):
        raise ShapeError(
            f"{name}: argument {number} has the shape {shape_text(shape)}, and the signature asks for "
            f"{len(dims)} dimensions, ({','.join(dims)})"
        )
    core = shape[len(shape) - len(dims) :]
    for dim, extent in zip(dims, core, strict=True):
        if sizes.setdefault(dim, extent) != extent:
            raise ShapeError(
                f"{name}: inconsistent size for core dimension {dim!r}: {extent} vs {sizes[dim]}, of "
                f"argument {number}"
            )
    return core


def _check_results(name: str, results: Sequence[Node], signature: Signature, sizes: dict[str, int]) -> None:
    if not signature.text:
        return
    if len(results) != len(signature.outputs):
        raise ShapeError(
            f"{name} returns {len(results)} values, and its signature {signature.text!r} says "
            f"{len(signature.outputs)}"
        )
    for node, dims in zip(results, signature.outputs, strict=True):
        fits = len(node.shape) == len(dims) and all(
            sizes.setdefault(dim, extent) == extent for dim, extent in zip(dims, node.shape, strict=True)
        )
        if not fits:
            raise ShapeError(
                f"{name} returns an array of shape {shape_text(node.shape)}, where its signature "
                f"{signature.text!r} says ({','.join(dims)})"
            )


def _in_stacks(graph: Graph, traced: TracedRegion, rows: Sequence[Node], size: int) -> list[Node] | None:
    """Returns the results on all rows at once; None of a function with loops, or with an operation without a
    batched form."""
    region = traced.frame
    given = dict(zip(region.inputs, rows, strict=False))
    given.update((inner, stacked(graph, outer, size)) for outer, inner in region.invariants.items())
    try:
        return batch(graph, traced.results, given, size)
    except NotImplementedError:
        return None


def _by_loop(
    frame: TraceFrame,
    function: Callable[..., Any],
    rows: Sequence[Node],
    traced: TracedRegion,
    size: int,
    mask: Any,
) -> list[Any]:
    """Returns the results of one row after another; a device's threads share the rows."""
    graph = frame.graph
    stacks = [frame.wrap(graph, node) for node in rows]
    checks = None if frame.root.hooks is None else frame.root.hooks.checks
    kept = [(node.shape, node.dtype) for node in traced.results]

    def once(*elements: Any) -> tuple[Any, ...]:
        before = None if checks is None else checks.code
        try:
            if checks is not None:
                checks.code = 0
            returned = function(*elements)
            several = returned if traced.is_tuple else (returned,)
            return (*several, checks.code) if traced.is_checked else tuple(several)  # type: ignore[union-attr]
        finally:
            if checks is not None:
                checks.code = before

    def nothing(*_: Any) -> tuple[Any, ...]:
        return tuple(_zeros(shape, dtype) for shape, dtype in kept)

    def step(index: Any, results: tuple[Any, ...]) -> tuple[Any, ...]:
        elements = [stack[index] for stack in stacks]
        if mask is True:
            made = once(*elements)
        else:
            made = trace_cond(mask[index], _cast(once, kept), nothing, elements)
        for result, value in zip(results, made, strict=True):
            result[index] = value
        return results

    initial = tuple(_zeros((size, *shape), dtype) for shape, dtype in kept)
    return list(trace_loop(0, size, step, initial))


def _zeros(shape: Shape, dtype: DType) -> Any:
    made = zeros(shape, dtype=dtype.numpy_name)
    return made if shape else made[()]


def _cast(function: Callable[..., Any], kept: Sequence[tuple[Shape, DType]]) -> Callable[..., Any]:
    """Wraps a function so that its results have these shapes and dtypes."""

    def cast(*elements: Any) -> tuple[Any, ...]:
        made = []
        for value, (shape, dtype) in zip(function(*elements), kept, strict=True):
            result = zeros((1, *shape), dtype=dtype.numpy_name)
            result[0] = value
            made.append(result[0])
        return tuple(made)

    return cast
