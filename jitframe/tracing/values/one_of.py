"""One of several constants: a text, a member of an enumeration or None that values decide about.

The program computes the number of the constant, as for the state of a state machine. Comparisons compare
numbers. Any other operation is done with each constant while tracing, and the number selects among the
results.
"""

from __future__ import annotations

import enum
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...api.elementwise.arithmetic import where
from ...api.frame import LazyValue, in_region, innermost_frame
from ...arrays.promotion import NUMBERS
from ...errors import TraceError
from .traced import NUMBER, TRACED, TracedArray

_TEXTS = (str, bytes)
MOST_CONSTANTS = 256
"""The most constants of one value: an operation with it is done with each."""


def is_constant(value: Any) -> bool:
    """Whether it is a constant that a number may represent."""
    return value is None or value.__class__ in _TEXTS or isinstance(value, enum.Enum)


def constants_of(value: Any) -> tuple[Any, ...]:
    """Returns the constants that a value may be; none for other values."""
    if type(value) is OneOf:
        return value._constants
    return (value,) if is_constant(value) else ()


def united(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """Returns the constants of both sequences, those of the first one first."""
    found = [*first]
    found += [each for each in second if place_of(each, found) is None]
    if len(found) > MOST_CONSTANTS:
        raise TraceError(f"a variable may be one of more than {MOST_CONSTANTS} texts, as values decide")
    return tuple(found)


def place_of(constant: Any, constants: Sequence[Any]) -> int | None:
    """Returns the number of a constant."""
    is_text = constant.__class__ in _TEXTS
    for number, each in enumerate(constants):
        if each is constant or (is_text and each.__class__ is constant.__class__ and each == constant):
            return number
    return None


def number_among(value: Any, constants: Sequence[Any]) -> Any:
    """Returns the number of a value among constants that include its own."""
    if type(value) is not OneOf:
        return place_of(value, constants)
    places: list[Any] = [place_of(each, constants) for each in value._constants]
    return value._number if places == list(range(len(places))) else _selected(value, places)


class OneOf:
    """One of several constants, by a traced number."""

    __slots__ = ("_constants", "_number")

    def __init__(self, number: Any, constants: tuple[Any, ...]) -> None:
        self._number = number
        self._constants = constants

    def _where(self, holds: Callable[[Any], bool]) -> Any:
        """Whether a condition holds for the constant."""
        return _selected(self, [bool(holds(each)) for each in self._constants])

    def _is(self, other: Any) -> Any:
        """`self is other`; that of texts is an accident, and refused."""
        constants = (*self._constants, *constants_of(other))
        if any(each.__class__ in _TEXTS for each in constants):
            raise TraceError("texts that values decide about are compared by identity; write x == y")
        return self == other if constants_of(other) else False

    def __eq__(self, other: object) -> Any:
        return self._compared(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._compared(operator.ne, other)

    def _compared(self, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        if type(other) is OneOf:
            return _selected(
                self, [other._where(functools.partial(compare, each)) for each in self._constants]
            )
        return self._where(lambda each: compare(each, other))

    def __hash__(self) -> int:
        self._refuse("a key of a dict or set")

    def __bool__(self) -> bool:
        self._refuse("a condition")

    def __str__(self) -> str:
        """Its text, which is refused in a trace as that of a traced value is, but in exceptions, whose
        texts are Python's."""
        frame: Any = innermost_frame()
        if frame is not None and not (frame.root.quotes or in_region()):
            self._refuse("a text")
        if frame is not None:
            frame.root.quoted += 1
        return f"{TRACED}({shown(self._constants)})"

    __repr__ = __str__
    __array_ufunc__ = None  # so that NumPy's scalars leave comparisons to it

    def __format__(self, _: str) -> str:
        return str(self)

    def __iter__(self) -> NoReturn:
        self._refuse("a loop")

    def __index__(self) -> int:
        self._refuse("an index")

    def _refuse(self, use: str) -> NoReturn:
        raise TraceError(f"which of {shown(self._constants)} a value is, is needed now for {use}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = [_done(functools.partial(getattr, each, name)) for each in self._constants]
        if not any(map(callable, found)):
            return _selected(self, found)
        if any(each.__class__ not in _TEXTS for each in self._constants):
            self._refuse(f"a call of .{name}()")

        def method(*arguments: Any, **options: Any) -> Any:
            return lifted(lambda each: getattr(each, name)(*arguments, **options), self)

        return method


def _forwarded(function: Callable[..., Any], is_reflected: bool = False) -> Callable[..., Any]:
    def method(self: OneOf, other: Any) -> Any:
        if type(other) is OneOf:
            raise TraceError("two values that are texts, which values decide about, are combined")
        return lifted(lambda each: function(other, each) if is_reflected else function(each, other), self)

    return method


for _name in ("getitem", "contains", "lt", "le", "gt", "ge"):
    setattr(OneOf, f"__{_name}__", _forwarded(getattr(operator, f"__{_name}__")))
for _name in ("add", "mul"):
    setattr(OneOf, f"__{_name}__", _forwarded(getattr(operator, f"__{_name}__")))
    setattr(OneOf, f"__r{_name}__", _forwarded(getattr(operator, f"__{_name}__"), True))


def lifted(function: Callable[[Any], Any], value: OneOf) -> Any:
    """Returns the result of a function for the constant, computed for each."""
    return _selected(value, [_done(functools.partial(function, each)) for each in value._constants])


def truth_of(value: OneOf) -> Any:
    """Whether the constant is true."""
    return value._where(bool)


def _done(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except Exception as error:
        if isinstance(error, TraceError):
            raise
        raise TraceError(
            f"{type(error).__name__} is raised for one of the constants that a value may be: {error}"
        ) from error


def _selected(value: OneOf, results: Sequence[Any]) -> Any:
    """Returns the result of the constant's number."""
    first = results[0]
    if all(_is_same(each, first) for each in results):
        return first
    if all(constants_of(each) for each in results):
        constants = functools.reduce(united, map(constants_of, results))
        return OneOf(_selected(value, [number_among(each, constants) for each in results]), constants)
    if all(_is_tuple(each, first) for each in results):
        members = [_selected(value, each) for each in zip(*results, strict=True)]
        return tuple(members) if type(first) is tuple else tuple.__new__(type(first), members)
    if not all(map(_is_scalar, results)) or len({_kind_of(each) for each in results}) > 1:
        value._refuse("a result that is of another kind for each")
    found = results[-1]
    for number in reversed(range(len(results) - 1)):
        if not _is_same(results[number], found):
            found = where(value._number == number, results[number], found)
    if _kind_of(first)[1] == NUMBER and isinstance(found, TracedArray):
        found._kind = NUMBER
    return found


def _is_same(first: Any, second: Any) -> bool:
    if first is second:
        return True
    if type(first) is not type(second) or isinstance(first, LazyValue):
        return False
    if isinstance(first, float):
        return bool(first.hex() == second.hex())
    is_atom = first.__class__ in NUMBERS or first.__class__ in _TEXTS
    return is_atom and bool(first == second)


def _is_tuple(value: Any, first: Any) -> bool:
    is_plain = type(value) is tuple or (isinstance(value, tuple) and hasattr(type(value), "_fields"))
    return is_plain and type(value) is type(first) and len(value) == len(first)


def _is_scalar(value: Any) -> bool:
    return value.__class__ in NUMBERS or (isinstance(value, TracedArray) and not value._shape)


def _kind_of(value: Any) -> tuple[Any, int]:
    """Returns the dtype of a scalar, or the class of a known number, and whether it is Python's."""
    if not isinstance(value, TracedArray):
        return value.__class__.__name__, NUMBER
    return value._dtype.kind if value._kind == NUMBER else value._dtype, value._kind


def shown(constants: Sequence[Any]) -> str:
    """Returns constants as the text of a message, the first ones of many."""
    found = ", ".join(map(repr, constants[:4]))
    return found if len(constants) <= 4 else f"{found}, …"
