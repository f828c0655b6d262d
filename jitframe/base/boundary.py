"""The boundary of public calls: errors that Python and NumPy raise for wrong arguments become jitframe's
errors, with the call and the user's line."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any, TypeVar

from ..errors import (
    MACHINERY,
    BoundsError,
    DTypeError,
    JitframeError,
    KindError,
    NumberError,
    OutOfMemoryError,
    ZeroError,
    nearest,
)
from .arguments import shown

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_OURS: tuple[tuple[type[Exception], type[JitframeError]], ...] = (
    (OverflowError, NumberError), (IndexError, BoundsError), (ValueError, KindError),
    (TypeError, KindError), (MemoryError, OutOfMemoryError), (ZeroDivisionError, ZeroError),
)  # fmt: skip
_RAW = tuple(raw for raw, _ in _OURS)


def guarded(function: F, name: str = "") -> F:
    """Returns the function with errors of wrong arguments translated to jitframe's.

    What a function of the user's raises, which it was given to call, stays as it is.
    """
    called = name or function.__name__

    @functools.wraps(function)
    def public(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except _RAW as error:
            if isinstance(error, JitframeError) or _is_users(error.__traceback__):
                raise
            mistake = _mistake(called, function, arguments, options, error)
        raise mistake

    return public  # type: ignore[return-value]


def guarded_methods(owner: C) -> C:
    """Wraps the methods and operators of a class by `guarded`."""
    for name, member in [*vars(owner).items()]:
        if isinstance(member, FunctionType) and (not name.startswith("_") or name.startswith("__")):
            setattr(owner, name, guarded(member, f"{owner.__name__}.{name}"))
    return owner


def _is_users(trace: TracebackType | None) -> bool:
    """Whether an error came from the user's own code, called in between."""
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__") or ""
        if module.partition(".")[0] not in MACHINERY:
            return True
        trace = trace.tb_next
    return False


def _mistake(
    name: str, function: Any, arguments: tuple[Any, ...], options: dict[str, Any], error: Exception
) -> JitframeError:
    kind = next(ours for raw, ours in _OURS if isinstance(error, raw))
    said = str(error).rstrip(".")
    own = getattr(getattr(function, "func", function), "__qualname__", "")
    if own and said.startswith(f"{own}() "):
        said = f"{name}{said[len(own) :]}"
    misfit = _misfit(function, arguments, options, said) if isinstance(error, TypeError) else ""
    if misfit:
        return DTypeError(misfit)
    given = [*map(shown, arguments), *(f"{option}={shown(value)}" for option, value in options.items())]
    return kind(f"{said}, in {name}({', '.join(given)})")


def _misfit(function: Any, arguments: tuple[Any, ...], options: dict[str, Any], said: str) -> str:
    """Describes arguments that do not match a function's parameters; empty if they do."""
    import inspect  # for messages alone

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have none
        return ""
    try:
        signature.bind(*arguments, **options)
    except TypeError:
        unknown = said.partition("unexpected keyword argument '")[2].rstrip("'")
        near = nearest(unknown, signature.parameters)
        own = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
        bare = [parameter.replace(annotation=parameter.empty) for parameter in own]
        known = signature.replace(parameters=bare, return_annotation=signature.empty)
        return f"{said}{near}; its parameters are {known}"
    return ""
