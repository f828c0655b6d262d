"""Options of backends, with a type, a default and bounds, checked where they are set."""

from __future__ import annotations

from functools import wraps
from typing import Any, TypeVar

from ...errors import ArgumentError, DTypeError, SettingError, listed, nearest
from ...ir.record import record

_WORDS = {
    "1": True,
    "on": True,
    "true": True,
    "yes": True,
    "0": False,
    "off": False,
    "false": False,
    "no": False,
}


T = TypeVar("T")


def named_fields(cls: type[T]) -> type[T]:
    """Decorates a public record: an unknown field is an ArgumentError with the nearest name, and missing
    fields are named."""
    plain: Any = cls.__init__
    fields: tuple[str, ...] = cls.__slots__  # type: ignore[attr-defined]

    @wraps(plain)
    def __init__(self: Any, *given: Any, **named: Any) -> None:
        try:
            plain(self, *given, **named)
        except TypeError as problem:
            raise _misnamed(cls.__name__, fields, len(given), named, problem) from None

    cls.__init__ = __init__  # type: ignore[method-assign]
    return cls


def _misnamed(
    cls: str, fields: tuple[str, ...], count: int, named: dict[str, Any], problem: TypeError
) -> ArgumentError:
    """Returns the error of a call of a record's class."""
    for name in named:
        if name not in fields:
            return ArgumentError(
                f"{cls} has no field {name!r}{nearest(name, fields)}; it has {listed(fields, 'and')}"
            )
    if count > len(fields):
        return ArgumentError(f"{cls} has {len(fields)} fields, and {count} values are given")
    return ArgumentError(f"{cls}: {problem}")


@named_fields
class Option(metaclass=record):
    """One of a backend's options."""

    name: str
    kind: type
    """bool, int, float or str."""
    default: Any = None
    """None: the backend decides."""
    title: str = ""
    """A description in a line."""
    choices: tuple[Any, ...] = ()
    """The allowed values; any of the kind unless given."""
    least: float | None = None
    most: float | None = None
    variable: str = ""
    """Its environment variable; JITFRAME_<BACKEND>_<NAME> unless given."""
    by_project: bool = False
    """Whether a project's pyproject.toml may set it, which may come from an untrusted archive: only options
    that decide neither which code runs, by whose compiler and libraries, nor where code is stored."""

    def check(self) -> None:
        """Raises DTypeError for fields of the wrong type."""
        if not isinstance(self.name, str):
            raise DTypeError(f"an option's name is text, not {self.name!r}")
        if self.kind not in _KINDS:
            raise DTypeError(f"the option {self.name}: kind is bool, int, float or str, not {self.kind!r}")

    def variable_for(self, backend: str) -> str:
        return self.variable or f"JITFRAME_{backend}_{self.name}".upper().replace("-", "_").replace(".", "_")

    def checked(self, value: Any, place: str) -> Any:
        """Returns the value as the option's kind; `place`: its origin.

        Raises SettingError. Text is parsed, as environment variables and files give it. None is the default.

        >>> Option("threads", int, least=1).checked("4", "JITFRAME_NUM_THREADS")
        4
        """
        if value is None:
            return self.default
        found = self._read(value, place)
        if self.choices and found not in self.choices:
            self._refuse(value, place, f"it is one of {', '.join(map(str, self.choices))}")
        if (self.least is not None and found < self.least) or (self.most is not None and found > self.most):
            self._refuse(value, place, f"it is {self._bounds()}")
        return found

    def _read(self, value: Any, place: str) -> Any:
        kind = self.kind
        if isinstance(value, str) and kind is not str:
            text = value.strip()
            try:
                return _WORDS[text.lower()] if kind is bool else kind(text)
            except (KeyError, ValueError):
                self._refuse(value, place, f"it is {_KINDS[kind]}")
        if isinstance(value, bool) is not (kind is bool) or not isinstance(
            value, (int, float) if kind is float else kind
        ):
            self._refuse(value, place, f"it is {_KINDS[kind]}")
        return kind(value.strip().lower() if kind is str and self.choices else value)

    def _bounds(self) -> str:
        kind = _KINDS[self.kind]
        if self.most is None:
            return f"{kind} of {self.least} or more"
        return (
            f"{kind} of {self.most} or less"
            if self.least is None
            else f"{kind} from {self.least} to {self.most}"
        )

    def _refuse(self, value: Any, place: str, fits: str) -> None:
        raise SettingError(f"{place}: {self.name} cannot be {value!r}; {fits}")


_KINDS = {bool: "on or off", int: "a whole number", float: "a number", str: "text"}
