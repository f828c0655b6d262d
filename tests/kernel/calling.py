"""Kernels with functions: values and memory go in, several results come back, lanes meet and leave there."""

from __future__ import annotations

from typing import Any

import numpy as np

import jitframe as jf

LANES = 8
Array = np.ndarray[Any, Any]


def extremes() -> Any:
    """Functions of values that call each other, with two results, and with loops of each lane."""
    build = jf.backends.KernelBuilder("extremes", workgroup=LANES)
    x, n = build.buffer("int32", "inout", "x"), build.uniform("index", "n")

    @build.function("int32", "int32")
    def bounds(a: Any, b: Any) -> Any:
        return build.minimum(a, b), build.maximum(a, b)

    @build.function("int32")
    def collatz(start: Any) -> Any:
        """Steps to 1, at most 20."""

        def step(value: Any, count: Any) -> Any:
            low, _ = bounds(count + 1, 20)
            return build.branch(value % 2 == 0, lambda: value // 2, lambda: 3 * value + 1), low

        return build.repeat_while(
            (bounds(start, 1)[1], build.constant(0, "int32")), lambda v, c: (v != 1) & (c < 20), step
        )[1]

    @build.function("int32", "index")
    def mixed(value: Any, at: Any) -> Any:
        low, high = bounds(collatz(value), at.cast("int32"))
        return low, high, high > low

    i = build.position()
    with build.when(i < n):
        low, high, differ = mixed(x[i], i)
        x[i] = build.select(differ, low * 100 + high, -low)
    return build.finish()


def sums() -> Any:
    """Functions with memory: a scan through shared memory with its barriers, a private array, a table of
    results; lanes leave in one."""
    build = jf.backends.KernelBuilder("sums", workgroup=LANES)
    x, n = build.buffer("int32", "inout", "x"), build.uniform("index", "n")
    shared, kept = build.shared("int32", LANES), build.private("int32", 2)

    @build.function("inout shared int32", "int32")
    def prefix(near: Any, value: Any) -> Any:
        lane = build.lane()
        near[lane] = value
        for distance in (1, 2, 4):
            build.barrier()
            has = lane >= distance
            before = build.branch(has, lambda d=distance: near[lane - d], lambda: 0 * value)
            build.barrier()
            near[lane] = near[lane] + before
        build.barrier()
        return near[lane]

    @build.function("inout private int32", "int32")
    def keep(memory: Any, value: Any) -> None:
        memory[0] = value
        memory[1] = value * 2

    @build.function("index", "index")
    def leave_from(position: Any, end: Any) -> None:
        with build.when(position >= end):
            build.exit()

    @build.function("inout int32", "index", "in private int32")
    def put(out: Any, at: Any, memory: Any) -> None:
        out[at] = out[at] * 1000 + memory[0] + memory[1]

    i = build.position()
    first = prefix(shared, x[i])
    leave_from(i, n)
    keep(kept, first)
    put(x, i, kept)
    second = prefix(shared, first)
    with build.when(second > 50):
        put(x, i, kept)
    return build.finish()


def formulas() -> Any:
    """Long functions of floats that are used often: LLVM calls them."""
    build = jf.backends.KernelBuilder("formulas", workgroup=LANES)
    x, y = build.buffer("float32", "in", "x"), build.buffer("float32", "inout", "y")

    @build.function("float32", "float32", "index")
    def wave(a: Any, b: Any, at: Any) -> Any:
        turned = build.op("sin", a) + build.op("exp", build.minimum(b, 2)) * at.cast("float32")
        for number in range(20):
            turned = turned * 0.99 + b * (number / 100) - a / 50
        return build.branch(turned > 0, lambda: (turned, a > b), lambda: (b - turned, b > a))

    i = build.position()
    value = x[i]
    for _ in range(6):
        value, larger = wave(value / 64, y[i], i)
        with build.when(larger):
            again, _unused = wave(y[i], value, i + 1)
            y[i] = again / 1024
    y[i] = value
    return build.finish()


KERNELS = {"extremes": extremes, "sums": sums}
COUNTS = (0, 5, 13, 16)


def arrays() -> list[Array]:
    """For two workgroups."""
    return [np.random.default_rng(3).integers(-4, 30, 2 * LANES).astype(np.int32)]
