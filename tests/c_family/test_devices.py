"""Generated OpenCL C and WGSL gives the kernel interpreter's values on real devices.

Bits are promised for everything but WGSL's division and square root, which WebGPU allows 2.5 ulp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import generate
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import REDUCTION_LANES, Kernel
from jitframe.codegen.kernel.ops import MATH
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.ir.types import BF16

from .devices import DEVICES, Device, launch, scalar_bits
from .kernels import TILE, awkward, several_outputs, softmax, transpose, workgroup_sum

THREADS = (1, 32, 64, 256)
_INTERPRETED: dict[tuple[Any, ...], list[np.ndarray]] = {}


@pytest.fixture(params=list(DEVICES))
def device(request: pytest.FixtureRequest) -> Device:
    chosen = DEVICES[request.param]
    chosen.require()
    return chosen


def on_device(
    device: Device,
    kernel: Kernel,
    arrays: Sequence[np.ndarray],
    indices: Sequence[int] = (),
    scalars: Sequence[Any] = (),
    groups: range = range(1),
    **options: Any,
) -> list[np.ndarray]:
    """The arrays after a launch."""
    verify(kernel, allow_fma=True)
    source = generate(kernel, device.dialect, **options)
    held = [array.copy() for array in arrays]
    words = [scalar_bits(value, scalar.dtype) for value, scalar in zip(scalars, kernel.scalars, strict=True)]
    launch(device, source, held, indices, words, groups)
    return as_numbers(kernel, held)


def as_numbers(kernel: Kernel, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The buffers after a launch; bf16 as the f32 it stands for."""
    return [
        (array.astype(np.uint32) << 16).view(np.float32) if buffer.dtype is BF16 else array
        for array, buffer in zip(arrays, kernel.buffers, strict=True)
    ]


def meant(
    device: Device,
    kernel: Kernel,
    arrays: Sequence[np.ndarray],
    indices: Sequence[int] = (),
    scalars: Sequence[Any] = (),
    groups: range = range(1),
) -> list[np.ndarray]:
    """The same by the interpreter, with the math functions' bodies that the device has. Not to be written to:
    devices and numbers of lanes of which the same is due share it."""
    own = frozenset(MATH) - device.dialect.functions.keys()
    expanded = expand_math(kernel, MathFeatures(fma=device.dialect.fma), own)
    lanes = device.dialect.subgroup_lanes or REDUCTION_LANES
    launched = kernel_text(expanded), repr((list(indices), list(scalars), groups, lanes))
    key = launched, tuple((array.dtype.str, array.tobytes()) for array in arrays)
    due = _INTERPRETED.get(key)
    if due is None:
        held = [array.copy() for array in arrays]
        interpret(expanded, held, indices, scalars, groups, lanes)
        due = _INTERPRETED[key] = as_numbers(kernel, held)
        for array in due:
            array.flags.writeable = False
    return due


def same_bits(actual: np.ndarray, expected: np.ndarray) -> None:
    """Equal to the last bit; any NaN is equal to any other."""
    if expected.dtype.kind == "f":
        unsigned = f"u{expected.dtype.itemsize}"
        nan = np.isnan(expected)
        np.testing.assert_array_equal(np.isnan(actual), nan)
        actual, expected = actual.view(unsigned)[~nan], expected.view(unsigned)[~nan]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("shape", [(5, 37), (3, 1), (2, 300)])
def test_softmax_of_the_graph(device: Device, shape: tuple[int, int], threads: int) -> None:
    kernel, indices, groups = softmax(*shape)
    x = np.random.default_rng(1).normal(0, 4, shape).astype(np.float32).ravel()
    arrays = [x, np.zeros_like(x)]
    _, y = on_device(device, kernel, arrays, indices, (), range(groups), threads=threads)
    _, expected = meant(device, kernel, arrays, indices, (), range(groups))
    if device.dialect.name == "WGSL":
        np.testing.assert_array_max_ulp(y, expected, 3)
    else:
        same_bits(y, expected)
    exact = np.exp(x.reshape(shape).astype(np.float64) - x.reshape(shape).max(1, keepdims=True))
    exact /= exact.sum(1, keepdims=True)
    np.testing.assert_allclose(y.reshape(shape), exact, rtol=2e-6)


@pytest.mark.parametrize("shape", [(1, 1), (TILE, TILE), (37, 50), (64, 5)])
def test_transpose_through_shared_memory(device: Device, shape: tuple[int, int]) -> None:
    rows, columns = shape
    x = awkward(np.random.default_rng(2), rows * columns)
    across, down = -(-columns // TILE), -(-rows // TILE)
    arrays = [x, np.zeros_like(x)]
    _, y = on_device(device, transpose(), arrays, [rows, columns, across], (), range(across * down))
    same_bits(y, np.ascontiguousarray(x.reshape(shape).T).ravel())


@pytest.mark.parametrize("extent", [1, 64, 1000])
def test_sum_by_a_workgroup(device: Device, extent: int) -> None:
    groups = -(-extent // 64)
    arrays = [np.random.default_rng(3).normal(size=extent).astype(np.float32), np.zeros(groups, np.float32)]
    (_, y), (_, expected) = (
        run(device, workgroup_sum(), arrays, [extent], (), range(groups)) for run in (on_device, meant)
    )
    same_bits(y, expected)


@pytest.mark.parametrize("threads", [1, 7, 64])
@pytest.mark.parametrize("limit", [3, 0, -4])
def test_several_outputs_and_scalars(device: Device, threads: int, limit: int) -> None:
    extent, tile = 203, 50
    x = awkward(np.random.default_rng(4), extent)
    arrays = [x, np.zeros(extent, np.float32), np.zeros(extent, bool), np.zeros(extent, np.int32)]
    arrays.append(np.zeros(extent, np.uint8))
    given = ([tile, extent], [1.5, limit], range(5))
    actual = on_device(device, several_outputs(), arrays, *given, threads=threads)
    for got, expected in zip(actual, meant(device, several_outputs(), arrays, *given), strict=True):
        same_bits(got, expected)


def test_a_range_of_workgroups(device: Device) -> None:
    """Workgroups outside begin..end-1 write nothing."""
    x = np.ones(640, np.float32)
    _, y = on_device(device, workgroup_sum(), [x, np.zeros(10, np.float32)], [640], (), range(2, 9))
    assert y.tolist() == [0, 0, *[64] * 7, 0]
