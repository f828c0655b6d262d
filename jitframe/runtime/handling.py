"""Error handlers of applications, and drivers after a fork."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial, wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ..base.background import at_end, end_first
from ..base.forks import in_child
from ..base.locks import Local
from ..errors import BackendError
from .queues.runs import Runs

if TYPE_CHECKING:
    from .device import Device
    from .driver import Driver

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
Handler = Callable[[BackendError], BackendError | None]

handler: Handler | None = None
"""The application's handler."""
_quiet = Local()
"""The nesting depth of `unheard` in this thread."""
_opened: weakref.WeakSet[Device] = weakref.WeakSet()
_kept: list[Any] = []
"""Drivers of the parent process: their finalizers would use devices that are not this process's."""


def handled(problem: BackendError) -> BackendError:
    """Returns the error to raise; the handler gets each error once."""
    if handler is None or problem.is_heard or getattr(_quiet, "depth", None):
        return problem
    problem.is_heard = True
    told = handler(problem) or problem
    if isinstance(told, BackendError):
        told.is_heard = True
    return told


def heard(function: F) -> F:
    """Reports the errors of a public function to the handler."""

    @wraps(function)
    def hearing(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BackendError as problem:
            told = handled(problem)
            if told is problem:
                raise
            raise told from problem

    return hearing  # type: ignore[return-value]


def hears(cls: type[T]) -> type[T]:
    """Reports the errors of all public methods of a class."""
    for name, method in tuple(vars(cls).items()):
        if isinstance(method, FunctionType) and (name[0] != "_" or name in _OPERATORS):
            setattr(cls, name, heard(method))
    return cls


_OPERATORS = frozenset(("__call__", "__enter__", "__exit__", "__getitem__", "__array__", "__buffer__"))


@contextmanager
def unheard() -> Iterator[None]:
    """Suppresses the handler: this thread only queries what would happen."""
    _quiet.depth = getattr(_quiet, "depth", 0) + 1
    try:
        yield
    finally:
        _quiet.depth -= 1


def raise_handled(problem: BackendError) -> NoReturn:
    """Raises an error as the handler returns it: with its own cause, or as the cause of another one."""
    told = handled(problem)
    raise told from (problem.__cause__ if told is problem else problem)


def refuse_interrupting(device: Device) -> NoReturn:
    """Raises the error for a request in the middle of the same thread's use of a driver."""
    problem = BackendError(
        f"{device.name} is asked for work by code that interrupted its driver in the same thread: a signal "
        "handler, a destructor, or a callback of the collector, of the errors' handler or of an allocator",
        device=device.name,
        suggestions=("have that code note what to do, and do it later", "compute on the cpu there"),
    )
    raise_handled(problem)


def opened(device: Device, driver: Driver) -> None:
    """Registers a device with an open driver, which cannot be used after a fork, except the processor's."""
    if device.is_host or getattr(driver, "host_memory", False):
        return
    _opened.add(device)
    end_first()  # of two libraries that are taken down, ours uses the other one


def forget_kernels() -> None:
    """Drops the loaded kernels of all open devices, except the processor's."""
    for device in tuple(_opened):
        if device._driver is not None:
            with device.using() as driver:
                forget = getattr(driver, "forget_kernels", None)
                if forget is not None:
                    forget()


def _leave() -> None:
    for device in tuple(_opened):
        _kept.append((device._driver, device._front, device._ordering, device._runs, device._dropped))
        device._driver = device._front = device._ordering = None
        device._runs, device._dropped = Runs(device), deque()
        device._open = partial(_refuse, device.name)
    _opened.clear()


in_child(_leave)


def _wait_for_users() -> None:
    """Waits until each device's driver is unused, and locks it."""
    for device in tuple(_opened):
        if device._driver is not None:
            with suppress(Exception):  # nobody is left to hear it
                device.synchronize()


at_end(_wait_for_users)


def _refuse(name: str) -> NoReturn:
    raise BackendError(
        f"{name} was in use when this process was forked from another one, and drivers do not survive that",
        device=name,
        suggestions=(
            "start processes by multiprocessing's 'spawn'",
            "fork before the device is first used",
            "use the cpu here",
        ),
    )
