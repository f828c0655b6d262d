"""Lanes loops: sizes, offsets, no access outside the arrays, strides, tables, private arrays, atomics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.llvm import UnsupportedKernel, generate, vector_target
from jitframe.ir.types import BOOL, F16, F32, F64, I8, I32, I64, INDEX, U8, DType

from .llvm_harness import LEVELS, Compiled, Guarded, same_bits, text_of

SIZES = [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 67, 1000]
levels = pytest.mark.parametrize("level", LEVELS)


def fused(dtype: DType, short: bool = False) -> Kernel:
    """out = x * s + y, streamed where `stream`."""
    build = KernelBuilder("fused")
    x, y, out = build.buffer(dtype, "in"), build.buffer(dtype, "in"), build.buffer(dtype, "out")
    extent = build.index()
    scale, stream = build.scalar(dtype), build.scalar(BOOL)
    with build.loop(build.constant(0), extent, kind="lanes", short=short) as (i,):
        value = build.add(build.mul(build.load(x, i), scale), build.load(y, i))
        build.store(out, i, value, stream=stream)
    return build.finish()


@levels
@pytest.mark.parametrize("short", [False, True], ids=["any", "short"])
@pytest.mark.parametrize("dtype", [F32, F64, F16, U8, I32], ids=str)
def test_sizes_and_edges(level: str, dtype: DType, short: bool) -> None:
    """Arrays end (or start) at an unreadable page; a neighbour of the output is never written."""
    compiled, kind = Compiled(fused(dtype, short), level), np.dtype(dtype.numpy_name)
    random = np.random.default_rng(0)
    for size in SIZES:
        values = [(random.random(size) * 9).astype(kind) for _ in range(2)]
        expected = values[0] * kind.type(3) + values[1]
        for stream in (False, True):
            guarded = Guarded()
            for place in (guarded.at_end, guarded.at_start):
                arrays = [place(value) for value in (*values, np.zeros(size, kind))]
                compiled(arrays, [size], [3, stream])
                assert same_bits(arrays[2], expected), size
            for offset in (1, 3, 5):
                out = np.full(size + offset + 9, 77, kind)
                compiled([*values, out[offset : offset + size]], [size], [3, stream])
                assert same_bits(out[offset : offset + size], expected), size
                assert (out[:offset] == 77).all()
                assert (out[offset + size :] == 77).all()


def long_chain(dtype: DType, in_branch: bool, length: int) -> Kernel:
    """out = a chain of so many sums and differences of x and y: written once where masks pay."""
    build = KernelBuilder("long_chain")
    x, y, out = build.buffer(dtype, "in"), build.buffer(dtype, "in"), build.buffer(dtype, "out")
    extent, stream = build.index(), build.scalar(BOOL)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        a, b = build.load(x, i), build.load(y, i)
        value = a
        for _ in range(length):
            value = build.sub(build.add(value, b), a)
        if in_branch:
            with build.when(build.emit("lt", (a, b))):
                build.store(out, i, value)
        else:
            build.store(out, i, value, stream=stream)
    return build.finish()


@levels
@pytest.mark.parametrize("in_branch", [False, True], ids=["always", "where"])
@pytest.mark.parametrize("length", [20, 60])
@pytest.mark.parametrize("dtype", [F32, F64, I32, U8], ids=str)
def test_long_bodies(level: str, dtype: DType, length: int, in_branch: bool) -> None:
    compiled, kind = Compiled(long_chain(dtype, in_branch, length), level), np.dtype(dtype.numpy_name)
    random = np.random.default_rng(0)
    for size in SIZES:
        x, y = ((random.random(size) * 9).astype(kind) for _ in range(2))
        expected = x
        for _ in range(length):
            expected = expected + y - x
        if in_branch:
            expected = np.where(x < y, expected, kind.type(0))
        for stream in (False, True):
            for offset in (0, 1, 3):
                guarded = Guarded()
                arrays = [guarded.at_end(values) for values in (x, y, np.zeros(size + offset, kind))]
                compiled([arrays[0], arrays[1], arrays[2][offset:]], [size], [stream])
                assert same_bits(arrays[2][offset:], expected), (size, stream, offset)
                assert (arrays[2][:offset] == 0).all()


def backward(operations: int) -> Kernel:
    """out[n - 1 - i] = a chain of so many operations on x[n - 1 - i] and y[i]."""
    build = KernelBuilder("backward")
    x, y, out = build.buffer(F32, "in"), build.buffer(F32, "in"), build.buffer(F32, "out")
    extent = build.index()
    last, turned = build.sub(extent, build.constant(1)), build.constant(-1)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        at = build.add(last, build.mul(i, turned))
        value, each = build.load(x, at), build.load(y, i)
        for _ in range(operations):
            value = build.add(value, each)
        build.store(out, at, value)
    return build.finish()


@levels
@pytest.mark.parametrize("operations", [1, 40, 120])
def test_backward_accesses(level: str, operations: int) -> None:
    """Vectors and masks like forward ones, and a long body is written once."""
    compiled = Compiled(backward(operations), level)
    random = np.random.default_rng(0)
    for size in SIZES:
        x, y = (random.integers(0, 99, size).astype(np.float32) for _ in range(2))
        guarded = Guarded()
        for place in (guarded.at_end, guarded.at_start):
            arrays = [place(values) for values in (x, y, np.zeros(size, np.float32))]
            compiled(arrays, [size])
            assert same_bits(arrays[2], x + operations * y[::-1])
    if level == "avx512":
        assert text_of(backward(operations), level).count("fadd ") == max(operations, 2)


@levels
def test_mixed_widths_run_together(level: str) -> None:
    """u8 and f32 in, f64 and bool out."""
    build = KernelBuilder("mixed")
    a, b = build.buffer(U8, "in"), build.buffer(F32, "in")
    wide, flag = build.buffer(F64, "out"), build.buffer(BOOL, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        x, y = build.cast(build.load(a, i), F32), build.load(b, i)
        build.store(wide, i, build.cast(build.mul(x, y), F64))
        build.store(flag, i, build.emit("lt", (x, y)))
    compiled = Compiled(build.finish(), level)
    for size in SIZES:
        u = np.arange(size, dtype=np.uint8)
        v = np.linspace(-10, 300, size, dtype=np.float32)
        out, flags = np.zeros(size), np.zeros(size, bool)
        compiled([u, v, out, flags], [size])
        assert same_bits(out, (u.astype(np.float32) * v).astype(np.float64))
        assert (flags == (u.astype(np.float32) < v)).all()


def strided(dtype: DType, steps: str) -> Kernel:
    """out[out_offset + i * out_stride] = x[offset + i * stride]; strides are parameters or constants."""
    build = KernelBuilder("strided")
    x, out = build.buffer(dtype, "in"), build.buffer(dtype, "out")
    extent, offset, stride, out_offset, out_stride = (build.index() for _ in range(5))
    if steps != "parameter":
        stride = build.constant(int(steps))
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value = build.load(x, build.add(offset, build.mul(i, stride)))
        build.store(out, build.add(out_offset, build.mul(i, out_stride)), value)
    return build.finish()


@levels
@pytest.mark.parametrize("dtype", [F32, F64, U8, F16, BOOL], ids=str)
@pytest.mark.parametrize("steps", ["parameter", "0", "1", "-1", "2", "3", "-2"])
def test_strides(level: str, dtype: DType, steps: str) -> None:
    compiled, kind = Compiled(strided(dtype, steps), level), np.dtype(dtype.numpy_name)
    guarded = Guarded()
    for size in (0, 1, 5, 16, 37, 100):
        for stride in [3, -5] if steps == "parameter" else [int(steps)]:
            span = max(0, size - 1) * abs(stride) + 1
            x = guarded.at_end(np.random.default_rng(size).integers(0, 2, span).astype(kind))
            offset = span - 1 if stride < 0 else 0
            expected = x[offset + stride * np.arange(size)]
            for out_stride in (1, -1, 2):
                out_span = max(0, size - 1) * abs(out_stride) + 1
                out = guarded.at_end(np.ones(out_span, kind))
                out_offset = out_span - 1 if out_stride < 0 else 0
                compiled([x, out], [size, offset, stride, out_offset, out_stride])
                assert (out[out_offset + out_stride * np.arange(size)] == expected).all()


@levels
def test_loop_bounds_and_steps(level: str) -> None:
    """for i in range(lower, upper, step): out[i] = i."""
    build = KernelBuilder("ranged")
    out = build.buffer(I64, "out")
    lower, upper, step = build.index(), build.index(), build.index()
    with build.loop(lower, upper, step, kind="lanes") as (i,):
        build.store(out, i, build.cast(i, I64))
    compiled = Compiled(build.finish(), level)
    for bounds in [(0, 50, 1), (7, 50, 1), (3, 50, 4), (5, 50, 7), (9, 9, 1), (9, 3, 2), (0, 1, 5)]:
        out_array, expected = np.zeros(60, np.int64), np.zeros(60, np.int64)
        compiled([out_array], bounds)
        expected[slice(*bounds)] = np.arange(*bounds)
        assert (out_array == expected).all(), bounds


@levels
@pytest.mark.parametrize("dtype", [I8, I32, I64, F32, F64], ids=str)
def test_index_as_data(level: str, dtype: DType) -> None:
    build = KernelBuilder("arange")
    out, extent, scale = build.buffer(dtype, "out"), build.index(), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(out, i, build.cast(build.add(build.mul(i, scale), build.constant(5)), dtype))
    compiled = Compiled(build.finish(), level)
    out_array = np.zeros(99, dtype.numpy_name)
    compiled([out_array], [99, -3])
    assert same_bits(out_array, (np.arange(99) * -3 + 5).astype(dtype.numpy_name))


@levels
@pytest.mark.parametrize("dtype", [F32, F64, U8], ids=str)
def test_gather_through_an_index_array(level: str, dtype: DType) -> None:
    build = KernelBuilder("take")
    x, positions, out = build.buffer(dtype, "in"), build.buffer(I64, "in"), build.buffer(dtype, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(out, i, build.load(x, build.cast(build.load(positions, i), INDEX)))
    compiled = Compiled(build.finish(), level)
    guarded, random = Guarded(), np.random.default_rng(0)
    x_array = guarded.at_end((random.random(50) * 200).astype(dtype.numpy_name))
    for size in SIZES:
        at = guarded.at_end(random.integers(0, 50, size))
        out_array = guarded.at_end(np.zeros(size, x_array.dtype))
        compiled([x_array, at, out_array], [size])
        assert same_bits(out_array, x_array[at])


@levels
def test_private_arrays_belong_to_a_lane(level: str) -> None:
    """Reverse four numbers of each lane through an array, read at a uniform and at a varying place."""
    build = KernelBuilder("private")
    x, places, out = build.buffer(F32, "in"), build.buffer(I64, "in"), build.buffer(F32, "out")
    extent, four = build.index(), build.constant(4)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        array = build.allocate(F32, 4)
        base = build.mul(i, four)
        with build.loop(build.constant(0), four) as (j,):
            build.store(array, build.sub(build.constant(3), j), build.load(x, build.add(base, j)))
        picked = build.load(array, build.cast(build.load(places, i), INDEX))
        build.store(out, i, build.add(picked, build.load(array, build.constant(0))))
    compiled = Compiled(build.finish(), level)
    for size in SIZES:
        values = np.random.default_rng(size).random((size, 4), np.float32)
        at = np.arange(size) % 4
        outs = np.zeros(size, np.float32)
        compiled([values, at, outs], [size])
        assert same_bits(outs, values[np.arange(size), 3 - at] + values[:, 3])


@levels
def test_tables_and_groups(level: str) -> None:
    """Rows by group: out[g, i] = table[i % 5] + g."""
    build = KernelBuilder("tables")
    out, extent = build.buffer(I32, "out"), build.index()
    constants = build.table(I32, [3, 1, 4, 1, 5])
    row = build.mul(build.group_id(), extent)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        five = build.constant(5, I64)
        place = build.cast(build.emit("floormod", (build.cast(i, I64), five)), INDEX)
        value = build.add(build.load(constants, place), build.cast(build.group_id(), I32))
        build.store(out, build.add(row, i), value)
    compiled = Compiled(build.finish(), level)
    outs = np.zeros((6, 37), np.int32)
    compiled([outs], [37], groups=(2, 5))
    expected = np.array([3, 1, 4, 1, 5])[np.arange(37) % 5] + np.arange(6)[:, None]
    expected[[0, 1, 5]] = 0
    assert (outs == expected).all()


ATOMICS = [
    ("add", I32, np.add), ("add", F32, np.add), ("min", I64, np.minimum), ("max", F64, np.maximum),
    ("max", U8, np.maximum), ("and", I32, np.bitwise_and), ("xor", I32, np.bitwise_xor),
]  # fmt: skip


@levels
@pytest.mark.parametrize(("kind", "dtype", "function"), ATOMICS, ids=[f"{a[0]}-{a[1]}" for a in ATOMICS])
def test_atomics_count_every_lane_once(level: str, kind: str, dtype: DType, function: Any) -> None:
    """bins[i % 7] op= x[i] for the lanes whose flag is set."""
    build = KernelBuilder("histogram")
    x, flags = build.buffer(dtype, "in"), build.buffer(BOOL, "in")
    bins, extent = build.buffer(dtype, "inout"), build.index()
    with (
        build.loop(build.constant(0), extent, kind="lanes") as (i,),
        build.when(build.load(flags, i)),
    ):
        place = build.emit("floormod", (build.cast(i, I64), build.constant(7, I64)))
        build.atomic(kind, bins, build.cast(place, INDEX), build.load(x, i))
    compiled = Compiled(build.finish(), level)
    for size in SIZES:
        random = np.random.default_rng(size)
        values, wanted = random.integers(0, 100, size).astype(dtype.numpy_name), random.random(size) < 0.5
        result = np.full(7, 50, dtype.numpy_name)
        expected = result.copy()
        function.at(expected, np.arange(size)[wanted] % 7, values[wanted])
        compiled([values, wanted, result], [size])
        assert same_bits(result, expected)


def test_fastmath_lifts_only_what_it_says() -> None:
    text = text_of(fused(F32), "avx2", fastmath=True)
    assert "fmul nsz arcp contract <8 x float>" in text
    assert "nnan" not in text
    assert "contract" not in text_of(fused(F32), "avx2")


@levels
def test_exit_ends_one_group(level: str) -> None:
    build = KernelBuilder("leaving")
    out, limit = build.buffer(I32, "out"), build.index()
    with build.when(build.emit("ge", (build.group_id(), limit))):
        build.exit()
    build.store(out, build.group_id(), build.constant(1, I32))
    outs = np.zeros(6, np.int32)
    Compiled(build.finish(), level)([outs], [3], groups=(0, 6))
    assert outs.tolist() == [1, 1, 1, 0, 0, 0]


def test_unsupported_kernels_say_why() -> None:
    build = KernelBuilder("cosine")
    x, extent = build.buffer(F32, "inout"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(x, i, build.emit("cos", (build.load(x, i),)))
    with pytest.raises(UnsupportedKernel) as raised:
        generate(build.finish(), vector_target("avx2"))
    assert str(raised.value) == "cosine: no LLVM form of cos; expand it first"
