"""Python loops over lazy tensors outside of `jit`: the piece of graph that they repeat is compiled once."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import jitframe as jf
from jitframe.compilation import evaluate
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.tensors.lazy import CARRIED_LIMIT, NODE_LIMIT, LazyGraph, current_graph
from jitframe.tensors.repeats import MOST_NODES_OF_A_PART, find_repeats

X, Y = np.linspace(0.0, 1.0, 9), np.linspace(1.0, 2.0, 9)
WARM = (1000, *range(4, 44), 63, 64, 65, 300, 700)


def decay(xp, x, y):
    return x * 0.5 + y, y


def polynomial(xp, x, y):
    return xp.sqrt(x * x + y) * 0.25 + xp.abs(y - x) / 3.0, y


def pair(xp, x, y):
    return y, x * 0.3 + y * 0.1


def centred(xp, x, y):
    return x * 0.9 + y - xp.mean(x), y


def rolled(xp, x, y):
    return xp.concatenate([x[1:], x[:1]]) * 0.5 + y, y


class Lazy:
    sqrt, abs, mean, concatenate = jf.sqrt, jf.abs, jf.mean, jf.concat


def run(body, turns, xp=Lazy):
    x, y = (jf.asarray(X), jf.asarray(Y)) if xp is Lazy else (X, Y)
    for _ in range(turns):
        x, y = body(xp, x, y)
    return x


def compiled():
    stats = jf.cache.stats()
    return stats["compiled"] + stats["disk_hits"]


def slow(body):
    return pytest.param(body, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "body", [decay, slow(polynomial), slow(centred), slow(rolled), slow(pair)], ids=lambda body: body.__name__
)
def test_other_numbers_of_turns_compile_nothing_new(body):
    for turns in WARM if body is not pair else (*WARM, *range(44, 70), *range(330, 350)):
        run(body, turns).numpy()
    before = compiled()
    for turns in (1, 2, 3, 50, 123, 340, 777, 999, 1001, 2000):
        found = run(body, turns).numpy()
        np.testing.assert_allclose(found, run(body, turns, np), rtol=1e-12, err_msg=str(turns))
    assert compiled() - before <= 3, body.__name__  # one, two and three turns are programs of their own


def of_operations(count):
    """A body of so many operations of five kinds, that repeats nothing itself."""
    kinds = np.random.default_rng(count).integers(0, 4, count)
    operations = (lambda x, y: x + y, lambda x, y: x * 0.75, lambda x, y: abs(x), lambda x, y: x - y)

    def body(xp, x, y):
        for kind in kinds:
            x = operations[kind](x, y)
        return x, y

    return body


@pytest.mark.parametrize("count", [150, 300])
def test_long_pieces_of_which_few_turns_fit_into_a_graph(count):
    body = of_operations(count)
    for turns in (20, 21, 22, 23):
        run(body, turns).numpy()
    before = compiled()
    for turns in (13, 24, 31):
        np.testing.assert_allclose(run(body, turns).numpy(), run(body, turns, np), rtol=1e-12)
    assert compiled() - before <= 2  # where a graph ends depends on the programs before, too


def test_two_blocks_alike_in_a_short_graph_are_one_program():
    body = of_operations(100)
    run(body, 2).numpy()
    x, y = jf.asarray(X), jf.asarray(Y)
    for _ in range(2):
        x, y = body(Lazy, x, y)
    graph, _node = x._pending
    order = [node for node in graph.nodes if node.op.family != "leaf"]
    assert not find_repeats(order)


@pytest.mark.slow
def test_ten_thousand_turns_run_a_handful_of_plans_and_keep_no_memory():
    run(decay, 1000).numpy()
    templates = len(evaluate._families)
    tracemalloc.start()
    try:
        run(decay, 2000).numpy()
        gc.collect()
        before, live = tracemalloc.get_traced_memory()[0], runtime().statistics()["live_bytes"]
        x = run(decay, 10_000)
        assert x._pending is not None and len(x._pending[0]) <= NODE_LIMIT + 10
        np.testing.assert_allclose(x.numpy(), 2 * Y, rtol=1e-12)
        del x
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert after - before < 200_000
    assert runtime().statistics()["live_bytes"] <= live
    assert len(evaluate._families) - templates <= 8


def test_values_that_are_kept_on_the_way_are_all_right():
    x, y, seen, expected = jf.asarray(X), jf.asarray(Y), [], []
    plain = X
    for turn in range(150):
        x, plain = x * 0.5 + y, plain * 0.5 + Y
        if turn % 7 == 3:
            seen.append(x)
            expected.append(plain)
    np.testing.assert_array_equal(x.numpy(), plain)
    for mine, its in zip(seen, expected, strict=True):
        np.testing.assert_array_equal(mine.numpy(), its)


def test_other_numbers_and_arrays_at_each_turn():
    x, plain = jf.asarray(X), X
    steps = np.random.default_rng(3).random((400, 9))
    for turn, step in enumerate(steps):
        x, plain = x * 0.5 + jf.asarray(step) * (turn + 0.25), plain * 0.5 + step * (turn + 0.25)
    np.testing.assert_allclose(x.numpy(), plain, rtol=1e-13)


def test_a_change_of_the_loop_and_what_comes_after_it():
    def program(xp, x, y):
        for _ in range(60):
            x = x * 0.5 + y
        z = x.sum() + y
        for _ in range(45):
            z = z - xp.sqrt(z) * 0.1
        return z * x, (z + 1).max()

    found = program(Lazy, jf.asarray(X), jf.asarray(Y))
    for mine, its in zip(found, program(np, X, Y), strict=True):
        np.testing.assert_allclose(mine.numpy(), its, rtol=1e-12)


@pytest.mark.parametrize("device", ["opencl"])
def test_on_a_device(device):
    if any(found.name == device and found.problem for found in jf.devices()):
        pytest.skip(f"no {device} here")
    x, y, plain = jf.asarray(X, device=device), jf.asarray(Y, device=device), X
    for _ in range(120):
        x, plain = x * 0.5 + y, plain * 0.5 + Y
    np.testing.assert_array_equal(x.numpy(), plain)


def test_the_repetition_that_is_found():
    x, y = jf.asarray(X), jf.asarray(Y)
    start = x + 1
    for _ in range(100):
        x = (x - y) * 0.3 + y
    graph, _node = x._pending
    order = [node for node in graph.nodes if node.op.family != "leaf"]
    assert start is not None
    (repeat,) = find_repeats(order)
    assert repeat.period == 3
    parts = [end - begin for begin, end in zip(repeat.cuts(), repeat.cuts()[1:])]
    assert max(parts) <= MOST_NODES_OF_A_PART
    assert all(part % 3 == 0 and (part // 3) & (part // 3 - 1) == 0 for part in parts)
    assert sum(parts) == repeat.stop - repeat.start >= 290
    assert not find_repeats(order[:3])


@pytest.mark.parametrize("extra", range(8))
def test_parts_keep_an_operation_of_several_results_with_them(extra):
    """Where the parts begin follows from hashes, which differ from process to process: eight loops, so that
    some would begin between the two."""
    matrix = np.eye(5) * 3 + np.arange(25.0).reshape(5, 5) / 25
    x, expected = jf.asarray(matrix), matrix
    for _ in range(50):
        x, expected = jf.linalg.inv(x), np.linalg.inv(expected)
        for step in range(extra):
            x, expected = x * (0.5 + step), expected * (0.5 + step)
        x, expected = x + matrix, expected + matrix
    np.testing.assert_allclose(x.numpy(), expected, rtol=1e-9)


def test_small_matrices_are_one_operation():
    """A matrix alone is the library's: unrolled it would be hundreds of nodes at every iteration."""
    for size in range(2, 5):
        matrix = jf.asarray(np.eye(size) * 2 + 0.1)
        begun = len(current_graph())
        made = jf.linalg.inv(matrix), jf.linalg.det(matrix), jf.linalg.solve(matrix, matrix[0])
        factor = jf.linalg.cholesky(matrix)
        assert len(current_graph()) - begun < 60
        np.testing.assert_allclose(made[0].numpy(), np.linalg.inv(matrix.numpy()), rtol=1e-12)
        np.testing.assert_allclose(factor.numpy(), np.linalg.cholesky(matrix.numpy()), rtol=1e-12)
        assert np.isclose(float(made[1]), np.linalg.det(matrix.numpy()))


