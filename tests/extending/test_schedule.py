"""A scheduling rule in one file: maps of one axis in tiles of its own size, asked by way of the machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel.nodes import Value
from jitframe.codegen.lower.machine import PROCESSOR, Machine
from jitframe.codegen.lower.maps.tiled_maps import tile_rows
from jitframe.codegen.lower.maps.wrapped_axes import write_along
from jitframe.codegen.lower.schedule import Schedule, shape_of
from jitframe.codegen.lower.writing.context import GroupWriter
from jitframe.functions import elementwise as e
from jitframe.functions import reductions
from jitframe.ir.expr import Expr, evaluate
from jitframe.ir.record import replace
from jitframe.runtime.device import CPU
from tests.lower.machines import Interpreter, Problem, lower, run

TILE = 64


def in_small_tiles(writing: GroupWriter) -> Schedule | None:
    """The rule: which groups it is for."""
    return write_small_tiles if shape_of(writing) == "map" and len(writing.nest.parallel) == 1 else None


def write_small_tiles(writing: GroupWriter) -> Expr:
    """The schedule: a workgroup for each tile of the axis."""
    (axis,) = writing.nest.parallel

    def write(first: Value, last: Value) -> None:
        write_along(writing, axis, first, last, lambda: writing.store_all(writing.group.stages))

    return tile_rows(writing, False, write, TILE)


MACHINE = replace(PROCESSOR, rules=(in_small_tiles,))


def problem(size: int) -> tuple[Problem, list[Any]]:
    p = Problem()
    x, y = (p.parameter(np.arange(size, dtype=np.float32) + k) for k in (1, 2))
    return p, [e.multiply(p.graph, x, y)]


def groups(machine: Machine, size: int) -> int:
    """Workgroups of the one kernel of a map of that size."""
    p, outputs = problem(size)
    plan, numbers, _ = lower(outputs, p.strides(), machine)
    (launch,) = [step for step in plan.steps if hasattr(step, "groups")]
    return int(evaluate(launch.groups, numbers))


@pytest.mark.parametrize("size", [0, 1, TILE - 1, TILE, 3 * TILE + 5])
def test_the_interpreted_kernel_has_the_meaning(size: int) -> None:
    p, outputs = problem(size)
    (found,) = run(Interpreter(), p, outputs, MACHINE)
    np.testing.assert_array_equal(found, p.arrays[0] * p.arrays[1])


def test_the_rule_is_asked_and_others_shapes_are_left_to_jitframe() -> None:
    assert groups(MACHINE, 10 * TILE) == 10 and groups(PROCESSOR, 10 * TILE) == 1
    p = Problem()
    x = p.parameter(np.arange(12, dtype=np.float32).reshape(3, 4))
    outputs = [reductions.sum(p.graph, x, axis=1), e.add(p.graph, x, 1.0)]
    found = run(Interpreter(), p, outputs, MACHINE)
    np.testing.assert_array_equal(found[0], p.arrays[0].sum(1))
    np.testing.assert_array_equal(found[1], p.arrays[0] + 1)


def test_jitted_functions_of_a_device_with_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CPU, "machine", MACHINE)
    for dtype in (np.int32, np.float32, np.float64):
        x = np.arange(1000).astype(dtype)
        np.testing.assert_array_equal(jf.jit(lambda x: x * 3 - x[::-1])(x), x * 3 - x[::-1])
        np.testing.assert_array_equal((jf.asarray(x) * 3 + 1).numpy(), x * 3 + 1)
