"""Results written over parameters: the memory ends as meant, and nothing reads it too late."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.plan.bind import scalar_bits
from jitframe.compilation.evaluate import enumerate_scalars, prepare, run
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import F32

from .random_graphs import Maker, RandomGraph


def written(
    made: RandomGraph, writes: list[tuple[int, Node]]
) -> tuple[list[np.ndarray], list[np.ndarray], int]:
    """Fresh outputs, the parameters' arrays afterwards, and the number of kernels."""
    arrays = [_owned(array) for array in made.arrays]
    ready = prepare(made.outputs, made.strides, writes=writes)
    bits = [0] * len(made.graph.scalar_values)
    for index, dtype in enumerate_scalars(made.outputs):
        bits[index] = scalar_bits(made.graph.scalar_values[index], dtype)
    buffers = run(ready, [array.ctypes.data for array in arrays], bits)
    targets = {position for position, _ in writes}
    fresh = [node for position, node in enumerate(made.outputs) if position not in targets]
    results = [b.ndarray(node.dtype.numpy_name, node.shape) for b, node in zip(buffers, fresh, strict=True)]
    return results, arrays, len(ready.template.lowered.plan.kernels)


def _owned(array: np.ndarray) -> np.ndarray:
    """A copy with the same strides in memory of its own."""
    if 0 in array.shape:
        return array.copy()
    low = sum(
        min(0, (extent - 1) * stride) for extent, stride in zip(array.shape, array.strides, strict=True)
    )
    high = sum(
        max(0, (extent - 1) * stride) for extent, stride in zip(array.shape, array.strides, strict=True)
    )
    memory = np.zeros(high - low + array.itemsize, np.uint8)
    made = np.ndarray(array.shape, array.dtype, memory, -low, array.strides)
    made[...] = array
    return made


def check(made: RandomGraph, writes: list[tuple[int, Node]]) -> int:
    given = dict(zip(made.parameters, made.arrays, strict=True))
    given.update({node: np.asarray(value, node.dtype.numpy_name) for node, value in made.scalars})
    with np.errstate(all="ignore"):
        meant = evaluate(made.outputs, given)
    results, arrays, kernels = written(made, writes)
    targets = dict(writes)
    ours = iter(results)
    for position, value in enumerate(meant):
        found = arrays[targets[position].attribute("index")] if position in targets else next(ours)
        np.testing.assert_array_equal(found, value, err_msg=f"output {position}")
    return kernels


def check_seed(seed: int) -> bool:
    """Write random outputs over parameters that fit; False where none does."""
    made = Maker(seed).make()
    chooser = random.Random(seed)
    nodes = [
        node for node in made.graph._interned.values() if node.op.family != "leaf" and node.size <= 20000
    ]
    writes: list[tuple[int, Node]] = []
    for parameter, array in zip(made.parameters, made.arrays, strict=True):
        if 0 in array.strides and 0 not in array.shape:
            continue
        fitting = [node for node in nodes if node.shape == parameter.shape and node.dtype is parameter.dtype]
        if fitting:
            made.outputs.append(chooser.choice(fitting[-4:]))
            writes.append((len(made.outputs) - 1, parameter))
    if writes:
        check(made, writes)
    return bool(writes)


@pytest.mark.parametrize(
    "start", [0, 50, *(pytest.param(start, marks=pytest.mark.slow) for start in range(100, 300, 50))]
)
def test_random_programs_write_what_is_meant(start: int) -> None:
    assert sum(check_seed(seed) for seed in range(start, start + 50)) > 5


class Writing:
    """Programs over one matrix `u` that is written back."""

    def __init__(self, rows: int, columns: int) -> None:
        self.graph = Graph()
        self.array = np.random.default_rng(0).random((rows, columns), dtype=np.float32)
        self.u = self.graph.parameter(0, (rows, columns), F32)

    def part(self, node: Node, row: int, column: int, shape: tuple[int, int]) -> Node:
        return self.graph.make(ops.slice_, node, attributes=((row, column), (1, 1), shape))

    def update(self, base: Node, value: Node, row: int, column: int) -> Node:
        return self.graph.make(ops.update, base, value, attributes=((row, column), (1, 1)))

    def kernels(self, result: Node, *others: Node) -> int:
        made = RandomGraph(self.graph, [result, *others], [self.u], [self.array], [()], [])
        return check(made, [(0, self.u)])


def test_an_aligned_update_is_one_kernel_in_place() -> None:
    w = Writing(40, 50)
    inner = w.part(w.u, 1, 1, (38, 48))
    assert w.kernels(w.update(w.u, w.graph.make(ops.mul, inner, inner), 1, 1)) == 1


