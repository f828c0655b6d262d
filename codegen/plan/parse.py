"""Reading plans from the text that `text` prints; what is read may still break the verifier's rules.

>>> plan_text(parse_plan(text)) == text
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from ...ir.expr import Expr, ceil_div, const, equal, less, maximum, minimum, symbol
from ...ir.text_form import Reader, tokens_of
from ...ir.types import DType
from ..kernel.nodes import Kernel
from ..kernel.parse import parse_kernel
from .kinds import FIELDS, Kind
from .nodes import (
    Axis,
    Bound,
    BufferRef,
    ConstantScalar,
    LoopIndex,
    Plan,
    PlanBuffer,
    Scalar,
    ScalarRef,
    Step,
)
from .syntax import BY_WORD, PATTERNS, Field, Optional, Part, Region, Word


class PlanSyntaxError(ValueError):
    """A text that is no plan: line and column, what was expected, the line."""


def parse_plan(text: str) -> Plan:
    """The plan that `text` prints; raises PlanSyntaxError or KernelSyntaxError with the line."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("kernel ")]
    ends = [*starts, len(lines)][1:]
    kernels = tuple(
        parse_kernel("\n".join(lines[start:end]), start + 1) for start, end in zip(starts, ends, strict=True)
    )
    return _Parser(lines[: starts[0]] if starts else lines, PlanSyntaxError).plan(kernels)


_OPERATORS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "//": lambda x, y: x // y,
    "+/": ceil_div,
    "<": less,
    "==": equal,
}


