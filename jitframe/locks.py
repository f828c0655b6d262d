"""Locks that no forked child waits for.

A child has the thread that forked and no other one: what another thread held at the fork would stay locked
there.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

ReentrantLock = threading.RLock
_made: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> threading.Lock:
    """A lock that is free in a forked child."""
    made = threading.Lock()
    _made.add(made)
    return made


def new_reentrant_lock() -> threading.RLock:
    """A lock that is free in a forked child, unless the thread that forked holds it."""
    made = threading.RLock()
    _made.add(made)
    return made


def _after_fork_in_child() -> None:
    for each in tuple(_made):
        is_owned = getattr(each, "_is_owned", None)
        if is_owned is None or not is_owned():
            each._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
