"""Functions on arrays of every layout, jitted and by NumPy: `python -m tests.benchmarks.layouts`.

Each call is measured beside NumPy's in turns, and the least of many times of each counts: what one moment of
a busy machine adds is in few of them. A call "lags" that takes longer than NumPy's by more than a twentieth.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import jitframe as jf

from . import table

TOLERATED = 1.05
SHORTEST_S = 50e-6
"""Shorter calls are repeated until a measurement takes so long."""

WARM = 40
"""Calls after which the native entry answers."""

LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "reversed": lambda x: x[::-1, ::-1].copy()[::-1, ::-1],
    "broadcast": lambda x: np.broadcast_to(x[0], x.shape),
}
"""What lays an array so; only `broadcast` changes it."""

FUNCTIONS: dict[str, Callable[[np.ndarray], Any]] = {
    "x + x": lambda x: x + x,
    "2 * x - 1": lambda x: 2 * x - 1,
    "x / (x + 1)": lambda x: x / (x + 1),
    "x > 0.5": lambda x: x > 0.5,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "sin": np.sin,
    "log1p": np.log1p,
    "power": lambda x: x**2.5,
    "floor": np.floor,
    "clip": lambda x: np.clip(x, 0.2, 0.8),
    "where": lambda x: np.where(x > 0.5, x, 0.0),
    "astype": lambda x: x.astype("f4"),
    "copy": lambda x: x.copy(),
    "transposed copy": lambda x: x.T.copy(),
    "reshape": lambda x: x.reshape(-1) + 1,
    "x - column means": lambda x: x - x.mean(0),
    "x - row means": lambda x: x - x.mean(1, keepdims=True),
    "sum": np.sum,
    "sum, axis 0": lambda x: x.sum(0),
    "sum, axis 1": lambda x: x.sum(1),
    "max": np.max,
    "max, axis 0": lambda x: x.max(0),
    "max, axis 1": lambda x: x.max(1),
    "var, axis 0": lambda x: x.var(0),
    "var, axis 1": lambda x: x.var(1),
    "argmax, axis 0": lambda x: x.argmax(0),
    "argmax, axis 1": lambda x: x.argmax(1),
    "any, axis 1": lambda x: (x > 2).any(1),
    "count_nonzero": lambda x: np.count_nonzero(x > 0.5),
    "norm, axis 1": lambda x: np.sqrt((x * x).sum(1)),
    "softmax": lambda x: np.exp(x) / np.exp(x).sum(1, keepdims=True),
    "cumsum, axis 0": lambda x: np.cumsum(x, 0),
    "cumsum, axis 1": lambda x: np.cumsum(x, 1),
    "diff": lambda x: np.diff(x, axis=1),
    "roll, axis 0": lambda x: np.roll(x, 3, 0),
    "roll, axis 1": lambda x: np.roll(x, 3, 1),
    "concatenate, axis 0": lambda x: np.concatenate([x, x], 0),
    "concatenate, axis 1": lambda x: np.concatenate([x, x], 1),
    "stack": lambda x: np.stack([x, x]),
    "pad": lambda x: np.pad(x, 1),
    "tile": lambda x: np.tile(x, (2, 1)),
    "repeat": lambda x: np.repeat(x, 2, 0),
    "flip": lambda x: np.flip(x, 1) + 0,
    "triu": np.triu,
    "inner columns": lambda x: x[:, 1:-1] + 1,
    "every third row": lambda x: x[::3] * 2,
    "neighbours": lambda x: x[1:-1, :-2] + x[1:-1, 2:],
    "rows by index": lambda x: x[[3, 1, 2, 0]],
    "sort, axis 1": lambda x: np.sort(x, 1),
    "dot with a vector": lambda x: x @ x[0],
    "vector dot": lambda x: x[:, 0] @ x,
    "x @ x.T": lambda x: x @ x.T,
    "column written": lambda x: _column_written(x),
}


def _column_written(x: np.ndarray) -> np.ndarray:
    made = np.zeros((*x.shape, 2))
    made[:, :, 0] = x
    made[:, :, 1] = x[:1]
    return made


class Row(NamedTuple):
    """The least seconds of a call."""

    function: str
    layout: str
    jitframe: float
    numpy: float

    @property
    def ratio(self) -> float:
        return self.jitframe / self.numpy

    @property
    def lags(self) -> bool:
        return self.ratio > TOLERATED


def array_of(shape: tuple[int, int], layout: str, seed: int = 0) -> np.ndarray:
    return LAYOUTS[layout](np.random.default_rng(seed).random(shape))


def check(function: str, layout: str, shape: tuple[int, int]) -> tuple[Any, np.ndarray]:
    """The jitted function and its argument. Raises AssertionError where it gives other values than NumPy."""
    plain, x = FUNCTIONS[function], array_of(shape, layout)
    jitted = jf.jit(plain)
    found, wanted = jitted(x), plain(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9, err_msg=f"{function}, {layout}")
    assert found.dtype == wanted.dtype
    return jitted, x


def seconds(call: Callable[[Any], Any], x: np.ndarray, times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call(x)
    return (time.perf_counter() - start) / times


def measure(function: str, layout: str, shape: tuple[int, int], rounds: int) -> Row:
    jitted, x = check(function, layout, shape)
    jitted.stats()  # waits for what is compiled behind
    seconds(jitted, x, WARM)
    calls = jitted, FUNCTIONS[function]
    times = [max(1, int(SHORTEST_S / max(seconds(call, x, 20), 1e-9))) for call in calls]
    least = [float("inf"), float("inf")]
    for _ in range(rounds):
        for number, call in enumerate(calls):
            least[number] = min(least[number], seconds(call, x, times[number]))
    return Row(function, layout, *least)


def measured(
    functions: Sequence[str], layouts: Sequence[str], shape: tuple[int, int], rounds: int
) -> Iterator[Row]:
    """Rows; one that lags is measured again with four times as many rounds."""
    for function in functions:
        for layout in layouts:
            row = measure(function, layout, shape, rounds)
            yield measure(function, layout, shape, 4 * rounds) if row.lags else row


def markdown(rows: Sequence[Row], shape: tuple[int, int], about: str) -> str:
    """A table of ratios, a line for each function; those that lag are bold."""
    layouts = list(dict.fromkeys(row.layout for row in rows))
    known = {(row.function, row.layout): row for row in rows}
    lagging = sum(row.lags for row in rows)
    lines = [
        f"Float64 arrays of {shape[0]} x {shape[1]}, {about}. The time of a jitted call in NumPy's, the "
        f"least of each; {lagging} of {len(rows)} calls lag by more than {TOLERATED - 1:.0%} (bold).",
        "",
        "| function | " + " | ".join(layouts) + " |",
        "|---" * (len(layouts) + 1) + "|",
    ]
    for function in dict.fromkeys(row.function for row in rows):
        cells = []
        for layout in layouts:
            row = known.get((function, layout))
            text = "" if row is None else f"{row.ratio:.2f}"
            cells.append(f"**{text}**" if row is not None and row.lags else text)
        lines.append(f"| {function} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def machine(note: str) -> str:
    return ", ".join(filter(None, (table.machine(), f"NumPy {np.__version__}" + table.commit(), note)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.layouts", description=__doc__)
    parser.add_argument("--functions", default=";".join(FUNCTIONS), help="separated by semicolons")
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--shapes", default="30x20,600x500")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--note", default="", help="what is to be said of the machine")
    page = partial(table.Page, name="layouts")
    parser.add_argument("--markdown", type=page, help="replace the tables between the markers of this file")
    given = parser.parse_args()
    tables = []
    for text in given.shapes.split(","):
        rows, columns = map(int, text.split("x"))
        made = []
        for row in measured(
            given.functions.split(";"), given.layouts.split(","), (rows, columns), given.rounds
        ):
            made.append(row)
            if row.lags:
                print(
                    f"{text} {row.function}, {row.layout}: {row.jitframe * 1e6:.1f} us, NumPy "
                    f"{row.numpy * 1e6:.1f} us, {row.ratio:.2f}",
                    flush=True,
                )
        tables.append(markdown(made, (rows, columns), machine(given.note)))
    if given.markdown:
        given.markdown.put("\n\n".join(tables))
    else:
        print("\n\n".join(tables))


if __name__ == "__main__":
    main()
