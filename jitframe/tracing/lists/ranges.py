"""`range()`, `enumerate()`, `zip()` and `reversed()` of traced values: a function gives the item at a
position, so that a loop over them is captured whole."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from ...api.calls import operand
from ...api.elementwise.arithmetic import where
from ...api.frame import entered_frame, frame_of
from ...arrays.promotion import Weak
from ...base.boundary import guarded
from ...errors import ArgumentError, DTypeError, TraceError
from ...functions.operands import as_node
from ...ir.types import I64
from ..arguments.growing_list import GrowingList, counted_lists, is_listed
from ..environment.user_code import class_where_asked
from ..values.concrete import is_of_mask
from ..values.python_numbers import DOMAIN, Fault, Given, checked
from ..values.traced import TracedArray, needs_capture
from ..values.traced_frame import TraceFrame
from .row_values import Rows, is_rows, rows_of_list


class TracedRange:
    """`range()` of traced values."""

    __slots__ = ("start", "step", "stop")
    __class__ = property(class_where_asked)
    _stands_for = range

    def __init__(self, *bounds: Any) -> None:
        self.start, self.stop, self.step = _range_bounds(bounds)

    @property
    def count(self) -> Any:
        """The number of items."""
        start, stop, step = self.start, self.stop, self.step
        sign = _sign(step)
        many = ((stop - start) * sign + (step * sign - 1)) // (step * sign)
        return many * (many > 0)

    def known(self) -> range:
        """Returns the range, whose bounds become static; raises where they depend on arrays."""
        return range(*map(operator.index, (self.start, self.stop, self.step)))

    def is_decided(self) -> bool:
        """Whether the bounds depend on scalar arguments alone, which become static."""
        bounds = [each for each in (self.start, self.stop, self.step) if isinstance(each, TracedArray)]
        return all(each._known() is not None or each._value_by_arguments() is not None for each in bounds)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.known())

    def __len__(self) -> int:
        return len(self.known())

    def __repr__(self) -> str:
        return f"range({self.start!r}, {self.stop!r}, {self.step!r})"


class ParallelRange(TracedRange):
    """The result of `prange()` in a trace."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        frame = entered_frame()
        if isinstance(frame, TraceFrame) and frame.root.may_capture:
            raise needs_capture(TraceError("a loop whose iterations are independent is captured"))
        return super().__iter__()


@guarded
def prange(*args: Any) -> Any:
    """`range(*args)`, which says that the iterations of a loop over it do not depend on each other.

    Inside a jitted function threads share the iterations, and work items on other devices, also where it
    cannot be seen from the positions that are written that they are independent; with iterations that are
    not, results are undefined. Numbers that the iterations accumulate (`total += x[i]`, `best = max(best,
    x[i])`, `count += 1`) are accumulated by each thread for itself and then together: sums of floats are
    those of another order, the same one on any number of threads. With numbers that iterations hand on
    otherwise, one thread has all iterations. Python's integers have 64 bits in such a loop, and wrap. Outside
    of jitted functions it is `range`.

    >>> import numpy as np
    >>> @jf.jit
    ... def scattered(x, places):
    ...     out = np.zeros(4)
    ...     for i in jf.prange(len(places)):
    ...         out[places[i]] = x[i] * 2
    ...     return out
    >>> scattered(np.array([1.0, 2.0, 3.0]), np.array([3, 0, 1]))
    array([4., 6., 0., 2.])
    """
    if not isinstance(entered_frame(), TraceFrame):
        return range(*args)
    made = RangeFunction()(*args)
    return ParallelRange(made.start, made.stop, made.step)


