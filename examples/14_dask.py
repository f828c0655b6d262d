"""A data set larger than memory in chunks, by Dask: plain, and with the work on each compiled by jitframe.

    python examples/14_dask.py                  # 32 MB, in a second or two
    python examples/14_dask.py --gigabytes 64   # more than most machines hold

Chunks are generated when they are needed and forgotten when they have been summed up. It needs `dask[array]`.
"""

from __future__ import annotations

import argparse
import sys
import time

import dask
import dask.array as da
import numpy as np
from dask.diagnostics import ProgressBar

from jitframe.interop.dask import optimize

CHUNK = 2**19
"""Numbers in a chunk of each column: 4 MB, so that some of them fit the caches."""


def generated(seed: int, block_info: dict | None = None) -> np.ndarray:
    """A chunk of measurements; a program of yours reads a file here."""
    place = block_info[None]["chunk-location"][0]
    return np.random.default_rng((seed, place)).random(block_info[None]["chunk-shape"])


def column(seed: int, count: int) -> da.Array:
    chunks = ((CHUNK,) * (count // CHUNK),)
    return da.map_blocks(generated, seed, chunks=chunks, dtype="float64", meta=np.empty(0))


def distance(x: da.Array, y: da.Array) -> da.Array:
    """The mean distance on a globe from points to a place, in kilometres: some twenty operations a number."""
    latitude, longitude = (x - 0.5) * np.pi, (y - 0.5) * 2 * np.pi
    half = da.sin((latitude - 0.9) / 2) ** 2
    half += da.cos(latitude) * np.cos(0.9) * da.sin((longitude - 0.2) / 2) ** 2
    return (2 * 6371 * da.arctan2(da.sqrt(half), da.sqrt(1 - half))).mean()


def measured(title: str, program: da.Array, **options: object) -> float:
    print(title)
    with dask.config.set(**options):
        start = time.perf_counter()
        if sys.stdout.isatty():
            with ProgressBar():
                result = program.compute()
        else:
            result = program.compute()
        print(f"  {result:.6f} km, {time.perf_counter() - start:.2f} s")
    return float(result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=0.032, help="of both columns together")
    count = max(1, round(parser.parse_args().gigabytes * 1e9 / 16 / CHUNK)) * CHUNK
    program = distance(column(1, count), column(2, count))
    print(f"{count:,} points in {count // CHUNK} chunks")
    plain = measured("Dask with NumPy", program)
    compiled = measured("Dask with jitframe", program, array_optimize=optimize)
    assert np.isclose(plain, compiled, rtol=1e-9)


if __name__ == "__main__":
    main()
