"""A thread that makes all calls of a library which no signal may interrupt."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

from ...base.background import Task, does_itself, stand_in, start_thread
from ...base.forks import in_child, nothing
from ...base.locks import allocate_lock, get_ident

T = TypeVar("T")


class _Interrupted(BaseException):
    """Ends work whose requester has an exception of a signal handler to raise."""


class SoleThread:
    """Runs calls on a thread of its own. Python runs signal handlers in the main thread only: their
    exceptions never interrupt work here, and reach the requester after it."""

    def __init__(self) -> None:
        self._tasks: deque[Task[Any]] = deque()
        self._asked = allocate_lock()
        """Unlocked while there may be work."""
        self._asked.acquire()
        self._ident = 0
        self._running: Task[Any] | None = None
        self._interrupted: Task[Any] | None = None
        """The work whose requester waits with a signal handler's exception."""
        start_thread(self._work, nothing)

    def call(self, work: Callable[..., T], *arguments: Any) -> T:
        """Returns the result of work, done after earlier requests. Raises its exceptions; those of signal
        handlers are raised afterwards, or from the next `checkpoint` on."""
        if self._ident == get_ident():
            return work(*arguments)
        task = Task(partial(_done, does_itself(), work, *arguments))
        self._tasks.append(task)  # one that nobody wakes the thread for is done before the next one
        interrupt: BaseException | None = None
        while not task.is_done:
            try:
                try:
                    self._asked.release()
                except RuntimeError:
                    pass  # another thread woke it
                task.wait()
            except BaseException as problem:
                interrupt = problem
                self._interrupted = task
        if interrupt is not None:
            raise interrupt
        value: T
        value, end = task.result()
        if end is not None:
            raise end
        return value

    def checkpoint(self) -> None:
        """Marks where long work may end early: raises where its requester was interrupted."""
        if self._running is not None and self._running is self._interrupted:
            raise _Interrupted

    def _work(self) -> None:
        self._ident = get_ident()
        while True:
            self._asked.acquire()
            while self._tasks:
                self._running = self._tasks.popleft()
                self._running.run()
                self._running = self._interrupted = None


def _done(does_itself: bool, work: Callable[..., T], *arguments: Any) -> tuple[Any, BaseException | None]:
    """Runs work, and returns its result or the exception that ends the requester's thread."""
    stand_in(does_itself)
    try:
        return work(*arguments), None
    except Exception:
        raise
    except BaseException as end:
        return None, end


@cache
def sole_thread(library: str) -> SoleThread:
    """Returns this process's thread of a library. Raises RuntimeError where the system gives no thread."""
    return SoleThread()


in_child(sole_thread.cache_clear)
