"""Subgroup operations on devices that have them, and reductions through shuffles with the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.c_family import METAL, OPENCL, WGSL, UnsupportedKernel, generate, opencl_dialect
from jitframe.codegen.c_family.metal import with_simd_groups
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import BOOL, DTYPES, F32, DType

from .devices import DEVICES, SHUFFLING, Device
from .kernels import awkward, several_outputs, softmax
from .test_devices import meant, on_device, same_bits
from .test_operations import stored
from .test_workgroups import sum_of, through_memory

REQUIRED_32 = opencl_dialect(
    (3, 0), ("cl_khr_subgroup_shuffle_relative", "cl_intel_required_subgroup_size", "cl_khr_fp64"), (), (32,)
)


@pytest.fixture(params=list(SHUFFLING))
def subgroups(request: pytest.FixtureRequest) -> Device:
    chosen = SHUFFLING[request.param]
    chosen.require()
    return chosen


def has(device: Device, dtype: DType, lanes: int = 32) -> None:
    dialect = device.dialect
    if dtype.name not in dialect.types:
        pytest.skip(f"{dialect.name} has no {dtype}")
    if not dialect.subgroup_size and lanes % dialect.subgroup_lanes:
        with pytest.raises(
            UnsupportedKernel, match=f"by {lanes} lanes; take a multiple of {dialect.subgroup_lanes}"
        ):
            generate(shuffles(dtype, lanes), dialect)
        pytest.skip("refused")


def shuffles(dtype: DType, workgroup: int) -> Kernel:
    build = KernelBuilder("shuffles")
    x, y, distance = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    lane = build.lane_id()
    build.store(y, lane, build.shuffle_down(build.load(x, lane), distance))
    return build.finish(workgroup)


def reduces(dtype: DType, kind: str, workgroup: int) -> Kernel:
    build = KernelBuilder("reduces")
    x, y = build.buffer(dtype, "in"), build.buffer(dtype, "out")
    lane = build.lane_id()
    value = build.load(x, lane)
    build.store(y, lane, build.emit("subgroup_reduce", (value,), {"dtype": dtype, "kind": kind}))
    return build.finish(workgroup)


@pytest.mark.parametrize("lanes", [64, 36])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_shuffles(subgroups: Device, dtype: DType, lanes: int) -> None:
    """Also where not all subgroups are full."""
    has(subgroups, dtype, lanes)
    numbers = np.random.default_rng(1).integers(0, 2 if dtype is BOOL else 100, lanes)
    x = stored(numbers, dtype)
    for distance in (0, 1, 5, 16, 31, 40):
        arrays = [x, np.zeros_like(x)]
        got = on_device(subgroups, shuffles(dtype, lanes), arrays, [distance])[1]
        due = meant(subgroups, shuffles(dtype, lanes), arrays, [distance])[1]
        same_bits(got, due)


@pytest.mark.parametrize("lanes", [64, 36])
@pytest.mark.parametrize("kind", ["add", "min", "max"])
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d is not BOOL], ids=str)
def test_reductions_of_subgroups(subgroups: Device, dtype: DType, kind: str, lanes: int) -> None:
    has(subgroups, dtype, lanes)
    numbers = awkward(np.random.default_rng(2), lanes) if dtype is F32 else np.arange(lanes) * 37 % 101
    x = stored(numbers, dtype)
    arrays = [x, np.zeros_like(x)]
    got, due = (run(subgroups, reduces(dtype, kind, lanes), arrays)[1] for run in (on_device, meant))
    same_bits(got, due)


@pytest.mark.parametrize("threads", [1, 64])
def test_one_lane_is_a_subgroup_of_its_own(threads: int) -> None:
    """Also where the device has none."""
    for device in DEVICES.values():
        if device.reason:
            continue
        build = KernelBuilder("alone")
        x, y, zero = build.buffer(F32, "in"), build.buffer(F32, "out"), build.constant(0)
        value = build.shuffle_down(build.load(x, zero), build.constant(1))
        build.store(y, zero, build.emit("subgroup_reduce", (value,), {"dtype": F32, "kind": "add"}))
        _, y_ = on_device(device, build.finish(), [np.float32([3]), np.float32([0])], threads=threads)
        assert y_.tolist() == [3]


def test_refused_where_there_are_none() -> None:
    for dialect in (OPENCL, WGSL):
        for name, kernel in (("shuffle_down", shuffles(F32, 64)), ("reduce", reduces(F32, "add", 64))):
            with pytest.raises(UnsupportedKernel) as caught:
                generate(kernel, dialect)
            due = f"kernel {kernel.name}: no subgroup_{name}; reduce through shared memory"
            assert str(caught.value) == f"{dialect.device}, {due}"


# Reductions ------------------------------------------------------------------------------------------
def test_a_subgroup_reduces_without_memory() -> None:
    text = generate(sum_of(F32), REQUIRED_32, threads=32).text
    assert "sub_group_shuffle_down" in text and "__local" not in text and "barrier" not in text
    assert "sub_group_shuffle_down" not in generate(sum_of(F32), OPENCL, threads=32).text
    apple = generate(sum_of(F32), with_simd_groups(METAL), threads=32)
    assert (
        "simd_shuffle_down" in apple.text
        and "threadgroup_barrier" not in apple.text
        and apple.subgroup_lanes == 32
    )
    assert apple.text.count("simdgroup_barrier") == 2  # lanes come from loops of different lengths
    assert generate(several_outputs(), with_simd_groups(METAL), threads=32).subgroup_lanes == 0
    wider = generate(sum_of(F32), REQUIRED_32, threads=128).text
    assert "sub_group_shuffle_down" in wider and "partial" not in wider


@pytest.mark.parametrize("threads", [32, 64, 256])
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.is_float], ids=str)
def test_sums_keep_their_bits(subgroups: Device, dtype: DType, threads: int) -> None:
    has(subgroups, dtype)
    for extent in (0, 1, 31, 33, 1000):
        x = stored(np.random.default_rng(3).normal(size=max(extent, 1)), dtype)
        arrays = [x, stored([0], dtype)]
        got = on_device(subgroups, sum_of(dtype), arrays, [extent], threads=threads)[1]
        same_bits(got, meant(subgroups, sum_of(dtype), arrays, [extent])[1])


@pytest.mark.parametrize("threads", [32, 128])
def test_softmax_and_values_that_decide_loops(subgroups: Device, threads: int) -> None:
    kernel, indices, groups = softmax(5, 300)
    x = np.random.default_rng(4).normal(0, 4, 1500).astype(np.float32)
    given = ([x, np.zeros_like(x)], indices, (), range(groups))
    same_bits(on_device(subgroups, kernel, *given, threads=threads)[1], meant(subgroups, kernel, *given)[1])
    work = np.random.default_rng(5).uniform(0, 90, 333).astype(np.float32)
    given = ([work, np.zeros(3, np.float32)], [333])
    for got, due in zip(
        on_device(subgroups, through_memory(), *given, threads=threads),
        meant(subgroups, through_memory(), *given),
        strict=True,
    ):
        same_bits(got, due)
