"""Holds every measured process to the same number of threads."""

from __future__ import annotations

import os

from .peers import THREADS

VARIABLES = (
    "JITFRAME_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)


def limit() -> None:
    """Of this process and of those it starts: by variables, and where the system can, by processors."""
    for name in VARIABLES:
        os.environ[name] = str(THREADS)
    if hasattr(os, "sched_setaffinity"):  # the only limit that XLA knows
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
