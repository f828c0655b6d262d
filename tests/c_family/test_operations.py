"""Every operation on every dtype of each device, on awkward operands, against the interpreter."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import WGSL, UnsupportedKernel, generate
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import ARITHMETIC, COMPARISONS, MATH, KernelOp
from jitframe.codegen.kernel.scalars import from_number, storage_dtype, to_storage
from jitframe.codegen.kernel.verify import KIND_LETTER
from jitframe.ir.types import BOOL, DTYPES, F32, DType

from .devices import Device
from .test_devices import device, meant, on_device, same_bits

__all__ = ["device"]

_FLOATS = [0.0, 1.0, 1.5, 2.5, 0.1, 7.0, 1e-30, 8388609.0, 4294967296.0, 3e38, float("inf")]
_HALVES = [0.0, 1.0, 1.5, 2.5, 0.1, 7.0, 6e-8, 1e-5, 3.1415926, 65504.0, 65520.0, 3e38, float("inf")]
INEXACT = {"webgpu": frozenset(("div", "sqrt"))}
"""What WebGPU allows 2.5 ulp."""


def awkward(dtype: DType) -> list:
    if dtype is BOOL:
        return [False, True]
    if dtype.is_float:
        values = _HALVES if dtype.bits == 16 else _FLOATS
        return [*values, *(-v for v in values), float("nan")]
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = (1 << (dtype.bits - dtype.is_signed)) - 1
    values = [0, 1, 2, 7, dtype.bits - 1, dtype.bits, 100, high // 3, high - 1, high, low, low + 1]
    return [*values, -1, -7] if dtype.is_signed else values


def stored(values: Iterable[Any], dtype: DType) -> np.ndarray:
    return np.array([to_storage(from_number(v, dtype), dtype) for v in values], storage_dtype(dtype))


def pairs(dtype: DType) -> list[np.ndarray]:
    """All pairs of awkward values."""
    rows = list(itertools.product(awkward(dtype), repeat=2))
    return [stored(column, dtype) for column in zip(*rows)]


def all_at_once(ops: list[KernelOp], dtype: DType, result: DType) -> Kernel:
    """y[number * extent + i] = op(x0[i], x1[i], x0[i], …), as many operands as an op takes."""
    build = KernelBuilder("operations")
    x0, x1, y = build.buffer(dtype, "in"), build.buffer(dtype, "in"), build.buffer(result, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        most = max(3, *(op.arity or 0 for op in ops))
        values = [build.load(x1 if number % 2 else x0, i) for number in range(most)]
        for number, op in enumerate(ops):
            there = build.add(build.mul(build.constant(number), extent), i)
            build.store(y, there, build.emit(op.name, values[: op.arity]))
    return build.finish()


def check(
    device: Device,
    ops: list[KernelOp],
    dtype: DType,
    result: DType,
    inexact: frozenset[str],
    operands: list[np.ndarray] | None = None,
) -> None:
    """Of all pairs, or of the operands given."""
    arrays = pairs(dtype) if operands is None else list(operands)
    count = len(arrays[0])
    arrays.append(np.zeros(count * len(ops), storage_dtype(result)))
    kernel = all_at_once(ops, dtype, result)
    actual, expected = (run(device, kernel, arrays, [count])[-1] for run in (on_device, meant))
    for number, op in enumerate(ops):
        part = slice(number * count, (number + 1) * count)
        got, due = actual[part], expected[part]
        finite = np.isfinite(due) if op.name in inexact else np.zeros(count, bool)
        try:
            if finite.any():
                np.testing.assert_array_max_ulp(got[finite], due[finite], 4)
            same_bits(got[~finite], due[~finite])
        except AssertionError as error:
            wrong = [(*(a[k] for a in arrays[:2]), got[k], due[k]) for k in range(count) if got[k] != due[k]]
            raise AssertionError(f"{op.name} of {dtype}: x, y, actual, expected: {wrong[:8]}") from error


def has(device: Device, *dtypes: DType) -> bool:
    return all(dtype.name in device.dialect.types for dtype in dtypes)


def admitted(device: Device, ops: Iterable[KernelOp], dtype: DType) -> list[KernelOp]:
    kept = [op for op in ops if KIND_LETTER[dtype.kind] in op.kinds]
    return kept if device.dialect.fma else [op for op in kept if op.name != "fma"]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_arithmetic(device: Device, dtype: DType) -> None:
    if has(device, dtype):
        inexact = INEXACT.get(device.dialect.device, frozenset())
        check(device, admitted(device, ARITHMETIC.values(), dtype), dtype, dtype, inexact)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_comparisons(device: Device, dtype: DType) -> None:
    if has(device, dtype):
        check(device, list(COMPARISONS.values()), dtype, BOOL, frozenset())


@pytest.mark.parametrize("dtype", [t for t in DTYPES if t.is_float or t.kind == "uint"], ids=str)
def test_math_is_that_of_the_cpu(device: Device, dtype: DType) -> None:
    """To the last bit, but where WebGPU's division comes in."""
    if has(device, dtype):
        rounded = dtype.is_float and device.dialect.device == "webgpu"
        inexact = frozenset(MATH) if rounded else frozenset()
        # The interpreter takes its time: no value comes twice, and 16-bit floats are computed as f32 anyway.
        singles = [stored(awkward(dtype), dtype)] * 2
        couples = [column[:: 5 if dtype.bits == 16 else 1].copy() for column in pairs(dtype)]
        for arity, operands in ((1, singles), (2, couples)):
            ops = [op for op in admitted(device, MATH.values(), dtype) if op.arity == arity]
            if ops:
                check(device, ops, dtype, dtype, inexact, operands)


