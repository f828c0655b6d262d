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
"""LLVM needs some hundred KB for a long kernel; threads of the program may have 32 KB."""
_FIRST_BYTES = 4 << 20
"""The memory required before a thread starts: one that fails at its first lines ends silently, and its caller
would wait forever."""
BACKLOG = 16
"""The maximum number of waiting tasks: planning takes 10 to 30 ms, and statistics wait for all of them."""
END_SECONDS = 0.5
"""How long tasks are still started while the process ends, so that the next process finds their results on
disk."""


class Task(Generic[T]):
    """Work that will run, or be dropped before it starts: `wait` for it, and ask for its `value` or
    `result`."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._context = copy_context()
        self._done = allocate_lock()
        """Held until the work has run."""
        self._done.acquire()
        self._outcome: tuple[T | None, Exception | None] | None = None
        self.is_dropped = False

    @property
    def is_over(self) -> bool:
        """Whether it has run or was dropped."""
        return self._outcome is not None

    @property
    def is_done(self) -> bool:
        return self._outcome is not None and not self.is_dropped

    @property
    def value(self) -> T | None:
        """The value it returned; None before it has run, if it raised an error, and if it was dropped."""
        return None if self._outcome is None else self._outcome[0]

    def wait(self) -> None:
        """Waits until it has run or was dropped; not for work that the caller is part of."""
        if not self.is_over:
            _ensure_thread()
            with self._done:
                pass

    def result(self) -> T:
        """Waits, and returns its value. Raises its error, at the line that asks."""
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
        # The traceback refers to this frame: its locals would keep all of the frames alive.
        self._outcome = None, None
        try:
            raise error
        finally:
            del error

    def drop(self) -> None:
        """Drops the work; not while another thread may run it."""
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
"""The tasks that were begun and have not finished, in order."""
_doing = allocate_lock()
"""Held by the thread that runs them, `inside`: it is free in a forked child."""


_at_end: list[Callable[[], None]] = []
_ending: int | None = None
"""The thread that ends the process, once it does."""
_limit = float("inf")
"""The monotonic time after which tasks are dropped instead of started."""


def in_background() -> bool:
    """Whether the caller is one of jitframe's own threads."""
    return _this.is_ours


def does_itself() -> bool:
    """Whether `on_own_thread` runs the work in the calling thread."""
    return _this.is_ours or _ending == get_ident()


def stand_in(does_itself: bool) -> None:
    """Makes a thread of jitframe's own run `on_own_thread` like the thread that it works for: where that is
    none of jitframe's, no fork waits for this one."""
    _this.is_ours = does_itself


def begin(work: Callable[[], T]) -> Task[T] | None:
    """Queues work behind what was begun before; runs it immediately if the system provides no thread. Returns
    None, without queuing, if the queue is full or the process is ending."""
    stop_at_end()
    if len(_tasks) >= BACKLOG or _ending is not None:
        return None
    task = Task(work)
    _tasks.append(task)
    _ensure_thread()
    return task


def on_own_thread(work: Callable[[], T]) -> T:
    """Runs work on another thread, or on this one if it is one of jitframe's own, and returns its result.

    Raises its error. An interrupt ends the waiting, not the work.
    """
    if does_itself():
        return work()
    stop_at_end()
    task = Task(work)
    start(task.run)
    return task.result()


def start(work: Callable[[], None], within: AbstractContextManager[None] = inside) -> None:
    """Starts work on a thread of its own; runs it immediately if the system provides none.

    `within`: `nothing` where a thread that is `inside` waits for it, as forks wait for that one then.
    """
    try:
        start_thread(work, within)
    except RuntimeError:
        work()


def start_thread(work: Callable[[], None], within: AbstractContextManager[None]) -> None:
    """`start` without that fallback. Raises RuntimeError if the system provides no thread, or has no memory
    for one."""
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
    """The bytes of address space left to this process (RLIMIT_AS); None if there is no limit, or its usage is
    unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    taken = process_bytes(0) if limit != resource.RLIM_INFINITY else 0
    return max(limit - taken, 0) if taken else None


def process_bytes(column: int) -> int:
    """The bytes of address space (0) or of resident memory (1) of this process, as Linux reports them; 0
    elsewhere."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def wait_for_all() -> None:
    """Waits for all work begun so far; not from work that may be part of it."""
    if _this.is_ours:
        return
    try:
        last = _tasks[-1]
    except IndexError:
        return
    last.wait()


def at_end(call: Callable[[], None]) -> None:
    """Registers a function that runs when the process ends, in the order of registration, on the thread that
    ends it: all begun work has finished then, and no other thread of the program can begin more."""
    _at_end.append(call)


def end_first() -> None:
    """Makes jitframe's handlers run before those that others registered for the end of the process so far."""
    atexit.unregister(_end)
    atexit.register(_end)


def stop_at_end() -> None:
    """Ends a daemon thread of the program while the process ends."""
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
    """For a forked child, which does not continue its parent's tasks."""
    while _tasks:
        if not _tasks[0].is_over:  # the thread that ran it may not have removed it
            _tasks[0].drop()
        _tasks.popleft()


in_child(_drop_all)


def _work(work: Callable[[], None], within: AbstractContextManager[None]) -> None:
    _this.is_ours = True
    with within:
        work()


def _ensure_thread() -> None:
    """Starts a thread for the queue unless one is running. A thread too many finds an empty queue."""
    if _tasks and not _doing.locked():
        start(_do_all, nothing)


def _do_all() -> None:
    while _tasks:  # a thread that adds a task while this one holds `_doing` relies on this check
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
