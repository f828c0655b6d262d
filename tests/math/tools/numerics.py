"""Measures every function and writes the table of worst errors into docs/numerics.md.

Run: python -m tests.math.tools.numerics [--quick] [function...]

A function takes a minute or two on one core; AVX-512 and x87 are needed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..compiled import ARITY, FORMS, Variant
from ..measure import own_reference, worst_over
from ..points import f64_regions, measured, pair_regions, sampled_f32
from ..reference import Worst, reference

DOCUMENT = Path(__file__).parents[3] / "docs" / "numerics.md"
BEGIN, END = "<!-- worst errors: written by tests/math/tools/numerics.py -->", "<!-- end of worst errors -->"
BY_TABLES = "AVX-512"
"""What the table calls the form by tables."""
VARIANTS: tuple[Variant, ...] = ("fma", "split", "tables")
F64_POINTS = 1 << 21
PAIRS = 1 << 22
QUICK_STEP = 17
"""With --quick every so many float32 patterns are taken, and a third of the float64 arguments."""


def points(name: str, dtype: str, quick: bool) -> Iterator[tuple[np.ndarray, ...]]:
    if ARITY[name] == 2:
        yield from pair_regions(name, dtype, PAIRS, seed=1)
    elif dtype == "f32":
        every = sampled_f32(QUICK_STEP if quick else 1)
        yield from ((x,) for x in every if name != "lgamma" or not np.signbit(x[0]))
    else:
        seeds = range(1 if quick else 3)
        yield from ((measured(name, x),) for seed in seeds for x in f64_regions(name, F64_POINTS, seed))


def rows(names: tuple[str, ...], quick: bool) -> Iterator[str]:
    for name, dtype, wide in (form for name in names for form in FORMS if form[0] == name):
        start, count = time.perf_counter(), 0

        def counted(source: Iterator[tuple[np.ndarray, ...]]) -> Iterator[tuple[np.ndarray, ...]]:
            nonlocal count
            for arrays in source:
                count += arrays[0].size
                yield arrays

        every = dtype == "f32" and ARITY[name] == 1
        against = own_reference if every else reference
        worst = worst_over(name, dtype, VARIANTS, counted(points(name, dtype, quick)), wide, against)
        tested = {1 << 32: "all", 1 << 31: "all positive"}.get(count, f"{count / 1e6:.0f} million")
        cells = {v: f"{found.ulp:.3f} | {_at(found, dtype)}" for v, found in worst.items()}
        print(f"{name} {label(dtype, wide)}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
        yield f"| `{name}` | {label(dtype, wide)} | {tested} | {cells['fma']} | {cells['split']} |"
        if "tables" in cells:
            yield f"| `{name}` | {dtype}, {BY_TABLES} | {tested} | {cells['tables']} | | |"


def label(dtype: str, wide: bool) -> str:
    """How the table calls a form of a function."""
    return dtype if wide else f"{dtype}, no f64"


def _at(worst: Worst, dtype: str) -> str:
    kind = {"f32": np.float32, "f64": np.float64}[dtype]
    return ", ".join(str(kind(x)) for x in worst.arguments)


def main(arguments: list[str]) -> None:
    chosen = [argument for argument in arguments if argument != "--quick"]
    before, rest = DOCUMENT.read_text().split(BEGIN)
    table, after = rest.split(END)
    names = tuple(ARITY)
    assert set(chosen) <= set(names)
    measured = set(chosen or names)
    kept = [line for line in table.splitlines() if "`" in line and line.split("`")[1] not in measured]
    lines = [*kept, *rows(tuple(chosen) or names, "--quick" in arguments)]
    lines.sort(key=lambda line: names.index(line.split("`")[1]))
    head = [
        "| function | dtype | arguments | with fma: ulp | at | without: ulp | at |",
        "|---|---|---|---|---|---|---|",
    ]
    DOCUMENT.write_text("\n".join([f"{before}{BEGIN}", *head, *lines, f"{END}{after}"]))


if __name__ == "__main__":
    main(sys.argv[1:])
