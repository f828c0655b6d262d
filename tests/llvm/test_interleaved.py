"""Accesses at every second to sixteenth element that take what lies between: right places, nothing outside
the array, by vectors where lanes allow it."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.ir.types import F16, F32, F64, I64, U8, DType

from .llvm_harness import LEVELS, Compiled, Guarded, fast, same_bits, text_of

SIZES = [1, 2, 7, 15, 16, 17, 33, 64]
ORDERS = [(0, 1), (1, 0), (0, 1, 2), (3, 1, 0, 2), (5, 4, 3, 2, 1, 0, 7, 6), tuple(range(16))]
levels = pytest.mark.parametrize("level", LEVELS)


def interleaved(dtype: DType, order: tuple[int, ...], size: int | None = None, reads: bool = False) -> Kernel:
    """out[step * i + k] = x[k * extent + i], stored in an order; `reads`: a load comes between the stores."""
    build = KernelBuilder("interleaved")
    x, out, extent = build.buffer(dtype, "in"), build.buffer(dtype, "inout"), build.index()
    upper = extent if size is None else build.constant(size)
    with build.loop(build.constant(0), upper, kind="lanes") as (i,):
        root = build.mul(i, build.constant(len(order)))
        loaded = {k: build.load(x, build.add(build.mul(build.constant(k), extent), i)) for k in order}
        for number, k in enumerate(order):
            if reads and number == len(order) - 1:
                loaded[k] = build.add(loaded[k], build.load(out, build.add(root, build.constant(order[0]))))
            build.store(out, build.add(root, build.constant(k)), loaded[k])
    return build.finish()


def of_each_width(dtype: DType, order: tuple[int, ...], reads: bool = False) -> bool:
    """Elements of 16 bits, and integers of 64, differ little from others."""
    return dtype is F32 or (not reads and (dtype in (F64, U8) or order in ORDERS[1:4:2]))


@levels
@pytest.mark.parametrize(
    ("dtype", "order", "reads"), fast(of_each_width, [F16, F32, F64, I64, U8], ORDERS, [False, True])
)
def test_every_element_gets_its_value(level: str, dtype: DType, order: tuple[int, ...], reads: bool) -> None:
    """The array ends with the last element that is written, beside an unreadable page."""
    kind, step = np.dtype(dtype.numpy_name), len(order)
    compiled = Compiled(interleaved(dtype, order, reads=reads), level)
    known = {size: Compiled(interleaved(dtype, order, size, reads), level) for size in (16, 64)}
    for size in SIZES:
        values = np.random.default_rng(size).integers(1, 9, (step, size)).astype(kind)
        expected = values.T.copy()
        if reads:
            expected[:, order[-1]] += expected[:, order[0]]
        for kernel in (compiled, *([known[size]] if size in known else [])):
            guarded = Guarded()
            for place in (guarded.at_end, guarded.at_start):
                given, out = place(values.reshape(-1)), place(np.zeros(size * step, kind))
                slots = np.array([given.ctypes.data, out.ctypes.data, size], np.int64)
                kernel.call(slots.ctypes.data, 0, 1)
                assert same_bits(out, expected.reshape(-1)), size


def test_vectors_are_stored() -> None:
    """Eight vectors are interleaved by three rounds of shuffles, and no lane is taken out of one."""
    text = text_of(interleaved(F32, tuple(range(8)), 64), "avx512")
    assert text.count("store <16 x float>") == 8 and text.count("shufflevector") == 24
    assert "extractelement" not in text


def test_known_whole_vectors_have_no_rest() -> None:
    """A count that vectors fill is written once."""
    assert text_of(interleaved(F32, (0, 1)), "avx512").count("store") > 2
    assert text_of(interleaved(F32, (0, 1), 64), "avx512").count("store") == 2


def streamed(dtype: DType, count: int) -> Kernel:
    """out[count * i + k] = x[k * extent + i], past the caches where a flag is set."""
    build = KernelBuilder("streamed")
    x, out, extent, flag = (
        build.buffer(dtype, "in"),
        build.buffer(dtype, "inout"),
        build.index(),
        build.index(),
    )
    stream = flag.differs(0)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        root = build.mul(i, build.constant(count))
        loaded = [build.load(x, build.add(build.mul(build.constant(k), extent), i)) for k in range(count)]
        for k, value in enumerate(loaded):
            build.store(out, build.add(root, build.constant(k)), value, stream=stream)
    return build.finish()


@levels
@pytest.mark.parametrize(("dtype", "count"), [(F32, 2), (F64, 2), (F32, 4)])
def test_streamed_elements_get_their_values(level: str, dtype: DType, count: int) -> None:
    """At every alignment of the result, with and without the flag."""
    kernel = Compiled(streamed(dtype, count), level)
    kind = np.dtype(dtype.numpy_name)
    memory = np.zeros(4096, np.uint8)
    for size in (1, 15, 16, 33, 100):
        given = np.arange(1, 1 + size * count, dtype=kind)
        for shift in range(0, 64, kind.itemsize):
            for flag in (0, 1):
                memory[:] = 0
                out = memory[shift : shift + given.nbytes].view(kind)
                slots = np.array([given.ctypes.data, out.ctypes.data, size, flag], np.int64)
                kernel.call(slots.ctypes.data, 0, 1)
                assert same_bits(out, given.reshape(count, size).T.reshape(-1)), (size, shift, flag)
                assert not memory[shift + given.nbytes :].any() and not memory[:shift].any()


def test_whole_vectors_are_streamed_together() -> None:
    """One decision for all vectors of an iteration."""
    text = text_of(streamed(F32, 2), "avx512")
    assert text.count("!nontemporal") == 2 and text.count("ptrtoint") == 2  # of the loop's start, of its body
    assert "sfence" in text


def transposed(dtype: DType, order: tuple[int, ...], size: int | None = None) -> Kernel:
    """out[k * extent + i] = x[step * i + k], loaded in an order, from memory that is written to elsewhere."""
    build = KernelBuilder("transposed")
    x, out, extent = build.buffer(dtype, "inout"), build.buffer(dtype, "inout"), build.index()
    upper = extent if size is None else build.constant(size)
    with build.loop(build.constant(0), upper, kind="lanes") as (i,):
        root = build.mul(i, build.constant(len(order)))
        loaded = {k: build.load(x, build.add(root, build.constant(k))) for k in order}
        for k, value in loaded.items():
            build.store(out, build.add(build.mul(build.constant(k), extent), i), value)
    return build.finish()


@levels
@pytest.mark.parametrize(("dtype", "order"), fast(of_each_width, [F16, F32, F64, I64, U8], ORDERS))
def test_every_element_is_read(level: str, dtype: DType, order: tuple[int, ...]) -> None:
    kind, step = np.dtype(dtype.numpy_name), len(order)
    compiled = Compiled(transposed(dtype, order), level)
    known = {size: Compiled(transposed(dtype, order, size), level) for size in (16, 64)}
    for size in SIZES:
        values = np.random.default_rng(size).integers(1, 9, (size, step)).astype(kind)
        for kernel in (compiled, *([known[size]] if size in known else [])):
            guarded = Guarded()
            for place in (guarded.at_end, guarded.at_start):
                given, out = place(values.reshape(-1)), place(np.zeros(size * step, kind))
                slots = np.array([given.ctypes.data, out.ctypes.data, size], np.int64)
                kernel.call(slots.ctypes.data, 0, 1)
                assert same_bits(out, values.T.reshape(-1)), size


def test_vectors_are_loaded() -> None:
    text = text_of(transposed(F32, tuple(range(8)), 64), "avx512")
    assert text.count("load <16 x float>") == 8 and text.count("shufflevector") == 24
    assert "insertelement" not in text


def test_vectors_are_loaded_for_a_long_term_of_a_sum() -> None:
    """Which is written once, with a mask: what whole vectors read is written a second time without."""
    build = KernelBuilder("summed")
    x, out, extent = build.buffer(F64, "in"), build.buffer(F64, "inout"), build.index()

    def term(i: Value) -> tuple[Value, ...]:
        root = build.mul(i, build.constant(8))
        value = build.load(x, root)
        for k in range(1, 8):
            value = build.add(value, build.load(x, build.add(root, build.constant(k))))
        for k in range(80):
            value = build.add(build.mul(value, build.constant(0.5, F64)), build.constant(float(k), F64))
        return (value,)

    zero = build.constant(0.0, F64)
    (total,) = build.reduce(0, extent, (zero,), term, lambda a, b: (build.add(a, b),))
    build.store(out, build.constant(0), total)
    kernel = build.finish()
    text = text_of(kernel, "avx512")
    assert text.count("load <8 x double>") >= 8 and text.count("masked.gather.v8f64.v8p0(<8") == 8
    for size in SIZES:
        values = np.random.default_rng(size).random((size, 8))
        found = np.zeros(1)
        Compiled(kernel, LEVELS[-1])([values.reshape(-1), found], [size])
        expected = values.sum(axis=1)
        for k in range(80):
            expected = expected * 0.5 + k
        np.testing.assert_allclose(found, expected.sum(), rtol=1e-13)


def gapped(dtype: DType, order: tuple[int, ...], apart: int, size: int | None = None) -> Kernel:
    """out[apart * i + k] = x[k * extent + i] + y[apart * i + k]."""
    build = KernelBuilder("gapped")
    x, y, out = (build.buffer(dtype, access) for access in ("in", "inout", "inout"))
    extent = build.index()
    upper = extent if size is None else build.constant(size)
    with build.loop(build.constant(0), upper, kind="lanes") as (i,):
        root = build.mul(i, build.constant(apart))
        values = [
            build.add(
                build.load(x, build.add(build.mul(build.constant(k), extent), i)),
                build.load(y, build.add(root, build.constant(k))),
            )
            for k in order
        ]
        for k, value in zip(order, values, strict=True):
            build.store(out, build.add(root, build.constant(k)), value)
    return build.finish()


@levels
@pytest.mark.parametrize(
    ("dtype", "count", "apart"),
    fast(lambda dtype, count, apart: dtype is F32 or count == 8, [F32, F64, I64], [4, 8, 16], [17, 32]),
)
def test_what_lies_between_is_left_alone(level: str, dtype: DType, count: int, apart: int) -> None:
    kind, order = np.dtype(dtype.numpy_name), tuple(range(count))
    compiled = Compiled(gapped(dtype, order, apart), level)
    known = {size: Compiled(gapped(dtype, order, apart, size), level) for size in (16, 64)}
    for size in SIZES:
        rng = np.random.default_rng(size)
        values = rng.integers(1, 9, (count, size)).astype(kind)
        used = (size - 1) * apart + count
        more, before = (rng.integers(1, 9, used).astype(kind) for _ in range(2))
        expected = before.copy()
        for k in order:
            expected[k::apart] = values[k] + more[k::apart]
        for kernel in (compiled, *([known[size]] if size in known else [])):
            guarded = Guarded()
            for place in (guarded.at_end, guarded.at_start):
                x, y, out = place(values.reshape(-1)), place(more), place(before)
                slots = np.array([x.ctypes.data, y.ctypes.data, out.ctypes.data, size], np.int64)
                kernel.call(slots.ctypes.data, 0, 1)
                assert same_bits(out, expected), size


def test_a_lane_stores_a_vector_of_its_own() -> None:
    text = text_of(gapped(F32, tuple(range(16)), 32, 64), "avx512")
    assert text.count("store <16 x float>") == 16 and text.count("shufflevector") == 128
    assert "extractelement" not in text
