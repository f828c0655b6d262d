"""Patterns (see `patterns`) of a value and of two merged values, and the nodes of a value by its pattern."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy

from ..api.frame import LazyValue
from ..arrays.promotion import NUMBERS, kind_of
from ..functions import late
from ..ir.node import Shape
from ..ir.record import replace
from ..ir.types import F64, I64
from ..tracing.arguments.growing_list import GrowingList, elements_of
from ..tracing.lists import counted_lists
from ..tracing.lists.item_types import ItemType, type_of, type_of_items
from ..tracing.lists.item_types import joined as common_type
from ..tracing.lists.row_values import LEAST, run_of
from ..tracing.values.classed_number import ClassedNumber, NumberClass
from ..tracing.values.concrete import is_of_mask
from ..tracing.values.number_ranges import full_range, hull
from ..tracing.values.one_of import OneOf, constants_of, shown, united
from ..tracing.values.optional import may_be_none
from ..tracing.values.regions import value_of
from ..tracing.values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from ..tracing.values.traced_frame import TraceFrame
from .carried import (
    NO_CONTENTS,
    array_of_list,
    members_of,
    open_arrays,
    relaxed,
    same,
)
from .patterns import (
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
    Unsettled,
)

full = late("creation", "full")


def is_value(value: Any) -> bool:
    """Whether it can be a value of the graph."""
    return value.__class__ in NUMBERS or isinstance(value, (LazyValue, numpy.ndarray, numpy.generic))


def carry_of(frame: TraceFrame, value: Any) -> Carry:
    """Returns the graph's form of a value."""
    region_value = value_of(frame, value, "the state of a loop or condition")
    node = region_value.node
    span = (
        frame.root.ranges.of(frame, node) if region_value.kind == NUMBER and node.dtype.is_integer else None
    )
    return Carry(node.dtype, node.shape, region_value.kind, span)


def is_pooled(value: Any) -> bool:
    """Whether it is a list that is represented by its number in a pool."""
    return type(value) is GrowingList and value.pool is not None


def _vary(first: Any, second: Any) -> bool:
    """Whether two values are lists of different or traced lengths; empty ones are expected to grow."""
    if not (type(first) is type(second) is GrowingList):
        return False
    is_counted = first.counter is not None or second.counter is not None
    return is_counted or not list.__len__(first) or list.__len__(first) != list.__len__(second)


def _referred(value: Any, other: Any = None) -> Referred | None:
    """Returns the form of a list by its number, as the alternative of another one."""
    pool = counted_lists.list_pools().pool_of(value, other)
    return None if pool is None or pool.refer(value) is None else Referred(pool)


def pattern_of(frame: TraceFrame, value: Any, contents: Contents = NO_CONTENTS) -> Pattern:
    """Returns the pattern in which all values are values of the graph."""
    if type(value) is OneOf:
        return Chosen(value._constants)
    if type(value) is ClassedNumber:
        return Classed(carry_of(frame, value), value._classes)
    if may_be_none(value):
        return _maybe(pattern_of(frame, value._inner, contents))
    if type(value) is GrowingList and value.counter is not None:
        return _referred(value) or Fixed(value)
    if value.__class__ in (tuple, list) or (isinstance(value, tuple) and hasattr(type(value), "_fields")):
        items = members_of(value, contents)
        found = _listed(value, items)
        if found is not None:
            return found
        return Members(value.__class__, tuple([pattern_of(frame, each, contents) for each in items]))
    if _is_open(value):
        return open_arrays().alone(frame, value)  # type: ignore[no-any-return]
    return carry_of(frame, value) if is_value(value) else Fixed(value)


def _is_open(value: Any) -> bool:
    return is_of_mask(value) and bool(value.is_open)


def _listed(given: Any, value: Any) -> Listed | None:
    """Returns the pattern of a list that is an array, or a long one of consecutive rows; `value`: its
    items."""
    whole = array_of_list(given)
    if whole is not None:
        return Listed(Carry(whole._dtype, whole.shape, ARRAY), given.items_type.kind, given.is_mixed)
    run = run_of(value) if value.__class__ is list and len(value) >= LEAST else None
    if run is None:
        return None
    array = run.array()
    return Listed(Carry(array._dtype, array.shape, ARRAY), run.kind)


def _maybe(pattern: Pattern) -> Maybe:
    """Returns the pattern of an optional value, whose placeholder is zeros."""
    return Maybe(relaxed(pattern, lambda carry: hull(carry.span or (0, 0), (0, 0))))


