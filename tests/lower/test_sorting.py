"""Sorts on every kind of machine, by the kernel interpreter and on devices: short rows, chunks, merges."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.lower import sorting as sorting_steps
from jitframe.codegen.lower.machine import PROCESSOR, Machine
from jitframe.codegen.lower.sorting import chunks
from jitframe.functions import sorting
from jitframe.ir.node import Node
from jitframe.ir.record import replace
from tests.sets import second_set

from .machines import COMPILED, SMALL, WEBGPU, Interpreter, Problem, driver_of_lanes, lower, run

SHAPES = ((5, 9), (19, 11), (2, 70), (1, 130))
"""Short rows, many of them and longer ones; chunks of 40 elements (see below), tiles of 64."""
DTYPES = ("float32", "int32", "uint8", "float64", "bool")


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 40)
    for name, most in (("SHORT", 64), ("SHORT_OF_WIDE", 64), ("SHORT_ON_LANES", 32)):
        monkeypatch.setattr(sorting_steps, name, most)


def sorts(problem: Problem, shape: tuple[int, ...], dtype: str, axis: int = -1) -> list[Node]:
    array = (np.random.default_rng(1).standard_normal(shape) * 9).astype(dtype)
    if array.dtype.kind == "f":
        array.reshape(-1)[::7] = np.nan
    x = problem.parameter(array)
    return [
        sorting.sort(problem.graph, x, axis),
        sorting.argsort(problem.graph, x, axis),
        sorting.argsort(problem.graph, x, axis, descending=True),
    ]


APPENDING = replace(PROCESSOR, append_bits=512, exact_appends=True)
APPENDING_LOOSELY = replace(PROCESSOR, append_bits=256)
MACHINES: dict[str, tuple[str, Machine]] = {
    "processor": ("interpreter", PROCESSOR),
    "appending": ("interpreter", APPENDING),
    "appending loosely": ("interpreter", APPENDING_LOOSELY),
    "compiled": ("interpreter", COMPILED),
    "lanes": ("interpreter", SMALL),
    "opencl": ("opencl", WEBGPU),
    "webgpu": ("webgpu", WEBGPU),
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *[(name, "float32") for name in MACHINES],
        *[(name, "int32") for name in ("appending", "lanes", "opencl", "webgpu")],
        *second_set(*[(name, "int32") for name in ("processor", "appending loosely", "compiled")]),
        *second_set(*[("lanes", dtype) for dtype in DTYPES[2:]]),
    ],
)
def test_the_results_are_numpys(name: str, dtype: str) -> None:
    """Dtypes differ in their keys alone, which all machines make alike: the interpreter tries one on each."""
    backend, machine = MACHINES[name]
    driver = Interpreter() if backend == "interpreter" else driver_of_lanes(backend)
    if isinstance(driver, str):
        pytest.skip(driver)
    longer = ((2, 330),) if machine.append_bits else ()
    for shape in (*SHAPES, *longer) if backend == "interpreter" else SHAPES[-1:]:
        problem = Problem()
        outputs = sorts(problem, shape, dtype)
        if backend == "webgpu":
            outputs = outputs[:1]  # it has no 64-bit integers
        for ours, meant in zip(run(driver, problem, outputs, machine), problem.meant(outputs), strict=True):
            np.testing.assert_array_equal(ours, meant)


def names(
    shape: tuple[int, ...], machine: Machine, dtype: str = "float32", positions: bool = False
) -> list[str]:
    problem = Problem()
    outputs = sorts(problem, shape, dtype)[positions : positions + 1]
    return [kernel.name for kernel in lower(outputs, problem.strides(), machine)[0].kernels]


def test_each_kind_of_row_has_its_sort() -> None:
    assert names((7, 9), PROCESSOR) == names((300, 9), WEBGPU) == ["sort_short_rows"]
    assert names((8, 9), PROCESSOR) == names((300, 512), PROCESSOR) == ["sort_many_rows"]
    assert names((8, 9), PROCESSOR, positions=True) == ["sort_many_rows"]
    assert names((8, 9), PROCESSOR, "float64", positions=True) == ["sort_short_rows"]
    assert names((3, 70), PROCESSOR) == names((300, 513), PROCESSOR) == ["sort_rows_by_digits"]
    chunks = ["write_keys", "count_digits", "place_digits", "move_by_digit", "read_keys"]
    assert names((1, 90), PROCESSOR) == chunks
    assert names((3, 70), APPENDING) == names((300, 513), APPENDING) == ["sort_rows_by_pivots"]
    ranges = ["choose_splitters", "count_ranges", "place_ranges", "move_to_ranges", "sort_ranges"]
    assert names((1, 300), APPENDING) == ranges
    assert names((1, 300), APPENDING_LOOSELY) == names((1, 300), APPENDING_LOOSELY, "float64") == ranges
    assert names((1, 300), APPENDING, positions=True) == ranges
    assert names((1, 300), APPENDING_LOOSELY, positions=True) == chunks  # four words in a vector, four digits
    assert names((1, 90), APPENDING, "uint8") == names((1, 90), PROCESSOR, "uint8")
    assert names((1, 2000), WEBGPU) == ["sort_tiles", "merge_runs", "read_keys"]
