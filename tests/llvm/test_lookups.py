"""Lookups in small tables, and the instructions that take floats apart and put them together."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.scalars import evaluate
from jitframe.codegen.llvm.target import UnsupportedKernel
from jitframe.ir.types import F32, F64, I32, I64, INDEX, U32, U64, DType

from .llvm_harness import LEVELS, Compiled, text_of
from .test_operations import elementwise

SIZES = (8, 16, 32, 64)
_PERMUTED = {(32, 16), (32, 32), (64, 8), (64, 16)}
"""Bits of an element and size of a table of one or two registers of AVX-512."""


def lookup_kernel(dtype: DType, size: int, beside: DType | None = None) -> Kernel:
    """out[i] = table[at[i] & (size - 1)]; also[i] = other[i] makes vectors as narrow as `beside` has them."""
    build = KernelBuilder("lookup")
    unsigned = {32: U32, 64: U64}[dtype.bits]
    at, out = build.buffer(unsigned, "in"), build.buffer(dtype, "out")
    other, also = (build.buffer(beside or dtype, access) for access in ("in", "out"))
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        low = build.emit("and", (build.load(at, i), build.constant(size - 1, unsigned)))
        values = [float(3 * k + 1) if dtype.is_float else 3 * k + 1 for k in range(size)]
        build.store(out, i, build.load(build.table(dtype, values), build.cast(low, INDEX)))
        build.store(also, i, build.load(other, i))
    return build.finish()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("dtype", "beside"), [(F32, None), (F64, None), (F32, F64), (I32, None), (I64, None)]
)
def test_lookups(dtype: DType, beside: DType | None, size: int, level: str) -> None:
    kernel, count = lookup_kernel(dtype, size, beside), 75
    at = np.random.default_rng(size).integers(0, 1 << 31, count).astype(f"u{dtype.itemsize}")
    other = np.arange(count).astype((beside or dtype).numpy_name)
    out, also = np.zeros(count, dtype.numpy_name), np.zeros_like(other)
    Compiled(kernel, level)([at, out, other, also], [count])
    assert (out == 3 * (at & (size - 1)) + 1).all() and (also == other).all()
    text = text_of(kernel, level)
    permuted = level == "avx512" and dtype.is_float and (dtype.bits, size) in _PERMUTED
    assert ("perm" in text) == permuted
    if permuted:  # nothing is loaded lane by lane, nor gathered in the masked rest
        assert "extractelement" not in text and "gather" not in text


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
@pytest.mark.parametrize("name", ["scale", "exponent", "significand", "significand_near_one"])
def test_floats_are_taken_apart(name: str, dtype: DType) -> None:
    kernel = elementwise(name, [dtype] * (2 if name == "scale" else 1), dtype)
    with pytest.raises(UnsupportedKernel, match="expand it first"):
        text_of(kernel, "avx2")
    if "avx512" not in LEVELS:
        pytest.skip("needs AVX-512")
    kind = np.dtype(dtype.numpy_name)
    edges = np.finfo(kind)
    some = [
        0.0,
        1.0,
        1.5,
        2.0,
        0.75,
        np.pi,
        edges.max,
        edges.tiny,
        edges.smallest_subnormal,
        1e-39,
        np.inf,
        np.nan,
    ]
    x = np.array([*some, *(-v for v in some)], kind)
    steps = np.array([0, 0.5, -0.5, 3.9, -3.1, 127, -150, 1100, -1100, 5000], kind)
    arguments = [np.repeat(x, steps.size), np.tile(steps, x.size)] if name == "scale" else [x]
    out = np.zeros_like(arguments[0])
    Compiled(kernel, "avx512")([*arguments, out], [out.size])
    with np.errstate(all="ignore"):
        want = np.array(
            [evaluate(name, list(operands), dtype) for operands in zip(*arguments, strict=True)], kind
        )
    np.testing.assert_array_equal(out, want)
    assert (np.signbit(out) == np.signbit(want))[~np.isnan(want)].all()
