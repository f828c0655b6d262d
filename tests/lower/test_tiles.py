"""Pipelines over tiles: what is read at neighbouring positions, in one kernel with what reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.plan.verify import verify_plan
from jitframe.compilation.evaluate import forget
from jitframe.ir.passes import tiles
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.executor import execute

from ..plan.reference_driver import ReferenceDriver
from .programs import all_steps, counted, plan_of

Function = Callable[..., Any]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Arrays of a few elements have several tiles."""
    monkeypatch.setattr(tiles, "TILES", {1: (16,), 2: (4, 16), 3: (3, 4, 8)})
    monkeypatch.setattr(tiles, "LARGE", 1)
    monkeypatch.setattr(tiles, "MOST_MARGIN", 1)
    forget()
    yield
    forget()


def step(u):
    """Heat in any number of dimensions; the border keeps its values."""
    inner = (slice(1, -1),) * u.ndim
    around = -2 * u.ndim * u[inner]
    for axis in range(u.ndim):
        for side in (slice(None, -2), slice(2, None)):
            around = around + u[(*inner[:axis], side, *inner[axis + 1 :])]
    new = u.copy()
    new[inner] = u[inner] + u.dtype.type(0.1) * around
    return new


def two_steps(u):
    return step(step(u))


def three_steps(u):
    return step(step(step(u)))


def blurred(x):
    down = (x[:-4] + 4 * x[1:-3] + 6 * x[2:-2] + 4 * x[3:-1] + x[4:]) / 16
    return (down[:, :-4] + 4 * down[:, 1:-3] + 6 * down[:, 2:-2] + 4 * down[:, 3:-1] + down[:, 4:]) / 16


def unsharp(x):
    return x + 0.5 * (x - blurred(np.pad(x, 2, mode="edge")))


def slopes(x):
    smooth = blurred(x)
    right = smooth[1:-1, 2:] - smooth[1:-1, :-2]
    down = smooth[2:, 1:-1] - smooth[:-2, 1:-1]
    return np.sqrt(right * right + down * down)


def two_results(x):
    smooth = np.sqrt(np.abs(x[1:-1] * x[:-2] - x[2:] / 3)) / 7
    return smooth[1:] - smooth[:-1], smooth[1:] * smooth[:-1]


def corners(x):
    """Products of slopes, each summed over its neighbours."""
    right, down = x[1:, 1:] - x[1:, :-1], x[1:, 1:] - x[:-1, 1:]

    def around(y):
        return y[:-2, :-2] + y[1:-1, 1:-1] + y[2:, 2:] + y[:-2, 2:]

    p, q = around(np.sqrt(right * right + 1) / 3), around(np.sqrt(down * down + 2) / 5)
    return p * q - (p + q) ** 2


def slopes_of_images(x):
    smooth = np.sqrt(x[..., 1:] * x[..., :-1]) / 3
    return smooth[..., 1:, 1:] - smooth[..., :-1, :-1]


def closed(x):
    """A ring: its ends are joined before each of two steps."""
    for _ in range(2):
        y = np.concatenate([x[-1:], x, x[:1]])
        x = np.sqrt(y[1:-1] * y[1:-1] + y[2:] * y[:-2]) / 2
    return x


PROGRAMS: dict[str, tuple[Function, int, int]] = {
    "two steps of a line": (two_steps, 1, 1),
    "two steps of a plate": (two_steps, 2, 1),
    "three steps of a plate": (three_steps, 2, 1),
    "two steps of a block": (two_steps, 3, 1),
    "slopes of images": (slopes_of_images, 4, 1),
    "blur": (blurred, 2, 1),
    "slopes": (slopes, 2, 1),
    "two results": (two_results, 2, 1),
    "corners": (corners, 2, 1),
}
"""A function, the rank of its argument, and how many kernels it takes."""
SHAPES: dict[int, list[tuple[int, ...]]] = {
    1: [(5,), (17,), (50,), (33,)],
    2: [(7, 8), (8, 33), (23, 7), (13, 50), (9, 16)],
    3: [(3, 4, 5), (7, 9, 11), (4, 10, 19), (10, 3, 8)],
    4: [(4, 5, 6, 10)],
}


