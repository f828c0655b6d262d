"""Functions that a kernel has often are called: one body for all uses, and the bits of copied bodies."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.llvm import vector_target
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.codegen.math.called import called_functions, expand_with_calls
from jitframe.ir.types import F16, F32, F64, INDEX, U32, DType

from .aarch64 import assembly_of as aarch64_assembly_of
from .aarch64 import assert_alone, needs_backend
from .aarch64 import object_of as aarch64_object_of
from .llvm_harness import LEVELS, Compiled, same_bits, text_of

levels = pytest.mark.parametrize("level", LEVELS)
SIZES = (1, 5, 33, 64, 200)


def features(level: str) -> MathFeatures:
    target = vector_target(level)
    return MathFeatures(fma=target.has_fma, wide=True, tables=target.has_permutations and target.has_scaling)


def both(kernel: Kernel, level: str, *keys: tuple[str, str]) -> tuple[Compiled, Compiled]:
    """A kernel with the bodies of functions copied to where they are used, and with calls of `keys`."""
    known = features(level)
    copied = Compiled(expand_math(kernel, known), level)
    return copied, Compiled(expand_math(kernel, known, called=keys), level)


def assert_alike(
    compiled: tuple[Compiled, Compiled], inputs: list[np.ndarray[Any, Any]], dtype: DType
) -> None:
    """Both kernels give the same bits, for every size up to that of the inputs."""
    for size in (*SIZES, inputs[0].size):
        results = [np.zeros(size, dtype.numpy_name) for _ in compiled]
        for kernel, out in zip(compiled, results, strict=True):
            kernel([*(each[:size].copy() for each in inputs), out], [size])
        assert same_bits(*results), size


def awkward(dtype: DType, seed: int = 0) -> np.ndarray[Any, Any]:
    """Numbers of every size, some of which take a function's rare branch, and those that are none."""
    random = np.random.default_rng(seed)
    sizes = np.exp(random.uniform(-30, 30 if dtype.bits > 16 else 10, 300))
    values = np.where(random.random(300) < 0.5, sizes, random.standard_normal(300)) * random.choice(
        [-1, 1], 300
    )
    values[::17] = random.permutation([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan] * 3)
    with np.errstate(over="ignore"):
        return values.astype(dtype.numpy_name)