def guess(frame: TraceFrame, value: Any) -> Pattern:
    """Guesses the pattern of a variable that is bound in a loop: numbers change, other objects are
    mutated."""
    if may_be_none(value):
        return _maybe(guess(frame, value._inner))
    if type(value) is OneOf or type(value) is ClassedNumber:
        return pattern_of(frame, value)
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
    """Returns the pattern of a value merged with one of another frame: common members are fixed."""
    if same(value, other):
        return Fixed(value)
    is_settled = type(value) is OneOf or type(value) is ClassedNumber
    if is_settled or (constants_of(value) and constants_of(other)):
        return pattern_of(frame, value)
    if may_be_none(value):
        return pattern_of(frame, value, contents)
    if value is None or other is None or may_be_none(other):
        return Fixed(None) if value is None else pattern_of(frame, value, contents)
    if _vary(value, other):
        return _referred(value, other) or Fixed(value)
    if array_of_list(value) is not None or array_of_list(other) is not None:
        found = _as_listed(frame, value)
        return _refuse_list(value, other) if found is None else found
    if _sequences(value, other):
        pairs = zip(members_of(value, contents), members_of(other, others), strict=True)
        members = [opened(frame, x, y, contents, others) for x, y in pairs]
        return Members(value.__class__, tuple(members))
    if _is_open(value) or _is_open(other) or differ_in_length(value, other):
        axis = _axis_of_length(value, other)
        arrays = open_arrays()
        if axis is None:
            return Fixed(value) if _is_open(value) else carry_of(frame, value)
        return arrays.together(*(arrays.front_of(each, axis) for each in (value, other)))  # type: ignore[no-any-return]
    return carry_of(frame, value) if isinstance(value, (LazyValue, numpy.ndarray)) else Fixed(value)


def joined(frame: TraceFrame, known: Pattern, value: Any, contents: Contents = NO_CONTENTS) -> Pattern:
    """Returns a pattern that holds a value and the known pattern's. Raises Unsettled."""
    constants = _joined_constants(known, value)
    if constants is not None:
        return constants
    found_maybe = _joined_with_none(frame, known, value, contents)
    if found_maybe is not None:
        return found_maybe
    before = known.value if isinstance(known, Fixed) else None
    if isinstance(known, Open) or ((_is_open(before) or _is_open(value)) and before is not value):
        return open_arrays().joined(frame, known, before, value)  # type: ignore[no-any-return]
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
            if array_of_list(before) is not None or array_of_list(value) is not None:
                return _common_list(frame, before, value)
            pairs = zip(before, members_of(value, contents), strict=True)
            members = [joined(frame, Fixed(x), y, contents) for x, y in pairs]
            return Members(before.__class__, tuple(members))
        if is_value(before) and is_value(value):
            return _common_number(frame, pattern_of(frame, before), pattern_of(frame, value))
        raise Unsettled(f"it is {_shown(before)} on one way and {_shown(value)} on another")
    if isinstance(known, Chosen):
        raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
    if isinstance(known, Referred):
        if known.pool.refer(value) is None:
            raise Unsettled(f"it is one of several lists on one way and {_shown(value)} on another")
        return known
    if isinstance(known, Listed):
        found = _listed(value, members_of(value, contents))
        if found != known:
            if len(known.carry.shape) == 1:
                return _joined_lists(frame, known, value)
            raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
        return known
    if isinstance(known, Members):
        if value.__class__ is not known.of or len(value) != len(known.members):  # type: ignore[arg-type]
            raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
        parts = zip(known.members, members_of(value, contents), strict=True)
        return Members(known.of, tuple([joined(frame, each, member, contents) for each, member in parts]))
    if not is_value(value):
        raise Unsettled(f"it is {_pattern_text(known)} on one way and {_shown(value)} on another")
    assert isinstance(known, (Carry, Classed))  # what may be None is joined above
    return _common_number(frame, known, pattern_of(frame, value))


def _joined_constants(known: Pattern, value: Any) -> Chosen | None:
    """Merges a constant with a known pattern of other ones."""
    before = known.constants if isinstance(known, Chosen) else ()
    if isinstance(known, Fixed) and not same(known.value, value):
        before = constants_of(known.value)
    after = constants_of(value) if before else ()
    return Chosen(united(before, after)) if after else None


def _joined_with_none(frame: TraceFrame, known: Pattern, value: Any, contents: Contents) -> Maybe | None:
    """Merges a value with a known pattern, where one of both may be None."""
    was_none, is_none = isinstance(known, Fixed) and known.value is None, value is None
    if not (isinstance(known, Maybe) or may_be_none(value) or was_none is not is_none):
        return None
    if is_none:
        if isinstance(known, Fixed):
            return _maybe(_not_fixed(frame, known.value, contents))
        return known if isinstance(known, Maybe) else _maybe(known)
    inner = value._inner if may_be_none(value) else value
    if was_none:
        return _maybe(_not_fixed(frame, inner, contents))
    return _maybe(joined(frame, known.value if isinstance(known, Maybe) else known, inner, contents))


