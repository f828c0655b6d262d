"""`numpy.lib`, for programs that use jitframe by NumPy's names: its `stride_tricks`."""

from __future__ import annotations

from . import stride_tricks as stride_tricks

__all__ = ["stride_tricks"]
