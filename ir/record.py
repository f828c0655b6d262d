"""Small classes with named fields: the features of `dataclasses` at a tenth of their cost at import.

A `record` is a value: equal by its fields, hashable, immutable (for type checkers; nothing at run time
prevents assignment). Instances of `mutable` classes are compared by identity and may be assigned to. Both are
metaclasses: the class is made once, with slots, where a decorator would have to make it anew. The result is a
plain class.

>>> class Point(metaclass=record):
...     x: int
...     y: int = 0
>>> Point(1) == Point(1, 0), replace(Point(1), y=2)
(True, Point(x=1, y=2))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

MOST_COMPILED = 9
"""Records of more fields share one initializer."""

T = TypeVar("T")


class _Fresh:
    """A default that is made anew for each object."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.factory = factory


def fresh(factory: Callable[[], T]) -> T:
    """Declares a field's default that each object gets its own copy of: `fresh(factory=list)`.

    Type checkers recognize a default only where the argument is named.
    """
    return _Fresh(factory)  # type: ignore[return-value]


@dataclass_transform(frozen_default=True, field_specifiers=(fresh,))
class record(type):
    """Makes a class of values."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        return _made(name, bases, body, __eq__=_equal, __hash__=_hash)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(fresh,))
class identity_record(type):
    """Makes a class of unchanging objects that are compared by identity."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        return _made(name, bases, body)


@dataclass_transform(eq_default=False, field_specifiers=(fresh,))
class mutable(type):
    """Makes a class of mutable objects that are compared by identity."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        return _made(name, bases, body)


def replace(value: T, **changes: Any) -> T:
    """Returns a copy of a record with some fields changed. Raises TypeError for an unknown field."""
    fields: tuple[str, ...] = value.__slots__  # type: ignore[attr-defined]
    for name in changes:
        if name not in fields:
            raise TypeError(f"{type(value).__name__} has no field {name!r}; it has {', '.join(fields)}")
    return type(value)(
        **{name: changes[name] if name in changes else getattr(value, name) for name in fields}
    )


def _made(name: str, bases: tuple[type, ...], body: dict[str, Any], **methods: Any) -> type:
    """Makes the class itself: `type` makes it once, with slots, and it has no metaclass of its own."""
    names = tuple(body.get("__annotations__", ()))
    defaults = {field: body.pop(field) for field in names if field in body}
    made = {"__repr__": _show, **methods, **body}
    made.update(__slots__=names, __match_args__=names, __init__=_initializer(names, defaults))
    made["__init__"].__qualname__ = name  # what errors of a call say
    return type(name, bases, made)


def _initializer(names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    assert tuple(defaults) == names[len(names) - len(defaults) :], "a field without a default after one with"
    if len(names) > MOST_COMPILED or any(value.__class__ is _Fresh for value in defaults.values()):
        return _general_initializer(names, defaults)
    code = _initializer_code(len(names))
    own = {f"field{k}": name for k, name in enumerate(names)}
    renamed = code.replace(
        co_varnames=("self", *names), co_names=tuple([own.get(name, name) for name in code.co_names])
    )
    return FunctionType(renamed, globals(), "__init__", tuple(defaults.values()))


@cache
def _initializer_code(count: int) -> CodeType:
    """Compiles the initializer of classes of so many fields, which each class renames: compiling one for each
    takes 30 ms of a start."""
    fields = [f"field{k}" for k in range(count)]
    body = "".join(f"    self.{field} = {field}\n" for field in fields)
    made: dict[str, Any] = {}
    exec(f"def made({', '.join(('self', *fields))}):\n{body or '    pass'}", made)
    code: CodeType = made["made"].__code__
    return code


def _general_initializer(names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Returns the initializer for many fields, and for defaults that are made anew: a microsecond slower than
    compiled code, which takes 300 to compile."""
    count = len(names)

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        if named or len(given) != count:
            given = (*given, *_completed(type(self), names, defaults, len(given), named))
        for name, value in zip(names, given):
            setattr(self, name, value)

    return __init__


def _completed(
    cls: type, names: tuple[str, ...], defaults: dict[str, Any], count: int, named: dict[str, Any]
) -> list[Any]:
    """Returns the values of the fields after the first `count`."""
    if not named and len(names) - len(defaults) <= count <= len(names):
        missing = [defaults[name] for name in names[count:]]
        return [each.factory() if each.__class__ is _Fresh else each for each in missing]
    values: list[Any] = []
    for name in names[count:]:
        if name in named:
            values.append(named.pop(name))
            continue
        if name not in defaults:
            raise TypeError(f"{cls.__name__} needs the field {name!r}")
        default = defaults[name]
        values.append(default.factory() if default.__class__ is _Fresh else default)
    if named or count > len(names):
        what = f"field {next(iter(named))!r}" if named else f"{count} values for {len(names)} fields"
        raise TypeError(f"{cls.__name__} was given {what}, which it does not take")
    return values


def _values(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__slots__])


def _equal(self: Any, other: object) -> Any:
    if self is other:
        return True
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash((type(self), _values(self)))


def _show(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({fields})"