def test_what_a_loop_leaves_open_is_not_copied_at_every_iteration(monkeypatch):
    """An array that is written to while other values are looked at: its updates are evaluated in between."""
    copies = []
    take = LazyGraph.take

    def counted(graph, source, outputs, known=None):
        made = take(graph, source, outputs, known)
        copies.append(len(made))
        return made

    monkeypatch.setattr(LazyGraph, "take", counted)
    table, plain = jf.asarray(np.zeros((4, 100))), np.zeros((4, 100))
    for place in range(100):
        for array in (table, plain):
            array[:, place] = array[:, place - 1] * 0.5 + place
            if float(array[0, place] * 2.0) > 3:
                array[1, place] += 1.0
    np.testing.assert_array_equal(table.numpy(), plain)
    assert max(copies) < 4 * CARRIED_LIMIT
    assert sum(copies) < 100 * 2 * CARRIED_LIMIT


def by_columns(xp, a):
    """An inner loop that runs once more at each iteration of the outer one."""
    q = xp.zeros(a.shape)
    for j in range(a.shape[1]):
        v = a[:, j]
        for i in range(j):
            v = v - (q[:, i] @ a[:, j]) * q[:, i]
        q[:, j] = v / xp.sqrt(xp.sum(v * v))
    return q


def rows_of_a_table(xp, x, count):
    """Each row is computed from the one before it: slices that move."""
    table = xp.zeros((count, x.shape[0]))
    table[0] = x
    for row in range(1, count):
        before = table[row - 1]
        table[row, 1:-1] = before[1:-1] + 0.1 * (before[2:] - 2 * before[1:-1] + before[:-2])
    return table


