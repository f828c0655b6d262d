"""F4: plans of real programs print, parse and verify; every shape is split into tiles that threads share."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.plan.bind import PlanTemplate
from jitframe.codegen.plan.nodes import Launch
from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.text import plan_text
from jitframe.codegen.plan.verify import verify_plan
from jitframe.compilation.evaluate import facts
from jitframe.ir.record import replace
from jitframe.runtime.cpu.execution.runtime import runtime
from tests.foundations.programs import plan_of

THREADS = (1, 2, 3, 7)


def elementwise(x):
    return np.sqrt(x * x + 1) / 3


def whole_sum(x):
    return x.sum()


def row_sums(x):
    return x.sum(axis=1)


def column_sums(x):
    return x.sum(axis=0)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def both_ways(x):
    return x - x.mean(axis=0), x - x.mean(axis=1, keepdims=True), x.max()


def assigned(x):
    y = np.zeros(x.shape, x.dtype)
    y[1:, ::2] = x[:-1, ::2] * 2
    y[:, 0] += x[:, -1]
    return y


def looped(x):
    return jf.fori_loop(0, 5, lambda i, y: y * 0.5 + x + i, x)


def branched(x):
    return jf.cond(x.sum() > 0, lambda y: y.sum(axis=0), lambda y: -y[0], x)


def product(x):
    return np.tanh(x @ x.T + 1).sum(axis=1)


PROGRAMS = [
    elementwise,
    whole_sum,
    row_sums,
    column_sums,
    softmax,
    both_ways,
    assigned,
    looped,
    branched,
    product,
]


def matrix(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(rows).standard_normal((rows, columns)).astype(np.float32)


def close(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, tuple):
        for one, other in zip(ours, theirs, strict=True):
            close(one, other)
        return
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=3e-5, atol=3e-4)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_plans_survive_printing_and_verify(program):
    jitted = jf.jit(program)
    x = matrix(37, 41)
    close(jitted(x), program(x))
    plan = plan_of(jitted, x)
    verify_plan(plan)
    for kernel in plan.kernels:
        verify(kernel)
    text = plan_text(plan)
    again = parse_plan(text)
    assert plan_text(again) == text
    numbers = jitted.program(x).ready.sizes
    bound, bound_again = (PlanTemplate(each).bind(numbers, facts()) for each in (plan, again))
    assert bound.steps == bound_again.steps and bound.outputs == bound_again.outputs
    # A plan that was kept on disk names its kernels only.
    assert replace(bound, kernels=()) == replace(jitted.program(x).ready.bound, kernels=())


LONG = 300_007
SHAPES = [(1, LONG), (LONG, 1), (2, LONG), (LONG, 2), (3, LONG), (LONG, 3), (547, 551)]
SPLIT = [elementwise, whole_sum, row_sums, column_sums, softmax, both_ways]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("program", SPLIT, ids=lambda program: program.__name__)
def test_every_shape_is_right_at_every_thread_count(program, shape, threads):
    jitted = jf.jit(program)
    x = matrix(*shape)
    wanted = program(x)
    results = []
    for count in THREADS:
        threads(count)
        found = jitted(x)
        close(found, wanted)
        results.append(found)
    for other in results[1:]:
        for one, two in zip(flat(results[0]), flat(other), strict=True):
            np.testing.assert_array_equal(one, two)


def flat(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def launches(steps: Any) -> list[Launch]:
    return [step for step in steps if isinstance(step, Launch)]


WIDE = 4_000_037


@pytest.mark.parametrize("shape", [(1, WIDE), (WIDE, 1), (2, WIDE), (WIDE, 2), (3, WIDE), (WIDE, 3)], ids=str)
@pytest.mark.parametrize(
    "program", [elementwise, whole_sum, row_sums, column_sums], ids=lambda each: each.__name__
)
def test_the_longest_launch_of_every_shape_is_split_and_shared(program, shape, threads):
    threads(2)
    jitted = jf.jit(program)
    x = np.ones(shape, np.float32)
    jitted(x)
    found = launches(jitted.program(x).ready.bound.steps)
    # Two threads end together when each has several pieces to claim.
    assert max(launch.groups for launch in found) >= 32
    before = runtime().statistics()["shared_launches"]
    jitted(x)
    assert runtime().statistics()["shared_launches"] > before


def test_small_calls_are_not_offered_to_the_workers(threads):
    threads(2)
    jitted = jf.jit(elementwise)
    x = matrix(4, 4)
    jitted(x)
    before = runtime().statistics()
    jitted(x)
    assert runtime().statistics()["shared_launches"] == before["shared_launches"]


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


@pytest.mark.slow
@pytest.mark.parametrize("rows", ["1xN", "Nx1", "2xN", "Nx2", "3xN", "Nx3"])
def test_two_threads_are_faster(rows, threads):
    """At least 1.7 times, for work that stays in the caches of a quiet machine."""
    if (os.cpu_count() or 1) < 2:
        pytest.skip("one processor")
    load = os.getloadavg()[0]
    if load > 1.5:
        pytest.skip(f"the machine is busy: load average {load:.2f}")
    first, second = rows.split("x")
    n = 200_000
    shape = (n, int(second)) if first == "N" else (int(first), n)
    jitted = jf.jit(lambda x: np.sin(np.exp(-x) + np.tanh(x)) * np.cos(x))
    x = np.random.default_rng(1).random(shape, np.float32)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(60):
        for count, found in times.items():
            threads(count)
            jitted(x)
            found.append(seconds(lambda: jitted(x)))
    ratio = statistics.median(times[1]) / statistics.median(times[2])
    assert ratio >= 1.7, (
        f"{ratio:.2f} times as fast: {statistics.median(times[2]) * 1e6:.0f} us on two threads"
    )
