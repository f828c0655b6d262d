"""Attention in tiles: groups of queries for few and for many registers, and more keys than a block has."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.llvm import generate, vector_target
from jitframe.codegen.lower.attention.tiles import KEYS, MOST_QUERIES
from jitframe.codegen.lower.machine import PROCESSOR
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.functions.attention import attention
from jitframe.ir.node import Node
from jitframe.ir.record import replace

from .machines import Interpreter, Problem, lower, run


def attended(problem: Problem, *window: int | None) -> list[Node]:
    """The last group has fewer queries than others, and the last block fewer keys."""
    numbers = np.random.default_rng(3)
    shapes = ((1, 1, 1, MOST_QUERIES + 1, 2), (1, 1, KEYS + 5, 2), (1, 1, KEYS + 5, 3))
    operands = [problem.parameter(numbers.normal(size=shape).astype("f4")) for shape in shapes]
    return [attention(problem.graph, *operands, 0.5, *window, None)]


@pytest.mark.parametrize("registers", [16, 32])
@pytest.mark.parametrize("window", [(None, None), (KEYS, KEYS // 2)])
def test_groups_of_queries(registers: int, window: tuple[int | None, int | None]) -> None:
    """With a window, groups see some keys of both blocks."""
    problem = Problem()
    outputs = attended(problem, *window)
    machine = replace(PROCESSOR, vector_registers=registers)
    (ours,), (meant,) = run(Interpreter(), problem, outputs, machine), problem.meant(outputs)
    np.testing.assert_allclose(ours, meant, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(("level", "queries", "lanes"), [("avx2", 6, 16), ("avx512", 8, 32)])
def test_sums_fill_the_registers(level: str, queries: int, lanes: int) -> None:
    """Two vectors for each query of a group: for scores, for vectors of values, and for partial ones."""
    problem, target = Problem(), vector_target(level)
    machine = replace(PROCESSOR, vector_registers=target.vector_registers)
    kernels = lower(attended(problem, None, None), problem.strides(), machine)[0].kernels
    kernel = expand_math(next(each for each in kernels if each.name == "attention"), MathFeatures(fma=True))
    assert generate(kernel, target).count(f"call <{lanes} x float> @llvm.fma") == 3 * queries
