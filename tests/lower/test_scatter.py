"""Writes at run-time positions on machines of many lanes: NumPy's bits, wherever several go to one place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.nodes import Kernel, walk
from jitframe.codegen.lower.machine import Machine
from jitframe.codegen.lower.scatter import counting_sort
from jitframe.codegen.lower.scatter.last_writer_scatter import LEAST_ELEMENTS, MOST_CLEARED
from jitframe.codegen.plan.bind import PlanTemplate
from jitframe.codegen.plan.nodes import Loop, Plan
from jitframe.functions import creation, division
from jitframe.ir import ops
from jitframe.ir.node import Node
from jitframe.ir.record import replace
from jitframe.ir.types import I32

from .machines import FACTS, SMALL, WEBGPU, Interpreter, Problem, driver_of_lanes, lower, run

DEALT = replace(SMALL, writers=256)
ENDS_LOOPS = replace(SMALL, writers=1, most_iterations=64)
BINNED = 130
"""Elements that are sorted by place in these tests: in the interpreter thousands take minutes."""
MANY = LEAST_ELEMENTS + 77


def scatter(
    p: Problem,
    shape: tuple[int, ...],
    index_shape: tuple[int, ...],
    kind: str = "set",
    dtype: str = "float32",
    axes: tuple[int, ...] = (0,),
    counted: bool = False,
) -> list[Node]:
    """An array in which elements of another are put at positions, or combined with what is there.

    Some positions are negative, and most come again; `counted`: they are computed where they are used.
    """
    random = np.random.default_rng(5)
    rest = tuple(extent for axis, extent in enumerate(shape) if axis not in axes)
    base = p.parameter((random.standard_normal(shape) * 50).astype(dtype))
    value = p.parameter((random.standard_normal((*index_shape, *rest)) * 50).astype(dtype))
    indices = []
    for axis in axes:
        given = random.integers(-shape[axis], shape[axis], index_shape)
        number = creation.iota(p.graph, index_shape, 0, I32)
        indices.append(
            division.remainder(p.graph, number, shape[axis])
            if counted
            else p.parameter(given.astype(np.int32))
        )
    attributes = (axes, 0, kind, (False,) * len(axes), axes, False, 0)
    return [p.graph.make(ops.scatter, base, value, *indices, attributes=attributes)]


CASES: dict[str, dict[str, Any]] = {
    "few, added": {"shape": (37,), "index_shape": (250,), "kind": "add"},
    "counted, added": {"shape": (20, 5), "index_shape": (70,), "kind": "add", "counted": True},
    "counted, assigned": {"shape": (20,), "index_shape": (MANY,), "counted": True},
    "rows, added": {"shape": (20, 5), "index_shape": (70,), "kind": "add"},
    "many rows, multiplied": {"shape": (6, 300), "index_shape": (9,), "kind": "mul"},
    "planes, divided": {"shape": (4, 5, 3), "index_shape": (8, 7), "kind": "div", "axes": (0, 1)},
    "one place": {"shape": (1,), "index_shape": (200,), "kind": "add"},
    "nothing": {"shape": (5,), "index_shape": (0,), "kind": "add"},
    "of nothing": {"shape": (4, 0), "index_shape": (9,), "kind": "add"},
    "integers added": {"shape": (37,), "index_shape": (300,), "kind": "add", "dtype": "int32"},
    "integers, least": {"shape": (7, 3), "index_shape": (40,), "kind": "minimum", "dtype": "int32"},
    "integers, greatest": {"shape": (7, 3), "index_shape": (40,), "kind": "maximum", "dtype": "uint32"},
    "bits": {"shape": (7, 3), "index_shape": (4, 5), "kind": "xor", "dtype": "int32", "axes": (0, 1)},
    "integers multiplied": {"shape": (37,), "index_shape": (99,), "kind": "mul", "dtype": "int32"},
    "few, assigned": {"shape": (37,), "index_shape": (300,)},
    "many, assigned": {"shape": (400,), "index_shape": (MANY,)},
    "many rows, assigned": {"shape": (150, 3), "index_shape": (MANY,)},
    "short rows in planes": {"shape": (9, 11, 2), "index_shape": (3, MANY // 3 + 1), "axes": (0, 1)},
    "sorted, added": {"shape": (300,), "index_shape": (BINNED,), "kind": "add"},
    "sorted, one place": {"shape": (1,), "index_shape": (BINNED,), "kind": "add"},
    "sorted, many places": {"shape": (BINNED * 3,), "index_shape": (BINNED,), "kind": "add"},
    "sorted, halves divided": {"shape": (77,), "index_shape": (BINNED,), "kind": "div", "dtype": "float16"},
    "sorted, counted": {"shape": (20,), "index_shape": (BINNED,), "kind": "add", "counted": True},
    "sorted rows": {"shape": (40, 5), "index_shape": (BINNED,), "kind": "add"},
    "sorted long rows": {"shape": (4, 100), "index_shape": (BINNED,), "kind": "mul"},
    "sorted planes": {
        "shape": (9, 3, 11),
        "index_shape": (3, BINNED // 3 + 1),
        "kind": "add",
        "axes": (0, 2),
    },
    "sorted bytes": {"shape": (99,), "index_shape": (BINNED,), "kind": "mul", "dtype": "int8"},
    "sorted, assigned": {"shape": (BINNED * MOST_CLEARED,), "index_shape": (BINNED,)},
    "bytes, assigned": {"shape": (400,), "index_shape": (MANY,), "dtype": "int8"},
}


COMPILED = (
    "rows, added", "planes, divided", "integers added", "bytes, assigned", "sorted, added", "sorted rows",
    "sorted long rows", "sorted, halves divided", "sorted bytes", "sorted, assigned",
)  # fmt: skip
"""A few for each schedule; the interpreter runs all."""


@pytest.fixture
def sorts_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements are sorted by place from BINNED on, in three chunks."""
    monkeypatch.setattr(counting_sort, "LEAST_ELEMENTS", BINNED)
    monkeypatch.setattr(counting_sort, "CHUNK", 50)


