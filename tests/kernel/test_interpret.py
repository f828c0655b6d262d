"""The kernel interpreter: what kernels compute, and the faults it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.interpret import InterpreterError, interpret
from jitframe.codegen.kernel.nodes import REDUCTION_LANES
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.verify import verify


def run(text: str, *buffers: Any, indices: Any = (), scalars: Any = (), groups: int = 1) -> None:
    kernel = parse_kernel(text)
    verify(kernel)
    interpret(kernel, list(buffers), list(indices), list(scalars), range(groups), subgroup=4)


SUM = """\
kernel sum, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  %3: f32 = constant 0.0
  %4: f32 = for lanes %5 from %1 to %0 step %2 reduce %3:
    %6: f32 = load @0[%5]
    yield %6
  combine %7: f32, %8: f32:
    %9: f32 = add %7, %8
    yield %9
  store @1[%1] = %4
"""


@pytest.mark.parametrize("extent", [0, 1, 31, 32, 33, 100])
def test_a_reduction_has_exactly_the_defined_order(extent: int) -> None:
    terms = np.random.default_rng(extent).standard_normal(extent).astype(np.float32)
    lanes = np.zeros(REDUCTION_LANES, np.float32)
    for number, term in enumerate(terms):
        lanes[number % REDUCTION_LANES] += term
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    result = np.zeros(1, np.float32)
    run(SUM, terms, result, indices=[extent])
    assert result.tobytes() == lanes.tobytes()


def test_a_tree_sum_through_shared_memory_and_barriers() -> None:
    text = """\
kernel tree, workgroup 8
  buffers @0: in i32, @1: out i32
  %0: index = group_id
  %1: index = lane_id
  %2: index = constant 8
  %3: index = constant 4
  %4: index = constant 0
  %5: index = constant 2
  %6: index = mul %0, %2
  %7: index = add %6, %1
  @2: i32 = allocate shared 8
  %8: i32 = load @0[%7]
  store @2[%1] = %8
  barrier 0
  %9: index = while %10: index = %3:
    %11: bool = gt %10, %4
    yield %11
  do %12: index:
    %13: bool = lt %1, %12
    if %13:
      %14: index = add %1, %12
      %15: i32 = load @2[%1]
      %16: i32 = load @2[%14]
      %17: i32 = add %15, %16
      store @2[%1] = %17
    barrier 1
    %18: index = quotient %12, %5
    yield %18
  %19: bool = eq %1, %4
  if %19:
    %20: i32 = load @2[%4]
    store @1[%0] = %20
"""
    source, result = np.arange(24, dtype=np.int32), np.zeros(3, np.int32)
    run(text, source, result, groups=3)
    assert result.tolist() == [28, 92, 156]
    with pytest.raises(InterpreterError) as caught:
        run(text.replace("    barrier 1\n", ""), source, result, groups=3)
    assert str(caught.value) == (
        "kernel tree, workgroup 0: lane 1 writes what lane 0 reads, in no order\n  25 | store @2[%1] = %17"
    )


def test_subgroup_operations_take_lanes_together() -> None:
    text = """\
kernel subgroups, workgroup 6
  buffers @0: in i32, @1: out i32, @2: out i32
  %0: index = lane_id
  %1: index = constant 1
  %2: i32 = load @0[%0]
  %3: i32 = subgroup_shuffle_down %2, %1
  store @1[%0] = %3
  %4: i32 = subgroup_reduce %2 {kind='add'}
  store @2[%0] = %4
"""
    source = np.array([1, 2, 3, 4, 5, 6], np.int32)
    shuffled, reduced = np.zeros(6, np.int32), np.zeros(6, np.int32)
    run(text, source, shuffled, reduced)
    assert shuffled.tolist() == [2, 3, 4, 4, 6, 6]  # subgroups of four; the last lane keeps its own
    assert reduced.tolist() == [10, 10, 10, 10, 11, 11]


def test_masked_accesses_touch_nothing_where_the_mask_is_false() -> None:
    text = """\
kernel masked, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  %3: index = constant 8
  for lanes %4 from %1 to %3 step %2:
    %5: bool = lt %4, %0
    %6: f32 = load @0[%4] if %5
    store @1[%4] = %6 if %5
"""
    result = np.full(3, -1, np.float32)
    run(text, np.arange(3, dtype=np.float32), result, indices=[3])
    assert result.tolist() == [0, 1, 2]


def test_an_exit_ends_one_lane() -> None:
    text = """\
