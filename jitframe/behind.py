"""Work behind the program, on one thread: what a call was answered without, made for the calls after it.

Who shows what was made (statistics, listings, `explain`) waits for it, and so do a fork and the end of the
process.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .locks import allocate_lock, get_ident, new_lock

T = TypeVar("T")


class Task(Generic[T]):
    """Work that has been begun: `wait` for it, and ask for `value`."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work: Callable[[], T] | None = work
        self._done = allocate_lock()
        """Held until the work is done."""
        self._done.acquire()
        self.value: T | None = None
        """What came of it; None before it is done, and where it raised an error."""

    @property
    def is_done(self) -> bool:
        return self._work is None

    def wait(self) -> None:
        """Wait until it is done; not for a thread that does it itself."""
        if not self.is_done and not is_behind():
            with self._done:
                pass

    def run(self) -> None:
        work = self._work
        assert work is not None
        try:
            self.value = work()
        except Exception:
            pass  # who wants the value does the work again, and meets the error
        finally:
            self._work = None
            self._done.release()


_lock = new_lock()
_tasks: deque[Task[Any]] = deque()
"""What is to be done, the one that is being done included."""
_thread: int | None = None
"""The thread that does it, while there is something to do."""


def begin(work: Callable[[], T]) -> Task[T]:
    """Have work done after what has been begun before; at once, where the system gives no thread."""
    global _thread
    task = Task(work)
    with _lock:
        _tasks.append(task)
        if len(_tasks) > 1:
            return task
        try:
            start_new_thread(_do_all, ())
            return task
        except RuntimeError:
            _tasks.clear()
    task.run()
    return task


def is_behind() -> bool:
    """Whether the caller is work behind the program."""
    return _thread == get_ident()


def wait_for_all() -> None:
    """Wait until all work that has been begun is done."""
    while _tasks and not is_behind():
        try:
            last = _tasks[-1]
        except IndexError:  # done meanwhile
            return
        last.wait()


def _do_all() -> None:
    global _thread
    _thread = get_ident()
    while True:
        _tasks[0].run()
        with _lock:
            _tasks.popleft()
            if not _tasks:
                _thread = None
                return


if hasattr(os, "register_at_fork"):
    # A child has no such thread, and what it held would stay locked there.
    os.register_at_fork(before=wait_for_all)