@pytest.mark.parametrize(
    ("backend", "name"),
    [
        *[("interpreter", name) for name in CASES],
        *[(backend, name) for backend in ("webgpu", "opencl") for name in COMPILED],
    ],
)
def test_the_results_are_numpys(backend: str, name: str, sorts_few: None) -> None:
    """On devices by the schedules of GPUs, whatever they are themselves."""
    driver, machine = (
        (Interpreter(), DEALT) if backend == "interpreter" else (driver_of_lanes(backend), WEBGPU)
    )
    if isinstance(driver, str):
        pytest.skip(driver)
    problem = Problem()
    outputs = scatter(problem, **CASES[name])
    for ours, meant in zip(run(driver, problem, outputs, machine), problem.meant(outputs), strict=True):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))


@pytest.mark.parametrize("name", CASES)
def test_the_results_are_numpys_where_loops_end(name: str) -> None:
    """No loop of the interpreter ends; how many iterations a lane makes is in the next test."""
    problem = Problem()
    outputs = scatter(problem, **CASES[name])
    found = run(Interpreter(), problem, outputs, ENDS_LOOPS)
    for ours, meant in zip(found, problem.meant(outputs), strict=True):
        np.testing.assert_array_equal(ours.view(np.uint8), meant.view(np.uint8))


def plan_of(machine: Machine = WEBGPU, **case: Any) -> Plan:
    problem = Problem()
    outputs = scatter(problem, **case)
    return lower(outputs, problem.strides(), machine)[0]


def operations(kernel: Kernel, name: str) -> int:
    return sum(each.op.name == name for each in walk(kernel.body))


def test_what_any_order_gives_is_combined_at_once() -> None:
    """Integers by an atomic for each element; where the device has none for them, by lanes in order."""
    whole = plan_of(shape=(37,), index_shape=(300,), kind="add", dtype="int32").kernels[-1]
    assert operations(whole, "barrier") == 0 and operations(whole, "atomic") == 2  # one notes faults
    wide = {"shape": (37,), "index_shape": (300,), "kind": "add", "dtype": "int64"}
    assert operations(plan_of(**wide).kernels[-1], "barrier") == 2
    at_once = replace(WEBGPU, atomics=WEBGPU.atomics | {"i64"})
    assert operations(plan_of(at_once, **wide).kernels[-1], "barrier") == 0


