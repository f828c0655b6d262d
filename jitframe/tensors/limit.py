"""How small arrays are whose operations are computed at once (see `at_once`)."""

from __future__ import annotations

from ..runtime import profiler_hook
from ..settings import at_change, settings

MOST_BYTES = 1 << 15
"""Operands and results of no more bytes each are computed at once."""


class _Limit:
    __slots__ = ("nbytes",)
    nbytes: int
    """Less than 0 where everything is lazy: that is set, or a profile is taken."""

    def read(self) -> None:
        is_used = settings().small_at_once and profiler_hook.active is None
        self.nbytes = MOST_BYTES if is_used else -1


LIMIT = _Limit()
LIMIT.read()
at_change.append(LIMIT.read)
