"""Patterns (see `patterns`) of one value and of two that meet, and the nodes of a value by its pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy

from ..api.frame import LazyValue
from ..arrays.promotion import NUMBERS, check_fits, kind_of
from ..errors import TraceError, forget
from ..functions import late
from ..functions.integer_ranges import Range
from ..functions.operands import cast
from ..ir.node import Node, Shape
from ..ir.record import replace
from ..ir.types import F64, DType
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.lists import counted_lists
from ..tracing.lists.item_types import ItemType, type_of, type_of_items
from ..tracing.lists.item_types import joined as common_type
from ..tracing.lists.list_arrays import array_of
from ..tracing.lists.row_values import LEAST, rows_in, run_of
from ..tracing.values.number_ranges import full_range, hull
from ..tracing.values.regions import value_of
from ..tracing.values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .patterns import (
    UNSET,
    Carry,
    Contents,
    Fixed,
    Listed,
    Members,
    Pattern,
    Referred,
    Unsettled,
    is_unset,
)

full = late("creation", "full")


_NO_CONTENTS: Contents = {}
_ATOMS = (bool, int, float, str, bytes, type(None), numpy.generic)


def is_value(value: Any) -> bool:
    """Whether it can be a value of the graph."""
    return value.__class__ in NUMBERS or isinstance(value, (LazyValue, numpy.ndarray, numpy.generic))


def same(first: Any, second: Any) -> bool:
    """Whether two objects are one, or equal constants."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, TracedArray):
        return _same_view(first, second)
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


def carry_of(frame: TraceFrame, value: Any) -> Carry:
    """What a value is in the graph."""
    found = value_of(frame, value, "the state of a loop or condition")
    node = found.node
    span = frame.root.ranges.of(frame, node) if found.kind == NUMBER and node.dtype.is_integer else None
    return Carry(node.dtype, node.shape, found.kind, span)


def _array_of_list(value: Any) -> TracedArray | None:
    """What a list of numbers holds that is an array."""
    return value.array if isinstance(value, GrowingList) and value.is_flat_array else None


def is_pooled(value: Any) -> bool:
    """Whether it is a list that is known by its number."""
    return type(value) is GrowingList and value.pool is not None


def _vary(first: Any, second: Any) -> bool:
    """Whether two values are lists of which one has another length, or one that values decide; empty ones are
    there to get items."""
    if not (type(first) is type(second) is GrowingList):
        return False
    is_counted = first.counter is not None or second.counter is not None
    return is_counted or not list.__len__(first) or list.__len__(first) != list.__len__(second)


def _referred(value: Any, other: Any = None) -> Referred | None:
    """What a list is by its number, which takes the place of another one."""
    pool = counted_lists.list_pools().pool_of(value, other)
    return None if pool is None or pool.refer(value) is None else Referred(pool)


def pattern_of(frame: TraceFrame, value: Any, contents: Contents = _NO_CONTENTS) -> Pattern:
    """All values in it as values of the graph."""
    if type(value) is GrowingList and value.counter is not None:
        return _referred(value) or Fixed(value)
    if value.__class__ in (tuple, list) or (isinstance(value, tuple) and hasattr(type(value), "_fields")):
        items = _members(value, contents)
        found = _listed(value, items)
        if found is not None:
            return found
        return Members(value.__class__, tuple([pattern_of(frame, each, contents) for each in items]))
    return carry_of(frame, value) if is_value(value) else Fixed(value)


def _listed(given: Any, value: Any) -> Listed | None:
    """A list that is an array, or a long one of consecutive rows; `value`: its items."""
    whole = _array_of_list(given)
    if whole is not None:
        return Listed(Carry(whole._dtype, whole.shape, ARRAY), given.items_type.kind, given.is_mixed)
    run = run_of(value) if value.__class__ is list and len(value) >= LEAST else None
    if run is None:
        return None
    array = run.array()
    return Listed(Carry(array._dtype, array.shape, ARRAY), run.kind)


def guess(frame: TraceFrame, value: Any) -> Pattern:
    """What a variable that is bound in a loop probably is: numbers change, other things are written to."""
    if type(value) is tuple:
        return Members(tuple, tuple([guess(frame, each) for each in value]))
    if value.__class__ in (int, float) or isinstance(value, numpy.generic):
        return carry_of(frame, value)
    if is_pooled(value):
        return Referred(value.pool)
    if isinstance(value, TracedArray) and value._kind != ARRAY:
        return carry_of(frame, value)
    return Fixed(value)