kernel leave, workgroup 4
  buffers @0: out i32
  indices %0
  scalars %1: i32
  %2: index = lane_id
  %3: bool = ge %2, %0
  if %3:
    exit
  store @0[%2] = %1
"""
    result = np.zeros(2, np.int32)
    run(text, result, indices=[2], scalars=[7])
    assert result.tolist() == [7, 7]


def test_atomics_from_all_lanes_and_workgroups_add_up() -> None:
    text = """\
kernel count, workgroup 4
  buffers @0: inout i32
  scalars %0: i32
  %1: index = constant 0
  %2: i32 = atomic @0[%1], %0 {kind='add', order='relaxed', scope='device'}
"""
    result = np.zeros(1, np.int32)
    run(text, result, scalars=[3], groups=2)
    assert result.tolist() == [24]


def test_a_last_workgroup_may_read_what_others_wrote_behind_fences() -> None:
    text = """\
kernel last, workgroup 1
  buffers @0: inout i32, @1: inout i32, @2: out i32
  scalars %0: i32
  %1: index = constant 0
  %2: index = constant 1
  %3: index = constant 3
  %4: index = group_id
  %5: i32 = constant 2
  store @0[%4] = %0
  fence device
  %6: i32 = atomic @1[%1], %0 {kind='add', order='relaxed', scope='device'}
  fence device
  %7: bool = eq %6, %5
  if %7:
    %8: i32 = constant 0
    %9: i32 = for serial %10 from %1 to %3 step %2 with %11: i32 = %8:
      %12: i32 = load @0[%10]
      %13: i32 = add %11, %12
      yield %13
    store @2[%1] = %9
"""
    parts, counter, result = (np.zeros(n, np.int32) for n in (3, 1, 1))
    run(text, parts, counter, result, scalars=[1], groups=3)
    assert result.tolist() == [3]
    parts, counter, result = (np.zeros(n, np.int32) for n in (3, 1, 1))
    with pytest.raises(InterpreterError, match="workgroup 2 reads what workgroup 0 writes, in no order"):
        run(text.replace("  fence device\n", ""), parts, counter, result, scalars=[1], groups=3)


FAULTS = {
    "out of bounds": (
        """\
kernel far, workgroup 1
  buffers @0: in f32
  indices %0
  %1: f32 = load @0[%0]
""",
        "kernel far, workgroup 0: read at 4 of a buffer of 4 elements\n  4 | %1: f32 = load @0[%0]",
    ),
    "two workgroups write one element": (
        """\
kernel both, workgroup 1
  buffers @0: out f32
  indices %0
  scalars %1: f32
  %2: index = constant 0
  store @0[%2] = %1
""",
        "kernel both, workgroup 1: workgroup 1 writes what workgroup 0 writes, in no order\n"
        "  6 | store @0[%2] = %1",
    ),
    "two iterations write one element": (
        """\
kernel clash, workgroup 1
  buffers @0: out f32
  indices %0
  scalars %1: f32
  %2: index = constant 0
  %3: index = constant 1
  for lanes %4 from %2 to %0 step %3:
    store @0[%2] = %1
""",
        "kernel clash, workgroup 0: iteration 1 writes what iteration 0 writes, in no order\n"
        "  8 | store @0[%2] = %1",
    ),
    "an iteration reads what the one before wrote": (
        """\
kernel chain, workgroup 1
  buffers @0: inout f32
  indices %0
  %1: index = constant 1
  for lanes %2 from %1 to %0 step %1:
    %3: index = sub %2, %1
    %4: f32 = load @0[%3]
    store @0[%2] = %4
""",
        "kernel chain, workgroup 0: iteration 1 reads what iteration 0 writes, in no order\n"
        "  7 | %4: f32 = load @0[%3]",
    ),
    "an iteration writes what another reads": (
        """\
kernel behind, workgroup 1
  buffers @0: inout f32
  indices %0
  %1: index = constant 1
  for lanes %2 from %1 to %0 step %1:
    %3: index = sub %2, %1
    %4: f32 = load @0[%2]
    store @0[%3] = %4
""",
        "kernel behind, workgroup 0: iteration 1 writes what iteration 0 reads, in no order\n"
        "  8 | store @0[%3] = %4",
    ),
    "two lanes touch one shared element": (
        """\
