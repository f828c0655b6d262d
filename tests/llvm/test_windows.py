"""Loads at every second to fourth element: right lanes, nothing read outside the array, vectors shared."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import BOOL, F16, F32, F64, I32, I64, U8, DType

from .llvm_harness import LEVELS, Compiled, Guarded, fast, same_bits, text_of

SIZES = [1, 2, 3, 4, 7, 15, 16, 17, 31, 33, 64, 100]
SHAPES = [
    (2, (0,)),
    (2, (1, 0)),
    (3, (2, 1, 0)),
    (3, (0, 2)),
    (3, (0, 1, 2, 3, 4, 5)),
    (4, (1,)),
    (4, (3, 0, 1)),
]
levels = pytest.mark.parametrize("level", LEVELS)


def components(dtype: DType, step: int, offsets: tuple[int, ...], length: int = 1) -> Kernel:
    """out[i] = the sum of x[step * i + offset] over the offsets, added `length` times."""
    build = KernelBuilder("components")
    x, out, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        root = build.mul(i, build.constant(step))
        loaded = [build.load(x, build.add(build.constant(offset), root)) for offset in offsets]
        total = loaded[0]
        for _ in range(length):
            for value in loaded[1:] or loaded:
                total = build.add(total, value)
        build.store(out, i, total)
    return build.finish()


@levels
@pytest.mark.parametrize(
    ("dtype", "shape", "length"),
    fast(
        lambda dtype, _, length: length == 1 or dtype in (F32, I64), [F32, F64, I32, I64, U8], SHAPES, [1, 40]
    ),
)
def test_components(level: str, dtype: DType, shape: tuple[int, tuple[int, ...]], length: int) -> None:
    """The array begins with the first element read and ends with the last, each beside an unreadable page."""
    step, offsets = shape
    compiled, kind = Compiled(components(dtype, step, offsets, length), level), np.dtype(dtype.numpy_name)
    low, span = min(offsets), max(offsets) - min(offsets) + 1
    for size in SIZES:
        values = np.random.default_rng(size).integers(0, 9, step * (size - 1) + span).astype(kind)
        expected = values[offsets[0] - low :: step][:size].copy()
        for _ in range(length):
            for offset in offsets[1:] or offsets:
                expected += values[offset - low :: step][:size]
        guarded = Guarded()
        for place in (guarded.at_end, guarded.at_start):
            x, out = place(values), place(np.zeros(size, kind))
            slots = np.array([x.ctypes.data - low * kind.itemsize, out.ctypes.data, size], np.int64)
            compiled.call(slots.ctypes.data, 0, 1)
            assert same_bits(out, expected), size


@levels
def test_a_load_that_may_not_run_widens_no_window(level: str) -> None:
    """x[3 i] always, x[3 i + 2] only before the last: the array ends with the last x[3 i]."""
    build = KernelBuilder("guarded")
    x, out, extent, last = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index(), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        root = build.mul(i, build.constant(3))
        first = build.load(x, root)
        (second,) = build.branch(
            build.emit("lt", (i, last)),
            lambda: [build.load(x, build.add(root, build.constant(2)))],
            lambda: [build.constant(0.0, F32)],
        )
        build.store(out, i, build.add(first, second))
    compiled = Compiled(build.finish(), level)
    for size in SIZES:
        guarded = Guarded()
        x_values = guarded.at_end(np.arange(3 * (size - 1) + 1, dtype=np.float32))
        result = np.zeros(size, np.float32)
        compiled([x_values, result], [size, size - 1])
        expected = x_values[::3].copy()
        expected[:-1] += x_values[2::3][: size - 1]
        assert same_bits(result, expected), size


@levels
@pytest.mark.parametrize("dtype", [F16, BOOL], ids=str)
def test_other_elements(level: str, dtype: DType) -> None:
    build = KernelBuilder("copied")
    x, out, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(out, i, build.load(x, build.mul(i, build.constant(3))))
    compiled, kind = Compiled(build.finish(), level), np.dtype(dtype.numpy_name)
    for size in SIZES:
        guarded = Guarded()
        values = guarded.at_end(np.random.default_rng(size).integers(0, 2, 3 * size - 2).astype(kind))
        result = np.zeros(size, kind)
        compiled([values, result], [size])
        assert same_bits(result, values[::3].copy())


def test_components_share_their_vectors() -> None:
    """Three components of 16 points are 48 elements: three vectors in the loop over whole ones, and no
    element is loaded alone there; the written buffer, which may change meanwhile, has no windows."""
    text = text_of(components(F32, 3, (0, 1, 2)), "avx512")
    assert text.count("= load <16 x float>") == 3
    assert text.count("= load float") == 3  # one by one in what does not fill a vector
    assert text.count("shufflevector <16 x float>") == 6
