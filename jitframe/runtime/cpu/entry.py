"""Callables with a native fast path: make one, and tell it the variants it may answer by itself.

`JITFRAME_NATIVE_ENTRY=off` gives the same in Python, as do interpreters whose objects are laid out otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from . import native_entry
from .kernels import look_at_files
from .layout import array_layout
from .python_entry import PythonEntry
from .runtime import runtime
from .target import processor_level
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
    kind = native_entry.native_entry_class() if native_entry_works() else PythonEntry
    return kind if base is object else type(base.__name__, (kind, base), {"__doc__": base.__doc__})


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
    if isinstance(entry, PythonEntry):
        del entry._variants[native_entry.MOST_VARIANTS - 1 :]
        entry._variants.insert(0, variant)
    else:
        entry._memory.add(variant)


def entry_clear(entry: Any) -> None:
    """Forget every variant, so that the next call is slow."""
    if isinstance(entry, PythonEntry):
        entry._variants.clear()
    else:
        entry._memory.clear()


def entry_calls(entry: Any) -> tuple[int, int]:
    """How many calls a variant answered, and how many went to the slow callable."""
    if isinstance(entry, PythonEntry):
        return entry._calls[0], entry._calls[1]
    return entry._memory.read("fast_calls"), entry._memory.read("slow_calls")
