"""Binding plans: numbers in, integers out, the same by evaluation and by the compiled function."""

from __future__ import annotations

from typing import Any

import pytest

from jitframe.codegen.plan.bind import (
    ITERATION_NS,
    UNKNOWN_LOOP_NS,
    PlanCheckError,
    PlanTemplate,
    scalar_bits,
)
from jitframe.codegen.plan.nodes import (
    Alloc,
    Axis,
    BufferRef,
    ConstantScalar,
    Copy,
    Launch,
    LibraryCall,
    Loop,
    LoopIndex,
    ScalarRef,
    Step,
)
from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.ir.types import BF16, BOOL, F16, F32, F64, I8, I64, INDEX, U8, DType
from tests.plan.plans import everything, plan_of

FACTS = {"device.threads": 2}


def of_type(steps: tuple[Step, ...], kind: type) -> list[Any]:
    return [step for step in steps if isinstance(step, kind)]


def test_every_number_is_resolved() -> None:
    bound = PlanTemplate(everything()).bind([10, 3, 5], FACTS)
    steps = bound.steps
    first = of_type(steps, Launch)[0]
    refs = (BufferRef(0, 0), BufferRef(2, 0))
    assert first == Launch(0, refs, (10, 4), (ScalarRef(0), ConstantScalar(0.5, F32)), 3, 30, 80)
    assert of_type(steps, Alloc)[0] == Alloc(2) and bound.buffers[2].nbytes == 40
    assert of_type(steps, LibraryCall) == [
        LibraryCall(
            "gemm", F32, (BufferRef(1, 0), BufferRef(1, 0)), (BufferRef(5, 0),), (0, 1),
            (3, 3, 5, 5, 5, 3), (), (Axis(1, (0, 15, 7)),), 3,
        )
    ]  # fmt: skip
    assert of_type(steps, Copy) == [Copy(BufferRef(6, 1), BufferRef(3, 1), 1)]
    loop, outer = of_type(steps, Loop)
    assert (loop.lower, loop.upper, loop.swaps) == (0, 3, ((2, 3),))
    assert (loop.body[0].indices[1:], loop.body[0].scalars) == ((LoopIndex(0, INDEX),), (LoopIndex(0, I64),))
    assert (outer.lower, outer.upper) == (3, ScalarRef(1))
    assert (len(bound.buffers), bound.inputs, bound.scalars, bound.outputs) == (7, 2, (F32, I64), (5, 6))
    # one launch, three iterations, a loop of unknown count around two, the predicate, the dearer side, the
    # product
    assert bound.cost_ns == 30 + 3 * ITERATION_NS + (2 * ITERATION_NS + UNKNOWN_LOOP_NS) + 10 + 10 + 3


def test_later_bindings_by_the_compiled_function_are_equal() -> None:
    plan = everything()
    template = PlanTemplate(plan)
    for sizes in ([10, 3, 5], [10, 3, 5], [1, 0, 2], [99_999, 7, 1], [10, 3, 5]):
        assert template.bind(sizes, FACTS) == PlanTemplate(plan).bind(sizes, FACTS)


def test_where_memory_should_lie_is_handed_on() -> None:
    bound = PlanTemplate(parse_plan(plan_of("alloc @2 aligned with @0\nalloc @3", "@2, @3"))).bind([1000, 4])
    assert bound.steps == (Alloc(2, 0), Alloc(3))
    assert [bound.buffers[number].nbytes for number in (2, 3)] == [4000, 4000]


@pytest.mark.parametrize("bindings", [1, 2])
def test_a_check_of_numbers_stops_the_binding(bindings: int) -> None:
    template = PlanTemplate(everything())
    for _ in range(bindings - 1):
        template.bind([10, 3, 5], FACTS)
    with pytest.raises(PlanCheckError) as caught:
        template.bind([100_000, 3, 5], FACTS)
    assert str(caught.value) == "the first axis is too long: it's at most 100000"


def test_numbers_may_be_negative() -> None:
    steps = "alloc @2\nlaunch 0 (@0, @2; (s0 - s1), -1; %0, -2.0: f32) groups 1 cost 0 bytes 0"
    bound = PlanTemplate(parse_plan(plan_of(steps, "@2"))).bind([1, 4])
    assert bound.steps[1].indices == (-3, -1)


@pytest.mark.parametrize(
    ("value", "dtype", "bits"),
    [
        (True, BOOL, 1),
        (-1, I8, 0xFF),
        (255, U8, 0xFF),
        (-1, I64, 2**64 - 1),
        (1.0, F16, 0x3C00),
        (1.0, BF16, 0x3F80),
        (-0.0, F32, 0x80000000),
        (1.0, F64, 0x3FF0000000000000),
    ],
    ids=str,
)
def test_scalars_stand_in_the_low_bytes_of_their_slot(value: Any, dtype: DType, bits: int) -> None:
    assert scalar_bits(value, dtype) == bits


def test_peak_memory_counts_what_is_alive_together() -> None:
    bound = PlanTemplate(everything()).bind([100, 3, 5], FACTS)
    # @2 + @3 + the predicate, against @3 + @5 + @6
    assert estimate_peak_bytes(bound) == max(400 + 400 + 1, 400 + 36 + 400)


def test_peak_memory_takes_the_larger_side_of_an_if_and_one_iteration() -> None:
    steps = """\
alloc @4
launch 1 (@0, @4) groups 1 cost 0 bytes 0
if @4:
  alloc @2
  alloc @3
  free @2
  free @3
else:
  alloc @2
  free @2
loop 0 to 1000:
  alloc @5
  free @5
free @4"""
    text = plan_of(steps).replace("@4: bool[1]", "@4: bool[1], @5: f64[s0]")
    assert estimate_peak_bytes(PlanTemplate(parse_plan(text)).bind([100, 1])) == 1 + 800
    assert (
        estimate_peak_bytes(PlanTemplate(parse_plan(text.replace("f64[s0]", "f64[(s0 * 2)]"))).bind([100, 1]))
        == 1601
    )
