"""Argreduce (argmax, argmin) on a processor: blocks of a row are reduced to their maximum or minimum, without
positions; then the first block that contains the result of the row is searched.

A loop that carries positions waits for a comparison at each step, and its vectors have as few lanes as those
need. This one takes a minimum or maximum of each vector, and vectors of small elements have many lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.expr import Expr, less, maximum, minimum
from ....ir.node import Node
from ....ir.passes.stages import Stage
from ...kernel.nodes import REDUCTION_LANES, Value
from ..writing.accumulators import identities, position_of, reducer_of
from ..writing.context import GroupWriter
from ..writing.nest import Axis
from ..writing.order_key import order_dtype, order_key
from .row_values import is_costly_along

LEAST, MOST = 64, 512
"""The bounds of a block's size: an eighth of a row or less, as one block is searched, but long compared with
the lanes of vectors, which are combined at the end of each."""


def found_by_blocks(writing: GroupWriter, stages: Sequence[Stage]) -> bool:
    """Whether stages find elements whose positions rise along a row, and that are cheap to read again."""
    return all(
        reducer_of(stage).finds
        and stage.reduction.positions is None
        and not is_costly_along((stage.value, stage.dims), writing)
        for stage in stages
    )


def find_in_row(
    writing: GroupWriter, stages: Sequence[Stage], axis: Axis, lower: Value, upper: Value
) -> list[Value]:
    """Returns the accumulators of stages after a row of the innermost axis; no stage stores along it."""
    return _Search(writing, stages, axis, lower, upper).accumulators()


class _Search:
    def __init__(
        self, writing: GroupWriter, stages: Sequence[Stage], axis: Axis, lower: Value, upper: Value
    ) -> None:
        self.writing = writing
        self.build = writing.build
        self.stages = stages
        self.axis = axis
        self.lower, self.upper = lower, upper
        extent = writing.nest.extents[axis]
        self.size = writing.writer.index(_block_size(extent))
        self.whole = writing.context.decide(less(extent, LEAST + 1))
        """Whether a row is one block."""
        self.reducers = [reducer_of(stage) for stage in stages]
        self.nodes = [_before_widening(writing, stage) for stage in stages]

    def accumulators(self) -> list[Value]:
        build, count = self.build, len(self.stages)
        lowest = [
            build.constant(reducer.identity(node.dtype), node.dtype)
            for reducer, node in zip(self.reducers, self.nodes, strict=True)
        ]

        def terms(i: Value) -> list[Value]:
            return [self._element(number, i) for number in range(count)]

        def extremes(*values: Value) -> list[Value]:
            pairs = zip(self.reducers, values[:count], values[count:], strict=True)
            return [build.emit(reducer.extreme, (x, y)) for reducer, x, y in pairs]

        def block(first: Value, *known: Value) -> list[Value]:
            """Reduces a block: updates the extremes so far, and the blocks in which each occurred first."""
            made = build.reduce(first, self._end(first), lowest, terms, extremes)
            beaten = [
                build.emit(reducer.kernel, (order_key(reducer, x), order_key(reducer, y)))
                for reducer, x, y in zip(self.reducers, made, known[:count], strict=True)
            ]
            pairs = [*zip(made, known[:count], strict=True), *((first, at) for at in known[count:])]
            return [build.emit("select", (beaten[n % count], *pair)) for n, pair in enumerate(pairs)]

        start = [*lowest, *[self.lower] * count]
        if self.whole:
            found = [*build.reduce(self.lower, self.upper, lowest, terms, extremes), *start[count:]]
        else:
            found = [*build.carry(self.lower, self.upper, start, block, self.size)]
        made: list[Value] = []
        for number, (stage, extreme) in enumerate(zip(self.stages, found[:count], strict=True)):
            at = self._position(number, extreme, found[count + number])
            key = order_key(self.reducers[number], extreme)
            made += [build.cast(key, order_dtype(stage.value.dtype)), at]
        return made

    def _position(self, number: int, extreme: Value, block: Value) -> Value:
        """Returns the position of the first element of a block that equals its extreme."""
        build, stage = self.build, self.stages[number]
        _, none = identities(self.writing, [stage])

        def term(i: Value) -> list[Value]:
            element = self._element(number, i)
            same = element.equals(extreme)
            if element.dtype.is_float:
                same = same | element.differs(element)  # a NaN is there only if it is the extreme
            return [build.select(same, position_of(self.writing, stage, stage.dims), none)]

        def first(x: Value, y: Value) -> list[Value]:
            return [build.minimum(x, y)]

        (position,) = build.reduce(block, self._end(block), [none], term, first)
        return position

    def _element(self, number: int, position: Value) -> Value:
        self.writing.writer.axes[self.axis] = position
        return self.writing.writer.value(self.nodes[number], self.stages[number].dims)

    def _end(self, block: Value) -> Value:
        if self.whole:
            return self.upper
        return self.build.minimum(block + self.size, self.upper)


def _block_size(extent: Expr) -> Expr:
    """In whole steps of the accumulators."""
    eighth = extent // (8 * REDUCTION_LANES) * REDUCTION_LANES
    return minimum(maximum(eighth, LEAST), MOST)


def _before_widening(writing: GroupWriter, stage: Stage) -> Node:
    """Returns an integer before it was widened, which has the same order in smaller elements."""
    node = stage.value
    while node.op.converts and not writing.writer.in_memory(node):
        (source,) = node.inputs
        kept = (node, stage.dims) in writing.writer.kept
        widens = source.dtype.is_integer and node.dtype.is_integer and source.dtype.bits < node.dtype.bits
        if kept or not widens or source.dtype.is_signed > node.dtype.is_signed:
            break
        node = source
    return node
