"""Adjacent integers that are shifted and joined to words are loaded as words, and only these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import U8, U16, U32, U64, DType

from .llvm_harness import LEVELS, Compiled, Guarded, text_of

SIZES = [1, 3, 16, 17, 64, 70]


def joining(part: DType, word: DType, shifts: Sequence[int], parts_too: bool = False) -> Kernel:
    """out[i] = x[n * i] << shifts[0] | x[n * i + 1] << shifts[1] | ...; `parts_too`: ^ the last of these."""
    build = KernelBuilder("joining")
    x, out, extent = build.buffer(part, "in"), build.buffer(word, "out"), build.index()
    with build.loop(0, extent, kind="lanes") as (i,):
        first = i * len(shifts)
        loaded = [build.cast(build.load(x, first + number), word) for number in range(len(shifts))]
        shifted = [value << shift if shift else value for value, shift in zip(loaded, shifts, strict=True)]
        joined = shifted[0]
        for value in shifted[1:]:
            joined = joined | value
        build.store(out, i, joined ^ loaded[-1] if parts_too else joined)
    return build.finish()


CASES = [
    (U8, U32, (0, 8, 16, 24), True),
    (U8, U16, (0, 8), True),
    (U8, U64, tuple(range(0, 64, 8)), True),
    (U16, U32, (0, 16), True),
    (U8, U32, (24, 16, 8, 0), False),
    (U8, U32, (0, 8, 16, 16), False),
    (U8, U32, (0, 8), False),
    (U8, U64, (0, 8, 16, 24), False),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("parts_too", [False, True])
@pytest.mark.parametrize(("part", "word", "shifts", "joins"), CASES)
def test_words(
    part: DType, word: DType, shifts: tuple[int, ...], joins: bool, parts_too: bool, level: str
) -> None:
    """The array ends with the last word, beside an unreadable page."""
    kernel = joining(part, word, shifts, parts_too)
    loads = [line for line in text_of(kernel, level).splitlines() if "= load <" in line]
    assert any(f"x i{word.bits}>" in line for line in loads) == joins
    compiled, count = Compiled(kernel, level), len(shifts)
    for size in SIZES:
        drawn = np.random.default_rng(size).integers(0, 1 << part.bits, (size, count))
        values = drawn.astype(part.numpy_name)
        wider = values.astype(word.numpy_name)
        expected = np.bitwise_or.reduce(wider << np.array(shifts, wider.dtype), 1)
        if parts_too:
            expected ^= wider[:, -1]
        guarded = Guarded()
        for place in (guarded.at_end, guarded.at_start):
            given, out = place(values.reshape(-1)), place(np.zeros(size, wider.dtype))
            slots = np.array([given.ctypes.data, out.ctypes.data, size], np.int64)
            compiled.call(slots.ctypes.data, 0, 1)
            np.testing.assert_array_equal(out, expected)
