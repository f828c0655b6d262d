"""Integers of four bits in words: their values as float32, by tables and by bits."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.scalars import evaluate
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.ir.types import U32
from jitframe.runtime.cpu.kernels.compiled_kernels import kernel_address

_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
WORDS = np.concatenate(
    [
        np.array([each << shift for each in range(16) for shift in range(0, 32, 4)], np.uint32),
        np.random.default_rng(2).integers(0, 1 << 32, 500, np.uint32),
    ]
)


def values_of(place: int) -> np.ndarray:
    nibbles = (WORDS >> 4 * place & 15).astype(np.int8)
    return ((nibbles ^ 8) - 8).astype(np.float32)


@pytest.mark.parametrize("tables", [False, True])
@pytest.mark.parametrize("place", range(8))
def test_values(place: int, tables: bool) -> None:
    build = KernelBuilder("integers")
    source, target, extent = build.buffer(U32, "in"), build.buffer(U32, "out"), build.index()
    with build.loop(0, extent, kind="lanes") as (i,):
        build.store(target, i, build.emit(f"int4_{place}", (build.load(source, i),)))
    kernel = expand_math(build.finish(), MathFeatures(tables=tables))
    verify(kernel)
    found = np.zeros_like(WORDS)
    slots = (ctypes.c_uint64 * 3)(WORDS.ctypes.data, found.ctypes.data, WORDS.size)
    _RUN(kernel_address(kernel))(slots, 0, 1)
    # The bits: zeros are positive.
    np.testing.assert_array_equal(found, values_of(place).view(np.uint32))


@pytest.mark.parametrize("place", range(8))
def test_the_meaning_is_that_too(place: int) -> None:
    found = [evaluate(f"int4_{place}", [int(word)], U32) for word in WORDS]
    np.testing.assert_array_equal(np.array(found, np.uint32), values_of(place).view(np.uint32))
