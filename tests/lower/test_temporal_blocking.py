"""Loops over stencils of large arrays take several steps in each turn: the same bits, however many steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.nodes import Copy, Launch, Loop, Plan
from jitframe.compilation.evaluate import forget
from jitframe.ir.passes import temporal_blocking, tiles
from jitframe.ir.passes.temporal_blocking import STEPS
from jitframe.runtime.cpu.execution.runtime import runtime

from .programs import all_steps, plan_of

Step = Callable[..., Any]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Arrays of a few elements are large, and have several tiles."""
    monkeypatch.setattr(tiles, "TILES", {1: (32,), 2: (8, 32), 3: (8, 8, 32)})
    monkeypatch.setattr(tiles, "LARGE", 1)
    monkeypatch.setattr(tiles, "MOST_MARGIN", 1)
    monkeypatch.setattr(temporal_blocking, "LARGE", 100)
    forget()
    yield
    forget()


def assigned(i, u):
    """Heat in a plate; the border keeps its temperature."""
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    u[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (around - 4 * u[1:-1, 1:-1])
    return u


def line(i, u):
    new = u.copy()
    new[1:-1] = u[1:-1] + 0.1 * (u[:-2] + u[2:] - 2 * u[1:-1])
    return new


def ring(i, u):
    """The ends are joined: what is read stands at no constant distance."""
    y = np.concatenate([u[-1:], u, u[:1]])
    return (y[:-2] + 2 * u + y[2:]) / 4


def mirrored(i, u):
    """An array that is filled part by part."""
    return np.concatenate([u[1:2], (u[:-2] + 2 * u[1:-1] + u[2:]) / 4, u[-2:-1]])


def wide(i, u):
    new = u.copy()
    new[2:-2] = (u[:-4] - 4 * u[1:-3] + 6 * u[2:-2] - 4 * u[3:-1] + u[4:]) / 16
    return new


def counted(i, u):
    new = u.copy()
    new[1:-1] = u[:-2] + u[2:] + i
    return new


def normed(i, u):
    new = u.copy()
    new[1:-1] = u[:-2] + u[2:]
    return new / new.max()


def block(i, u):
    new = u.copy()
    new[1:-1, 1:-1, 1:-1] = u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] - u[1:-1, 1:-1, :-2]
    return new


def scaled(i, u):
    return u[::-1] * 0.5 + 1


def wave(i, state):
    u, v = state
    new = v.copy()
    new[1:-1] = 2 * u[1:-1] - v[1:-1] + 0.1 * (u[:-2] - 2 * u[1:-1] + u[2:])
    return new, u


def reaction(i, state):
    """Two substances that spread, and one that feeds on the other."""
    u, v, feed = state
    made = u[1:-1] * v[1:-1] * v[1:-1]
    p, q = u.copy(), v.copy()
    p[1:-1] = u[1:-1] + 0.2 * (u[:-2] - 2 * u[1:-1] + u[2:]) - made + 0.1 * feed[1:-1] * (1 - u[1:-1])
    q[1:-1] = v[1:-1] + 0.1 * (v[:-2] - 2 * v[1:-1] + v[2:]) + made - 0.2 * v[1:-1]
    return p, q, feed


def remembered(i, state):
    """Heat, and what stood here with a little less weight each time: that might be written in place."""
    u, mean = state
    return line(i, u), mean * 0.9 + u * 0.1


@pytest.mark.parametrize(("step", "count"), [(wave, 2), (reaction, 3), (remembered, 2)])
@pytest.mark.parametrize("extent", [101, 640])
def test_several_arrays(step: Step, count: int, extent: int) -> None:
    arrays = tuple(np.random.default_rng(seed).random(extent) for seed in range(count))

    def function(n: int, *arrays: np.ndarray) -> Any:
        return jf.fori_loop(0, n, step, arrays)

    plan = plan_of(function, 3, *arrays)
    turns, _ = (each for each in plan.steps if isinstance(each, Loop))
    assert sum(isinstance(each, Launch) for each in turns.body) == 1
    jitted = jf.jit(function)
    for n in (0, 1, STEPS, 2 * STEPS + 3):
        for ours, meant in zip(jitted(n, *arrays), function(n, *arrays), strict=True):
            np.testing.assert_array_equal(ours, meant)


