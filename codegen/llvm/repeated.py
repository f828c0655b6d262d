"""Outlining: repeated passes over scratch memory become one function of the module for each form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from ...ir.record import record
from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value, constant_number, walk
from .context import Context, Handler, Memory
from .functions import definition, inside
from .spelling import register_type
from .writer import Operand

_MOST_REPEATED = 40
"""The instructions of the copies beyond the first of each form, up to which passes are copied."""
_TIED = ("allocate", "atomic", "barrier", "exit", "fence", "group_id", "lane_id")
"""Instructions that cannot be moved into a function."""


class _Form(metaclass=record):
    """The form of a loop: equal for loops that differ in their operands only."""

    words: tuple[Hashable, ...]
    free: tuple[Value, ...]
    """The values from outside, in the order of first use."""
    constants: tuple[Value, ...]
    """Constants from outside, which are part of the form."""


def repeated_passes(kernel: Kernel) -> Mapping[Instruction, _Form]:
    """Returns the loops over scratch memory that become functions: repeated ones, if their copies would be a
    large part of the kernel."""
    forms: dict[Instruction, _Form] = {}
    pending = [kernel.body] if kernel.workgroup == 1 else []
    while pending:
        for instruction in pending.pop().instructions:
            if instruction.op.name != "for" or instruction.attributes["kind"] != "serial":
                continue
            form = _form(instruction) if instruction.results else None
            if form is not None:
                forms[instruction] = form
            else:
                pending += instruction.blocks
    uses = Counter(form.words for form in forms.values())
    sizes = {form.words: sum(1 for _ in walk(loop.blocks[0])) for loop, form in forms.items()}
    if sum((count - 1) * sizes[words] for words, count in uses.items()) <= _MOST_REPEATED:
        return {}
    return {loop: form for loop, form in forms.items() if uses[form.words] > 1}


def calling(passes: Mapping[Instruction, _Form], otherwise: Handler) -> Handler:
    """Returns a handler of loops that calls those which are functions."""
    symbols: dict[tuple[Hashable, ...], str] = {}

    def handle(c: Context, loop: Instruction) -> None:
        form = passes.get(loop)
        if form is None:
            otherwise(c, loop)
            return
        types = [register_type(value.dtype) for value in loop.results]
        result = types[0] if len(types) == 1 else f"{{{', '.join(types)}}}"
        symbol = symbols.get(form.words)
        if symbol is None:
            symbol = symbols[form.words] = f"@pass{len(symbols)}"
            c.called_texts[symbol] = _definition(c, f"{result} {symbol}", result, loop, form, otherwise)
        w = c.writer
        arguments = ", ".join([_held(c, value).spelled for value in form.free])
        operand = w.effect(f"call {result} {symbol}({arguments})", result)
        if len(types) == 1:
            c.define(loop, operand)
        else:
            numbered = enumerate(types)
            c.define(
                loop, *[w.effect(f"extractvalue {operand.spelled}, {n}", type_) for n, type_ in numbered]
            )

    return handle


def _held(c: Context, value: Value) -> Operand:
    return c.memory[value].address if isinstance(value, Buffer) else c.operand(value)


def _definition(
    c: Context, head: str, result: str, loop: Instruction, form: _Form, write_loop: Handler
) -> str:
    inner = inside(c, c.handlers | {"for": write_loop})
    inner.values.update((value, c.values[value]) for value in form.constants)
    parameters = []
    for number, value in enumerate(form.free):
        parameter = Operand(f"%x{number}", _held(c, value).type)
        if isinstance(value, Buffer):
            inner.memory[value] = Memory(parameter)
            parameters.append(f"ptr noalias {parameter.text}")
        else:
            inner.values[value] = parameter
            parameters.append(parameter.spelled)
    inner.write(loop)
    return definition(inner, head, parameters, [inner.operand(value) for value in loop.results], result)


def _form(loop: Instruction) -> _Form | None:
    """None for a loop that accesses memory other than the kernel's own, or cannot be moved."""
    words: list[Hashable] = []
    numbering: dict[Value, Hashable] = {}
    free: list[Value] = []
    constants: list[Value] = []

    def own(values: tuple[Value, ...]) -> None:
        for value in values:
            numbering[value] = len(numbering)
            words.append(value.dtype.name)

    def add(instruction: Instruction) -> bool:
        if instruction.op.name in _TIED:
            return False
        words.append((instruction.op.name, len(instruction.operands), len(instruction.results)))
        words.append(str(instruction.attributes))
        for value in instruction.operands:
            if value not in numbering:
                number = constant_number(value)
                if number is not None:
                    numbering[value] = value.dtype.name, repr(number)
                    constants.append(value)
                elif isinstance(value, Buffer) and value.space != "private":
                    return False
                else:
                    numbering[value] = len(numbering)
                    free.append(value)
                    words.append((value.dtype.name, isinstance(value, Buffer)))
            words.append(numbering[value])
        own(instruction.results)
        return all(block(each) for each in instruction.blocks)

    def block(each: Block) -> bool:
        own(each.parameters)
        return all(add(instruction) for instruction in each.instructions)

    return _Form(tuple(words), tuple(free), tuple(constants)) if add(loop) else None
