"""Lanes together: dealt-out loops, atomics, fences, parts of words; and all that is refused."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.c_family import METAL, OPENCL, WGSL, UnsupportedKernel, generate, launch_block
from jitframe.codegen.c_family.threads import choose_index_bits
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.ir.types import BOOL, F32, F64, I16, I32, I64, U8, U32, U64, DType

from .devices import DEVICES, Device
from .kernels import softmax
from .test_devices import device, meant, on_device, same_bits

__all__ = ["device"]


def private_array() -> Kernel:
    """A private array that lanes loops fill and read back to front, row after row."""
    build = KernelBuilder("backwards")
    x, y, rows, columns = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index(), build.index()
    row_of = build.allocate(F32, 100)
    zero = build.constant(0)
    with build.loop(zero, rows) as (row,):
        base = build.mul(row, columns)
        with build.loop(zero, columns, kind="lanes") as (i,):
            build.store(row_of, i, build.load(x, build.add(base, i)))
        with build.loop(zero, columns, kind="lanes") as (i,):
            other = build.sub(build.sub(columns, build.constant(1)), i)
            build.store(y, build.add(base, i), build.load(row_of, other))
    return build.finish()


@pytest.mark.parametrize("threads", [1, 32, 96])
def test_arrays_that_lanes_loops_fill_are_shared_by_the_lanes(device: Device, threads: int) -> None:
    x = np.arange(500, dtype=np.float32)
    arrays = [x, np.zeros_like(x)]
    _, y = on_device(device, private_array(), arrays, [5, 100], threads=threads)
    same_bits(y, np.ascontiguousarray(x.reshape(5, 100)[:, ::-1]).ravel())


def through_memory() -> Kernel:
    """Loops that hand values on through a global buffer, a `while` that memory decides, a two-value sum."""
    build = KernelBuilder("through_memory")
    work, out, extent = build.buffer(F32, "inout"), build.buffer(F32, "out"), build.index()
    zero, one = build.constant(0), build.constant(1)
    last = build.sub(extent, one)

    def halve(count: object) -> tuple[object]:
        with build.loop(zero, extent, kind="lanes") as (i,):
            build.store(work, i, build.mul(build.load(work, i), build.constant(0.5, F32)))
        return (build.add(count, build.constant(1, I32)),)

    (count,) = build.repeat_while(
        (build.constant(0, I32),),
        lambda count: build.emit("gt", (build.load(work, last), build.constant(1.0, F32))),
        halve,
    )
    total, largest = build.reduce(
        zero,
        extent,
        (build.constant(0.0, F32), build.constant(-3e38, F32)),
        lambda i: (build.load(work, build.sub(last, i)), build.load(work, i)),
        lambda t, m, x, y: (build.add(t, x), build.emit("maximum", (m, y))),
    )
    build.store(out, zero, total)
    build.store(out, one, largest)
    build.store(out, build.constant(2), build.cast(count, F32))
    return build.finish()


@pytest.mark.parametrize("threads", [1, 32, 128])
def test_memory_passes_between_lanes_and_decides_loops(device: Device, threads: int) -> None:
    work = np.random.default_rng(5).uniform(0, 90, 333).astype(np.float32)
    arrays = [work, np.zeros(3, np.float32)]
    actual, expected = (run(device, through_memory(), arrays, [333]) for run in (through(threads), meant))
    for got, due in zip(actual, expected, strict=True):
        same_bits(got, due)


def through(threads: int):  # type: ignore[no-untyped-def]
    return lambda *arguments: on_device(*arguments, threads=threads)


def skipped_loop() -> Kernel:
    """A loop with barriers of its own, run `times` times, stands between a write and the read of it."""
    build = KernelBuilder("skipped_loop")
    x, work, other, y = (build.buffer(F32, access) for access in ("in", "inout", "inout", "out"))
    extent, times = build.index(), build.index()
    zero, last = build.constant(0), build.sub(extent, build.constant(1))
    with build.loop(zero, extent, kind="lanes") as (i,):
        build.store(work, i, build.load(x, i))
    with build.loop(zero, times):
        with build.loop(zero, extent, kind="lanes") as (i,):
            build.store(other, i, build.load(x, i))
        with build.loop(zero, extent, kind="lanes") as (i,):
            build.store(y, i, build.load(other, build.sub(last, i)))
    with build.loop(zero, extent, kind="lanes") as (i,):
        build.store(y, i, build.load(work, build.sub(last, i)))
    return build.finish()


@pytest.mark.parametrize("times", [0, 2])
def test_a_loop_that_is_skipped_orders_nothing(device: Device, times: int) -> None:
    x = np.arange(1, 101, dtype=np.float32)
    arrays = [x, *(np.zeros_like(x) for _ in range(3))]
    *_, y = on_device(device, skipped_loop(), arrays, [100, times], threads=64)
    same_bits(y, x[::-1].copy())


@pytest.mark.parametrize("dtype", [I32, U32, F32], ids=str)
def test_atomics(device: Device, dtype: DType) -> None:
    """Every lane of several workgroups adds to one element; min and max find the extremes."""
    build = KernelBuilder("count")
    total, x = build.buffer(dtype, "inout"), build.buffer(dtype, "in")
    lane = build.lane_id()
    value = build.load(x, build.add(build.mul(build.group_id(), build.constant(64)), lane))
    for number, kind in enumerate(("add", "min", "max")):
        build.atomic(kind, total, build.constant(number), value)
    kernel = build.finish(64)
    data = np.random.default_rng(6).integers(0, 100, 64 * 5).astype(dtype.numpy_name)
    result, _ = on_device(device, kernel, [np.array([0, 50, 50], data.dtype), data], groups=range(5))
    assert result.tolist() == [data.sum(), data.min(), data.max()]


@pytest.mark.parametrize("dtype", [BOOL, U8, I16], ids=str)
def test_parts_of_words_are_written_side_by_side(device: Device, dtype: DType) -> None:
    """Different lanes write neighbours in one word, and leave the rest of it alone."""
    build = KernelBuilder("every_other")
    x, y, extent = build.buffer(dtype, "in"), build.buffer(dtype, "inout"), build.index()
    with build.loop(build.constant(1), extent, build.constant(2), kind="lanes") as (i,):
        build.store(y, i, build.load(x, i))
    data = np.random.default_rng(7).integers(-99, 99, 150).astype(dtype.numpy_name)
    before = np.ones(150, data.dtype)
    _, after = on_device(device, build.finish(), [data, before], [150], threads=64)
    expected = before.copy()
    expected[1::2] = data[1::2]
    same_bits(after, expected)


def test_parsed_text_gives_the_same_source() -> None:
    kernel = softmax(5, 37)[0]
    parsed = parse_kernel(kernel_text(kernel))
    for dialect in (OPENCL, WGSL):
        assert generate(parsed, dialect, threads=64).text == generate(kernel, dialect, threads=64).text


# Refused ---------------------------------------------------------------------------------------------
def copy(dtype: DType, buffers: int = 2) -> Kernel:
    build = KernelBuilder("copy")
    sources = [build.buffer(dtype, "in") for _ in range(buffers - 1)]
    target, extent = build.buffer(dtype, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(target, i, build.load(sources[-1], i))
    return build.finish()


def fenced(scope: str, by_lane: bool) -> Kernel:
    build = KernelBuilder("fenced")
    if by_lane:
        with build.when(build.emit("eq", (build.lane_id(), build.constant(0)))):
            build.fence(scope)
    else:
        build.fence(scope)
    return build.finish(64)


def fenced_after_exits() -> Kernel:
    build = KernelBuilder("fenced")
    with build.when(build.emit("ge", (build.lane_id(), build.index()))):
        build.exit()
    build.fence("workgroup")
    return build.finish(64)


def sum_of(dtype: DType) -> Kernel:
    build = KernelBuilder("total")
    x, y, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    zero = build.constant(0)
    (total,) = build.reduce(
        zero,
        extent,
        (build.constant(0.0, dtype),),
        lambda i: (build.load(x, i),),
        lambda a, b: (build.add(a, b),),
    )
    build.store(y, zero, total)
    return build.finish()


def half_sum(dtype: DType) -> Kernel:
    """Reads f32 and computes in another dtype."""
    build = KernelBuilder("half_sum")
    x, y, zero = build.buffer(F32, "in"), build.buffer(F32, "out"), build.constant(0)
    value = build.cast(build.load(x, zero), dtype)
    build.store(y, zero, build.cast(build.add(value, value), F32))
    return build.finish()


_NO_64 = "WGSL computes in 32 bits; use {} or another device"
_SPLIT = "end the kernel there, so that the next one sees all"
REFUSED = {
    "webgpu has no f64: " + _NO_64.format("float32"): lambda: generate(copy(F64), WGSL),
    "webgpu has no i64: " + _NO_64.format("int32"): lambda: generate(copy(I64), WGSL),
    "opencl has no f64: this device does not compute in it; use float32 or another device": (
        lambda: generate(copy(F64), OPENCL, lacks=frozenset(("f64",)))
    ),
    "opencl has no i64: this device does not compute in it; use int32 or another device": (
        lambda: generate(half_sum(I64), OPENCL, lacks=frozenset(("i64", "u64", "f64")))
    ),
    "opencl has no 64-bit index: split the work": (
        lambda: generate(copy(F32), OPENCL, index_bits=64, lacks=frozenset(("i64",)))
    ),
    "webgpu has no u64: " + _NO_64.format("uint32"): lambda: generate(half_sum(U64), WGSL),
    "webgpu promises 8 buffers for one kernel, and copy takes 9: fuse less": (
        lambda: generate(copy(F32, 9), WGSL)
    ),
    "webgpu has no 64-bit index: split the work": lambda: generate(copy(F32), WGSL, index_bits=64),
    "webgpu, kernel fenced: no fence of scope device; " + _SPLIT: (
        lambda: generate(fenced("device", False), WGSL)
    ),
    "opencl, kernel fenced: no fence of scope workgroup; " + _SPLIT: (
        lambda: generate(fenced("workgroup", False), OPENCL)
    ),
    "webgpu, kernel fenced: a fence of scope workgroup is a barrier in WGSL, and this one is under control "
    "flow that varies by lane; move it where all lanes pass": (
        lambda: generate(fenced("workgroup", True), WGSL)
    ),
    "metal, kernel fenced: a fence of scope workgroup is a barrier in MSL, and this one is under control "
    "flow that varies by lane; move it where all lanes pass": lambda: generate(fenced_after_exits(), METAL),
    "webgpu, kernel total: 48 lanes for a reduction of 32 accumulators; schedule it for 1 lane or a multiple "
    "of 32": lambda: generate(sum_of(F32), WGSL, threads=48),
}


@pytest.mark.parametrize("message", list(REFUSED))
def test_refused(message: str) -> None:
    with pytest.raises(UnsupportedKernel) as caught:
        REFUSED[message]()
    assert str(caught.value) == message


def test_an_index_beyond_32_bits_is_refused_at_launch() -> None:
    source = generate(copy(F32), WGSL)
    with pytest.raises(OverflowError, match="jf_copy: 2147483648 is beyond this device's 32-bit indices"):
        launch_block(source, 0, 1, [1 << 31], [])
    wide = generate(copy(F32), OPENCL)
    assert launch_block(wide, 0, 1, [1 << 31], [])[16:24] == (1 << 31).to_bytes(8, "little")


@pytest.mark.parametrize("threads", [1, 64])
def test_narrow_indices(threads: int) -> None:
    """OpenCL's 32-bit indices give what its 64-bit ones do; positions are computed in them."""
    device_ = DEVICES["opencl"]
    device_.require()
    kernel, indices, groups = softmax(7, 70)
    x = np.random.default_rng(8).normal(size=490).astype(np.float32)
    given = ([x, np.zeros_like(x)], indices, (), range(groups))
    wide, narrow = (on_device(device_, kernel, *given, threads=threads, index_bits=b)[1] for b in (64, 32))
    same_bits(narrow, wide)
    text = generate(kernel, OPENCL, threads=threads, index_bits=32).text
    assert "long " not in text.replace("ulong ", "")


def test_the_width_of_indices_is_chosen_by_the_launch() -> None:
    assert choose_index_bits(OPENCL, [5, 1 << 20]) == 32
    assert choose_index_bits(OPENCL, [(1 << 31) - 5]) == 64
    assert choose_index_bits(OPENCL, [-(1 << 33)]) == 64
    assert choose_index_bits(WGSL, [1 << 40]) == 32
    assert choose_index_bits(OPENCL, []) == 32


def test_a_device_that_lacks_a_dtype_runs_the_others() -> None:
    """Its default index is one that it has."""
    lacks = frozenset(("i64", "u64", "f64"))
    source = generate(copy(F32), OPENCL, lacks=lacks)
    assert source.index_bits == 32
    assert generate(copy(F32), OPENCL, index_bits=32).text == source.text
    assert generate(copy(F64), OPENCL, lacks=frozenset(("f16",))).text == generate(copy(F64), OPENCL).text
