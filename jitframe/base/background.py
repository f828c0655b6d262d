"""Work on threads of jitframe's own.

Their stacks are large enough for compilers, whatever the program gives its threads, and no signal interrupts
them: Python runs handlers in the main thread only. So what they do is always done to its end, also where the
thread that asked for it stopped waiting. A fork waits for what they are doing (see `forks`).

`on_own_thread` does work that the caller needs now. `begin` starts work that later calls profit from, such as
background compilation: tasks run one after another. Statistics, listings and `explain` wait for them.

At most `BACKLOG` tasks wait. Further ones are not started: the caller asks again, or does the work itself. A
forked child drops the tasks of its parent.

The end of the process does the oldest task, others for `END_SECONDS`, and drops the rest. It ends the
program's daemon threads where they would begin more: nobody is in a compiler or a driver when the system
takes those down.
"""

from __future__ import annotations

import atexit
import os
import threading  # noqa: F401  # before 3.13 the thread that imports it first is taken for the main one
from _contextvars import copy_context
from _thread import stack_size, start_new_thread
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from time import monotonic
from typing import Any, Generic, TypeVar, cast

from .forks import close, in_child, inside, nothing
from .locks import Local, allocate_lock, get_ident

T = TypeVar("T")
STACK_BYTES = 16 << 20
"""LLVM takes some hundred KB for a long kernel; threads of the program may have 32 KB."""
_FIRST_BYTES = 4 << 20
"""A thread without memory for its first lines ends without a word, and would be waited for."""
BACKLOG = 16
"""Tasks that may wait at once: a plan takes 10 to 30 ms, and statistics wait for all of them."""
END_SECONDS = 0.5
"""How long the end of a process begins tasks, so that the next process finds what they leave on disk."""


class Task(Generic[T]):
    """Work that will be done, or dropped before it begins: `wait` for it, and ask for its `value` or
    `result`."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._context = copy_context()
        self._done = allocate_lock()
        """Held until the work is done."""
        self._done.acquire()
        self._outcome: tuple[T | None, Exception | None] | None = None
        self.is_dropped = False

    @property
    def is_over(self) -> bool:
        """Whether it is done or dropped."""
        return self._outcome is not None

    @property
    def is_done(self) -> bool:
        return self._outcome is not None and not self.is_dropped

    @property
    def value(self) -> T | None:
        """What came of it; None before it is done, where it raised an error, and where it was dropped."""
        return None if self._outcome is None else self._outcome[0]

    def wait(self) -> None:
        """Wait until it is done or dropped; not for work that it is part of."""
        if not self.is_over:
            _ensure_thread()
            with self._done:
                pass

    def result(self) -> T:
        """What came of it, waited for. Raises what it raised, at the line that asks."""
        self.wait()
        assert self._outcome is not None
        value, error = self._outcome
        if error is None:
            return cast(T, value)
        from ..errors import (
            JitframeError,
            user_line,
        )  # loaded before errors can be

        if isinstance(error, JitframeError):
            error.move(user_line())
        # The traceback leads to this frame: what that knows of it would keep all of its frames alive.
        self._outcome = None, None
        try:
            raise error
        finally:
            del error

    def drop(self) -> None:
        """Leave it undone; not where another thread may be at it."""
        self.is_dropped = True
        self._outcome = None, None
        del self._work
        self._done.release()

    def run(self) -> None:
        try:
            self._outcome = self._context.run(self._work), None
        except Exception as error:
            self._outcome = None, error
        except BaseException:
            self._outcome = None, None
            raise
        finally:
            del self._work
            self._done.release()


class _Thread(Local):
    is_ours = False


_this = _Thread()
_tasks: deque[Task[Any]] = deque()
"""What was begun and is not done, in order."""
_doing = allocate_lock()
"""Held by the thread that does it, `inside`: it is free in a forked child."""


_at_end: list[Callable[[], None]] = []
_ending: int | None = None
"""The thread that ends the process, once it does."""
_limit = float("inf")
"""When tasks are no longer begun but dropped, by the monotonic clock."""


def in_background() -> bool:
    """Whether the caller is a thread of jitframe's own."""
    return _this.is_ours


def does_itself() -> bool:
    """Whether `on_own_thread` runs the work in the calling thread."""
    return _this.is_ours or _ending == get_ident()


