"""Numba with `parallel=True`: the programs of `loop_formulas`; `numba` compiles them without."""

from __future__ import annotations

import numba

from . import loops_in_numba
from .base import THREADS, Peer


def load() -> Peer:
    numba.set_num_threads(THREADS)
    return Peer("numba-parallel", numba.__version__, loops_in_numba.spellings(parallel=True))
