"""Loops that append chosen elements: every level, and the interpreter, append the same ones in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.ir.types import F32, F64, I8, I64, U32, U64, DType

from .llvm_harness import LEVELS, Compiled, Guarded, text_of

SIZES = [0, 1, 7, 8, 15, 16, 17, 100, 1000]


def split(dtype: DType, exact: bool = True) -> Kernel:
    """Elements of x below a limit go to another buffer, the others to the start of x; and their numbers.

    Nothing is written behind them if `exact`.
    """
    build = KernelBuilder("split")
    x, out, counts = build.buffer(dtype, "inout"), build.buffer(dtype, "inout"), build.buffer(I64, "out")
    extent, limit = build.index(), build.scalar(dtype)

    def step(i: Value, low: Value, high: Value) -> tuple[Value, Value]:
        value = build.load(x, i)
        below = value < limit
        beyond = ~below
        build.store(out, low, value, below if exact else None)
        build.store(x, high, value, beyond if exact else None)
        return low + build.cast(below, low.dtype), high + build.cast(beyond, high.dtype)

    zero = build.constant(0)
    for number, count in enumerate(build.carry(0, extent, (zero, zero), step, appends=True)):
        build.store(counts, number, build.cast(count, I64))
    return build.finish()


def values_of(dtype: DType, size: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(size).integers(0, 100, size).astype(dtype.numpy_name)


def check(before: np.ndarray, x: np.ndarray, out: np.ndarray, counts: np.ndarray, exact: bool = True) -> None:
    low, high = before[before < 40], before[before >= 40]
    np.testing.assert_array_equal(counts, [len(low), len(high)])
    np.testing.assert_array_equal(out[: len(low)], low)
    np.testing.assert_array_equal(x[: len(high)], high)
    if exact:
        assert not out[len(low) :].any()
        np.testing.assert_array_equal(x[len(high) :], before[len(high) :])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("dtype", [F32, F64, U32, U64, I8])
def test_elements_are_split_in_order(level: str, dtype: DType, exact: bool) -> None:
    """Nothing is written behind the arrays, which end beside an unreadable page."""
    kernel, kind = Compiled(split(dtype, exact), level), np.dtype(dtype.numpy_name)
    for size in SIZES:
        before, pages = values_of(dtype, size), (Guarded(), Guarded())
        x, out = pages[0].at_end(before.copy()), pages[1].at_end(np.zeros(size, kind))
        counts = np.zeros(2, np.int64)
        slots = np.array([x.ctypes.data, out.ctypes.data, counts.ctypes.data, size, 0], np.int64)
        slots[4:].view(kind)[0] = 40
        kernel.call(slots.ctypes.data, 0, 1)
        check(before, x, out, counts, exact)


@pytest.mark.parametrize("exact", [True, False])
def test_the_interpreter_agrees_and_the_text_is_read_again(exact: bool) -> None:
    kernel = split(F32, exact)
    verify(kernel)
    again = parse_kernel(kernel_text(kernel))
    assert kernel_text(again) == kernel_text(kernel) and "appends=True" in kernel_text(kernel)
    before = values_of(F32, 37)
    x, out, counts = before.copy(), np.zeros_like(before), np.zeros(2, np.int64)
    interpret(again, [x, out, counts], [37], [np.float32(40)], range(1))
    check(before, x, out, counts, exact)


def test_vectors_are_compressed_where_an_instruction_does_that() -> None:
    assert (
        text_of(split(F32), "avx512").count("vector.compress.v16f32") == 4
    )  # whole vectors, and the last one
    assert "compress" not in text_of(split(F32), "avx2") + text_of(split(I8), "avx512")


@pytest.mark.parametrize(("dtype", "masks"), [(F32, 256), (F64, 16)])
def test_vectors_are_permuted_by_a_table_of_masks(dtype: DType, masks: int) -> None:
    """Where the processor has no compression, and what is behind the elements is unspecified."""
    text = text_of(split(dtype, exact=False), "avx2")
    assert text.count("avx2.permd") == 4 and f"[{masks * 8} x i8]" in text
    assert text.count("masked.store") == 2  # of the last vector
    assert "permd" not in text_of(split(dtype), "avx2")


def test_other_loops_are_serial() -> None:
    """A position that moves by something else than the mask of its store."""
    build = KernelBuilder("by_two")
    x, out, extent = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.index()

    def step(i: Value, at: Value) -> tuple[Value]:
        value = build.load(x, i)
        build.store(out, at, value, value < 0)
        return (at + build.cast(value < 1, at.dtype),)

    build.carry(0, extent, (build.constant(0),), step, appends=True)
    assert "compress" not in text_of(build.finish(), "avx512")
