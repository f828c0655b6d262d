"""Small classes with named fields: what `dataclasses` gives, at a tenth of its cost at import.

`@record` classes are values: equal by their fields, hashable, not to be assigned to (type checkers see that;
nothing at run time does). `@mutable` classes are compared by identity and may be assigned to.

>>> @record
... class Point:
...     x: int
...     y: int = 0
>>> Point(1) == Point(1, 0), replace(Point(1), y=2)
(True, Point(x=1, y=2))
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, dataclass_transform

from .initializers import INITIALIZERS

T = TypeVar("T")


class _Fresh:
    """A default made anew for each object."""

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.factory = factory


def fresh(factory: Callable[[], T]) -> T:
    """The default of a field that every object gets one of its own of: `fresh(factory=list)`.

    Type checkers see a default only where the argument is named.
    """
    return _Fresh(factory)  # type: ignore[return-value]


@dataclass_transform(frozen_default=True, field_specifiers=(fresh,))
def record(cls: type[T]) -> type[T]:
    """A class of values."""
    return _make(cls, {"__eq__": _equal, "__hash__": _hash})


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(fresh,))
def identity_record(cls: type[T]) -> type[T]:
    """A class of unchanging objects that are compared by identity."""
    return _make(cls, {})


@dataclass_transform(eq_default=False, field_specifiers=(fresh,))
def mutable(cls: type[T]) -> type[T]:
    """A class of objects that change and are compared by identity."""
    return _make(cls, {})


def replace(value: T, **changes: Any) -> T:
    """The same record with some fields changed."""
    fields: tuple[str, ...] = value.__slots__  # type: ignore[attr-defined]
    return type(value)(
        **{name: changes[name] if name in changes else getattr(value, name) for name in fields}
    )


def _make(cls: type[T], methods: dict[str, Any]) -> type[T]:
    names = tuple(vars(cls).get("__annotations__", ()))
    body = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    defaults = {name: body.pop(name) for name in names if name in body}
    body.update(__slots__=names, __match_args__=names, __init__=_initializer(names, defaults))
    body.setdefault("__repr__", _show)
    body.update({name: method for name, method in methods.items() if name not in cls.__dict__})
    metaclass: Any = type(cls)
    made: type[T] = metaclass(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    return made


def _initializer(names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    assert tuple(defaults) == names[len(names) - len(defaults) :], "a field without a default after one with"
    if len(names) >= len(INITIALIZERS) or any(value.__class__ is _Fresh for value in defaults.values()):
        return _general_initializer(names, defaults)
    code = INITIALIZERS[len(names)].__code__
    own = {f"field{k}": name for k, name in enumerate(names)}
    renamed = code.replace(
        co_varnames=("self", *names), co_names=tuple([own.get(name, name) for name in code.co_names])
    )
    return FunctionType(renamed, globals(), "__init__", tuple(defaults.values()))


def _general_initializer(names: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """For many fields, and for those that are made anew: a microsecond slower than code of its own would be,
    which takes 300 to compile."""
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
    """The values of the fields after the first `count`."""
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
