"""Prints how fast each function is beside NumPy's ufunc: one thread, in cache, written into an array at hand.

Run: python -m tests.math.tools.throughput [function...] [--size N] [--dtype f32|f64] [--document]

With --document times, and the largest errors of both over the same arguments, become a table in
docs/numerics.md.

Both take turns in slices of a fraction of a millisecond, and the least of many counts. So one process that
is disturbed now and then disturbs neither side of the ratio.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

os.environ["JITFRAME_NUM_THREADS"] = "1"

import numpy as np

import jitframe as jf

from ...benchmarks.table import commit, processor
from ..compiled import ARITY
from ..points import borders, f64_regions, measured, pair_regions, patterns
from ..reference import NOTHING, reference, worst_error
from .numerics import DOCUMENT

BEGIN, END = (
    "<!-- beside NumPy: written by tests/math/tools/throughput.py -->",
    "<!-- end of beside NumPy -->",
)
KERNEL_NAMES = {
    f"arc{each}": f"a{each}" for each in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")
} | {"power": "pow"}
POINTS = 1 << 19
"""Arguments of each region that errors are measured at."""
UFUNCS = {
    "exp": (-20, 20),
    "exp2": (-20, 20),
    "expm1": (-5, 5),
    "log": (1e-3, 100),
    "log2": (1e-3, 100),
    "log10": (1e-3, 100),
    "log1p": (-0.9, 10),
    "sin": (-10, 10),
    "cos": (-10, 10),
    "tan": (-10, 10),
    "arcsin": (-1, 1),
    "arccos": (-1, 1),
    "arctan": (-10, 10),
    "arctan2": (-10, 10),
    "tanh": (-5, 5),
    "sinh": (-10, 10),
    "cosh": (-10, 10),
    "arcsinh": (-10, 10),
    "arccosh": (1, 20),
    "arctanh": (-1, 1),
    "cbrt": (-100, 100),
    "hypot": (-10, 10),
    "power": (0.1, 10),
    "logaddexp": (-10, 10),
    "sqrt": (0, 100),
}
"""NumPy's names, and where the arguments are drawn from, evenly."""
_TYPES: dict[str, type[np.floating[Any]]] = {"f32": np.float32, "f64": np.float64}
ROUNDS, SLICE_SECONDS, SIZE = 200, 1e-4, 16384


def filler(ufunc: np.ufunc) -> Callable[..., None]:
    """A compiled function whose last argument takes ufunc(others)."""
    if ufunc.nin == 1:

        def fill(x: Any, out: Any) -> None:
            out[...] = ufunc(x)

    else:

        def fill(x: Any, y: Any, out: Any) -> None:  # type: ignore[misc]
            out[...] = ufunc(x, y)

    return jf.jit(fill)


def nanoseconds(calls: Sequence[Callable[[], object]], elements: int) -> list[float]:
    """Per element of each call, in turns."""
    for call in calls:
        for _ in range(3):
            call()
    counts = []
    for call in calls:
        start = time.perf_counter()
        call()
        counts.append(max(1, round(SLICE_SECONDS / (time.perf_counter() - start))))
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for number, (call, count) in enumerate(zip(calls, counts)):
            start = time.perf_counter()
            for _ in range(count):
                call()
            best[number] = min(best[number], (time.perf_counter() - start) / count)
    return [seconds / elements * 1e9 for seconds in best]


def measure(name: str, dtype: str, size: int) -> tuple[float, float]:
    """Nanoseconds for an element, ours and NumPy's."""
    random, kind, ufunc = np.random.default_rng(1), _TYPES[dtype], getattr(np, name)
    arguments = [random.uniform(*UFUNCS[name], size).astype(kind) for _ in range(ufunc.nin)]
    out, fill = np.empty(size, kind), filler(ufunc)
    ours, theirs = nanoseconds([lambda: fill(*arguments, out), lambda: ufunc(*arguments, out)], size)
    return ours, theirs


def errors(name: str, dtype: str) -> tuple[float, float] | None:
    """The largest errors in ulp, ours and NumPy's, over the same arguments; None without a reference."""
    kernel = KERNEL_NAMES.get(name, name)
    if kernel not in ARITY:
        return None
    ufunc = getattr(np, name)
    jitted = jf.jit(lambda *arguments: ufunc(*arguments))
    if ARITY[kernel] == 2:
        regions = list(pair_regions(kernel, dtype, POINTS, seed=3))
    elif dtype == "f64":
        regions = [(measured(kernel, x),) for x in f64_regions(kernel, POINTS, seed=3)]
    else:
        regions = [(patterns(0, 1021, (1 << 32) // 1021),), (borders(kernel, dtype),)]
    worst = [NOTHING, NOTHING]
    for arguments in regions:
        wanted = reference(kernel, *arguments)
        with np.errstate(all="ignore"):
            found = [jitted(*arguments), ufunc(*arguments)]
        for number, got in enumerate(found):
            worst[number] = worst[number].worse(worst_error(np.ascontiguousarray(got), wanted, arguments))
    return worst[0].ulp, worst[1].ulp


def document(rows: Sequence[tuple[str, str, float, float]]) -> None:
    """Writes the table; what falls short of NumPy is bold."""
    lines = [
        BEGIN,
        f"Nanoseconds for an element on {processor()}{commit()}, NumPy {np.__version__}: one thread,",
        f"{SIZE} elements in cache, the least of many. Errors are the largest found over the same arguments,",
        "some millions of each function.",
        "",
        "| function | dtype | ulp | NumPy's ulp | ns | NumPy's ns |",
        "|---|---|---|---|---|---|",
    ]
    for name, dtype, ours, theirs in rows:
        found = errors(name, dtype)
        wrong = ("", "") if found is None else (_cell(*found, 2), f"{found[1]:.2f}")
        lines.append(
            f"| `{name}` | {dtype} | {wrong[0]} | {wrong[1]} | {_cell(ours, theirs, 3)} | {theirs:.3f} |"
        )
    before, rest = DOCUMENT.read_text().split(BEGIN)
    DOCUMENT.write_text(before + "\n".join([*lines, END]) + rest.split(END)[1])


def _cell(ours: float, theirs: float, digits: int) -> str:
    text = f"{ours:.{digits}f}"
    return f"**{text}**" if ours > 1.02 * theirs else text


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="function", help=", ".join(UFUNCS))
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--document", action="store_true")
    parser.add_argument("--dtype", choices=list(_TYPES))
    chosen = parser.parse_args()
    rows = []
    for name in chosen.names or UFUNCS:
        for dtype in [chosen.dtype] if chosen.dtype else _TYPES:
            ours, theirs = measure(name, dtype, chosen.size)
            behind = "  behind" if ours > theirs else ""
            print(f"{name:10} {dtype}: {ours:6.3f} ns, NumPy {theirs:6.3f} ns, {theirs / ours:5.2f}x{behind}")
            rows.append((name, dtype, ours, theirs))
    if chosen.document:
        document(rows)


if __name__ == "__main__":
    main()
