"""Wide accesses give what single ones do, wherever buffers begin and rows end; and where there are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from jitframe.codegen.c_family import CUDA, METAL, OPENCL, WGSL, generate
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Buffer, Kernel, Value
from jitframe.ir.types import BF16, BOOL, F16, F32, F64, I8, I16, I32, I64, INDEX, U8, DType

from .devices import Device
from .test_devices import device, meant, on_device, same_bits
from .test_operations import stored

__all__ = ["device"]

Body = Callable[[KernelBuilder, Value, Buffer, Buffer, Buffer], None]
"""Writes what is done for a counter with x and y of f32 and k of i32."""


def rows(x: DType, y: DType) -> Kernel:
    """z[row, i + b] = x[row, i + a] + w[row, i] and y[row, i] its cast, row by row."""
    build = KernelBuilder("rows")
    x_, w_, z_ = build.buffer(x, "in"), build.buffer(x, "in"), build.buffer(x, "out")
    y_ = build.buffer(y, "out")
    height, width, pitch, a, b = (build.index() for _ in range(5))
    with build.loop(build.constant(0), height) as (row,):
        base = build.mul(row, pitch)
        with build.loop(build.constant(0), width, kind="lanes") as (i,):
            there = build.add(base, i)
            first, second = build.load(x_, build.add(there, a)), build.load(w_, there)
            total = build.emit("or" if x is BOOL else "add", (first, second))
            build.store(z_, build.add(b, there), total)
            build.store(y_, there, build.cast(total, y))
    return build.finish()


@pytest.mark.parametrize("threads", [32, 64])
@pytest.mark.parametrize(
    ("x", "y"),
    [(F32, F32), (F64, F32), (F32, U8), (U8, I8), (BOOL, I16), (F16, F32), (BF16, BF16), (I64, BOOL)],
    ids=str,
)
def test_rows_that_begin_anywhere(device: Device, x: DType, y: DType, threads: int) -> None:
    if not {x.name, y.name} <= device.dialect.types.keys():
        pytest.skip(f"{device.dialect.device} has no {x} or no {y}")
    kernel = rows(x, y)
    numbers = np.random.default_rng(1).integers(0, 2 if x is BOOL else 50, 1200)
    for height, width, pitch, a, b in [
        (3, 200, 201, 0, 0),
        (3, 203, 203, 1, 1),
        (2, 307, 308, 3, 3),
        (2, 301, 304, 5, 2),
        (4, 7, 9, 1, 0),
        (4, 1, 1, 0, 0),
        (2, 0, 4, 0, 0),
    ]:
        empty = numbers * 0
        arrays = [stored(numbers, x), stored(numbers[::-1], x), stored(empty, x), stored(empty, y)]
        given = (arrays, [height, width, pitch, a, b])
        actual = on_device(device, kernel, *given, threads=threads)
        for got, due in zip(actual, meant(device, kernel, *given), strict=True):
            same_bits(got, due)


def one(body: Body, step: int = 1) -> Kernel:
    build = KernelBuilder("one")
    buffers = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.buffer(I32, "in")
    extent = build.index()
    with build.loop(build.constant(0), extent, build.constant(step), kind="lanes") as (i,):
        body(build, i, *buffers)
    return build.finish()


def in_place(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    build.store(y, i, build.mul(build.load(y, i), build.constant(0.5, F32)))


def streamed(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    build.store(y, i, build.load(x, i), stream=build.constant(True, BOOL))


def with_one_for_all(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    factor = build.load(x, build.constant(3))
    turned = build.load(x, build.sub(build.constant(99), i))
    build.store(y, i, build.add(build.mul(build.load(x, i), factor), turned))


def gathered(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    place = build.cast(build.load(k, i), INDEX)
    build.store(y, i, build.load(x, place))


def branching(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    value = build.load(x, i)
    (result,) = build.branch(
        build.emit("lt", (value, build.constant(0.0, F32))),
        lambda: (build.load(x, build.constant(0)),),
        lambda: (build.emit("sqrt", (value,)),),
    )
    build.store(y, i, result)


def masked(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    build.store(y, i, build.load(x, i), build.emit("lt", (i, build.constant(50))))


def read_back(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    build.store(y, i, build.load(x, i))
    build.store(y, i, build.add(build.load(y, i), build.constant(1.0, F32)))


def backwards(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
    build.store(y, build.sub(build.constant(99), i), build.load(x, i))


WIDE = [in_place, streamed, with_one_for_all, gathered, branching]
NARROW = [masked, read_back, backwards]


@pytest.mark.parametrize("body", WIDE + NARROW)
def test_bodies(device: Device, body: Body) -> None:
    kernel = one(body)
    generator = np.random.default_rng(2)
    x, y = (generator.normal(size=100).astype(np.float32) for _ in range(2))
    arrays = [x, y, generator.integers(0, 100, 100).astype(np.int32)]
    for extent in (100, 97, 3):
        given = (arrays, [extent])
        for got, due in zip(
            on_device(device, kernel, *given, threads=32), meant(device, kernel, *given), strict=True
        ):
            same_bits(got, due)


@pytest.mark.parametrize("body", WIDE)
def test_wide_accesses_are_made(body: Body) -> None:
    assert "float4 *)" in generate(one(body), OPENCL, threads=64).text
    assert "pack<float, " in generate(one(body), CUDA, threads=64).text
    assert "packed_float4 *)" in generate(one(body), METAL, threads=64).text
    assert "b1: array<vec4<f32>>" in generate(one(body), WGSL, threads=64).text


@pytest.mark.parametrize("body", NARROW)
def test_only_where_they_mean_the_same(body: Body) -> None:
    assert "float4" not in generate(one(body), OPENCL, threads=64).text
    assert "float4" not in generate(one(body), METAL, threads=64).text
    assert "vec4<f32>" not in generate(one(body), WGSL, threads=64).text


def test_steps_long_bodies_and_single_lanes_go_one_by_one() -> None:
    def long(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
        value = build.load(x, i)
        for _ in range(70):
            value = build.add(value, value)
        build.store(y, i, value)

    def looping(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
        (total,) = build.carry(
            build.constant(0),
            build.cast(build.load(k, i), INDEX),
            (build.load(x, i),),
            lambda _, total: (build.mul(total, total),),
        )
        build.store(y, i, total)

    for kernel in (one(long), one(looping), one(in_place, 2)):
        assert "float4" not in generate(kernel, OPENCL, threads=64).text
    assert "float4" not in generate(one(in_place), OPENCL, threads=1).text
    assert "float4" not in generate(one(in_place), replace(OPENCL, vectors=None), threads=64).text
    assert "vec4<f32>" not in generate(rows(F32, F32), WGSL, threads=64).text


# Buffers that are arrays of vectors ------------------------------------------------------------------
TILE = 8


def tiles(start: int = 0, odd: bool = False) -> Kernel:
    """z[i + start] += x[i] + w[i + a], and y[i] is the cast of that, by workgroups of TILE elements."""
    build = KernelBuilder("tiles")
    x, w, z = (build.buffer(F32, access) for access in ("in", "in", "inout"))
    y, a, extent = build.buffer(U8, "out"), build.index(), build.index()
    tile = build.constant(TILE + odd)
    begin = build.mul(build.group_id(), tile)
    end = build.emit("minimum", (build.add(begin, tile), extent))
    with build.loop(begin, end, kind="lanes") as (i,):
        total = build.add(build.load(x, i), build.load(w, build.add(i, a)))
        build.store(y, i, build.cast(total, U8))
        at = build.add(i, build.constant(start))
        build.store(z, at, build.add(build.load(z, at), total))
    return build.finish()


@pytest.mark.parametrize(
    ("kernel", "wide"), [(tiles(), "xz"), (tiles(4), "xz"), (tiles(1), "x"), (tiles(odd=True), "")]
)
def test_vectors_of_one_lane_each(device: Device, kernel: Kernel, wide: str) -> None:
    """Whatever ends within a vector keeps what stands behind it, and so do other lanes' elements."""
    random = np.random.default_rng(4)
    if device.dialect is WGSL:
        text = generate(kernel, WGSL, threads=32).text
        declared = ["array<vec4<f32>>" in line for line in text.splitlines()[:3]]
        assert declared == ["x" in wide, False, "z" in wide]
    for extent in range(1, 18):
        arrays = [random.integers(0, 99, 24).astype(np.float32) for _ in range(3)]
        arrays.append(np.full(24, 7, np.uint8))
        for a in (0, 1, 4):
            given = (arrays, [a, extent], (), range(3))
            for got, due in zip(
                on_device(device, kernel, *given, threads=32), meant(device, kernel, *given), strict=True
            ):
                same_bits(got, due)


