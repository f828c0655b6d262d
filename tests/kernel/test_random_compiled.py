"""Random kernels mean the same interpreted and compiled, at every instruction set this processor has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Instruction, Kernel, Value
from jitframe.codegen.kernel.ops import MATH
from jitframe.codegen.kernel.rewrite import clone
from jitframe.codegen.kernel.scalars import from_storage
from jitframe.codegen.math import MathFeatures, called
from jitframe.codegen.plan.bind import scalar_bits
from jitframe.ir.types import DType
from tests.kernel.strategies import EXTENT, arguments, kernels
from tests.llvm.llvm_harness import LEVELS, Compiled

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
"""Without `explain`, which compiles hundreds of variants of a failing kernel."""


def exactly_defined(
    instruction: Instruction, build: KernelBuilder, operands: tuple[Value, ...]
) -> Sequence[Value] | None:
    """Replace what has no one exact result: math functions, fma where it is lacking, the bits of a NaN."""
    if instruction.op.name in MATH:
        return (build.emit("neg", operands[:1]),)
    if instruction.op.name == "fma":
        return (build.add(build.mul(*operands[:2]), operands[2]),)
    if instruction.op.name == "bitcast" and instruction.operands[0].dtype.is_float:
        return (build.cast(operands[0], instruction.result.dtype),)
    return None


def computing(kernel: Kernel) -> frozenset[str]:
    """The functions that LLVM may call, however few and short copies would be."""
    with patch.object(called, "MOST_REPEATED", -1):
        return called.own_calls(kernel, MathFeatures())


def call(kernel: Kernel, level: str, buffers: list[np.ndarray[Any, Any]], scalars: list[Any]) -> None:
    values = [EXTENT, *(scalar_bits(x, v.dtype) for x, v in zip(scalars, kernel.scalars, strict=True))]
    slots = np.array([*(array.ctypes.data for array in buffers), *values], np.uint64)
    compiled = Compiled(kernel, level)  # its code lives as long as it does
    compiled.call(slots.ctypes.data, 0, 1)


def elements(array: np.ndarray[Any, Any], dtype: DType) -> list[str]:
    """Each element as text: every NaN alike, zeros with their sign."""
    return [str(from_storage(element, dtype)) for element in array]


@pytest.mark.more
@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=_PHASES)
@given(random=kernels())
def test_compiled_equals_interpreted(level: str, random: Kernel) -> None:
    kernel = clone(random, exactly_defined, called=computing(random))
    interpreted, scalars = arguments(kernel, 1)
    compiled = [array.copy() for array in interpreted]
    interpret(kernel, interpreted, [EXTENT], scalars, range(1))
    call(kernel, level, compiled, scalars)
    for parameter, ours, theirs in zip(kernel.buffers, compiled, interpreted, strict=True):
        assert elements(ours, parameter.dtype) == elements(theirs, parameter.dtype)