class _Parser(Reader):
    # Parts
    def expr(self) -> Expr:
        if self.accept("("):
            left = self.expr()
            sign = self.token("sign")
            if sign not in _OPERATORS:
                self.fail(f"no operator is spelled {sign}")
            made = _OPERATORS[sign](left, self.expr())
            self.expect(")")
            return made
        if self.peek("min", "max"):
            combine = minimum if self.token("name") == "min" else maximum
            self.expect("(")
            left = self.expr()
            self.expect(",")
            made = combine(left, self.expr())
            self.expect(")")
            return made
        if self.kind == "number":
            return const(self.integer())
        name = self.token("name")
        return symbol(int(name[1:]) if re.fullmatch(r"s\d+", name) else name)

    def buffer(self) -> int:
        return self.index("buffer")

    def ref(self) -> BufferRef:
        buffer = self.buffer()
        if not self.accept("["):
            return BufferRef(buffer)
        offset = self.expr()
        self.expect("]")
        return BufferRef(buffer, offset)

    def scalar_ref(self) -> ScalarRef:
        return ScalarRef(self.index("value"))

    def loop_index(self) -> LoopIndex:
        self.expect("loop")
        depth = self.integer()
        self.expect(":")
        return LoopIndex(depth, self.dtype())

    def position(self) -> Expr | LoopIndex:
        return self.loop_index() if self.peek("loop") else self.expr()

    def bound(self) -> Bound:
        if self.kind == "buffer":
            return self.ref()
        return self.scalar_ref() if self.kind == "value" else self.position()

    def scalar(self) -> Scalar:
        if self.kind == "value":
            return self.scalar_ref()
        if self.peek("loop"):
            return self.loop_index()
        text = self.literal()
        self.expect(":")
        dtype = self.dtype()
        return ConstantScalar(self.number(text, dtype), dtype)

    def plan_buffer(self) -> PlanBuffer:
        self.buffer()
        self.expect(":")
        dtype = self.dtype()
        self.expect("[")
        elements = self.expr()
        self.expect("]")
        return PlanBuffer(dtype, elements)

    def plan_scalar(self) -> DType:
        self.scalar_ref()
        self.expect(":")
        return self.dtype()

    def section(self, word: str, item: Callable[[], Any]) -> tuple[Any, ...]:
        if not self.opens(2, word):
            return ()
        self.take_line(word)
        self.expect(word)
        found = self.listed(item)
        self.end_line()
        return found

    # Steps
    def plan(self, kernels: tuple[Kernel, ...]) -> Plan:
        self.take_line("a plan")
        self.expect("plan", "of")
        sizes = self.integer()
        self.expect("sizes")
        self.end_line()
        scalars = self.section("scalars", self.plan_scalar)
        inputs = self.section("inputs", self.plan_buffer)
        buffers = self.section("buffers", self.plan_buffer)
        steps = self.steps(2)
        self.take_line("outputs after this line")
        self.expect("outputs")
        outputs = self.listed(self.buffer)
        self.end_line()
        self.end("expected a kernel")
        return Plan(sizes, kernels, len(inputs), scalars, inputs + buffers, steps, outputs)

    def steps(self, indent: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self.more and self.following()[0] == indent and self.following()[1] not in _BETWEEN:
            word = self.following()[1].split(" ", 1)[0]
            self.take_line("a step")
            if word not in BY_WORD:
                self.fail(f"no step is called {word}")
            steps.append(self.step(BY_WORD[word], indent))
        return tuple(steps)

    def step(self, kind: type[Step], indent: int) -> Step:
        """The step whose line was taken, with the regions below it."""
        found: dict[str, Any] = {
            name: () for name, field in FIELDS[kind].items() if field.startswith("tuple") or field == "Swaps"
        }
        parts = list(PATTERNS[kind])
        regions = [part for part in parts if isinstance(part, Region)]
        for part in parts[: len(parts) - len(regions)]:
            self.part(kind, part, found)
        self.end_line()
        last = ""
        for region in regions:
            if region.word:
                there = self.following() == (indent, f"{region.word}:")
                if not there and region.optional:
                    continue
                if not there:
                    self.fail(f"expected {region.word}: after the steps of this {last}")
                self.take_line(region.word)
            found[region.field] = self.steps(indent + 2)
            last = region.field
        return kind(**found)

    def part(self, kind: type[Step], part: Part, found: dict[str, Any]) -> None:
        if isinstance(part, Word):
            self.expect(*_words(part.text))
        elif isinstance(part, Field):
            found[part.name] = _READERS[FIELDS[kind][part.name]](self)
        elif isinstance(part, Optional):
            first = part.parts[0]
            assert isinstance(first, Word), part
            if self.peek(_words(first.text)[0]):
                for inner in part.parts:
                    self.part(kind, inner, found)

    # Fields -------------------------------------------------------------------------------------------
    def condition(self) -> Expr | BufferRef:
        return self.ref() if self.kind == "buffer" else self.expr()

    def pair(self) -> tuple[int, int]:
        return self.buffer(), self.buffer()

    def axis(self) -> Axis:
        count = self.expr()
        self.expect("by", "[")
        strides = self.listed(self.expr)
        self.expect("]")
        return Axis(count, strides)


_BETWEEN = tuple(
    f"{part.word}:"
    for pattern in PATTERNS.values()
    for part in pattern
    if isinstance(part, Region) and part.word
)
"""Lines between regions of one step."""
_READERS: dict[Kind, Callable[[_Parser], Any]] = {
    "int": _Parser.integer,
    "str": _Parser.string,
    "Name": lambda parser: parser.token("name"),
    "DType": _Parser.dtype,
    "Buffer": _Parser.buffer,
    "Buffer | None": _Parser.buffer,
    "BufferRef": _Parser.ref,
    "Size": _Parser.expr,
    "Bound": _Parser.bound,
    "Condition": _Parser.condition,
    "Swaps": lambda parser: parser.listed(parser.pair),
    "tuple[BufferRef, ...]": lambda parser: parser.listed(parser.ref),
    "tuple[Index, ...]": lambda parser: parser.listed(parser.position),
    "tuple[Scalar, ...]": lambda parser: parser.listed(parser.scalar),
    "tuple[Size, ...]": lambda parser: parser.listed(parser.expr),
    "tuple[int, ...]": lambda parser: parser.listed(parser.integer),
    "tuple[Axis, ...]": lambda parser: parser.listed(parser.axis),
}


@cache
def _words(text: str) -> tuple[str, ...]:
    """Returns the words and signs of a pattern."""
    return tuple(token for _, token, _ in tokens_of(text))
