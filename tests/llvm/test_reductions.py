"""Reductions: 32 accumulators whatever the vector width, so one result on bits at every level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import REDUCTION_LANES, Kernel, Value
from jitframe.ir.types import BF16, BOOL, F16, F32, F64, I8, I32, I64, INDEX, U8, DType

from .llvm_harness import LEVELS, Compiled, Guarded, same_bits

SIZES = [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 67, 96, 1000]
levels = pytest.mark.parametrize("level", LEVELS)
Array = np.ndarray[Any, Any]


def defined(terms: list[Array], identity: list[Any], combine: Callable[..., list[Any]]) -> list[Any]:
    """The definition, in NumPy: terms of iteration k go to accumulator k % 32; halves combine."""
    sums = [np.full(REDUCTION_LANES, first, term.dtype) for first, term in zip(identity, terms, strict=True)]
    for start in range(0, len(terms[0]), REDUCTION_LANES):
        part = [term[start : start + REDUCTION_LANES] for term in terms]
        count = len(part[0])
        for total, new in zip(sums, combine(*(s[:count] for s in sums), *part), strict=True):
            total[:count] = new
    while len(sums[0]) > 1:
        half = len(sums[0]) // 2
        sums = combine(*(s[:half] for s in sums), *(s[half:] for s in sums))
    return [total[0] for total in sums]


def reduction(dtype: DType, name: str, identity: Any) -> Kernel:
    build = KernelBuilder("total")
    x, out, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    (total,) = build.reduce(
        build.constant(0),
        extent,
        (build.constant(identity, dtype),),
        lambda i: (build.load(x, i),),
        lambda total, term: (build.emit(name, (total, term)),),
    )
    build.store(out, build.constant(0), total)
    return build.finish()


CASES = [
    ("add", F32, 0.0, np.add),
    ("add", F64, 0.0, np.add),
    ("add", I32, 0, np.add),
    ("add", I64, 0, np.add),
    ("add", U8, 0, np.add),
    ("mul", F32, 1.0, np.multiply),
    ("maximum", F32, -np.inf, np.maximum),
    ("minimum", F64, np.inf, np.minimum),
    ("maximum", I8, -128, np.maximum),
    ("add", F16, 0.0, np.add),
    ("and", BOOL, True, np.logical_and),
    ("or", BOOL, False, np.logical_or),
]


@levels
@pytest.mark.parametrize(
    ("name", "dtype", "identity", "function"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES]
)
def test_reduction_is_as_defined(level: str, name: str, dtype: DType, identity: Any, function: Any) -> None:
    compiled, guarded = Compiled(reduction(dtype, name, identity), level), Guarded()
    random, kind = np.random.default_rng(0), np.dtype(dtype.numpy_name)
    for size in SIZES:
        values = random.random(size) * 3 + 0.1
        if name == "mul":
            values = 1 + values / 1000
        x = guarded.at_end(values > 0.2 if dtype is BOOL else values.astype(kind))
        out = np.zeros(1, kind)
        compiled([x, out], [size])
        expected = defined([x], [identity], lambda total, term: [function(total, term)])
        assert same_bits(out, np.array(expected, kind)), size


def first_if_larger(x: Array, y: Array) -> Array:
    """The maximum; of two zeros the second."""
    return np.where(x > y, x, y)


@levels
@pytest.mark.parametrize("operations", [1, 12, 40, 80])
@pytest.mark.parametrize(("name", "function"), [("add", np.add), ("maximum", first_if_larger)])
def test_terms_of_any_length_are_reduced_in_one_order(
    level: str, name: str, function: Any, operations: int
) -> None:
    """They are kept as well, and begin anywhere. The sign of a zero tells which of the terms came first."""
    build = KernelBuilder("total")
    x, out, kept = build.buffer(F32, "in"), build.buffer(F32, "out"), build.buffer(F32, "out")
    begin, end = build.index(), build.index()

    def term(i: Value) -> tuple[Value, ...]:
        value = build.load(x, i)
        for _ in range(operations):
            value = build.mul(value, build.constant(1.25, F32))
        build.store(kept, i, value)
        return (value,)

    identity = 0.0 if name == "add" else -np.inf
    (total,) = build.reduce(
        begin,
        end,
        (build.constant(identity, F32),),
        term,
        lambda total, new: (build.emit(name, (total, new)),),
    )
    build.store(out, build.constant(0), total)
    compiled, guarded, random = Compiled(build.finish(), level), Guarded(), np.random.default_rng(0)
    for begins in (0, 5):
        for size in SIZES:
            given = (
                random.random(begins + size) - 0.5
                if name == "add"
                else random.choice([0.0, -0.0], begins + size)
            )
            values, stored, result = (
                guarded.at_end(given.astype(np.float32)),
                *(np.zeros(length, np.float32) for length in (begins + size, 1)),
            )
            compiled([values, result, stored], [begins, begins + size])
            terms = values[begins:].copy()
            for _ in range(operations):
                terms *= np.float32(1.25)
            expected = defined([terms], [identity], lambda total, new: [function(total, new)])
            assert same_bits(result, np.array(expected, np.float32)), (begins, size)
            assert same_bits(stored[begins:], terms)
            assert not stored[:begins].any()


@levels
def test_nan_survives_a_maximum(level: str) -> None:
    compiled = Compiled(reduction(F32, "maximum", -np.inf), level)
    for at in range(70):
        x = np.ones(70, np.float32)
        x[at] = np.nan
        out = np.zeros(1, np.float32)
        compiled([x, out], [70])
        assert np.isnan(out[0])


@levels
def test_bfloat_sums_round_at_each_step(level: str) -> None:
    build = KernelBuilder("total")
    x, out, extent = build.buffer(BF16, "in"), build.buffer(BF16, "out"), build.index()
    (total,) = build.reduce(
        build.constant(0),
        extent,
        (build.constant(0.0, BF16),),
        lambda i: (build.load(x, i),),
        lambda total, term: (build.add(total, term),),
    )
    build.store(out, build.constant(0), total)
    one = np.full(32 * 300, 0x3F80, np.uint16)
    out_array = np.zeros(1, np.uint16)
    Compiled(build.finish(), level)([one, out_array], [len(one)])
    assert out_array[0] == 0x4600  # each accumulator sticks at 256: 32 * 256 = 8192


@levels
def test_argmax_keeps_the_first(level: str) -> None:
    """Two accumulators and a combine block of several instructions."""
    build = KernelBuilder("argmax")
    x, out, extent = build.buffer(F32, "in"), build.buffer(I64, "out"), build.index()

    def better(best: Value, at: Value, value: Value, where: Value) -> list[Value]:
        equal = build.emit("and", (build.emit("eq", (value, best)), build.emit("lt", (where, at))))
        wins = build.emit("or", (build.emit("gt", (value, best)), equal))
        return [build.emit("select", (wins, value, best)), build.emit("select", (wins, where, at))]

    _, at = build.reduce(
        build.constant(0),
        extent,
        (build.constant(-np.inf, F32), build.constant(2**62, I64)),
        lambda i: (build.load(x, i), build.cast(i, I64)),
        better,
    )
    build.store(out, build.constant(0), at)
    compiled = Compiled(build.finish(), level)
    for size in SIZES[1:]:
        values = np.random.default_rng(size).integers(0, 20, size).astype(np.float32)
        result = np.zeros(1, np.int64)
        compiled([values, result], [size])
        assert result[0] == np.argmax(values)


def welford(build: KernelBuilder, load: Callable[[Value], Value], extent: Value) -> tuple[Value, ...]:
    """Count, mean and sum of squared deviations, combined as Chan, Golub and LeVeque (1979) do."""
    zero, one = build.constant(0.0, F64), build.constant(1.0, F64)

    def join(n: Value, mean: Value, m2: Value, count: Value, other: Value, others: Value) -> list[Value]:
        total = build.add(n, count)
        safe = build.emit("maximum", (total, one))
        delta = build.sub(other, mean)
        weight = build.emit("div", (count, safe))
        centre = build.add(mean, build.mul(delta, weight))
        spread = build.mul(build.mul(build.mul(delta, delta), n), weight)
        return [total, centre, build.add(build.add(m2, others), spread)]

    return build.reduce(build.constant(0), extent, (zero, zero, zero), lambda i: (one, load(i), zero), join)


def joined(n: Any, mean: Any, m2: Any, count: Any, other: Any, others: Any) -> list[Any]:
    total = n + count
    weight = count / np.maximum(total, 1)
    delta = other - mean
    return [total, mean + delta * weight, (m2 + others) + delta * delta * n * weight]


@levels
def test_welford_with_three_accumulators(level: str) -> None:
    build = KernelBuilder("welford")
    x, out, extent = build.buffer(F64, "in"), build.buffer(F64, "out"), build.index()
    for place, value in enumerate(welford(build, lambda i: build.load(x, i), extent)):
        build.store(out, build.constant(place), value)
    compiled, guarded = Compiled(build.finish(), level), Guarded()
    for size in SIZES:
        values = guarded.at_end(np.random.default_rng(size).random(size))
        result = np.zeros(3)
        compiled([values, result], [size])
        expected = defined([np.ones(size), values, np.zeros(size)], [0.0, 0.0, 0.0], joined)
        assert same_bits(result, np.array(expected)), size


@levels
def test_long_terms_go_through_memory(level: str) -> None:
    """A term too long for all accumulators to be unrolled gives what a short one gives."""
    build = KernelBuilder("long")
    x, out, extent = build.buffer(F64, "in"), build.buffer(F64, "out"), build.index()
    numbers = [build.constant(1.0 + place / 7, F64) for place in range(45)]

    def term(i: Value) -> list[Value]:
        value = build.load(x, i)
        for number in numbers:
            value = build.mul(build.add(value, number), build.constant(0.5, F64))
        return [value]

    (total,) = build.reduce(
        build.constant(0), extent, (build.constant(0.0, F64),), term, lambda a, b: (build.add(a, b),)
    )
    build.store(out, build.constant(0), total)
    compiled, guarded = Compiled(build.finish(), level), Guarded()
    for size in SIZES:
        values = guarded.at_end(np.random.default_rng(size).random(size))
        terms = values.copy()
        for place in range(45):
            terms = (terms + (1.0 + place / 7)) * 0.5
        result = np.zeros(1)
        compiled([values, result], [size])
        assert same_bits(result, np.array(defined([terms], [0.0], lambda a, b: [a + b]))), size


@levels
def test_rows_then_elements(level: str) -> None:
    """x / sum(x) for each row: a reduction and a map in one group, the sum hoisted into the map."""
    build = KernelBuilder("normalise")
    x, out, columns = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    row = build.mul(build.group_id(), columns)
    start = build.constant(0)
    (total,) = build.reduce(
        start,
        columns,
        (build.constant(0.0, F32),),
        lambda i: (build.load(x, build.add(row, i)),),
        lambda a, b: (build.add(a, b),),
    )
    with build.loop(start, columns, kind="lanes") as (i,):
        at = build.add(row, i)
        build.store(out, at, build.emit("div", (build.load(x, at), total)))
    compiled, guarded = Compiled(build.finish(), level), Guarded()
    for size in SIZES:
        values = np.random.default_rng(size).random((4, size), np.float32)
        outs = guarded.at_end(np.zeros(4 * size, np.float32))
        compiled([guarded.at_end(values), outs], [size], groups=(0, 4))
        sums = [defined([line], [0], lambda a, b: [a + b])[0] for line in values]
        assert same_bits(outs.reshape(4, size), values / np.array(sums, np.float32)[:, None])


@levels
@pytest.mark.parametrize("bounds", ["uniform", "varying"])
def test_reduction_inside_lanes(level: str, bounds: str) -> None:
    """Column sums: each lane of the outer loop has its own 32 accumulators."""
    build = KernelBuilder("columns")
    x, ends, out = build.buffer(F32, "in"), build.buffer(I64, "in"), build.buffer(F32, "out")
    rows, columns = build.index(), build.index()
    with build.loop(build.constant(0), columns, kind="lanes") as (i,):
        upper = rows if bounds == "uniform" else build.cast(build.load(ends, i), INDEX)
        (total,) = build.reduce(
            build.constant(0),
            upper,
            (build.constant(0.0, F32),),
            lambda j: (build.load(x, build.add(build.mul(j, columns), i)),),
            lambda a, b: (build.add(a, b),),
        )
        build.store(out, i, total)
    compiled, guarded = Compiled(build.finish(), level), Guarded()
    for width in (1, 3, 16, 33, 70):
        for height in (0, 1, 31, 33, 80):
            values = np.random.default_rng(width).random((height, width), np.float32)
            limits = np.random.default_rng(height).integers(0, height + 1, width)
            outs = guarded.at_end(np.zeros(width, np.float32))
            compiled([guarded.at_end(values), limits, outs], [height, width])
            lengths = limits if bounds == "varying" else [height] * width
            for column, length in enumerate(lengths):
                line = values[:length, column].copy()
                (expected,) = defined([line], [0], lambda a, b: [a + b])
                assert outs[column] == expected


@levels
def test_reduction_that_is_the_same_in_all_lanes(level: str) -> None:
    """Carried by a loop and chosen by a branch inside a lanes loop."""
    build = KernelBuilder("same")
    x, out, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    double = build.scalar(BOOL)
    zero, nothing = build.constant(0), build.constant(0.0, F32)

    def total() -> Value:
        (made,) = build.reduce(
            zero, extent, (nothing,), lambda i: (build.load(x, i),), lambda *pair: (build.add(*pair),)
        )
        return made

    with build.loop(zero, extent, kind="lanes") as (i,):
        (carried,) = build.carry(
            zero, build.constant(2), [nothing], lambda _, value: [build.add(value, total())]
        )
        (chosen,) = build.branch(double, lambda: [total()], lambda: [nothing])
        build.store(out, i, build.add(build.load(x, i), build.add(carried, chosen)))
    compiled = Compiled(build.finish(), level)
    for size in SIZES[:10]:
        values, result = np.arange(size, dtype=np.float32), np.zeros(size, np.float32)
        for flag in (False, True):
            compiled([values, result], [size], [flag])
            assert same_bits(result, values + values.sum() * np.float32(2 + flag))


@levels
def test_lanes_map_inside_lanes_is_serial(level: str) -> None:
    build = KernelBuilder("both")
    out, rows, columns = build.buffer(I32, "out"), build.index(), build.index()
    with (
        build.loop(build.constant(0), rows, kind="lanes") as (i,),
        build.loop(build.constant(0), columns, kind="lanes") as (j,),
    ):
        at = build.add(build.mul(i, columns), j)
        build.store(out, at, build.cast(at, I32))
    compiled = Compiled(build.finish(), level)
    for shape in [(1, 1), (17, 5), (40, 3), (0, 4), (4, 0)]:
        outs = np.zeros(shape, np.int32)
        compiled([outs], shape)
        assert (outs.ravel() == np.arange(outs.size)).all()


@levels
def test_softmax_shape_stores_inside_a_reduction_after_a_map(level: str) -> None:
    """A map, then a reduction whose term stores: masks and streaming decisions are each loop's own."""
    build = KernelBuilder("map_then_reduce")
    x, scaled, out = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.buffer(F32, "out")
    columns, stream = build.index(), build.scalar(BOOL)
    start, two = build.constant(0), build.constant(2.0, F32)
    with build.loop(start, columns, kind="lanes") as (i,):
        value = build.load(x, i)
        for _ in range(35):
            value = build.sub(build.mul(value, two), value)
        build.store(scaled, i, value, stream=stream)

    def term(i: Value) -> list[Value]:
        value = build.load(scaled, i)
        build.store(out, build.add(i, build.constant(1)), build.mul(value, two), stream=stream)
        return [value]

    (total,) = build.reduce(
        start, columns, (build.constant(0.0, F32),), term, lambda a, b: (build.add(a, b),)
    )
    build.store(out, start, total)
    compiled, guarded = Compiled(build.finish(), level), Guarded()
    for size in SIZES:
        values = np.random.default_rng(size).random(size, np.float32)
        for flag in (False, True):
            outs = guarded.at_end(np.zeros(size + 1, np.float32))
            compiled([values, guarded.at_end(np.zeros(size, np.float32)), outs], [size], [flag])
            assert same_bits(outs[1:], values * 2)
            assert outs[0] == defined([values], [0], lambda a, b: [a + b])[0]