def opened(frame: TraceFrame, value: Any, other: Any, contents: Contents, others: Contents) -> Pattern:
    """What a value is beside another one of another frame: what both share is fixed."""
    if same(value, other):
        return Fixed(value)
    if _vary(value, other):
        return _referred(value, other) or Fixed(value)
    if _array_of_list(value) is not None or _array_of_list(other) is not None:
        found = _as_listed(frame, value)
        return _refuse_list(value, other) if found is None else found
    if _sequences(value, other):
        pairs = zip(_members(value, contents), _members(other, others), strict=True)
        members = [opened(frame, x, y, contents, others) for x, y in pairs]
        return Members(value.__class__, tuple(members))
    return carry_of(frame, value) if isinstance(value, (LazyValue, numpy.ndarray)) else Fixed(value)


def joined(frame: TraceFrame, known: Pattern, value: Any, contents: Contents = _NO_CONTENTS) -> Pattern:
    """What holds a value as well as what was known before. Raises Unsettled."""
    if isinstance(known, Fixed):
        before = known.value
        if same(before, value):
            return known
        if _vary(before, value):
            known = _referred(before, value) or known
            if not isinstance(known, Referred) or known.pool.refer(value) is None:
                raise Unsettled("it is one list or another, which cannot take each other's place")
            return known
        if _sequences(before, value):
            if _array_of_list(before) is not None or _array_of_list(value) is not None:
                return _common_list(frame, before, value)
            pairs = zip(before, _members(value, contents), strict=True)
            members = [joined(frame, Fixed(x), y, contents) for x, y in pairs]
            return Members(before.__class__, tuple(members))
        if is_value(before) and is_value(value):
            return _common(carry_of(frame, before), carry_of(frame, value))
        raise Unsettled(f"it is {_shown(before)} on one way and {_shown(value)} on another")
    if isinstance(known, Referred):
        if known.pool.refer(value) is None:
            raise Unsettled(f"it is one of several lists on one way and {_shown(value)} on another")
        return known
    if isinstance(known, Listed):
        found = _listed(value, _members(value, contents))
        if found != known:
            if len(known.carry.shape) == 1:
                return _joined_lists(frame, known, value)
            raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
        return known
    if isinstance(known, Members):
        if value.__class__ is not known.of or len(value) != len(known.members):  # type: ignore[arg-type]
            raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
        parts = zip(known.members, _members(value, contents), strict=True)
        return Members(known.of, tuple([joined(frame, each, member, contents) for each, member in parts]))
    if not is_value(value):
        raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
    return _common(known, carry_of(frame, value))


def _common_list(frame: TraceFrame, before: Any, value: Any) -> Listed:
    """What two lists of numbers are, of which one is an array."""
    found = _as_listed(frame, before)
    return _joined_lists(frame, found, value) if found is not None else _refuse_list(before, value)


def _as_listed(frame: TraceFrame, value: Any) -> Listed | None:
    """A list of numbers as an array."""
    if not isinstance(value, list):
        return None
    whole = _array_of_list(value)
    if whole is not None:
        growing: Any = value
        return Listed(Carry(whole._dtype, whole.shape, ARRAY), growing.items_type.kind, growing.is_mixed)
    items = elements_of(value)
    its = type_of_items(frame, items)
    if its is None:
        return None
    mixed = any(type_of(frame, each) != its for each in items)
    return Listed(Carry(its.dtype, (len(items),), ARRAY), its.kind, mixed)


def _joined_lists(frame: TraceFrame, known: Listed, value: Any) -> Listed:
    found = _as_listed(frame, value)
    if found is None or found.carry.shape != known.carry.shape:
        return _refuse_list(known, value)
    types = [ItemType(each.carry.dtype, each.kind) for each in (known, found)]
    both = common_type(*types)
    if both is None or (both.dtype.is_float and any(each.dtype.is_integer for each in types)):
        return _refuse_list(known, value)
    mixed = known.mixed or found.mixed or types[0] != types[1]
    return Listed(replace(known.carry, dtype=both.dtype), both.kind, mixed)


