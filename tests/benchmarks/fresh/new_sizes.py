"""How many kernels are compiled for sizes never seen before, after one call: `python -m …`."""

from __future__ import annotations

import json

import numpy as np

import jitframe as jf
from tests.benchmarks.formulas import chain

FIRST = 70_000
NEW = (65_537, 70_001, 81_920, 99_991, 100_000, 123_457, 131_072, 200_000, 262_139, 300_007, 400_000)


def vectors(size: int) -> tuple[np.ndarray, ...]:
    return tuple(np.full(size, 0.5 + number, np.float32) for number in range(4))


def main() -> None:
    function = jf.jit(chain)
    function(*vectors(FIRST))
    before = jf.cache.stats()["compiled"]
    for size in NEW:
        result = function(*vectors(size))
        np.testing.assert_allclose(result, chain(*vectors(size)), rtol=1e-5)
    print(json.dumps({"compiled": jf.cache.stats()["compiled"] - before}))


if __name__ == "__main__":
    main()
