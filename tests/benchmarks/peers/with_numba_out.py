"""Numba filling an array that its caller keeps: no fresh page is ever touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from .base import THREADS, Peer
from .with_numba import FILLERS, output_for


def keeping(formula: str) -> Callable[..., Any]:
    fill = FILLERS[formula]
    kept: dict[tuple[int, ...], np.ndarray] = {}

    def call(*arguments):
        shape = arguments[0].shape
        if shape not in kept:
            kept.clear()
            kept[shape] = output_for(formula, *arguments)
        out = kept[shape]
        fill(out, *arguments)
        return out

    return call


def load() -> Peer:
    numba.set_num_threads(THREADS)
    return Peer("numba-out", numba.__version__, {formula: keeping(formula) for formula in FILLERS})
