"""Fusion by structure: how many kernels, buffers, loads and stores a NumPy program takes, and why."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.lower.machine import SCRATCH_ELEMENTS
from jitframe.codegen.plan.nodes import Alloc, Launch, Plan, While
from jitframe.compilation.evaluate import forget
from jitframe.ir.expr import evaluate
from jitframe.ir.passes.joining import MOST_PASSES, MOST_SCRATCH_PASSES, SHORT_ROWS
from jitframe.ir.passes.siblings import MOST_TOGETHER

from .programs import (
    all_steps,
    counted,
    floats,
    heat,
    lanes_loops,
    layer_norm,
    log_sum_exp,
    nearest,
    plan_of,
    pulls,
    ready_of,
    reshaped,
    several,
    softmax,
    squared_differences,
    total,
)

ROWS = floats(300, 200)
ONE_KERNEL: dict[str, tuple[Callable[..., Any], tuple[Any, ...], list[tuple[int, int]]]] = {
    # The loads and stores of each vector loop: what a row costs in memory.
    "softmax": (softmax, (ROWS,), [(1, 0), (1, 1), (1, 1)]),
    "layer norm": (layer_norm, (ROWS, floats(200), floats(200)), [(1, 0), (1, 0), (3, 1)]),
    "log-sum-exp": (log_sum_exp, (ROWS,), [(1, 0), (1, 0)]),
    "sum of squared differences": (squared_differences, (ROWS, ROWS), [(2, 0)]),
    "several outputs": (several, (ROWS, ROWS), [(2, 3)]),
    "heat step": (heat, (ROWS,), [(1, 1), (5, 1), (1, 1)]),
    "reshape of a value": (reshaped, (floats(60_000), ROWS), [(2, 1)]),
    # Eight rows for one access of the accumulators, then what is left.
    "sum over the first axis": (lambda x: x.sum(axis=0), (ROWS,), [(0, 1), (9, 1), (2, 1), (1, 1)]),
    # Four rows side by side share the vector, and are four streams from memory.
    "matrix times vector": (lambda x, y: x @ y, (ROWS, floats(200)), [(5, 0), (2, 0)]),
    # Rows of a few elements go in the lanes: three colors for each weighted pixel.
    "weights of colors": (lambda x, y: x @ y, (floats(40, 50, 3), floats(3)), [(3, 1)]),
    # A square tile is turned around in scratch memory: loaded as it lies, then used.
    "transposed operand": (lambda x, y: x.T + y, (ROWS, floats(200, 300)), [(1, 1), (2, 1)]),
}


@pytest.mark.parametrize("name", list(ONE_KERNEL))
def test_one_kernel_and_no_buffer_but_the_results(name: str) -> None:
    function, arguments, loops = ONE_KERNEL[name]
    plan = plan_of(function, *arguments)
    results = len(plan.outputs)
    assert counted(plan) == {"launches": 1, "products": 0, "buffers": results}
    assert [(each.loads, each.stores) for each in lanes_loops(plan.kernels[0])] == loops


@pytest.mark.parametrize(
    ("columns", "most"), [(SCRATCH_ELEMENTS, MOST_SCRATCH_PASSES), (SCRATCH_ELEMENTS + 1, MOST_PASSES)]
)
def test_many_passes_over_rows_are_cut_into_kernels(columns: int, most: int) -> None:
    """A row is found in the caches by so many passes, and no kernel takes minutes to compile."""

    def centered(x: Any) -> Any:
        for _ in range(2 * most + 4):
            x = np.exp(x - x.max(axis=1, keepdims=True))
        return x

    ready = ready_of(centered, floats(8, columns))
    plan = ready.template.lowered.plan
    reductions = [kernel_text(kernel).count("combine ") for kernel in plan.kernels]
    assert reductions == [most, most, 4]


def test_what_passes_over_near_rows_carry_on_stays_there() -> None:
    """Each step needs what all those before it made of both arrays; memory has but the results."""

    def carried(a: Any, b: Any) -> Any:
        for number in range(MOST_SCRATCH_PASSES):
            a, b = a * b - np.mean(a, axis=1, keepdims=True), np.minimum(a * b, 2) - number
        return a

    assert counted(plan_of(carried, ROWS, ROWS)) == {"launches": 1, "products": 0, "buffers": 1}


def test_what_costs_more_than_a_short_row_is_made_for_many_rows_at_once() -> None:
    def logistic(x: Any, w: Any) -> Any:
        return 1 / (1 + np.exp(-(x @ w)))

    for rows, columns, kernels in [(2000, 20, 2), (2000, 500, 1), (500, 20, 1)]:
        plan = plan_of(logistic, floats(rows, columns), floats(columns))
        assert counted(plan)["launches"] == kernels, (rows, columns)
    explanation = jf.jit(logistic).explain(floats(2000, 20), floats(20))
    assert SHORT_ROWS in explanation.reasons.values()


def test_single_values_are_one_kernel() -> None:
    """Three numbers of a loop's body that read nothing in common are one launch an iteration, not three,
    beside that of its array; more of them than a kernel should make are a few launches."""

    def newton(*state: Any) -> Any:
        body = lambda s: (np.sqrt(s[0]), s[1] * 0.5, s[2] + 1, s[3] * 0.5)  # noqa: E731
        return jf.while_loop(lambda s: s[2] < 9, body, state)

    ready = ready_of(newton, np.float64(9.0), np.float64(5.0), np.int32(0), np.ones(500))
    (loop,) = [step for step in all_steps(ready.template.lowered.plan.steps) if isinstance(step, While)]
    assert len([step for step in loop.body if isinstance(step, Launch)]) == 2
    rows = ready_of(lambda x, n: (np.abs(x).max(), n + 1), ROWS, np.int64(4))
    assert counted(rows.template.lowered.plan)["launches"] == 1, "a reduction of everything makes one, too"
    many = ready_of(lambda *numbers: [np.sqrt(x) for x in numbers], *np.arange(MOST_TOGETHER + 8.0))
    assert counted(many.template.lowered.plan)["launches"] == 2


def largest_buffer(ready: Any) -> int:
    """Elements of the largest buffer that a plan allocates."""
    plan: Plan = ready.template.lowered.plan
    buffers = [plan.buffers[step.buffer] for step in all_steps(plan.steps) if isinstance(step, Alloc)]
    return max(evaluate(buffer.elements, ready.sizes) for buffer in buffers)


def test_nearest_point_needs_no_matrix_of_distances() -> None:
    ready = ready_of(nearest, floats(500, 3), floats(400, 3))
    assert counted(ready.template.lowered.plan) == {"launches": 1, "products": 0, "buffers": 1}
    assert largest_buffer(ready) == 500
    # Rows in fours share their loads; the three coordinates are unrolled.
    assert [each.loads for each in lanes_loops(ready.template.lowered.plan.kernels[0])] == [3, 3]


@pytest.mark.parametrize(("features", "launches"), [(5, 1), (16, 1), (17, 2)])
def test_nearest_centre_by_several_features(features: int, launches: int) -> None:
    points, centres = floats(300, features), floats(20, features)

    def assigned(x, c):
        return ((x[:, None, :] - c) ** 2).sum(axis=2).argmin(axis=1)

    ready = ready_of(assigned, points, centres)
    assert counted(ready.template.lowered.plan)["launches"] == launches
    assert (largest_buffer(ready) == 300) == (launches == 1)
    exact = assigned(points.astype(np.float64), centres.astype(np.float64))
    np.testing.assert_array_equal(jf.jit(assigned)(points, centres), exact)


def test_a_mean_of_several_elements_is_not_computed_for_each_again() -> None:
    def centred(x):
        return ((x - x.mean(axis=1, keepdims=True)) ** 2).mean(axis=1)

    (kernel,) = plan_of(centred, floats(500, 8)).kernels
    # Rows stay rows: their sums are loops, which serve any number of columns.
    assert kernel_text(kernel) == kernel_text(plan_of(centred, floats(500, 9)).kernels[0])


def turned_pulls(points, masses):
    """The same for points by components, whose axis comes first."""
    offsets = points[:, None, :] - points[:, :, None]
    squares = (offsets * offsets).sum(axis=0) + np.float32(0.01)
    return (offsets * (masses / (squares * np.sqrt(squares)))).sum(axis=2)


BODIES = floats(300, 3), floats(300) ** 2
SIDE_BY_SIDE: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[int, ...]]] = {
    "pulls": (pulls, BODIES, (3,)),
    "components first": (turned_pulls, (BODIES[0].T.copy(), BODIES[1]), (3,)),
    "in the plane": (pulls, (floats(300, 2), BODIES[1]), (2,)),
    "extremes": (
        lambda x, m: (np.exp(-m * m[:, None])[:, :, None] * (x[:, None] - x)).min(axis=1), BODIES, (3,),
    ),
    "where the extreme is": (
        lambda x, m: np.argmax(np.sqrt(m[:, None] + m)[:, :, None] * x[None], axis=1), BODIES, (3,),
    ),
    "tensors": (
        lambda x, m: (np.exp(-m[:, None] * m)[..., None, None] * x[:, :, None] * x[:, None, :]).sum(axis=1),
        BODIES, (3, 3),
    ),
    "with what follows": (lambda x, m: x + pulls(x, m) * np.float32(0.1), BODIES, (3,)),
    "lengths of the results": (lambda x, m: np.sqrt((pulls(x, m) ** 2).sum(axis=-1)), BODIES, (3,)),
    "beside another sum": (
        lambda x, m: (np.exp(-m[:, None] * m)[..., None] * x).sum(axis=1)
        / np.exp(-m[:, None] * m).sum(axis=1)[:, None],
        BODIES, (3,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(SIDE_BY_SIDE))
def test_results_side_by_side_share_what_is_costly(name: str) -> None:
    """One kernel with no buffer but the result; a root is computed once for all results of a row."""
    function, arguments, beside = SIDE_BY_SIDE[name]
    plan = plan_of(function, *arguments)
    assert counted(plan) == {"launches": 1, "products": 0, "buffers": 1}
    assert [group.unrolled for group in jf.jit(function).explain(*arguments).groups] == [beside]
    costly = [
        count
        for loop in lanes_loops(plan.kernels[0])
        for name, count in loop.operations.items()
        if name in ("sqrt", "exp", "div")
    ]
    assert costly and set(costly) == {1}
    found, wanted = jf.jit(function)(*arguments), function(*arguments)
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4 * np.abs(wanted).max())


INTERLEAVED: dict[str, tuple[Callable[..., Any], np.ndarray, tuple[int, ...]]] = {
    "rows": (lambda x: x.sum(axis=1), floats(40, 50, 3), (3,)),
    "colors of an image": (lambda x: x.mean(axis=(0, 1)), floats(60, 50, 4), (4,)),
    "least and greatest": (lambda x: (x.min(axis=0), x.max(axis=0)), floats(700, 3), (3,)),
    "in blocks": (lambda x: x.sum(axis=0), floats(100_000, 3), (3,)),
    "found in blocks": (lambda x: np.argmax(x, axis=0), floats(100_000, 2), (2,)),
    "what is left of them": (lambda x: x - x.mean(axis=0), floats(900, 3), (3,)),
    "second moments": (lambda x: (x[:, :, None] * x[:, None, :]).sum(axis=0), floats(800, 3), (3, 3)),
    # Rows that lie side by side as a whole, or one after another, are read as they lie.
    "down the columns": (lambda x: x.sum(axis=0), floats(50, 40, 3), ()),
    "by components": (lambda x: x.sum(axis=1), floats(3, 700), ()),
    "of a transposed array": (lambda x: x.sum(axis=0), floats(3, 700).T, ()),
}


@pytest.mark.parametrize("name", list(INTERLEAVED))
def test_short_innermost_axes_are_read_once(name: str) -> None:
    function, array, beside = INTERLEAVED[name]
    forget()  # a plan that was made for five columns serves three as well
    assert [group.unrolled for group in jf.jit(function).explain(array).groups] == [beside]
    found, wanted = jf.jit(function)(array), function(array)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4 * np.sqrt(array.size))


def test_longer_axes_are_not_laid_side_by_side() -> None:
    """Five components are an axis of the loops like any other, and what they share goes to memory first."""
    (first, second) = (group.unrolled for group in jf.jit(pulls).explain(floats(60, 5), floats(60)).groups)
    assert first == second == ()


def test_a_loop_lays_results_side_by_side_too() -> None:
    def steps(points, masses):
        def step(_, at):
            return at + np.float32(0.001) * pulls(at, masses)

        return jf.fori_loop(0, 3, step, points)

    explained = jf.jit(steps).explain(*BODIES)
    assert [group.unrolled for group in explained.groups if group.unrolled] == [(3,)]
    wanted = BODIES[0]
    for _ in range(3):
        wanted = wanted + np.float32(0.001) * pulls(wanted, BODIES[1])
    np.testing.assert_allclose(jf.jit(steps)(*BODIES), wanted, rtol=1e-4, atol=1e-4)


def test_a_long_sum_is_two_kernels() -> None:
    plan = plan_of(total, floats(1_000_000))
    assert counted(plan) == {"launches": 2, "products": 0, "buffers": 2}
    loops = [[(each.loads, each.stores) for each in lanes_loops(kernel)] for kernel in plan.kernels]
    assert loops == [[(1, 0)], [(1, 0)]]


LONG = floats(200_000)
IN_BLOCKS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], int]] = {
    # A block is summed about its own mean while it is in the cache.
    "mean and variance": (lambda x: (x.mean(), x.var()), (LONG,), 2),
    "moments about extremes": (lambda x: ((x.max() - x) ** 2).sum(), (LONG,), 2),
    "variances of rows": (lambda x: x.var(axis=1) + x.std(axis=1, ddof=1), (floats(5, 100_000),), 2),
    "variances of columns": (lambda x: x.var(axis=0), (floats(100_000, 20),), 2),
    "variances side by side": (lambda x: (x.var(axis=0), x.max(axis=0)), (floats(100_000, 3),), 2),
    "covariance": (lambda x, y: ((x - x.mean()) * (y - y.mean())).sum(), (LONG, LONG[::-1] + LONG), 4),
    "standardized": (lambda x: (x - x.mean()) / x.std(), (LONG,), 3),
    "extremes and the mean": (lambda x: (x.min(), x.max(), x.argmax(), x.mean()), (LONG,), 2),
    "cosine": (lambda x, y: (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()), (LONG, LONG + 1), 2),
    "weighted mean of points": (
        lambda x, m: (x * np.exp(-m)[:, None]).sum(axis=0) / np.exp(-m).sum(), (floats(200_000, 3), LONG), 2,
    ),
    "rows": (lambda x: x.max(axis=1) - x.min(axis=1), (floats(5, 100_000),), 2),
    "unit length": (lambda x: x / np.sqrt((x * x).sum()), (LONG,), 3),
}  # fmt: skip


@pytest.mark.parametrize("name", list(IN_BLOCKS))
def test_long_reductions_share_their_passes(name: str) -> None:
    """One kernel reads the blocks, one combines them and computes what follows for each row."""
    function, arguments, kernels = IN_BLOCKS[name]
    explained = jf.jit(function).explain(*arguments)
    assert len(explained.kernels) == kernels
    assert all(kernel.source("graph") for kernel in explained.kernels)
    wide = function(*[array.astype(np.float64) for array in arguments])
    for found, wanted in zip(_each(jf.jit(function)(*arguments)), _each(wide), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def _each(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.parametrize(
    ("columns", "streams"), [(256, True), (250, False), (511, False), (513, True), (4096, True)]
)
def test_short_rows_made_of_pieces_go_past_the_caches_as_lines(columns: int, streams: bool) -> None:
    """Where rows meet inside of a line, it is filled by several stores: that costs short ones too much."""
    ready = ready_of(heat, np.empty(((1 << 24) // columns, columns), np.float32))
    (launch,) = [step for step in ready.template.lowered.plan.steps if isinstance(step, Launch)]
    past, kept = (
        [evaluate(index, ready.sizes, {"device.stream_bytes": least}) for index in launch.indices]
        for least in (8 << 20, 1 << 40)
    )
    assert (past != kept) is streams


def _places(function: Callable[..., Any], *arguments: np.ndarray) -> list[int | None]:
    """Beside which buffer each memory of a plan is, in the order of allocation."""
    steps = ready_of(function, *arguments).template.lowered.plan.steps
    return [step.aligned_with for step in steps if isinstance(step, Alloc)]


def test_results_of_whole_arrays_lie_beside_an_operand() -> None:
    """So that loads are aligned where streaming stores are. Rows would end within cache lines."""
    x, wide = np.ones((64, 128), np.float32), np.ones((64, 128))
    assert _places(lambda x: x * x + 1, x) == [0]
    assert _places(lambda x, y: x * y, wide, x) == [0]  # what lies beside has elements of the result's size
    assert _places(lambda x: np.float64(2) + x.astype(np.float64), x) == [None]
    assert _places(np.cumsum, x[0]) == [0]
    assert _places(lambda x: x[:, ::-1] * 2, x) == [None]
    assert _places(lambda x: x / x.sum(axis=1, keepdims=True), x) == [None]
    assert _places(lambda x, y: x + y, x, np.ones(128, np.float32)) == [None]


@pytest.mark.parametrize(("columns", "threads"), [((), 1), ((8,), 4)], ids=["numbers", "rows"])
def test_numbers_added_at_positions_are_one_thread_s_work(columns: tuple[int, ...], threads: int) -> None:
    """Every thread that takes part reads all positions: rows leave work to share, single numbers do not."""

    def add_at(table: Any, positions: Any, values: Any) -> None:
        np.add.at(table, positions, values)

    ready = ready_of(add_at, floats(9, *columns), np.zeros(1 << 20, np.int64), floats(1 << 20, *columns))
    (launch,) = [step for step in ready.template.lowered.plan.steps if isinstance(step, Launch)]
    assert evaluate(launch.groups, ready.sizes, {"device.threads": 4}) == threads


def windows(values: Any, width: int = 3) -> Any:
    return np.lib.stride_tricks.sliding_window_view(values, width, axis=0)


def integers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(-50, 50, shape)


# Reductions of a few elements stand in their user's kernel, which reads each of them at a place of its own.
WINDOWS: dict[str, tuple[Callable[..., Any], Callable[..., np.ndarray]]] = {
    "of a scan": (lambda x: windows(np.minimum.accumulate(x)).max(axis=1) * 2, lambda n: integers(n)),
    "of a scan down columns": (
        lambda x: windows(np.cumsum(x, axis=0), 2).min(axis=2) + 1, lambda n: integers(n, 7),
    ),
    "of a scan that is a result": (
        lambda x: (np.cumsum(x), windows(np.cumsum(x)).max(axis=1) - 1), lambda n: integers(n),
    ),
    "of sums of rows": (
        lambda x: (x.sum(axis=1), windows(x.sum(axis=1), 2).max(axis=1) + 1), lambda n: integers(7, n),
    ),
    "of sums and extremes": (
        lambda x: windows(x.max(axis=1) - x.min(axis=1)).max(axis=1) - windows(x.sum(axis=1)).min(axis=1),
        lambda n: integers(9, n),
    ),
    "of sums of columns": (
        lambda x: windows(x.sum(axis=0), 2).max(axis=1) + x.sum(axis=0)[1:], lambda n: integers(n, 7),
    ),
}  # fmt: skip


@pytest.mark.parametrize("long", [300, 200_000])
@pytest.mark.parametrize("name", list(WINDOWS))
def test_windows_read_what_another_position_computes(name: str, long: int) -> None:
    function, made = WINDOWS[name]
    array = made(long)
    for found, wanted in zip(_each(jf.jit(function)(array)), _each(function(array)), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_a_product_is_a_library_call_and_one_kernel() -> None:
    def dense(x, w, b):
        return np.tanh(x @ w + b)

    plan = plan_of(dense, floats(30, 40), floats(40, 50), floats(50))
    assert counted(plan) == {"launches": 1, "products": 1, "buffers": 2}


def test_shared_work_is_done_once() -> None:
    def program(x):
        e = np.exp(x)
        return e + 1, e * e, np.exp(x) - 1

    (kernel,) = plan_of(program, ROWS).kernels
    (loop,) = lanes_loops(kernel)
    assert (loop.loads, loop.stores, loop.operations["exp"]) == (1, 3, 1)


def carried(weights: Any, state: Any, steps: range) -> Any:
    """A recurrent network unrolled: each step needs the memory that the one before left."""
    memory = np.zeros_like(state)
    for _ in steps:
        gate = weights @ state
        memory = np.tanh(gate) * memory + np.exp(-gate * gate)
        state = np.sin(memory)
    return state


def gradients(matrix: Any, residual: Any, steps: range) -> Any:
    """Cheap values that are carried on, but from more and more arrays."""
    direction = residual
    for _ in steps:
        image = matrix @ direction
        length = residual @ residual
        residual = residual - length / (direction @ image) * image
        direction = residual + residual @ residual / length * direction
    return direction


def looked_up(_matrix: Any, state: Any, steps: range) -> Any:
    """Each step is a lookup by the one before and its neighbours."""
    rule, cells = np.array([0, 1, 1, 0, 1, 0, 0, 1]), (state > 0).astype(np.int64)
    for _ in steps:
        cells = rule[4 * np.roll(cells, 1) + 2 * cells + np.roll(cells, -1)]
    return cells


def unrolled(function: Callable[..., Any], steps: int, matrix: Any, vector: Any) -> Any:
    return function(matrix, vector, range(steps))


@pytest.mark.parametrize("function", [carried, gradients, looked_up])
def test_what_an_unrolled_loop_carries_on_is_not_computed_from_the_beginning(
    function: Callable[..., Any],
) -> None:
    matrix = floats(40, 40) @ floats(40, 40).T / 100 + np.eye(40, dtype=np.float32)
    arguments = matrix, floats(40)
    texts = []
    for steps in (10, 20):  # more of them are kept as a loop
        plan = plan_of(partial(unrolled, function, steps), *arguments)
        texts.append({kernel_text(kernel) for kernel in plan.kernels})
    assert texts[0] == texts[1]
    assert len(texts[0]) <= 6 and max(text.count("\n") for text in texts[0]) < 120
    found = jf.jit(partial(unrolled, function, 10))(*arguments)
    np.testing.assert_allclose(found, function(*arguments, range(10)), rtol=1e-3, atol=1e-5)


def test_what_does_nothing_costs_nothing() -> None:
    def program(x):
        return np.negative(-x * 1.0 - 0.0) / 1.0 + x.reshape(-1).reshape(x.shape).T.T.copy()

    (kernel,) = plan_of(program, ROWS).kernels
    (loop,) = lanes_loops(kernel)
    assert (loop.loads, loop.stores, loop.operations) == (1, 1, {"add": 1})


REASONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], list[str]]] = {
    "output": (lambda x: x + 1, (ROWS,), ["it is an output"]),
    "product": (
        lambda x, w: np.exp(np.exp(x) @ w), (ROWS, floats(200, 3)),
        [
            "a matrix product reads its operands from memory", "a matrix product is a library call",
            "it is an output",
        ],
    ),
    "split axes of strided memory": (
        lambda x: np.exp(x).reshape(-1) + 1, (floats(20, 30)[:, ::2],),
        ["a reshape that splits or joins axes needs it in memory", "it is an output"],
    ),
    "costly and repeated": (
        lambda x, y: np.exp(x)[None, :] + y, (floats(200), ROWS),
        ["it is costly and would be computed again for every repetition", "it is an output"],
    ),
    "costly and shifted": (
        lambda x: np.exp(x)[1:] - np.exp(x)[:-1], (floats(1000),),
        ["it would be computed again at several shifted positions", "it is an output"],
    ),
    "other axes": (
        lambda x: x - x.sum(axis=0) - x.sum(axis=1)[:, None], (floats(50, 50),),
        ["the reductions run over different axes", "it is an output"],
    ),
    "long rows": (
        lambda x: x / x.sum(), (floats(200_000),),
        ["a long reduction is cut into blocks, combined by a kernel of its own", "it is an output"],
    ),
    "loop": (
        lambda x: jf.fori_loop(0, 3, lambda i, v: np.sin(v[::-1]), np.exp(x)), (floats(100),),
        ["a loop reads its operands from memory", "a loop is a step of its own", "it is an output"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REASONS))
def test_each_boundary_has_its_reason(name: str) -> None:
    function, arguments, reasons = REASONS[name]
    assert list(jf.jit(function).explain(*arguments).reasons.values()) == reasons
