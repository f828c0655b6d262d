"""Regions of scalars inside a kernel: loops and conditions that each lane goes through on its own.

A loop goes on until all lanes of a vector are done; code generators keep the values of those that are. What
does not change in a loop is computed before it; what stands in an arm of a condition stays there, as it is
too much to be computed for lanes that do not want it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir import ops
from ...ir.node import Node, Region, topological
from ...ir.types import INDEX
from ..kernel.nodes import Value
from .writing.writer import KernelWriter


def results_of(writer: KernelWriter, region: Region, arguments: Sequence[Value]) -> list[Value]:
    """The values of a region's results, given those of its parameters."""
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
    """The results for one element, which nodes of the same region and operands share."""
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
    """A counted loop, whose bounds may differ from lane to lane."""
    region: Region = node.attributes[0]
    build, counter = writer.build, region.parameters[0]
    lower, upper = (build.cast(value, INDEX) for value in values[: node.op.bounds])
    carried, given = _split(values[node.op.bounds :], region)

    def step(index: Value, *now: Value) -> Sequence[Value]:
        return results_of(writer, region, [build.cast(index, counter.dtype), *now, *given])

    return build.carry(lower, upper, carried, step)


@ops.while_.defines("of_scalars")
def write_while(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """A loop that each lane leaves when its condition does not hold."""
    body, condition = node.attributes
    carried, given = _split(values, body)

    def test(*now: Value) -> Value:
        return results_of(writer, condition, [*now, *given])[0]

    def step(*now: Value) -> Sequence[Value]:
        return results_of(writer, body, [*now, *given])

    return writer.build.repeat_while(carried, test, step)


@ops.cond.defines("of_scalars")
def write_cond(writer: KernelWriter, node: Node, values: Sequence[Value]) -> Sequence[Value]:
    """One of two arms, each run for the lanes that want it."""
    predicate, *given = values

    def arm(region: Region) -> Callable[[], Sequence[Value]]:
        def write() -> Sequence[Value]:
            writer.build.confine()
            return results_of(writer, region, given)

        return write

    then, orelse = node.attributes
    return writer.build.branch(predicate, arm(then), arm(orelse))


def _split(values: Sequence[Value], region: Region) -> tuple[Sequence[Value], Sequence[Value]]:
    """What a loop carries, and what stays as it is."""
    count = len(region.results)
    return values[:count], values[count:]
