"""Counted loops inside a kernel: which iterations need no checks of positions, and which run in vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ....ir.expr import lift
from ....ir.index import index_nodes
from ....ir.node import Node, Region, topological
from ....ir.record import record
from ....ir.types import I64, INDEX, U64
from ...kernel.nodes import Value
from ..writing.writer import Memory
from .accumulations import Accumulation, accumulation
from .control_flow import ControlFlow, control_flow_of, has_loop
from .dependence import Apart, all_within, last_written, sum_of, vector_conditions
from .ranges import SMALL, Even, Known, at, even_in_branches, even_positions
from .selections import IN_TURN, IN_VECTORS, replacement
from .writer import NestWriter, is_read

LONG_REGION = 200
"""Operations of an iteration beside which the checks of its positions are few: it is written once, with
them."""


def loop_between(
    nest: NestWriter,
    flow: ControlFlow,
    lower: Value,
    upper: Value,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
) -> dict[int, Value]:
    """Writes the body of a loop for each index between two bounds; returns the final scalars."""
    values = _CountedLoop(nest, flow, lower, upper, scalars, homes).write()
    return with_unchanged(nest, flow, dict(zip(scalars, values, strict=True)))


class _Positions(metaclass=record):
    """The affine positions of a loop's body."""

    always: Sequence[Even]
    """Those of every iteration."""
    same: Sequence[Even]
    """Those in branches that equal one of `always`."""
    more: Sequence[Even]
    """Others in branches."""

    @property
    def all(self) -> Sequence[Even]:
        return (*self.always, *self.more)

    @property
    def sure(self) -> Known:
        """The accesses known to be in range where those of every iteration are."""
        return frozenset((each.node, each.number) for each in (*self.always, *self.same))

    @property
    def everywhere(self) -> Known:
        """The accesses known to be in range where all positions are."""
        return frozenset((each.node, each.number) for each in (*self.all, *self.same))


def _each_once(positions: Sequence[Even]) -> Iterable[Even]:
    """Drops positions that repeat another one on an axis of the same extent."""
    return {
        (position.index, lift(position.extent), position.below): position for position in positions
    }.values()


