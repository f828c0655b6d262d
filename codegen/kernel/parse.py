"""Reading kernels from the text that `text` prints; what is read may still break the verifier's rules.

>>> kernel_text(parse_kernel(text)) == text
True
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from ...ir.types import BY_NAME, INDEX, DType
from .nodes import Block, Buffer, Function, Instruction, Kernel, Value
from .ops import KERNEL_OPS


class KernelSyntaxError(ValueError):
    """A text that is no kernel: line number, what was expected, the line."""


def parse_kernel(text: str, first_line: int = 1) -> Kernel:
    """The kernel that `text` prints; raises KernelSyntaxError with the line."""
    return _Parser(text, first_line).kernel()


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    indent: int
    text: str


_HEADER = re.compile(r"kernel (\S+), workgroup (\d+)")
_PARAMETER = re.compile(r"(@\d+): (in|out|inout) (\w+)")
_MEMORY = re.compile(r"(@\d+): (in|out|inout) (global|shared|private) (\w+)")
_FUNCTION = re.compile(r"function ([\w.]+)\((.*)\):")
_CALL = re.compile(r"([\w.]+)\((.*)\)")
_TYPED = re.compile(r"([%@]\d+): (\w+)")
_DEFINITION = re.compile(r"((?:[%@]\d+: \w+, )*[%@]\d+: \w+) = (.*)")
_OPERATION = re.compile(r"(\w+) ?([^{]*?) ?(\{.*\})?")
_LOAD = re.compile(r"(@\d+)\[(%\d+)\](?: if (%\d+))?")
_STORE = re.compile(r"(@\d+)\[(%\d+)\] = (%\d+)(?: if (%\d+))?(?: stream (%\d+))?")
_ATOMIC = re.compile(r"(@\d+)\[(%\d+)\], (%\d+)")
_ALLOCATE = re.compile(r"(shared|private) (\d+)")
_FOR = re.compile(
    r"(\w+) (%\d+) from (%\d+) to (%\d+) step (%\d+)(?: (reduce|with) ([^{]*?))?(?: (\{.*\}))?:"
)
_INITIAL = re.compile(r"(%\d+): (\w+) = (%\d+)")


class _Parser:
    def __init__(self, text: str, first_line: int) -> None:
        self.lines = [
            _Line(number, len(line) - len(line.lstrip(" ")), line.strip())
            for number, line in enumerate(text.splitlines(), first_line)
            if line.strip()
        ]
        self.next = 0
        self.known: dict[str, Value] = {}
        self.line = self.lines[0] if self.lines else _Line(first_line, 0, "")

    def fail(self, message: str) -> NoReturn:
        raise KernelSyntaxError(f"line {self.line.number}: {message}: {self.line.text!r}")

    def match(self, pattern: re.Pattern[str], text: str, expected: str) -> tuple[Any, ...]:
        found = pattern.fullmatch(text)
        if found is None:
            self.fail(f"expected {expected}")
        return found.groups()

    def take(self) -> _Line:
        self.line = self.lines[self.next]
        self.next += 1
        return self.line

    def peek(self, indent: int, word: str) -> bool:
        """Whether the next line stands at `indent` and opens with `word`."""
        if self.next >= len(self.lines) or self.lines[self.next].indent != indent:
            return False
        return re.match(rf"{word}\b", self.lines[self.next].text) is not None

    # Names --------------------------------------------------------------------------------------------
    def dtype(self, name: str) -> DType:
        if name not in BY_NAME:
            self.fail(f"no dtype is called {name}")
        return BY_NAME[name]

    def use(self, name: str) -> Value:
        value = self.known.get(name)
        if value is None:
            self.fail(f"{name} is not defined above")
        return value

    def uses(self, text: str) -> tuple[Value, ...]:
        return tuple(self.use(name) for name in text.split(", ")) if text else ()

    def define(self, name: str, value: Value) -> Value:
        if name in self.known:
            self.fail(f"{name} is defined twice")
        self.known[name] = value
        return value

    def typed(self, text: str) -> list[tuple[str, DType]]:
        if not text:
            return []
        pairs = [self.match(_TYPED, part, "NAME: DTYPE") for part in text.split(", ")]
        return [(name, self.dtype(dtype)) for name, dtype in pairs]

    def attributes(self, text: str | None) -> dict[str, Any]:
        if not text:
            return {}
        try:
            call = ast.parse(f"_({text[1:-1]})", mode="eval").body
            if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
                raise ValueError
            return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        except (SyntaxError, ValueError):
            self.fail("expected attributes {name=value, ...}")

    def number(self, text: str, dtype: DType) -> bool | int | float:
        try:
            if dtype.kind == "bool":
                return {"True": True, "False": False}[text]
            return float(text) if dtype.is_float else int(text)
        except (KeyError, ValueError):
            self.fail(f"{text} is no {dtype.name}")

    # Kernel -------------------------------------------------------------------------------------------
    def kernel(self) -> Kernel:
        if not self.lines:
            self.fail("expected a kernel")
        name, workgroup = self.match(_HEADER, self.take().text, "kernel NAME, workgroup LANES")
        buffers: list[Buffer] = []
        if self.peek(2, "buffers"):
            for part in self.take().text.removeprefix("buffers ").split(", "):
                label, access, dtype = self.match(_PARAMETER, part, "@N: in|out|inout DTYPE")
                buffers.append(Buffer(self.dtype(dtype), "global", access))
                self.define(label, buffers[-1])
        indices: list[Value] = []
        if self.peek(2, "indices"):
            for label in self.take().text.removeprefix("indices ").split(", "):
                indices.append(self.define(label, Value(INDEX)))
        scalars: list[Value] = []
        if self.peek(2, "scalars"):
            for label, kind in self.typed(self.take().text.removeprefix("scalars ")):
                scalars.append(self.define(label, Value(kind)))
        functions = []
        while self.peek(2, "function"):
            functions.append(self.function(self.take().text))
        body = self.block(2, ())
        if self.next < len(self.lines):
            self.take()
            self.fail("unexpected indentation")
        given = tuple(buffers), tuple(indices), tuple(scalars)
        return Kernel(name, *given, body, int(workgroup), tuple(functions))

    def function(self, text: str) -> Function:
        name, given = self.match(_FUNCTION, text, "function NAME(PARAMETERS):")
        parameters: list[Value] = []
        for part in given.split(", ") if given else []:
            if part.startswith("@"):
                label, access, space, dtype = self.match(_MEMORY, part, "@N: in|out|inout SPACE DTYPE")
                parameters.append(self.define(label, Buffer(self.dtype(dtype), space, access)))
            else:
                parameters += self.parameters(part)
        return Function(name, self.block(4, tuple(parameters)))

    def block(self, indent: int, parameters: tuple[Value, ...]) -> Block:
        block = Block(parameters)
        while self.next < len(self.lines) and self.lines[self.next].indent == indent:
            if self.peek(indent, "(else|combine|do)"):
                break
            block.instructions.append(self.instruction(self.take()))
        return block

    def parameters(self, text: str) -> tuple[Value, ...]:
        return tuple(self.define(name, Value(dtype)) for name, dtype in self.typed(text))

    def instruction(self, line: _Line) -> Instruction:
        found = _DEFINITION.fullmatch(line.text)
        # `while %0: f32 = %1:` looks like a definition from its second word on, never from its first.
        results = self.typed(found.group(1)) if found else []
        text = found.group(2) if found else line.text
        word = re.match(r"\w*", text)
        name = word.group() if word else ""
        if name not in KERNEL_OPS:
            self.fail(f"no instruction is called {name}" if name else "expected an instruction")
        form = _FORMS.get(name)
        rest = text[len(name) :].lstrip(" ")
        if form is not None:
            return form(self, name, rest, results, line.indent)
        _, operands, attributes = self.match(_OPERATION, text, "OPERATION OPERANDS {ATTRIBUTES}")
        made = self.attributes(attributes)
        if KERNEL_OPS[name].rule == "attribute" and results:
            made["dtype"] = results[0][1]
        return self.finish(name, self.uses(operands), results, made)

    def finish(
        self,
        name: str,
        operands: tuple[Value, ...],
        results: list[tuple[str, DType]],
        attributes: dict[str, Any] | None = None,
        blocks: tuple[Block, ...] = (),
    ) -> Instruction:
        types = tuple(dtype for _, dtype in results)
        instruction = Instruction(KERNEL_OPS[name], operands, types, attributes, blocks)
        for (label, _), value in zip(results, instruction.results, strict=True):
            self.define(label, value)
        return instruction

    # Forms --------------------------------------------------------------------------------------------
    def constant(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        dtype = self.only(results)
        return self.finish(name, (), results, {"dtype": dtype, "value": self.number(rest, dtype)})

    def load(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        self.only(results)
        groups = self.match(_LOAD, rest, "load @B[%I] if %MASK")
        return self.finish(name, tuple(self.use(g) for g in groups if g), results)

    def store(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        groups = self.match(_STORE, rest, "store @B[%I] = %V if %MASK stream %S")
        attributes = {key: True for key, given in (("masked", groups[3]), ("stream", groups[4])) if given}
        return self.finish(name, tuple(self.use(g) for g in groups if g), results, attributes)

    def atomic(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        self.only(results)
        access, brace, attributes = rest.partition(" {")
        groups = self.match(_ATOMIC, access, "atomic @B[%I], %V {kind=, order=, scope=}")
        return self.finish(
            name,
            tuple(self.use(g) for g in groups),
            results,
            self.attributes("{" + attributes) if brace else {},
        )

    def allocate(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        dtype = self.only(results)
        space, size = self.match(_ALLOCATE, rest, "allocate shared|private SIZE")
        return self.memory(
            name, results, Buffer(dtype, space), {"dtype": dtype, "size": int(size), "space": space}
        )

    def table(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        dtype = self.only(results)
        (inner,) = self.match(re.compile(r"\[(.*)\]"), rest, "table [VALUE, ...]")
        values = tuple(self.number(part, dtype) for part in inner.split(", ")) if inner else ()
        return self.memory(name, results, Buffer(dtype, "table", "in"), {"dtype": dtype, "values": values})

    def memory(
        self, name: str, results: list[tuple[str, DType]], buffer: Buffer, attributes: dict[str, Any]
    ) -> Instruction:
        instruction = Instruction(KERNEL_OPS[name], (), (), attributes)
        instruction.results = (buffer,)
        buffer.producer = instruction
        self.define(results[0][0], buffer)
        return instruction

    def only(self, results: list[tuple[str, DType]]) -> DType:
        if len(results) != 1:
            self.fail("expected one result")
        return results[0][1]

    def barrier(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        (identifier,) = self.match(re.compile(r"(\d+)"), rest, "barrier ID")
        return self.finish(name, (), results, {"id": int(identifier)})

    def fence(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        (scope,) = self.match(re.compile(r"(\w+)"), rest, "fence SCOPE")
        return self.finish(name, (), results, {"scope": scope})

    def call(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        function, operands = self.match(_CALL, rest, "call NAME(OPERANDS)")
        return self.finish(name, self.uses(operands), results, {"function": function})

    def loop(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        kind, counter, lower, upper, step, how, carried, attributes = self.match(
            _FOR, rest, "for KIND %I from %LOWER to %UPPER step %STEP:"
        )
        operands = [self.use(lower), self.use(upper), self.use(step)]
        made = {"kind": kind, **self.attributes(attributes)}
        types = [dtype for _, dtype in results]
        instruction = Instruction(KERNEL_OPS[name], (), tuple(types), made)
        for (label, _), value in zip(results, instruction.results, strict=True):
            self.define(label, value)
        parameters = [self.define(counter, Value(INDEX))]
        if how == "with":
            carried_values, initial = self.initials(carried)
            parameters += carried_values
            operands += initial
        elif how == "reduce":
            operands += self.uses(carried)
        blocks = [self.block(indent + 2, tuple(parameters))]
        for word in ("combine", "emit"):
            if self.peek(indent, word):
                typed = self.take().text.removeprefix(f"{word} ").removesuffix(":")
                blocks.append(self.block(indent + 2, self.parameters(typed)))
        instruction.operands, instruction.blocks = tuple(operands), tuple(blocks)
        return instruction

    def initials(self, text: str) -> tuple[list[Value], list[Value]]:
        groups = (
            [self.match(_INITIAL, part, "%NAME: DTYPE = %VALUE") for part in text.split(", ")] if text else []
        )
        initial = [self.use(value) for _, _, value in groups]
        return [self.define(label, Value(self.dtype(dtype))) for label, dtype, _ in groups], initial

    def repeat_while(
        self, name: str, rest: str, results: list[tuple[str, DType]], indent: int
    ) -> Instruction:
        instruction = Instruction(KERNEL_OPS[name], (), tuple(dtype for _, dtype in results))
        for (label, _), value in zip(results, instruction.results, strict=True):
            self.define(label, value)
        parameters, initial = self.initials(self.opened(rest))
        condition = self.block(indent + 2, tuple(parameters))
        if not self.peek(indent, "do"):
            self.fail("expected `do` after this while")
        carried = self.take().text.removeprefix("do").strip().removesuffix(":")
        instruction.operands = tuple(initial)
        instruction.blocks = (condition, self.block(indent + 2, self.parameters(carried)))
        return instruction

    def branch(self, name: str, rest: str, results: list[tuple[str, DType]], indent: int) -> Instruction:
        condition, brace, attributes = self.opened(rest).partition(" {")
        made = self.attributes("{" + attributes) if brace else {}
        instruction = self.finish(name, self.uses(condition), results, made)
        then, orelse = self.block(indent + 2, ()), Block()
        if self.peek(indent, "else"):
            self.take()
            orelse = self.block(indent + 2, ())
        instruction.blocks = (then, orelse)
        return instruction

    def opened(self, text: str) -> str:
        if not text.endswith(":"):
            self.fail("expected : at the end")
        return text[:-1]


_Form = Callable[[_Parser, str, str, list[tuple[str, DType]], int], Instruction]
_FORMS: dict[str, _Form] = {
    "constant": _Parser.constant,
    "load": _Parser.load,
    "store": _Parser.store,
    "atomic": _Parser.atomic,
    "allocate": _Parser.allocate,
    "table": _Parser.table,
    "barrier": _Parser.barrier,
    "call": _Parser.call,
    "fence": _Parser.fence,
    "for": _Parser.loop,
    "while": _Parser.repeat_while,
    "if": _Parser.branch,
}
