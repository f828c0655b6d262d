"""The code of each control op inside a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....ir import ops
from ....ir.index import looks_at_positions
from ....ir.node import Node, Region, topological
from ....ir.types import BOOL, INDEX
from ...kernel.nodes import Value
from ..writing.writer import Memory
from .control_flow import ControlFlow, control_flow_of
from .counted_loops import loop_between, run_once, with_unchanged
from .writer import NestWriter

FEW = 4096
"""The iterations after which a loop with a condition checks whether a position was out of bounds."""


@ops.parallel_loop.defines("nested")
@ops.loop.defines("nested")
def write_loop(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """Writes a counted loop."""
    flow = control_flow_of(node)
    lower, upper = (nest.build.cast(nest.value(bound), INDEX) for bound in node.inputs[: node.op.bounds])
    return loop_between(nest, flow, lower, upper, carried_scalars(nest, flow), homes)


@ops.while_.defines("nested")
def write_while(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """Writes a loop with a condition."""
    flow = control_flow_of(node)
    scalars = carried_scalars(nest, flow)
    build = nest.build

    def some(_: Value, *values: Value) -> Sequence[Value]:
        build.enclose()
        count, *made = repeat(nest, flow, dict(zip(scalars, values, strict=True)), homes, FEW)
        # Few loops reach so many iterations: the others need no check at their end.
        again = build.rarely(
            count.equals(FEW),
            lambda: (nest.unless_faulty(build.constant(True, BOOL)),),
            (build.constant(False, BOOL),),
        )
        return [*again, *made]

    if any(map(_may_be_faulty, flow.regions)):
        again = build.constant(True, BOOL)
        _, *made = build.repeat_while([again, *scalars.values()], lambda again, *_: again, some)
    else:
        made = list(repeat(nest, flow, scalars, homes))
    return with_unchanged(nest, flow, dict(zip(scalars, made, strict=True)))


def _may_be_faulty(region: Region) -> bool:
    """Whether a position of a region, or of a nested one, may be out of bounds, or a check may fail."""
    return any(
        looks_at_positions(node)
        or (node.op.fault is not None and node.op.family == "elementwise")
        or any(isinstance(attribute, Region) and _may_be_faulty(attribute) for attribute in node.attributes)
        for node in topological(region.results)
    )


def repeat(
    nest: NestWriter,
    flow: ControlFlow,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
    most: int | None = None,
) -> Sequence[Value]:
    """Writes a loop with a condition; `most`: it ends after so many iterations, and the first result is their
    number."""
    body, condition = flow.regions
    build = nest.build
    counted = [] if most is None else [build.constant(0)]

    def split(values: Sequence[Value]) -> tuple[Sequence[Value], dict[int, Value]]:
        return values[: len(counted)], dict(zip(scalars, values[len(counted) :], strict=True))

    def test(*values: Value) -> Value:
        count, own = split(values)
        nest.bind(flow.parameters(condition), flow.operands, own, homes)
        nest.run(condition)
        holds = nest.value(condition.results[0])
        if most is not None:
            holds = build.emit("and", (holds, build.emit("lt", (count[0], build.constant(most)))))
        return holds

    def step(*values: Value) -> Sequence[Value]:
        build.enclose()
        count, own = split(values)
        made = run_once(nest, flow, body, own, homes)
        return [*(build.add(value, build.constant(1)) for value in count), *made]

    return build.repeat_while([*counted, *scalars.values()], test, step)


@ops.cond.defines("nested")
def write_cond(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """Writes one of two regions."""
    flow = control_flow_of(node)
    positions = _changed_scalars(flow)
    arrays = {taken: homes[k] for k, taken in enumerate(flow.taken) if taken is not None}

    def arm(region: Region) -> Callable[[], Sequence[Value]]:
        def write() -> Sequence[Value]:
            nest.build.enclose()
            parameters = flow.parameters(region)
            nest.bind(parameters, flow.operands, {}, arrays)
            nest.read_outside(region, dict(zip(parameters, flow.operands, strict=True)))
            nest.run(region)
            nest.deliver(region, homes)
            return [nest.value(region.results[position]) for position in positions]

        return write

    then, orelse = flow.regions
    values = nest.build.branch(nest.value(node.inputs[0]), arm(then), arm(orelse))
    return with_unchanged(nest, flow, dict(zip(positions, values, strict=True)))


def carried_scalars(nest: NestWriter, flow: ControlFlow) -> dict[int, Value]:
    """Returns the initial values of the loop-carried scalars."""
    return {position: nest.value(flow.operands[position]) for position in _changed_scalars(flow)}


def _changed_scalars(flow: ControlFlow) -> list[int]:
    results = flow.regions[0].results
    return [k for k, result in enumerate(results) if not result.shape and flow.unchanged[k] is None]