def test_a_stencil_in_place_is_computed_first() -> None:
    w = Writing(40, 50)
    around = w.graph.make(ops.add, w.part(w.u, 0, 1, (38, 48)), w.part(w.u, 2, 1, (38, 48)))
    assert w.kernels(w.update(w.u, around, 1, 1)) == 2


@pytest.mark.parametrize("rowwise", [False, True])
def test_what_is_written_elsewhere_is_computed_first(rowwise: bool) -> None:
    """An array written backwards over itself: the value's own loop reads what its other end would write."""
    w = Writing(40, 50)
    value = w.graph.make(ops.add, w.u, w.u)
    if rowwise:
        largest = w.graph.make(ops.reduce, w.u, attributes=("max", (1,)))
        spread = w.graph.make(ops.broadcast, largest, attributes=((40, 50), (0,)))
        value = w.graph.make(ops.sub, spread, w.u)
    assert w.kernels(w.graph.make(ops.update, w.u, value, attributes=((39, 0), (-1, 1)))) == 2


@pytest.mark.parametrize("row", [0, 1, 2])
def test_windows_reduced_in_place_are_computed_first(row: int) -> None:
    """Every element that is written is read for the ones beside it, whichever it is."""
    w = Writing(40, 50)
    windows = w.graph.make(ops.window, w.u, attributes=((38, 50, 3), ((0, 2), (1,))))
    largest = w.graph.make(ops.reduce, windows, attributes=("max", (2,)))
    assert w.kernels(w.update(w.u, w.graph.make(ops.mul, largest, largest), row, 0)) == 2


def test_a_chain_of_updates_writes_windows_only() -> None:
    w = Writing(40, 50)
    first = w.update(w.u, w.graph.make(ops.neg, w.part(w.u, 0, 0, (1, 50))), 0, 0)
    second = w.update(first, w.graph.make(ops.neg, w.part(w.u, 39, 0, (1, 50))), 39, 0)
    third = w.update(second, w.part(second, 1, 0, (1, 50)), 0, 0)
    w.kernels(third)


def test_what_is_read_where_nothing_is_written_is_not_computed_first() -> None:
    w = Writing(40, 50)
    assert w.kernels(w.update(w.u, w.part(w.u, 0, 1, (40, 1)), 0, 0)) == 1
    odd = w.graph.make(ops.slice_, w.u, attributes=((1, 0), (2, 1), (20, 50)))
    even = w.graph.make(ops.update, w.u, odd, attributes=((0, 0), (2, 1)))
    assert w.kernels(even) == 1


def test_what_overlaps_in_part_is_computed_first() -> None:
    w = Writing(40, 50)
    assert w.kernels(w.update(w.u, w.part(w.u, 0, 0, (40, 2)), 0, 1)) == 2
    thirds = w.graph.make(ops.slice_, w.u, attributes=((3, 0), (3, 1), (12, 50)))
    assert w.kernels(w.graph.make(ops.update, w.u, thirds, attributes=((0, 0), (3, 1)))) == 2


def swap_columns(a: np.ndarray) -> None:
    a[:, 0], a[:, -1] = a[:, -1].copy(), a[:, 0].copy()


def test_swapped_columns_move_nothing_else() -> None:
    a = np.arange(2000, dtype=np.float32).reshape(40, 50)
    due = a.copy()
    swap_columns(due)
    ours = jf.jit(swap_columns)
    assert ours.explain(a).peak_bytes < a.nbytes / 2
    ours(a)
    np.testing.assert_array_equal(a, due)


def with_borders(a: np.ndarray) -> np.ndarray:
    u = a * 2
    u[1:-1, 1:-1] = u[:-2, 1:-1] + u[1:-1, 2:]
    u[:, 0], u[0, :] = u[:, 1], u[-1, :]
    return u


def test_borders_are_written_in_place() -> None:
    a = np.arange(2000, dtype=np.float32).reshape(40, 50)
    ours = jf.jit(with_borders)
    np.testing.assert_array_equal(ours(a), with_borders(a))
    assert ours.explain(a).peak_bytes <= 2 * a.nbytes + 1024