def values(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(sum(shape)).random(shape).astype(dtype)


def equal(ours: Any, meant: Any) -> None:
    for one, other in zip(
        ours if isinstance(ours, tuple) else (ours,), meant if isinstance(meant, tuple) else (meant,),
        strict=True,
    ):  # fmt: skip
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_kernel_gives_the_same_bits(name: str) -> None:
    function, rank, kernels = PROGRAMS[name]
    jitted = jf.jit(function)
    for shape in SHAPES[rank]:
        for dtype in (np.float32, np.float64):
            x = values(shape, dtype)
            plan = plan_of(function, x)
            assert counted(plan)["launches"] == kernels, (name, shape)
            verify_plan(plan)
            for kernel in plan.kernels:
                verify(kernel)
            equal(jitted(x), function(x))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["three steps of a plate", "slopes", "two steps of a block"])
def test_any_number_of_threads(name: str, threads: int) -> None:
    function, rank, _ = PROGRAMS[name]
    x = values({2: (300, 170), 3: (20, 40, 33)}[rank])
    before = runtime().threads
    runtime().set_threads(threads)
    try:
        equal(jf.jit(function)(x), function(x))
    finally:
        runtime().set_threads(before)


@pytest.mark.parametrize("function", [unsharp, closed])
@pytest.mark.parametrize("shape", [(7, 9), (20, 33), (5, 60)])
def test_parts_that_fill_an_array(function: Function, shape: tuple[int, ...]) -> None:
    x = values(shape)
    assert any("in a tile" in line for line in str(jf.jit(function).explain(x)).splitlines())
    equal(jf.jit(function)(x), function(x))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_interpreter_of_kernels_means_the_same(name: str) -> None:
    """Which reports workgroups that write to one place, and what was never written is 0xFF."""
    function, rank, _ = PROGRAMS[name]
    x = values(SHAPES[rank][1] if rank < 3 else SHAPES[rank][0])
    program = jf.jit(function).program(x)
    bits = [program._bits[index] for index in program.ready.scalars]
    made = execute(program.ready.bound, ReferenceDriver(), [x.reshape(-1).view(np.uint8)], bits)
    meant = function(x)
    meant = meant if isinstance(meant, tuple) else (meant,)
    for memory, wanted in zip(made, meant, strict=True):
        np.testing.assert_array_equal(memory[: wanted.nbytes].view(x.dtype).reshape(wanted.shape), wanted)


def also_returned(x):
    smooth = np.sqrt(x[1:] * x[:-1]) / 3
    return smooth, smooth[1:] - smooth[:-1]


def summed(x):
    smooth = np.sqrt(x[1:] * x[:-1]) / 3
    return (smooth[1:] - smooth[:-1]).sum()


def turned(x):
    smooth = np.sqrt(x[1:, 1:] * x[:-1, :-1]) / 3
    return smooth[:4, :4].T + smooth[1:5, :4]


def far(x):
    smooth = np.sqrt(x[1:] * x[:-1]) / 3
    return smooth[20:] - smooth[:-20]


def looked_up(x):
    smooth = np.sqrt(x[1:] * x[:-1]) / 3
    return smooth[np.array([0, 3, 1])] + smooth[:3]


@pytest.mark.parametrize("function", [also_returned, summed, turned, far, looked_up])
def test_what_goes_through_memory_as_ever(function: Function) -> None:
    x = values((40, 30)) if function is turned else values((60,))
    assert not any("in a tile" in line for line in str(jf.jit(function).explain(x)).splitlines())
    ours, meant = jf.jit(function)(x), function(x)
    for one, other in zip(
        ours if isinstance(ours, tuple) else (ours,),
        meant if isinstance(meant, tuple) else (meant,),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_small_arrays_stay_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "LARGE", 1000)
    small, large = values((20, 20)), values((40, 40))
    assert counted(plan_of(two_steps, small))["launches"] == 2
    assert counted(plan_of(two_steps, large))["launches"] == 1


