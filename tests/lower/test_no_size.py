"""No size in a kernel: new sizes make no new kernels, no extent stands in their text, loops stay vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.cache.service import kernel_cache
from jitframe.codegen.kernel.text import kernel_text
from jitframe.compilation import evaluate
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.compile import assembly
from jitframe.runtime.cpu.machine_code.levels import LEVELS, level_target
from tests.llvm.test_objects import SCALAR_FLOAT, hot_loops

from .programs import (
    floats,
    heat,
    lanes_loops,
    layer_norm,
    nearest,
    plan_of,
    plus,
    ready_of,
    reshaped,
    several,
    softmax,
    squared_differences,
    total,
)

Arguments = Callable[[int, int], tuple[np.ndarray, ...]]
PROGRAMS: dict[str, tuple[Callable[..., Any], Arguments]] = {
    "softmax": (softmax, lambda m, n: (floats(m, n),)),
    "layer_norm": (layer_norm, lambda m, n: (floats(m, n), floats(n), floats(n))),
    "nearest": (nearest, lambda m, n: (floats(m, 3), floats(n, 3))),
    "heat": (heat, lambda m, n: (floats(m, n),)),
    "squared_differences": (squared_differences, lambda m, n: (floats(m, n), floats(m, n))),
    "several": (several, lambda m, n: (floats(m, n), floats(m, n))),
    "reshaped": (reshaped, lambda m, n: (floats(m * n), floats(m, n))),
    "columns": (lambda x: x.sum(axis=0), lambda m, n: (floats(m, n),)),
    "strided": (lambda x, y: x[::2, 1:] + y.T[::2, 1:], lambda m, n: (floats(m, n), floats(n, m))),
    "mean": (lambda x: x / x.shape[0] + 1 / (x.shape[1] - 1), lambda m, n: (floats(m, n),)),
    "product": (lambda x, y: np.tanh(x @ y), lambda m, n: (floats(m, n), floats(n, m))),
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_two_sizes_share_plan_and_kernels_without_a_digit_of_either(name: str) -> None:
    function, arguments = PROGRAMS[name]
    sizes = (79, 83), (89, 97)
    first = ready_of(function, *arguments(*sizes[0]))
    compiled = kernel_cache().statistics.snapshot()["compiled"]
    second = ready_of(function, *arguments(*sizes[1]))
    assert second.template is first.template
    assert kernel_cache().statistics.snapshot()["compiled"] == compiled
    assert second.sizes != first.sizes
    for kernel in first.template.lowered.plan.kernels:
        # Numbers of values (%79) are no sizes.
        numbers = {int(number) for number in re.findall(r"(?<![%@\w.])-?\d+", kernel_text(kernel))}
        for m, n in sizes:
            assert not numbers & {m, n, m * n, m - 1, n - 1, m - 2, n - 2, m + 1, n + 1}


SWEPT: dict[str, Callable[..., Any]] = {"sum": total, "plus": plus, "softmax": softmax}
SWEEP = (1, 2, 3, 5, 15, 16, 17, 100, 1023, 1024, 4095, 4097, 30_000, 65_535, 65_536, 70_001, 10**6, 10**7)


@pytest.mark.parametrize("name", list(SWEPT))
def test_a_sweep_of_sizes_needs_at_most_four_classes(name: str) -> None:
    templates, kernels = set(), set()
    for size in SWEEP:
        # Never touched: only its layout is looked at.
        array = np.empty((3, size) if name == "softmax" else size, np.float32)
        ready = ready_of(plus, array, array) if name == "plus" else ready_of(SWEPT[name], array)
        templates.add(id(ready.template))
        kernels.update(kernel_text(kernel) for kernel in ready.template.lowered.plan.kernels)
    assert len(templates) <= 4
    assert len(kernels) <= 4 + 3


def test_guards_choose_the_template() -> None:
    """A sum that is short, and one that is cut into blocks: two templates of one structure, both kept."""
    short, long = ready_of(total, floats(100)), ready_of(total, floats(100_000))
    assert short.template is not long.template
    assert ready_of(total, floats(200)).template is short.template
    assert ready_of(total, floats(200_000)).template is long.template
    known = [each.templates for each in evaluate._families.values() if short.template in each.templates]
    assert len(known) == 1 and long.template in known[0]


SCALAR_ELEMENT = re.compile(r"\tv?[a-z]+s[sd]\t.*\(%r\w+,%r\w+")
VECTORS = ("softmax", "layer_norm", "heat", "several", "squared_differences", "columns", "nearest")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", VECTORS)
def test_hot_loops_are_vectors_at_every_instruction_set(name: str, level: str) -> None:
    """Assembly is only read, so each level is looked at on any machine."""
    function, arguments = PROGRAMS[name]
    register = {"sse2": "%xmm", "avx2": "%ymm", "avx512": "%zmm"}[level]
    target = level_target(level)
    for kernel in plan_of(function, *arguments(79, 83)).kernels:
        busy = [loop for loop in lanes_loops(kernel) if loop.operations]
        loops = hot_loops(assembly(llvm_text(kernel, target), target))
        # Elements are read at an index; loops over whole blocks only add up what those gave.
        scalar = [
            body
            for body in loops
            if any(SCALAR_FLOAT.search(line) for line in body)
            and any(SCALAR_ELEMENT.search(line) for line in body)
        ]
        vector = [body for body in loops if body not in scalar and any(register in line for line in body)]
        assert len(vector) >= len(busy)
        # What is left over below a vector's width goes one by one: without masks, and for strided loads.
        # (The loop over blocks around a strided remainder looks like one of its own.)
        remainders = len(busy) + (name == "nearest") if level == "sse2" or name == "nearest" else 0
        assert len(scalar) <= remainders


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_shared_plans_are_right_at_every_size(name: str) -> None:
    """Each size is run with what was made for those before, equal and unit extents among them."""
    function, arguments = PROGRAMS[name]
    jitted = jf.jit(function)
    for sizes in ((79, 83), (5, 4), (4, 4), (3, 200), (200, 3), (64, 1000), (1000, 17), (7, 7)):
        given = arguments(*sizes)
        found, wanted = jitted(*given), function(*given)
        for x, y in zip(_several(found), _several(wanted), strict=True):
            assert x.dtype == y.dtype and x.shape == y.shape
            # A sum of a thousand products is 6e-5 from its value in NumPy.
            np.testing.assert_allclose(x, y, rtol=2e-4, atol=1e-4)


def _several(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def pairs(x: Any) -> Any:
    return np.sqrt(x)[:, ::2] * 2 + np.sqrt(x)[:, 1::2]


def thirds(x: Any) -> Any:
    return np.sqrt(x)[:, ::3] * 2 + np.sqrt(x)[:, 1::3]


def test_every_second_element_of_rows_is_picked_of_whole_vectors() -> None:
    """Steps of 2 are structure; others are numbers, whose elements are read one by one."""
    target = level_target("avx512")
    for function, picked in ((pairs, True), (thirds, False)):
        (kernel,) = plan_of(function, np.abs(floats(12, 96))).kernels
        text = assembly(llvm_text(kernel, target), target)
        assert bool(re.search(r"\tvperm[it]2p[sd]\t", text)) is picked
        for columns in (12, 96, 6):
            x = np.abs(floats(5, columns))
            np.testing.assert_array_equal(np.asarray(jf.jit(function)(x)), function(x))
