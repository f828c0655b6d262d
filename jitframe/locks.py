"""Locks that no forked child waits for.

A child has the thread that forked and no other one: what another thread held at the fork would stay locked
there.
"""

from __future__ import annotations

import weakref

# What `threading` hands on under names of its own: that takes half a millisecond to load.
from _thread import LockType, allocate_lock, get_ident
from _thread import RLock as ReentrantLock
from _thread import _local as Local
from typing import Any

from .forks import in_child

__all__ = ["Local", "ReentrantLock", "allocate_lock", "get_ident", "new_lock", "new_reentrant_lock"]

_made: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> LockType:
    """A lock that is free in a forked child."""
    made = allocate_lock()
    _made.add(made)
    return made


def new_reentrant_lock() -> ReentrantLock:
    """A lock that is free in a forked child, unless the thread that forked holds it. A signal handler or a
    destructor that interrupts its holder does not wait for it: what it guards must bear that."""
    made = ReentrantLock()
    _made.add(made)
    return made


def _free_all() -> None:
    for each in tuple(_made):
        is_owned = getattr(each, "_is_owned", None)
        if is_owned is None or not is_owned():
            each._at_fork_reinit()


in_child(_free_all)
