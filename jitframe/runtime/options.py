"""What a backend can be configured with: options with a type, a default and bounds, checked where they are
set."""

from __future__ import annotations

from typing import Any

from ..errors import SettingError
from ..ir.record import record

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


class Option(metaclass=record):
    """One of a backend's options."""

    name: str
    kind: type
    """bool, int, float or str."""
    default: Any = None
    """None: the backend chooses."""
    title: str = ""
    """What it does, in a line."""
    choices: tuple[Any, ...] = ()
    """The values that there are; any of the kind unless given."""
    least: float | None = None
    most: float | None = None
    variable: str = ""
    """The environment variable it is read from; JITFRAME_<BACKEND>_<NAME> unless given."""
    by_project: bool = False
    """Whether a project's pyproject.toml may set it, which may have come with anything that was unpacked:
    only what decides neither which code runs, by whose compiler and libraries, nor where code is kept."""

    def variable_for(self, backend: str) -> str:
        return self.variable or f"JITFRAME_{backend}_{self.name}".upper().replace("-", "_").replace(".", "_")

    def checked(self, value: Any, place: str) -> Any:
        """The value as the option's kind; `place` says who gave it. Raises SettingError.

        Text is read as the kind, which is how environment variables and files give it. None is the default.

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
