"""own_calls: which of its own functions a kernel calls on the CPU; the others are written out."""

from __future__ import annotations

from collections import Counter

from ..kernel.nodes import Buffer, Function, Instruction, Kernel, constant_number, instructions_of, walk
from .called import MOST_REPEATED, copy_size
from .expand import MATH_NAMES, function_block
from .features import MathFeatures

_COMPUTING_RULES = frozenset(("same", "compare", "select", "shift"))
_COMPUTING = frozenset(("constant", "cast", "bitcast", "if", "yield", "return"))


def own_calls(kernel: Kernel, features: MathFeatures) -> frozenset[str]:
    """The kernel's own functions that it calls, by the measure of functions of math for each."""
    calls = (each for each in instructions_of(kernel) if each.op.name == "call")
    uses = Counter(each.attributes["function"] for each in calls)
    computing: set[str] = set()
    kept: set[str] = set()
    for function in kernel.functions:
        if not _computes(function, computing):
            continue
        computing.add(function.name)
        named = [each for each in walk(function.body) if each.op.name in MATH_NAMES]
        keys = [(each.op.name, each.operands[0].dtype.name) for each in named]
        size = copy_size(function.body) + sum(copy_size(function_block(*key, features)) for key in keys)
        if (uses[function.name] - 1) * size > MOST_REPEATED:
            kept.add(function.name)
    return frozenset(kept)


def _computes(function: Function, computing: set[str]) -> bool:
    """Whether it does nothing but compute, and so that lanes which rest may have anything computed: no loop
    that might not end, no division that might trap."""
    memory = any(isinstance(each, Buffer) for each in function.parameters)
    gives = bool(function.results) and bool(function.parameters)
    return gives and not memory and all(_is_computed(each, computing) for each in walk(function.body))


def _is_computed(instruction: Instruction, computing: set[str]) -> bool:
    name, operands = instruction.op.name, instruction.operands
    if name == "call":
        return instruction.attributes["function"] in computing
    if name in ("quotient", "remainder"):
        return constant_number(operands[1]) not in (None, 0)
    return instruction.op.rule in _COMPUTING_RULES or name in _COMPUTING
