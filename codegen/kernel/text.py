"""Kernels as text: canonical (values are numbered as they appear), parsed back by `parse`.

>>> print(kernel_text(kernel))
kernel double, workgroup 1
  buffers @0: in f32, @1: out f32
  indices %0
  %1: index = constant 0
  %2: index = constant 1
  for lanes %3 from %1 to %0 step %2:
    %4: f32 = load @0[%3]
    %5: f32 = add %4, %4
    store @1[%3] = %5

Two kernels of equal text are the same program: the text is a cache key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...ir.text_form import marked_lines, number_text
from .nodes import Block, Buffer, Function, Instruction, Kernel, Value

_IN_TYPE = frozenset(("dtype",))


def kernel_text(kernel: Kernel) -> str:
    """The canonical text of a finished kernel; printed once, then cached."""
    text = kernel._text
    if text is None:
        text = kernel._text = "\n".join(KernelPrinter(kernel).lines) + "\n"
    return text


def marked_text(kernel: Kernel, instruction: Instruction | None) -> str:
    """The numbered lines of a kernel, the line of `instruction` marked with an arrow."""
    printer = KernelPrinter(kernel)
    marked = printer.line_of.get(instruction, 0) if instruction is not None else 0
    return marked_lines(printer.lines, marked)


def attributes_text(attributes: dict[str, Any], shown: Iterable[str] = ()) -> str:
    """` {name=value, ...}` of the attributes that are not shown elsewhere, or nothing."""
    names = sorted(name for name in attributes if name not in shown)
    if not names:
        return ""
    return " {" + ", ".join(f"{name}={attributes[name]!r}" for name in names) + "}"


class _Names(dict[Value, str]):
    def __missing__(self, value: Value) -> str:
        """Only a broken kernel uses what it never defined."""
        return "@undefined" if isinstance(value, Buffer) else "%undefined"


class KernelPrinter:
    """One printing of a kernel: its `lines`, and which line (from 0) each instruction starts."""

    def __init__(self, kernel: Kernel) -> None:
        self.names = _Names()
        self.lines = [f"kernel {kernel.name}, workgroup {kernel.workgroup}"]
        self.line_of: dict[Instruction, int] = {}
        self._values = 0
        self._buffers = 0
        self._header(kernel)
        for function in kernel.functions:
            self._function(function)
        self._block(kernel.body, "  ")

    def _header(self, kernel: Kernel) -> None:
        if kernel.buffers:
            buffers = ", ".join(f"{self._buffer(b)}: {b.access} {b.dtype.name}" for b in kernel.buffers)
            self.lines.append(f"  buffers {buffers}")
        if kernel.indices:
            self.lines.append("  indices " + ", ".join([self._value(v) for v in kernel.indices]))
        if kernel.scalars:
            self.lines.append("  scalars " + ", ".join([self._typed(v) for v in kernel.scalars]))

    def _function(self, function: Function) -> None:
        parameters = ", ".join(
            f"{self._buffer(parameter)}: {parameter.access} {parameter.space} {parameter.dtype.name}"
            if isinstance(parameter, Buffer)
            else self._typed(parameter)
            for parameter in function.parameters
        )
        self.lines.append(f"  function {function.name}({parameters}):")
        self._block(function.body, "    ")

    # Names --------------------------------------------------------------------------------------------
    def _value(self, value: Value) -> str:
        name = self.names[value] = f"%{self._values}"
        self._values += 1
        return name

    def _buffer(self, buffer: Value) -> str:
        name = self.names[buffer] = f"@{self._buffers}"
        self._buffers += 1
        return name

    def _typed(self, value: Value) -> str:
        return f"{self._value(value)}: {value.dtype.name}"

    def _define(self, results: tuple[Value, ...]) -> str:
        return ", ".join([self._typed(v) for v in results]) + " = " if results else ""

    def _uses(self, values: Iterable[Value]) -> str:
        names = self.names
        return ", ".join([names[v] for v in values])

    # Instructions -------------------------------------------------------------------------------------
    def _block(self, block: Block, indent: str) -> None:
        lines, names, line_of = self.lines, self.names, self.line_of
        for instruction in block.instructions:
            line_of[instruction] = len(lines)
            name = instruction.op.name
            form = _FORMS.get(name)
            if form is not None:
                form(self, instruction, indent)
                continue
            operands = ", ".join([names[v] for v in instruction.operands])
            line = f"{name} {operands}" if operands else name
            attributes = instruction.attributes
            if attributes and (len(attributes) > 1 or "dtype" not in attributes):
                line += attributes_text(attributes, _IN_TYPE)
            lines.append(f"{indent}{self._define(instruction.results)}{line}")

    def _constant(self, instruction: Instruction, indent: str) -> None:
        value = number_text(instruction.attributes.get("value", "nothing"))
        self.lines.append(f"{indent}{self._define(instruction.results)}constant {value}")

    def _load(self, instruction: Instruction, indent: str) -> None:
        buffer, position, *mask = [self.names[v] for v in instruction.operands]
        when = f" if {mask[0]}" if mask else ""
        self.lines.append(f"{indent}{self._define(instruction.results)}load {buffer}[{position}]{when}")

    def _store(self, instruction: Instruction, indent: str) -> None:
        buffer, position, value, *rest = [self.names[v] for v in instruction.operands]
        line = f"{indent}store {buffer}[{position}] = {value}"
        words = [
            word
            for attribute, word in (("masked", "if"), ("stream", "stream"))
            if attribute in instruction.attributes
        ]
        for word, name in zip(words, rest, strict=False):
            line += f" {word} {name}"
        self.lines.append(line)

    def _atomic(self, instruction: Instruction, indent: str) -> None:
        buffer, position, value = [self.names[v] for v in instruction.operands]
        line = f"{self._define(instruction.results)}atomic {buffer}[{position}], {value}"
        self.lines.append(f"{indent}{line}{attributes_text(instruction.attributes, ())}")

    def _allocate(self, instruction: Instruction, indent: str) -> None:
        (value,) = instruction.results
        attributes = instruction.attributes
        line = (
            f"{self._buffer(value)}: {value.dtype.name} = allocate {attributes['space']} {attributes['size']}"
        )
        self.lines.append(indent + line)

    def _table(self, instruction: Instruction, indent: str) -> None:
        (value,) = instruction.results
        values = ", ".join([number_text(v) for v in instruction.attributes["values"]])
        self.lines.append(f"{indent}{self._buffer(value)}: {value.dtype.name} = table [{values}]")

    def _barrier(self, instruction: Instruction, indent: str) -> None:
        self.lines.append(f"{indent}barrier {instruction.attributes.get('id')}")

    def _fence(self, instruction: Instruction, indent: str) -> None:
        self.lines.append(f"{indent}fence {instruction.attributes.get('scope')}")

    def _call(self, instruction: Instruction, indent: str) -> None:
        line = f"call {instruction.attributes.get('function')}({self._uses(instruction.operands)})"
        self.lines.append(f"{indent}{self._define(instruction.results)}{line}")

    # Structure ----------------------------------------------------------------------------------------
    def _initials(self, parameters: Iterable[Value], initial: Iterable[Value]) -> str:
        pairs = zip(list(parameters), list(initial), strict=False)
        return ", ".join([f"{self._typed(p)} = {self.names[v]}" for p, v in pairs])

    def _for(self, instruction: Instruction, indent: str) -> None:
        defined = self._define(instruction.results)
        lower, upper, step, *initial = instruction.operands
        body, *more = instruction.blocks
        names, attributes = self.names, instruction.attributes
        counter = self._value(body.parameters[0]) if body.parameters else "%undefined"
        line = (
            f"for {attributes.get('kind')} {counter} from {names[lower]} to {names[upper]} step {names[step]}"
        )
        if more or (initial and len(body.parameters) == 1):
            line += f" reduce {self._uses(initial)}"
        elif initial:
            line += f" with {self._initials(body.parameters[1:], initial)}"
        self.lines.append(f"{indent}{defined}{line}{attributes_text(attributes, ('kind',))}:")
        self._block(body, indent + "  ")
        for word, block in zip(("combine", "emit"), more, strict=False):
            parameters = ", ".join([self._typed(v) for v in block.parameters])
            self.lines.append(f"{indent}{word} {parameters}:")
            self._block(block, indent + "  ")

    def _while(self, instruction: Instruction, indent: str) -> None:
        defined = self._define(instruction.results)
        condition, body = instruction.blocks
        initials = self._initials(condition.parameters, instruction.operands)
        self.lines.append(f"{indent}{defined}while{' ' if initials else ''}{initials}:")
        self._block(condition, indent + "  ")
        parameters = ", ".join([self._typed(v) for v in body.parameters])
        self.lines.append(f"{indent}do{' ' if parameters else ''}{parameters}:")
        self._block(body, indent + "  ")

    def _if(self, instruction: Instruction, indent: str) -> None:
        defined = self._define(instruction.results)
        then, orelse = instruction.blocks
        line = f"if {self._uses(instruction.operands)}{attributes_text(instruction.attributes)}:"
        self.lines.append(f"{indent}{defined}{line}")
        self._block(then, indent + "  ")
        if orelse.instructions:
            self.lines.append(f"{indent}else:")
            self._block(orelse, indent + "  ")


_FORMS: dict[str, Callable[[KernelPrinter, Instruction, str], None]] = {
    "constant": KernelPrinter._constant,
    "load": KernelPrinter._load,
    "store": KernelPrinter._store,
    "atomic": KernelPrinter._atomic,
    "allocate": KernelPrinter._allocate,
    "table": KernelPrinter._table,
    "barrier": KernelPrinter._barrier,
    "call": KernelPrinter._call,
    "fence": KernelPrinter._fence,
    "for": KernelPrinter._for,
    "while": KernelPrinter._while,
    "if": KernelPrinter._if,
}
