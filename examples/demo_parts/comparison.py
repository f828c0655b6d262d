"""One function timed as plain NumPy and under `jf.jit`, and the table of such comparisons."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import jitframe as jf

from .counting import temporaries

ROUNDS = 3


@dataclass(frozen=True)
class Comparison:
    title: str
    numpy_seconds: float
    jitframe_seconds: float
    first_call_seconds: float
    difference: float
    """Largest absolute difference between the two results."""
    temporaries: int
    """Arrays that NumPy creates in one call."""
    kernels: int
    """Kernels that jitframe runs in one call."""
    output: Any
    """jitframe's result."""


def timed(function: Callable[..., Any], arguments: tuple[Any, ...], calls: int = 1) -> tuple[float, Any]:
    start = time.perf_counter()
    for _ in range(calls):
        result = function(*arguments)
    return time.perf_counter() - start, result


def largest_difference(one: Any, other: Any) -> float:
    """Over arrays or tuples of them."""
    if isinstance(one, tuple):
        return max(largest_difference(*pair) for pair in zip(one, other, strict=True))
    return float(np.max(np.abs(one.astype(np.float64) - other)))


def compare(
    title: str, function: Callable[..., Any], fresh: Callable[[], tuple[Any, ...]], calls: int = 1
) -> Comparison:
    """Times `calls` calls of both in turn, on `fresh()` arguments: a function may write to its own."""
    compiled = jf.jit(function)
    first_call_seconds, _ = timed(compiled, fresh())
    numpy_times, jitframe_times = [], []
    for _ in range(ROUNDS):
        seconds, expected = timed(function, fresh(), calls)
        numpy_times.append(seconds)
        seconds, output = timed(compiled, fresh(), calls)
        jitframe_times.append(seconds)
    return Comparison(
        title,
        statistics.median(numpy_times),
        statistics.median(jitframe_times),
        first_call_seconds,
        largest_difference(output, expected),
        temporaries(function, fresh()),
        len(compiled.explain(*fresh()).kernels),
        output,
    )


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f} ms" if seconds < 0.1 else f"{seconds * 1e3:,.0f} ms"


HEADINGS = ("", "NumPy", "jitframe", "speed-up", "first call", "difference", "arrays", "kernels")


def print_table(comparisons: list[Comparison]) -> None:
    """One row per comparison."""
    rows = [
        (
            item.title,
            milliseconds(item.numpy_seconds),
            milliseconds(item.jitframe_seconds),
            f"{item.numpy_seconds / item.jitframe_seconds:.1f}x",
            milliseconds(item.first_call_seconds),
            f"{item.difference:.2g}",
            str(item.temporaries),
            str(item.kernels),
        )
        for item in comparisons
    ]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    rule = tuple("-" * width for width in widths)
    for title, *cells in (HEADINGS, rule, *rows):
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        print("  ".join([title.ljust(widths[0]), *right]))
    print(f"Times: medians of {ROUNDS}; first call: of the compiled function in this process;")
    print("difference: the largest; arrays: made by NumPy, and kernels: run by jitframe, in one call.")


def print_cache() -> None:
    """What the kernel cache did in this process."""
    stats = jf.cache.stats()
    compiling, saved = (f"{stats[name] * 1e3:.0f} ms" for name in ("seconds_compiling", "seconds_saved"))
    print(f"Cache {jf.cache.path}:")
    print(f"  {stats['compiled']} kernels compiled in {compiling},")
    print(f"  {stats['disk_hits']} loaded from disk, which saved {saved},")
    print(f"  {stats['memory_hits']} found in memory.")
