"""Callables with a native fast path: make one, and tell it the variants it may answer by itself.

With `JITFRAME_NATIVE_ENTRY=off`, and on interpreters whose objects are laid out otherwise, the slow callable
answers all calls.
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
    """Counts the calls, and leaves them to the slow callable; it has no use for variants."""

    def __init__(self, slow: Callable[..., Any]) -> None:
        self._slow = slow
        self._calls = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._calls += 1
        return self._slow(*args, **kwargs)


def _memory(entry: Any) -> Any:
    """What a native entry keeps its variants in; None of one that has none."""
    return getattr(entry, "_memory", None)


def make_entry(name: str, slow: Callable[..., Any], base: type = object) -> Any:
    """A callable that answers by its variants, and by `slow` wherever none of them matches exactly."""
    # Looked at here, once, so that the first call does not wait for it.
    runtime()
    processor_level()
    look_at_files()
    made = entry_class(base)(slow)
    made.__name__ = name
    return made


def entry_add_variant(entry: Any, variant: Variant) -> None:
    """Let the entry answer such calls itself; the newest is tried first."""
    memory = _memory(entry)
    if memory is not None:
        memory.add(variant)


def entry_clear(entry: Any) -> None:
    """Forget every variant, so that the next call is slow."""
    memory = _memory(entry)
    if memory is not None:
        memory.clear()


def entry_calls(entry: Any) -> tuple[int, int]:
    """How many calls a variant answered, and how many went to the slow callable."""
    memory = _memory(entry)
    if memory is None:
        return 0, entry._calls
    return memory.read("fast_calls"), memory.read("slow_calls")