def conversions(source: DType, targets: list[tuple[str, DType]]) -> Kernel:
    build = KernelBuilder("conversions")
    x = build.buffer(source, "in")
    outputs = [build.buffer(target, "out") for _, target in targets]
    with build.loop(build.constant(0), build.index(), kind="lanes") as (i,):
        for (name, target), output in zip(targets, outputs, strict=True):
            build.store(output, i, build.emit(name, (build.load(x, i),), {"dtype": target}))
    return build.finish()


@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_conversions(device: Device, source: DType) -> None:
    if not has(device, source):
        with pytest.raises(UnsupportedKernel, match=f"^{device.dialect.device} has no {source.name}: "):
            generate(conversions(source, [("cast", F32)]), device.dialect)
        return
    targets = [("cast", t) for t in DTYPES] + [("bitcast", t) for t in DTYPES if t.bits == source.bits]
    targets = [(name, target) for name, target in targets if has(device, target)]
    x = stored(awkward(source), source)
    for start in range(0, len(targets), 7):
        part = targets[start : start + 7]
        kernel = conversions(source, part)
        arrays = [x, *(np.zeros(len(x), storage_dtype(target)) for _, target in part)]
        actual, expected = (run(device, kernel, arrays, [len(x)]) for run in (on_device, meant))
        for got, due in zip(actual, expected, strict=True):
            same_bits(got, due)


def test_no_fma_in_wgsl() -> None:
    with pytest.raises(UnsupportedKernel, match="fma has no exact form in WGSL"):
        generate(all_at_once([ARITHMETIC["fma"]], F32, F32), WGSL)


def test_index_operations(device: Device) -> None:
    """quotient, remainder and the rest on indices, at each width of index that the language has."""
    for bits in device.dialect.index_bits:
        build = KernelBuilder("positions")
        y, extent, row = build.buffer(F32, "out"), build.index(), build.index()
        with build.loop(build.constant(0), extent, kind="serial") as (i,):
            there = build.emit("quotient", (i, row))
            here = build.emit("remainder", (i, row))
            turned = build.emit("maximum", (build.emit("neg", (here,)), build.sub(there, i)))
            sum_ = build.add(build.mul(turned, row), build.emit("abs", (turned,)))
            build.store(y, i, build.cast(sum_, F32))
        kernel = build.finish()
        arrays = [np.zeros(100, np.float32)]
        (actual,) = on_device(device, kernel, arrays, [100, 7], index_bits=bits)
        (expected,) = meant(device, kernel, arrays, [100, 7])
        same_bits(actual, expected)
