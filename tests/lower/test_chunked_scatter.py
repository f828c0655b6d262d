"""Single numbers written at run-time positions on a processor: by chunks, and in tables of workgroups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.nodes import Kernel, walk
from jitframe.codegen.lower.machine import PROCESSOR, Machine
from jitframe.codegen.lower.scatter import chunked_scatter
from jitframe.functions import elementwise
from jitframe.ir import ops
from jitframe.ir.node import Node

from .machines import COMPILED, Interpreter, Problem, lower, run

MANY = 150


def scatter(
    p: Problem,
    shape: tuple[int, ...] = (7,),
    index_shape: tuple[int, ...] = (MANY,),
    kind: str = "add",
    dtype: str = "int64",
    axes: tuple[int, ...] = (0,),
    computed: bool = False,
) -> list[Node]:
    """Elements combined with those at positions, some of them negative; `computed`: as both are used."""
    random = np.random.default_rng(3)
    base = p.parameter((random.standard_normal(shape) * 50).astype(dtype))
    value = p.parameter((random.standard_normal(index_shape) * 50).astype(dtype))
    if computed:
        value = elementwise.multiply(p.graph, value, value)
    indices = []
    for axis in axes:
        index = p.parameter(random.integers(-(shape[axis] // 2), shape[axis] // 2, index_shape))
        indices.append(elementwise.add(p.graph, index, 1) if computed else index)
    attributes = (axes, 0, kind, (False,) * len(axes), axes, False, 0)
    return [p.graph.make(ops.scatter, base, value, *indices, attributes=attributes)]


CASES: dict[str, dict[str, Any]] = {
    "in tables": {},
    "in tables, computed": {"computed": True},
    "in tables, 32 bits": {"dtype": "uint32"},
    "in tables, in rows": {"index_shape": (3, 50)},
    "in order": {"dtype": "float64", "computed": True},
    "in order, bytes": {"dtype": "int8", "computed": True},
    "in order, in rows": {"dtype": "float32", "computed": True, "index_shape": (3, 50)},
    "in order, of a plane": {"shape": (5, 4), "axes": (0, 1), "computed": True},
    "in order, assigned": {"kind": "set", "computed": True},
    "in order, loaded": {"kind": "maximum"},
    "few": {"index_shape": (15,), "computed": True},
}


@pytest.mark.parametrize("machine", [PROCESSOR, COMPILED], ids=["processor", "compiled"])
@pytest.mark.parametrize("name", CASES)
def test_the_results_are_numpys(name: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several chunks and workgroups, the last ones not full."""
    monkeypatch.setattr(chunked_scatter, "CHUNK", 22)
    monkeypatch.setattr(chunked_scatter, "PART", 64)
    problem = Problem()
    outputs = scatter(problem, **CASES[name])
    for ours, meant in zip(
        run(Interpreter(), problem, outputs, machine), problem.meant(outputs), strict=True
    ):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))


def kernel_of(machine: Machine = PROCESSOR, **case: Any) -> Kernel:
    problem = Problem()
    return lower(scatter(problem, **case), problem.strides(), machine)[0].kernels[-1]


def near_memories(kernel: Kernel) -> int:
    return sum(each.op.name == "allocate" for each in walk(kernel.body))


def test_what_is_computed_waits_in_near_memory() -> None:
    in_tables, in_order = 3, 2
    assert near_memories(kernel_of()) == in_tables
    assert near_memories(kernel_of(dtype="float32", computed=True)) == in_order
    assert near_memories(kernel_of(dtype="float32")) == 0, "copying what is loaded takes longer"
    assert near_memories(kernel_of(dtype="float32", computed=True, index_shape=(15,))) == 0, "too few"


def test_only_few_places_have_tables() -> None:
    def has_tables(machine: Machine = PROCESSOR, **case: Any) -> bool:
        return near_memories(kernel_of(machine, index_shape=(4096,), **case)) == 3

    assert has_tables(shape=(chunked_scatter.PLACES,))
    assert not has_tables(shape=(chunked_scatter.PLACES + 1,))
    assert not has_tables(shape=(chunked_scatter.PLACES,), kind="mul")
    assert not has_tables(shape=(chunked_scatter.PLACES,), dtype="float64"), "their order shows"
    assert not has_tables(COMPILED, shape=(chunked_scatter.PLACES,)), "not every device adds 64 bits at once"
    assert has_tables(COMPILED, shape=(chunked_scatter.PLACES,), dtype="int32")


@pytest.mark.parametrize("size", [16, 1023, 1024, 1025, 200_001])
def test_counts_by_several_threads(size: int) -> None:
    positions = np.random.default_rng(size).integers(-9, 9, size)

    def counted(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        counts, sums = np.zeros(9, np.int64), np.zeros(9)
        np.add.at(counts, positions, 1)
        np.add.at(sums, positions, positions * 0.1)
        return counts, sums

    for ours, meant in zip(jf.jit(counted)(positions), counted(positions), strict=True):
        np.testing.assert_array_equal(ours, meant)


def test_one_number_that_is_in_memory_for_another_use() -> None:
    def written(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        copy = np.stack([x, x])
        np.put_along_axis(copy, np.zeros_like(copy, dtype=np.int64), 1, axis=0)
        return copy, np.full_like(copy, 1)

    x = np.arange(40.0)
    for ours, meant in zip(jf.jit(written)(x), written(x), strict=True):
        np.testing.assert_array_equal(ours, meant)


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_a_position_out_of_bounds_is_told(dtype: str) -> None:
    positions = np.zeros(5000, np.int64)
    positions[4321] = 9

    def counted(positions: np.ndarray) -> np.ndarray:
        counts = np.zeros(9, dtype)
        np.add.at(counts, positions * 1, 1)
        return counts

    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 9"):
        jf.jit(counted)(positions)


def test_elements_of_turned_axes_are_written() -> None:
    """Those lie before the first one in memory."""

    def moved(x: np.ndarray, at: np.ndarray) -> None:
        np.add.at(x, at * 1, x[::-1] * 0.5)
        np.put_along_axis(x, at * 2 % 60, x * 2, axis=0)

    at = np.random.default_rng(5).integers(-30, 30, 60)
    ours, meant = (np.arange(60.0)[::-1] for _ in range(2))
    moved(meant, at)
    jf.jit(moved)(ours, at)
    np.testing.assert_array_equal(ours, meant)
