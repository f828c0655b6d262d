"""The expansion pass: what it replaces, shares and leaves alone, and how long it takes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, Value, walk
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.math import ARITY, MATH_NAMES, MathFeatures, expand_math
from jitframe.ir.types import BF16, F16, F32, DType

from .compiled import function_kernel

FUSED, SPLIT = MathFeatures(fma=True), MathFeatures(fma=False)
FEATURES = {
    "fma": FUSED,
    "split": SPLIT,
    "fma-wide": MathFeatures(fma=True, wide=True),
    "split-wide": MathFeatures(fma=False, wide=True),
    "tables": MathFeatures(fma=True, wide=True, tables=True),
}


def names_of(kernel: Kernel) -> Counter[str]:
    return Counter(instruction.op.name for instruction in walk(kernel.body))


def chain(*names: str) -> Kernel:
    """out[i] = last(...first(x[i])), binary instructions on their operand twice."""
    build = KernelBuilder("chain")
    source, target, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        x = build.load(source, i)
        for name in names:
            x = build.emit(name, (x, x) if name in ("add", "mul", "pow") else (x,))
        build.store(target, i, x)
    return build.finish()


@pytest.mark.parametrize("features", FEATURES.values(), ids=FEATURES.keys())
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_bodies_are_valid_and_keep_to_their_features(dtype: str, features: MathFeatures) -> None:
    for name in ARITY:
        kernel = expand_math(function_kernel(name, dtype), features)
        verify(kernel, allow_fma=features.fma)
        used = names_of(kernel)
        assert not used.keys() & MATH_NAMES, name
        assert features.fma or "fma" not in used, name
        assert "while" not in used and used["for"] == 1, name
        assert used["div"] <= {"lgamma": 2, "tgamma": 4}.get(name, 1), name


@pytest.mark.parametrize("features", [FUSED, SPLIT], ids=["fma", "split"])
def test_f32_needs_nothing_wider_than_32_bits(features: MathFeatures) -> None:
    """So that targets without 64-bit integers and doubles can use it; `wide` is theirs to leave out."""
    for name in ARITY:
        kernel = expand_math(function_kernel(name, "f32"), features)
        types = {value.dtype.name for instruction in walk(kernel.body) for value in instruction.results}
        assert types <= {"f32", "i32", "u32", "bool", "index"}, name


def test_a_kernel_without_functions_is_returned_itself() -> None:
    kernel = chain("add", "sqrt", "mul")
    assert expand_math(kernel, FUSED) is kernel
    kernel = chain("add", "exp")
    assert expand_math(kernel, FUSED, frozenset(("log", "sin"))) is kernel


def test_only_the_names_asked_for_are_replaced() -> None:
    used = names_of(expand_math(chain("exp", "tanh", "log"), FUSED, frozenset(("tanh",))))
    assert used["exp"] == used["log"] == 1 and used["tanh"] == 0 and used["div"] == 1


def test_the_given_kernel_is_left_alone() -> None:
    kernel = chain("exp", "add", "sin", "pow")
    before = kernel_text(kernel)
    expanded = expand_math(kernel, SPLIT)
    assert kernel_text(kernel) == before
    assert names_of(kernel)["exp"] == 1 and names_of(expanded)["exp"] == 0


@pytest.mark.parametrize("features", [FUSED, SPLIT], ids=["fma", "split"])
def test_equal_instructions_are_made_once(features: MathFeatures) -> None:
    """tanh(x) after exp(2x) finds the powers of e already there; constants are made once for each scope."""
    build = KernelBuilder("shared")
    source, target, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        x = build.load(source, i)
        sine, cosine = build.emit("sin", (x,)), build.emit("cos", (x,))
        build.store(target, i, build.mul(sine, cosine))
    expanded = expand_math(build.finish(), features)
    verify(expanded, allow_fma=features.fma)
    both, alone = names_of(expanded), names_of(expand_math(function_kernel("sin", "f32"), features))
    assert both["if"] == alone["if"] == 1
    assert both["table"] == alone["table"] == (0 if features.fma else 1)
    assert both.total() < alone.total() + 20
    loop = expanded.body.instructions[-1]
    constants = [
        (instruction.result.dtype, repr(instruction.attributes["value"]))
        for instruction in loop.blocks[0].instructions
        if instruction.op.name == "constant"
    ]
    assert len(constants) == len(set(constants))


def test_functions_in_nested_blocks() -> None:
    build = KernelBuilder("nested")
    source, target, extent = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        x = build.load(source, i)
        outer = build.emit("exp", (x,))

        def step(_: Value, carried: Value) -> list[Value]:
            return [build.add(carried, build.emit("log", (build.add(build.emit("exp", (x,)), carried),)))]

        (total,) = build.carry(build.constant(0), build.constant(3), [outer], step)
        positive = build.emit("gt", (x, build.constant(0.0, F32)))
        (chosen,) = build.branch(positive, lambda: [build.emit("erf", (total,))], lambda: [total])
        build.store(target, i, chosen)
    kernel = build.finish()
    expanded = expand_math(kernel, FUSED)
    verify(expanded, allow_fma=True)
    assert not names_of(expanded).keys() & MATH_NAMES
    x = np.linspace(0.1, 2, 37).astype(np.float32)
    first, second = np.zeros_like(x), np.zeros_like(x)
    interpret(kernel, [x, first], [x.size], [], range(1))
    interpret(expanded, [x, second], [x.size], [], range(1))
    assert np.abs(first / second - 1).max() < 1e-6


@pytest.mark.parametrize("dtype", [F16, BF16], ids=["f16", "bf16"])
def test_short_floats_go_through_f32(dtype: DType) -> None:
    kernel = expand_math(function_kernel("exp", dtype.name), FUSED)
    casts = [i.results[0].dtype for i in walk(kernel.body) if i.op.name == "cast"]
    assert casts.count(F32) == 1 and casts.count(dtype) == 1


def test_bodies_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later kernels copy templates: no body is written again, and the work grows with the steps copied."""
    kernel = chain("add", "mul", "exp", "add", "mul", "tanh", "add", "log", "mul", "add")
    first = expand_math(kernel, FUSED)

    def fail(name: str) -> None:
        raise AssertionError(f"the body of {name} was built again")

    monkeypatch.setattr("jitframe.codegen.math.expand.body_of", fail)
    assert names_of(expand_math(kernel, FUSED)) == names_of(first)
