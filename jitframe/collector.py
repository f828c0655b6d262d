"""Python's garbage collector, while many objects are made that live on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused(live_on: bool = False) -> Iterator[None]:
    """No collection meanwhile: each would search what was made so far, or all of the program's objects.

    `live_on`: nearly all that is made lives on. It counts as old then, with whatever else is young; else it
    is searched right afterwards.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if live_on and gc.get_freeze_count() == 0:
            # Together these move all objects to the oldest generation, and look at none.
            gc.freeze()
            gc.unfreeze()
        gc.enable()
