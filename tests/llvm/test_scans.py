"""Scan loops: their definition in NumPy, the interpreter and the code of every level agree on bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import SCAN_LANES, Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.ir.types import BOOL, F32, F64, I8, I32, I64, DType

from .llvm_harness import LEVELS, Compiled

SIZES = [0, 1, 2, 3, 8, 15, 16, 17, 31, 32, 47, 48, 49, 1000]
CASES: list[tuple[str, DType, Any, Callable[..., Any]]] = [
    ("add", F32, -0.0, np.add), ("add", F64, -0.0, np.add), ("add", I32, 0, np.add), ("add", I64, 0, np.add),
    ("add", I8, 0, np.add), ("mul", F32, 1.0, np.multiply), ("maximum", F64, -np.inf, np.maximum),
    ("minimum", I32, 2**31 - 1, np.minimum), ("maximum", BOOL, False, np.maximum),
]  # fmt: skip
names = [f"{name} {dtype}" for name, dtype, _, _ in CASES]


def scan(dtype: DType, name: str, start: Any) -> Kernel:
    """Prefixes of x to the first buffer, the last of them to the second."""
    build = KernelBuilder("prefixes")
    x, out, last = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.buffer(dtype, "out")
    extent = build.index()

    def emit(i: Any, prefix: Any) -> tuple[()]:
        build.store(out, i, prefix)
        return ()

    (total,) = build.scan(
        build.constant(0),
        extent,
        (build.constant(start, dtype),),
        lambda i: (build.load(x, i),),
        lambda known, term: (build.emit(name, (known, term)),),
        emit,
    )
    build.store(last, build.constant(0), total)
    return build.finish()


def defined(values: np.ndarray, combine: Callable[..., Any], start: Any) -> np.ndarray:
    """The definition: pairs of halves that double, then what was carried."""
    made = values.copy()
    carried = values.dtype.type(start)
    for first in range(0, len(values), SCAN_LANES):
        held = made[first : first + SCAN_LANES]
        distance = 1
        while distance < SCAN_LANES:
            for begin in range(0, len(held), 2 * distance):
                half = begin + distance
                if half < len(held):
                    held[half : half + distance] = combine(held[half - 1], held[half : half + distance])
            distance *= 2
        held[:] = combine(carried, held)
        carried = held[-1]
    return made


def some(dtype: DType, size: int) -> np.ndarray:
    random = np.random.default_rng(size)
    if dtype.is_float:
        return (random.standard_normal(size) * 10.0 ** random.integers(-3, 4, size)).astype(dtype.numpy_name)
    if dtype is BOOL:
        return random.random(size) < 0.1
    return random.integers(-100, 100, size).astype(dtype.numpy_name)


@pytest.mark.parametrize("case", CASES, ids=names)
@pytest.mark.parametrize("level", LEVELS)
def test_prefixes_have_the_bits_of_their_definition(level: str, case: Any) -> None:
    name, dtype, start, combine = case
    compiled = Compiled(scan(dtype, name, start), level)
    for size in SIZES:
        values = some(dtype, size)
        found, last = np.zeros_like(values), np.zeros(1, values.dtype)
        compiled([values, found, last], [size])
        expected = defined(values, combine, start)
        assert found.tobytes() == expected.tobytes(), size
        assert last[0] == (expected[-1] if size else values.dtype.type(start))


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 40])
def test_the_interpreter_has_the_same_definition(size: int) -> None:
    values = some(F32, size)
    found, last = np.zeros_like(values), np.zeros(1, np.float32)
    interpret(scan(F32, "add", -0.0), [values, found, last], [size], [], range(1))
    assert found.tobytes() == defined(values, np.add, -0.0).tobytes()


def test_text_is_read_back() -> None:
    kernel = scan(F32, "add", -0.0)
    verify(kernel)
    text = kernel_text(kernel)
    assert "for scan" in text
    assert "\n  combine " in text
    assert "\n  emit " in text
    assert kernel_text(parse_kernel(text)) == text


def test_a_first_negative_zero_stays_and_nan_spreads() -> None:
    values = np.array([-0.0, -0.0, 1.0, np.nan, 2.0] + [0.0] * 20, np.float32)
    found = np.zeros_like(values)
    Compiled(scan(F32, "add", -0.0), LEVELS[-1])([values, found, np.zeros(1, np.float32)], [len(values)])
    assert np.signbit(found[:2]).all()
    assert found[2] == 1
    assert np.isnan(found[3:]).all()
