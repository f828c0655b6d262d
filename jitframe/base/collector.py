"""Pauses Python's garbage collector while many long-lived objects are made."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

from .forks import in_child
from .locks import get_ident

T = TypeVar("T")

_pausing: set[int] = set()
"""The threads that want it paused."""
_is_paused = False
"""Whether it is paused here, and not by the program."""


def without_collections(work: Callable[[], T], live_on: bool = False) -> T:
    """Runs `work` without garbage collections: each would traverse everything made so far, or all of the
    program's objects.

    `live_on`: nearly all that is made lives on. It counts as old then, with whatever else is young; else it
    is searched right afterwards.
    """
    global _is_paused
    thread = get_ident()
    if thread in _pausing or not (gc.isenabled() or _is_paused):
        return work()
    try:
        _is_paused = True
        gc.disable()
        _pausing.add(thread)
        return work()
    finally:
        _pausing.discard(thread)
        if not _pausing:
            gc.enable()
            _is_paused = False
        if live_on and gc.get_freeze_count() == 0:
            # Together these move all objects to the oldest generation without traversing any.
            gc.freeze()
            gc.unfreeze()


def _go_on() -> None:
    """Resumes collections in a forked child, in which the threads that paused them do not exist."""
    global _is_paused
    _pausing.intersection_update((get_ident(),))
    if _is_paused and not _pausing:
        gc.enable()
        _is_paused = False


in_child(_go_on)