def test_results_that_are_written_back_do_not_run_over_what_is_read() -> None:
    def in_place(u: np.ndarray) -> None:
        smooth = np.sqrt(u[1:-1] * u[2:]) / 3
        u[2:-1] = smooth[1:] - smooth[:-1]

    ours, meant = values((60,)), values((60,))
    in_place(meant)
    jf.jit(in_place)(ours)
    np.testing.assert_array_equal(ours, meant)


def test_steps_inside_of_a_loop() -> None:
    def function(u: np.ndarray, n: int) -> Any:
        return jf.fori_loop(0, n, lambda i, u: step(step(u)), u)

    u = values((30, 40))
    assert counted(plan_of(function, u, 3))["launches"] == 1
    jitted = jf.jit(function)
    for n in (0, 1, 2, 5):
        np.testing.assert_array_equal(jitted(u, n), function(u, n))


def test_a_workgroup_has_several_tiles() -> None:
    x = values((400, 500))
    plan = plan_of(two_steps, x)
    (launch,) = [each for each in all_steps(plan.steps) if type(each).__name__ == "Launch"]
    assert "min" in str(launch.groups) or "max" in str(launch.groups)
    np.testing.assert_array_equal(jf.jit(two_steps)(x), two_steps(x))


def random_pipeline(seed: int) -> tuple[Function, tuple[int, ...]]:
    """A few arrays, each made of shifted parts of those before, whole or into a window of one."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(1, 4))
    shape = tuple(int(random.integers(*{1: (30, 90), 2: (12, 40), 3: (11, 18)}[rank])) for _ in range(rank))
    recipe = [
        (
            str(random.choice(["map", "map", "window", "pad", "join"])),
            random.integers(0, 2, size=(3, rank)).tolist(),
            int(random.integers(0, 3)),
            int(random.integers(0, rank)),
        )
        for _ in range(int(random.integers(2, 6)))
    ]

    def function(x):
        arrays = [x]
        for kind, starts, back, axis in recipe:
            y = arrays[-1]
            other = arrays[max(len(arrays) - 1 - back, 0)]
            size = [min(p, q) - 1 for p, q in zip(y.shape, other.shape, strict=True)]
            first, second, third = (
                source[tuple(slice(s, s + n) for s, n in zip(start, size, strict=True))]
                for source, start in zip((y, other, y), starts, strict=True)
            )
            made = np.sqrt(first * first + np.abs(second)) - third / 3
            if kind == "window":
                whole = other.copy()
                whole[tuple(slice(s, s + n) for s, n in zip(starts[0], size, strict=True))] = made
                made = whole
            elif kind == "pad":
                made = np.pad(made, 1, mode="edge")
            elif kind == "join":
                end = np.take(made, [0], axis=axis) * 2
                made = np.concatenate([made, end], axis=axis)
            arrays.append(made)
        return arrays[-1]

    return function, shape


@pytest.mark.more
def test_random_pipelines() -> None:
    joined = 0
    for seed in range(40):
        function, shape = random_pipeline(seed)
        x = values(shape)
        jitted = jf.jit(function)
        np.testing.assert_array_equal(jitted(x), function(x), err_msg=f"seed {seed}")
        joined += "in a tile" in str(jitted.explain(x))
    assert joined > 20


def test_many_steps_are_a_few_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far the first array is looked at takes longer to say with every step: four of them are together."""
    monkeypatch.setitem(tiles.TILES, 2, (16, 16))

    def function(x):
        for _ in range(12):
            x = step(x)
        return x

    x = values((20, 30))
    assert counted(plan_of(function, x))["launches"] == 3
    np.testing.assert_array_equal(jf.jit(function)(x), function(x))