kernel race, workgroup 2
  buffers @0: out f32
  indices %0
  scalars %1: f32
  @1: f32 = allocate shared 2
  %2: index = lane_id
  %3: index = constant 1
  %4: index = sub %3, %2
  store @1[%2] = %1
  %5: f32 = load @1[%4]
""",
        "kernel race, workgroup 0: lane 0: read at 1, which nothing has written\n"
        "  10 | %5: f32 = load @1[%4]",
    ),
    "an atomic and a plain access": (
        """\
kernel mixed, workgroup 2
  buffers @0: inout i32
  indices %0
  scalars %1: i32
  %2: index = constant 0
  %3: index = lane_id
  %4: bool = eq %3, %2
  if %4:
    %5: i32 = atomic @0[%2], %1 {kind='max', order='relaxed', scope='device'}
  else:
    %6: i32 = load @0[%2]
""",
        "kernel mixed, workgroup 0: lane 1 reads what lane 0 changes atomically, in no order\n"
        "  11 | %6: i32 = load @0[%2]",
    ),
    "memory that nothing wrote": (
        """\
kernel empty, workgroup 1
  buffers @0: out f32
  indices %0
  @1: f32 = allocate private 8
  %1: f32 = load @1[%0]
""",
        "kernel empty, workgroup 0: read at 4, which nothing has written\n  5 | %1: f32 = load @1[%0]",
    ),
    "a step that is not positive": (
        """\
kernel stuck, workgroup 1
  buffers @0: out f32
  indices %0
  %1: index = constant 0
  %2: index = sub %1, %0
  for serial %3 from %1 to %0 step %2:
""",
        "kernel stuck, workgroup 0: a loop step of -4\n  6 | for serial %3 from %1 to %0 step %2:",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_instruction(name: str) -> None:
    text, message = FAULTS[name]
    buffers = [np.zeros(4, b.dtype.numpy_name) for b in parse_kernel(text).buffers]
    scalars = [1] * len(parse_kernel(text).scalars)
    with pytest.raises(InterpreterError) as caught:
        run(text, *buffers, indices=[4], scalars=scalars, groups=2)
    assert str(caught.value) == message


DIVERGENT = """\
kernel part, workgroup 2
  indices %0
  %1: index = constant 0
  %2: index = lane_id
  %3: bool = eq %2, %1
  if %3:
    barrier 0
"""


def interpret_unverified(text: str) -> str:
    kernel = parse_kernel(text)
    with pytest.raises(InterpreterError) as caught:
        interpret(kernel, [], [0], [], range(1), subgroup=2)
    return str(caught.value)


def test_barriers_that_lanes_miss_or_confuse() -> None:
    missed = "kernel part, workgroup 0: lane 0 waits at barrier 0, lane 1 has ended\n  7 | barrier 0"
    assert interpret_unverified(DIVERGENT) == missed
    other = "kernel part, workgroup 0: lane 0 waits at barrier 0, lane 1 at barrier 1"
    other += "\n  7 | barrier 0\n  9 | barrier 1"
    assert interpret_unverified(DIVERGENT + "  else:\n    barrier 1\n") == other
    # A lane that left counts as arrived.
    interpret(parse_kernel(DIVERGENT + "  else:\n    exit\n"), [], [0], [], range(1))
    # Two places with one id are one barrier.
    interpret(parse_kernel(DIVERGENT + "  else:\n    barrier 0\n"), [], [0], [], range(1))


def test_a_subgroup_operation_that_lanes_miss() -> None:
    text = DIVERGENT.replace("barrier 0", "%4: index = subgroup_reduce %1 {kind='add'}")
    assert interpret_unverified(text) == (
        "kernel part, workgroup 0: lane 1 is at its end where its subgroup is here\n"
        "  7 | %4: index = subgroup_reduce %1 {kind='add'}"
    )


def test_arguments_must_match_the_parameters() -> None:
    kernel = parse_kernel(SUM)
    with pytest.raises(
        InterpreterError, match=r"takes \(2, 1, 0\) buffers, indices and scalars, not \(1, 1, 0\)"
    ):
        interpret(kernel, [np.zeros(1, np.float32)], [1], [], range(1))
    with pytest.raises(InterpreterError, match="a buffer of f32 got float64 of 1 axes"):
        interpret(kernel, [np.zeros(1), np.zeros(1)], [1], [], range(1))
