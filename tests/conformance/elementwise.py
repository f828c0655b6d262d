"""Every elementwise op as cases by dtype, found in the tables of ops; and arguments where they are hard."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from jitframe.codegen.kernel.ops import ARITHMETIC, COMPARISONS, MATH
from jitframe.codegen.math import ARITY
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Op
from jitframe.ir.ops import complex_numbers
from jitframe.ir.types import BY_NUMPY_NAME, DType
from tests.conformance.check import Case
from tests.foundations.values import interesting, pairs
from tests.math.points import borders, f64_regions, measured, pair_regions, patterns, specials

ELEMENTWISE = tuple(
    op
    for op in ops.OPS.values()
    if op.family == "elementwise"
    and op.fault is None
    and "region" not in op.attribute_names
    and op not in complex_numbers.OPS
)
_WITH_ATTRIBUTES = (ops.cast, ops.bitcast)
_KERNEL_OPS = {**ARITHMETIC, **COMPARISONS, **MATH}
MANY_PATTERNS = 70_001


def arity(op: Op) -> int:
    """Operands of an elementwise op: those of its kernel instruction; `copy` has one and no instruction."""
    if op is ops.select:
        return 3
    return 1 if op.instruction is None else _KERNEL_OPS[op.instruction].arity or 0


def plain_cases(dtype: DType, count: int) -> list[Case]:
    """Cases of `count` arguments for every op that takes the dtype and has no attributes, math aside."""
    return [
        Case(op.name, _applied(op))
        for op in ELEMENTWISE
        if op not in _WITH_ATTRIBUTES
        and op.instruction not in ARITY
        and arity(op) == count
        and dtype.kind in op.kinds
    ]


def random_words() -> tuple[list[Case], tuple[np.ndarray, ...]]:
    """The words of counters and keys: the cases and their arguments."""
    cases = [Case(op.name, _applied(op)) for op in ops.PHILOX]
    hard = [0, 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 0x243F6A88, 0xA4093822]
    words = np.random.default_rng(2).integers(0, 1 << 32, (6, 1000), np.uint32)
    words[:, : len(hard)] = hard
    return cases, tuple(words)


def math_ops(count: int) -> list[Op]:
    """The functions that are computed to a stated error."""
    return [op for op in ELEMENTWISE if op.instruction in ARITY and arity(op) == count]


def cast_cases(source: DType, targets: tuple[str, ...]) -> list[Case]:
    """Casts to every dtype of `targets`, and bitcasts to those of the same width."""
    made = []
    for name in targets:
        target = BY_NUMPY_NAME[name]
        made.append(Case(f"cast to {name}", _converted(ops.cast, target)))
        if target.bits == source.bits and target is not source:
            made.append(Case(f"bitcast to {name}", _converted(ops.bitcast, target)))
    return made


def _applied(op: Op) -> Callable[[Graph, list[Node]], Node]:
    return lambda graph, given: graph.make(op, *given)


def _converted(op: Op, target: DType) -> Callable[[Graph, list[Node]], Node]:
    return lambda graph, given: graph.make(op, given[0], attributes=(target,))


@cache
def arguments(dtype: str, count: int) -> tuple[np.ndarray, ...]:
    """Hard values: all, all pairs, or all pairs under both conditions."""
    if count == 1:
        return (interesting(dtype),)
    x, y = pairs(dtype)
    if count == 2:
        return x, y
    condition = np.arange(x.size) % 3 == 0
    return condition, x, y


@cache
def math_arguments(name: str, dtype: str) -> tuple[np.ndarray, ...]:
    """Where a function changes its form, its special cases, and values from the whole range."""
    short = BY_NUMPY_NAME[dtype].name
    if short in ("f16", "bf16"):
        with np.errstate(all="ignore"):
            if ARITY[name] == 2:
                return tuple(each.astype(dtype) for each in math_arguments(name, "float32"))
        return (measured(name, np.arange(1 << 16, dtype=np.uint16).view(dtype)),)
    if ARITY[name] == 2:
        regions = [
            *pair_regions(name, short, 400, seed=3),
            tuple(each.ravel() for each in np.meshgrid(specials(short), specials(short), indexing="ij")),
        ]
        return tuple(np.ascontiguousarray(np.concatenate(each)) for each in zip(*regions, strict=True))
    if short == "f64":
        return (measured(name, np.concatenate([specials(short), *f64_regions(name, 4000, seed=3)])),)
    spread = patterns(17, (1 << 32) // MANY_PATTERNS, MANY_PATTERNS)
    return (measured(name, np.concatenate([specials(short), spread, borders(name, short, 100)])),)


def sized(arrays: tuple[np.ndarray, ...], size: int) -> tuple[np.ndarray, ...]:
    """The first `size` values in an order that mixes them, all again where they are too few."""
    order = np.random.default_rng(5).permutation(arrays[0].size)
    return tuple(np.resize(array[order], size) for array in arrays)
