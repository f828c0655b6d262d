"""Plans that the tests share: kernels as text, and one plan with every kind of step."""

from __future__ import annotations

from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.plan.nodes import Plan
from jitframe.codegen.plan.parse import parse_plan

AXPY = """\
kernel axpy, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0, %1
  scalars %2: f32, %3: f32
  %4: index = group_id
  %5: index = mul %4, %1
  %6: index = add %5, %1
  %7: index = minimum %6, %0
  %8: index = constant 1
  for lanes %9 from %5 to %7 step %8:
    %10: f32 = load @0[%9]
    %11: f32 = mul %10, %2
    %12: f32 = add %11, %3
    store @1[%9] = %12
"""

ADD_COUNTER = """\
kernel add_counter, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0, %1
  scalars %2: i64
  %3: index = constant 0
  %4: index = constant 1
  %5: index = add %0, %1
  %6: f32 = cast %2
  for lanes %7 from %3 to %0 step %4:
    %8: f32 = load @0[%7]
    %9: f32 = add %8, %6
    store @1[%7] = %9
"""

POSITIVE = """\
kernel positive, workgroup 1
  buffers @0: in f32, @1: out bool
  %0: index = constant 0
  %1: f32 = constant 0.0
  %2: f32 = load @0[%0]
  %3: bool = gt %2, %1
  store @1[%0] = %3
"""

EVERYTHING = f"""\
plan of 3 sizes
  scalars %0: f32, %1: i64
  inputs @0: f32[s0], @1: f32[(s1 * s2)]
  buffers @2: f32[s0], @3: f32[s0], @4: bool[1], @5: f32[(s1 * s1)], @6: f32[max(s0, 4)]
  check (s0 < 100000) else "the first axis is too long: it's at most 100000"
  alloc @2
  launch 0 (@0, @2; s0, 4; %0, 0.5: f32) groups (s0 +/ 4) cost (s0 * 3) bytes (s0 * 8)
  alloc @3
  loop 0 to s1 swap @2 @3:
    launch 1 (@2, @3; s0, loop 0: index; loop 0: i64) groups 1 cost s0 bytes (s0 * 8)
  loop s1 to %1:
    loop 0 to 2:
      callback observe @2 = (@3[(s0 - 1)])
  alloc @4
  launch 2 (@2, @4) groups 1 cost 10 bytes 5
  if @4:
    copy @3 = @2 elements s0
  else:
    launch 0 (@2, @3; s0, 4; -1.0: f32, 0.0: f32) groups (s0 +/ 4) cost s0 bytes (s0 * 8)
  check @4 else 'nothing is positive'
  free @4
  free @2
  alloc @5
  call gemm f32 @5 = (@1, @1; 0, 1; s1, s1, s2, s2, s2, s1) batch 1 by [0, (s1 * s2), 7] cost s1
  alloc @6
  copy @6[1] = @3[1] elements (min(s0, device.threads) - 1)
  free @3
outputs @5, @6

{AXPY}
{ADD_COUNTER}
{POSITIVE}"""


def kernels() -> tuple[Kernel, ...]:
    return tuple(parse_kernel(text) for text in (AXPY, ADD_COUNTER, POSITIVE))


def everything() -> Plan:
    return parse_plan(EVERYTHING)


def plan_of(steps: str, outputs: str = "", kernels: str = f"{AXPY}\n{POSITIVE}") -> str:
    """A plan text of two numbers, two inputs and three buffers around some steps."""
    body = "".join(f"  {line}\n" for line in steps.splitlines())
    return f"""\
plan of 2 sizes
  scalars %0: f32, %1: i64
  inputs @0: f32[s0], @1: f64[s1]
  buffers @2: f32[s0], @3: f32[s0], @4: bool[1]
{body}outputs{" " if outputs else ""}{outputs}

{kernels}"""
