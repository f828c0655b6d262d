"""How a device's errors are handled before they are raised, and what its driver does after a fork."""

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
"""The application's own."""
_quiet = Local()
"""How many times over this thread asks only."""
_opened: weakref.WeakSet[Device] = weakref.WeakSet()
_kept: list[Any] = []
"""Drivers of the process that was forked: taking them down would talk to devices that are not this one's."""


def handled(problem: BackendError) -> BackendError:
    """The error to raise; each is heard once, however many doors it leaves by."""
    if handler is None or problem.is_heard or getattr(_quiet, "depth", None):
        return problem
    problem.is_heard = True
    told = handler(problem) or problem
    if isinstance(told, BackendError):
        told.is_heard = True
    return told


def heard(function: F) -> F:
    """Lets the handler hear of what leaves a function of the public interface."""

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
    """The same for all public methods of a class."""
    for name, method in tuple(vars(cls).items()):
        if isinstance(method, FunctionType) and (name[0] != "_" or name in _OPERATORS):
            setattr(cls, name, heard(method))
    return cls


_OPERATORS = frozenset(("__call__", "__enter__", "__exit__", "__getitem__", "__array__", "__buffer__"))


@contextmanager
def unheard() -> Iterator[None]:
    """Meanwhile this thread only asks what would happen: nobody hears of the errors that answer."""
    _quiet.depth = getattr(_quiet, "depth", 0) + 1
    try:
        yield
    finally:
        _quiet.depth -= 1


def raise_handled(problem: BackendError) -> NoReturn:
    """Raises an error as the application's handler has it: with its own cause, or as the cause of another
    one."""
    told = handled(problem)
    raise told from (problem.__cause__ if told is problem else problem)


def refuse_interrupting(device: Device) -> NoReturn:
    """Raises the error for who asks for work while the same thread is in the middle of a driver's work."""
    problem = BackendError(
        f"{device.name} is asked for work by code that interrupted its driver in the same thread: a signal "
        "handler, a destructor, or a callback of the collector, of the errors' handler or of an allocator",
        device=device.name,
        suggestions=("have that code note what to do, and do it later", "compute on the cpu there"),
    )
    raise_handled(problem)


def opened(device: Device, driver: Driver) -> None:
    """A device whose driver is open. What is open here cannot be used after a fork, but for the processor."""
    if device.is_host or getattr(driver, "host_memory", False):
        return
    _opened.add(device)
    end_first()  # of two libraries that are taken down, ours uses the other one


def forget_kernels() -> None:
    """Lets no open device keep kernels in memory, but for the processor."""
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
    """Lets each device's driver to nobody any more, and waits until its work is done."""
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
