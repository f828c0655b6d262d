"""Exceptions that a trace causes, and that handlers of the traced function would catch.

Functions unknown to jitframe, such as `json.dumps(x)` or `Decimal(x)`, raise an exception for a traced value.
The function's own `except` would turn it into a result that Python does not have. So exceptions are watched
while code with handlers is traced: those raised by functions that are not jitframe's end the trace as if no
handler had caught them.
"""

from __future__ import annotations

import opcode
import re
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from ...errors import WATCHES, JitframeError

_OF_CONTROL = (JitframeError, ImportError, StopIteration, StopAsyncIteration)
"""Exceptions that mean the same outside of a trace."""
_OF_ARGUMENTS = re.compile(r"\) (missing|takes|got (an unexpected|multiple|some positional)) ")
"""Messages of calls with a wrong number of arguments, which mean the same outside of a trace."""


def watch_exceptions() -> Callable[[], None]:
    """Watches exceptions in traced code with handlers in this thread; returns a function that ends this."""
    before = sys.gettrace()

    def called(frame: FrameType, event: Any, argument: Any) -> Any:
        theirs = None if before is None else before(frame, event, argument)
        if type(frame.f_globals) is dict or not frame.f_code.co_exceptiontable:
            return theirs  # traced code runs over views of its globals
        frame.f_trace_lines = theirs is not None

        def inside(frame: FrameType, event: Any, argument: Any) -> Any:
            nonlocal theirs
            if event == "exception":
                _note(argument[1], argument[2])
            if theirs is not None:
                theirs = theirs(frame, event, argument)
            return inside

        return inside

    sys.settrace(called)
    return lambda: sys.settrace(before)


def _note(error: Any, trace: TracebackType) -> None:
    if isinstance(error, Exception) and not isinstance(error, _OF_CONTROL) and _is_of_others(error, trace):
        for watch in WATCHES.active[-1:]:
            watch.first = watch.first or error


def _is_of_others(error: Exception, trace: TracebackType) -> bool:
    """Whether a function or operator that is neither the user's nor jitframe's has raised an exception."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    names = trace.tb_frame.f_globals
    if type(names) is dict:
        return not str(names.get("__name__")).startswith("jitframe.")
    instruction = opcode.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]]
    if instruction in ("RAISE_VARARGS", "RERAISE"):
        return False
    if isinstance(error, TypeError) and _OF_ARGUMENTS.search(str(error)):
        return False
    return "CALL" in instruction or isinstance(error, TypeError)
