"""Locks that are free in forked children, and contexts that an interrupt does not leave open.

A child has the thread that forked and no other one: what another thread held at the fork would stay locked
there.
"""

from __future__ import annotations

import weakref

# `threading` exports these under other names, but takes half a millisecond to import.
from _thread import LockType, allocate_lock, get_ident
from _thread import RLock as ReentrantLock
from _thread import _local as Local
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

from .forks import in_child

__all__ = [
    "Local", "ReentrantLock", "allocate_lock", "closed_at_once", "get_ident", "is_owned", "new_lock",
    "new_reentrant_lock",
]  # fmt: skip

P = ParamSpec("P")
T = TypeVar("T")

_made: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> LockType:
    """A lock that is free in a forked child."""
    made = allocate_lock()
    _made.add(made)
    return made


def new_reentrant_lock() -> ReentrantLock:
    """A reentrant lock that is free in a forked child, unless the thread that forked holds it.

    A signal handler or a destructor that interrupts its holder does not wait for it: the guarded data must
    tolerate that.
    """
    made = ReentrantLock()
    _made.add(made)
    return made


def is_owned(lock: ReentrantLock) -> bool:
    """Whether this thread holds the lock."""
    return cast(bool, lock._is_owned())  # type: ignore[attr-defined]


def if_free(lock: ReentrantLock, work: Callable[[], Any] = lambda: None) -> bool:
    """Runs `work` with the lock held if the lock is free; returns whether it was."""
    found = False
    if not is_owned(lock):
        try:
            found = lock.acquire(blocking=False)
            if found:
                work()
        finally:
            try:
                lock.release()
            except RuntimeError:
                pass  # another thread holds it
    return found


def _free_all() -> None:
    for each in tuple(_made):
        if not hasattr(each, "_is_owned") or not is_owned(each):
            each._at_fork_reinit()


in_child(_free_all)


def closed_at_once(function: Callable[P, Iterator[T]]) -> Callable[P, AbstractContextManager[T]]:
    """`contextlib.contextmanager` for what must not stay open: the generator is closed as soon as its `with`
    is left, also where a handler of a signal raises while that enters or leaves it.

    There, contextlib's own frames hold the generator for as long as the traceback lives. Here the only one
    who does is what `with` keeps to leave by: a `partial`, whose function has but a weak reference.
    """

    @wraps(function)
    def made(*arguments: P.args, **named: P.kwargs) -> AbstractContextManager[T]:
        generator = cast("Generator[T, None, None]", function(*arguments, **named))
        leave = partial(_leave, weakref.ref(generator))
        leave.generator = generator  # type: ignore[attr-defined]
        return cast("AbstractContextManager[T]", _Context(generator.__next__, leave))

    return made


class _Context:
    """A context whose methods are slots, so that `with` calls no Python method that could be interrupted."""

    __slots__ = ("__enter__", "__exit__")

    def __init__(self, enter: Callable[[], Any], leave: Callable[..., bool]) -> None:
        self.__enter__ = enter
        self.__exit__ = leave


def _leave(generator: Callable[[], Any], kind: Any, error: BaseException | None, traceback: Any) -> bool:
    """Raises the block's error where the generator stopped, or resumes it; keeps no reference to the
    generator."""
    if error is None:
        next(generator(), None)
        return False
    try:
        generator().throw(error)
    except BaseException as raised:
        # A generator may not raise StopIteration: it arrives as the cause of a RuntimeError.
        if raised is not error and not (isinstance(error, StopIteration) and raised.__cause__ is error):
            raise
        error.__traceback__ = traceback
    return False
