"""What is known of WGSL that others wrote: its workgroup, and how its uniforms lie in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..ir.record import record
from .source_programs import Grid

_LEAST_BYTES = 16
"""A uniform struct takes a multiple of so many."""


@record
class WrittenShader:
    """A compiled shader."""

    entry: str
    written: tuple[bool, ...]
    pipeline: Any
    workgroup: Grid | None
    """None where its size is no plain number."""


def workgroup_size(text: str, entry: str) -> Grid | None:
    """The size that the text gives an entry in plain numbers.

    >>> workgroup_size("@compute @workgroup_size(8, 4) fn main() {}", "main")
    (8, 4, 1)
    """
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    found = re.search(rf"@workgroup_size\s*\(([^()]*)\)(?:\s*@\w+)*\s*fn\s+{re.escape(entry)}\b", code)
    numbers = [word.strip().rstrip("ui") for word in found.group(1).split(",")] if found else []
    extents = [int(word) for word in numbers if word.isdecimal()]
    if not extents or len(extents) != len([word for word in numbers if word]):
        return None
    first, second, third = (*extents, 1, 1)[:3]
    return first, second, third


def uniform_block(uniforms: Sequence[bytes]) -> bytes:
    """The uniforms as members of a struct: each at a multiple of its size, or of 16 bytes where it is longer.

    >>> len(uniform_block([bytes(4), bytes(2), bytes(4)]))
    16
    """
    block = b""
    for each in uniforms:
        alignment = len(each) if len(each) in (2, 4, 8) else _LEAST_BYTES
        block += bytes(-len(block) % alignment) + each
    return block + bytes(-len(block) % _LEAST_BYTES) or bytes(_LEAST_BYTES)
