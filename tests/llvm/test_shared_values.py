"""What is computed once for several uses: it stands where each of them comes by, and lanes may share it."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Value
from jitframe.ir.types import BOOL, F32, I32, INDEX

from .llvm_harness import LEVELS, Compiled, same_bits, text_of

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


@levels
def test_lanes_read_side_by_side_from_a_position_that_they_share(level: str) -> None:
    """The position is read from memory, the same for every lane: what they read there is contiguous."""
    build = KernelBuilder("sums")
    x, starts, out = build.buffer(F32, "in"), build.buffer(I32, "in"), build.buffer(F32, "out")
    count, lanes = build.index(), 8
    with build.loop(0, lanes, kind="lanes") as (lane,):

        def add(k: Value, total: Value) -> list[Value]:
            return [total + build.load(x, build.cast(build.load(starts, k), INDEX) + lane)]

        build.store(out, lane, *build.carry(0, count, [build.constant(0.0, F32)], add))
    kernel = build.finish()
    values, places = np.arange(40, dtype="f4"), np.array([3, 0, 21], "i4")
    found = np.zeros(lanes, "f4")
    Compiled(kernel, level)([values, places, found], [3])
    assert same_bits(found, sum(values[at : at + lanes] for at in places))
    assert "load float" not in text_of(kernel, level), "elements are read one by one"
