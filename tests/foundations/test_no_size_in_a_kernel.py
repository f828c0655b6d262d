"""F3: sizes are numbers that a kernel is given, so a new size compiles nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.text import plan_text
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.kernels.target import host_target
from tests.foundations.programs import kernels_of, lookups, plan_of

SIZES = [1, 2, 3, 4, 5, 7, 16, 31, 100, 613, 1000, 7919, 65536, 104729, 1_000_003]
UNSEEN = [6, 17, 97, 4099, 66_667, 500_009]
LARGEST = 10_000_000
MOST_CLASSES = 6
"""Axes of two, three and four elements are classes of their own: they are unrolled."""


def add(x, y):
    return x + y


def chain(x, y):
    n = x.shape[0]
    return np.sqrt(x / x.shape[0] + y * (1 / (n + 1))) - n


def total(x, y):
    return (x * y).sum()


def softmax_rows(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def column_sum(x):
    return x.sum(axis=0)


VECTORS: list[Callable[..., Any]] = [add, chain, total]
MATRICES: list[Callable[..., Any]] = [softmax_rows, column_sum]


def vectors(n: int) -> tuple[np.ndarray, ...]:
    x = np.arange(n, dtype=np.float32) % 1021
    return x, x[::-1].copy()


def matrices(n: int) -> list[tuple[np.ndarray]]:
    """About n elements as many short rows, square, and few long rows."""
    side = max(int(n**0.5), 1)
    shapes = [(max(n // 5, 1), 5), (side, side), (3, max(n // 3, 1))]
    return [
        ((np.arange(rows * columns, dtype=np.float32) % 13).reshape(rows, columns),)
        for rows, columns in shapes
    ]


def calls(function: Callable[..., Any], sizes: list[int]) -> list[tuple[np.ndarray, ...]]:
    if function in VECTORS:
        return [vectors(n) for n in (*sizes, *([LARGEST] if function is add else []))]
    return [each for n in sizes for each in matrices(n)]


def same(ours: Any, theirs: Any, function: Callable[..., Any]) -> None:
    if function is total or function in MATRICES:
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("function", VECTORS + MATRICES, ids=lambda function: function.__name__)
def test_a_sweep_of_sizes_compiles_few_classes_and_then_nothing(function):
    jitted = jf.jit(function)
    templates = {}
    for arguments in calls(function, SIZES):
        same(jitted(*arguments), function(*arguments), function)
        template = jitted.program(*arguments).ready.template
        templates[id(template)] = template
    assert len(templates) <= MOST_CLASSES
    before = lookups()
    for arguments in calls(function, UNSEEN):
        same(jitted(*arguments), function(*arguments), function)
        assert id(jitted.program(*arguments).ready.template) in templates
    assert lookups() == before


@pytest.mark.parametrize("function", [*VECTORS, column_sum], ids=lambda function: function.__name__)
def test_the_same_lazily(function):
    def lazily(arguments):
        namespace = dict(function.__globals__, np=jf)
        spelled = type(function)(function.__code__, namespace)
        return spelled(*map(jf.asarray, arguments)).numpy()

    for arguments in calls(function, SIZES):
        same(lazily(arguments), function(*arguments), function)
    before = lookups()
    for arguments in calls(function, UNSEEN):
        same(lazily(arguments), function(*arguments), function)
    assert lookups() == before


@pytest.mark.more
def test_a_fresh_process_compiles_once_for_all_sizes(in_process):
    counts = in_process(
        """
        import json
        import numpy as np, jitframe as jf

        @jf.jit
        def f(x, y):
            return np.sqrt(x / x.shape[0] + y) * (1 / (x.shape[0] + 1))

        counts = []
        for n in (1, 2, 3, 10, 613, 7919, 104729, 1000003, 10000000):
            x = np.ones(n, np.float32)
            assert f(x, x).shape == (n,)
            counts.append(jf.cache.stats()["compiled"])
        print(json.dumps(counts))
        """,
        JITFRAME_CACHE="off",
    )
    assert counts[0] == 1 and counts[-1] <= MOST_CLASSES


def numbers_in(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"(?<![\w.%@])\d{3,}\b", text)}


ROWS, COLUMNS = 7919, 613


def heat(x):
    y = x.copy()
    y[1:-1, 1:-1] += 0.1 * (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2] - 4 * x[1:-1, 1:-1])
    return y


def mean_of_rows(x):
    return (x - x.mean(axis=1, keepdims=True)) * (1 / (x.shape[0] - 1)) + x.shape[1]


def window(x):
    return x[17:-613:211, ::-1].T.reshape(-1) * 2.5


def made(x):
    grid = np.arange(x.shape[0], dtype=np.float32).reshape(-1, 1)
    return np.concatenate([x * grid, np.full((101, x.shape[1]), 7.25, np.float32)])


@pytest.mark.parametrize(
    "function",
    [softmax_rows, column_sum, heat, mean_of_rows, window, made],
    ids=lambda function: function.__name__,
)
def test_no_number_of_a_shape_is_in_any_text(function):
    """Two calls whose sizes share no number have equal texts, and none of the sizes is in them."""
    jitted = jf.jit(function)
    first = np.ones((ROWS, COLUMNS), np.float32)
    second = np.ones((ROWS - 500, COLUMNS + 222), np.float32)
    np.testing.assert_allclose(jitted(first), function(first), rtol=1e-5)
    texts = kernels_of(jitted, first)
    assert texts == kernels_of(jitted, second)
    plan = plan_of(jitted, first)
    for text in (*texts, plan_text(plan), *(llvm_text(kernel, host_target()) for kernel in plan.kernels)):
        sizes = {each * scale for each in (ROWS, COLUMNS, ROWS * COLUMNS, 211, 101) for scale in (1, 4)}
        sizes |= {ROWS - 1, ROWS - 2, COLUMNS - 1, COLUMNS - 2}
        assert not numbers_in(text) & sizes, text


def test_numbers_met_in_a_program_are_read_at_run_time():
    jitted = jf.jit(lambda x, scale: (x * scale + 12.5) / x.shape[0])
    x = np.arange(7919.0)
    for scale in (3.5, 977.0):
        np.testing.assert_array_equal(jitted(x, scale), (x * scale + 12.5) / x.shape[0])
    (text,) = kernels_of(jitted, x, 3.5)
    assert not re.search(r"12\.5|3\.5|977|0x402900", text) and text.count("scalars") == 1


def test_equal_extents_are_not_taken_for_the_same_axis():
    """Traced where two axes happen to be equally long, then run where they are not."""
    jitted = jf.jit(lambda x, y: x[:, None] * 2 + y[None, :])
    for n, m in ((5, 5), (640, 640), (5, 640), (640, 5), (1, 9), (9, 1)):
        x, y = np.arange(n, dtype=np.float64), np.arange(m, dtype=np.float64)
        np.testing.assert_array_equal(jitted(x, y), x[:, None] * 2 + y[None, :])
    before = lookups()
    for n, m in ((11, 11), (641, 641), (641, 7), (7, 641), (6, 9)):
        x, y = np.arange(n, dtype=np.float64), np.arange(m, dtype=np.float64)
        np.testing.assert_array_equal(jitted(x, y), x[:, None] * 2 + y[None, :])
    assert lookups() == before
