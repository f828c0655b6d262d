"""Rewriting kernels: substitution, sharing, counting."""

from __future__ import annotations

from collections.abc import Sequence

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Instruction, Value
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.rewrite import (
    OperationCounts,
    clone,
    operation_counts,
    unchanged,
)
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify

SCALE = """\
kernel scale, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  scalars %1: f32
  %2: index = constant 0
  %3: index = constant 1
  for lanes %4 from %2 to %0 step %3:
    %5: f32 = load @0[%4]
    %6: f32 = exp %5
    %7: f32 = exp %5
    %8: f32 = mul %6, %7
    %9: f32 = mul %8, %1
    store @1[%4] = %9
"""


def expand_exp(
    instruction: Instruction, build: KernelBuilder, operands: tuple[Value, ...]
) -> Sequence[Value] | None:
    """exp(x) -> 1 + x, to be seen in the text."""
    if instruction.op.name != "exp":
        return None
    (x,) = operands
    return (build.add(build.constant(1.0, x.dtype), x),)


def test_a_substitution_is_written_where_its_instruction_stood() -> None:
    made = clone(parse_kernel(SCALE), expand_exp)
    verify(made)
    assert (
        kernel_text(made)
        == """\
kernel scale, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  scalars %1: f32
  %2: index = constant 0
  %3: index = constant 1
  for lanes %4 from %2 to %0 step %3:
    %5: f32 = load @0[%4]
    %6: f32 = constant 1.0
    %7: f32 = add %6, %5
    %8: f32 = mul %7, %7
    %9: f32 = mul %8, %1
    store @1[%4] = %9
"""
    )


def test_a_clone_shares_equal_instructions_and_nothing_else_changes() -> None:
    shared = SCALE.replace("    %7: f32 = exp %5\n", "").replace("mul %6, %7", "mul %6, %6")
    again = kernel_text(clone(parse_kernel(SCALE), unchanged))
    assert again == kernel_text(clone(parse_kernel(again), unchanged))
    assert again.replace("%8", "%9").replace("%7", "%8") == shared.replace("%7", "%8")


def test_a_clone_repeats_every_form() -> None:
    from tests.kernel.test_text import EVERYTHING

    kernel = parse_kernel(EVERYTHING)
    assert kernel_text(clone(kernel, unchanged)) == EVERYTHING


def test_counts_are_per_loop() -> None:
    assert operation_counts(parse_kernel(SCALE)) == (
        OperationCounts(()),
        OperationCounts(("lanes 0",), loads=1, stores=1, operations={"exp": 2, "mul": 2}),
    )


def test_counts_tell_positions_from_elements_and_nested_loops_apart() -> None:
    text = """\
kernel rows, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  %1: index = group_id
  %2: index = constant 0
  %3: index = constant 1
  %4: f32 = constant 0.0
  for serial %5 from %2 to %0 step %3:
    %6: index = mul %5, %0
    %7: f32 = for lanes %8 from %2 to %0 step %3 reduce %4:
      %9: index = add %6, %8
      %10: f32 = load @0[%9]
      yield %10
    combine %11: f32, %12: f32:
      %13: f32 = add %11, %12
      yield %13
    %14: f32 = sqrt %7
    store @1[%5] = %14
"""
    assert operation_counts(parse_kernel(text)) == (
        OperationCounts(()),
        OperationCounts(("serial 0",), stores=1, operations={"sqrt": 1}, index_operations=1),
        OperationCounts(("serial 0", "lanes 1"), loads=1, operations={"add": 1}, index_operations=1),
    )
