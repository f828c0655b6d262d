"""Plans as text, parsed back by `parse`.

>>> print(plan_text(plan))
plan of 1 sizes
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

from ...ir.text_form import marked_lines, number_text
from ..kernel.text import kernel_text
from .kinds import FIELDS, Kind
from .nodes import ZERO, Axis, BufferRef, ConstantScalar, LoopIndex, Plan, ScalarRef, Size, Step
from .syntax import PATTERNS, Field, Optional, Part, Region, Word


def plan_text(plan: Plan) -> str:
    """The whole plan with its kernels."""
    parts = ["\n".join(PlanPrinter(plan).lines) + "\n", *(kernel_text(kernel) for kernel in plan.kernels)]
    return "\n".join(parts)


def marked_plan(plan: Plan, step: int | None) -> str:
    """The numbered lines of a plan, that of its step number `step` (in order of appearance) marked."""
    printer = PlanPrinter(plan)
    marked = printer.line_of[step] if step is not None else -1
    return marked_lines(printer.lines, marked)


class PlanPrinter:
    """One printing of a plan: its `lines` (without kernels), and the line of each step by its number."""

    def __init__(self, plan: Plan) -> None:
        self.lines = [f"plan of {plan.sizes} sizes"]
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
            line = indent
            for part in PATTERNS[type(step)]:
                if isinstance(part, Region):
                    region = getattr(step, part.field)
                    if not part.word:
                        self.lines.append(line)
                    elif region or not part.optional:
                        self.lines.append(f"{indent}{part.word}:")
                    self._steps(region, indent + "  ")
                    line = ""
                else:
                    line += spelled(part, step)
            if line:
                self.lines.append(line)


def spelled(part: Part, step: Step) -> str:
    """Returns the text of a part of a step's line; empty where an optional part has no fields."""
    if isinstance(part, Word):
        return part.text
    if isinstance(part, Field):
        return TEXT[FIELDS[type(step)][part.name]](getattr(step, part.name))
    assert isinstance(part, Optional)
    made = [(inner, spelled(inner, step)) for inner in part.parts]
    if not any(text for inner, text in made if not isinstance(inner, Word)):
        return ""
    return "".join(text for _, text in made)


# Fields ----------------------------------------------------------------------------------------------------
def size_text(size: Size) -> str:
    return repr(size)


def ref_text(ref: BufferRef) -> str:
    bare = ref.offset is ZERO or ref.offset == 0
    return f"@{ref.buffer}" if bare else f"@{ref.buffer}[{ref.offset!r}]"


def value_text(value: Any) -> str:
    """Returns the text of a size, a scalar, a loop's counter, or a memory reference."""
    if isinstance(value, BufferRef):
        return ref_text(value)
    if isinstance(value, ScalarRef):
        return f"%{value.index}"
    if isinstance(value, LoopIndex):
        return f"loop {value.depth}: {value.dtype.name}"
    if isinstance(value, ConstantScalar):
        return f"{number_text(value.value)}: {value.dtype.name}"
    return repr(value)


def _axis_text(axis: Axis) -> str:
    return f"{axis.count!r} by [{', '.join(map(repr, axis.strides))}]"


def _listed(item: Callable[[Any], str]) -> Callable[[tuple[Any, ...]], str]:
    return lambda values: ", ".join(map(item, values))


TEXT: dict[Kind, Callable[[Any], str]] = {
    "int": str,
    "str": repr,
    "Name": str,
    "DType": lambda dtype: str(dtype.name),
    "Buffer": lambda buffer: f"@{buffer}",
    "Buffer | None": lambda buffer: "" if buffer is None else f"@{buffer}",
    "BufferRef": ref_text,
    "Size": size_text,
    "Bound": value_text,
    "Condition": value_text,
    "Swaps": _listed(lambda pair: f"@{pair[0]} @{pair[1]}"),
    "tuple[BufferRef, ...]": _listed(ref_text),
    "tuple[Index, ...]": _listed(value_text),
    "tuple[Scalar, ...]": _listed(value_text),
    "tuple[Size, ...]": _listed(size_text),
    "tuple[int, ...]": _listed(str),
    "tuple[Axis, ...]": _listed(_axis_text),
}
"""The text of a value by kind; regions stand below their step."""
