"""Loop-carried values and their patterns (see `patterns`): the nodes of a value, a value made of nodes,
equality of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy

from ..arrays.promotion import check_fits
from ..base.importing import load
from ..errors import TraceError, forget
from ..functions import late
from ..functions.integer_ranges import Range
from ..ir.node import Node
from ..ir.record import replace
from ..ir.types import DType
from ..tracing.arguments.growing_list import GrowingList
from ..tracing.lists.item_types import ItemType
from ..tracing.lists.list_arrays import array_of
from ..tracing.lists.row_values import rows_in, run_of
from ..tracing.values.classed_number import (
    ClassedNumber,
    NumberClass,
    classed,
    exactly,
    tag_among,
)
from ..tracing.values.concrete import is_of_mask
from ..tracing.values.one_of import OneOf, number_among
from ..tracing.values.optional import may_be_none, optional
from ..tracing.values.regions import value_of
from ..tracing.values.traced import TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .patterns import (
    FLAG,
    UNSET,
    Carry,
    Chosen,
    Classed,
    Contents,
    Fixed,
    Listed,
    Maybe,
    Members,
    Open,
    Pattern,
    Referred,
    is_unset,
)

full = late("creation", "full")
NO_CONTENTS: Contents = {}
_ATOMS = (bool, int, float, str, bytes, type(None), numpy.generic)


def array_of_list(value: Any) -> TracedArray | None:
    """Returns the array that represents a list of numbers."""
    return value.array if isinstance(value, GrowingList) and value.is_flat_array else None


def _array_of(frame: TraceFrame, pattern: Listed, value: Any, contents: Contents) -> TracedArray:
    """Returns the array that a list is, or may become."""
    whole = array_of_list(value)
    if whole is not None:
        return whole
    items = members_of(value, contents)
    run = run_of(items)
    if run is not None:
        return run.array()
    return array_of(frame, items, ItemType(pattern.carry.dtype, pattern.kind))


def members_of(value: Any, contents: Contents) -> Sequence[Any]:
    found = contents.get(id(value), value)
    if isinstance(found, GrowingList):
        return found.items
    return found  # type: ignore[no-any-return]


def _parts_of_maybe(value: Any) -> tuple[Any, Any]:
    """Returns the flag whether there is a value, and the value."""
    if may_be_none(value):
        return value._present, value._inner
    return (False, UNSET) if value is None or is_unset(value) else (True, value)


def nodes_of(
    frame: TraceFrame, pattern: Pattern, value: Any, what: str, contents: Contents = NO_CONTENTS
) -> Iterator[Node]:
    """Returns the nodes that carry a value, in order; zeros where there is no value yet."""
    if isinstance(pattern, Fixed):
        return
    if isinstance(pattern, Maybe):
        present, inner = _parts_of_maybe(value)
        yield from nodes_of(frame, FLAG, present, what)
        yield from nodes_of(frame, pattern.value, inner, what, contents)
        return
    if isinstance(pattern, Members):
        members = [value] * len(pattern.members) if is_unset(value) else members_of(value, contents)
        for each, member in zip(pattern.members, members, strict=True):
            yield from nodes_of(frame, each, member, what, contents)
        return
    if isinstance(pattern, Open):
        parts = [UNSET, UNSET] if is_unset(value) else open_arrays().values_of(pattern, value)
        for carry, part in zip(carries(pattern), parts, strict=False):
            yield from nodes_of(frame, carry, part, what)
        return
    if isinstance(pattern, Referred):
        value, pattern = 0 if is_unset(value) else pattern.pool.refer(value), pattern.carry
    if isinstance(pattern, Classed):
        tag = 0 if is_unset(value) else tag_among(value, class_of(frame, value), pattern.classes)
        yield from nodes_of(frame, pattern.tag, tag, what)
        pattern = pattern.carry
    if isinstance(pattern, Chosen):
        value = 0 if is_unset(value) else number_among(value, pattern.constants)
        pattern = pattern.carry
    if isinstance(pattern, Listed):
        if not is_unset(value):
            value = _array_of(frame, pattern, value, contents)
        pattern = pattern.carry
    graph = frame.begin()
    if is_unset(value):
        yield full(graph, pattern.shape, 0, pattern.dtype)
        return
    region_value = value_of(frame, value, what)
    if region_value.node.dtype is not pattern.dtype:
        try:
            _check_exact(value, region_value.node.dtype, pattern, what)
        except TraceError as error:
            doubt(frame, error)
    yield exactly(frame, region_value.node, pattern.dtype)


def class_of(frame: TraceFrame, value: Any) -> NumberClass:
    """Returns the class of a number: of one of several classes, the common one."""
    region_value = value_of(frame, value, "a number")
    return NumberClass(region_value.node.dtype, region_value.kind)


def doubt(frame: TraceFrame, error: TraceError) -> None:
    """Raises an error; inside a loop only if the iteration is not traced again with other dtypes, since a
    variable that begins as a Python number may have another dtype from the second iteration on."""
    for each in (frame, *reversed(frame.enclosing)):
        if each.doubts is not None:
            forget(error)
            each.doubts.append(error)
            return
    raise error


def _check_exact(value: Any, dtype: DType, wanted: Carry, what: str) -> None:
    """Checks that a Python number is exactly representable in the narrower dtype that it is converted to."""
    if dtype.is_float is not wanted.dtype.is_float or dtype.bits <= wanted.dtype.bits:
        return
    if isinstance(value, int) and wanted.dtype.is_integer:
        check_fits(value, wanted.dtype)
        return
    if isinstance(value, float):
        with numpy.errstate(all="ignore"):
            narrow = float(numpy.asarray(value, wanted.dtype.numpy_name))
        if narrow == value or value != value:
            return
    raise TraceError(
        f"{what} is a Python number on one way and {wanted.dtype.numpy_name} on another, which may not hold "
        f"it exactly; begin with np.{wanted.dtype.numpy_name}(...)"
    )


def open_arrays() -> Any:
    """Returns the module of arrays of open length."""
    return load("jitframe.capture.open_arrays")  # few programs carry these


def relaxed(pattern: Pattern, spans: Callable[[Carry], Range]) -> Pattern:
    """The same pattern with other bounds of its Python integers."""
    if isinstance(pattern, Members):
        return Members(pattern.of, tuple([relaxed(member, spans) for member in pattern.members]))
    if isinstance(pattern, Maybe):
        return Maybe(relaxed(pattern.value, spans))
    if isinstance(pattern, Classed):
        return replace(pattern, carry=relaxed(pattern.carry, spans))
    if isinstance(pattern, Carry) and pattern.span is not None:
        return replace(pattern, span=spans(pattern))
    return pattern


def of_items(pattern: Pattern) -> Pattern:
    """The pattern of values that become items of a list, which has one class for all."""
    if isinstance(pattern, Members):
        return Members(pattern.of, tuple([of_items(member) for member in pattern.members]))
    if isinstance(pattern, Maybe):
        return Maybe(of_items(pattern.value))
    return pattern.carry if isinstance(pattern, Classed) else pattern


def build(pattern: Pattern, values: Iterator[Any]) -> Any:
    """Builds a value of this pattern from the next of some traced values."""
    if isinstance(pattern, Fixed):
        return pattern.value
    if isinstance(pattern, Carry):
        return next(values)
    if isinstance(pattern, Referred):
        return pattern.pool.list_of(next(values))
    if isinstance(pattern, Open):
        return open_arrays().built(pattern, values)
    if isinstance(pattern, Chosen):
        return OneOf(next(values), pattern.constants)
    if isinstance(pattern, Classed):
        tag = next(values)
        return classed(tag, next(values), pattern.classes)
    if isinstance(pattern, Maybe):
        present = next(values)
        return optional(present, build(pattern.value, values))
    if isinstance(pattern, Listed):
        value = next(values)
        if isinstance(value, list):
            return value
        if len(pattern.carry.shape) > 1:
            return rows_in(value, pattern.kind)
        made_list = GrowingList.of(value, ItemType(pattern.carry.dtype, pattern.kind))
        made_list.mixed = pattern.mixed
        return made_list
    made = [build(member, values) for member in pattern.members]
    if pattern.of is list:
        return GrowingList(made)
    return tuple(made) if pattern.of is tuple else tuple.__new__(pattern.of, made)


def carries(pattern: Pattern) -> Iterator[Carry]:
    """The leaves of a pattern that are carried as nodes, in order."""
    if isinstance(pattern, Carry):
        yield pattern
    elif isinstance(pattern, (Listed, Referred, Chosen)):
        yield pattern.carry
    elif isinstance(pattern, Classed):
        yield pattern.tag
        yield pattern.carry
    elif isinstance(pattern, Open):
        yield pattern.carry
        if pattern.count is not None:
            yield pattern.count
    elif isinstance(pattern, Maybe):
        yield FLAG
        yield from carries(pattern.value)
    elif isinstance(pattern, Members):
        for member in pattern.members:
            yield from carries(member)


def inner_lists(pattern: Pattern) -> Iterator[Listed | None]:
    """For each carried value, the list whose rows it holds."""
    if isinstance(pattern, Members):
        for member in pattern.members:
            yield from inner_lists(member)
    elif isinstance(pattern, Maybe):
        yield None
        yield from inner_lists(pattern.value)
    elif not isinstance(pattern, Fixed):
        yield from (pattern if isinstance(pattern, Listed) else None for _ in carries(pattern))


def leaves(pattern: Pattern, value: Any, contents: Contents = NO_CONTENTS) -> Iterator[Any]:
    """The leaves of a value that are carried, in order."""
    if isinstance(pattern, Carry):
        yield value
    elif isinstance(pattern, Maybe):
        present, inner = _parts_of_maybe(value)
        yield present
        yield from leaves(pattern.value, inner, contents)
    elif isinstance(pattern, Referred):
        yield UNSET if is_unset(value) else value.counter.number
    elif isinstance(pattern, Open):
        yield value.full if is_of_mask(value) else value
        if pattern.count is not None:
            yield UNSET
    elif isinstance(pattern, Chosen):
        yield value._number if type(value) is OneOf else UNSET
    elif isinstance(pattern, Classed):
        yield UNSET
        yield value
    elif isinstance(pattern, Listed):
        whole = None if is_unset(value) else array_of_list(value)
        run = None if is_unset(value) or whole is not None else run_of(members_of(value, contents))
        yield whole if whole is not None else value if run is None else run.array()
    elif isinstance(pattern, Members):
        members = [value] * len(pattern.members) if is_unset(value) else members_of(value, contents)
        for each, member in zip(pattern.members, members, strict=True):
            yield from leaves(each, member, contents)


def unchanged(known: Pattern, found: Pattern) -> bool:
    """Whether two patterns are equal."""
    if isinstance(known, Fixed) and isinstance(found, Fixed):
        return same(known.value, found.value)
    if isinstance(known, Members) and isinstance(found, Members):
        return known.of is found.of and all(
            unchanged(x, y) for x, y in zip(known.members, found.members, strict=True)
        )
    if isinstance(known, Maybe) and isinstance(found, Maybe):
        return unchanged(known.value, found.value)
    if isinstance(known, Referred) and isinstance(found, Referred):
        return known.pool is found.pool
    if isinstance(known, Open) and isinstance(found, Open):
        is_one = known.template is found.template
        return is_one and (known.carry, known.axis) == (found.carry, found.axis)
    return isinstance(known, (Carry, Listed, Chosen, Classed)) and known == found


def same(first: Any, second: Any) -> bool:
    """Whether two objects are identical, or equal constants."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, TracedArray):
        is_one_class = type(first) is not ClassedNumber or (
            first._classes == second._classes and _same_view(first._tag, second._tag)
        )
        return is_one_class and _same_view(first, second)
    if isinstance(first, (tuple, list)):
        return (
            type(first) is tuple
            and len(first) == len(second)
            and all(same(x, y) for x, y in zip(first, second, strict=True))
        )
    if not isinstance(first, _ATOMS):
        return False
    if isinstance(first, (float, numpy.floating)):
        return (
            bool(first.hex() == second.hex())
            if isinstance(first, float)
            else first.tobytes() == second.tobytes()
        )
    return bool(first == second)


def _same_view(first: TracedArray, second: TracedArray) -> bool:
    return (first._cell, first._path, first._kind) == (second._cell, second._path, second._kind)
