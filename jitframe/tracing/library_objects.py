"""Objects of libraries that a traced function is given or reads.

What it does to their attributes is done while tracing, once: a function that changes them is not compiled.
"""

from __future__ import annotations

from typing import Any

from ..api.frame import LazyValue
from ..errors import TraceError
from .guards import MISSING, getattr_plainly

_OF_THREADS = frozenset((
    "asyncio", "concurrent", "logging", "multiprocessing", "queue", "socket", "threading",
))  # fmt: skip
"""Modules whose objects other threads change meanwhile: what these have done is not taken back."""


class LibraryObjects:
    """Those of one trace, with what they held before."""

    def __init__(self) -> None:
        self._noted: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def note(self, name: str, value: Any) -> None:
        """Remembers what an object holds that the function calls `name`."""
        held = getattr_plainly(value, "__dict__")
        if isinstance(held, dict) and type(value).__module__.partition(".")[0] not in _OF_THREADS:
            self._noted.append((name, held, dict(held)))

    def put_back(self) -> str | None:
        """Gives the objects the attributes that they had, but for what they have noted besides, for
        themselves; the name of one that was changed."""
        found = None
        for name, held, before in self._noted:
            for attribute, value in tuple(held.items()):
                was = before.get(attribute, MISSING)
                if was is value or (was is MISSING and not _is_of_trace(value)):
                    continue
                found = name
                if was is MISSING:
                    del held[attribute]
                else:
                    held[attribute] = was
        return found

    def check(self) -> None:
        """Raises TraceError where one was changed; it is as before then."""
        name = self.put_back()
        if name is not None:
            raise TraceError(
                f"the function changes {name!r}, an object of a library that was made outside it; that would "
                "happen once, not at each call. Return the values and store them outside"
            )


def _is_of_trace(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_is_of_trace, value))
    return isinstance(value, LazyValue)
