"""Prologue and epilogue of a transform: elementwise code at its points, inside its kernel.

Elementwise stages before a transform compute the loaded points; those after it compute the stored values.
Stages between two transforms of the same rows compute the second one's operand from the first one's result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....ir.expr import Expr, lift
from ....ir.index import Dims
from ....ir.node import Node
from ....ir.passes.chains import parts_of_array
from ....ir.passes.groups import Group
from ....ir.passes.stages import Stage, reads
from ...kernel.nodes import Value
from ..writing.context import LoweringContext
from ..writing.nest import store_place
from ..writing.writer import KernelWriter
from ..written_kernel import WrittenKernel
from .butterflies import Complex
from .stages import Memory

if TYPE_CHECKING:
    from . import Transform

Place = Callable[[Value, Any], list[Value]]
"""The position on each axis of element `k` of a row, in a lane or in a given row."""


class Pointwise:
    """Stages whose loops run over the elements of a transform's operand or result."""

    def __init__(
        self, group: Group, context: LoweringContext, operand: Node | None, pairs: bool, item: Node | None
    ) -> None:
        """`operand`: the operand that the group computes for the next transform, as `pairs` or not; `item`:
        the result of the transform before it."""
        self.context, self.group = context, group
        self.parts = [] if operand is None else parts_of_array(operand, group.stages, pairs)
        """The stages that compute an element of the operand."""
        self.stored = [stage for stage in group.stages if stage not in self.parts]
        self._read: list[tuple[Stage, Dims]] = []
        """The stages' reads of the result, of each of its parts."""
        self._item = item
        if item is not None:
            stop = {*context.memories, item}
            self._read = [
                (stage, dims)
                for stage in group.stages
                for dims in reads(stage.value, stage.dims, stop, False).get(item, ())
            ]

    def at(self, kernel: WrittenKernel, place: Sequence[Value], result: Sequence[Value] = ()) -> list[Value]:
        """Returns the operand's parts at a place, given the result of the transform before; stores other
        results."""
        writer = kernel.writer
        assert writer is not None
        numbers = [writer.build.constant(part) for part in (0, 1)]
        writer.axes.update((each, each) for each in (*place, *numbers))

        def moved(stage: Stage, dims: Dims, part: int = 0) -> Dims:
            values = [*place, *[numbers[part]] * (len(stage.axes) - len(place))]
            names = dict(zip(stage.axes, values, strict=True))
            return tuple([dim.renamed(names) for dim in dims])

        for stage, dims in self._read:
            assert self._item is not None
            part = dims[-1].start.value or 0 if len(dims) > len(place) else 0
            writer.results[self._item, moved(stage, dims)] = result[part]
        whole = len(set(self.parts)) < len(self.parts)  # one stage writes both parts
        asked = [(stage, 0) for stage in self.stored]
        asked += [(stage, part if whole else 0) for part, stage in enumerate(self.parts)]
        values = [writer.value(stage.value, moved(stage, stage.dims, part)) for stage, part in asked]
        for stage, value in zip(self.stored, values, strict=False):
            memory, dims = store_place(stage, self.context.memories)
            writer.build.store(*writer.element(memory, moved(stage, dims)), value)
        return values[len(self.stored) :]


def writer_of(transforms: Sequence[Transform], name: str) -> KernelWriter | None:
    """Returns the writer of nodes' values in the kernel of transforms; None where it has no prologue or
    epilogue."""
    ends = [
        end for transform in transforms for end in (transform.prologue, transform.epilogue) if end is not None
    ]
    if not ends:
        return None
    context = ends[0].context
    written = {context.memories[stage.node].buffer for end in ends for stage in end.stored}
    writer = KernelWriter(name, context.memories, context.inlined, written)
    writer.counters = context.counters
    writer.computing = {stage.node for end in ends for stage in end.group.stages}
    return writer


class Ends:
    """A source or destination of a transform's rows that is computed.

    `onward`: the destination of computed points for the next transform.
    """

    def __init__(
        self,
        kernel: WrittenKernel,
        end: Pointwise | None,
        mode: str,
        axis: int,
        place: Place,
        swapped: bool,
        scale: float,
        onward: Memory | None,
    ) -> None:
        assert end is not None
        self.kernel, self.end, self.mode, self.axis, self.place = kernel, end, mode, axis, place
        self.swapped, self.scale, self.onward = swapped, scale, onward

    @classmethod
    def before(cls, kernel: WrittenKernel, transform: Transform, place: Place, swapped: bool = False) -> Ends:
        return cls(kernel, transform.prologue, transform.modes[0], transform.axis, place, swapped, 1.0, None)

    @classmethod
    def behind(
        cls,
        kernel: WrittenKernel,
        transform: Transform,
        place: Place,
        swapped: bool = False,
        scale: float = 1.0,
        onward: Memory | None = None,
    ) -> Ends:
        return cls(
            kernel, transform.epilogue, transform.modes[1], transform.axis, place, swapped, scale, onward
        )

    def load(self, point: Value, offset: int, lane: Any) -> Complex:
        place = self.place(point + offset, lane)
        if self.mode == "pairs":
            re, im = (self.end.at(self.kernel, self._of_pair(place, part))[0] for part in (0, 1))
        else:
            re, *more = self.end.at(self.kernel, place)
            im = more[0] if more else self.kernel.build.constant(0.0, re.dtype)
        return Complex(im, re) if self.swapped else Complex(re, im)

    def store(self, point: Value, offset: int, lane: Any, value: Complex) -> None:
        value = value.scaled(self.scale)
        value = value.swapped if self.swapped else value
        place = self.place(point + offset, lane)
        if self.mode == "pairs":
            values = [
                part
                for number, each in enumerate(value)
                for part in self.end.at(self.kernel, self._of_pair(place, number), (each,))
            ]
        else:
            values = self.end.at(self.kernel, place, tuple(value))
        if self.onward is not None:
            re, *more = values
            im = more[0] if more else self.kernel.build.constant(0.0, re.dtype)
            self.onward.store(point, offset, lane, Complex(re, im))

    def _of_pair(self, place: Sequence[Value], number: int) -> list[Value]:
        """Returns the place of a real number of a pair, given the place of the pair."""
        values = list(place)
        values[self.axis] = values[self.axis] * 2 + number
        return values


def positions(kernel: WrittenKernel, number: Value, extents: Sequence[Expr]) -> list[Value]:
    """Returns the positions on axes of a linear index; none where there are no axes."""
    values: list[Value] = []
    for extent in reversed(extents[1:]):
        number, place = divmod(number, kernel.index(lift(extent)))
        values.append(place)
    return [number, *reversed(values)] if extents else []
