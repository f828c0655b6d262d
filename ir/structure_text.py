"""A structure's key as text: the same in every process, so that it can name what is kept on disk."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterable

from .node import Bits, Op
from .types import DType


def structure_text(key: Hashable) -> str | None:
    """The text of `Structure.key`, equal for equal keys only; None for one that holds anything but ops whose
    plans are kept, dtypes, names and numbers."""
    parts: list[str] = []
    return "".join(parts) if _spell((key,), parts) else None


def _spell(values: Iterable[Hashable], parts: list[str]) -> bool:
    """Adds the text of each value; False where one has none."""
    add = parts.append
    for value in values:
        kind = type(value)
        if kind is int or kind is str or kind is bool or value is None:
            add(f"{value!r} ")
        elif kind is tuple:
            add("(")
            if not _spell(value, parts):  # type: ignore[arg-type]
                return False
            add(")")
        elif kind is Op:
            if not value.kept:  # type: ignore[attr-defined]
                return False
            add(f"{value.name} ")  # type: ignore[attr-defined]
        elif kind is DType:
            add(f":{value.name} ")  # type: ignore[attr-defined]
        elif kind is Bits:
            add("=")
            if not _spell((value.value,), parts):  # type: ignore[attr-defined]
                return False
        elif kind is float:
            # Its bits: NaNs differ, and so do the zeros.
            add(f"f{struct.pack('<d', value).hex()} ")
        else:
            return False
    return True