def stand_in(does_itself: bool) -> None:
    """Makes a thread of jitframe's own run `on_own_thread` like the thread that it works for: where that is
    none of jitframe's, no fork waits for this one."""
    _this.is_ours = does_itself


def begin(work: Callable[[], T]) -> Task[T] | None:
    """Have work done after what has been begun before; at once, where the system gives no thread. None, and
    nothing begun, where too much waits already, and where the process ends."""
    stop_at_end()
    if len(_tasks) >= BACKLOG or _ending is not None:
        return None
    task = Task(work)
    _tasks.append(task)
    _ensure_thread()
    return task


def on_own_thread(work: Callable[[], T]) -> T:
    """Returns the result of work, done now by another thread, or by this one where it is one of jitframe's
    own.

    Raises what it raises. An interrupt ends the waiting, not the work.
    """
    if does_itself():
        return work()
    stop_at_end()
    task = Task(work)
    start(task.run)
    return task.result()


def start(work: Callable[[], None], within: AbstractContextManager[None] = inside) -> None:
    """Begin work on a thread of its own; do it at once, where the system gives none.

    `within`: `nothing` where a thread that is `inside` waits for it, as forks wait for that one then.
    """
    try:
        start_thread(work, within)
    except RuntimeError:
        work()


def start_thread(work: Callable[[], None], within: AbstractContextManager[None]) -> None:
    """`start`. Raises RuntimeError where the system gives no thread, or has no room for one."""
    room = address_room()
    if room is not None and room < STACK_BYTES + _FIRST_BYTES:
        raise RuntimeError("no room for a thread")
    before = stack_size()
    try:
        stack_size(STACK_BYTES)
        start_new_thread(_work, (work, within))
    finally:
        stack_size(before)


def address_room() -> int | None:
    """Bytes of addresses that this process may still have (RLIMIT_AS); None where there is no limit, or
    nobody tells what it has."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    taken = process_bytes(0) if limit != resource.RLIM_INFINITY else 0
    return max(limit - taken, 0) if taken else None


def process_bytes(column: int) -> int:
    """What this process has of addresses (0) or of memory in use (1), as Linux tells them; 0 elsewhere."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def wait_for_all() -> None:
    """Wait until all work that has been begun so far is done; not where the caller may be part of it."""
    if _this.is_ours:
        return
    try:
        last = _tasks[-1]
    except IndexError:
        return
    last.wait()


def at_end(call: Callable[[], None]) -> None:
    """Has something called when the process ends, in the order asked for, by the thread that ends it: what
    was begun is done then, and no other thread of the program begins anything."""
    _at_end.append(call)


def end_first() -> None:
    """Has the end of the process begin here, before what others registered for it so far."""
    atexit.unregister(_end)
    atexit.register(_end)


def stop_at_end() -> None:
    """Ends a daemon thread of the program where the process ends."""
    if _ending is not None and _ending != get_ident() and not _this.is_ours:
        raise SystemExit


def _end() -> None:
    global _ending, _limit
    _ending = get_ident()
    limit = monotonic() + END_SECONDS
    with suppress(IndexError):
        _tasks[0].wait()
    _limit = limit
    wait_for_all()
    for call in _at_end:
        call()
    close()


end_first()


def _drop_all() -> None:
    """For a forked child: what it wants of its parent's tasks it begins again."""
    while _tasks:
        if not _tasks[0].is_over:  # the thread that did it may not have come to take it off
            _tasks[0].drop()
        _tasks.popleft()


in_child(_drop_all)


def _work(work: Callable[[], None], within: AbstractContextManager[None]) -> None:
    _this.is_ours = True
    with within:
        work()


def _ensure_thread() -> None:
    """Has what was begun done, where nobody is at it. A thread too many finds nothing to do."""
    if _tasks and not _doing.locked():
        start(_do_all, nothing)


def _do_all() -> None:
    while _tasks:  # who adds one later, while this thread holds `_doing`, counts on this question
        with inside:  # a fork waits for one task
            if not _doing.acquire(blocking=False):
                return
            try:
                if _tasks:
                    if not _tasks[0].is_over:
                        _tasks[0].drop() if monotonic() > _limit else _tasks[0].run()
                    _tasks.popleft()
            finally:
                _doing.release()