class _CountedLoop:
    """A counted loop. An innermost one is written up to three times, selected by a check before it: in
    vectors, without checks of positions, and with them."""

    def __init__(
        self,
        nest: NestWriter,
        flow: ControlFlow,
        lower: Value,
        upper: Value,
        scalars: Mapping[int, Value],
        homes: Mapping[int, Memory],
    ) -> None:
        self.nest, self.flow, self.scalars, self.homes = nest, flow, scalars, homes
        self.build = nest.build
        self.lower, self.upper = lower, upper
        (self.region,) = flow.regions

    def write(self) -> Sequence[Value]:
        some = self.build.emit("lt", (self.lower, self.upper))
        return self.build.branch(some, self._some, lambda: tuple(self.scalars.values()))

    def _some(self) -> Sequence[Value]:
        """Writes the loop where it has an iteration: loop-invariant values may be read before it."""
        build, region = self.build, self.region
        build.enclose()
        if has_loop(region):
            return self._run(region)
        parameters, counter = self.flow.parameters(region), region.parameters[0]
        fixed = [
            parameter
            for k, parameter in enumerate(parameters)
            if k not in self.scalars and not parameter.shape
        ]
        positions = even_positions(region, counter, frozenset(fixed))
        asked = {(position.index, lift(position.extent)) for position in positions}
        rest = even_in_branches(region, counter, frozenset(fixed))
        same = [each for each in rest if (each.index, lift(each.extent)) in asked]
        more = [each for each in rest if each not in same]
        if not positions and not more:
            return self._run(region)
        reads = _Positions(positions, same, more)
        if len(topological(region.results)) > LONG_REGION and not self._may_run_in_vectors(reads.everywhere):
            return self._run(region)
        self.nest.bind(parameters, self.flow.operands, self.scalars, self.homes)
        otherwise = self._checked(reads)
        if self.nest.inner == "lanes" and any(each.step in (1, -1) for each in more):
            otherwise = lambda: self._in_segments(reads)  # noqa: E731
        return self._in_range_or(otherwise, self._all_in_range(reads.all), reads.everywhere, True)

    def _in_segments(self, reads: _Positions) -> Sequence[Value]:
        """Writes separate loops for the iterations whose positions are all in range, and for those before and
        after them: elements at the edges lack a neighbor."""
        build, lower, upper = self.build, self.lower, self.upper
        build.confine()  # most loops do not come here
        first, last = self._clean(reads.all)
        zero, one, two, three = [build.constant(number) for number in range(4)]
        begin = build.select(lower < first, zero, build.select(lower < last, one, two))
        end = build.select(last < upper, three, two)

        def segment(number: Value, start: Value, *values: Value) -> Sequence[Value]:
            build.enclose()
            is_clean = build.emit("eq", (number, one))
            stop = build.select(is_clean, last, build.select(number < one, first, upper))
            scalars = dict(zip(self.scalars, values, strict=True))
            part = _CountedLoop(self.nest, self.flow, start, stop, scalars, self.homes)
            quick = part._in_range_or(part._checked(reads), is_clean, reads.everywhere, True)
            return [stop, *quick]

        return build.carry(begin, end, [lower, *self.scalars.values()], segment)[1:]

    def _clean(self, positions: Sequence[Even]) -> tuple[Value, Value]:
        """Returns the range of iterations whose positions are all in range; both bounds are the lower bound
        where there is none."""
        build, lower, upper = self.build, self.lower, self.upper
        begin, *_ = self._ends(self.region)
        counter, far = self.region.parameters[0], build.constant(1 << 62)
        first, last = lower, upper
        for each in _each_once(positions):
            if each.step not in (1, -1):
                continue
            value = build.cast(self.nest.value(at(each.index, counter, begin, self.region)), INDEX)
            value = build.minimum(build.maximum(value, -(1 << 62)), far)  # no difference wraps around
            extent = self.nest.writer.index(each.extent)
            if each.step == 1:
                enters, leaves = lower - value, lower - value + extent
            else:
                enters, leaves = lower + value - extent + 1, lower + value + 1
            first, last = build.maximum(first, enters), build.minimum(last, leaves)
        some = first < last
        others = [position for position in positions if position.step not in (1, -1)]
        if others:
            some = some & self._all_in_range(others)
        return build.select(some, first, lower), build.select(some, last, lower)

    def _checked(self, reads: _Positions) -> Callable[[], Sequence[Value]]:
        """Writes the loop with checks where some positions are out of range."""

        def checked() -> Sequence[Value]:
            return self._run(self.region)

        def checked_in_branches() -> Sequence[Value]:
            self.nest.bind(self.flow.parameters(self.region), self.flow.operands, self.scalars, self.homes)
            return self._in_range_or(checked, self._all_in_range(reads.always), reads.sure, False)

        return checked_in_branches if reads.more and reads.always else checked

    def _in_range_or(
        self, otherwise: Callable[[], Sequence[Value]], inside: Value, known: Known, in_vectors: bool
    ) -> Sequence[Value]:
        """Writes the loop where some positions are known to be in range, in vectors where that is
        possible."""
        build, region, copied = self.build, self.region, self.nest.nest.copied

        def unchecked() -> Sequence[Value]:
            return self._run(copied(region, known, IN_TURN), checked=False)

        vectors = copied(region, known, IN_VECTORS)
        conditions = self._vector_conditions(vectors) if in_vectors else None
        if conditions is None:
            sums = self._accumulations(vectors) if in_vectors else None
            quick = unchecked if sums is None else lambda: self._accumulate(vectors, sums)
            return build.branch(inside, quick, otherwise)
        self.nest.bind(self.flow.parameters(vectors), self.flow.operands, self.scalars, self.homes)
        split = conditions[0] if conditions else None
        apart = [self._is_apart(vectors, condition) for condition in conditions[1:]]

        def run_in_vectors() -> Sequence[Value]:
            return self._run_in_vectors(vectors, split)

        if not apart:
            return build.branch(inside, run_in_vectors, otherwise)
        both = build.emit("and", (inside, self._all(apart)))
        return build.branch(both, run_in_vectors, lambda: build.branch(inside, unchecked, otherwise))

    def _all(self, conditions: Iterable[Value]) -> Value:
        first, *rest = conditions
        for value in rest:
            first = self.build.emit("and", (first, value))
        return first

    def _ends(self, region: Region) -> list[Node]:
        """Returns nodes for the counter of the first and the last iteration."""
        counter, build = region.parameters[0], self.build
        ends = [region.graph.parameter(len(region.parameters) + k, (), counter.dtype) for k in range(2)]
        for end, value in zip(ends, (self.lower, build.sub(self.upper, build.constant(1))), strict=True):
            build.remember((end, ()), build.cast(value, counter.dtype))
        return ends

    def _all_in_range(self, positions: Sequence[Even]) -> Value:
        """Whether positions are within their arrays in the first and the last iteration."""
        ends = self._ends(self.region)
        return self._all([self._in_range(each, ends) for each in _each_once(positions)])

    def _in_range(self, position: Even, ends: Sequence[Node]) -> Value:
        build, writer = self.build, self.nest.writer

        def within(end: Node) -> Value:
            value = self.nest.value(at(position.index, self.region.parameters[0], end, self.region))
            if position.below:
                value = build.sub(value, build.constant(1, value.dtype))
            dtype = I64 if value.dtype.bits == 64 or writer.fault_dtype is U64 else INDEX
            extent = build.cast(writer.index(position.extent), dtype)
            return writer.within(build.cast(value, dtype), build.constant(0, dtype), extent)

        def is_small(node: Node, end: Node) -> Value:
            value = build.cast(self.nest.value(at(node, self.region.parameters[0], end, self.region)), I64)
            small, twice = (build.constant(number, I64) for number in (SMALL, 2 * SMALL))
            return writer.within(build.add(value, small), build.constant(0, I64), twice)

        asked = ends if position.moves else ends[:1]
        small = [is_small(node, end) for node in position.factors for end in asked]
        return self._all([*small, *(within(end) for end in asked)])

    def _changed(self, region: Region) -> dict[int, Node]:
        """Returns the updated arrays, as parameters of the region."""
        parameters = self.flow.parameters(region)
        return {position: parameters[position] for position in self.homes}

    def _may_run_in_vectors(self, known: Known) -> bool:
        """Whether the loop runs in vectors where positions are known to be in range."""
        vectors = self.nest.nest.copied(self.region, known, IN_VECTORS)
        return self._vector_conditions(vectors) is not None or self._accumulations(vectors) is not None

    def _vector_conditions(self, region: Region) -> list[Apart] | None:
        """Returns the conditions under which iterations run in vectors; None: they cannot."""
        if self.scalars or self.nest.inner != "lanes" or not self._is_in_place(region):
            return None
        changed = self._changed(region)
        if self.flow.independent and all_within(region, changed.values()):
            return []
        return vector_conditions(region, region.parameters[0], changed)

    def _accumulations(self, region: Region) -> list[Accumulation] | None:
        """Returns the accumulations of a loop with no other effect, where terms may be added in any order:
        those of integers, and of independent iterations. None: it has others."""
        if self.homes or self.nest.inner != "lanes" or not self._is_in_place(region):
            return None
        for node in topological(region.results):
            if node.op.family in ("control", "reduce") or (node.op.fault is not None and not is_read(node)):
                return None
            if is_read(node) and not all(node.attribute("known")):
                return None
        parameters = self.flow.parameters(region)
        accumulations = [accumulation(region, parameters[k], k) for k in self.scalars]
        known = [each for each in accumulations if each is not None]
        if len(known) < len(accumulations):
            return None
        ordered = any(region.results[k].dtype.is_float for k in self.scalars)
        return None if ordered and not self.flow.independent else known

    def _accumulate(self, region: Region, sums: Sequence[Accumulation]) -> Sequence[Value]:
        """Accumulates in vectors: each iteration starts from the identities."""
        nest, build, counter = self.nest, self.build, region.parameters[0]
        build.enclose()
        dtypes = [region.results[k].dtype for k in self.scalars]
        nothing = [
            build.constant(each.identity(dtype), dtype) for each, dtype in zip(sums, dtypes, strict=True)
        ]

        def term(index: Value) -> Sequence[Value]:
            build.remember((counter, ()), build.cast(index, counter.dtype))
            return run_once(nest, self.flow, region, dict(zip(self.scalars, nothing, strict=True)), {})

        def combine(*values: Value) -> Sequence[Value]:
            pairs = zip(values[: len(sums)], values[len(sums) :], strict=True)
            return [each.combined(build, *pair) for each, pair in zip(sums, pairs, strict=True)]

        made = nest.reduce(self.lower, self.upper, nothing, term, combine)
        return combine(*self.scalars.values(), *made)

    def _is_in_place(self, region: Region) -> bool:
        """Whether all updates of a region are in place, and it stores no arrays."""
        effects = self.nest.nest.effects[id(region)]
        if any(node.shape for node in effects.stored):
            return False
        for node in effects.order:
            if node.op.family == "update" and (node, 0) not in effects.in_place:
                return False
            if node.op.family == "control":
                flow = control_flow_of(node)
                arrays = [k for k, result in enumerate(flow.regions[0].results) if result.shape]
                if any(flow.unchanged[k] is None and (node, k) not in effects.in_place for k in arrays):
                    return False
                if not all(map(self._is_in_place, flow.regions)):
                    return False
        return True

    def _is_apart(self, region: Region, condition: Apart) -> Value:
        """Whether no element that is read is written."""
        build, place = self.build, self.nest.place
        ends = self.lower, build.sub(self.upper, build.constant(1))
        least, most = (
            place(region, condition.written, end) for end in (ends if condition.rising else ends[::-1])
        )
        read = place(region, condition.read, self.lower)
        return build.emit("or", (build.emit("lt", (read, least)), build.emit("lt", (most, read))))

    # The loop itself ----------------------------------------------------------------------------------
    def _run(self, region: Region, checked: bool = True) -> Sequence[Value]:
        """Writes a serial loop, which keeps the last element written in a register."""
        nest, build = self.nest, self.build
        build.enclose()
        counter = region.parameters[0]
        handed: dict[Node, Node] = {}
        first: list[Value] = []
        if not checked:
            parameters = self.flow.parameters(region)
            scalars = [parameters[position] for position in self.scalars]
            handed = last_written(region, counter, self._changed(region), scalars)
        if handed:
            nest.bind(self.flow.parameters(region), self.flow.operands, self.scalars, self.homes)
            end, _ = self._ends(region)
            first = [nest.value(at(read, counter, end, region)) for read in handed]
        count = len(self.scalars)

        def body(index: Value, *values: Value) -> Sequence[Value]:
            build.remember((counter, ()), build.cast(index, counter.dtype))
            for read, value in zip(handed, values[count:], strict=True):
                build.remember((read, ()), value)
            scalars = dict(zip(self.scalars, values[:count], strict=True))
            made = run_once(nest, self.flow, region, scalars, self.homes)
            return [*made, *(nest.value(node) for node in handed.values())]

        made = build.carry(self.lower, self.upper, (*self.scalars.values(), *first), body)
        return made[:count]

    def _run_in_vectors(self, region: Region, split: Apart | None) -> Sequence[Value]:
        """Writes a loop in vectors. `split`: an element that is read may be written by one of the
        iterations: those before it, this one, and those after it are separate loops, and the element is
        read before each."""
        nest, build = self.nest, self.build
        build.enclose()
        if split is None:
            self._vectors(region, self.lower, self.upper)
            return ()
        one, place = build.constant(1), nest.place
        moved = build.sub(place(region, split.read, self.lower), place(region, split.written, self.lower))
        writer = build.add(self.lower, moved) if split.rising else build.sub(self.lower, moved)
        met = nest.writer.within(writer, self.lower, build.sub(self.upper, self.lower))
        ends = build.emit("select", (met, writer, self.upper)), build.add(writer, one)
        count = build.emit("select", (met, build.constant(3), one))
        arrays = list(self._changed(region).values())
        reads = [node for node in topological(region.results) if is_read(node) and node.inputs[0] in arrays]

        def segment(number: Value, start: Value) -> Sequence[Value]:
            build.enclose()
            is_first, is_second = (
                build.emit("eq", (number, build.constant(position))) for position in range(2)
            )
            later = build.emit("select", (is_second, ends[1], self.upper))
            stop = build.emit("select", (is_first, ends[0], later))
            for node in reads:
                if sum_of(index_nodes(node)[-1], {}) == split.read:
                    nest.read(node)
            self._vectors(region, start, stop)
            return [stop]

        build.carry(build.constant(0), count, [self.lower], segment)
        return ()

    def _vectors(self, region: Region, lower: Value, upper: Value) -> None:
        nest, build, counter = self.nest, self.build, region.parameters[0]
        with nest.loop(lower, upper, "lanes") as index:
            build.remember((counter, ()), build.cast(index, counter.dtype))
            run_once(nest, self.flow, region, {}, self.homes)


