"""Elements of arrays with symbolic sizes as functions of their positions: an element of an array of the trace
(`Part`), or a function of elements (`Applied`).

Elements are computed lazily, in an inner loop. Positions in memory are an offset plus a position times a
step, so that a part of a part is one, and so that overlaps of reads and writes are decidable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..api.frame import entered
from ..ir.node import Node
from ..ir.record import identity_record
from ..ir.types import DType
from ..tracing.values.cells import Cell
from ..tracing.values.regions import RegionFrame
from ..tracing.values.traced import SCALAR, TracedArray
from ..tracing.values.traced_frame import current_trace
from .symbolic_sizes import Size, at_most, distance, is_same, minus, plus, times


class Place(metaclass=identity_record):
    """Positions on an axis of an array: an offset, plus on an axis of the part its position times a step."""

    offset: Any
    axis: int | None = None
    step: int = 1

    def at(self, positions: Sequence[Size]) -> Size:
        return self.offset if self.axis is None else plus(self.offset, times(positions[self.axis], self.step))

    def cut(self, cuts: Sequence[Place]) -> Place:
        """Composes it with the axes of another part."""
        if self.axis is None:
            return self
        inner = cuts[self.axis]
        return Place(plus(self.offset, times(inner.offset, self.step)), inner.axis, inner.step * self.step)


class Part(metaclass=identity_record):
    """Elements of an array of the trace."""

    array: TracedArray
    places: tuple[Place, ...]
    """The positions on each of its axes."""
    certain: bool = True
    """Whether no position counts from the end, or lies beyond it."""
    read: tuple[Any, Node, int] | None = None
    """Frame, content and version of its memory when it was read; None of a view, which has the present
    content."""

    @property
    def dtype(self) -> DType:
        return self.array._dtype

    def element(self, positions: Sequence[Size]) -> Any:
        return self.at([each.at(positions) for each in self.places])

    def at(self, index: Sequence[Any]) -> Any:
        """An element of the array."""
        array, cell = self.array, self.array._cell
        if not self.is_there:
            assert self.read is not None
            frame, node, _ = self.read
            array = TracedArray(Cell(frame, node, cell.strides), array._path)
            array._within = self.array._within
        return array[tuple(index)]

    @property
    def is_there(self) -> bool:
        """Whether the content that was read is still in memory: no later write, nor one in an earlier
        iteration of a user's loop, may have changed it."""
        if self.read is None:
            return True
        frame, _, version = self.read
        here = current_trace()
        around = (*here.enclosing, here)
        inside = around[around.index(frame) + 1 :] if frame in around else around
        return version == self.array._cell.version and all(
            getattr(each, "is_of_slices", False) for each in inside
        )

    def cut(self, cuts: Sequence[Place]) -> Part:
        places = tuple([each.cut(cuts) for each in self.places])
        return Part(self.array, places, self.certain, self.read)

    def parts(self) -> Iterator[Part]:
        yield self

    def now(self) -> Part:
        """Returns the present content of a view, unaffected by later writes."""
        if self.read is not None:
            return self
        _ = self.array._frame  # into which this brings its memory
        cell = self.array._cell
        return Part(self.array, self.places, self.certain, (cell.frame, cell.node, cell.version))


class Applied(metaclass=identity_record):
    """A function of elements."""

    function: Callable[..., Any]
    operands: tuple[Any, ...]
    """Parts, functions of elements, and scalars."""
    dtype: DType
    looked_up: tuple[Part, ...] = ()
    """The reads of the function at positions that are elements."""

    def element(self, positions: Sequence[Size]) -> Any:
        given = [
            operand.element(positions) if isinstance(operand, (Part, Applied)) else operand
            for operand in self.operands
        ]
        return self.function(*given)

    def cut(self, cuts: Sequence[Place]) -> Applied:
        operands = [
            operand.cut(cuts) if isinstance(operand, (Part, Applied)) else operand
            for operand in self.operands
        ]
        return Applied(self.function, tuple(operands), self.dtype, self.looked_up)

    def parts(self) -> Iterator[Part]:
        yield from self.looked_up
        for operand in self.operands:
            if isinstance(operand, (Part, Applied)):
                yield from operand.parts()

    def now(self) -> Applied:
        return self


def applied(function: Callable[..., Any], operands: Sequence[Any], looked_up: Sequence[Part] = ()) -> Applied:
    """Returns a function of elements, whose dtype is that of its result."""
    frame = current_trace()
    region = RegionFrame("a slice", frame)
    with entered(region):
        made = function(*(_element_like(region, operand) for operand in operands))
    frame.root.graphs.remove(region.graph)
    return Applied(function, tuple(operands), made._dtype, tuple(looked_up))


def _element_like(region: RegionFrame, operand: Any) -> Any:
    if not isinstance(operand, (Part, Applied)):
        return operand
    return TracedArray(Cell(region, region.graph.parameter(0, (), operand.dtype)), None, SCALAR)


def is_same_place(x: Part, y: Part) -> bool:
    """Whether two parts are certainly the same elements at the same positions."""
    if x.array._cell is not y.array._cell or x.array._path != y.array._path:
        return False
    return all(
        p.axis == q.axis and p.step == q.step and is_same(p.offset, q.offset)
        for p, q in zip(x.places, y.places, strict=True)
    )


def is_safe(target: Part, extents: Sequence[Size], read: Part) -> bool:
    """Whether no read of the target's array is of an element that is written at another position."""
    cell = target.array._cell
    if read.array._cell is not cell or not read.is_there:
        return True
    if read.array._path != target.array._path or not (target.certain and read.certain):
        return False
    if is_same_place(target, read):
        return True
    pairs = zip(target.places, read.places, strict=True)
    return any(_are_apart(_reach(p, extents), _reach(q, extents)) for p, q in pairs)


def _reach(place: Place, extents: Sequence[Size]) -> tuple[Size, Size]:
    """Returns the first and the last position on an axis of an array."""
    if place.axis is None:
        return place.offset, place.offset
    far = plus(place.offset, times(minus(extents[place.axis], 1), place.step))
    return (place.offset, far) if place.step > 0 else (far, place.offset)


def _are_apart(x: tuple[Size, Size], y: tuple[Size, Size]) -> bool:
    return _is_less(x[1], y[0]) or _is_less(y[1], x[0])


def _is_less(x: Size, y: Size) -> bool:
    known = distance(y, x)
    return known > 0 if known is not None else at_most(plus(x, 1), y)
