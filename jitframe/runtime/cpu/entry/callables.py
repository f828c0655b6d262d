"""Callables with a native fast path, and their variants.

With `JITFRAME_NATIVE_ENTRY=off`, and on interpreters with another object layout, the slow callable answers
all calls.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ..execution.runtime import runtime
from ..kernels.compiled_kernels import look_at_files
from ..kernels.target import processor_level
from ..native_library.layout import array_layout
from . import native_entry

if TYPE_CHECKING:
    from .variant import Variant


@cache
def native_entry_works() -> bool:
    """Whether calls can be answered natively in this process."""
    if os.environ.get("JITFRAME_NATIVE_ENTRY") == "off" or not array_layout().known:
        return False
    return native_entry.verified()


@cache
def entry_class(base: type) -> type:
    """The class of entries that also have the methods of `base`, which has no state of its own."""
    kind = native_entry.native_entry_class() if native_entry_works() else SlowEntry
    return kind if base is object else type(base.__name__, (kind, base), {"__doc__": base.__doc__})


class SlowEntry:
    """An entry that counts the calls and forwards them to the slow callable; it ignores variants."""

    def __init__(self, slow: Callable[..., Any]) -> None:
        self._slow = slow
        self._calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._calls += 1
        return self._slow(*args, **kwargs)


def _memory(entry: Any) -> Any:
    """Returns the memory of a native entry with its variants; None of another entry."""
    return getattr(entry, "_memory", None)


def make_entry(name: str, slow: Callable[..., Any], base: type = object) -> Any:
    """Makes a callable that answers by its variants, and by `slow` where none of them matches exactly."""
    # Tested here, once, so that the first call does not wait for it.
    runtime()
    processor_level()
    look_at_files()
    made = entry_class(base)(slow)
    made.__name__ = name
    return made


def entry_add_variant(entry: Any, variant: Variant) -> None:
    """Adds a variant, which is tried first."""
    memory = _memory(entry)
    if memory is not None:
        memory.add(variant)


def entry_clear(entry: Any) -> None:
    """Removes all variants, so that the next call is slow."""
    memory = _memory(entry)
    if memory is not None:
        memory.clear()


def entry_calls(entry: Any) -> tuple[int, int]:
    """Returns the number of calls that variants answered, and of those that the slow callable answered."""
    memory = _memory(entry)
    if memory is None:
        return 0, entry._calls
    return memory.read("fast_calls"), memory.read("slow_calls")
