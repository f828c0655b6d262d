"""What a jitted function reports, by `warnings.warn` and by loggers: that happens when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.frame import innermost_frame
from .effects import effects_of
from .libraries import reports
from .traced_frame import TraceFrame


class Reporter:
    """Stands in a trace for a function that tells somebody something, a warning or a line of a log: it is
    called when the program runs, and where it comes there."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any, **options: Any) -> None:
        frame = innermost_frame()
        if not isinstance(frame, TraceFrame):
            self._function(*arguments, **options)
            return
        name = self._function.__name__
        effects_of(frame).call(self._report, (arguments, options), (), name)

    def _report(self, given: Any) -> None:
        arguments, options = given
        self._function(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


class LoggerView:
    """Stands in a trace for a logger: what it logs is logged when the program runs."""

    def __init__(self, logger: Any) -> None:
        self._logger = logger

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._logger, name)
        return Reporter(found) if reports(found) else found
