"""Functions that a kernel calls: each body is written once in the module, for every width it is called
with."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Block, Instruction
from .arithmetic import Machine
from .context import Context, Handler
from .spelling import bits_of, constant, register_type, vector
from .target import VectorTarget
from .writer import Operand, Writer

_WIDE_BITS = 256
"""Arguments narrower than this and than a register are passed by C's convention: before such a call LLVM
clears the upper halves of vector registers, even those that the target's convention preserves."""


def call(c: Context, instruction: Instruction) -> None:
    """Calls a function for as many lanes as its arguments have."""
    w, body = c.writer, c.called(instruction)
    assert body is not None
    arguments = [c.operand(value) for value in instruction.operands]
    width = max([argument.width for argument in arguments])
    arguments = [w.splat(argument, width) for argument in arguments]
    if c.mask is not None and width > 1 and any(each.blocks for each in body.instructions):
        # Branches and loops wait for every lane: inactive lanes get arguments that are computed fast.
        ones = [
            Operand(constant(1, value.dtype), argument.type)
            for value, argument in zip(instruction.operands, arguments, strict=True)
        ]
        arguments = [w.select(c.mask, argument, one) for argument, one in zip(arguments, ones, strict=True)]
    types = [register_type(value.dtype) for value in instruction.results]
    spelled = [vector(type_, width) for type_ in types]
    returned = spelled[0] if len(types) == 1 else f"{{{', '.join(spelled)}}}"
    result = f"{_convention(c.target, types[0], width)}{returned}"
    symbol = f"@{instruction.attributes['function']}.{width}"
    if symbol not in c.called_texts:
        c.called_texts[symbol] = _definition(c, f"{result} {symbol}", body, returned, width)
    text = f"call {result} {symbol}({', '.join([argument.spelled for argument in arguments])})"
    if len(types) == 1:
        c.define(instruction, w.pure(text, types[0], width, arguments))
        return
    together = w.pure(text, returned, 1, arguments)
    parts = [
        w.pure(f"extractvalue {together.spelled}, {number}", type_, width, (together,))
        for number, type_ in enumerate(types)
    ]
    c.define(instruction, *parts)


def _definition(c: Context, head: str, body: Block, returned: str, width: int) -> str:
    """Writes a function of whole vectors, whose lanes are independent."""
    inner = inside(c, c.handlers)
    parameters = [
        Operand(f"%x{number}", register_type(value.dtype), width)
        for number, value in enumerate(body.parameters)
    ]
    with inner.lanes(width, None):
        results = [inner.writer.splat(operand, width) for operand in inner.run(body, *parameters)]
    return definition(inner, head, [parameter.spelled for parameter in parameters], results, returned)


def inside(c: Context, handlers: dict[str, Handler]) -> Context:
    """Returns the context of a function of its own in the same module."""
    writer = Writer()
    writer.constants = c.writer.constants
    machine = Machine(writer, c.target, c.machine.fast)
    return Context(c.kernel, c.target, writer, machine, handlers, {}, {}, c.functions, c.called_texts)


def definition(
    c: Context, head: str, parameters: Sequence[str], results: Sequence[Operand], returned: str
) -> str:
    """Returns the text of the function that a context has written; several results are one of the type
    `returned`."""
    w, last = c.writer, results[0]
    if len(results) > 1:
        last = Operand("poison", returned)
        for number, part in enumerate(results):
            last = w.effect(f"insertvalue {last.spelled}, {part.spelled}, {number}", returned)
    w.line(f"ret {last.spelled}")
    start = f"define internal {head}({', '.join(parameters)}) nounwind{c.target.spelled_attributes} {{"
    return "\n".join([start, "entry:", *w.text(), "}"])


def _convention(target: VectorTarget, type_: str, width: int) -> str:
    wide = bits_of(type_) * width >= min(_WIDE_BITS, target.vector_bits)
    return f"{target.vector_convention} " if wide and target.vector_convention else ""