def run_once(
    nest: NestWriter,
    flow: ControlFlow,
    region: Region,
    scalars: Mapping[int, Value],
    homes: Mapping[int, Memory],
) -> Sequence[Value]:
    """Writes one iteration of a loop's body: its results become the carried values; returns the scalars."""
    parameters = flow.parameters(region)
    nest.bind(parameters, flow.operands, scalars, homes)
    nest.run(region)
    nest.deliver(region, homes)
    carried = [parameters[position] for position in scalars]
    values = []
    for position in scalars:
        result, own = region.results[position], parameters[position]
        replaced = replacement(result, own, carried)
        values.append(nest.value(result) if replaced is None else _replaced(nest, own, *replaced))
    return values


def _replaced(nest: NestWriter, own: Node, predicate: Node, value: Node, negated: bool) -> Value:
    """Replaces a branch's value by a predicted one: the next iteration does not wait for the read of this
    one."""
    holds, other, same = nest.value(predicate), nest.value(value), nest.value(own)
    arms = (lambda: (other,)), (lambda: (same,))
    (made,) = nest.build.branch(holds, *(arms[::-1] if negated else arms))
    return made


def with_unchanged(nest: NestWriter, flow: ControlFlow, scalars: dict[int, Value]) -> dict[int, Value]:
    for position, same in enumerate(flow.unchanged):
        if same is not None and not flow.operands[same].shape:
            scalars[position] = nest.value(flow.operands[same])
    return scalars
