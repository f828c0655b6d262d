"""Plans as text, parsed back by `parse`.

>>> print(plan_text(plan))
plan of 1 numbers
  inputs @0: f32[s0]
  buffers @1: f32[s0]
  alloc @1
  launch 0 (@0, @1; s0) groups (s0 +/ 4096) cost s0 bytes (s0 * 8)
outputs @1
<BLANKLINE>
kernel double, workgroup 1
  ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...ir.expr import Expr
from ..kernel.text import kernel_text, literal
from .nodes import (
    ZERO,
    Alloc,
    Bound,
    BufferRef,
    Callback,
    Check,
    Cond,
    ConstantScalar,
    Copy,
    Faults,
    Free,
    Gemm,
    Launch,
    Loop,
    LoopIndex,
    Plan,
    ScalarRef,
    Step,
    While,
    Zero,
)


def plan_text(plan: Plan) -> str:
    """The whole plan with its kernels."""
    parts = ["\n".join(PlanPrinter(plan).lines) + "\n", *(kernel_text(kernel) for kernel in plan.kernels)]
    return "\n".join(parts)


def marked_plan(plan: Plan, step: int | None) -> str:
    """The numbered lines of a plan, that of its step number `step` (in order of appearance) marked."""
    printer = PlanPrinter(plan)
    marked = printer.line_of[step] if step is not None else -1
    return "\n".join(
        f"{'->' if number == marked else '  '} {number + 1:3} | {line}"
        for number, line in enumerate(printer.lines)
    )


class PlanPrinter:
    """One printing of a plan: its `lines` (without kernels), and the line of each step by its number."""

    def __init__(self, plan: Plan) -> None:
        self.lines = [f"plan of {plan.numbers} numbers"]
        self.line_of: list[int] = []
        buffers = [f"@{n}: {b.dtype.name}[{b.elements!r}]" for n, b in enumerate(plan.buffers)]
        scalars = [f"%{n}: {dtype.name}" for n, dtype in enumerate(plan.scalars)]
        own = buffers[plan.inputs :]
        for word, parts in (("scalars", scalars), ("inputs", buffers[: plan.inputs]), ("buffers", own)):
            if parts:
                self.lines.append(f"  {word} {', '.join(parts)}")
        self._steps(plan.steps, "  ")
        outputs = ", ".join(f"@{buffer}" for buffer in plan.outputs)
        self.lines.append(f"outputs {outputs}" if outputs else "outputs")

    def _steps(self, steps: Iterable[Step], indent: str) -> None:
        for step in steps:
            self.line_of.append(len(self.lines))
            self.lines.append(indent + _LINES[type(step)](step))
            if isinstance(step, Loop):
                self._steps(step.body, indent + "  ")
            elif isinstance(step, While):
                self._steps(step.condition, indent + "  ")
                self.lines.append(f"{indent}do:")
                self._steps(step.body, indent + "  ")
            elif isinstance(step, Cond):
                self._steps(step.then, indent + "  ")
                if step.orelse:
                    self.lines.append(f"{indent}else:")
                    self._steps(step.orelse, indent + "  ")


def _ref(ref: BufferRef) -> str:
    return f"@{ref.buffer}" if ref.offset is ZERO else f"@{ref.buffer}[{ref.offset!r}]"


def _refs(refs: Iterable[BufferRef]) -> str:
    return ", ".join(_ref(ref) for ref in refs)


def _number(value: Expr | ScalarRef | ConstantScalar | LoopIndex) -> str:
    if isinstance(value, ScalarRef):
        return f"%{value.index}"
    if isinstance(value, LoopIndex):
        return f"loop {value.depth}: {value.dtype.name}"
    if isinstance(value, ConstantScalar):
        return f"{literal(value.value)}: {value.dtype.name}"
    return repr(value)


def _launch(step: Launch) -> str:
    parts = [_refs(step.buffers)]
    parts += [", ".join(_number(v) for v in values) for values in (step.indices, step.scalars)]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    arguments = "; ".join(parts)
    numbers = f"groups {step.groups!r} cost {step.cost_ns!r} bytes {step.bytes_moved!r}"
    return f"launch {step.kernel} ({arguments}) {numbers}"


def _gemm(step: Gemm) -> str:
    a = _ref(step.a) + (" transposed" if step.transpose_a else "")
    b = _ref(step.b) + (" transposed" if step.transpose_b else "")
    sizes = f"m {step.m!r} n {step.n!r} k {step.k!r}"
    strides = f"lda {step.lda!r} ldb {step.ldb!r} ldc {step.ldc!r}"
    axes = "".join(f" batch {axis.count!r} a {axis.a!r} b {axis.b!r} c {axis.c!r}" for axis in step.batch)
    return f"gemm {step.dtype.name} {_ref(step.c)} = {a} * {b} {sizes} {strides} cost {step.cost_ns!r}{axes}"


def _bound(bound: Bound) -> str:
    return _ref(bound) if isinstance(bound, BufferRef) else _number(bound)


def _swaps(step: Loop | While) -> str:
    swaps = ", ".join(f"@{x} @{y}" for x, y in step.swaps)
    return f" swap {swaps}" if swaps else ""


def _loop(step: Loop) -> str:
    return f"loop {_bound(step.lower)} to {_bound(step.upper)}{_swaps(step)}:"


def _check(step: Check) -> str:
    condition = _ref(step.condition) if isinstance(step.condition, BufferRef) else repr(step.condition)
    return f"check {condition} else {step.message!r}"


_LINES: dict[type, Callable[[Any], str]] = {
    Alloc: lambda step: f"alloc @{step.buffer}" + ("" if step.beside is None else f" beside @{step.beside}"),
    Free: lambda step: f"free @{step.buffer}",
    Launch: _launch,
    Gemm: _gemm,
    Copy: lambda step: f"copy {_ref(step.target)} = {_ref(step.source)} elements {step.elements!r}",
    Loop: _loop,
    While: lambda step: f"while {_ref(step.predicate)}{_swaps(step)}:",
    Cond: lambda step: f"if {_ref(step.predicate)}:",
    Callback: lambda step: f"callback {step.name} ({_refs(step.buffers)})",
    Check: _check,
    Zero: lambda step: f"zero {_ref(step.target)} elements {step.elements!r}",
    Faults: lambda step: f"faults @{step.buffer}",
}