def growing(xp, x):
    """Arrays that grow by a row at each iteration."""
    found = x[:1]
    for row in range(1, x.shape[0]):
        found = xp.concatenate([found, (xp.mean(found, axis=0) * 0.9 + x[row])[None, :]])
    return found


@pytest.mark.parametrize(
    ("function", "sizes"),
    [(by_columns, (13, 16)), (growing, (60, 75)), (rows_of_a_table, (80, 100))],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_loops_over_slices_that_move_and_grow_share_their_plans(function, sizes):
    def check(size):
        x = np.random.default_rng(size).random((size + 5, size))
        given = (x[0], size) if function is rows_of_a_table else (x,)
        lazy = [jf.asarray(each) if isinstance(each, np.ndarray) else each for each in given]
        np.testing.assert_allclose(function(jf, *lazy).numpy(), function(np, *given), rtol=1e-9)

    jf.clear()
    check(sizes[0])
    plans = len(evaluate._families)
    assert plans <= 24  # 70 iterations of the inner loop, or more
    check(sizes[1])
    assert len(evaluate._families) - plans <= 6


def test_a_table_is_not_copied_by_each_part_that_writes_to_it():
    x, count = np.linspace(0.0, 1.0, 500), 160
    wanted = rows_of_a_table(np, x, count)
    for _ in range(3):  # the compiled parts, then the native ones
        begun = runtime().statistics()["requested_bytes"]
        found = rows_of_a_table(jf, jf.asarray(x), count).numpy()
        taken = runtime().statistics()["requested_bytes"] - begun
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert taken < 8 * wanted.nbytes  # some 40 parts write to it


CUTS = """
import sys
import numpy as np
import jitframe as jf
from tests.tensor.test_loops import by_columns
by_columns(jf, jf.asarray(np.random.default_rng(0).random((12, 12)))).numpy()
jf.cache.stats()
print(jf.cache.stats()["compiled"])
"""


@pytest.mark.more
def test_another_process_cuts_at_the_same_places(tmp_path):
    """It finds the kernels that the first one left."""
    compiled = []
    for seed in "1", "2":
        environment = {**os.environ, "JITFRAME_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", CUTS], env=environment, capture_output=True, text=True, check=True
        )
        compiled.append(int(done.stdout))
    assert compiled[0] > 3 and compiled[1] == 0
