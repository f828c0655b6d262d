"""Lanes loops with branches, masks and loops inside: each lane does what its own values decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.ir.types import BOOL, F32, F64, I64, INDEX

from .llvm_harness import Compiled, Guarded, same_bits
from .test_lanes import SIZES, levels


@levels
@pytest.mark.parametrize("size", [1, 7, 64, 100])
def test_rare_branches_run_the_lanes_that_want_them(level: str, size: int) -> None:
    """Floats, bools, positions and table entries go in, two results come out; in a long body too."""
    build = KernelBuilder("rare")
    x, out, flags = build.buffer(F32, "in"), build.buffer(F32, "out"), build.buffer(BOOL, "out")
    extent = build.index()
    table = build.table(I64, [10, 20, 30])
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value = build.load(x, i)
        small = build.emit("lt", (value, build.constant(2.0, F32)))
        for _ in range(30):
            value = build.emit("neg", (value,))

        def then(value: Value = value, i: Value = i, small: Value = small) -> tuple[Value, Value]:
            place = build.emit("remainder", (i, build.constant(3)))
            entry = build.cast(build.load(table, place), F32)
            return build.add(entry, build.mul(value, build.cast(i, F32))), build.emit("not", (small,))

        rare = build.emit("gt", (value, build.constant(5.0, F32)))
        result, flag = build.branch(rare, then, lambda value=value, small=small: (value, small), rare=True)
        build.store(out, i, result)
        build.store(flags, i, flag)
    compiled = Compiled(build.finish(), level)
    values = (np.arange(size) * 7 % 10).astype(np.float32)
    got, got_flags = np.zeros(size, np.float32), np.zeros(size, bool)
    compiled([values, got, got_flags], [size])
    k = np.arange(size)
    assert (got == np.where(values > 5, np.array([10, 20, 30])[k % 3] + values * k, values)).all()
    assert (got_flags == np.where(values > 5, values >= 2, values < 2)).all()


def branching(build: KernelBuilder, x: Value, other: Any, store: Any) -> None:
    """Two branches with memory accesses, one nested, and an else."""
    zero = build.constant(0.0, F32)

    def nested() -> list[Value]:
        value = other()
        (inner,) = build.branch(
            build.emit("gt", (value, build.constant(0.5, F32))),
            lambda: [build.emit("sqrt", (build.mul(value, other()),))],
            lambda: [build.emit("neg", (value,))],
        )
        store(inner)
        return [build.add(inner, x)]

    (result,) = build.branch(build.emit("gt", (x, zero)), nested, lambda: [build.mul(x, x)])
    store(result)


def branches() -> Kernel:
    build = KernelBuilder("branches")
    x, y, out = build.buffer(F32, "in"), build.buffer(F32, "in"), build.buffer(F32, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value = build.load(x, i)
        branching(build, value, lambda: build.load(y, i), lambda result: build.store(out, i, result))
    return build.finish()


@levels
def test_branches_touch_memory_only_where_taken(level: str) -> None:
    """The second input ends at an unreadable page and is read only for positive x."""
    compiled = Compiled(branches(), level)
    guarded, random = Guarded(), np.random.default_rng(1)
    for size in SIZES:
        for share in (0.0, 0.3, 1.0):
            xs = np.where(random.random(size) < share, 1, -1).astype(np.float32) * random.random(
                size, np.float32
            )
            ys = random.random(size, np.float32)
            # Beyond the last positive x, y does not exist.
            positive = np.flatnonzero(xs > 0)
            reach = positive[-1] + 1 if len(positive) else 0
            outs = guarded.at_end(np.zeros(size, np.float32))
            compiled([guarded.at_end(xs), guarded.at_end(ys[:reach]), outs], [size])
            nested = np.where(ys > 0.5, np.sqrt(ys * ys), -ys)
            assert same_bits(outs, np.where(xs > 0, nested + xs, xs * xs)), (size, share)


@levels
def test_explicit_masks(level: str) -> None:
    build = KernelBuilder("masked")
    flags, x, out = build.buffer(BOOL, "in"), build.buffer(F32, "in"), build.buffer(F32, "inout")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        flag = build.load(flags, i)
        build.store(out, i, build.load(x, i, flag), build.emit("not", (flag,)))
        build.store(out, i, build.load(x, i, flag), flag)
    compiled = Compiled(build.finish(), level)
    for size in SIZES:
        wanted = np.arange(size) % 3 == 1
        xs = np.random.default_rng(size).random(size, np.float32)
        outs = np.full(size, 9, np.float32)
        compiled([wanted, xs, outs], [size])
        assert same_bits(outs, np.where(wanted, xs, np.float32(0)))


@levels
def test_while_runs_each_lane_to_its_own_end(level: str) -> None:
    """Collatz steps, and a uniform while beside it."""
    build = KernelBuilder("collatz")
    x, out, extent = build.buffer(I64, "in"), build.buffer(I64, "out"), build.index()
    one, two, three = (build.constant(number, I64) for number in (1, 2, 3))
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):

        def step(n: Value, count: Value) -> list[Value]:
            odd = build.emit("eq", (build.emit("floormod", (n, two)), one))
            up = build.add(build.mul(three, n), one)
            return [
                build.emit("select", (odd, up, build.emit("shift_right", (n, one)))),
                build.add(count, one),
            ]

        first = build.load(x, i)
        _, steps = build.repeat_while(
            [first, build.constant(0, I64)], lambda n, count: build.emit("gt", (n, one)), step
        )
        (double,) = build.repeat_while(
            [one], lambda n: build.emit("lt", (n, build.constant(100, I64))), lambda n: [build.mul(n, two)]
        )
        build.store(out, i, build.add(steps, double))
    compiled = Compiled(build.finish(), level)

    def collatz(n: int) -> int:
        count = 0
        while n > 1:
            n, count = (3 * n + 1 if n % 2 else n >> 1), count + 1
        return count

    for size in SIZES:
        xs = np.arange(1, size + 1)
        outs = np.zeros(size, np.int64)
        compiled([xs, outs], [size])
        assert (outs == [collatz(int(n)) + 128 for n in xs]).all()


@levels
def test_inner_loops_with_uniform_and_varying_bounds(level: str) -> None:
    """out[i] = sum over j < n of x[j*m+i], plus sum over j < ends[i] of x[j] (as causal attention has it)."""
    build = KernelBuilder("inner")
    x, ends, out = build.buffer(F64, "in"), build.buffer(I64, "in"), build.buffer(F64, "out")
    columns, rows = build.index(), build.index()
    zero, start = build.constant(0.0, F64), build.constant(0)
    with build.loop(start, columns, kind="lanes") as (i,):
        (down,) = build.carry(
            start,
            rows,
            [zero],
            lambda j, total: [build.add(total, build.load(x, build.add(build.mul(j, columns), i)))],
        )
        (prefix,) = build.carry(
            start,
            build.cast(build.load(ends, i), INDEX),
            [zero],
            lambda j, total: [build.add(total, build.load(x, j))],
        )
        build.store(out, i, build.add(down, prefix))
    compiled = Compiled(build.finish(), level)
    for size in (1, 5, 16, 33, 70):
        for height in (0, 1, 7):
            values = np.random.default_rng(size).random((max(height, 1), size))
            limits = np.arange(size)[::-1].copy()
            outs = np.zeros(size)
            compiled([values, limits, outs], [size, height])
            for column in range(size):
                down = prefix = 0.0
                for j in range(height):
                    down += values[j, column]
                for j in range(limits[column]):
                    prefix += values.ravel()[j]
                assert outs[column] == down + prefix
