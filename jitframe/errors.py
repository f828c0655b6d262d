"""Every error and warning that jitframe raises, each naming the user's own file and line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, Self

import numpy

from .base.locks import Local
from .ir.record import record

# Frames of these top-level packages are machinery between the user's line and the error.
MACHINERY = frozenset(
    {"jitframe", "numpy", "scipy", "importlib", "functools", "contextlib", "runpy", "threading"}
)


class SourceLine(metaclass=record):
    """A line of the user's program."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def user_line() -> SourceLine | None:
    """The innermost line on this thread's stack that lies outside jitframe, or None if there is none.

    A traced copy of a user's function keeps its `__name__` and file, so its frames count as the user's.
    """
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if module.partition(".")[0] not in MACHINERY:
            return SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def warn_user(message: str, category: type[Warning]) -> None:
    """Warns at the user's line, as errors name it."""
    line = user_line()
    file, number = ("jitframe", 0) if line is None else (line.file, line.line)
    warnings.warn_explicit(message, category, file, number)


def listed(words: Sequence[str], joint: str = "or") -> str:
    """`a`, `a, or b`, `a, b, or c`."""
    *first, last = words or ("",)
    return f"{', '.join(first)}, {joint} {last}" if first else last


def nearest(name: object, names: Iterable[str]) -> str:
    """`; perhaps threads` where a name is nearly one of some, nothing where it is not."""
    from difflib import get_close_matches  # who misspells nothing does not wait for it

    near = get_close_matches(str(name).lower(), [each for each in names if each != name], 1, 0.6)
    return f"; perhaps {near[0]}" if near else ""


def with_user_line(message: str, line: SourceLine | None = None) -> str:
    """`message`, and below it where in the user's program it happened (where that is known)."""
    place = line if line is not None else user_line()
    return message if place is None else f"{message}\n  at {place}, in {place.function}"


