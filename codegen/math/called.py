"""called_functions: which math functions a kernel calls, because copies of their bodies cost too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..kernel.nodes import Block, Kernel, walk
from .expand import MATH_NAMES, FunctionKey, function_block
from .features import MathFeatures

_MOST_REPEATED = 200
"""Instructions in the copies of bodies beyond the first of each, up to which they are copied."""


def called_functions(kernel: Kernel, features: MathFeatures) -> Mapping[FunctionKey, Block]:
    """The bodies of the functions that a kernel calls: those it has several times, if their copies would be
    most of it."""
    named = (each for each in walk(kernel.body) if each.op.name in MATH_NAMES)
    uses = Counter((each.op.name, each.operands[0].dtype.name) for each in named)
    repeated = {key: function_block(*key, features) for key, count in uses.items() if count > 1}
    copied = sum((uses[key] - 1) * _size(block) for key, block in repeated.items())
    return repeated if copied > _MOST_REPEATED else {}


def _size(block: Block) -> int:
    """What a further copy adds: copies share their constants and tables."""
    shared = ("constant", "table", "yield")
    return sum(each.op.name not in shared for each in walk(block, rare=False))
