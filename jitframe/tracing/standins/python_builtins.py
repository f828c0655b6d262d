"""Stand-ins for Python's own types and functions that a traced program names: they know traced values.

`float(x)` of a traced number stays a traced number, `isinstance(x, np.ndarray)` is true of a traced array,
and
`max(x, y)` chooses without asking for a value.
"""

from __future__ import annotations

import builtins
import math
import operator
import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy

from ... import api
from ...api.calls import operand
from ...api.frame import LazyValue, SymbolicExtents, frame_of
from ...arrays.promotion import Operand, Weak
from ...base.importing import load
from ...errors import ArgumentError, TraceError, UnsupportedError
from ...functions import elementwise
from ...functions.operands import as_node, strong
from ...ir import ops
from ...ir.node import Graph, Node
from ...ir.types import C128, F64, I64
from ..arguments.growing_list import GrowingList, counted_lists, is_keyed, is_listed
from ..lists.ranges import ITERATIONS, RangeFunction, rows_of
from ..lists.row_values import Rows, is_one_of
from ..values.classed_number import ClassedNumber, lifted, one_or_other
from ..values.concrete import is_of_mask
from ..values.conversions import converted, scalar_node, truth
from ..values.traced import ARRAY, NUMBER, PYTHON_NUMBERS, TracedArray, needs_capture
from ..values.traced_frame import run_traced


def stood_for(thing: Any) -> Any:
    """Returns the original of a stand-in; other objects unchanged."""
    return thing.__jitframe_original__ if isinstance(thing, (TypeStandIn, UnboundMethod)) else thing


class UnboundMethod:
    """The stand-in for a method that is read from its class: `map(np.ndarray.flatten, x)`."""

    __slots__ = ("__jitframe_original__",)

    def __init__(self, original: Any) -> None:
        self.__jitframe_original__ = original

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        original = self.__jitframe_original__
        stands = bool(arguments) and _stands(arguments[0])
        if stands and issubclass(_type_of(arguments[0]), original.__objclass__):
            return getattr(arguments[0], original.__name__)(*arguments[1:], **options)
        return original(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__jitframe_original__, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.__jitframe_original__ == stood_for(other))

    def __hash__(self) -> int:
        return hash(self.__jitframe_original__)

    def __repr__(self) -> str:
        return repr(self.__jitframe_original__)


@cache
def unbound(method: Any) -> UnboundMethod:
    """Returns the stand-in for a method."""
    return UnboundMethod(method)


METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)
"""The types of methods that are read from a class written in C."""
MODULE = property(lambda self: self.__jitframe_original__.__module__)
"""The `__module__` of a stand-in's original; derived classes have to repeat it."""


class TypeStandIn:
    """The stand-in for a number type: converts traced numbers, passes for the type otherwise."""

    __slots__ = ("__jitframe_original__", "_convert", "_most", "dtype")
    stands_for_type = True
    __module__ = MODULE

    def __init__(self, original: type, convert: Callable[..., Any], most: int = 1) -> None:
        """`most`: the number of arguments that `convert` takes."""
        self.__jitframe_original__ = original
        self._convert = convert
        self._most = most
        # numpy.dtype() takes any object that has one.
        self.dtype = numpy.dtype(original)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        traced = any(isinstance(each, LazyValue) for each in arguments)
        if traced and len(arguments) <= self._most and not options:
            return self._convert(*arguments)
        return self.__jitframe_original__(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.__jitframe_original__, name)
        return unbound(found) if isinstance(found, METHODS) else found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TracedArray):
            return NotImplemented  # its elements are compared
        return bool(self.__jitframe_original__ == stood_for(other))  # a dtype is equal to its type

    def __hash__(self) -> int:
        return hash(self.__jitframe_original__)

    def __or__(self, other: Any) -> Any:
        return self.__jitframe_original__ | stood_for(other)

    __ror__ = __or__

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (self.__jitframe_original__,)

    def __repr__(self) -> str:
        return repr(self.__jitframe_original__)


def _complex(real: Any, *imag: Any) -> Any:
    """Returns a complex number of two parts; no sum, which would lose signs of zeros and infinite parts."""
    given = (real, *imag)
    frame = frame_of([each for each in given if isinstance(each, LazyValue)])
    graph = frame.begin()
    nodes = [
        scalar_node(frame, each) if isinstance(each, LazyValue) else strong(graph, each) for each in given
    ]
    if len(nodes) == 1:
        return frame.wrap(graph, Weak(as_node(graph, nodes[0], C128)))
    if any(node.dtype.is_complex for node in nodes):
        raise UnsupportedError("complex(x, y) of parts that are complex; write x + y * 1j")
    return frame.wrap(graph, Weak(graph.make(ops.pair, *(as_node(graph, node, F64) for node in nodes))))