def test_vectors_are_declared_where_each_is_one_lanes() -> None:
    """Not where another loop, or a position that is not the store's, touches a buffer that is written."""

    def text(body: Body, more: Body | None = None) -> str:
        build = KernelBuilder("two")
        buffers = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.buffer(I32, "in")
        extent, zero = build.index(), build.constant(0)
        for each in filter(None, (body, more)):
            with build.loop(zero, extent, kind="lanes") as (i,):
                each(build, i, *buffers)
        return generate(build.finish(), WGSL, threads=32).text

    def copied(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
        build.store(y, i, build.load(x, i))

    def behind(build: KernelBuilder, i: Value, x: Buffer, y: Buffer, k: Buffer) -> None:
        build.store(y, i, build.load(y, build.add(i, build.constant(400))))

    assert "b0: array<vec4<f32>>" in text(copied) and "b1: array<vec4<f32>>" in text(copied)
    assert "b1: array<f32>" in text(copied, in_place) and "b1: array<f32>" in text(behind)
    assert generate(one(in_place), WGSL, threads=32).binding_bytes == 16
    assert generate(one(in_place), WGSL, threads=1).binding_bytes == 4


def test_elements_of_several_sizes_move_in_step() -> None:
    """The largest decides how many: 16 bytes of it, and fewer of the others."""
    text = generate(rows(F64, F32), OPENCL, threads=64).text
    assert "double2 *)" in text and "float2 *)" in text and "4 *)" not in text
    assert "uchar8 *)" in generate(rows(U8, U8), OPENCL, threads=64).text


def test_whole_words_need_no_atomic_read() -> None:
    """WGSL writes the bytes of a word at once; only those of a word that a neighbour shares one by one."""
    text = generate(rows(F32, U8), WGSL, threads=64).text
    together, _, alone = text.partition("atomicStore(&b3[")
    assert alone and "atomicAnd(&b3[" not in together
    assert alone.count("atomicAnd(&b3[") == alone.count("atomicOr(&b3[") == 1
