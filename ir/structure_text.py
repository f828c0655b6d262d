"""A structure's key as text: the same in every process, so that it can name what is kept on disk."""

from __future__ import annotations

import struct
from collections.abc import Hashable

from .node import Bits, Op
from .types import DType


def structure_text(key: Hashable) -> str | None:
    """The text of `Structure.key`, equal for equal keys only; None for one that holds anything but ops,
    dtypes, names and numbers."""
    parts: list[str] = []
    return "".join(parts) if _spell(key, parts) else None


def _spell(value: Hashable, parts: list[str]) -> bool:
    kind = type(value)
    if kind is tuple:
        parts.append("(")
        for each in value:  # type: ignore[attr-defined]
            if not _spell(each, parts):
                return False
        parts.append(")")
    elif kind is int or kind is bool or kind is str or value is None:
        parts.append(f"{value!r} ")
    elif kind is Op:
        parts.append(f"{value.name} ")  # type: ignore[attr-defined]
    elif kind is DType:
        parts.append(f":{value.name} ")  # type: ignore[attr-defined]
    elif kind is Bits:
        parts.append("=")
        return _spell(value.value, parts)  # type: ignore[attr-defined]
    elif kind is float:
        # Its bits: NaNs differ, and so do the zeros.
        parts.append(f"f{struct.pack('<d', value).hex()} ")
    else:
        return False
    return True
