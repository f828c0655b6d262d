"""What becomes of a device's errors before they are raised, and of its driver after a fork."""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import BackendError
from .runs import Runs

if TYPE_CHECKING:
    from .device import Device
    from .driver import Driver

Handler = Callable[[BackendError], BackendError | None]

handler: Handler | None = None
"""The application's own."""
_opened: weakref.WeakSet[Device] = weakref.WeakSet()
_kept: list[Any] = []
"""Drivers of the process that was forked: taking them down would talk to devices that are not this one's."""


def handled(problem: BackendError) -> BackendError:
    """The error to raise."""
    return problem if handler is None else handler(problem) or problem


def raise_handled(problem: BackendError) -> NoReturn:
    """Raises an error as the application's handler has it: with its own cause, or as the cause of another
    one."""
    told = handled(problem)
    raise told from (problem.__cause__ if told is problem else problem)


def opened(device: Device, driver: Driver) -> None:
    """A device whose driver is open. What is open here cannot be used after a fork, but for the processor."""
    if device.is_host or getattr(driver, "host_memory", False):
        return
    if not _opened and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_leave)
    _opened.add(device)


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
