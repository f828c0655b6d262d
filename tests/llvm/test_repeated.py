"""Passes over scratch memory that a kernel repeats are functions it calls, with the bits of copies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.llvm import repeated
from jitframe.ir.types import F16, F32, F64, I64, DType

from .llvm_harness import LEVELS, Compiled, fast, same_bits, text_of

MOST = 1100
PASSES = 8
levels = pytest.mark.parametrize("level", LEVELS)

Term = Callable[[KernelBuilder, Value, Value, int], Value]


def scaled(build: KernelBuilder, element: Value, total: Value, number: int) -> Value:
    return build.sub(element, build.mul(total, build.constant(2, element.dtype)))


def numbered(build: KernelBuilder, element: Value, total: Value, number: int) -> Value:
    return build.add(element, build.mul(total, build.constant(number, element.dtype)))


def passes(
    dtype: DType,
    term: Term = scaled,
    near: bool = True,
    both: bool = False,
    before: Callable[[KernelBuilder], None] = lambda build: None,
) -> Kernel:
    """Each pass makes a row of the last one and its sum, by blocks; `both`: and of its greatest element.
    `before` is written in front of all passes."""
    build = KernelBuilder("passes")
    x, out = build.buffer(dtype, "inout"), build.buffer(dtype, "out")
    extent, start = build.index(), build.scalar(dtype)
    row = build.allocate(dtype, MOST) if near else x
    first, size = build.constant(0), build.constant(512)
    with build.loop(first, extent, kind="lanes") as (i,):
        build.store(row, i, build.load(x, i))
    zero, least = build.constant(0, dtype), build.constant(-3, dtype)
    identity = [zero, least] if both else [zero]

    def combine(*values: Value) -> Sequence[Value]:
        sums = build.add(values[0], values[len(values) // 2])
        return [sums, build.emit("maximum", (values[1], values[3]))] if both else [sums]

    total = start
    before(build)
    for number in range(PASSES):

        def block(
            begin: Value, *carried: Value, total: Value = total, number: int = number
        ) -> Sequence[Value]:
            end = build.emit("minimum", (build.add(begin, size), extent))

            def element(i: Value) -> Sequence[Value]:
                value = term(build, build.load(row, i), total, number)
                build.store(row, i, value)
                return [value, value] if both else [value]

            return combine(*carried, *build.reduce(begin, end, identity, element, combine))

        found = build.carry(first, extent, identity, block, size)
        total = build.sub(found[0], found[1]) if both else found[0]
    with build.loop(first, extent, kind="lanes") as (i,):
        build.store(out, i, build.add(build.load(row, i), total))
    return build.finish()


def called(text: str) -> tuple[int, int]:
    """How many passes are defined, and called."""
    return len(re.findall(r"^define internal .*@pass\d+\(", text, re.MULTILINE)), text.count(
        " call "
    ) and len(re.findall(r"= call [^@]*@pass\d+\(", text))


@levels
@pytest.mark.parametrize(
    ("dtype", "both"),
    fast(lambda dtype, both: not both or dtype in (F32, I64), [F16, F32, F64, I64], [False, True]),
)
def test_calls_give_the_bits_of_copies(
    level: str, dtype: DType, both: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = passes(dtype, both=both)
    functions = Compiled(kernel, level)
    assert called(functions.text) == (1, PASSES)
    monkeypatch.setattr(repeated, "_MOST_REPEATED", 10**9)
    copies = Compiled(kernel, level)
    assert called(copies.text) == (0, 0)
    random = np.random.default_rng(0)
    for size in (0, 1, 2, 15, 16, 17, 33, 100, 511, 512, 513, MOST):
        row = random.uniform(-2, 2, size).astype(dtype.numpy_name)
        results = [np.zeros_like(row) for _ in range(2)]
        for compiled, out in zip((functions, copies), results, strict=True):
            compiled([row.copy(), out], [size], [1])
        assert same_bits(*results), size
        assert size == 0 or results[0].any()


def test_other_numbers_are_another_form() -> None:
    assert called(text_of(passes(F32, numbered), "avx2")) == (0, 0)


def test_other_numbers_from_outside_are_another_form() -> None:
    numbers: list[Value] = []

    def make(build: KernelBuilder) -> None:
        numbers.extend(build.constant(number, F32) for number in range(PASSES))

    def outside(build: KernelBuilder, element: Value, total: Value, number: int) -> Value:
        return build.add(element, build.mul(total, numbers[number]))

    assert called(text_of(passes(F32, outside, before=make), "avx2")) == (0, 0)


def test_passes_over_the_arrays_of_a_call_are_copies() -> None:
    assert called(text_of(passes(F32, near=False), "avx2")) == (0, 0)


def test_few_copies_are_no_calls() -> None:
    assert called(text_of(passes(F32), "avx2")) == (1, PASSES)
    assert repeated.repeated_passes(KernelBuilder("empty").finish()) == {}
