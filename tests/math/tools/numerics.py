"""Measures every function and writes the table of worst errors into docs/numerics.md.

Run: python -m tests.math.tools.numerics [--quick] [--f32] [function...]

A function takes a minute or two on one core; AVX-512 and x87 are needed. With --f32 only what is run on all
patterns of float32 is measured: the f32 forms of functions of one argument.
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


def rows(name: str, dtype: str, wide: bool, quick: bool) -> dict[tuple[str, str], str]:
    """Measures a form of a function: the table's rows of it by function and dtype."""
    start, count = time.perf_counter(), 0

    def counted(source: Iterator[tuple[np.ndarray, ...]]) -> Iterator[tuple[np.ndarray, ...]]:
        nonlocal count
        for arrays in source:
            count += arrays[0].size
            yield arrays

    against = own_reference if takes_every_pattern(name, dtype) else reference
    worst = worst_over(name, dtype, VARIANTS, counted(points(name, dtype, quick)), wide, against)
    tested = {1 << 32: "all", 1 << 31: "all positive"}.get(count, f"{count / 1e6:.0f} million")
    cells = {v: f"{found.ulp:.3f} | {_at(found, dtype)}" for v, found in worst.items()}
    form, by_tables = label(dtype, wide), f"{dtype}, {BY_TABLES}"
    print(f"{name} {form}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    found = {(name, form): f"| `{name}` | {form} | {tested} | {cells['fma']} | {cells['split']} |"}
    if "tables" in cells:
        found[name, by_tables] = f"| `{name}` | {by_tables} | {tested} | {cells['tables']} | | |"
    return found


def takes_every_pattern(name: str, dtype: str) -> bool:
    return dtype == "f32" and ARITY[name] == 1


def label(dtype: str, wide: bool) -> str:
    """How the table calls a form of a function."""
    return dtype if wide else f"{dtype}, no f64"


def _at(worst: Worst, dtype: str) -> str:
    kind = {"f32": np.float32, "f64": np.float64}[dtype]
    return ", ".join(str(kind(x)) for x in worst.arguments)


def read() -> dict[tuple[str, str], str]:
    """The rows of the document by function and dtype."""
    table = DOCUMENT.read_text().split(BEGIN)[1].split(END)[0]
    found = {}
    for line in table.splitlines():
        if "`" in line:
            name, dtype = line.split("|")[1:3]
            found[name.strip(" `"), dtype.strip()] = line
    return found


def write(table: dict[tuple[str, str], str]) -> None:
    before, rest = DOCUMENT.read_text().split(BEGIN)
    names = list(ARITY)
    head = [
        "| function | dtype | arguments | with fma: ulp | at | without: ulp | at |",
        "|---|---|---|---|---|---|---|",
    ]
    lines = [table[key] for key in sorted(table, key=lambda key: (names.index(key[0]), key[1]))]
    DOCUMENT.write_text("\n".join([f"{before}{BEGIN}", *head, *lines, f"{END}{rest.split(END)[1]}"]))


def main(arguments: list[str]) -> None:
    options = {"--quick", "--f32"} & set(arguments)
    chosen = set(arguments) - options or set(ARITY)
    assert chosen <= set(ARITY)
    for name, dtype, wide in FORMS:
        if name in chosen and ("--f32" not in options or takes_every_pattern(name, dtype)):
            # Form by form: what is measured stays when a later one is interrupted.
            write(read() | rows(name, dtype, wide, "--quick" in options))


if __name__ == "__main__":
    main(sys.argv[1:])
