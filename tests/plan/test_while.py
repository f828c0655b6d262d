"""`while` steps and loops bounded by memory: printed, parsed, bound, estimated, and run by the executor."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.plan.bind import UNKNOWN_LOOP_NS, PlanTemplate
from jitframe.codegen.plan.nodes import BufferRef, While
from jitframe.codegen.plan.parse import PlanSyntaxError, parse_plan
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.codegen.plan.text import plan_text
from jitframe.codegen.plan.verify import verify_plan
from jitframe.runtime.executor import execute
from tests.plan.plans import AXPY
from tests.plan.reference_driver import ReferenceDriver

BELOW = """\
kernel below, workgroup 1
  buffers @0: in f32, @1: out bool
  scalars %0: f32
  %1: index = constant 0
  %2: f32 = load @0[%1]
  %3: bool = lt %2, %0
  store @1[%1] = %3
"""

DOUBLING = f"""\
plan of 1 sizes
  scalars %0: f32
  inputs @0: f32[s0]
  buffers @1: f32[s0], @2: f32[s0], @3: bool[1], @4: f32[s0]
  alloc @1
  alloc @2
  copy @1 = @0 elements s0
  alloc @3
  while @3 swap @1 @2:
    launch 1 (@1, @3; ; %0) groups 1 cost 1 bytes 5
  do:
    alloc @4
    launch 0 (@1, @4; s0, 4; 2.0: f32, 0.0: f32) groups (s0 +/ 4) cost s0 bytes (s0 * 8)
    copy @2 = @4 elements s0
    free @4
  free @2
  free @3
outputs @1

{AXPY}
{BELOW}"""

ROWS = f"""\
plan of 1 sizes
  inputs @0: f32[s0], @1: i64[2]
  buffers @2: f32[s0], @3: f32[s0]
  alloc @2
  alloc @3
  copy @2 = @0 elements s0
  loop @1 to @1[1] swap @2 @3:
    loop loop 0: i64 to 3 swap @2 @3:
      launch 0 (@2, @3; s0, 4; 1.0: f32, 1.0: f32) groups (s0 +/ 4) cost 0 bytes 0
    copy @3 = @2 elements s0
  free @3
outputs @2

{AXPY}"""


def as_bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(np.uint8).copy()


@pytest.mark.parametrize("text", [DOUBLING, ROWS], ids=["while", "bounds in memory"])
def test_prints_as_it_parses(text: str) -> None:
    plan = parse_plan(text)
    verify_plan(plan)
    assert plan_text(plan) == text


def test_bound() -> None:
    template = PlanTemplate(parse_plan(DOUBLING))
    bound = template.bind([6])
    (step,) = [each for each in bound.steps if isinstance(each, While)]
    assert step.predicate == BufferRef(3, 0) and step.swaps == ((1, 2),)
    assert (len(step.condition), len(step.body)) == (1, 4)
    assert bound.cost_ns == UNKNOWN_LOOP_NS + 20
    assert estimate_peak_bytes(bound) == 3 * 24 + 1
    (loop, *_rest) = [
        each for each in PlanTemplate(parse_plan(ROWS)).bind([4]).steps if hasattr(each, "lower")
    ]
    assert (loop.lower, loop.upper) == (BufferRef(1, 0), BufferRef(1, 1))


@pytest.mark.parametrize(("start", "expected"), [(1.0, 128.0), (99.0, 198.0), (100.0, 100.0), (500.0, 500.0)])
def test_the_executor_runs_the_body_while_the_condition_holds(start: float, expected: float) -> None:
    driver = ReferenceDriver()
    x = np.array([start, 1, 2, 3, 4], np.float32)
    limit = int(np.float32(100).view(np.uint32))
    (result,) = execute(PlanTemplate(parse_plan(DOUBLING)).bind([5]), driver, [as_bytes(x)], [limit])
    np.testing.assert_array_equal(result.view(np.float32), x * np.float32(expected / start))
    assert driver.alive == {id(result)} or len(driver.alive) == 1


@pytest.mark.parametrize(("lower", "upper"), [(0, 3), (1, 1), (-2, 1)])
def test_bounds_are_read_when_the_loop_starts(lower: int, upper: int) -> None:
    x = np.zeros(3, np.float32)
    bounds = np.array([lower, upper])
    (result,) = execute(
        PlanTemplate(parse_plan(ROWS)).bind([3]), ReferenceDriver(), [as_bytes(x), as_bytes(bounds)], []
    )
    expected = sum(max(0, 3 - outer) for outer in range(lower, upper))
    np.testing.assert_array_equal(result.view(np.float32), np.full(3, expected, np.float32))


def test_a_while_without_do() -> None:
    with pytest.raises(PlanSyntaxError, match="expected do: after the steps of this condition"):
        parse_plan(DOUBLING.replace("  do:\n", "  else:\n"))