FLOAT = TypeStandIn(float, lambda value: converted(value, F64))
INT = TypeStandIn(int, lambda value: converted(value, I64))
BOOLEAN = TypeStandIn(bool, truth)
COMPLEX = TypeStandIn(complex, _complex, most=2)

LONG = 64
"""`sum` and its like unroll up to so many rows; more of them become a loop."""
TYPES: dict[type, TypeStandIn] = {float: FLOAT, int: INT, bool: BOOLEAN, complex: COMPLEX}
"""Completed by the NumPy scalar types in `libraries`."""


def _of_each(function: Callable[[Any], Any], value: Any) -> Any:
    """Returns the result of a function for one of several constants."""
    return load("jitframe.tracing.values.one_of").lifted(function, value)  # few programs have these


def _type_of(value: Any) -> type:
    """Returns the type that NumPy would have in a traced value's place."""
    if is_one_of(value):
        found: type = _of_each(type, value)
        return found
    if not isinstance(value, TracedArray):
        kind = type(value)
        if hasattr(kind, "_stands_for"):
            return value._stands_for  # type: ignore[no-any-return]
        if getattr(kind, "stands_for_type", False):
            return type(value.__jitframe_original__)
        return value.__class__ if isinstance(value, GrowingList) or is_keyed(value) else kind
    if type(value) is ClassedNumber:
        return _type_of(value._decided("its type"))
    if value._kind == ARRAY:
        return numpy.ndarray
    if value._kind == NUMBER:
        return PYTHON_NUMBERS[value._dtype.kind]
    return numpy.dtype(value._dtype.numpy_name).type


class _TypeFunction:
    """The stand-in for `type`: returns the stand-in of a value's type where there is one."""

    stands_for_type = True
    __jitframe_original__ = type

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if len(arguments) != 1:
            name, bases, namespace = arguments
            return type(name, tuple(map(stood_for, bases)), namespace, **options)
        found = _type_of(arguments[0])
        return TYPES.get(found) or BUILTINS.get(found, found)

    def __getattr__(self, name: str) -> Any:
        return getattr(type, name)

    def __eq__(self, other: object) -> bool:
        return other is type or isinstance(other, _TypeFunction)

    __hash__ = object.__hash__

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (type,)


def _stands(value: Any) -> bool:
    """Whether a value of the trace is in the place of an object of NumPy's or Python's."""
    return isinstance(value, TracedArray) or hasattr(type(value), "_stands_for")


def _isinstance(value: Any, kinds: Any) -> Any:
    if is_one_of(value):
        return _of_each(lambda each: isinstance(each, kinds), value)
    if type(value) is ClassedNumber:
        return lifted("isinstance", lambda each: _isinstance(each, kinds), (value,))
    if _stands(value):
        return issubclass(_type_of(value), kinds)
    return isinstance(value, kinds)


def _hasattr(value: Any, name: str, /) -> bool:
    """`hasattr` of the object that NumPy has in a traced value's place."""
    return hasattr(_type_of(value) if _stands(value) else value, name)