def test_assignments_look_for_the_last_first_where_that_pays() -> None:
    def claimed(elements: int, places: int, machine: Machine = WEBGPU) -> bool:
        plan = plan_of(machine, shape=(places,), index_shape=(elements,))
        writes = [kernel for kernel in plan.kernels if operations(kernel, "atomic")]
        return len(writes) == 2

    assert claimed(LEAST_ELEMENTS, 100)
    assert not claimed(LEAST_ELEMENTS - 1, 100), "too few to be worth another launch"
    assert claimed(LEAST_ELEMENTS, MOST_CLEARED * LEAST_ELEMENTS - 1)
    assert not claimed(LEAST_ELEMENTS, MOST_CLEARED * LEAST_ELEMENTS), "most of the time would go to clearing"
    assert not claimed(LEAST_ELEMENTS, 100, replace(WEBGPU, most_buffers=4)), "it takes a buffer more"


def test_places_are_dealt_out_to_lanes() -> None:
    """As many workgroups as hold the machine's writers."""

    def lanes(machine: Machine, shape: tuple[int, ...]) -> tuple[int, int]:
        plan = plan_of(machine, shape=shape, index_shape=(300,), kind="add")
        return plan.kernels[-1].workgroup, operations(plan.kernels[-1], "barrier")

    assert lanes(WEBGPU, (5000,)) == (256, 2)
    assert lanes(WEBGPU, (50, 4095)) == (256, 2)
    assert lanes(WEBGPU, (50, 4096)) == (256, 0), "each has a place on the other axis to itself"


def test_many_elements_are_sorted_by_place_first() -> None:
    """Three kernels without atomics but for faults, none of whose lanes looks at all elements."""

    def names(machine: Machine = WEBGPU, **case: Any) -> list[str]:
        return [kernel.name for kernel in plan_of(machine, **case).kernels[-3:]]

    many, few = (counting_sort.LEAST_ELEMENTS,), (counting_sort.LEAST_ELEMENTS - 1,)
    steps = ["count_bins", "fill_bins", "combine_bins"]
    assert names(shape=(99,), index_shape=many, kind="add") == steps
    assert names(shape=(99, 5000), index_shape=many, kind="add") == steps
    assert names(shape=(99,), index_shape=few, kind="add") != steps, "they take less time than the launches"
    assert names(shape=(99,), index_shape=many, kind="add", dtype="int32") != steps, "there is an atomic"
    assert names(shape=(99,), index_shape=many) != steps, "the last one is found by an atomic"
    assert names(shape=(MOST_CLEARED * many[0],), index_shape=many) == steps
    few_buffers = replace(WEBGPU, most_buffers=4)
    assert names(few_buffers, shape=(99,), index_shape=many, kind="add") != steps, "the last takes two more"
    plan = plan_of(shape=(99,), index_shape=many, kind="add")
    assert [operations(kernel, "barrier") for kernel in plan.kernels[-3:]] == [2, 3, 2]


def test_one_lane_writes_where_software_runs_them() -> None:
    """There one lane more is one to wait for; but where an atomic does it, all lanes take part."""
    software = replace(WEBGPU, writers=1)
    for case, atomics in (
        ({"kind": "add"}, 1),  # notes positions out of bounds
        ({"kind": "set"}, 1),
        ({"kind": "add", "dtype": "int32"}, 2),
    ):
        (kernel,) = plan_of(software, shape=(200,), index_shape=(MANY,), **case).kernels[-1:]
        assert operations(kernel, "barrier") == 0 and operations(kernel, "atomic") == atomics


def test_a_lane_writes_half_as_many_elements_as_its_loops_may_have_iterations() -> None:
    """The kernel is launched again for the next ones; assignments look for the last element."""

    def launches(elements: int, machine: Machine = ENDS_LOOPS, **case: Any) -> list[Any]:
        problem = Problem()
        outputs = scatter(problem, shape=(3,), index_shape=(elements,), **case)
        plan, sizes, _ = lower(outputs, problem.strides(), machine)
        steps = PlanTemplate(plan).bind(sizes, FACTS).steps
        return [step.upper for step in steps if isinstance(step, Loop)]

    assert launches(32, kind="add") == []
    assert launches(33, kind="add") == [2] and launches(65, kind="div") == [3]
    assert launches(65, kind="add", dtype="int32") == [], "an atomic for each"
    assert launches(64 * LEAST_ELEMENTS) == [], "the last writer of each place, in lanes of their own"
    assert launches(33, replace(ENDS_LOOPS, most_iterations=None), kind="add") == []
