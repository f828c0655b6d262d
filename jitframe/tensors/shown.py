"""The HTML form of a Tensor in notebooks: a table of facts, and values where they are known."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from .exported import ExportedArray

_EDGE = 3
"""Elements at each end of a long axis."""
_MOST_ELEMENTS = 2**20
"""The most elements that are copied from a device for it."""


def as_html(tensor: ExportedArray) -> str:
    """A table of shape, dtype, device, bytes and state, and a preview of the values; computes nothing."""
    if tensor._is_gone:
        return f"<pre>{escape(repr(tensor))}</pre>"
    known = tensor._value is not None
    facts = {
        "shape": "×".join(map(str, tensor.shape)) or "no axes",
        "dtype": str(tensor.dtype),
        "device": tensor.device,
        "memory": _size(tensor.nbytes),
        "state": "computed" if known else "not computed yet",
    }
    rows = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())
    preview = f"<pre>{escape(_preview(tensor.numpy()))}</pre>" if known and _is_at_hand(tensor) else ""
    return f'<div class="jitframe-tensor"><table>{rows}</table>{preview}</div>'


def _is_at_hand(tensor: ExportedArray) -> bool:
    return isinstance(tensor._value, numpy.ndarray) or tensor.size <= _MOST_ELEMENTS


def _preview(values: numpy.ndarray) -> str:
    return numpy.array2string(values, separator=", ", edgeitems=_EDGE, threshold=6**2 * _EDGE)


def _size(count: int) -> str:
    if count < 1024:
        return f"{count} B"
    size = float(count)
    for unit in ("KiB", "MiB", "GiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} TiB"