def _refuse_list(known: Any, value: Any) -> NoReturn:
    first = _pattern_text(known) if isinstance(known, Listed) else _shown(known)
    raise Unsettled(f"it is {first} on one way and {_shown(value)} of other items on another")


def _array_of(frame: TraceFrame, pattern: Listed, value: Any, contents: Contents) -> TracedArray:
    """The array that a list is, or may be."""
    whole = _array_of_list(value)
    if whole is not None:
        return whole
    items = _members(value, contents)
    run = run_of(items)
    if run is not None:
        return run.array()
    return array_of(frame, items, ItemType(pattern.carry.dtype, pattern.kind))


def _members(value: Any, contents: Contents) -> Sequence[Any]:
    found = contents.get(id(value), value)
    if isinstance(found, GrowingList):
        return found.items
    return found  # type: ignore[no-any-return]


def _sequences(first: Any, second: Any) -> bool:
    return (
        first.__class__ is second.__class__
        and (
            first.__class__ in (tuple, list) or (isinstance(first, tuple) and hasattr(type(first), "_fields"))
        )
        and len(first) == len(second)
    )


def _common(x: Carry, y: Carry) -> Carry:
    """What holds both."""
    found = _common_dtype(x, y)
    if found.kind != NUMBER or not found.dtype.is_integer:
        return replace(found, span=None)
    spans = [full_range(each.dtype) if each.span is None else each.span for each in (x, y)]
    return replace(found, span=hull(*spans))


def _common_dtype(x: Carry, y: Carry) -> Carry:
    if x == y:
        return x
    if x.shape != y.shape:
        raise Unsettled(f"its shape is {_list(x.shape)} on one way and {_list(y.shape)} on another")
    kinds = {x.kind, y.kind}
    if ARRAY in kinds and len(kinds) > 1:
        if NUMBER in kinds or x.dtype is not y.dtype:
            raise Unsettled("it is an array on one way and a number on another")
        return Carry(x.dtype, x.shape, SCALAR)
    if x.dtype is y.dtype:
        return x if x.kind != NUMBER else y
    ranks = kind_of(x.dtype), kind_of(y.dtype)
    if x.kind == y.kind == NUMBER:
        return x if ranks[0] > ranks[1] else y
    low, high = (x, y) if ranks[0] <= ranks[1] else (y, x)
    if low.kind == NUMBER or (ranks[0] != ranks[1] and high.dtype is F64):
        return Carry(high.dtype, high.shape, high.kind)
    if ranks[0] == ranks[1] and high.kind == NUMBER:
        return Carry(low.dtype, low.shape, low.kind)
    raise Unsettled(f"it is {x.dtype.numpy_name} on one way and {y.dtype.numpy_name} on another")


def unchanged(known: Pattern, found: Pattern) -> bool:
    """Whether two patterns are one."""
    if isinstance(known, Fixed) and isinstance(found, Fixed):
        return same(known.value, found.value)
    if isinstance(known, Members) and isinstance(found, Members):
        return known.of is found.of and all(
            unchanged(x, y) for x, y in zip(known.members, found.members, strict=True)
        )
    if isinstance(known, Referred) and isinstance(found, Referred):
        return known.pool is found.pool
    return isinstance(known, (Carry, Listed)) and known == found


def nodes_of(
    frame: TraceFrame, pattern: Pattern, value: Any, what: str, contents: Contents = _NO_CONTENTS
) -> Iterator[Node]:
    """The nodes of what is carried, in order; zeros where there is no value yet."""
    if isinstance(pattern, Fixed):
        return
    if isinstance(pattern, Members):
        members = [value] * len(pattern.members) if is_unset(value) else _members(value, contents)
        for each, member in zip(pattern.members, members, strict=True):
            yield from nodes_of(frame, each, member, what, contents)
        return
    if isinstance(pattern, Referred):
        value, pattern = 0 if is_unset(value) else pattern.pool.refer(value), pattern.carry
    if isinstance(pattern, Listed):
        if not is_unset(value):
            value = _array_of(frame, pattern, value, contents)
        pattern = pattern.carry
    graph = frame.begin()
    if is_unset(value):
        yield full(graph, pattern.shape, 0, pattern.dtype)
        return
    found = value_of(frame, value, what)
    if found.node.dtype is not pattern.dtype:
        try:
            _check_exact(value, found.node.dtype, pattern, what)
        except TraceError as error:
            doubt(frame, error)
    yield cast(graph, found.node, pattern.dtype)


