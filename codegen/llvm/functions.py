"""Functions that a kernel calls: each body stands once in the module, for every width it is called with."""

from __future__ import annotations

from ..kernel.nodes import Block, Instruction
from .arithmetic import Machine
from .context import Context
from .spelling import bits_of, constant, vector
from .target import VectorTarget
from .writer import Operand, Writer

_WIDE_BITS = 256
"""Narrower arguments than this and a register are passed by C's convention: LLVM clears the upper halves of
vector registers before such a call, those too that the target's convention keeps."""


def call(c: Context, instruction: Instruction) -> None:
    """Call a function for as many lanes as its arguments have."""
    w, body = c.writer, c.called(instruction)
    assert body is not None
    arguments = [c.operand(value) for value in instruction.operands]
    width = max([each.width for each in arguments])
    arguments = [w.splat(each, width) for each in arguments]
    if c.mask is not None and width > 1 and any(each.blocks for each in body.instructions):
        # Branches and loops wait for every lane: those that rest ask for what is computed soon.
        dtype = instruction.operands[0].dtype
        one = Operand(constant(1, dtype), arguments[0].type)
        arguments = [w.select(c.mask, each, one) for each in arguments]
    type_ = arguments[0].type
    result = f"{_convention(c.target, type_, width)}{vector(type_, width)}"
    symbol = f"@{instruction.op.name}.{instruction.operands[0].dtype.name}.{width}"
    if symbol not in c.called_texts:
        c.called_texts[symbol] = _definition(c, f"{result} {symbol}", body, type_, width)
    spelled = ", ".join([each.spelled for each in arguments])
    c.define(instruction, w.pure(f"call {result} {symbol}({spelled})", type_, width, arguments))


def _definition(c: Context, head: str, body: Block, type_: str, width: int) -> str:
    """A function of whole vectors: what it computes for a lane depends on no other."""
    writer = Writer()
    writer.constants = c.writer.constants
    inner = Context(c.kernel, c.target, writer, Machine(writer, c.target, c.machine.fast), c.handlers, {})
    parameters = [Operand(f"%x{number}", type_, width) for number in range(len(body.parameters))]
    with inner.lanes(width, None):
        (result,) = inner.run(body, *parameters)
    writer.line(f"ret {writer.splat(result, width).spelled}")
    spelled = ", ".join(each.spelled for each in parameters)
    lines = [f"define internal {head}({spelled}) nounwind{c.target.spelled_attributes} {{", "entry:"]
    return "\n".join([*lines, *writer.text(), "}"])


def _convention(target: VectorTarget, type_: str, width: int) -> str:
    wide = bits_of(type_) * width >= min(_WIDE_BITS, target.vector_bits)
    return f"{target.vector_convention} " if wide and target.vector_convention else ""
