"""Plan text: every form prints as it parses, random plans survive, and the parser names bad lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jitframe.codegen.kernel.parse import KernelSyntaxError
from jitframe.codegen.plan.nodes import (
    Alloc,
    Axis,
    BufferRef,
    Callback,
    Check,
    Cond,
    ConstantScalar,
    Copy,
    Faults,
    Free,
    Launch,
    LibraryCall,
    Loop,
    LoopIndex,
    Plan,
    PlanBuffer,
    ScalarRef,
    Step,
    While,
    Zero,
)
from jitframe.codegen.plan.parse import PlanSyntaxError, parse_plan
from jitframe.codegen.plan.text import plan_text
from jitframe.codegen.plan.verify import verify_plan
from jitframe.ir.expr import Expr, ceil_div, const, equal, less, maximum, minimum, symbol
from jitframe.ir.types import BOOL, F32, F64, I32, I64
from tests.plan.plans import EVERYTHING, everything, kernels

SYMBOLS = st.sampled_from([symbol(0), symbol(1), symbol(12), symbol("device.threads")])
CONSTANTS = st.integers(-(2**40), 2**40).map(const)
COMBINE: list[Callable[[Expr, Expr], Expr]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x // maximum(y, 1),
    lambda x, y: ceil_div(x, maximum(y, 1)),
    minimum,
    maximum,
    less,
    equal,
]
EXPRS = st.recursive(
    SYMBOLS | CONSTANTS,
    lambda inner: st.builds(lambda f, x, y: f(x, y), st.sampled_from(COMBINE), inner, inner),
)
BUFFERS = st.integers(0, 9)
REFS = st.builds(BufferRef, BUFFERS, EXPRS)
SCALAR_REFS = st.builds(ScalarRef, st.integers(0, 3))
LOOP_INDICES = st.builds(LoopIndex, st.integers(0, 2), st.sampled_from([I32, I64]))
SCALARS = (
    SCALAR_REFS
    | LOOP_INDICES
    | st.builds(ConstantScalar, st.floats(allow_nan=False), st.sampled_from([F32, F64]))
    | st.builds(ConstantScalar, st.integers(-(2**31), 2**31 - 1), st.just(I64))
    | st.builds(ConstantScalar, st.booleans(), st.just(BOOL))
)


def tuples(items: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[Any]:
    return st.lists(items, max_size=most).map(tuple)


SIMPLE = st.one_of(
    st.builds(Alloc, BUFFERS, st.none() | BUFFERS),
    st.builds(Free, BUFFERS),
    st.builds(
        Launch, BUFFERS, tuples(REFS), tuples(EXPRS | LOOP_INDICES), tuples(SCALARS), EXPRS, EXPRS, EXPRS
    ),
    st.builds(
        LibraryCall,
        st.sampled_from(["gemm", "getrf"]),
        st.sampled_from([F32, F64]),
        tuples(REFS),
        tuples(REFS),
        tuples(st.integers(0, 5)),
        tuples(EXPRS),
        tuples(REFS),
        tuples(st.builds(Axis, EXPRS, tuples(EXPRS)), 2),
        EXPRS,
    ),
    st.builds(Copy, REFS, REFS, EXPRS),
    st.builds(Callback, st.sampled_from(["observe", "sort.keys"]), tuples(REFS), tuples(REFS)),
    st.builds(Zero, REFS, EXPRS),
    st.builds(Faults, BUFFERS),
    st.builds(Check, EXPRS | REFS, st.text(st.characters(codec="utf-8"), max_size=12)),
)
BOUNDS = EXPRS | SCALAR_REFS | REFS | LOOP_INDICES
STEPS: st.SearchStrategy[Step] = st.recursive(
    SIMPLE,
    lambda inner: (
        st.builds(Loop, BOUNDS, BOUNDS, tuples(inner), tuples(st.tuples(BUFFERS, BUFFERS), 2))
        | st.builds(Cond, REFS, tuples(inner), tuples(inner))
        | st.builds(While, REFS, tuples(inner), tuples(inner), tuples(st.tuples(BUFFERS, BUFFERS), 2))
    ),
    max_leaves=6,
)
PLANS = st.builds(
    lambda inputs, own, scalars, steps, outputs: Plan(
        13, kernels(), len(inputs), scalars, inputs + own, steps, outputs
    ),
    tuples(st.builds(PlanBuffer, st.sampled_from([F32, BOOL]), EXPRS)),
    tuples(st.builds(PlanBuffer, st.sampled_from([F32, BOOL]), EXPRS)),
    tuples(st.sampled_from([F32, I64])),
    tuples(STEPS),
    tuples(BUFFERS),
)


def test_every_step_prints_as_it_parses() -> None:
    plan = everything()
    verify_plan(plan)
    assert plan_text(plan) == EVERYTHING


@pytest.mark.more
@settings(deadline=None)
@given(PLANS)
def test_random_plans_survive_printing_and_parsing(plan: Plan) -> None:
    text = plan_text(plan)
    parsed = parse_plan(text)
    assert plan_text(parsed) == text
    assert (parsed.steps, parsed.buffers, parsed.scalars) == (plan.steps, plan.buffers, plan.scalars)


@settings(deadline=None)
@given(EXPRS)
def test_expressions_parse_back_to_the_same_expression(expr: Expr) -> None:
    text = plan_text(Plan(13, (), 1, (), (PlanBuffer(F32, expr),), (), ()))
    assert parse_plan(text).buffers[0].elements is expr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("plan of 3", "plot of 3", "line 1, column 1: expected plan"),
        ("plan of 3", "plan of 3.5", "line 1, column 9: 3.5 is no integer"),
        ("@0: f32[s0]", "@0: f33[s0]", "line 3, column 14: no dtype is called f33"),
        ("(s1 * s2)", "(s1 ^ s2)", "line 3, column 35: unexpected '^'"),
        ("(s1 * s2)", "(s1 = s2)", "line 3, column 35: no operator is spelled ="),
        ("max(s0, 4)", "max(s0 4)", "line 4, column 85: expected ,"),
        ("alloc @2", "alloc 2", "line 6, column 9: expected a buffer"),
        ("alloc @2", "alloc @2 @3", "line 6, column 12: unexpected @3"),
        ("alloc @2", "reserve @2", "line 6, column 3: no step is called reserve"),
        ("groups (s0 +/ 4) cost", "cost", "line 7, column 42: expected groups"),
        ("0.5: f32", "0.5: i32", "line 7, column 37: 0.5 is no i32"),
        ("swap @2 @3:", "swap @2 @3", "line 9, column 26: expected :"),
        ("    launch 1", "      launch 1", "line 10, column 7: expected outputs"),
        ("else 'nothing is positive'", "else nothing", "line 20, column 17: expected a string"),
        ("outputs @5, @6", "outputs @5; @6", "line 28, column 11: unexpected ;"),
    ],
)
def test_what_is_no_plan_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in EVERYTHING
    broken = EVERYTHING.replace(old, new, 1)
    with pytest.raises(PlanSyntaxError) as caught:
        parse_plan(broken)
    line = broken.splitlines()[int(re.findall(r"\d+", str(caught.value))[0]) - 1]
    assert str(caught.value) == f"{message}: {line.strip()!r}"


def test_a_bad_kernel_is_refused_with_its_line_in_the_plan() -> None:
    broken = EVERYTHING.replace("gt %2, %1", "gt %2, %9")
    number = next(n for n, line in enumerate(broken.splitlines(), 1) if "gt %2, %9" in line)
    with pytest.raises(KernelSyntaxError, match=f"line {number}, column 21: %9 is not defined above"):
        parse_plan(broken)
