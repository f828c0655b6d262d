"""Python's garbage collector, while many objects are made that live on."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

from .locks import get_ident

_paused_by: int | None = None
"""The thread that paused it."""


@contextmanager
def collector_paused(live_on: bool = False) -> Iterator[None]:
    """No collection meanwhile: each would search what was made so far, or all of the program's objects.

    `live_on`: nearly all that is made lives on. It counts as old then, with whatever else is young; else it
    is searched right afterwards.
    """
    global _paused_by
    if not gc.isenabled():
        yield
        return
    gc.disable()
    _paused_by = get_ident()
    try:
        yield
    finally:
        _paused_by = None
        if live_on and gc.get_freeze_count() == 0:
            # Together these move all objects to the oldest generation, and look at none.
            gc.freeze()
            gc.unfreeze()
        gc.enable()


def _after_fork_in_child() -> None:
    """What another thread paused never ends here."""
    global _paused_by
    if _paused_by not in (None, get_ident()):
        _paused_by = None
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
