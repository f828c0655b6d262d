"""Arrays of open length (see `tracing.values.masked`) as the state of loops and branches.

Where one mask chooses on every path, the whole array is carried, and the mask stays. Elsewhere the elements
are put in front of an array with room for the most that there may be on any path, and their number is carried
as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy

from .. import api
from ..api.frame import LazyValue, entered
from ..ir.record import replace
from ..tracing.values.concrete import is_of_mask
from ..tracing.values.packed import MOST_ROWS, Packed, packed
from ..tracing.values.traced import ARRAY
from ..tracing.values.traced_frame import TraceFrame
from .patterns import Carry, Open, Pattern, Unsettled


def front_of(value: Any, axis: int | None = None) -> Open:
    """Returns the pattern of an array whose elements are put in front of another one; `axis`: that of open
    length, for an array of known length."""
    if not is_of_mask(value):
        is_array = isinstance(value, (LazyValue, numpy.ndarray)) and getattr(value, "_kind", ARRAY) == ARRAY
        if not is_array or axis is None or axis >= len(value.shape):
            raise Unsettled("it is an array of open length on one way and another value on another")
        dtype = api.movement.as_lazy(value)._dtype
        return Open(Carry(dtype, tuple(value.shape), ARRAY), axis)
    shape, axis, rank = value.full.shape, value.axis, len(value.mask.shape)
    room = math.prod(value.mask.shape)
    if 0 in shape or room > MOST_ROWS:
        raise Unsettled("it is an array of open length without any elements")
    return Open(Carry(value.full._dtype, (*shape[:axis], room, *shape[axis + rank :]), ARRAY), axis)


def alone(frame: TraceFrame, value: Any) -> Open:
    """Returns the pattern of an array of open length that one path leaves."""
    return _chosen_of(value) if _is_from_outside(frame, value) else front_of(value)


def joined(frame: TraceFrame, known: Pattern | None, before: Any, value: Any) -> Open:
    """Returns the pattern that holds a value and one before; `known`: the latter's pattern, if any."""
    pattern = known if isinstance(known, Open) else None
    template = before if pattern is None else pattern.template
    if is_of_mask(template) and _is_one_mask(template, value) and _is_from_outside(frame, template):
        mine: Open = _chosen_of(template) if pattern is None else pattern
        its = _chosen_of(value)
        if mine.carry.shape == its.carry.shape:
            return replace(mine, carry=_common(mine.carry, its.carry), template=template)
    given: list[Any] = [
        each for each in (pattern, before, value) if isinstance(each, Open) or is_of_mask(each)
    ]
    axis = given[0].axis
    if pattern is not None and pattern.template is not None:
        first = replace(front_of(pattern.template), carry=_with_dtype(pattern))
    elif pattern is not None:
        first = pattern
    else:
        first = Open(known, axis) if isinstance(known, Carry) else front_of(before, axis)
    return together(first, front_of(value, axis))


def together(first: Open, second: Open) -> Open:
    """Returns the pattern with room for the elements of both."""
    axis = first.axis
    shapes = [list(each.carry.shape) for each in (first, second)]
    rooms = [shape[axis] if axis < len(shape) else 0 for shape in shapes]
    for shape in shapes:
        shape[axis : axis + 1] = [max(rooms)]
    if axis != second.axis or shapes[0] != shapes[1]:
        raise Unsettled("it is an array of open length, of other extents on one way than on another")
    carries = [replace(each.carry, shape=tuple(shapes[0])) for each in (first, second)]
    return Open(_common(*carries), axis)


def _with_dtype(pattern: Open) -> Carry:
    return replace(front_of(pattern.template).carry, dtype=pattern.carry.dtype)


def _common(x: Carry, y: Carry) -> Carry:
    from .values import common_carry  # which asks this module of arrays of open length

    return common_carry(x, y)


def _chosen_of(value: Any) -> Open:
    whole = value.full
    return Open(Carry(whole._dtype, tuple(whole.shape), ARRAY), value.axis, value)


def _is_from_outside(frame: TraceFrame, value: Any) -> bool:
    """Whether the mask is one of an enclosing trace, which all paths have."""
    cell = value.mask._cell
    return cell.frame is not frame or id(cell) in getattr(frame, "touched", ())


def _is_one_mask(x: Any, y: Any) -> bool:
    if not (is_of_mask(x) and is_of_mask(y)) or (x.axis, len(x.mask.shape)) != (y.axis, len(y.mask.shape)):
        return False
    if isinstance(x, Packed) and isinstance(y, Packed):
        return x._base is y._base and x._more == y._more
    return x.mask is y.mask


# The values of a pattern


def values_of(pattern: Open, value: Any) -> Iterator[Any]:
    """Returns the whole array of this pattern that a value is, and the number of its elements."""
    if pattern.template is not None:
        yield value.full
        return
    if is_of_mask(value):
        found = packed(value)
        assert found is not None
        whole, count = found.full, found.count()
    else:
        whole, count = api.movement.as_lazy(value), value.shape[pattern.axis]
    more = pattern.carry.shape[pattern.axis] - whole.shape[pattern.axis]
    if more:
        shape = [*whole.shape]
        shape[pattern.axis] = more
        rest = api.creation.constructors.zeros(tuple(shape), whole.dtype)
        whole = api.movement.concat([whole, rest], axis=pattern.axis)
    yield whole
    yield count


def built(pattern: Open, values: Iterator[Any]) -> Any:
    whole = next(values)
    if pattern.template is not None:
        return pattern.template.like(whole)
    with entered(whole._cell.frame):  # an iteration's begin is made before its region is traced
        return Packed.of_length(whole, pattern.axis, next(values))
