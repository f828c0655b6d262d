"""Kernel text: what it looks like, that it is canonical and fast to make, and what the parser refuses."""

from __future__ import annotations

import math
import re

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import KernelSyntaxError, parse_kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.ir.types import BOOL, F32, F64, I64
from tests.work import calls

EVERYTHING = """\
kernel everything, workgroup 64
  buffers @0: in f32, @1: out f32, @2: inout i32
  indices %0, %1
  scalars %2: f32, %3: bool
  @3: f64 = table [1.0, -0.0, nan, -nan, inf]
  @4: f32 = allocate shared 64
  @5: i32 = allocate private 2
  %4: index = constant 0
  %5: index = constant 1
  %6: bool = constant True
  %7: i32 = constant -2147483648
  %8: f32 = constant 0.1
  %9: f32 = constant -inf
  %10: index = group_id
  %11: index = lane_id
  for lanes %12 from %4 to %0 step %5:
    %13: f32 = load @0[%12] if %3
    %14: f64 = cast %13
    store @1[%12] = %13
    store @1[%12] = %13 if %3
    store @1[%12] = %13 stream %6
    store @1[%12] = %13 if %3 stream %6
  %15: f32 = for lanes %16 from %4 to %1 step %5 reduce %8:
    %17: f32 = load @0[%16]
    yield %17
  combine %18: f32, %19: f32:
    %20: f32 = add %18, %19
    yield %20
  %21: f32, %22: i32 = for serial %23 from %4 to %0 step %5 with %24: f32 = %2, %25: i32 = %7:
    yield %24, %25
  for unroll %26 from %4 to %5 step %5:
  %27: f32 = while %28: f32 = %15:
    %29: bool = lt %28, %21
    yield %29
  do %30: f32:
    yield %30
  while:
    %31: bool = lt %15, %21
    yield %31
  do:
    barrier 3
  %32: f32 = if %3:
    yield %8
  else:
    %33: f32 = select %3, %8, %9
    yield %33
  fence device
  %34: i32 = atomic @2[%0], %7 {kind='add', order='relaxed', scope='device'}
  %35: f32 = subgroup_shuffle_down %32, %5
  %36: f32 = subgroup_reduce %35 {kind='max'}
  if %3:
    exit
"""


def test_every_form_prints_as_it_parses() -> None:
    kernel = parse_kernel(EVERYTHING)
    verify(kernel)
    assert kernel_text(kernel) == EVERYTHING


def test_text_is_the_same_for_programs_that_differ_in_history_only() -> None:
    def make(extra: bool) -> Kernel:
        build = KernelBuilder("k")
        source = build.buffer(F32, "in")
        if extra:
            KernelBuilder("other").constant(3)
        build.load(source, build.constant(0))
        return build.finish()

    assert kernel_text(make(False)) == kernel_text(make(True))


def test_constants_are_told_apart_by_their_bits_and_dtype() -> None:
    build = KernelBuilder("k")
    values = [
        (0.0, F64),
        (-0.0, F64),
        (0.0, F32),
        (1.0, F64),
        (True, BOOL),
        (1, I64),
        (5e-324, F64),
        (math.pi, F64),
    ]
    made = [build.constant(value, dtype) for value, dtype in values]
    assert len({id(v) for v in made}) == len(values)
    assert kernel_text(parse_kernel(kernel_text(build.finish()))).splitlines()[1:] == [
        "  %0: f64 = constant 0.0",
        "  %1: f64 = constant -0.0",
        "  %2: f32 = constant 0.0",
        "  %3: f64 = constant 1.0",
        "  %4: bool = constant True",
        "  %5: i64 = constant 1",
        "  %6: f64 = constant 5e-324",
        "  %7: f64 = constant 3.141592653589793",
    ]


def test_constants_are_made_in_the_python_type_of_their_dtype() -> None:
    build = KernelBuilder("k")
    assert build.constant(1, F32) is build.constant(1.0, F32)
    assert build.constant(1, BOOL) is build.constant(True, BOOL)
    with pytest.raises(ValueError, match="1.5 is no constant of i64"):
        build.constant(1.5, I64)


def long_kernel(length: int) -> Kernel:
    build = KernelBuilder("k")
    source = build.buffer(F32, "in")
    with build.loop(build.constant(0), build.index(), kind="lanes") as (i,):
        value = build.load(source, i)
        for number in range(length):
            value = build.add(value, build.mul(value, build.constant(number + 0.5, F32)))
    return build.finish()


def test_an_instruction_prints_in_a_few_calls() -> None:
    """The text is made anew for each kernel that is looked for."""
    short, long = long_kernel(100), long_kernel(200)
    added = calls(lambda: kernel_text(long)) - calls(lambda: kernel_text(short))
    assert added / 300 < 15


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kernel everything,", "function everything,", "line 1: expected kernel NAME, workgroup LANES"),
        ("@1: out f32", "@1: output f32", "line 2: expected @N: in|out|inout DTYPE"),
        ("@1: out f32", "@1: out f33", "line 2: no dtype is called f33"),
        ("%3: bool", "%2: bool", "line 4: %2 is defined twice"),
        ("[1.0, -0.0", "[one, -0.0", "line 5: one is no f64"),
        ("allocate shared", "allocate global", "line 6: expected allocate shared|private SIZE"),
        ("constant True", "constant true", "line 10: true is no bool"),
        (
            "%13: f32 = load @0[%12] if %3",
            "%13: f32 = load @0(%12)",
            "line 17: expected load @B[%I] if %MASK",
        ),
        ("cast %13", "cast %99", "line 18: %99 is not defined above"),
        ("cast %13", "convert %13", "line 18: no instruction is called convert"),
        ("cast %13", "cast (%13)", "line 18: (%13) is not defined above"),
        (
            "step %5 reduce %8:",
            "step %5 reduce %8",
            "line 23: expected for KIND %I from %LOWER to %UPPER step %STEP:",
        ),
        ("  do %30: f32:\n    yield %30\n", "", "line 34: expected `do` after this while"),
        ("if %3:\n    exit", "if %3\n    exit", "line 51: expected : at the end"),
        ("kind='add'", "kind=add", "line 48: expected attributes {name=value, ...}"),
        ("    exit", "      exit", "line 52: unexpected indentation"),
        ("fence device", "= fence device", "line 47: expected an instruction"),
        ("%35: f32 = subgroup_shuffle_down", "subgroup_shuffle_down", "line 50: %35 is not defined above"),
        ("barrier 3", "barrier x", "line 41: expected barrier ID"),
    ],
)
def test_what_is_no_kernel_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert EVERYTHING.count(old) >= 1
    broken = EVERYTHING.replace(old, new, 1)
    with pytest.raises(KernelSyntaxError) as caught:
        parse_kernel(broken)
    line = broken.splitlines()[int(re.findall(r"\d+", str(caught.value))[0]) - 1]
    assert str(caught.value) == f"{message}: {line.strip()!r}"


def test_an_empty_text_is_no_kernel() -> None:
    with pytest.raises(KernelSyntaxError, match="line 1: expected a kernel"):
        parse_kernel("\n")
