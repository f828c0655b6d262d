"""Reading plans from the text that `text` prints; what is read may still break the verifier's rules.

>>> plan_text(parse_plan(text)) == text
True
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, NoReturn

from ...ir.expr import Expr, ceil_div, const, equal, less, maximum, minimum, symbol
from ...ir.types import BY_NAME, DType
from ..kernel.nodes import Kernel
from ..kernel.parse import parse_kernel
from .nodes import (
    Alloc,
    Batch,
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
    PlanBuffer,
    Scalar,
    ScalarRef,
    Step,
    While,
    Zero,
)


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

    def listed(self, item: Callable[[], Any], *ends: str) -> tuple[Any, ...]:
        """Items parted by commas up to one of the signs `ends` (left standing), or the end of the line."""
        items: list[Any] = []
        while self.position < len(self.tokens) and not self.peek(*ends):
            if items:
                self.expect(",")
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
        return self.listed(item)

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
        if self.next < len(self.lines):
            self.take_line()
            self.fail("expected a kernel")
        return Plan(numbers, kernels, len(inputs), scalars, inputs + buffers, steps, outputs)

    def steps(self, indent: int) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self.next < len(self.lines):
            line = self.lines[self.next][1]
            if len(line) - len(line.lstrip()) != indent or line.strip() in ("else:", "do:"):
                break
            self.take_line()
            word = self.token("name")
            if word not in _STEPS:
                self.fail(f"no step is called {word}")
            steps.append(_STEPS[word](self, indent))
        return tuple(steps)

    def alloc(self, indent: int) -> Step:
        buffer = self.buffer()
        return self.done(Alloc(buffer, self.buffer() if self.accept("beside") else None))

    def free(self, indent: int) -> Step:
        return self.done(Free(self.buffer()))

    def done(self, step: Step) -> Step:
        self.ended()
        return step

    def launch(self, indent: int) -> Step:
        kernel = self.integer()
        self.expect("(")
        buffers = self.listed(self.ref, ";", ")")
        indices = self.listed(self.index, ";", ")") if self.accept(";") else ()
        scalars = self.listed(self.scalar, ")") if self.accept(";") else ()
        self.expect(")")
        groups, cost, moved = self.named("groups", "cost", "bytes")
        return self.done(Launch(kernel, buffers, indices, scalars, groups, cost, moved))

    def named(self, *words: str) -> list[Expr]:
        """Expressions, each after its word."""
        found = []
        for word in words:
            self.expect(word)
            found.append(self.expr())
        return found

    def gemm(self, indent: int) -> Step:
        dtype, c = self.dtype(), self.ref()
        self.expect("=")
        a, transpose_a = self.ref(), self.accept("transposed")
        self.expect("*")
        b, transpose_b = self.ref(), self.accept("transposed")
        m, n, k, lda, ldb, ldc, cost = self.named("m", "n", "k", "lda", "ldb", "ldc", "cost")
        batch: list[Batch] = []
        while self.accept("batch"):
            count, *strides = (self.expr(), *self.named("a", "b", "c"))
            batch.append(Batch(count, *strides))
        return self.done(
            Gemm(dtype, transpose_a, transpose_b, m, n, k, a, lda, b, ldb, c, ldc, cost, tuple(batch))
        )

    def copy(self, indent: int) -> Step:
        target = self.ref()
        self.expect("=")
        source = self.ref()
        (elements,) = self.named("elements")
        return self.done(Copy(target, source, elements))

    def loop(self, indent: int) -> Step:
        lower = self.bound()
        self.expect("to")
        upper = self.bound()
        swaps = self.swaps()
        self.expect(":")
        self.ended()
        return Loop(lower, upper, self.steps(indent + 2), swaps)

    def swaps(self) -> tuple[tuple[int, int], ...]:
        return self.listed(lambda: (self.buffer(), self.buffer()), ":") if self.accept("swap") else ()

    def while_(self, indent: int) -> Step:
        predicate, swaps = self.ref(), self.swaps()
        self.expect(":")
        self.ended()
        condition = self.steps(indent + 2)
        if self.next >= len(self.lines) or self.lines[self.next][1] != " " * indent + "do:":
            self.fail("expected do: after the condition of this while")
        self.take_line()
        return While(predicate, condition, self.steps(indent + 2), swaps)

    def cond(self, indent: int) -> Step:
        predicate = self.ref()
        self.expect(":")
        self.ended()
        then = self.steps(indent + 2)
        orelse: tuple[Step, ...] = ()
        if self.next < len(self.lines) and self.lines[self.next][1] == " " * indent + "else:":
            self.take_line()
            orelse = self.steps(indent + 2)
        return Cond(predicate, then, orelse)

    def callback(self, indent: int) -> Step:
        name = self.token("name")
        self.expect("(")
        buffers = self.listed(self.ref, ")")
        self.expect(")")
        return self.done(Callback(name, buffers))

    def check(self, indent: int) -> Step:
        condition: Expr | BufferRef = self.ref() if self.peek("@") else self.expr()
        self.expect("else")
        return self.done(Check(condition, ast.literal_eval(self.token("text"))))

    def zero(self, indent: int) -> Step:
        target = self.ref()
        (elements,) = self.named("elements")
        return self.done(Zero(target, elements))

    def faults(self, indent: int) -> Step:
        return self.done(Faults(self.buffer()))


_STEPS: dict[str, Callable[[_Parser, int], Step]] = {
    "alloc": _Parser.alloc,
    "free": _Parser.free,
    "launch": _Parser.launch,
    "gemm": _Parser.gemm,
    "copy": _Parser.copy,
    "loop": _Parser.loop,
    "while": _Parser.while_,
    "if": _Parser.cond,
    "callback": _Parser.callback,
    "check": _Parser.check,
    "zero": _Parser.zero,
    "faults": _Parser.faults,
}
