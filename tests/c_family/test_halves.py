"""f16 and bf16 on devices: every value of them, every rounding, in every memory, both ways of converting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jitframe.codegen.c_family import OPENCL
from jitframe.codegen.c_family.dialect import table
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.scalars import from_number, to_storage
from jitframe.ir.types import BF16, F16, F32, F64, U16, DType

from .devices import DEVICES, WHOLE, Device
from .test_devices import as_numbers, meant, on_device, same_bits

BY_BITS = replace(DEVICES["opencl"], dialect=replace(OPENCL, halves=table()))
"""OpenCL without its vload_half: integer operations."""
WAYS = {**WHOLE, "opencl by bits": BY_BITS}
HALVES = [F16, BF16]


@pytest.fixture(params=list(WAYS))
def device(request: pytest.FixtureRequest) -> Device:
    chosen = WAYS[request.param]
    chosen.require()
    return chosen


def converted(name: str, source: DType, target: DType) -> Kernel:
    build = KernelBuilder("converted")
    x, y = build.buffer(source, "in"), build.buffer(target, "out")
    with build.loop(build.constant(0), build.index(), kind="lanes") as (i,):
        build.store(y, i, build.emit(name, (build.load(x, i),), {"dtype": target}))
    return build.finish()


def every_value(dtype: DType) -> np.ndarray:
    """All 65536 of them, as f32."""
    bits = np.arange(1 << 16, dtype=np.uint16)
    return bits.view(np.float16).astype(np.float32) if dtype is F16 else widened(bits)


def widened(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def rounded(x: np.ndarray, dtype: DType) -> np.ndarray:
    """By NumPy: f16 at once; bf16 through f32."""
    with np.errstate(all="ignore"):
        if dtype is F16:
            return x.astype(np.float16)
        bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    near = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), (bits >> 16) | 0x40, near).astype(np.uint16)


def run(device: Device, kernel: Kernel, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return on_device(device, kernel, [x, y], [len(x)], threads=64)[1]


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_every_value_widens_exactly(device: Device, dtype: DType) -> None:
    bits = np.arange(1 << 16, dtype=np.uint16)
    x = bits.view(np.float16) if dtype is F16 else bits
    got = run(device, converted("cast", dtype, F32), x, np.zeros(1 << 16, np.float32))
    same_bits(got, every_value(dtype))


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_f32_rounds_to_nearest_even(device: Device, dtype: DType) -> None:
    """At every value, halfway between neighbours, and one step beside both."""
    values = np.sort(every_value(dtype)[np.isfinite(every_value(dtype))])
    with np.errstate(over="ignore"):
        middle = (values[1:].astype(np.float64) + values[:-1]) / 2
        middle = np.concatenate([middle, [65520.0, -65520.0, 2.0**-25, -(2.0**-25)]]).astype(np.float32)
        exact = np.concatenate([values, middle, np.float32([np.inf, -np.inf, np.nan])])
        steps = [np.nextafter(exact, np.float32(to)) for to in (-np.inf, np.inf)]
    x = np.concatenate([exact, *steps])
    if device.dialect.name == "WGSL" and dtype is BF16:
        x = x[np.abs(x) >= np.finfo(np.float32).tiny]  # bf16's subnormals are f32's: it may flush them
    due = rounded(x, dtype)
    got = run(device, converted("cast", F32, dtype), x, np.zeros(len(x), due.dtype))
    same_bits(got, due if dtype is F16 else widened(due))


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_f64_rounds_once_to_f16(device: Device, dtype: DType) -> None:
    """f32 would hide on which side of halfway a number lies. bf16 goes through f32, by definition."""
    if "f64" not in device.dialect.types:
        pytest.skip(f"{device.dialect.device} has no f64")
    values = np.sort(every_value(F16)[np.isfinite(every_value(F16))]).astype(np.float64)
    middle = (values[1:] + values[:-1]) / 2
    special = [1e300, -1e300, 1e-300, np.nan, np.inf]
    x = np.concatenate([middle, middle * (1 + 1e-12), middle * (1 - 1e-12), special])
    due = rounded(x, dtype)
    got = run(device, converted("cast", F64, dtype), x, np.zeros(len(x), due.dtype))
    same_bits(got, due if dtype is F16 else widened(due))


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_bits_go_through_unchanged(device: Device, dtype: DType) -> None:
    """All but those of a NaN: u16 to the type and back, with no arithmetic between."""
    build = KernelBuilder("there_and_back")
    x, y = build.buffer(U16, "in"), build.buffer(U16, "out")
    with build.loop(build.constant(0), build.index(), kind="lanes") as (i,):
        build.store(y, i, build.bitcast(build.bitcast(build.load(x, i), dtype), U16))
    bits = np.arange(1 << 16, dtype=np.uint16)
    got = run(device, build.finish(), bits, np.zeros_like(bits))
    number = ~np.isnan(every_value(dtype))
    np.testing.assert_array_equal(got[number], bits[number])
    view = got.view(np.float16) if dtype is F16 else widened(got)
    assert np.isnan(view[~number]).all()


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("threads", [1, 32, 64])
def test_every_memory(device: Device, dtype: DType, threads: int) -> None:
    """Private arrays (shared where lanes deal it out), tables, scalars, reductions, masks."""
    build = KernelBuilder("memories")
    x, y = build.buffer(dtype, "in"), build.buffer(dtype, "out")
    extent, factor = build.index(), build.scalar(dtype)
    kept = build.allocate(dtype, 70)
    steps = build.table(dtype, [0.1, -2.5, float("inf"), 1e-5])
    zero = build.constant(0)
    with build.loop(zero, extent, kind="lanes") as (i,):
        inside = build.emit("lt", (i, build.constant(60)))
        step = build.load(steps, build.emit("remainder", (i, build.constant(4))))
        build.store(kept, i, build.add(build.mul(build.load(x, i, inside), factor), step))
    (total,) = build.reduce(
        zero,
        build.constant(60),
        (build.constant(0.0, dtype),),
        lambda i: (build.load(x, i),),
        lambda a, b: (build.add(a, b),),
    )
    with build.loop(zero, extent, kind="lanes") as (i,):
        back = build.sub(build.sub(extent, build.constant(1)), i)
        build.store(y, i, build.add(build.load(kept, back), total), build.emit("ne", (i, build.constant(5))))
    kernel = build.finish()
    generator = np.random.default_rng(8)
    x_ = np.array([to_storage(from_number(v, dtype), dtype) for v in generator.normal(0, 3, 70)])
    given = ([x_, np.zeros_like(x_)], [70], [1.7])
    for got, due in zip(
        on_device(device, kernel, *given, threads=threads), meant(device, kernel, *given), strict=True
    ):
        same_bits(got, due)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_shared_memory(device: Device, dtype: DType) -> None:
    build = KernelBuilder("turned")
    x, y, shared = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.allocate(dtype, 64, "shared")
    lane = build.lane_id()
    build.store(shared, lane, build.load(x, lane))
    build.barrier(0)
    build.store(y, lane, build.load(shared, build.sub(build.constant(63), lane)))
    x_ = (np.arange(64) * 31 + 15000).astype(np.uint16).view(np.float16 if dtype is F16 else np.uint16)
    given = ([x_, np.zeros_like(x_)],)
    kernel = build.finish(64)
    (_, y_) = on_device(device, kernel, *given)
    same_bits(y_, as_numbers(kernel, [x_, x_[::-1]])[1])