def _not_fixed(frame: TraceFrame, value: Any, contents: Contents) -> Pattern:
    """Returns the pattern of a value that is merged with None: all members are values of the graph."""
    found = pattern_of(frame, value, contents)
    if isinstance(found, Fixed):
        raise Unsettled(f"it is None on one way and {_shown(value)} on another")
    return found


def _common_list(frame: TraceFrame, before: Any, value: Any) -> Listed:
    """Returns the common form of two lists of numbers, one of which is an array."""
    found = _as_listed(frame, before)
    return _joined_lists(frame, found, value) if found is not None else _refuse_list(before, value)


def _as_listed(frame: TraceFrame, value: Any) -> Listed | None:
    """Returns a list of numbers as an array."""
    if not isinstance(value, list):
        return None
    whole = array_of_list(value)
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
    if both is None or (both.dtype.is_float and any(item_type.dtype.is_integer for item_type in types)):
        return _refuse_list(known, value)
    mixed = known.mixed or found.mixed or types[0] != types[1]
    return Listed(replace(known.carry, dtype=both.dtype), both.kind, mixed)


def _refuse_list(known: Any, value: Any) -> NoReturn:
    first = _pattern_text(known) if isinstance(known, Listed) else _shown(known)
    raise Unsettled(f"it is {first} on one way and {_shown(value)} of other items on another")


def differ_in_length(first: Any, second: Any) -> bool:
    """Whether two arrays differ in one extent alone."""
    arrays = [each for each in (first, second) if isinstance(each, (TracedArray, numpy.ndarray))]
    shapes = [each.shape for each in arrays if getattr(each, "_kind", ARRAY) == ARRAY]
    return (
        len(shapes) == 2
        and len(shapes[0]) == len(shapes[1])
        and sum(x != y for x, y in zip(*shapes, strict=True)) == 1
    )


def _axis_of_length(first: Any, second: Any) -> int | None:
    """Returns the axis of open length of arrays of which one has one, or of arrays of two lengths."""
    for each in (first, second):
        if _is_open(each):
            return int(each.axis)
    return next(
        (axis for axis, (x, y) in enumerate(zip(first.shape, second.shape, strict=True)) if x != y), None
    )


def _sequences(first: Any, second: Any) -> bool:
    return (
        first.__class__ is second.__class__
        and (
            first.__class__ in (tuple, list) or (isinstance(first, tuple) and hasattr(type(first), "_fields"))
        )
        and len(first) == len(second)
    )


def _common_number(frame: TraceFrame, x: Pattern, y: Pattern) -> Carry | Classed:
    """Returns the common form of two values; of numbers of several classes, with the number of the class. In
    iterations that are said to be independent it has the common class: none is the last one."""
    carries_ = [each.carry if isinstance(each, Classed) else each for each in (x, y)]
    first, second = carries_
    assert isinstance(first, Carry) and isinstance(second, Carry), (x, y)
    carry = common_carry(first, second)
    if carry.shape or ARRAY in (first.kind, second.kind) or not frame.has_python_numbers:
        return carry
    classes = [
        its
        for each in (x, y)
        for its in (each.classes if isinstance(each, Classed) else (NumberClass(each.dtype, each.kind),))  # type: ignore[union-attr]
    ]
    known = tuple(dict.fromkeys(classes))
    return carry if len(known) == 1 else Classed(carry, known)


def common_carry(x: Carry, y: Carry) -> Carry:
    """Returns the common form of both."""
    carry = _common_dtype(x, y)
    if carry.kind != NUMBER or not carry.dtype.is_integer:
        return replace(carry, span=None)
    spans = [full_range(each.dtype) if each.span is None else each.span for each in (x, y)]
    return replace(carry, span=hull(*spans))


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
    if low.kind == NUMBER or (low.dtype is I64 and high.dtype is F64):
        return Carry(high.dtype, high.shape, high.kind)
    if ranks[0] == ranks[1] and high.kind == NUMBER:
        return Carry(low.dtype, low.shape, low.kind)
    raise Unsettled(f"it is {x.dtype.numpy_name} on one way and {y.dtype.numpy_name} on another")


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
    if isinstance(pattern, Open):
        return f"an array of open length {pattern.carry.dtype.numpy_name}{list(pattern.carry.shape)}"
    if isinstance(pattern, Chosen):
        return f"one of {shown(pattern.constants)}"
    if isinstance(pattern, Maybe):
        return f"None or {_pattern_text(pattern.value)}"
    if isinstance(pattern, Classed):
        return " or ".join(each.name for each in pattern.classes)
    if isinstance(pattern, Carry):
        return f"a value {pattern.dtype.numpy_name}{list(pattern.shape)}"
    return _shown(pattern.value)
