"""expand_with_calls: a kernel with its functions inlined, except those that LLVM calls because copies cost
too much: functions of math, and pure functions of the kernel."""

from __future__ import annotations

from collections import Counter

from ..kernel.nodes import (
    Block,
    Buffer,
    Function,
    Instruction,
    Kernel,
    constant_number,
    instructions_of,
    walk,
)
from ..kernel.ops import POSITION, PURE
from ..kernel.rewrite import inline_calls
from .expand import MATH_NAMES, NEVER_CALLED, FunctionKey, expand_math, function_block
from .formats import MathFeatures

MOST_REPEATED = 200
"""The instructions in the copies of bodies beyond the first of each, up to which they are inlined."""
_SHARED = ("constant", "table", "yield", "return")
"""Instructions that copies share, or that are none."""
_COMPUTING = PURE - POSITION.keys() | {"if", "yield", "return"}


def expand_with_calls(kernel: Kernel, features: MathFeatures) -> Kernel:
    """Returns the kernel for LLVM, on a target with these features; exact."""
    if kernel.functions:
        kernel = inline_calls(kernel, own_calls(kernel, features))
    return expand_math(kernel, features, called=called_functions(kernel, features))


def called_functions(kernel: Kernel, features: MathFeatures) -> frozenset[FunctionKey]:
    """Returns the functions of math that a kernel calls: repeated ones, if their copies would be most
    of it."""
    named = (instruction for instruction in instructions_of(kernel) if instruction.op.name in MATH_NAMES)
    uses = Counter((instruction.op.name, instruction.operands[0].dtype.name) for instruction in named)
    repeated = {key: count for key, count in uses.items() if count > 1 and key[0] not in NEVER_CALLED}
    copied = sum((count - 1) * copy_size(function_block(*key, features)) for key, count in repeated.items())
    return frozenset(repeated) if copied > MOST_REPEATED else frozenset()


def own_calls(kernel: Kernel, features: MathFeatures) -> frozenset[str]:
    """Returns the kernel's own functions that it calls, by the same measure."""
    calls = (instruction for instruction in instructions_of(kernel) if instruction.op.name == "call")
    uses = Counter(call.attributes["function"] for call in calls)
    computing: set[str] = set()
    kept: set[str] = set()
    for function in kernel.functions:
        if not _computes(function, computing):
            continue
        computing.add(function.name)
        named = [instruction for instruction in walk(function.body) if instruction.op.name in MATH_NAMES]
        keys = [(instruction.op.name, instruction.operands[0].dtype.name) for instruction in named]
        size = copy_size(function.body) + sum(copy_size(function_block(*key, features)) for key in keys)
        if (uses[function.name] - 1) * size > MOST_REPEATED:
            kept.add(function.name)
    return frozenset(kept)


def _computes(function: Function, computing: set[str]) -> bool:
    """Whether a function is pure and safe for inactive lanes: no loop that might not end, no division that
    might trap."""
    memory = any(isinstance(parameter, Buffer) for parameter in function.parameters)
    gives = bool(function.results) and bool(function.parameters)
    return (
        gives
        and not memory
        and all(_is_computed(instruction, computing) for instruction in walk(function.body))
    )


def _is_computed(instruction: Instruction, computing: set[str]) -> bool:
    name, operands = instruction.op.name, instruction.operands
    if name == "call":
        return instruction.attributes["function"] in computing
    if name in ("quotient", "remainder"):
        return constant_number(operands[1]) not in (None, 0)
    return name in _COMPUTING


def copy_size(block: Block) -> int:
    """Returns the size of a further copy: copies share their constants and tables."""
    return sum(instruction.op.name not in _SHARED for instruction in walk(block, rare=False))
