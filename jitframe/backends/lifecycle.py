"""The backends in use, their shutdown at the end of the process, and handlers of errors."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..base.background import at_end
from ..errors import BackendError, DTypeError
from ..runtime import handling
from ..runtime.handling import Handler

if TYPE_CHECKING:
    from .opened import OpenedDevice

_log = logging.getLogger("jitframe.backends")
logging.getLogger("jitframe").addHandler(logging.NullHandler())
_initialized: list[weakref.ref[OpenedDevice]] = []
"""In the order of their initialization."""
_process = os.getpid()


def started(backend: OpenedDevice) -> None:
    """Records a backend that was initialized."""
    _initialized.append(weakref.ref(backend, _initialized.remove))
    _log.debug("%s: initialized", backend.name)


def ended(backend: OpenedDevice) -> None:
    """Records a backend that was shut down."""
    for each in tuple(_initialized):
        if each() is backend and each in _initialized:
            _initialized.remove(each)


def initialized() -> tuple[OpenedDevice, ...]:
    """Returns the initialized backends, in order."""
    opened_devices = [each() for each in tuple(_initialized)]
    return tuple(opened_device for opened_device in opened_devices if opened_device is not None)


def _end() -> None:
    """Shuts down the backends still in use when the process ends, in reverse order."""
    if os.getpid() != _process:
        return  # a forked process ends: the devices are its parent's
    for backend in reversed(initialized()):
        try:
            backend.shutdown()
        except Exception:  # whatever: nobody is left to hear it
            _log.debug("%s: shutting down at exit failed", backend.name, exc_info=True)


at_end(_end)


def set_error_handler(handler: Handler | None) -> Handler | None:
    """Calls `handler` with every error of a device before it is raised, and returns the previous handler:
    errors about unavailable devices, unsupported dtypes and sizes, freed buffers, programs that do not
    compile, and failures of drivers.

    The handler is called with the error, in the thread that raises it, and returns the one to raise instead,
    or None for the same. An error that the handler raises is raised. None removes the handler.

    >>> import jitframe as jf
    >>> heard = []
    >>> before = jf.backends.set_error_handler(lambda error: heard.append(error.device))
    >>> jf.backends.get("cpu").compile("nonsense", entry="f", parameters={})
    Traceback (most recent call last):
    jitframe.errors.CompileError: ...
    >>> heard
    ['cpu']
    >>> _ = jf.backends.set_error_handler(before)
    """
    if handler is not None and not callable(handler):
        raise DTypeError(f"an error handler is a function of the error, or None, not {handler!r}")
    before, handling.handler = handling.handler, handler
    return before


def for_each(
    items: Iterable[Any], action: Callable[[Any], Any], what: str, which: str = "backends"
) -> list[Any]:
    """Returns the action's result for each item, and continues past failures.

    Raises one BackendError for all failures: `context["failed"]` has each error by the item's name.
    """
    done: list[Any] = []
    failed: dict[str, Exception] = {}
    for item in items:
        try:
            done.append(action(item))
        except Exception as problem:  # whatever it is, the others come next
            failed[str(getattr(item, "name", item))] = problem
    if failed:
        said = "; ".join(
            f"{name}: {getattr(exception, 'message', exception)}" for name, exception in failed.items()
        )
        raise BackendError(
            f"{len(failed)} of {len(failed) + len(done)} {which} could not {what}: {said}",
            context={"failed": failed},
            suggestions=('look at each one: error.context["failed"]',),
        ) from ExceptionGroup(f"{which} that could not {what}", list(failed.values()))
    return done
