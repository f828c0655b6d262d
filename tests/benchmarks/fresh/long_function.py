"""Seconds of a long function's first call, in a process that has compiled another one: `python -m … NAME`."""

from __future__ import annotations

import json
import sys
import time

import numpy as np

import jitframe as jf
from tests.benchmarks import long_formulas
from tests.benchmarks.formulas import softmax

SHAPE = 64, 100
"""Small: computing takes no time beside compiling."""


def main(name: str) -> None:
    random = np.random.default_rng(0)
    arrays = [random.uniform(-2, 2, SHAPE).astype(np.float32) for _ in range(2)]
    function = getattr(long_formulas, name)
    jf.jit(softmax)(arrays[0])
    compiled = jf.jit(function)
    start = time.perf_counter()
    results = compiled(*arrays)
    seconds = time.perf_counter() - start
    for result, expected in zip(results, function(*arrays), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-2, atol=1e-2)
    print(json.dumps({"seconds": seconds, "kernels": jf.cache.stats()["compiled"] - 1}))


if __name__ == "__main__":
    main(*sys.argv[1:])
