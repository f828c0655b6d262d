"""Reading kernels from the text that `text` prints; what is read may still break the verifier's rules.

>>> kernel_text(parse_kernel(text)) == text
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.text_form import Reader
from ...ir.types import INDEX, DType
from .nodes import Block, Buffer, Function, Instruction, Kernel, Value
from .ops import KERNEL_OPS

Results = list[tuple[str, DType]]
"""The names and dtypes of what a line defines."""


class KernelSyntaxError(ValueError):
    """A text that is no kernel: line and column, what was expected, the line."""


def parse_kernel(text: str, first_line: int = 1) -> Kernel:
    """The kernel that `text` prints; raises KernelSyntaxError with the line."""
    return _Parser(text.splitlines(), KernelSyntaxError, first_line).kernel()


class _Parser(Reader):
    # Names
    def use(self) -> Value:
        name = self.token("buffer" if self.kind == "buffer" else "value")
        value = self.known.get(name)
        if value is None:
            self.fail(f"{name} is not defined above")
        return value

    def define(self, name: str, value: Value) -> Value:
        if name in self.known:
            self.fail(f"{name} is defined twice")
        self.known[name] = value
        return value

    def define_results(self, results: Results, instruction: Instruction) -> None:
        for (name, _), value in zip(results, instruction.results, strict=True):
            self.define(name, value)

    def typed(self) -> tuple[str, DType]:
        name = self.token("buffer" if self.kind == "buffer" else "value")
        self.expect(":")
        return name, self.dtype()

    def parameter(self) -> Value:
        name, dtype = self.typed()
        return self.define(name, Value(dtype))

    def index_parameter(self) -> Value:
        return self.define(self.token("value"), Value(INDEX))

    def buffer_parameter(self, *spaces: str) -> Buffer:
        """A buffer with its access, and its space where that is not always the same."""
        name = self.token("buffer")
        self.expect(":")
        access: Any = self.token("name", "in", "out", "inout")
        space: Any = self.token("name", *spaces) if spaces else "global"
        buffer = Buffer(self.dtype(), space, access)
        self.define(name, buffer)
        return buffer

    def function_parameter(self) -> Value:
        if self.kind == "buffer":
            return self.buffer_parameter("global", "shared", "private")
        return self.parameter()

    def attributes(self) -> dict[str, Any]:
        """`{name=value, ...}`, or nothing."""
        if not self.accept("{"):
            return {}
        found = dict(self.listed(self.attribute))
        self.expect("}")
        return found

    def attribute(self) -> tuple[str, Any]:
        name = self.token("name")
        self.expect("=")
        return name, self.value()

    # Kernel
    def kernel(self) -> Kernel:
        self.known: dict[str, Value] = {}
        self.take_line("a kernel")
        self.expect("kernel")
        name = self.token("name")
        self.expect(",", "workgroup")
        workgroup = self.integer()
        self.end_line()
        buffers = self.header("buffers", self.buffer_parameter)
        indices = self.header("indices", self.index_parameter)
        scalars = self.header("scalars", self.parameter)
        functions = []
        while self.opens(2, "function"):
            functions.append(self.function())
        body = self.block(2, ())
        self.end("unexpected indentation")
        return Kernel(name, buffers, indices, scalars, body, workgroup, tuple(functions))

    def header(self, word: str, parameter: Callable[[], Any]) -> tuple[Any, ...]:
        """The parameters in a line of their own, if there are any."""
        if not self.opens(2, word):
            return ()
        self.take_line(word)
        self.expect(word)
        found = self.listed(parameter)
        self.end_line()
        return found

    def function(self) -> Function:
        self.take_line("a function")
        self.expect("function")
        name = self.token("name")
        self.expect("(")
        parameters = self.listed(self.function_parameter)
        self.expect(")")
        return Function(name, self.opened(4, parameters))

    def opened(self, indent: int, parameters: tuple[Value, ...]) -> Block:
        """The block below a line that ends here."""
        self.expect(":")
        self.end_line()
        return self.block(indent, parameters)

    def block(self, indent: int, parameters: tuple[Value, ...]) -> Block:
        block = Block(parameters)
        while self.following()[0] == indent:
            self.take_line("an instruction")
            block.instructions.append(self.instruction(indent))
        return block

    def next_block(self, word: str, indent: int) -> Block:
        """One that begins with a line `WORD PARAMETERS:`."""
        self.take_line(word)
        self.expect(word)
        return self.opened(indent + 2, self.listed(self.parameter))

    # Instructions
    def instruction(self, indent: int) -> Instruction:
        results: Results = []
        if self.kind in ("value", "buffer"):
            results = list(self.listed(self.typed))
            self.expect("=")
        name = self.token("name")
        if name not in KERNEL_OPS:
            self.fail(f"no instruction is called {name}")
        if name in _STRUCTURED:
            return _STRUCTURED[name](self, name, results, indent)
        if name in ("allocate", "table"):
            instruction = self.memory(name, results)
        else:
            operands, attributes = _FORMS.get(name, _Parser.operation)(self, results)
            if KERNEL_OPS[name].rule == "attribute" and results:
                attributes["dtype"] = results[0][1]
            types = tuple([dtype for _, dtype in results])
            instruction = Instruction(KERNEL_OPS[name], tuple(operands), types, attributes)
        self.end_line()
        self.define_results(results, instruction)
        return instruction

    def operation(self, _results: Results) -> _Operation:
        operands = self.listed(self.use)
        return operands, self.attributes()

    def constant(self, results: Results) -> _Operation:
        return (), {"value": self.number(self.literal(), self.only(results))}

    def load(self, results: Results) -> _Operation:
        self.only(results)
        place = self.place()
        return (*place, self.use()) if self.accept("if") else place, {}

    def store(self, _results: Results) -> _Operation:
        operands = [*self.place()]
        self.expect("=")
        operands.append(self.use())
        attributes = {}
        for word, attribute in (("if", "masked"), ("stream", "stream")):
            if self.accept(word):
                operands.append(self.use())
                attributes[attribute] = True
        return operands, attributes

    def atomic(self, results: Results) -> _Operation:
        self.only(results)
        place = self.place()
        self.expect(",")
        return (*place, self.use()), self.attributes()

    def place(self) -> tuple[Value, Value]:
        """A buffer and a position in it."""
        buffer = self.use()
        self.expect("[")
        position = self.use()
        self.expect("]")
        return buffer, position

    def barrier(self, _results: Results) -> _Operation:
        return (), {"id": self.integer()}

    def fence(self, _results: Results) -> _Operation:
        return (), {"scope": self.token("name")}

    def call(self, _results: Results) -> _Operation:
        name = self.token("name")
        self.expect("(")
        operands = self.listed(self.use)
        self.expect(")")
        return operands, {"function": name}

    def memory(self, name: str, results: Results) -> Instruction:
        """Allocates a buffer, or makes it of values."""
        dtype = self.only(results)
        attributes: dict[str, Any]
        if name == "table":
            self.expect("[")
            values = self.listed(lambda: self.number(self.literal(), dtype))
            self.expect("]")
            attributes, buffer = {"values": values}, Buffer(dtype, "table", "in")
        else:
            space: Any = self.token("name", "shared", "private")
            attributes, buffer = {"size": self.integer(), "space": space}, Buffer(dtype, space)
        instruction = Instruction(KERNEL_OPS[name], (), (), {"dtype": dtype, **attributes})
        instruction.results = (buffer,)
        buffer.producer = instruction
        return instruction

    def only(self, results: Results) -> DType:
        if len(results) != 1:
            self.fail("expected one result")
        return results[0][1]

    # Structure
    def structured(self, name: str, results: Results) -> Instruction:
        """An instruction whose results are known; its operands and blocks are read next."""
        instruction = Instruction(KERNEL_OPS[name], (), tuple([dtype for _, dtype in results]))
        self.define_results(results, instruction)
        return instruction

    def loop(self, name: str, results: Results, indent: int) -> Instruction:
        instruction = self.structured(name, results)
        kind = self.token("name")
        parameters = [self.index_parameter()]
        operands = []
        for word in ("from", "to", "step"):
            self.expect(word)
            operands.append(self.use())
        if self.accept("with"):
            carried, initial = self.initials()
            parameters += carried
            operands += initial
        elif self.accept("reduce"):
            operands += self.listed(self.use)
        instruction.attributes = {"kind": kind, **self.attributes()}
        blocks = [self.opened(indent + 2, tuple(parameters))]
        blocks += [self.next_block(word, indent) for word in ("combine", "emit") if self.opens(indent, word)]
        instruction.operands, instruction.blocks = tuple(operands), tuple(blocks)
        return instruction

    def initials(self) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """Carried values and what they are at first."""
        pairs = self.listed(self.initial)
        carried = tuple([self.define(name, Value(dtype)) for name, dtype, _ in pairs])
        return carried, tuple([value for _, _, value in pairs])

    def initial(self) -> tuple[str, DType, Value]:
        name, dtype = self.typed()
        self.expect("=")
        return name, dtype, self.use()

    def repeat_while(self, name: str, results: Results, indent: int) -> Instruction:
        instruction = self.structured(name, results)
        parameters, instruction.operands = self.initials()
        condition = self.opened(indent + 2, parameters)
        if not self.opens(indent, "do"):
            self.fail("expected `do` after this while")
        instruction.blocks = (condition, self.next_block("do", indent))
        return instruction

    def branch(self, name: str, results: Results, indent: int) -> Instruction:
        condition = self.use()
        instruction = self.structured(name, results)
        instruction.operands, instruction.attributes = (condition,), self.attributes()
        then = self.opened(indent + 2, ())
        orelse = self.next_block("else", indent) if self.opens(indent, "else") else Block()
        instruction.blocks = (then, orelse)
        return instruction


_Operation = tuple["tuple[Value, ...] | list[Value]", dict[str, Any]]
"""The operands and attributes of an instruction."""
_FORMS: dict[str, Callable[[_Parser, Results], _Operation]] = {
    "constant": _Parser.constant,
    "load": _Parser.load,
    "store": _Parser.store,
    "atomic": _Parser.atomic,
    "barrier": _Parser.barrier,
    "call": _Parser.call,
    "fence": _Parser.fence,
}
_STRUCTURED: dict[str, Callable[[_Parser, str, Results, int], Instruction]] = {
    "for": _Parser.loop,
    "while": _Parser.repeat_while,
    "if": _Parser.branch,
}
