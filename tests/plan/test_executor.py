"""The Python executor on the reference driver: plans run with no compiler and no device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.plan.bind import (
    OutOfBounds,
    PlanCheckError,
    PlanTemplate,
    scalar_bits,
)
from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.codegen.plan.verify import verify_plan
from jitframe.ir.types import F32, I64
from jitframe.runtime.executor import PlanDriver, View, execute
from tests.plan.plans import everything, plan_of
from tests.plan.reference_driver import ReferenceDriver

NUMBERS = [10, 3, 5]
FACTS = {"device.threads": 4}


def as_bytes(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array.reshape(-1).view(np.uint8)


def inputs() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    generator = np.random.default_rng(0)
    return generator.random(10, np.float32), generator.random((3, 5), np.float32)


def run_everything(
    x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], driver: ReferenceDriver, stop: int = 4
) -> Any:
    seen: list[list[tuple[float, int]]] = []

    def observe(_driver: PlanDriver, operands: list[View], results: list[View]) -> None:
        seen.append(
            [
                (float(memory[offset : offset + 4].view(np.float32)[0]), offset)
                for memory, offset in (*results, *operands)
            ]
        )

    bound = PlanTemplate(everything()).bind(NUMBERS, FACTS)
    scalars = [scalar_bits(2.0, F32), scalar_bits(stop, I64)]
    outputs = execute(bound, driver, [as_bytes(x), as_bytes(y)], scalars, {"observe": observe})
    return outputs, seen


def test_every_step_does_its_part() -> None:
    x, y = inputs()
    driver = ReferenceDriver()
    (product, tail), seen = run_everything(x, y, driver)
    state = x * np.float32(2) + np.float32(0.5)
    previous = state
    for counter in range(3):
        previous, state = state, state + np.float32(counter)
    np.testing.assert_allclose(product.view(np.float32).reshape(3, 3), y @ y.T, rtol=1e-6)
    # the predicate holds, so @3 is a copy of the state; its elements 1..3 go to @6 from 1 on
    assert tail.view(np.float32)[1:4].tolist() == state[1:4].tolist()
    assert seen == [[(state[0], 0), (previous[9], 36)]] * 2
    assert driver.alive == {id(product), id(tail)}
    assert driver.launches == 1 + 3 + 1


def test_the_other_side_of_the_if_and_the_failing_check() -> None:
    x, y = inputs()
    driver = ReferenceDriver()
    with pytest.raises(PlanCheckError, match="nothing is positive"):
        run_everything(x - 10, y, driver)
    assert driver.alive == set()
    assert driver.launches == 1 + 3 + 1 + 1


def test_a_loop_of_a_scalar_bound_may_run_no_time() -> None:
    x, y = inputs()
    assert run_everything(x, y, ReferenceDriver(), stop=-5)[1] == []


@pytest.mark.parametrize("launch", range(1, 6))
def test_whatever_fails_frees_what_the_run_allocated(launch: int) -> None:
    x, y = inputs()
    driver = ReferenceDriver(fail_at_launch=launch)
    with pytest.raises(MemoryError):
        run_everything(x, y, driver)
    assert driver.alive == set()


def test_the_estimate_of_memory_is_what_a_run_takes() -> None:
    x, y = inputs()
    driver = ReferenceDriver()
    run_everything(x, y, driver)
    assert driver.peak_bytes == estimate_peak_bytes(PlanTemplate(everything()).bind(NUMBERS, FACTS))


@pytest.mark.parametrize("extent", [0, 1, 4, 5, 17])
def test_one_template_serves_all_sizes(extent: int) -> None:
    steps = "alloc @2\nlaunch 0 (@0, @2; s0, 4; %0, 1.0: f32) groups (s0 +/ 4) cost s0 bytes (s0 * 8)"
    plan = parse_plan(plan_of(steps, "@2"))
    verify_plan(plan)
    bound = PlanTemplate(plan).bind([extent, 0])
    x = np.arange(extent, dtype=np.float32)
    (result,) = execute(
        bound, ReferenceDriver(), [as_bytes(x), np.zeros(0, np.uint8)], [scalar_bits(3.0, F32), 0]
    )
    assert result.view(np.float32).tolist() == (x * np.float32(3) + np.float32(1)).tolist()


def test_arguments_are_counted() -> None:
    bound = PlanTemplate(everything()).bind(NUMBERS, FACTS)
    with pytest.raises(ValueError) as caught:
        execute(bound, ReferenceDriver(), [], [0])
    assert str(caught.value) == "the plan takes 2 inputs and 2 scalars, not 0 inputs and 1 scalars"


NOTES = """\
kernel note, workgroup 1
  buffers @0: inout u32
  indices %0
  scalars %1: u32
  %2: u32 = atomic @0[%0], %1 {kind='max', order='relaxed', scope='device'}
"""


def run_notes(spelled: int, defer: Any = None) -> ReferenceDriver:
    """A plan whose kernel notes a position in the second of its words."""
    plan = parse_plan(
        "plan of 0 sizes\n  scalars %0: u32\n  buffers @0: u32[3]\n  alloc @0\n  zero @0 elements 3\n"
        "  launch 0 (@0; 1; %0) groups 1 cost 0 bytes 0\n  faults @0\n  free @0\noutputs\n\n" + NOTES
    )
    verify_plan(plan)
    driver = ReferenceDriver()
    execute(PlanTemplate(plan).bind([], FACTS), driver, [], [spelled], defer=defer)
    return driver


@pytest.mark.parametrize(("spelled", "index"), [(10, 5), (11, -6)])
def test_a_position_out_of_bounds_ends_the_run(spelled: int, index: int) -> None:
    assert run_notes(0).alive == set()
    with pytest.raises(OutOfBounds) as caught:
        run_notes(spelled)
    assert (caught.value.word, caught.value.index) == (1, index)


def test_what_was_noted_can_be_looked_at_later() -> None:
    taken: list[Any] = []
    driver = run_notes(10, lambda memory, words: taken.append((memory, words.elements, words.dtype.itemsize)))
    ((memory, count, itemsize),) = taken
    assert (count, itemsize) == (3, 4) and memory.view(np.uint32).tolist() == [0, 10, 0]
    assert driver.alive == {id(memory)}
