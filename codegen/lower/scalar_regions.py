"""Regions of scalars inside a kernel: loops and conditions with control flow of each lane.

A loop runs until all lanes of a vector are done; code generators keep the values of finished lanes.
Loop-invariant values are computed before it; the nodes in an arm of a condition stay there, as they are too
costly for lanes that do not take it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir import ops
from ...ir.node import Node, Region, topological
from ...ir.types import INDEX
from ..kernel.nodes import Value
from .writing.writer import KernelWriter


def results_of(writer: KernelWriter, region: Region, arguments: Sequence[Value]) -> list[Value]:
    """Returns the values of a region's results, given those of its parameters."""
    known: dict[Node, Value] = dict(zip(region.parameters, arguments, strict=True))
    several: dict[Node, Sequence[Value]] = {}
    """The results of control nodes."""
    for node in topological(region.results):
        if node in known:
            continue
        if node.op.family == "control":
            assert node.op.of_scalars is not None, node
            several[node] = node.op.of_scalars(writer, node, [known[source] for source in node.inputs])
        elif node.op.family == "item":
            known[node] = several[node.inputs[0]][node.attribute("position")]
        elif node.op.family == "movement":
            known[node] = known[node.inputs[0]]  # of one element
        else:
            known[node] = writer.computed(node, (), [known[source] for source in node.inputs])
    return [known[node] for node in region.results]


@ops.apply.defines("of_scalars")
def write_apply(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """Writes the results for one element, which nodes of the same region and operands share."""
    region, _ = node.attributes
    build = writer.build
    key = region, tuple(values)
    known = build.recall((key, 0))
    if known is None:
        for position, value in enumerate(results_of(writer, region, values)):
            build.remember((key, position), value, build.depth)
    found = [build.recall((key, position)) for position in range(len(region.results))]
    assert all(each is not None for each in found)
    return found  # type: ignore[return-value]


@ops.parallel_loop.defines("of_scalars")
@ops.loop.defines("of_scalars")
def write_loop(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """Writes a counted loop, whose bounds may differ between lanes."""
    region: Region = node.attributes[0]
    build, counter = writer.build, region.parameters[0]
    lower, upper = (build.cast(value, INDEX) for value in values[: node.op.bounds])
    carried, given = _split(values[node.op.bounds :], region)

    def step(index: Value, *now: Value) -> Sequence[Value]:
        return results_of(writer, region, [build.cast(index, counter.dtype), *now, *given])

    return build.carry(lower, upper, carried, step)


@ops.while_.defines("of_scalars")
def write_while(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """Writes a loop that each lane leaves when its condition is false."""
    body, condition = node.attributes
    carried, given = _split(values, body)

    def test(*now: Value) -> Value:
        return results_of(writer, condition, [*now, *given])[0]

    def step(*now: Value) -> Sequence[Value]:
        return results_of(writer, body, [*now, *given])

    return writer.build.repeat_while(carried, test, step)


@ops.cond.defines("of_scalars")
def write_cond(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """Writes one of two arms, each run for the lanes that take it."""
    predicate, *given = values

    def arm(region: Region) -> Callable[[], Sequence[Value]]:
        def write() -> Sequence[Value]:
            writer.build.confine()
            return results_of(writer, region, given)

        return write

    then, orelse = node.attributes
    return writer.build.branch(predicate, arm(then), arm(orelse))


def _split(values: Sequence[Value], region: Region) -> tuple[Sequence[Value], Sequence[Value]]:
    """Separates loop-carried values from loop-invariant ones."""
    count = len(region.results)
    return values[:count], values[count:]
