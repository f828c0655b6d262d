"""`Capturing`: whether the loops and conditions of a jitted function are captured; the decision persists
across traces."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.importing import load
from ..errors import TraceError

if TYPE_CHECKING:
    from .values.traced_frame import TraceFrame

Rewritten = Callable[[str, types.CodeType], types.CodeType]

FIRST_LIMIT = 500
"""The most operations of a trace before its loops are captured."""


class Capture(NamedTuple):
    """The rewriter of control flow, registered by `capture.hooks`."""

    name: str
    """The global name by which rewritten code reads the hooks."""
    hooks: Callable[[Any, Any], Any]
    """(frame of a trace, `Capturing`) -> hooks."""
    code: Callable[[types.CodeType], tuple[types.CodeType | None, str]]
    """Returns code with hooks, or None and the reason; the reason is "" where there is no control flow."""


_capture: list[Capture] = []


def set_capture(capture: Capture) -> None:
    """Registers the rewriter of control flow."""
    _capture[:] = [capture]


class LoopOpened(BaseException):
    """Aborts a trace: it is repeated with a certain loop captured from its first iteration on."""


class TracedWithoutPython(BaseException):
    """Aborts a trace: it is repeated without relying on Python for calls whose arrays have other lengths."""


class Capturing:
    """Whether a function's control flow is captured, and which loops are captured whatever they cost."""

    def __init__(self) -> None:
        self.active = False
        self.keeps_scalars = False
        """Whether loops and conditions that scalar arguments decide about are captured, as these have had
        several values; they are static elsewhere."""
        self.plain = False
        """Whether a trace with captured control flow has failed: the function is traced without capture, and
        cut where Python needs values."""
        self.may_rely = True
        """Whether calls whose arrays turn out to have other lengths are left to Python, rather than cut."""
        self.forced: set[Any] = set()
        self.opened: set[Any] = set()
        """`while` loops that are captured from the first iteration on, although the first test is known."""
        self._begun: weakref.WeakKeyDictionary[TraceFrame, dict[Any, int]] = weakref.WeakKeyDictionary()
        self.unread: dict[str, str] = {}
        """Functions whose source is not available, and why."""

    def begin(self, frame: TraceFrame) -> tuple[Rewritten | None, tuple[str, Any] | None]:
        """Returns the rewriter of code for a trace, and the hooks that this code calls, by name."""
        frame.may_rely = self.may_rely
        if self.plain:
            if frame.may_leave:
                frame.limit = min(frame.limit, frame.most_operations)
            return None, None
        if not self.active:
            frame.limit = min(frame.limit, FIRST_LIMIT)
            frame.may_capture = True
            return None, None
        frame.keeps_scalars = self.keeps_scalars
        if not _capture:
            load("jitframe.capture.hooks")  # which registers itself; most functions are traced without
        (capture,) = _capture
        frame.hooks = capture.hooks(frame, self)

        def rewritten(name: str, code: types.CodeType) -> types.CodeType:
            found, reason = capture.code(code)
            if reason:
                self.unread[name] = reason
            return code if found is None else found

        return rewritten, (capture.name, frame.hooks)

    def keep_scalars(self) -> None:
        """Captures from now on the control flow that scalar arguments decide about."""
        self.active = self.keeps_scalars = True

    def is_forced(self, body: Callable[..., Any]) -> bool:
        return _site(body) in self.forced

    def force(self, body: Callable[..., Any]) -> None:
        """Captures a loop from its second iteration on, whatever it costs."""
        self.forced.add(_site(body))

    def began(self, body: Callable[..., Any], frame: TraceFrame) -> Any:
        """Returns a key that tells a `while` loop that begins now from all others of the trace."""
        counts, site = self._begun.setdefault(frame, {}), _site(body)
        counts[site] = counts.get(site, 0) + 1
        return len(frame.enclosing), site, counts[site]

    def open(self, loop: Any, frame: TraceFrame) -> None:
        """Has a loop captured from its first iteration on, whose first test alone is known: else its body
        would be in the program twice. Raises LoopOpened where the trace can be made again."""
        cuts: Any = frame.root.cuts
        if loop not in self.opened and not frame.tries and not (cuts is not None and cuts.segments):
            self.opened.add(loop)
            raise LoopOpened

    def after(self, error: TraceError) -> bool:
        """Whether to trace the function again after an error: with its control flow captured, and where that
        fails, without."""
        if self.plain or not (self.active or error.needs_capture):
            return False
        self.active, self.plain = True, self.active
        return True

    @property
    def may_cut(self) -> bool:
        """Whether a trace may be cut where it needs a value: control flow is captured first."""
        return self.active

    def explain(self, error: TraceError) -> None:
        """Adds to an error the reason why control flow was not captured."""
        for name, reason in self.unread.items():
            error.end(f" (the control flow of {name} stays as it is: {reason})")


def _site(body: Callable[..., Any]) -> Any:
    code: types.CodeType = body.__code__
    return code.co_filename, code.co_firstlineno, code.co_qualname