def repeated(names: list[str], uses: int, dtype: DType = F32) -> Kernel:
    """x = name(x * k + y), over and over."""
    build = KernelBuilder("repeated")
    x, y, out = build.buffer(dtype, "in"), build.buffer(dtype, "in"), build.buffer(dtype, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value, other = build.load(x, i), build.load(y, i)
        for use in range(uses):
            for name in names:
                scaled = build.mul(value, build.constant(1 + use / 8, dtype))
                operands = [build.add(scaled, other), other][: 2 if name == "pow" else 1]
                value = build.emit(name, operands)
        build.store(out, i, value)
    return build.finish()


def definitions(text: str) -> list[str]:
    return re.findall(r"^define internal .*@([\w.]+)\(", text, re.MULTILINE)


@levels
def test_one_body_serves_ten_uses(level: str) -> None:
    """Its rare loop too stands once; the kernel keeps no frame for its cells."""
    copied, called = both(repeated(["sin", "exp"], 10), level, ("sin", "f32"), ("exp", "f32"))
    assert copied.text.count("llvm.cttz") >= 10
    vectors = [name for name in definitions(called.text) if not name.endswith(".1")]
    assert [name.split(".")[0] for name in sorted(vectors)] == ["exp", "sin"]
    assert called.text.count("llvm.cttz") == 1
    kernel = called.text[called.text.index("define void") : called.text.index("define internal")]
    assert "alloca" not in kernel
    assert len(re.findall(r"call .*@sin\.f32\.", kernel)) % 10 == 0
    assert_alike((copied, called), [awkward(F32), awkward(F32, 1)], F32)


@levels
@pytest.mark.parametrize("dtype", [F16, F32, F64], ids=str)
@pytest.mark.parametrize("names", [["exp", "tanh"], ["cos", "tgamma"], ["log", "pow"]], ids="-".join)
def test_calls_give_the_bits_of_copies(level: str, dtype: DType, names: list[str]) -> None:
    compiled = both(repeated(names, 3, dtype), level, *((name, dtype.name) for name in names))
    assert_alike(compiled, [awkward(dtype), awkward(dtype, 1)], dtype)


@levels
def test_lanes_of_several_widths(level: str) -> None:
    """Calls of f32 beside vectors of f64 that live across them, half a register and a whole one."""
    build = KernelBuilder("mixed")
    x, y, out = build.buffer(F64, "in"), build.buffer(F64, "in"), build.buffer(F64, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        values = [build.mul(build.load(x, i), build.constant(k / 4, F64)) for k in range(1, 6)]
        for value in list(values):
            narrow = build.emit("sin", (build.cast(value, F32),))
            values.append(build.emit("sin", (build.add(build.cast(narrow, F64), build.load(y, i)),)))
        total = values[0]
        for value in values[1:]:
            total = build.add(total, value)
        build.store(out, i, total)
    compiled = both(build.finish(), level, ("sin", "f32"), ("sin", "f64"))
    assert_alike(compiled, [awkward(F64), awkward(F64, 1)], F64)


@levels
def test_calls_in_a_reduction(level: str) -> None:
    """Accumulators live across the calls; what fills no vector is called for too."""
    build = KernelBuilder("reduced")
    x, out, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    start, zero = build.constant(0), build.constant(0.0, F32)

    def term(i: Value) -> tuple[Value]:
        value = build.load(x, i)
        for factor in (0.5, 1.5, 2.5):
            value = build.add(build.emit("sin", (value,)), build.mul(value, build.constant(factor, F32)))
        return (value,)

    (total,) = build.reduce(start, extent, (zero,), term, lambda a, b: (build.add(a, b),))
    build.store(out, start, total)
    compiled = both(build.finish(), level, ("sin", "f32"))
    values = np.where(np.isfinite(awkward(F32)), awkward(F32), 3e7).astype(np.float32)
    for size in SIZES:
        results = [np.zeros(1, np.float32) for _ in compiled]
        for kernel, result in zip(compiled, results, strict=True):
            kernel([values[:size].copy(), result], [size])
        assert same_bits(*results) and np.isfinite(results[0]).all(), size


@levels
def test_calls_under_masks_and_of_scalars(level: str) -> None:
    """In a branch that some lanes take, in a rare one lane by lane, in a loop of each lane, and for all lanes
    at once; lanes that rest never send a function down its rare branch."""
    build = KernelBuilder("masked")
    x, y, out = build.buffer(F32, "in"), build.buffer(F32, "in"), build.buffer(F32, "out")
    extent = build.index()

    def sine(value: Value) -> Value:
        return build.emit("sin", (value,))

    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        value, other = build.load(x, i), build.load(y, i)
        positive = build.emit("gt", (value, build.constant(0.0, F32)))
        (chosen,) = build.branch(positive, lambda: (sine(build.mul(value, other)),), lambda: (other,))
        large = build.emit("gt", (value, build.constant(1e6, F32)))
        (kept,) = build.branch(large, lambda: (sine(build.add(value, other)),), lambda: (chosen,), rare=True)
        rounds = build.cast(build.emit("and", (build.bitcast(other, U32), build.constant(3, U32))), INDEX)
        (turned,) = build.carry(
            build.constant(0), rounds, (kept,), lambda _, carried: (sine(build.add(carried, other)),)
        )
        uniform = sine(build.cast(extent, F32))
        build.store(out, i, build.add(turned, uniform))
    compiled = both(build.finish(), level, ("sin", "f32"))
    widths = {int(name.rsplit(".", 1)[1]) for name in definitions(compiled[1].text)}
    assert 1 in widths and len(widths) > 1
    assert re.search(r"select <\d+ x i1> .*splat \(float 0x3FF0000000000000\)", compiled[1].text)
    assert_alike(compiled, [awkward(F32), awkward(F32, 1)], F32)


def chosen(names: list[str], uses: int) -> frozenset[tuple[str, str]]:
    return called_functions(repeated(names, uses), MathFeatures(fma=True, wide=True, tables=False))


def test_few_uses_are_copied_and_many_are_calls() -> None:
    assert not chosen(["exp", "sin", "tanh"], 1)
    assert not chosen(["exp", "tanh"], 2)
    assert not chosen(["sqrt"], 100)
    assert chosen(["exp", "sin", "tanh"], 10) == {("exp", "f32"), ("sin", "f32"), ("tanh", "f32")}


def test_long_formulas_of_calls_run_in_pairs_of_vectors() -> None:
    """Only what is written counts: where the bodies are copied, this one is too long for pairs."""
    if "avx512" not in LEVELS:
        pytest.skip("no AVX-512 here")
    kernel, known = repeated(["sin", "tanh"], 12), features("avx512")
    called = called_functions(kernel, known)
    assert "<32 x float>" not in text_of(expand_math(kernel, known), "avx512")
    assert called == {("sin", "f32"), ("tanh", "f32")}
    expanded = expand_with_calls(kernel, known)
    assert set(definitions(text_of(expanded, "avx512"))) == {"sin.f32.32", "tanh.f32.32"}


@needs_backend
def test_aarch64_calls_stay_inside_the_object() -> None:
    kernel = repeated(["sin", "exp"], 12)
    assert_alone(aarch64_object_of(kernel), "calls")
    assert len(re.findall(r"\bbl\s+sin\.f32\.4", aarch64_assembly_of(kernel))) >= 12