class JitframeError(Exception):
    """The user's mistake, or a limit of jitframe: the base of every error here.

    The message says what was given, what fits and what to do. The user's file and line are appended when the
    error is made; `line=` names another place (where a tensor was created, say).
    """

    final = False
    """Whether the traced function cannot be right any more, even where it catches the error itself."""
    is_of_python = False
    """Whether it is of Python's numbers in a program: Python itself raises its own, or has a result there."""

    def __init__(self, message: str, *, line: SourceLine | None = None) -> None:
        self.message = message
        """What happened, without the place."""
        self.line = line if line is not None else user_line()
        text = with_user_line(message, self.line)
        super().__init__(text)
        self.args = (text,)  # NumPy's AxisError leaves them as they were given
        if self.final:
            for watch in WATCHES.active[-1:]:
                watch.note(self)

    def begin(self, words: str) -> None:
        """Puts words before the message."""
        self.message = words + self.message
        self.args = (with_user_line(self.message, self.line),)

    def end(self, words: str) -> None:
        """Puts words behind the message."""
        self.message += words
        self.args = (with_user_line(self.message, self.line),)

    def move(self, line: SourceLine | None) -> None:
        """Makes the error one of another line: that which asked for work that another thread did."""
        if line is not None:
            self.line = line
            self.args = (with_user_line(self.message, line), *self.args[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuilding through __init__ would append the reader's line to a message that has one already.
        return _rebuilt, (type(self), self.args, self.__dict__)


class Refusal:
    """A reason to end a trace at once, which no `except` of the traced function may hide."""

    __slots__ = ("_is_asked", "first")

    def __init__(self, is_asked: Callable[[], bool]) -> None:
        self.first: BaseException | None = None
        self._is_asked = is_asked

    def note(self, error: BaseException) -> None:
        if self.first is None and self._is_asked():
            self.first = error

    def raise_first(self) -> None:
        if self.first is not None:
            raise self.first


class _Watches(Local):
    def __init__(self) -> None:
        self.active: tuple[Refusal, ...] = ()


WATCHES = _Watches()


class first_refusal:
    """Remembers the first final error that is made in this thread meanwhile, where `is_asked` holds as it is
    made."""

    __slots__ = ("_before", "_refusal")

    def __init__(self, is_asked: Callable[[], bool]) -> None:
        self._refusal = Refusal(is_asked)

    def __enter__(self) -> Refusal:
        self._before = WATCHES.active
        WATCHES.active = (*self._before, self._refusal)
        return self._refusal

    def __exit__(self, *_: object) -> None:
        WATCHES.active = self._before


def forget(error: JitframeError) -> None:
    """Takes back an error that was caught on purpose: it will be raised where the object is used."""
    for watch in WATCHES.active:
        if watch.first is error:
            watch.first = None


def raise_again(error: JitframeError) -> NoReturn:
    """Raises an error that was taken back."""
    for watch in WATCHES.active[-1:]:
        watch.note(error)
    raise error


def _rebuilt(kind: type[JitframeError], arguments: tuple[Any, ...], state: dict[str, Any]) -> JitframeError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class ShapeError(JitframeError, ValueError):
    """Shapes that do not go together."""


class AxisError(JitframeError, numpy.exceptions.AxisError):
    """An axis that the array does not have."""

    def __str__(self) -> str:
        return ValueError.__str__(self)  # NumPy's would make a text of an axis and a rank


class BoundsError(JitframeError, IndexError):
    """An index outside its array."""


class LinAlgError(JitframeError, numpy.linalg.LinAlgError):
    """Matrices for which there is no result: singular ones, or ones that do not fit the function."""


class ArgumentError(JitframeError, ValueError):
    """An argument with a value that the function does not take."""


class NumberError(JitframeError, OverflowError):
    """A Python integer that the dtype it takes cannot hold."""


class ZeroError(ArgumentError, ZeroDivisionError):
    """A zero where something is divided by it."""


class DTypeError(JitframeError, TypeError):
    """A dtype that the operation or the device lacks, or a cast that is not allowed."""


class KindError(DTypeError, ArgumentError):
    """An argument of a kind that the function does not take. NumPy converts it, and raises TypeError or
    ValueError as the conversion happens to fail; this is both."""


class TraceError(JitframeError, TypeError):
    """Python code whose course depends on array values, or a traced value used outside its trace."""

    final = True
    needs_capture = False
    """Whether there may be none where the function's control flow is captured (see `capture`)."""
    is_shared = False
    """Whether it is of a write to an array that may be one or another."""


class AliasError(JitframeError, ValueError):
    """Arguments that overlap in memory where one is written, or a write to a read-only array."""


class BackendError(JitframeError, RuntimeError):
    """What a backend or one of its devices cannot do, or did wrong; the base of their errors.

    `backend` and `device` are names ("" where the error is of none, `device` such as "opencl:1"), `context`
    holds facts by name (bytes asked for, say), and `suggestions` say what to do, always: the message ends
    with those that are this error's own; where it has none they are the usual ones for its kind.
    `__cause__` is the driver's own exception, where there was one.
    """

    usual: tuple[str, ...] = ("choose another device",)
    """What to do about such an error, where nobody knows better."""
    is_heard = False
    """Whether the application's handler had it (see `jf.backends.set_error_handler`)."""

    def __init__(
        self,
        message: str,
        *,
        line: SourceLine | None = None,
        backend: str = "",
        device: str = "",
        context: Mapping[str, Any] | None = None,
        suggestions: Sequence[str] = (),
    ) -> None:
        self.backend = backend or device.partition(":")[0]
        self.device = device
        self.context: dict[str, Any] = dict(context or {})
        self.suggestions = tuple(suggestions) or self.usual
        advice = listed(suggestions)
        super().__init__(f"{message}; {advice}" if advice else message, line=line)

    def on(self, device: str) -> None:
        """Notes whose error it is, unless it says so."""
        if not self.device:
            self.device, self.backend = device, device.partition(":")[0]


class BackendUnavailableError(BackendError):
    """A backend or a device that is not here; the message says what is missing and what to install."""

    usual = ("choose one of jf.devices()", "install what the message says is missing")


class UnknownDeviceError(BackendUnavailableError, ArgumentError):
    """A name that no device has."""


class OutOfMemoryError(BackendError, MemoryError):
    """A device without memory for what was asked, after its pool was emptied; all it held is as it was.

    `context` has `asked_bytes`, `live_bytes`, `free_bytes` (None where that is unknown) and `holders`: what
    holds the most there, the largest first, and with its line where the device was monitored.
    """

    usual = ("delete some", "work on parts", "choose another device")
    ask_again = True
    """Whether the request is made once more when all that nobody needs was given back; False where that
    cannot help."""

    def for_good(self) -> Self:
        """The same for a request that is not made again."""
        self.ask_again = False
        return self

    def add(self, facts: str) -> None:
        """More lines for the message."""
        if facts:
            self.message = f"{self.message}\n  {facts}"
            self.args = (with_user_line(self.message, self.line),)


class ExecutableMemoryError(BackendError, PermissionError):
    """The system gives the process no memory for code, as services and hardened systems may have it."""


class DeviceLostError(BackendError):
    """A device is gone with all that its memory held; it is opened again when it is next used."""

    usual = ("make its arrays anew, which opens it again", "choose another device")

    driver: Any = None
    """Which of those at work was lost."""


class UnsupportedDTypeError(BackendError, DTypeError):
    """A dtype that the device does not compute in."""

    usual = ("cast to one of the device's dtypes first", "choose another device")


class CompileError(BackendError):
    """A kernel that the device's compiler rejected, shown with source and log."""

    usual = (
        "mend the source at the line that the log names",
        "choose another device, or another version of its driver",
    )


class UnsupportedError(JitframeError, NotImplementedError):
    """Something that jitframe does not do (yet)."""

    final = True


class SettingError(JitframeError, ValueError):
    """An environment variable or a setting with a value that does not fit, or one that is the user's alone to
    choose."""


class CacheError(JitframeError, RuntimeError):
    """The kernel cache cannot be listed or changed as asked (compiling never raises this)."""


class JitframeWarning(UserWarning):
    """The base of every warning here."""


class CacheWarning(JitframeWarning):
    """The kernel cache could not be used: kernels are compiled anew, results are the same. Shown once."""


class SettingWarning(JitframeWarning):
    """An environment variable that is nearly a setting's, or a configuration file that others could have
    written: it sets nothing. Shown once."""


class SpecializationWarning(JitframeWarning):
    """A jitted function is traced anew for very many values of an argument that a size or a condition
    depends on."""


class FallbackWarning(JitframeWarning):
    """Something ran another way than asked, with the same result: on another device, or through NumPy."""
