"""How each control op is written inside a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....ir import ops
from ....ir.node import Node, Region
from ....ir.types import I64, INDEX, U64
from ...kernel.nodes import Value
from ..writer import Memory
from .parts import Parts, has_loop, parts_of
from .ranges import at, even_positions
from .writer import NestWriter


@ops.loop.defines("nested")
def write_loop(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """A counted loop."""
    parts = parts_of(node)
    lower, upper = (nest.build.cast(nest.value(bound), INDEX) for bound in node.inputs[: node.op.bounds])
    return loop_between(nest, parts, lower, upper, carried_scalars(nest, parts), homes)


def loop_between(
    nest: NestWriter,
    parts: Parts,
    lower: Value,
    upper: Value,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
) -> dict[int, Value]:
    """The body of a loop for each index between two bounds; gives the scalars at the end."""
    (region,) = parts.regions
    build = nest.build

    def run(region: Region) -> Sequence[Value]:
        """The loop, in a block that may not run."""
        build.enclose()
        counter = region.parameters[0]

        def body(index: Value, *values: Value) -> Sequence[Value]:
            build.remember((counter, ()), build.cast(index, counter.dtype))
            return run_once(nest, parts, region, dict(zip(scalars, values, strict=True)), homes)

        return build.carry(lower, upper, tuple(scalars.values()), body)

    def some() -> Sequence[Value]:
        build.enclose()
        inside, unchecked = _unchecked(nest, parts, lower, upper, scalars, homes)
        if inside is None:
            return run(region)
        return build.branch(inside, lambda: run(unchecked), lambda: run(region))

    made = build.branch(build.emit("lt", (lower, upper)), some, lambda: tuple(scalars.values()))
    return _with_unchanged(nest, parts, dict(zip(scalars, made, strict=True)))


def _unchecked(
    nest: NestWriter,
    parts: Parts,
    lower: Value,
    upper: Value,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
) -> tuple[Value | None, Region]:
    """Whether the positions that move evenly stay in range, and the body where they are known to; None where
    there are none, or there is another loop inside, whose text would be written twice."""
    (region,) = parts.regions
    counter, *_ = region.parameters
    if has_loop(region):
        return None, region
    parameters = parts.parameters(region)
    fixed = frozenset(each for k, each in enumerate(parameters) if k not in scalars and not each.shape)
    positions = even_positions(region, counter, fixed)
    if not positions:
        return None, region
    build, writer = nest.build, nest.writer
    nest.bind(parameters, parts.operands, scalars, homes)
    ends = [region.graph.parameter(len(region.parameters) + k, (), counter.dtype) for k in range(2)]
    for end, value in zip(ends, (lower, build.sub(upper, build.constant(1))), strict=True):
        build.remember((end, ()), build.cast(value, counter.dtype))
    inside: Value | None = None
    for each in positions:
        for end in ends if each.step else ends[:1]:
            value = nest.value(at(each.index, counter, end, region))
            dtype = I64 if value.dtype.bits == 64 or writer.fault_dtype is U64 else INDEX
            extent = build.cast(writer.index(each.extent), dtype)
            own = writer.within(build.cast(value, dtype), build.constant(0, dtype), extent)
            inside = own if inside is None else build.emit("and", (inside, own))
    known = frozenset((each.node, each.number) for each in positions)
    return inside, nest.nest.copied(region, known)


@ops.while_.defines("nested")
def write_while(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """A loop with a condition."""
    parts = parts_of(node)
    scalars = carried_scalars(nest, parts)
    made = repeat(nest, parts, scalars, homes)
    return _with_unchanged(nest, parts, dict(zip(scalars, made, strict=True)))


def repeat(
    nest: NestWriter,
    parts: Parts,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
    most: int | None = None,
) -> Sequence[Value]:
    """A loop with a condition; `most`: after so many iterations it ends, and their number comes first."""
    body, condition = parts.regions
    build = nest.build
    counted = [] if most is None else [build.constant(0)]

    def split(values: Sequence[Value]) -> tuple[Sequence[Value], dict[int, Value]]:
        return values[: len(counted)], dict(zip(scalars, values[len(counted) :], strict=True))

    def test(*values: Value) -> Value:
        count, own = split(values)
        nest.bind(parts.parameters(condition), parts.operands, own, homes)
        nest.run(condition)
        holds = nest.value(condition.results[0])
        if most is not None:
            holds = build.emit("and", (holds, build.emit("lt", (count[0], build.constant(most)))))
        return holds

    def step(*values: Value) -> Sequence[Value]:
        build.enclose()
        count, own = split(values)
        made = run_once(nest, parts, body, own, homes)
        return [*(build.add(each, build.constant(1)) for each in count), *made]

    return build.repeat_while([*counted, *scalars.values()], test, step)


@ops.cond.defines("nested")
def write_cond(nest: NestWriter, node: Node, homes: Mapping[int, Memory]) -> dict[int, Value]:
    """One of two regions."""
    parts = parts_of(node)
    positions = _changed_scalars(parts)
    arrays = {taken: homes[k] for k, taken in enumerate(parts.taken) if taken is not None}

    def arm(region: Region) -> Callable[[], Sequence[Value]]:
        def write() -> Sequence[Value]:
            nest.build.enclose()
            nest.bind(parts.parameters(region), parts.operands, {}, arrays)
            nest.run(region)
            nest.deliver(region, homes)
            return [nest.value(region.results[position]) for position in positions]

        return write

    then, orelse = parts.regions
    made = nest.build.branch(nest.value(node.inputs[0]), arm(then), arm(orelse))
    return _with_unchanged(nest, parts, dict(zip(positions, made, strict=True)))


def carried_scalars(nest: NestWriter, parts: Parts) -> dict[int, Value]:
    """What the scalars that a loop changes start from."""
    return {position: nest.value(parts.operands[position]) for position in _changed_scalars(parts)}


def run_once(
    nest: NestWriter,
    parts: Parts,
    region: Region,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
) -> Sequence[Value]:
    """One iteration of a loop's body: its results go where they are carried; gives the scalars."""
    nest.bind(parts.parameters(region), parts.operands, scalars, homes)
    nest.run(region)
    nest.deliver(region, homes)
    return [nest.value(region.results[position]) for position in scalars]


def _changed_scalars(parts: Parts) -> list[int]:
    results = parts.regions[0].results
    return [k for k, result in enumerate(results) if not result.shape and parts.unchanged[k] is None]


def _with_unchanged(nest: NestWriter, parts: Parts, scalars: dict[int, Value]) -> dict[int, Value]:
    for position, same in enumerate(parts.unchanged):
        if same is not None and not parts.operands[same].shape:
            scalars[position] = nest.value(parts.operands[same])
    return scalars
