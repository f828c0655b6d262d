"""Inside one peer's process: verify a result, time calls."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case
from .peers import Peer, Prepared

SLICE_SECONDS = 0.004
"""Calls shorter than this are repeated until one timing lasts about as long."""


LOOK_SECONDS = 0.005
MOST_REST_SECONDS = 0.5


class Mismatch(AssertionError):
    """A peer's result is not the reference's."""


def verify(case: Case, result: np.ndarray, reference: np.ndarray) -> float:
    """The largest error relative to the reference's largest value; raises Mismatch beyond the tolerance."""
    if result.size != reference.size:
        raise Mismatch(f"shape {result.shape} instead of {reference.shape}")
    error = np.abs(result.reshape(reference.shape).astype(np.float64) - reference)
    allowed = case.absolute_tolerance + case.relative_tolerance * np.abs(reference)
    if not np.all(error <= allowed):
        raise Mismatch(f"differs from NumPy in float64 by up to {error.max():.3g}")
    return float(error.max() / np.abs(reference).max())


def timer(prepared: Prepared) -> Callable[[int], float]:
    """Seconds for `n` calls, garbage collection off; each result lives until the next call has returned."""
    names = [f"argument{number}" for number in range(len(prepared.arguments))]
    outside = {"call_": prepared.call}
    outside |= {f"{name}_": value for name, value in zip(names, prepared.arguments, strict=True)}
    into_locals = "; ".join(f"{name} = {name}_" for name in ["call", *names])
    return timeit.Timer(f"result = call({', '.join(names)})", into_locals, globals=outside).timeit


def repeats(run: Callable[[int], float]) -> int:
    """How many calls fill one slice; the calls made here also warm the peer."""
    count = 1
    while (elapsed := run(count)) < SLICE_SECONDS / 4 and count < 1 << 20:
        count *= 4
    return max(1, round(count * SLICE_SECONDS / elapsed))


def rest() -> None:
    """Wait until no thread of this process works.

    Those of some libraries spin after a call, for 10 ms (Numba), 20 (Dr.Jit) or 100 (OpenBLAS), on processors
    that the next peer needs.
    """
    end = time.perf_counter() + MOST_REST_SECONDS
    worked = LOOK_SECONDS
    while worked > LOOK_SECONDS / 5 and time.perf_counter() < end:
        before = time.process_time()
        time.sleep(LOOK_SECONDS)
        worked = time.process_time() - before


def warmed(case: Case, prepared: Prepared, reference: np.ndarray) -> float | None:
    """Calls thrice (the first compiles, the second may record) and verifies; None for an unverified peer."""
    for _ in range(3):
        result = prepared.call(*prepared.arguments)
    if not prepared.peer.verified:
        return None
    return verify(case, fetched(prepared.peer, result), reference)


def fetched(peer: Peer, result: Any) -> np.ndarray:
    """A result as one array: the parts of a tuple, which are equal in size, are stacked."""
    if isinstance(result, tuple | list):
        return np.stack([fetched(peer, part) for part in result])
    return np.asarray(peer.fetch(result))
