"""Atomics: every kind on every dtype, in every memory, and the orders that a device has."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.c_family import (
    CUDA,
    OPENCL,
    OPENCL_2,
    OPENCL_3,
    WGSL,
    Dialect,
    UnsupportedKernel,
    generate,
)
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import REDUCTION_LANES, Buffer, Kernel, Value
from jitframe.codegen.kernel.verify_effects import ATOMIC_KINDS, ATOMIC_ORDERS
from jitframe.ir.types import BF16, DTYPES, F32, F64, I8, I32, I64, U8, U32, U64, DType

from .devices import WHOLE, Device
from .test_devices import as_numbers, meant, on_device, same_bits
from .test_operations import stored

LANES, GROUPS = 64, 5


@pytest.fixture(params=list(WHOLE))
def device(request: pytest.FixtureRequest) -> Device:
    chosen = WHOLE[request.param]
    chosen.require()
    return chosen


def admitted(dtype: DType) -> list[str]:
    return [kind for kind, letters in ATOMIC_KINDS.items() if dtype.kind[0] in letters]


def kinds_of(dtype: DType, space: str) -> Kernel:
    """y[k] becomes what kind k makes of all x, each lane giving one; the last kind, exchange, any of them."""
    build = KernelBuilder("kinds")
    y, x = build.buffer(dtype, "inout"), build.buffer(dtype, "in")
    lane, zero = build.lane_id(), build.constant(0)
    value = build.load(x, build.add(build.mul(build.group_id(), build.constant(LANES)), lane))
    kinds = admitted(dtype)
    if space == "global":
        for number, kind in enumerate(kinds):
            build.atomic(kind, y, build.constant(number), value)
        return build.finish(LANES)
    shared = build.allocate(dtype, len(kinds), "shared")
    count = build.constant(len(kinds))
    with build.when(build.emit("lt", (lane, count))):
        build.store(shared, lane, build.load(y, lane))
    build.barrier(0)
    for number, kind in enumerate(kinds):
        build.atomic(kind, shared, build.constant(number), value, scope="workgroup")
    build.barrier(1)
    with build.when(build.emit("lt", (lane, count))):
        place = build.add(build.mul(build.group_id(), count), lane)
        build.store(y, place, build.load(shared, lane))
    assert zero is not None
    return build.finish(LANES)


def has_atomics(device: Device, dtype: DType, space: str) -> bool:
    d = device.dialect
    if dtype.name not in d.types:
        return False
    if dtype.itemsize == 8:
        return bool(d.atomic_retry64)
    return dtype.itemsize == 4 or (d.packed and space == "global")


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind != "bool"], ids=str)
def test_every_kind(device: Device, dtype: DType, space: str) -> None:
    kernel, kinds = kinds_of(dtype, space), admitted(dtype)
    if not has_atomics(device, dtype, space):
        with pytest.raises(UnsupportedKernel, match=f"(no atomics on|has no) {dtype.name}[;:] "):
            generate(kernel, device.dialect)
        return
    numbers = np.random.default_rng(1).integers(0, 3, LANES * GROUPS)
    if dtype is BF16:
        numbers //= 2  # Sums above 256 are rounded, and then depend on the lanes' order.
    first = {"add": 1, "min": 50, "max": 0, "exchange": 100, "and": 7, "or": 8, "xor": 16}
    groups = 1 if space == "shared" else GROUPS
    x, y = stored(numbers, dtype), stored([first[kind] for kind in kinds], dtype)
    before = [y, x]
    after, _ = on_device(device, kernel, before, groups=range(groups))
    due, _ = meant(device, kernel, before, groups=range(groups))
    exchange = kinds.index("exchange")
    assert after[exchange] in as_numbers(kernel, before)[1]
    after[exchange] = due[exchange]
    same_bits(after, due)


@pytest.mark.parametrize("dtype", [I32, U32, F32, F64, I64, U64, U8, I8], ids=str)
def test_each_adder_sees_another_number(device: Device, dtype: DType) -> None:
    """What the lanes get are the numbers from 0, each once: no two adders saw the same."""
    if not has_atomics(device, dtype, "global"):
        pytest.skip(f"{device.dialect.device} has no atomics on {dtype}")
    build = KernelBuilder("ticket")
    counter, y = build.buffer(dtype, "inout"), build.buffer(I32, "out")
    place = build.add(build.mul(build.group_id(), build.constant(LANES)), build.lane_id())
    old = build.atomic("add", counter, build.constant(2), build.constant(1.0 if dtype.is_float else 1, dtype))
    build.store(y, place, build.cast(old, I32))
    mask = 127 if dtype.bits == 8 else 255
    kernel = build.finish(LANES)
    beside = stored([7, 7, 0, 7], dtype)
    held, tickets = on_device(device, kernel, [beside, np.zeros(LANES * 2, np.int32)], groups=range(2))
    assert sorted(tickets & mask) == sorted(k & mask for k in range(LANES * 2))
    assert held.tolist()[:2] == [7, 7] and held[3] == 7


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_floats_keep_nan(device: Device, dtype: DType) -> None:
    if not has_atomics(device, dtype, "global"):
        pytest.skip(f"{device.dialect.device} has no atomics on {dtype}")
    build = KernelBuilder("extremes")
    y, x = build.buffer(dtype, "inout"), build.buffer(dtype, "in")
    value = build.load(x, build.lane_id())
    build.atomic("min", y, build.constant(0), value)
    build.atomic("max", y, build.constant(1), value)
    x_ = stored([*range(30), float("nan"), float("-inf")], dtype)
    result, _ = on_device(device, build.finish(32), [stored([1, 1], dtype), x_])
    assert np.isnan(result).all()


def last_one_sums(workgroup: int) -> Kernel:
    """Each workgroup writes a part and takes a ticket; whoever has the last one adds up all parts."""
    build = KernelBuilder("last_one")
    x, parts = build.buffer(F32, "in"), build.buffer(F32, "inout")
    ticket, y = build.buffer(U32, "inout"), build.buffer(F32, "out")
    groups, zero, one = build.index(), build.constant(0), build.constant(1)
    group = build.group_id()
    width = build.constant(50)

    def sum_of(source: Buffer, first: Value, count: Value) -> Value:
        (total,) = build.reduce(
            zero,
            count,
            (build.constant(0.0, F32),),
            lambda i: (build.load(source, build.add(first, i)),),
            lambda a, b: (build.add(a, b),),
        )
        return total

    build.store(parts, group, sum_of(x, build.mul(group, width), width))
    mine = build.atomic("add", ticket, zero, build.constant(1, U32), scope="device", order="acquire_release")
    last = build.cast(build.sub(groups, one), U32)
    with build.when(build.emit("eq", (mine, last))):
        build.store(y, zero, sum_of(parts, zero, groups))
    return build.finish(workgroup)


@pytest.mark.parametrize("threads", [1, 32, 64])
def test_what_was_released_is_acquired(device: Device, threads: int) -> None:
    if "acquire_release" not in device.dialect.orders or "device" not in device.dialect.scopes:
        with pytest.raises(UnsupportedKernel, match="no acquire_release atomics; use order relaxed and"):
            generate(last_one_sums(1), device.dialect, threads=threads)
        return
    groups = 300
    x = np.random.default_rng(2).normal(size=50 * groups).astype(np.float32)
    arrays = [x, np.zeros(groups, np.float32), np.zeros(1, np.uint32), np.zeros(1, np.float32)]
    _, parts, _, y = on_device(
        device, last_one_sums(1), arrays, [groups], groups=range(groups), threads=threads
    )
    same_bits(parts, np.array([sum_as_defined(part) for part in x.reshape(groups, 50)]))
    same_bits(y, np.array([sum_as_defined(parts)]))


def sum_as_defined(x: np.ndarray) -> np.float32:
    sums = np.zeros(REDUCTION_LANES, np.float32)
    for number, value in enumerate(x):
        sums[number % REDUCTION_LANES] += value
    while len(sums) > 1:
        sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
    return sums[0]


def ordered(order: str, scope: str, dtype: DType = I32) -> Kernel:
    build = KernelBuilder("ordered")
    x = build.buffer(dtype, "inout")
    build.atomic("add", x, build.constant(0), build.constant(1, dtype), scope=scope, order=order)
    return build.finish(32)


def runs(dialect: Dialect, order: str, scope: str) -> bool:
    try:
        generate(ordered(order, scope), dialect)
    except UnsupportedKernel:
        return False
    return True


@pytest.mark.parametrize("order", ATOMIC_ORDERS)
def test_orders_are_spelled_or_refused(order: str) -> None:
    for scope in ("workgroup", "device"):
        assert runs(OPENCL, order, scope) == runs(WGSL, order, scope) == (order == "relaxed")
        for dialect in (OPENCL_2, OPENCL_3):
            assert dialect.orders[order] in generate(ordered(order, scope), dialect).text
    assert not runs(OPENCL_3, order, "system")


def test_orders_made_of_fences() -> None:
    """A language with fences and relaxed atomics: before a release, after an acquire, strict ones around."""
    texts = {order: _body(generate(ordered(order, "device"), CUDA).text) for order in ATOMIC_ORDERS[:4]}
    fence = CUDA.fences["device"]
    places = {order: [line.strip() == fence for line in lines] for order, lines in texts.items()}
    assert places["relaxed"] == [False]
    assert places["acquire"] == [False, True]
    assert places["release"] == [True, False]
    assert places["acquire_release"] == [True, False, True]


def _body(text: str) -> list[str]:
    """From the fence or atomic on."""
    lines = text.splitlines()
    return [line for line in lines if "fence" in line or "atomicAdd" in line]
