"""Arithmetic that targets without it get from kernel instructions: NumPy's bits."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.math import EXACT, MathFeatures, expand_math
from jitframe.ir.types import BY_NAME
from jitframe.runtime.cpu.kernels.compiled_kernels import kernel_address

_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)

SPECIAL = [0.0, 1.0, 3.0, 7.5, 1e-3, np.inf, np.nan]


def arguments(kind: np.dtype, size: int) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of special values, any bits, and values of like size."""
    random, limits = np.random.default_rng(3), np.finfo(kind)
    values = [*SPECIAL, limits.tiny, limits.smallest_subnormal, limits.max, limits.tiny * 3]
    special = np.array([sign * value for value in values for sign in (1, -1)], kind)
    x, y = (each.ravel() for each in np.meshgrid(special, special))
    unsigned = np.dtype(f"u{kind.itemsize}")
    bits = random.integers(0, np.iinfo(unsigned).max, (2, size), unsigned, endpoint=True).view(kind)
    near = (random.normal(size=(2, size)) * 10.0 ** random.uniform(-2, 3, (2, size))).astype(kind)
    return np.concatenate([x, bits[0], near[0]]), np.concatenate([y, bits[1], near[1]])


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
@pytest.mark.parametrize("name", EXACT)
def test_bits_are_numpys(name: str, dtype: str) -> None:
    build = KernelBuilder(name)
    sources = [build.buffer(BY_NAME[dtype], "in") for _ in range(EXACT[name])]
    target, extent = build.buffer(BY_NAME[dtype], "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(target, i, build.emit(name, [build.load(source, i) for source in sources]))
    kernel = expand_math(build.finish(), MathFeatures(fma=False), frozenset(EXACT))
    verify(kernel)
    assert f"= {name} " not in kernel_text(kernel)
    x, y = arguments(np.dtype(BY_NAME[dtype].numpy_name), 20_000)
    found = np.zeros_like(x)
    slots = (ctypes.c_uint64 * 4)(x.ctypes.data, y.ctypes.data, found.ctypes.data, x.size)
    _RUN(kernel_address(kernel))(slots, 0, 1)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(x, y)
    nan = np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(found), nan)
    bits = f"u{x.itemsize}"
    np.testing.assert_array_equal(found[~nan].view(bits), wanted[~nan].view(bits))
