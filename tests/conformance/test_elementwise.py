"""Every elementwise op on every dtype: hard values, edge sizes, broadcasts, every cast."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.scalars import float_to_integer
from jitframe.functions import elementwise
from jitframe.ir.types import BY_NUMPY_NAME
from tests.conformance.check import Case, Outcome, by_bits_or_ulp, outcomes, settle
from tests.conformance.devices import ARRAY_DTYPES, THOROUGHLY, Target
from tests.conformance.elementwise import (
    arguments,
    cast_cases,
    math_arguments,
    math_ops,
    plain_cases,
    random_words,
    sized,
)
from tests.foundations.values import interesting

DTYPES = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES)
FLOATS = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES if dtype.is_float)
SIZES = (0, 1, 2, 31, 33, 257, 4097, 70_000)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_op_on_hard_values(target: Target, dtype: str) -> None:
    target.require(dtype)
    for count in (1, 2, 3):
        arrays = arguments(dtype, count)
        cases = plain_cases(BY_NUMPY_NAME[dtype], count)
        settle(target, dtype, outcomes(target, cases, arrays), arrays, by_bits_or_ulp)


def test_words_of_random_bits(target: Target) -> None:
    target.require("uint32")
    cases, arrays = random_words()
    settle(target, "uint32", outcomes(target, cases, arrays), arrays, by_bits_or_ulp)


@pytest.mark.parametrize("dtype", FLOATS)
def test_every_function_over_its_whole_range(target: Target, dtype: str) -> None:
    target.require(dtype)
    for count in (1, 2):
        for op in math_ops(count):
            arrays = math_arguments(op.name, dtype)
            case = Case(op.name, lambda graph, given, op=op: graph.make(op, *given))
            settle(target, dtype, outcomes(target, [case], arrays), arrays, by_bits_or_ulp)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_size(target: Target, dtype: str) -> None:
    """The same kernels on sizes around workgroups, vectors and tiles; none is compiled again."""
    target.require(dtype)
    for count in (1, 2):
        cases = plain_cases(BY_NUMPY_NAME[dtype], count)
        for size in SIZES:
            arrays = sized(arguments(dtype, count), size)
            settle(target, dtype, outcomes(target, cases, arrays), arrays, by_bits_or_ulp)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_cast(target: Target, dtype: str) -> None:
    """By NumPy's values; floats beyond an integer's range by the table of kernel instructions."""
    target.require(dtype)
    arrays = (interesting(dtype),)
    found = outcomes(target, cast_cases(BY_NUMPY_NAME[dtype], target.dtypes), arrays)
    settle(target, dtype, [_by_the_table(each, arrays[0]) for each in found], arrays, by_bits_or_ulp)


def _by_the_table(outcome: Outcome, given: np.ndarray) -> Outcome:
    result = outcome.theirs.dtype
    if given.dtype.kind not in "fV" or result.kind not in "iu" or "bitcast" in outcome.case.op:
        return outcome
    values = [float_to_integer(value, BY_NUMPY_NAME[result.name]) for value in given]
    return Outcome(outcome.case, outcome.ours, np.array(values, result), outcome.refusal)


SHAPES = [
    ((), ()), ((3,), ()), ((1,), (5,)), ((4, 1), (3,)), ((4, 1, 2), (3, 1)), ((1, 1), (5, 4)),
    ((2, 1, 3, 1), (4, 1, 5)), ((0, 3), (1,)), ((2, 3, 33, 5), (2, 3, 33, 5)), ((129, 67), (129, 1)),
]  # fmt: skip


@THOROUGHLY
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_every_rank_and_broadcast(target: Target, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    for shapes in SHAPES if target.tries_all(thorough) else SHAPES[3:5]:
        arrays = tuple(np.resize(interesting(dtype), shape) for shape in shapes)
        settle(target, dtype, outcomes(target, BROADCAST, arrays), arrays, by_bits_or_ulp)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_met_in_the_program(target: Target, dtype: str) -> None:
    """Constants that stand in a kernel, and numbers that a launch is given."""
    target.require(dtype)
    arrays = (interesting(dtype),)
    cases = NUMBERS[:2] if dtype == "bool" else NUMBERS
    settle(target, dtype, outcomes(target, cases, arrays), arrays, by_bits_or_ulp)


BROADCAST = [
    Case("mul", lambda graph, given: elementwise.multiply(graph, *given)),
    Case("lt", lambda graph, given: elementwise.less(graph, *given)),
    Case("select", lambda graph, given: elementwise.where(graph, given[0], *given)),
]
NUMBERS = [
    Case("maximum", lambda graph, given: elementwise.maximum(graph, given[0], True)),
    Case("ne", lambda graph, given: elementwise.not_equal(graph, given[0], False)),
    Case("add", lambda graph, given: elementwise.add(graph, given[0], 2)),
    Case("mul", lambda graph, given: elementwise.multiply(graph, given[0], 113)),
    Case("lt", lambda graph, given: elementwise.less(graph, given[0], 97)),
    Case("select", lambda graph, given: elementwise.where(graph, given[0], given[0], 11)),
]
