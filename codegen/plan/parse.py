"""Reading plans from the text that `text` prints; what is read may still break the verifier's rules.

>>> plan_text(parse_plan(text)) == text
True
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from ...ir.expr import Expr, ceil_div, const, equal, less, maximum, minimum, symbol
from ...ir.types import BY_NAME, DType
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
    """A text that is no plan: line number, what was expected, the line."""


def parse_plan(text: str) -> Plan:
    """The plan that `text` prints; raises PlanSyntaxError or KernelSyntaxError with the line."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("kernel ")]
    ends = [*starts, len(lines)][1:]
    kernels = tuple(
        parse_kernel("\n".join(lines[start:end]), start + 1) for start, end in zip(starts, ends, strict=True)
    )
    return _Parser(lines[: starts[0]] if starts else lines).plan(kernels)


_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf\b|nan\b))
      | (?P<name>[A-Za-z_][\w.]*)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
      | (?P<sign>\+/|//|==|[-+*<=()\[\],;:@%])
    )""",
    re.VERBOSE,
)
_OPERATORS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "//": lambda x, y: x // y,
    "+/": ceil_div,
    "<": less,
    "==": equal,
}


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self.lines = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        self.next = 0
        self.number = 1
        self.line = ""
        self.tokens: list[tuple[str, str]] = []
        self.position = 0

    def fail(self, message: str) -> NoReturn:
        raise PlanSyntaxError(f"line {self.number}: {message}: {self.line.strip()!r}")

    # Tokens -------------------------------------------------------------------------------------------
    def take_line(self) -> None:
        self.number, self.line = self.lines[self.next]
        self.next += 1
        self.tokens, self.position, at = [], 0, 0
        text = self.line.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self.fail(f"unexpected {text[at:].strip()[:1]!r}")
            self.tokens.append((str(found.lastgroup), found.group(str(found.lastgroup))))
            at = found.end()

    def peek(self, *texts: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position][1] in texts

    def accept(self, text: str) -> bool:
        found = self.peek(text)
        self.position += found
        return found

    def expect(self, *texts: str) -> None:
        for text in texts:
            if not self.accept(text):
                self.fail(f"expected {text}")

    def token(self, kind: str) -> str:
        if self.position >= len(self.tokens) or self.tokens[self.position][0] != kind:
            self.fail(f"expected a {kind}")
        self.position += 1
        return self.tokens[self.position - 1][1]

    def integer(self) -> int:
        text = self.token("number")
        if not re.fullmatch(r"-?\d+", text):
            self.fail(f"{text} is no integer")
        return int(text)

    def ended(self) -> None:
        if self.position < len(self.tokens):
            self.fail(f"unexpected {self.tokens[self.position][1]}")

    # Parts --------------------------------------------------------------------------------------------
    def dtype(self) -> DType:
        name = self.token("name")
        if name not in BY_NAME:
            self.fail(f"no dtype is called {name}")
        return BY_NAME[name]

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
        if self.position < len(self.tokens) and self.tokens[self.position][0] == "number":
            return const(self.integer())
        name = self.token("name")
        return symbol(int(name[1:]) if re.fullmatch(r"s\d+", name) else name)

    def buffer(self) -> int:
        self.expect("@")
        return self.integer()

    def ref(self) -> BufferRef:
        buffer = self.buffer()
        if not self.accept("["):
            return BufferRef(buffer)
        offset = self.expr()
        self.expect("]")
        return BufferRef(buffer, offset)

    def listed(self, item: Callable[[], Any]) -> tuple[Any, ...]:
        """Items parted by commas; none where the line, or what is around them, ends."""
        if self.position == len(self.tokens) or self.peek(*_CLOSING):
            return ()
        items = [item()]
        while self.accept(","):
            items.append(item())
        return tuple(items)

    def scalar_ref(self) -> ScalarRef:
        self.expect("%")
        return ScalarRef(self.integer())

    def loop_index(self) -> LoopIndex:
        self.expect("loop")
        depth = self.integer()
        self.expect(":")
        return LoopIndex(depth, self.dtype())

    def index(self) -> Expr | LoopIndex:
        return self.loop_index() if self.peek("loop") else self.expr()

    def bound(self) -> Bound:
        if self.peek("@"):
            return self.ref()
        return self.scalar_ref() if self.peek("%") else self.index()

    def scalar(self) -> Scalar:
        if self.peek("%"):
            return self.scalar_ref()
        if self.peek("loop"):
            return self.loop_index()
        text = self.token("name" if self.peek("True", "False") else "number")
        self.expect(":")
        dtype = self.dtype()
        try:
            value = (
                float(text) if dtype.is_float else text == "True" if text in ("True", "False") else int(text)
            )
        except ValueError:
            self.fail(f"{text} is no {dtype.name}")
        return ConstantScalar(value, dtype)

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
        if self.next >= len(self.lines) or not re.match(rf"  {word}\b", self.lines[self.next][1]):
            return ()
        self.take_line()
        self.expect(word)
        found = self.listed(item)
        self.ended()
        return found

    # Steps --------------------------------------------------------------------------------------------
    def plan(self, kernels: tuple[Kernel, ...]) -> Plan:
        if not self.lines:
            self.fail("expected a plan")
        self.take_line()
        self.expect("plan", "of")
        numbers = self.integer()
        self.expect("numbers")
        self.ended()
        scalars = self.section("scalars", self.plan_scalar)
        inputs = self.section("inputs", self.plan_buffer)
        buffers = self.section("buffers", self.plan_buffer)
        steps = self.steps(2)
        if self.next >= len(self.lines):
            self.fail("expected outputs after this line")
        self.take_line()
        self.expect("outputs")
        outputs = self.listed(self.buffer)
        self.ended()
        if self.next < len(self.lines):
            self.take_line()
            self.fail("expected a kernel")
        return Plan(numbers, kernels, len(inputs), scalars, inputs + buffers, steps, outputs)

    def steps(self, indent: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self.next < len(self.lines):
            line = self.lines[self.next][1]
            if len(line) - len(line.lstrip()) != indent or line.strip() in _BETWEEN:
                break
            self.take_line()
            word = self.tokens[0][1]
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
        self.ended()
        last = ""
        for region in regions:
            if region.word:
                mark = f"{' ' * indent}{region.word}:"
                there = self.next < len(self.lines) and self.lines[self.next][1] == mark
                if not there and region.optional:
                    continue
                if not there:
                    self.fail(f"expected {region.word}: after the steps of this {last}")
                self.take_line()
            found[region.field] = self.steps(indent + 2)
            last = region.field
        return kind(**found)

    def part(self, kind: type[Step], part: Part, found: dict[str, Any]) -> None:
        if isinstance(part, Word):
            for token in _tokens(part.text):
                if not self.accept(token):
                    self.fail(f"expected {token}")
        elif isinstance(part, Field):
            found[part.name] = _READERS[FIELDS[kind][part.name]](self)
        elif isinstance(part, Optional):
            first = part.parts[0]
            assert isinstance(first, Word), part
            if self.peek(_tokens(first.text)[0]):
                for inner in part.parts:
                    self.part(kind, inner, found)

    # Fields -------------------------------------------------------------------------------------------
    def condition(self) -> Expr | BufferRef:
        return self.ref() if self.peek("@") else self.expr()

    def pair(self) -> tuple[int, int]:
        return self.buffer(), self.buffer()

    def axis(self) -> Axis:
        count = self.expr()
        self.expect("by", "[")
        strides = self.listed(self.expr)
        self.expect("]")
        return Axis(count, strides)


_CLOSING = (")", ";", ":", "=", "]")
_BETWEEN = tuple(
    f"{part.word}:"
    for pattern in PATTERNS.values()
    for part in pattern
    if isinstance(part, Region) and part.word
)
"""Lines that stand between regions of one step."""
_READERS: dict[Kind, Callable[[_Parser], Any]] = {
    "int": _Parser.integer,
    "str": lambda parser: ast.literal_eval(parser.token("text")),
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
    "tuple[Index, ...]": lambda parser: parser.listed(parser.index),
    "tuple[Scalar, ...]": lambda parser: parser.listed(parser.scalar),
    "tuple[Size, ...]": lambda parser: parser.listed(parser.expr),
    "tuple[int, ...]": lambda parser: parser.listed(parser.integer),
    "tuple[Axis, ...]": lambda parser: parser.listed(parser.axis),
}


@cache
def _tokens(text: str) -> tuple[str, ...]:
    """The words and signs of a pattern."""
    return tuple(found.group(str(found.lastgroup)) for found in _TOKEN.finditer(text.rstrip()))
