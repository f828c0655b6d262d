"""Drivers that have several queues: an optional part of the driver protocol, and what they do alike."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Protocol

from ..driver import Driver
from ..executor import View
from .base import BaseDriver

MOST_QUEUES = 32
"""The most queues of a device, where no useful number is known."""


class QueueDriver(Driver, Protocol):
    """A driver with several queues of work: `facts.streams` of them.

    All work, marks included, goes to the queue of the last `select_queue`; `synchronize` waits for all
    queues. Memory that it allocates was last used by the queue whose turn it is, if at all, or its use is
    over. Nobody but the caller puts work of different queues in order."""

    def open_queue(self) -> Any:
        """Adds a queue."""
        ...

    def close_queue(self, queue: Any) -> None:
        """Removes a queue whose work is over; memory that was allocated for it stays."""
        ...

    def select_queue(self, queue: Any) -> None:
        """Sends further work to this queue; None is the first one, which exists from the start."""
        ...

    def point(self) -> Any:
        """Returns the end of the queue's work so far."""
        ...

    def follow(self, point: Any) -> None:
        """Makes further work of the queue wait, on the device, for a point of another queue."""
        ...

    def is_over(self, point: Any) -> bool:
        """Whether the device has passed a point, or never will. Called by any thread, at any time."""
        ...

    def wait(self, point: Any) -> None:
        """Waits for a point; raises errors of the work before it. Called by any thread, while others use the
        driver."""
        ...

    def send(self, target: View, data: memoryview) -> None:
        """Like `upload`, but the bytes must not change until the queue has passed its next point."""
        ...

    def fetch(self, source: View, out: memoryview) -> None:
        """Like `download`, but the bytes are valid once the queue has passed its next point."""
        ...


class QueuedDriver(BaseDriver):
    """A driver but for how its device does each thing (see `BaseDriver`), also that with queues.

    `_is_over` and `_wait` are called by any thread, without the guard.
    """

    def open_queue(self) -> Any:
        return self._do("opening a queue", self._open_queue)

    def close_queue(self, queue: Any) -> None:
        self._do("closing a queue", self._end_queue, queue)

    def _end_queue(self, queue: Any) -> None:
        self._close_queue(queue)
        self._pool.close(queue)

    def select_queue(self, queue: Any) -> None:
        with self._guard:
            self._select_queue(queue)
            self._pool.select_queue(queue)

    def point(self) -> Any:
        return self._do("a mark", self._point)

    def follow(self, point: Any) -> None:
        self._do("a mark", self._follow, point)

    def is_over(self, point: Any) -> bool:
        try:
            return self._is_over(point)
        except self._errors:
            return True  # who waits for it is told

    def wait(self, point: Any) -> None:
        try:
            self._wait(point)
        except self._errors as problem:
            self._fail("waiting", problem)

    def send(self, target: View, data: memoryview) -> None:
        if data.nbytes:
            self._do("an upload", self._send, target, data.cast("B"))

    def fetch(self, source: View, out: memoryview) -> None:
        if out.nbytes:
            self._do("a download", self._fetch, source, out.cast("B"))

    @abstractmethod
    def _open_queue(self) -> Any: ...

    @abstractmethod
    def _close_queue(self, queue: Any) -> None: ...

    @abstractmethod
    def _select_queue(self, queue: Any) -> None: ...

    @abstractmethod
    def _point(self) -> Any: ...

    @abstractmethod
    def _follow(self, point: Any) -> None: ...

    @abstractmethod
    def _is_over(self, point: Any) -> bool: ...

    @abstractmethod
    def _wait(self, point: Any) -> None: ...

    @abstractmethod
    def _send(self, target: View, data: memoryview) -> None: ...

    @abstractmethod
    def _fetch(self, source: View, out: memoryview) -> None: ...