def _extreme(
    function: Callable[..., Any], wins: Callable[[Graph, Operand, Operand], Node]
) -> Callable[..., Any]:
    """`max` or `min`: the first of several values that no other beats."""

    def by_key(several: Sequence[Any], keys: Sequence[Any]) -> Any:
        """Returns the first item whose key is extreme; each key is computed once, as in Python."""
        traced = any(isinstance(each, TracedArray) for each in keys)
        if not traced or not all(map(_is_scalar, (*several, *keys))):
            return several[function(range(len(keys)), key=keys.__getitem__)]
        found, best = several[0], keys[0]
        for value, its in zip(several[1:], keys[1:], strict=True):
            frame = frame_of([each for each in (best, its) if isinstance(each, LazyValue)] or [found])
            graph = frame.begin()
            better = frame.wrap(graph, wins(graph, operand(frame, graph, its), operand(frame, graph, best)))
            found, best = chosen(better, value, found), chosen(better, its, best)
        return found

    def extreme(*values: Any, key: Any = None, **options: Any) -> Any:
        if len(values) == 1 and key is None and not options and _is_counted(values[0]):
            return _of_counted(BUILTINS[function], values[0])
        if len(values) == 1 and key is not None and not options and _is_counted(values[0]):
            return _best_by(values[0], key, function is builtins.min)
        rows = _long_rows(values[0]) if len(values) == 1 and key is None else None
        if rows is not None and not getattr(rows.at(0), "shape", ()):
            return _folded(rows, rows.at(0), lambda found, value: extreme(found, value))
        several = list(values[0]) if len(values) == 1 else values
        if key is not None and 0 < len(several) <= LONG:
            return by_key(several, [key(value) for value in several])
        if not any(isinstance(value, LazyValue) for value in several) or not several:
            return function(several, key=key, **options)
        if key is not None:
            return function(several, key=key)  # which asks for the values of the keys
        if any(getattr(value, "shape", ()) for value in several):
            if all(getattr(value, "size", 1) == 1 for value in several):
                return function(several)  # arrays of one element, of which one is the result itself
            raise ArgumentError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        result = several[0]
        for value in several[1:]:
            decided = _beyond_integers(function, result, value)
            if decided is not None:
                result = result if decided == 0 else value
                continue
            frame = frame_of((result, value))
            graph = frame.begin()
            better = wins(graph, operand(frame, graph, value), operand(frame, graph, result))
            result = chosen(frame.wrap(graph, better), value, result)
        return result

    return extreme


def chosen(better: Any, value: Any, other: Any) -> Any:
    """Returns one of two scalars; a Python number where it is one."""
    if isinstance(better, TracedArray) and not better._shape and _is_scalar(value) and _is_scalar(other):
        return one_or_other(better, value, other)
    found = api.elementwise.arithmetic.where(better, value, other)
    if isinstance(found, TracedArray) and _is_number(value) and _is_number(other):
        found._kind = NUMBER
    return found


def _is_scalar(value: Any) -> bool:
    if isinstance(value, TracedArray):
        return not value._shape and not value._dtype.is_complex
    return isinstance(value, (bool, int, float, numpy.integer, numpy.floating, numpy.bool_))


def _beyond_integers(function: Callable[..., Any], *two: Any) -> int | None:
    """Returns which of two values `max` or `min` selects where one is infinite and the other an integer,
    which stays one."""
    for place, value in enumerate(two):
        other = two[1 - place]
        whole = isinstance(other, TracedArray) and other._dtype.is_integer
        if whole and type(value) is float and math.isinf(value):
            return place if function(value, 0) == value else 1 - place
    return None


def _quantifier(function: Callable[..., bool], ends: bool) -> Callable[[Any], Any]:
    """Makes `any` or `all`, which a value of the truth `ends` decides."""

    def quantified(values: Any) -> Any:
        if _is_counted(values):
            return _of_counted(BUILTINS[function], values)
        rows = _long_rows(values)
        if rows is not None and not getattr(rows.at(0), "shape", ()):
            return _folded(
                rows, BOOLEAN(rows.at(0)),
                lambda found, value: found | BOOLEAN(value) if ends else found & BOOLEAN(value),
            )  # fmt: skip
        found: Any = not ends
        stops = isinstance(values, Iterator)  # what it gives after the deciding value is not computed
        for value in values:
            is_open = isinstance(value, TracedArray) and value._known() is None
            if is_open and stops and value._frame.root.may_capture:
                raise needs_capture(TraceError("a generator ends where its values decide"))
            if stops or not is_open:
                if bool(value) is ends:
                    return ends
                continue
            if value.size != 1:
                bool(value)  # raises, as of an array of several elements or none
            truth = BOOLEAN(value)
            found = truth if found is (not ends) else found | truth if ends else found & truth
        return found

    quantified.__name__ = function.__name__
    return quantified


def _sum(values: Any, /, start: Any = 0) -> Any:
    if _is_counted(values):
        return _of_counted(BUILTINS[sum], values, start)
    rows = _long_rows(values)
    return sum(values, start) if rows is None else _folded(rows, start + rows.at(0), operator.add)


def _long_rows(values: Any) -> Rows | None:
    """Returns the rows of a sequence that is long enough for a loop of the program; None of others."""
    if not isinstance(values, (TracedArray, list)):
        return None
    rows = rows_of(values)
    return rows if rows is not None and rows.count > LONG else None