@pytest.mark.parametrize("seed", range(12))
def test_random_windows_are_written_from_windows_of_the_same_array(seed: int) -> None:
    """Of an argument and of an array made in the function: windows that overlap, values needed later."""
    choose = random.Random(seed)

    def line(extent: int, count: int) -> slice:
        step = choose.choice((1, 1, 2))
        start = choose.randrange(extent - (count - 1) * step)
        window = range(start, start + count * step, step)
        return slice(window[0], window[-1] + 1, step)

    def place(shape: tuple[int, int]) -> tuple[slice, slice]:
        return line(8, shape[0]), line(9, shape[1])

    shapes = [(choose.randint(1, 4), choose.randint(1, 4)) for _ in range(4)]
    steps = [
        (place(shape), place(shape), place(shape), choose.choice((-1, -1, index)))
        for index, shape in enumerate(shapes)
    ]

    def write(u: np.ndarray) -> None:
        before = [u[second].copy() for _, _, second, _ in steps]
        for target, first, second, old in steps:
            u[target] = 2 * u[first] - (before[old] if old >= 0 else u[second])

    def written(a: np.ndarray) -> np.ndarray:
        u = a + 1
        u[1:3] = 0
        write(u)
        return u

    a, due = np.arange(72).reshape(8, 9), np.arange(72).reshape(8, 9)
    np.testing.assert_array_equal(jf.jit(written)(a), written(a))
    jf.jit(write)(a)
    write(due)
    np.testing.assert_array_equal(a, due)


def test_what_was_there_before_can_be_returned_too() -> None:
    """In one kernel, which reads each element before it overwrites it."""
    w = Writing(40, 50)
    doubled = w.graph.make(ops.add, w.u, w.u)
    assert w.kernels(w.graph.make(ops.neg, w.u), doubled) == 1


def test_a_value_of_both_times() -> None:
    w = Writing(40, 50)
    after = w.update(w.u, w.graph.make(ops.neg, w.part(w.u, 0, 0, (1, 50))), 0, 0)
    w.kernels(after, w.graph.make(ops.sub, after, w.u))


def test_rows_centred_in_place() -> None:
    w = Writing(40, 50)
    largest = w.graph.make(ops.reduce, w.u, attributes=("max", (1,)))
    spread = w.graph.make(ops.broadcast, largest, attributes=((40, 50), (0,)))
    assert w.kernels(w.graph.make(ops.sub, w.u, spread)) == 1


def test_a_transpose_in_place_goes_through_memory() -> None:
    w = Writing(40, 40)
    assert w.kernels(w.graph.make(ops.permute, w.u, attributes=((1, 0),))) == 2


def test_a_value_and_its_write_wait_for_what_reads_both() -> None:
    """The row needs the largest element, and where the row goes is read before the largest replaces it."""

    def swap(n: np.ndarray, x: np.ndarray) -> None:
        largest, y = x.max(), x.copy()
        y[np.minimum(n, largest)] = x[n]
        n[...] = largest
        x[...] = y

    n, x = np.array(3), np.arange(15).reshape(5, 3) % 3
    due = n.copy(), x.copy()
    swap(*due)
    jf.jit(swap)(n, x)
    assert n == due[0] == 2
    np.testing.assert_array_equal(x, due[1])


def shifted(a: np.ndarray) -> np.ndarray:
    before = a.copy()
    a *= 3
    return np.minimum(a.max(), before)


def changed_where_large(a: np.ndarray) -> np.ndarray:
    before = np.abs(a)
    a[before > 1] *= 3
    return before * a.max(1, keepdims=True)


def read_in_two_passes(a: np.ndarray) -> tuple[np.ndarray, ...]:
    before = a * 2
    a -= a.max(1, keepdims=True)
    return before - a.min(1, keepdims=True), a.max(0)


@pytest.mark.parametrize("shape", [(5, 7), (40, 3), (300, 400)], ids=str)
@pytest.mark.parametrize("program", [shifted, changed_where_large, read_in_two_passes])
def test_no_later_pass_over_a_row_reads_what_an_earlier_one_has_overwritten(
    program: Any, shape: tuple[int, int]
) -> None:
    a = np.arange(np.prod(shape)).reshape(shape) % 9
    due = a.copy()
    expected = program(due)
    np.testing.assert_equal(jf.jit(program)(a), expected)
    np.testing.assert_array_equal(a, due)


def test_what_is_reshaped_may_lie_in_an_arguments_memory(strict: None) -> None:
    def rolled(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        b[...] = a[:, :1]
        return np.roll(b, 1)

    a, b = np.arange(12).reshape(3, 4), np.zeros((3, 4), int)
    expected = np.roll(np.repeat(a[:, :1], 4, axis=1), 1)
    np.testing.assert_array_equal(jf.jit(rolled)(a, b), expected)