def check(step: Step, u: np.ndarray, counts: tuple[int, ...]) -> None:
    def function(u: np.ndarray, n: int) -> Any:
        return jf.fori_loop(0, n, step, u)

    jitted = jf.jit(function)
    for n in counts:
        np.testing.assert_array_equal(jitted(u, n), function(u.copy(), n), err_msg=f"{n} steps")
    assert jitted.stats()["traces"] == 1


def loops_of(step: Step, u: np.ndarray) -> list[Loop]:
    plan = plan_of(lambda u, n: jf.fori_loop(0, n, step, u), u, 3)
    return [each for each in plan.steps if isinstance(each, Loop)]


def values(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    return np.random.default_rng(sum(shape)).random(shape).astype(dtype)


STENCILS: dict[str, tuple[Step, tuple[tuple[int, ...], ...]]] = {
    "assigned": (assigned, ((20, 30), (9, 70), (70, 9), (3, 40), (41, 33))),
    "line": (line, ((101,), (128,), (1000,), (333,))),
    "mirrored": (mirrored, ((101,), (640,))),
    "wide": (wide, ((101,), (640,))),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", STENCILS)
def test_any_number_of_steps(name: str, dtype: Any) -> None:
    step, shapes = STENCILS[name]
    for shape in shapes:
        check(step, values(*shape, dtype=dtype), (0, 1, STEPS - 1, STEPS, STEPS + 1, 3 * STEPS + 2))
        turns, rest = loops_of(step, values(*shape, dtype=dtype))
        assert sum(isinstance(each, Launch) for each in turns.body) == 1 and rest.body


@pytest.mark.parametrize("threads", [1, 2])
def test_any_number_of_threads(threads: int) -> None:
    before = runtime().threads
    runtime().set_threads(threads)
    try:
        check(assigned, values(200, 300), (11,))
    finally:
        runtime().set_threads(before)


@pytest.mark.parametrize("step", [counted, normed, scaled, ring])
def test_steps_that_stay_alone(step: Step) -> None:
    u = values(300)
    assert len(loops_of(step, u)) == 1
    check(step, u, (0, 1, 5))


def test_blocks_and_small_arrays_stay_alone() -> None:
    assert len(loops_of(block, values(20, 20, 20))) == 1
    assert len(loops_of(line, values(99))) == 1
    check(line, values(99), (5,))


def test_bounds_that_are_no_numbers_of_the_call() -> None:
    def function(u: np.ndarray, limits: np.ndarray) -> Any:
        first = jf.fori_loop(limits[0], limits[1], line, u)
        return jf.fori_loop(-3, 6, line, first)

    u = values(200)
    jitted = jf.jit(function)
    for limits in ((0, 9), (4, 2), (-5, -5), (-7, 6)):
        given = np.array(limits)
        np.testing.assert_array_equal(jitted(u, given), function(u, given))


def test_a_loop_that_another_starts_from_hands_its_memory_on() -> None:
    def function(u: np.ndarray, n: int) -> Any:
        return jf.fori_loop(0, n, lambda i, x: x[::-1] * 0.5, jf.fori_loop(0, n, line, u))

    def looked_at(u: np.ndarray, n: int) -> Any:
        first = jf.fori_loop(0, n, line, u)
        return jf.fori_loop(0, n, lambda i, x: x[::-1] * 0.5, first), first[::2]

    def copies(plan: Plan) -> int:
        return sum(isinstance(each, Copy) for each in all_steps(plan.steps))

    u = values(200)
    assert copies(plan_of(function, u, 3)) == 1
    assert copies(plan_of(looked_at, u, 3)) == 2
    for each in (function, looked_at):
        ours, meant = jf.jit(each)(u, 6), each(u, 6)
        for one, other in zip(ours, meant, strict=True):
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(u, values(200))
