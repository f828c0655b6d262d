"""What is computed once for several uses: it stands where every one of them comes by."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.ir.types import BOOL, F32

from .llvm_harness import LEVELS, Compiled, same_bits

levels = pytest.mark.parametrize("level", LEVELS)


@levels
def test_what_a_skipped_loop_computes_is_not_shared_with_the_next(level: str) -> None:
    """Two loops from the same element on, the first of which may have no iteration."""
    build = KernelBuilder("two_loops")
    out, rows, columns, cut = build.buffer(F32, "inout"), build.index(), build.index(), build.index()
    stream = build.scalar(BOOL)
    with build.loop(0, rows) as (row,):
        start, lower = row * columns, row % 2
        with build.loop(lower, cut, kind="lanes") as (i,):
            build.store(out, start + i, build.constant(1.0, F32), stream=stream)
        with build.loop(lower, columns, kind="lanes") as (i,):
            build.store(out, start + i, build.load(out, start + i) + build.constant(2.0, F32), stream=stream)
    compiled = Compiled(build.finish(), level)
    for cut_at in (0, 5, 40):
        found, expected = np.zeros((4, 70), "f4"), np.zeros((4, 70), "f4")
        for row in range(4):
            expected[row, row % 2 : cut_at] = 1
            expected[row, row % 2 :] += 2
        compiled([found], [4, 70, cut_at], [True])
        assert same_bits(found, expected), cut_at
