"""Binding plans: numbers in, integers out, the same by evaluation and by the compiled function."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from jitframe.codegen.plan.bind import (
    ITERATION_NS,
    UNKNOWN_LOOP_NS,
    PlanCheckError,
    PlanTemplate,
    scalar_bits,
)
from jitframe.codegen.plan.bound import (
    BoundAlloc,
    BoundBatch,
    BoundCopy,
    BoundGemm,
    BoundLaunch,
    BoundLoop,
    BoundStep,
    BufferSlot,
    LoopIndexSlot,
    ScalarSlot,
    ValueSlot,
)
from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.ir.types import BF16, BOOL, F16, F32, F64, I8, I64, U8, DType
from tests.plan.plans import everything, plan_of

FACTS = {"device.threads": 2}


def of_type(steps: tuple[BoundStep, ...], kind: type) -> list[Any]:
    return [step for step in steps if isinstance(step, kind)]


def test_every_number_is_resolved() -> None:
    bound = PlanTemplate(everything()).bind([10, 3, 5], FACTS)
    steps = bound.steps
    first = of_type(steps, BoundLaunch)[0]
    half = ValueSlot(struct.unpack("<I", struct.pack("<f", 0.5))[0])
    assert first == BoundLaunch(
        0, (BufferSlot(0), BufferSlot(2), ValueSlot(10), ValueSlot(4), ScalarSlot(0), half), 3
    )
    assert of_type(steps, BoundAlloc)[0] == BoundAlloc(2, 40)
    slots = (BufferSlot(1), 5, BufferSlot(1), 5, BufferSlot(5), 3)
    assert of_type(steps, BoundGemm) == [
        BoundGemm("f32", False, True, 3, 3, 5, *slots, (BoundBatch(1, 0, 15, 7),))
    ]
    assert of_type(steps, BoundCopy) == [BoundCopy(BufferSlot(6, 4), BufferSlot(3, 4), 4)]
    loop, outer = of_type(steps, BoundLoop)
    assert (loop.lower, loop.upper, loop.swaps) == (ValueSlot(0), ValueSlot(3), ((2, 3),))
    assert loop.body[0].slots[3:] == (LoopIndexSlot(0), LoopIndexSlot(0))
    assert (outer.lower, outer.upper) == (ValueSlot(3), ScalarSlot(1))
    assert (bound.buffers, bound.inputs, bound.scalars, bound.outputs) == (7, 2, 2, (5, 6))
    # one launch, three iterations, a loop of unknown count around two, the predicate, the dearer side, the
    # product
    assert bound.cost_ns == 30 + 3 * ITERATION_NS + (2 * ITERATION_NS + UNKNOWN_LOOP_NS) + 10 + 10 + 3


def test_later_bindings_by_the_compiled_function_are_equal() -> None:
    plan = everything()
    template = PlanTemplate(plan)
    for numbers in ([10, 3, 5], [10, 3, 5], [1, 0, 2], [99_999, 7, 1], [10, 3, 5]):
        assert template.bind(numbers, FACTS) == PlanTemplate(plan).bind(numbers, FACTS)


def test_where_memory_should_lie_is_handed_on() -> None:
    bound = PlanTemplate(parse_plan(plan_of("alloc @2 beside @0\nalloc @3", "@2, @3"))).bind([1000, 4])
    assert bound.steps == (BoundAlloc(2, 4000, 0), BoundAlloc(3, 4000))


@pytest.mark.parametrize("bindings", [1, 2])
def test_a_check_of_numbers_stops_the_binding(bindings: int) -> None:
    template = PlanTemplate(everything())
    for _ in range(bindings - 1):
        template.bind([10, 3, 5], FACTS)
    with pytest.raises(PlanCheckError) as caught:
        template.bind([100_000, 3, 5], FACTS)
    assert str(caught.value) == "the first axis is too long: it's at most 100000"


def test_negative_numbers_become_twos_complement() -> None:
    steps = "alloc @2\nlaunch 0 (@0, @2; (s0 - s1), -1; %0, -2.0: f32) groups 1 cost 0 bytes 0"
    bound = PlanTemplate(parse_plan(plan_of(steps, "@2"))).bind([1, 4])
    assert bound.steps[1].slots[2:4] == (ValueSlot(2**64 - 3), ValueSlot(2**64 - 1))


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
