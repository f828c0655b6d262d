"""Pauses Python's garbage collector while many objects are made that live on."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

from .forks import in_child
from .locks import get_ident

T = TypeVar("T")

_paused_by: int | None = None
"""The thread that paused it."""


def without_collections(work: Callable[[], T], live_on: bool = False) -> T:
    """What work gives, with no collection meanwhile: each would search what was made so far, or all of the
    program's objects.

    `live_on`: nearly all that is made lives on. It counts as old then, with whatever else is young; else it
    is searched right afterwards.
    """
    global _paused_by
    if not gc.isenabled():
        return work()
    try:
        gc.disable()
        _paused_by = get_ident()
        return work()
    finally:
        gc.enable()  # before anything that an interrupt may end
        _paused_by = None
        if live_on and gc.get_freeze_count() == 0:
            # Together these move all objects to the oldest generation, and look at none.
            gc.freeze()
            gc.unfreeze()


def _go_on() -> None:
    """What another thread paused never ends in a forked child."""
    global _paused_by
    if _paused_by not in (None, get_ident()):
        _paused_by = None
        gc.enable()


in_child(_go_on)