def _folded(rows: Rows, first: Any, step: Callable[[Any, Any], Any]) -> Any:
    """Folds rows from the second one on into `first`."""
    from ..values.region_loops import trace_loop  # few programs go through so many

    return trace_loop(1, rows.count, lambda position, found: step(found, rows.at(position)), first)


def _is_counted(values: Any) -> bool:
    """Whether it is a list, dict, set or masked selection of scalars whose length is a traced value."""
    if is_listed(values):
        return True
    if is_keyed(values):
        return values.table is not None
    return isinstance(values, GrowingList) and values.counter is not None


def _of_counted(function: Any, values: Any, *start: Any) -> Any:
    """Applies a reduction to all items of a counted list."""
    implementation: Any = reduction(function)
    if is_listed(values):
        mask, full = values.flat()

        def pairs(place: Any) -> Any:
            return [(mask[place], lambda: full[place])]

        return run_traced(implementation, range(mask.shape[0]), pairs, *start)
    if is_keyed(values):
        table: Any = values.table
        values = table.all_keys(ordered=function is BUILTINS[sum] and not table.has_whole_keys)
    return run_traced(implementation, values, lambda each: [(True, lambda: each)], *start)


def _best_by(values: Any, key: Any, least: bool) -> Any:
    """`max` or `min` of a counted list, dict or set by a key."""
    from . import sequences  # as in `reduction`

    best_by = partial(run_traced, sequences.best_by)
    if is_listed(values):
        values = counted_lists().list_of(values, counted_lists().Unnamed)
    if not is_keyed(values):
        return best_by(values, key, least)
    table: Any = values.table
    if getattr(key, "__self__", None) is values and key.__name__ == "get":  # of all keys there are values
        return best_by(table.items(), lambda item: item[1], least)[0]
    return best_by(table.all_keys(ordered=True), key, least)


def reduction(function: Any) -> Callable[..., Any] | None:
    """Returns the traced implementation of a reduction over a generator; None of other functions."""
    name = _REDUCTIONS.get(id(function))
    if name is None:
        return None
    from . import sequences  # few programs have such generators

    found: Callable[..., Any] = getattr(sequences, name)
    return found


def length_of(value: Any, /) -> Any:
    if is_one_of(value):
        return _of_each(len, value)
    kind = type(value)
    has_law = issubclass(kind, (GrowingList, SymbolicExtents)) or is_keyed(value) or is_of_mask(value)
    return value.length() if has_law else len(value)


def _sorted(values: Any, /, **options: Any) -> Any:
    from .sorting import sorted_  # few functions sort lists

    return sorted_(values, **options)


def _power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """`pow`, which takes Python's integers alone where there is a modulus."""
    given = base, exponent, modulus
    if modulus is None or not any(isinstance(each, TracedArray) for each in given):
        return pow(*given)
    from .containers import captures  # few functions have powers by a modulus
    from .sequences import power_modulo

    if not captures():
        raise needs_capture(TraceError("pow() by a modulus is a loop, which takes the function's source"))
    if not all(_is_number(each) and not _is_float(each) for each in given):
        raise TraceError("pow() by a modulus takes Python's integers; convert NumPy's by int()")
    return run_traced(power_modulo, *given, counted_lists().raise_unless)


def _is_float(value: Any) -> bool:
    return value._dtype.is_inexact if isinstance(value, TracedArray) else isinstance(value, float)


def _is_number(value: Any) -> bool:
    return value._kind == NUMBER if isinstance(value, TracedArray) else type(value) in (bool, int, float)


def _print(*values: Any, **options: Any) -> None:
    from .callbacks import traced_print  # few functions print

    traced_print(*values, **options)


BUILTINS: dict[Any, Any] = {
    float: FLOAT, int: INT, bool: BOOLEAN, complex: COMPLEX, type: _TypeFunction(), isinstance: _isinstance,
    hasattr: _hasattr,
    **ITERATIONS, any: _quantifier(builtins.any, True), all: _quantifier(builtins.all, False),
    range: RangeFunction(), max: _extreme(builtins.max, elementwise.greater),
    min: _extreme(builtins.min, elementwise.less), print: _print, sum: _sum, len: length_of, sorted: _sorted,
    pow: _power,
}  # fmt: skip
"""Stand-ins by builtin."""
_REDUCTIONS = {
    id(BUILTINS[function]): name
    for function, name in (
        (sum, "total"),
        (any, "any_of"),
        (all, "all_of"),
        (max, "largest"),
        (min, "smallest"),
    )
}
