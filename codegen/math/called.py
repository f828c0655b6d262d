"""expand_with_calls: a kernel with its functions written out, but for those that LLVM calls because copies of
them cost too much: functions of math, and the kernel's own ones that only compute."""

from __future__ import annotations

from collections import Counter

from ..kernel.nodes import Block, Kernel, instructions_of, walk
from ..kernel.rewrite import inline_calls
from .expand import MATH_NAMES, NEVER_CALLED, FunctionKey, expand_math, function_block
from .features import MathFeatures

MOST_REPEATED = 200
"""Instructions in the copies of bodies beyond the first of each, up to which they are copied."""
_SHARED = ("constant", "table", "yield", "return")
"""Instructions that copies share, or that are none."""


def expand_with_calls(kernel: Kernel, features: MathFeatures) -> Kernel:
    """The kernel as LLVM is given it, for a target with these features; exact."""
    if kernel.functions:
        from .own_calls import own_calls

        kernel = inline_calls(kernel, own_calls(kernel, features))
    return expand_math(kernel, features, called=called_functions(kernel, features))


def called_functions(kernel: Kernel, features: MathFeatures) -> frozenset[FunctionKey]:
    """The functions of math that a kernel calls: those it has several times, if their copies would be most of
    it."""
    named = (each for each in instructions_of(kernel) if each.op.name in MATH_NAMES)
    uses = Counter((each.op.name, each.operands[0].dtype.name) for each in named)
    repeated = {key: count for key, count in uses.items() if count > 1 and key[0] not in NEVER_CALLED}
    copied = sum((count - 1) * copy_size(function_block(*key, features)) for key, count in repeated.items())
    return frozenset(repeated) if copied > MOST_REPEATED else frozenset()


def copy_size(block: Block) -> int:
    """What a further copy adds: copies share their constants and tables."""
    return sum(each.op.name not in _SHARED for each in walk(block, rare=False))