def _range_bounds(bounds: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    for each in (start, stop, step):
        if isinstance(each, TracedArray) and (each.shape or not each._dtype.is_integer):
            raise DTypeError(f"range() takes integers, not {each._described()}; write int(x)")
    if isinstance(step, TracedArray) and step._known() is None:
        step = as_number(step)
        return start, stop, checked(_of_step, (step,), step)
    step = operator.index(step)
    if step == 0:
        raise ArgumentError(_ZERO_STEP)
    return start, stop, step


_ZERO_STEP = "range() arg 3 must not be zero"


def as_number(value: TracedArray) -> Any:
    """Converts an integer to a Python one."""
    frame = frame_of((value,))
    graph = frame.begin()
    return frame.wrap(graph, Weak(as_node(graph, operand(frame, graph, value), I64)))


def _of_step(operands: Sequence[Given], _result: Given) -> Iterator[Fault]:
    yield operands[0].is_("eq", 0), DOMAIN, _ZERO_STEP


def _sign(step: Any) -> Any:
    """Returns 1 of an ascending range, -1 of a descending one."""
    if not isinstance(step, TracedArray):
        return 1 if step > 0 else -1
    frame: Any = frame_of((step,))
    low, high = frame.root.ranges.of_operand(frame, operand(frame, frame.begin(), step))
    return 1 if low >= 0 else -1 if high <= 0 else (step > 0) * 2 - 1


class RangeFunction:
    """The stand-in for `range`, whose bounds may be traced values."""

    stands_for_type = True
    __jitframe_original__ = range

    def __call__(self, *bounds: Any) -> Any:
        unknown = [each for each in bounds if isinstance(each, TracedArray) and each._known() is None]
        if not unknown:
            return range(*bounds)
        keeps = unknown[0]._frame.root.keeps_scalars
        if keeps or any(each._value_by_arguments() is None for each in unknown):
            return TracedRange(*bounds)
        return range(*bounds)

    def __getattr__(self, name: str) -> Any:
        return getattr(range, name)

    def __eq__(self, other: object) -> bool:
        return other is range or isinstance(other, RangeFunction)

    __hash__ = object.__hash__


def rows_of(iterable: Any) -> Rows | None:
    """Returns the rows of an iterable that has an item for each position; None of other iterables."""
    if is_listed(iterable):
        items = counted_lists().list_of(iterable, counted_lists().Unnamed)
        return Rows(items.length(), functools.partial(counted_lists().item_of, items))
    if is_of_mask(iterable):
        found = _in_order(iterable)
        if found is not None:
            return Rows(found.count(), found.rows)
        iterable = iterable.array()
    if isinstance(iterable, Rows):
        return iterable
    if _is_flat(iterable):
        return Rows(iterable.base.size, iterable.reader())
    if isinstance(iterable, TracedArray) and iterable.shape:
        return Rows(iterable.shape[0], lambda position: iterable[position])
    if isinstance(iterable, range):
        return Rows(len(iterable), lambda position: iterable.start + position * iterable.step)
    if isinstance(iterable, GrowingList) and iterable.array is not None:
        if iterable.counter is not None:
            iterable._fix()
            return rows_of(iterable)
        from .list_arrays import rows_of_array  # which has made the array

        return rows_of_array(iterable)
    return rows_of_list(iterable) if is_rows(iterable) else None


def _in_order(chosen: Any) -> Any:
    """Returns the rows that a mask has chosen as the first ones of an array, for a loop of the program; None
    where their number has to be known."""
    if not chosen.is_open or chosen.axis or chosen.mask._frame.root.hooks is None:
        return None
    from ..values.packed import packed  # few programs iterate over these

    return packed(chosen)


def _is_flat(value: Any) -> bool:
    """Whether it is `x.flat` of a traced x."""
    return getattr(value, "_stands_for", None) is numpy.flatiter and isinstance(value.base, TracedArray)


def _is_traced(value: Any) -> bool:
    if isinstance(value, GrowingList) and value.array is not None:
        return True
    return isinstance(value, (TracedArray, Rows)) or is_of_mask(value) or is_rows(value) or _is_flat(value)


class Iteration:
    """The stand-in for a builtin class of iterators, whose objects over traced arrays are rows."""

    stands_for_type = True

    def __init__(self, original: Any, rows: Callable[..., Rows | None]) -> None:
        self.__jitframe_original__ = original
        self._rows = rows

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        found = self._rows(*arguments, **options) if any(map(_is_traced, arguments)) else None
        if found is None:
            return self.__jitframe_original__(*arguments, **options)
        found._stands_for = self.__jitframe_original__
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__jitframe_original__, name)

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__jitframe_original__", other) is self.__jitframe_original__

    def __hash__(self) -> int:
        return hash(self.__jitframe_original__)


def _enumerated(iterable: Any, start: Any = 0) -> Rows | None:
    inner = rows_of(iterable)
    return inner and Rows(inner.count, lambda position: (position + start, inner.at(position)))


def _zipped(*iterables: Any, strict: bool = False) -> Rows | None:
    inner = [rows for each in iterables if (rows := rows_of(each)) is not None]
    counts = [rows.count for rows in inner]
    if len(inner) < len(iterables):
        return None
    if strict and not all(isinstance(each, int) for each in counts):
        raise TraceError("zip(strict=True) of what a mask has chosen")
    if strict and len(set(counts)) > 1:
        raise ArgumentError("zip(strict=True) of arrays of several lengths")
    fewest = functools.reduce(_smaller, counts)
    return Rows(fewest, lambda position: tuple([rows.at(position) for rows in inner]))


def _smaller(one: Any, other: Any) -> Any:
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    return as_number(where(one < other, one, other))


def _reversed(iterable: Any) -> Rows | None:
    inner = rows_of(iterable)
    return inner and Rows(inner.count, lambda position: inner.at(inner.count - 1 - position))


def _elements(array: Any, *more: Any, **options: Any) -> Any:
    """`numpy.nditer` of one array: its elements in memory order, which is C order or was asked for."""
    if more or options or array._strides is not None:
        return numpy.nditer(array._concrete("np.nditer()"), *more, **options)
    flat = array.reshape(-1)
    return Rows(array.size, lambda position: flat[position])


def _places(array: Any) -> Rows:
    """`numpy.ndenumerate`: positions and elements in C order."""
    shape, flat = array.shape, array.reshape(-1)

    def at(position: Any) -> tuple[tuple[Any, ...], Any]:
        found: tuple[Any, ...] = ()
        rest = position
        for extent in reversed(shape):
            found = (rest % extent, *found)
            rest = rest // extent
        return found, flat[position]

    return Rows(array.size, at)


ITERATIONS = {
    numpy.nditer: Iteration(numpy.nditer, _elements),
    numpy.ndenumerate: Iteration(numpy.ndenumerate, _places),
    enumerate: Iteration(enumerate, _enumerated),
    zip: Iteration(zip, _zipped),
    reversed: Iteration(reversed, _reversed),
}
"""By the object that they stand for."""
