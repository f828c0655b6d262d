"""`index` and `count` of lists in traced code: where values decide, the place is computed by the program."""

from __future__ import annotations

from typing import Any

from ... import api
from ...api.elementwise.arithmetic import where
from ...api.frame import innermost_frame
from ...errors import NumberError, TraceError
from ..arguments.growing_list import GrowingList
from ..values.traced import TracedArray, needs_capture
from ..values.traced_frame import run_traced
from . import traced_list_functions
from .counted_lists import integer, most_of, raise_unless
from .item_types import type_of
from .row_values import gathered

LONG = 64
"""Items that are in no array are compared one by one, up to so many."""


def place_of(values: GrowingList, *given: Any) -> Any:
    """`values.index(value)`, or with bounds."""
    if len(given) != 1:
        return values._all().index(*given)
    (value,) = given
    if values.counter is not None:
        found = run_traced(traced_list_functions.place_of, values, value)
        return _certain(found, found >= 0, most_of(values))
    tests = _tests(values, value)
    if tests is None:
        return values._all().index(value)
    if isinstance(tests, TracedArray):
        return _certain(api.reductions.argmax(tests), api.reductions.any(tests), tests.shape[0])
    found = -1
    for place in reversed(range(len(tests))):
        found = where(tests[place], place, found)
    return _certain(found, found >= 0, len(tests))


def count_of(values: GrowingList, value: Any) -> Any:
    """`values.count(value)`."""
    if values.counter is not None:
        return integer(run_traced(traced_list_functions.count_of, values, value), (0, most_of(values)))
    tests = _tests(values, value)
    if tests is None:
        return values._all().count(value)
    if isinstance(tests, TracedArray):
        return integer(api.reductions.count_nonzero(tests), (0, tests.shape[0]))
    return integer(sum(where(test, 1, 0) for test in tests), (0, len(tests)))


def _tests(values: GrowingList, value: Any) -> Any:
    """Returns whether each item equals a value, as an array or a list; None where this is known, and where
    items are no scalars, which Python compares."""
    frame: Any = innermost_frame()
    if frame is None or type_of(frame, value) is None:
        return None
    items = values._all()
    if not isinstance(value, TracedArray) and not any(isinstance(each, TracedArray) for each in items):
        return None
    if frame.root.hooks is None:
        if frame.root.may_capture:
            raise needs_capture(TraceError("a list is searched for a value"))
        return None
    array = values.whole() if values.is_flat_array else gathered(items)
    if array is not None:
        return array == value if array.ndim == 1 else None
    if len(items) > LONG or any(type_of(frame, each) is None for each in items):
        return None
    return [each == value for each in items]


def _certain(place: Any, is_there: Any, most: int) -> Any:
    """Returns a place, with a check that there is one. Python answers calls with none: it has the text of the
    error, and finds a NaN that is the value itself."""
    raise_unless(is_there, NumberError("a list is asked for the place of an item that is not in it"))
    return integer(where(is_there, place, 0), (0, most - 1))
