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
        ("kernel everything,", "function everything,", "line 1, column 1: expected kernel"),
        ("@1: out f32", "@1: output f32", "line 2, column 27: expected in|out|inout"),
        ("@1: out f32", "@1: out f33", "line 2, column 31: no dtype is called f33"),
        ("%3: bool", "%2: bool", "line 4, column 24: %2 is defined twice"),
        ("[1.0, -0.0", "[one, -0.0", "line 5, column 20: expected a number"),
        ("allocate shared", "allocate global", "line 6, column 22: expected shared|private"),
        ("constant True", "constant true", "line 10, column 23: expected a number"),
        (
            "%13: f32 = load @0[%12] if %3",
            "%13: f32 = load @0(%12)",
            "line 17, column 23: expected [",
        ),
        ("cast %13", "cast %99", "line 18, column 21: %99 is not defined above"),
        ("cast %13", "convert %13", "line 18, column 16: no instruction is called convert"),
        ("cast %13", "cast (%13)", "line 18, column 21: expected a value"),
        (
            "step %5 reduce %8:",
            "step %5 reduce %8",
            "line 23, column 59: expected :",
        ),
        ("  do %30: f32:\n    yield %30\n", "", "line 34, column 14: expected `do` after this while"),
        ("if %3:\n    exit", "if %3\n    exit", "line 51, column 8: expected :"),
        ("kind='add'", "kind=add", "line 48, column 38: expected a value"),
        ("    exit", "      exit", "line 52, column 7: unexpected indentation"),
        ("fence device", "= fence device", "line 47, column 3: expected a name"),
        (
            "%35: f32 = subgroup_shuffle_down",
            "subgroup_shuffle_down",
            "line 50, column 30: %35 is not defined above",
        ),
        ("barrier 3", "barrier x", "line 41, column 13: expected a number"),
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
    with pytest.raises(KernelSyntaxError, match="line 1, column 1: expected a kernel"):
        parse_kernel("\n")