def doubt(frame: TraceFrame, error: TraceError) -> None:
    """Raises an error, in an iteration of a loop only if that is not traced again with other dtypes: what
    begins as a Python number may be another one's dtype from then on."""
    for each in (frame, *reversed(frame.enclosing)):
        if each.doubts is not None:
            forget(error)
            each.doubts.append(error)
            return
    raise error


def _check_exact(value: Any, dtype: DType, wanted: Carry, what: str) -> None:
    """A Python number must be one of the narrower dtype that it becomes."""
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


def relaxed(pattern: Pattern, spans: Callable[[Carry], Range]) -> Pattern:
    """With other bounds of the integers of Python's in it."""
    if isinstance(pattern, Members):
        return Members(pattern.of, tuple([relaxed(each, spans) for each in pattern.members]))
    if isinstance(pattern, Carry) and pattern.span is not None:
        return replace(pattern, span=spans(pattern))
    return pattern


def build(pattern: Pattern, values: Iterator[Any]) -> Any:
    """A value of this pattern, of the next of some traced values."""
    if isinstance(pattern, Fixed):
        return pattern.value
    if isinstance(pattern, Carry):
        return next(values)
    if isinstance(pattern, Referred):
        return pattern.pool.list_of(next(values))
    if isinstance(pattern, Listed):
        value = next(values)
        if isinstance(value, list):
            return value
        if len(pattern.carry.shape) > 1:
            return rows_in(value, pattern.kind)
        made_list = GrowingList.of(value, ItemType(pattern.carry.dtype, pattern.kind))
        made_list.mixed = pattern.mixed
        return made_list
    made = [build(each, values) for each in pattern.members]
    if pattern.of is list:
        return GrowingList(made)
    return tuple(made) if pattern.of is tuple else tuple.__new__(pattern.of, made)


def carries(pattern: Pattern) -> Iterator[Carry]:
    """What is carried, in order."""
    if isinstance(pattern, Carry):
        yield pattern
    elif isinstance(pattern, (Listed, Referred)):
        yield pattern.carry
    elif isinstance(pattern, Members):
        for each in pattern.members:
            yield from carries(each)


def inner_lists(pattern: Pattern) -> Iterator[Listed | None]:
    """Beside each value that is carried, the list that it is the rows of."""
    if isinstance(pattern, Members):
        for each in pattern.members:
            yield from inner_lists(each)
    elif not isinstance(pattern, Fixed):
        yield pattern if isinstance(pattern, Listed) else None


def leaves(pattern: Pattern, value: Any, contents: Contents = _NO_CONTENTS) -> Iterator[Any]:
    """The parts of a value that are carried, in order."""
    if isinstance(pattern, Carry):
        yield value
    elif isinstance(pattern, Referred):
        yield UNSET if is_unset(value) else value.counter.number
    elif isinstance(pattern, Listed):
        whole = None if is_unset(value) else _array_of_list(value)
        run = None if is_unset(value) or whole is not None else run_of(_members(value, contents))
        yield whole if whole is not None else value if run is None else run.array()
    elif isinstance(pattern, Members):
        members = [value] * len(pattern.members) if is_unset(value) else _members(value, contents)
        for each, member in zip(pattern.members, members, strict=True):
            yield from leaves(each, member, contents)


def _list(shape: Shape) -> str:
    return str(list(shape))


def _shown(value: Any) -> str:
    if value is None or isinstance(value, (bool, str)):
        return repr(value)
    if isinstance(value, TracedArray):
        return value._described()
    return f"a {value.__class__.__name__}"


def _pattern_text(pattern: Pattern) -> str:
    if isinstance(pattern, Members):
        return f"a {pattern.of.__name__} of {len(pattern.members)}"
    if isinstance(pattern, Listed):
        return f"a list of {pattern.count}"
    if isinstance(pattern, Referred):
        return "one of several lists"
    if isinstance(pattern, Carry):
        return f"a value {pattern.dtype.numpy_name}{list(pattern.shape)}"
    return _shown(pattern.value)
