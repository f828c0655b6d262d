"""Object code stands alone: no undefined symbol, PC-relative relocations, no scalar work in hot loops."""

from __future__ import annotations

import re

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import BF16, BOOL, DTYPES, F16, F32, F64, DType

from .elf import PC_RELATIVE, read_object
from .llvm_harness import PROCESSORS, assembly_of, object_of, text_of
from .test_lanes import fused
from .test_operations import (
    BOOL_OPERATIONS,
    COMPARISONS,
    FLOAT_OPERATIONS,
    INTEGER_OPERATIONS,
    UNARY,
    elementwise,
)

levels = pytest.mark.parametrize("level", list(PROCESSORS))


def operations(dtype: DType) -> dict[str, object]:
    if dtype.is_float:
        return dict(FLOAT_OPERATIONS)
    return dict(BOOL_OPERATIONS if dtype is BOOL else INTEGER_OPERATIONS)


def assert_alone(kernel: Kernel, level: str, what: str) -> None:
    found = read_object(object_of(kernel, level))
    assert not found.undefined, f"{what}: {found.undefined}"
    assert set(found.relocations) <= set(PC_RELATIVE), f"{what}: {found.relocations}"


@levels
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_operations_link_nothing(level: str, dtype: DType) -> None:
    for name in operations(dtype):
        operands = [dtype] * (1 if name in UNARY else 2)
        assert_alone(elementwise(name, operands, dtype), level, f"{name} {dtype}")
    for name in COMPARISONS:
        assert_alone(elementwise(name, [dtype, dtype], BOOL), level, f"{name} {dtype}")


@levels
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_casts_link_nothing(level: str, source: DType) -> None:
    for target in DTYPES:
        assert_alone(elementwise("cast", [source], target, {"dtype": target}), level, f"{source} to {target}")


def fill(value_dtype: DType) -> Kernel:
    """The loops LLVM likes to turn into memset and memcpy."""
    build = KernelBuilder("fill")
    x, out, extent = build.buffer(value_dtype, "in"), build.buffer(value_dtype, "out"), build.index()
    zero = build.constant(0.0, value_dtype)
    with build.loop(build.constant(0), extent) as (i,):
        build.store(out, i, zero)
    with build.loop(build.constant(0), extent) as (i,):
        build.store(out, i, build.load(x, i))
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(out, i, build.load(x, i))
    return build.finish()


def uses_arrays() -> Kernel:
    build = KernelBuilder("arrays")
    out, extent = build.buffer(F32, "out"), build.index()
    array, table = build.allocate(F32, 5000), build.table(F32, [float(n) for n in range(40)])
    with build.loop(build.constant(0), extent) as (i,):
        build.store(array, i, build.load(table, i))
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        own = build.allocate(F32, 8)
        build.store(own, build.constant(3), build.load(array, i))
        build.store(out, i, build.load(own, build.constant(3)))
    return build.finish()


@levels
def test_fills_copies_tables_and_stack_link_nothing(level: str) -> None:
    for kernel in (fill(F32), fill(F64), uses_arrays()):
        assert_alone(kernel, level, kernel.name)


def chain(dtype: DType, stream: bool) -> Kernel:
    """out = sqrt(abs(2 x + 3 y - z)) where that is less than x, else y."""
    build = KernelBuilder("chain")
    x, y, z, out = (build.buffer(dtype, "in" if n < 3 else "out") for n in range(4))
    extent, flag = build.index(), build.scalar(BOOL)
    two, three = build.constant(2.0, dtype), build.constant(3.0, dtype)
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        a, b, c = build.load(x, i), build.load(y, i), build.load(z, i)
        value = build.sub(build.add(build.mul(a, two), build.mul(b, three)), c)
        value = build.emit("sqrt", (build.emit("abs", (value,)),))
        value = build.emit("select", (build.emit("lt", (value, a)), value, b))
        build.store(out, i, value, stream=flag if stream else None)
    return build.finish()


SCALAR_FLOAT = re.compile(r"\tv?(add|sub|mul|div|sqrt|max|min)s[sd]\t")
LOOP_LABEL = re.compile(r"^(\.LBB\d+_\d+):")


def hot_loops(assembly: str) -> list[list[str]]:
    """Innermost loops: from a label to a later jump back to it, with no other such loop inside."""
    lines = assembly.splitlines()
    places = {m.group(1): n for n, line in enumerate(lines) if (m := LOOP_LABEL.match(line))}
    spans = []
    for end, line in enumerate(lines):
        jump = re.match(r"\tj\w+\t(\.LBB\d+_\d+)", line)
        if jump and places.get(jump.group(1), end) < end:
            spans.append((places[jump.group(1)], end))
    inner = [s for s in spans if not any(s[0] <= t[0] and t[1] <= s[1] and t != s for t in spans)]
    return [lines[start : end + 1] for start, end in inner]


@levels
@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_hot_loops_use_whole_registers_and_do_not_spill(level: str, dtype: DType) -> None:
    register = {"sse2": "%xmm", "avx2": "%ymm", "avx512": "%zmm"}[level]
    loops = hot_loops(assembly_of(chain(dtype, stream=False), level))
    wide = [
        body
        for body in loops
        if sum(register in line for line in body) >= 6 and not any(SCALAR_FLOAT.search(line) for line in body)
    ]
    assert wide, "no vector loop"
    assert not any("(%rsp)" in line or "(%rbp)" in line for body in wide for line in body), "spills"
    remainders = [body for body in loops if any(SCALAR_FLOAT.search(line) for line in body)]
    assert len(remainders) <= (0 if level == "avx512" else 1)


@levels
@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_streaming_stores_are_non_temporal(level: str, dtype: DType) -> None:
    assembly = assembly_of(chain(dtype, stream=True), level)
    register = {"sse2": "%xmm", "avx2": "%ymm", "avx512": "%zmm"}[level]
    name = "movnt" + ("ps" if dtype is F32 else "pd")
    assert re.search(rf"\tv?{name}\t{register}", assembly)
    assert assembly.count("sfence") == 1
    assert "sfence" not in assembly_of(chain(dtype, stream=False), level)


@levels
def test_sixteen_bit_chains_stay_in_vectors(level: str) -> None:
    for dtype in (F16, BF16):
        build = KernelBuilder("short")
        x, out, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
        with build.loop(build.constant(0), extent, kind="lanes") as (i,):
            value = build.load(x, i)
            build.store(out, i, build.mul(build.add(value, value), value))
        loops = hot_loops(assembly_of(build.finish(), level))
        assert any(not any(SCALAR_FLOAT.search(line) for line in body) for body in loops)


def test_whole_vectors_of_short_loops_have_masks_only_where_these_are_registers() -> None:
    """Masked stores from other vectors take many times as long."""
    texts = {level: text_of(fused(F32, short=True), level) for level in ("avx2", "avx512")}
    assert texts["avx2"].count("= load <8 x float>") == 2
    assert "= load <16 x float>" not in texts["avx512"]
